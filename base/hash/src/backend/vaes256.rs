//! AES-256 in counter mode with 256-bit vectors, sixteen blocks at a time.

use super::aes_ni::{COUNTER_BYTE_ORDER, RoundKeys, fill_in_groups, first_block, load};
use core::arch::x86_64::*;
use grille_cpu::Vaes256;

impl RoundKeys<Vaes256> {
    pub(crate) fn new(token: Vaes256, key: &[u8; 32]) -> Self {
        // SAFETY: the token also proves AES-NI.
        unsafe { Self::expand_key(token, key) }
    }

    /// Writes the key stream for a 12-byte nonce, starting at block 0.
    pub(crate) fn keystream(&self, nonce: &[u8; 12], out: &mut [u8]) {
        // SAFETY: the token proves VAES and AVX2.
        unsafe { keystream(&self.keys, nonce, out) }
    }
}

#[target_feature(enable = "avx2,vaes")]
fn keystream(keys: &[__m128i; 15], nonce: &[u8; 12], out: &mut [u8]) {
    // the block numbers 0 and 1, stored little-endian
    let numbers = _mm256_set_epi32(1, 0, 0, 0, 0, 0, 0, 0);
    let first = _mm256_broadcastsi128_si256(load(&first_block(nonce)));
    let mut next = _mm256_add_epi32(first, numbers);
    fill_in_groups(out, |group| encrypt_sixteen_blocks(keys, &mut next, group));
}

/// Encrypts the next sixteen counter blocks, FIPS 197 section 5.1. Eight vectors in parallel hide the latency
/// of four cycles if two instructions start per cycle.
#[inline]
#[target_feature(enable = "avx2,vaes")]
fn encrypt_sixteen_blocks(keys: &[__m128i; 15], next: &mut __m256i, out: &mut [u8; 256]) {
    let order = _mm256_broadcastsi128_si256(load(&COUNTER_BYTE_ORDER));
    let two = _mm256_set_epi32(2, 0, 0, 0, 2, 0, 0, 0);
    let mut blocks = [*next; 8];
    for block in &mut blocks {
        *block = _mm256_xor_si256(_mm256_shuffle_epi8(*next, order), _mm256_broadcastsi128_si256(keys[0]));
        *next = _mm256_add_epi32(*next, two);
    }
    for key in &keys[1..14] {
        let key = _mm256_broadcastsi128_si256(*key);
        for block in &mut blocks {
            *block = _mm256_aesenc_epi128(*block, key);
        }
    }
    let last = _mm256_broadcastsi128_si256(keys[14]);
    for (block, out) in blocks.into_iter().zip(out.as_chunks_mut::<32>().0) {
        let block = _mm256_aesenclast_epi128(block, last);
        // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), block) }
    }
}
