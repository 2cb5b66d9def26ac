//! The responder: requests in, responses out. What a response changes, see `outcome.rs`.

use crate::chunk::Chunks;
use crate::config::{Config, Packet, Role};
use crate::connection::{Connection, Phase};
use crate::context::Context;
use crate::device::Device;
use crate::encapsulated::Interview;
use crate::error::Refusal;
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages::{self, Answer, Row, code_of};
use crate::objection::Objection;
use crate::question::Question;
use crate::reply::{Asked, Work};
use crate::session::{After, SessionId, policy};
use crate::transcript::Transcript;
use crate::trust::Judge;
use crate::unproved::Unproved;
use alloc::{boxed::Box, collections::VecDeque, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
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
    /// What the requester is being asked outside sessions; a session has its own.
    pub(crate) interview: Option<Interview>,
    /// What is still to be asked, and in which session; nothing for outside and any.
    pub(crate) questions: VecDeque<(Option<SessionId>, Question)>,
    pub(crate) requester_proved: bool,
    /// A requester had the negotiated state forgotten.
    pub(crate) forgotten: bool,
    /// GET_VERSION has to come before anything else; the version that was spoken before.
    pub(crate) spoken_before: Option<Version>,
    /// ALGORITHMS selected no hash: whatever follows, the rest of that response apart, is answered with RequestResynch.
    pub(crate) unusable: bool,
    /// The device wants to begin anew: after the answer to what came last it is so.
    resynch_after_answer: bool,
    /// Why a request was refused, until the caller takes it.
    pub(crate) objection: Option<Objection>,
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
        Self {
            cx: Context::new(Role::Responder, config, identity, device, rng),
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
            spoken_before: None,
            unusable: false,
            resynch_after_answer: false,
            objection: None,
        }
    }

    /// With someone who decides whose requesters' chains are believed: for mutual authentication.
    #[must_use]
    pub fn with_judge(mut self, judge: Box<dyn Judge>) -> Self {
        self.cx.judge = Some(judge);
        self
    }

    /// The device, if it is a `D`: for whoever drives the responder, between two packets.
    pub fn device_mut<D: Device>(&mut self) -> Option<&mut D> {
        self.cx.device_mut()
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

    /// Why the last request that was refused for a known reason was: one that provisions, contradicts itself, or cannot be answered for
    /// a fault of this side's; told once.
    pub const fn take_objection(&mut self) -> Option<Objection> {
        self.objection.take()
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

    /// HeartbeatPeriod of a session: a requester that is silent in it for twice as long has lost it, or never.
    #[must_use]
    pub fn heartbeat(&self, session: SessionId) -> Option<Duration> {
        self.cx.heartbeat_of(session)
    }

    /// Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.cx.session(session)?.export()
    }

    /// Code or configuration was updated at run time: sessions end whose SessionPolicy does not let them live on (1.2).
    pub fn updated(&mut self) {
        self.end_sessions(|session| session.policy & policy::LIVES_THROUGH_UPDATES == 0);
    }

    /// What was said before counts no more, as after an update of the firmware or a reset that the requester did not see: sessions are
    /// over, and every request is answered with RequestResynch until GET_VERSION comes. A responder that takes the place of one that
    /// was spoken with begins with this too.
    pub fn resynch(&mut self) {
        let version = self.spoken_before.unwrap_or(self.cx.connection.version);
        self.begin_anew();
        self.cx.connection = Connection::default();
        self.transcript = Transcript::default();
        (self.repeated, self.deferred) = (None, None);
        self.chunks.drop_all();
        self.spoken_before = Some(version);
    }

    /// Nothing is left of what another connection knew, but what was negotiated and said.
    pub(crate) fn begin_anew(&mut self) {
        self.authenticated = false;
        self.end_sessions(|_| true);
        self.cx.peer.forget();
        self.interview = None;
        self.questions.clear();
        self.requester_proved = false;
        self.forgotten = false;
        self.spoken_before = None;
        self.unusable = false;
    }

    /// Lets time pass: sessions whose requester was silent for twice HeartbeatPeriod are over.
    pub fn advance(&mut self, time: Duration) {
        self.end_sessions(|session| session.silent(time));
    }

    /// The answer to what came.
    pub fn receive(&mut self, packet: &Packet) -> Packet {
        let answer = match packet {
            Packet::Message(request) => {
                let session = self.clear_handshake(request);
                let response = self.respond(session, session.is_some(), request);
                self.settle(session);
                Packet::Message(response)
            }
            Packet::Secured(record) => self.receive_record(record),
        };
        // under the keys and in the version that are then forgotten
        if core::mem::take(&mut self.resynch_after_answer) {
            self.resynch();
        }
        answer
    }

    /// The session that a request in the clear belongs to: with HANDSHAKE_IN_THE_CLEAR the last that was opened. Of encapsulated
    /// requests it is only one whose requester is being asked there; else they are asked outside.
    pub(crate) fn clear_handshake(&self, request: &[u8]) -> Option<SessionId> {
        let last = self.cx.sessions.last().filter(|session| session.in_handshake());
        let last = last.filter(|session| session.origin == Origin::KeyExchange)?;
        let belongs = match code_of(request) {
            Code::FINISH => true,
            Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE => last.interview.is_some(),
            _ => false,
        };
        (belongs && self.cx.connection.handshake_in_the_clear()).then_some(last.id)
    }

    /// The response to a request, ERROR at worst. `clear`: the request is in the clear, though it is the session's.
    pub(crate) fn respond(&mut self, session: Option<SessionId>, clear: bool, request: &[u8]) -> Vec<u8> {
        let code = code_of(request);
        let fetches = code == Code::CHUNK_GET && self.chunks.has_response();
        if self.unusable && code != Code::GET_VERSION && !fetches {
            self.resynch();
        }
        match code {
            code if self.spoken_before.is_some() && code != Code::GET_VERSION => {
                self.refuse(request, Refusal::new(ErrorCode::REQUEST_RESYNCH))
            }
            Code::CHUNK_SEND => self.chunk_send(session, request),
            Code::CHUNK_GET => self.chunk_get(session, request),
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
            let version = self.version_of_error(request);
            let refusal = refusal.told_in(version, code_of(request));
            if refusal.ends_session()
                && let Some(open) = session.and_then(|id| self.cx.session_mut(id))
            {
                open.after = After::End;
            }
            if let Ok(Header { code, .. }) = Header::decode(request) {
                // what RESPOND_IF_READY comes back for has its own end
                if code != Code::RESPOND_IF_READY {
                    self.refused(code, refusal.code, session);
                }
                self.objection = Objection::to(code, &refusal).or(self.objection);
            }
            self.resynch_after_answer |= refusal.code == ErrorCode::REQUEST_RESYNCH;
            refusal.to_message(version)
        })
    }

    /// ERROR is the answer to a request.
    pub(crate) fn refused(&mut self, code: Code, error: ErrorCode, session: Option<SessionId>) {
        let place = session.and_then(|id| self.cx.session_mut(id));
        let measured = place.map(|session| &mut session.measured);
        messages::refused(code, error, self.authenticated, &mut self.transcript, measured);
    }

    /// Anything else is the answer to it.
    pub(crate) fn ends(&mut self, code: Code, session: Option<SessionId>) {
        let place = session.and_then(|id| self.cx.session_mut(id));
        let measured = place.map(|session| &mut session.measured);
        messages::forget(code, self.authenticated, &mut self.transcript, measured);
    }

    /// ERROR.
    pub(crate) fn refuse(&self, request: &[u8], refusal: Refusal) -> Vec<u8> {
        let version = self.version_of_error(request);
        refusal.told_in(version, code_of(request)).to_message(version)
    }

    /// SPDMVersion of ERROR: to GET_VERSION 1.0, to GET_CAPABILITIES what that tried, and that of the request where what was spoken is
    /// lost.
    fn version_of_error(&self, request: &[u8]) -> Version {
        let connection = &self.cx.connection;
        let early = connection.phase < Phase::Capabilities;
        let tried = match request {
            [_, code, ..] if Code(*code) == Code::GET_VERSION => Some(Version::V1_0),
            [version, rest @ ..]
                if self.spoken_before.is_some()
                    || early && rest.first() == Some(&Code::GET_CAPABILITIES.0) =>
            {
                self.cx.config.version(*version)
            }
            _ => None,
        };
        tried.or(self.spoken_before).unwrap_or(connection.version)
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
        let place = session.and_then(|id| self.cx.session(id));
        self.cx.admit(row, header, place, clear)?;
        self.check_flight(row, session)?;
        self.deferred = None;
        self.repeated = None;
        let handle = match row.answer {
            Answer::Value(handle) => handle,
            Answer::Flow(answer) => {
                return answer(self, session, request).inspect(|_| self.ends(row.code, session));
            }
        };
        let asked = Asked { bytes: request, session, transcript: &self.transcript };
        let reply = handle(&mut self.cx, &asked)?;
        let request = request.get(..reply.taken).unwrap_or(request);
        self.seal(Work::new(row, session, request, reply))
    }

    /// While the requester is asked something it asks nothing itself there; GET_VERSION ends that as it ends all else.
    fn check_flight(&mut self, row: &Row, session: Option<SessionId>) -> Result<(), Refusal> {
        let here = self.interview(session).is_some_and(|here| here.is_some());
        let conversation = matches!(row.answer, Answer::Flow(_)) || row.code == Code::GET_VERSION;
        if here && !conversation { Err(Refusal::new(ErrorCode::REQUEST_IN_FLIGHT)) } else { Ok(()) }
    }
}
