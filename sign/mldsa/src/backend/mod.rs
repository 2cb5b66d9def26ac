//! The interface to vector instructions.
//!
//! A public operation is a value of a type that implements [`Operation`]. Its code is written once, generic over the
//! backend. [`dispatch`] detects the level of this machine once and runs the copy compiled for that level.

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
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod simd128;
#[cfg(test)]
mod tests;

use crate::poly::{HintPoly, NttPoly, Poly};
use crate::small_ntt::SmallNttPoly;
use grille_hash::Level;

pub(crate) use dispatch::{dispatch, dispatch_at};

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
/// Coefficients are always in the standard's order. NTT images are plain residues, not in Montgomery form. Each product
/// of two images loses a factor R, and [`Backend::inverse_ntt`] restores it.
pub(crate) trait Backend: Copy {
    /// Returns the level for hash functions.
    fn level(self) -> Level;

    /// Computes NTT, FIPS 204 Algorithm 41. The input satisfies |w| ≤ q, and the result |ŵ| < 9q.
    fn ntt(self, w: &Poly, w_hat: &mut NttPoly) {
        portable::ntt(w, w_hat);
    }

    /// Computes NTT⁻¹, FIPS 204 Algorithm 42, times R. The input satisfies |ŵ| < q, and the result |w| < q.
    fn inverse_ntt(self, w_hat: &NttPoly, w: &mut Poly) {
        portable::inverse_ntt(w_hat, w);
    }

    /// Computes MultiplyNTT, FIPS 204 Algorithm 45, divided by R. The inputs satisfy |â| < 9q and |b̂| < 9q,
    /// and the result |ĉ| < q.
    fn multiply_ntt(self, a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
        portable::multiply_ntt(a_hat, b_hat, c_hat);
    }

    /// Computes one row of MatrixVectorNTT, FIPS 204 Algorithm 48, divided by R: Σⱼ âⱼ ∘ v̂ⱼ for at most 7
    /// products.
    ///
    /// The inputs satisfy 0 ≤ â < q and |v̂| < 9q, and the result is in (−q, q).
    fn dot_ntt(self, a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
        portable::dot_ntt(a_hat, v_hat, w_hat);
    }

    /// Computes Σⱼ âⱼ ∘ v̂ⱼ − ĉ ∘ t̂, divided by R. The bounds are those of `dot_ntt`, and |ĉ|, |t̂| < 9q.
    fn dot_ntt_minus(
        self,
        a_hat: &[NttPoly],
        v_hat: &[NttPoly],
        c_hat: &NttPoly,
        t_hat: &NttPoly,
        w_hat: &mut NttPoly,
    ) {
        portable::dot_ntt_minus(a_hat, v_hat, c_hat, t_hat, w_hat);
    }

    /// Computes the NTT modulo the small prime p; see [`crate::small_ntt`]. The input satisfies |w| ≤ η, and
    /// the result |ŵ| < 2p.
    fn small_ntt(self, w: &Poly, w_hat: &mut SmallNttPoly) {
        portable::small_ntt(w, w_hat);
    }

    /// Computes c·s from NTT images modulo p. The result is exact if no coefficient of the product exceeds
    /// p/3 in absolute value.
    fn small_product(self, c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly) {
        portable::small_product(c_hat, s_hat, product);
    }

    /// Computes a ← a + b and reduces the results like [`reduce`](crate::field::reduce). The inputs satisfy
    /// |a + b| < 2³¹ − 2²².
    fn add(self, a: &mut Poly, b: &Poly) {
        portable::add(a, b);
    }

    /// Computes a ← a − b and reduces the results like `add`.
    fn sub(self, a: &mut Poly, b: &Poly) {
        portable::sub(a, b);
    }

    /// Maps residues in (−q, q) to [0, q).
    fn make_canonical(self, a: &mut Poly) {
        portable::make_canonical(a);
    }

    /// Checks whether ‖a‖∞ ≥ bound, for |a| < q. Runs in constant time; the result is public.
    fn norm_reaches(self, a: &Poly, bound: i32) -> bool {
        portable::norm_reaches(a, bound)
    }

    /// Computes Power2Round of each coefficient: replaces t in [0, q) with t1, and writes t0.
    fn power2round(self, t: &mut Poly, t0: &mut Poly) {
        portable::power2round(t, t0);
    }

    /// Computes Decompose of each coefficient: replaces w in [0, q) with w0, and writes w1.
    fn decompose<const GAMMA2: i32>(self, w: &mut Poly, w1: &mut Poly) {
        portable::decompose::<GAMMA2>(w, w1);
    }

    /// Computes MakeHint of each coefficient; see [`make_hint`](crate::round::make_hint). `r0` satisfies |r0|
    /// < 2γ2, and `w1` is a result of `decompose`.
    fn make_hint<const GAMMA2: i32>(self, r0: &Poly, w1: &Poly) -> HintPoly {
        portable::make_hint::<GAMMA2>(r0, w1)
    }

