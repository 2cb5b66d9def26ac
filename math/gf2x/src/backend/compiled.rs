//! Copies of the kernels that are compiled for each level.

use super::kernel::Kernel;
use grille_cpu::{Avx2, Avx512};

/// Runs the copy that was compiled with AVX-512.
pub(super) fn with_avx512<K: Kernel>(_: Avx512, kernel: K) {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(kernel: K) {
        kernel.run();
    }
    // SAFETY: the token exists only if the processor has these features.
    unsafe { compiled(kernel) }
}

/// Runs the copy that was compiled with AVX2.
pub(super) fn with_avx2<K: Kernel>(_: Avx2, kernel: K) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(kernel: K) {
        kernel.run();
    }
    // SAFETY: the token exists only if the processor has these features.
    unsafe { compiled(kernel) }
}
