//! The responder: requests in, responses out.

use crate::chunk::{self, Chunks};
use crate::config::{Config, Packet};
use crate::connection::{Connection, Phase, Then};
use crate::device::Device;
use crate::error::Refusal;
use crate::hash::Digest;
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages::{self, Row};
use crate::records;
use crate::session::{After, Content, Effect, Opening, Role, Session, SessionId};
use crate::signatures::{Signer, ToBeSigned};
use crate::transcript::{Feeds, Prover, Th, Transcript};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes, SystemRng};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::chunk::{ChunkGet, ChunkSend};
use grille_spdm_codec::error::{ErrorCode, NotReady};
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::{Code, Header, Message, Sizes, Version};
use std::sync::Arc;

/// A responder. Bytes go in, bytes come out; it never waits.
pub struct Responder {
    cx: Context,
    transcript: Transcript,
    authenticated: bool,
    sessions: Vec<Session>,
    repeated: Option<(Vec<u8>, Vec<u8>)>,
    deferred: Option<Work>,
    token: u8,
    chunks: Chunks,
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
            sessions: Vec::new(),
            repeated: None,
            deferred: None,
            token: 0,
            chunks: Chunks::default(),
        }
    }

    /// What was negotiated.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// The sessions whose handshake is over.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.sessions.iter().filter(|session| !session.in_handshake()).map(|session| session.id)
    }

    /// Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.sessions.iter().find(|open| open.id == session)?.export()
    }

    /// Lets time pass: sessions whose requester was silent for twice HeartbeatPeriod are over.
    pub fn advance(&mut self, time: Duration) {
        self.sessions.retain_mut(|session| !session.silent(time));
    }

    /// The answer to what came.
    pub fn receive(&mut self, packet: &Packet) -> Packet {
        match packet {
            Packet::Message(request) => {
                let session = self.clear_handshake(request);
                let response = self.respond(session, session.is_some(), request);
                self.settle(session);
                Packet::Message(response)
            }
            Packet::Secured(record) => self.receive_record(record),
        }
    }

    /// The session that a request in the clear belongs to: with HANDSHAKE_IN_THE_CLEAR the last that was opened.
    fn clear_handshake(&self, request: &[u8]) -> Option<SessionId> {
        let finish = request.get(1).is_some_and(|&code| Code(code) == Code::FINISH);
        let last = self.sessions.last().filter(|session| session.in_handshake());
        let clear = self.cx.connection.handshake_in_the_clear();
        last.filter(|session| finish && clear && session.origin == Origin::KeyExchange).map(|last| last.id)
    }

    fn receive_record(&mut self, record: &[u8]) -> Packet {
        let known = |id: &SessionId| self.sessions.iter().any(|session| session.id == *id);
        let Some(id) = records::session_id(record).filter(known) else {
            // no key to protect the answer with
            return Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::INVALID_REQUEST)));
        };
        let opened = self.session(id).map(|session| session.unseal(record));
        let (spdm, answer) = match opened {
            Some(Ok(Content::Spdm(request))) => (true, self.respond(Some(id), false, &request)),
            Some(Ok(Content::Application(data))) => (false, self.application(id, &data)),
            _ => (true, self.refuse(&[], Refusal::new(ErrorCode::DECRYPT_ERROR))),
        };
        let rng = &mut *self.cx.rng;
        let session = self.sessions.iter_mut().find(|session| session.id == id);
        let sealed = session.map(|session| {
            if spdm { session.seal(&answer, rng) } else { session.seal_application(&answer, rng) }
        });
        self.settle(Some(id));
        match sealed {
            Some(Ok(record)) => Packet::Secured(record),
            // the key is used up, or the answer does not fit a record
            _ => {
                self.sessions.retain(|session| session.id != id);
                Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::UNSPECIFIED)))
            }
        }
    }

    fn application(&mut self, id: SessionId, data: &[u8]) -> Vec<u8> {
        let open = self.sessions.iter().any(|session| session.id == id && !session.in_handshake());
        if open { self.cx.device.application(id, data).unwrap_or_default() } else { Vec::new() }
    }

    /// What the response does to its session, now that it is sealed.
    fn settle(&mut self, session: Option<SessionId>) {
        let Some(id) = session else { return };
        match self.session(id).map(|session| session.after) {
            Some(After::Establish) => self.session(id).into_iter().for_each(Session::establish),
            Some(After::End) => self.sessions.retain(|session| session.id != id),
            Some(After::Nothing) | None => {}
        }
    }

    fn session(&mut self, id: SessionId) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// The response to a request, ERROR at worst. `clear`: the request is in the clear, though it is the session's.
    fn respond(&mut self, session: Option<SessionId>, clear: bool, request: &[u8]) -> Vec<u8> {
        match request.get(1).map(|&code| Code(code)) {
            Some(Code::CHUNK_SEND) => self.chunk_send(session, request),
            Some(Code::CHUNK_GET) => self.chunk_get(session, request),
            _ => {
                self.chunks.drop_all();
                self.respond_whole(session, clear, request, 0)
            }
        }
    }

    /// As [`Responder::respond`], to a whole request; `overhead`: bytes around the response.
    fn respond_whole(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
        overhead: usize,
    ) -> Vec<u8> {
        let response = self.answer(session, clear, request);
        let connection = &self.cx.connection;
        if connection.phase < Phase::Capabilities {
            return response;
        }
        let limit = connection.requester.data_transfer_size as usize;
        self.chunks.fit(connection, session, response, limit.saturating_sub(overhead))
    }

    fn chunk_get(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        let read = Connection::read::<ChunkGet>(request, &Sizes::default(), self.cx.config.binding);
        let response = self.cx.admit_chunk(request).and_then(|()| {
            let (asked, _) = read?;
            self.chunks.get(&self.cx.connection, session, &asked)
        });
        response.unwrap_or_else(|refusal| self.refuse(request, refusal))
    }

    fn chunk_send(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        let read = Connection::read::<ChunkSend<'_>>(request, &Sizes::default(), self.cx.config.binding);
        let chunk = self.cx.admit_chunk(request).and_then(|()| Ok(read?.0.chunk));
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(refusal) => return self.refuse(request, refusal),
        };
        let (early_error, response) = match self.chunks.send(&self.cx.connection, session, &chunk) {
            Ok(None) => (false, Vec::new()),
            Ok(Some(whole)) => {
                let clear = if session.is_none() { self.clear_handshake(&whole) } else { None };
                let response = self.respond_whole(session.or(clear), clear.is_some(), &whole, chunk::ACK);
                self.settle(clear);
                (false, response)
            }
            Err(refusal) => (true, self.refuse(request, refusal)),
        };
        let ack = chunk::acknowledge(self.cx.connection.version, &chunk, early_error, &response);
        ack.unwrap_or_else(|error| self.refuse(request, error.into()))
    }

    fn answer(&mut self, session: Option<SessionId>, clear: bool, request: &[u8]) -> Vec<u8> {
        self.try_respond(session, clear, request).unwrap_or_else(|refusal| {
            if refusal.ends_session() {
                session
                    .and_then(|id| self.session(id))
                    .into_iter()
                    .for_each(|session| session.after = After::End);
            }
            self.refuse(request, refusal)
        })
    }

    /// ERROR. Before capabilities are exchanged it is in the version that GET_CAPABILITIES tried.
    fn refuse(&self, request: &[u8], refusal: Refusal) -> Vec<u8> {
        let tried = match request {
            [version, code, ..] if Code(*code) == Code::GET_CAPABILITIES => self.cx.config.version(*version),
            _ => None,
        };
        let connection = &self.cx.connection;
        let version = tried.filter(|_| connection.phase < Phase::Capabilities).unwrap_or(connection.version);
        refusal.to_message(version)
    }

    fn try_respond(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let header = Header::decode(request)?;
        if let Some((same, response)) = &self.repeated
            && session.is_none()
            && same == request
        {
            return Ok(response.clone());
        }
        if header.code == Code::RESPOND_IF_READY {
            return self.respond_if_ready(session, request);
        }
        let row = messages::row(header.code).ok_or(Refusal::unsupported(header.code))?;
        let place = self.sessions.iter().find(|open| Some(open.id) == session);
        self.cx.admit(row, header, place, clear)?;
        self.deferred = None;
        self.repeated = None;
        let place = self.sessions.iter_mut().find(|open| Some(open.id) == session);
        messages::forget(row.code, self.authenticated, &mut self.transcript, place);
        let place = self.sessions.iter().find(|open| Some(open.id) == session);
        let asked = Asked { bytes: request, session: place, sessions: &self.sessions };
        let reply = (row.handle)(&mut self.cx, &asked)?;
        let request = request.get(..reply.taken).unwrap_or(request).to_vec();
        self.seal(Work { row, session, request, reply })
    }

    /// Signs, appends to the transcript, and only then lets the reply change anything.
    fn seal(&mut self, work: Work) -> Result<Vec<u8>, Refusal> {
        let mut response = work.reply.body.clone();
        if let Some(signed) = &work.reply.signed {
            let connection = &self.cx.connection;
            let (Some(digest), Some(hash)) = (self.digest(&work), connection.hash()) else {
                return Err(Refusal::new(ErrorCode::UNSPECIFIED));
            };
            let message = ToBeSigned::new(connection.version.byte(), signed.context, hash, &digest);
            match signed.signer.sign(&message, &mut *self.cx.rng)? {
                Some(signature) => response.extend_from_slice(&signature),
                None => return Err(self.defer(work)),
            }
        }
        self.cx.check_len(response.len() + self.verify_data_len(work.row.code, &work.reply.effect))?;
        let Work { row, session, request, reply } = work;
        self.feed(row, session, [&request, &response], reply.signed.is_some());
        self.affect(session, &request, &mut response, reply.effect)?;
        if matches!(reply.then, Then::Reset) {
            self.authenticated = false;
            self.sessions.clear();
        }
        self.cx.connection.apply(reply.then, &mut self.transcript);
        if row.feeds == Feeds::Vca && row.code != Code::GET_VERSION {
            self.repeated = Some((request, response.clone()));
        }
        Ok(response)
    }

    /// The length of ResponderVerifyData at the end of the response.
    fn verify_data_len(&self, code: Code, effect: &Effect) -> usize {
        let clear = self.cx.connection.handshake_in_the_clear();
        let here = match effect {
            Effect::Open(opening) => opening.origin == Origin::Psk || !clear,
            Effect::Finish(_) => clear && code == Code::FINISH,
            _ => false,
        };
        if here { self.cx.connection.hash_len() } else { 0 }
    }

    /// What is signed.
    fn digest(&self, work: &Work) -> Option<Digest> {
        let parts = [&work.request[..], &work.reply.body];
        let measured = self.sessions.iter().find(|open| Some(open.id) == work.session);
        match (work.row.feeds, &work.reply.effect) {
            (Feeds::C, _) => self.transcript.m(Prover::Responder, &parts),
            (Feeds::L, _) => self.transcript.l(measured.map(|session| &session.measured), &parts),
            (_, Effect::Open(opening)) => {
                let mut th = self.cx.connection.th(&self.transcript, opening)?;
                parts.iter().for_each(|part| th.push(part));
                Some(th.digest())
            }
            _ => self.transcript.il(&parts),
        }
    }

    fn feed(&mut self, row: &Row, session: Option<SessionId>, messages: [&[u8]; 2], signed: bool) {
        let measured = self.sessions.iter_mut().find(|open| Some(open.id) == session);
        let measured = measured.map(|session| &mut session.measured);
        match row.feeds {
            Feeds::Vca => {
                if row.code == Code::GET_VERSION {
                    self.transcript = Transcript::default();
                }
                messages.iter().for_each(|message| self.transcript.push_vca(message));
            }
            Feeds::B if session.is_none() => {
                self.transcript.push_b(Prover::Responder, &messages);
                if row.code == Code::GET_DIGESTS {
                    self.transcript.push_digests(Prover::Responder, messages[1]);
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

    /// What the reply does to sessions; ResponderVerifyData is appended.
    fn affect(
        &mut self,
        id: Option<SessionId>,
        request: &[u8],
        response: &mut Vec<u8>,
        effect: Effect,
    ) -> Result<(), Refusal> {
        if let Effect::Open(opening) = effect {
            return self.open_session(request, response, opening);
        }
        let clear = self.cx.connection.handshake_in_the_clear();
        let Some(session) = id.and_then(|id| self.session(id)) else { return Ok(()) };
        match effect {
            Effect::Nothing | Effect::Open(_) => {}
            Effect::Finish(mut th) => {
                th.push(response);
                if clear && session.origin == Origin::KeyExchange {
                    append_verify_data(session, &mut th, response);
                }
                session.th = th;
                session.after = After::Establish;
            }
            Effect::Update(operation) => {
                session.apply_update(operation);
                if operation == KeyOperation::UPDATE_ALL_KEYS {
                    session.update(Role::Responder);
                }
            }
            Effect::End => session.after = After::End,
        }
        Ok(())
    }

    fn open_session(
        &mut self,
        request: &[u8],
        response: &mut Vec<u8>,
        opening: Opening,
    ) -> Result<(), Refusal> {
        let unspecified = Refusal::new(ErrorCode::UNSPECIFIED);
        let connection = &self.cx.connection;
        let mut th = connection.th(&self.transcript, &opening).ok_or(unspecified)?;
        th.push(request);
        th.push(response);
        let psk = opening.origin == Origin::Psk;
        let mut session = Session::open(Role::Responder, opening, th, connection).ok_or(unspecified)?;
        let with_context = connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if psk || !connection.handshake_in_the_clear() {
            let mut th = session.th.clone();
            append_verify_data(&session, &mut th, response);
            session.th = th;
        }
        if psk && !with_context {
            session.establish();
        }
        if self.sessions.len() >= self.cx.config.max_sessions {
            // admitted only because this one never finished
            let half_open = self.sessions.iter().position(Session::in_handshake).ok_or(unspecified)?;
            self.sessions.remove(half_open);
        }
        self.sessions.push(session);
        Ok(())
    }

    /// ResponseNotReady: the work is kept until the requester comes back for it.
    fn defer(&mut self, work: Work) -> Refusal {
        self.token = self.token.wrapping_add(1);
        let request = work.row.code;
        let not_ready = NotReady { exponent: NOT_READY_EXPONENT, request, token: self.token, multiplier: 1 };
        self.deferred = Some(work);
        Refusal::extended(ErrorCode::RESPONSE_NOT_READY, &not_ready.to_bytes())
    }

    fn respond_if_ready(&mut self, session: Option<SessionId>, request: &[u8]) -> Result<Vec<u8>, Refusal> {
        let connection = &self.cx.connection;
        if request.first() != Some(&connection.version.byte()) {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let (asked, _) =
            Connection::read::<RespondIfReady>(request, &Sizes::default(), self.cx.config.binding)?;
        let is_it = |work: &Work| {
            work.row.code == asked.request && self.token == asked.token && work.session == session
        };
        match self.deferred.take() {
            None => Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)),
            Some(work) if is_it(&work) => self.seal(work),
            Some(work) => {
                self.deferred = Some(work);
                Err(Refusal::new(ErrorCode::INVALID_REQUEST))
            }
        }
    }
}

/// A signature is expected after 2 to this power microseconds.
const NOT_READY_EXPONENT: u8 = 14;

/// ResponderVerifyData over `th`, appended to both.
fn append_verify_data(session: &Session, th: &mut Th, response: &mut Vec<u8>) {
    let mac = session.verify_data(Role::Responder, th).unwrap_or_default();
    th.push(mac.as_ref());
    response.extend_from_slice(mac.as_ref());
}

/// What handlers see.
pub(crate) struct Context {
    pub(crate) config: Config,
    pub(crate) identity: Identity,
    pub(crate) device: Box<dyn Device>,
    pub(crate) rng: Box<dyn CryptoRng + Send>,
    pub(crate) connection: Connection,
}

impl Context {
    /// Whether the request may come now, and here.
    fn admit(
        &self,
        row: &Row,
        header: Header,
        session: Option<&Session>,
        clear: bool,
    ) -> Result<(), Refusal> {
        let connection = &self.connection;
        let unexpected = Refusal::new(ErrorCode::UNEXPECTED_REQUEST);
        if row.code == Code::GET_VERSION {
            let right = header.version == Version::V1_0.byte();
            let version = if right { Ok(()) } else { Err(Refusal::new(ErrorCode::VERSION_MISMATCH)) };
            return version.and_then(|()| row.place.permits(session));
        }
        if connection.phase >= Phase::Capabilities && header.version != connection.version.byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let once = row.feeds == Feeds::Vca && connection.phase > row.phase;
        if connection.phase < row.phase || once {
            return Err(unexpected);
        }
        let since = row.code.row().map_or(0, |row| row.since);
        if !row.able(connection) || since > connection.version.byte() {
            return Err(Refusal::unsupported(row.code));
        }
        row.place.permits(session)?;
        // FINISH goes in the clear if both sides said so, and in a record if not
        let finish = row.code == Code::FINISH;
        if finish && !clear && connection.handshake_in_the_clear() { Err(unexpected) } else { Ok(()) }
    }

    /// Whether CHUNK_SEND and CHUNK_GET may come.
    fn admit_chunk(&self, request: &[u8]) -> Result<(), Refusal> {
        let header = Header::decode(request)?;
        let connection = &self.connection;
        if connection.phase >= Phase::Capabilities && header.version != connection.version.byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        if connection.phase < Phase::Capabilities {
            return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
        }
        if chunk::possible(connection) { Ok(()) } else { Err(Refusal::unsupported(header.code)) }
    }

    /// Whether the requester takes a response of this length.
    fn check_len(&self, len: usize) -> Result<(), Refusal> {
        let connection = &self.connection;
        let limits = connection.requester;
        let chunks = chunk::possible(connection);
        let most = if chunks { limits.max_message_size } else { limits.data_transfer_size };
        if connection.phase < Phase::Capabilities || len <= most as usize {
            return Ok(());
        }
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        Err(Refusal::extended(ErrorCode::RESPONSE_TOO_LARGE, &len.to_le_bytes()))
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

    /// HeartbeatPeriod.
    pub(crate) fn heartbeat(&self) -> u8 {
        if self.connection.both_have(Caps::HBEAT) { self.config.heartbeat } else { 0 }
    }

    /// RspSessionID of a new session, unlike all that are open.
    pub(crate) fn session_number(&mut self, req: u16, sessions: &[Session]) -> Result<u16, Refusal> {
        let room = sessions.len() < self.config.max_sessions || sessions.iter().any(Session::in_handshake);
        if !room {
            return Err(Refusal::new(ErrorCode::SESSION_LIMIT_EXCEEDED));
        }
        loop {
            let mut number = [0; 2];
            self.rng.fill_bytes(&mut number);
            let rsp = u16::from_le_bytes(number);
            let id = grille_spdm_codec::key_exchange::session_id(req, rsp);
            if sessions.iter().all(|session| session.id != id) {
                return Ok(rsp);
            }
        }
    }
}

/// A request that was admitted.
pub(crate) struct Asked<'a> {
    /// The message, and on PCI DOE perhaps padding.
    pub(crate) bytes: &'a [u8],
    /// The session that it came in.
    pub(crate) session: Option<&'a Session>,
    /// All sessions.
    pub(crate) sessions: &'a [Session],
}

impl<'a> Asked<'a> {
    /// The session in whose handshake the request came, if that was begun in this way.
    pub(crate) fn handshake(&self, origin: Origin) -> Result<&'a Session, Refusal> {
        let begun = self.session.filter(|session| session.origin == origin);
        begun.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))
    }
}

/// What a handler answers.
pub(crate) struct Reply {
    /// The response up to its signature and VerifyData.
    pub(crate) body: Vec<u8>,
    /// The length of the request.
    pub(crate) taken: usize,
    /// Who signs.
    pub(crate) signed: Option<Signed>,
    /// What it changes in the connection.
    pub(crate) then: Then,
    /// What it does to sessions.
    pub(crate) effect: Effect,
}

impl Reply {
    /// A response that changes nothing.
    pub(crate) const fn plain(body: Vec<u8>, taken: usize) -> Self {
        Self { body, taken, signed: None, then: Then::Nothing, effect: Effect::Nothing }
    }
}

/// A signature that is to be appended.
pub(crate) struct Signed {
    pub(crate) signer: Arc<dyn Signer>,
    pub(crate) context: &'static str,
}

/// A reply that is not sealed yet.
struct Work {
    row: &'static Row,
    session: Option<SessionId>,
    request: Vec<u8>,
    reply: Reply,
}
