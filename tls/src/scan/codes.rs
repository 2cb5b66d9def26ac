//! The numbers of all groups and signature schemes that a scan offers.

use grille_registry::era::{Entry, Kind};
use grille_registry::{KEMS, SIGNATURES};
use std::collections::BTreeSet;

/// Classical groups without a row in the registry, with their names.
pub const OTHER_GROUPS: [(u16, &str); 10] = [
    (0x001E, "x448"),
    (0x001F, "brainpoolP256r1tls13"),
    (0x0020, "brainpoolP384r1tls13"),
    (0x0021, "brainpoolP512r1tls13"),
    (0x0029, "curveSM2"),
    (0x0100, "ffdhe2048"),
    (0x0101, "ffdhe3072"),
    (0x0102, "ffdhe4096"),
    (0x0103, "ffdhe6144"),
    (0x0104, "ffdhe8192"),
];

/// Classical signature schemes without a row of their own in the registry, with their names.
pub const OTHER_SCHEMES: [(u16, &str); 7] = [
    (0x0804, "rsa_pss_rsae_sha256"),
    (0x0805, "rsa_pss_rsae_sha384"),
    (0x0806, "rsa_pss_rsae_sha512"),
    (0x0809, "rsa_pss_pss_sha256"),
    (0x080A, "rsa_pss_pss_sha384"),
    (0x080B, "rsa_pss_pss_sha512"),
    (0x0808, "ed448"),
];

/// Returns the numbers of all groups in all eras, without duplicates. The numbers in `grille_registry`'s rows and
/// [`OTHER_GROUPS`] come first.
#[must_use]
pub fn all_groups() -> Vec<u16> {
    let own = KEMS.iter().filter_map(|row| row.tls_group);
    all_codes(own.chain(OTHER_GROUPS.iter().map(|(code, _)| *code)), Kind::Group)
}

/// Returns the numbers of all signature schemes in all eras, without duplicates. The numbers in `grille_registry`'s
/// rows and [`OTHER_SCHEMES`] come first.
#[must_use]
pub fn all_schemes() -> Vec<u16> {
    let own = SIGNATURES.iter().filter_map(|row| row.tls_scheme);
    all_codes(own.chain(OTHER_SCHEMES.iter().map(|(code, _)| *code)), Kind::Scheme)
}

fn all_codes(own: impl Iterator<Item = u16>, kind: Kind) -> Vec<u16> {
    let entries = Entry::all().iter().filter(|entry| entry.kind == kind).map(|entry| entry.code);
    let mut seen = BTreeSet::new();
    own.chain(entries).filter(|code| seen.insert(*code)).collect()
}
