//! The responder: answers requests. `reply_effects.rs` applies the effects of a response.

use crate::auth_failure::AuthFailure;
use crate::chunk::Chunks;
use crate::config::{Config, Packet, Role};
use crate::connection::{Connection, Phase};
use crate::context::Context;
use crate::device::Device;
use crate::dispatch;
use crate::encapsulated_flow::EncapsulatedFlow;
use crate::error::Refusal;
use crate::identity::Identity;
use crate::key_schedule::Origin;
use crate::messages::{self, Row, message_code};
use crate::pqc2021::PeerKeys;
use crate::pqc2021::fragments::{FRAGMENT_REQUEST, FRAGMENT_RSP_REQUEST, Fragments};
use crate::refused_request::RefusedRequest;
use crate::reply::{IncomingRequest, PendingReply};
use crate::requester_identity::RequesterIdentity;
use crate::responder_request::ResponderRequest;
use crate::session::{AfterResponse, Session, SessionId, policy};
use crate::transcript::Transcript;
use crate::trust::ChainVerifier;
use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Header, Version};

/// A function that answers a message of an encapsulated request flow.
type FlowHandler = fn(&mut Responder, Option<SessionId>, &[u8]) -> Result<Vec<u8>, Refusal>;

/// A responder. It never blocks.
pub struct Responder {
    pub(crate) cx: Context,
    pub(crate) transcript: Transcript,
    pub(crate) last_negotiation: Option<(Vec<u8>, Vec<u8>)>,
    pub(crate) deferred: Option<PendingReply>,
    pub(crate) token: u8,
    pub(crate) chunks: Chunks,
    pub(crate) fragments: Fragments,
    /// The encapsulated request flows with their session; `None` outside sessions.
    pub(crate) flows: BTreeMap<Option<SessionId>, EncapsulatedFlow>,
    /// The queued encapsulated requests with their session; `None` for requests that may be sent in any session or
    /// outside sessions.
    pub(crate) queue: VecDeque<(Option<SessionId>, ResponderRequest)>,
    pub(crate) is_requester_authenticated: bool,
    /// Whether a requester cleared the cached negotiated state.
    pub(crate) state_cleared: bool,
    /// The version of the connection that a reset ended. While it is set, only GET_VERSION is accepted.
    pub(crate) lost_version: Option<Version>,
    /// Whether ALGORITHMS selected no hash. After that response, every request is answered with RequestResynch.
    pub(crate) no_common_hash: bool,
    /// Whether the device requested a resynchronisation. It starts after the current response.
    resynch_after_answer: bool,
    /// The last refused request with a known reason, until the caller takes it.
    pub(crate) refused_request: Option<RefusedRequest>,
}

