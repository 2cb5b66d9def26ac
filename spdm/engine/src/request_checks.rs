//! Checks whether a request is allowed in the current state, and whether a response may be sent.

use crate::chunk;
use crate::connection::Phase;
use crate::context::Context;
use crate::error::Refusal;
use crate::messages::{self, Row};
use crate::refused_request::Reason;
use crate::secured_version::{self, SecuredParams};
use crate::session::{Session, SessionId, policy};
use crate::transcript::TranscriptPart;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Header, Version};

/// The responder's checks.
impl Context {
    /// Checks that the request is allowed in the current phase and in this session, or outside sessions.
    pub(crate) fn check_request(
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
        self.check_negotiated_version(header)?;
        let once = row.transcript_part == TranscriptPart::Vca && connection.phase > row.phase;
        if connection.phase < row.phase || once {
            return Err(unexpected);
        }
        if !row.has_capabilities(connection) || !connection.rules.has(row.code) {
            return Err(Refusal::unsupported(row.code));
        }
        row.place.permits(session)?;
        if let Some(kind) = connection.missing_for(row.code) {
            return Err(self.missing_algorithm(row.code, kind));
        }
        // FINISH is sent in the clear if both sides negotiated that, and in a record otherwise
        let hidden = row.code == Code::FINISH && !clear && connection.is_handshake_in_clear();
        let early = session.is_some_and(|open| messages::interrupts_key_update(row.code, open));
        if hidden || early { Err(unexpected) } else { Ok(()) }
    }

    /// Refuses a request that needs an algorithm of this kind, which ALGORITHMS did not select. In `pqc2021`, a responder
    /// without chains does not support the requests for chains, as in the prototype.
    fn missing_algorithm(&self, request: Code, kind: &'static str) -> Refusal {
        let reads_chains = matches!(request, Code::GET_DIGESTS | Code::GET_CERTIFICATE);
        if reads_chains && self.connection.rules.raw_keys {
            return Refusal::unsupported(request).with_reason(Reason::NoAlgorithm(kind));
        }
        Refusal::missing_algorithm(kind)
    }

    /// Checks that a chunk or fragment request has the negotiated version, if a version has been negotiated. Returns
    /// the request's header.
    pub(crate) fn check_version(&self, request: &[u8]) -> Result<Header, Refusal> {
        let header = Header::decode(request)?;
        self.check_negotiated_version(header).map(|()| header)
    }

    /// Checks that a request has the negotiated version, if a version has been negotiated.
    fn check_negotiated_version(&self, header: Header) -> Result<(), Refusal> {
        let negotiated = self.connection.phase >= Phase::Capabilities;
        let other = negotiated && header.version != self.connection.version().byte();
        if other { Err(Refusal::new(ErrorCode::VERSION_MISMATCH)) } else { Ok(()) }
    }

    /// Checks that CHUNK_SEND or CHUNK_GET is allowed now, in this session or outside sessions. During a key update
    /// both are refused, because KEY_UPDATE is too short to need chunks.
    pub(crate) fn check_chunk_request(
        &self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<(), Refusal> {
        self.check_request_len(request.len())?;
        let header = self.check_version(request)?;
        let connection = &self.connection;
        if connection.phase < Phase::Capabilities {
            return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
        }
        if !chunk::are_negotiated(connection) {
            return Err(Refusal::unsupported(header.code));
        }
        let session = session.and_then(|id| self.session(id));
        let early = session.is_some_and(|open| messages::interrupts_key_update(header.code, open));
        if early { Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)) } else { Ok(()) }
    }

    /// Checks that a request of `len` bytes may arrive in one piece. Since 1.2 the limit is DataTransferSize plus the transport's
    /// padding. Longer requests must be sent in chunks.
    pub(crate) fn check_request_len(&self, len: usize) -> Result<(), Refusal> {
        let (connection, extra) = (&self.connection, self.config.binding.max_trailing_zeros());
        let [piece, whole] = [connection.responder.data_transfer_size, connection.responder.max_message_size]
            .map(|most| (most as usize).saturating_add(extra));
        if connection.phase < Phase::Capabilities || len <= piece {
            return Ok(());
        }
        let in_chunks = chunk::are_negotiated(connection) && len <= whole;
        Err(Refusal::new(if in_chunks { ErrorCode::INVALID_REQUEST } else { ErrorCode::REQUEST_TOO_LARGE }))
    }

    /// Checks that a response of `len` bytes fits the requester's limits, in this session or outside sessions.
    pub(crate) fn check_response_len(&self, session: Option<SessionId>, len: usize) -> Result<(), Refusal> {
        if self.connection.phase < Phase::Capabilities || len <= self.message_limit(session) {
            return Ok(());
        }
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        Err(Refusal::extended(ErrorCode::RESPONSE_TOO_LARGE, len.to_le_bytes()))
    }

    /// Selects the version of secured messages for a new session.
    pub(crate) fn select_secured_version(&self, opaque: &[u8]) -> Result<SecuredParams, Refusal> {
        if let Some(kind) = self.connection.missing_for_sessions() {
            return Err(Reason::NoSessions(kind).into());
        }
        secured_version::select(&self.config, self.connection.version(), opaque)
    }

    /// Returns HeartbeatPeriod for a new session, in seconds; 0 without HBEAT_CAP.
    pub(crate) fn heartbeat(&self) -> u8 {
        if self.connection.both_have(Caps::HBEAT) { self.config.heartbeat } else { 0 }
    }

    /// Returns SessionPolicy of a new session: the bits of `requested` that the version defines. Refuses EventAllPolicy
    /// if the responder cannot send events.
    pub(crate) fn policy(&self, requested: u8) -> Result<u8, Refusal> {
        let policy = requested & self.connection.rules.session_policies;
        let can_send_events =
            self.connection.responder_has(Caps::EVENT) && self.connection.both_have(Caps::ENCAP);
        if policy & policy::ALL_EVENTS != 0 && !can_send_events {
            return Err(Refusal::new(ErrorCode::INVALID_POLICY));
        }
        Ok(policy)
    }

    /// Draws RspSessionID for a new session, such that no open session has the resulting session ID.
    pub(crate) fn responder_session_number(&mut self, req: u16) -> Result<u16, Refusal> {
        let half_open = self.sessions.iter().any(|session| session.is_in_handshake());
        if self.sessions.len() >= self.config.max_sessions && !half_open {
            return Err(Refusal::new(ErrorCode::SESSION_LIMIT_EXCEEDED));
        }
        let begin = u16::from_le_bytes(self.random());
        let mut all = (0..=u16::MAX).map(|step| begin.wrapping_add(step));
        let free = all.find(|&rsp| self.session(self.connection.rules.session_id(req, rsp)).is_none());
        free.ok_or(Refusal::new(ErrorCode::SESSION_LIMIT_EXCEEDED))
    }
}
