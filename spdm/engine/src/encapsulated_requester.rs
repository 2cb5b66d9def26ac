//! Encapsulated requests, on the requester's side: the requester fetches the responder's requests and answers them. For
//! the responder's side see `encapsulated_responder.rs`.

use crate::connection::Connection;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::event_list::EventList;
use crate::message_buffer::MessageBuffer;
use crate::messages::{Place, message_code};
use crate::operation::{Operation, Parsed, Request};
use crate::pending_answer::{PendingAnswer, UnsignedAnswer};
use crate::reply::{Handler, IncomingRequest};
use crate::requester::Requester;
use crate::session::SessionId;
use crate::{certificate, challenge, digests, endpoint_info, events, key_update};
use alloc::{boxed::Box, vec::Vec};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::encapsulated::{
    DeliverEncapsulatedResponse, EncapsulatedRequest, EncapsulatedResponseAck, GetEncapsulatedRequest,
};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Header, Sizes, Version};

/// The requester's side of an encapsulated request flow.
pub(crate) struct EncapsulatedRequester {
    session: Option<SessionId>,
    /// RequestID of the last request, whose answer is ready or pending; `None` before the first request.
    answer: Option<u8>,
    /// The last request's code.
    request: Code,
    /// The ErrorCode with which the requester answered the last request; `None` if its answer was not ERROR.
    refused: Option<ErrorCode>,
    /// The number of requests received.
    received: u32,
}

/// The maximum number of requests in a flow; a responder that exceeds it could keep the requester busy. Fewer than 5000
/// requests are needed for a chain of 160 KiB, libspdm's maximum, with the smallest transfer size.
const MAX_REQUESTS: u32 = 8192;

impl EncapsulatedRequester {
    /// Starts a flow. `implicit`: the requester answers GET_DIGESTS although the responder did not send it.
    pub(crate) const fn new(session: Option<SessionId>, implicit: bool) -> Self {
        let answer = if implicit { Some(0) } else { None };
        Self { session, answer, request: Code::GET_DIGESTS, refused: None, received: 0 }
    }

