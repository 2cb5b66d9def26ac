//! The `CryptoProvider`: groups, signatures and keys from the registry, everything else from aws-lc-rs.

use crate::compression::Compression;
use crate::error::Error;
use crate::verify::Accepted;
use crate::{codepoints, groups, sign, transcript, verify};
use grille_core::{CryptoRng, SystemRng};
use grille_registry::{KemRow, Numbers, Row};
use rustls::crypto::aws_lc_rs::{self, kx_group};
use rustls::crypto::{CryptoProvider, GetRandomFailed, SecureRandom, SupportedKxGroup};
use rustls::version::{TLS12, TLS13};
use rustls::{SupportedCipherSuite, SupportedProtocolVersion};

/// Algorithms that a client or server offers: groups, cipher suites and compression, in order of preference, and the
/// meaning of codepoints.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    /// Key-exchange groups; empty means [`groups::default_groups`].
    pub groups: Vec<&'static KemRow>,
    /// Cipher suites; empty means [`codepoints::SUITES`].
    pub suites: Vec<SupportedCipherSuite>,
    /// The codepoints of groups and signature schemes.
    pub numbers: Numbers,
    /// Compression algorithms for certificates, both sent and received, in order of preference; empty disables
    /// compression.
    pub compression: Vec<Compression>,
    /// Also offer TLS 1.2 and the classical curves, for peers without TLS 1.3 or post-quantum groups.
    pub legacy: bool,
    /// Low-memory mode. Signing keys are not prepared for many signatures: signing is slower, but a lattice key takes
    /// a few kilobytes instead of up to 120. Signatures are verified with the smallest stack.
    pub low_memory: bool,
}

impl Preferences {
    /// Returns the protocol versions to offer.
    pub(crate) fn versions(&self) -> &'static [&'static SupportedProtocolVersion] {
        static TLS13_ONLY: [&SupportedProtocolVersion; 1] = [&TLS13];
        if self.legacy { rustls::ALL_VERSIONS } else { &TLS13_ONLY }
    }
}

/// Creates a provider that accepts signatures of published standards only.
///
/// # Errors
/// Returns [`Error::Configuration`] if a group has no codepoint, or its key shares exceed the limit of TLS.
pub fn provider(preferences: &Preferences) -> Result<CryptoProvider, Error> {
    provider_for_signatures(preferences, Some(Accepted::STANDARD))
}

/// Creates a provider that accepts signatures of the algorithms in `accepted`, or no signatures if it is `None`.
///
/// # Errors
/// The errors of [`provider`].
pub(crate) fn provider_for_signatures(
    preferences: &Preferences,
    accepted: Option<Accepted>,
) -> Result<CryptoProvider, Error> {
    let suites = if preferences.suites.is_empty() { codepoints::SUITES } else { &preferences.suites };
    let numbers = preferences.numbers;
    let accepted =
        accepted.map(|accepted| if preferences.low_memory { accepted.low_memory() } else { accepted });
    let mut provider = CryptoProvider {
        cipher_suites: suites.iter().copied().map(transcript::trace_suite).collect(),
        kx_groups: kx_groups(&preferences.groups, numbers)?,
        signature_verification_algorithms: accepted
            .map_or(verify::NO_ALGORITHMS, |accepted| verify::algorithms(accepted, numbers)),
        secure_random: &OperatingSystem,
        key_provider: sign::key_loader(numbers, preferences.low_memory),
    };
    if preferences.legacy {
        add_legacy(&mut provider);
    }
    Ok(provider)
}

/// Appends the TLS 1.2 suites (all with forward secrecy and AEAD). Adds aws-lc-rs' curves: each replaces the registry's
/// group or, if it is not offered yet, becomes the last choice.
fn add_legacy(provider: &mut CryptoProvider) {
    let old = |suite: &&SupportedCipherSuite| suite.version() == &TLS12;
    provider.cipher_suites.extend(aws_lc_rs::ALL_CIPHER_SUITES.iter().filter(old));
    for curve in [kx_group::X25519, kx_group::SECP256R1, kx_group::SECP384R1] {
        // the registry's groups work with TLS 1.3 only, aws-lc-rs' own curves with both versions
        match provider.kx_groups.iter_mut().find(|group| group.name() == curve.name()) {
            Some(group) => *group = curve,
            None => provider.kx_groups.push(curve),
        }
    }
}

/// Random generator of the operating system, which is also used for key shares.
///
/// aws-lc's own generator measures the processor's jitter on first use in a process, which adds tens of milliseconds
/// to a first handshake.
#[derive(Debug)]
struct OperatingSystem;

impl SecureRandom for OperatingSystem {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), GetRandomFailed> {
        let rng: &mut dyn CryptoRng = &mut SystemRng;
        rng.fill_bytes(bytes);
        Ok(())
    }
}

fn kx_groups(
    rows: &[&'static KemRow],
    numbers: Numbers,
) -> Result<Vec<&'static dyn SupportedKxGroup>, Error> {
    let rows = if rows.is_empty() { groups::default_groups(numbers) } else { rows.to_vec() };
    rows.into_iter()
        .map(|row| groups::group(row, numbers).ok_or_else(|| unusable_group_error(row, numbers)))
        .collect()
}

/// Returns the names of the groups that a provider offers.
pub(crate) fn group_names(provider: &CryptoProvider, numbers: Numbers) -> Vec<&'static str> {
    let rows = provider.kx_groups.iter().filter_map(|group| numbers.kem_by_group(group.name().into()));
    rows.map(Row::name).collect()
}

fn unusable_group_error(row: &KemRow, numbers: Numbers) -> Error {
    let info = row.kem.info();
    let share = info.encaps_key_len.max(info.ciphertext_len);
    if let Some(reason) = row.missing_tls_group_reason() {
        return Error::configuration(format!("{} has no TLS codepoint: {reason}", row.name()));
    }
    Error::configuration(match numbers.group(row) {
        None if numbers == Numbers::default() => format!("{} has no TLS codepoint", row.name()),
        None => format!("{} has no TLS codepoint in {numbers}", row.name()),
        Some(_) => format!(
            "{} cannot be used in TLS: its key share has {share} bytes, the maximum is {}",
            row.name(),
            groups::MAX_KEY_SHARE_LEN
        ),
    })
}
