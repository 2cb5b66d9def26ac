//! The interface to vector instructions: products of blocks, and kernels that are compiled for each level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod compiled;
mod kernel;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod spread;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod spread_avx2;
pub(crate) mod sums;

use grille_cpu::Level;

pub use kernel::Kernel;

/// The number of words of the factors that a backend multiplies at once.
pub(crate) const BLOCK: usize = 8;

/// The operations that a backend implements. All arguments are secret.
pub(crate) trait Multiplier: Copy {
    /// The number of products that the backend computes side by side. Pair i of words of each factor and product is
    /// then followed by pair i of the next factor or product.
    const LANES: usize = 1;

    /// Computes c ← a·b for factors of [`BLOCK`] words in each lane.
    fn block(self, a: &[u64], b: &[u64], c: &mut [u64]);

    /// Runs the copy of `kernel` that was compiled for the backend.
    fn run<K: Kernel>(self, kernel: K);
}

/// Defines the methods of a [`Multiplier`] that holds a token.
#[cfg(target_arch = "x86_64")]
macro_rules! with_features {
    ($features:literal, $block:expr) => {
        #[inline(always)]
        fn block(self, a: &[u64], b: &[u64], c: &mut [u64]) {
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { $block(a, b, c) }
        }

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) {
            #[target_feature(enable = $features)]
            fn compiled<K: Kernel>(kernel: K) {
                kernel.run();
            }
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { compiled(kernel) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use with_features;

/// Runs the copy of `kernel` that was compiled for `level`.
pub fn at_level<K: Kernel>(level: Level, kernel: K) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => compiled::with_avx512(token, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => compiled::with_avx2(token, kernel),
        _ => kernel.run(),
    }
}
