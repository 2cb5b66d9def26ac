//! Products with PCLMULQDQ, and with VPCLMULQDQ on 256-bit vectors. Each 128-bit lane holds a pair of words of one
//! product.

use super::{BLOCK, Kernel, Multiplier, with_features};
use core::arch::x86_64::*;
use grille_cpu::{Avx2, Vpclmulqdq256};

/// The number of pairs of words in a block.
const PAIRS: usize = BLOCK / 2;

/// Defines a backend: `block` for one vector type. Karatsuba's method takes three products of words for a product of
/// pairs, three of pairs for a product of halves, and three of halves for a product of blocks.
macro_rules! backend {
    ($backend:ident, $token:ident, $features:literal, $lanes:literal, $vector:ty,
        $load:ident $store:ident $xor:ident $multiply:ident $up:ident $down:ident $swap:ident) => {
        /// A backend of this level.
        #[derive(Clone, Copy)]
        pub(crate) struct $backend {
            /// Proof that the processor has the features. Every `unsafe` block here relies on this token.
            _token: $token,
        }

        impl $backend {
            pub(crate) const fn new(token: $token) -> Self {
                Self { _token: token }
            }
        }

        impl Multiplier for $backend {
            const LANES: usize = $lanes;
            with_features!($features, block);
        }

        /// The number of words of a vector.
        const WORDS: usize = 2 * $lanes;

        /// Computes c ← a·b in each lane. Never inlined, so that the frames of the recursion stay small.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn block(a: &[u64], b: &[u64], c: &mut [u64]) {
            let ([a0, a1], [b0, b1]) = (halves(a), halves(b));
            let low = half(a0, b0);
            let high = half(a1, b1);
            let middle = half([a0[0].plus(a1[0]), a0[1].plus(a1[1])], [b0[0].plus(b1[0]), b0[1].plus(b1[1])]);
            let shared = [$xor(low[2], high[0]), $xor(low[3], high[1])];
            let mut product = [low[0], low[1], shared[0], shared[1], shared[0], shared[1], high[2], high[3]];
            for i in 0..2 {
                product[2 + i] = $xor(product[2 + i], $xor(low[i], middle[i]));
                product[4 + i] = $xor(product[4 + i], $xor(high[2 + i], middle[2 + i]));
            }
            let words: &mut [[u64; WORDS]; 2 * PAIRS] =
                c.as_chunks_mut().0.as_mut_array().expect("twice a block");
            for i in 0..2 * PAIRS {
                // SAFETY: the pointer is valid for a vector; the store needs no alignment.
                unsafe { $store(words[i].as_mut_ptr().cast(), product[i]) };
            }
        }

        /// A pair of words in each lane, and a pair whose lower word is their sum.
        #[derive(Clone, Copy)]
        struct Factor {
            pair: $vector,
            sum: $vector,
        }

        impl Factor {
            #[inline]
            #[target_feature(enable = $features)]
            fn plus(self, other: Self) -> Self {
                Self { pair: $xor(self.pair, other.pair), sum: $xor(self.sum, other.sum) }
            }
        }

        /// Returns the two pairs of words of each half.
        #[inline]
        #[target_feature(enable = $features)]
        fn halves(words: &[u64]) -> [[Factor; 2]; 2] {
            let words: &[[u64; WORDS]; PAIRS] = words.as_chunks().0.as_array().expect("a block");
            let factor = |i: usize| {
                // SAFETY: the pointer is valid for a vector; the load needs no alignment.
                let pair = unsafe { $load(words[i].as_ptr().cast()) };
                Factor { pair, sum: $xor(pair, $swap::<0b01_00_11_10>(pair)) }
            };
            [[factor(0), factor(1)], [factor(2), factor(3)]]
        }

        /// Multiplies two pairs by two pairs.
        #[inline]
        #[target_feature(enable = $features)]
        fn half(a: [Factor; 2], b: [Factor; 2]) -> [$vector; 4] {
            let low = pair(a[0], b[0]);
            let high = pair(a[1], b[1]);
            let middle = pair(a[0].plus(a[1]), b[0].plus(b[1]));
            let shared = $xor(low[1], high[0]);
            let c1 = $xor(shared, $xor(low[0], middle[0]));
            let c2 = $xor(shared, $xor(high[1], middle[1]));
            [low[0], c1, c2, high[1]]
        }

        /// Multiplies a pair by a pair.
        #[inline]
        #[target_feature(enable = $features)]
        fn pair(a: Factor, b: Factor) -> [$vector; 2] {
            let low = $multiply::<0x00>(a.pair, b.pair);
            let high = $multiply::<0x11>(a.pair, b.pair);
            let middle = $xor($multiply::<0x00>(a.sum, b.sum), $xor(low, high));
            [$xor(low, $up::<8>(middle)), $xor(high, $down::<8>(middle))]
        }
    };
}

/// One product at a time, with AVX2 and PCLMULQDQ.
pub(crate) mod narrow {
    use super::*;
    backend! { Narrow, Avx2, "avx2,pclmulqdq", 1, __m128i, _mm_loadu_si128 _mm_storeu_si128 _mm_xor_si128
    _mm_clmulepi64_si128 _mm_slli_si128 _mm_srli_si128 _mm_shuffle_epi32 }
}

/// Two products at a time, with AVX2 and VPCLMULQDQ.
pub(crate) mod wide {
    use super::*;
    backend! { Wide, Vpclmulqdq256, "avx2,vpclmulqdq", 2, __m256i, _mm256_loadu_si256 _mm256_storeu_si256 _mm256_xor_si256
    _mm256_clmulepi64_epi128 _mm256_slli_si256 _mm256_srli_si256 _mm256_shuffle_epi32 }
}
