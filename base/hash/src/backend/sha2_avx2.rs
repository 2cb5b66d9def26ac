//! SHA-2 with AVX2: SHA-512 of four messages at a time.

use crate::sha2_lanes::K512;
use core::arch::x86_64::*;
use grille_cpu::Avx2;

/// One block of each of the first `count` of eight messages of SHA-512, and perhaps of others.
pub(super) fn compress512(_: Avx2, states: &mut [[u64; 8]; 8], blocks: &[[u64; 8]; 16], count: usize) {
    // SAFETY: the token proves that the processor has the features.
    unsafe {
        kernel::<0>(states, blocks);
        if count > 4 {
            kernel::<4>(states, blocks);
        }
    }
}

/// The four messages from `FIRST` on; FIPS 180-4 section 6.4.2.
#[target_feature(enable = "avx2")]
fn kernel<const FIRST: usize>(states: &mut [[u64; 8]; 8], blocks: &[[u64; 8]; 16]) {
    const { assert!(FIRST == 0 || FIRST == 4) };
    let (mut w, mut before) = ([_mm256_setzero_si256(); 16], [_mm256_setzero_si256(); 8]);
    for (w, row) in w.iter_mut().zip(blocks).chain(before.iter_mut().zip(&*states)) {
        // SAFETY: each row has four words from FIRST on.
        *w = unsafe { _mm256_loadu_si256(row.as_ptr().add(FIRST).cast()) };
    }
    let mut s = before;
    for t in (0..80).step_by(16) {
        for i in 0..16 {
            let wt = w[i];
            let [a, b, c, d, e, f, g, h] = s;
            let sum1 = xor3(ror::<14, 50>(e), ror::<18, 46>(e), ror::<41, 23>(e));
            let ch = _mm256_xor_si256(_mm256_and_si256(e, f), _mm256_andnot_si256(e, g));
            let k = _mm256_set1_epi64x(K512[t + i] as i64);
            let t1 = add(add(add(h, wt), k), add(sum1, ch));
            let sum0 = xor3(ror::<28, 36>(a), ror::<34, 30>(a), ror::<39, 25>(a));
            // Maj(a, b, c) = b ⊕ ((a ⊕ b) ∧ (b ⊕ c))
            let maj = _mm256_xor_si256(b, _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(b, c)));
            s = [add(t1, add(sum0, maj)), a, b, c, add(d, t1), e, f, g];
            if t < 64 {
                let (w1, w9, w14) = (w[(i + 1) % 16], w[(i + 9) % 16], w[(i + 14) % 16]);
                let sigma0 = xor3(ror::<1, 63>(w1), ror::<8, 56>(w1), _mm256_srli_epi64::<7>(w1));
                let sigma1 = xor3(ror::<19, 45>(w14), ror::<61, 3>(w14), _mm256_srli_epi64::<6>(w14));
                w[i] = add(add(wt, sigma0), add(w9, sigma1));
            }
        }
    }
    for (state, (old, new)) in states.iter_mut().zip(before.into_iter().zip(s)) {
        // SAFETY: each row has four words from FIRST on.
        unsafe { _mm256_storeu_si256(state.as_mut_ptr().add(FIRST).cast(), add(old, new)) };
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi64(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(_mm256_xor_si256(a, b), c)
}

/// A rotation to the right by `R`; `L` is 64 − `R`.
#[inline]
#[target_feature(enable = "avx2")]
fn ror<const R: i32, const L: i32>(x: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_srli_epi64::<R>(x), _mm256_slli_epi64::<L>(x))
}
