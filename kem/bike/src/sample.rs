//! Supports of a fixed weight: the positions of ones in keys and errors, and their vectors.

use crate::code::{Code, Vector};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;
use grille_gf2x::support;
use grille_hash::Level;
use zeroize::Zeroizing;

/// The positions of a vector's ones, which are secret.
pub(crate) type Support = Zeroizing<Vec<u32>>;

/// The size of a support: the number of positions, and their exclusive upper bound.
#[derive(Clone, Copy, Debug)]
pub struct SupportSize {
    pub(crate) weight: usize,
    pub(crate) bound: usize,
}

/// Returns the vector with ones at `positions`. Ignores positions of r and above.
pub(crate) fn build_vector<P: Code>(level: Level, positions: &[u32]) -> Vector<P> {
    let mut vector = Vector::<P>::zeroed();
    support::set_bits(level, positions, &mut vector.words_mut()[..Vector::<P>::WORDS]);
    vector.words_mut()[P::N / 64] &= (1 << (P::N % 64)) - 1;
    vector
}

/// Returns the size of the support of an error: t positions in both halves together.
pub(crate) const fn error_size<P: Code>() -> SupportSize {
    SupportSize { weight: P::T, bound: 2 * P::N }
}

/// Returns the error (e₀, e₁) with ones at `positions`. Positions of r and above belong to e₁.
pub(crate) fn build_error<P: Code>(level: Level, positions: &[u32]) -> [Vector<P>; 2] {
    [0, P::N as u32].map(|first| {
        // positions below `first` wrap around to large numbers, which set no bit
        let half: Support =
            Zeroizing::new(positions.iter().map(|position| position.wrapping_sub(first)).collect());
        build_vector(level, &half)
    })
}

/// Samples positions as in round 4: from 32-bit numbers, without rejection, the last position first (Sendrier's
/// Algorithm 5).
pub(crate) fn sample_by_reduction(
    level: Level,
    mut squeeze: impl FnMut(&mut [u8]),
    sizes: &[SupportSize],
) -> Vec<Support> {
    let one = |size: &SupportSize| {
        let mut support = Zeroizing::new(vec![0; size.weight]);
        let mut bytes = Zeroizing::new(vec![0; 4 * size.weight]);
        squeeze(&mut bytes);
        let numbers = bytes.as_chunks::<4>().0.iter().map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
        for (number, i) in numbers.zip((0..size.weight).rev()) {
            // a position in [i, bound), computed with a multiplication and a shift, without division
            support[i] = i as u32 + ((number * (size.bound - i) as u64) >> 32) as u32;
        }
        support::make_distinct(level, &mut support);
        support
    };
    sizes.iter().map(one).collect()
}

/// Samples positions as in rounds 2 and 3: the lower bits of each 32-bit number are a candidate for a position. Rejects
/// candidates that are too large or already taken.
pub(crate) fn sample_by_rejection(mut next: impl FnMut() -> u32, sizes: &[SupportSize]) -> Vec<Support> {
    let mut one = |size: &SupportSize| {
        let mut support = Zeroizing::new(Vec::with_capacity(size.weight));
        let mask = (1 << (usize::BITS - size.bound.leading_zeros())) - 1;
        while support.len() < size.weight {
            let candidate = next() & mask;
            let too_large = (size.bound as u32 - 1).wrapping_sub(candidate) >> 31;
            let taken = support::contains(&support, candidate);
            // public: that a candidate was rejected reveals nothing about the others
            if ct::public(too_large | taken) == 0 {
                support.push(candidate);
            }
        }
        support
    };
    sizes.iter().map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_repeated_and_too_large_candidates() {
        let mut numbers = [7u32, 12_323, 7 | 1 << 20, 16_383, 3, 12_322].into_iter();
        let sizes = [SupportSize { weight: 2, bound: 12_323 }, SupportSize { weight: 1, bound: 12_323 }];
        let supports = sample_by_rejection(|| numbers.next().unwrap(), &sizes);
        assert_eq!((&*supports[0], &*supports[1]), (&vec![7, 3], &vec![12_322]));
    }

    #[test]
    fn last_position_is_sampled_first() {
        for level in Level::all() {
            let mut numbers = [0u32, u32::MAX, u32::MAX].into_iter();
            let squeeze = |bytes: &mut [u8]| {
                for bytes in bytes.as_chunks_mut::<4>().0 {
                    *bytes = numbers.next().unwrap().to_le_bytes();
                }
            };
            let supports = sample_by_reduction(level, squeeze, &[SupportSize { weight: 3, bound: 100 }]);
            assert_eq!(*supports[0], vec![0, 99, 2]);
        }
    }
}
