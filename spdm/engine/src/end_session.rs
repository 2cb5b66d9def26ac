//! END_SESSION and END_SESSION_ACK.

use crate::connection::write;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use crate::session::{Effect, SessionId};
use grille_spdm_codec::end_session::{EndSession, EndSessionAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (EndSession { .. }, taken) = cx.read(asked.bytes, &Sizes::default())?;
    let body = write(&EndSessionAck, cx.connection.version, &Sizes::default())?;
    Ok(Reply { effect: Effect::End, ..Reply::plain(body, taken) })
}

/// Ends a session; its keys are erased on both sides.
#[derive(Clone, Copy, Debug)]
pub struct End(
    /// The session.
    pub SessionId,
);

impl Operation for End {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let session = self.0;
        cx.session(session).ok_or(Usage::NoSession { session })?;
        Ok(Ask::in_session(session, cx.write(&EndSession::default(), &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let (EndSessionAck, len) = cx.read_response(Code::END_SESSION, response, &Sizes::default())?;
        Ok(Taken { effect: Effect::End, ..Taken::plain(len, Some(())) })
    }
}
