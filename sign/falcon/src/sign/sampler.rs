//! SamplerZ, Falcon section 3.9.3, which samples integers from a Gaussian distribution around a centre.

use super::base_sampler::Attempts;
use super::flr::Real;
use grille_core::ct;
use grille_hash::Level;

/// The randomness of one signing attempt, and σ_min.
pub(crate) struct Sampler<R> {
    pub(crate) attempts: Attempts,
    sigma_min: R,
}

impl<R: Real> Sampler<R> {
    /// Creates a sampler. Its `attempts` must get a seed before it samples.
    pub(crate) fn new(level: Level, sigma_min: u64) -> Self {
        Self { attempts: Attempts::new(level), sigma_min: R::from_bits(sigma_min) }
    }

    /// Returns the level of the random generator.
    pub(crate) const fn level(&self) -> Level {
        self.attempts.level()
    }

    /// Runs SamplerZ, Falcon Algorithm 15. `inverse_sigma` is 1/σ′, in (1/2, 1).
    ///
    /// All arguments and results are secret. The number of attempts does not depend on the centre or on σ′,
    /// Falcon section 3.9.3.
    #[inline(always)]
    pub(crate) fn sample(&mut self, mu: R, inverse_sigma: R) -> R {
        // r ← μ − ⌊μ⌋
        let floor = mu.to_floor();
        let r = mu - floor;
        // 1/(2σ′²) and σ_min/σ′
        let half_inverse_square = inverse_sigma.square().half();
        let ccs = inverse_sigma * self.sigma_min;
        loop {
            // z ← b + (2b − 1)·z0
            let attempt = self.attempts.next();
            let (z0, b) = (attempt.z0(), attempt.b());
            let z = b + (2 * b - 1) * z0;
            // x ← (z − r)²/(2σ′²) − z0²/(2σ_max²)
            let x = (R::from_int(z) - r).square() * half_inverse_square
                - R::from_int(z0 * z0) * R::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE);
            // the rejection is public, because its probability is the same for every centre and σ′
            if ct::public(self.ber_exp(x, ccs, attempt.first_byte())) {
                return floor + R::from_int(z);
            }
        }
    }

    /// Runs BerExp, Falcon Algorithm 14: returns true with probability ccs·e^(−x), for x ≥ 0. `first` is the
    /// first random byte.
    ///
    /// Random bytes are compared with the bytes of z one after the other. The time reveals only the number of
    /// equal bytes.
    #[inline(always)]
    fn ber_exp(&mut self, x: R, ccs: R, first: u8) -> bool {
        R::exp_exceeds(x, ccs, first).unwrap_or_else(|| ber_exp_exact(&mut self.attempts, x, ccs, first))
    }
}

/// Computes z of BerExp, Falcon Algorithm 14.
fn threshold<R: Real>(x: R, ccs: R) -> u64 {
    // s ← ⌊x/ln 2⌋, r ← x − s·ln 2, s ← min(s, 63)
    let s = (x * R::from_bits(INVERSE_LN_2)).floor();
    let r = x - R::from_int(s) * R::from_bits(LN_2);
    let s = s + ((63 - s) & ct::mask((63 - s) >> 63));
    // z ← (2·ApproxExp(r, ccs) − 1) ≫ s
    let z = (approx_exp(r, ccs) << 1).wrapping_sub(1);
    // shifts in two steps, because not every processor shifts 64 bits in constant time
    let halved = z ^ ((z ^ z >> 32) & ct::mask(-(s >> 5)) as u64);
    halved >> (s & 31)
}

/// Runs BerExp, Falcon Algorithm 14, without an estimate.
#[cold]
pub(crate) fn ber_exp_exact<R: Real>(attempts: &mut Attempts, x: R, ccs: R, first: u8) -> bool {
    let [byte, rest @ ..] = threshold(x, ccs).to_be_bytes();
    let mut differing = (first != byte).then_some(first < byte);
    for byte in rest {
        if ct::public(differing.is_some()) {
            break;
        }
        let random = attempts.next_u8();
        differing = (random != byte).then_some(random < byte);
    }
    differing.unwrap_or(false)
}

/// Runs ApproxExp, Falcon Algorithm 13: computes 2⁶³·ccs·e^(−x) for x in [0, ln 2) and ccs in [0, 1].
#[inline(always)]
fn approx_exp<R: Real>(x: R, ccs: R) -> u64 {
    let z = x.to_fixed_63() << 1;
    let mut y = C[0];
    for c in &C[1..] {
        y = c.wrapping_sub(high_product(z, y));
    }
    high_product(ccs.to_fixed_63() << 1, y)
}

