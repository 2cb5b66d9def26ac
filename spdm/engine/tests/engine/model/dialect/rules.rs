//! The dialect's rules for requests: whether a request is allowed now, and whether its fields are valid.
//!
//! The rules are written from the prototype's documentation and from SPDM 1.1, not from the responder.

use crate::model::dialect::session::Session;
use crate::model::dialect::state::{Model, Phase};
use crate::model::dialect::tables::Offer;
use crate::model::fields::Fields;
use crate::model::negotiation::are_consistent;
use crate::model::rules::{HINT, PSK, offer};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::dhe;

/// SPDMVersion of the dialect.
pub(super) const VERSION: u8 = 0x11;
/// The slot of keys without certificates.
pub(super) const NO_SLOT: u8 = 0xFF;
/// The indexes of the responder's measurement blocks.
pub(super) const BLOCKS: [u8; 3] = [1, 2, 0x10];
/// The maximum number of sessions.
pub(super) const SESSIONS: usize = 3;
/// HeartbeatPeriod.
pub(super) const HEARTBEAT: u8 = 10;

pub(super) const INVALID: ErrorCode = ErrorCode::INVALID_REQUEST;
const UNEXPECTED: ErrorCode = ErrorCode::UNEXPECTED_REQUEST;
pub(super) const MISMATCH: ErrorCode = ErrorCode::VERSION_MISMATCH;
const UNSUPPORTED: ErrorCode = ErrorCode::UNSUPPORTED_REQUEST;
const RESYNCH: ErrorCode = ErrorCode::REQUEST_RESYNCH;

/// The place where a request is allowed.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Outside,
    Handshake,
    Session,
    /// Outside sessions, and in sessions after the handshake.
    ExceptHandshake,
}

/// A request: code, first phase, place, capabilities of which the requester needs one, and whether the request ends B if the
/// responder has not authenticated itself.
type Rule = (u8, Phase, Place, u32, bool);

#[rustfmt::skip]
const RULES: &[Rule] = &[
    (0x84, Phase::Start,        Place::Outside,         0,              false),
    (0xE1, Phase::Version,      Place::Outside,         0,              false),
    (0xE3, Phase::Capabilities, Place::Outside,         0,              false),
    (0x81, Phase::Negotiated,   Place::ExceptHandshake, 0,              false),
    (0x82, Phase::Negotiated,   Place::ExceptHandshake, 0,              false),
    (0x83, Phase::Negotiated,   Place::Outside,         0,              false),
    (0xE0, Phase::Negotiated,   Place::ExceptHandshake, 0,              true),
    (0xE4, Phase::Negotiated,   Place::Outside,         Caps::KEY_EX.0, true),
    (0xE5, Phase::Negotiated,   Place::Handshake,       Caps::KEY_EX.0, true),
    (0xE6, Phase::Negotiated,   Place::Outside,         PSK,            true),
    (0xE7, Phase::Negotiated,   Place::Handshake,       PSK,            true),
    (0xE8, Phase::Negotiated,   Place::Session,         Caps::HBEAT.0,  true),
    (0xE9, Phase::Negotiated,   Place::Session,         Caps::KEY_UPD.0, true),
    (0xEC, Phase::Negotiated,   Place::Session,         Caps::KEY_EX.0 | PSK, true),
    (0xFE, Phase::Negotiated,   Place::ExceptHandshake, 0,              false),
];

/// The requests of SPDM 1.1 for which this responder has no capability: those of encapsulated requests.
const WITHOUT_CAPABILITY: [u8; 2] = [0xEA, 0xEB];
/// Requests of later versions. The last two have the codes of the fragment messages.
const LATER: [u8; 10] = [0x87, 0x88, 0xE2, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xFC, 0xFD];

/// Returns whether the request is allowed only in a session or its handshake.
pub(super) fn needs_session(code: u8) -> bool {
    RULES.iter().any(|rule| rule.0 == code && matches!(rule.2, Place::Handshake | Place::Session))
}

/// Returns whether the request ends B if the responder has not authenticated itself.
pub(super) fn ends_b(code: u8) -> bool {
    RULES.iter().any(|rule| rule.0 == code && rule.4)
}

