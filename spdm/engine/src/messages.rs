//! The table of requests: phase, place, capabilities, transcript and handler of each.

use crate::connection::{Connection, Phase};
use crate::context::Context;
use crate::error::Refusal;
use crate::reply::{IncomingRequest, Reply};
use crate::responder::Responder;
use crate::session::{Session, SessionId};
use crate::transcript::{Feeds, MeasurementTranscript, Prover, Transcript};
use crate::{
    capabilities, certificate, challenge, csr, digests, end_session, endpoint_info, events, finish,
    heartbeat, key_exchange, key_pair_info, key_update, measurements, mel, negotiate, psk, set_certificate,
    slot_management, vendor, version,
};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::error::ErrorCode;

/// A function that answers a request. It returns a value and changes neither transcripts nor sessions.
pub(crate) type Handler = fn(&mut Context, &IncomingRequest<'_>) -> Result<Reply, Refusal>;

/// A function that answers a message of an encapsulated request flow.
pub(crate) type FlowHandler = fn(&mut Responder, Option<SessionId>, &[u8]) -> Result<Vec<u8>, Refusal>;

/// The function that answers a request.
pub(crate) enum Dispatch {
    /// A handler that returns a value.
    Value(Handler),
    /// A method of the responder, for encapsulated request flows.
    Flow(FlowHandler),
}

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
    pub(crate) whose: CapabilitySide,
    /// The transcript that the request and its response are part of.
    pub(crate) feeds: Feeds,
    /// The function that answers.
    pub(crate) answer: Dispatch,
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
            || match self.whose {
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
    Anywhere,
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
        let handshake = session.map(Session::in_handshake);
        match (self, handshake) {
            (Self::Everywhere, _)
            | (Self::Outside | Self::Anywhere, None)
            | (Self::Handshake, Some(true))
            | (Self::Anywhere | Self::Session, Some(false)) => Ok(()),
            (Self::Handshake | Self::Session, None) => Err(Refusal::new(ErrorCode::SESSION_REQUIRED)),
            _ => Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)),
        }
    }
}

#[rustfmt::skip]
macro_rules! requests {
    ($($code:ident $phase:ident $place:ident [$($cap:ident)*] $whose:ident $feeds:ident $answer:ident $handle:path;)*) => {
        /// The requests of DSP0274.
        pub(crate) static REQUESTS: &[Row] = &[$(Row {
            code: Code::$code,
            phase: Phase::$phase,
            place: Place::$place,
            needs: Caps(0 $(| Caps::$cap.0)*),
            whose: CapabilitySide::$whose,
            feeds: Feeds::$feeds,
            answer: Dispatch::$answer($handle),
        }),*];
    };
}

requests! {
    // code               phase         place     capability               whose  feeds  answer
    GET_VERSION           Start         Outside   []                       Responder Vca     Value version::respond;
    GET_CAPABILITIES      Version       Outside   []                       Responder Vca     Value capabilities::respond;
    NEGOTIATE_ALGORITHMS  Capabilities  Outside   []                       Responder Vca     Value negotiate::respond;
    GET_DIGESTS           Negotiated    Anywhere  [CERT]                   Responder B       Value digests::respond;
    GET_CERTIFICATE       Negotiated    Anywhere  [CERT]                   Responder B       Value certificate::respond;
    CHALLENGE             Negotiated    Outside   [CHAL]                   Responder C       Value challenge::respond;
    GET_MEASUREMENTS      Negotiated    Anywhere  [MEAS_NO_SIG MEAS_SIG]   Responder L       Value measurements::respond;
    KEY_EXCHANGE          Negotiated    Outside   [KEY_EX]                 Both      Th      Value key_exchange::respond;
    FINISH                Negotiated    Handshake [KEY_EX]                 Both      Th      Value finish::respond;
    PSK_EXCHANGE          Negotiated    Outside   [PSK PSK_WITH_CONTEXT]   Both      Th      Value psk::respond;
    PSK_FINISH            Negotiated    Handshake [PSK PSK_WITH_CONTEXT]   Both      Th      Value psk::respond_finish;
    GET_ENCAPSULATED_REQUEST      Negotiated Everywhere [ENCAP] Both Other Flow Responder::encapsulated_request;
    DELIVER_ENCAPSULATED_RESPONSE Negotiated Everywhere [ENCAP] Both Other Flow Responder::encapsulated_response;
    GET_ENDPOINT_INFO     Negotiated    Anywhere  [EP_INFO_NO_SIG EP_INFO_SIG] Responder Il Value endpoint_info::respond;
    GET_MEASUREMENT_EXTENSION_LOG Negotiated Anywhere [MEL]               Responder Other   Value mel::respond;
    GET_CSR               Negotiated    Anywhere  [CSR]                   Responder Nothing Value csr::respond;
    SET_CERTIFICATE       Negotiated    Anywhere  [SET_CERT]              Responder Nothing Value set_certificate::respond;
    GET_KEY_PAIR_INFO     Negotiated    Anywhere  [GET_KEY_PAIR_INFO]     Responder Nothing Value key_pair_info::respond;
    SET_KEY_PAIR_INFO     Negotiated    Anywhere  [SET_KEY_PAIR_INFO]     Responder Nothing Value key_pair_info::respond_set;
    SLOT_MANAGEMENT       Negotiated    Anywhere  []                      Responder Nothing Value slot_management::respond;
    VENDOR_DEFINED_REQUEST Negotiated   Anywhere  []                      Responder Nothing Value vendor::respond;
    GET_SUPPORTED_EVENT_TYPES Negotiated Session  [EVENT]                 Responder Nothing Value events::respond;
    SUBSCRIBE_EVENT_TYPES Negotiated    Session   [EVENT]                 Responder Nothing Value events::respond_subscribe;
    SEND_EVENT            Negotiated    Session   [EVENT]                 Requester Nothing Value events::respond_event;
    HEARTBEAT             Negotiated    Session   [HBEAT]                  Both      Other   Value heartbeat::respond;
    KEY_UPDATE            Negotiated    Session   [KEY_UPD]                Both      Other   Value key_update::respond;
    END_SESSION           Negotiated    Session   [KEY_EX PSK PSK_WITH_CONTEXT] Both      Other   Value end_session::respond;
}

