//! Which version of secured messages is spoken: OpaqueData of KEY_EXCHANGE and PSK_EXCHANGE, DSP0277.

use crate::config::Config;
use crate::error::Refusal;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::opaque::{Element, OpaqueData};
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_codec::{CodecError, Version};

/// SMDataVersion and SMDataID of the supported versions.
const SUPPORTED: [u8; 2] = [1, 1];
/// SMDataVersion and SMDataID of the version that was selected.
const SELECTED: [u8; 2] = [1, 0];
/// SMDataVersion and SMDataID of the limit of records under one key (1.3).
const AEAD_LIMIT: [u8; 2] = [1, 2];
/// No limit but the sequence number's own.
const NO_LIMIT: u32 = 64;

/// What was agreed on.
pub(crate) struct Agreed {
    /// OpaqueData of the response.
    pub(crate) opaque: Vec<u8>,
    /// 2 to this power records under one key.
    pub(crate) limit: u32,
}

/// OpaqueData of the request: the versions on offer.
pub(crate) fn offer(config: &Config, version: Version) -> Result<Vec<u8>, CodecError> {
    let mut supported = SUPPORTED.to_vec();
    supported.push(u8::try_from(config.secured_versions.len()).unwrap_or(u8::MAX));
    config.secured_versions.iter().for_each(|number| supported.extend_from_slice(&number.to_bytes()));
    encode(&[&supported], config, version)
}

/// The responder's choice: the newest version that both sides have.
pub(crate) fn choose(config: &Config, version: Version, opaque: &[u8]) -> Result<Agreed, Refusal> {
    let offered = OpaqueData::decode(opaque, version)?.secured()?;
    let theirs = offered.supported.iter().map(|&bytes| VersionNumber::from_bytes(bytes));
    let newest = theirs.filter(|number| config.secured_versions.contains(number)).max();
    let newest = newest.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
    let selected = [SELECTED, newest.to_bytes()].concat();
    let limit = offered.aead_limit.map_or(NO_LIMIT, u32::from).min(config.aead_limit);
    Ok(Agreed { opaque: encode(&[&selected], config, version)?, limit })
}

/// The requester's look at the choice; `None` if it is no version that was offered.
pub(crate) fn chosen(config: &Config, version: Version, opaque: &[u8]) -> Option<u32> {
    let answer = OpaqueData::decode(opaque, version).ok()?.secured().ok()?;
    let selected = answer.selected.filter(|number| config.secured_versions.contains(number));
    selected.map(|_| answer.aead_limit.map_or(NO_LIMIT, u32::from).min(config.aead_limit))
}

/// The elements, and the limit if there is one.
fn encode(elements: &[&[u8]], config: &Config, version: Version) -> Result<Vec<u8>, CodecError> {
    let limit = u8::try_from(config.aead_limit).ok().filter(|&limit| u32::from(limit) < NO_LIMIT);
    let limit = limit.map(|limit| [AEAD_LIMIT[0], AEAD_LIMIT[1], limit]);
    let all = elements.iter().copied().chain(limit.as_ref().map(|limit| &limit[..]));
    let elements: Vec<_> = all.map(|data| Element { registry: 0, vendor_id: &[], data }).collect();
    let mut buffer = vec![0; 1024];
    let len = OpaqueData::encode(&elements, version, &mut buffer)?;
    buffer.truncate(len);
    Ok(buffer)
}
