//! The exchange of one request and its response, with chunks and retries, independent of the operation.

use crate::chunk::{self, Incoming, Outgoing};
use crate::config::Packet;
use crate::connection::Phase;
use crate::error::{Error, Usage, Violation};
use crate::message_buffer::MessageBuffer;
use crate::messages::message_code;
use crate::operation::{AnyOperation, Request, Step};
use crate::pqc2021::fragments::{
    FRAGMENT_REQUEST_ACK, FRAGMENT_RESPONSE, IncomingFragments, OutgoingFragments, is_request_split,
};
use crate::requester::Requester;
use crate::session::SessionId;
use alloc::vec::Vec;
use core::time::Duration;
use grille_spdm_codec::chunk::{ChunkGet, ChunkResponse, ChunkSendAck};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, NotReady};
use grille_spdm_codec::pqc2021::fragment::{
    FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest, REQUEST_ID,
};
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::{Code, Header, Sizes};
use zeroize::Zeroizing;

/// A request and the state of its exchange.
pub(crate) struct RequestExchange {
    request: Request,
    waited: Duration,
    /// The number of LargeResponse errors for this request.
    large_responses: u8,
    awaiting: Awaiting,
    handle: u8,
}

/// The expected input.
enum Awaiting {
    /// The response.
    Response,
    /// CHUNK_SEND_ACK.
    ChunkSendAck(Outgoing),
    /// CHUNK_RESPONSE.
    ChunkResponse(Incoming),
    /// FRAGMENT_REQUEST_ACK; after the last fragment, the response.
    FragmentAck(OutgoingFragments),
    /// FRAGMENT_RESPONSE.
    Fragment(IncomingFragments),
    /// A signature by this side's key.
    Signature,
    /// Nothing: the operation has ended.
    Nothing,
}

impl RequestExchange {
    pub(crate) fn start(
        requester: &mut Requester,
        operation: &mut dyn AnyOperation,
    ) -> Result<(Self, Packet), Error> {
        let request = requester.next_request(operation)?;
        let mut exchange = Self {
            request,
            waited: Duration::ZERO,
            large_responses: 0,
            awaiting: Awaiting::Nothing,
            handle: 0,
        };
        let packet = exchange.send_request(requester)?;
        Ok((exchange, packet))
    }

    fn send_request(&mut self, requester: &mut Requester) -> Result<Packet, Error> {
        let session = self.request.session.filter(|_| !self.request.clear);
        let (len, limit) = (self.request.bytes.len(), requester.cx.transfer_limit(session));
        let code = Code(self.request.bytes[1]);
        if requester.cx.connection.rules.fragments && is_request_split(code, len) {
            let message = self.request.bytes.to_vec();
            return self
                .send_fragment(requester, OutgoingFragments::new(message, REQUEST_ID, self.is_protected()));
        }
        self.awaiting = Awaiting::Response;
        if requester.cx.connection.phase < Phase::Capabilities || len <= limit {
            return self.send(requester, self.request.bytes.to_vec());
        }
        let max = requester.cx.message_limit(session);
        if len > max {
            return Err(Error::TooLong { request: Code(self.request.bytes[1]), len, max });
        }
        self.handle = self.handle.wrapping_add(1);
        let outgoing = Outgoing::new(self.handle, self.request.bytes.to_vec(), limit, self.is_protected());
        self.send_chunk(requester, outgoing)
    }

    /// Returns whether the messages belong to a session and are sent in records.
    fn is_protected(&self) -> bool {
        self.request.session.is_some() && !self.request.clear
    }

    fn send_chunk(&mut self, requester: &mut Requester, mut outgoing: Outgoing) -> Result<Packet, Error> {
        let chunk = outgoing.chunk(outgoing.sequence).ok_or(Usage::NoResponseExpected)?;
        let value = |error| Error::Usage(Usage::Value(error));
        let message = chunk::send(requester.cx.connection.version(), chunk).map_err(value)?;
        outgoing.sequence += 1;
        self.awaiting = Awaiting::ChunkSendAck(outgoing);
        self.send(requester, message)
    }

    fn get_chunk(&mut self, requester: &mut Requester, incoming: Incoming) -> Result<Packet, Error> {
        let request = ChunkGet { handle: incoming.handle, sequence: incoming.sequence };
        let message = requester.cx.write(&request, &Sizes::default())?;
        self.awaiting = Awaiting::ChunkResponse(incoming);
        self.send(requester, message)
    }

