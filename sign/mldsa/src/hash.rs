//! The hash function H, FIPS 204 section 3.7.

use grille_hash::{Level, shake256};

/// Computes `LEN` bytes of H(str, ℓ) = SHAKE256(str, 8ℓ), FIPS 204 section 3.7. The round 3 specification
/// calls this function CRH.
pub(crate) fn h<const LEN: usize>(level: Level, parts: &[&[u8]]) -> [u8; LEN] {
    let mut out = [0; LEN];
    shake256(level, parts, &mut out);
    out
}
