//! Counters of unsatisfied parity checks: for each bit of the error, the number of failing checks that include the bit.
//!
//! Counters are bit-sliced: a word of digit k holds bit k of 64 counters. All data is secret, and all code runs in
//! constant time.

use crate::code::{Code, Vector};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use grille_gf2x::{Kernel, at_level};
use grille_hash::Level;
use zeroize::Zeroizing;

/// A syndrome written twice in a row, so that each rotation of the syndrome is a contiguous part.
pub(crate) struct Doubled<P>(Zeroizing<Vec<u64>>, PhantomData<P>);

impl<P: Code> Doubled<P> {
    /// The number of rounds of the rotation by words: 2^ROUNDS is more than the number of words of a vector.
    const ROUNDS: u32 = Vector::<P>::WORDS.ilog2() + 1;
    /// The number of words, including space for a partial chunk.
    const WORDS: usize = Vector::<P>::WORDS + (1 << Self::ROUNDS) + CHUNK;

    pub(crate) fn new(syndrome: &Vector<P>) -> Self {
        let mut words = Zeroizing::new(vec![0; Self::WORDS]);
        concatenate([syndrome, syndrome], &mut words);
        Self(words, PhantomData)
    }
}

/// Writes the 2·r bits of one vector followed by another. `words` must be zero and at least as long as both vectors
/// together.
pub(crate) fn concatenate<P: Code>([low, high]: [&Vector<P>; 2], words: &mut [u64]) {
    let (whole, bits) = (P::N / 64, P::N % 64);
    words[..Vector::<P>::WORDS].copy_from_slice(&low.words()[..Vector::<P>::WORDS]);
    for (i, word) in high.words()[..Vector::<P>::WORDS].iter().enumerate() {
        words[whole + i] |= word << bits;
        words[whole + i + 1] |= word >> (64 - bits);
    }
}

/// The number of words that are processed together.
const CHUNK: usize = 8;

/// The number of rotated syndromes that are added together: as many as a counter of [`SUM_BITS`] bits can count.
const BATCH: usize = 7;

/// The number of bits of the sum of [`BATCH`] bits.
const SUM_BITS: usize = 3;

/// Counters, and working memory for rotated syndromes.
pub(crate) struct Counters<P> {
    level: Level,
    /// The digits of the counters for eight words of a vector, lowest digit first, followed by the digits for the next
    /// eight words, and so on.
    digits: Zeroizing<Vec<[u64; CHUNK]>>,
    /// The rotated syndromes of a batch.
    rotated: [Zeroizing<Vec<u64>>; BATCH],
    /// Two buffers for the rotation, which alternates between them.
    rounds: [Zeroizing<Vec<u64>>; 2],
    set: PhantomData<P>,
}

impl<P: Code> Counters<P> {
    /// The number of bits of a counter, which counts up to d.
    const BITS: usize = P::D.ilog2() as usize + 1;

    pub(crate) fn new(level: Level) -> Self {
        let chunks = Vector::<P>::WORDS.div_ceil(CHUNK);
        let words = |len| Zeroizing::new(vec![0; len]);
        Self {
            level,
            digits: Zeroizing::new(vec![[0; CHUNK]; Self::BITS * chunks]),
            rotated: [(); BATCH].map(|()| words(CHUNK * chunks)),
            rounds: [(); 2].map(|()| words(Doubled::<P>::WORDS)),
            set: PhantomData,
        }
    }

    /// For each position i, counts the elements p of `support` for which bit (i + p) mod r of the syndrome is one.
    pub(crate) fn count(&mut self, syndrome: &Doubled<P>, support: &[u32]) {
        self.digits.fill([0; CHUNK]);
        let level = self.level;
        at_level(level, Count { counters: self, syndrome, support });
    }

