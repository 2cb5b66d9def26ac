//! SHA-2 with AVX-512: one message a lane, 16 of SHA-256 or eight of SHA-512.
//!
//! A round costs three rotations for each Σ and a `vpternlog` for each of Ch, Maj and the sums of three; the schedule
//! is kept in 16 registers and moves on by one word a round.

use crate::sha2_lanes::{K256, K512};
use core::arch::x86_64::*;
use grille_cpu::Avx512;

/// a ⊕ b ⊕ c.
const XOR3: i32 = 0x96;
/// (a ∧ b) ⊕ (¬a ∧ c).
const CH: i32 = 0xCA;
/// (a ∧ b) ⊕ (a ∧ c) ⊕ (b ∧ c).
const MAJ: i32 = 0xE8;

macro_rules! compression {
    ($name:ident, $kernel:ident, $word:ty, $lanes:literal, $rounds:literal, $k:ident,
        $add:ident, $ror:ident, $shr:ident, $ternary:ident, $set:ident,
        $big0:tt $big1:tt $small0:tt $small1:tt) => {
        /// One block of each message.
        pub(super) fn $name(_: Avx512, states: &mut [[$word; $lanes]; 8], blocks: &[[$word; $lanes]; 16]) {
            // SAFETY: the token proves that the processor has the features.
            unsafe { $kernel(states, blocks) }
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn $kernel(states: &mut [[$word; $lanes]; 8], blocks: &[[$word; $lanes]; 16]) {
            let (mut w, mut before) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 8]);
            for (w, row) in w.iter_mut().zip(blocks).chain(before.iter_mut().zip(&*states)) {
                // SAFETY: each row is 64 bytes long.
                *w = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
            }
            let mut s = before;
            let mut t = 0;
            while t < $rounds {
                // eight rounds, after which each register has its own name again
                for i in 0..16 {
                    let wt = w[i];
                    let [a, b, c, d, e, f, g, h] = s;
                    let sum1 = rotations!($ror $ternary e $big1);
                    let ch = $ternary::<CH>(e, f, g);
                    let t1 = $add($add($add(h, wt), $set($k[t + i] as _)), $add(sum1, ch));
                    let sum0 = rotations!($ror $ternary a $big0);
                    let maj = $ternary::<MAJ>(a, b, c);
                    s = [$add(t1, $add(sum0, maj)), a, b, c, $add(d, t1), e, f, g];
                    if t + 16 < $rounds {
                        let (w1, w9, w14) = (w[(i + 1) % 16], w[(i + 9) % 16], w[(i + 14) % 16]);
                        let sigma0 = shifted!($ror $shr $ternary w1 $small0);
                        let sigma1 = shifted!($ror $shr $ternary w14 $small1);
                        w[i] = $add($add(wt, sigma0), $add(w9, sigma1));
                    }
                }
                t += 16;
            }
            for (state, (old, new)) in states.iter_mut().zip(before.into_iter().zip(s)) {
                // SAFETY: each row is 64 bytes long.
                unsafe { _mm512_storeu_si512(state.as_mut_ptr().cast(), $add(old, new)) };
            }
        }
    };
}

/// Σ: three rotations.
macro_rules! rotations {
    ($ror:ident $ternary:ident $x:ident ($a:literal $b:literal $c:literal)) => {
        $ternary::<XOR3>($ror::<$a>($x), $ror::<$b>($x), $ror::<$c>($x))
    };
}

/// σ: two rotations and a shift.
macro_rules! shifted {
    ($ror:ident $shr:ident $ternary:ident $x:ident ($a:literal $b:literal $c:literal)) => {
        $ternary::<XOR3>($ror::<$a>($x), $ror::<$b>($x), $shr::<$c>($x))
    };
}

// FIPS 180-4 sections 4.1.2 and 6.2.2
compression!(
    compress256, kernel256, u32, 16, 64, K256,
    _mm512_add_epi32, _mm512_ror_epi32, _mm512_srli_epi32, _mm512_ternarylogic_epi32, _mm512_set1_epi32,
    (2 13 22) (6 11 25) (7 18 3) (17 19 10)
);

// FIPS 180-4 sections 4.1.3 and 6.4.2
compression!(
    compress512, kernel512, u64, 8, 80, K512,
    _mm512_add_epi64, _mm512_ror_epi64, _mm512_srli_epi64, _mm512_ternarylogic_epi64, _mm512_set1_epi64,
    (28 34 39) (14 18 41) (1 8 7) (19 61 6)
);
