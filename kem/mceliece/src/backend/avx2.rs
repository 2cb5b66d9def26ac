//! Vectors of four words, with AVX2.

use super::{Kernel, Lanes, Work};
use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;

/// The vector operations with AVX2.
#[derive(Clone, Copy)]
struct Avx2 {
    /// Proof that the processor has AVX2. Every `unsafe` block here relies on this token.
    _token: Token,
}

/// Runs the copy of a kernel that was compiled with AVX2.
pub(super) fn run<K: Kernel>(token: Token, kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<K: Kernel>(token: Token, kernel: K) -> K::Output {
        kernel.run(Avx2 { _token: token })
    }
    // SAFETY: the token exists only if the processor has these features.
    unsafe { compiled(token, kernel) }
}

impl Lanes for Avx2 {
    type V = __m256i;
    const WORDS: usize = 4;

    #[inline(always)]
    fn splat(self, word: u64) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm256_set1_epi64x(word.cast_signed()) }
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m256i {
        let words = words.first_chunk::<4>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 4 words.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> __m256i {
        let bytes = bytes.first_chunk::<32>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, v: __m256i, words: &mut [u64]) {
        let words = words.first_chunk_mut::<4>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 4 words.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn and_xor(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { _mm256_xor_si256(sum, _mm256_and_si256(a, b)) }
    }

    #[inline(always)]
    fn shift_down(self, v: __m256i, after: __m256i) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let next = _mm256_alignr_epi8::<8>(_mm256_permute2x128_si256::<0x21>(v, after), v);
            _mm256_or_si256(_mm256_srli_epi64::<1>(v), _mm256_slli_epi64::<63>(next))
        }
    }

    const KEYS: usize = 8;

    #[inline(always)]
    fn load_keys(self, keys: &[u32]) -> __m256i {
        let keys = keys.first_chunk::<8>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 8 keys.
        unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_keys(self, v: __m256i, keys: &mut [u32]) {
        let keys = keys.first_chunk_mut::<8>().expect("a whole vector");
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        // The pointer is valid for 8 keys.
        unsafe { _mm256_storeu_si256(keys.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn order_keys(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { [_mm256_min_epu32(a, b), _mm256_max_epu32(a, b)] }
    }

    #[inline(always)]
    fn order_words(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let swap = _mm256_cmpgt_epi64(a, b);
            [_mm256_blendv_epi8(a, b, swap), _mm256_blendv_epi8(b, a, swap)]
        }
    }

    #[inline(always)]
    fn partner_keys(self, v: __m256i, distance: usize) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
            _mm256_permutevar8x32_epi32(v, _mm256_xor_si256(places, _mm256_set1_epi32(distance as i32)))
        }
    }

    #[inline(always)]
    fn partner_words(self, v: __m256i, distance: usize) -> __m256i {
        self.partner_keys(v, 2 * distance)
    }

    #[inline(always)]
    fn select_keys(self, a: __m256i, b: __m256i, distance: usize) -> __m256i {
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe {
            let places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
            // the mask of the positions whose index has the highest bit of `distance` set
            let bit = _mm256_set1_epi32(1 << distance.ilog2());
            let upper = _mm256_cmpeq_epi32(_mm256_and_si256(places, bit), bit);
            _mm256_blendv_epi8(a, b, upper)
        }
    }

    #[inline(always)]
    fn select_words(self, a: __m256i, b: __m256i, distance: usize) -> __m256i {
        self.select_keys(a, b, 2 * distance)
    }

    #[inline(always)]
    fn call<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        #[inline(never)]
        fn compiled<W: Work<Avx2>>(l: Avx2, work: W) -> W::Output {
            work.run(l)
        }
        // SAFETY: `self` holds a token, which exists only if the processor has the instruction.
        unsafe { compiled(self, work) }
    }
}
