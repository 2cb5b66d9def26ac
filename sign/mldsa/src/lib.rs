//! ML-DSA (FIPS 204, August 2024), Dilithium (version 3.1 of round 3, February 2021) and Dilithium-AES.
//!
//! Use [`MlDsa65`] unless a peer requires another parameter set.
//!
//! ```
//! use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
//! use grille_mldsa::MlDsa65;
//!
//! # fn main() -> Result<(), Error> {
//! let key = MlDsa65::generate(&mut SystemRng);
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
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. `SystemRng` comes with the feature `system-rng` of `grille-core`.
//! Without an operating system, pass your own [`CryptoRng`].
//!
//! # Security
//! Key generation, import, export and signing run in constant time, except for the standard's own rejections. These
//! values are public: the number of attempts of a signature and the reason why each attempt was rejected, the
//! number and positions of rejected half-bytes in ExpandS, and c~ of each attempt. Verification processes public
//! data in variable time.
//!
//! Secret keys are erased on drop. `SECURITY.md` lists the processors on which constant time was checked, and the
//! attacks that are out of scope.
//!
//! # Storing and loading keys
//! Store the 32-byte seed, and expand it again when the program starts. Verifying keys and signatures are
//! byte strings. Every byte string of the right length is a valid verifying key:
//!
//! ```
//! use grille_core::{Error, Signature, SigningKey as _, SystemRng, VerifyingKey as _};
//! use grille_mldsa::{MlDsa65, SigningKey, VerifyingKey, params::P65};
//!
//! # fn main() -> Result<(), Error> {
//! let key = MlDsa65::generate(&mut SystemRng);
//! let seed = key.seed().expect("a generated key has its seed");     // secret: store this
//! let public = key.verifying_key().to_bytes();                      // publish this
//!
//! let key = SigningKey::<P65>::from_seed(seed.as_ref())?;
//! let signature = key.sign(b"message", b"", &mut SystemRng)?;
//! VerifyingKey::<P65>::from_bytes(&public)?.verify(b"message", b"", signature.as_ref())?;
//! # Ok(())
//! # }
//! ```
//!
//! Imported signing keys in expanded form are recomputed from s1 and s2. For a [`TrustedSigningKey`], the
//! import checks only the ranges of s1 and s2. Signatures have only one valid encoding.
//!
//! # Many operations with one key
//! If you use a key more than once, prepare it with [`SigningKey::prepare`] or [`VerifyingKey::prepare`].
//! Preparation costs less than one operation. The precomputed values stay on the heap until the key is
//! dropped:
//!
//! | KiB in addition to the encoded key | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! |---|---|---|---|
//! | to sign | 24 | 41.5 | 71.5 |
//! | to verify | 20.1 | 36.1 | 64.1 |
//!
//! `prepare` moves a signing key, so that its secrets exist only once. `sign_many` signs one message after the other.
//!
//! # Memory
//! Only prepared and low-memory keys are on the heap. The table states the largest stack use in KiB.
//! `tests/stack.rs` measures it in a release build at the AVX-512 level, which needs the most:
//!
//! | | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! |---|---|---|---|
//! | key generation | 54 | 65 | 80 |
//! | import of a signing key | 58 | 71 | 87 |
//! | signing | 53 | 75 | 113 |
//! | signing with a prepared key | 33 | 39 | 49 |
//! | import of a low-memory signing key | 39 | 44 | 52 |
//! | signing with a low-memory key | 41 | 59 | 91 |
//! | verifying | 42 | 47 | 55 |
//! | verifying with a prepared key | 13 | 14 | 16 |
//! | verifying with a low-memory key | 14 | 15 | 17 |
//!
//! Low-memory keys (`low_memory_signing_key` of [`grille_core::DynSignature`]) are for threads with short
//! stacks. The import of such a signing key computes Â row by row, and signing allocates 12, 17 or 23 KiB on
//! the heap. A low-memory public key (`low_memory_verifying_key`) verifies row by row with one Keccak state,
//! and allocates 5, 6 or 8 KiB.
//!
//! # Map from the standard to the source
//! The three versions share their code. Steps that differ are methods of a type in `version.rs`.
//!
//! | FIPS 204 | file |
//! |---|---|
//! | Tables 1 and 2, parameter sets | `params.rs` |
//! | Algorithms 1 and 6, KeyGen; import of signing keys | `keygen.rs` |
//! | Algorithms 2, 4 and 7, Sign: the rejection loop | `sign.rs`; one attempt in `attempt.rs`, the public methods in `signer.rs` |
//! | Algorithms 3, 5 and 8, Verify | `verify.rs`, keys in `verifying_key.rs`; w1′ row by row in `commitment.rs`, c~′ from an encoded key in `recomputation.rs` |
//! | section 5.4, HashML-DSA; μ | `message.rs` |
//! | messages in pieces | `streaming.rs` |
//! | Algorithms 16 to 28, encodings | `encode.rs`; bit packing in `backend/` |
//! | Algorithm 29, SampleInBall | `ball.rs` |
//! | Algorithms 30 to 34, ExpandA, ExpandS, ExpandMask | `sample.rs`; the rejection loops in `backend/` |
//! | Algorithms 35 to 40, rounding and hints | `round.rs` |
//! | Algorithms 41 to 48, NTT and products | `backend/`; arithmetic modulo q in `field.rs`, types in `poly.rs` |
//! | section 3.7, H and G | `hash.rs`; parallel hashes in `streams/` |
//! | the products c·s1 and c·s2 | `small_ntt.rs`, `backend/` |
//! | prepared keys and their values, low-memory keys, keys imported without checks | `prepared.rs`, `expanded.rs`, `low_memory_signing_key.rs`, `low_memory_verifying_key.rs`, `trusted.rs` |
//! | differences of round 3 | `version.rs` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod attempt;
mod backend;
mod ball;
mod commitment;
mod encode;
mod expanded;
mod field;
mod hash;
mod keygen;
mod low_memory_signing_key;
mod low_memory_verifying_key;
mod message;
pub mod params;
mod poly;
mod precompiled;
mod prepared;
mod recomputation;
mod round;
mod sample;
mod sign;
mod signer;
mod small_ntt;
mod streaming;
mod streams;
mod trusted;
mod verify;
mod verifying_key;
mod version;

