//! The requester: runs operations by sending requests and checking responses.

use crate::config::{Config, Packet, Role};
use crate::connection::{Connection, ConnectionChange};
use crate::context::Context;
use crate::device::{Device, EmptyDevice};
use crate::error::{Error, Usage, Violation};
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages;
use crate::operation::{AnyOperation, Parsed, Request};
use crate::pending_answer::PendingAnswer;
use crate::pqc2021::PeerKeys;
use crate::session::{Effect, Mutual, Session, SessionId, SessionParams};
use crate::transcript::{Prover, Th, Transcript};
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
    /// Returns the carrier's error if no response arrives. The operation is then abandoned: see [`Requester::abandon`].
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
        Self { cx, transcript: Transcript::default() }
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

    /// Provisions the responder's keys without certificates, for [`crate::pqc2021`].
    pub fn provision_raw(&mut self, keys: PeerKeys) {
        self.cx.peer.raw = keys;
    }

    /// Returns the negotiated connection state.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// Returns the slot that the requester authenticated with in a session's handshake; 0xFF for its provisioned public
    /// key. Returns `None` if the responder did not request authentication.
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
        self.cx.heartbeat_period(session)
    }

    /// Advances the clock. Sessions end if their responder was silent for twice HeartbeatPeriod.
    pub fn advance(&mut self, time: Duration) {
        self.cx.end_sessions(|session| session.is_silent_after(time));
    }

    /// Ends a session, or its handshake, on the requester's side only, and erases its keys. If the session has already
    /// ended, nothing happens.
    ///
    /// Use it when the responder no longer has or answers the session, for example after a lost response to
    /// [`crate::operations::End`]. A responder that still has the session is not notified. It ends the session after
    /// twice HeartbeatPeriod, if there is one, or with the next connection.
    pub fn forget_session(&mut self, session: SessionId) {
        self.cx.end_sessions(|open| open.id == session);
    }

    pub(crate) fn next_request(&mut self, operation: &mut dyn AnyOperation) -> Result<Request, Error> {
        let sent = operation.next_request(&mut self.cx)?;
        self.cx.check_may_send(messages::message_code(&sent.bytes), sent.session)?;
        if sent.delivers_challenge_auth() {
            self.transcript.reset_b(Prover::Requester);
        }
        Ok(sent)
    }

    /// Checks a whole response. Only then are transcripts and the connection updated.
    pub(crate) fn accept(
        &mut self,
        operation: &mut dyn AnyOperation,
        sent: &Request,
        response: &[u8],
    ) -> Result<Option<()>, Error> {
        let request = Code(sent.bytes[1]);
        let got = Header::decode(response).map_err(|error| Error::Malformed { request, error })?;
        if Some(got.code) != request.response() {
            return Err(Error::Unexpected { request, got: got.code });
        }
        // SPDMVersion of VERSION is always 1.0
        if got.version != sent.bytes[0] {
            return Err(Error::Violation { request, violation: Violation::Version });
        }
        self.update_after_response(request, sent.session);
        let taken = operation.parse(&mut self.cx, &sent.bytes, response)?;
        let response = response.get(..taken.len).unwrap_or(response);
        let (body, signature) = split(response, self.cx.verify_data_len(request, &taken.effect), &taken)?;
        self.check(&taken, sent, body, signature).inspect_err(|_| self.end_signed(request, sent.session))?;
        self.append_to_transcripts(sent, response, taken.proof.is_some());
        if matches!(taken.change, ConnectionChange::Reset) {
            self.disconnect();
        }
        self.cx.connection.apply(taken.change, &mut self.transcript);
        // an encapsulated request in KEY_EXCHANGE_RSP belongs to the new session
        let place = if let Effect::Open(params) = &taken.effect { Some(params.id) } else { sent.session };
        self.apply_effect(sent, response, taken.effect)?;
        if !taken.encapsulated.is_empty() {
            self.answer(place, &taken.encapsulated);
        }
        Ok(taken.output)
    }

    fn disconnect(&mut self) {
        (self.transcript.authenticated, self.cx.missed) = (false, false);
        self.cx.pending_answer = PendingAnswer::None;
        self.cx.end_sessions(|_| true);
        self.cx.peer.forget();
    }

    /// Applies the effects of ERROR on sessions and the connection. `session`: the session that protected ERROR.
    /// Outside sessions ERROR is unauthenticated, so it ends no session.
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

    /// Verifies the signature at the end of a response, if it has one.
    fn check(&self, taken: &Parsed<()>, sent: &Request, body: &[u8], proof: &[u8]) -> Result<(), Error> {
        let Some(expected) = &taken.proof else { return Ok(()) };
        let covered =
            self.cx.signed_content(&self.transcript, sent.session, &taken.effect, [&sent.bytes, body]);
        let covered = covered.ok_or(Usage::NotConnected)?;
        self.cx.verify(Code(sent.bytes[1]), expected, &covered, proof)
    }

    fn append_to_transcripts(&mut self, sent: &Request, response: &[u8], signed: bool) {
        let multi_key = self.cx.peer_sizes().multi_key;
        let measured = self.cx.measured_mut(sent.session);
        self.transcript.append(measured, [&sent.bytes, response], signed, multi_key);
    }

    /// Ends the transcript that a signature covers, whether or not the signature is valid: the peer has ended it as
    /// well.
    fn end_signed(&mut self, request: Code, session: Option<SessionId>) {
        self.transcript.end_signed(request, self.cx.measured_mut(session));
    }

    /// Applies the response's effect on sessions, after ResponderVerifyData was verified.
    fn apply_effect(&mut self, sent: &Request, response: &[u8], effect: Effect) -> Result<(), Error> {
        let request = Code(sent.bytes[1]);
        let (body, mac) = response.split_at(response.len() - self.cx.verify_data_len(request, &effect));
        if let Effect::Open(params) = effect {
            return self.open_session(request, [&sent.bytes, body], mac, *params);
        }
        let Some(session) = sent.session.and_then(|id| self.cx.session_mut(id)) else { return Ok(()) };
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
                // if the responder named no slot, use the first slot with a chain
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
        messages: [&[u8]; 2],
        mac: &[u8],
        params: SessionParams,
    ) -> Result<(), Error> {
        let opened = self.cx.derive_session(&self.transcript, params, messages);
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

    /// Binds the session to the requester's slot: TH continues with the hash of the slot's chain.
    fn bind(&mut self, session: SessionId, slot: u8) -> Result<(), Error> {
        let hash = self.cx.own_th_hash(slot).map_err(|_| Usage::NoKey)?;
        if let Some(session) = self.cx.session_mut(session) {
            session.bind(slot, hash.as_ref(), None);
        }
        Ok(())
    }

    /// Updates transcripts after an answered request, as the responder does.
    pub(crate) fn update_after_response(&mut self, request: Code, session: Option<SessionId>) {
        self.transcript.update_after_response(request, self.cx.measured_mut(session));
    }

    /// Updates transcripts after a request was answered with ERROR, as the responder does. Session keys do not change.
    pub(crate) fn update_after_error(&mut self, request: Code, error: ErrorCode, session: Option<SessionId>) {
        if let Some(session) = session.and_then(|id| self.cx.session_mut(id))
            && matches!(request, Code::KEY_UPDATE | Code::DELIVER_ENCAPSULATED_RESPONSE)
        {
            session.update_refused();
        }
        self.transcript.update_after_error(request, error, self.cx.measured_mut(session));
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
    /// Returns [`Error::Usage`] if no session has this ID, and [`Error::Record`] if sealing fails.
    pub fn seal_message(&mut self, session: SessionId, message: &[u8]) -> Result<Packet, Error> {
        Ok(Packet::Secured(self.cx.seal(session, message)?))
    }

    /// Seals `inside` as the plaintext of a record, without checking its length field or padding. For tests of responders.
    ///
    /// # Errors
    /// Returns [`Error::Usage`] if no session has this ID, and [`Error::Record`] if sealing fails.
    pub fn seal_inside(&mut self, session: SessionId, inside: &[u8]) -> Result<Packet, Error> {
        let open = self.cx.session_mut(session).ok_or(Usage::NoSession { session })?;
        Ok(Packet::Secured(open.seal_inside(inside)?))
    }

    /// Opens a record with any SPDM message. For tests of responders.
    ///
    /// # Errors
    /// Returns [`Error::Usage`] if no session has this ID, and [`Error::Record`] if the record is rejected.
    pub fn open_message(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(core::mem::take(&mut *self.cx.unseal(session, record)?))
    }
}

/// Splits the part of a response before its VerifyData into the body and the signature.
fn split<'r>(response: &'r [u8], mac: usize, taken: &Parsed<()>) -> Result<(&'r [u8], &'r [u8]), Error> {
    let signature = taken.proof.as_ref().map_or(0, |expected| expected.len);
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
