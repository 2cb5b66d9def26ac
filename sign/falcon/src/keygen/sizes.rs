//! The sizes of the coefficients of f, g, F and G at each depth of NTRUSolve.

use super::primes::PRIMES;
use super::zint::WORD_BITS;

/// The average and the standard deviation of the number of bits in the longest coefficient of f and g, by depth, as
/// stated in the reference implementation of round 3 for n = 1024.
pub(super) const COEFFICIENT_BITS: [(usize, usize); 11] = [
    (4, 0),
    (11, 1),
    (24, 1),
    (50, 1),
    (102, 1),
    (202, 2),
    (401, 4),
    (794, 5),
    (1577, 8),
    (3138, 13),
    (6308, 25),
];

/// The number of words of f and g at each depth, as in the reference implementation of round 3. With
/// [`KeygenVariant::Round3`](super::KeygenVariant::Round3), both implementations generate the same keys.
pub(super) const FG_WORDS: [usize; 11] = [1, 1, 2, 2, 4, 7, 14, 27, 53, 106, 209];
/// The number of words of F and G at each depth before reduction.
pub(super) const UNREDUCED_WORDS: [usize; 10] = [2, 2, 5, 7, 12, 21, 40, 78, 157, 308];
const _: () = assert!(UNREDUCED_WORDS[9] == PRIMES.len());
// at each depth, f and g have space for the average length plus six deviations, and for the sign
const _: () = {
    let mut depth = 0;
    while depth < FG_WORDS.len() {
        let (average, deviation) = COEFFICIENT_BITS[depth];
        assert!(WORD_BITS as usize * FG_WORDS[depth] > average + 6 * deviation);
        depth += 1;
    }
};
