//! HEARTBEAT and HEARTBEAT_ACK: keep a session alive.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::SessionId;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::heartbeat::{Heartbeat, HeartbeatAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (Heartbeat, taken) = cx.read(incoming.bytes, &Sizes::default())?;
    if incoming.session.and_then(|id| cx.session(id)).is_none_or(|session| !session.has_heartbeat()) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    let body = cx.respond(&HeartbeatAck)?;
    Ok(Reply::plain(body, taken))
}

/// Keeps a session alive. Run it at least once per HeartbeatPeriod. It fails if the period is 0.
#[derive(Clone, Copy, Debug)]
pub struct SendHeartbeat(
    /// The session.
    pub SessionId,
);

impl Operation for SendHeartbeat {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let session = self.0;
        if !cx.session(session).ok_or(Usage::NoSession { session })?.has_heartbeat() {
            return Err(Usage::NoCapability { request: Code::HEARTBEAT }.into());
        }
        Ok(Request::in_session(session, cx.write(&Heartbeat, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let (HeartbeatAck, len) = cx.read_response(Code::HEARTBEAT, response, &Sizes::default())?;
        Ok(Parsed::plain(len, Some(())))
    }
}
