//! Inputs and outputs of request handlers.

use crate::connection::ConnectionChange;
use crate::context::Context;
use crate::error::Refusal;
use crate::key_schedule::Origin;
use crate::message_buffer::MessageBuffer;
use crate::messages::Row;
use crate::proof::Proof;
use crate::session::{Effect, Session, SessionId};
use crate::transcript::{ReportedBlocks, Transcript};
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;

/// A request that passed all checks.
pub(crate) struct IncomingRequest<'a> {
    /// The message, on PCI DOE possibly with padding.
    pub(crate) bytes: &'a [u8],
    /// The request's session.
    pub(crate) session: Option<SessionId>,
    /// The transcripts outside sessions before this request.
    pub(crate) transcript: &'a Transcript,
}

impl IncomingRequest<'_> {
    /// Returns the measurement blocks that were sent without a signature, in this session or outside sessions.
    pub(crate) fn reported_blocks(&self, cx: &Context) -> ReportedBlocks {
        let measured = self.session.and_then(|id| cx.session(id)).map(|session| &session.measured);
        self.transcript.reported_blocks(measured).cloned().unwrap_or_default()
    }

    /// Returns the session in whose handshake the request arrived, if the session's origin is `origin`.
    pub(crate) fn handshake_session<'c>(
        &self,
        cx: &'c Context,
        origin: Origin,
    ) -> Result<&'c Session, Refusal> {
        let session = self.session.and_then(|id| cx.session(id));
        let matching = session.filter(|session| session.origin == origin);
        matching.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))
    }
}

/// A function that answers a request. It returns a value and changes neither transcripts nor sessions.
pub(crate) type Handler = fn(&mut Context, &IncomingRequest<'_>) -> Result<Reply, Refusal>;

/// A handler's answer.
pub(crate) struct Reply {
    /// The response without its proof and VerifyData.
    pub(crate) body: Vec<u8>,
    /// The length of the request.
    pub(crate) taken: usize,
    /// The proof to append, if any.
    pub(crate) proof: Option<Proof>,
    /// The change of the connection state.
    pub(crate) change: ConnectionChange,
    /// The effect on sessions.
    pub(crate) effect: Effect,
    /// The blocks in L1/L2, including those in this response.
    pub(crate) reported: Option<ReportedBlocks>,
}

impl Reply {
    /// Returns a response without effects.
    pub(crate) const fn plain(body: Vec<u8>, taken: usize) -> Self {
        Self {
            body,
            taken,
            proof: None,
            change: ConnectionChange::Nothing,
            effect: Effect::Nothing,
            reported: None,
        }
    }
}

/// A reply that is not sealed yet. Messages of a session are erased, even if the reply had to wait.
pub(crate) struct PendingReply {
    pub(crate) row: &'static Row,
    pub(crate) session: Option<SessionId>,
    pub(crate) request: MessageBuffer,
    /// The response as far as it is encoded.
    pub(crate) response: MessageBuffer,
    pub(crate) reply: Reply,
}

impl PendingReply {
    /// Creates a reply to `request`, which must not have trailing padding.
    pub(crate) fn new(
        row: &'static Row,
        session: Option<SessionId>,
        request: &[u8],
        mut reply: Reply,
    ) -> Self {
        let secret = session.is_some();
        let request = MessageBuffer::new(request.to_vec(), secret);
        let response = MessageBuffer::new(core::mem::take(&mut reply.body), secret);
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
    fn pending_replies_of_sessions_are_erased() {
        let row = messages::row(Code::GET_MEASUREMENTS).unwrap();
        for session in [None, Some(7)] {
            let PendingReply { request, response, .. } =
                PendingReply::new(row, session, &[1, 2], Reply::plain(vec![3, 4], 2));
            assert_eq!((&request[..], &response[..]), (&[1, 2][..], &[3, 4][..]));
            assert_eq!([request, response].map(|buffer| buffer.is_secret()), [session.is_some(); 2]);
        }
    }
}
