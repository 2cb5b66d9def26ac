//! What vector instructions change: texts are compiled once for each level.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod compiled;

use crate::reed_muller;
use grille_hash::Level;

/// A piece of work whose text is compiled for each level.
pub(crate) trait Kernel {
    /// Does it; `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self);
}

/// Runs the copy that is compiled for `level`.
pub(crate) fn at_level<K: Kernel>(level: Level, kernel: K) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => compiled::with_avx512(token, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => compiled::with_avx2(token, kernel),
        _ => kernel.run(),
    }
}

/// The most likely byte of each codeword of the Reed–Muller code, `words` words long. Secret: all.
pub(crate) fn reed_muller(level: Level, codewords: &[u64], words: usize, symbols: &mut [u8]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::reed_muller(token, codewords, words, symbols),
        _ => at_level(level, ReedMuller { codewords, words, symbols }),
    }
}

struct ReedMuller<'a> {
    codewords: &'a [u64],
    words: usize,
    symbols: &'a mut [u8],
}

impl Kernel for ReedMuller<'_> {
    #[inline(always)]
    fn run(self) {
        reed_muller::decode(self.codewords, self.words, self.symbols);
    }
}

/// Replaces each position that occurs again behind it by its own index. Secret: positions.
pub(crate) fn distinguish(level: Level, support: &mut [u32]) {
    at_level(level, Distinguish(support));
}

/// Sets the bits of `words` at the positions of `support`. Secret: positions.
///
/// Every word looks at every position, since an index would show in the cache.
pub(crate) fn spread(level: Level, support: &[u32], words: &mut [u64]) {
    at_level(level, Spread { support, words });
}

struct Distinguish<'a>(&'a mut [u32]);

impl Kernel for Distinguish<'_> {
    #[inline(always)]
    fn run(self) {
        for i in (0..self.0.len()).rev() {
            let (this, later) = self.0[i..].split_first_mut().expect("i is an index");
            let repeated = later.iter().fold(0, |repeated, other| repeated | equal(*this, *other));
            *this ^= (*this ^ i as u32) & repeated;
        }
    }
}

/// −1 if a and b are equal, else 0.
#[inline(always)]
fn equal(a: u32, b: u32) -> u32 {
    let different = a ^ b;
    ((different | different.wrapping_neg()) >> 31).wrapping_sub(1)
}

struct Spread<'a> {
    support: &'a [u32],
    words: &'a mut [u64],
}

impl Kernel for Spread<'_> {
    #[inline(always)]
    fn run(self) {
        for position in self.support {
            let (index, bit) = (u64::from(position / 64), 1u64 << (position % 64));
            for (i, word) in self.words.iter_mut().enumerate() {
                let different = i as u64 ^ index;
                // all ones where the indexes are equal: they are below 2³², so only 0 − 1 has its highest bit set
                *word |= bit & (different.wrapping_sub(1) >> 63).wrapping_neg();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Numbers that look random.
    fn random(count: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state.rotate_left(31)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_level_decodes_reed_muller_codewords_alike() {
        for (words, seed) in [6, 10].into_iter().flat_map(|words| (0..200).map(move |seed| (words, seed))) {
            // noise, noise with many ties, and nearly codewords
            let mut codewords = random(60 * words, seed);
            codewords[..10 * words].iter_mut().for_each(|word| *word &= 0x8000_0000_0001_0000);
            codewords[10 * words..30 * words].iter_mut().enumerate().for_each(|(i, word)| {
                *word = 0xAAAA_AAAA_AAAA_AAAA
                    ^ (*word & *word >> 7 & *word >> 11)
                    ^ (i as u64 / 60).wrapping_neg();
            });
            let mut expected = [0; 60];
            reed_muller(Level::Portable, &codewords, words, &mut expected);
            for level in Level::all() {
                let mut symbols = [0; 60];
                reed_muller(level, &codewords, words, &mut symbols);
                assert_eq!(symbols, expected, "{}", level.name());
            }
        }
    }

    #[test]
    fn every_level_sets_the_same_bits() {
        let positions: Vec<u32> = random(149, 1).iter().map(|random| (random % 57_637) as u32).collect();
        let mut expected = [0u64; 901];
        positions.iter().for_each(|position| expected[*position as usize / 64] |= 1 << (position % 64));
        for level in Level::all() {
            let mut words = [0; 901];
            spread(level, &positions, &mut words);
            assert_eq!(words, expected, "{}", level.name());
        }
    }
}
