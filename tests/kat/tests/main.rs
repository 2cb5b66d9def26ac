//! One test program for all vectors, so that the algorithms are linked once.

mod acvp;
#[cfg(feature = "all")]
mod ed448;
mod falcon_ct;
mod falcon_round3;
mod known_answers;
mod sphincs_round31;
mod wycheproof;

use grille_registry::{Family, signature_by_name};

/// Returns whether the tests run in an emulator, which is slow: then they recompute one record of each algorithm, and
/// none of the small sets of hash-based signatures.
fn is_emulated() -> bool {
    std::env::var_os("GRILLE_EMULATED").is_some()
}

/// Returns whether the algorithm is a small set of hash-based signatures, whose signatures take up to a second.
fn is_small_set(algorithm: &str) -> bool {
    signature_by_name(algorithm).is_ok_and(|row| row.family == Family::HashSmall)
}
