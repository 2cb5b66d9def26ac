//! SHA3-256 of two messages side by side: with vectors, four states take hardly longer than one.

use grille_core::secret;
use grille_hash::Level;
use grille_hash::keccak::{States, permute};

/// The bytes of a block.
const RATE: usize = 136;
/// The blocks of the longest messages: pack_S3(r) ‖ pack_S3(m), and a key of 32 bytes with a ciphertext.
const MAX_BLOCKS: [usize; 2] = [2 * 275 / RATE + 1, (32 + 2401) / RATE + 1];

/// See [`Backend::sha3_256_of_two`](super::Backend::sha3_256_of_two).
pub(super) fn sha3_256_of_two(level: Level, first: [&[u8]; 2], second: [&[u8]; 2]) -> [[u8; 32]; 2] {
    let (mut first_blocks, mut second_blocks) = ([[0; RATE]; MAX_BLOCKS[0]], [[0; RATE]; MAX_BLOCKS[1]]);
    let first = pad(first, &mut first_blocks);
    let (beside, after) = pad(second, &mut second_blocks).split_at(first.len());
    let mut states: States<4> = [[0; 4]; 25];
    for (first, second) in first.iter().zip(beside) {
        absorb(&mut states, 0, first);
        absorb(&mut states, 1, second);
        permute(level, &mut states);
    }
    let mut alone: States<1> = [[0]; 25];
    alone.iter_mut().zip(&states).for_each(|(alone, both)| alone[0] = both[1]);
    for block in after {
        absorb(&mut alone, 0, block);
        permute(level, &mut alone);
    }
    let hashes = [hash(&states), hash(&alone)];
    secret::erase(states.as_flattened_mut());
    secret::erase(alone.as_flattened_mut());
    secret::erase(first_blocks.as_flattened_mut());
    secret::erase(second_blocks.as_flattened_mut());
    hashes
}

/// The blocks of a message in two parts, with the bits that SHA3-256 appends; `blocks` are zero.
fn pad<'a>(parts: [&[u8]; 2], blocks: &'a mut [[u8; RATE]]) -> &'a [[u8; RATE]] {
    let [first, second] = parts.map(<[u8]>::len);
    let bytes = blocks.as_flattened_mut();
    bytes[..first].copy_from_slice(parts[0]);
    bytes[first..first + second].copy_from_slice(parts[1]);
    bytes[first + second] = 0x06;
    let count = (first + second) / RATE + 1;
    bytes[count * RATE - 1] |= 0x80;
    &blocks[..count]
}

/// State n ← state n ⊕ block.
fn absorb<const N: usize>(states: &mut States<N>, n: usize, block: &[u8; RATE]) {
    for (word, bytes) in states.iter_mut().zip(block.as_chunks().0) {
        word[n] ^= u64::from_le_bytes(*bytes);
    }
}

/// What SHA3-256 squeezes out of the first state.
fn hash<const N: usize>(states: &States<N>) -> [u8; 32] {
    let mut hash = [0; 32];
    for (bytes, word) in hash.as_chunks_mut().0.iter_mut().zip(states) {
        *bytes = word[0].to_le_bytes();
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_hash::sha3_256;

    #[test]
    fn both_hashes_are_sha3_256_at_every_level() {
        let bytes: [u8; 2401] = core::array::from_fn(|i| (i * 7) as u8);
        // lengths of parts; what is padded ends a block, or is one of its own
        for (first, second) in [(102, 699), (136, 930), (140, 1138), (275, 2401), (67, 104), (67, 103)] {
            let (first, second) = ([&bytes[..first]; 2], [&bytes[..32], &bytes[..second]]);
            for level in Level::all() {
                let expected = [sha3_256(level, &first), sha3_256(level, &second)];
                assert_eq!(sha3_256_of_two(level, first, second), expected, "{}", level.name());
            }
        }
    }
}
