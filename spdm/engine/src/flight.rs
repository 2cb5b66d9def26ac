//! An operation on its way, until all responses are there.

use crate::config::Packet;
use crate::connection::Then;
use crate::context::Context;
use crate::error::{Error, Usage};
use crate::kept::Kept;
use crate::requester::Requester;
use crate::session::{Effect, SessionId};
use crate::way::Way;
use alloc::vec::Vec;
use core::time::Duration;
use grille_spdm_codec::Code;

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

    /// The session that it opens, as soon as that has a number.
    #[doc(hidden)]
    fn opening(&self) -> Option<SessionId> {
        None
    }

    /// The same in a session.
    #[must_use]
    fn within(self, session: SessionId) -> Within<Self>
    where
        Self: Sized,
    {
        Within { operation: self, session }
    }
}

/// An operation in a session.
#[derive(Clone, Debug)]
pub struct Within<O> {
    operation: O,
    session: SessionId,
}

impl<O: Operation> Operation for Within<O> {
    type Output = O::Output;

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let session = self.session;
        cx.session(session).ok_or(Usage::NoSession { session })?;
        Ok(Ask::in_session(session, self.operation.ask(cx)?.bytes.into_bytes()))
    }

    fn take(
        &mut self,
        cx: &mut Context,
        request: &[u8],
        response: &[u8],
    ) -> Result<Taken<Self::Output>, Error> {
        self.operation.take(cx, request, response)
    }
}

/// What is to be done next.
#[derive(Debug)]
pub enum Step<T> {
    /// Send this, and come back with the answer.
    Send(Packet),
    /// Wait so long, then as [`Step::Send`].
    Wait(Duration, Packet),
    /// This side's key needs time to sign: wait so long, then go on with [`Requester::resume`].
    Sign(Duration),
    /// The operation is over.
    Done(T),
}

/// A request.
#[doc(hidden)]
pub struct Ask {
    pub(crate) bytes: Kept,
    /// The session that it belongs to.
    pub(crate) session: Option<SessionId>,
    /// Whether it goes in the clear, though it belongs to a session.
    pub(crate) clear: bool,
}

impl Ask {
    /// Outside sessions.
    pub(crate) const fn plain(bytes: Vec<u8>) -> Self {
        Self { bytes: Kept::new(bytes, false), session: None, clear: true }
    }

    /// In a session.
    pub(crate) const fn in_session(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes: Kept::new(bytes, true), session: Some(session), clear: false }
    }

    /// Of a session, in the clear.
    pub(crate) const fn in_the_clear(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes: Kept::new(bytes, false), session: Some(session), clear: true }
    }

    /// Whether this side's CHALLENGE_AUTH is in it, which ends B.
    pub(crate) fn proves(&self) -> bool {
        let proof = [Code::DELIVER_ENCAPSULATED_RESPONSE, Code::CHALLENGE_AUTH];
        matches!(self.bytes[..], [_, code, _, _, _, inside, ..] if [code, inside].map(Code) == proof)
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
    /// A request of the responder's that was in it.
    pub(crate) asked: Kept,
    /// What comes of the operation; `None` if it has more to ask.
    pub(crate) output: Option<T>,
}

impl<T> Taken<T> {
    /// Without signature.
    pub(crate) const fn plain(len: usize, output: Option<T>) -> Self {
        Self {
            len,
            signed: None,
            then: Then::Nothing,
            effect: Effect::Nothing,
            asked: Kept::new(Vec::new(), false),
            output,
        }
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
    way: Way,
}

/// An operation whose type does not matter: all that is done for whichever it is is compiled once, and is in the caches when the
/// next one begins.
pub(crate) trait AnyOperation {
    /// As [`Operation::ask`].
    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error>;

    /// As [`Operation::take`]; what comes of the operation stays here.
    fn take(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Taken<()>, Error>;

    /// As [`Operation::opening`].
    fn opening(&self) -> Option<SessionId>;
}

/// An operation, and what came of it.
struct Outcome<'o, O: Operation> {
    operation: &'o mut O,
    output: Option<O::Output>,
}

impl<O: Operation> AnyOperation for Outcome<'_, O> {
    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        self.operation.ask(cx)
    }

    fn take(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let Taken { len, signed, then, effect, asked, output } =
            self.operation.take(cx, request, response)?;
        let done = output.is_some().then_some(());
        self.output = output;
        Ok(Taken { len, signed, then, effect, asked, output: done })
    }

    fn opening(&self) -> Option<SessionId> {
        self.operation.opening()
    }
}

impl<O: Operation> Flight<O> {
    pub(crate) fn start(requester: &mut Requester, mut operation: O) -> Result<(Self, Packet), Error> {
        let (way, packet) = Way::start(requester, &mut Outcome { operation: &mut operation, output: None })?;
        Ok((Self { operation, way }, packet))
    }

    pub(crate) fn receive(
        &mut self,
        requester: &mut Requester,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        self.go_on(|way, operation| way.receive(requester, packet, operation))
    }

    pub(crate) fn resume(&mut self, requester: &mut Requester) -> Result<Step<O::Output>, Error> {
        self.go_on(|way, operation| way.resume(requester, operation))
    }

    /// Whatever was asked is not answered.
    pub(crate) fn abandon(mut self, requester: &mut Requester) {
        self.way.abandon(requester, self.operation.opening());
    }

    fn go_on(
        &mut self,
        go: impl FnOnce(&mut Way, &mut dyn AnyOperation) -> Result<Step<()>, Error>,
    ) -> Result<Step<O::Output>, Error> {
        let mut outcome = Outcome { operation: &mut self.operation, output: None };
        Ok(match go(&mut self.way, &mut outcome)? {
            Step::Send(packet) => Step::Send(packet),
            Step::Wait(time, packet) => Step::Wait(time, packet),
            Step::Sign(time) => Step::Sign(time),
            Step::Done(()) => Step::Done(outcome.output.ok_or(Usage::NothingAsked)?),
        })
    }
}
