//! Encapsulated requests, on the responder's side: the responder sends requests inside its responses. For the requester's side
//! see `encapsulated_requester.rs`.
//!
//! ```text
//! GET_ENCAPSULATED_REQUEST       ► ◄ ENCAPSULATED_REQUEST(request)
//! DELIVER_ENCAPSULATED_RESPONSE(response) ► ◄ ENCAPSULATED_RESPONSE_ACK(the next request, or the end)
//! ```

use crate::auth_failure::AuthFailure;
use crate::config::Role;
use crate::connection::respond_with;
use crate::context::Context;
use crate::digests::SlotDigest;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::events::{EventTypes, FetchEventTypes, SendEvents, Subscribe};
use crate::hash::Digest;
use crate::identity::{PROVISIONED, usage};
use crate::message_buffer::MessageBuffer;
use crate::messages::feeds;
use crate::operation;
use crate::operation::{Operation, Parsed, Request};
use crate::operations::{ChallengeResponder, FetchCertificate, FetchDigests, FetchEndpointInfo};
use crate::responder::Responder;
use crate::responder_request::ResponderRequest;
use crate::session::{AfterResponse, Mutual, Session, SessionId};
use crate::transcript::{Feeds, Prover, Transcript};
use alloc::vec::Vec;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::encapsulated::{
    DeliverEncapsulatedResponse, EncapsulatedRequest, EncapsulatedResponseAck, GetEncapsulatedRequest,
};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate, KeyUpdateAck};
use grille_spdm_codec::{Code, Header, Message, Sizes, Version};

/// An encapsulated request flow: a series of requests to the requester.
pub(crate) struct EncapsulatedFlow {
    /// The session of the flow.
    session: Option<SessionId>,
    /// RequestID of the outstanding request.
    id: u8,
    request: MessageBuffer,
    step: FlowStep,
}

/// The outstanding request and its operation.
enum FlowStep {
    Digests(FetchDigests),
    Certificate(FetchCertificate, u8),
    Challenge(ChallengeResponder),
    /// KEY_UPDATE of the responder's direction: UpdateKey, then VerifyNewKey.
    Update(KeyUpdate),
    Event(SendEvents),
    EventTypes(FetchEventTypes),
    Subscribe(Subscribe),
    EndpointInfo(FetchEndpointInfo),
}

/// The next state of the flow, after an answer.
pub(crate) enum FlowNext {
    Request,
    /// The requester's chain in this slot was fetched and trusted.
    Slot(u8),
    Over,
}

/// A parsed answer. Its signature must still be verified, and the answer appended to transcripts.
pub(crate) struct Answer {
    pub(crate) len: usize,
    /// The signature at its end, if any.
    pub(crate) signed: Option<operation::ExpectedSignature>,
    content: Contents,
}

enum Contents {
    Digests(Option<SlotDigest>),
    Certificate(bool),
    Challenge,
    Described(MessageBuffer),
    Offered(EventTypes),
    Done,
}

impl Answer {
    fn new<T>(taken: Parsed<T>, content: impl FnOnce(Option<T>) -> Contents) -> Self {
        Self { len: taken.len, signed: taken.signed, content: content(taken.output) }
    }
}

impl EncapsulatedFlow {
    /// Starts mutual authentication with GET_DIGESTS. Outside sessions, a requester with a provisioned public key gets CHALLENGE
    /// instead.
    pub(crate) fn new(cx: &mut Context, session: Option<SessionId>) -> Result<Self, Error> {
        let step = if session.is_none() && cx.connection.requester.flags.contains(Caps::PUB_KEY_ID) {
            FlowStep::Challenge(ChallengeResponder::new(PROVISIONED, 0))
        } else {
            FlowStep::Digests(FetchDigests)
        };
        Self::begin(cx, session, step)
    }

