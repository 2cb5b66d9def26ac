//! Copies of the operations for AVX2 and AVX-512, and SSE2 operations that `core` does not provide.

use super::Operation;
use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_or_si256, _mm256_setzero_si256, _mm256_slli_epi32,
    _mm256_srli_epi32, _mm256_storeu_si256, _mm256_xor_si256,
};
use grille_cpu::{Avx2, Avx512};
use grille_hash::Level;

/// Computes √x, rounded to nearest.
#[cfg(target_feature = "sse2")]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_sqrt_pd};
    // SAFETY: this function is compiled only if the target has SSE2.
    unsafe { _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x))) }
}

/// Truncates x to an integer, for |x| < 2⁶³. Rust's `as` would compare x with the ends of that range in a
/// branch.
#[cfg(target_feature = "sse2")]
#[inline(always)]
pub(crate) fn truncate(x: f64) -> i64 {
    use core::arch::x86_64::{_mm_cvttsd_si64, _mm_set_sd};
    // SAFETY: this function is compiled only if the target has SSE2.
    unsafe { _mm_cvttsd_si64(_mm_set_sd(x)) }
}

/// Runs the copy of an operation that was compiled with AVX2.
pub(super) fn run_avx2<O: Operation>(token: Avx2, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run_compiled<O: Operation>(level: Level, operation: O) -> O::Output {
        operation.run(level)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Level::Avx2(token), operation) }
}

/// Runs the copy of an operation that was compiled with AVX-512.
pub(super) fn run_avx512<O: Operation>(token: Avx512, operation: O) -> O::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
    fn run_compiled<O: Operation>(level: Level, operation: O) -> O::Output {
        operation.run(level)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Level::Avx512(token), operation) }
}

/// Computes [`chacha`](super::chacha) with AVX2.
pub(super) fn chacha_avx2(_: Avx2, state: &mut [[u32; 8]; 16]) {
    // SAFETY: the token exists only if the processor has this feature.
    unsafe { double_rounds_avx2(state) }
}

/// Computes [`chacha`](super::chacha) with the registers and rotations of AVX-512.
pub(super) fn chacha_avx512(_: Avx512, state: &mut [[u32; 8]; 16]) {
    // SAFETY: the token exists only if the processor has these features.
    unsafe { double_rounds_avx512(state) }
}

/// Defines the double rounds for AVX2 and for AVX-512. With AVX-512, the compiler replaces the shifts by
/// rotations.
macro_rules! double_rounds {
    ($name:ident $features:literal) => {
        #[target_feature(enable = $features)]
        fn $name(state: &mut [[u32; 8]; 16]) {
            let mut rows = [[_mm256_setzero_si256(); 4]; 4];
            for (row, lanes) in rows.as_flattened_mut().iter_mut().zip(state.iter()) {
                // SAFETY: eight words are 32 bytes.
                *row = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) };
            }
            let [mut a, mut b, mut c, mut d] = rows;
            for _ in 0..10 {
                // the first round works on columns, the second on diagonals
                for shift in [0, 1] {
                    for (i, a) in a.iter_mut().enumerate() {
                        let (j, k, l) = ((i + shift) % 4, (i + 2 * shift) % 4, (i + 3 * shift) % 4);
                        quarter_round(a, &mut b[j], &mut c[k], &mut d[l]);
                    }
                }
            }
            for (out, lanes) in state.iter_mut().zip([a, b, c, d].as_flattened()) {
                // SAFETY: eight words are 32 bytes.
                unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), *lanes) }
            }
        }
    };
}

double_rounds!(double_rounds_avx2 "avx2");
double_rounds!(double_rounds_avx512 "avx512f,avx512vl,avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn quarter_round(a: &mut __m256i, b: &mut __m256i, c: &mut __m256i, d: &mut __m256i) {
    half_round::<16, 16>(a, b, d);
    half_round::<12, 20>(c, d, b);
    half_round::<8, 24>(a, b, d);
    half_round::<7, 25>(c, d, b);
}

/// Computes x ← x + y, and z ← (z ^ x) rotated to the left by `LEFT` = 32 − `RIGHT` bits.
#[inline]
#[target_feature(enable = "avx2")]
fn half_round<const LEFT: i32, const RIGHT: i32>(x: &mut __m256i, y: &__m256i, z: &mut __m256i) {
    *x = _mm256_add_epi32(*x, *y);
    let mixed = _mm256_xor_si256(*z, *x);
    *z = _mm256_or_si256(_mm256_slli_epi32::<LEFT>(mixed), _mm256_srli_epi32::<RIGHT>(mixed));
}
