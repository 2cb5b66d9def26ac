//! What a vector unit may replace, and which backend runs an operation.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once, generic over
//! the backend. [`dispatch`] asks once which level this machine has and runs the copy compiled for that level.

/// `fn name(arguments) = kernel;` calls the kernel, which needs the features that the token proves.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) {
            // SAFETY: `self.token` exists only where the processor has the kernel's features.
            unsafe { $kernel($($argument),*) }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
use kernels;

/// `fn name = intrinsic;` for two vectors of a type around one, which exists only where a token was given for it.
#[cfg(target_arch = "x86_64")]
macro_rules! lanewise {
    ($(fn $name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            // SAFETY: whoever made `self` had a token.
            Self(unsafe { $intrinsic(self.0, b.0) })
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
use lanewise;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod ntt;
pub(crate) mod portable;
mod tables;
#[cfg(test)]
mod tests;

use crate::ring::{Image, N, Poly};
use grille_hash::Level;

/// An operation whose text is compiled once for each backend.
pub(crate) trait Operation {
    /// What it returns.
    type Output;

    /// Runs it; `#[inline(always)]`, so that it is compiled with the backend's instructions.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// Runs an operation at the best level of this machine.
pub(crate) fn dispatch<O: Operation>(operation: O) -> O::Output {
    dispatch_at(Level::detect(), operation)
}

/// Runs an operation at a given level.
pub(crate) fn dispatch_at<O: Operation>(level: Level, operation: O) -> O::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::run(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, operation),
        _ => run_portable(level, operation),
    }
}

/// Not inlined, because its variables would else lie on the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(level: Level, operation: O) -> O::Output {
    operation.run(portable::Portable(level))
}

/// The whole native interface.
pub(crate) trait Backend: Copy {
    /// The level that hashes use.
    fn level(self) -> Level;

    /// The image of f, |f| ≤ 2¹².
    fn forward(self, f: &Poly, f_hat: &mut Image);

    /// Σⱼ aⱼ·bⱼ modulo 2¹⁶ from images, at most 4 products, whose exact sum is within ±12·2²⁰.
    fn dot(self, a: &[Image], b: &[Image], c: &mut Poly);

    /// Coefficients modulo 2^D as a bit string; `bytes`: 32·`D`.
    fn pack<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]);

    /// The coefficients of a bit string, in [0, 2^D), or for D = 13 in [−2¹², 2¹²); `bytes`: 32·`D`.
    fn unpack<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]);
}
