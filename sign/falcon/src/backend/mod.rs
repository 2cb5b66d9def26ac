//! The interface to the CPU instructions of each level.
//!
//! A public operation is a value of a type that implements [`Operation`]. Its code is written once.
//! [`dispatch()`] detects the CPU level of this machine once and runs the copy compiled for that level. The
//! loops over FFT images, residues and ChaCha blocks are written so that the compiler vectorises them. They
//! are `for` loops, because the body of a closure uses a level's instructions only if the compiler inlines
//! it.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod ntt;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{sqrt, truncate};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::{sqrt, truncate};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
pub(crate) mod avx512;
mod dispatch;
mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use dispatch::dispatch_avx512;
#[cfg(any(test, feature = "emulated"))]
pub(crate) use dispatch::run_portable;
pub(crate) use dispatch::{chacha, dispatch, dispatch_at, inverse_ntt, ntt};
use grille_hash::Level;

/// An operation that is compiled once for each CPU level.
pub(crate) trait Operation {
    /// The result of the operation.
    type Output;

    /// Runs the operation. Must be `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self, level: Level) -> Self::Output;
}
