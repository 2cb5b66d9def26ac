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
//! # Features
//! `erased` (default): adds the module `erased`, which has each parameter set as a
//! [`DynSignature`](grille_core::DynSignature) value, for programs that choose the algorithm at run time.
//!
//! `emulated`: adds the module `emulated`, which generates keys and signs with integers instead of floating-point
//! arithmetic on every processor, for tests.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. `SystemRng` comes with the feature `system-rng` of `grille-core`.
//! Without an operating system, pass your own [`CryptoRng`]. On processors other than
//! x86-64 with SSE2 and AArch64, integers emulate the floating-point arithmetic of signing.
//!
//! # Security
//! Key generation, import and export use only integers and run in constant time. Signing, and key generation for
//! known answers ([`SigningKey::keygen_internal`]), run in constant time if additions, multiplications, divisions
//! and square roots of doubles do (`sign/flr.rs`). The specification allows some values to become public: how many
//! candidates f, g fail and why, and the number of attempts of SamplerZ and of a signature.
//!
//! Verification processes public data in variable time, except for the constant-time signature format of
//! [`FalconCt512`] and [`FalconCt1024`]. With this format, the time of signing and verification reveals nothing
//! about the signature, and nothing about the message except its length. No protocol uses this format, and the
//! registry does not contain it.
//!
//! Secret keys are erased on drop. `SECURITY.md` lists the processors on which constant time was checked, and the
//! attacks that are out of scope.
//!
//! # Storing and loading keys
//! Falcon keys have no seed. Store `to_bytes()`, and load it with `from_bytes`, or with `from_bytes_dyn` to
//! load a prepared key. An imported signing key must satisfy f·G − g·F = q, and f and g must be as short as
//! Keygen requires. Each key and each signature has only one valid encoding.
//!
//! # Preparing keys
//! Each signature computes the tree of its key again, which takes about a fifth of the signing time.
//! [`SigningKey::prepare`] computes the tree once for many signatures.
//!
//! # Memory
//! Some operations also use the heap: generation and import of signing keys, signing with low-memory keys,
//! and signing many messages. Prepared keys are stored on the heap ([`PreparedSigningKey`]). The table states
//! the largest stack use in KiB, including results, as `tests/stack.rs` measures it in a release build at the
//! AVX-512 level. It does not include the signing of eight messages in lock-step, which uses AVX-512:
//!
//! | | Falcon-512 | Falcon-1024 |
//! |---|---|---|
//! | key generation | 31 | 52 |
//! | import of a signing key | 24 | 46 |
//! | import of a low-memory signing key | 20 | 38 |
//! | preparing a signing key | 69 | 145 |
//! | signing | 90 | 179 |
//! | signing with a low-memory key | 35 | 57 |
//! | signing with a prepared key | 32 | 55 |
//! | verifying | 8 | 15 |
//!
//! Signing with a low-memory key (`low_memory_signing_key` of [`grille_core::DynSignature`]) takes a tenth
//! longer. The figures for preparing and verifying include the parsing of the key.
//!
//! # Map from the specification to the source
//!
//! | Falcon | file |
//! |---|---|
//! | Table 3.3, parameter sets | `params.rs`; degrees in `degree.rs`, parameters of signatures in `format.rs` |
//! | Algorithms 1 and 2, splitfft and mergefft; the FFT | `sign/fft.rs` |
//! | Algorithm 3, HashToPoint | `hash.rs` |
//! | Algorithm 4, Keygen; checks of imported keys | `keygen/mod.rs` |
//! | Algorithm 5, NTRUGen: sampling of f and g | `keygen/gauss.rs`; as in round 3, `keygen/gauss/round3.rs`; the check of their lengths in `keygen/mod.rs`, with the numbers of `keygen/fixed.rs` |
//! | Algorithm 6, NTRUSolve | `keygen/ntru.rs`; the last level in `keygen/bezout.rs` |
//! | Algorithm 7, Reduce | `keygen/reduce.rs`; the quotients in `keygen/quotients.rs`, from the highest bits, which `keygen/top.rs` reads; the version with doubles for round 3's known answers in `keygen/round3.rs` |
//! | large integers | `keygen/zint.rs`; their residues in `keygen/residues.rs`, arithmetic modulo primes in `keygen/primes.rs` |
//! | Algorithms 8, 9 and 11, the tree and ffSampling | `sign/tree.rs` |
//! | Algorithm 10, Sign | `sign/mod.rs`; with little memory in `sign/low_memory.rs`, eight signatures at a time in `sign/batch.rs` |
//! | signing keys, prepared keys, low-memory keys | `signing_key.rs`, `prepared.rs`, `low_memory_signing_key.rs`; the interface of signing keys in `signing_interface.rs` |
//! | messages in pieces | `streaming.rs` |
//! | Algorithms 13 to 15, SamplerZ | `sign/sampler.rs` |
//! | Algorithm 12, BaseSampler | `sign/base_sampler.rs`; its randomness in `sign/prng.rs` |
//! | Algorithm 16, Verify | `verify.rs`; verifying keys in `verifying_key.rs` |
//! | Algorithms 17 and 18, section 3.11: encodings | `codec.rs`; encoded signatures as a type in `signature_bytes.rs` |
//! | doubles, and their emulation with integers | `sign/flr.rs`, `sign/emulated.rs`; `emulated.rs` runs the emulation in tests |
//! | arithmetic modulo q | `mq.rs`; the NTT in `ntt.rs` |
#![no_std]
#![deny(unsafe_code)]
#![allow(non_snake_case, reason = "f and F are different polynomials")]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod codec;
mod degree;
#[cfg(feature = "emulated")]
pub mod emulated;
mod format;
mod hash;
mod keygen;
mod low_memory_signing_key;
mod mq;
mod ntt;
pub mod params;
mod poly;
mod precompiled;
mod prepared;
mod secret_vec;
mod sign;
mod signature_bytes;
mod signing_interface;
mod signing_key;
mod streaming;
mod verify;
mod verifying_key;

