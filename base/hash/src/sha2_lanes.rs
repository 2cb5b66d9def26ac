//! The compression functions of SHA-256 and SHA-512, FIPS 180-4 section 6, on many states at once, and hashes
//! of messages of equal length with a common prefix.
//!
//! States are interleaved: `state[i][n]` is word i of state `n`.

#[cfg(any(target_arch = "x86_64", test))]
mod constants;

use crate::backend;
use grille_cpu::Level;

#[cfg(target_arch = "x86_64")]
pub use constants::K256;
#[cfg(target_arch = "x86_64")]
pub(crate) use constants::K512;

/// Compresses one block of each of the first `count` of 16 messages. The states of the other messages become
/// undefined.
pub fn compress256(level: Level, states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16], count: usize) {
    backend::compress256(level, states, blocks, count);
}

/// Compresses one block of each of the first `count` of eight messages. The states of the other messages
/// become undefined.
pub fn compress512(level: Level, states: &mut [[u64; 8]; 8], blocks: &[[u64; 8]; 16], count: usize) {
    backend::compress512(level, states, blocks, count);
}

macro_rules! functions {
    ($(#[$doc:meta])* $lanes:ident, $state:ident = $begin:expr,
        $word:ty, $count:literal, $block:literal, $digest:literal, $length:ty,
        $compress:ident) => {
        /// The initial state, FIPS 180-4 section 5.3.
        pub const $state: [$word; 8] = $begin;

        $(#[$doc])*
        pub struct $lanes {
            level: Level,
            states: [[$word; $count]; 8],
            blocks: [[u8; $block]; $count],
            /// The number of bytes of each message that have been absorbed.
            len: usize,
            /// The number of messages.
            count: usize,
        }

        impl $lanes {
            /// Continues `count` messages from a state that has absorbed `len` bytes, a multiple of the block length.
            #[must_use]
            pub fn resume(level: Level, state: &[$word; 8], len: usize, count: usize) -> Self {
                let states = state.map(|word| [word; $count]);
                Self { level, states, blocks: [[0; $block]; $count], len, count }
            }

            /// Absorbs the next bytes of each message.
            ///
            /// # Panics
            /// Panics if the lengths of `inputs` differ.
            pub fn absorb(&mut self, inputs: &[&[u8]]) {
                let len = inputs.first().map_or(0, |input| input.len());
                assert!(inputs.iter().all(|input| input.len() == len), "messages of one length");
                let mut taken = 0;
                while taken < len {
                    let filled = self.len % $block;
                    let take = (len - taken).min($block - filled);
                    for (block, input) in self.blocks.iter_mut().zip(inputs) {
                        block[filled..filled + take].copy_from_slice(&input[taken..taken + take]);
                    }
                    taken += take;
                    self.len += take;
                    if filled + take == $block {
                        self.compress();
                    }
                }
            }

            /// Applies the padding, FIPS 180-4 section 5.1, and returns the digests. Digests after those of the last
            /// message are undefined.
            #[must_use]
            pub fn finish(mut self) -> [[u8; $digest]; $count] {
                let bits = (8 * self.len as $length).to_be_bytes();
                let filled = self.len % $block;
                self.blocks.iter_mut().for_each(|block| {
                    block[filled] = 0x80;
                    block[filled + 1..].fill(0);
                });
                if filled + 1 + bits.len() > $block {
                    self.compress();
                    self.blocks = [[0; $block]; $count];
                }
                self.blocks.iter_mut().for_each(|block| block[$block - bits.len()..].copy_from_slice(&bits));
                self.compress();
                let mut digests = [[0; $digest]; $count];
                for (n, digest) in digests.iter_mut().enumerate() {
                    for (bytes, words) in digest.chunks_exact_mut($block / 16).zip(&self.states) {
                        bytes.copy_from_slice(&words[n].to_be_bytes());
                    }
                }
                digests
            }

            fn compress(&mut self) {
                let mut words = [[0; $count]; 16];
                for (n, block) in self.blocks[..self.count].iter().enumerate() {
                    let (chunks, _) = block.as_chunks::<{ $block / 16 }>();
                    words.iter_mut().zip(chunks).for_each(|(word, bytes)| word[n] = <$word>::from_be_bytes(*bytes));
                }
                $compress(self.level, &mut self.states, &words, self.count);
            }
        }
    };
}

functions! {
    /// SHA-256 of up to 16 messages of equal length.
    Sha256Lanes, IV256 = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
        0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ], u32, 16, 64, 32, u64, compress256
}

functions! {
    /// SHA-512 of up to eight messages of equal length.
    Sha512Lanes, IV512 = [
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
        0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    ], u64, 8, 128, 64, u128, compress512
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha2;
    use std::vec::Vec;

    fn bytes(seed: usize, len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 31 + seed * 7 + 3) as u8).collect()
    }

    #[test]
    fn lanes_match_single_hashes_at_every_level_and_length() {
        for level in Level::all() {
            for len in (0..300).chain([1000, 2144]) {
                let messages: Vec<_> = (0..16).map(|seed| bytes(seed, len)).collect();
                let halves = |count: usize, cut: usize| -> [Vec<&[u8]>; 2] {
                    let halves = messages[..count].iter().map(|message| message.split_at(cut));
                    halves.unzip::<_, _, Vec<_>, Vec<_>>().into()
                };
                let count = len % 16 + 1;
                let mut lanes = Sha256Lanes::resume(level, &IV256, 0, count);
                halves(count, len / 3).iter().for_each(|half| lanes.absorb(half));
                let expected: Vec<_> = messages.iter().map(|message| sha2::sha256(&[message])).collect();
                assert_eq!(lanes.finish()[..count], expected[..count], "{len} bytes, {}", level.name());

                let count = len % 8 + 1;
                let mut lanes = Sha512Lanes::resume(level, &IV512, 0, count);
                halves(count, len / 5).iter().for_each(|half| lanes.absorb(half));
                let expected: Vec<_> = messages.iter().map(|message| sha2::sha512(&[message])).collect();
                assert_eq!(lanes.finish()[..count], expected[..count], "{len} bytes, {}", level.name());
            }
        }
    }

    #[test]
    #[should_panic(expected = "messages of one length")]
    fn messages_of_unequal_length_panic() {
        let mut inputs = [&[0u8; 3][..]; 16];
        inputs[5] = &[0; 2];
        Sha256Lanes::resume(Level::Portable, &IV256, 0, 16).absorb(&inputs);
    }
}
