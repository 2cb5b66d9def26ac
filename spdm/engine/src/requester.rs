//! The requester: operations in, requests out; responses in, results out.

use crate::chain::Chain;
use crate::config::{Config, Packet};
use crate::connection::{Connection, Phase, Then};
use crate::error::{Error, Usage, Violation};
use crate::flight::{Ask, Flight, Operation, Step, Taken};
use crate::hash::Digest;
use crate::identity::{Identity, PROVISIONED, SLOTS};
use crate::key_schedule::Origin;
use crate::messages;
use crate::records::RecordError;
use crate::secured;
use crate::session::{Content, Effect, Opening, Role, Session, SessionId};
use crate::signatures::{self, ToBeSigned};
use crate::transcript::{Feeds, Prover, Th, Transcript};
use crate::trust::Judge;
use grille_core::{CryptoRng, SecretBytes, SystemRng};
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::{Code, Header, Message, Sizes};
use std::time::Duration;
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

    /// Sends a packet and waits for the answer.
    ///
    /// # Errors
    /// The carrier's own.
    fn exchange(&mut self, packet: Packet) -> Result<Packet, Self::Error>;

    /// Lets time pass.
    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Requester {
    /// A requester that has spoken with nobody.
    #[must_use]
    pub fn new(config: Config, identity: Identity, judge: Box<dyn Judge>) -> Self {
        Self::with_rng(config, identity, judge, Box::new(SystemRng))
    }

    /// With another source of randomness than the operating system's; ECDSA and RSA signatures keep to that.
    #[must_use]
    pub fn with_rng(
        config: Config,
        identity: Identity,
        judge: Box<dyn Judge>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        let cx = Context {
            config,
            identity,
            judge,
            rng,
            connection: Connection::default(),
            peer: Peer::default(),
            sessions: Vec::new(),
        };
        Self { cx, transcript: Transcript::default(), authenticated: false }
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

    /// Begins an operation. The packet is to be sent, and the answer given to [`Requester::receive`].
    ///
    /// # Errors
    /// [`Error::Usage`] at a wrong time.
    pub fn start<O: Operation>(&mut self, mut operation: O) -> Result<(Flight<O>, Packet), Error> {
        let ask = self.ask(&mut operation)?;
        let mut flight = Flight::new(operation, ask);
        let packet = flight.begin(self)?;
        Ok((flight, packet))
    }

    /// Goes on with an operation.
    ///
    /// # Errors
    /// Every [`Error`]; the operation is over then, and the transcripts are as if its last request had not been.
    pub fn receive<O: Operation>(
        &mut self,
        flight: &mut Flight<O>,
        packet: Packet,
    ) -> Result<Step<O::Output>, Error> {
        flight.receive(self, packet)
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
            let answer = carrier.exchange(packet)?;
            packet = match self.receive(&mut flight, answer)? {
                Step::Send(packet) => packet,
                Step::Wait(time, packet) => {
                    carrier.wait(time);
                    packet
                }
                Step::Done(output) => return Ok(output),
            };
        }
    }

    pub(crate) fn ask<O: Operation>(&mut self, operation: &mut O) -> Result<Ask, Error> {
        let ask = operation.ask(&mut self.cx)?;
        self.cx.permit(Code(ask.bytes.get(1).copied().unwrap_or_default()))?;
        Ok(ask)
    }

    /// The operation failed: a session that is not finished will never be.
    pub(crate) fn abandon(&mut self, ask: &Ask) {
        self.cx.sessions.retain(|open| Some(open.id) != ask.session || !open.in_handshake());
    }

    /// A whole response: what it says is checked, and only then are transcript and connection changed.
    pub(crate) fn accept<O: Operation>(
        &mut self,
        operation: &mut O,
        ask: &Ask,
        response: &[u8],
    ) -> Result<Option<O::Output>, Error> {
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
        let (body, signature) = split(response, self.verify_data_len(request, &taken.effect), &taken)?;
        self.check(&taken, ask, body, signature)?;
        self.feed(ask, response, taken.signed.is_some());
        if matches!(taken.then, Then::Reset) {
            self.authenticated = false;
            self.cx.sessions.clear();
            self.cx.peer = Peer { provisioned: self.cx.peer.provisioned.take(), ..Peer::default() };
        }
        self.cx.connection.apply(taken.then, &mut self.transcript);
        self.affect(ask, response, taken.effect)?;
        Ok(taken.output)
    }

    /// The length of ResponderVerifyData at the end of a response.
    fn verify_data_len(&self, code: Code, effect: &Effect) -> usize {
        let clear = self.cx.connection.handshake_in_the_clear();
        let here = match effect {
            Effect::Open(opening) => opening.origin == Origin::Psk || !clear,
            Effect::Finish(_) => clear && code == Code::FINISH,
            _ => false,
        };
        if here { self.cx.connection.hash_len() } else { 0 }
    }

    fn check<T>(&self, taken: &Taken<T>, ask: &Ask, body: &[u8], signature: &[u8]) -> Result<(), Error> {
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
                if request == Code::GET_DIGESTS {
                    self.transcript.push_digests(Prover::Responder, response);
                }
            }
            Feeds::C => {
                self.transcript.reset_b(Prover::Responder);
                self.authenticated = true;
            }
            Feeds::L if signed => self.transcript.reset_l(measured),
            Feeds::L => self.transcript.push_l(measured, &messages),
            Feeds::B | Feeds::Il | Feeds::Th | Feeds::Other | Feeds::Nothing => {}
        }
    }

    /// What the response does to sessions, after ResponderVerifyData was checked.
    fn affect(&mut self, ask: &Ask, response: &[u8], effect: Effect) -> Result<(), Error> {
        let request = Code(ask.bytes[1]);
        let (body, mac) = response.split_at(response.len() - self.verify_data_len(request, &effect));
        if let Effect::Open(opening) = effect {
            let th = self.cx.connection.th(&self.transcript, &opening).ok_or(Usage::NotConnected)?;
            return self.open_session(request, th, [&ask.bytes, body, mac], opening);
        }
        let Some(session) = ask.session.and_then(|id| self.cx.session_mut(id)) else { return Ok(()) };
        match effect {
            Effect::Nothing | Effect::Open(_) => {}
            Effect::Finish(mut th) => {
                th.push(body);
                let finished = check_verify_data(session, &mut th, request, mac);
                if finished.is_err() {
                    let id = session.id;
                    self.cx.sessions.retain(|session| session.id != id);
                    return finished;
                }
                session.th = th;
                session.establish();
            }
            Effect::Update(operation) => session.apply_update(operation),
            Effect::End => {
                let id = session.id;
                self.cx.sessions.retain(|session| session.id != id);
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
        let with_context = self.cx.connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if session.origin == Origin::Psk && !with_context {
            session.establish();
        }
        self.cx.sessions.push(session);
        Ok(())
    }

    /// As the responder's: what a request ends, once it was let in.
    pub(crate) fn forget(&mut self, request: Code, session: Option<SessionId>) {
        let session = self.cx.sessions.iter_mut().find(|open| Some(open.id) == session);
        messages::forget(request, self.authenticated, &mut self.transcript, session);
    }

    /// The sessions whose handshake is over.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.cx.sessions.iter().filter(|session| !session.in_handshake()).map(|session| session.id)
    }

    /// Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.cx.session(session)?.export()
    }

    /// A record of what an application says; on MCTP `data` begins with a message type other than SPDM's.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn seal_application(&mut self, session: SessionId, data: &[u8]) -> Result<Packet, Error> {
        let cx = &mut self.cx;
        let open = cx.sessions.iter_mut().find(|open| open.id == session && !open.in_handshake());
        let open = open.ok_or(Usage::NoSession { session })?;
        Ok(Packet::Secured(open.seal_application(data, &mut *cx.rng)?))
    }

    /// What an application answered.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn open_application(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        let open = self.cx.session_mut(session).ok_or(Usage::NoSession { session })?;
        match open.unseal(record)? {
            Content::Spdm(data) | Content::Application(data) => Ok(data),
        }
    }
}

