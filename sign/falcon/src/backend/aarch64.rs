//! What of AArch64 has no name in `core`.

use core::arch::aarch64::{vdup_n_f64, vget_lane_f64, vsqrt_f64};

/// √x, rounded to nearest.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    // SAFETY: NEON, with its doubles, is part of this architecture in Rust.
    unsafe { vget_lane_f64::<0>(vsqrt_f64(vdup_n_f64(x))) }
}

/// x without its fraction, |x| < 2⁶³: one instruction here.
#[inline(always)]
pub(crate) fn truncate(x: f64) -> i64 {
    x as i64
}
