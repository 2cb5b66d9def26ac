//! Sampling of the coefficients of f and g as in the reference implementation of round 3, on which known
//! answers depend.

use grille_core::{ct, erase};
use grille_hash::{Level, Shake256};

/// The stream of 64-bit numbers from one seed (secret, erased on drop).
pub(in super::super) struct Stream(Shake256<1>);

impl Stream {
    pub(super) const fn new(level: Level) -> Self {
        Self(Shake256::new(level))
    }

    pub(super) fn absorb(&mut self, seed: &[u8]) {
        self.0.absorb_all(seed);
    }

    #[inline(always)]
    pub(super) fn coefficients(&mut self, n: usize, out: &mut [i8]) {
        // the table is for n = 1024; for n = 512, a coefficient is the sum of two values
        let terms = 1024 / n;
        for out in out.chunks_mut(CHUNK / terms) {
            self.sums(terms, out);
        }
    }

    /// Computes each output as the sum of `terms` values. Samples at most [`CHUNK`] values in total.
    #[inline(always)]
    fn sums(&mut self, terms: usize, out: &mut [i8]) {
        let (mut signs, mut magnitudes, mut bytes) = ([0; CHUNK], [0; CHUNK], [0; 16 * CHUNK]);
        let drawn = terms * out.len();
        self.0.squeeze([&mut bytes[..16 * drawn]]);
        let pairs = bytes[..16 * drawn].as_chunks::<16>().0;
        for ((sign, magnitude), pair) in signs.iter_mut().zip(&mut magnitudes).zip(pairs) {
            let pair = u128::from_le_bytes(*pair);
            (*sign, *magnitude) = (pair as u64, (pair >> 64) as u64);
        }
        for (sign, magnitude) in signs.iter_mut().zip(&magnitudes) {
            *sign = value(*sign, *magnitude);
        }
        for (out, values) in out.iter_mut().zip(signs.chunks_exact(terms)) {
            *out = values.iter().fold(0u64, |sum, value| sum.wrapping_add(*value)) as i8;
        }
        erase(&mut bytes);
        erase(&mut signs);
        erase(&mut magnitudes);
    }
}

/// The number of values that are sampled at a time.
const CHUNK: usize = 64;

/// Returns one value in two's complement, from two random numbers.
#[inline(always)]
fn value(first: u64, second: u64) -> u64 {
    let is_negative = first >> 63;
    let is_nonzero = ((first & LOW_63).wrapping_sub(TABLE[0]) >> 63) ^ 1;
    let second = second & LOW_63;
    let mut above = 1;
    for entry in &TABLE[1..] {
        above += second.wrapping_sub(*entry) >> 63;
    }
    let magnitude = above & ct::mask(is_nonzero.wrapping_neg());
    (magnitude ^ ct::mask(is_negative.wrapping_neg())).wrapping_add(is_negative)
}

const LOW_63: u64 = (1 << 63) - 1;

/// The probabilities for σ = 1.17·√(q/2048): 2⁶³·P(x = 0), then 2⁶³·P(x > k | x > 0) for k = 1, 2, ….
const TABLE: [u64; 27] = [
    1_283_868_770_400_643_928,
    6_416_574_995_475_331_444,
    4_078_260_278_032_692_663,
    2_353_523_259_288_686_585,
    1_227_179_971_273_316_331,
    575_931_623_374_121_527,
    242_543_240_509_105_209,
    91_437_049_221_049_666,
    30_799_446_349_977_173,
    9_255_276_791_179_340,
    2_478_152_334_826_140,
    590_642_893_610_164,
    125_206_034_929_641,
    23_590_435_911_403,
    3_948_334_035_941,
    586_753_615_614,
    77_391_054_539,
    9_056_793_210,
    940_121_950,
    86_539_696,
    7_062_824,
    510_971,
    32_764,
    1_862,
    94,
    4,
    0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_matches_the_gaussian() {
        let sigma_square = 1.17 * 1.17 * 12289.0 / 2048.0;
        let weight = |x: i32| (-f64::from(x * x) / (2.0 * sigma_square)).exp();
        let tail = |k: i32| (k + 1..40).map(weight).sum::<f64>();
        let scale = 2f64.powi(63);
        assert!((TABLE[0] as f64 / scale - 1.0 / (1.0 + 2.0 * tail(0))).abs() < 1e-15);
        for (k, entry) in (1..).zip(&TABLE[1..]) {
            let expected = tail(k) / tail(0) * scale;
            assert!((*entry as f64 - expected).abs() <= 1e-12 * expected + 1.0, "{k}");
        }
    }

    #[test]
    fn values_follow_the_table() {
        assert_eq!(value(TABLE[0] - 1, 0), 0);
        assert_eq!(value(TABLE[0], LOW_63), 1);
        assert_eq!(value(TABLE[0] | 1 << 63, TABLE[1]) as i64, -1);
        assert_eq!(value(TABLE[0], TABLE[1] - 1), 2);
        assert_eq!(value(LOW_63, 0), 26);
        assert_eq!(value(u64::MAX, 3) as i64, -26);
    }
}