pub use algorithm::MlDsa;
use grille_core::{Bytes, CryptoRng, Signature, SignatureInfo};
pub use grille_hash::prehash::{HashFunction, PreHash};
pub use keygen::SigningKey;
pub use message::Mu;
use params::Params;
pub use prepared::{PreparedSigningKey, PreparedVerifyingKey};
pub use streaming::MuHasher;
pub use trusted::TrustedSigningKey;
pub use verifying_key::VerifyingKey;
use version::Version;

impl<P: Params> Signature for MlDsa<P> {
    const INFO: SignatureInfo = SignatureInfo {
        name: P::NAME,
        verifying_key_len: P::VerifyingKeyBytes::LEN,
        signing_key_len: P::SigningKeyBytes::LEN,
        seed_len: Some(32),
        signature_len: P::SignatureBytes::LEN,
        context_len: P::Version::CONTEXT_LEN,
    };
    type SigningKey = SigningKey<P>;
    type VerifyingKey = VerifyingKey<P>;
    type SignatureBytes = P::SignatureBytes;

    fn generate(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::generate(rng)
    }
}

/// ML-DSA-44, category 2.
pub type MlDsa44 = MlDsa<params::P44>;
/// ML-DSA-65, category 3.
pub type MlDsa65 = MlDsa<params::P65>;
/// ML-DSA-87, category 5.
pub type MlDsa87 = MlDsa<params::P87>;
/// Dilithium2 of round 3, category 2.
pub type Dilithium2 = MlDsa<params::D2>;
/// Dilithium3 of round 3, category 3.
pub type Dilithium3 = MlDsa<params::D3>;
/// Dilithium5 of round 3, category 5.
pub type Dilithium5 = MlDsa<params::D5>;
/// Dilithium2-AES of round 3, category 2.
pub type Dilithium2Aes = MlDsa<params::D2Aes>;
/// Dilithium3-AES of round 3, category 3.
pub type Dilithium3Aes = MlDsa<params::D3Aes>;
/// Dilithium5-AES of round 3, category 5.
pub type Dilithium5Aes = MlDsa<params::D5Aes>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_signatures! { MlDsa44 MlDsa65 MlDsa87 Dilithium2 Dilithium3 Dilithium5 Dilithium2Aes Dilithium3Aes Dilithium5Aes }
