//! DSP0274's rules for requests: whether a request is allowed now, and whether its fields are valid.
//!
//! The rules are written from the standard, not from the responder, with a separate table and a separate parser for each message.

use crate::model::events::{self, is_vendor_len};
use crate::model::fields::Fields;
use crate::model::identity::signing_input;
use crate::model::negotiation::known_flags;
use crate::model::session::Mutual;
use crate::model::state::{Model, Phase, Session};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::dhe;
use grille_spdm_engine::signatures::FINISH;

/// PSK_CAP has two bits for responders and one for requesters.
pub(super) const PSK: u32 = Caps::PSK.0 | Caps::PSK_WITH_CONTEXT.0;
/// The responder's certificate slots.
pub(crate) const SLOTS: [u8; 2] = [0, 1];
/// The indexes of the responder's measurement blocks.
pub(crate) const BLOCKS: [u8; 3] = [1, 2, 0x10];
/// The maximum number of sessions.
pub(crate) const SESSIONS: usize = 3;
/// The responder's limit for one transfer, in bytes.
pub(crate) const DATA_TRANSFER_SIZE: usize = 700;
/// The responder's limit for a whole message, in bytes.
pub(crate) const MAX_MESSAGE_SIZE: usize = 1500;
/// HeartbeatPeriod.
pub(crate) const HEARTBEAT: u8 = 10;
/// An opaque data element of one byte, with its length.
pub(crate) const OPAQUE_ELEMENT: &[u8] = &[12, 0, 1, 0, 0, 0, 0, 0, 1, 0, 7, 0, 0, 0];
/// The hint of the pre-shared key.
pub(crate) const HINT: &[u8] = b"hint";

/// Bits of KeyUsageMask.
const KEY_EX_USE: u8 = 1;
const CHALLENGE_USE: u8 = 1 << 1;
const MEASUREMENT_USE: u8 = 1 << 2;
pub(crate) const ENDPOINT_INFO_USE: u8 = 1 << 3;

pub(super) const INVALID: ErrorCode = ErrorCode::INVALID_REQUEST;
const UNEXPECTED: ErrorCode = ErrorCode::UNEXPECTED_REQUEST;
pub(super) const MISMATCH: ErrorCode = ErrorCode::VERSION_MISMATCH;
const UNSUPPORTED: ErrorCode = ErrorCode::UNSUPPORTED_REQUEST;

/// The place where a request is allowed.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    Handshake,
    Session,
    /// Outside sessions, and in sessions after the handshake.
    ExceptHandshake,
    Everywhere,
}

/// The side that needs a capability.
#[derive(Clone, Copy, PartialEq)]
enum CapabilitySide {
    Responder,
    Requester,
    Both,
}

/// A request: code, first version, first phase, place, needed capability, the side that needs the capability, and
/// whether the request ends B if the responder has not authenticated itself.
type Rule = (u8, u8, Phase, Place, u32, CapabilitySide, bool);

