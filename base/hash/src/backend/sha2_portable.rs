//! The compression functions of SHA-256 and SHA-512 on many states, one after the other, with the `sha2` crate.

use ::sha2::block_api::{compress256 as sha256_blocks, compress512 as sha512_blocks};
use grille_core::erase;

macro_rules! portable {
    ($portable:ident, $word:ty, $count:literal, $block:literal, $crate_compress:ident) => {
        /// Compresses one message after the other with the `sha2` crate.
        pub(super) fn $portable(
            states: &mut [[$word; $count]; 8],
            blocks: &[[$word; $count]; 16],
            count: usize,
        ) {
            for n in 0..count {
                let mut state = states.map(|words| words[n]);
                let mut block = [0; $block];
                for (bytes, words) in block.chunks_exact_mut($block / 16).zip(blocks) {
                    bytes.copy_from_slice(&words[n].to_be_bytes());
                }
                $crate_compress(&mut state, &[block]);
                states.iter_mut().zip(state).for_each(|(words, word)| words[n] = word);
                // some messages are secret, so the copy is erased
                erase(&mut block);
                erase(&mut state);
            }
        }
    };
}

portable!(portable256, u32, 16, 64, sha256_blocks);
portable!(portable512, u64, 8, 128, sha512_blocks);
