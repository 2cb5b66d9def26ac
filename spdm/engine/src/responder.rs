//! The responder: requests in, responses out.

use crate::chunk::Chunks;
use crate::config::{Config, Packet};
use crate::connection::{Connection, Phase, Then};
use crate::context::{Context, Peer};
use crate::device::Device;
use crate::encapsulated::{Interview, Question};
use crate::error::Refusal;
use crate::hash::Digest;
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages::{self, Answer, Row};
use crate::reply::{Asked, Work};
use crate::session::{After, Effect, Mutual, Opening, Role, Session, SessionId, policy};
use crate::signatures::ToBeSigned;
use crate::transcript::{Feeds, MeasurementLog, Prover, Transcript};
use crate::trust::Judge;
use crate::unproved::Unproved;
use alloc::{boxed::Box, collections::VecDeque, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Header, Version};

/// A responder. Bytes go in, bytes come out; it never waits.
pub struct Responder {
    pub(crate) cx: Context,
    pub(crate) transcript: Transcript,
    pub(crate) authenticated: bool,
    pub(crate) repeated: Option<(Vec<u8>, Vec<u8>)>,
    pub(crate) deferred: Option<Work>,
    pub(crate) token: u8,
    pub(crate) chunks: Chunks,
    pub(crate) interview: Option<Interview>,
    /// What is still to be asked, and in which session; nothing for outside and any.
    pub(crate) questions: VecDeque<(Option<SessionId>, Question)>,
    pub(crate) requester_proved: bool,
    /// A requester had the negotiated state forgotten.
    pub(crate) forgotten: bool,
}

