//! The table of requests: when each may be sent, what both sides need for it, which transcript it feeds, who answers.

use crate::connection::{Connection, Phase};
use crate::context::Context;
use crate::error::Refusal;
use crate::reply::{Asked, Reply};
use crate::responder::Responder;
use crate::session::{Session, SessionId};
use crate::transcript::{Feeds, Measured, Prover, Transcript};
use crate::{
    capabilities, certificate, challenge, csr, digests, end_session, endpoint_info, events, finish,
    heartbeat, key_exchange, key_pair_info, key_update, measurements, mel, negotiate, psk, set_certificate,
    slot_management, vendor, version,
};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::error::ErrorCode;

/// What answers a request: a value, never a change of transcripts or sessions.
pub(crate) type Handler = fn(&mut Context, &Asked<'_>) -> Result<Reply, Refusal>;

/// What answers a request that is part of a conversation.
pub(crate) type Flow = fn(&mut Responder, Option<SessionId>, &[u8]) -> Result<Vec<u8>, Refusal>;

/// Who answers a request.
pub(crate) enum Answer {
    /// A handler.
    Value(Handler),
    /// The responder itself, which asks questions of its own.
    Flow(Flow),
}

/// One request.
pub(crate) struct Row {
    /// Its code.
    pub(crate) code: Code,
    /// From when on it may come.
    pub(crate) phase: Phase,
    /// Where.
    pub(crate) place: Place,
    /// Any of these is needed; none if empty.
    pub(crate) needs: Caps,
    /// Who must have it.
    pub(crate) whose: Whose,
    /// Which transcript it goes into.
    pub(crate) feeds: Feeds,
    /// Who answers.
    pub(crate) answer: Answer,
}

impl Row {
    /// Whether the capabilities are there.
    pub(crate) fn able(&self, connection: &Connection) -> bool {
        // the one capability that is in ExtFlags
        if self.code == Code::SLOT_MANAGEMENT {
            return connection.responder.ext_flags.contains(ExtCapabilityFlags::SLOT_MGMT);
        }
        // there would be no way to tell of events, or to subscribe to them
        let encapsulates = matches!(self.code, Code::SUBSCRIBE_EVENT_TYPES | Code::SEND_EVENT);
        if encapsulates && !connection.both_have(Caps::ENCAP) {
            return false;
        }
        self.needs.is_empty()
            || match self.whose {
                Whose::Responder => connection.responder_has(self.needs),
                Whose::Requester => connection.requester_has(self.needs),
                Whose::Both => connection.both_have(self.needs),
            }
    }
}

/// Who must have a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    Responder,
    Requester,
    Both,
}

/// Where a request may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Only outside sessions.
    Outside,
    /// Outside, or in a session whose handshake is over.
    Anywhere,
    /// Outside, in a handshake, and later: where encapsulated requests come is their own business.
    Everywhere,
    /// In a handshake.
    Handshake,
    /// In a session whose handshake is over.
    Session,
}

impl Place {
    /// Whether the request may come in the session, or outside.
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
        /// DSP0274, table of requests.
        pub(crate) static REQUESTS: &[Row] = &[$(Row {
            code: Code::$code,
            phase: Phase::$phase,
            place: Place::$place,
            needs: Caps(0 $(| Caps::$cap.0)*),
            whose: Whose::$whose,
            feeds: Feeds::$feeds,
            answer: Answer::$answer($handle),
        }),*];
    };
}

requests! {
    // code               phase         place     capability               whose  feeds  who answers
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

/// The code of a message; 0, which is reserved, of what is too short for one.
pub(crate) fn code_of(message: &[u8]) -> Code {
    Code(message.get(1).copied().unwrap_or_default())
}

/// Whether a request comes too early, DSP0274 "Session key update synchronization": who has sent UpdateKey or UpdateAllKeys asks
/// again, goes on with VerifyNewKey, or ends the session; what applications say waits too. What is answered to whoever does otherwise
/// is left open: it is out of order as any request that DSP0274 has come later.
pub(crate) fn interrupts(code: Code, session: &Session) -> bool {
    session.is_updating() && !matches!(code, Code::KEY_UPDATE | Code::END_SESSION)
}

/// The row of a request.
pub(crate) fn row(code: Code) -> Option<&'static Row> {
    REQUESTS.iter().find(|row| row.code == code)
}

/// Which transcript the request and its response go into.
pub(crate) fn feeds(code: Code) -> Feeds {
    row(code).map_or(Feeds::Nothing, |row| row.feeds)
}

/// Errors of requests that the responder did not look into, and of those that are asked again: they end nothing. DSP0274 would have
/// every message but GET_MEASUREMENTS end L1/L2. But responders, DMTF's libspdm among them, refuse with these before their
/// transcripts hear of the request; and a requester cannot know when it was refused, only with which error.
const END_NOTHING: [ErrorCode; 9] = [
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

/// What a request ends by being answered with ERROR: what it ends by any answer, but for some errors, for GET_VERSION, and for what
/// goes in sessions only and came outside; and if it is GET_MEASUREMENTS, L1/L2, but for errors after which it is asked again. Both
/// sides go by this. `measured`: the L1/L2 of the session in which the request came, `None` outside sessions.
pub(crate) fn refused(
    code: Code,
    error: ErrorCode,
    authenticated: bool,
    transcript: &mut Transcript,
    mut measured: Option<&mut Measured>,
) {
    let misplaced = measured.is_none()
        && row(code).is_some_and(|row| matches!(row.place, Place::Handshake | Place::Session));
    if !END_NOTHING.contains(&error) && !misplaced && code != Code::GET_VERSION {
        forget(code, authenticated, transcript, measured.as_deref_mut());
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

/// What a request ends by being answered: L1/L2 by all but GET_MEASUREMENTS; B by those that open sessions, measure or speak
/// in sessions, as long as nothing was authenticated. `measured` as in [`refused`].
pub(crate) fn forget(
    code: Code,
    authenticated: bool,
    transcript: &mut Transcript,
    measured: Option<&mut Measured>,
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
