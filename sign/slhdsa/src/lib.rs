//! SLH-DSA (FIPS 205, August 2024) and SPHINCS+ of round 2 (March 2019), round 3 (October 2020) and round 3.1 (June
//! 2022).
//!
//! Four generations, one text: the steps that differ are the methods and constants of a type, see `generation.rs`, and
//! the hash functions are another, see `family/`.
//!
//! ```
//! use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
//! use grille_slhdsa::SlhDsaShake128f;
//!
//! # fn main() -> Result<(), Error> {
//! let key = SlhDsaShake128f::generate(&mut SystemRng);
//! let signature = key.sign(b"message", b"context", &mut SystemRng)?;
//! key.verifying_key().verify(b"message", b"context", &signature)?;
//! # Ok(())
//! # }
//! ```
//!
//! | FIPS 205 | file |
//! |---|---|
//! | Table 2, parameter sets | `params.rs` |
//! | section 4.2, addresses | `address.rs` |
//! | section 5, WOTS+ | `wots.rs`, and chains to be verified in `chains.rs` |
//! | section 6, XMSS | `xmss.rs` |
//! | section 7, the hypertree | `hypertree.rs` |
//! | Algorithms 9 and 15, nodes of trees; Algorithm 11, the way up | `tree.rs` |
//! | section 8, FORS | `fors.rs` |
//! | Algorithms 18 and 21, KeyGen; import and export of signing keys | `keygen.rs` |
//! | Algorithms 19, 22 and 23, Sign | `sign.rs` |
//! | Algorithms 20, 24 and 25, Verify | `verify.rs` |
//! | many signatures with one key | `prepared.rs` |
//! | how far a signature is | `work.rs` |
//! | section 10, what is signed | `message.rs` |
//! | section 11, hash functions | `family/shake.rs`, `family/sha2.rs`; Haraka in `family/haraka.rs` |
//! | what the rounds did otherwise | `generation.rs` |
//!
//! **Constant time**: key generation and signing, in SK.seed and SK.prf. What a signature reveals (R, which leaves it
//! selects, the values that WOTS+ signs) is public.
//!
//! **Memory**: signing takes less than 64 KiB of stack beside the signature, and no other memory; a test signs on threads
//! with no more. This was measured on x86-64 only; on other targets run that test first. A prepared key holds its highest
//! tree too, 0.5 to 32 KiB. With the feature `parallel` each thread of the pool takes as much.
//!
//! **Time**: the sets `s` can take more than a second where there are no vector instructions, so signing can say how far
//! it is: `sign_with_progress`.
//!
//! **Threads**: with the feature `parallel`, which needs `std`, the keys of a tree and the trees of FORS are made on all
//! threads of rayon's pool.
//!
//! **HashSLH-DSA** (FIPS 205 section 10.2.2) is here for those who ask for it: `sign_prehash`, with all twelve hash
//! functions. Registry and certificates know the twelve sets that RFC 9909 names, each with one of them.
//!
//! **Checked**: signing keys that are prepared from bytes, for the root that their seeds lead to; `check` does it for
//! others. Every byte string of the right length is a verifying key.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(test)]
extern crate std;

mod address;
mod backend;
mod chains;
mod family;
mod fors;
mod generation;
mod hypertree;
mod keygen;
mod message;
mod parallel;
pub mod params;
mod pieces;
mod prepared;
mod sign;
mod tree;
mod verify;
mod work;
mod wots;
mod xmss;

use alloc::vec::Vec;
use core::marker::PhantomData;
use generation::Generation;
use grille_core::{CryptoRng, Signature, SignatureInfo};
pub use grille_hash::prehash::{HashFunction, PreHash};
pub use keygen::SigningKey;
use params::Params;
pub use params::algorithms::*;
pub use prepared::PreparedSigningKey;
pub use verify::VerifyingKey;

/// The algorithm with the parameter set `P`.
pub struct SlhDsa<P>(PhantomData<fn() -> P>);

impl<P: Params> Signature for SlhDsa<P> {
    const INFO: SignatureInfo = SignatureInfo {
        name: P::NAME,
        verifying_key_len: 2 * P::SHAPE.n,
        signing_key_len: 4 * P::SHAPE.n,
        seed_len: None,
        signature_len: P::SHAPE.signature_len(),
        context_len: <<P::Family as family::Family>::Generation as Generation>::CONTEXT_LEN,
    };
    type SigningKey = SigningKey<P>;
    type VerifyingKey = VerifyingKey<P>;
    type SignatureBytes = Vec<u8>;

    fn generate(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::generate(rng)
    }
}
