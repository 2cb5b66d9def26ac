//! The model: the state of a conversation, and the effects of messages.

use crate::model::device::{DeviceLog, KEY_PAIRS};
use crate::model::encapsulated::{EncapsulatedFlow, KnownPeer};
use crate::model::identity::{Settings, Slot, signing_input};
use crate::model::negotiation::known_flags;
use crate::model::provisioning;
use crate::model::rules::{self, BLOCKS, HEARTBEAT, SESSIONS};
pub(crate) use crate::model::session::Session;
use crate::model::session::{Mutual, SessionParams};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::dhe;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::operations::ResponderRequest;
use grille_spdm_engine::records::Aead;
use grille_spdm_engine::signatures;
use std::collections::BTreeSet;
use std::rc::Rc;

pub(crate) use grille_spdm_engine::connection::Phase;

/// The state of the device, which outlives connections.
#[derive(Clone, Default)]
pub(crate) struct DeviceState {
    /// The responder's slots.
    pub(crate) slots: Vec<Slot>,
    /// CurrentKeyUsage of the responder's key pairs.
    pub(crate) usage: [[u8; 2]; KEY_PAIRS as usize],
    /// The codes of encapsulated requests that were answered correctly, for the test's coverage.
    pub(crate) answered: BTreeSet<u8>,
    /// The values of MutAuthRequested in opened sessions, for the test's coverage.
    pub(crate) requested_mut_auth: BTreeSet<u8>,
    /// Whether a session was opened on a multi-key connection.
    pub(crate) multi_key_seen: bool,
}

/// A deferred request, whose signature needs time.
pub(crate) struct Deferred {
    pub(crate) request: Vec<u8>,
    pub(crate) session: Option<u32>,
    pub(crate) token: u8,
}

/// The state of a conversation.
pub(crate) struct Model {
    pub(crate) settings: Rc<Settings>,
    pub(crate) device_state: DeviceState,
    pub(crate) phase: Phase,
    pub(crate) version: u8,
    /// The requester's capabilities.
    pub(crate) flags: u32,
    /// The requester's DataTransferSize.
    pub(crate) transfer: usize,
    pub(crate) max_message_size: usize,
    pub(crate) hash: Option<&'static Hash>,
    pub(crate) aead: Option<&'static Aead>,
    /// Whether ALGORITHMS selected a signature algorithm.
    pub(crate) asym: bool,
    /// Whether ALGORITHMS selected a key exchange.
    pub(crate) dhe: bool,
    pub(crate) key_schedule: bool,
    pub(crate) measures: bool,
    /// Whether the measurement log is available.
    pub(crate) logs: bool,
    /// Whether opaque data is allowed.
    pub(crate) opaque: bool,
    /// Whether the requester has a signature algorithm.
    pub(crate) req_asym: bool,
    /// Whether the requester has a multi-key connection.
    pub(crate) multi_key: bool,
    /// Whether the responder has a multi-key connection.
    pub(crate) responder_multi_key: bool,
    /// The responder's last DIGESTS outside sessions.
    digests: Vec<u8>,
    pub(crate) peer: KnownPeer,
    /// The active encapsulated request flows.
    pub(crate) flows: Vec<EncapsulatedFlow>,
    /// The queued requests with their session; `None` for any session and outside sessions.
    pub(crate) queued_requests: Vec<(Option<u32>, ResponderRequest)>,
    /// The data that the device must have received.
    pub(crate) device_log: DeviceLog,
    pub(crate) sessions: Vec<Session>,
    /// The last request and response of VCA; the request may be repeated.
    pub(crate) repeatable_vca: Option<(Vec<u8>, Vec<u8>)>,
    pub(crate) deferred: Option<Deferred>,
    /// The version of the lost connection, while only GET_VERSION is accepted.
    pub(crate) lost: Option<u8>,
    /// Whether ALGORITHMS selected no hash, so that the next request loses the connection.
    pub(crate) no_common_hash: bool,
    /// The ErrorCode with which the device refuses requests; `None` if it does not refuse them.
    pub(crate) device_refusal: Option<ErrorCode>,
    /// Where the last chunked response was sent, while its last chunk may be requested again: `Some(Some(id))` in a
    /// session, `Some(None)` outside sessions. `None` if no chunk may be requested again.
    pub(crate) chunked_place: Option<Option<u32>>,
    pub(crate) vca: Vec<u8>,
    b: Vec<u8>,
    l: Vec<u8>,
    authenticated: bool,
}

