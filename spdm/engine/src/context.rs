//! The state of one side, requester or responder, except for its transcripts.

use crate::algorithms::Asym;
use crate::auth_failure::AuthFailure;
use crate::chain::Chain;
use crate::chunk;
use crate::config::{Config, Role};
use crate::connection::{Connection, Phase};
use crate::device::Device;
use crate::encode::respond_with;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::identity::{Identity, SLOTS};
use crate::key_schedule::Origin;
use crate::messages;
use crate::pending_answer::PendingAnswer;
use crate::pqc2021::{self, PeerKeys};
use crate::records::RecordError;
use crate::secured_version;
use crate::session::{Content, Effect, Session, SessionId, SessionParams};
use crate::slot_digest::SlotDigest;
use crate::transcript::{Covered, MeasurementTranscript, Th, Transcript};
use crate::trust::ChainVerifier;
use alloc::{boxed::Box, vec::Vec};
use core::any::Any;
use core::time::Duration;
use grille_core::CryptoRng;
use grille_pki::PublicKey;
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, Limits};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate};
use grille_spdm_codec::{Code, Message, Sizes};
use zeroize::Zeroizing;

/// The state of one side that its request handlers and operations use.
pub struct Context {
    pub(crate) role: Role,
    pub(crate) config: Config,
    pub(crate) identity: Identity,
    pub(crate) device: Box<dyn Device>,
    pub(crate) chain_verifier: Option<Box<dyn ChainVerifier>>,
    pub(crate) rng: Box<dyn CryptoRng + Send>,
    pub(crate) connection: Connection,
    pub(crate) peer: Peer,
    #[allow(
        clippy::vec_box,
        reason = "a vector that grows or closes a gap leaves copies of moved bytes behind"
    )]
    pub(crate) sessions: Vec<Box<Session>>,
    /// On the requester's side: the answer to an encapsulated request outside sessions. Each session stores its own.
    pub(crate) pending_answer: PendingAnswer,
    /// Why the requester's authentication failed. Stored until the responder's caller takes it.
    pub(crate) auth_failure: Option<AuthFailure>,
    /// On the requester's side: whether a response of this connection was lost or rejected.
    pub(crate) missed: bool,
}

/// This side's knowledge of the peer's identity.
#[derive(Default)]
pub(crate) struct Peer {
    /// The slots in the last DIGESTS from the peer.
    pub(crate) announced: Vec<SlotDigest>,
    /// The fetched and trusted certificate chains.
    pub(crate) chains: [Option<Chain>; SLOTS as usize],
    /// The provisioned public key.
    pub(crate) provisioned: Option<PublicKey>,
    /// The keys without certificates, in `pqc2021`.
    pub(crate) raw: PeerKeys,
}

impl Peer {
    pub(crate) fn chain(&self, slot: u8) -> Option<&Chain> {
        self.chains.get(usize::from(slot))?.as_ref()
    }

    /// Clears everything except the provisioned keys, for a new connection.
    pub(crate) fn forget(&mut self) {
        let (provisioned, raw) = (self.provisioned.take(), core::mem::take(&mut self.raw));
        *self = Self { provisioned, raw, ..Self::default() };
    }
}

impl Context {
    /// Returns the state before any message.
    pub(crate) fn new(
        role: Role,
        config: Config,
        identity: Identity,
        device: Box<dyn Device>,
        rng: Box<dyn CryptoRng + Send>,
    ) -> Self {
        Self {
            role,
            identity: identity.prepared(config.algorithms.hash),
            config,
            device,
            chain_verifier: None,
            rng,
            connection: Connection::default(),
            peer: Peer::default(),
            sessions: Vec::new(),
            pending_answer: PendingAnswer::None,
            auth_failure: None,
            missed: false,
        }
    }

    /// Records why the requester's authentication failed, and returns a refusal with this code.
    pub(crate) fn auth_failed(&mut self, reason: AuthFailure, code: ErrorCode) -> Refusal {
        self.auth_failure = Some(reason);
        Refusal::new(code)
    }

    /// Returns the device if it is of type `D`.
    pub(crate) fn device_mut<D: Device>(&mut self) -> Option<&mut D> {
        let device: &mut dyn Any = &mut *self.device;
        device.downcast_mut()
    }

    /// Returns this side's signature algorithm.
    pub(crate) fn own_asym(&self) -> Option<Asym> {
        match self.role {
            Role::Responder => self.connection.asym(),
            Role::Requester => self.connection.req_asym(),
        }
    }

