//! The model: the state of a conversation, and the effects of messages.

use crate::model::dialect::fragments::Fragments;
use crate::model::dialect::keys::{KemKey, Slot};
use crate::model::dialect::rules::{self, BLOCKS, HEARTBEAT, NO_SLOT, SESSIONS, VERSION};
use crate::model::dialect::session::{Session, SessionParams};
use crate::model::dialect::setup::{PSK, Settings};
use crate::model::dialect::tables::{Offer, Selected, Support, read_algorithms};
use crate::model::negotiation::known_flags;
use crate::model::rules::PSK as PSK_FLAGS;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::pqc2021::PublicKeyMode;
use grille_spdm_engine::signatures;
use std::rc::Rc;

pub(super) use grille_spdm_engine::connection::Phase;

/// The state of a conversation.
pub(super) struct Model {
    pub(super) settings: Rc<Settings>,
    pub(super) phase: Phase,
    /// The requester's capabilities.
    pub(super) flags: u32,
    /// The algorithms of ALGORITHMS.
    pub(super) selected: Selected,
    pub(super) sessions: Vec<Session>,
    /// The last request and response of VCA; the request may be repeated.
    pub(super) repeatable_vca: Option<(Vec<u8>, Vec<u8>)>,
    /// The version of the lost connection, while only GET_VERSION is accepted.
    pub(super) lost: Option<u8>,
    /// Whether ALGORITHMS selected no hash, so that the next request loses the connection.
    pub(super) no_common_hash: bool,
    pub(super) fragments: Fragments,
    vca: Vec<u8>,
    b: Vec<u8>,
    l: Vec<u8>,
    authenticated: bool,
}

impl Model {
    pub(super) fn new(settings: Rc<Settings>) -> Self {
        Self {
            settings,
            phase: Phase::Start,
            flags: 0,
            selected: Selected::default(),
            sessions: Vec::new(),
            repeatable_vca: None,
            lost: None,
            no_common_hash: false,
            fragments: Fragments::default(),
            vca: Vec::new(),
            b: Vec::new(),
            l: Vec::new(),
            authenticated: false,
        }
    }

    /// Returns the connection's version: 1.0 before CAPABILITIES.
    pub(super) fn version(&self) -> u8 {
        if self.phase >= Phase::Capabilities { VERSION } else { 0x10 }
    }