impl Model {
    pub(crate) fn new(settings: Rc<Settings>, device_state: DeviceState) -> Self {
        Self {
            settings,
            device_state,
            phase: Phase::Start,
            version: 0x10,
            flags: 0,
            transfer: usize::MAX,
            max_message_size: usize::MAX,
            hash: None,
            aead: None,
            asym: false,
            dhe: false,
            key_schedule: false,
            measures: false,
            logs: false,
            opaque: false,
            req_asym: false,
            multi_key: false,
            responder_multi_key: false,
            digests: Vec::new(),
            peer: KnownPeer::default(),
            flows: Vec::new(),
            queued_requests: Vec::new(),
            device_log: DeviceLog::default(),
            sessions: Vec::new(),
            repeatable_vca: None,
            deferred: None,
            lost: None,
            no_common_hash: false,
            device_refusal: None,
            chunked_place: None,
            vca: Vec::new(),
            b: Vec::new(),
            l: Vec::new(),
            authenticated: false,
        }
    }

    pub(crate) fn session(&mut self, id: u32) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    /// Returns the responder's chain in a slot.
    pub(crate) fn chain(&self, slot: u8) -> Option<Vec<u8>> {
        self.device_state.slots.iter().find(|known| known.number == slot)?.chain(self.hash?)
    }

    pub(crate) fn has_chain(&self, slot: u8) -> bool {
        self.chain(slot).is_some()
    }

    /// Returns whether a slot's key may sign messages that need the key usage `wanted`. KeyUsageMask applies on
    /// multi-key connections only.
    pub(crate) fn can_sign(&self, number: u8, wanted: u8) -> bool {
        let slot = self.device_state.slots.iter().find(|slot| slot.number == number);
        self.has_chain(number)
            && slot.is_some_and(|slot| !self.responder_multi_key || slot.usage & wanted != 0)
    }

    /// Returns the session that a message in the clear belongs to.
    pub(crate) fn clear_session(&self, code: u8) -> Option<u32> {
        let last = self.sessions.last().filter(|last| last.is_in_handshake() && !last.psk);
        let place = last.filter(|_| self.has_clear_handshake()).map(|last| last.id);
        match code {
            0xE5 => place,
            // These codes belong to the session only if it has an active flow.
            0xEA | 0xEB => place.filter(|_| self.flow_at(place).is_some()),
            _ => None,
        }
    }

    /// Returns L1/L2 of a session, or outside sessions.
    fn measurement_transcript(&mut self, session: Option<u32>) -> &mut Vec<u8> {
        match session {
            Some(id) => &mut self.sessions.iter_mut().find(|session| session.id == id).unwrap().l,
            None => &mut self.l,
        }
    }

    /// Applies the effects that every allowed request has.
    pub(crate) fn apply_allowed(&mut self) {
        self.deferred = None;
        self.repeatable_vca = None;
    }

    /// Updates transcripts after a request was answered, or refused with an error that ends transcripts.
    fn end_transcripts(&mut self, session: Option<u32>, code: u8) {
        // a request in chunks, or deferred, is handled when it is complete
        if matches!(code, 0x85 | 0x86 | 0xFF) {
            return;
        }
        if code != 0xE0 {
            self.measurement_transcript(session).clear();
        }
        if code == 0x81 && session.is_none() || rules::ends_b(code) && !self.authenticated {
            self.b.clear();
        }
    }

    /// Applies ERROR.
    pub(crate) fn refused(&mut self, session: Option<u32>, m: &[u8], error: u8) {
        let code = m.get(1).copied();
        // Transcripts do not end after Busy, UnexpectedRequest, UnsupportedRequest, RequestInFlight, SessionRequired,
        // RequestTooLarge, VersionMismatch, ResponseNotReady and NoPendingRequests, for GET_VERSION, and for session
        // requests outside sessions.
        let apart = matches!(code, Some(0x84)) || session.is_none() && rules::needs_session(code);
        let nothing = matches!(error, 0x03 | 0x04 | 0x07 | 0x08 | 0x0B | 0x0E | 0x41 | 0x42 | 0x45);
        if m.len() >= 4 && !nothing && !apart {
            self.end_transcripts(session, m[1]);
        }
        if matches!(code, Some(0xEA | 0xEB)) {
            self.flow_refused(session, m, error);
        }
        // L1/L2 does not end after Busy, RequestInFlight, LargeResponse and ResponseNotReady
        if m.len() >= 4 && m[1] == 0xE0 && !matches!(error, 0x03 | 0x08 | 0x0F | 0x42) {
            self.measurement_transcript(session).clear();
        }
        match error {
            // RequesterVerifyData was invalid, or the device refused with this code
            0x06 => self.end(|open| Some(open.id) == session),
            0x43 => self.lose_connection(),
            _ => {}
        }
    }