/// The parts of a response: all up to the signature, and the signature; VerifyData follows.
fn split<'r, T>(response: &'r [u8], mac: usize, taken: &Taken<T>) -> Result<(&'r [u8], &'r [u8]), Error> {
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

/// What operations see.
pub struct Context {
    pub(crate) config: Config,
    pub(crate) identity: Identity,
    pub(crate) judge: Box<dyn Judge>,
    pub(crate) rng: Box<dyn CryptoRng + Send>,
    pub(crate) connection: Connection,
    pub(crate) peer: Peer,
    pub(crate) sessions: Vec<Session>,
}

/// What the requester knows of the responder's identity.
#[derive(Default)]
pub(crate) struct Peer {
    /// The digest that DIGESTS announced for each slot.
    pub(crate) announced: [Option<Vec<u8>>; SLOTS as usize],
    /// The chains that were fetched and believed.
    pub(crate) chains: [Option<Chain>; SLOTS as usize],
    /// The public key that is known beforehand.
    pub(crate) provisioned: Option<PublicKey>,
}

impl Peer {
    pub(crate) fn chain(&self, slot: u8) -> Option<&Chain> {
        self.chains.get(usize::from(slot))?.as_ref()
    }
}

impl Context {
    /// Whether the request may be sent now.
    fn permit(&self, request: Code) -> Result<(), Error> {
        let row = messages::row(request);
        let Some(row) = row else { return Ok(()) };
        let connection = &self.connection;
        if connection.phase < row.phase && row.phase == Phase::Negotiated {
            return Err(Usage::NotConnected.into());
        }
        let since = request.row().map_or(0, |row| row.since);
        if row.phase == Phase::Negotiated && (!row.able(connection) || since > connection.version.byte()) {
            return Err(Usage::NoCapability { request }.into());
        }
        Ok(())
    }

    /// The message as it came, and its length.
    pub(crate) fn read<'a, M: Message<'a>>(
        &self,
        request: Code,
        response: &'a [u8],
        sizes: &Sizes,
    ) -> Result<(M, usize), Error> {
        let malformed = |error| Error::Malformed { request, error };
        Connection::read(response, sizes, self.config.binding).map_err(malformed)
    }

    /// The message as bytes.
    pub(crate) fn write<'a>(&self, message: &impl Message<'a>, sizes: &Sizes) -> Result<Vec<u8>, Error> {
        let value = |error| Error::Usage(Usage::Value(error));
        crate::connection::write(message, self.connection.version, sizes).map_err(value)
    }

    /// The length of the responder's signatures.
    pub(crate) fn signature_len(&self) -> usize {
        self.connection.asym().map_or(0, crate::algorithms::Asym::signature_len)
    }

    /// The digest of the chain of a slot, or of the public key that is known beforehand.
    pub(crate) fn chain_hash(&self, slot: u8) -> Result<Digest, Error> {
        let hash = self.connection.hash().ok_or(Usage::NotConnected)?;
        if slot == PROVISIONED {
            let key = self.peer.provisioned.as_ref().ok_or(Usage::NoChain { slot })?;
            return Ok(hash.digest(&[&key.to_spki_der().map_err(Error::Untrusted)?]));
        }
        Ok(self.peer.chain(slot).ok_or(Usage::NoChain { slot })?.digest)
    }

    /// Checks a signature of the responder's.
    pub(crate) fn verify(
        &self,
        request: Code,
        slot: u8,
        context: &'static str,
        digest: &Digest,
        signature: &[u8],
    ) -> Result<(), Error> {
        let connection = &self.connection;
        let (hash, asym) = connection.hash().zip(connection.asym()).ok_or(Usage::NotConnected)?;
        let key = match slot {
            PROVISIONED => self.peer.provisioned.clone().ok_or(Usage::NoChain { slot })?,
            _ => {
                let chain = self.peer.chain(slot).ok_or(Usage::NoChain { slot })?;
                chain.leaf.public_key().map_err(Error::Untrusted)?
            }
        };
        let message = ToBeSigned::new(connection.version.byte(), context, hash, digest);
        signatures::verify(asym, &key, &message, signature).map_err(|_| Error::Signature { request })
    }

    pub(crate) fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    pub(crate) fn session_mut(&mut self, id: SessionId) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// A record of the message. KEY_UPDATE of all keys is answered under the new one already.
    pub(crate) fn seal(&mut self, id: SessionId, message: &[u8]) -> Result<Vec<u8>, Error> {
        let open = self.sessions.iter_mut().find(|session| session.id == id);
        let session = open.ok_or(Usage::NoSession { session: id })?;
        let record = session.seal(message, &mut *self.rng)?;
        let updates = [Code::KEY_UPDATE.0, KeyOperation::UPDATE_ALL_KEYS.0];
        if message.get(1..3) == Some(&updates) {
            session.update(Role::Responder);
        }
        Ok(record)
    }

    /// The message in a record.
    pub(crate) fn unseal(&mut self, id: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        let session = self.session_mut(id).ok_or(Usage::NoSession { session: id })?;
        match session.unseal(record)? {
            Content::Spdm(message) => Ok(message),
            Content::Application(_) => Err(Error::Record(RecordError::Malformed)),
        }
    }

    /// ReqSessionID of a new session.
    pub(crate) fn session_number(&mut self) -> u16 {
        let mut number = [0; 2];
        self.rng.fill_bytes(&mut number);
        u16::from_le_bytes(number)
    }

    /// OpaqueData with the versions of secured messages on offer.
    pub(crate) fn offer(&self) -> Result<Vec<u8>, Error> {
        let value = |error| Error::Usage(Usage::Value(error));
        secured::offer(&self.config, self.connection.version).map_err(value)
    }

    /// 32 random bytes.
    pub(crate) fn nonce(&mut self) -> [u8; 32] {
        let mut nonce = [0; 32];
        self.rng.fill_bytes(&mut nonce);
        nonce
    }

    /// RequesterContext.
    pub(crate) fn context(&mut self) -> [u8; 8] {
        let mut context = [0; 8];
        self.rng.fill_bytes(&mut context);
        context
    }
}