/// Returns the code of a message; 0, which is reserved, if it is too short.
pub(crate) fn code_of(message: &[u8]) -> Code {
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
pub(crate) fn feeds(code: Code) -> Feeds {
    row(code).map_or(Feeds::Nothing, |row| row.feeds)
}

/// ErrorCodes that leave transcripts unchanged: the responder did not process the request, or the requester repeats it.
///
/// This deviates from DSP0274, where every message but GET_MEASUREMENTS ends L1/L2. Responders such as DMTF's libspdm refuse with
/// these codes before they update transcripts. A requester sees only the code, not the point at which the request was refused.
const TRANSCRIPT_NEUTRAL: [ErrorCode; 9] = [
    ErrorCode::BUSY,
    ErrorCode::RESPONSE_NOT_READY,
    ErrorCode::REQUEST_TOO_LARGE,
    ErrorCode::REQUEST_IN_FLIGHT,
    ErrorCode::UNSUPPORTED_REQUEST,
    ErrorCode::UNEXPECTED_REQUEST,
    ErrorCode::NO_PENDING_REQUESTS,
    ErrorCode::VERSION_MISMATCH,
    ErrorCode::SESSION_REQUIRED,
];

/// Updates transcripts after a request was answered with ERROR. Both sides use this function.
///
/// The request ends the same transcripts as with any other response. Exceptions: the codes of [`TRANSCRIPT_NEUTRAL`], GET_VERSION, and
/// requests outside sessions that are allowed only in sessions. GET_MEASUREMENTS also ends L1/L2, unless the requester repeats it
/// after this error. `measured`: L1/L2 of the request's session; `None` outside sessions.
pub(crate) fn update_after_error(
    code: Code,
    error: ErrorCode,
    authenticated: bool,
    transcript: &mut Transcript,
    mut measured: Option<&mut MeasurementTranscript>,
) {
    let misplaced = measured.is_none()
        && row(code).is_some_and(|row| matches!(row.place, Place::Handshake | Place::Session));
    if !TRANSCRIPT_NEUTRAL.contains(&error) && !misplaced && code != Code::GET_VERSION {
        update_after_response(code, authenticated, transcript, measured.as_deref_mut());
    }
    let again = [
        ErrorCode::BUSY,
        ErrorCode::RESPONSE_NOT_READY,
        ErrorCode::LARGE_RESPONSE,
        ErrorCode::REQUEST_IN_FLIGHT,
    ];
    if feeds(code) == Feeds::L && !again.contains(&error) {
        transcript.reset_l(measured);
    }
}

/// Updates transcripts after a request was answered. Every request but GET_MEASUREMENTS ends L1/L2. Without prior authentication,
/// requests that open sessions, measure, or belong to sessions end B. `measured`: as in [`update_after_error`].
pub(crate) fn update_after_response(
    code: Code,
    authenticated: bool,
    transcript: &mut Transcript,
    measured: Option<&mut MeasurementTranscript>,
) {
    let (feeds, inside) = (feeds(code), measured.is_some());
    if feeds != Feeds::L {
        transcript.reset_l(measured);
    }
    let ends_b = matches!(feeds, Feeds::L | Feeds::Th | Feeds::Other) && !authenticated;
    if code == Code::GET_DIGESTS && !inside || ends_b {
        transcript.reset_b(Prover::Responder);
    }
}