    /// Returns the vector of the bits whose counter is at least `threshold`.
    pub(crate) fn bits_at_least(&self, threshold: u32) -> Vector<P> {
        let mut reached = Vector::zeroed();
        at_level(self.level, MarkAtLeast { counters: self, threshold, reached: &mut reached });
        reached.words_mut()[Vector::<P>::WORDS..].fill(0);
        reached.words_mut()[P::N / 64] &= (1 << (P::N % 64)) - 1;
        reached
    }
}

struct Count<'a, P: Code> {
    counters: &'a mut Counters<P>,
    syndrome: &'a Doubled<P>,
    support: &'a [u32],
}

impl<P: Code> Kernel for Count<'_, P> {
    #[inline(always)]
    fn run(self) {
        let Counters { digits, rotated, rounds, .. } = self.counters;
        for (n, positions) in self.support.chunks(BATCH).enumerate() {
            for (rotated, position) in rotated.iter_mut().zip(positions) {
                rotate::<P>(&self.syndrome.0, *position, rounds, rotated);
            }
            // the last batch may be smaller
            rotated[positions.len()..].iter_mut().for_each(|missing| missing.fill(0));
            // only this many digits can be nonzero at this point
            let used = ((n * BATCH + positions.len()).ilog2() as usize + 1).max(SUM_BITS);
            for (chunk, digits) in digits.chunks_exact_mut(Counters::<P>::BITS).enumerate() {
                add(&mut digits[..used], &sum_batch(rotated, chunk * CHUNK));
            }
        }
    }
}

/// Writes the bits of `doubled` moved down by `places`, which is secret, to `out`. Each round moves them by a power of
/// two words, or not at all.
#[inline(always)]
fn rotate<P: Code>(
    doubled: &[u64],
    places: u32,
    [one, other]: &mut [Zeroizing<Vec<u64>>; 2],
    out: &mut [u64],
) {
    let words = Vector::<P>::WORDS;
    let mask = |round: u32| ct::mask(u64::from(places >> (6 + round) & 1).wrapping_neg());
    let (mut from, mut to): (&mut [u64], &mut [u64]) = (one, other);
    let mut source = doubled;
    for round in (1..Doubled::<P>::ROUNDS).rev() {
        choose(mask(round), words + (1 << round), 1 << round, source, to);
        (from, to) = (to, from);
        source = from;
    }
    choose_and_shift(mask(0), places % 64, source, &mut out[..words]);
}

/// Moves the words of `source` down by `distance` if the mask is set. Writes `len` words.
#[inline(always)]
fn choose(mask: u64, len: usize, distance: usize, source: &[u64], out: &mut [u64]) {
    for ((out, kept), moved) in out[..len].iter_mut().zip(source).zip(&source[distance..]) {
        *out = select(mask, *kept, *moved);
    }
}

/// Moves the words of `source` down by one word if the mask is set, and by `bits`, which is secret and below 64.
#[inline(always)]
fn choose_and_shift(mask: u64, bits: u32, source: &[u64], out: &mut [u64]) {
    // valgrind reports vector shifts by a secret count, although the count does not affect their time
    let bits = ct::public(bits);
    let next = source[1..].iter().zip(&source[2..]);
    for ((out, first), (second, third)) in out.iter_mut().zip(source).zip(next) {
        let (low, high) = (select(mask, *first, *second), select(mask, *second, *third));
        *out = low >> bits | high << 1 << (63 - bits);
    }
}

/// Returns `moved` if the mask is set, else `kept`.
#[inline(always)]
const fn select(mask: u64, kept: u64, moved: u64) -> u64 {
    kept ^ (kept ^ moved) & mask
}

/// Adds the words of a batch from index `first` bit by bit. Returns the digits of the sums, lowest digit first.
#[inline(always)]
fn sum_batch(rotated: &[Zeroizing<Vec<u64>>; BATCH], first: usize) -> [[u64; CHUNK]; SUM_BITS] {
    let mut words = [[0; CHUNK]; BATCH];
    for n in 0..BATCH {
        words[n].copy_from_slice(&rotated[n][first..][..CHUNK]);
    }
    let mut sums = [[0; CHUNK]; SUM_BITS];
    for i in 0..CHUNK {
        let [sum_0, carry_0] = add_three(words[0][i], words[1][i], words[2][i]);
        let [sum_1, carry_1] = add_three(words[3][i], words[4][i], words[5][i]);
        let [sum_2, carry_2] = add_three(sum_0, sum_1, words[6][i]);
        sums[0][i] = sum_2;
        [sums[1][i], sums[2][i]] = add_three(carry_0, carry_1, carry_2);
    }
    sums
}

