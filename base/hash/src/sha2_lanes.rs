//! The compression functions of SHA-256 and SHA-512, FIPS 180-4 section 6, on many states at once, and hashes
//! of messages of equal length with a common prefix.
//!
//! States are interleaved: `state[i][n]` is word i of state `n`.

use crate::backend;
use ::sha2::block_api::{compress256 as sha256_blocks, compress512 as sha512_blocks};
use grille_core::erase;
use grille_cpu::Level;

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

/// The constants K of SHA-512, FIPS 180-4 section 4.2.3. The upper halves of the first 64 are K of SHA-256.
#[cfg(any(target_arch = "x86_64", test))]
#[rustfmt::skip]
pub(crate) const K512: [u64; 80] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
];

/// The constants K of SHA-256, FIPS 180-4 section 4.2.2.
#[cfg(target_arch = "x86_64")]
pub const K256: [u32; 64] = {
    let mut k = [0; 64];
    let mut i = 0;
    while i < 64 {
        k[i] = (K512[i] >> 32) as u32;
        i += 1;
    }
    k
};

macro_rules! functions {
    ($(#[$doc:meta])* $lanes:ident, $state:ident = $begin:expr, $portable:ident,
        $word:ty, $count:literal, $block:literal, $digest:literal, $length:ty,
        $compress:ident, $crate_compress:ident) => {
        /// The initial state, FIPS 180-4 section 5.3.
        pub const $state: [$word; 8] = $begin;

        /// Compresses one message after the other with the `sha2` crate.
        pub(crate) fn $portable(
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
    ], portable256, u32, 16, 64, 32, u64, compress256, sha256_blocks
}

functions! {
    /// SHA-512 of up to eight messages of equal length.
    Sha512Lanes, IV512 = [
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
        0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    ], portable512, u64, 8, 128, 64, u128, compress512, sha512_blocks
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
    fn constants_match_cube_roots_of_primes() {
        // each constant is the fractional part of a prime's cube root, here to the precision of 64-bit floats
        let primes = (2u32..).filter(|n| (2..*n).all(|d| n % d != 0));
        for (k, prime) in K512.iter().zip(primes.take(80)) {
            let root = f64::from(prime).cbrt();
            assert!((root.fract() - *k as f64 / 2f64.powi(64)).abs() < 1e-13, "{prime}");
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
