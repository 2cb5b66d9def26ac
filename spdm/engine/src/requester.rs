//! The requester: runs operations by sending requests and checking responses.

use crate::config::{Config, Packet, Role};
use crate::connection::{Connection, ConnectionChange};
use crate::context::Context;
use crate::device::{Device, EmptyDevice};
use crate::encapsulated_requester::PendingAnswer;
use crate::error::{Error, Usage, Violation};
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages;
use crate::operation::{ActiveOperation, AnyOperation, Operation, Parsed, Request, Step};
use crate::session::{Effect, Mutual, Session, SessionId, SessionParams};
use crate::transcript::{Feeds, Prover, Th, Transcript};
use crate::trust::ChainVerifier;
use alloc::{boxed::Box, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::{Code, Header};
use subtle::ConstantTimeEq;

/// A requester. It runs the operations of [`crate::operations`].
pub struct Requester {
    pub(crate) cx: Context,
    pub(crate) transcript: Transcript,
    authenticated: bool,
}

/// A blocking transport, for callers that can spare a thread.
pub trait Carrier {
    /// The transport's error.
    type Error: From<Error>;

    /// Sends a packet and waits for the response. The engine does not retransmit; on an unreliable transport the carrier must.
    ///
    /// The carrier may always retransmit a lost packet, and a record whose response was lost: the responder repeats that response.
    /// Outside sessions it may also retransmit GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS and GET_DIGESTS after a lost
    /// response. Other messages would enter the responder's transcripts twice.
    ///
    /// # Errors
    /// The carrier's error if no response arrives. The operation is then given up, see [`Requester::abandon`].
    fn exchange(&mut self, packet: Packet) -> Result<Packet, Self::Error>;

    /// Waits for this time.
    #[cfg(not(feature = "std"))]
    fn wait(&mut self, time: Duration);

    /// Waits for this time. The default sleeps.
    #[cfg(feature = "std")]
    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Requester {
    /// Creates a requester that uses the operating system's random generator.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(config: Config, identity: Identity, verifier: Box<dyn ChainVerifier>) -> Self {
        Self::with_rng(config, identity, verifier, Box::new(grille_core::SystemRng))
    }

    /// Creates a requester with another random generator. ECDSA and RSA signatures still use the operating system's.
    #[must_use]
    pub fn with_rng(
        config: Config,
        identity: Identity,
        verifier: Box<dyn ChainVerifier>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        let mut cx = Context::new(Role::Requester, config, identity, Box::new(EmptyDevice), rng);
        cx.chain_verifier = Some(verifier);
        Self { cx, transcript: Transcript::default(), authenticated: false }
    }

    /// Sets the device that answers the responder's requests [`crate::operations::ResponderRequest::EndpointInfo`], `EventTypes` and
    /// `Subscribe`.
    #[must_use]
    pub fn with_device(mut self, device: Box<dyn Device>) -> Self {
        self.cx.device = device;
        self
    }

    /// Returns the device if it is of type `D`, for use between two packets.
    pub fn device_mut<D: Device>(&mut self) -> Option<&mut D> {
        self.cx.device_mut()
    }

    /// Provisions the responder's public key as slot 0xFF.
    pub fn provision(&mut self, key: PublicKey) {
        self.cx.peer.provisioned = Some(key);
    }

    /// Returns the negotiated connection state.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// Returns the slot that this side authenticated with in a session's handshake; 0xFF for its provisioned public key. Returns
    /// `None` if the responder did not request authentication.
    #[must_use]
    pub fn authenticated_with(&self, session: SessionId) -> Option<u8> {
        match self.cx.session(session)?.mutual {
            Mutual::Slot(slot) => Some(slot),
            Mutual::No | Mutual::Pending => None,
        }
    }

    /// Returns the MeasurementSummaryHash from the session's handshake, if it was requested.
    #[must_use]
    pub fn summary(&self, session: SessionId) -> Option<&[u8]> {
        self.cx.session(session).map(|open| &open.summary[..]).filter(|summary| !summary.is_empty())
    }

    /// Returns HeartbeatPeriod of a session: run [`crate::operations::SendHeartbeat`] at least this often. `None` without a heartbeat.
    #[must_use]
    pub fn heartbeat(&self, session: SessionId) -> Option<Duration> {
        self.cx.heartbeat_of(session)
    }

    /// Advances the clock. Sessions end if their responder was silent for twice HeartbeatPeriod.
    pub fn advance(&mut self, time: Duration) {
        self.cx.end_sessions(|session| session.is_silent_after(time));
    }

    /// Ends a session or its handshake on this side only, and erases its keys. An ended session is ignored.
    ///
    /// Use it when the responder no longer has or answers the session, for example after a lost response to
    /// [`crate::operations::End`]. A responder with the session is not notified. It ends the session after twice HeartbeatPeriod,
    /// if there is one, or with the next connection.
    pub fn forget_session(&mut self, session: SessionId) {
        self.cx.end_sessions(|open| open.id == session);
    }

    /// Starts an operation and returns its first packet. Pass the response to [`Requester::receive`]. If none arrives, pass the
    /// operation to [`Requester::abandon`].
    ///
    /// Several operations may run at once, each in its own session or outside sessions. Only one packet may be unanswered at a time
    /// (DSP0274): transcripts follow the order of responses, and records are numbered when they are sealed.
    ///
    /// # Errors
    /// [`Error::Usage`] if the operation is not allowed now.
    pub fn start<O: Operation>(&mut self, operation: O) -> Result<(ActiveOperation<O>, Packet), Error> {
        ActiveOperation::start(self, operation)
    }

    /// Continues an operation with a response.
    ///
    /// # Errors
    /// Every [`Error`]. The operation then ends, and so does the session that it was opening. Transcripts that the answered request
    /// ended remain ended; neither request nor response is appended. [`Usage::OperationEnded`] after the end, and
    /// [`Usage::NoResponseExpected`] after [`Step::Sign`]; these two change nothing.
    pub fn receive<O: Operation>(
        &mut self,
        active: &mut ActiveOperation<O>,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        active.receive(self, packet)
    }

    /// Continues an operation after [`Step::Sign`].
    ///
    /// # Errors
    /// Every [`Error`]; the operation then ends. [`Usage::OperationEnded`] after the end, and [`Usage::NoSignaturePending`] after
    /// any other step; these two change nothing.
    pub fn resume<O: Operation>(
        &mut self,
        active: &mut ActiveOperation<O>,
    ) -> Result<Step<O::Output>, Error> {
        active.resume(self)
    }

    /// Gives up an operation without a response. The session that it was opening ends, and its keys are erased.
    ///
    /// The responder may have appended the request to its transcripts; this side did not. The next signature over L1/L2
    /// (measurements) or B (certificates) is then invalid, and [`Error::Signature`] says that a response was missed. That signature
    /// ends the transcript on both sides, so the one after it is valid. An answered [`crate::operations::FetchDigests`] ends both
    /// transcripts earlier, and [`crate::operations::Connect`] restarts everything.
    ///
    /// In a session the responder accepts no other record until this one was answered. Repeat the operation: it sends the same
    /// record, unless its request has random fields (as [`crate::operations::Measure`] has). Otherwise use
    /// [`Requester::forget_session`].
    pub fn abandon<O: Operation>(&mut self, operation: ActiveOperation<O>) {
        operation.abandon(self);
    }

    /// Runs an operation to completion.
    ///
    /// # Errors
    /// See [`Requester::receive`]; also the carrier's errors.
    pub fn run<O: Operation, C: Carrier>(
        &mut self,
        operation: O,
        carrier: &mut C,
    ) -> Result<O::Output, C::Error> {
        let (mut active, mut packet) = self.start(operation)?;
        loop {
            let answer = match carrier.exchange(packet) {
                Ok(answer) => answer,
                Err(error) => {
                    self.abandon(active);
                    return Err(error);
                }
            };
            let mut step = self.receive(&mut active, answer)?;
            packet = loop {
                match step {
                    Step::Send(packet) => break packet,
                    Step::Wait(time, packet) => {
                        carrier.wait(time);
                        break packet;
                    }
                    Step::Sign(time) => {
                        carrier.wait(time);
                        step = self.resume(&mut active)?;
                    }
                    Step::Done(output) => return Ok(output),
                }
            };
        }
    }

    pub(crate) fn next_request(&mut self, operation: &mut dyn AnyOperation) -> Result<Request, Error> {
        let ask = operation.next_request(&mut self.cx)?;
        self.cx.check_may_send(messages::code_of(&ask.bytes), ask.session)?;
        if ask.delivers_challenge_auth() {
            self.transcript.reset_b(Prover::Requester);
        }
        Ok(ask)
    }

    /// Checks a whole response. Only then are transcripts and the connection updated.
    pub(crate) fn accept(
        &mut self,
        operation: &mut dyn AnyOperation,
        ask: &Request,
        response: &[u8],
    ) -> Result<Option<()>, Error> {
        let request = Code(ask.bytes[1]);
        let got = Header::decode(response).map_err(|error| Error::Malformed { request, error })?;
        if Some(got.code) != request.response() {
            return Err(Error::Unexpected { request, got: got.code });
        }
        // SPDMVersion of VERSION is always 1.0
        if got.version != ask.bytes[0] {
            return Err(Error::Violation { request, violation: Violation::Version });
        }
        self.update_after_response(request, ask.session);
        let taken = operation.parse(&mut self.cx, &ask.bytes, response)?;
        let response = response.get(..taken.len).unwrap_or(response);
        let (body, signature) = split(response, self.cx.verify_data_len(request, &taken.effect), &taken)?;
        self.check(&taken, ask, body, signature).inspect_err(|_| self.end_signed(request, ask.session))?;
        self.append_to_transcripts(ask, response, taken.signed.is_some());
        if matches!(taken.change, ConnectionChange::Reset) {
            self.disconnect();
        }
        self.cx.connection.apply(taken.change, &mut self.transcript);
        // a request in KEY_EXCHANGE_RSP belongs to the new session
        let place = if let Effect::Open(params) = &taken.effect { Some(params.id) } else { ask.session };
        self.apply_effect(ask, response, taken.effect)?;
        if !taken.asked.is_empty() {
            self.answer(place, &taken.asked);
        }
        Ok(taken.output)
    }

    fn disconnect(&mut self) {
        (self.authenticated, self.cx.missed) = (false, false);
        self.cx.pending_answer = PendingAnswer::None;
        self.cx.end_sessions(|_| true);
        self.cx.peer.forget();
    }

    /// Applies the effects of ERROR beyond its request. `session`: the session that protected it. Outside sessions ERROR is
    /// unauthenticated, so it ends no session.
    pub(crate) fn apply_error(&mut self, error: ErrorCode, session: Option<SessionId>) {
        match (error, session) {
            (ErrorCode::REQUEST_RESYNCH, _) if session.is_some() || self.cx.sessions.is_empty() => {
                self.disconnect();
                self.cx.connection = Connection::default();
            }
            (ErrorCode::DECRYPT_ERROR, Some(session)) => self.forget_session(session),
            _ => {}
        }
    }

    fn check(&self, taken: &Parsed<()>, ask: &Request, body: &[u8], signature: &[u8]) -> Result<(), Error> {
        let Some(signed) = &taken.signed else { return Ok(()) };
        let request = Code(ask.bytes[1]);
        let parts = [&ask.bytes[..], body];
        let measured = ask.session.and_then(|id| self.cx.session(id)).map(|session| &session.measured);
        let digest = match (messages::feeds(request), &taken.effect) {
            (Feeds::C, _) => self.transcript.m(Prover::Responder, &parts),
            (Feeds::L, _) => self.transcript.l(measured, &parts),
            (_, Effect::Open(params)) => self.cx.connection.th(&self.transcript, params).map(|mut th| {
                parts.iter().for_each(|part| th.push(part));
                th.digest()
            }),
            _ => self.transcript.il(&parts),
        };
        let digest = digest.ok_or(Usage::NotConnected)?;
        self.cx.verify(request, signed.slot, signed.context, &digest, signature)
    }

    fn append_to_transcripts(&mut self, ask: &Request, response: &[u8], signed: bool) {
        let (request, messages) = (Code(ask.bytes[1]), [&ask.bytes[..], response]);
        let session = self.cx.sessions.iter_mut().find(|open| Some(open.id) == ask.session);
        let measured = session.map(|session| &mut session.measured);
        match messages::feeds(request) {
            Feeds::Vca => {
                if request == Code::GET_VERSION {
                    self.transcript = Transcript::default();
                }
                messages.iter().for_each(|message| self.transcript.push_vca(message));
            }
            Feeds::B if ask.session.is_none() => {
                self.transcript.push_b(Prover::Responder, &messages);
                if request == Code::GET_DIGESTS && self.cx.peer_sizes().multi_key {
                    self.transcript.push_digests(response);
                }
            }
            Feeds::C => {
                self.end_signed(request, None);
                self.authenticated = true;
            }
            Feeds::L if signed => self.end_signed(request, ask.session),
            Feeds::L => self.transcript.push_l(measured, &messages),
            Feeds::B | Feeds::Il | Feeds::Th | Feeds::Other | Feeds::Nothing => {}
        }
    }

    /// Ends the transcript of a signature, valid or not: the peer has ended it as well.
    fn end_signed(&mut self, request: Code, session: Option<SessionId>) {
        let session = session.and_then(|id| self.cx.session_mut(id));
        match messages::feeds(request) {
            Feeds::C => self.transcript.reset_b(Prover::Responder),
            Feeds::L => self.transcript.reset_l(session.map(|session| &mut session.measured)),
            _ => {}
        }
    }

    /// Applies the response's effect on sessions, after ResponderVerifyData was verified.
    fn apply_effect(&mut self, ask: &Request, response: &[u8], effect: Effect) -> Result<(), Error> {
        let request = Code(ask.bytes[1]);
        let (body, mac) = response.split_at(response.len() - self.cx.verify_data_len(request, &effect));
        if let Effect::Open(params) = effect {
            let th = self.cx.connection.th(&self.transcript, &params).ok_or(Usage::NotConnected)?;
            return self.open_session(request, th, [&ask.bytes, body, mac], *params);
        }
        let Some(session) = ask.session.and_then(|id| self.cx.session_mut(id)) else { return Ok(()) };
        match effect {
            Effect::Nothing | Effect::Open(_) => {}
            Effect::Finish(th) => {
                let mut th = *th;
                th.push(body);
                check_verify_data(session, &mut th, request, mac)?;
                session.th = th;
                session.establish();
            }
            Effect::Bind(slot) => {
                let id = session.id;
                // without a named slot, use the first slot with a chain
                let named = slot.or_else(|| self.first_slot()).ok_or(Usage::NoKey)?;
                self.bind(id, named)?;
            }
            Effect::Update(update)
                if update.operation == KeyOperation::UPDATE_ALL_KEYS && !session.peer_uses_newest_key() =>
            {
                return Err(Error::Violation { request, violation: Violation::KeyUpdate });
            }
            Effect::Update(update) => session.apply_update(update),
            Effect::End { .. } => {
                let id = session.id;
                self.forget_session(id);
            }
        }
        Ok(())
    }

    fn open_session(
        &mut self,
        request: Code,
        mut th: Th,
        [asked, body, mac]: [&[u8]; 3],
        params: SessionParams,
    ) -> Result<(), Error> {
        th.push(asked);
        th.push(body);
        let opened = Session::open(Role::Requester, params, th, &self.cx.connection);
        let mut session = opened.ok_or(Usage::NotConnected)?;
        let mut th = session.th.clone();
        check_verify_data(&session, &mut th, request, mac)?;
        session.th = th;
        let (id, mutual) = (session.id, session.mutual);
        let with_context = self.cx.connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if session.origin == Origin::Psk && !with_context {
            session.establish();
        }
        self.cx.sessions.push(Box::new(session));
        let Mutual::Slot(slot) = mutual else { return Ok(()) };
        self.bind(id, slot)
    }

    fn first_slot(&self) -> Option<u8> {
        let slots = self.cx.identity.slots(self.cx.own_asym()?);
        slots.first().map(|slot| slot.number)
    }

    /// Binds the session to this side's slot: TH continues with its chain.
    fn bind(&mut self, session: SessionId, slot: u8) -> Result<(), Error> {
        let hash = self.cx.own_chain_hash(slot).map_err(|_| Usage::NoKey)?;
        if let Some(session) = self.cx.session_mut(session) {
            session.bind(slot, &hash, None);
        }
        Ok(())
    }

    /// Updates transcripts after an answered request, as the responder does.
    pub(crate) fn update_after_response(&mut self, request: Code, session: Option<SessionId>) {
        let session = session.and_then(|id| self.cx.session_mut(id));
        let measured = session.map(|session| &mut session.measured);
        messages::update_after_response(request, self.authenticated, &mut self.transcript, measured);
    }

    /// Updates transcripts after a request was answered with ERROR, as the responder does. Session keys do not change.
    pub(crate) fn update_after_error(&mut self, request: Code, error: ErrorCode, session: Option<SessionId>) {
        let mut session = session.and_then(|id| self.cx.session_mut(id));
        if let Some(session) = &mut session
            && matches!(request, Code::KEY_UPDATE | Code::DELIVER_ENCAPSULATED_RESPONSE)
        {
            session.update_refused();
        }
        let measured = session.map(|session| &mut session.measured);
        messages::update_after_error(request, error, self.authenticated, &mut self.transcript, measured);
    }

    /// Returns the sessions whose handshake is complete.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.cx.established()
    }

    /// Returns the Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.cx.session(session)?.export()
    }

    /// Seals any message in a record of a session or its handshake, even an invalid one. For tests of responders.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such session, [`Error::Record`].
    pub fn seal_message(&mut self, session: SessionId, message: &[u8]) -> Result<Packet, Error> {
        Ok(Packet::Secured(self.cx.seal(session, message)?))
    }

    /// Seals `inside` as the plaintext of a record, without checking its length field or padding. For tests of responders.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such session; [`Error::Record`] if sealing fails.
    pub fn seal_inside(&mut self, session: SessionId, inside: &[u8]) -> Result<Packet, Error> {
        let open = self.cx.session_mut(session).ok_or(Usage::NoSession { session })?;
        Ok(Packet::Secured(open.seal_inside(inside)?))
    }

    /// Opens a record with any message. For tests of responders.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no such session, [`Error::Record`].
    pub fn open_message(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(core::mem::take(&mut *self.cx.unseal(session, record)?))
    }
}

/// Splits a response before its VerifyData into the body and the signature.
fn split<'r>(response: &'r [u8], mac: usize, taken: &Parsed<()>) -> Result<(&'r [u8], &'r [u8]), Error> {
    let signature = taken.signed.as_ref().map_or(0, |signed| signed.len);
    let signed = response.len().checked_sub(mac).and_then(|len| response.split_at_checked(len));
    let parts = signed.and_then(|(signed, _)| signed.split_at_checked(signed.len().checked_sub(signature)?));
    parts.ok_or(Usage::NoResponseExpected.into())
}

/// Verifies ResponderVerifyData, if present, and appends it to `th`.
fn check_verify_data(session: &Session, th: &mut Th, request: Code, mac: &[u8]) -> Result<(), Error> {
    if mac.is_empty() {
        return Ok(());
    }
    let expected = session.verify_data(Role::Responder, th).unwrap_or_default();
    if !bool::from(expected.as_ref().ct_eq(mac)) {
        return Err(Error::VerifyData { request });
    }
    th.push(mac);
    Ok(())
}
