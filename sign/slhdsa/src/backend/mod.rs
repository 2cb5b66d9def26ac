//! Code with vector instructions: chains of SHA-256, and the permutations of Haraka.
//!
//! SHAKE chains need only the Keccak permutation, which is in `grille-hash`.

pub(crate) mod haraka;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod haraka_aes;
mod haraka_portable;
pub(crate) mod sha256;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod sha256_avx512;
mod sha256_input;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod sha256_ni;