    /// Checks everything in the response that the standard determines.
    pub(crate) fn answered(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        assert_eq!(r[1], m[1] & 0x7F, "{r:02x?}");
        self.end_transcripts(session, m[1]);
        match m[1] {
            0x84 => self.on_version(m, r),
            0xE1 => self.on_capabilities(m, r),
            0xE3 => self.on_algorithms(m, r),
            0x81 | 0x82 => self.on_identity(session, m, r),
            0x83 => self.on_challenge_auth(m, r),
            0xE0 => self.on_measurements(session, m, r),
            0xE4 => self.on_key_exchange_rsp(m, r),
            0xE6 => self.on_psk_exchange_rsp(m, r),
            0xE5 | 0xE7 => self.on_finish_rsp(session, m, r),
            0xE9 => {
                assert_eq!(r[2..], m[2..]);
                let session = self.session(session.unwrap()).unwrap();
                session.unverified = m[2] != 3;
                session.last_key_update = [m[2], m[3]];
                if m[2] != 3 {
                    session.update(0);
                }
            }
            0xEA => self.on_encapsulated_request(session, r),
            0xEB => self.on_acknowledged(session, m, r),
            0xEC => self.end(|one| Some(one.id) == session),
            0xF0 => self.on_subscribed(session.unwrap(), m, r),
            0xF1 => self.on_event_ack(session.unwrap(), m, r),
            code if provisioning::CODES.contains(&code) => self.on_device_answer(m, r),
            _ => {}
        }
    }

    fn on_version(&mut self, m: &[u8], r: &[u8]) {
        assert_eq!(r, [0x10, 4, 0, 0, 0, 5, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0x13, 0, 0x14]);
        self.reset_connection();
        self.phase = Phase::Version;
        self.vca = [m, r].concat();
    }

    fn reset_connection(&mut self) {
        self.end(|_| true);
        let device_log = std::mem::take(&mut self.device_log);
        *self =
            Self { device_log, ..Self::new(self.settings.clone(), std::mem::take(&mut self.device_state)) };
    }

    /// Applies the loss of the connection.
    pub(crate) fn lose_connection(&mut self) {
        let version = self.lost.unwrap_or(self.version);
        self.reset_connection();
        self.lost = Some(version);
    }

    fn on_capabilities(&mut self, m: &[u8], r: &[u8]) {
        self.version = m[0];
        self.phase = Phase::Capabilities;
        let number = |at: usize| u32::from_le_bytes(m[at..at + 4].try_into().unwrap());
        self.flags = if self.version >= 0x11 { known_flags(number(8), self.version) } else { 0 };
        if self.version >= 0x12 {
            (self.transfer, self.max_message_size) = (number(12) as usize, number(16) as usize);
        }
        assert_eq!(r[8..12], self.responder_flags().to_le_bytes());
        let block = self.version >= 0x13 && m[2] & 1 != 0;
        assert_eq!((r[2] & 1 != 0, r.len() > 20), (block && self.chunks(), block && self.chunks()));
        self.vca.extend([m, r].concat());
        self.repeatable_vca = Some((m.to_vec(), r.to_vec()));
    }