    /// Returns the peer's signature algorithm.
    pub(crate) fn peer_asym(&self) -> Option<Asym> {
        match self.role {
            Role::Responder => self.connection.req_asym(),
            Role::Requester => self.connection.asym(),
        }
    }

    /// Returns this side's capabilities and message limits.
    pub(crate) const fn own_limits(&self) -> &Limits {
        match self.role {
            Role::Responder => &self.connection.responder,
            Role::Requester => &self.connection.requester,
        }
    }

    /// Returns the peer's capabilities and message limits.
    pub(crate) const fn peer_limits(&self) -> &Limits {
        match self.role {
            Role::Responder => &self.connection.requester,
            Role::Requester => &self.connection.responder,
        }
    }

    /// Returns the field sizes of this side's responses, without the signature.
    pub(crate) fn own_sizes(&self) -> Sizes {
        self.connection.sizes(self.role)
    }

    /// Returns the field sizes of the peer's responses, without the signature.
    pub(crate) fn peer_sizes(&self) -> Sizes {
        self.connection.sizes(self.role.other())
    }

    /// Decodes a request. Also returns its length in bytes.
    pub(crate) fn read<'a, M: Message<'a>>(
        &self,
        request: &'a [u8],
        sizes: &Sizes,
    ) -> Result<(M, usize), Refusal> {
        Ok(Connection::read(request, sizes, self.config.binding)?)
    }

    /// Decodes a response. Also returns its length in bytes.
    pub(crate) fn read_response<'a, M: Message<'a>>(
        &self,
        request: Code,
        response: &'a [u8],
        sizes: &Sizes,
    ) -> Result<(M, usize), Error> {
        let malformed = |error| Error::Malformed { request, error };
        Connection::read(response, sizes, self.config.binding).map_err(malformed)
    }

