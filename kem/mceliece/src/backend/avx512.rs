//! Vectors of eight words, with AVX-512.

use super::{Kernel, Lanes, Work};
use core::arch::x86_64::*;
use grille_cpu::Avx512 as Token;

/// The vector operations with AVX-512.
#[derive(Clone, Copy)]
struct Avx512 {
    /// Proof that the processor has AVX-512. Every `unsafe` block here relies on this token.
    _token: Token,
}

/// Runs the copy of a kernel that was compiled with AVX-512.
pub(super) fn run<K: Kernel>(token: Token, kernel: K) -> K::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(token: Token, kernel: K) -> K::Output {
        kernel.run(Avx512 { _token: token })
    }
    // SAFETY: the token exists only if the processor has these features.
    unsafe { compiled(token, kernel) }
}

/// Entry i, for the distance 2^i, is the mask of the positions at which bit i of the index is not set.
const LOWER: [u16; 4] = [0x5555, 0x3333, 0x0F0F, 0x00FF];

impl Lanes for Avx512 {
    type V = __m512i;
    const WORDS: usize = 8;

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_set1_epi64(word.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m512i {
        let words = words.first_chunk::<8>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 8 words.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> __m512i {
        let bytes = bytes.first_chunk::<64>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m512i, words: &mut [u64]) {
        let words = words.first_chunk_mut::<8>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 8 words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn and_xor(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_ternarylogic_epi64::<0x78>(sum, a, b) }
    }

    #[inline(always)]
    fn shift_down(self, v: __m512i, after: __m512i) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let next = _mm512_alignr_epi64::<1>(after, v);
            _mm512_or_si512(_mm512_srli_epi64::<1>(v), _mm512_slli_epi64::<63>(next))
        }
    }

    const KEYS: usize = 16;

    #[inline(always)]
    fn load_keys(self, keys: &[u32]) -> __m512i {
        let keys = keys.first_chunk::<16>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 16 keys.
        unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_keys(self, v: __m512i, keys: &mut [u32]) {
        let keys = keys.first_chunk_mut::<16>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 16 keys.
        unsafe { _mm512_storeu_si512(keys.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn order_keys(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { [_mm512_min_epu32(a, b), _mm512_max_epu32(a, b)] }
    }

    #[inline(always)]
    fn order_words(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { [_mm512_min_epu64(a, b), _mm512_max_epu64(a, b)] }
    }

    #[inline(always)]
    fn partner_keys(self, v: __m512i, distance: usize) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi32(_mm512_xor_si512(places, _mm512_set1_epi32(distance as i32)), v)
        }
    }

    #[inline(always)]
    fn partner_words(self, v: __m512i, distance: usize) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let places = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi64(_mm512_xor_si512(places, _mm512_set1_epi64(distance as i64)), v)
        }
    }

    #[inline(always)]
    fn select_keys(self, a: __m512i, b: __m512i, distance: usize) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_mask_mov_epi32(b, LOWER[distance.ilog2() as usize], a) }
    }

    #[inline(always)]
    fn select_words(self, a: __m512i, b: __m512i, distance: usize) -> __m512i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm512_mask_mov_epi64(b, LOWER[distance.ilog2() as usize] as u8, a) }
    }

    #[inline(always)]
    fn call<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
        )]
        #[inline(never)]
        fn compiled<W: Work<Avx512>>(l: Avx512, work: W) -> W::Output {
            work.run(l)
        }
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { compiled(self, work) }
    }
}
