//! Fixed-point numbers, which allow key generation to compute approximately with integers only, in constant
//! time.
//!
//! The method is from Pornin, "Improved Key Pair Generation for Falcon, BAT and Hawk" (ePrint 2023/290).

use crate::sign::fft::{COSINES, Complex, FftReal, ROOT_SINES};
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::{ct, erase};

/// A number in [−2, 2 − 2⁻³¹), stored as an integer multiple of 2⁻⁶². Sums and products outside of this range
/// are wrong but have no other effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Fixed(i64);

/// The number of bits after the binary point.
pub(super) const FRACTION_BITS: u32 = 62;

impl Fixed {
    /// Creates a number from its value times 2⁶².
    #[inline(always)]
    pub(super) const fn from_bits(bits: i64) -> Self {
        Self(bits)
    }

    /// Returns the number times 2⁶².
    #[inline(always)]
    pub(super) const fn to_bits(self) -> i64 {
        self.0
    }

    /// Converts a double in [−1, 1] whose last bit is not below 2⁻⁶².
    const fn from_double(bits: u64) -> Self {
        // m·2^(e − 1075), with an implicit leading one
        let (exponent, mantissa) = (bits >> 52 & 0x7FF, bits & ((1 << 52) - 1));
        if exponent == 0 {
            return Self(0);
        }
        let shift = exponent as i64 - (1075 - FRACTION_BITS as i64);
        assert!(shift >= 0);
        let magnitude = ((mantissa | 1 << 52) as i64) << shift;
        Self(if bits >> 63 == 1 { -magnitude } else { magnitude })
    }

    /// Returns the two signed halves of the number, which is high·2³² + low.
    #[inline(always)]
    const fn halves(self) -> (i64, i64) {
        ((self.0.wrapping_add(1 << 31) >> 32) as i32 as i64, self.0 as i32 as i64)
    }
}

impl Add for Fixed {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Fixed {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Fixed {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul for Fixed {
    type Output = Self;

    /// Multiplies, rounded to nearest. Uses products of halves, for which there are vector instructions.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ((a1, a0), (b1, b0)) = (self.halves(), other.halves());
        // because the product is below 2, the factors are not both near the maximum, so the sum is below 2⁶³
        let low = (a1 * b0).wrapping_add(a0 * b1).wrapping_add(((a0 * b0) >> 32) + (1 << 29));
        Self(((a1 * b1) << 2).wrapping_add(low >> 30))
    }
}

impl FftReal for Fixed {
    type Factor = Self;

    #[inline(always)]
    fn roots(first: usize) -> impl Iterator<Item = Complex<Self>> {
        ROOTS[0][first..].iter().zip(&ROOTS[1][first..]).map(|(re, im)| Complex::new(*re, *im))
    }

    #[inline(always)]
    fn broadcast(self, factor: Self) -> Self {
        factor
    }

    #[inline(always)]
    fn halve(self, times: u32) -> Self {
        Self(self.0 >> times)
    }
}

/// The real and the imaginary parts of the roots, with the precision of doubles.
static ROOTS: [[Fixed; 1024]; 2] = {
    let mut roots = [[Fixed(0); 1024]; 2];
    let mut i = 0;
    while i < 2048 {
        roots[i % 2][i / 2] = Fixed::from_double([&COSINES, &ROOT_SINES][i % 2][i / 2]);
        i += 1;
    }
    roots
};

/// Computes x ← 2^−power/x, rounded down, for x in (2^−power, 1), with bitwise long division. If x is not larger than
/// 2^−power, the result is almost 1.
#[inline(always)]
pub(super) fn invert(x: &mut [Fixed], power: u32) {
    for x in x.chunks_mut(LANES) {
        let mut divisors = [1; LANES];
        divisors.iter_mut().zip(x.iter()).for_each(|(divisor, x)| *divisor = x.0);
        let (mut rests, mut quotients) = ([1i64 << (FRACTION_BITS - power); LANES], [0i64; LANES]);
        for _ in 0..FRACTION_BITS {
            for i in 0..LANES {
                let rest = (rests[i] << 1).wrapping_sub(divisors[i]);
                let below = ct::mask(rest >> 63);
                rests[i] = rest.wrapping_add(divisors[i] & below);
                quotients[i] = (quotients[i] << 1) + 1 + below;
            }
        }
        x.iter_mut().zip(quotients).for_each(|(x, quotient)| *x = Fixed(quotient));
        erase(&mut divisors);
        erase(&mut rests);
        erase(&mut quotients);
    }
}

/// The number of simultaneous divisions.
const LANES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign::fft::{fft, inverse_fft, set_value, value};
    use std::vec::Vec;