#[rustfmt::skip]
const RULES: &[Rule] = &[
    (0x84, 0x10, Phase::Start,        Place::Outside,    0,                   CapabilitySide::Responder, false),
    (0xE1, 0x10, Phase::Version,      Place::Outside,    0,                   CapabilitySide::Responder, false),
    (0xE3, 0x10, Phase::Capabilities, Place::Outside,    0,                   CapabilitySide::Responder, false),
    (0x81, 0x10, Phase::Negotiated,   Place::ExceptHandshake,   Caps::CERT.0,        CapabilitySide::Responder, false),
    (0x82, 0x10, Phase::Negotiated,   Place::ExceptHandshake,   Caps::CERT.0,        CapabilitySide::Responder, false),
    (0x83, 0x10, Phase::Negotiated,   Place::Outside,    Caps::CHAL.0,        CapabilitySide::Responder, false),
    (0xE0, 0x10, Phase::Negotiated,   Place::ExceptHandshake,   Caps::MEAS_SIG.0,    CapabilitySide::Responder, true),
    (0xE4, 0x11, Phase::Negotiated,   Place::Outside,    Caps::KEY_EX.0,      CapabilitySide::Both,    true),
    (0xE5, 0x11, Phase::Negotiated,   Place::Handshake,  Caps::KEY_EX.0,      CapabilitySide::Both,    true),
    (0xE6, 0x11, Phase::Negotiated,   Place::Outside,    PSK,                 CapabilitySide::Both,    true),
    (0xE7, 0x11, Phase::Negotiated,   Place::Handshake,  PSK,                 CapabilitySide::Both,    true),
    (0xE8, 0x11, Phase::Negotiated,   Place::Session,    Caps::HBEAT.0,       CapabilitySide::Both,    true),
    (0xE9, 0x11, Phase::Negotiated,   Place::Session,    Caps::KEY_UPD.0,     CapabilitySide::Both,    true),
    (0xEA, 0x11, Phase::Negotiated,   Place::Everywhere, Caps::ENCAP.0,       CapabilitySide::Both,    true),
    (0xEB, 0x11, Phase::Negotiated,   Place::Everywhere, Caps::ENCAP.0,       CapabilitySide::Both,    true),
    (0xEC, 0x11, Phase::Negotiated,   Place::Session,    Caps::KEY_EX.0 | PSK, CapabilitySide::Both,    true),
    (0xFE, 0x10, Phase::Negotiated,   Place::ExceptHandshake,   0,                   CapabilitySide::Responder, false),
    (0x87, 0x13, Phase::Negotiated,   Place::ExceptHandshake,   Caps::EP_INFO_SIG.0, CapabilitySide::Responder, false),
    (0x88, 0x14, Phase::Negotiated,   Place::ExceptHandshake,   0,                   CapabilitySide::Responder, false),
    (0xE2, 0x13, Phase::Negotiated,   Place::Session,    Caps::EVENT.0,       CapabilitySide::Responder, false),
    (0xED, 0x12, Phase::Negotiated,   Place::ExceptHandshake,   Caps::CSR.0,         CapabilitySide::Responder, false),
    (0xEE, 0x12, Phase::Negotiated,   Place::ExceptHandshake,   Caps::SET_CERT.0,    CapabilitySide::Responder, false),
    (0xEF, 0x13, Phase::Negotiated,   Place::ExceptHandshake,   Caps::MEL.0,         CapabilitySide::Responder, true),
    (0xF0, 0x13, Phase::Negotiated,   Place::Session,    Caps::EVENT.0,       CapabilitySide::Responder, false),
    (0xF1, 0x13, Phase::Negotiated,   Place::Session,    Caps::EVENT.0,       CapabilitySide::Requester,    false),
    (0xFC, 0x13, Phase::Negotiated,   Place::ExceptHandshake,   Caps::GET_KEY_PAIR_INFO.0, CapabilitySide::Responder, false),
    (0xFD, 0x13, Phase::Negotiated,   Place::ExceptHandshake,   Caps::SET_KEY_PAIR_INFO.0, CapabilitySide::Responder, false),
];

/// Returns whether the request is allowed only in a session or its handshake.
pub(crate) fn needs_session(code: Option<u8>) -> bool {
    RULES.iter().any(|rule| Some(rule.0) == code && matches!(rule.3, Place::Handshake | Place::Session))
}

/// Returns whether the request ends B if the responder has not authenticated itself.
pub(crate) fn ends_b(code: u8) -> bool {
    RULES.iter().any(|rule| rule.0 == code && rule.6)
}

/// The expected response.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// The possible ErrorCodes; none if a response other than ERROR is expected.
    pub(crate) errors: Vec<ErrorCode>,
    /// Whether the request is allowed now. If so, deferred responses are discarded even if its fields are invalid.
    pub(crate) admitted: bool,
}

impl Verdict {
    fn refused(error: ErrorCode) -> Self {
        Self { errors: vec![error], admitted: false }
    }
}

