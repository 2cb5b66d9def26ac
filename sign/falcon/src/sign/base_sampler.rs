//! BaseSampler, Falcon Algorithm 12, for all attempts of SamplerZ whose randomness is in one buffer.

use super::prng::{AttemptBytes, Prng, SEED_LEN};
use crate::backend::{Operation, dispatch_at};
use grille_core::erase;
use grille_hash::Level;

/// The maximum number of attempts in a buffer, rounded up to a multiple of eight.
pub(crate) const ATTEMPTS: usize = 48;

/// The next attempts of one signature (secret, erased on drop).
///
/// Attempts are prepared in advance, so the generator's position is after the last prepared attempt. Reading
/// a single byte between two attempts moves this position back.
pub(crate) struct Attempts {
    prng: Prng,
    ready: [Attempt; ATTEMPTS],
    len: usize,
    next: usize,
}

/// The random values of an attempt: z0 of BaseSampler, the sign b, and the first byte for BerExp.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub(crate) struct Attempt(u32);

impl Attempt {
    const fn new(z0: u32, sign: u8, first: u8) -> Self {
        Self((first as u32) << 16 | z0 << 8 | sign as u32 & 1)
    }

    /// Returns z0, in [0, 18].
    #[inline(always)]
    pub(crate) const fn z0(self) -> i64 {
        (self.0 >> 8 & 0xFF) as i64
    }

    /// Returns b, 0 or 1.
    #[inline(always)]
    pub(crate) const fn b(self) -> i64 {
        (self.0 & 1) as i64
    }

    #[inline(always)]
    pub(crate) const fn first_byte(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Returns all three values, one byte each. The lowest byte is b, and the highest is `first_byte`.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline(always)]
    pub(crate) const fn packed(self) -> u32 {
        self.0
    }
}

impl Attempts {
    /// Creates attempts without a seed.
    pub(crate) fn new(level: Level) -> Self {
        Self { prng: Prng::new(level), ready: [Attempt::default(); ATTEMPTS], len: 0, next: 0 }
    }

    /// Restarts the generator with this seed, and discards the prepared attempts.
    pub(crate) fn seed(&mut self, seed: &[u8; SEED_LEN]) {
        self.prng.seed(seed);
        (self.len, self.next) = (0, 0);
    }

    pub(crate) const fn level(&self) -> Level {
        self.prng.level()
    }

    #[inline(always)]
    pub(crate) fn next(&mut self) -> Attempt {
        self.next_if(1)
    }

    /// Returns the next attempt. If `is_used` is 0, the next call returns the same attempt again; if it is 1,
    /// the following one.
    #[inline(always)]
    pub(crate) fn next_if(&mut self, is_used: u8) -> Attempt {
        if self.next == self.len {
            self.prepare();
        }
        let attempt = self.ready[self.next];
        self.next += usize::from(is_used);
        attempt
    }

    /// Returns the random byte that follows the last attempt.
    pub(crate) fn next_u8(&mut self) -> u8 {
        self.prng.rewind(self.len - self.next);
        (self.len, self.next) = (0, 0);
        self.prng.next_u8()
    }

    /// Prepares one attempt, whose bytes may extend into the next buffer, and all attempts that follow within
    /// the same buffer.
    #[cold]
    fn prepare(&mut self) {
        let mut random = [AttemptBytes::default(); ATTEMPTS];
        random[0] = self.prng.attempt_bytes();
        let whole = self.prng.whole_attempts();
        random[1..=whole.len()].copy_from_slice(whole);
        (self.len, self.next) = (1 + whole.len(), 0);
        self.prng.skip(self.len - 1);
        dispatch_at(self.level(), Decode { random: &random, attempts: &mut self.ready });
        erase(random.as_flattened_mut());
    }
}

impl Drop for Attempts {
    fn drop(&mut self) {
        erase(&mut self.ready);
    }
}

struct Decode<'a> {
    random: &'a [AttemptBytes; ATTEMPTS],
    attempts: &'a mut [Attempt; ATTEMPTS],
}

impl Operation for Decode<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: Level) {
        let random = self.random.as_chunks::<16>().0;
        for (attempts, random) in self.attempts.as_chunks_mut::<16>().0.iter_mut().zip(random) {
            let z0 = run_base_sampler(random);
            for ((attempt, bytes), z0) in attempts.iter_mut().zip(random).zip(z0) {
                *attempt = Attempt::new(z0, bytes[9], bytes[10]);
            }
        }
    }
}

