//! Falcon of round 3: the specification 1.2 (October 2020), and the reference implementation of September 2020.
//!
//! ```
//! use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
//! use grille_falcon::Falcon512;
//!
//! # fn main() -> Result<(), Error> {
//! let key = Falcon512::generate(&mut SystemRng).prepare();
//! let signature = key.sign(b"message", b"", &mut SystemRng)?;
//! key.verifying_key().verify(b"message", b"", &signature)?;
//! # Ok(())
//! # }
//! ```
//!
//! | Falcon | file |
//! |---|---|
//! | Table 3.3, parameter sets | `params.rs` |
//! | Algorithms 1 and 2, splitfft and mergefft; the FFT | `sign/fft.rs` |
//! | Algorithm 3, HashToPoint | `hash.rs` |
//! | Algorithm 4, Keygen; what an imported key has to be | `keygen/mod.rs` |
//! | Algorithm 5, NTRUGen: f and g | `keygen/gauss.rs`, as round 3 draws them `keygen/gauss/round3.rs`; whether they are short `keygen/mod.rs`, with the numbers of `keygen/fixed.rs` |
//! | Algorithm 6, NTRUSolve | `keygen/ntru.rs`; at the bottom `keygen/bezout.rs` |
//! | Algorithm 7, Reduce | `keygen/reduce.rs`, its quotients `keygen/quotients.rs`, from the bits of `keygen/top.rs`; with doubles, as round 3's known answers need it, `keygen/round3.rs` |
//! | large integers | `keygen/zint.rs`, their residues `keygen/residues.rs`, modulo primes `keygen/primes.rs` |
//! | Algorithms 8, 9 and 11, the tree and ffSampling | `sign/tree.rs` |
//! | Algorithm 10, Sign | `sign/mod.rs`; on a short stack `sign/small.rs`, eight at a time `sign/batch.rs` |
//! | signing keys, with their tree, for short stacks | `signing_key.rs`, `prepared.rs`, `small_key.rs` |
//! | Algorithms 13 to 15, SamplerZ | `sign/sampler.rs` |
//! | Algorithm 12, BaseSampler | `sign/draws.rs`, its randomness `sign/prng.rs` |
//! | Algorithm 16, Verify | `verify.rs` |
//! | Algorithms 17 and 18, section 3.11: encodings | `codec.rs` |
//! | doubles, and the same with integers | `sign/flr.rs`, `sign/emulated.rs`, for tests `emulated.rs` |
//! | arithmetic modulo q | `mq.rs` |
//!
//! **Constant time**: key generation, import and export, with integers only; signing, and keys of known answers
//! ([`SigningKey::keygen_internal`]), where additions, multiplications, divisions and square roots of doubles are
//! (`sign/flr.rs`). What the specification lets be known is not hidden: how many candidates f, g fail and why, the number of
//! attempts of SamplerZ and of a signature. Verifying is variable time on public data, but for the constant-time format of
//! signatures, [`FalconCt512`] and [`FalconCt1024`], which no protocol uses and the registry has no rows for: there the time
//! of signing and verifying tells nothing of the signature, and of the message its length.
//!
//! **Memory**: making and reading signing keys, signing with small ones and signing many messages take some of the heap beside the stack, and
//! prepared keys lie there ([`PreparedSigningKey`]). Of the stack, operations take at most, in KiB, their results included, as `tests/stack.rs`
//! measures it in a release build at the AVX-512 level; eight signatures in lock-step, which AVX-512 makes, are not among them:
//!
//! | | Falcon-512 | Falcon-1024 |
//! |---|---|---|
//! | key generation | 31 | 52 |
//! | import of a signing key | 24 | 46 |
//! | import of a small signing key | 20 | 38 |
//! | preparing a signing key | 69 | 145 |
//! | signing | 90 | 179 |
//! | signing with a small key | 35 | 57 |
//! | signing with a prepared key | 32 | 55 |
//! | verifying | 8 | 15 |
//!
//! A small key is a value (`small_signing_key` of [`grille_core::DynSignature`]); it takes a tenth longer. Preparing and verifying
//! include reading the key.
//!
//! **Checked**: imported signing keys satisfy f·G − g·F = q, with f and g as short as Keygen wants them; keys and
//! signatures have one encoding only.
#![no_std]
#![deny(unsafe_code)]
#![allow(non_snake_case, reason = "f and F are different polynomials")]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod codec;
#[cfg(feature = "emulated")]
pub mod emulated;
mod hash;
mod keygen;
mod mq;
pub mod params;
mod pieces;
mod poly;
mod prepared;
mod secret_vec;
mod sign;
mod signing_key;
mod small_key;
mod verify;

use alloc::boxed::Box;
pub use codec::SignatureBytes;
use core::marker::PhantomData;
use grille_core::{Bytes, CryptoRng, Error, Secret, Signature, SignatureInfo};
pub use keygen::SEED_LEN;
use params::{Degree, Params};
pub use prepared::PreparedSigningKey;
pub use signing_key::SigningKey;
pub use verify::VerifyingKey;

/// The algorithm with the parameter set `P`.
pub struct Falcon<P>(PhantomData<fn() -> P>);

impl<P: Params> Signature for Falcon<P> {
    const INFO: SignatureInfo = SignatureInfo {
        name: P::NAME,
        verifying_key_len: <P::Degree as Degree>::VerifyingKeyBytes::LEN,
        signing_key_len: <P::Degree as Degree>::SigningKeyBytes::LEN,
        seed_len: None,
        signature_len: P::SignatureBytes::LEN,
        context_len: 0,
    };
    type SigningKey = SigningKey<P>;
    type VerifyingKey = VerifyingKey<P>;
    type SignatureBytes = SignatureBytes<P>;

    fn generate(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::generate(rng)
    }

    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<SigningKey<P>> {
        SigningKey::generate_boxed(rng)
    }

    fn generate_internal(rng: &mut dyn CryptoRng) -> SigningKey<P> {
        SigningKey::keygen_internal(Secret::random(rng).expose())
    }
}

/// Falcon of degree 512, category 1.
pub type Falcon512 = Falcon<params::Falcon512P>;
/// Falcon of degree 1024, category 5.
pub type Falcon1024 = Falcon<params::Falcon1024P>;
/// The same of degree 512, all signatures of one length.
pub type FalconPadded512 = Falcon<params::FalconPadded512P>;
/// The same of degree 1024, all signatures of one length.
pub type FalconPadded1024 = Falcon<params::FalconPadded1024P>;
/// The same of degree 512, with signatures encoded in constant time.
pub type FalconCt512 = Falcon<params::FalconCt512P>;
/// The same of degree 1024, with signatures encoded in constant time.
pub type FalconCt1024 = Falcon<params::FalconCt1024P>;
/// Falcon-512 with the deviation and the bound of the implementation of September 2020.
pub type Falcon512Y2020 = Falcon<params::Falcon512Y2020P>;
/// Falcon-1024 with the deviation and the bound of the implementation of September 2020.
pub type Falcon1024Y2020 = Falcon<params::Falcon1024Y2020P>;

fn no_context(context: &[u8]) -> Result<(), Error> {
    if context.is_empty() { Ok(()) } else { Err(Error::ContextTooLong { max: 0, got: context.len() }) }
}

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_signatures! { Falcon512 Falcon1024 FalconPadded512 FalconPadded1024 FalconCt512 FalconCt1024 Falcon512Y2020 Falcon1024Y2020 }