pub use algorithm::Falcon;
use alloc::boxed::Box;
use grille_core::{Bytes, CryptoRng, Secret, Signature, SignatureInfo};
pub use keygen::SEED_LEN;
use params::{Degree, Params};
pub use prepared::PreparedSigningKey;
pub use signature_bytes::SignatureBytes;
pub use signing_key::SigningKey;
pub use verifying_key::VerifyingKey;

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

/// Falcon-512, category 1.
pub type Falcon512 = Falcon<params::Falcon512P>;
/// Falcon-1024, category 5.
pub type Falcon1024 = Falcon<params::Falcon1024P>;
/// Falcon-512 with padded signatures, which all have the same length.
pub type FalconPadded512 = Falcon<params::FalconPadded512P>;
/// Falcon-1024 with padded signatures, which all have the same length.
pub type FalconPadded1024 = Falcon<params::FalconPadded1024P>;
/// Falcon-512 with signatures encoded in constant time.
pub type FalconCt512 = Falcon<params::FalconCt512P>;
/// Falcon-1024 with signatures encoded in constant time.
pub type FalconCt1024 = Falcon<params::FalconCt1024P>;
/// Falcon-512 with the standard deviation and the norm bound of the reference implementation of September 2020.
pub type Falcon512Y2020 = Falcon<params::Falcon512Y2020P>;
/// Falcon-1024 with the standard deviation and the norm bound of the reference implementation of September
/// 2020.
pub type Falcon1024Y2020 = Falcon<params::Falcon1024Y2020P>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_signatures! { Falcon512 Falcon1024 FalconPadded512 FalconPadded1024 FalconCt512 FalconCt1024 Falcon512Y2020 Falcon1024Y2020 }