    /// Starts a flow for one queued request, in a session or outside.
    fn for_request(
        cx: &mut Context,
        session: Option<SessionId>,
        queued: ResponderRequest,
    ) -> Result<Self, Refusal> {
        let unspecified = Refusal::new(ErrorCode::UNSPECIFIED);
        let step = match queued {
            ResponderRequest::UpdateKey => {
                let [tag] = cx.random();
                FlowStep::Update(KeyUpdate { operation: KeyOperation::UPDATE_KEY, tag })
            }
            ResponderRequest::Events(events) => {
                FlowStep::Event(SendEvents { session: session.ok_or(unspecified)?, events })
            }
            ResponderRequest::EventTypes => FlowStep::EventTypes(FetchEventTypes),
            ResponderRequest::Subscribe(types) => FlowStep::Subscribe(Subscribe(types)),
            ResponderRequest::EndpointInfo(describe) => FlowStep::EndpointInfo(describe),
        };
        Self::begin(cx, session, step).map_err(|_| unspecified)
    }

    /// Starts a flow with its first request.
    fn begin(cx: &mut Context, session: Option<SessionId>, step: FlowStep) -> Result<Self, Error> {
        let mut flow = Self { session, id: 0, request: MessageBuffer::default(), step };
        flow.next_request(cx)?;
        Ok(flow)
    }

    fn encapsulated_request(&self, version: Version) -> Result<Vec<u8>, Refusal> {
        let message = EncapsulatedRequest { request_id: self.id, request: &self.request };
        respond_with(&message, version, &Sizes::default())
    }

    /// Returns whether the response is ERROR. DSP0274 says that ResponseNotReady ends the flow, with an acknowledgement without
    /// another request. Every other ERROR does the same: it is a valid response, not an InvalidResponseCode.
    fn is_refused(&self, response: &[u8]) -> bool {
        let header = Header::decode(response);
        header.is_ok_and(|header| header.code == Code::ERROR && header.version == self.request[0])
    }

    /// Returns whether the outstanding request is part of mutual authentication.
    const fn authenticates(&self) -> bool {
        matches!(self.step, FlowStep::Digests(_) | FlowStep::Certificate(..) | FlowStep::Challenge(_))
    }

    /// Checks that the response matches the outstanding request.
    fn check_header(&self, response: &[u8]) -> Result<(), Error> {
        let request = Code(self.request[1]);
        let got = response.get(1).map_or(Code::ERROR, |&code| Code(code));
        if Some(got) != request.response() {
            return Err(Error::Unexpected { request, got });
        }
        if response.first() != self.request.first() {
            return Err(Error::Violation { request, violation: Violation::Version });
        }
        Ok(())
    }

    /// Parses the response in DELIVER_ENCAPSULATED_RESPONSE.
    pub(crate) fn read(&mut self, cx: &mut Context, response: &[u8]) -> Result<Answer, Error> {
        self.check_header(response)?;
        let (request, asked) = (Code(self.request[1]), &self.request);
        Ok(match &mut self.step {
            FlowStep::Digests(step) => {
                let taken = step.parse(cx, asked, response)?;
                let wanted = if self.session.is_some() { usage::KEY_EX } else { usage::CHALLENGE };
                let multi_key = cx.peer_sizes().multi_key;
                let able =
                    |slot: &SlotDigest| slot.is_full() && usage::permits(multi_key, slot.key_usage, wanted);
                Answer::new(taken, |slots| Contents::Digests(slots.into_iter().flatten().find(able)))
            }
            FlowStep::Certificate(step, _) => {
                Answer::new(step.parse(cx, asked, response)?, |chain| Contents::Certificate(chain.is_some()))
            }
            FlowStep::Challenge(step) => {
                Answer::new(step.parse(cx, asked, response)?, |_| Contents::Challenge)
            }
            FlowStep::Update(update) => {
                let (ack, len): (KeyUpdateAck, _) = cx.read_response(request, response, &Sizes::default())?;
                if (ack.operation, ack.tag) != (update.operation, update.tag) {
                    return Err(Error::Violation { request, violation: Violation::KeyUpdate });
                }
                Answer::new(Parsed::plain(len, None::<()>), |_| Contents::Done)
            }
            FlowStep::Event(step) => Answer::new(step.parse(cx, asked, response)?, |_| Contents::Done),
            FlowStep::EventTypes(step) => {
                let types = |types: Option<_>| Contents::Offered(types.unwrap_or_default());
                Answer::new(step.parse(cx, asked, response)?, types)
            }
            FlowStep::Subscribe(step) => Answer::new(step.parse(cx, asked, response)?, |_| Contents::Done),
            FlowStep::EndpointInfo(step) => {
                let secret = self.session.is_some();
                let info = |info: Option<_>| {
                    Contents::Described(MessageBuffer::new(info.unwrap_or_default(), secret))
                };
                Answer::new(step.parse(cx, asked, response)?, info)
            }
        })
    }

