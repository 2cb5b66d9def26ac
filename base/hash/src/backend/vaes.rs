//! AES-256 in counter mode with 512-bit vectors, sixteen blocks at a time.

use super::aes_ni::{COUNTER_BYTE_ORDER, RoundKeys, fill_in_groups, first_block, load};
use core::arch::x86_64::*;
use grille_cpu::Vaes;

impl RoundKeys<Vaes> {
    pub(crate) fn new(token: Vaes, key: &[u8; 32]) -> Self {
        // SAFETY: the token also proves AES-NI.
        unsafe { Self::expand_key(token, key) }
    }

    /// Writes the key stream for a 12-byte nonce, starting at block 0.
    pub(crate) fn keystream(&self, nonce: &[u8; 12], out: &mut [u8]) {
        // SAFETY: the token proves VAES and AVX-512.
        unsafe { keystream(&self.keys, nonce, out) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn keystream(keys: &[__m128i; 15], nonce: &[u8; 12], out: &mut [u8]) {
    // a loop, because a closure for `map` would be compiled without AVX-512
    let mut wide = [_mm512_setzero_si512(); 15];
    for (wide, key) in wide.iter_mut().zip(keys) {
        *wide = _mm512_broadcast_i32x4(*key);
    }
    // the block numbers 0 to 3, stored little-endian
    let numbers = _mm512_set_epi32(3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    let mut next = _mm512_add_epi32(_mm512_broadcast_i32x4(load(&first_block(nonce))), numbers);
    fill_in_groups(out, |group| store(encrypt_sixteen_blocks(&wide, &mut next), group));
}

/// Encrypts the next sixteen counter blocks, FIPS 197 section 5.1.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vaes")]
fn encrypt_sixteen_blocks(keys: &[__m512i; 15], next: &mut __m512i) -> [__m512i; 4] {
    let order = _mm512_broadcast_i32x4(load(&COUNTER_BYTE_ORDER));
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
#[target_feature(enable = "avx512f")]
fn store(blocks: [__m512i; 4], to: &mut [u8; 256]) {
    for (block, to) in blocks.into_iter().zip(to.as_chunks_mut::<64>().0) {
        // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), block) }
    }
}
