//! SamplerZ, Falcon section 3.9.3: integers around a center, Gaussian.

use super::flr::Real;
use super::prng::{Draw, Prng};
use grille_core::ct;
use grille_hash::Level;

/// The randomness of one attempt to sign, and σ_min.
pub(crate) struct Sampler<R> {
    prng: Prng,
    sigma_min: R,
}

impl<R: Real> Sampler<R> {
    pub(crate) fn new(prng: Prng, sigma_min: R) -> Self {
        Self { prng, sigma_min }
    }

    /// The level of its randomness.
    pub(crate) const fn level(&self) -> Level {
        self.prng.level()
    }

    /// SamplerZ, Falcon Algorithm 15. `inverse_sigma`: 1/σ′, in (1/2, 1).
    ///
    /// Secret: everything. The number of attempts does not depend on the center or on σ′, Falcon section 3.9.3.
    #[inline(always)]
    pub(crate) fn sample(&mut self, mu: R, inverse_sigma: R) -> R {
        // r ← μ − ⌊μ⌋
        let floor = mu.floor();
        let r = mu - R::of(floor);
        // 1/(2σ′²) and σ_min/σ′
        let half_inverse_square = inverse_sigma.square().half();
        let ccs = inverse_sigma * self.sigma_min;
        loop {
            // z ← b + (2b − 1)·z0
            let Draw { low, high, sign, first } = self.prng.draw();
            let z0 = base(low, high);
            let b = i64::from(sign & 1);
            let z = b + (2 * b - 1) * z0;
            // x ← (z − r)²/(2σ′²) − z0²/(2σ_max²)
            let x = (R::of(z) - r).square() * half_inverse_square
                - R::of(z0 * z0) * R::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE);
            // Rejected or not is public: its probability is the same for every center and σ′.
            if ct::public(self.bernoulli_exp(x, ccs, first)) {
                return R::of(floor + z);
            }
        }
    }

    /// BerExp, Falcon Algorithm 14: true with probability ccs·e^(−x). x ≥ 0. `first`: the first random byte.
    #[inline(always)]
    fn bernoulli_exp(&mut self, x: R, ccs: R, first: u8) -> bool {
        // s ← ⌊x/ln 2⌋, r ← x − s·ln 2, s ← min(s, 63)
        let s = (x * R::from_bits(INVERSE_LN_2)).floor();
        let r = x - R::of(s) * R::from_bits(LN_2);
        let s = s + ((63 - s) & ((63 - s) >> 63));
        // z ← (2·ApproxExp(r, ccs) − 1) ≫ s
        let z = ((approx_exp(r, ccs) << 1).wrapping_sub(1)) >> s;
        // Compared byte by byte, lazily: how many bytes are equal shows nothing of z but that.
        let [byte, rest @ ..] = z.to_be_bytes();
        if ct::public(first != byte) { first < byte } else { below(&mut self.prng, &rest) }
    }
}

/// Whether random bytes are below these; as many are drawn as are equal, and one more.
pub(crate) fn below(prng: &mut Prng, bytes: &[u8]) -> bool {
    for byte in bytes {
        let random = prng.next_u8();
        if ct::public(random != *byte) {
            return random < *byte;
        }
    }
    false
}

/// BaseSampler, Falcon Algorithm 12: how many entries of the table are above 72 random bits.
#[inline(always)]
fn base(low: u64, high: u8) -> i64 {
    let u = [low as u32 & LIMB, (low >> 24) as u32 & LIMB, (low >> 48) as u32 | u32::from(high) << 16];
    let mut above = 0;
    let [low, middle, high] = &RCDT_LIMBS;
    for ((low, middle), high) in low.iter().zip(middle).zip(high) {
        let borrow = u[0].wrapping_sub(*low) >> 31;
        let borrow = u[1].wrapping_sub(*middle).wrapping_sub(borrow) >> 31;
        above += u[2].wrapping_sub(*high).wrapping_sub(borrow) >> 31;
    }
    i64::from(above)
}

/// ApproxExp, Falcon Algorithm 13: 2⁶³·ccs·e^(−x) for x in [0, ln 2) and ccs in [0, 1].
#[inline(always)]
fn approx_exp<R: Real>(x: R, ccs: R) -> u64 {
    let z = x.to_fixed_63() << 1;
    let mut y = C[0];
    for c in &C[1..] {
        y = c.wrapping_sub(high_product(z, y));
    }
    high_product(ccs.to_fixed_63() << 1, y)
}

/// ⌊a·b/2⁶⁴⌋.
#[inline(always)]
fn high_product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

/// C, Falcon section 3.9.3: the coefficients of e^(−x) times 2⁶³.
pub(crate) const C: [u64; 13] = [
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

/// RCDT, Falcon Table 3.1: 2⁷² times the probability that a half-Gaussian of σ_max = 1.8205 is above the index.
pub(crate) const RCDT: [u128; 18] = [
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

/// [`RCDT`] with 24 bits a limb, and zeroes up to a multiple of eight.
static RCDT_LIMBS: [[u32; 24]; 3] = {
    let mut limbs = [[0; 24]; 3];
    let mut i = 0;
    while i < 3 * RCDT.len() {
        limbs[i % 3][i / 3] = (RCDT[i / 3] >> (24 * (i % 3))) as u32 & LIMB;
        i += 1;
    }
    limbs
};

const LIMB: u32 = (1 << 24) - 1;

/// 1/(2·1.8205²), as the bits of a double; the reference implementation's has another last digit than the quotient.
pub(crate) const INVERSE_TWO_SIGMA_MAX_SQUARE: u64 = 4_594_603_506_513_722_306;
/// ln 2, as the bits of a double.
pub(crate) const LN_2: u64 = core::f64::consts::LN_2.to_bits();
/// 1/ln 2, as the bits of a double.
pub(crate) const INVERSE_LN_2: u64 = core::f64::consts::LOG2_E.to_bits();

#[cfg(test)]
mod tests {
    use super::super::flr::{Emulated, Native};
    use super::super::prng::SEED_LEN;
    use super::*;
    use grille_hash::Level;

    #[test]
    fn constants_are_what_they_say() {
        let inverse = f64::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE);
        assert!((inverse * 2.0 * 1.8205 * 1.8205 - 1.0).abs() < 1e-14);
        assert_eq!([LN_2, INVERSE_LN_2], [4_604_418_534_313_441_775, 4_609_176_140_021_203_710]);
    }

    #[test]
    fn the_base_sampler_counts_the_entries_above() {
        for (i, entry) in (0..).zip(RCDT) {
            for (u, expected) in [(entry - 1, i + 1), (entry, i)] {
                assert_eq!(base(u as u64, (u >> 64) as u8), expected, "{u}");
            }
        }
        assert_eq!(base(u64::MAX, u8::MAX), 0);
        assert_eq!(base(0, 0), 18);
    }

    #[test]
    fn the_exponential_is_close_to_the_standard_librarys() {
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
    fn samples_have_the_mean_and_the_deviation_asked_for() {
        let mut sampler =
            Sampler::new(Prng::new(Level::detect(), &[3; SEED_LEN]), Native::from_bits(1.2778f64.to_bits()));
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
