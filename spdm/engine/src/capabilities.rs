//! GET_CAPABILITIES and CAPABILITIES: select the version and exchange capabilities.

use crate::config::Role;
use crate::connection::{ConnectionChange, defined_limits};
use crate::context::Context;
use crate::encode::{respond_with, write};
use crate::error::Refusal;
use crate::error::{Error, Usage, Violation};
use crate::negotiate;
use crate::refused_request::Reason;
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags as Caps, GetCapabilities, Limits};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Sizes, Version};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let version = incoming.bytes.first().and_then(|&byte| cx.config.version(byte));
    let version = version.ok_or(Refusal::new(ErrorCode::VERSION_MISMATCH))?;
    let rules = cx.config.rules(version);
    let (request, taken): (GetCapabilities, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let whole = !rules.supported_algorithms
        || !request.wants_algorithms
        || request.limits.flags.contains(Caps::CHUNK);
    if !whole {
        return Err(Reason::NoChunks.into());
    }
    request.limits.check_requester(version).map_err(Reason::Capabilities)?;
    let responder = cx.config.limits_in(version);
    let requester = defined_limits(&request.limits, rules);
    let chunks = responder.flags.contains(Caps::CHUNK) && requester.flags.contains(Caps::CHUNK);
    // without chunks the algorithms block may not fit one message
    let with_algorithms = rules.supported_algorithms && request.wants_algorithms && chunks;
    let bits = cx.identity.restrict(cx.config.algorithms);
    let offer = negotiate::EncodedOffer::non_empty(rules, &bits);
    let mut buffer = [0; negotiate::TABLES_LEN];
    let algorithms = negotiate::supported_algorithms(&cx.config, &bits, &offer, &mut buffer)?;
    let response = Capabilities { limits: responder, algorithms: with_algorithms.then_some(algorithms) };
    let body = respond_with(&response, version, &Sizes::default())?;
    let change = ConnectionChange::Capable { rules, requester, responder, supported: None };
    Ok(Reply { change, ..Reply::plain(body, taken) })
}

/// Encodes GET_CAPABILITIES. The message asks for the supported algorithms only if the version defines this request
/// (1.3), if the requester supports chunks, and if the longest response fits one message: chunks are not negotiated
/// yet.
pub(crate) fn encode_request(
    cx: &Context,
    version: Version,
    wants_algorithms: bool,
) -> Result<Vec<u8>, Error> {
    cx.config.check(Role::Requester, version).map_err(Usage::Capabilities)?;
    let limits = cx.config.limits_in(version);
    let takes = limits.flags.contains(Caps::CHUNK) && limits.data_transfer_size >= MAX_CAPABILITIES_LEN;
    let wants_algorithms = wants_algorithms && cx.config.rules(version).supported_algorithms && takes;
    let request = GetCapabilities { limits, wants_algorithms };
    write(&request, version, &Sizes::default()).map_err(|error| Error::Usage(Usage::Value(error)))
}

/// The longest CAPABILITIES in bytes, with the maximum of external algorithms.
const MAX_CAPABILITIES_LEN: u32 = 256;

/// Parses CAPABILITIES.
pub(crate) fn parse_response(
    cx: &Context,
    version: Version,
    response: &[u8],
) -> Result<(ConnectionChange, usize), Error> {
    let (request, rules) = (Code::GET_CAPABILITIES, cx.config.rules(version));
    let (response, len): (Capabilities<'_>, _) = cx.read_response(request, response, &Sizes::default())?;
    let responder = defined_limits(&response.limits, rules);
    // without chunks a message must fit one transfer, so MaxSPDMmsgSize has no effect
    let whole = Limits { flags: responder.flags, ..response.limits };
    let violation = |wrong| Error::Violation { request, violation: Violation::Capabilities(wrong) };
    whole.check_responder(version).map_err(violation)?;
    let requester = cx.config.limits_in(version);
    let supported = response.algorithms.map(|algorithms| negotiate::offered_bits(&algorithms, rules));
    Ok((ConnectionChange::Capable { rules, requester, responder, supported }, len))
}
