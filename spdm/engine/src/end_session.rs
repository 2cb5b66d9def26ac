//! END_SESSION and END_SESSION_ACK.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::{Effect, SessionId};
use grille_spdm_codec::end_session::{EndSession, EndSessionAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (EndSession { attributes }, taken) = cx.read(incoming.bytes, &Sizes::default())?;
    let body = cx.respond(&EndSessionAck)?;
    let forget = attributes & CLEAR_STATE != 0;
    Ok(Reply { effect: Effect::End { forget }, ..Reply::plain(body, taken) })
}

/// NegotiatedStatePreservationIndicator: the responder must clear the cached negotiated state.
const CLEAR_STATE: u8 = 1;

/// Ends a session. Both sides erase its keys. If the response is lost, the responder may have ended the session and no
/// longer answer in it. Then end the session with
/// [`Requester::forget_session`](crate::requester::Requester::forget_session).
#[derive(Clone, Copy, Debug)]
pub struct End(
    /// The session.
    pub SessionId,
);

/// Ends a session as [`End`] does. The responder also clears the negotiated state that it may have cached (CACHE_CAP).
#[derive(Clone, Copy, Debug)]
pub struct EndAndClearState(
    /// The session.
    pub SessionId,
);

impl Operation for End {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        encode_request(cx, self.0, 0)
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        parse_response(cx, response)
    }
}

impl Operation for EndAndClearState {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        encode_request(cx, self.0, CLEAR_STATE)
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        parse_response(cx, response)
    }
}

fn encode_request(cx: &Context, session: SessionId, attributes: u8) -> Result<Request, Error> {
    cx.session(session).ok_or(Usage::NoSession { session })?;
    Ok(Request::in_session(session, cx.write(&EndSession { attributes }, &Sizes::default())?))
}

fn parse_response(cx: &Context, response: &[u8]) -> Result<Parsed<()>, Error> {
    let (EndSessionAck, len) = cx.read_response(Code::END_SESSION, response, &Sizes::default())?;
    Ok(Parsed { effect: Effect::End { forget: false }, ..Parsed::plain(len, Some(())) })
}
