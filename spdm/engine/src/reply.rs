//! What goes into a handler, and what comes out of it.

use crate::connection::Then;
use crate::context::Context;
use crate::error::Refusal;
use crate::kept::Kept;
use crate::key_schedule::Origin;
use crate::messages::Row;
use crate::session::{Effect, Session, SessionId};
use crate::signatures::Signer;
use crate::transcript::{MeasurementLog, Transcript};
use alloc::{sync::Arc, vec::Vec};
use grille_spdm_codec::error::ErrorCode;

/// A request that was admitted.
pub(crate) struct Asked<'a> {
    /// The message, and on PCI DOE perhaps padding.
    pub(crate) bytes: &'a [u8],
    /// The session that it came in.
    pub(crate) session: Option<SessionId>,
    /// What was said before it outside sessions.
    pub(crate) transcript: &'a Transcript,
}

impl Asked<'_> {
    /// The blocks that were told without a signature, in this session or outside.
    pub(crate) fn log(&self, cx: &Context) -> MeasurementLog {
        let measured = self.session.and_then(|id| cx.session(id)).map(|session| &session.measured);
        self.transcript.log(measured).cloned().unwrap_or_default()
    }

    /// The session in whose handshake the request came, if that was begun in this way.
    pub(crate) fn handshake<'c>(&self, cx: &'c Context, origin: Origin) -> Result<&'c Session, Refusal> {
        let session = self.session.and_then(|id| cx.session(id));
        let begun = session.filter(|session| session.origin == origin);
        begun.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))
    }
}

/// What a handler answers.
pub(crate) struct Reply {
    /// The response up to its signature and VerifyData.
    pub(crate) body: Vec<u8>,
    /// The length of the request.
    pub(crate) taken: usize,
    /// Who signs.
    pub(crate) signed: Option<Signed>,
    /// What it changes in the connection.
    pub(crate) then: Then,
    /// What it does to sessions.
    pub(crate) effect: Effect,
    /// The blocks in L1/L2, this response's with them.
    pub(crate) log: Option<MeasurementLog>,
}

impl Reply {
    /// A response that changes nothing.
    pub(crate) const fn plain(body: Vec<u8>, taken: usize) -> Self {
        Self { body, taken, signed: None, then: Then::Nothing, effect: Effect::Nothing, log: None }
    }
}

/// A signature that is to be appended.
pub(crate) struct Signed {
    pub(crate) signer: Arc<dyn Signer>,
    pub(crate) context: &'static str,
}

/// A reply that is not sealed yet. What belongs to a session is erased in the end, wherever it waited.
pub(crate) struct Work {
    pub(crate) row: &'static Row,
    pub(crate) session: Option<SessionId>,
    pub(crate) request: Kept,
    /// The response, as far as it is written.
    pub(crate) response: Kept,
    pub(crate) reply: Reply,
}

impl Work {
    /// `request`: without what may follow it.
    pub(crate) fn new(
        row: &'static Row,
        session: Option<SessionId>,
        request: &[u8],
        mut reply: Reply,
    ) -> Self {
        let secret = session.is_some();
        let request = Kept::new(request.to_vec(), secret);
        let response = Kept::new(core::mem::take(&mut reply.body), secret);
        Self { row, session, request, response, reply }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;
    use alloc::vec;
    use grille_spdm_codec::Code;

    #[test]
    fn what_waits_in_a_session_is_erased() {
        let row = messages::row(Code::GET_MEASUREMENTS).unwrap();
        for session in [None, Some(7)] {
            let Work { request, response, .. } =
                Work::new(row, session, &[1, 2], Reply::plain(vec![3, 4], 2));
            assert_eq!((&request[..], &response[..]), (&[1, 2][..], &[3, 4][..]));
            assert_eq!([request, response].map(|kept| kept.is_secret()), [session.is_some(); 2]);
        }
    }
}
