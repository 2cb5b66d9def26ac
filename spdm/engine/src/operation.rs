//! Operations of a requester, and the requests and responses that they consist of.

use crate::config::Packet;
use crate::connection::ConnectionChange;
use crate::context::Context;
use crate::error::{Error, Usage};
use crate::message_buffer::MessageBuffer;
use crate::proof::ExpectedProof;
use crate::session::{Effect, SessionId};
use alloc::vec::Vec;
use core::time::Duration;
use grille_spdm_codec::Code;

/// An operation of a requester; see [`crate::operations`].
pub trait Operation {
    /// The result of the operation.
    type Output;

    /// Returns the next request.
    #[doc(hidden)]
    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error>;

    /// Parses the response to `request`.
    #[doc(hidden)]
    fn parse(
        &mut self,
        cx: &mut Context,
        request: &[u8],
        response: &[u8],
    ) -> Result<Parsed<Self::Output>, Error>;

    /// Returns the session that the operation opens, once it has an ID.
    #[doc(hidden)]
    fn opened_session(&self) -> Option<SessionId> {
        None
    }

    /// Returns an operation that runs `self` in a session.
    #[must_use]
    fn within(self, session: SessionId) -> Within<Self>
    where
        Self: Sized,
    {
        Within { operation: self, session }
    }
}

/// An operation that runs in a session.
#[derive(Clone, Debug)]
pub struct Within<O> {
    operation: O,
    session: SessionId,
}

impl<O: Operation> Operation for Within<O> {
    type Output = O::Output;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let session = self.session;
        cx.session(session).ok_or(Usage::NoSession { session })?;
        Ok(Request::in_session(session, self.operation.next_request(cx)?.bytes.into_bytes()))
    }

    fn parse(
        &mut self,
        cx: &mut Context,
        request: &[u8],
        response: &[u8],
    ) -> Result<Parsed<Self::Output>, Error> {
        self.operation.parse(cx, request, response)
    }
}

/// The next step of a running operation.
#[derive(Debug)]
pub enum Step<T> {
    /// Send this packet, and pass the response to [`Requester::receive`](crate::requester::Requester::receive).
    Send(Packet),
    /// Wait for this time, then proceed as with [`Step::Send`].
    Wait(Duration, Packet),
    /// The requester's signer needs time: wait, then call [`Requester::resume`](crate::requester::Requester::resume).
    Sign(Duration),
    /// The operation is complete.
    Done(T),
}

/// An outgoing request.
#[doc(hidden)]
pub struct Request {
    pub(crate) bytes: MessageBuffer,
    /// The session of the request.
    pub(crate) session: Option<SessionId>,
    /// Whether the request belongs to a session but is sent in the clear.
    pub(crate) clear: bool,
}

impl Request {
    /// Creates a request outside sessions.
    pub(crate) const fn plain(bytes: Vec<u8>) -> Self {
        Self { bytes: MessageBuffer::new(bytes, false), session: None, clear: true }
    }

    /// Creates a request in a session.
    pub(crate) const fn in_session(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes: MessageBuffer::new(bytes, true), session: Some(session), clear: false }
    }

    /// Creates a request of a session that is sent in the clear.
    pub(crate) const fn in_the_clear(session: SessionId, bytes: Vec<u8>) -> Self {
        Self { bytes: MessageBuffer::new(bytes, false), session: Some(session), clear: true }
    }

    /// Returns whether the request delivers the requester's CHALLENGE_AUTH, which ends the transcript B.
    pub(crate) fn delivers_challenge_auth(&self) -> bool {
        let proof = [Code::DELIVER_ENCAPSULATED_RESPONSE, Code::CHALLENGE_AUTH];
        matches!(self.bytes[..], [_, code, _, _, _, inside, ..] if [code, inside].map(Code) == proof)
    }
}

/// A parsed response.
#[doc(hidden)]
pub struct Parsed<T> {
    /// The length of the response.
    pub(crate) len: usize,
    /// The proof at the end of the response, if any.
    pub(crate) proof: Option<ExpectedProof>,
    /// The change of the connection state.
    pub(crate) change: ConnectionChange,
    /// The effect on sessions.
    pub(crate) effect: Effect,
    /// The responder's encapsulated request in the response.
    pub(crate) encapsulated: MessageBuffer,
    /// The result of the operation; `None` if more requests follow.
    pub(crate) output: Option<T>,
}

impl<T> Parsed<T> {
    /// Returns a response without a signature or further effects.
    pub(crate) const fn plain(len: usize, output: Option<T>) -> Self {
        Self {
            len,
            proof: None,
            change: ConnectionChange::Nothing,
            effect: Effect::Nothing,
            encapsulated: MessageBuffer::new(Vec::new(), false),
            output,
        }
    }
}

/// A type-erased operation. The code that runs operations is compiled once instead of once per type, and stays in the
/// instruction cache.
pub(crate) trait AnyOperation {
    /// See [`Operation::next_request`].
    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error>;

    /// See [`Operation::parse`]. Stores the operation's output instead of returning it.
    fn parse(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Parsed<()>, Error>;

    /// See [`Operation::opened_session`].
    fn opened_session(&self) -> Option<SessionId>;
}
