//! The interface to vector instructions.
//!
//! A public operation is a value of a type that implements [`Operation`]. Its code is written once, generic
//! over the backend. [`dispatch`] detects the CPU level of this machine once and runs the copy compiled for
//! that level.

/// Defines a method for each line `fn name(arguments) = kernel;`. The method calls the kernel, whose CPU
/// features the token proves.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) {
            // SAFETY: `self.token` exists only if the processor has the kernel's features.
            unsafe { $kernel($($argument),*) }
        }
    )*};
}
#[cfg(target_arch = "x86_64")]
use kernels;

/// Defines a method for each line `fn name = intrinsic;`. The method applies the intrinsic to two vectors of
/// a type whose values require a token.
#[cfg(target_arch = "x86_64")]
macro_rules! lanewise {
    ($(fn $name:ident = $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            // SAFETY: creating `self` required a token.
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
mod dispatch;
mod ntt;
pub(crate) mod portable;
mod tables;
#[cfg(test)]
mod tests;

use crate::ring::{Image, N, Poly};
use grille_hash::Level;

pub(crate) use dispatch::dispatch;

/// An operation that is compiled once for each backend.
pub(crate) trait Operation {
    /// The result of the operation.
    type Output;

    /// Runs the operation. Must be `#[inline(always)]`, so that it is compiled with the backend's instructions.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// The kernels that each backend implements.
pub(crate) trait Backend: Copy {
    /// Returns the CPU level at which hash functions run.
    fn level(self) -> Level;

    /// Computes the image of f, for |f| ≤ 2¹².
    fn forward(self, f: &Poly, f_hat: &mut Image);

    /// Computes Σⱼ aⱼ·bⱼ modulo 2¹⁶ from images, for at most 4 products whose exact sum is within ±12·2²⁰.
    fn dot(self, a: &[Image], b: &[Image], c: &mut Poly);

    /// Packs coefficients modulo 2^D into a bit string. `bytes` has 32·`D` bytes.
    fn pack<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]);

    /// Unpacks the coefficients of a bit string, in [0, 2^D), or in [−2¹², 2¹²) for D = 13. `bytes` has
    /// 32·`D` bytes.
    fn unpack<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]);
}
