//! GET_CAPABILITIES and CAPABILITIES: the version is decided, and what either side can do.

use crate::connection::{Then, known, write};
use crate::context::Context;
use crate::error::Refusal;
use crate::error::{Error, Usage, Violation};
use crate::negotiate;
use crate::reply::{Asked, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::{
    Capabilities, CapabilityFlags as Caps, GetCapabilities, Limits, MIN_DATA_TRANSFER_SIZE,
};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Sizes, Version};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let version = asked.bytes.first().and_then(|&byte| cx.config.version(byte));
    let version = version.ok_or(Refusal::new(ErrorCode::VERSION_MISMATCH))?;
    let (request, taken): (GetCapabilities, _) = cx.read(asked.bytes, &Sizes::default())?;
    let whole =
        version < Version::V1_3 || !request.wants_algorithms || request.limits.flags.contains(Caps::CHUNK);
    if !whole || !possible(&request.limits, version) {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    let responder = known(&cx.config.limits, version);
    let requester = known(&request.limits, version);
    let chunks = responder.flags.contains(Caps::CHUNK) && requester.flags.contains(Caps::CHUNK);
    // a block of this length may not fit one message
    let tells = version >= Version::V1_3 && request.wants_algorithms && chunks;
    let bits = cx.identity.able(cx.config.algorithms);
    let (supported, mut buffer) = (negotiate::every_table(version, &bits), [0; negotiate::TABLES_LEN]);
    let algorithms = negotiate::supported_algorithms(&cx.config, &bits, &supported, &mut buffer)?;
    let response = Capabilities { limits: responder, algorithms: tells.then_some(algorithms) };
    let body = write(&response, version, &Sizes::default())?;
    let then = Then::Capable { version, requester, responder };
    Ok(Reply { then, ..Reply::plain(body, taken) })
}

/// Whether what the requester says of itself does not contradict itself, DSP0274 "GET_CAPABILITIES".
pub(crate) fn possible(limits: &Limits, version: Version) -> bool {
    version < Version::V1_1
        || flags_are_possible(limits.flags, version)
            && (version < Version::V1_2 || limits.sizes_are_possible())
}

fn flags_are_possible(flags: Caps, version: Version) -> bool {
    let has = |any: Caps| flags.intersects(any);
    let all = |both: Caps| flags.contains(both);
    let since_1_3 = version >= Version::V1_3;
    let none = Caps::NONE;
    let session = has(Caps::KEY_EX | Caps::PSK);
    let protected = has(Caps::MAC | Caps::ENCRYPT);
    let needs_session =
        Caps::MAC | Caps::ENCRYPT | Caps::HANDSHAKE_IN_THE_CLEAR | Caps::HBEAT | Caps::KEY_UPD;
    let event = if since_1_3 { Caps::EVENT } else { none };
    let identity = has(Caps::CERT | Caps::PUB_KEY_ID);
    let endpoint = if since_1_3 { Caps::EP_INFO_SIG } else { none };
    let uses_identity = has(Caps::CHAL | Caps::KEY_EX | endpoint);
    let needs_identity = has(Caps::CHAL | Caps::MUT_AUTH | endpoint);
    let multi_key = has(Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL);

    // 2 and 3 are the responder's
    !has(Caps::PSK_WITH_CONTEXT)
        && session == protected
        && (session || !has(needs_session | event))
        && (has(Caps::KEY_EX) || !has(Caps::HANDSHAKE_IN_THE_CLEAR))
        && !all(Caps::CERT | Caps::PUB_KEY_ID)
        && if identity { uses_identity } else { !needs_identity }
        && (!has(Caps::MUT_AUTH) || has(Caps::KEY_EX | Caps::CHAL))
        && (version != Version::V1_1 || !has(Caps::MUT_AUTH) || has(Caps::ENCAP))
        && (!since_1_3 || !all(Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG))
        && (!since_1_3 || !all(Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL))
        && (!since_1_3 || !multi_key || has(Caps::CERT))
}

