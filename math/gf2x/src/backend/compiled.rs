//! The same texts with the instructions of each level.

use super::Kernel;
use grille_cpu::{Avx2, Avx512};

/// Runs the copy that is compiled with AVX-512.
pub(super) fn with_avx512<K: Kernel>(_: Avx512, kernel: K) {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(kernel: K) {
        kernel.run();
    }
    // SAFETY: the token exists only where the processor has these features.
    unsafe { compiled(kernel) }
}

/// Runs the copy that is compiled with AVX2.
pub(super) fn with_avx2<K: Kernel>(_: Avx2, kernel: K) {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(kernel: K) {
        kernel.run();
    }
    // SAFETY: the token exists only where the processor has these features.
    unsafe { compiled(kernel) }
}
