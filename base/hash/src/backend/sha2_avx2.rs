//! SHA-2 with AVX2, one message per lane. One pass compresses eight SHA-256 or four SHA-512 messages, which is half of
//! the messages. The second pass runs only if it is needed.

use crate::sha2_lanes::{K256, K512};
use core::arch::x86_64::*;
use grille_cpu::Avx2;

macro_rules! compression {
    ($name:ident, $kernel:ident, $word:ty, $lanes:literal, $k:ident, $add:ident, $shr:ident, $shl:ident, $set:ident,
        $big0:tt $big1:tt $small0:tt $small1:tt) => {
        /// Compresses one block of each of the first `count` messages. May also compress blocks of the other
        /// messages.
        pub(super) fn $name(
            _: Avx2,
            states: &mut [[$word; $lanes]; 8],
            blocks: &[[$word; $lanes]; 16],
            count: usize,
        ) {
            // SAFETY: the token proves that the processor has the features.
            unsafe {
                $kernel::<0>(states, blocks);
                if count > $lanes / 2 {
                    $kernel::<{ $lanes / 2 }>(states, blocks);
                }
            }
        }

        /// Compresses one block of each message in the half of the lanes that starts at lane `FIRST`.
        #[target_feature(enable = "avx2")]
        fn $kernel<const FIRST: usize>(states: &mut [[$word; $lanes]; 8], blocks: &[[$word; $lanes]; 16]) {
            const { assert!(FIRST == 0 || FIRST == $lanes / 2) };
            let (mut w, mut before) = ([_mm256_setzero_si256(); 16], [_mm256_setzero_si256(); 8]);
            for (w, row) in w.iter_mut().zip(blocks).chain(before.iter_mut().zip(&*states)) {
                // SAFETY: half of each row, starting at FIRST, is 32 bytes long.
                *w = unsafe { _mm256_loadu_si256(row.as_ptr().add(FIRST).cast()) };
            }
            let mut s = before;
            for t in (0..$k.len()).step_by(16) {
                for i in 0..16 {
                    let wt = w[i];
                    let [a, b, c, d, e, f, g, h] = s;
                    let ch = _mm256_xor_si256(_mm256_and_si256(e, f), _mm256_andnot_si256(e, g));
                    let k = $set($k[t + i] as _);
                    let t1 = $add($add($add(h, wt), k), $add(rotations!($shr $shl e $big1), ch));
                    // Maj(a, b, c) = b ⊕ ((a ⊕ b) ∧ (b ⊕ c))
                    let maj = _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(b, c));
                    let t2 = $add(rotations!($shr $shl a $big0), _mm256_xor_si256(b, maj));
                    s = [$add(t1, t2), a, b, c, $add(d, t1), e, f, g];
                    if t + 16 < $k.len() {
                        let (w1, w9, w14) = (w[(i + 1) % 16], w[(i + 9) % 16], w[(i + 14) % 16]);
                        let (sigma0, sigma1) = (shifted!($shr $shl w1 $small0), shifted!($shr $shl w14 $small1));
                        w[i] = $add($add(wt, sigma0), $add(w9, sigma1));
                    }
                }
            }
            for (state, (old, new)) in states.iter_mut().zip(before.into_iter().zip(s)) {
                // SAFETY: half of each row, starting at FIRST, is 32 bytes long.
                unsafe { _mm256_storeu_si256(state.as_mut_ptr().add(FIRST).cast(), $add(old, new)) };
            }
        }
    };
}

/// Rotates words to the right by `$right` bits, which equals a rotation to the left by `$left` bits.
macro_rules! rotated {
    ($shr:ident $shl:ident $x:ident ($right:literal $left:literal)) => {
        _mm256_or_si256($shr::<$right>($x), $shl::<$left>($x))
    };
}

/// Computes Σ, the XOR of three rotations.
macro_rules! rotations {
    ($shr:ident $shl:ident $x:ident ($a:tt $b:tt $c:tt)) => {
        xor3(rotated!($shr $shl $x $a), rotated!($shr $shl $x $b), rotated!($shr $shl $x $c))
    };
}

/// Computes σ, the XOR of two rotations and a shift.
macro_rules! shifted {
    ($shr:ident $shl:ident $x:ident ($a:tt $b:tt $c:literal)) => {
        xor3(rotated!($shr $shl $x $a), rotated!($shr $shl $x $b), $shr::<$c>($x))
    };
}

// FIPS 180-4 sections 4.1.2 and 6.2.2
compression!(
    compress256, kernel256, u32, 16, K256, _mm256_add_epi32, _mm256_srli_epi32, _mm256_slli_epi32, _mm256_set1_epi32,
    ((2 30) (13 19) (22 10)) ((6 26) (11 21) (25 7)) ((7 25) (18 14) 3) ((17 15) (19 13) 10)
);

// FIPS 180-4 sections 4.1.3 and 6.4.2
compression!(
    compress512, kernel512, u64, 8, K512, _mm256_add_epi64, _mm256_srli_epi64, _mm256_slli_epi64, _mm256_set1_epi64x,
    ((28 36) (34 30) (39 25)) ((14 50) (18 46) (41 23)) ((1 63) (8 56) 7) ((19 45) (61 3) 6)
);

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(_mm256_xor_si256(a, b), c)
}