/// Returns whether the response to this request is sent in fragments, even if it is ERROR.
pub(super) const fn is_split(code: u8) -> bool {
    matches!(code, 0x83 | 0xE0 | 0xE4)
}

/// The expected response.
#[derive(Debug)]
pub(super) struct Verdict {
    /// The possible ErrorCodes; none if a response other than ERROR is expected.
    pub(super) errors: Vec<ErrorCode>,
    /// Whether the request is allowed now.
    pub(super) admitted: bool,
}

impl Verdict {
    fn refused(error: ErrorCode) -> Self {
        Self { errors: vec![error], admitted: false }
    }
}

impl Model {
    /// Predicts the response. `session`: the request's session. `clear`: the request belongs to the session but is not
    /// encrypted.
    pub(super) fn predict(&self, session: Option<&Session>, clear: bool, m: &[u8]) -> Verdict {
        if self.is_lost() && m.get(1) != Some(&0x84) {
            return Verdict::refused(RESYNCH);
        }
        if m.len() < 4 {
            return Verdict::refused(INVALID);
        }
        if session.is_none() && self.is_repeated(m) {
            return Verdict { errors: Vec::new(), admitted: false };
        }
        match self.early_error(session, clear, m) {
            Some(error) => Verdict::refused(error),
            // an unparsable request is invalid
            None => {
                Verdict { errors: self.field_errors(session, m).unwrap_or(vec![INVALID]), admitted: true }
            }
        }
    }