    /// Checks DIGESTS and CERTIFICATE.
    fn on_identity(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        if m[1] == 0x81 {
            let full =
                self.device_state.slots.iter().filter_map(|slot| Some((slot, self.chain(slot.number)?)));
            let (mut mask, mut digests, mut per_slot) = (0, Vec::new(), [(); 3].map(|()| Vec::new()));
            for (slot, chain) in full {
                mask |= 1 << slot.number;
                digests.extend_from_slice(self.hash.unwrap().digest(&[&chain]).as_ref());
                for (list, fields) in
                    per_slot.iter_mut().zip([&[slot.key_pair()][..], &[slot.model], &[slot.usage, 0]])
                {
                    list.extend_from_slice(fields);
                }
            }
            digests.extend(per_slot.concat().into_iter().filter(|_| self.responder_multi_key));
            let there = self.device_state.slots.iter().fold(0, |mask, slot| mask | 1 << slot.number);
            let supported = if self.version >= 0x13 { there } else { 0 };
            assert_eq!((r[2], r[3], &r[4..]), (supported, mask, &digests[..]));
        } else {
            let large = self.version >= 0x14 && m[2] & 0x80 != 0;
            let (at, width) = if large { (8, 4) } else { (4, 2) };
            let number = |bytes: &[u8], at: usize| {
                bytes[at..at + width].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
            };
            let chain = self.chain(m[2] & 0xF).unwrap();
            let offset = if self.version >= 0x13 && m[3] & 1 != 0 { 0 } else { number(m, at) };
            let (portion, rest) = (&r[at + 2 * width..], &chain[offset..]);
            assert_eq!((number(r, at), number(r, at + width)), (portion.len(), rest.len() - portion.len()));
            assert!(portion.len() <= number(m, at + width) && rest.starts_with(portion));
            let slot = self
                .device_state
                .slots
                .iter()
                .find(|slot| self.responder_multi_key && slot.number == m[2] & 0xF);
            assert_eq!(r[3], slot.map_or(0, |slot| slot.model));
        }
        if m[1] == 0x81 && session.is_none() && self.responder_multi_key {
            self.digests = r.to_vec();
        }
        if session.is_none() {
            self.b.extend([m, r].concat());
        }
    }

    pub(crate) fn verify(&self, slot: u8, context: &'static str, parts: &[&[u8]], signature: &[u8]) {
        let message = signing_input(self.version, self.hash.unwrap(), context, parts);
        let slot = self.device_state.slots.iter().find(|known| known.number == slot).unwrap();
        signatures::verify(self.settings.asym, &slot.key, &message, signature)
            .expect("the transcripts are the same");
    }

    pub(crate) fn signature_len(&self) -> usize {
        self.settings.asym.signature_len()
    }

    fn on_challenge_auth(&mut self, m: &[u8], r: &[u8]) {
        let (body, signature) = r.split_at(r.len() - self.signature_len());
        let full = self.device_state.slots.iter().filter(|slot| self.has_chain(slot.number));
        let back = if self.requests_mutual_auth() { 0x80 } else { 0 };
        assert_eq!((r[2], r[3]), (m[2] | back, full.fold(0, |mask, slot| mask | 1 << slot.number)));
        self.verify(m[2], signatures::CHALLENGE_AUTH, &[&self.vca, &self.b, m, body], signature);
        self.b.clear();
        self.authenticated = true;
        self.peer.proved = false;
        if self.requests_mutual_auth() {
            self.begin_flow(None, 0);
        }
    }

    fn on_measurements(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        let blocks = match m[3] {
            0 => 0,
            0xFF => BLOCKS.len(),
            _ => 1,
        };
        assert_eq!(usize::from(r[4]), blocks);
        if m[2] & 1 == 0 {
            assert_eq!(r[3], 0);
            self.measurement_transcript(session).extend([m, r].concat());
            return;
        }
        let (body, signature) = r.split_at(r.len() - self.signature_len());
        let slot = if self.version >= 0x11 { m[36] & 0xF } else { 0 };
        // this device's measurements never change
        assert_eq!(r[3], slot | if self.version >= 0x12 { 0x20 } else { 0 });
        let vca = if self.version >= 0x12 { self.vca.clone() } else { Vec::new() };
        let l = std::mem::take(self.measurement_transcript(session));
        self.verify(slot, signatures::MEASUREMENTS, &[&vca, &l, m, body], signature);
    }

