//! Chains of SHA-256, FIPS 205 section 11.2, sixteen at a time, and the selection of instructions for them.

use super::sha256_input::length_field;
pub(crate) use super::sha256_input::{AdrsWords, Seed, WIDTH, Word};
#[cfg(target_arch = "x86_64")]
use super::{sha256_avx512, sha256_ni};
use crate::chains::Chain;
#[cfg(target_arch = "x86_64")]
use crate::chains::{ChainLanes, follow_in_lanes};
use crate::node::Node;
use grille_core::erase;
use grille_hash::Level;
use grille_hash::sha2_lanes::{IV256, compress256};

/// Applies F `steps` times: replaces M by the first n = 4 `W` bytes of SHA-256(PK.seed ‖ toByte(0, 64 − n) ‖
/// ADRSᶜ ‖ M), and increases the hash address by 1. The hash address stays below 2¹⁶. The bytes of a value
/// after the first n bytes become undefined, and so do the values starting at index `count`.
///
/// With `MASKED`, F hashes M ⊕ MGF1-SHA-256(PK.seed ‖ ADRSᶜ, n) in place of M.
pub(crate) fn chain<const W: usize, const MASKED: bool>(
    level: Level,
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    values: &mut [Node; WIDTH],
    count: usize,
    steps: u32,
) {
    #[cfg(target_arch = "x86_64")]
    match (level, level.avx2().and_then(grille_cpu::Avx2::sha_ni), count) {
        // for few chains, the SHA extensions are faster than AVX-512, whose time does not depend on the number of
        // chains
        (Level::Avx2(_), Some(token), _) | (_, Some(token), ..=SHA_NI_MAX_CHAINS) if !MASKED => {
            sha256_ni::chain::<W>(token, &seed.midstate, &adrs[..count], values, steps);
        }
        (Level::Avx512(token), ..) => sha256_avx512::chain::<W, MASKED>(token, seed, adrs, values, steps),
        _ => chain_by_blocks::<W, MASKED>(level, seed, adrs, values, count, steps),
    }
    #[cfg(not(target_arch = "x86_64"))]
    chain_by_blocks::<W, MASKED>(level, seed, adrs, values, count, steps);
}

/// Applies F `steps` times, with one call of the compression function for each block.
fn chain_by_blocks<const W: usize, const MASKED: bool>(
    level: Level,
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    values: &mut [Node; WIDTH],
    count: usize,
    steps: u32,
) {
    let mut adrs: [Word; 6] = core::array::from_fn(|i| adrs.map(|adrs| adrs[i]));
    let mut message: [Word; W] = core::array::from_fn(|i| values.each_ref().map(|value| node_word(value, i)));
    let (mut block, mut states) = ([[0; WIDTH]; 16], [[0; WIDTH]; 8]);
    for _ in 0..steps {
        if MASKED {
            xor(&mut message, &mask::<W>(level, seed, &adrs, 0, count));
        }
        block[..5].copy_from_slice(&adrs[..5]);
        put_message(&mut block, &adrs[5], &message);
        block[15] = [length_field(64 + 22 + 4 * W); WIDTH];
        states = seed.midstate.map(|word| [word; WIDTH]);
        compress256(level, &mut states, &block, count);
        message.copy_from_slice(&states[..W]);
        adrs[5].iter_mut().for_each(|word| *word = word.wrapping_add(1 << 16));
    }
    write_words(&message, values);
    for words in [&mut message[..], &mut block, &mut states] {
        erase(words.as_flattened_mut());
    }
}

/// Advances chains towards their ends for [`Family::follow`](crate::family::Family::follow), which must finish them.
/// With AVX-512, at most `SHA_NI_MAX_CHAINS` chains remain unfinished. At other levels, this function does nothing.
pub(crate) fn follow<const W: usize, const MASKED: bool>(level: Level, seed: &Seed, chains: &mut [Chain]) {
    #[cfg(target_arch = "x86_64")]
    if let Level::Avx512(token) = level {
        let mut steps = Steps::<W, MASKED> { token, seed, adrs: [[0; WIDTH]; 6], message: [[0; WIDTH]; W] };
        let few = if MASKED || token.avx2().sha_ni().is_none() { 0 } else { SHA_NI_MAX_CHAINS };
        follow_in_lanes::<WIDTH>(&mut steps, chains, few);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (level, seed, chains);
}

/// The largest number of chains for which the SHA extensions are faster than AVX-512, whose time does not depend on the
/// number of chains.
#[cfg(target_arch = "x86_64")]
const SHA_NI_MAX_CHAINS: usize = 6;

/// The interleaved states of 16 chains.
#[cfg(target_arch = "x86_64")]
struct Steps<'a, const W: usize, const MASKED: bool> {
    token: grille_cpu::Avx512,
    seed: &'a Seed,
    adrs: [Word; 6],
    message: [Word; W],
}

