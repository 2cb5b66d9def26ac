//! AES-256 in counter mode with 512-bit vectors: sixteen blocks at a time.

use core::arch::x86_64::*;
use grille_cpu::Vaes;
use zeroize::optimization_barrier;

/// The fifteen round keys, FIPS 197 section 5.2; erased on drop.
#[derive(Clone)]
pub(crate) struct RoundKeys {
    keys: [__m128i; 15],
    /// Proof that the processor has AES and VAES, and all of AVX-512 that grille uses: every `unsafe` rests on it.
    _token: Vaes,
}

impl RoundKeys {
    pub(crate) fn new(token: Vaes, key: &[u8; 32]) -> Self {
        // SAFETY: the token proves AES.
        Self { keys: unsafe { expand(key) }, _token: token }
    }

    /// The stream with these 12 bytes before the block number, from block 0 on.
    pub(crate) fn keystream(&self, nonce: &[u8; 12], out: &mut [u8]) {
        // SAFETY: the token proves VAES and AVX-512.
        unsafe { keystream(&self.keys, nonce, out) }
    }
}

impl Drop for RoundKeys {
    fn drop(&mut self) {
        // SAFETY: the vectors are plain numbers, for which zeroes are valid.
        self.keys = unsafe { core::mem::zeroed() };
        optimization_barrier(&self.keys);
    }
}

/// KeyExpansion, FIPS 197 section 5.2, for 256-bit keys: two round keys at a time.
#[target_feature(enable = "aes,sse2")]
fn expand(key: &[u8; 32]) -> [__m128i; 15] {
    let (low, high) = key.as_chunks::<16>().0.split_at(1);
    let mut keys = [_mm_setzero_si128(); 15];
    (keys[0], keys[1]) = (load(&low[0]), load(&high[0]));
    two_keys::<0x01>(&mut keys, 2);
    two_keys::<0x02>(&mut keys, 4);
    two_keys::<0x04>(&mut keys, 6);
    two_keys::<0x08>(&mut keys, 8);
    two_keys::<0x10>(&mut keys, 10);
    two_keys::<0x20>(&mut keys, 12);
    // the last key is alone
    let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<0x40>(keys[13]));
    keys[14] = _mm_xor_si128(sums(keys[12]), word);
    keys
}

/// Keys `i` and `i + 1`: RotWord, SubWord and the round constant for the first, SubWord alone for the second.
#[inline]
#[target_feature(enable = "aes,sse2")]
fn two_keys<const RCON: i32>(keys: &mut [__m128i; 15], i: usize) {
    let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<RCON>(keys[i - 1]));
    keys[i] = _mm_xor_si128(sums(keys[i - 2]), word);
    let word = _mm_shuffle_epi32::<0xAA>(_mm_aeskeygenassist_si128::<0>(keys[i]));
    keys[i + 1] = _mm_xor_si128(sums(keys[i - 1]), word);
}

/// Each word with those before it added.
#[inline]
#[target_feature(enable = "sse2")]
fn sums(words: __m128i) -> __m128i {
    let pairs = _mm_xor_si128(words, _mm_slli_si128::<4>(words));
    _mm_xor_si128(pairs, _mm_slli_si128::<8>(pairs))
}

#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn keystream(keys: &[__m128i; 15], nonce: &[u8; 12], out: &mut [u8]) {
    let mut counter_block = [0; 16];
    counter_block[..12].copy_from_slice(nonce);
    // not by a closure, which would not be compiled with AVX-512
    let mut wide = [_mm512_setzero_si512(); 15];
    for (wide, key) in wide.iter_mut().zip(keys) {
        *wide = _mm512_broadcast_i32x4(*key);
    }
    // the block numbers 0 to 3, little-endian until they are used
    let numbers = _mm512_set_epi32(3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    let mut next = _mm512_add_epi32(_mm512_broadcast_i32x4(load(&counter_block)), numbers);
    let (groups, rest) = out.as_chunks_mut::<256>();
    for group in groups {
        store(sixteen_blocks(&wide, &mut next), group);
    }
    if !rest.is_empty() {
        let mut last = [0; 256];
        store(sixteen_blocks(&wide, &mut next), &mut last);
        rest.copy_from_slice(&last[..rest.len()]);
        last.fill(0);
        optimization_barrier(&last);
    }
}

/// The cipher, FIPS 197 section 5.1, on the next sixteen counter blocks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn sixteen_blocks(keys: &[__m512i; 15], next: &mut __m512i) -> [__m512i; 4] {
    let order = _mm512_broadcast_i32x4(load(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12]));
    let four = _mm512_broadcast_i32x4(_mm_set_epi32(4, 0, 0, 0));
    let mut blocks = [*next; 4];
    for block in &mut blocks {
        *block = _mm512_xor_si512(_mm512_shuffle_epi8(*next, order), keys[0]);
        *next = _mm512_add_epi32(*next, four);
    }
    for key in &keys[1..14] {
        for block in &mut blocks {
            *block = _mm512_aesenc_epi128(*block, *key);
        }
    }
    for block in &mut blocks {
        *block = _mm512_aesenclast_epi128(*block, keys[14]);
    }
    blocks
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(blocks: [__m512i; 4], to: &mut [u8; 256]) {
    for (block, to) in blocks.into_iter().zip(to.as_chunks_mut::<64>().0) {
        // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), block) }
    }
}
