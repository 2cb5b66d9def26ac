//! Capabilities of one side that contradict each other: the other side gives up where it hears of them.

use super::needs::brought;
use super::{algorithms::version_name, names};
use crate::error::Error;
use grille_spdm_codec::Version;
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::config::Config;

/// Whose capabilities they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Requester,
    Responder,
}

/// The same side without the versions in which its capabilities contradict each other.
///
/// # Errors
/// If it speaks none then that its capabilities matter in, or `named` says that somebody named its versions.
pub(super) fn settle(config: Config, side: Side, named: bool) -> Result<Config, Error> {
    let (versions, wrong): (Vec<Version>, Vec<Version>) =
        config.versions.iter().partition(|version| is_possible(&config, side, **version));
    // a requester of 1.0 says nothing of itself
    let counts = |version: &Version| side == Side::Responder || *version > Version::V1_0;
    match wrong.into_iter().max() {
        Some(version) if named || !versions.iter().any(counts) => Err(contradiction(&config, side, version)),
        _ => Ok(Config { versions, ..config }),
    }
}

/// Whether the other side goes on where it speaks this version.
fn is_possible(config: &Config, side: Side, version: Version) -> bool {
    let said = config.limits_in(version);
    match side {
        Side::Requester => said.requester_is_possible(version),
        Side::Responder => said.responder_is_possible(version),
    }
}

/// Which contradict each other, and each one that puts an end to it if it comes or goes.
fn contradiction(config: &Config, side: Side, version: Version) -> Error {
    let version_name = version_name(version);
    let flags = config.limits_in(version).flags;
    if config.limits.flags.contains(Caps::PUB_KEY_ID) && !flags.contains(Caps::PUB_KEY_ID) {
        let what = format_args!("SPDM {version_name} has no keys that are known beforehand");
        return Error::usage(what).at_place("--ver").advise("--slot_id 0xFF takes 1.1 or later");
    }
    let toggled = |bit: u8| {
        let mut config = config.clone();
        config.limits.flags = Caps(config.limits.flags.0 ^ 1 << bit);
        is_possible(&config, side, version)
    };
    let mends = Caps::ROWS.iter().filter(|row| toggled(row.bit)).fold(0, |mends, row| mends | 1 << row.bit);
    let [go, come] = [mends & flags.0, mends & !flags.0].map(Caps);
    let listed = |what: &str, caps: Caps| (!caps.is_empty()).then(|| format!("{what} {}", brought(caps)));
    let mended: Vec<String> = [listed("with", come), listed("without", go)].into_iter().flatten().collect();
    let flags = names::of(flags);
    let what = format!("in SPDM {version_name} these contradict each other, or lack one: {flags}");
    let error = Error::usage(what).at_place("--cap");
    if mended.is_empty() { error } else { error.advise(format_args!("it goes {}", mended.join(", or "))) }
}