    pub(super) fn session(&mut self, id: u32) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.id == id)
    }

    fn both_support(&self, cap: Caps) -> bool {
        self.flags & self.settings.flags.0 & cap.0 != 0
    }

    pub(super) fn has_clear_handshake(&self) -> bool {
        self.both_support(Caps::HANDSHAKE_IN_THE_CLEAR)
    }

    /// Returns whether the responder authenticates itself with certificates: in RAW mode they have the classical key.
    pub(super) fn has_certificates(&self) -> bool {
        let certified = self.settings.mode == PublicKeyMode::Certificate;
        self.selected.asym || certified && self.selected.signature.is_some()
    }

    /// Returns the slots whose certificates have the negotiated keys.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        let raw = self.settings.mode == PublicKeyMode::Raw;
        let signature = self.selected.signature.filter(|_| !raw);
        let slots = self.settings.keys.slots.iter().filter(|_| self.has_certificates());
        slots.filter(move |slot| (slot.asym, slot.signature) == (self.selected.asym, signature))
    }

    pub(super) fn slot(&self, number: u8) -> Option<&Slot> {
        self.slots().find(|slot| slot.number == number)
    }

    /// Returns the responder's key of the negotiated KEM authentication.
    pub(super) fn kem_key(&self) -> Option<&KemKey> {
        let kem = self.selected.kem_auth?;
        self.settings.keys.kems.iter().find(|key| key.algorithm == kem)
    }

    /// Returns the session that a message in the clear belongs to.
    pub(super) fn clear_session(&self, code: u8) -> Option<u32> {
        let last = self.sessions.last().filter(|last| last.in_handshake && !last.psk && code == 0xE5);
        last.filter(|_| self.has_clear_handshake()).map(|last| last.id)
    }

    /// Returns whether the request repeats the last one of VCA.
    pub(super) fn is_repeated(&self, m: &[u8]) -> bool {
        self.repeatable_vca.as_ref().is_some_and(|(request, _)| request == m)
    }

    /// Returns L1/L2 of a session, or outside sessions.
    fn measurement_transcript(&mut self, session: Option<u32>) -> &mut Vec<u8> {
        match session {
            Some(id) => &mut self.sessions.iter_mut().find(|session| session.id == id).unwrap().l,
            None => &mut self.l,
        }
    }

    /// Updates transcripts after a request was answered, or refused with an error that ends transcripts.
    fn end_transcripts(&mut self, session: Option<u32>, code: u8) {
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
    pub(super) fn refused(&mut self, session: Option<u32>, m: &[u8], error: u8) {
        // Transcripts do not end after UnexpectedRequest, UnsupportedRequest and VersionMismatch, for GET_VERSION, and
        // for session requests outside sessions.
        let nothing = matches!(error, 0x04 | 0x07 | 0x41);
        if let [_, code, _, _, ..] = *m {
            let apart = code == 0x84 || session.is_none() && rules::needs_session(code);
            if !nothing && !apart {
                self.end_transcripts(session, code);
            }
            if code == 0xE0 {
                self.measurement_transcript(session).clear();
            }
        }
        match error {
            0x06 => self.sessions.retain(|open| Some(open.id) != session),
            0x43 => self.lose_connection(),
            _ => {}
        }
    }

    /// Applies the loss of the connection.
    pub(super) fn lose_connection(&mut self) {
        let version = self.lost.unwrap_or(self.version());
        *self = Self { lost: Some(version), ..Self::new(self.settings.clone()) };
    }

    /// Checks everything in the response that is determined, and applies its effects.
    pub(super) fn answered(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        assert_eq!(r[1], m[1] & 0x7F, "{r:02x?}");
        self.end_transcripts(session, m[1]);
        match m[1] {
            0x84 => self.on_version(m, r),
            0xE1 => self.on_capabilities(m, r),
            0xE3 => self.on_algorithms(m, r),
            0x81 => self.on_digests(session, m, r),
            0x82 => self.on_certificate(session, m, r),
            0x83 => self.on_challenge_auth(m, r),
            0xE0 => self.on_measurements(session, m, r),
            0xE4 => self.on_key_exchange_rsp(m, r),
            0xE6 => self.on_psk_exchange_rsp(m, r),
            0xE5 | 0xE7 => self.on_finish_rsp(session, m, r),
            0xE9 => self.on_key_update_ack(session, m, r),
            0xEC => self.sessions.retain(|open| Some(open.id) != session),
            _ => assert_eq!(r.len(), 4),
        }
    }

    fn on_version(&mut self, m: &[u8], r: &[u8]) {
        assert_eq!(r, [0x10, 4, 0, 0, 0, 1, 0, VERSION], "the dialect has one version");
        *self = Self { phase: Phase::Version, ..Self::new(self.settings.clone()) };
        self.vca = [m, r].concat();
    }

    fn on_capabilities(&mut self, m: &[u8], r: &[u8]) {
        self.phase = Phase::Capabilities;
        let flags = u32::from_le_bytes(m[8..12].try_into().unwrap());
        self.flags = known_flags(flags, VERSION);
        assert_eq!(r[8..], known_flags(self.settings.flags.0, VERSION).to_le_bytes());
        self.vca.extend([m, r].concat());
        self.repeatable_vca = Some((m.to_vec(), r.to_vec()));
    }

    fn on_algorithms(&mut self, m: &[u8], r: &[u8]) {
        let offer = Offer::parse(m).unwrap();
        let key_exchange = self.both_support(Caps::KEY_EX);
        let sessions = key_exchange || self.flags & PSK_FLAGS != 0;
        let both = Support { key_exchange, sessions, mutual: self.both_support(Caps::MUT_AUTH) };
        let expected = self.settings.select(&offer, both);
        let aeads = if sessions { 7 } else { 0 };
        let selected = read_algorithms(&expected, &offer, r, aeads);
        assert_eq!(selected.measures, selected.hash.is_some() && m[6] & 1 != 0);
        if selected.hash.is_none() {
            self.no_common_hash = true;
            return;
        }
        (self.selected, self.phase) = (selected, Phase::Negotiated);
        self.vca.extend([m, r].concat());
        self.repeatable_vca = Some((m.to_vec(), r.to_vec()));
    }

    fn hash(&self) -> &'static Hash {
        self.selected.hash.unwrap()
    }

    fn on_digests(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        let (hash, mut mask, mut digests) = (self.hash(), 0, Vec::new());
        for slot in self.slots() {
            mask |= 1 << slot.number;
            digests.extend_from_slice(hash.digest(&[&slot.chain(hash)]).as_ref());
        }
        assert_eq!((r[2], r[3], &r[4..]), (0, mask, &digests[..]));
        self.append_b(session, m, r);
    }

    fn append_b(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        if session.is_none() {
            self.b.extend([m, r].concat());
        }
    }

    fn on_certificate(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        let number =
            |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let chain = self.slot(m[2]).unwrap().chain(self.hash());
        let (portion, rest) = (&r[16..], &chain[number(m, 8)..]);
        assert_eq!((r[2], &r[4..8]), (m[2], &[0; 4][..]));
        assert_eq!((number(r, 8), number(r, 12)), (portion.len(), rest.len() - portion.len()));
        assert!(portion.len() <= number(m, 12) && rest.starts_with(portion));
        assert!(!portion.is_empty() || number(m, 12) == 0);
        self.append_b(session, m, r);
    }

    /// Returns the hash of a slot in CHALLENGE_AUTH; `None` for slot 0xFF without the option `strict`.
    fn chain_hash(&self, slot: u8) -> Option<Vec<u8>> {
        let chain = self.slot(slot).map(|slot| slot.chain(self.hash()));
        self.with_keys(chain)
    }

    /// Returns the hash of `certified`. With the option `strict` it is combined with the keys without certificates.
    fn with_keys(&self, certified: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let hash = self.hash();
        let certified = certified.map(|bytes| hash.digest(&[&bytes]).as_ref().to_vec());
        if !self.settings.strict {
            return certified;
        }
        let signature = self.raw_key().map_or(&[][..], |key| key.bytes());
        let kem = self.kem_key().map_or(&[][..], |key| &key.public);
        Some(hash.digest(&[&certified.unwrap_or_default(), signature, kem]).as_ref().to_vec())
    }

    fn on_challenge_auth(&mut self, m: &[u8], r: &[u8]) {
        let hash = self.hash();
        let mac_len = self.selected.kem_auth.map_or(0, |_| hash.output_len());
        let (signed, mac) = r.split_at(r.len() - mac_len);
        let (body, field) = signed.split_at(signed.len() - self.field_len(false));
        let mask = if m[2] == NO_SLOT { 0 } else { 1 << m[2] };
        assert_eq!((r[2], r[3]), (m[2] & 0xF, mask));
        let chain_hash = self.chain_hash(m[2]).unwrap_or_else(|| vec![0; hash.output_len()]);
        assert_eq!(body[4..4 + hash.output_len()], chain_hash);
        let covered = [&self.vca, &self.b, m, body].concat();
        self.verify_field(m[2], signatures::CHALLENGE_AUTH, &covered, field, false);
        self.verify_mac(&m[36..], &[&covered, field].concat(), mac);
        self.b.clear();
        self.authenticated = true;
    }

    /// Applies CHALLENGE_AUTH whose last fragment is not fetched.
    pub(super) fn challenge_abandoned(&mut self) {
        self.repeatable_vca = None;
        self.end_transcripts(None, 0x83);
        self.b.clear();
        self.authenticated = true;
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
        let (body, field) = r.split_at(r.len() - self.field_len(true));
        let slot = m[36] & 0xF;
        assert_eq!(r[3], slot);
        let covered = [&std::mem::take(self.measurement_transcript(session)), m, body].concat();
        let slot = if slot == 0xF { NO_SLOT } else { slot };
        self.verify_field(slot, signatures::MEASUREMENTS, &covered, field, true);
    }

    fn on_key_exchange_rsp(&mut self, m: &[u8], r: &[u8]) {
        let hash = self.hash();
        let mac_len = if self.has_clear_handshake() { 0 } else { hash.output_len() };
        let (signed, mac) = r.split_at(r.len() - mac_len);
        let (body, field) = signed.split_at(signed.len() - self.field_len(false));
        // TH has the hash of the certificates without the header of the chain
        let certificates = self.with_keys(self.slot(m[3]).map(Slot::certificates)).unwrap_or_default();
        let mut th = [&self.vca, &certificates, m, body].concat();
        self.verify_field(m[3], signatures::KEY_EXCHANGE_RSP, &th, field, false);
        th.extend_from_slice(field);
        let mutual = self.requests_authentication();
        assert_eq!(r[6..8], if mutual { [1, NO_SLOT & 0xF] } else { [0, 0] });
        let params = self.session_params(m, r, false, mutual);
        let mut session = Session::open(&params, &self.shared_secret(&r[40..]), th);
        if !self.has_clear_handshake() {
            assert_eq!(session.responder_verify_data(), mac);
        }
        session.th.extend(self.requester_hash());
        self.add_session(session);
    }

    fn on_psk_exchange_rsp(&mut self, m: &[u8], r: &[u8]) {
        let (before, mac) = r.split_at(r.len() - self.hash().output_len());
        let th = [&self.vca, m, before].concat();
        let mut session = Session::open(&self.session_params(m, r, true, false), PSK, th);
        assert_eq!(session.responder_verify_data(), mac);
        self.add_session(session);
    }

    /// Returns the parameters of a new session, and checks HeartbeatPeriod.
    fn session_params(&self, m: &[u8], r: &[u8], psk: bool, mutual: bool) -> SessionParams {
        let heartbeat = if self.both_support(Caps::HBEAT) { HEARTBEAT } else { 0 };
        assert_eq!(r[2], heartbeat);
        SessionParams {
            // the requester's half is the upper one
            id: u32::from_le_bytes([r[4], r[5], m[4], m[5]]),
            hash: self.hash(),
            aead: self.selected.aead.unwrap(),
            encrypted: self.both_support(Caps::ENCRYPT),
            heartbeat,
            psk,
            mutual,
        }
    }

    fn add_session(&mut self, session: Session) {
        assert!(self.sessions.iter().all(|open| open.id != session.id));
        if self.sessions.len() == SESSIONS {
            let eldest = self.sessions.iter().position(|open| open.in_handshake).unwrap();
            self.sessions.remove(eldest);
        }
        self.sessions.push(session);
    }

    fn on_finish_rsp(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        let clear = self.has_clear_handshake() && m[1] == 0xE5;
        let session = self.session(session.unwrap()).unwrap();
        session.th.extend_from_slice(m);
        let (body, mac) = r.split_at(4);
        session.th.extend_from_slice(body);
        assert_eq!(mac, if clear { session.responder_verify_data() } else { Vec::new() });
        session.establish();
    }

    fn on_key_update_ack(&mut self, session: Option<u32>, m: &[u8], r: &[u8]) {
        assert_eq!(r[2..], m[2..]);
        let session = self.session(session.unwrap()).unwrap();
        session.unverified = m[2] != 3;
        session.last_key_update = [m[2], m[3]];
        if m[2] != 3 {
            session.update(0);
        }
    }

    /// Advances the clock. Sessions end if their requester was silent for twice HeartbeatPeriod.
    pub(super) fn wait(&mut self, seconds: u64) {
        self.sessions.iter_mut().for_each(|session| session.idle += seconds);
        self.sessions.retain(|session| session.heartbeat == 0 || session.idle <= 2 * session.heartbeat);
    }
}
