//! SHA-2 with AVX-512, one message per lane: 16 SHA-256 or eight SHA-512 messages.
//!
//! A round takes three rotations for each Σ, and one `vpternlog` for Ch, for Maj and for each XOR of three
//! words. The message schedule is in 16 registers and advances by one word per round.

use crate::sha2_lanes::{K256, K512};
use core::arch::x86_64::*;
use grille_cpu::Avx512;

/// The truth table of a ⊕ b ⊕ c for `vpternlog`.
const XOR3: i32 = 0x96;
/// The truth table of (a ∧ b) ⊕ (¬a ∧ c) for `vpternlog`.
const CH: i32 = 0xCA;
/// The truth table of (a ∧ b) ⊕ (a ∧ c) ⊕ (b ∧ c) for `vpternlog`.
const MAJ: i32 = 0xE8;

#[rustfmt::skip]
macro_rules! compression {
    ($visible:vis, $name:ident, $kernel:ident, $round:ident, $rounds:ident, $word:ty, $lanes:literal, $k:ident,
        $add:ident, $ror:ident, $shr:ident, $ternary:ident, $set:ident,
        $big0:tt $big1:tt $small0:tt $small1:tt) => {
        /// Compresses one block of each message.
        pub(super) fn $name(_: Avx512, states: &mut [[$word; $lanes]; 8], blocks: &[[$word; $lanes]; 16]) {
            // SAFETY: the token proves that the processor has the features.
            unsafe { $kernel(states, blocks) }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn $kernel(states: &mut [[$word; $lanes]; 8], blocks: &[[$word; $lanes]; 16]) {
            let (mut w, mut before) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 8]);
            for (w, row) in w.iter_mut().zip(blocks) {
                // SAFETY: each row is 64 bytes long.
                *w = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
            }
            for (before, row) in before.iter_mut().zip(&*states) {
                // SAFETY: each row is 64 bytes long.
                *before = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
            }
            let after = $rounds::<0, 15>(before, w);
            for (state, (old, new)) in states.iter_mut().zip(before.into_iter().zip(after)) {
                // SAFETY: each row is 64 bytes long.
                unsafe { _mm512_storeu_si512(state.as_mut_ptr().cast(), $add(old, new)) };
            }
        }

        /// Computes one round on the eight words of the state; `wk` is W_t + K_t.
        ///
        /// # Safety
        /// The processor must have AVX-512 F.
        #[inline]
        #[target_feature(enable = "avx512f")]
        $visible fn $round([a, b, c, d, e, f, g, h]: [__m512i; 8], wk: __m512i) -> [__m512i; 8] {
            let (sum1, ch) = (rotations!($ror $ternary e $big1), $ternary::<CH>(e, f, g));
            let t1 = $add($add(h, wk), $add(sum1, ch));
            let (sum0, maj) = (rotations!($ror $ternary a $big0), $ternary::<MAJ>(a, b, c));
            [$add(t1, $add(sum0, maj)), a, b, c, $add(d, t1), e, f, g]
        }

        /// Computes the rounds from `FROM`, which is at most 16, to the last one. `s` is the state after the preceding
        /// rounds. `w` is the block. Its words starting at `LEN` are zero, except for the last word.
        ///
        /// # Safety
        /// The processor must have AVX-512 F.
        #[inline]
        #[target_feature(enable = "avx512f")]
        $visible fn $rounds<const FROM: usize, const LEN: usize>(
            mut s: [__m512i; 8],
            mut w: [__m512i; 16],
        ) -> [__m512i; 8] {
            // because these words are known, the compiler can compute everything that depends only on them
            w[LEN..15].fill(_mm512_setzero_si512());
            // unrolled, because in a loop LLVM would keep all words in memory
            macro_rules! each {
                ($step:ident!($t:ident, $from:expr)) => {
                    $step!($t, $from, 0); $step!($t, $from, 1); $step!($t, $from, 2); $step!($t, $from, 3);
                    $step!($t, $from, 4); $step!($t, $from, 5); $step!($t, $from, 6); $step!($t, $from, 7);
                    $step!($t, $from, 8); $step!($t, $from, 9); $step!($t, $from, 10); $step!($t, $from, 11);
                    $step!($t, $from, 12); $step!($t, $from, 13); $step!($t, $from, 14); $step!($t, $from, 15);
                };
            }
            macro_rules! last_step {
                ($t:ident, $from:expr, $i:literal) => {
                    if $i >= $from {
                        s = $round(s, $add(w[$i], $set($k[$t + $i] as _)));
                    }
                };
            }
            macro_rules! step {
                ($t:ident, $from:expr, $i:literal) => {
                    last_step!($t, $from, $i);
                    let (w1, w9, w14) = (w[($i + 1) % 16], w[($i + 9) % 16], w[($i + 14) % 16]);
                    let sigma0 = shifted!($ror $shr $ternary w1 $small0);
                    let sigma1 = shifted!($ror $shr $ternary w14 $small1);
                    w[$i] = $add($add(w[$i], sigma0), $add(w9, sigma1));
                };
            }
            let mut t = 0;
            each!(step!(t, FROM));
            t += 16;
            while t + 16 < $k.len() {
                each!(step!(t, 0));
                t += 16;
            }
            each!(last_step!(t, 0));
            s
        }
    };
}

/// Computes Σ, the XOR of three rotations.
macro_rules! rotations {
    ($ror:ident $ternary:ident $x:ident ($a:literal $b:literal $c:literal)) => {
        $ternary::<XOR3>($ror::<$a>($x), $ror::<$b>($x), $ror::<$c>($x))
    };
}

/// Computes σ, the XOR of two rotations and a shift.
macro_rules! shifted {
    ($ror:ident $shr:ident $ternary:ident $x:ident ($a:literal $b:literal $c:literal)) => {
        $ternary::<XOR3>($ror::<$a>($x), $ror::<$b>($x), $shr::<$c>($x))
    };
}

// FIPS 180-4 sections 4.1.2 and 6.2.2
compression!(
    pub, compress256, kernel256, sha256_round, sha256_rounds, u32, 16, K256,
    _mm512_add_epi32, _mm512_ror_epi32, _mm512_srli_epi32, _mm512_ternarylogic_epi32, _mm512_set1_epi32,
    (2 13 22) (6 11 25) (7 18 3) (17 19 10)
);

// FIPS 180-4 sections 4.1.3 and 6.4.2
compression!(
    pub(super), compress512, kernel512, sha512_round, sha512_rounds, u64, 8, K512,
    _mm512_add_epi64, _mm512_ror_epi64, _mm512_srli_epi64, _mm512_ternarylogic_epi64, _mm512_set1_epi64,
    (28 34 39) (14 18 41) (1 8 7) (19 61 6)
);
