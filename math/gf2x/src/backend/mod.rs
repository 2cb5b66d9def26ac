//! The interface to vector instructions: products of blocks, the sums of Karatsuba's method, and kernels that
//! are compiled for each level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod compiled;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
pub(crate) mod spread;
mod sums;

use crate::karatsuba::BLOCK;
use grille_cpu::Level;

/// The operations that a backend implements. All arguments are secret.
pub(crate) trait Multiplier: Copy {
    /// Computes c ← a·b.
    fn multiply_block(self, a: &[u64; BLOCK], b: &[u64; BLOCK], c: &mut [u64; 2 * BLOCK]);

    /// Computes sum ← a + b.
    fn add(self, a: &[u64], b: &[u64], sum: &mut [u64]);

    /// Adds the middle term of a product of halves. `c` holds a₀·b₀ and a₁·b₁, `middle` holds (a₀ + a₁)·(b₀ + b₁).
    fn join_halves(self, c: &mut [u64], middle: &[u64]);

    /// Adds the mixed products of thirds. `c` holds a₀·b₀, a₁·b₁ and a₂·b₂, and `mixed` holds (aᵢ + aⱼ)·(bᵢ + bⱼ) for
    /// ij = 01, 02, 12.
    fn join_thirds(self, c: &mut [u64], mixed: &[u64]);
}

/// Defines the methods of a [`Multiplier`] that holds a token: the sums, compiled with the features that the
/// token proves, and the block product.
#[cfg(target_arch = "x86_64")]
macro_rules! with_features {
    ($features:literal, $block:expr) => {
        #[inline(always)]
        fn multiply_block(self, a: &[u64; BLOCK], b: &[u64; BLOCK], c: &mut [u64; 2 * BLOCK]) {
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { $block(a, b, c) }
        }

        #[inline(always)]
        fn add(self, a: &[u64], b: &[u64], sum: &mut [u64]) {
            #[target_feature(enable = $features)]
            fn compiled(a: &[u64], b: &[u64], sum: &mut [u64]) {
                sums::add(a, b, sum);
            }
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { compiled(a, b, sum) }
        }

        #[inline(always)]
        fn join_halves(self, c: &mut [u64], middle: &[u64]) {
            #[target_feature(enable = $features)]
            fn compiled(c: &mut [u64], middle: &[u64]) {
                sums::join_halves(c, middle);
            }
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { compiled(c, middle) }
        }

        #[inline(always)]
        fn join_thirds(self, c: &mut [u64], mixed: &[u64]) {
            #[target_feature(enable = $features)]
            fn compiled(c: &mut [u64], mixed: &[u64]) {
                sums::join_thirds(c, mixed);
            }
            // SAFETY: `self` holds a token, which exists only if the processor has the kernel's features.
            unsafe { compiled(c, mixed) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
use with_features;

/// A computation that is compiled once for each level.
pub trait Kernel {
    /// Runs the computation. Must be `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self);
}

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