impl Model {
    /// Predicts the response. `session`: the request's session. `clear`: the request belongs to the session but is not
    /// encrypted.
    pub(crate) fn predict(&self, session: Option<&Session>, clear: bool, m: &[u8]) -> Verdict {
        if self.lost.is_some() && m.get(1) != Some(&0x84) {
            return Verdict::refused(ErrorCode::REQUEST_RESYNCH);
        }
        let fetches = m.get(1) == Some(&0x86) && self.chunked_place.is_some();
        if self.no_common_hash && m.get(1) != Some(&0x84) && !fetches {
            return Verdict::refused(ErrorCode::REQUEST_RESYNCH);
        }
        if m.len() < 4 {
            return Verdict::refused(INVALID);
        }
        if session.is_none() && self.repeatable_vca.as_ref().is_some_and(|(request, _)| request == m) {
            return Verdict { errors: Vec::new(), admitted: false };
        }
        let code = m[1];
        let known = RULES.iter().find(|rule| rule.0 == code);
        let early = match (code, known) {
            (0x85 | 0x86, _) => self.chunk_error(session.is_some_and(|session| session.unverified), m),
            (0xFF, _) => self.respond_if_ready_error(session, m),
            (_, None) => Some(UNSUPPORTED),
            (_, Some(rule)) => self.rule_error(rule, session, clear, m[0]),
        };
        if let Some(error) = early {
            return Verdict::refused(error);
        }
        if matches!(code, 0x85 | 0x86 | 0xFF) {
            return Verdict { errors: Vec::new(), admitted: false };
        }
        let place = session.map(|session| session.id);
        if self.flow_at(place).is_some() && !matches!(code, 0x84 | 0xEA | 0xEB) {
            return Verdict::refused(ErrorCode::REQUEST_IN_FLIGHT);
        }
        // an unparsable request is invalid
        let mut errors = self.field_errors(session, m).unwrap_or(vec![INVALID]);
        errors.extend(self.device_refusal.filter(|_| asks_device(m)).map(|code| self.as_sent(code)));
        Verdict { errors, admitted: true }
    }

    /// Returns a code as it is sent: Unspecified in versions that do not define it.
    fn as_sent(&self, code: ErrorCode) -> ErrorCode {
        let since = match code {
            ErrorCode::DECRYPT_ERROR => 0x11,
            ErrorCode::OPERATION_FAILED => 0x13,
            _ => 0x10,
        };
        if self.version < since { ErrorCode::UNSPECIFIED } else { code }
    }

    /// Returns the verdict on a message that exceeds the responder's limits (1.2); `None` if it does not.
    pub(crate) fn too_long(&self, m: &[u8], chunked_place: bool) -> Option<Verdict> {
        let piece = if chunked_place { MAX_MESSAGE_SIZE } else { DATA_TRANSFER_SIZE };
        let lost = self.no_common_hash && m.get(1) != Some(&0x84);
        if lost || self.phase < Phase::Capabilities || self.version < 0x12 || m.len() <= piece {
            return None;
        }
        let shorter = self.chunks() && m.len() <= MAX_MESSAGE_SIZE;
        // GET_VERSION has version 1.0, which does not define RequestTooLarge
        let longer = if m[1] == 0x84 { ErrorCode::UNSPECIFIED } else { ErrorCode::REQUEST_TOO_LARGE };
        Some(Verdict::refused(if shorter { INVALID } else { longer }))
    }

    /// Returns whether both sides support chunks.
    pub(crate) fn chunks(&self) -> bool {
        self.version >= 0x12 && self.both_support(Caps::CHUNK.0)
    }

    pub(crate) fn both_support(&self, any: u32) -> bool {
        self.flags & any != 0 && self.responder_flags() & any != 0
    }

    /// Returns the responder's capabilities in the negotiated version.
    pub(crate) fn responder_flags(&self) -> u32 {
        known_flags(self.settings.flags.0, self.version)
    }

    pub(crate) fn has_clear_handshake(&self) -> bool {
        self.both_support(Caps::HANDSHAKE_IN_THE_CLEAR.0)
    }

