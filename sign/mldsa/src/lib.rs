//! ML-DSA (FIPS 204, August 2024), Dilithium (version 3.1 of round 3, February 2021) and Dilithium-AES.
//!
//! Three generations, one text: the steps that differ are the methods of a type, see `generation.rs`.
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
//! | FIPS 204 | file |
//! |---|---|
//! | Tables 1 and 2, parameter sets | `params.rs` |
//! | Algorithms 1 and 6, KeyGen; import and export of signing keys | `keygen.rs` |
//! | Algorithms 2, 4 and 7, Sign: the rejection loop | `sign.rs`, one attempt `attempt.rs`, the ways to get there `signer.rs` |
//! | Algorithms 3, 5 and 8, Verify | `verify.rs`, c~′ from an encoded key `recomputation.rs` |
//! | section 5.4, HashML-DSA; μ | `message.rs` |
//! | Algorithms 16 to 28, encodings | `encode.rs`, bits in `backend/` |
//! | Algorithm 29, SampleInBall | `ball.rs` |
//! | Algorithms 30 to 34, ExpandA, ExpandS, ExpandMask | `sample.rs`, the loops in `backend/` |
//! | Algorithms 35 to 40, rounding and hints | `round.rs` |
//! | Algorithms 41 to 48, NTT and products | `backend/`, modulo q in `field.rs`, types in `poly.rs` |
//! | section 3.7, H and G | `hash.rs`, side by side in `streams/` |
//! | the products c·s1 and c·s2 | `small.rs`, `backend/` |
//! | keys for many operations, for short stacks, read unchecked | `prepared.rs`, `small_key.rs`, `small_verifying_key.rs`, `trusted.rs` |
//! | what round 3 did otherwise | `generation.rs` |
//!
//! **Constant time**: key generation, import, export and signing, but for the standard's own rejections: the number
//! of attempts of a signature with the reason of each failure, the number and places of rejected half-bytes in
//! ExpandS, and c~ of each attempt are public. Verifying is variable time on public data.
//!
//! **Memory**: only prepared and small keys are on the heap. Operations take at most so many KiB of the stack, as `tests/stack.rs`
//! measures it in a release build at the AVX-512 level, which takes the most:
//!
//! | | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! |---|---|---|---|
//! | key generation | 54 | 65 | 80 |
//! | import of a signing key | 58 | 71 | 87 |
//! | signing | 53 | 75 | 113 |
//! | signing with a prepared key | 33 | 39 | 49 |
//! | import of a small signing key | 39 | 44 | 52 |
//! | signing with a small key | 41 | 59 | 91 |
//! | verifying | 42 | 47 | 55 |
//! | verifying with a prepared key | 13 | 14 | 16 |
//! | verifying with a small key | 14 | 15 | 17 |
//!
//! A small key as a value (`small_signing_key` of [`grille_core::DynSignature`]) is for short stacks: it is read with Â
//! row by row, and takes 12, 17 or 23 KiB of the heap while it signs. With a small public key (`small_verifying_key`) signatures are
//! checked row by row, with one state of Keccak, and 5, 6 or 8 KiB of the heap.
//!
//! **Often**: a key that is used more than once is prepared, [`SigningKey::prepare`] and [`VerifyingKey::prepare`], and keeps what
//! each operation would compute again. That costs less than an operation, so that it pays from the second one on, and memory on
//! the heap for as long as the key lives:
//!
//! | KiB beside the encoded key | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! |---|---|---|---|
//! | to sign | 24 | 41.5 | 71.5 |
//! | to verify | 20.1 | 36.1 | 64.1 |
//!
//! A signing key is moved, so that its secrets stay in one place; `sign_many` signs one message after the other.
//!
//! **Checked**: imported signing keys are recomputed from s1 and s2, but for a [`TrustedSigningKey`], whose s1 and s2
//! are looked at alone; signatures have one encoding only.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod attempt;
mod backend;
mod ball;
mod encode;
mod field;
mod generation;
mod hash;
mod keygen;
mod message;
pub mod params;
mod pieces;
mod poly;
mod prepared;
mod recomputation;
mod round;
mod sample;
mod sign;
mod signer;
mod small;
mod small_key;
mod small_verifying_key;
mod streams;
mod trusted;
mod verify;

use core::marker::PhantomData;
use generation::Generation;
use grille_core::{Bytes, CryptoRng, Signature, SignatureInfo};
pub use grille_hash::prehash::{HashFunction, PreHash};
pub use keygen::SigningKey;
pub use message::Mu;
use params::Params;
pub use pieces::MuHasher;
pub use prepared::{PreparedSigningKey, PreparedVerifyingKey};
pub use trusted::TrustedSigningKey;
pub use verify::VerifyingKey;

/// The algorithm with the parameter set `P`.
pub struct MlDsa<P>(PhantomData<fn() -> P>);

impl<P: Params> Signature for MlDsa<P> {
    const INFO: SignatureInfo = SignatureInfo {
        name: P::NAME,
        verifying_key_len: P::VerifyingKeyBytes::LEN,
        signing_key_len: P::SigningKeyBytes::LEN,
        seed_len: Some(32),
        signature_len: P::SignatureBytes::LEN,
        context_len: P::Generation::CONTEXT_LEN,
    };
    type SigningKey = SigningKey<P>;
    type VerifyingKey = VerifyingKey<P>;
    type SignatureBytes = P::SignatureBytes;

    fn generate(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::generate(rng)
    }
}

/// ML-DSA of category 2.
pub type MlDsa44 = MlDsa<params::P44>;
/// ML-DSA of category 3.
pub type MlDsa65 = MlDsa<params::P65>;
/// ML-DSA of category 5.
pub type MlDsa87 = MlDsa<params::P87>;
/// Dilithium of round 3, category 2.
pub type Dilithium2 = MlDsa<params::D2>;
/// Dilithium of round 3, category 3.
pub type Dilithium3 = MlDsa<params::D3>;
/// Dilithium of round 3, category 5.
pub type Dilithium5 = MlDsa<params::D5>;
/// Dilithium-AES of round 3, category 2.
pub type Dilithium2Aes = MlDsa<params::D2Aes>;
/// Dilithium-AES of round 3, category 3.
pub type Dilithium3Aes = MlDsa<params::D3Aes>;
/// Dilithium-AES of round 3, category 5.
pub type Dilithium5Aes = MlDsa<params::D5Aes>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_signatures! { MlDsa44 MlDsa65 MlDsa87 Dilithium2 Dilithium3 Dilithium5 Dilithium2Aes Dilithium3Aes Dilithium5Aes }