    fn on_key_exchange_rsp(&mut self, m: &[u8], r: &[u8]) {
        let (hash, clear) = (self.hash.unwrap(), self.has_clear_handshake());
        let mac = if clear { 0 } else { hash.output_len() };
        let (signed, mac) = r.split_at(r.len() - mac);
        let (body, signature) = signed.split_at(signed.len() - self.signature_len());
        let chain = hash.digest(&[&self.chain(m[3]).unwrap()]);
        self.device_state.multi_key_seen |= self.responder_multi_key;
        let mut th = [&self.vca, &self.digests, chain.as_ref(), m, body].concat();
        self.verify(m[3], signatures::KEY_EXCHANGE_RSP, &[&th], signature);
        th.extend_from_slice(signature);
        let exchange = dhe(3).unwrap();
        let shared = self.settings.ephemeral.decapsulate(&exchange.from_wire(&r[40..104])).unwrap();
        let (mut_auth, slot, mutual) = self.requested_authentication();
        assert_eq!(r[6..8], [mut_auth, slot], "mutual authentication");
        let id = self.open([m[4], m[5], r[4], r[5]], false, r[2], m[6], shared.as_ref(), th, mac);
        let shown = match mutual {
            Mutual::Slot(slot) => Some((slot, self.settings.host.digest(hash, slot))),
            _ => None,
        };
        let session = self.session(id).unwrap();
        (session.mut_auth, session.mutual) = (mut_auth, mutual);
        shown.into_iter().for_each(|(slot, chain)| session.bind(slot, chain.as_ref()));
        if mutual == Mutual::Pending {
            self.begin_flow(Some(id), mut_auth);
        }
    }

    fn on_psk_exchange_rsp(&mut self, m: &[u8], r: &[u8]) {
        let (before, mac) = r.split_at(r.len() - self.hash.unwrap().output_len());
        let th = [&self.vca, m, before].concat();
        let shared = self.settings.psk.clone();
        self.open([m[4], m[5], r[4], r[5]], true, r[2], m[3], &shared, th, mac);
    }

    #[allow(clippy::too_many_arguments, reason = "fields that two messages have at different offsets")]
    fn open(
        &mut self,
        id: [u8; 4],
        psk: bool,
        heartbeat: u8,
        policy: u8,
        shared: &[u8],
        th: Vec<u8>,
        mac: &[u8],
    ) -> u32 {
        let both = |cap: Caps| self.flags & self.responder_flags() & cap.0 != 0;
        assert_eq!(heartbeat, if both(Caps::HBEAT) { HEARTBEAT } else { 0 });
        let opening = SessionParams {
            id: u32::from_le_bytes(id),
            psk,
            version: self.version,
            hash: self.hash.unwrap(),
            aead: self.aead.unwrap(),
            encrypted: both(Caps::ENCRYPT),
            heartbeat,
            survives_updates: self.version >= 0x12 && policy & 1 != 0,
            subscribed_to_all: self.version >= 0x13 && policy & 2 != 0,
        };
        let mut session = Session::open(&opening, shared, th);
        if psk || !self.has_clear_handshake() {
            assert_eq!(session.responder_verify_data(), mac);
        }
        assert!(self.sessions.iter().all(|open| open.id != session.id));
        if self.sessions.len() == SESSIONS {
            let eldest = self.sessions.iter().position(Session::is_in_handshake).unwrap();
            self.sessions.remove(eldest);
        }
        self.sessions.push(session);
        opening.id
    }

    fn on_finish_rsp(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        let (clear, version) = (self.has_clear_handshake() && m[1] == 0xE5, self.version);
        let session = self.session(session.unwrap()).unwrap();
        session.th.extend_from_slice(m);
        let (body, mac) = r.split_at(if version >= 0x14 { 6 } else { 4 });
        session.th.extend_from_slice(body);
        assert_eq!(mac, if clear { session.responder_verify_data() } else { Vec::new() });
        session.establish();
        let (id, mut_auth, subscribed, identity) =
            (session.id, session.mut_auth, session.subscribed, session.requester_identity());
        self.device_state.requested_mut_auth.insert(mut_auth);
        self.device_log.opened.push((id, identity));
        self.device_log.subscribers.extend(subscribed.then_some(id));
    }

    /// Advances the clock. Sessions end if their requester was silent for twice HeartbeatPeriod.
    pub(crate) fn wait(&mut self, seconds: u64) {
        self.sessions.iter_mut().for_each(|session| session.idle += seconds);
        self.end(|session| session.heartbeat != 0 && session.idle > 2 * session.heartbeat);
    }

    /// Applies an update of the device.
    pub(crate) fn updated(&mut self) {
        self.end(|session| !session.survives_updates);
    }

    /// Ends the sessions for which `over` returns true, and notifies the device of those that were established.
    pub(crate) fn end(&mut self, over: impl Fn(&Session) -> bool) {
        let (over, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.sessions).into_iter().partition(over);
        self.sessions = rest;
        let established = over.iter().filter(|session| !session.is_in_handshake());
        self.device_log.ended.extend(established.map(|session| session.id));
    }
}
