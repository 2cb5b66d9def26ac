//! The responder: requests in, responses out.

use crate::config::{Config, Packet};
use crate::connection::{Connection, Phase, Then};
use crate::device::Device;
use crate::error::Refusal;
use crate::identity::Identity;
use crate::messages::{self, Row};
use crate::signatures::{Signer, ToBeSigned};
use crate::transcript::{Feeds, Prover, Transcript};
use grille_core::{CryptoRng, SystemRng};
use grille_spdm_codec::error::{ErrorCode, NotReady};
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::{Code, Header, Message, Sizes, Version};
use std::sync::Arc;

/// A responder. Bytes go in, bytes come out; it never waits.
pub struct Responder {
    cx: Context,
    transcript: Transcript,
    authenticated: bool,
    repeated: Option<(Vec<u8>, Vec<u8>)>,
    deferred: Option<Deferred>,
    token: u8,
}

impl Responder {
    /// A responder that nobody has spoken with.
    #[must_use]
    pub fn new(config: Config, identity: Identity, device: Box<dyn Device>) -> Self {
        Self::with_rng(config, identity, device, Box::new(SystemRng))
    }

    /// With another source of randomness than the operating system's; ECDSA and RSA signatures keep to that.
    #[must_use]
    pub fn with_rng(
        config: Config,
        identity: Identity,
        device: Box<dyn Device>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        Self {
            cx: Context { config, identity, device, rng, connection: Connection::default() },
            transcript: Transcript::default(),
            authenticated: false,
            repeated: None,
            deferred: None,
            token: 0,
        }
    }

    /// What was negotiated.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// The answer to what came.
    pub fn receive(&mut self, packet: &Packet) -> Packet {
        match packet {
            Packet::Message(request) => Packet::Message(self.respond(request)),
            Packet::Secured(_) => Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::INVALID_REQUEST))),
        }
    }

    /// The response to a request, ERROR at worst.
    fn respond(&mut self, request: &[u8]) -> Vec<u8> {
        self.try_respond(request).unwrap_or_else(|refusal| self.refuse(request, refusal))
    }

    /// ERROR. Before capabilities are exchanged it is in the version that GET_CAPABILITIES tried.
    fn refuse(&self, request: &[u8], refusal: Refusal) -> Vec<u8> {
        let tried = match request {
            [version, code, ..] if Code(*code) == Code::GET_CAPABILITIES => self.cx.config.version(*version),
            _ => None,
        };
        let connection = &self.cx.connection;
        refusal.to_message(
            tried.filter(|_| connection.phase < Phase::Capabilities).unwrap_or(connection.version),
        )
    }

    fn try_respond(&mut self, request: &[u8]) -> Result<Vec<u8>, Refusal> {
        let header = Header::decode(request)?;
        if let Some((same, response)) = &self.repeated
            && same == request
        {
            return Ok(response.clone());
        }
        if header.code == Code::RESPOND_IF_READY {
            return self.respond_if_ready(request);
        }
        let row = messages::row(header.code).ok_or(Refusal::unsupported(header.code))?;
        self.cx.admit(row, header)?;
        self.deferred = None;
        self.repeated = None;
        messages::forget(row.code, self.authenticated, &mut self.transcript);
        let reply = (row.handle)(&mut self.cx, &Asked { bytes: request })?;
        let request = request.get(..reply.taken).unwrap_or(request).to_vec();
        self.seal(Deferred { row, request, reply })
    }

    /// Signs, appends to the transcript, and only then lets the reply change anything.
    fn seal(&mut self, work: Deferred) -> Result<Vec<u8>, Refusal> {
        let Deferred { row, request, reply } = &work;
        let mut response = reply.body.clone();
        if let Some(signed) = &reply.signed {
            let connection = &self.cx.connection;
            let parts = [&request[..], &response];
            let digest = match row.feeds {
                Feeds::C => self.transcript.m(Prover::Responder, &parts),
                Feeds::L => self.transcript.l(None, &parts),
                _ => self.transcript.il(&parts),
            };
            let (Some(digest), Some(hash)) = (digest, connection.hash()) else {
                return Err(Refusal::new(ErrorCode::UNSPECIFIED));
            };
            let message = ToBeSigned::new(connection.version.byte(), signed.context, hash, &digest);
            match signed.signer.sign(&message, &mut *self.cx.rng)? {
                Some(signature) => response.extend_from_slice(&signature),
                None => return Err(self.defer(work)),
            }
        }
        self.feed(&work, &response);
        self.apply(work.reply.then);
        if work.row.feeds == Feeds::Vca && work.row.code != Code::GET_VERSION {
            self.repeated = Some((work.request, response.clone()));
        }
        Ok(response)
    }

    fn feed(&mut self, work: &Deferred, response: &[u8]) {
        let messages = [&work.request[..], response];
        match work.row.feeds {
            Feeds::Vca => {
                if work.row.code == Code::GET_VERSION {
                    self.transcript = Transcript::default();
                }
                messages.iter().for_each(|message| self.transcript.push_vca(message));
            }
            Feeds::B => self.transcript.push_b(Prover::Responder, &messages),
            Feeds::C => {
                self.transcript.reset_b(Prover::Responder);
                self.authenticated = true;
            }
            Feeds::L if work.reply.signed.is_some() => self.transcript.reset_l(None),
            Feeds::L => self.transcript.push_l(None, &messages),
            Feeds::Il | Feeds::Th | Feeds::Nothing => {}
        }
    }

    fn apply(&mut self, then: Then) {
        if matches!(then, Then::Reset) {
            self.authenticated = false;
        }
        self.cx.connection.apply(then, &mut self.transcript);
    }

    /// ResponseNotReady: the work is kept until the requester comes back for it.
    fn defer(&mut self, work: Deferred) -> Refusal {
        self.token = self.token.wrapping_add(1);
        let not_ready = NotReady {
            exponent: NOT_READY_EXPONENT,
            request: work.row.code,
            token: self.token,
            multiplier: 1,
        };
        self.deferred = Some(work);
        Refusal::extended(ErrorCode::RESPONSE_NOT_READY, &not_ready.to_bytes())
    }

    fn respond_if_ready(&mut self, request: &[u8]) -> Result<Vec<u8>, Refusal> {
        let connection = &self.cx.connection;
        if request[0] != connection.version.byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let (asked, _) =
            Connection::read::<RespondIfReady>(request, &Sizes::default(), self.cx.config.binding)?;
        match self.deferred.take() {
            None => Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)),
            Some(work) if work.row.code == asked.request && self.token == asked.token => self.seal(work),
            Some(work) => {
                self.deferred = Some(work);
                Err(Refusal::new(ErrorCode::INVALID_REQUEST))
            }
        }
    }
}

