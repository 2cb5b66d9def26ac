//! SLH-DSA (FIPS 205, August 2024) and SPHINCS+ of round 2 (March 2019), round 3 (October 2020) and round 3.1 (June
//! 2022).
//!
//! The security of these signatures depends only on hash functions. Signatures are large and signing is slow.
//! The sets `f` sign faster, and the sets `s` have smaller signatures.
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
//! # Features
//! `erased` (default): adds the module `erased`, which has each parameter set as a
//! [`DynSignature`](grille_core::DynSignature) value, for programs that choose the algorithm at run time.
//!
//! `parallel`: all threads of rayon's pool compute the keys of a tree and the trees of FORS. Needs `std`.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. `SystemRng` comes with the feature `system-rng` of `grille-core`.
//! Without an operating system, pass your own [`CryptoRng`].
//!
//! # Security
//! Key generation and signing run in constant time with respect to SK.seed and SK.prf. Values that a signature
//! reveals are public: R, the selected leaves, and the values that WOTS+ signs.
//!
//! Secret keys are erased on drop. `SECURITY.md` lists the processors on which constant time was checked, and the
//! attacks that are out of scope.
//!
//! # Storing and loading keys
//! The standard has no single seed. Store `to_bytes()`, which is SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, and
//! load it with `from_bytes`. Preparing a loaded key checks that the root matches its seeds. For other keys,
//! call `check`. Every byte string of the right length is a valid verifying key.
//!
//! # Time and progress
//! On processors without vector instructions, the sets `s` can take more than a second per signature.
//! `sign_with_progress` reports progress. [`SigningKey::prepare`] precomputes the top tree for many signatures with one
//! key.
//!
//! # HashSLH-DSA
//! `sign_prehash` implements HashSLH-DSA (FIPS 205 section 10.2.2) with all twelve hash functions. The registry and
//! certificates support the twelve sets that RFC 9909 names, each with one hash function.
//!
//! # Memory
//! Signing takes less than 64 KiB of stack in addition to the signature, and no heap. A test signs on threads
//! with a stack of that size. This was measured only on x86-64, so run that test first on other targets. A
//! prepared key also contains its top tree of 0.5 to 32 KiB. With the feature `parallel`, each thread of the
//! pool needs as much stack.
//!
//! # Map from the standard to the source
//! The four versions share their code. Steps that differ are methods and constants of a type in `version.rs`.
//! The hash functions are methods of another type, in `family/`.
//!
//! | FIPS 205 | file |
//! |---|---|
//! | Table 2, parameter sets | `params.rs`; their dimensions in `shape.rs` |
//! | section 4.2, addresses | `address.rs` |
//! | section 5, WOTS+ | `wots.rs`; the chains of a verification in `chains.rs` |
//! | section 6, XMSS | `xmss.rs` |
//! | section 7, the hypertree | `hypertree.rs` |
//! | Algorithms 9 and 15, nodes of trees; Algorithm 11, authentication paths | `tree.rs` |
//! | section 8, FORS | `fors.rs` |
//! | Algorithms 18 and 21, KeyGen | `keygen.rs`, `signing_key.rs` |
//! | import and export of signing keys | `signing_key.rs`; the interface of signing keys in `signing_interface.rs` |
//! | Algorithms 19, 22 and 23, Sign | `sign.rs`, `signing_methods.rs` |
//! | Algorithms 20, 24 and 25, Verify | `verify.rs`, `verifying_key.rs` |
//! | messages in pieces | `streaming.rs` |
//! | many signatures with one key | `prepared.rs` |
//! | progress of a signature | `progress.rs` |
//! | section 10, formatted messages | `message.rs` |
//! | section 11, hash functions | `family/shake.rs`, `family/sha2.rs`; Haraka in `family/haraka.rs` |
//! | differences of the earlier rounds | `version.rs` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

#[cfg(test)]
extern crate std;

mod address;
mod algorithm;
mod any_signing_key;
mod backend;
mod chains;
mod family;
mod fors;
mod hypertree;
mod keygen;
mod message;
mod node;
mod parallel;
pub mod params;
mod precompiled;
mod prepared;
mod progress;
mod shape;
mod sign;
mod signing_interface;
mod signing_key;
mod signing_methods;
mod streaming;
mod tree;
mod verify;
mod verifying_key;
mod version;
mod wots;
mod xmss;

pub use algorithm::SlhDsa;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Signature, SignatureInfo};
pub use grille_hash::prehash::{HashFunction, PreHash};
use params::Params;
pub use params::algorithms::*;
pub use prepared::PreparedSigningKey;
pub use signing_key::SigningKey;
pub use verifying_key::VerifyingKey;
use version::Version;

impl<P: Params> Signature for SlhDsa<P> {
    const INFO: SignatureInfo = SignatureInfo {
        name: P::NAME,
        verifying_key_len: 2 * P::SHAPE.n,
        signing_key_len: 4 * P::SHAPE.n,
        seed_len: None,
        signature_len: P::SHAPE.signature_len(),
        context_len: <<P::Family as family::Family>::Version as Version>::CONTEXT_LEN,
    };
    type SigningKey = SigningKey<P>;
    type VerifyingKey = VerifyingKey<P>;
    type SignatureBytes = Vec<u8>;

    fn generate(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::generate(rng)
    }
}
