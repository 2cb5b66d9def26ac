//! Supports: the positions of the ones in a vector. They are secret, so they are never used as indices.

use crate::backend::{Kernel, at_level};
#[cfg(target_arch = "x86_64")]
use crate::backend::{spread, spread_avx2};
use grille_core::ct;
use grille_cpu::Level;

/// Makes all positions of `support` distinct: replaces `support[i]` with `i` if the same position occurs again after
/// index i. The positions are secret.
pub fn make_distinct(level: Level, support: &mut [u32]) {
    at_level(level, MakeDistinct(support));
}

/// Sets the bits of `words` at the positions of `support`. Ignores positions beyond the last word. The
/// positions are secret.
///
/// Every word is compared with every position, because an attacker could observe an index through the cache.
pub fn set_bits(level: Level, support: &[u32], words: &mut [u64]) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => spread::set_bits(token, support, words),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => spread_avx2::set_bits(token, support, words),
        _ => at_level(level, SetBits { support, words }),
    }
}

/// Returns 1 if `position` is in `support`, else 0. All arguments and results are secret.
#[must_use]
pub fn contains(support: &[u32], position: u32) -> u32 {
    support.iter().fold(0, |found, other| found | equal(*other, position)) & 1
}

struct MakeDistinct<'a>(&'a mut [u32]);

impl Kernel for MakeDistinct<'_> {
    #[inline(always)]
    fn run(self) {
        for i in (0..self.0.len()).rev() {
            let (this, later) = self.0[i..].split_first_mut().expect("the index is in range");
            let repeated = later.iter().fold(0, |repeated, other| repeated | equal(*this, *other));
            *this ^= (*this ^ i as u32) & repeated;
        }
    }
}

/// Returns all ones if a and b are equal, else 0.
#[inline(always)]
fn equal(a: u32, b: u32) -> u32 {
    let different = a ^ b;
    ct::mask(((different | different.wrapping_neg()) >> 31).wrapping_sub(1))
}

struct SetBits<'a> {
    support: &'a [u32],
    words: &'a mut [u64],
}

impl Kernel for SetBits<'_> {
    #[inline(always)]
    fn run(self) {
        for position in self.support {
            let (index, bit) = (u64::from(position / 64), 1u64 << (position % 64));
            for (i, word) in self.words.iter_mut().enumerate() {
                let different = i as u64 ^ index;
                // all ones where the indices are equal: they are below 2³², so only 0 − 1 has its highest bit set
                *word |= bit & ct::mask((different.wrapping_sub(1) >> 63).wrapping_neg());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn every_level_sets_the_same_bits() {
        let positions: Vec<u32> =
            (0..149u32).map(|i| i * i * 7919 % 60_000).chain([0, 63, 64, u32::MAX]).collect();
        // the vectors of HQC and BIKE, and shorter ones
        for len in [277, 561, 901, 159, 193].into_iter().chain(0..40) {
            // bits that were set before the call must stay set
            let mut expected = std::vec![1 << 17; len];
            for position in positions.iter().filter(|position| (**position as usize) < 64 * len) {
                expected[*position as usize / 64] |= 1u64 << (position % 64);
            }
            for level in Level::all() {
                let mut words = std::vec![1 << 17; len];
                set_bits(level, &positions, &mut words);
                assert_eq!(words, expected, "{len} words, {}", level.name());
            }
        }
    }

    #[test]
    fn repeated_positions_become_their_indices() {
        for level in Level::all() {
            let mut support = [9, 7, 9, 7, 9, 5];
            make_distinct(level, &mut support);
            assert_eq!(support, [0, 1, 2, 7, 9, 5], "{}", level.name());
        }
    }

    #[test]
    fn finds_contained_positions() {
        assert_eq!([contains(&[1, 2, 3], 3), contains(&[1, 2, 3], 4), contains(&[], 0)], [1, 0, 0]);
    }
}
