//! An operation on its way: requests that are sent and sent again, until all responses are there.

use crate::config::Packet;
use crate::connection::Then;
use crate::error::{Error, Violation};
use crate::requester::{Context, Requester};
use crate::session::{Effect, SessionId};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, NotReady};
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::{Code, Header, Sizes};
use std::time::Duration;

/// What a requester can do; see [`crate::operations`].
pub trait Operation {
    /// What comes of it.
    type Output;

    /// The next request.
    #[doc(hidden)]
    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error>;

    /// Reads the response to it.
    #[doc(hidden)]
    fn take(
        &mut self,
        cx: &mut Context,
        request: &[u8],
        response: &[u8],
    ) -> Result<Taken<Self::Output>, Error>;
}

/// What is to be done next.
#[derive(Debug)]
pub enum Step<T> {
    /// Send this, and come back with the answer.
    Send(Packet),
    /// Wait so long, then as [`Step::Send`].
    Wait(Duration, Packet),
    /// The operation is over.
    Done(T),
}

/// A request.
#[doc(hidden)]
pub struct Ask {
    pub(crate) bytes: Vec<u8>,
    /// The session that it belongs to.
    pub(crate) session: Option<SessionId>,
    /// Whether it goes in the clear, though it belongs to a session.
    pub(crate) clear: bool,
}

impl Ask {
    /// Outside sessions.
    pub(crate) const fn plain(bytes: Vec<u8>) -> Self {
        Self { bytes, session: None, clear: true }
    }

    /// In a session.
    pub(crate) const fn in_session(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes, session: Some(session), clear: false }
    }

    /// In a session, if there is one.
    pub(crate) fn maybe_in(session: Option<SessionId>, bytes: Vec<u8>) -> Self {
        Self { bytes, session, clear: session.is_none() }
    }

    /// Of a session, in the clear.
    pub(crate) const fn in_the_clear(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes, session: Some(session), clear: true }
    }
}

/// A response that was read.
#[doc(hidden)]
pub struct Taken<T> {
    /// Its length.
    pub(crate) len: usize,
    /// What its end is a signature of.
    pub(crate) signed: Option<Signed>,
    /// What it changes.
    pub(crate) then: Then,
    /// What it does to sessions.
    pub(crate) effect: Effect,
    /// What comes of the operation; `None` if it has more to ask.
    pub(crate) output: Option<T>,
}

impl<T> Taken<T> {
    /// Without signature.
    pub(crate) const fn plain(len: usize, output: Option<T>) -> Self {
        Self { len, signed: None, then: Then::Nothing, effect: Effect::Nothing, output }
    }
}

/// Who signed a response.
pub(crate) struct Signed {
    pub(crate) slot: u8,
    pub(crate) context: &'static str,
    pub(crate) len: usize,
}

/// An operation on its way.
pub struct Flight<O> {
    operation: O,
    ask: Ask,
    waited: Duration,
}

impl<O: Operation> Flight<O> {
    pub(crate) const fn new(operation: O, ask: Ask) -> Self {
        Self { operation, ask, waited: Duration::ZERO }
    }

    pub(crate) fn begin(&mut self, requester: &mut Requester) -> Result<Packet, Error> {
        self.send(requester, self.ask.bytes.clone())
    }

    pub(crate) fn receive(
        &mut self,
        requester: &mut Requester,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        let step = self.try_receive(requester, packet);
        if step.is_err() {
            requester.abandon(&self.ask);
        }
        step
    }

    fn try_receive(&mut self, requester: &mut Requester, packet: Packet) -> Result<Step<O::Output>, Error> {
        let response = self.open(requester, packet)?;
        let request = Code(self.ask.bytes[1]);
        let header = Header::decode(&response).map_err(|error| Error::Malformed { request, error })?;
        if header.code == Code::ERROR {
            return self.error(requester, &response);
        }
        match requester.accept(&mut self.operation, &self.ask, &response)? {
            Some(output) => Ok(Step::Done(output)),
            None => {
                self.ask = requester.ask(&mut self.operation)?;
                self.waited = Duration::ZERO;
                self.begin(requester).map(Step::Send)
            }
        }
    }

    fn send(&self, requester: &mut Requester, message: Vec<u8>) -> Result<Packet, Error> {
        match self.ask.session {
            Some(session) if !self.ask.clear => {
                let record = requester.cx.seal(session, &message)?;
                Ok(Packet::Secured(record))
            }
            _ => Ok(Packet::Message(message)),
        }
    }

    /// What the packet carries; one in the clear is none but ERROR, where a secured message was awaited.
    fn open(&self, requester: &mut Requester, packet: Packet) -> Result<Vec<u8>, Error> {
        let request = Code(self.ask.bytes[1]);
        match (packet, self.ask.session.filter(|_| !self.ask.clear)) {
            (Packet::Message(message), None) => Ok(message),
            (Packet::Secured(record), Some(session)) => requester.cx.unseal(session, &record),
            (Packet::Message(message), Some(_)) => {
                let got = message.get(1).map_or(Code::ERROR, |&code| Code(code));
                if got == Code::ERROR { Ok(message) } else { Err(Error::Unexpected { request, got }) }
            }
            (Packet::Secured(_), None) => Err(Error::Unexpected { request, got: Code(0) }),
        }
    }

    /// ERROR: to be asked again later, or the end.
    fn error(&mut self, requester: &mut Requester, response: &[u8]) -> Result<Step<O::Output>, Error> {
        let request = Code(self.ask.bytes[1]);
        let (error, _): (ErrorResponse<'_>, _) = requester.cx.read(request, response, &Sizes::default())?;
        match error.code {
            ErrorCode::BUSY => {
                let time = self.patience(requester, BUSY)?;
                self.begin(requester).map(|packet| Step::Wait(time, packet))
            }
            ErrorCode::RESPONSE_NOT_READY => {
                let wrong = Error::Violation { request, violation: Violation::ErrorData };
                let ready = NotReady::decode(error.extended).ok().filter(|ready| ready.request == request);
                let ready = ready.ok_or(wrong)?;
                let micros = 1_u64.checked_shl(ready.exponent.into()).unwrap_or(u64::MAX);
                let time = self.patience(requester, Duration::from_micros(micros))?;
                let again = RespondIfReady { request, token: ready.token };
                let message = requester.cx.write(&again, &Sizes::default())?;
                self.send(requester, message).map(|packet| Step::Wait(time, packet))
            }
            code => {
                if !NOT_LET_IN.contains(&code) {
                    requester.forget(request, self.ask.session);
                }
                Err(Error::Refused { request, code, data: error.data })
            }
        }
    }

    /// `time`, if there is so much left.
    fn patience(&mut self, requester: &Requester, time: Duration) -> Result<Duration, Error> {
        self.waited = self.waited.saturating_add(time);
        let patient = self.waited <= requester.cx.config.patience;
        if patient { Ok(time) } else { Err(Error::NotReady { request: Code(self.ask.bytes[1]) }) }
    }
}

/// How long to wait for a responder that is busy.
const BUSY: Duration = Duration::from_millis(10);

/// Errors of requests that the responder did not look into, and which thus ended nothing.
const NOT_LET_IN: [ErrorCode; 4] = [
    ErrorCode::UNSUPPORTED_REQUEST,
    ErrorCode::UNEXPECTED_REQUEST,
    ErrorCode::VERSION_MISMATCH,
    ErrorCode::SESSION_REQUIRED,
];
