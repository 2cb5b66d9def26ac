//! The requester: operations in, requests out; responses in, results out.

use crate::config::{Config, Packet, Role};
use crate::connection::{Connection, Then};
use crate::context::Context;
use crate::device::{Bare, Device};
use crate::error::{Error, Usage, Violation};
use crate::flight::{AnyOperation, Ask, Flight, Operation, Step, Taken};
use crate::identity::Identity;
use crate::interviewed::Said;
use crate::key_schedule::Origin;
use crate::messages;
use crate::session::{Effect, Mutual, Opening, Session, SessionId};
use crate::transcript::{Feeds, Prover, Th, Transcript};
use crate::trust::Judge;
use alloc::{boxed::Box, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::{Code, Header};
use subtle::ConstantTimeEq;

/// A requester. Operations of [`crate::operations`] are started, and go on with every response.
pub struct Requester {
    pub(crate) cx: Context,
    pub(crate) transcript: Transcript,
    authenticated: bool,
}

/// What carries packets, and can wait: for those who have a thread to spare.
pub trait Carrier {
    /// Why it failed.
    type Error: From<Error>;

    /// Sends a packet and waits for the answer. The engine sends nothing again, so that what can be lost is the carrier's to send again,
    /// the same packet: one that did not arrive always, a record too where its answer was lost, which the responder then repeats. Of the
    /// messages outside sessions so much is true of GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS and GET_DIGESTS; any other that
    /// had arrived would be in the responder's transcripts twice.
    ///
    /// # Errors
    /// The carrier's own, if no answer comes: the operation is given up then, as [`Requester::abandon`] does it.
    fn exchange(&mut self, packet: Packet) -> Result<Packet, Self::Error>;

    /// Lets time pass.
    #[cfg(not(feature = "std"))]
    fn wait(&mut self, time: Duration);

    /// Lets time pass.
    #[cfg(feature = "std")]
    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Requester {
    /// A requester that has spoken with nobody.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(config: Config, identity: Identity, judge: Box<dyn Judge>) -> Self {
        Self::with_rng(config, identity, judge, Box::new(grille_core::SystemRng))
    }

    /// With another source of randomness than the operating system's; ECDSA and RSA signatures keep to that.
    #[must_use]
    pub fn with_rng(
        config: Config,
        identity: Identity,
        judge: Box<dyn Judge>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        let mut cx = Context::new(Role::Requester, config, identity, Box::new(Bare), rng);
        cx.judge = Some(judge);
        Self { cx, transcript: Transcript::default(), authenticated: false }
    }

    /// With something to say of itself where the responder asks: [`crate::operations::Question::Describe`], `EventTypes`, `Subscribe`.
    #[must_use]
    pub fn with_device(mut self, device: Box<dyn Device>) -> Self {
        self.cx.device = device;
        self
    }

    /// The device, if it is a `D`: for whoever drives the requester, between two packets.
    pub fn device_mut<D: Device>(&mut self) -> Option<&mut D> {
        self.cx.device_mut()
    }

    /// The responder's public key, known beforehand: slot 0xFF.
    pub fn provision(&mut self, key: PublicKey) {
        self.cx.peer.provisioned = Some(key);
    }

    /// What was negotiated.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// The slot that this side proved itself with in the handshake of a session, 0xFF for its public key that was known
    /// beforehand; nothing if the responder did not ask for that.
    #[must_use]
    pub fn proved_with(&self, session: SessionId) -> Option<u8> {
        match self.cx.session(session)?.mutual {
            Mutual::Slot(slot) => Some(slot),
            Mutual::No | Mutual::Pending => None,
        }
    }

    /// MeasurementSummaryHash that a session was opened with, if it was asked for.
    #[must_use]
    pub fn summary(&self, session: SessionId) -> Option<&[u8]> {
        self.cx.session(session).map(|open| &open.summary[..]).filter(|summary| !summary.is_empty())
    }

    /// HeartbeatPeriod of a session: [`crate::operations::Beat`] is wanted so often, or never.
    #[must_use]
    pub fn heartbeat(&self, session: SessionId) -> Option<Duration> {
        self.cx.heartbeat_of(session)
    }

    /// Lets time pass: sessions whose responder was silent for twice HeartbeatPeriod are over.
    pub fn advance(&mut self, time: Duration) {
        self.cx.end_sessions(|session| session.silent(time));
    }

    /// Ends a session, or its handshake, on this side alone: its keys are erased. That is for one that the responder has no more, as
    /// where the answer to [`crate::operations::End`] was lost, or that nobody answers in. A responder that still has it hears nothing
    /// of it, and keeps it until HeartbeatPeriod is over twice, if there is one, or the connection begins anew. A session that is over
    /// already may be forgotten too.
    pub fn forget_session(&mut self, session: SessionId) {
        self.cx.end_sessions(|open| open.id == session);
    }

    /// Begins an operation. The packet is to be sent, and the answer given to [`Requester::receive`], or the operation to
    /// [`Requester::abandon`] if none comes.
    ///
    /// One at a time: DSP0274 has a requester wait for the answer before it asks again. Others may be under way, each in a session of
    /// its own or outside, as long as no packet is made before the last one is answered: transcripts take messages in the order in
    /// which answers come, and records have numbers in the order in which they are made.
    ///
    /// # Errors
    /// [`Error::Usage`] at a wrong time.
    pub fn start<O: Operation>(&mut self, operation: O) -> Result<(Flight<O>, Packet), Error> {
        Flight::start(self, operation)
    }

    /// Goes on with an operation.
    ///
    /// # Errors
    /// Every [`Error`]; the operation is over then, and with it the session that it was opening. What transcripts had to forget
    /// because its last request was answered is forgotten, and nothing of that request or its response went into them.
    /// [`Usage::Over`] after that and after [`Step::Done`], [`Usage::NothingAsked`] after [`Step::Sign`]: these change nothing.
    pub fn receive<O: Operation>(
        &mut self,
        flight: &mut Flight<O>,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        flight.receive(self, packet)
    }

    /// Goes on with an operation after [`Step::Sign`].
    ///
    /// # Errors
    /// Every [`Error`]; the operation is over then. [`Usage::Over`] after that, and [`Usage::NothingToSign`] after any other step: these
    /// change nothing.
    pub fn resume<O: Operation>(&mut self, flight: &mut Flight<O>) -> Result<Step<O::Output>, Error> {
        flight.resume(self)
    }

    /// Gives up an operation that nobody answers: the session that it was opening is over, and its keys are erased.
    ///
    /// Nobody knows whether the responder took the request into its transcripts; on this side it went into none. If it did, the next
    /// signature over L1/L2, what was measured, or over B, the certificates, is wrong, and [`Error::Signature`] says that an answer was
    /// missed. That ends the transcript on both sides, and the next signature is right. [`crate::operations::FetchDigests`] that is
    /// answered ends both before, and [`crate::operations::Connect`] begins all anew. In a session the responder understands nothing
    /// more until a record that was not answered is: the same operation sends it again, unless it says something random, as
    /// [`crate::operations::Measure`] does; what is left is [`Requester::forget_session`].
    pub fn abandon<O: Operation>(&mut self, flight: Flight<O>) {
        flight.abandon(self);
    }

    /// An operation from its beginning to its end.
    ///
    /// # Errors
    /// As [`Requester::receive`], and the carrier's own.
    pub fn run<O: Operation, C: Carrier>(
        &mut self,
        operation: O,
        carrier: &mut C,
    ) -> Result<O::Output, C::Error> {
        let (mut flight, mut packet) = self.start(operation)?;
        loop {
            let answer = match carrier.exchange(packet) {
                Ok(answer) => answer,
                Err(error) => {
                    self.abandon(flight);
                    return Err(error);
                }
            };
            let mut step = self.receive(&mut flight, answer)?;
            packet = loop {
                match step {
                    Step::Send(packet) => break packet,
                    Step::Wait(time, packet) => {
                        carrier.wait(time);
                        break packet;
                    }
                    Step::Sign(time) => {
                        carrier.wait(time);
                        step = self.resume(&mut flight)?;
                    }
                    Step::Done(output) => return Ok(output),
                }
            };
        }
    }

    pub(crate) fn ask(&mut self, operation: &mut dyn AnyOperation) -> Result<Ask, Error> {
        let ask = operation.ask(&mut self.cx)?;
        self.cx.permit(messages::code_of(&ask.bytes), ask.session)?;
        if ask.proves() {
            self.transcript.reset_b(Prover::Requester);
        }
        Ok(ask)
    }

    /// A whole response: what it says is checked, and only then are transcript and connection changed.
    pub(crate) fn accept(
        &mut self,
        operation: &mut dyn AnyOperation,
        ask: &Ask,
        response: &[u8],
    ) -> Result<Option<()>, Error> {
        let request = Code(ask.bytes[1]);
        let got = Header::decode(response).map_err(|error| Error::Malformed { request, error })?;
        if Some(got.code) != request.response() {
            return Err(Error::Unexpected { request, got: got.code });
        }
        // what VERSION is in is always 1.0
        if got.version != ask.bytes[0] {
            return Err(Error::Violation { request, violation: Violation::Version });
        }
        self.forget(request, ask.session);
        let taken = operation.take(&mut self.cx, &ask.bytes, response)?;
        let response = response.get(..taken.len).unwrap_or(response);
        let (body, signature) = split(response, self.cx.verify_data_len(request, &taken.effect), &taken)?;
        self.check(&taken, ask, body, signature).inspect_err(|_| self.close(request, ask.session))?;
        self.feed(ask, response, taken.signed.is_some());
        if matches!(taken.then, Then::Reset) {
            self.disconnect();
        }
        self.cx.connection.apply(taken.then, &mut self.transcript);
        // what KEY_EXCHANGE_RSP asks is asked in its session
        let place = if let Effect::Open(opening) = &taken.effect { Some(opening.id) } else { ask.session };
        self.affect(ask, response, taken.effect)?;
        if !taken.asked.is_empty() {
            self.answer(place, &taken.asked);
        }
        Ok(taken.output)
    }

    /// Whatever was said before counts no more.
    fn disconnect(&mut self) {
        (self.authenticated, self.cx.missed) = (false, false);
        self.cx.said = Said::Nothing;
        self.cx.end_sessions(|_| true);
        self.cx.peer.forget();
    }

    /// What ERROR ends beside its request. `session`: under whose keys it came. In the clear anybody can say it: that ends no session.
    pub(crate) fn heed(&mut self, error: ErrorCode, session: Option<SessionId>) {
        match (error, session) {
            // the responder wants GET_VERSION
            (ErrorCode::REQUEST_RESYNCH, _) if session.is_some() || self.cx.sessions.is_empty() => {
                self.disconnect();
                self.cx.connection = Connection::default();
            }
            // it cannot read what is said there
            (ErrorCode::DECRYPT_ERROR, Some(session)) => self.forget_session(session),
            _ => {}
        }
    }

    fn check(&self, taken: &Taken<()>, ask: &Ask, body: &[u8], signature: &[u8]) -> Result<(), Error> {
        let Some(signed) = &taken.signed else { return Ok(()) };
        let request = Code(ask.bytes[1]);
        let parts = [&ask.bytes[..], body];
        let measured = ask.session.and_then(|id| self.cx.session(id)).map(|session| &session.measured);
        let digest = match (messages::feeds(request), &taken.effect) {
            (Feeds::C, _) => self.transcript.m(Prover::Responder, &parts),
            (Feeds::L, _) => self.transcript.l(measured, &parts),
            (_, Effect::Open(opening)) => self.cx.connection.th(&self.transcript, opening).map(|mut th| {
                parts.iter().for_each(|part| th.push(part));
                th.digest()
            }),
            _ => self.transcript.il(&parts),
        };
        let digest = digest.ok_or(Usage::NotConnected)?;
        self.cx.verify(request, signed.slot, signed.context, &digest, signature)
    }

    fn feed(&mut self, ask: &Ask, response: &[u8], signed: bool) {
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
                self.close(request, None);
                self.authenticated = true;
            }
            Feeds::L if signed => self.close(request, ask.session),
            Feeds::L => self.transcript.push_l(measured, &messages),
            Feeds::B | Feeds::Il | Feeds::Th | Feeds::Other | Feeds::Nothing => {}
        }
    }

    /// What a signature ends, right or wrong: who signed is through with it.
    fn close(&mut self, request: Code, session: Option<SessionId>) {
        let session = session.and_then(|id| self.cx.session_mut(id));
        match messages::feeds(request) {
            Feeds::C => self.transcript.reset_b(Prover::Responder),
            Feeds::L => self.transcript.reset_l(session.map(|session| &mut session.measured)),
            _ => {}
        }
    }

    /// What the response does to sessions, after ResponderVerifyData was checked.
    fn affect(&mut self, ask: &Ask, response: &[u8], effect: Effect) -> Result<(), Error> {
        let request = Code(ask.bytes[1]);
        let (body, mac) = response.split_at(response.len() - self.cx.verify_data_len(request, &effect));
        if let Effect::Open(opening) = effect {
            let th = self.cx.connection.th(&self.transcript, &opening).ok_or(Usage::NotConnected)?;
            return self.open_session(request, th, [&ask.bytes, body, mac], *opening);
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
                // who gets no slot named is asked for the one that has a chain
                let named = slot.or_else(|| self.first_slot()).ok_or(Usage::NoKey)?;
                self.bind(id, named)?;
            }
            Effect::Update(update)
                if update.operation == KeyOperation::UPDATE_ALL_KEYS && !session.proved() =>
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
        opening: Opening,
    ) -> Result<(), Error> {
        th.push(asked);
        th.push(body);
        let opened = Session::open(Role::Requester, opening, th, &self.cx.connection);
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

    /// The lowest slot that this side has a chain in.
    fn first_slot(&self) -> Option<u8> {
        let slots = self.cx.identity.slots(self.cx.own_asym()?);
        slots.first().map(|slot| slot.number)
    }

    /// TH goes on with this side's chain.
    fn bind(&mut self, session: SessionId, slot: u8) -> Result<(), Error> {
        let hash = self.cx.own_chain_hash(slot).map_err(|_| Usage::NoKey)?;
        if let Some(session) = self.cx.session_mut(session) {
            session.bind(slot, &hash, None);
        }
        Ok(())
    }

    /// As the responder's: what a request ends that is answered.
    pub(crate) fn forget(&mut self, request: Code, session: Option<SessionId>) {
        let session = session.and_then(|id| self.cx.session_mut(id));
        let measured = session.map(|session| &mut session.measured);
        messages::forget(request, self.authenticated, &mut self.transcript, measured);
    }

    /// As the responder's: what a request ends that was answered with ERROR. Keys stay what they were.
    pub(crate) fn refused(&mut self, request: Code, error: ErrorCode, session: Option<SessionId>) {
        let mut session = session.and_then(|id| self.cx.session_mut(id));
        if let Some(session) = &mut session
            && matches!(request, Code::KEY_UPDATE | Code::DELIVER_ENCAPSULATED_RESPONSE)
        {
            session.expect_no_update();
        }
        let measured = session.map(|session| &mut session.measured);
        messages::refused(request, error, self.authenticated, &mut self.transcript, measured);
    }

    /// The sessions whose handshake is over.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.cx.established()
    }

    /// Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.cx.session(session)?.export()
    }

    /// A record of any message, legal or not, in a session or its handshake: for those who test responders.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn seal_message(&mut self, session: SessionId, message: &[u8]) -> Result<Packet, Error> {
        Ok(Packet::Secured(self.cx.seal(session, message)?))
    }

    /// A record of anything, be it a length, as many bytes and padding or not: for those who test responders.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn seal_inside(&mut self, session: SessionId, inside: &[u8]) -> Result<Packet, Error> {
        let open = self.cx.session_mut(session).ok_or(Usage::NoSession { session })?;
        Ok(Packet::Secured(open.seal_inside(inside)?))
    }

    /// The message in a record, whatever it is: for those who test responders.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn open_message(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(core::mem::take(&mut *self.cx.unseal(session, record)?))
    }
}

/// The parts of a response: all up to the signature, and the signature; VerifyData follows.
fn split<'r>(response: &'r [u8], mac: usize, taken: &Taken<()>) -> Result<(&'r [u8], &'r [u8]), Error> {
    let signature = taken.signed.as_ref().map_or(0, |signed| signed.len);
    let signed = response.len().checked_sub(mac).and_then(|len| response.split_at_checked(len));
    let parts = signed.and_then(|(signed, _)| signed.split_at_checked(signed.len().checked_sub(signature)?));
    parts.ok_or(Usage::NothingAsked.into())
}

/// ResponderVerifyData, if there is one; `th` takes it.
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