    /// Returns samples of all sizes below 2^bits, with both signs, and the ends of the range.
    fn samples(bits: u32) -> Vec<Fixed> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state as i64 >> (63 - bits)) >> (state.rotate_left(32) % u64::from(bits))
        };
        let largest = (i64::MAX >> (63 - bits)) - (1 << 31);
        let ends =
            [0, 1, -1, 1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 32, 1 << (bits - 1), largest, -largest];
        ends.into_iter().chain((0..500).map(|_| next())).map(Fixed).collect()
    }

    #[test]
    fn products_are_rounded_to_nearest() {
        for a in samples(63) {
            for b in samples(62) {
                let exact = (i128::from(a.0) * i128::from(b.0) + (1 << 61)) >> 62;
                assert_eq!(i128::from((a * b).0), exact, "{a:?} {b:?}");
                assert_eq!(a * b, b * a);
            }
        }
    }

    #[test]
    fn inverses_are_exact() {
        for power in [5, 23] {
            let smallest = 1 << (62 - power);
            let divisors: Vec<_> = samples(62).into_iter().filter(|x| x.0 > smallest).collect();
            assert!(divisors.len() > 20);
            let mut inverses = divisors.clone();
            invert(&mut inverses, power);
            for (x, inverse) in divisors.iter().zip(inverses) {
                assert_eq!(inverse.0 as u128, (1 << (124 - power)) / x.0 as u128, "{x:?}");
            }
            let mut tiny: Vec<_> = [0, 1, 2, 1 << 20, smallest].map(Fixed).to_vec();
            invert(&mut tiny, power);
            assert!(tiny.iter().all(|x| x.0 >> 57 == 31), "{tiny:?}");
        }
    }

    #[test]
    fn polynomial_products_match_schoolbook_multiplication() {
        for n in [2, 4, 16, 512, 1024] {
            let small: Vec<i64> = (0..2 * n).map(|i| (i * i * 31 + 17 * i) % 31 - 15).collect();
            let (a, b) = small.split_at(n as usize);
            let mut expected = std::vec![0; a.len()];
            for (i, a) in a.iter().enumerate() {
                for (j, b) in b.iter().enumerate() {
                    let sign = if i + j < expected.len() { 1 } else { -1 };
                    expected[(i + j) % n as usize] += sign * a * b;
                }
            }
            // values of both images are below 15·1024·2⁻¹⁴, which is less than 1
            let [mut a, mut b] = [a, b].map(|small| small.iter().map(|x| Fixed(x << 48)).collect::<Vec<_>>());
            fft(&mut a);
            fft(&mut b);
            for i in 0..a.len() / 2 {
                let product = value(&a, i).mul(value(&b, i));
                set_value(&mut a, i, product);
            }
            inverse_fft(&mut a);
            for (got, expected) in a.iter().zip(expected) {
                let error = got.0 - (expected << 34);
                // the division by n/2 rounds n/2 values down
                assert!(error.abs() < n + 100, "{n}: {error}");
            }
        }
    }

    #[test]
    fn roots_match_the_standard_library() {
        for (k, root) in (0..1024u16).zip(Fixed::roots(0)) {
            let angle = f64::from(k.reverse_bits() >> 6) * core::f64::consts::PI / 1024.0;
            for (got, expected) in [(root.re, angle.cos()), (root.im, angle.sin())] {
                assert!((got.0 as f64 / 2f64.powi(62) - expected).abs() < 5e-16, "{k}");
            }
        }
    }
}