    pub(crate) fn receive(
        &mut self,
        requester: &mut Requester,
        packet: Packet,
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        match self.awaiting {
            Awaiting::Response
            | Awaiting::ChunkSendAck(_)
            | Awaiting::ChunkResponse(_)
            | Awaiting::FragmentAck(_)
            | Awaiting::Fragment(_) => {}
            Awaiting::Signature => return Err(Usage::NoResponseExpected.into()),
            Awaiting::Nothing => return Err(Usage::OperationEnded.into()),
        }
        let step = self.try_receive(requester, packet, operation);
        step.inspect_err(|error| {
            requester.cx.missed |= error.may_desync_transcripts();
            self.end(requester, operation.opened_session());
        })
    }

    fn try_receive(
        &mut self,
        requester: &mut Requester,
        packet: Packet,
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        let message = self.open_packet(requester, packet)?;
        let error = message_code(&message) == Code::ERROR;
        match core::mem::replace(&mut self.awaiting, Awaiting::Nothing) {
            Awaiting::ChunkSendAck(sent) if !error => {
                self.chunk_acknowledged(requester, sent, &message, operation)
            }
            Awaiting::ChunkResponse(incoming) if !error => {
                self.chunk_received(requester, incoming, &message, operation)
            }
            // the response exists, and only its next chunk is delayed
            Awaiting::ChunkResponse(incoming) if message.get(2) == Some(&ErrorCode::BUSY.0) => {
                let request = Code(self.request.bytes[1]);
                let _: (ErrorResponse<'_>, _) =
                    requester.cx.read_response(request, &message, &Sizes::default())?;
                let time = self.backoff(FIRST_WAIT);
                let time = self.add_delay(requester, time).ok_or(Error::NotReady { request })?;
                self.get_chunk(requester, incoming).map(|packet| Step::Wait(time, packet))
            }
            Awaiting::FragmentAck(outgoing) if message_code(&message) == FRAGMENT_REQUEST_ACK => {
                self.fragment_acknowledged(requester, outgoing, &message).map(Step::Send)
            }
            // before the last fragment there is no response but ERROR
            Awaiting::FragmentAck(outgoing) if !error && !outgoing.is_over() => {
                let request = Code(self.request.bytes[1]);
                Err(Error::Violation { request, violation: Violation::Chunk })
            }
            Awaiting::Fragment(incoming) if !error => {
                self.fragment_received(requester, incoming, &message, operation)
            }
            _ if requester.cx.connection.rules.fragments && message_code(&message) == FRAGMENT_RESPONSE => {
                let incoming = IncomingFragments::new(self.is_protected());
                self.fragment_received(requester, incoming, &message, operation)
            }
            _ => self.response_received(requester, &message, operation),
        }
    }

    fn send_fragment(
        &mut self,
        requester: &mut Requester,
        mut outgoing: OutgoingFragments,
    ) -> Result<Packet, Error> {
        let fragment = outgoing.take().ok_or(Usage::NoResponseExpected)?;
        let message = requester.cx.write(&FragmentRequest { fragment }, &Sizes::default())?;
        self.awaiting = Awaiting::FragmentAck(outgoing);
        self.send(requester, message)
    }

    /// Handles FRAGMENT_REQUEST_ACK: sends the next fragment.
    fn fragment_acknowledged(
        &mut self,
        requester: &mut Requester,
        outgoing: OutgoingFragments,
        message: &[u8],
    ) -> Result<Packet, Error> {
        let request = Code(self.request.bytes[1]);
        check_version(requester, request, message)?;
        let (ack, _): (FragmentRequestAck, _) =
            requester.cx.read_response(request, message, &Sizes::default())?;
        let sent = ack.sequence.checked_add(1) == Some(outgoing.sequence());
        if ack.id != REQUEST_ID || !sent || outgoing.is_over() {
            return Err(Error::Violation { request, violation: Violation::Chunk });
        }
        self.send_fragment(requester, outgoing)
    }

    /// Handles FRAGMENT_RESPONSE: requests the next fragment, or handles the whole response.
    fn fragment_received(
        &mut self,
        requester: &mut Requester,
        mut incoming: IncomingFragments,
        message: &[u8],
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        check_version(requester, request, message)?;
        let (FragmentResponse { fragment }, _) =
            requester.cx.read_response(request, message, &Sizes::default())?;
        let added = incoming.add(&fragment).map_err(|error| Error::Malformed { request, error })?;
        if let Some(whole) = added {
            return self.response_received(requester, &whole, operation);
        }
        let next = FragmentRspRequest { id: fragment.id, sequence: incoming.sequence() };
        let message = requester.cx.write(&next, &Sizes::default())?;
        self.awaiting = Awaiting::Fragment(incoming);
        self.send(requester, message).map(Step::Send)
    }

    /// Handles CHUNK_SEND_ACK: sends the next chunk, or handles the response.
    fn chunk_acknowledged(
        &mut self,
        requester: &mut Requester,
        sent: Outgoing,
        message: &[u8],
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        let (ack, _): (ChunkSendAck<'_>, _) =
            requester.cx.read_response(request, message, &Sizes::default())?;
        if ack.handle != sent.handle || ack.sequence.checked_add(1) != Some(sent.sequence) {
            return Err(Error::Violation { request, violation: Violation::Chunk });
        }
        // an early response is ERROR; otherwise there is no response before the last chunk, apart from PCI DOE's zeros
        let empty = ack.response.len() <= requester.cx.config.binding.max_trailing_zeros();
        let is_error = || Header::decode(ack.response).is_ok_and(|header| header.code == Code::ERROR);
        let fits = if ack.early_error { is_error() } else { sent.is_over() || empty };
        if !fits {
            return Err(Error::Violation { request, violation: Violation::Chunk });
        }
        if ack.early_error || sent.is_over() {
            return self.response_received(requester, ack.response, operation);
        }
        self.send_chunk(requester, sent).map(Step::Send)
    }

    /// Handles CHUNK_RESPONSE: requests the next chunk, or handles the whole response.
    fn chunk_received(
        &mut self,
        requester: &mut Requester,
        mut incoming: Incoming,
        message: &[u8],
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        let (response, _): (ChunkResponse<'_>, _) =
            requester.cx.read_response(request, message, &Sizes::default())?;
        let max = requester.cx.connection.requester.max_message_size as usize;
        let taken = incoming.take(&response.chunk, max);
        match taken.ok_or(Error::Violation { request, violation: Violation::Chunk })? {
            Some(whole) => self.response_received(requester, &whole, operation),
            None => self.get_chunk(requester, incoming).map(Step::Send),
        }
    }

    /// Handles a whole response.
    fn response_received(
        &mut self,
        requester: &mut Requester,
        response: &[u8],
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        let header = Header::decode(response).map_err(|error| Error::Malformed { request, error })?;
        if header.code == Code::ERROR {
            return self.error_received(requester, response);
        }
        match requester.accept(operation, &self.request, response)? {
            Some(()) => Ok(Step::Done(())),
            None => {
                self.waited = Duration::ZERO;
                self.next_request(requester, operation)
            }
        }
    }

    /// Sends the next request, as soon as this side's key has signed it.
    fn next_request(
        &mut self,
        requester: &mut Requester,
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        match requester.next_request(operation) {
            Err(Error::Usage(Usage::KeyNotReady { exponent })) => {
                let time = self.backoff(ready_after(exponent));
                let time = self.add_delay(requester, time).ok_or(Usage::KeyNotReady { exponent })?;
                self.awaiting = Awaiting::Signature;
                return Ok(Step::Sign(time));
            }
            request => self.request = request?,
        }
        (self.waited, self.large_responses) = (Duration::ZERO, 0);
        self.send_request(requester).map(Step::Send)
    }

    pub(crate) fn resume(
        &mut self,
        requester: &mut Requester,
        operation: &mut dyn AnyOperation,
    ) -> Result<Step<()>, Error> {
        match self.awaiting {
            Awaiting::Signature => {}
            Awaiting::Nothing => return Err(Usage::OperationEnded.into()),
            Awaiting::Response
            | Awaiting::ChunkSendAck(_)
            | Awaiting::ChunkResponse(_)
            | Awaiting::FragmentAck(_)
            | Awaiting::Fragment(_) => return Err(Usage::NoSignaturePending.into()),
        }
        let step = self.next_request(requester, operation);
        step.inspect_err(|_| self.end(requester, operation.opened_session()))
    }

    /// Gives up the exchange because no response arrived.
    pub(crate) fn abandon(&mut self, requester: &mut Requester, opened: Option<SessionId>) {
        requester.cx.missed |= !matches!(self.awaiting, Awaiting::Signature | Awaiting::Nothing);
        self.end(requester, opened);
    }

    /// Ends a failed operation, and the handshake that it was part of. Other handshakes continue.
    fn end(&mut self, requester: &mut Requester, opened: Option<SessionId>) {
        self.awaiting = Awaiting::Nothing;
        let session = opened.or(self.request.session);
        requester.cx.end_sessions(|open| open.is_in_handshake() && Some(open.id) == session);
    }

    fn send(&self, requester: &mut Requester, message: Vec<u8>) -> Result<Packet, Error> {
        match self.request.session {
            Some(session) if !self.request.clear => {
                let record = requester.cx.seal(session, &Zeroizing::new(message))?;
                Ok(Packet::Secured(record))
            }
            _ => Ok(Packet::Message(message)),
        }
    }

    /// Opens a packet. ERROR in the clear instead of a secured message ends the operation, but not the session. It may come from
    /// the responder, which no longer has the session (DSP0277), or from anyone else.
    fn open_packet(&self, requester: &mut Requester, packet: Packet) -> Result<MessageBuffer, Error> {
        let request = Code(self.request.bytes[1]);
        match (packet, self.request.session.filter(|_| !self.request.clear)) {
            (Packet::Message(message), None) => Ok(MessageBuffer::new(message, false)),
            (Packet::Secured(record), Some(session)) => {
                let mut message = requester.cx.unseal(session, &record)?;
                Ok(MessageBuffer::new(core::mem::take(&mut *message), true))
            }
            (Packet::Message(message), Some(_)) => Err(match message[..] {
                [_, code, error, ..] if Code(code) == Code::ERROR => {
                    Error::Unprotected { request, code: ErrorCode(error) }
                }
                _ => Error::Unexpected { request, got: message_code(&message) },
            }),
            (Packet::Secured(_), None) => Err(Error::Unexpected { request, got: Code(0) }),
        }
    }

    /// Handles ERROR: retries later, or fails.
    fn error_received(&mut self, requester: &mut Requester, response: &[u8]) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        let (error, _): (ErrorResponse<'_>, _) =
            requester.cx.read_response(request, response, &Sizes::default())?;
        match error.code {
            ErrorCode::LARGE_RESPONSE if chunk::are_negotiated(&requester.cx.connection) => {
                self.large_responses += 1;
                if self.large_responses > MAX_RESTARTS {
                    return Err(Error::Violation { request, violation: Violation::Chunk });
                }
                // the request is answered, even if the response is never fetched
                requester.update_after_response(request, self.request.session);
                let handle = error.extended.first().copied();
                let handle = handle.ok_or(Error::Violation { request, violation: Violation::ErrorData })?;
                self.get_chunk(requester, Incoming::new(handle, self.is_protected())).map(Step::Send)
            }
            ErrorCode::BUSY => {
                let time = self.backoff(FIRST_WAIT);
                let time = self.add_delay(requester, time).ok_or(Error::NotReady { request })?;
                self.send_request(requester).map(|packet| Step::Wait(time, packet))
            }
            ErrorCode::RESPONSE_NOT_READY => self.retry_when_ready(requester, error.extended),
            code => {
                requester.update_after_error(request, code, self.request.session);
                requester.apply_error(code, self.request.session.filter(|_| !self.request.clear));
                Err(Error::Refused { request, code, data: error.data, extended: error.extended.to_vec() })
            }
        }
    }

    /// Handles ResponseNotReady: sends RESPOND_IF_READY after the announced delay.
    fn retry_when_ready(&mut self, requester: &mut Requester, extended: &[u8]) -> Result<Step<()>, Error> {
        let request = Code(self.request.bytes[1]);
        // RDTM must be at least 2: otherwise the responder would drop the response as soon as it is ready
        let fits = |ready: &NotReady| ready.request == request && ready.multiplier > 1;
        let ready = NotReady::decode(extended).ok().filter(fits);
        let ready = ready.ok_or(Error::Violation { request, violation: Violation::ErrorData })?;
        let time =
            self.add_delay(requester, ready_after(ready.exponent)).ok_or(Error::NotReady { request })?;
        let again = RespondIfReady { request, token: ready.token };
        let message = requester.cx.write(&again, &Sizes::default())?;
        self.awaiting = Awaiting::Response;
        self.send(requester, message).map(|packet| Step::Wait(time, packet))
    }

    /// Returns the delay of the next retry: `first`, and then as long as all previous delays together, up to [`MAX_WAIT`].
    fn backoff(&self, first: Duration) -> Duration {
        self.waited.min(MAX_WAIT).max(first)
    }

    /// Adds `time` to the total delay. Returns `None` if that exceeds the configured patience.
    fn add_delay(&mut self, requester: &Requester, time: Duration) -> Option<Duration> {
        self.waited = self.waited.saturating_add(time);
        (self.waited <= requester.cx.config.patience).then_some(time)
    }
}

/// Checks that the answer to a chunk or fragment of `request` has the negotiated version.
fn check_version(requester: &Requester, request: Code, answer: &[u8]) -> Result<(), Error> {
    let same = answer.first() == Some(&requester.cx.connection.version().byte());
    if same { Ok(()) } else { Err(Error::Violation { request, violation: Violation::Version }) }
}

/// Returns 2^`exponent` microseconds, but at least [`MIN_WAIT`], so that repeated retries reach the limit of patience.
fn ready_after(exponent: u8) -> Duration {
    let micros = 1_u64.checked_shl(exponent.into()).unwrap_or(u64::MAX);
    Duration::from_micros(micros).max(MIN_WAIT)
}

/// The maximum number of restarts of a large response, each caused by a busy responder.
const MAX_RESTARTS: u8 = 8;

const MIN_WAIT: Duration = Duration::from_millis(1);

/// The first delay after Busy, which does not announce a time.
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// The maximum delay between retries, unless the responder announces a longer one.
const MAX_WAIT: Duration = Duration::from_secs(1);
