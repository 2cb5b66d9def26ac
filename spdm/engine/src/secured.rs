//! Which version of secured messages is spoken: OpaqueData of KEY_EXCHANGE and PSK_EXCHANGE, DSP0277.

use crate::config::Config;
use crate::error::Refusal;
use alloc::{vec, vec::Vec};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::opaque::{OpaqueData, Secured};
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_codec::{CodecError, Version};

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
    let supported: Vec<_> = config.secured_versions.iter().map(|number| number.to_bytes()).collect();
    encode(Secured { supported: &supported, ..Secured::default() }, config, version)
}

/// The responder's choice: the newest version that both sides have.
pub(crate) fn choose(config: &Config, version: Version, opaque: &[u8]) -> Result<Agreed, Refusal> {
    let offered = OpaqueData::decode(opaque, version)?.secured()?;
    let theirs = offered.supported.iter().map(|&bytes| VersionNumber::from_bytes(bytes));
    let newest = theirs.filter(|number| config.secured_versions.contains(number)).max();
    let newest = newest.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
    let limit = offered.aead_limit.map_or(NO_LIMIT, u32::from).min(config.aead_limit);
    let choice = Secured { selected: Some(newest), ..Secured::default() };
    Ok(Agreed { opaque: encode(choice, config, version)?, limit })
}

/// The requester's look at the choice; `None` if it is no version that was offered.
pub(crate) fn chosen(config: &Config, version: Version, opaque: &[u8]) -> Option<u32> {
    let answer = OpaqueData::decode(opaque, version).ok()?.secured().ok()?;
    let selected = answer.selected.filter(|number| config.secured_versions.contains(number));
    selected.map(|_| answer.aead_limit.map_or(NO_LIMIT, u32::from).min(config.aead_limit))
}

/// With the limit, if there is one.
fn encode(secured: Secured<'_>, config: &Config, version: Version) -> Result<Vec<u8>, CodecError> {
    let limit = u8::try_from(config.aead_limit).ok().filter(|&limit| u32::from(limit) < NO_LIMIT);
    let mut buffer = vec![0; 1024];
    let len = Secured { aead_limit: limit, ..secured }.encode(version, &mut buffer)?;
    buffer.truncate(len);
    Ok(buffer)
}