impl Responder {
    /// A responder that nobody has spoken with.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(config: Config, identity: Identity, device: Box<dyn Device>) -> Self {
        Self::with_rng(config, identity, device, Box::new(grille_core::SystemRng))
    }

    /// With another source of randomness than the operating system's; ECDSA and RSA signatures keep to that.
    #[must_use]
    pub fn with_rng(
        config: Config,
        identity: Identity,
        device: Box<dyn Device>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        let cx = Context {
            role: Role::Responder,
            identity: identity.prepared(config.algorithms.hash),
            config,
            device,
            judge: None,
            rng,
            connection: Connection::default(),
            peer: Peer::default(),
            sessions: Vec::new(),
            answer: None,
            unproved: None,
        };
        Self {
            cx,
            transcript: Transcript::default(),
            authenticated: false,
            repeated: None,
            deferred: None,
            token: 0,
            chunks: Chunks::default(),
            interview: None,
            questions: VecDeque::new(),
            requester_proved: false,
            forgotten: false,
        }
    }

    /// With someone who decides whose requesters' chains are believed: for mutual authentication.
    #[must_use]
    pub fn with_judge(mut self, judge: Box<dyn Judge>) -> Self {
        self.cx.judge = Some(judge);
        self
    }

    /// The requester's public key, known beforehand: slot 0xFF.
    pub fn provision(&mut self, key: PublicKey) {
        self.cx.peer.provisioned = Some(key);
    }

    /// What it proves itself with, as requesters changed it: SET_CERTIFICATE, SET_KEY_PAIR_INFO.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.cx.identity
    }

    /// Why the requester did not prove itself with what came last, if that was a reason to refuse it; told once.
    pub fn take_unproved(&mut self) -> Option<Unproved> {
        self.cx.unproved.take()
    }

    /// Whether the requester proved itself after the last CHALLENGE.
    #[must_use]
    pub const fn requester_proved(&self) -> bool {
        self.requester_proved
    }

    /// What was negotiated.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
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

    /// Code or configuration was updated at run time: sessions end whose SessionPolicy does not let them live on (1.2).
    pub fn updated(&mut self) {
        self.cx.end_sessions(|session| session.policy & policy::LIVES_THROUGH_UPDATES == 0);
    }

    /// Lets time pass: sessions whose requester was silent for twice HeartbeatPeriod are over.
    pub fn advance(&mut self, time: Duration) {
        self.cx.end_sessions(|session| session.silent(time));
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
    pub(crate) fn clear_handshake(&self, request: &[u8]) -> Option<SessionId> {
        let code = request.get(1).map_or(Code::ERROR, |&code| Code(code));
        let finish = matches!(
            code,
            Code::FINISH | Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE
        );
        let last = self.cx.sessions.last().filter(|session| session.in_handshake());
        let clear = self.cx.connection.handshake_in_the_clear();
        last.filter(|session| finish && clear && session.origin == Origin::KeyExchange).map(|last| last.id)
    }

    /// What the response does to its session, now that it is sealed.
    pub(crate) fn settle(&mut self, session: Option<SessionId>) {
        let Some(id) = session else { return };
        match self.cx.session_mut(id).map(|session| session.after) {
            Some(After::Establish) => self.establish(id),
            Some(After::End) => self.cx.end_sessions(|session| session.id == id),
            Some(After::Nothing) | None => {}
        }
    }

    /// The handshake is over.
    fn establish(&mut self, id: SessionId) {
        let Some(session) = self.cx.session_mut(id) else { return };
        session.establish();
        if session.policy & policy::ALL_EVENTS != 0 {
            self.cx.device.subscribe_all(id);
        }
    }

    /// The response to a request, ERROR at worst. `clear`: the request is in the clear, though it is the session's.
    pub(crate) fn respond(&mut self, session: Option<SessionId>, clear: bool, request: &[u8]) -> Vec<u8> {
        match request.get(1).map(|&code| Code(code)) {
            Some(Code::CHUNK_SEND) => self.chunk_send(session, request),
            Some(Code::CHUNK_GET) => self.chunk_get(session, request),
            _ => {
                self.chunks.drop_all();
                self.respond_whole(session, clear, request, 0)
            }
        }
    }

    /// As [`Responder::respond`], to a whole request; `overhead`: bytes around the response, none if the request came in one
    /// piece.
    pub(crate) fn respond_whole(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
        overhead: usize,
    ) -> Vec<u8> {
        let arrived = if overhead == 0 { self.cx.check_arrived(request.len()) } else { Ok(()) };
        let response = self.answer(session, clear, request, arrived);
        if self.cx.connection.phase < Phase::Capabilities {
            return response;
        }
        // what comes in the clear is fetched in the clear
        let session = session.filter(|_| !clear);
        let limit = self.cx.at_once(session);
        self.chunks.fit(&self.cx.connection, session, response, [limit, overhead])
    }

    fn answer(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
        arrived: Result<(), Refusal>,
    ) -> Vec<u8> {
        arrived.and_then(|()| self.try_respond(session, clear, request)).unwrap_or_else(|refusal| {
            if refusal.ends_session()
                && let Some(open) = session.and_then(|id| self.cx.session_mut(id))
            {
                open.after = After::End;
            }
            if let Some(&code) = request.get(1) {
                self.refused(Code(code), refusal.code, session);
            }
            self.refuse(request, refusal)
        })
    }

    /// ERROR is the answer to a request.
    pub(crate) fn refused(&mut self, code: Code, error: ErrorCode, session: Option<SessionId>) {
        let place = self.cx.sessions.iter_mut().find(|open| Some(open.id) == session);
        messages::refused(code, error, &mut self.transcript, place);
    }

    /// ERROR. To GET_VERSION it is in 1.0, to GET_CAPABILITIES in the version that that tried.
    pub(crate) fn refuse(&self, request: &[u8], refusal: Refusal) -> Vec<u8> {
        let connection = &self.cx.connection;
        let early = connection.phase < Phase::Capabilities;
        let tried = match request {
            [_, code, ..] if Code(*code) == Code::GET_VERSION => Some(Version::V1_0),
            [version, code, ..] if Code(*code) == Code::GET_CAPABILITIES && early => {
                self.cx.config.version(*version)
            }
            _ => None,
        };
        refusal.to_message(tried.unwrap_or(connection.version))
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
        let place = self.cx.sessions.iter().find(|open| Some(open.id) == session);
        self.cx.admit(row, header, place, clear)?;
        self.check_flight(row, session)?;
        self.deferred = None;
        self.repeated = None;
        let place = self.cx.sessions.iter_mut().find(|open| Some(open.id) == session);
        messages::forget(row.code, self.authenticated, &mut self.transcript, place);
        let handle = match row.answer {
            Answer::Value(handle) => handle,
            Answer::Flow(answer) => return answer(self, session, request),
        };
        let asked = Asked { bytes: request, session, transcript: &self.transcript };
        let reply = handle(&mut self.cx, &asked)?;
        let request = request.get(..reply.taken).unwrap_or(request);
        self.seal(Work::new(row, session, request, reply))
    }

    /// While the requester is asked something it asks nothing itself there; GET_VERSION ends that as it ends all else.
    fn check_flight(&self, row: &Row, session: Option<SessionId>) -> Result<(), Refusal> {
        let here = self.interview.as_ref().is_some_and(|interview| interview.session == session);
        let conversation = matches!(row.answer, Answer::Flow(_)) || row.code == Code::GET_VERSION;
        if here && !conversation { Err(Refusal::new(ErrorCode::REQUEST_IN_FLIGHT)) } else { Ok(()) }
    }

    /// Signs, appends to the transcript, and only then lets the reply change anything.
    pub(crate) fn seal(&mut self, mut work: Work) -> Result<Vec<u8>, Refusal> {
        if let Some(signed) = &work.reply.signed {
            let connection = &self.cx.connection;
            let (Some(digest), Some(hash)) = (self.digest(&work), connection.hash()) else {
                return Err(Refusal::new(ErrorCode::UNSPECIFIED));
            };
            let message = ToBeSigned::new(connection.version, signed.context, hash, &digest);
            match signed.signer.sign(&message, &mut *self.cx.rng)? {
                Some(signature) => {
                    let len = work.response.len() + signature.len();
                    work.response.extend(&signature, len);
                }
                None => {
                    let exponent = signed.signer.ready_exponent();
                    return Err(self.defer(work, exponent));
                }
            }
        }
        let verify_data = self.cx.verify_data_len(work.row.code, &work.reply.effect);
        self.cx.check_len(work.session, work.response.len() + verify_data)?;
        let Work { row, session, request, response, reply } = work;
        let mut response = response.into_bytes();
        self.feed(row, session, [&request, &response], reply.signed.is_some(), reply.log);
        self.affect(session, &request, &mut response, reply.effect)?;
        if matches!(reply.then, Then::Reset) {
            self.authenticated = false;
            self.cx.end_sessions(|_| true);
            self.cx.peer.forget();
            self.interview = None;
            self.questions.clear();
            self.requester_proved = false;
            self.forgotten = false;
        }
        self.cx.connection.apply(reply.then, &mut self.transcript);
        if row.feeds == Feeds::Vca && row.code != Code::GET_VERSION {
            self.repeated = Some((request.into_bytes(), response.clone()));
        }
        Ok(response)
    }

    /// What is signed.
    fn digest(&self, work: &Work) -> Option<Digest> {
        let parts = [&work.request[..], &work.response];
        let measured = self.cx.sessions.iter().find(|open| Some(open.id) == work.session);
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

    fn feed(
        &mut self,
        row: &Row,
        session: Option<SessionId>,
        messages: [&[u8]; 2],
        signed: bool,
        log: Option<MeasurementLog>,
    ) {
        let measured = self.cx.sessions.iter_mut().find(|open| Some(open.id) == session);
        let mut measured = measured.map(|session| &mut session.measured);
        match row.feeds {
            Feeds::Vca => {
                if row.code == Code::GET_VERSION {
                    self.transcript = Transcript::default();
                }
                messages.iter().for_each(|message| self.transcript.push_vca(message));
            }
            Feeds::B if session.is_none() => {
                self.transcript.push_b(Prover::Responder, &messages);
                if row.code == Code::GET_DIGESTS && self.cx.own_sizes().multi_key {
                    self.transcript.push_digests(Prover::Responder, messages[1]);
                }
            }
            Feeds::C => {
                self.transcript.reset_b(Prover::Responder);
                self.authenticated = true;
                self.requester_proved = false;
                if self.cx.asks_back()
                    && let Ok(interview) = Interview::new(&mut self.cx, None)
                {
                    self.begin_interview(interview);
                }
            }
            Feeds::L if signed => self.transcript.reset_l(measured),
            Feeds::L => {
                self.transcript.push_l(measured.as_deref_mut(), &messages);
                self.transcript.set_log(measured, log.unwrap_or_default());
            }
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
        let Some(session) = id.and_then(|id| self.cx.session_mut(id)) else { return Ok(()) };
        match effect {
            Effect::Nothing | Effect::Open(_) | Effect::Bind(_) => {}
            Effect::Finish(mut th) => {
                th.push(response);
                if clear && session.origin == Origin::KeyExchange {
                    session.append_verify_data(&mut th, response);
                }
                session.th = th;
                session.after = After::Establish;
            }
            Effect::Update(update) => session.apply_update(update),
            Effect::End { forget } => {
                session.after = After::End;
                self.forgotten |= forget;
            }
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
        let at_once = psk && !connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if psk || !connection.handshake_in_the_clear() {
            let mut th = session.th.clone();
            session.append_verify_data(&mut th, response);
            session.th = th;
        }
        let id = session.id;
        let interview = match session.mutual {
            Mutual::No => None,
            Mutual::Slot(slot) => {
                let (hash, key) = self.peer_proof(slot)?;
                session.bind(slot, &[], &hash, Some(key));
                None
            }
            Mutual::Pending => Some(Interview::new(&mut self.cx, Some(id)).map_err(|_| unspecified)?),
        };
        self.make_room()?;
        // nothing fails from here on: what ends in ERROR leaves no session behind
        self.cx.sessions.push(session);
        if let Some(interview) = interview {
            self.begin_interview(interview);
        }
        if at_once {
            self.establish(id);
        }
        Ok(())
    }

    /// Of as many sessions as there may be, the eldest goes whose handshake is not over: only because of it another was admitted.
    fn make_room(&mut self) -> Result<(), Refusal> {
        let sessions = &mut self.cx.sessions;
        if sessions.len() >= self.cx.config.max_sessions {
            let half_open = sessions.iter().position(Session::in_handshake);
            sessions.remove(half_open.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?);
        }
        Ok(())
    }

    /// The hash of the requester's chain or public key, and the key.
    fn peer_proof(&self, slot: u8) -> Result<(Digest, PublicKey), Refusal> {
        let unknown = |_| Refusal::new(ErrorCode::UNSPECIFIED);
        Ok((self.cx.peer_chain_hash(slot).map_err(unknown)?, self.cx.peer_key(slot).map_err(unknown)?))
    }

    /// TH goes on with the requester's chain. `asked`: it told its DIGESTS in this handshake.
    pub(crate) fn bind(&mut self, session: SessionId, slot: u8, asked: bool) -> Result<(), Refusal> {
        let (hash, key) = self.peer_proof(slot)?;
        let told = asked && self.cx.peer_sizes().multi_key;
        let digests = if told { self.transcript.digests(Prover::Requester) } else { &[] };
        let session = self.cx.session_mut(session).ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        session.bind(slot, digests, &hash, Some(key));
        Ok(())
    }
}
