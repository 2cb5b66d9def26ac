//! Capabilities of a responder that contradict each other: every requester gives up where it hears of them.

use super::device::Emulated;
use super::needs::brought;
use super::{algorithms::version_name, names};
use crate::error::Error;
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::{
    CapabilityFlags as Caps, GetCapabilities, Limits, MIN_DATA_TRANSFER_SIZE,
};
use grille_spdm_codec::version::GetVersion;
use grille_spdm_codec::{CodecError, Message, Sizes, Version};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::responder::Responder;

/// The same responder without the versions in which its capabilities contradict each other.
///
/// # Errors
/// If it speaks none then, or `named` says that somebody named its versions.
pub(super) fn settle(config: Config, named: bool) -> Result<Config, Error> {
    let (versions, wrong): (Vec<Version>, Vec<Version>) =
        config.versions.iter().partition(|version| is_possible(&config, **version));
    match wrong.into_iter().max() {
        Some(version) if named || versions.is_empty() => Err(contradiction(&config, version)),
        _ => Ok(Config { versions, ..config }),
    }
}

/// Whether a requester that speaks this version goes on.
fn is_possible(config: &Config, version: Version) -> bool {
    said(config, version).is_ok_and(|said| said.responder_is_possible(version))
}

/// What a responder says of itself in this version, which may not know all that it can do.
fn said(config: &Config, version: Version) -> Result<Limits, CodecError> {
    let config = Config { versions: vec![version], ..config.clone() };
    let mut responder = Responder::new(config, Identity::default(), Box::new(Emulated));
    let size = MIN_DATA_TRANSFER_SIZE;
    let limits = Limits { data_transfer_size: size, max_message_size: size, ..Limits::default() };
    let (mut bytes, sizes) = ([0; MIN_DATA_TRANSFER_SIZE as usize], Sizes::default());
    let mut ask = |len: usize, bytes: &[u8]| responder.receive(&Packet::Message(bytes[..len].to_vec()));
    let len = GetVersion.encode(Version::V1_0, &sizes, &mut bytes)?;
    ask(len, &bytes);
    let len = GetCapabilities { limits, ..GetCapabilities::default() }.encode(version, &sizes, &mut bytes)?;
    ask(len, &bytes);
    Ok(*responder.connection().responder())
}

/// Which contradict each other, and each one that puts an end to it if it comes or goes.
fn contradiction(config: &Config, version: Version) -> Error {
    let version_name = version_name(version);
    let flags = said(config, version).unwrap_or_default().flags;
    if config.limits.flags.contains(Caps::PUB_KEY_ID) && !flags.contains(Caps::PUB_KEY_ID) {
        let what = format_args!("SPDM {version_name} has no keys that are known beforehand");
        return Error::usage(what).at_place("--ver").advise("--slot_id 0xFF takes 1.1 or later");
    }
    let toggled = |bit: u8| {
        let mut config = config.clone();
        config.limits.flags = Caps(config.limits.flags.0 ^ 1 << bit);
        is_possible(&config, version)
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