    /// Checks version, phase, support and place, in this order.
    fn rule_error(
        &self,
        &(code, since, from, at, needs, side, _): &Rule,
        session: Option<&Session>,
        clear: bool,
        version: u8,
    ) -> Option<ErrorCode> {
        let decided = self.phase >= Phase::Capabilities;
        if code == 0x84 && version != 0x10 || code != 0x84 && decided && version != self.version {
            return Some(MISMATCH);
        }
        let negotiates = matches!(code, 0xE1 | 0xE3);
        if self.phase < from || negotiates && self.phase > from {
            return Some(UNEXPECTED);
        }
        let able = match side {
            CapabilitySide::Responder => needs == 0 || self.responder_flags() & needs != 0,
            CapabilitySide::Requester => self.flags & needs != 0,
            CapabilitySide::Both => self.both_support(needs),
        };
        // a requester receives events only with encapsulated requests
        let able = able && (!matches!(code, 0xF0 | 0xF1) || self.both_support(Caps::ENCAP.0));
        if code != 0x84 && (!able || since > self.version) {
            return Some(UNSUPPORTED);
        }
        // until VerifyNewKey, only KEY_UPDATE and END_SESSION are allowed
        let interrupted = session.is_some_and(|session| session.unverified) && !matches!(code, 0xE9 | 0xEC);
        let handshake = session.map(Session::is_in_handshake);
        match (at, handshake) {
            // 1.1 does not define SessionRequired
            (Place::Handshake | Place::Session, None) if self.version < 0x12 => Some(ErrorCode::UNSPECIFIED),
            (Place::Handshake | Place::Session, None) => Some(ErrorCode::SESSION_REQUIRED),
            (Place::Everywhere, _)
            | (Place::Outside | Place::ExceptHandshake, None)
            | (Place::Session | Place::ExceptHandshake, Some(false)) => None,
            (Place::Handshake, Some(true)) if code != 0xE5 || clear || !self.has_clear_handshake() => None,
            _ => Some(UNEXPECTED),
        }
        .or_else(|| self.lacks_algorithm(code).then_some(ErrorCode::REQUEST_RESYNCH))
        .or_else(|| interrupted.then_some(UNEXPECTED))
    }

    /// Returns the ErrorCode for CHUNK_GET without a pending response, or for CHUNK_SEND out of order; `None` if
    /// CHUNK_SEND_ACK contains the error.
    fn chunk_error(&self, interrupts: bool, m: &[u8]) -> Option<ErrorCode> {
        if self.phase >= Phase::Capabilities && m[0] != self.version {
            return Some(MISMATCH);
        }
        let number = if self.version >= 0x14 { 8 } else { 6 };
        match () {
            () if self.phase < Phase::Capabilities => Some(UNEXPECTED),
            () if !self.chunks() => Some(UNSUPPORTED),
            () if interrupts || m[1] == 0x86 && m.len() == number && self.chunked_place.is_none() => {
                Some(UNEXPECTED)
            }
            // A single byte of the large message follows after the header, the number and the size.
            () if m[1] == 0x85 && m.len() == 13 => None,
            () => Some(INVALID),
        }
    }

    fn respond_if_ready_error(&self, session: Option<&Session>, m: &[u8]) -> Option<ErrorCode> {
        if m[0] != self.version {
            return Some(MISMATCH);
        }
        if m.len() != 4 {
            return Some(INVALID);
        }
        // a deferred response ends with its session
        let open = |id: u32| self.sessions.iter().any(|session| session.id == id);
        let waiting = self.deferred.as_ref().filter(|deferred| deferred.session.is_none_or(open));
        let Some(deferred) = waiting else { return Some(UNEXPECTED) };
        let same = deferred.request[1] == m[2] && deferred.token == m[3];
        (!same || deferred.session != session.map(|session| session.id)).then_some(INVALID)
    }

    /// Returns the errors that the fields may get; `None` if the message's length does not match its fields.
    fn field_errors(&self, session: Option<&Session>, m: &[u8]) -> Option<Vec<ErrorCode>> {
        let fields = Fields(&m[4..]);
        match (m[1], session) {
            (0xE1, _) => self.capabilities_errors(m, fields),
            (0xE3, _) => self.offered(m).map(|_| Vec::new()),
            (0x82, _) => self.certificate_errors(m, fields),
            (0x83, _) => self.challenge_errors(m, fields),
            (0xE0, _) => self.measurements_errors(m, fields),
            (0xE4, _) => self.key_exchange_errors(m, fields),
            (0xE6, _) => self.psk_exchange_errors(m, fields),
            (0xE5 | 0xE7, Some(session)) => self.finish_errors(session, m, fields),
            (0xE9, Some(session)) => {
                let again = m[2] == 3 && session.last_key_update == m[2..];
                let fine = if session.unverified { m[2] == 3 } else { again || matches!(m[2], 1 | 2) };
                fields.errors_at_end(if fine { vec![] } else { vec![INVALID] })
            }
            (0x81, _) => {
                let empty = !self.device_state.slots.iter().any(|slot| self.has_chain(slot.number));
                fields.errors_at_end(if empty { vec![ErrorCode::UNSPECIFIED] } else { vec![] })
            }
            (0xEA, _) => {
                fields.errors_at_end(self.get_encapsulated_errors(session.map(|session| session.id)))
            }
            (0xEB, _) => Some(self.deliver_errors(session.map(|session| session.id), m)),
            (0xF1, Some(session)) => events::send_event_errors(session.responder_subscribed, fields),
            (0xFE, _) => self.vendor_errors(m, fields),
            _ => self.device_field_errors(session.is_some(), m, fields),
        }
    }

