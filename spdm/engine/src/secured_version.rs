//! Negotiation of the version of secured messages, in OpaqueData of KEY_EXCHANGE and PSK_EXCHANGE, DSP0277.

use crate::config::Config;
use crate::error::Refusal;
use crate::refused_request::Reason;
use alloc::{vec, vec::Vec};
use grille_spdm_codec::opaque::{OpaqueData, Secured};
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_codec::{CodecError, Version};

/// The exponent with which only the sequence number limits the number of records.
const NO_LIMIT: u32 = 64;

/// The result of the negotiation.
pub(crate) struct SecuredParams {
    /// OpaqueData of the response.
    pub(crate) opaque: Vec<u8>,
    /// The maximum number of records under one key, as a power of 2.
    pub(crate) limit: u32,
}

/// Encodes OpaqueData of the request: the released versions that the requester supports.
pub(crate) fn encode_offer(config: &Config, version: Version) -> Result<Vec<u8>, CodecError> {
    let supported: Vec<_> = config
        .secured_versions
        .iter()
        .filter(|number| number.alpha() == 0)
        .map(|number| number.to_bytes())
        .collect();
    let limited = supports(config, FIRST_WITH_LIMITS);
    encode(
        Secured { supported: &supported, aead_limit: announced_limit(config, limited), ..Secured::default() },
        version,
    )
}

/// Selects the newest common version, on the responder's side.
pub(crate) fn select(config: &Config, version: Version, opaque: &[u8]) -> Result<SecuredParams, Refusal> {
    let offered = OpaqueData::decode(opaque, version)?.secured()?;
    let theirs = offered.supported.iter().map(|&bytes| VersionNumber::from_bytes(bytes));
    let newest = theirs.filter(|number| supports(config, *number)).max();
    let newest = newest.ok_or(Reason::NoSecuredVersion)?;
    let limited = newest >= FIRST_WITH_LIMITS;
    let choice = Secured {
        selected: Some(newest),
        aead_limit: announced_limit(config, limited),
        ..Secured::default()
    };
    let opaque = encode(choice, version).map_err(Refusal::unencodable)?;
    Ok(SecuredParams { opaque, limit: effective_limit(config, offered.aead_limit, limited) })
}

/// Checks the responder's selection and returns the limit. Returns `None` if the selected version was not offered; only its
/// major and minor number count.
pub(crate) fn check_selection(config: &Config, version: Version, opaque: &[u8]) -> Option<u32> {
    let answer = OpaqueData::decode(opaque, version).ok()?.secured().ok()?;
    let selected = answer.selected.filter(|number| supports(config, *number))?;
    Some(effective_limit(config, answer.aead_limit, selected >= FIRST_WITH_LIMITS))
}

/// Returns whether this side supports the version. The update number does not matter. Unreleased versions are not supported.
fn supports(config: &Config, number: VersionNumber) -> bool {
    number.alpha() == 0 && config.secured_versions.iter().any(|ours| ours.byte() == number.byte())
}

/// The version since which both sides announce limits.
const FIRST_WITH_LIMITS: VersionNumber = VersionNumber(0x1300);

/// Returns the limit that this side announces, if it has one. `announced`: whether the version can express limits.
fn announced_limit(config: &Config, announced: bool) -> Option<u8> {
    u8::try_from(config.aead_limit).ok().filter(|&limit| announced && u32::from(limit) < NO_LIMIT)
}

/// Returns the lower of both limits. This side's own limit applies even if it was not announced.
fn effective_limit(config: &Config, theirs: Option<u8>, announced: bool) -> u32 {
    theirs.filter(|_| announced).map_or(NO_LIMIT, u32::from).min(config.aead_limit)
}

fn encode(secured: Secured<'_>, version: Version) -> Result<Vec<u8>, CodecError> {
    let mut buffer = vec![0; 1024];
    let len = secured.encode(version, &mut buffer)?;
    buffer.truncate(len);
    Ok(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announces_limits_only_since_1_3() {
        let version = Version::V1_4;
        let config = |newest: u16, aead_limit| Config {
            secured_versions: vec![VersionNumber(0x1100), VersionNumber(newest)],
            aead_limit,
            ..Config::default()
        };
        let announced =
            |opaque: &[u8]| OpaqueData::decode(opaque, version).unwrap().secured().unwrap().aead_limit;
        for (ours, theirs, limits) in [
            // the limits in the offer and in the selection, then the limits that both sides apply
            ((0x1300, 20), (0x1300, 30), [Some(20), Some(30), Some(20), Some(20)]),
            ((0x1300, 64), (0x1300, 30), [None, Some(30), Some(30), Some(30)]),
            ((0x1300, 20), (0x1300, 64), [Some(20), None, Some(20), Some(20)]),
            ((0x1300, 20), (0x1200, 30), [Some(20), None, Some(20), Some(30)]),
            ((0x1200, 20), (0x1300, 30), [None, None, Some(20), Some(30)]),
            ((0x1200, 20), (0x1200, 30), [None, None, Some(20), Some(30)]),
        ] {
            let [ours, theirs] = [ours, theirs].map(|(newest, limit)| config(newest, limit));
            let offer = encode_offer(&ours, version).unwrap();
            let choice = select(&theirs, version, &offer).unwrap();
            let requester_limit = check_selection(&ours, version, &choice.opaque).unwrap();
            let got = [
                announced(&offer),
                announced(&choice.opaque),
                u8::try_from(requester_limit).ok(),
                u8::try_from(choice.limit).ok(),
            ];
            assert_eq!(got, limits, "{:?} {:?}", ours.secured_versions, theirs.secured_versions);
        }
        let early = encode_offer(&config(0x1200, 64), version).unwrap();
        assert!(select(&config(0x1300, 64), version, &early).is_ok(), "both have 1.1");
        let only = Config { secured_versions: vec![VersionNumber(0x1300)], ..Config::default() };
        assert!(select(&only, version, &early).is_err());
    }

    #[test]
    fn ignores_update_numbers_and_unreleased_versions() {
        let version = Version::V1_4;
        let config = |numbers: &[u16]| Config {
            secured_versions: numbers.iter().copied().map(VersionNumber).collect(),
            ..Config::default()
        };
        for (theirs, ours, selected) in [
            (&[0x1210][..], &[0x1200][..], Some(0x1210)),
            (&[0x1200], &[0x1210], Some(0x1200)),
            (&[0x1100, 0x1210], &[0x1100, 0x1200], Some(0x1210)),
            (&[0x1201], &[0x1200], None),
            (&[0x1100, 0x1201], &[0x1100, 0x1200], Some(0x1100)),
            (&[0x1200], &[0x1100, 0x1300], None),
        ] {
            let (theirs, ours) = (config(theirs), config(ours));
            let choice = select(&ours, version, &encode_offer(&theirs, version).unwrap());
            let announced = choice.ok().and_then(|agreed| {
                let answer = OpaqueData::decode(&agreed.opaque, version).unwrap();
                answer.secured().unwrap().selected
            });
            assert_eq!(announced, selected.map(VersionNumber), "{:?}", theirs.secured_versions);
        }
        let chosen_by = |selected| {
            let secured = Secured { selected: Some(VersionNumber(selected)), ..Secured::default() };
            check_selection(&config(&[0x1200]), version, &encode(secured, version).unwrap())
        };
        assert!(chosen_by(0x1210).is_some() && chosen_by(0x1201).is_none() && chosen_by(0x1100).is_none());
    }
}