    /// Computes UseHint of each coefficient: replaces r in [0, q) with w1.
    fn use_hint<const GAMMA2: i32>(self, h: &HintPoly, r: &mut Poly) {
        portable::use_hint::<GAMMA2>(h, r);
    }

    /// Runs the loop of RejNTTPoly, FIPS 204 Algorithm 30, over `bytes`, whose length is a multiple of 24.
    ///
    /// Writes starting at index `filled` and returns the new index, at most 256. All data is public.
    fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize {
        portable::reject_uniform(bytes, a_hat, filled)
    }

    /// Runs the loop of RejBoundedPoly, FIPS 204 Algorithm 31, over `bytes`, whose length is a multiple of 8.
    ///
    /// Writes starting at index `filled` and returns the new index, at most 256. The time depends only on the
    /// set of rejected half-bytes. These rejections are part of the standard and independent of the accepted
    /// values.
    fn reject_bounded<const ETA: i32>(self, bytes: &[u8], s: &mut Poly, filled: usize) -> usize {
        portable::reject_bounded::<ETA>(bytes, s, filled)
    }

    /// Computes BitPack, FIPS 204 Algorithm 17, with `BITS` bits: packs b − wᵢ. `bytes` has 32·`BITS` bytes.
    fn bit_pack<const BITS: usize>(self, w: &Poly, b: i32, bytes: &mut [u8]) {
        portable::bit_pack::<BITS>(w, b, bytes);
    }

    /// Computes BitUnpack, FIPS 204 Algorithm 19, with `BITS` bits: wᵢ is b minus the value read. `bytes` has
    /// 32·`BITS` bytes.
    fn bit_unpack<const BITS: usize>(self, bytes: &[u8], b: i32, w: &mut Poly) {
        portable::bit_unpack::<BITS>(bytes, b, w);
    }

    /// Computes SimpleBitPack, FIPS 204 Algorithm 16, with `BITS` bits. `bytes` has 32·`BITS` bytes.
    fn simple_bit_pack<const BITS: usize>(self, w: &Poly, bytes: &mut [u8]) {
        portable::simple_bit_pack::<BITS>(w, bytes);
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

/// Defines methods of [`Backend`] that call the kernels in the modules `ntt`, `pack`, `round`, `sample` and `small_ntt`
/// of one backend, or the kernels in a given list.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! kernels {
    () => {
        $crate::backend::kernels! {
            fn ntt(self, w: &Poly, w_hat: &mut NttPoly) = ntt::ntt;
            fn inverse_ntt(self, w_hat: &NttPoly, w: &mut Poly) = ntt::inverse_ntt;
            fn multiply_ntt(self, a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) = ntt::multiply_ntt;
            fn dot_ntt(self, a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) = ntt::dot_ntt;
            fn dot_ntt_minus(
                self,
                a_hat: &[NttPoly],
                v_hat: &[NttPoly],
                c_hat: &NttPoly,
                t_hat: &NttPoly,
                w_hat: &mut NttPoly
            ) = ntt::dot_ntt_minus;
            fn small_ntt(self, w: &Poly, w_hat: &mut SmallNttPoly) = small_ntt::ntt;
            fn small_product(self, c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly)
                = small_ntt::product;
            fn add(self, a: &mut Poly, b: &Poly) = round::add;
            fn sub(self, a: &mut Poly, b: &Poly) = round::sub;
            fn make_canonical(self, a: &mut Poly) = round::make_canonical;
            fn norm_reaches(self, a: &Poly, bound: i32) -> bool = round::norm_reaches;
            fn power2round(self, t: &mut Poly, t0: &mut Poly) = round::power2round;
            fn decompose<const GAMMA2: i32>(self, w: &mut Poly, w1: &mut Poly) = round::decompose::<GAMMA2>;
            fn make_hint<const GAMMA2: i32>(self, r0: &Poly, w1: &Poly) -> HintPoly = round::make_hint::<GAMMA2>;
            fn use_hint<const GAMMA2: i32>(self, h: &HintPoly, r: &mut Poly) = round::use_hint::<GAMMA2>;
            fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize
                = sample::reject_uniform;
            fn reject_bounded<const ETA: i32>(self, bytes: &[u8], s: &mut Poly, filled: usize) -> usize
                = sample::reject_bounded::<ETA>;
            fn bit_pack<const BITS: usize>(self, w: &Poly, b: i32, bytes: &mut [u8]) = pack::bit_pack::<BITS>;
            fn bit_unpack<const BITS: usize>(self, bytes: &[u8], b: i32, w: &mut Poly)
                = pack::bit_unpack::<BITS>;
            fn simple_bit_pack<const BITS: usize>(self, w: &Poly, bytes: &mut [u8])
                = pack::simple_bit_pack::<BITS>;
        }
    };
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