    /// Encodes GET_ENCAPSULATED_REQUEST, or delivers the answer to the last request.
    pub(crate) fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let bytes = match self.answer {
            None => cx.write(&GetEncapsulatedRequest, &Sizes::default())?,
            Some(request_id) => {
                let response = cx.take_answer(self.session)?;
                self.refused = match response[..] {
                    [_, code, error, ..] if Code(code) == Code::ERROR => Some(ErrorCode(error)),
                    _ => None,
                };
                let message = DeliverEncapsulatedResponse { request_id, response: &response };
                cx.write(&message, &Sizes::default())?
            }
        };
        Ok(match self.session {
            None => Request::plain(bytes),
            Some(session) if cx.has_clear_handshake(session) => Request::in_the_clear(session, bytes),
            Some(session) => Request::in_session(session, bytes),
        })
    }

    /// Parses the response. Returns the next encapsulated request. If there is none, [`Parsed::output`] is set; it
    /// contains the slot for FINISH if the responder sent one. Returns an error if the requester refused the last
    /// request, unless it refused events because too many were stored.
    pub(crate) fn parse(
        &mut self,
        cx: &Context,
        response: &[u8],
    ) -> Result<(Parsed<Option<u8>>, MessageBuffer), Error> {
        let (taken, next) = self.read(cx, response)?;
        match self.refused.filter(|code| (self.request, *code) != (Code::SEND_EVENT, events::TOO_MANY_EVENTS))
        {
            Some(code) if taken.output.is_some() => {
                Err(Error::RefusedByRequester { request: self.request, code })
            }
            _ => {
                self.request = next.get(1).map_or(self.request, |&code| Code(code));
                Ok((taken, next))
            }
        }
    }

    fn read(&mut self, cx: &Context, response: &[u8]) -> Result<(Parsed<Option<u8>>, MessageBuffer), Error> {
        self.received += 1;
        let Some(answered) = self.answer else {
            let request = Code::GET_ENCAPSULATED_REQUEST;
            let (message, len): (EncapsulatedRequest<'_>, _) =
                cx.read_response(request, response, &Sizes::default())?;
            self.answer = Some(message.request_id);
            return Ok((Parsed::plain(len, None), self.to_buffer(message.request)));
        };
        let request = Code::DELIVER_ENCAPSULATED_RESPONSE;
        let (message, len): (EncapsulatedResponseAck<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        // 1.1 has no AckRequestID
        if cx.connection.rules.acknowledged_ids && message.ack_request_id != answered {
            return Err(Error::Violation { request, violation: Violation::RequestId });
        }
        Ok(match message.payload_type {
            EncapsulatedResponseAck::PRESENT if self.received > MAX_REQUESTS => {
                return Err(Error::Violation { request, violation: Violation::Encapsulated });
            }
            EncapsulatedResponseAck::PRESENT => {
                self.answer = Some(message.request_id);
                (Parsed::plain(len, None), self.to_buffer(message.payload))
            }
            _ => (Parsed::plain(len, Some(message.payload.first().copied())), MessageBuffer::default()),
        })
    }

    /// Copies a request of the responder into a buffer.
    fn to_buffer(&self, request: &[u8]) -> MessageBuffer {
        MessageBuffer::new(request.to_vec(), self.session.is_some())
    }
}

/// Returns the handler of an encapsulated request, after checking version and capabilities. An encapsulated request
/// inside another is refused as unexpected, DSP0274 "ENCAPSULATED_REQUEST response message format". Other requests
/// without a handler, and requests whose capability was not announced, are refused as unsupported.
pub(crate) fn handler(code: Code, connection: &Connection) -> Result<Handler, Refusal> {
    let has = |flags| connection.requester_has(flags);
    let (able, handle): (bool, Handler) = match code {
        Code::GET_DIGESTS => (has(Caps::CERT), digests::respond),
        Code::GET_CERTIFICATE => (has(Caps::CERT), certificate::respond),
        Code::CHALLENGE => (has(Caps::CHAL), challenge::respond),
        Code::KEY_UPDATE => (connection.both_have(Caps::KEY_UPD), key_update::respond_encapsulated),
        Code::GET_SUPPORTED_EVENT_TYPES => (has(Caps::EVENT), events::respond),
        Code::SUBSCRIBE_EVENT_TYPES => (has(Caps::EVENT), events::respond_subscribe),
        Code::SEND_EVENT => (connection.responder_has(Caps::EVENT), events::respond_encapsulated_event),
        Code::GET_ENDPOINT_INFO => (has(Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG), endpoint_info::respond),
        Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE => {
            return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
        }
        _ => return Err(Refusal::unsupported(code)),
    };
    if able && connection.rules.has(code) { Ok(handle) } else { Err(Refusal::unsupported(code)) }
}

/// Returns the places where a responder may encapsulate a request. In a handshake it may only fetch the requester's
/// chain. An encapsulated CHALLENGE is allowed outside sessions only, like one that a requester sends.
const fn place(code: Code) -> Place {
    match code {
        Code::GET_DIGESTS | Code::GET_CERTIFICATE => Place::Everywhere,
        Code::CHALLENGE => Place::Outside,
        Code::KEY_UPDATE
        | Code::GET_SUPPORTED_EVENT_TYPES
        | Code::SUBSCRIBE_EVENT_TYPES
        | Code::SEND_EVENT => Place::Session,
        _ => Place::ExceptHandshake,
    }
}

/// Authenticates the requester to a responder that requests mutual authentication in CHALLENGE_AUTH: see
/// [`crate::operations::ChallengeResult::mutual`].
pub struct AnswerMutualAuth(EncapsulatedRequester);

impl AnswerMutualAuth {
    /// Returns the operation. Run it right after [`ChallengeResponder`](crate::operations::ChallengeResponder).
    #[must_use]
    pub const fn new() -> Self {
        Self(EncapsulatedRequester::new(None, false))
    }
}

impl Default for AnswerMutualAuth {
    fn default() -> Self {
        Self::new()
    }
}

impl Operation for AnswerMutualAuth {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        self.0.next_request(cx)
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let (taken, encapsulated) = self.0.parse(cx, response)?;
        let Parsed { len, output, .. } = taken;
        Ok(Parsed { encapsulated, ..Parsed::plain(len, output.map(|_| ())) })
    }
}

/// Fetches and answers the encapsulated requests of one flow: key updates, events, subscriptions, event types and
/// endpoint information.
///
/// At most 64 messages with events are accepted. Further messages are answered with Busy, so that the responder can
/// send them later. A responder without any request answers NoPendingRequests (1.3) or UnexpectedRequest.
pub struct AnswerRequests(EncapsulatedRequester);

