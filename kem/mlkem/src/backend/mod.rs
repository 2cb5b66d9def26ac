//! What a vector unit may replace, and which backend runs an operation.
//!
//! A public operation is a value of a type that implements [`Operation`]: its text is written once, generic over
//! the backend. [`dispatch`] asks once which level this machine has and runs the copy compiled for that level.

/// `fn name(arguments) -> result = kernel;` calls the kernel, which needs the features that the token proves.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: `self.token` exists only where the processor has the kernel's features.
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
#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod neon;
pub(crate) mod portable;
#[cfg(test)]
mod tests;

use crate::poly::{NttPoly, Poly};
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
    #[cfg(debug_assertions)]
    let operation = checked::Checking(operation);
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::run(token, operation),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, operation),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(token) => neon::run(token, operation),
        _ => run_portable(operation),
    }
}

/// Not inlined, because its variables would else lie on the stack while another level's copy runs.
#[inline(never)]
fn run_portable<O: Operation>(operation: O) -> O::Output {
    operation.run(portable::Portable)
}

/// The whole native interface. The default bodies are the portable ones, so a partial backend is normal.
///
/// Coefficients are in the standard's order everywhere. NTT images are plain residues, not in Montgomery form: a
/// product of two images loses a factor R, and [`Backend::inverse_ntt`] gives it back.
pub(crate) trait Backend: Copy {
    /// The level that hashes use.
    fn level(self) -> Level;

    /// NTT, FIPS 203 Algorithm 9. |f| ≤ q; |f̂| ≤ (q − 1)/2.
    #[inline(always)]
    fn ntt(self, f: &Poly, f_hat: &mut NttPoly) {
        portable::ntt(f, f_hat);
    }

    /// NTT⁻¹, FIPS 203 Algorithm 10, times R. |f̂| < q; |f| < q.
    #[inline(always)]
    fn inverse_ntt(self, f_hat: &NttPoly, f: &mut Poly) {
        portable::inverse_ntt(f_hat, f);
    }

    /// Σⱼ âⱼ ∘ b̂ⱼ divided by R, at most 4 products: MultiplyNTTs, FIPS 203 Algorithm 11.
    ///
    /// |â| < 2¹², |b̂| ≤ (q − 1)/2; |ĉ| < q.
    #[inline(always)]
    fn dot_ntt<'a>(
        self,
        a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
        b_hat: &[NttPoly],
        c_hat: &mut NttPoly,
    ) {
        portable::dot_ntt(a_hat, b_hat, c_hat);
    }

    /// f ← f·R + g, in [0, q): takes a product of images back to plain residues. |f| < q, |g| ≤ (q − 1)/2.
    #[inline(always)]
    fn times_r_plus(self, f: &mut NttPoly, g: &NttPoly) {
        portable::times_r_plus(f, g);
    }

    /// a ← a + b without reduction; the sums fit.
    #[inline(always)]
    fn add(self, a: &mut [i16; 256], b: &[i16; 256]) {
        portable::add(a, b);
    }

    /// b ← a − b without reduction; the differences fit.
    #[inline(always)]
    fn subtract_from(self, a: &[i16; 256], b: &mut [i16; 256]) {
        portable::subtract_from(a, b);
    }

    /// To [0, q), from any `i16`.
    #[inline(always)]
    fn make_canonical(self, f: &mut [i16; 256]) {
        portable::make_canonical(f);
    }

    /// The loop of SampleNTT, FIPS 203 Algorithm 7, over `bytes` (a multiple of 24).
    ///
    /// Writes from index `filled` on and returns the new index, at most 256. Public data.
    fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize {
        portable::reject_uniform(bytes, a_hat, filled)
    }

    /// SamplePolyCBD_η, FIPS 203 Algorithm 8. `bytes`: 64·`ETA`.
    #[inline(always)]
    fn cbd<const ETA: usize>(self, bytes: &[u8], f: &mut Poly) {
        portable::cbd::<ETA>(bytes, f);
    }

    /// ByteEncode_d(Compress_d(f)) for f in [0, q); without compression for d = 12. `bytes`: 32·`D`.
    #[inline(always)]
    fn compress_and_encode<const D: usize>(self, f: &[i16; 256], bytes: &mut [u8]) {
        portable::compress_and_encode::<D>(f, bytes);
    }

    /// Decompress_d(ByteDecode_d(bytes)); for d = 12 the integers below 2¹² as they are. `bytes`: 32·`D`.
    #[inline(always)]
    fn decode_and_decompress<const D: usize>(self, bytes: &[u8], f: &mut [i16; 256]) {
        portable::decode_and_decompress::<D>(bytes, f);
    }
}