/// Adds three bits at each place. Returns the lower and the higher bits of the sums.
#[inline(always)]
const fn add_three(a: u64, b: u64, c: u64) -> [u64; 2] {
    let different = a ^ b;
    [different ^ c, a & b | different & c]
}

/// Adds numbers of [`SUM_BITS`] digits to the counters.
#[inline(always)]
fn add(digits: &mut [[u64; CHUNK]], sums: &[[u64; CHUNK]; SUM_BITS]) {
    let mut carry = [0; CHUNK];
    let (low, high) = digits.split_at_mut(SUM_BITS);
    for (digit, sum) in low.iter_mut().zip(sums) {
        for i in 0..CHUNK {
            [digit[i], carry[i]] = add_three(digit[i], sum[i], carry[i]);
        }
    }
    for digit in high {
        for i in 0..CHUNK {
            [digit[i], carry[i]] = [digit[i] ^ carry[i], digit[i] & carry[i]];
        }
    }
}

struct MarkAtLeast<'a, P: Code> {
    counters: &'a Counters<P>,
    threshold: u32,
    reached: &'a mut Vector<P>,
}

impl<P: Code> Kernel for MarkAtLeast<'_, P> {
    #[inline(always)]
    fn run(self) {
        // a threshold with more digits than a counter
        let too_high = u64::from(self.threshold >> Counters::<P>::BITS);
        let too_high = ct::mask((too_high.wrapping_neg() >> 63).wrapping_neg());
        let digits = self.counters.digits.chunks_exact(Counters::<P>::BITS);
        for (reached, digits) in self.reached.words_mut().as_chunks_mut::<CHUNK>().0.iter_mut().zip(digits) {
            // only the borrow of counter − threshold is computed
            let mut borrow = [0u64; CHUNK];
            for (place, digit) in digits.iter().enumerate() {
                let threshold = ct::mask(u64::from(self.threshold >> place & 1).wrapping_neg());
                for i in 0..CHUNK {
                    borrow[i] = !digit[i] & threshold | !(digit[i] ^ threshold) & borrow[i];
                }
            }
            *reached = borrow.map(|borrow| !(borrow | too_high));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L5};
    use grille_gf2x::support;

    fn check_counts<P: Code>() {
        let r = P::N as u32;
        let ones: Vec<u32> = (0..2000).map(|i| (i * 5077 + 13) % r).collect();
        let support: Vec<u32> = (0..P::D as u32).map(|i| (i * i * 7919 + r - 1) % r).collect();
        let mut syndrome = Vector::<P>::zeroed();
        support::set_bits(Level::detect(), &ones, syndrome.words_mut());
        let is_one = |i: u32| syndrome.words()[i as usize / 64] >> (i % 64) & 1;
        let count = |i: u32| support.iter().map(|position| is_one((i + position) % r)).sum::<u64>();
        for level in Level::all() {
            let mut counters = Counters::<P>::new(level);
            counters.count(&Doubled::new(&syndrome), &support);
            for threshold in [0, 5, 10, 12, P::D as u32, 128, 145, 256] {
                let reached = counters.bits_at_least(threshold);
                for i in 0..r {
                    let bit = reached.words()[i as usize / 64] >> (i % 64) & 1;
                    let expected = count(i) >= threshold.into();
                    assert_eq!(bit == 1, expected, "{}, position {i}, {threshold}", level.name());
                }
            }
        }
    }

    #[test]
    fn counters_count_failed_checks() {
        check_counts::<L1>();
        check_counts::<L5>();
    }
}
