//! Encapsulated requests, on the responder's side: the responder sends requests inside its responses. For the requester's side
//! see `encapsulated_requester.rs`; for the series of requests, `encapsulated_flow.rs`.
//!
//! ```text
//! GET_ENCAPSULATED_REQUEST       ► ◄ ENCAPSULATED_REQUEST(request)
//! DELIVER_ENCAPSULATED_RESPONSE(response) ► ◄ ENCAPSULATED_RESPONSE_ACK(the next request, or the end)
//! ```

use crate::auth_failure::AuthFailure;
use crate::context::Context;
use crate::encapsulated_flow::{EncapsulatedFlow, FlowNext};
use crate::error::{Error, Refusal, Usage};
use crate::messages::transcript_part;
use crate::proof::ExpectedProof;
use crate::responder::Responder;
use crate::responder_request::ResponderRequest;
use crate::session::{AfterResponse, Mutual, Session, SessionId};
use crate::transcript::TranscriptPart;
use alloc::vec::Vec;
use grille_spdm_codec::encapsulated::{DeliverEncapsulatedResponse, GetEncapsulatedRequest};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::{Code, Message, Sizes};

/// The maximum number of queued requests. A limit is needed because a requester may never fetch them.
const MAX_QUEUE: usize = 1024;

/// Decodes DELIVER_ENCAPSULATED_RESPONSE into RequestID and response.
pub(crate) fn decode_delivered<'a>(cx: &Context, request: &'a [u8]) -> Result<(u8, &'a [u8]), Refusal> {
    let (message, _): (DeliverEncapsulatedResponse<'_>, _) = cx.read(request, &Sizes::default())?;
    if message.response.is_empty() {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    Ok((message.request_id, message.response))
}

impl Responder {
    /// Queues an encapsulated request for the requester. If `session` is given, the request is sent in that session.
    /// Otherwise it is sent in response to the next GET_ENCAPSULATED_REQUEST, in any session or outside sessions: see
    /// [`crate::operations::AnswerRequests`].
    ///
    /// # Errors
    /// Returns an error if no session has this ID, a necessary capability was not negotiated, the events are invalid,
    /// or the queue is full.
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

    /// Sets or removes the flow of this session, or of the connection outside sessions.
    pub(crate) fn set_flow(&mut self, place: Option<SessionId>, flow: Option<EncapsulatedFlow>) {
        match flow {
            Some(flow) => self.flows.insert(place, flow),
            None => self.flows.remove(&place),
        };
    }

    pub(crate) fn encapsulated_request(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        self.cx.read::<GetEncapsulatedRequest>(request, &Sizes::default())?;
        let version = self.cx.connection.version();
        let none = Refusal::new(self.cx.connection.rules.nothing_to_encapsulate);
        let flow = match self.flows.remove(&session) {
            Some(flow) => flow,
            None => {
                let queued = self.next_queued(session).ok_or(none)?;
                EncapsulatedFlow::for_request(&mut self.cx, session, queued)?
            }
        };
        let message = flow.encapsulated_request(version)?;
        // a message that the requester does not accept would never be answered
        self.cx.check_response_len(session, message.len())?;
        self.flows.insert(session, flow);
        Ok(message)
    }

    /// Takes the next queued request for this session, or outside sessions. Returns `None` in a session whose handshake
    /// is not complete.
    fn next_queued(&mut self, session: Option<SessionId>) -> Option<ResponderRequest> {
        if session.is_some_and(|id| self.cx.session(id).is_none_or(Session::is_in_handshake)) {
            return None;
        }
        let at = self.queue.iter().position(|(place, _)| place.is_none() || *place == session)?;
        self.queue.remove(at).map(|(_, queued)| queued)
    }

    /// Answers DELIVER_ENCAPSULATED_RESPONSE. An invalid answer ends the flow. If the flow was to authenticate the requester of a
    /// session, the session ends as well. An answer whose RequestID is not that of the outstanding request changes nothing.
    pub(crate) fn encapsulated_response(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let (request_id, response) = decode_delivered(&self.cx, request)?;
        let outstanding = self.flows.get(&session).map(|flow| flow.id);
        let outstanding = outstanding.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
        let flow = if outstanding == request_id { self.flows.remove(&session) } else { None };
        let flow = flow.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let ack = self.acknowledge(session, flow, request_id, response);
        if !self.flows.contains_key(&session)
            && let Some(open) = session.and_then(|id| self.cx.session_mut(id))
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
            self.flows.insert(session, flow);
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
        self.verify_answer(session, &flow.request, response, answer.proof.as_ref())?;
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

    /// Verifies the requester's answer and appends it to a transcript.
    fn verify_answer(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
        response: &[u8],
        expected: Option<&ExpectedProof>,
    ) -> Result<(), Refusal> {
        let code = Code(request[1]);
        let Some(expected) = expected else {
            self.cx.append_unsigned_answer(&mut self.transcript, session, [request, response]);
            return Ok(());
        };
        let (body, signature) = response.split_at(response.len() - expected.len);
        let covered = self.transcript.signed_by_requester([request, body]);
        let covered = covered.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        let verified = self.cx.verify(code, expected, &covered, signature);
        verified.map_err(|error| self.invalid_answer(error))?;
        if transcript_part(code) == TranscriptPart::C {
            self.transcript.append_encapsulated([request, response]);
            self.is_requester_authenticated = true;
        }
        Ok(())
    }
}