impl Responder {
    /// Creates a responder that uses the operating system's random generator.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn new(config: Config, identity: Identity, device: Box<dyn Device>) -> Self {
        Self::with_rng(config, identity, device, Box::new(grille_core::SystemRng))
    }

    /// Creates a responder with another random generator. ECDSA and RSA signatures still use the operating system's.
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
            last_negotiation: None,
            deferred: None,
            token: 0,
            chunks: Chunks::default(),
            fragments: Fragments::default(),
            flows: BTreeMap::new(),
            queue: VecDeque::new(),
            is_requester_authenticated: false,
            state_cleared: false,
            lost_version: None,
            no_common_hash: false,
            resynch_after_answer: false,
            refused_request: None,
        }
    }

    /// Sets the verifier of the requesters' certificate chains, for mutual authentication.
    #[must_use]
    pub fn with_chain_verifier(mut self, verifier: Box<dyn ChainVerifier>) -> Self {
        self.cx.chain_verifier = Some(verifier);
        self
    }

    /// Returns the device if it is of type `D`, for use between two packets.
    pub fn device_mut<D: Device>(&mut self) -> Option<&mut D> {
        self.cx.device_mut()
    }

    /// Provisions the requester's public key as slot 0xFF.
    pub fn provision(&mut self, key: PublicKey) {
        self.cx.peer.provisioned = Some(key);
    }

    /// Provisions the requester's keys without certificates, for [`crate::pqc2021`].
    pub fn provision_raw(&mut self, keys: PeerKeys) {
        self.cx.peer.raw = keys;
    }

    /// Returns the responder's identity, with the changes by SET_CERTIFICATE and SET_KEY_PAIR_INFO.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.cx.identity
    }

    /// Takes the reason why the requester's authentication failed, if the last packet was refused because of this
    /// failure. Each reason is returned once.
    pub fn take_auth_failure(&mut self) -> Option<AuthFailure> {
        self.cx.auth_failure.take()
    }

    /// Takes the last request that was refused for a known reason. It is a provisioning request, a request that
    /// contradicts itself or the negotiation, or one that the responder could not answer because of its own fault. Each
    /// is returned once.
    pub const fn take_refused_request(&mut self) -> Option<RefusedRequest> {
        self.refused_request.take()
    }

    /// Returns whether the requester authenticated itself after the last CHALLENGE.
    #[must_use]
    pub const fn is_requester_authenticated(&self) -> bool {
        self.is_requester_authenticated
    }

    /// Returns the negotiated connection state.
    #[must_use]
    pub const fn connection(&self) -> &Connection {
        &self.cx.connection
    }

    /// Returns the sessions whose handshake is complete.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> {
        self.cx.established()
    }

    /// Returns the requester's identity in a session whose handshake is complete; `None` for other sessions.
    #[must_use]
    pub fn authenticated(&self, session: SessionId) -> Option<RequesterIdentity<'_>> {
        self.cx.session(session).filter(|open| !open.is_in_handshake()).map(Session::authenticated)
    }

    /// Returns whether the negotiated state may be cached for another connection without negotiation. That needs CACHE_CAP, and
    /// no requester may have cleared the state with END_SESSION.
    #[must_use]
    pub const fn may_cache_state(&self) -> bool {
        self.cx.connection.responder().flags.contains(Caps::CACHE) && !self.state_cleared
    }

    /// Returns HeartbeatPeriod of a session, which ends after twice this time without a message. `None` without a heartbeat.
    #[must_use]
    pub fn heartbeat(&self, session: SessionId) -> Option<Duration> {
        self.cx.heartbeat_period(session)
    }

    /// Returns the Export Master Secret of a session.
    #[must_use]
    pub fn export_secret(&self, session: SessionId) -> Option<&SecretBytes> {
        self.cx.session(session)?.export()
    }

    /// Reports that code or configuration was updated at run time. Sessions end unless their SessionPolicy keeps them alive
    /// (1.2).
    pub fn updated(&mut self) {
        self.end_sessions(|session| session.policy & policy::SURVIVES_UPDATES == 0);
    }

    /// Resets the connection, for example after a firmware update or a reset that the requester did not notice.
    /// Sessions end, and every request is answered with RequestResynch until GET_VERSION. Call this also on a new
    /// responder that replaces a connected one.
    pub fn resynch(&mut self) {
        let version = self.lost_version.unwrap_or(self.cx.connection.version());
        self.reset_connection();
        self.cx.connection = Connection::default();
        self.transcript = Transcript::default();
        (self.last_negotiation, self.deferred) = (None, None);
        self.chunks.drop_all();
        self.fragments.drop_all();
        self.lost_version = Some(version);
    }

    /// Clears the state of the previous connection, except for the negotiated state and the transcripts.
    pub(crate) fn reset_connection(&mut self) {
        self.transcript.authenticated = false;
        self.end_sessions(|_| true);
        self.cx.peer.forget();
        self.flows.clear();
        self.queue.clear();
        self.is_requester_authenticated = false;
        self.state_cleared = false;
        self.lost_version = None;
        self.no_common_hash = false;
    }

    /// Advances the clock. Sessions end if their requester was silent for twice HeartbeatPeriod.
    pub fn advance(&mut self, time: Duration) {
        self.end_sessions(|session| session.is_silent_after(time));
    }

    /// Answers a packet.
    pub fn receive(&mut self, packet: &Packet) -> Packet {
        let answer = match packet {
            Packet::Message(request) => {
                let session = self.clear_handshake(request);
                let response = self.respond(session, session.is_some(), request);
                self.finish_response(session);
                Packet::Message(response)
            }
            Packet::Secured(record) => self.receive_record(record),
        };
        // after the answer, because it still needs the old keys and version
        if core::mem::take(&mut self.resynch_after_answer) {
            self.resynch();
        }
        answer
    }

    /// Returns the session that a request in the clear belongs to. With HANDSHAKE_IN_THE_CLEAR that is the session
    /// opened last. A message of an encapsulated request flow belongs to that session if the session has a flow, and
    /// otherwise to no session.
    pub(crate) fn clear_handshake(&self, request: &[u8]) -> Option<SessionId> {
        let last = self.cx.sessions.last().filter(|session| session.is_in_handshake());
        let last = last.filter(|session| session.origin == Origin::KeyExchange)?;
        let belongs = match message_code(request) {
            Code::FINISH => true,
            Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE => {
                self.flows.contains_key(&Some(last.id))
            }
            _ => false,
        };
        (belongs && self.cx.connection.is_handshake_in_clear()).then_some(last.id)
    }

    /// Answers a request, possibly with ERROR. `clear`: the request belongs to the session but is not encrypted.
    pub(crate) fn respond(&mut self, session: Option<SessionId>, clear: bool, request: &[u8]) -> Vec<u8> {
        let code = message_code(request);
        let fetches = code == Code::CHUNK_GET && self.chunks.has_response();
        if self.no_common_hash && code != Code::GET_VERSION && !fetches {
            self.resynch();
        }
        match code {
            code if self.lost_version.is_some() && code != Code::GET_VERSION => {
                self.refuse(request, Refusal::new(ErrorCode::REQUEST_RESYNCH))
            }
            FRAGMENT_REQUEST if self.cx.connection.rules.fragments => self.fragment_request(session, request),
            FRAGMENT_RSP_REQUEST if self.cx.connection.rules.fragments => {
                self.fragment_rsp_request(session, request)
            }
            Code::CHUNK_SEND => self.chunk_send(session, request),
            Code::CHUNK_GET => self.chunk_get(session, request),
            _ => {
                self.chunks.drop_all();
                self.fragments.drop_all();
                self.respond_whole(session, clear, request, 0)
            }
        }
    }

    /// Answers a whole request. `overhead`: bytes around the response; 0 if the request arrived in one piece.
    pub(crate) fn respond_whole(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
        overhead: usize,
    ) -> Vec<u8> {
        let arrived = if overhead == 0 { self.cx.check_request_len(request.len()) } else { Ok(()) };
        let response = self.answer(session, clear, request, arrived);
        if self.cx.connection.phase < Phase::Capabilities {
            return response;
        }
        // the response to a request in the clear is fetched in the clear
        let session = session.filter(|_| !clear);
        let response = self.split_response(session, message_code(request), response);
        let limit = self.cx.transfer_limit(session);
        self.chunks.chunk_if_needed(&self.cx.connection, session, response, [limit, overhead])
    }

    fn answer(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
        arrived: Result<(), Refusal>,
    ) -> Vec<u8> {
        arrived.and_then(|()| self.try_respond(session, clear, request)).unwrap_or_else(|refusal| {
            let version = self.error_version(request);
            let refusal = refusal.for_version(version, message_code(request));
            if refusal.ends_session()
                && let Some(open) = session.and_then(|id| self.cx.session_mut(id))
            {
                open.after = AfterResponse::End;
            }
            if let Ok(Header { code, .. }) = Header::decode(request) {
                // RESPOND_IF_READY updates transcripts itself
                if code != Code::RESPOND_IF_READY {
                    self.update_after_error(code, refusal.code, session);
                }
                self.refused_request = RefusedRequest::from_refusal(code, &refusal).or(self.refused_request);
            }
            self.resynch_after_answer |= refusal.code == ErrorCode::REQUEST_RESYNCH;
            refusal.to_message(version)
        })
    }

    /// Updates transcripts after a request was answered with ERROR.
    pub(crate) fn update_after_error(&mut self, code: Code, error: ErrorCode, session: Option<SessionId>) {
        self.transcript.update_after_error(code, error, self.cx.measured_mut(session));
    }

    /// Updates transcripts after a request was answered with a response other than ERROR.
    pub(crate) fn update_after_response(&mut self, code: Code, session: Option<SessionId>) {
        self.transcript.update_after_response(code, self.cx.measured_mut(session));
    }

    /// Encodes ERROR.
    pub(crate) fn refuse(&self, request: &[u8], refusal: Refusal) -> Vec<u8> {
        let version = self.error_version(request);
        refusal.for_version(version, message_code(request)).to_message(version)
    }

    /// Returns SPDMVersion of ERROR: 1.0 for GET_VERSION, and the attempted version for GET_CAPABILITIES. After a reset it is the
    /// version of the request.
    fn error_version(&self, request: &[u8]) -> Version {
        let connection = &self.cx.connection;
        let early = connection.phase < Phase::Capabilities;
        let tried = match request {
            [_, code, ..] if Code(*code) == Code::GET_VERSION => Some(Version::V1_0),
            [version, rest @ ..]
                if self.lost_version.is_some()
                    || early && rest.first() == Some(&Code::GET_CAPABILITIES.0) =>
            {
                self.cx.config.version(*version)
            }
            _ => None,
        };
        tried.or(self.lost_version).unwrap_or(connection.version())
    }

    fn try_respond(
        &mut self,
        session: Option<SessionId>,
        clear: bool,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let header = Header::decode(request)?;
        if let Some((same, response)) = &self.last_negotiation
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
        self.cx.check_request(row, header, place, clear)?;
        self.check_no_flow(row, session)?;
        self.deferred = None;
        self.last_negotiation = None;
        let flow: Option<FlowHandler> = match row.code {
            Code::GET_ENCAPSULATED_REQUEST => Some(Self::encapsulated_request),
            Code::DELIVER_ENCAPSULATED_RESPONSE => Some(Self::encapsulated_response),
            _ => None,
        };
        if let Some(answer) = flow {
            return answer(self, session, request).inspect(|_| self.update_after_response(row.code, session));
        }
        let handle = dispatch::handler(row.code).ok_or(Refusal::unsupported(row.code))?;
        let incoming = IncomingRequest { bytes: request, session, transcript: &self.transcript };
        let reply = handle(&mut self.cx, &incoming)?;
        let request = request.get(..reply.taken).unwrap_or(request);
        self.seal(PendingReply::new(row, session, request, reply))
    }

    /// Refuses other requests while an encapsulated request is outstanding in this session, or outside sessions.
    /// GET_VERSION is allowed and ends the flow.
    fn check_no_flow(&self, row: &Row, session: Option<SessionId>) -> Result<(), Refusal> {
        let here = self.flows.contains_key(&session);
        let in_flow = matches!(
            row.code,
            Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE | Code::GET_VERSION
        );
        if here && !in_flow { Err(Refusal::new(ErrorCode::REQUEST_IN_FLIGHT)) } else { Ok(()) }
    }
}