/// GET_CAPABILITIES.
pub(crate) fn ask(cx: &Context, version: Version) -> Result<Vec<u8>, Error> {
    let limits = known(&cx.config.limits, version);
    let request = GetCapabilities { limits, ..GetCapabilities::default() };
    write(&request, version, &Sizes::default()).map_err(|error| Error::Usage(Usage::Value(error)))
}

/// CAPABILITIES.
pub(crate) fn take(cx: &Context, version: Version, response: &[u8]) -> Result<(Then, usize), Error> {
    let request = Code::GET_CAPABILITIES;
    let (response, len): (Capabilities<'_>, _) = cx.read_response(request, response, &Sizes::default())?;
    let Limits { flags, data_transfer_size, max_message_size, .. } = response.limits;
    let sizes = data_transfer_size >= MIN_DATA_TRANSFER_SIZE && data_transfer_size <= max_message_size;
    let both = |two: Caps| flags.contains(two);
    let protected = flags.intersects(Caps::MAC | Caps::ENCRYPT);
    let session = flags.intersects(Caps::KEY_EX | Caps::PSK | Caps::PSK_WITH_CONTEXT);
    let wrong = both(Caps::MEAS_NO_SIG | Caps::MEAS_SIG)
        || version >= Version::V1_1 && (both(Caps::PSK | Caps::PSK_WITH_CONTEXT) || session != protected)
        || version >= Version::V1_2 && !sizes;
    if wrong {
        return Err(Error::Violation { request, violation: Violation::Capabilities });
    }
    let requester = known(&cx.config.limits, version);
    Ok((Then::Capable { version, requester, responder: known(&response.limits, version) }, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_flags_refuses_something() {
        let base = Caps::CERT | Caps::CHAL | Caps::ENCRYPT | Caps::MAC | Caps::KEY_EX | Caps::HBEAT;
        let possible = |flags, version| flags_are_possible(flags, version);
        for version in &Version::ALL[1..] {
            assert!(possible(base, *version) && possible(Caps::NONE, *version));
            let mutual = base | Caps::MUT_AUTH | Caps::ENCAP;
            assert!(possible(mutual, *version));
            let without = |flags: Caps, missing: Caps| Caps(flags.0 & !missing.0);
            assert!(!possible(base | Caps::PSK_WITH_CONTEXT, *version));
            assert!(!possible(without(base, Caps::ENCRYPT | Caps::MAC), *version));
            assert!(!possible(without(base, Caps::KEY_EX), *version));
            assert!(!possible(Caps::HBEAT, *version));
            assert!(!possible(Caps::PSK | Caps::MAC | Caps::HANDSHAKE_IN_THE_CLEAR, *version));
            assert!(!possible(base | Caps::PUB_KEY_ID, *version));
            assert!(!possible(Caps::CERT, *version) && !possible(Caps::CHAL, *version));
            assert_eq!(possible(without(mutual, Caps::ENCAP), *version), *version != Version::V1_1);
            let late = *version >= Version::V1_3;
            let endpoint = Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG;
            assert_eq!(!possible(base | endpoint, *version), late);
            assert_eq!(!possible(base | Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL, *version), late);
            let raw = without(base | Caps::PUB_KEY_ID, Caps::CERT);
            assert_eq!(!possible(raw | Caps::MULTI_KEY_ONLY, *version), late);
            assert_eq!(!possible(Caps::EVENT, *version), late);
        }
    }

    #[test]
    fn sizes_are_bounded_since_1_2() {
        let (chunks, none) = (Caps::CERT | Caps::CHAL | Caps::CHUNK, Caps::NONE);
        let limits = |flags, data_transfer_size, max_message_size| Limits {
            flags,
            data_transfer_size,
            max_message_size,
            ..Limits::default()
        };
        for version in Version::ALL {
            let early = version < Version::V1_2;
            assert!(possible(&limits(none, 42, 42), version) && possible(&limits(chunks, 42, 43), version));
            assert_eq!(possible(&limits(none, 41, 41), version), early);
            assert_eq!(possible(&limits(chunks, 43, 42), version), early);
            assert_eq!(possible(&limits(none, 42, 43), version), early);
        }
    }
}