    /// Advances the flow after a verified answer.
    pub(crate) fn advance(&mut self, cx: &mut Context, answer: &Answer) -> Result<FlowNext, Error> {
        let none = Error::Violation { request: Code::GET_DIGESTS, violation: Violation::Slot };
        match (&mut self.step, &answer.content) {
            (FlowStep::Digests(_), Contents::Digests(slot)) => {
                let slot = slot.ok_or(none)?;
                self.step = FlowStep::Certificate(FetchCertificate::announced(slot), slot.slot);
            }
            (FlowStep::Certificate(_, slot), Contents::Certificate(true)) if self.session.is_some() => {
                return Ok(FlowNext::Slot(*slot));
            }
            (FlowStep::Certificate(_, slot), Contents::Certificate(true)) => {
                self.step = FlowStep::Challenge(ChallengeResponder::new(*slot, 0));
            }
            (FlowStep::Certificate(..), _) => {}
            (FlowStep::EndpointInfo(about), Contents::Described(info)) => {
                cx.device.endpoint_info_received(self.session, *about, info);
                return Ok(FlowNext::Over);
            }
            (FlowStep::Subscribe(Subscribe(types)), _) => {
                if let Some(session) = self.session.and_then(|id| cx.session_mut(id)) {
                    session.subscribes = types.count != 0;
                }
                return Ok(FlowNext::Over);
            }
            (FlowStep::EventTypes(_), Contents::Offered(types)) => {
                if let Some(session) = self.session {
                    cx.device.event_types_received(session, types);
                }
                return Ok(FlowNext::Over);
            }
            (FlowStep::Update(update), _) if update.operation == KeyOperation::UPDATE_KEY => {
                if let Some(session) = self.session.and_then(|id| cx.session_mut(id)) {
                    session.update(Role::Responder);
                }
                *update =
                    KeyUpdate { operation: KeyOperation::VERIFY_NEW_KEY, tag: update.tag.wrapping_add(1) };
            }
            _ => return Ok(FlowNext::Over),
        }
        self.next_request(cx)?;
        // RequestID 0 means that there is no further request
        self.id = self.id.checked_add(1).unwrap_or(1);
        Ok(FlowNext::Request)
    }

    /// Writes the request of the current step.
    fn next_request(&mut self, cx: &mut Context) -> Result<(), Error> {
        let ask = match &mut self.step {
            FlowStep::Digests(step) => step.next_request(cx)?,
            FlowStep::Certificate(step, _) => step.next_request(cx)?,
            FlowStep::Challenge(step) => step.next_request(cx)?,
            FlowStep::Update(update) => Request::plain(cx.write(update, &Sizes::default())?),
            FlowStep::Event(step) => step.next_request(cx)?,
            FlowStep::EventTypes(step) => step.next_request(cx)?,
            FlowStep::Subscribe(step) => step.next_request(cx)?,
            FlowStep::EndpointInfo(step) => step.next_request(cx)?,
        };
        self.request = MessageBuffer::new(ask.bytes.into_bytes(), self.session.is_some());
        Ok(())
    }

    pub(crate) fn acknowledge(
        &self,
        cx: &Context,
        acknowledged: u8,
        next: &FlowNext,
    ) -> Result<Vec<u8>, Refusal> {
        let slot;
        let (payload_type, payload) = match next {
            FlowNext::Request => (EncapsulatedResponseAck::PRESENT, &self.request[..]),
            FlowNext::Slot(number) => {
                slot = [*number];
                (EncapsulatedResponseAck::REQ_SLOT_NUMBER, &slot[..])
            }
            FlowNext::Over => (EncapsulatedResponseAck::ABSENT, &[][..]),
        };
        let request_id = if matches!(next, FlowNext::Request) { self.id } else { 0 };
        let ack = EncapsulatedResponseAck { request_id, payload_type, ack_request_id: acknowledged, payload };
        cx.respond(&ack)
    }
}