    /// Returns whether only GET_VERSION is accepted.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some() || self.no_common_hash
    }

    /// Returns the error of a request that is not allowed now.
    fn early_error(&self, session: Option<&Session>, clear: bool, m: &[u8]) -> Option<ErrorCode> {
        let code = m[1];
        match RULES.iter().find(|rule| rule.0 == code) {
            Some(rule) => self.rule_error(rule, session, clear, m[0]),
            None if code == 0xFF => Some(self.respond_if_ready_error(m)),
            None if WITHOUT_CAPABILITY.contains(&code) || LATER.contains(&code) => {
                Some(self.unsupported_error(m[0], UNEXPECTED))
            }
            // there are no chunks before 1.2
            None if matches!(code, 0x85 | 0x86) => Some(self.unsupported_error(m[0], UNSUPPORTED)),
            None => Some(UNSUPPORTED),
        }
    }

    /// Returns the error of a request that the responder knows but does not support. `early`: the error between
    /// CAPABILITIES and ALGORITHMS.
    fn unsupported_error(&self, version: u8, early: ErrorCode) -> ErrorCode {
        match self.phase {
            Phase::Start | Phase::Version => UNEXPECTED,
            _ if version != VERSION => MISMATCH,
            Phase::Capabilities => early,
            _ => UNSUPPORTED,
        }
    }

    /// Returns the error of RESPOND_IF_READY: no signature of this responder needs time.
    fn respond_if_ready_error(&self, m: &[u8]) -> ErrorCode {
        match m.len() {
            _ if m[0] != self.version() => MISMATCH,
            4 => UNEXPECTED,
            _ => INVALID,
        }
    }

    /// Checks version, phase, support and place, in this order.
    fn rule_error(
        &self,
        &(code, from, at, needs, _): &Rule,
        session: Option<&Session>,
        clear: bool,
        version: u8,
    ) -> Option<ErrorCode> {
        let decided = self.phase >= Phase::Capabilities;
        if code == 0x84 && version != 0x10 || code != 0x84 && decided && version != VERSION {
            return Some(MISMATCH);
        }
        let negotiates = matches!(code, 0xE1 | 0xE3);
        if self.phase < from || negotiates && self.phase > from {
            return Some(UNEXPECTED);
        }
        // the responder has all of these capabilities
        if needs != 0 && self.flags & needs == 0 {
            return Some(UNSUPPORTED);
        }
        // until VerifyNewKey, only KEY_UPDATE and END_SESSION are allowed
        let interrupted = session.is_some_and(|session| session.unverified) && !matches!(code, 0xE9 | 0xEC);
        self.place_error(code, at, session, clear)
            .or_else(|| self.missing_algorithm(code))
            .or_else(|| interrupted.then_some(UNEXPECTED))
    }

    fn place_error(&self, code: u8, at: Place, session: Option<&Session>, clear: bool) -> Option<ErrorCode> {
        match (at, session.map(|session| session.in_handshake)) {
            // 1.1 does not define SessionRequired
            (Place::Handshake | Place::Session, None) => Some(ErrorCode::UNSPECIFIED),
            (Place::Outside | Place::ExceptHandshake, None)
            | (Place::Session | Place::ExceptHandshake, Some(false)) => None,
            (Place::Handshake, Some(true)) if code != 0xE5 || clear || !self.has_clear_handshake() => None,
            _ => Some(UNEXPECTED),
        }
    }

    /// Returns the error of a request that needs a kind of algorithm that ALGORITHMS did not select.
    fn missing_algorithm(&self, code: u8) -> Option<ErrorCode> {
        let selected = &self.selected;
        let certified = self.has_certificates();
        let authenticates = certified || selected.signature.is_some() || selected.kem_auth.is_some();
        let exchanges = selected.dhe || selected.kem.is_some();
        let protects = selected.aead.is_some() && selected.key_schedule;
        match code {
            // the prototype has no chains to answer with
            0x81 | 0x82 => (!certified).then_some(UNSUPPORTED),
            0x83 => (!authenticates).then_some(RESYNCH),
            0xE4 => (!authenticates || !exchanges || !protects).then_some(RESYNCH),
            0xE6 => (!protects).then_some(RESYNCH),
            _ => None,
        }
    }

    /// Returns the errors that the fields may get; `None` if the message's length does not match its fields.
    fn field_errors(&self, session: Option<&Session>, m: &[u8]) -> Option<Vec<ErrorCode>> {
        let fields = Fields(&m[4..]);
        match (m[1], session) {
            (0xE1, _) => capabilities_errors(m[0], fields),
            (0xE3, _) => self.algorithms_errors(m),
            (0x81, _) => {
                let empty = self.slots().next().is_none();
                fields.errors_at_end(if empty { vec![ErrorCode::UNSPECIFIED] } else { vec![] })
            }
            (0x82, _) => self.certificate_errors(m, fields),
            (0x83, _) => self.challenge_errors(m, fields),
            (0xE0, _) => self.measurements_errors(m, fields),
            (0xE4, _) => self.key_exchange_errors(m, fields),
            (0xE6, _) => self.psk_exchange_errors(m, fields),
            (0xE5 | 0xE7, Some(session)) if session.psk != (m[1] == 0xE7) => Some(vec![UNEXPECTED]),
            (0xE5 | 0xE7, Some(session)) => self.finish_errors(session, m, fields),
            (0xE9, Some(session)) => key_update_errors(session, m, &fields),
            // the device knows no vendor's message
            (0xFE, _) => Some(vec![INVALID, UNSUPPORTED]),
            _ => fields.errors_at_end(vec![]),
        }
    }

    fn algorithms_errors(&self, m: &[u8]) -> Option<Vec<ErrorCode>> {
        let offer = Offer::parse(m)?;
        let refused = offer.tables.nine && !self.settings.nine;
        Some(if refused { vec![INVALID] } else { vec![] })
    }

    /// GET_CERTIFICATE has 32-bit fields after the empty 16-bit fields.
    fn certificate_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(4)?;
        let offset = fields.number(4)? as usize;
        fields.take(4)?;
        let hash = self.selected.hash?;
        let fine = self.slot(m[2]).is_some_and(|slot| offset < slot.chain(hash).len());
        fields.errors_at_end(if fine { vec![] } else { vec![INVALID] })
    }

    /// Returns the errors of a request that the responder authenticates itself with this slot.
    fn slot_errors(&self, slot: u8) -> Vec<ErrorCode> {
        let fine = if self.has_certificates() { self.slot(slot).is_some() } else { slot == NO_SLOT };
        if fine { vec![] } else { vec![INVALID] }
    }

    /// Returns the errors that an invalid MeasurementSummaryHashType may get.
    fn summary_errors(&self, summary: u8) -> Vec<ErrorCode> {
        let mut errors = Vec::new();
        errors.extend((!matches!(summary, 0 | 1 | 0xFF)).then_some(INVALID));
        errors.extend((summary != 0 && !self.selected.measures).then_some(UNEXPECTED));
        errors
    }

    fn challenge_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(32)?;
        fields.take(self.selected.kem_auth.map_or(0, |kem| kem.ciphertext_len))?;
        fields.errors_at_end([self.slot_errors(m[2]), self.summary_errors(m[3])].concat())
    }

    fn measurements_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let mut errors = Vec::new();
        if m[2] & 1 != 0 {
            fields.take(32)?;
            let slot = fields.number(1)? as u8 & 0xF;
            // KEM authentication cannot replace this signature
            let signs = self.has_certificates() || self.selected.signature.is_some();
            errors.extend((!signs).then_some(RESYNCH));
            errors.extend(self.slot_errors(if slot == 0xF { NO_SLOT } else { slot }));
        }
        errors.extend((!matches!(m[3], 0 | 0xFF) && !BLOCKS.contains(&m[3])).then_some(INVALID));
        errors.extend((!self.selected.measures).then_some(UNEXPECTED));
        fields.errors_at_end(errors)
    }

    /// ExchangeData has a part for each negotiated algorithm, and at the end the ciphertext of KEM authentication.
    fn key_exchange_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(4 + 32)?;
        let on_curve = match self.selected.dhe {
            true => is_on_curve(fields.take(64)?),
            false => true,
        };
        fields.take(self.selected.kem.map_or(0, |kem| kem.key_len))?;
        fields.take(self.selected.kem_auth.map_or(0, |kem| kem.ciphertext_len))?;
        let fine = fields.counted(2)? == offer(VERSION) && on_curve;
        let mut errors = [self.slot_errors(m[3]), self.summary_errors(m[2])].concat();
        errors.extend((!fine || !self.knows_requester()).then_some(INVALID));
        errors.extend(self.limit_error());
        fields.errors_at_end(errors)
    }

    fn psk_exchange_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        fields.take(2)?;
        let lens = [fields.number(2)?, fields.number(2)?, fields.number(2)?].map(|len| len as usize);
        let (hint, context) = (fields.take(lens[0])?, fields.take(lens[1])?);
        let fine = fields.take(lens[2])? == offer(VERSION) && hint == HINT && context.len() >= 32;
        let mut errors = self.summary_errors(m[2]);
        errors.extend((!fine).then_some(INVALID));
        errors.extend(self.limit_error());
        fields.errors_at_end(errors)
    }

    /// Returns the error of a request for a session if there are too many. Otherwise the new session may replace one in
    /// its handshake.
    fn limit_error(&self) -> Option<ErrorCode> {
        let full = self.sessions.len() == SESSIONS && !self.sessions.iter().any(|open| open.in_handshake);
        full.then_some(ErrorCode::SESSION_LIMIT_EXCEEDED)
    }

    /// FINISH has a signature field if the responder requested authentication, and only then. PSK_FINISH has none.
    fn finish_errors(&self, session: &Session, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let proves = m[1] == 0xE5 && m[2] & 1 != 0;
        if proves != session.mutual || proves && m[3] != NO_SLOT {
            return Some(vec![INVALID]);
        }
        let field = fields.take(if proves { self.requester_field_len() } else { 0 })?;
        let mac = fields.take(session.hash.output_len())?;
        let fine = (!proves || self.accepts_field(session, &m[..4], field))
            && session.requester_verify_data(&m[..4 + field.len()]) == mac;
        fields.errors_at_end(if fine { vec![] } else { vec![ErrorCode::DECRYPT_ERROR] })
    }
}

fn capabilities_errors(version: u8, mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
    if version != VERSION {
        return Some(vec![MISMATCH]);
    }
    fields.take(4)?;
    let flags = fields.number(4)?;
    fields.errors_at_end(if are_consistent(flags, VERSION) { vec![] } else { vec![INVALID] })
}

fn is_on_curve(point: &[u8]) -> bool {
    let group = dhe(3).unwrap();
    group.kem().encaps_key(&group.from_wire(point)).is_ok()
}

fn key_update_errors(session: &Session, m: &[u8], fields: &Fields<'_>) -> Option<Vec<ErrorCode>> {
    let again = m[2] == 3 && session.last_key_update == m[2..];
    let fine = if session.unverified { m[2] == 3 } else { again || matches!(m[2], 1 | 2) };
    fields.errors_at_end(if fine { vec![] } else { vec![INVALID] })
}
