//! ML-DSA (FIPS 204), Dilithium of round 3 and Dilithium-AES.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod ball;
mod encode;
mod field;
mod generation;
mod hash;
mod keygen;
mod message;
pub mod params;
mod poly;
mod round;
mod sample;
mod sign;
mod verify;

use core::marker::PhantomData;
use generation::Generation;
use grille_core::{Bytes, CryptoRng, Signature, SignatureInfo};
pub use keygen::SigningKey;
pub use message::{HashFunction, Mu, PreHash};
use params::Params;
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
