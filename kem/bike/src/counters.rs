//! Counters of unsatisfied parity checks: for each bit of the error, how many of the checks that it takes part in fail.
//!
//! Counters are bit-sliced: slice k has bit k of each. Everything is secret and runs in constant time.

use crate::params::{Params, Vector};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_gf2x::{Kernel, at_level};
use grille_hash::Level;
use zeroize::Zeroizing;

/// A syndrome written twice, one behind the other, so that a rotation of it is a part of it.
pub(crate) struct Doubled<P>(Zeroizing<Vec<u64>>, PhantomData<P>);

impl<P: Params> Doubled<P> {
    /// Rounds of the rotation by words: 2^ROUNDS is more than the words of a vector.
    const ROUNDS: u32 = Vector::<P>::WORDS.ilog2() + 1;
    const WORDS: usize = Vector::<P>::WORDS + (1 << Self::ROUNDS);

    pub(crate) fn new(syndrome: &Vector<P>) -> Self {
        let mut words = Zeroizing::new(vec![0; Self::WORDS]);
        let (whole, bits) = (P::N / 64, P::N % 64);
        let once = &syndrome.words()[..Vector::<P>::WORDS];
        words[..once.len()].copy_from_slice(once);
        for (i, word) in once.iter().enumerate() {
            words[whole + i] |= word << bits;
            words[whole + i + 1] |= word >> (64 - bits);
        }
        Self(words, PhantomData)
    }
}

/// Counters, and room for rotated syndromes.
pub(crate) struct Counters<P> {
    level: Level,
    /// All slices, the lowest first, each as long as a vector.
    slices: Zeroizing<Vec<u64>>,
    rotated: Zeroizing<Vec<u64>>,
    set: PhantomData<P>,
}

impl<P: Params> Counters<P> {
    /// Bits of a counter: it counts to d.
    const BITS: usize = P::D.ilog2() as usize + 1;

    pub(crate) fn new(level: Level) -> Self {
        let slices = Zeroizing::new(vec![0; Self::BITS * Vector::<P>::WORDS]);
        Self { level, slices, rotated: Zeroizing::new(vec![0; Doubled::<P>::WORDS]), set: PhantomData }
    }

    /// Counts, for each position, the ones of the syndrome at that position plus each of `support`.
    pub(crate) fn count(&mut self, syndrome: &Doubled<P>, support: &[u32]) {
        self.slices.fill(0);
        let level = self.level;
        at_level(level, Count { counters: self, syndrome, support });
    }

    /// Sets those bits whose counter is at least `threshold`.
    pub(crate) fn at_least(&self, threshold: u32) -> Vector<P> {
        let mut reached = Vector::zeroed();
        at_level(self.level, AtLeast { counters: self, threshold, reached: &mut reached });
        reached.words_mut()[P::N / 64] &= (1 << (P::N % 64)) - 1;
        reached
    }
}

struct Count<'a, P: Params> {
    counters: &'a mut Counters<P>,
    syndrome: &'a Doubled<P>,
    support: &'a [u32],
}

impl<P: Params> Kernel for Count<'_, P> {
    #[inline(always)]
    fn run(self) {
        let Counters { slices, rotated, .. } = self.counters;
        for (n, position) in self.support.iter().enumerate() {
            rotate_words::<P>(&self.syndrome.0, position / 64, rotated);
            // so many slices are not zero by then
            let slices = &mut slices[..((n + 1).ilog2() as usize + 1) * Vector::<P>::WORDS];
            add::<P>(slices, rotated, position % 64);
        }
    }
}

/// Moves the words of `doubled` down by `places`, which is secret: each round moves by a power of two, or not.
#[inline(always)]
fn rotate_words<P: Params>(doubled: &[u64], places: u32, rotated: &mut [u64]) {
    let round = |round: u32| (1 << round, Vector::<P>::WORDS + (1 << round));
    let mask = |round: u32| u64::from(places >> round & 1).wrapping_neg();
    let last = Doubled::<P>::ROUNDS - 1;
    let (distance, len) = round(last);
    choose(mask(last), &doubled[..len], &doubled[distance..][..len], &mut rotated[..len]);
    for i in (0..last).rev() {
        let (distance, len) = round(i);
        let mask = mask(i);
        for word in 0..len {
            rotated[word] ^= (rotated[word] ^ rotated[word + distance]) & mask;
        }
    }
}

/// `moved` where the mask is set, else `kept`.
#[inline(always)]
fn choose(mask: u64, kept: &[u64], moved: &[u64], out: &mut [u64]) {
    for ((out, kept), moved) in out.iter_mut().zip(kept).zip(moved) {
        *out = kept ^ (kept ^ moved) & mask;
    }
}

/// Adds one bit to each counter: those of `words`, moved down by `bits`, which is secret and below 64.
#[inline(always)]
fn add<P: Params>(slices: &mut [u64], words: &[u64], bits: u32) {
    let len = Vector::<P>::WORDS;
    let count = slices.len() / len;
    for i in 0..len {
        let mut carry = words[i] >> bits | words[i + 1] << 1 << (63 - bits);
        for slice in 0..count {
            let digit = &mut slices[slice * len + i];
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
    }
}

struct AtLeast<'a, P: Params> {
    counters: &'a Counters<P>,
    threshold: u32,
    reached: &'a mut Vector<P>,
}

impl<P: Params> Kernel for AtLeast<'_, P> {
    #[inline(always)]
    fn run(self) {
        let len = Vector::<P>::WORDS;
        for (i, reached) in self.reached.words_mut()[..len].iter_mut().enumerate() {
            // counter − threshold, of which only the borrow counts
            let mut borrow = 0u64;
            for slice in 0..Counters::<P>::BITS {
                let digit = self.counters.slices[slice * len + i];
                let threshold = u64::from(self.threshold >> slice & 1).wrapping_neg();
                borrow = !digit & threshold | !(digit ^ threshold) & borrow;
            }
            *reached = !borrow;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{L1, L5};
    use grille_gf2x::support;

    fn counts_what_it_should<P: Params>() {
        let r = P::N as u32;
        let ones: Vec<u32> = (0..2000).map(|i| (i * 5077 + 13) % r).collect();
        let support: Vec<u32> = (0..P::D as u32).map(|i| (i * i * 7919 + r - 1) % r).collect();
        let mut syndrome = Vector::<P>::zeroed();
        support::spread(Level::detect(), &ones, syndrome.words_mut());
        let is_one = |i: u32| syndrome.words()[i as usize / 64] >> (i % 64) & 1;
        let count = |i: u32| support.iter().map(|position| is_one((i + position) % r)).sum::<u64>();
        for level in Level::all() {
            let mut counters = Counters::<P>::new(level);
            counters.count(&Doubled::new(&syndrome), &support);
            for threshold in [0, 5, 10, 12, P::D as u32] {
                let reached = counters.at_least(threshold);
                for i in 0..r {
                    let bit = reached.words()[i as usize / 64] >> (i % 64) & 1;
                    assert_eq!(bit == 1, count(i) >= threshold.into(), "{}, position {i}", level.name());
                }
            }
        }
    }

    #[test]
    fn counters_count_failed_checks() {
        counts_what_it_should::<L1>();
        counts_what_it_should::<L5>();
    }
}