    /// Encodes a request.
    pub(crate) fn write<'a>(&self, message: &impl Message<'a>, sizes: &Sizes) -> Result<Vec<u8>, Error> {
        let value = |error| Error::Usage(Usage::Value(error));
        crate::encode::write(message, self.connection.version(), sizes).map_err(value)
    }

    /// Encodes a response without fields of negotiated length. [`respond_with`] encodes responses with such fields.
    pub(crate) fn respond<'a>(&self, message: &impl Message<'a>) -> Result<Vec<u8>, Refusal> {
        respond_with(message, self.connection.version(), &Sizes::default())
    }

    /// Returns the length in bytes of the longest message that fits one transfer. The limits are the peer's
    /// DataTransferSize, the transport, and in a session the record.
    pub(crate) fn transfer_limit(&self, session: Option<SessionId>) -> usize {
        let session = session.and_then(|id| self.session(id));
        let carried = session.map_or(self.config.binding.longest_payload(), Session::max_message_len);
        carried.min(self.peer_limits().data_transfer_size as usize)
    }

    /// Returns the length in bytes of the longest message that the peer accepts, in this session or outside sessions.
    /// If both sides support chunks, it may be longer than one transfer.
    pub(crate) fn message_limit(&self, session: Option<SessionId>) -> usize {
        if self.connection.rules.fragments {
            return pqc2021::MAX_WHOLE;
        }
        let one = self.transfer_limit(session);
        if !chunk::are_negotiated(&self.connection) {
            return one;
        }
        let all = self.peer_limits().max_message_size as usize;
        all.min(chunk::max_message_len(self.connection.rules, one))
    }

    /// Returns the device's OpaqueData, or nothing if the data are not allowed because no format was negotiated.
    pub(crate) fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        let opaque = self.device.opaque()?;
        match self.connection.opaque_format() {
            _ if self.connection.takes_opaque_data(&opaque) => Ok(opaque),
            OtherParams::NONE => Ok(Vec::new()),
            _ => Err(Refusal::fault("OpaqueData is not a list of elements")),
        }
    }

    /// Checks that a request may contain this OpaqueData.
    pub(crate) fn check_opaque(&self, opaque: &[u8]) -> Result<(), Refusal> {
        let fine = self.connection.takes_opaque_data(opaque);
        if fine { Ok(()) } else { Err(Refusal::new(ErrorCode::INVALID_REQUEST)) }
    }

    /// Draws 32 random bytes.
    pub(crate) fn nonce(&mut self) -> [u8; 32] {
        self.random()
    }

    /// Draws random bytes.
    pub(crate) fn random<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.rng.fill_bytes(&mut bytes);
        bytes
    }

    /// Returns whether the session is in a handshake that is not encrypted.
    pub(crate) fn has_clear_handshake(&self, id: SessionId) -> bool {
        self.connection.is_handshake_in_clear() && self.session(id).is_some_and(Session::is_in_handshake)
    }

    pub(crate) fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.iter().map(|session| &**session).find(|session| session.id == id)
    }

    pub(crate) fn session_mut(&mut self, id: SessionId) -> Option<&mut Session> {
        self.sessions.iter_mut().map(|session| &mut **session).find(|session| session.id == id)
    }

    /// Returns the transcript of measurements (L1/L2) of a session; `None` outside sessions.
    pub(crate) fn measured_mut(&mut self, session: Option<SessionId>) -> Option<&mut MeasurementTranscript> {
        session.and_then(|id| self.session_mut(id)).map(|session| &mut session.measured)
    }

    /// Returns the contents that the proof at the end of a response covers. `messages`: the request, and the response without its
    /// signature.
    pub(crate) fn signed_content(
        &self,
        transcript: &Transcript,
        session: Option<SessionId>,
        effect: &Effect,
        messages: [&[u8]; 2],
    ) -> Option<Covered> {
        if let Effect::Open(params) = effect {
            return Some(self.th(transcript, params, messages)?.covered());
        }
        let measured = session.and_then(|id| self.session(id)).map(|session| &session.measured);
        transcript.signed_content(measured, messages)
    }

    /// Appends an unsigned answer of the requester to transcripts. Outside sessions the requester's CHALLENGE_AUTH
    /// covers the answer. In the handshake of a multi-key requester, TH covers the requester's DIGESTS.
    pub(crate) fn append_unsigned_answer(
        &mut self,
        transcript: &mut Transcript,
        session: Option<SessionId>,
        messages: [&[u8]; 2],
    ) {
        let digests = messages::message_code(messages[0]) == Code::GET_DIGESTS;
        let multi_key = self.connection.sizes(Role::Requester).multi_key;
        let Some(id) = session else { return transcript.append_encapsulated(messages) };
        if let Some(session) = self.session_mut(id).filter(|_| digests && multi_key) {
            session.requester_digests = messages[1].to_vec();
        }
    }

    /// Returns the transcript TH up to and including `messages`: KEY_EXCHANGE or PSK_EXCHANGE, and its response.
    fn th(&self, transcript: &Transcript, params: &SessionParams, messages: [&[u8]; 2]) -> Option<Th> {
        let multi_key = self.connection.sizes(Role::Responder).multi_key;
        let digests = (multi_key && params.chain_hash.is_some()).then(|| transcript.digests());
        let mut th = Th::new(transcript.vca()?, digests, params.chain_hash.as_ref());
        messages.iter().for_each(|message| th.push(message));
        Some(th)
    }

    /// Creates a new session with its handshake keys; `None` before ALGORITHMS. `messages`: the request, and the
    /// response up to ResponderVerifyData, where TH1 ends.
    pub(crate) fn derive_session(
        &self,
        transcript: &Transcript,
        params: SessionParams,
        messages: [&[u8]; 2],
    ) -> Option<Session> {
        let th = self.th(transcript, &params, messages)?;
        Session::open(self.role, params, th, &self.connection)
    }

    /// Returns the sessions whose handshake is complete.
    pub(crate) fn established(&self) -> impl Iterator<Item = SessionId> {
        self.sessions.iter().filter(|session| !session.is_in_handshake()).map(|session| session.id)
    }

    /// Returns the length of ResponderVerifyData at the end of the response to `code`; 0 if that response has none.
    pub(crate) fn verify_data_len(&self, code: Code, effect: &Effect) -> usize {
        let clear = self.connection.is_handshake_in_clear();
        let here = match effect {
            Effect::Open(params) => params.origin == Origin::Psk || !clear,
            Effect::Finish(_) => clear && code == Code::FINISH,
            _ => false,
        };
        if here { self.connection.hash_len() } else { 0 }
    }

    /// Ends the sessions for which `over` returns true, and erases their keys. The device is notified of those whose
    /// handshake was complete.
    pub(crate) fn end_sessions(&mut self, mut over: impl FnMut(&mut Session) -> bool) {
        let device = &mut self.device;
        self.sessions.retain_mut(|session| {
            let over = over(session);
            if over && !session.is_in_handshake() {
                device.session_ended(session.id);
            }
            !over
        });
    }

    /// Returns an error if `missing` names a kind of algorithm that the request needs. Missing capabilities are
    /// reported elsewhere.
    pub(crate) fn check_selected(&self, request: Code, missing: Option<&'static str>) -> Result<(), Error> {
        let able = messages::row(request).is_some_and(|row| row.has_capabilities(&self.connection));
        match missing.filter(|_| able) {
            Some(kind) => Err(Usage::NothingInCommon { request, kind }.into()),
            None => Ok(()),
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.end_sessions(|_| true);
    }
}

