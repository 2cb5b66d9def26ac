//! The interface to vector instructions.
//!
//! A public operation is a value of a type that implements [`Operation`]. Its code is written once, generic over the
//! backend. [`dispatch`] detects the level of this machine once and runs the copy compiled for that level.

/// Defines a method for each line `fn name(arguments) -> result = kernel;`. The method calls the kernel,
/// whose CPU features the token proves.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: `self.token` exists only if the processor has the kernel's features.
            unsafe { $kernel($($argument),*) }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use kernels;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(debug_assertions)]
mod checked;
mod dispatch;
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
pub(crate) mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod simd128;
#[cfg(test)]
mod tests;

use crate::poly::{NttPoly, Poly};
use grille_hash::Level;

pub(crate) use dispatch::dispatch;
#[cfg(test)]
pub(crate) use dispatch::dispatch_at;

/// An operation that is compiled once for each backend.
pub(crate) trait Operation {
    /// The result of the operation.
    type Output;

    /// Runs the operation. Must be `#[inline(always)]`, so that it is compiled with the backend's instructions.
    fn run<B: Backend>(self, backend: B) -> Self::Output;
}

/// The kernels that a backend may replace. The default bodies are the portable ones, so a backend may implement only
/// some of them.
///
/// Coefficients are always in the standard's order. NTT images are plain residues, not in Montgomery form. A product of
/// two images loses a factor R, and [`Backend::inverse_ntt`] restores it.
pub(crate) trait Backend: Copy {
    /// Returns the level for hash functions.
    fn level(self) -> Level;

    /// Computes NTT, FIPS 203 Algorithm 9. The input satisfies |f| ≤ q, and the result |f̂| ≤ (q − 1)/2.
    #[inline(always)]
    fn ntt(self, f: &Poly, f_hat: &mut NttPoly) {
        portable::ntt(f, f_hat);
    }

    /// Computes NTT⁻¹, FIPS 203 Algorithm 10, times R. The input satisfies |f̂| < q, and the result |f| < q.
    #[inline(always)]
    fn inverse_ntt(self, f_hat: &NttPoly, f: &mut Poly) {
        portable::inverse_ntt(f_hat, f);
    }

    /// Computes (Σⱼ âⱼ ∘ b̂ⱼ)/R for at most 4 products, with MultiplyNTTs, FIPS 203 Algorithm 11.
    ///
    /// The inputs satisfy |â| < 2¹² and |b̂| ≤ (q − 1)/2, and the result |ĉ| < q.
    #[inline(always)]
    fn dot_ntt<'a>(
        self,
        a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
        b_hat: &[NttPoly],
        c_hat: &mut NttPoly,
    ) {
        portable::dot_ntt(a_hat, b_hat, c_hat);
    }

    /// Computes f ← f·R + g in [0, q), which turns a product of images back into plain residues. The inputs
    /// satisfy |f| < q and |g| ≤ (q − 1)/2.
    #[inline(always)]
    fn times_r_plus(self, f: &mut NttPoly, g: &NttPoly) {
        portable::times_r_plus(f, g);
    }

    /// Computes a ← a + b without reduction. The sums must fit into `i16`.
    #[inline(always)]
    fn add(self, a: &mut [i16; 256], b: &[i16; 256]) {
        portable::add(a, b);
    }

    /// Computes b ← a − b without reduction. The differences must fit into `i16`.
    #[inline(always)]
    fn subtract_from(self, a: &[i16; 256], b: &mut [i16; 256]) {
        portable::subtract_from(a, b);
    }

    /// Reduces any `i16` to [0, q).
    #[inline(always)]
    fn make_canonical(self, f: &mut [i16; 256]) {
        portable::make_canonical(f);
    }

    /// Runs the loop of SampleNTT, FIPS 203 Algorithm 7, over `bytes`, whose length is a multiple of 24.
    ///
    /// Writes starting at index `filled` and returns the new index, at most 256. All data is public.
    fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize {
        portable::reject_uniform(bytes, a_hat, filled)
    }

    /// Computes SamplePolyCBD_η, FIPS 203 Algorithm 8. `bytes` has 64·`ETA` bytes.
    #[inline(always)]
    fn cbd<const ETA: usize>(self, bytes: &[u8], f: &mut Poly) {
        portable::cbd::<ETA>(bytes, f);
    }

    /// Computes ByteEncode_d(Compress_d(f)) for f in [0, q). Does not compress for d = 12. `bytes` has 32·`D`
    /// bytes.
    #[inline(always)]
    fn compress_and_encode<const D: usize>(self, f: &[i16; 256], bytes: &mut [u8]) {
        portable::compress_and_encode::<D>(f, bytes);
    }

    /// Computes Decompress_d(ByteDecode_d(bytes)). For d = 12, the integers below 2¹² are not changed.
    /// `bytes` has 32·`D` bytes.
    #[inline(always)]
    fn decode_and_decompress<const D: usize>(self, bytes: &[u8], f: &mut [i16; 256]) {
        portable::decode_and_decompress::<D>(bytes, f);
    }
}

/// The portable backend, in plain Rust, for every machine.
#[derive(Clone, Copy)]
struct Portable;

impl Backend for Portable {
    fn level(self) -> Level {
        Level::Portable
    }
}
