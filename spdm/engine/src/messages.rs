//! The table of requests: when each may be sent, what both sides need for it, which transcript it feeds, who answers.

use crate::connection::Phase;
use crate::error::Refusal;
use crate::responder::{Asked, Context, Reply};
use crate::transcript::{Feeds, Prover, Transcript};
use crate::{capabilities, certificate, challenge, digests, measurements, negotiate, version};
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

/// What answers a request: a value, never a change of transcripts or sessions.
pub(crate) type Handler = fn(&mut Context, &Asked<'_>) -> Result<Reply, Refusal>;

/// One request.
pub(crate) struct Row {
    /// Its code.
    pub(crate) code: Code,
    /// From when on it may come.
    pub(crate) phase: Phase,
    /// Any of these the responder must have; none if empty.
    pub(crate) needs: Caps,
    /// Whether the requester must have one too.
    pub(crate) mutual: bool,
    /// Which transcript it goes into.
    pub(crate) feeds: Feeds,
    /// Who answers.
    pub(crate) handle: Handler,
}

#[rustfmt::skip]
macro_rules! requests {
    ($($code:ident $phase:ident [$($cap:ident)*] $mutual:literal $feeds:ident $handle:path;)*) => {
        /// DSP0274, table of requests.
        pub(crate) static REQUESTS: &[Row] = &[$(Row {
            code: Code::$code,
            phase: Phase::$phase,
            needs: Caps(0 $(| Caps::$cap.0)*),
            mutual: $mutual,
            feeds: Feeds::$feeds,
            handle: $handle,
        }),*];
    };
}

requests! {
    // code               phase        capability               both  feeds  who answers
    GET_VERSION           Start          []                       false Vca version::respond;
    GET_CAPABILITIES      Version        []                       false Vca capabilities::respond;
    NEGOTIATE_ALGORITHMS  Capabilities   []                       false Vca negotiate::respond;
    GET_DIGESTS           Negotiated     [CERT]                   false B digests::respond;
    GET_CERTIFICATE       Negotiated     [CERT]                   false B certificate::respond;
    CHALLENGE             Negotiated     [CHAL]                   false C challenge::respond;
    GET_MEASUREMENTS      Negotiated     [MEAS_NO_SIG MEAS_SIG]   false L measurements::respond;
}

/// The row of a request.
pub(crate) fn row(code: Code) -> Option<&'static Row> {
    REQUESTS.iter().find(|row| row.code == code)
}

/// Which transcript the request and its response go into.
pub(crate) fn feeds(code: Code) -> Feeds {
    row(code).map_or(Feeds::Nothing, |row| row.feeds)
}

/// What a request ends by being let in, whatever becomes of it: L1/L2 by all but GET_MEASUREMENTS; B by all that are
/// not about certificates, as long as nothing was authenticated.
pub(crate) fn forget(code: Code, authenticated: bool, transcript: &mut Transcript) {
    let feeds = feeds(code);
    if feeds != Feeds::L {
        transcript.reset_l(None);
    }
    let keeps_b = matches!(feeds, Feeds::B | Feeds::C | Feeds::Vca | Feeds::Nothing);
    if code == Code::GET_DIGESTS || !keeps_b && !authenticated {
        transcript.reset_b(Prover::Responder);
    }
}