#[cfg(target_arch = "x86_64")]
impl<const W: usize, const MASKED: bool> ChainLanes for Steps<'_, W, MASKED> {
    fn put(&mut self, lane: usize, chain: &Chain) {
        self.adrs
            .iter_mut()
            .zip(chain.adrs.adrs().compressed_words())
            .for_each(|(words, word)| words[lane] = word);
        self.message.iter_mut().enumerate().for_each(|(i, words)| words[lane] = node_word(&chain.node, i));
    }

    fn advance(&mut self, steps: u8) {
        let (adrs, message) = (&mut self.adrs, &mut self.message);
        sha256_avx512::advance::<W, MASKED>(self.token, self.seed, adrs, message, steps.into());
    }

    fn value(&self, lane: usize) -> Node {
        let mut value = [0; 32];
        let bytes = value.as_chunks_mut().0.iter_mut();
        bytes.zip(&self.message).for_each(|(bytes, words)| *bytes = words[lane].to_be_bytes());
        value
    }
}

/// Applies H: computes the first n = 4 `W` bytes of SHA-256(PK.seed ‖ toByte(0, 64 − n) ‖ ADRSᶜ ‖ M), where M
/// consists of two children. `children` and `parents` have the same length.
///
/// With `MASKED`, H hashes M ⊕ MGF1-SHA-256(PK.seed ‖ ADRSᶜ, 2n) in place of M.
pub(crate) fn hash_pairs<const W: usize, const MASKED: bool>(
    level: Level,
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    children: &[[Node; 2]],
    parents: &mut [Node],
) {
    #[cfg(target_arch = "x86_64")]
    if let (Level::Avx512(token), false, 5..) = (level, MASKED, children.len()) {
        return sha256_avx512::nodes::<W>(token, seed, adrs, children, parents);
    }
    let count = children.len();
    let adrs: [Word; 6] = core::array::from_fn(|i| adrs.map(|adrs| adrs[i]));
    let mut message = [[0; WIDTH]; 16];
    for (n, children) in children.iter().enumerate() {
        let (left, right) = message[..2 * W].split_at_mut(W);
        for (words, child) in [left, right].into_iter().zip(children) {
            words.iter_mut().enumerate().for_each(|(i, word)| word[n] = node_word(child, i));
        }
    }
    let message = &mut message[..2 * W];
    if MASKED {
        for (counter, part) in (0..).zip(message.chunks_mut(8)) {
            xor(part, &mask::<W>(level, seed, &adrs, counter, count));
        }
    }
    // the blocks hold ADRSᶜ, M, and at least nine bytes of padding
    let blocks = (22 + 8 * W + 9).div_ceil(64);
    let mut padded = [[[0; WIDTH]; 16]; 2];
    padded[0][..5].copy_from_slice(&adrs[..5]);
    put_message(padded.as_flattened_mut(), &adrs[5], message);
    padded[blocks - 1][15] = [length_field(64 + 22 + 8 * W); WIDTH];
    let mut states = seed.midstate.map(|word| [word; WIDTH]);
    padded[..blocks].iter().for_each(|block| compress256(level, &mut states, block, count));
    write_words(&states[..W], parents);
}

/// Computes the first n = 4 `W` bytes of SHA-256(SK.seed ‖ ADRSᶜ), which is PRF in rounds 2 and 3.
pub(crate) fn prf_round3<const W: usize>(
    level: Level,
    secret: &Node,
    adrs: &[AdrsWords; WIDTH],
    out: &mut [Node],
) {
    let mut secret: [u32; 8] = core::array::from_fn(|i| node_word(secret, i));
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) if out.len() > 4 => {
            sha256_avx512::prf_round3::<W>(token, &secret, adrs, out);
        }
        _ => {
            let mut block = [[0; WIDTH]; 16];
            block.iter_mut().zip(&secret[..W]).for_each(|(words, word)| words.fill(*word));
            for (i, words) in block[W..W + 6].iter_mut().enumerate() {
                *words = adrs.map(|adrs| adrs[i]);
            }
            block[W + 5].iter_mut().for_each(|word| *word |= 0x8000);
            block[15] = [length_field(4 * W + 22); WIDTH];
            let mut states = IV256.map(|word| [word; WIDTH]);
            compress256(level, &mut states, &block, out.len());
            write_words(&states[..W], out);
            erase(block.as_flattened_mut());
            erase(states.as_flattened_mut());
        }
    }
    erase(&mut secret);
}

/// Returns word `word` of a value, which is stored as big-endian words.
pub(crate) fn node_word(value: &Node, word: usize) -> u32 {
    u32::from_be_bytes(value.as_chunks().0[word])
}

