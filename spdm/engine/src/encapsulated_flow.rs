//! The state of a series of encapsulated requests to the requester.

use crate::certificate::FetchCertificate;
use crate::challenge::ChallengeResponder;
use crate::config::Role;
use crate::context::Context;
use crate::digests::FetchDigests;
use crate::encode::respond_with;
use crate::endpoint_query::FetchEndpointInfo;
use crate::error::{Error, Refusal, Violation};
use crate::event_list::EventTypes;
use crate::events::{FetchEventTypes, SendEvents, Subscribe};
use crate::identity::{PROVISIONED, usage};
use crate::message_buffer::MessageBuffer;
use crate::operation::{Operation, Parsed, Request};
use crate::proof::ExpectedProof;
use crate::responder_request::ResponderRequest;
use crate::session::SessionId;
use crate::slot_digest::SlotDigest;
use alloc::vec::Vec;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::encapsulated::{EncapsulatedRequest, EncapsulatedResponseAck};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate, KeyUpdateAck};
use grille_spdm_codec::{Code, Header, Sizes, Version};

/// An encapsulated request flow: a series of requests to the requester.
pub(crate) struct EncapsulatedFlow {
    /// The session of the flow; `None` outside sessions.
    session: Option<SessionId>,
    /// RequestID of the outstanding request.
    pub(crate) id: u8,
    /// The outstanding request.
    pub(crate) request: MessageBuffer,
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
    /// The proof at the end of the answer, if any.
    pub(crate) proof: Option<ExpectedProof>,
    content: Contents,
}

enum Contents {
    Digests(Option<SlotDigest>),
    Certificate(bool),
    Challenge,
    EndpointInfo(MessageBuffer),
    SupportedEventTypes(EventTypes),
    Done,
}

impl Answer {
    fn new<T>(taken: Parsed<T>, content: impl FnOnce(Option<T>) -> Contents) -> Self {
        Self { len: taken.len, proof: taken.proof, content: content(taken.output) }
    }
}

impl EncapsulatedFlow {
    /// Starts mutual authentication with GET_DIGESTS. Outside sessions, a requester with a provisioned public key, or in `pqc2021`
    /// without certificates, gets CHALLENGE instead.
    pub(crate) fn new(cx: &mut Context, session: Option<SessionId>) -> Result<Self, Error> {
        let provisioned = match cx.connection.pqc2021() {
            Some(_) => cx.peer_slot() == PROVISIONED,
            None => cx.connection.requester.flags.contains(Caps::PUB_KEY_ID),
        };
        let step = if session.is_none() && provisioned {
            FlowStep::Challenge(ChallengeResponder::new(PROVISIONED, 0))
        } else {
            FlowStep::Digests(FetchDigests)
        };
        Self::begin(cx, session, step)
    }