/// Computes ⌊a·b/2⁶⁴⌋.
#[inline(always)]
fn high_product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// The constants C of Falcon section 3.9.3: the coefficients of e^(−x), times 2⁶³.
const C: [u64; 13] = [
    0x0000_0004_7411_83A3,
    0x0000_0036_548C_FC06,
    0x0000_024F_DCBF_140A,
    0x0000_171D_939D_E045,
    0x0000_D00C_F58F_6F84,
    0x0006_8068_1CF7_96E3,
    0x002D_82D8_305B_0FEA,
    0x0111_1111_0E06_6FD0,
    0x0555_5555_5507_0F00,
    0x1555_5555_5581_FF00,
    0x4000_0000_0002_B400,
    0x7FFF_FFFF_FFFF_4800,
    0x8000_0000_0000_0000,
];

/// The constant 1/(2·1.8205²), as the bits of a double. Its last digit is that in the reference
/// implementation, which differs from that of the exact quotient.
pub(crate) const INVERSE_TWO_SIGMA_MAX_SQUARE: u64 = 4_594_603_506_513_722_306;
/// The constant ln 2, as the bits of a double.
const LN_2: u64 = core::f64::consts::LN_2.to_bits();
/// The constant 1/ln 2, as the bits of a double.
const INVERSE_LN_2: u64 = core::f64::consts::LOG2_E.to_bits();

#[cfg(test)]
mod tests {
    use super::super::emulated::Emulated;
    use super::super::flr::Native;
    use super::super::prng::SEED_LEN;
    use super::*;
    use grille_hash::Level;
    use std::vec::Vec;

    #[test]
    fn constants_match_their_definitions() {
        let inverse = f64::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE);
        assert!((inverse * 2.0 * 1.8205 * 1.8205 - 1.0).abs() < 1e-14);
        assert_eq!([LN_2, INVERSE_LN_2], [4_604_418_534_313_441_775, 4_609_176_140_021_203_710]);
    }

    #[test]
    fn exponential_is_close_to_the_standard_library() {
        for i in 0..1000 {
            let x = f64::from(i) / 1000.0 * core::f64::consts::LN_2;
            let got = approx_exp(Native::from_bits(x.to_bits()), Native::from_bits(0.75f64.to_bits()));
            let expected = 0.75 * (-x).exp();
            assert!((got as f64 / 2f64.powi(63) - expected).abs() < 1e-14, "{x}");
            let emulated =
                approx_exp(Emulated::from_bits(x.to_bits()), Emulated::from_bits(0.75f64.to_bits()));
            assert_eq!(got, emulated);
        }
    }

    #[test]
    fn estimates_agree_with_exact_values() {
        for i in 0..4000 {
            let (x, ccs) = (f64::from(i) * f64::from(i) / 2e5, 0.7 + f64::from(i % 13) / 43.0);
            let [x, ccs] = [x, ccs].map(|value| Native::from_bits(value.to_bits()));
            let top = threshold(x, ccs).to_be_bytes()[0];
            let answers = (0..=u8::MAX).map(|byte| (byte, Native::exp_exceeds(x, ccs, byte)));
            let (plain, open): (Vec<_>, Vec<_>) = answers.partition(|(_, answer)| answer.is_some());
            assert!(plain.iter().all(|(byte, answer)| *byte != top && *answer == Some(*byte < top)), "{i}");
            assert!(open.len() <= 2, "{i}");
        }
    }

    #[test]
    fn samples_have_the_requested_mean_and_deviation() {
        let mut sampler = Sampler::<Native>::new(Level::detect(), 1.2778f64.to_bits());
        sampler.attempts.seed(&[3; SEED_LEN]);
        let (mu, sigma) = (-91.3, 1.7f64);
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..100_000 {
            let one_over = Native::from_bits((1.0 / sigma).to_bits());
            let z = f64::from_bits(sampler.sample(Native::from_bits(f64::to_bits(mu)), one_over).to_bits());
            (sum, squares) = (sum + z, squares + (z - mu) * (z - mu));
        }
        assert!((sum / 1e5 - mu).abs() < 0.03);
        assert!(((squares / 1e5).sqrt() - sigma).abs() < 0.03);
    }
}
