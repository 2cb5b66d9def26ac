//! The requester: operations in, requests out; responses in, results out.

use crate::chain::Chain;
use crate::config::{Config, Packet};
use crate::connection::{Connection, Phase, Then};
use crate::error::{Error, Usage, Violation};
use crate::flight::{Ask, Flight, Operation, Step, Taken};
use crate::hash::Digest;
use crate::identity::{Identity, PROVISIONED, SLOTS};
use crate::messages;
use crate::signatures::{self, ToBeSigned};
use crate::transcript::{Feeds, Prover, Transcript};
use crate::trust::Judge;
use grille_core::{CryptoRng, SystemRng};
use grille_pki::PublicKey;
use grille_spdm_codec::{Code, Header, Message, Sizes};
use std::time::Duration;

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
        self.forget(request);
        let taken = operation.take(&mut self.cx, &ask.bytes, response)?;
        let response = response.get(..taken.len).unwrap_or(response);
        self.check(&taken, request, &ask.bytes, response)?;
        self.feed(request, &ask.bytes, response, taken.signed.is_some());
        if matches!(taken.then, Then::Reset) {
            self.authenticated = false;
            self.cx.peer = Peer { provisioned: self.cx.peer.provisioned.take(), ..Peer::default() };
        }
        self.cx.connection.apply(taken.then, &mut self.transcript);
        Ok(taken.output)
    }

    fn check<T>(&self, taken: &Taken<T>, request: Code, asked: &[u8], response: &[u8]) -> Result<(), Error> {
        let Some(signed) = &taken.signed else { return Ok(()) };
        let (body, signature) = response.split_at(response.len() - signed.len);
        let parts = [asked, body];
        let digest = match messages::feeds(request) {
            Feeds::C => self.transcript.m(Prover::Responder, &parts),
            Feeds::L => self.transcript.l(None, &parts),
            _ => self.transcript.il(&parts),
        };
        let digest = digest.ok_or(Usage::NotConnected)?;
        self.cx.verify(request, signed.slot, signed.context, &digest, signature)
    }

    fn feed(&mut self, request: Code, asked: &[u8], response: &[u8], signed: bool) {
        let messages = [asked, response];
        match messages::feeds(request) {
            Feeds::Vca => {
                if request == Code::GET_VERSION {
                    self.transcript = Transcript::default();
                }
                messages.iter().for_each(|message| self.transcript.push_vca(message));
            }
            Feeds::B => self.transcript.push_b(Prover::Responder, &messages),
            Feeds::C => {
                self.transcript.reset_b(Prover::Responder);
                self.authenticated = true;
            }
            Feeds::L if signed => self.transcript.reset_l(None),
            Feeds::L => self.transcript.push_l(None, &messages),
            Feeds::Il | Feeds::Th | Feeds::Nothing => {}
        }
    }

    /// As the responder's: what a request ends, once it was let in.
    pub(crate) fn forget(&mut self, request: Code) {
        messages::forget(request, self.authenticated, &mut self.transcript);
    }
}

/// What operations see.
pub struct Context {
    pub(crate) config: Config,
    pub(crate) identity: Identity,
    pub(crate) judge: Box<dyn Judge>,
    pub(crate) rng: Box<dyn CryptoRng + Send>,
    pub(crate) connection: Connection,
    pub(crate) peer: Peer,
}

/// What the requester knows of the responder's identity.
#[derive(Default)]
pub(crate) struct Peer {
    /// The last DIGESTS.
    pub(crate) digests: Vec<u8>,
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
        let able = row.needs.is_empty()
            || if row.mutual { connection.both_have(row.needs) } else { connection.responder_has(row.needs) };
        if row.phase == Phase::Negotiated && (!able || since > connection.version.byte()) {
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
