//! Copies of the operations with AVX2 and with AVX-512; and what of SSE2 has no name in `core`.

use super::Operation;
use grille_cpu::{Avx2, Avx512};
use grille_hash::Level;

/// √x, rounded to nearest.
#[cfg(target_feature = "sse2")]
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    use core::arch::x86_64::{_mm_cvtsd_f64, _mm_set_sd, _mm_sqrt_pd};
    // SAFETY: this function is compiled where the target has SSE2.
    unsafe { _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x))) }
}

/// Runs the copy of an operation that is compiled with AVX2.
pub(super) fn run_avx2<O: Operation>(token: Avx2, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<O: Operation>(level: Level, operation: O) -> O::Output {
        operation.run(level)
    }
    // SAFETY: `token` exists only where the processor has these features.
    unsafe { compiled(Level::Avx2(token), operation) }
}

/// Runs the copy of an operation that is compiled with AVX-512.
pub(super) fn run_avx512<O: Operation>(token: Avx512, operation: O) -> O::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
    fn compiled<O: Operation>(level: Level, operation: O) -> O::Output {
        operation.run(level)
    }
    // SAFETY: `token` exists only where the processor has these features.
    unsafe { compiled(Level::Avx512(token), operation) }
}