/// A signature is expected after 2 to this power microseconds.
const NOT_READY_EXPONENT: u8 = 14;

/// What handlers see.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) identity: Identity,
    pub(crate) device: Box<dyn Device>,
    pub(crate) rng: Box<dyn CryptoRng + Send>,
    pub(crate) connection: Connection,
}

impl Context {
    /// Whether the request may come now.
    fn admit(&self, row: &Row, header: Header) -> Result<(), Refusal> {
        let connection = &self.connection;
        if row.code == Code::GET_VERSION {
            let right = header.version == Version::V1_0.byte();
            return if right { Ok(()) } else { Err(Refusal::new(ErrorCode::VERSION_MISMATCH)) };
        }
        if connection.phase >= Phase::Capabilities && header.version != connection.version.byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let once = row.feeds == Feeds::Vca && connection.phase > row.phase;
        if connection.phase < row.phase || once {
            return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
        }
        let since = row.code.row().map_or(0, |row| row.since);
        let able = row.needs.is_empty()
            || if row.mutual { connection.both_have(row.needs) } else { connection.responder_has(row.needs) };
        if !able || since > connection.version.byte() {
            return Err(Refusal::unsupported(row.code));
        }
        Ok(())
    }

    /// The request as its handler reads it, and its length.
    pub(crate) fn read<'a, M: Message<'a>>(
        &self,
        asked: &Asked<'a>,
        sizes: &Sizes,
    ) -> Result<(M, usize), Refusal> {
        Ok(Connection::read(asked.bytes, sizes, self.config.binding)?)
    }

    /// 32 random bytes.
    pub(crate) fn nonce(&mut self) -> [u8; 32] {
        let mut nonce = [0; 32];
        self.rng.fill_bytes(&mut nonce);
        nonce
    }
}

/// A request that was admitted.
pub(crate) struct Asked<'a> {
    /// The message, and on PCI DOE perhaps padding.
    pub(crate) bytes: &'a [u8],
}

/// What a handler answers.
pub(crate) struct Reply {
    /// The response up to its signature.
    pub(crate) body: Vec<u8>,
    /// The length of the request.
    pub(crate) taken: usize,
    /// Who signs.
    pub(crate) signed: Option<Signed>,
    /// What it changes.
    pub(crate) then: Then,
}

impl Reply {
    /// A response that changes nothing.
    pub(crate) const fn plain(body: Vec<u8>, taken: usize) -> Self {
        Self { body, taken, signed: None, then: Then::Nothing }
    }
}

/// A signature that is to be appended.
pub(crate) struct Signed {
    pub(crate) signer: Arc<dyn Signer>,
    pub(crate) context: &'static str,
}

/// A reply that is not sealed yet.
struct Deferred {
    row: &'static Row,
    request: Vec<u8>,
    reply: Reply,
}