/// Writes the words of each message to the first bytes of the value with the same index.
pub(crate) fn write_words(words: &[Word], values: &mut [Node]) {
    for (n, value) in values.iter_mut().enumerate() {
        let bytes = value.as_chunks_mut().0.iter_mut();
        bytes.zip(words).for_each(|(bytes, words)| *bytes = words[n].to_be_bytes());
    }
}

/// Computes 32 bytes of MGF1-SHA-256(PK.seed ‖ ADRSᶜ), RFC 8017 appendix B.2.1: the hash with the counter `counter`.
fn mask<const W: usize>(
    level: Level,
    seed: &Seed,
    adrs: &[Word; 6],
    counter: u32,
    count: usize,
) -> [Word; 8] {
    let mut block = [[0; WIDTH]; 16];
    block[..W].copy_from_slice(&seed.words.map(|word| [word; WIDTH])[..W]);
    block[W..W + 6].copy_from_slice(adrs);
    // the counter, which is below 2¹⁶, and the padding, which starts in the middle of a word
    block[W + 6] = [counter << 16 | 0x8000; WIDTH];
    let mut states = IV256.map(|word| [word; WIDTH]);
    if W + 6 >= 14 {
        compress256(level, &mut states, &block, count);
        block = [[0; WIDTH]; 16];
    }
    block[15] = [length_field(4 * W + 26); WIDTH];
    compress256(level, &mut states, &block, count);
    states
}

/// Replaces the words of the message with message ⊕ mask, in all lanes.
fn xor(message: &mut [Word], mask: &[Word]) {
    let mask = mask.as_flattened();
    message.as_flattened_mut().iter_mut().zip(mask).for_each(|(word, mask)| *word ^= mask);
}

