//! The SHA-2 functions, FIPS 180-4, from the `sha2` crate, which uses SHA-NI and AVX2 if available.

use ::sha2::{Digest, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

/// Computes SHA-224 of the concatenated `parts`.
#[must_use]
pub fn sha224(parts: &[&[u8]]) -> [u8; 28] {
    digest::<Sha224>(parts).into()
}

/// Computes SHA-256 of the concatenated `parts`.
#[must_use]
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    digest::<Sha256>(parts).into()
}

/// Computes SHA-384 of the concatenated `parts`.
#[must_use]
pub fn sha384(parts: &[&[u8]]) -> [u8; 48] {
    digest::<Sha384>(parts).into()
}

/// Computes SHA-512 of the concatenated `parts`.
#[must_use]
pub fn sha512(parts: &[&[u8]]) -> [u8; 64] {
    digest::<Sha512>(parts).into()
}

/// Computes SHA-512/224 of the concatenated `parts`.
#[must_use]
pub fn sha512_224(parts: &[&[u8]]) -> [u8; 28] {
    digest::<Sha512_224>(parts).into()
}

/// Computes SHA-512/256 of the concatenated `parts`.
#[must_use]
pub fn sha512_256(parts: &[&[u8]]) -> [u8; 32] {
    digest::<Sha512_256>(parts).into()
}

/// Compresses one block of SHA-256, FIPS 180-4 section 6.2.2.
pub fn compress256(state: &mut [u32; 8], block: &[u8; 64]) {
    ::sha2::block_api::compress256(state, core::slice::from_ref(block));
}

/// Compresses one block of SHA-512, FIPS 180-4 section 6.4.2.
pub fn compress512(state: &mut [u64; 8], block: &[u8; 128]) {
    ::sha2::block_api::compress512(state, core::slice::from_ref(block));
}

macro_rules! resume {
    ($(#[$doc:meta])* $name:ident, $word:ty, $block:literal, $length:ty, $compress:ident) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(state: &[$word; 8], len: usize, parts: &[&[u8]]) -> [u8; $block / 2] {
            // one call with several blocks takes less time than one call per block
            const BLOCKS: usize = 4;
            let (mut state, mut blocks, mut filled) = (*state, [[0; $block]; BLOCKS + 1], 0);
            for part in parts {
                let mut rest = *part;
                while !rest.is_empty() {
                    let (taken, left) = rest.split_at(rest.len().min(BLOCKS * $block - filled));
                    blocks.as_flattened_mut()[filled..filled + taken.len()].copy_from_slice(taken);
                    (rest, filled) = (left, filled + taken.len());
                    if filled == BLOCKS * $block {
                        ::sha2::block_api::$compress(&mut state, &blocks[..BLOCKS]);
                        filled = 0;
                    }
                }
            }
            // padding, FIPS 180-4 section 5.1
            let bits = 8 * (len + parts.iter().map(|part| part.len()).sum::<usize>()) as $length;
            let padded = (filled + 1 + size_of::<$length>()).div_ceil($block);
            let bytes = &mut blocks.as_flattened_mut()[..padded * $block];
            bytes[filled] = 0x80;
            bytes[filled + 1..].fill(0);
            *bytes.last_chunk_mut().expect("a block") = bits.to_be_bytes();
            ::sha2::block_api::$compress(&mut state, &blocks[..padded]);
            let mut digest = [0; $block / 2];
            let words = digest.as_chunks_mut::<{ size_of::<$word>() }>().0;
            words.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
            digest
        }
    };
}

resume!(
    /// Computes SHA-256 of the concatenated `parts`, continuing a state that has absorbed `len` bytes, a multiple of
    /// 64.
    resume256, u32, 64, u64, compress256
);

resume!(
    /// Computes SHA-512 of the concatenated `parts`, continuing a state that has absorbed `len` bytes, a multiple of
    /// 128.
    resume512, u64, 128, u128, compress512
);

fn digest<D: Digest>(parts: &[&[u8]]) -> ::sha2::digest::Output<D> {
    parts.iter().fold(D::new(), D::chain_update).finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2_lanes::{IV256, IV512};

    #[test]
    fn hash_continues_from_the_state_after_any_blocks() {
        let message: [u8; 1024] = core::array::from_fn(|i| (i * 7) as u8);
        let (mut state256, mut state512) = (IV256, IV512);
        compress256(&mut state256, message.first_chunk().expect("a block"));
        compress512(&mut state512, message.first_chunk().expect("a block"));
        for end in 128..message.len() {
            let (whole, cut) = (&message[..end], 128 + (end - 128) / 3);
            let parts = [&message[128..cut], &message[cut..end]];
            assert_eq!(resume512(&state512, 128, &parts), sha512(&[whole]), "{end} bytes");
            assert_eq!(resume256(&state256, 64, &[&message[64..end]]), sha256(&[whole]), "{end} bytes");
        }
    }

    #[test]
    fn abc_matches_the_standards_examples() {
        assert_eq!(sha224(&[b"abc"])[..4], [0x23, 0x09, 0x7D, 0x22]);
        assert_eq!(sha512_224(&[b"abc"])[..4], [0x46, 0x34, 0x27, 0x0F]);
        assert_eq!(sha512_256(&[b"abc"])[..4], [0x53, 0x04, 0x8E, 0x26]);
        assert_eq!(sha256(&[b"a", b"bc"])[..4], [0xBA, 0x78, 0x16, 0xBF]);
        assert_eq!(sha384(&[b"abc"])[..4], [0xCB, 0x00, 0x75, 0x3F]);
        assert_eq!(sha512(&[b"ab", b"c"])[..4], [0xDD, 0xAF, 0x35, 0xA1]);
    }
}