    /// Starts a flow for one queued request, in a session or outside sessions.
    pub(crate) fn for_request(
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

    pub(crate) fn encapsulated_request(&self, version: Version) -> Result<Vec<u8>, Refusal> {
        let message = EncapsulatedRequest { request_id: self.id, request: &self.request };
        respond_with(&message, version, &Sizes::default())
    }

    /// Returns whether the response is ERROR. According to DSP0274, ResponseNotReady ends the flow: the acknowledgement
    /// contains no further request. This implementation treats every other ERROR alike. ERROR is a valid response, so
    /// it is not answered with InvalidResponseCode.
    pub(crate) fn is_refused(&self, response: &[u8]) -> bool {
        let header = Header::decode(response);
        header.is_ok_and(|header| header.code == Code::ERROR && header.version == self.request[0])
    }

    /// Returns whether the outstanding request is part of mutual authentication.
    pub(crate) const fn authenticates(&self) -> bool {
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
        let (request, sent) = (Code(self.request[1]), &self.request);
        Ok(match &mut self.step {
            FlowStep::Digests(step) => {
                let taken = step.parse(cx, sent, response)?;
                let wanted = if self.session.is_some() { usage::KEY_EX } else { usage::CHALLENGE };
                let multi_key = cx.peer_sizes().multi_key;
                let able =
                    |slot: &SlotDigest| slot.is_full() && usage::permits(multi_key, slot.key_usage, wanted);
                Answer::new(taken, |slots| Contents::Digests(slots.into_iter().flatten().find(able)))
            }
            FlowStep::Certificate(step, _) => {
                Answer::new(step.parse(cx, sent, response)?, |chain| Contents::Certificate(chain.is_some()))
            }
            FlowStep::Challenge(step) => {
                Answer::new(step.parse(cx, sent, response)?, |_| Contents::Challenge)
            }
            FlowStep::Update(update) => {
                let (ack, len): (KeyUpdateAck, _) = cx.read_response(request, response, &Sizes::default())?;
                if (ack.operation, ack.tag) != (update.operation, update.tag) {
                    return Err(Error::Violation { request, violation: Violation::KeyUpdate });
                }
                Answer::new(Parsed::plain(len, None::<()>), |_| Contents::Done)
            }
            FlowStep::Event(step) => Answer::new(step.parse(cx, sent, response)?, |_| Contents::Done),
            FlowStep::EventTypes(step) => {
                let types = |types: Option<_>| Contents::SupportedEventTypes(types.unwrap_or_default());
                Answer::new(step.parse(cx, sent, response)?, types)
            }
            FlowStep::Subscribe(step) => Answer::new(step.parse(cx, sent, response)?, |_| Contents::Done),
            FlowStep::EndpointInfo(step) => {
                let secret = self.session.is_some();
                let info = |info: Option<_>| {
                    Contents::EndpointInfo(MessageBuffer::new(info.unwrap_or_default(), secret))
                };
                Answer::new(step.parse(cx, sent, response)?, info)
            }
        })
    }

    /// Advances the flow after a verified answer.
    pub(crate) fn advance(&mut self, cx: &mut Context, answer: &Answer) -> Result<FlowNext, Error> {
        let none = Error::Violation { request: Code::GET_DIGESTS, violation: Violation::Slot };
        match (&mut self.step, &answer.content) {
            (FlowStep::Digests(_), Contents::Digests(slot)) => {
                let slot = slot.ok_or(none)?;
                self.step = FlowStep::Certificate(FetchCertificate::for_announced(slot), slot.slot);
            }
            (FlowStep::Certificate(_, slot), Contents::Certificate(true)) if self.session.is_some() => {
                return Ok(FlowNext::Slot(*slot));
            }
            (FlowStep::Certificate(_, slot), Contents::Certificate(true)) => {
                self.step = FlowStep::Challenge(ChallengeResponder::new(*slot, 0));
            }
            (FlowStep::Certificate(..), _) => {}
            (FlowStep::EndpointInfo(about), Contents::EndpointInfo(info)) => {
                cx.device.endpoint_info_received(self.session, *about, info);
                return Ok(FlowNext::Over);
            }
            (FlowStep::Subscribe(Subscribe(types)), _) => {
                if let Some(session) = self.session.and_then(|id| cx.session_mut(id)) {
                    session.subscribes = types.count != 0;
                }
                return Ok(FlowNext::Over);
            }
            (FlowStep::EventTypes(_), Contents::SupportedEventTypes(types)) => {
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
        let next = match &mut self.step {
            FlowStep::Digests(step) => step.next_request(cx)?,
            FlowStep::Certificate(step, _) => step.next_request(cx)?,
            FlowStep::Challenge(step) => step.next_request(cx)?,
            FlowStep::Update(update) => Request::plain(cx.write(update, &Sizes::default())?),
            FlowStep::Event(step) => step.next_request(cx)?,
            FlowStep::EventTypes(step) => step.next_request(cx)?,
            FlowStep::Subscribe(step) => step.next_request(cx)?,
            FlowStep::EndpointInfo(step) => step.next_request(cx)?,
        };
        self.request = MessageBuffer::new(next.bytes.into_bytes(), self.session.is_some());
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
