//! Decoding of the Reed–Muller code, with vector instructions if available.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;

use crate::reed_muller;
use grille_gf2x::{Kernel, at_level};
use grille_hash::Level;

/// Writes the most likely byte of each codeword of the Reed–Muller code to `symbols`. Each codeword is `words` words
/// long. The codewords and the symbols are secret.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Returns pseudorandom numbers.
    fn random(count: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state.rotate_left(31)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_level_decodes_reed_muller_codewords_identically() {
        for (words, seed) in [6, 10].into_iter().flat_map(|words| (0..200).map(move |seed| (words, seed))) {
            // noise, noise with many ties, and almost valid codewords
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
}
