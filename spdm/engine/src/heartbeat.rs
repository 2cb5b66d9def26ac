//! HEARTBEAT and HEARTBEAT_ACK: keep a session alive.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use crate::session::SessionId;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::heartbeat::{Heartbeat, HeartbeatAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (Heartbeat, taken) = cx.read(asked.bytes, &Sizes::default())?;
    if asked.session.and_then(|id| cx.session(id)).is_none_or(|session| !session.beats()) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    let body = cx.respond(&HeartbeatAck)?;
    Ok(Reply::plain(body, taken))
}

/// Keeps a session alive. Run it at least once per HeartbeatPeriod. It fails if the period is 0.
#[derive(Clone, Copy, Debug)]
pub struct Beat(
    /// The session.
    pub SessionId,
);

impl Operation for Beat {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let session = self.0;
        if !cx.session(session).ok_or(Usage::NoSession { session })?.beats() {
            return Err(Usage::NoCapability { request: Code::HEARTBEAT }.into());
        }
        Ok(Ask::in_session(session, cx.write(&Heartbeat, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let (HeartbeatAck, len) = cx.read_response(Code::HEARTBEAT, response, &Sizes::default())?;
        Ok(Taken::plain(len, Some(())))
    }
}
