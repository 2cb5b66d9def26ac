//! The table of requests: phase, place, capabilities and transcript of each. `dispatch.rs` has their handlers.

use crate::connection::{Connection, Phase};
use crate::error::Refusal;
use crate::session::Session;
use crate::transcript::TranscriptPart;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::error::ErrorCode;

/// A row of the table: one request.
pub(crate) struct Row {
    /// The request's code.
    pub(crate) code: Code,
    /// The phase from which the request is allowed.
    pub(crate) phase: Phase,
    /// The place where the request is allowed.
    pub(crate) place: Place,
    /// Alternative capabilities, at least one of which is needed. Empty if the request needs none.
    pub(crate) needs: Caps,
    /// The side that needs the capability.
    pub(crate) side: CapabilitySide,
    /// The transcript that the request and its response are part of.
    pub(crate) transcript_part: TranscriptPart,
}

impl Row {
    /// Returns whether the capabilities were negotiated.
    pub(crate) fn has_capabilities(&self, connection: &Connection) -> bool {
        // the only capability in ExtFlags
        if self.code == Code::SLOT_MANAGEMENT {
            return connection.responder.ext_flags.contains(ExtCapabilityFlags::SLOT_MGMT);
        }
        // events and subscriptions need encapsulated requests
        let encapsulates = matches!(self.code, Code::SUBSCRIBE_EVENT_TYPES | Code::SEND_EVENT);
        if encapsulates && !connection.both_have(Caps::ENCAP) {
            return false;
        }
        self.needs.is_empty()
            || match self.side {
                CapabilitySide::Responder => connection.responder_has(self.needs),
                CapabilitySide::Requester => connection.requester_has(self.needs),
                CapabilitySide::Both => connection.both_have(self.needs),
            }
    }
}

/// The side that needs a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CapabilitySide {
    Responder,
    Requester,
    Both,
}

/// The place where a request is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Only outside sessions.
    Outside,
    /// Outside sessions, or in a session whose handshake is complete.
    ExceptHandshake,
    /// Outside sessions, in a handshake, and in a session. Encapsulated request flows do their own checks.
    Everywhere,
    /// Only in a handshake.
    Handshake,
    /// Only in a session whose handshake is complete.
    Session,
}

impl Place {
    /// Checks that the request is allowed in this session, or outside.
    pub(crate) fn permits(self, session: Option<&Session>) -> Result<(), Refusal> {
        let handshake = session.map(Session::is_in_handshake);
        match (self, handshake) {
            (Self::Everywhere, _)
            | (Self::Outside | Self::ExceptHandshake, None)
            | (Self::Handshake, Some(true))
            | (Self::ExceptHandshake | Self::Session, Some(false)) => Ok(()),
            (Self::Handshake | Self::Session, None) => Err(Refusal::new(ErrorCode::SESSION_REQUIRED)),
            _ => Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)),
        }
    }
}

#[rustfmt::skip]
macro_rules! requests {
    ($($code:ident $phase:ident $place:ident [$($cap:ident)*] $side:ident $part:ident;)*) => {
        /// The requests of DSP0274.
        pub(crate) static REQUESTS: &[Row] = &[$(Row {
            code: Code::$code,
            phase: Phase::$phase,
            place: Place::$place,
            needs: Caps(0 $(| Caps::$cap.0)*),
            side: CapabilitySide::$side,
            transcript_part: TranscriptPart::$part,
        }),*];
    };
}

requests! {
    // code               phase         place     capability               side   transcript_part
    GET_VERSION           Start         Outside   []                       Responder Vca;
    GET_CAPABILITIES      Version       Outside   []                       Responder Vca;
    NEGOTIATE_ALGORITHMS  Capabilities  Outside   []                       Responder Vca;
    GET_DIGESTS           Negotiated    ExceptHandshake  [CERT]                   Responder B;
    GET_CERTIFICATE       Negotiated    ExceptHandshake  [CERT]                   Responder B;
    CHALLENGE             Negotiated    Outside   [CHAL]                   Responder C;
    GET_MEASUREMENTS      Negotiated    ExceptHandshake  [MEAS_NO_SIG MEAS_SIG]   Responder L;
    KEY_EXCHANGE          Negotiated    Outside   [KEY_EX]                 Both      Th;
    FINISH                Negotiated    Handshake [KEY_EX]                 Both      Th;
    PSK_EXCHANGE          Negotiated    Outside   [PSK PSK_WITH_CONTEXT]   Both      Th;
    PSK_FINISH            Negotiated    Handshake [PSK PSK_WITH_CONTEXT]   Both      Th;
    GET_ENCAPSULATED_REQUEST      Negotiated Everywhere [ENCAP] Both Other;
    DELIVER_ENCAPSULATED_RESPONSE Negotiated Everywhere [ENCAP] Both Other;
    GET_ENDPOINT_INFO     Negotiated    ExceptHandshake  [EP_INFO_NO_SIG EP_INFO_SIG] Responder Il;
    GET_MEASUREMENT_EXTENSION_LOG Negotiated ExceptHandshake [MEL]               Responder Other;
    GET_CSR               Negotiated    ExceptHandshake  [CSR]                   Responder Nothing;
    SET_CERTIFICATE       Negotiated    ExceptHandshake  [SET_CERT]              Responder Nothing;
    GET_KEY_PAIR_INFO     Negotiated    ExceptHandshake  [GET_KEY_PAIR_INFO]     Responder Nothing;
    SET_KEY_PAIR_INFO     Negotiated    ExceptHandshake  [SET_KEY_PAIR_INFO]     Responder Nothing;
    SLOT_MANAGEMENT       Negotiated    ExceptHandshake  []                      Responder Nothing;
    VENDOR_DEFINED_REQUEST Negotiated   ExceptHandshake  []                      Responder Nothing;
    GET_SUPPORTED_EVENT_TYPES Negotiated Session  [EVENT]                 Responder Nothing;
    SUBSCRIBE_EVENT_TYPES Negotiated    Session   [EVENT]                 Responder Nothing;
    SEND_EVENT            Negotiated    Session   [EVENT]                 Requester Nothing;
    HEARTBEAT             Negotiated    Session   [HBEAT]                  Both      Other;
    KEY_UPDATE            Negotiated    Session   [KEY_UPD]                Both      Other;
    END_SESSION           Negotiated    Session   [KEY_EX PSK PSK_WITH_CONTEXT] Both      Other;
}

/// Returns the code of a message; 0, which is reserved, if it is too short.
pub(crate) fn message_code(message: &[u8]) -> Code {
    Code(message.get(1).copied().unwrap_or_default())
}

/// Returns whether a request is not allowed during a key update, DSP0274 "Session key update synchronization". After UpdateKey or
/// UpdateAllKeys, the requester may only repeat it, send VerifyNewKey, or end the session; application data must wait. DSP0274
/// does not specify the error for other requests. They are refused as out of order, like any premature request.
pub(crate) fn interrupts_key_update(code: Code, session: &Session) -> bool {
    session.is_updating() && !matches!(code, Code::KEY_UPDATE | Code::END_SESSION)
}

/// Returns the row of a request.
pub(crate) fn row(code: Code) -> Option<&'static Row> {
    REQUESTS.iter().find(|row| row.code == code)
}

/// Returns the transcript of a request and its response.
pub(crate) fn transcript_part(code: Code) -> TranscriptPart {
    row(code).map_or(TranscriptPart::Nothing, |row| row.transcript_part)
}