/// The maximum number of queued requests. A limit is needed because a requester may never fetch them.
const MAX_QUEUE: usize = 1024;

/// Decodes DELIVER_ENCAPSULATED_RESPONSE into RequestID and response.
pub(crate) fn delivered<'a>(cx: &Context, request: &'a [u8]) -> Result<(u8, &'a [u8]), Refusal> {
    let (message, _): (DeliverEncapsulatedResponse<'_>, _) = cx.read(request, &Sizes::default())?;
    if message.response.is_empty() {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    Ok((message.request_id, message.response))
}

impl Responder {
    /// Queues an encapsulated request for the requester of a session. Without a session, it answers the
    /// requester's next GET_ENCAPSULATED_REQUEST in any place: [`crate::operations::AnswerRequests`].
    ///
    /// # Errors
    /// If there is no such session, a necessary capability was not negotiated, the events are invalid, or the queue is full.
    pub fn queue_request(
        &mut self,
        session: Option<SessionId>,
        queued: ResponderRequest,
    ) -> Result<(), Usage> {
        queued.check(&self.cx, session)?;
        if self.queue.len() >= MAX_QUEUE {
            return Err(Usage::QueueFull { max: MAX_QUEUE });
        }
        self.queue.push_back((session, queued));
        Ok(())
    }

    /// Returns the flow of this session, or of the connection outside sessions; `None` if there is no such session.
    pub(crate) fn flow(&mut self, place: Option<SessionId>) -> Option<&mut Option<EncapsulatedFlow>> {
        match place {
            Some(id) => self.cx.session_mut(id).map(|session| &mut session.flow),
            None => Some(&mut self.flow),
        }
    }

    pub(crate) fn encapsulated_request(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        self.cx.read::<GetEncapsulatedRequest>(request, &Sizes::default())?;
        let version = self.cx.connection.version;
        let none = Refusal::new(match version {
            Version::V1_0 | Version::V1_1 | Version::V1_2 => ErrorCode::UNEXPECTED_REQUEST,
            Version::V1_3 | Version::V1_4 => ErrorCode::NO_PENDING_REQUESTS,
        });
        let flow = match self.flow(session).and_then(Option::take) {
            Some(flow) => flow,
            None => {
                let queued = self.next_queued(session).ok_or(none)?;
                EncapsulatedFlow::for_request(&mut self.cx, session, queued)?
            }
        };
        let message = flow.encapsulated_request(version)?;
        // a message that the requester does not accept would never be answered
        self.cx.check_response_len(session, message.len())?;
        self.store_flow(session, flow);
        Ok(message)
    }

    /// Stores the flow while its request is outstanding.
    fn store_flow(&mut self, place: Option<SessionId>, flow: EncapsulatedFlow) {
        if let Some(here) = self.flow(place) {
            *here = Some(flow);
        }
    }

    /// Takes the next queued request for this place. In a session there is none before the handshake is complete.
    fn next_queued(&mut self, session: Option<SessionId>) -> Option<ResponderRequest> {
        if session.is_some_and(|id| self.cx.session(id).is_none_or(Session::in_handshake)) {
            return None;
        }
        let at = self.queue.iter().position(|(place, _)| place.is_none() || *place == session)?;
        self.queue.remove(at).map(|(_, queued)| queued)
    }

    /// Answers DELIVER_ENCAPSULATED_RESPONSE. An invalid answer ends the flow. If the flow was to authenticate the requester of a
    /// session, the session ends as well. An answer with another RequestID than the outstanding request's changes nothing.
    pub(crate) fn encapsulated_response(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let (request_id, response) = delivered(&self.cx, request)?;
        let here = self.flow(session).filter(|here| here.is_some());
        let here = here.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
        let asked = here.take_if(|flow| flow.id == request_id);
        let flow = asked.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let ack = self.acknowledge(session, flow, request_id, response);
        if let Some(open) = session.and_then(|id| self.cx.session_mut(id))
            && open.flow.is_none()
            && open.mutual == Mutual::Pending
        {
            open.after = AfterResponse::End;
        }
        ack
    }

    /// Handles the answer and encodes ENCAPSULATED_RESPONSE_ACK.
    fn acknowledge(
        &mut self,
        session: Option<SessionId>,
        mut flow: EncapsulatedFlow,
        request_id: u8,
        response: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let next = if flow.is_refused(response) {
            if flow.authenticates() {
                self.cx.auth_failure = Some(AuthFailure::Declined);
            }
            if let Ok((error, _)) = ErrorResponse::decode_prefix(response, &Sizes::default()) {
                self.cx.device.request_refused(session, Code(flow.request[1]), &error);
            }
            FlowNext::Over
        } else {
            self.handle_answer(session, &mut flow, response)?
        };
        let ack = flow.acknowledge(&self.cx, request_id, &next)?;
        self.cx.check_response_len(session, ack.len())?;
        if matches!(next, FlowNext::Request) {
            self.store_flow(session, flow);
        }
        Ok(ack)
    }

    /// Verifies an answer and advances the flow.
    fn handle_answer(
        &mut self,
        session: Option<SessionId>,
        flow: &mut EncapsulatedFlow,
        response: &[u8],
    ) -> Result<FlowNext, Refusal> {
        let answer = flow.read(&mut self.cx, response).map_err(|error| self.invalid_answer(error))?;
        let response = response.get(..answer.len).unwrap_or(response);
        self.verify_answer(session, &flow.request, response, answer.signed.as_ref())?;
        let next = flow.advance(&mut self.cx, &answer).map_err(|error| self.invalid_answer(error))?;
        if let (FlowNext::Slot(slot), Some(session)) = (&next, session) {
            self.bind(session, *slot)?;
        }
        Ok(next)
    }

    /// Records an invalid or untrusted answer and returns the refusal.
    fn invalid_answer(&mut self, error: Error) -> Refusal {
        self.cx.auth_failed(AuthFailure::Answer(error), ErrorCode::INVALID_RESPONSE_CODE)
    }

    /// Verifies the requester's answer and appends it to its transcript.
    fn verify_answer(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
        response: &[u8],
        signed: Option<&operation::ExpectedSignature>,
    ) -> Result<(), Refusal> {
        let code = Code(request[1]);
        let Some(signed) = signed else {
            let several = self.cx.peer_sizes().multi_key;
            let session = session.and_then(|id| self.cx.session_mut(id));
            append_unsigned_answer(&mut self.transcript, session, several, [request, response]);
            return Ok(());
        };
        let (body, signature) = response.split_at(response.len() - signed.len);
        let digest = signed_content(&self.transcript, code, &[request, body]);
        let digest = digest.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        let verified = self.cx.verify(code, signed.slot, signed.context, &digest, signature);
        verified.map_err(|error| self.invalid_answer(error))?;
        if feeds(code) == Feeds::C {
            self.transcript.reset_b(Prover::Requester);
            self.requester_authenticated = true;
        }
        Ok(())
    }
}

/// Appends an unsigned answer of the requester to transcripts. Outside sessions its CHALLENGE_AUTH covers the answer. In a
/// handshake of a multi-key requester, TH covers its DIGESTS.
pub(crate) fn append_unsigned_answer(
    transcript: &mut Transcript,
    session: Option<&mut Session>,
    several: bool,
    messages: [&[u8]; 2],
) {
    let code = Code(messages[0][1]);
    match session {
        Some(session) if code == Code::GET_DIGESTS && several => {
            session.requester_digests = messages[1].to_vec();
        }
        None if feeds(code) == Feeds::B => append_to_b(transcript, messages),
        _ => {}
    }
}

/// Appends the requester's DIGESTS or CERTIFICATE outside sessions to B, which its CHALLENGE_AUTH covers.
pub(crate) fn append_to_b(transcript: &mut Transcript, messages: [&[u8]; 2]) {
    if Code(messages[0][1]) == Code::GET_DIGESTS {
        transcript.reset_b(Prover::Requester);
    }
    transcript.push_b(Prover::Requester, &messages);
}

/// Returns the hash that the signature of an encapsulated response covers.
pub(crate) fn signed_content(transcript: &Transcript, code: Code, messages: &[&[u8]]) -> Option<Digest> {
    match feeds(code) {
        Feeds::Il => transcript.il(messages),
        _ => transcript.m(Prover::Requester, messages),
    }
}