/// Writes the part of a block that follows the first five words of ADRSᶜ: the last half word of ADRSᶜ, then M, and the
/// first byte of the padding.
fn put_message(block: &mut [Word], last_of_adrs: &Word, message: &[Word]) {
    block[5] = *last_of_adrs;
    for (i, words) in message.iter().enumerate() {
        for (n, word) in words.iter().enumerate() {
            block[5 + i][n] |= word >> 16;
            block[6 + i][n] = word << 16;
        }
    }
    block[5 + message.len()].iter_mut().for_each(|word| *word |= 0x8000);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Adrs, TreePosition};
    use grille_hash::sha2::{compress256 as compress_one, sha256};

    fn check_chains<const W: usize, const MASKED: bool>() {
        let mut random = W as u64;
        let mut word = || {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (random >> 32) as u32
        };
        for round in 0..1_000 {
            let adrs = [(); WIDTH].map(|()| {
                let adrs: [u32; 6] = core::array::from_fn(|_| word());
                [adrs[0], adrs[1], adrs[2], adrs[3], adrs[4], adrs[5] & 0x000F_0000, 0, 0]
            });
            let mut seed = Seed { words: [0; 8], midstate: core::array::from_fn(|_| word()) };
            seed.words[..W].fill_with(&mut word);
            let values = [(); WIDTH].map(|()| core::array::from_fn(|_| word() as u8));
            let (mut expected, count, steps) = (values, round % 17, round as u32 / 17 % 16);
            chain_by_blocks::<W, MASKED>(Level::Portable, &seed, &adrs, &mut expected, count, steps);
            for level in Level::all() {
                let mut got = values;
                chain::<W, MASKED>(level, &seed, &adrs, &mut got, count, steps);
                for (got, expected) in got.iter().zip(&expected[..count]) {
                    assert_eq!(got[..4 * W], expected[..4 * W], "{}: {W}, {steps} steps", level.name());
                }
            }
        }
    }

    #[test]
    fn every_level_computes_chains_like_the_portable_one() {
        check_chains::<4, false>();
        check_chains::<6, false>();
        check_chains::<8, false>();
        check_chains::<4, true>();
        check_chains::<6, true>();
        check_chains::<8, true>();
    }

    /// Computes H of one pair with the SHA-256 of single messages: SHA-256(PK.seed ‖ toByte(0, 64 − n) ‖ ADRSᶜ ‖ M), or
    /// of M ⊕ mask in place of M if `masked` is true.
    fn node(pk_seed: &[u8], adrs: &[u8], children: &[Node; 2], masked: bool) -> [u8; 32] {
        let n = pk_seed.len();
        let mut message = [&children[0][..n], &children[1][..n]].concat();
        for (counter, part) in (0u32..).zip(message.chunks_mut(32)) {
            let mask = sha256(&[pk_seed, adrs, &counter.to_be_bytes()]);
            part.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= if masked { mask } else { 0 });
        }
        sha256(&[pk_seed, &[0; 64][n..], adrs, &message])
    }

    fn check_nodes<const W: usize, const MASKED: bool>() {
        let pk_seed: [u8; 32] = core::array::from_fn(|i| 3 * i as u8);
        let pk_seed = &pk_seed[..4 * W];
        let mut block = [0; 64];
        block[..4 * W].copy_from_slice(pk_seed);
        let mut seed = Seed { words: [0; 8], midstate: IV256 };
        seed.words.iter_mut().enumerate().for_each(|(i, word)| {
            *word = node_word(block.first_chunk().expect("32 of 64 bytes"), i);
        });
        compress_one(&mut seed.midstate, &block);
        let children: [[Node; 2]; WIDTH] =
            core::array::from_fn(|n| [1, 2].map(|side| core::array::from_fn(|i| (n * i) as u8 ^ side)));
        let adrs: [Adrs; WIDTH] =
            core::array::from_fn(|n| TreePosition { layer: 3, tree: 5 }.node(1, n as u32));
        for level in Level::all() {
            for count in 1..=WIDTH {
                let mut got = [[0; 32]; WIDTH];
                let words = adrs.each_ref().map(Adrs::compressed_words);
                hash_pairs::<W, MASKED>(level, &seed, &words, &children[..count], &mut got[..count]);
                for ((got, adrs), children) in got[..count].iter().zip(&adrs).zip(&children) {
                    let expected = node(pk_seed, &adrs.compressed(), children, MASKED);
                    assert_eq!(got[..4 * W], expected[..4 * W], "{}: {count} of {W}", level.name());
                }
            }
        }
    }

    #[test]
    fn nodes_match_the_standard_at_every_level() {
        check_nodes::<4, false>();
        check_nodes::<6, false>();
        check_nodes::<8, false>();
        check_nodes::<4, true>();
        check_nodes::<6, true>();
        check_nodes::<8, true>();
    }

    /// Computes one chain alone.
    fn follow_chain<const W: usize, const MASKED: bool>(seed: &Seed, mut chain: Chain) -> Node {
        let (adrs, mut values) = ([chain.adrs.adrs().compressed_words(); WIDTH], [chain.node; WIDTH]);
        let steps = core::mem::take(&mut chain.remaining_steps).into();
        chain_by_blocks::<W, MASKED>(Level::Portable, seed, &adrs, &mut values, 1, steps);
        values[0]
    }

    fn check_follow<const W: usize, const MASKED: bool>() {
        let mut seed = Seed { words: [0; 8], midstate: IV256.map(|word| word.rotate_left(3)) };
        seed.words[..W].copy_from_slice(&IV256[..W]);
        for count in 0..68 {
            let chains: [Chain; 67] = core::array::from_fn(|i| {
                let left = (i * 7 + count) as u8 % 16;
                let adrs =
                    TreePosition { layer: 1, tree: 9 }.key_pair(3).chain(i as u32, 15 - u32::from(left));
                Chain {
                    adrs,
                    node: core::array::from_fn(|byte| (byte * i + count) as u8),
                    remaining_steps: left,
                }
            });
            for level in Level::all() {
                let mut got = chains;
                follow::<W, MASKED>(level, &seed, &mut got[..count]);
                for (got, chain) in got[..count].iter().zip(chains) {
                    let (got, expected) =
                        (follow_chain::<W, MASKED>(&seed, *got), follow_chain::<W, MASKED>(&seed, chain));
                    assert_eq!(got[..4 * W], expected[..4 * W], "{}: {count} chains, {W}", level.name());
                }
            }
        }
    }

    #[test]
    fn chains_of_any_lengths_match_single_chains() {
        check_follow::<4, false>();
        check_follow::<6, false>();
        check_follow::<8, false>();
        check_follow::<4, true>();
        check_follow::<6, true>();
        check_follow::<8, true>();
    }

    fn check_prf<const W: usize>() {
        let secret: Node = core::array::from_fn(|i| 5 * i as u8 + 1);
        let adrs: [Adrs; WIDTH] = core::array::from_fn(|n| {
            TreePosition { layer: 2, tree: 1 << 40 }.key_pair(7).chain(n as u32, 0).adrs()
        });
        let words = adrs.each_ref().map(Adrs::compressed_words);
        for level in Level::all() {
            for count in 1..=WIDTH {
                let mut got = [[0; 32]; WIDTH];
                prf_round3::<W>(level, &secret, &words, &mut got[..count]);
                for (got, adrs) in got[..count].iter().zip(&adrs) {
                    let expected = sha256(&[&secret[..4 * W], &adrs.compressed()]);
                    assert_eq!(got[..4 * W], expected[..4 * W], "{}: {count} of {W}", level.name());
                }
            }
        }
    }

    #[test]
    fn secret_values_match_the_standard_at_every_level() {
        check_prf::<4>();
        check_prf::<6>();
        check_prf::<8>();
    }
}