/// Runs BaseSampler, Falcon Algorithm 12: counts, for each attempt, the table entries that are larger than its
/// 72 random bits.
#[inline(always)]
fn run_base_sampler(random: &[AttemptBytes; 16]) -> [u32; 16] {
    let mut limbs = [[0; 16]; 3];
    for (i, bytes) in random.iter().enumerate() {
        let low = u64::from_le_bytes(*bytes.first_chunk().expect("eleven"));
        let u =
            [low as u32 & LIMB, (low >> 24) as u32 & LIMB, (low >> 48) as u32 | u32::from(bytes[8]) << 16];
        (limbs[0][i], limbs[1][i], limbs[2][i]) = (u[0], u[1], u[2]);
    }
    let mut above = [0; 16];
    for [low, middle, high] in RCDT_LIMBS {
        for (i, above) in above.iter_mut().enumerate() {
            let borrow = limbs[0][i].wrapping_sub(low) >> 31;
            let borrow = limbs[1][i].wrapping_sub(middle).wrapping_sub(borrow) >> 31;
            *above += limbs[2][i].wrapping_sub(high).wrapping_sub(borrow) >> 31;
        }
    }
    erase(limbs.as_flattened_mut());
    above
}

/// The table RCDT, Falcon Table 3.1: 2⁷² times the probability that a half-Gaussian with σ_max = 1.8205 is
/// larger than the index.
const RCDT: [u128; 18] = [
    3_024_686_241_123_004_913_666,
    1_564_742_784_480_091_954_050,
    636_254_429_462_080_897_535,
    199_560_484_645_026_482_916,
    47_667_343_854_657_281_903,
    8_595_902_006_365_044_063,
    1_163_297_957_344_668_388,
    117_656_387_352_093_658,
    8_867_391_802_663_976,
    496_969_357_462_633,
    20_680_885_154_299,
    638_331_848_991,
    14_602_316_184,
    247_426_747,
    3_104_126,
    28_824,
    198,
    1,
];

/// The table [`RCDT`] in limbs of 24 bits, the lowest first.
const RCDT_LIMBS: [[u32; 3]; 18] = {
    let mut limbs = [[0; 3]; 18];
    let mut i = 0;
    while i < 3 * RCDT.len() {
        limbs[i / 3][i % 3] = (RCDT[i / 3] >> (24 * (i % 3))) as u32 & LIMB;
        i += 1;
    }
    limbs
};

const LIMB: u32 = (1 << 24) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    fn base_sampler(u: u128) -> u32 {
        let mut bytes = AttemptBytes::default();
        bytes[..9].copy_from_slice(&u.to_le_bytes()[..9]);
        run_base_sampler(&[bytes; 16])[7]
    }

    #[test]
    fn base_sampler_counts_larger_table_entries() {
        for (i, entry) in (0..).zip(RCDT) {
            assert_eq!([base_sampler(entry - 1), base_sampler(entry)], [i + 1, i]);
        }
        assert_eq!([base_sampler(u128::MAX), base_sampler(0)], [0, 18]);
    }

    #[test]
    fn attempts_follow_the_bytes_of_the_generator() {
        for level in Level::all() {
            let (mut attempts, mut prng) = (Attempts::new(level), Prng::new(level));
            attempts.seed(&[9; SEED_LEN]);
            prng.seed(&[9; SEED_LEN]);
            for i in 0..10_000 {
                let (attempt, bytes) = (attempts.next(), prng.attempt_bytes());
                let u = bytes[..9].iter().rev().fold(0, |u, byte| u << 8 | u128::from(*byte));
                let z0 = RCDT.iter().filter(|entry| **entry > u).count() as i64;
                let expected = (z0, i64::from(bytes[9] & 1), bytes[10]);
                assert_eq!((attempt.z0(), attempt.b(), attempt.first_byte()), expected, "{i}");
                // reads bytes between attempts, so that attempts start at all positions of the buffer
                for _ in 0..usize::from(i % 7 == 0) * (i % 3) {
                    assert_eq!(attempts.next_u8(), prng.next_u8(), "{i}");
                }
            }
        }
    }
}