impl AnswerRequests {
    /// Answers requests in this session.
    #[must_use]
    pub const fn new(session: SessionId) -> Self {
        Self(EncapsulatedRequester::new(Some(session), false))
    }

    /// Answers requests outside sessions.
    #[must_use]
    pub const fn outside_sessions() -> Self {
        Self(EncapsulatedRequester::new(None, false))
    }
}

impl Operation for AnswerRequests {
    type Output = Vec<EventList>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        self.0.next_request(cx)
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Self::Output>, Error> {
        let (Parsed { len, output, .. }, encapsulated) = self.0.parse(cx, response)?;
        let session = self.0.session.and_then(|id| cx.session_mut(id));
        let received_events =
            output.map(|_| session.map(|open| core::mem::take(&mut open.events)).unwrap_or_default());
        Ok(Parsed { encapsulated, ..Parsed::plain(len, received_events) })
    }
}

impl Context {
    /// Returns the pending answer in this session, or outside sessions.
    fn pending_answer(&mut self, place: Option<SessionId>) -> Result<&mut PendingAnswer, Usage> {
        match place {
            Some(session) => {
                let open = self.session_mut(session).ok_or(Usage::NoSession { session })?;
                Ok(&mut open.pending_answer)
            }
            None => Ok(&mut self.pending_answer),
        }
    }

    /// Takes the pending answer, signed if it needs a signature. Returns ERROR if the key fails.
    fn take_answer(&mut self, place: Option<SessionId>) -> Result<MessageBuffer, Usage> {
        let mut unsigned = match core::mem::take(self.pending_answer(place)?) {
            PendingAnswer::None => return Err(Usage::NoResponseExpected),
            PendingAnswer::Ready(body) => return Ok(body),
            PendingAnswer::Unsigned(unsigned) => unsigned,
        };
        match unsigned.proof.make(&self.connection, &unsigned.covered, &mut *self.rng) {
            Ok(Some(signature)) => {
                let len = unsigned.body.len() + signature.len();
                unsigned.body.extend(&signature, len);
                Ok(unsigned.body)
            }
            Ok(None) => {
                let exponent = unsigned.proof.ready_exponent();
                *self.pending_answer(place)? = PendingAnswer::Unsigned(unsigned);
                Err(Usage::KeyNotReady { exponent })
            }
            Err(error) => Ok(refused(Refusal::from(error), self.connection.version(), place)),
        }
    }
}

/// Encodes ERROR as an answer in this session, or outside sessions.
fn refused(refusal: Refusal, version: Version, place: Option<SessionId>) -> MessageBuffer {
    MessageBuffer::new(refusal.to_message(version), place.is_some())
}

/// Methods that answer encapsulated requests.
impl Requester {
    /// Answers an encapsulated request, possibly with ERROR, and stores the answer until it is sent.
    pub(crate) fn answer(&mut self, place: Option<SessionId>, request: &[u8]) {
        let answer = self.try_answer(place, request);
        let version = self.cx.connection.version();
        if let Ok(here) = self.cx.pending_answer(place) {
            *here = answer.unwrap_or_else(|refusal| {
                let refusal = refusal.for_version(version, message_code(request));
                PendingAnswer::Ready(refused(refusal, version, place))
            });
        }
    }

    fn try_answer(&mut self, session: Option<SessionId>, request: &[u8]) -> Result<PendingAnswer, Refusal> {
        let header = Header::decode(request)?;
        if header.version != self.cx.connection.version().byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let handle = handler(header.code, &self.cx.connection)?;
        place(header.code).permits(session.and_then(|id| self.cx.session(id)))?;
        let incoming = IncomingRequest { bytes: request, session, transcript: &self.transcript };
        let reply = handle(&mut self.cx, &incoming)?;
        let request = request.get(..reply.taken).unwrap_or(request);
        let body = MessageBuffer::new(reply.body, session.is_some());
        let Some(proof) = reply.proof else {
            self.cx.append_unsigned_answer(&mut self.transcript, session, [request, &body]);
            return Ok(PendingAnswer::Ready(body));
        };
        let covered = self.transcript.signed_by_requester([request, &body]);
        let covered = covered.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        Ok(PendingAnswer::Unsigned(Box::new(UnsignedAnswer { body, proof, covered })))
    }
}