/// The requester's methods.
impl Context {
    /// Checks that a request may be sent now, in this session or outside sessions.
    pub(crate) fn check_may_send(&self, request: Code, session: Option<SessionId>) -> Result<(), Error> {
        let Some(row) = messages::row(request) else { return Ok(()) };
        let connection = &self.connection;
        if connection.phase < row.phase && row.phase == Phase::Negotiated {
            return Err(Usage::NotConnected.into());
        }
        if row.phase == Phase::Negotiated
            && (!row.has_capabilities(connection) || !connection.rules.has(request))
        {
            return Err(Usage::NoCapability { request }.into());
        }
        self.check_selected(request, connection.missing_for(request))?;
        let open = session.and_then(|id| self.session(id));
        if let Some(open) = open
            && messages::interrupts_key_update(request, open)
        {
            return Err(Usage::Updating { session: open.id }.into());
        }
        let place = row.place.permits(open);
        let misplaced =
            if open.is_none() { Usage::NotInSession { request } } else { Usage::InSession { request } };
        place.map_err(|_| misplaced.into())
    }

    /// Protects a message in a record. Remembers a sent KEY_UPDATE: after UpdateAllKeys, the responder acknowledges
    /// under its next key or refuses under its current one.
    pub(crate) fn seal(&mut self, id: SessionId, message: &[u8]) -> Result<Vec<u8>, Error> {
        let open = self.sessions.iter_mut().find(|session| session.id == id);
        let session = open.ok_or(Usage::NoSession { session: id })?;
        let record = session.send(message, &mut *self.rng)?;
        if let [_, code, operation, tag, ..] = *message
            && Code(code) == Code::KEY_UPDATE
        {
            session.update_sent(KeyUpdate { operation: KeyOperation(operation), tag });
        }
        Ok(record)
    }

    /// Opens a record with an SPDM message. Application data is an error, because it answers no request. This error
    /// leaves the session as it is, as DMTF's libspdm does.
    pub(crate) fn unseal(&mut self, id: SessionId, record: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        match self.open_record(id, record)? {
            Content::Spdm(message) => Ok(message),
            Content::Application(_) => Err(RecordError::Application.into()),
        }
    }

    /// Opens a record. If its tag is valid but its contents contradict their length, the session ends. The responder does the
    /// same: see `responder_records.rs`.
    pub(crate) fn open_record(&mut self, id: SessionId, record: &[u8]) -> Result<Content, Error> {
        let session = self.session_mut(id).ok_or(Usage::NoSession { session: id })?;
        let content = session.unseal(record);
        if matches!(content, Err(RecordError::Inside)) {
            self.end_sessions(|open| open.id == id);
        }
        Ok(content?)
    }

    /// Checks that a response may contain this OpaqueData.
    pub(crate) fn check_peer_opaque(&self, request: Code, opaque: &[u8]) -> Result<(), Error> {
        let violation = Violation::OpaqueData;
        let fine = self.connection.takes_opaque_data(opaque);
        if fine { Ok(()) } else { Err(Error::Violation { request, violation }) }
    }

    /// Returns HeartbeatPeriod of a session, if it has one.
    pub(crate) fn heartbeat_period(&self, session: SessionId) -> Option<Duration> {
        self.session(session).filter(|open| open.has_heartbeat()).map(|open| open.heartbeat)
    }

    /// Checks HeartbeatPeriod of a new session.
    pub(crate) fn check_heartbeat(&self, request: Code, period: u8) -> Result<(), Error> {
        let violation = Violation::Heartbeat;
        let fine = period == 0 || self.connection.both_have(Caps::HBEAT);
        if fine { Ok(()) } else { Err(Error::Violation { request, violation }) }
    }

    /// Draws ReqSessionID of a new session.
    pub(crate) fn session_number(&mut self) -> u16 {
        u16::from_le_bytes(self.random())
    }

    /// Encodes OpaqueData with the offered versions of secured messages.
    pub(crate) fn encode_version_offer(&self, request: Code) -> Result<Vec<u8>, Error> {
        if let Some(kind) = self.connection.missing_for_sessions() {
            return Err(Usage::NothingInCommon { request, kind }.into());
        }
        let value = |error| Error::Usage(Usage::Value(error));
        secured_version::encode_offer(&self.config, self.connection.version()).map_err(value)
    }
}
