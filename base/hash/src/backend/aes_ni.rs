//! AES-256 with AES-NI: round keys, and counter mode on eight blocks at a time.

use core::arch::x86_64::*;
use grille_core::erase;
use grille_cpu::AesNi;
use zeroize::optimization_barrier;

/// The fifteen round keys, FIPS 197 section 5.2. Erased on drop.
#[derive(Clone)]
pub(crate) struct RoundKeys<T> {
    pub(super) keys: [__m128i; 15],
    /// The CPU feature token that makes every `unsafe` use of these keys sound.
    _token: T,
}

impl<T> RoundKeys<T> {
    /// Expands the key.
    ///
    /// # Safety
    /// The token must prove AES-NI.
    pub(super) unsafe fn expand_key(token: T, key: &[u8; 32]) -> Self {
        // SAFETY: the caller guarantees that the token proves AES-NI.
        Self { keys: unsafe { expand(key) }, _token: token }
    }
}

impl<T> Drop for RoundKeys<T> {
    fn drop(&mut self) {
        // SAFETY: the vectors contain only integers, for which zeroes are valid.
        self.keys = unsafe { core::mem::zeroed() };
        optimization_barrier(&self.keys);
    }
}

impl RoundKeys<AesNi> {
    pub(crate) fn new(token: AesNi, key: &[u8; 32]) -> Self {
        // SAFETY: the token proves AES-NI.
        unsafe { Self::expand_key(token, key) }
    }

    /// Writes the key stream for a 12-byte nonce, starting at block 0.
    pub(crate) fn keystream(&self, nonce: &[u8; 12], out: &mut [u8]) {
        // SAFETY: the token proves AES-NI and AVX2.
        unsafe { keystream(&self.keys, nonce, out) }
    }
}

/// Computes KeyExpansion, FIPS 197 section 5.2, for 256-bit keys, two round keys at a time.
#[target_feature(enable = "aes,sse2")]
fn expand(key: &[u8; 32]) -> [__m128i; 15] {
    let (low, high) = key.as_chunks::<16>().0.split_at(1);
    let mut keys = [_mm_setzero_si128(); 15];
    (keys[0], keys[1]) = (load(&low[0]), load(&high[0]));
    expand_two_keys::<0x01>(&mut keys, 2);
    expand_two_keys::<0x02>(&mut keys, 4);
    expand_two_keys::<0x04>(&mut keys, 6);
    expand_two_keys::<0x08>(&mut keys, 8);
    expand_two_keys::<0x10>(&mut keys, 10);
    expand_two_keys::<0x20>(&mut keys, 12);
    // the last round key is computed alone
    let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<0x40>(keys[13]));
    keys[14] = _mm_xor_si128(prefix_xors(keys[12]), word);
    keys
}

/// Computes round keys `i` and `i + 1`: RotWord, SubWord and the round constant for the first, only SubWord
/// for the second.
#[inline]
#[target_feature(enable = "aes,sse2")]
fn expand_two_keys<const RCON: i32>(keys: &mut [__m128i; 15], i: usize) {
    let word = _mm_shuffle_epi32::<0xFF>(_mm_aeskeygenassist_si128::<RCON>(keys[i - 1]));
    keys[i] = _mm_xor_si128(prefix_xors(keys[i - 2]), word);
    let word = _mm_shuffle_epi32::<0xAA>(_mm_aeskeygenassist_si128::<0>(keys[i]));
    keys[i + 1] = _mm_xor_si128(prefix_xors(keys[i - 1]), word);
}

/// Returns the prefix sums of the words, where a sum is an XOR.
#[inline]
#[target_feature(enable = "sse2")]
fn prefix_xors(words: __m128i) -> __m128i {
    let pairs = _mm_xor_si128(words, _mm_slli_si128::<4>(words));
    _mm_xor_si128(pairs, _mm_slli_si128::<8>(pairs))
}

#[target_feature(enable = "aes,avx2")]
fn keystream(keys: &[__m128i; 15], nonce: &[u8; 12], out: &mut [u8]) {
    let mut next = load(&first_block(nonce));
    fill_in_groups(out, |group| encrypt_eight_blocks(keys, &mut next, group));
}

/// Encrypts the next eight counter blocks, FIPS 197 section 5.1. The block number in `next` is little-endian.
#[inline]
#[target_feature(enable = "aes,avx2")]
fn encrypt_eight_blocks(keys: &[__m128i; 15], next: &mut __m128i, out: &mut [u8; 128]) {
    let (order, one) = (load(&COUNTER_BYTE_ORDER), _mm_set_epi32(1, 0, 0, 0));
    let mut blocks = [*next; 8];
    for block in &mut blocks {
        *block = _mm_xor_si128(_mm_shuffle_epi8(*next, order), keys[0]);
        *next = _mm_add_epi32(*next, one);
    }
    for key in &keys[1..14] {
        for block in &mut blocks {
            *block = _mm_aesenc_si128(*block, *key);
        }
    }
    for (block, out) in blocks.into_iter().zip(out.as_chunks_mut::<16>().0) {
        let block = _mm_aesenclast_si128(block, keys[14]);
        // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), block) }
    }
}

/// The byte order that turns the little-endian block number of a counter block into a big-endian one.
pub(super) const COUNTER_BYTE_ORDER: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12];

/// Returns counter block 0.
pub(super) fn first_block(nonce: &[u8; 12]) -> [u8; 16] {
    let mut block = [0; 16];
    block[..12].copy_from_slice(nonce);
    block
}

/// Fills `out` in groups of `N` bytes, which `next` produces. The last group is truncated to fit.
#[inline(always)]
pub(super) fn fill_in_groups<const N: usize>(out: &mut [u8], mut next: impl FnMut(&mut [u8; N])) {
    let (groups, rest) = out.as_chunks_mut();
    groups.iter_mut().for_each(&mut next);
    if !rest.is_empty() {
        let mut last = [0; N];
        next(&mut last);
        rest.copy_from_slice(&last[..rest.len()]);
        erase(&mut last);
    }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}
