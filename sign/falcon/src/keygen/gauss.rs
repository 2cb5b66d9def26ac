//! Sampling of the coefficients of f and g, Falcon Algorithm 5.

mod round3;

use super::ntru::KeygenVariant;
use crate::mq::Q;
use grille_core::{ct, erase};
use grille_hash::{Level, Shake256};

/// The generator of coefficients from a seed (secret, erased on drop).
#[allow(clippy::large_enum_variant, reason = "only one value exists at a time, and it is never moved")]
pub(super) enum Gauss {
    Integers(Streams),
    Round3(round3::Stream),
}

impl Gauss {
    /// Creates a generator without a seed.
    pub(super) fn new(variant: KeygenVariant, level: Level) -> Self {
        match variant {
            KeygenVariant::Integers => Self::Integers(Streams::new(level)),
            KeygenVariant::Round3 => Self::Round3(round3::Stream::new(level)),
        }
    }

    /// Absorbs the seed. Call this function only after the generator has its final place in memory.
    pub(super) fn absorb(&mut self, seed: &[u8]) {
        match self {
            Self::Integers(lanes) => lanes.absorb(seed),
            Self::Round3(stream) => stream.absorb(seed),
        }
    }

    /// Samples a polynomial of n coefficients with an odd sum and the deviation σ = 1.17·√(q/2n).
    ///
    /// Everything is secret, except the number of times that the last coefficient is sampled until the sum is
    /// odd.
    #[inline(always)]
    pub(super) fn polynomial(&mut self, poly: &mut [i8]) {
        let n = poly.len();
        self.coefficients(n, poly);
        let (last, rest) = poly.split_last_mut().expect("at least one coefficient");
        let parity = rest.iter().fold(0, |sum: i8, c| sum ^ c) & 1;
        while ct::public((parity ^ *last) & 1 == 0) {
            self.coefficients(n, core::slice::from_mut(last));
        }
    }

    #[inline(always)]
    fn coefficients(&mut self, n: usize, out: &mut [i8]) {
        match self {
            Self::Integers(lanes) => lanes.coefficients(n, out),
            Self::Round3(stream) => stream.coefficients(n, out),
        }
    }
}

/// Eight SHAKE256 streams (secret, erased on drop). Each stream absorbs the seed and the number of the
/// stream, from 0 to 7, as one byte. The numbers in one block of the first stream are used first, then those
/// in one block of the second stream, and so on.
pub(super) struct Streams {
    streams: Shake256<8>,
    groups: [[u64; GROUP]; GROUPS],
    /// The number of elements of `groups` that have been used.
    used: usize,
}

/// The number of values that are sampled at the same time.
const GROUP: usize = 8;
/// The number of bytes in a SHAKE256 block.
const BLOCK: usize = 136;
/// The number of groups in eight blocks, one of each stream.
const GROUPS: usize = 17;
const _: () = assert!(GROUPS * GROUP * 8 == 8 * BLOCK);

impl Streams {
    fn new(level: Level) -> Self {
        Self { streams: Shake256::new(level), groups: [[0; GROUP]; GROUPS], used: GROUPS }
    }

    fn absorb(&mut self, seed: &[u8]) {
        const LANES: [[u8; 1]; 8] = [[0], [1], [2], [3], [4], [5], [6], [7]];
        self.streams.absorb_all(seed);
        self.streams.absorb(LANES.each_ref().map(<[u8; 1]>::as_slice));
    }

    /// Samples each coefficient from one number. If `out` ends within a group, the other numbers of the group
    /// are discarded.
    #[inline(always)]
    fn coefficients(&mut self, n: usize, out: &mut [i8]) {
        let thresholds = match n {
            512 => &N512[..],
            1024 => &N1024[..],
            _ => unreachable!("no set has this degree"),
        };
        for out in out.chunks_mut(GROUP) {
            if self.used == GROUPS {
                self.refill();
            }
            values(thresholds, &self.groups[self.used], out);
            self.used += 1;
        }
    }

    #[inline(never)]
    fn refill(&mut self) {
        let mut blocks = [[0; BLOCK]; 8];
        self.streams.squeeze_blocks(&mut blocks);
        let bytes = blocks.as_flattened().as_chunks::<8>().0;
        for (number, bytes) in self.groups.as_flattened_mut().iter_mut().zip(bytes) {
            *number = u64::from_le_bytes(*bytes);
        }
        erase(blocks.as_flattened_mut());
        self.used = 0;
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        erase(self.groups.as_flattened_mut());
    }
}

/// Samples one value from each number. The highest bit is the sign, and the other bits determine the
/// magnitude.
#[inline(always)]
fn values(thresholds: &[u64], numbers: &[u64; GROUP], out: &mut [i8]) {
    let mut magnitudes = [0; GROUP];
    for threshold in thresholds {
        for (magnitude, number) in magnitudes.iter_mut().zip(numbers) {
            *magnitude += (number & LOW_63).wrapping_sub(*threshold) >> 63;
        }
    }
    for (out, (magnitude, number)) in out.iter_mut().zip(magnitudes.iter().zip(numbers)) {
        let is_negative = number >> 63;
        *out = (magnitude ^ ct::mask(is_negative.wrapping_neg())).wrapping_add(is_negative) as i8;
    }
    erase(&mut magnitudes);
}

const LOW_63: u64 = (1 << 63) - 1;

/// The thresholds for n = 512.
const N512: [u64; 38] = thresholds(512);
/// The thresholds for n = 1024.
const N1024: [u64; 27] = thresholds(1024);
// larger values have the probability 0
const _: () = assert!(N512[36] > 0 && N512[37] == 0 && N1024[25] > 0 && N1024[26] == 0);