    fn certificate_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let large = self.version >= 0x14 && m[2] & 0x80 != 0;
        let skipped = if large { 4 } else { 0 };
        fields.take(skipped)?;
        let width = if large { 4 } else { 2 };
        let (offset, _) = (fields.number(width)? as usize, fields.number(width)?);
        let size_only = self.version >= 0x13 && m[3] & 1 != 0;
        let chain = self.chain(m[2] & 0xF);
        let fine = chain.is_some_and(|chain| size_only || offset < chain.len());
        fields.errors_at_end(if fine { vec![] } else { vec![INVALID] })
    }

    /// Returns the errors that a slot without this key usage, or an invalid MeasurementSummaryHashType, may get.
    fn slot_and_summary_errors(&self, slot: u8, summary: u8, wanted: u8) -> Vec<ErrorCode> {
        let mut errors = self.summary_errors(summary);
        errors.extend((!self.can_sign(slot, wanted)).then_some(INVALID));
        errors
    }

    /// Returns the errors that an invalid MeasurementSummaryHashType may get.
    fn summary_errors(&self, summary: u8) -> Vec<ErrorCode> {
        let mut errors = Vec::new();
        errors.extend((!matches!(summary, 0 | 1 | 0xFF)).then_some(INVALID));
        if summary != 0 && !self.measures {
            errors.push(UNEXPECTED);
        }
        errors
    }

    fn challenge_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(if self.version >= 0x13 { 40 } else { 32 })?;
        fields.errors_at_end(self.slot_and_summary_errors(m[2], m[3], CHALLENGE_USE))
    }

    fn measurements_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let (signed, mut errors) = (m[2] & 1 != 0, Vec::new());
        if signed {
            fields.take(32)?;
            let slot = if self.version >= 0x11 { fields.number(1)? as u8 & 0xF } else { 0 };
            errors.extend(self.signing_error(slot, MEASUREMENT_USE));
        }
        fields.take(if self.version >= 0x13 { 8 } else { 0 })?;
        errors.extend((!matches!(m[3], 0 | 0xFF) && !BLOCKS.contains(&m[3])).then_some(INVALID));
        errors.extend((!self.measures).then_some(UNEXPECTED));
        fields.errors_at_end(errors)
    }

    /// Returns the ErrorCode if the responder cannot sign with this slot.
    pub(super) fn signing_error(&self, slot: u8, wanted: u8) -> Option<ErrorCode> {
        let unproved = (!self.can_sign(slot, wanted)).then_some(INVALID);
        if self.asym { unproved } else { Some(ErrorCode::REQUEST_RESYNCH) }
    }

    fn key_exchange_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let policy = fields.take(4)?[2];
        fields.take(32)?;
        let point = fields.take(64)?;
        let len = fields.number(2)? as usize;
        let opaque = fields.take(len)?;
        let mut errors = self.slot_and_summary_errors(m[3], m[2], KEY_EX_USE);
        let secp256r1 = dhe(3)?;
        let on_curve = secp256r1.kem().encaps_key(&secp256r1.from_wire(point)).is_ok();
        let stranger =
            matches!(self.requested_authentication().2, Mutual::Slot(slot) if !self.knows_key(slot));
        errors.extend((!on_curve || !self.offers(opaque) || stranger).then_some(INVALID));
        errors.extend(self.session_errors(policy));
        fields.errors_at_end(errors)
    }

    fn psk_exchange_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(2)?;
        let lens = [fields.number(2)?, fields.number(2)?, fields.number(2)?].map(|len| len as usize);
        let (hint, context) = (fields.take(lens[0])?, fields.take(lens[1])?);
        let opaque = fields.take(lens[2])?;
        let mut errors = self.summary_errors(m[2]);
        errors.extend((hint != HINT || context.len() < 32 || !self.offers(opaque)).then_some(INVALID));
        errors.extend(self.session_errors(m[3]));
        fields.errors_at_end(errors)
    }

    /// Returns whether opaque data is valid; since 1.2 it is a list of elements, each padded to four bytes.
    pub(crate) fn accepts_opaque(&self, opaque: &[u8]) -> bool {
        let list = || {
            let mut fields = Fields(opaque);
            let count = fields.take(4)?[0];
            for _ in 0..count {
                let before = fields.0.len();
                fields.take(1)?;
                fields.counted(1)?;
                fields.counted(2)?;
                let len = before - fields.0.len();
                fields.take(len.next_multiple_of(4) - len)?;
            }
            Some(())
        };
        opaque.is_empty() || self.opaque && (self.version < 0x12 || list().is_some())
    }

    /// Returns whether the offered versions of secured messages are those that this test usually offers.
    fn offers(&self, opaque: &[u8]) -> bool {
        self.opaque && opaque == offer(self.version)
    }

    /// Returns the errors that SessionPolicy or the session limit may cause. At the limit, a new session replaces the
    /// oldest session in its handshake.
    fn session_errors(&self, policy: u8) -> Vec<ErrorCode> {
        let events = self.responder_flags() & Caps::EVENT.0 != 0 && self.both_support(Caps::ENCAP.0);
        let all_events = self.version >= 0x13 && policy & 2 != 0 && !events;
        let full = self.sessions.len() == SESSIONS && !self.sessions.iter().any(Session::is_in_handshake);
        let all_events = all_events.then_some(ErrorCode::INVALID_POLICY);
        all_events.into_iter().chain(full.then_some(ErrorCode::SESSION_LIMIT_EXCEEDED)).collect()
    }

    fn finish_errors(&self, session: &Session, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        if session.psk != (m[1] == 0xE7) {
            return Some(vec![UNEXPECTED]);
        }
        let opaque = if self.version >= 0x14 { fields.counted(2)? } else { &[] };
        let proves = m[1] == 0xE5 && m[2] & 1 != 0;
        let signature = fields.take(if proves && self.req_asym { self.signature_len() } else { 0 })?;
        let mac = fields.take(session.hash.output_len())?;
        fields.expect_end()?;
        let right = match session.mutual {
            Mutual::No => !proves,
            Mutual::Slot(slot) => proves && m[3] == slot,
            Mutual::Pending => false,
        };
        if !right || opaque.len() > 1024 || !self.accepts_opaque(opaque) {
            return Some(vec![INVALID]);
        }
        let message = &m[..m.len() - mac.len()];
        let parts = [&session.th, &message[..message.len() - signature.len()]];
        let proof = signing_input(self.version, session.hash, FINISH, &parts);
        let fine = (!proves || self.settings.host.verifies_signature(&proof, signature))
            && session.requester_verify_data(message) == mac;
        fields.errors_at_end(if fine { vec![] } else { vec![ErrorCode::DECRYPT_ERROR] })
    }

    fn vendor_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let fits = is_vendor_len(fields.number(2)?, fields.counted(1)?);
        let mut len = fields.number(2)?;
        if self.version >= 0x14 && m[2] & 0x80 != 0 {
            len = fields.number(4)?;
        }
        fields.take(len as usize)?;
        fields.errors_at_end(if fits { vec![] } else { vec![INVALID] })
    }
}

/// Returns whether the device may refuse this request. CHALLENGE (0x83), KEY_EXCHANGE (0xE4) and PSK_EXCHANGE (0xE6)
/// ask the device only if they request a MeasurementSummaryHash.
fn asks_device(m: &[u8]) -> bool {
    match m[1] {
        0x83 => m[3] != 0,
        0xE4 | 0xE6 => m[2] != 0,
        code => matches!(code, 0x87 | 0xE0 | 0xE2 | 0xEF | 0xFE),
    }
}

/// Returns OpaqueData that offers secured messages 1.0 to 1.2.
pub(crate) fn offer(version: u8) -> Vec<u8> {
    let header: &[u8] = if version >= 0x12 { &[1, 0, 0, 0] } else { b"FTMD\x01\x01\0\0" };
    [header, &[0, 0, 9, 0, 1, 1, 3, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0, 0]].concat()
}
