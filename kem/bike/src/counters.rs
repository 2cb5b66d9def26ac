//! Counters of unsatisfied parity checks: for each bit of the error, the number of failing checks that include the bit.
//!
//! Counters are bit-sliced: a word of digit k holds bit k of 64 counters. All data is secret, and all code runs in
//! constant time.

use crate::params::{Code, Vector};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
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

/// Counters, and working memory for rotated syndromes.
pub(crate) struct Counters<P> {
    level: Level,
    /// The digits of the counters for eight words of a vector, lowest digit first, followed by the digits for the next
    /// eight words, and so on.
    digits: Zeroizing<Vec<[u64; CHUNK]>>,
    /// Two buffers for the rotation, which alternates between them.
    rotated: [Zeroizing<Vec<u64>>; 2],
    set: PhantomData<P>,
}

impl<P: Code> Counters<P> {
    /// The number of bits of a counter, which counts up to d.
    const BITS: usize = P::D.ilog2() as usize + 1;

    pub(crate) fn new(level: Level) -> Self {
        let chunks = Vector::<P>::WORDS.div_ceil(CHUNK);
        let rotated = [(); 2].map(|()| Zeroizing::new(vec![0; Doubled::<P>::WORDS]));
        Self {
            level,
            digits: Zeroizing::new(vec![[0; CHUNK]; Self::BITS * chunks]),
            rotated,
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
        let Counters { digits, rotated: [one, other], .. } = self.counters;
        for (n, position) in self.support.iter().enumerate() {
            let rotated = rotate_words::<P>(&self.syndrome.0, position / 64, one, other);
            // only this many digits can be nonzero at this point
            let used = (n + 1).ilog2() as usize + 1;
            for (chunk, digits) in digits.chunks_exact_mut(Counters::<P>::BITS).enumerate() {
                let words = rotated[chunk * CHUNK..]
                    .first_chunk::<{ CHUNK + 1 }>()
                    .expect("one word follows each chunk");
                add(&mut digits[..used], words, position % 64);
            }
        }
    }
}

/// Moves the words of `doubled` down by `places`, which is secret. Each round moves them by a power of two, or not at
/// all. Returns the one of the two buffers that holds the result.
#[inline(always)]
fn rotate_words<'a, P: Code>(
    doubled: &[u64],
    places: u32,
    one: &'a mut [u64],
    other: &'a mut [u64],
) -> &'a [u64] {
    let (mut from, mut to) = (one, other);
    let mut source = doubled;
    for round in (0..Doubled::<P>::ROUNDS).rev() {
        let (distance, len) = (1 << round, Vector::<P>::WORDS + (1 << round));
        let mask = u64::from(places >> round & 1).wrapping_neg();
        choose(mask, &source[..len], &source[distance..][..len], &mut to[..len]);
        (from, to) = (to, from);
        source = from;
    }
    from
}

/// Selects `moved` if the mask is set, else `kept`.
#[inline(always)]
fn choose(mask: u64, kept: &[u64], moved: &[u64], out: &mut [u64]) {
    for ((out, kept), moved) in out.iter_mut().zip(kept).zip(moved) {
        *out = kept ^ (kept ^ moved) & mask;
    }
}

/// Adds one bit to each counter: the bits of `words`, shifted down by `bits` positions. `bits` is secret and below 64.
#[inline(always)]
fn add(digits: &mut [[u64; CHUNK]], words: &[u64; CHUNK + 1], bits: u32) {
    let mut carry = [0; CHUNK];
    for i in 0..CHUNK {
        carry[i] = words[i] >> bits | words[i + 1] << 1 << (63 - bits);
    }
    for digit in digits {
        for i in 0..CHUNK {
            let sum = digit[i] ^ carry[i];
            carry[i] &= digit[i];
            digit[i] = sum;
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
        let too_high = (too_high.wrapping_neg() >> 63).wrapping_neg();
        let digits = self.counters.digits.chunks_exact(Counters::<P>::BITS);
        for (reached, digits) in self.reached.words_mut().as_chunks_mut::<CHUNK>().0.iter_mut().zip(digits) {
            // only the borrow of counter − threshold is computed
            let mut borrow = [0u64; CHUNK];
            for (place, digit) in digits.iter().enumerate() {
                let threshold = u64::from(self.threshold >> place & 1).wrapping_neg();
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
