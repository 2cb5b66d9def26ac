//! Keccak, SHA-3 and SHAKE for one, four or eight inputs at a time; SHA-2 and AES-CTR.
//!
//! Most functions are batched. They absorb `N` inputs of equal length and squeeze `N` outputs of equal
//! length, and each call of the permutation processes all `N` states. Every function takes the [`Level`] that
//! its caller detected once for the whole operation.
//!
//! ```
//! use grille_hash::{Level, Shake128, sha3_256};
//!
//! let level = Level::detect();
//! assert_eq!(sha3_256(level, &[b"abc"])[..4], [0x3a, 0x98, 0x5d, 0xa7]);
//!
//! let mut four = Shake128::<4>::new(level);
//! four.absorb_all(b"seed");                              // the same bytes for every sponge
//! four.absorb([&[0], &[1], &[2], &[3]]);                 // one different byte for each sponge
//! let mut outputs = [[0; 168]; 4];
//! four.squeeze_blocks(&mut outputs);
//!
//! let mut one = [0; 168];
//! Shake128::hash(level, &[b"seed", &[2]], &mut one);
//! assert_eq!(outputs[2], one);
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate is `no_std`. It does not allocate, but `grille-core` needs an allocator.
//!
//! # Security
//! No branch and no index depends on the contents of inputs; the time depends on their lengths. Sponge states are
//! erased on drop. AES uses the processor's instructions where a vector kernel exists, and otherwise the crate
//! `aes`.
//!
//! # Map of the source
//!
//! | standard | module |
//! |---|---|
//! | FIPS 202, KECCAK-p\[1600, 24\] | [`keccak`] |
//! | FIPS 202, SPONGE, SHA-3, SHAKE | [`sponge`] |
//! | FIPS 202, sponges of different kinds side by side | [`lanes`] |
//! | FIPS 180-4, SHA-256, SHA-384 and SHA-512 | [`sha2`] |
//! | FIPS 180-4, SHA-2 of many messages at once | [`sha2_lanes`] |
//! | FIPS 204 section 5.4, messages hashed beforehand | [`prehash`] |
//! | SP 800-38A, AES-256 in counter mode | [`aes_ctr`] |
#![no_std]
#![deny(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod aes_ctr;
mod backend;
pub mod keccak;
pub mod lanes;
pub mod prehash;
pub mod sha2;
pub mod sha2_lanes;
pub mod sponge;

/// The rounds of SHA-256 on vector registers, for other crates whose kernels keep states in registers.
///
/// The functions `sha256_…` process 16 states, one word of all states at a time. The functions `sha_ni_…`
/// process whole states. After the last round of a block, the caller adds the state from before the first round.
#[cfg(target_arch = "x86_64")]
pub mod x86 {
    pub use crate::backend::sha_ni::{sha_ni_four_rounds, sha_ni_rounds};
    pub use crate::backend::sha2_avx512::{sha256_round, sha256_rounds};
    pub use crate::sha2_lanes::K256;
}

pub use grille_cpu::Level;
pub use sponge::{Sha3_256, Sha3_512, Shake128, Shake256, sha3_256, sha3_512, shake256};