/// Returns 2⁶³·P(|x| > k) for k = 0, 1, …, where P(x) is e^(−x²/2σ²) divided by Σ e^(−i²/2σ²) over all integers
/// i.
const fn thresholds<const LEN: usize>(n: u128) -> [u64; LEN] {
    // 1/2σ² = n/(1.17²·q)
    let root = exp(((n * 10_000) << FRACTION_BITS) / (13_689 * Q as u128));
    let (mut weights, mut all) = ([0; VALUE_BOUND], ONE);
    let (mut weight, mut ratio, mut k) = (root, multiply(multiply(root, root), root), 1);
    while k < VALUE_BOUND {
        weights[k] = 2 * weight;
        all += weights[k];
        weight = multiply(weight, ratio);
        ratio = multiply(ratio, multiply(root, root));
        k += 1;
    }
    let (mut thresholds, mut tail, mut k) = ([0; LEN], all - ONE, 0);
    while k < LEN {
        thresholds[k] = quotient(tail, all);
        tail -= weights[k + 1];
        k += 1;
    }
    thresholds
}

/// The exclusive upper bound of the values whose weights are computed. The weights of larger values are below
/// the last bit after the binary point.
const VALUE_BOUND: usize = 64;
/// The number of bits after the binary point in the computation of the thresholds.
const FRACTION_BITS: u32 = 100;
const ONE: u128 = 1 << FRACTION_BITS;

/// Computes e^(−x), for x below 1/8.
const fn exp(x: u128) -> u128 {
    let (mut sum, mut term, mut i) = (ONE, ONE, 1);
    while i < 30 {
        term = multiply(term, x) / i;
        sum = if i % 2 == 1 { sum - term } else { sum + term };
        i += 1;
    }
    sum
}

/// Computes a·b, for a and b up to 1.
const fn multiply(a: u128, b: u128) -> u128 {
    const HALF: u32 = FRACTION_BITS / 2;
    const LOW: u128 = (1 << HALF) - 1;
    (a >> HALF) * (b >> HALF) + (((a >> HALF) * (b & LOW)) >> HALF) + (((a & LOW) * (b >> HALF)) >> HALF)
}

/// Computes ⌊2⁶³·a/b⌉, for a < b.
const fn quotient(mut a: u128, b: u128) -> u64 {
    let (mut bits, mut i) = (0, 0);
    while i < 64 {
        a *= 2;
        let bit = a >= b;
        bits = bits << 1 | bit as u128;
        if bit {
            a -= b;
        }
        i += 1;
    }
    ((bits + 1) >> 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_match_the_gaussian() {
        fn check(n: usize, thresholds: &[u64]) {
            let sigma_square = 1.17 * 1.17 * 12289.0 / (2 * n) as f64;
            let weight = |x: i32| (-f64::from(x * x) / (2.0 * sigma_square)).exp();
            let tail = |k: i32| (k + 1..80).map(weight).sum::<f64>();
            let all = 1.0 + 2.0 * tail(0);
            for (k, threshold) in (0..).zip(thresholds) {
                let expected = 2.0 * tail(k) / all * 2f64.powi(63);
                assert!((*threshold as f64 - expected).abs() <= 1e-13 * expected + 1.0, "{n} {k}");
            }
        }
        check(512, &N512);
        check(1024, &N1024);
    }

    #[test]
    fn values_follow_the_thresholds() {
        for thresholds in [&N512[..], &N1024] {
            let of = |number| {
                let mut out = [0; GROUP];
                values(thresholds, &[number; GROUP], &mut out);
                assert_eq!(out, [out[0]; GROUP]);
                out[0]
            };
            assert_eq!((of(LOW_63), of(u64::MAX)), (0, 0));
            for (k, pair) in (0..).zip(thresholds.windows(2)) {
                for (sign, factor) in [(0, 1), (1 << 63, -1)] {
                    assert_eq!(of(pair[0] | sign), factor * k, "{k}");
                    assert_eq!(of((pair[0] - 1) | sign), factor * (k + 1), "{k}");
                    assert_eq!(of(pair[1] | sign), factor * (k + 1), "{k}");
                }
            }
        }
    }

    #[test]
    fn sums_are_odd_and_the_deviation_matches_the_specification() {
        for variant in [KeygenVariant::Integers, KeygenVariant::Round3] {
            let mut gauss = Gauss::new(variant, Level::detect());
            for n in [512, 1024] {
                let mut squares = 0;
                for _ in 0..1000 {
                    let mut poly = std::vec![0; n];
                    gauss.polynomial(&mut poly);
                    assert_eq!(poly.iter().map(|c| i32::from(*c)).sum::<i32>() & 1, 1);
                    squares += poly.iter().map(|c| i32::from(*c).pow(2)).sum::<i32>();
                }
                let variance = f64::from(squares) / (1000 * n) as f64;
                let expected = 1.17 * 1.17 * 12289.0 / (2 * n) as f64;
                assert!((variance / expected - 1.0).abs() < 0.01, "{n}: {variance}");
            }
        }
    }

    #[test]
    fn coefficients_follow_the_order_of_lane_blocks() {
        let mut lanes = Streams::new(Level::detect());
        lanes.absorb(b"seed");
        lanes.refill();
        lanes.refill();
        for lane in 0..8 {
            let mut stream = [0; 2 * BLOCK];
            grille_hash::shake256(Level::Portable, &[b"seed", &[lane]], &mut stream);
            let numbers = &lanes.groups.as_flattened()[usize::from(lane) * 17..][..17];
            let bytes: std::vec::Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            assert_eq!(bytes, stream[BLOCK..], "{lane}");
        }
    }
}
