//! Permutations: index i takes what stands at stride·i modulo n.

use super::product::load;
use crate::binary::MAX_WORDS;
use core::arch::x86_64::*;

/// Where 64 consecutive bits come from.
struct Sources {
    /// stride·i modulo n for 32 consecutive i, and for the next 32.
    indexes: [__m512i; 2],
    /// 64·stride modulo n, and n.
    step: __m512i,
    n: __m512i,
}

impl Sources {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(n: usize, stride: usize) -> Self {
        let mut indexes = [0; 64];
        let mut index = 0;
        for i in &mut indexes {
            *i = index as u16;
            index += stride;
            index -= if index >= n { n } else { 0 };
        }
        let word = |x: usize| _mm512_set1_epi16(x as i16);
        let (low, high) = indexes.split_first_chunk().expect("64 indexes");
        let indexes = [load(low), load(high.first_chunk().expect("32 indexes"))];
        Self { indexes, step: word(index), n: word(n) }
    }

    /// The bytes of the next 64 bits, in two tables of 128, and the bits in them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn next(&mut self) -> (__m512i, __m512i) {
        let [low, high] = self.indexes.map(|i| _mm512_cvtepi16_epi8(_mm512_srli_epi16::<3>(i)));
        let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        let [low, high] = self.indexes.map(|i| _mm512_cvtepi16_epi8(i));
        let bits = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        let powers = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
        let bits = _mm512_shuffle_epi8(powers, _mm512_and_si512(bits, _mm512_set1_epi8(7)));
        self.indexes = self.indexes.map(|i| {
            let next = _mm512_add_epi16(i, self.step);
            // less n unless that is below 0, and so large
            _mm512_min_epu16(next, _mm512_sub_epi16(next, self.n))
        });
        (bytes, bits)
    }
}

/// Up to 192 bytes to be looked up.
struct Table([__m512i; 3]);

impl Table {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(words: &[u64]) -> Self {
        let mut padded = [0; 24];
        padded[..words.len()].copy_from_slice(words);
        // SAFETY: the parts are of eight words each; the loads need no alignment.
        Self([0, 8, 16].map(|i| unsafe { _mm512_loadu_si512(padded[i..i + 8].as_ptr().cast()) }))
    }

    /// The bits, 64 of them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn look_up(&self, (bytes, bits): (__m512i, __m512i)) -> u64 {
        let low = _mm512_permutex2var_epi8(self.0[0], bytes, self.0[1]);
        let beyond = _mm512_movepi8_mask(bytes);
        _mm512_test_epi8_mask(_mm512_mask_permutexvar_epi8(low, beyond, bytes, self.0[2]), bits)
    }
}

/// See [`Backend::permute_bits`](crate::backend::Backend::permute_bits).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn permute_bits(n: usize, stride: usize, from: &[u64], to: &mut [u64]) {
    let (table, mut sources) = (Table::new(from), Sources::new(n, stride));
    for to in to.iter_mut() {
        *to = table.look_up(sources.next());
    }
    to[n / 64] &= (1 << (n % 64)) - 1;
}

/// See [`Backend::permute_trits`](crate::backend::Backend::permute_trits); entries up to a multiple of 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(super) fn permute_trits(n: usize, stride: usize, from: &[u16], to: &mut [u16]) {
    let [mut ones, mut twos] = [[0; MAX_WORDS]; 2];
    let bit = |trits: &[u16; 64], value: i16| {
        let (low, high) = trits.split_first_chunk().expect("64 trits");
        let value = _mm512_set1_epi16(value);
        let [low, high] = [low, high.first_chunk().expect("32 trits")]
            .map(|trits| u64::from(_mm512_test_epi16_mask(load(trits), value)));
        low | high << 32
    };
    let words = from.len() / 64;
    for (i, trits) in from.as_chunks().0.iter().enumerate() {
        (ones[i], twos[i]) = (bit(trits, 1), bit(trits, 2));
    }
    let (ones, twos, mut sources) =
        (Table::new(&ones[..words]), Table::new(&twos[..words]), Sources::new(n, stride));
    for (i, to) in to.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        let source = sources.next();
        let valid = if n - 64 * i < 64 { (1 << (n - 64 * i)) - 1 } else { u64::MAX };
        let (ones, twos) = (ones.look_up(source) & valid, twos.look_up(source) & valid);
        for (half, to) in to.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let (ones, twos) = ((ones >> (32 * half)) as u32, (twos >> (32 * half)) as u32);
            let trits = _mm512_maskz_set1_epi16(ones, 1);
            let trits = _mm512_mask_mov_epi16(trits, twos, _mm512_set1_epi16(2));
            // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), trits) };
        }
    }
}
