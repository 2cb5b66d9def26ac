//! AArch64 operations that `core` does not provide.

use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};

/// Computes √x, rounded to nearest.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    // SAFETY: in Rust, NEON with its doubles is part of this architecture.
    unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(x))) }
}

/// Truncates x to an integer, for |x| < 2⁶³. This is one instruction on AArch64.
#[inline(always)]
pub(crate) fn truncate(x: f64) -> i64 {
    x as i64
}
