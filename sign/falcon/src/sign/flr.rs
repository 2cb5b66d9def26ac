//! Real numbers for signing: IEEE 754 doubles, rounded to nearest, in two versions that give the same results.
//!
//! [`Native`] is the processor's arithmetic. Its additions, multiplications and conversions take the same time for
//! all values that occur here, which are zero or normal; divisions and square roots are those of key preparation.
//! Rust contracts no product and sum into one rounding. [`Emulated`] computes on the bits with integer instructions,
//! for processors without double arithmetic and for the tests of the other.
//!
//! Neither knows subnormal numbers, infinities or NaNs: nothing in Falcon comes near them.

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use crate::backend::{sqrt, truncate};
use core::f64::consts::{LN_2, LOG2_E};
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::ct;

/// The version that this target uses.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) type Flr = Native;
/// The version that this target uses.
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
pub(crate) type Flr = Emulated;

/// What polynomials are computed with: a double, or several side by side.
pub(crate) trait Number:
    Copy
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// One double.
    type Scalar: Real;

    /// The same double everywhere.
    fn splat(x: Self::Scalar) -> Self;

    /// x/2.
    #[inline(always)]
    fn half(self) -> Self {
        self * constant(0.5)
    }
}

/// A double.
pub(crate) trait Real: Number<Scalar = Self> {
    /// From its encoding.
    fn from_bits(bits: u64) -> Self;
    /// Its encoding.
    #[cfg(test)]
    fn to_bits(self) -> u64;
    /// An integer, exactly. |i| < 2⁵³.
    fn of(i: i64) -> Self;
    /// The nearest integer, the even one of two. |x| < 2⁵¹.
    fn rint(self) -> i64;
    /// The largest integer that is not above. |x| < 2⁵¹.
    fn floor(self) -> i64;
    /// The same as a double; never −0.
    fn floor_of(self) -> Self;
    /// ⌊x·2⁶³⌋. 0 ≤ x < 1.
    fn to_fixed_63(self) -> u64;
    /// 1/x.
    fn inverse(self) -> Self;
    /// √x. x ≥ 0.
    fn sqrt(self) -> Self;
    /// How the first byte of ccs·e^(−x)·2⁶⁴ compares with this one, if that is plain from an estimate: `None` where the
    /// bytes are equal, and seldom where they are not. 0 ≤ x < 500, 0 ≤ ccs ≤ 1.
    fn exp_exceeds(x: Self, ccs: Self, byte: u8) -> Option<bool>;

    /// x².
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
}

/// The processor's doubles.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
#[allow(dead_code, reason = "a target without double arithmetic uses the other one")]
pub(crate) struct Native(f64);

macro_rules! operators {
    ($($type:ident $trait:ident $method:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        impl $trait for $type {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (Self($a), Self($b)) = (self, other);
                Self($body)
            }
        }
    )*};
}

operators! {
    Native Add add |a, b| a + b;
    Native Sub sub |a, b| a - b;
    Native Mul mul |a, b| a * b;
    Emulated Add add |a, b| add(a, b);
    Emulated Sub sub |a, b| add(a, negate(b));
    Emulated Mul mul |a, b| multiply(a, b);
}

impl Number for Native {
    type Scalar = Self;

    #[inline(always)]
    fn splat(x: Self) -> Self {
        x
    }
}

impl Number for Emulated {
    type Scalar = Self;

    #[inline(always)]
    fn splat(x: Self) -> Self {
        x
    }
}

impl Neg for Native {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adding it moves the integer part of |x| < 2⁵¹ into the low bits of the mantissa, rounded.
const ROUNDER: f64 = ((1u64 << 52) + (1 << 51)) as f64;

impl Real for Native {
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }

    #[cfg(test)]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn of(i: i64) -> Self {
        // exact for all below 2⁵³
        Self(i as f64)
    }

    #[inline(always)]
    fn rint(self) -> i64 {
        (self.0 + ROUNDER).to_bits().wrapping_sub(ROUNDER.to_bits()) as i64
    }

    #[inline(always)]
    fn floor(self) -> i64 {
        let nearest = self.rint();
        nearest - i64::from(nearest as f64 > self.0)
    }

    #[inline(always)]
    fn floor_of(self) -> Self {
        let nearest = (self.0 + ROUNDER) - ROUNDER;
        let one = u64::from(nearest > self.0).wrapping_neg() & 1f64.to_bits();
        Self(nearest - f64::from_bits(one))
    }

    #[inline(always)]
    fn to_fixed_63(self) -> u64 {
        truncate(self.0 * (1u64 << 63) as f64) as u64
    }

    #[inline(always)]
    fn inverse(self) -> Self {
        Self(1.0 / self.0)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(sqrt(self.0))
    }

    #[inline(always)]
    fn exp_exceeds(x: Self, ccs: Self, byte: u8) -> Option<bool> {
        // e^(−x) = 2^(−k)·2^(−f), |f| ≤ 1/2
        let exponent = x.0 * LOG2_E;
        let rounded = exponent + ROUNDER;
        let power = power_of_half(Self(exponent - (rounded - ROUNDER)));
        // 256·2^(−k): the low bits of `rounded` are those of k
        let scale = Self(f64::from_bits(256f64.to_bits().wrapping_sub(rounded.to_bits() << 52)));
        let distance = (power * (scale * ccs)).0 - f64::from(byte);
        let (below, above) = (distance < -EXP_ERROR, distance >= 1.0 + EXP_ERROR);
        ct::public(below | above).then_some(ct::public(above))
    }
}

/// 2^(−f), |f| ≤ 1/2: six terms of the power series.
#[inline(always)]
pub(crate) fn power_of_half<T: Number>(f: T) -> T {
    const SERIES: [f64; 7] = {
        let mut series = [1.0; 7];
        let mut k = 1;
        while k < 7 {
            series[k] = series[k - 1] * -LN_2 / k as f64;
            k += 1;
        }
        series
    };
    let square = f * f;
    let high = (constant::<T>(SERIES[4]) + constant::<T>(SERIES[5]) * f) + constant::<T>(SERIES[6]) * square;
    let middle = constant::<T>(SERIES[2]) + constant::<T>(SERIES[3]) * f;
    (constant::<T>(SERIES[0]) + constant::<T>(SERIES[1]) * f) + square * middle + square * square * high
}

/// A double everywhere.
#[inline(always)]
pub(crate) fn constant<T: Number>(x: f64) -> T {
    T::splat(T::Scalar::from_bits(x.to_bits()))
}

/// By how much 256·e^(−x) may be wrong with [`power_of_half`], whose first term left out is below 2⁻²².
pub(crate) const EXP_ERROR: f64 = 1.0 / 4096.0;

#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
fn sqrt(x: f64) -> f64 {
    f64::from_bits(square_root(x.to_bits()))
}

#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
fn truncate(x: f64) -> i64 {
    Emulated(x.to_bits()).floor()
}

/// Doubles as their bits, computed with integers in constant time.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
#[allow(dead_code, reason = "a target with double arithmetic uses it in tests only")]
pub(crate) struct Emulated(u64);

impl Neg for Emulated {
    type Output = Self;

    fn neg(self) -> Self {
        Self(negate(self.0))
    }
}

impl Real for Emulated {
    fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[cfg(test)]
    fn to_bits(self) -> u64 {
        self.0
    }

    fn of(i: i64) -> Self {
        Self(round(i as u64 & SIGN, 0, i.unsigned_abs()))
    }

    fn rint(self) -> i64 {
        let quarters = shift_right_sticky(mantissa(self.0) << 10, 1083 - exponent(self.0));
        with_sign((quarters >> 2) + round_up(quarters), self.0)
    }

    fn floor(self) -> i64 {
        let halves = shift_right_sticky(mantissa(self.0) << 10, 1084 - exponent(self.0));
        // the magnitude of a negative number is rounded up
        with_sign((halves >> 1) + (halves & self.0 >> 63), self.0)
    }

    fn floor_of(self) -> Self {
        Self::of(self.floor())
    }

    /// Never plain: an estimate would cost as much as the exact value.
    fn exp_exceeds(_: Self, _: Self, _: u8) -> Option<bool> {
        None
    }

    fn to_fixed_63(self) -> u64 {
        shift_right(mantissa(self.0) << 11, 1023 - exponent(self.0))
    }

    fn inverse(self) -> Self {
        Self(divide(1f64.to_bits(), self.0))
    }

    fn sqrt(self) -> Self {
        Self(square_root(self.0))
    }
}

const SIGN: u64 = 1 << 63;

const fn negate(x: u64) -> u64 {
    x ^ SIGN
}

/// The biased exponent: x = m·2^(e − 1075).
fn exponent(x: u64) -> i32 {
    (x >> 52) as i32 & 0x7FF
}

/// m, 53 bits; 0 for zero.
fn mantissa(x: u64) -> u64 {
    let normal = u64::from((exponent(x) as u32).wrapping_neg() >> 31);
    x & ((1 << 52) - 1) | normal << 52
}

/// The magnitude with the sign of `x`.
fn with_sign(magnitude: u64, x: u64) -> i64 {
    let sign = (x as i64) >> 63;
    (magnitude as i64 ^ sign) - sign
}

/// All ones if a < b. Both below 2⁶³.
fn mask_less(a: u64, b: u64) -> u64 {
    (a.wrapping_sub(b) as i64 >> 63) as u64
}

/// 1 if a ≠ 0.
fn is_nonzero(a: u64) -> u64 {
    (a | a.wrapping_neg()) >> 63
}

/// x·2⁻ⁿ, rounded down; 0 for n ≥ 64. In steps, because not every processor shifts 64 bits in constant time.
fn shift_right(x: u64, n: i32) -> u64 {
    let n = n as u64;
    let halved = x ^ ((x ^ x >> 32) & (n >> 5 & 1).wrapping_neg());
    (halved >> (n & 31)) & mask_less(n, 64)
}

/// The same, with the lowest bit set if anything was cut off.
fn shift_right_sticky(x: u64, n: i32) -> u64 {
    let cut = shift_right(x, n);
    let back = (cut ^ ((cut ^ cut << 32) & (n as u64 >> 5 & 1).wrapping_neg())) << (n & 31);
    cut | is_nonzero(x ^ back & mask_less(n as u64, 64))
}

/// 1 if a number with two more bits, the last of them sticky, is rounded up: to nearest, ties to even.
fn round_up(x: u64) -> u64 {
    0b1100_1000 >> (x & 7) & 1
}

/// ±m·2^e, rounded.
fn round(sign: u64, e: i32, m: u64) -> u64 {
    let zeroes = m.leading_zeros();
    let shifted = m ^ ((m ^ m << 32) & u64::from(zeroes >> 5 & 1).wrapping_neg());
    let top = shifted << (zeroes & 31);
    // 55 bits: two more than the mantissa has
    let m = top >> 9 | is_nonzero(top & 0x1FF);
    let biased = (e - zeroes as i32 + 9 + 1076) as u64;
    let x = (biased << 52).wrapping_add(m >> 2) + round_up(m);
    sign | x & is_nonzero(m).wrapping_neg()
}

fn add(a: u64, b: u64) -> u64 {
    let swap = (a ^ b) & mask_less(a & !SIGN, b & !SIGN);
    let (large, small) = (a ^ swap, b ^ swap);
    let aligned = shift_right_sticky(mantissa(small) << 10, exponent(large) - exponent(small));
    let opposite = (((large ^ small) as i64) >> 63) as u64;
    let sum = (mantissa(large) << 10).wrapping_add((aligned ^ opposite).wrapping_sub(opposite));
    // x − x is +0
    let sign = large & SIGN & (is_nonzero(sum).wrapping_neg() | small);
    round(sign, exponent(large) - 1085, sum)
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(mantissa(a)) * u128::from(mantissa(b));
    let m = (product >> 43) as u64 | is_nonzero(product as u64 & ((1 << 43) - 1));
    round((a ^ b) & SIGN, exponent(a) + exponent(b) - 2150 + 43, m)
}

/// b ≠ 0.
fn divide(a: u64, b: u64) -> u64 {
    let (mut rest, divisor) = (mantissa(a), mantissa(b));
    let mut quotient = 0;
    // ⌊a·2⁵⁶/b⌋, bit by bit
    for _ in 0..57 {
        let fits = !mask_less(rest, divisor);
        rest = (rest - (divisor & fits)) << 1;
        quotient = quotient << 1 | fits & 1;
    }
    round((a ^ b) & SIGN, exponent(a) - exponent(b) - 56, quotient | is_nonzero(rest))
}

/// a ≥ 0.
fn square_root(a: u64) -> u64 {
    let odd = (exponent(a) - 1075) & 1;
    let square = u128::from(mantissa(a) << odd) << 56;
    let mut root = 0u64;
    for bit in (0..56).rev() {
        let next = u128::from(root | 1 << bit);
        let too_large = (square.wrapping_sub(next * next) >> 127) as u64;
        root |= (1 ^ too_large) << bit;
    }
    let rest = square - u128::from(root) * u128::from(root);
    // the square is a·2^(1075 − e + odd + 56)
    round(0, (exponent(a) - 1075 - odd - 56) >> 1, root | is_nonzero(rest as u64 | (rest >> 64) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Doubles with short and long mantissas, near and far exponents, both signs, and zeroes.
    fn samples() -> Vec<f64> {
        let mut state = 1u64;
        let mut samples = std::vec![0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -0.5, -1.5, 3.0, 0.1, 12289.0];
        for _ in 0..700 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let kept = !0 << (state >> 58).min(52);
            let e = 1023 - 55 + (state >> 32) % 104;
            samples.push(f64::from_bits(
                state & SIGN | e << 52 | state.rotate_left(17) & ((1 << 52) - 1) & kept,
            ));
        }
        samples
    }

    fn pair(x: f64) -> (Native, Emulated) {
        (Native::from_bits(x.to_bits()), Emulated::from_bits(x.to_bits()))
    }

    #[test]
    fn both_versions_add_subtract_and_multiply_alike() {
        for x in samples() {
            for y in samples() {
                let ((a, b), (c, d)) = (pair(x), pair(y));
                assert_eq!((a + c).to_bits(), (b + d).to_bits(), "{x:e} + {y:e}");
                assert_eq!((a - c).to_bits(), (b - d).to_bits(), "{x:e} − {y:e}");
                assert_eq!((a * c).to_bits(), (b * d).to_bits(), "{x:e} · {y:e}");
                assert_eq!((x * y).to_bits(), (a * c).to_bits());
            }
        }
    }

    #[test]
    fn both_versions_invert_and_take_roots_alike() {
        for x in samples().into_iter().filter(|x| *x != 0.0) {
            let (a, b) = pair(x);
            assert_eq!(a.inverse().to_bits(), b.inverse().to_bits(), "1/{x:e}");
            let (a, b) = pair(x.abs());
            assert_eq!(a.sqrt().to_bits(), b.sqrt().to_bits(), "√{x:e}");
            assert_eq!(f64::from_bits(a.sqrt().to_bits()), x.abs().sqrt());
        }
        let (a, b) = pair(0.0);
        assert_eq!((a.sqrt().to_bits(), b.sqrt().to_bits()), (0, 0));
    }

    #[test]
    fn both_versions_convert_alike() {
        for x in samples().into_iter().filter(|x| x.abs() < (1u64 << 50) as f64) {
            let (a, b) = pair(x);
            assert_eq!(
                (a.rint(), b.rint()),
                (x.round_ties_even() as i64, x.round_ties_even() as i64),
                "{x:e}"
            );
            assert_eq!((a.floor(), b.floor()), (x.floor() as i64, x.floor() as i64), "{x:e}");
            // the sum is never −0
            let floor = (x.floor() + 0.0).to_bits();
            assert_eq!([a.floor_of().to_bits(), b.floor_of().to_bits()], [floor; 2], "{x:e}");
            let (a, b) = pair(x.abs().fract());
            assert_eq!(a.to_fixed_63(), b.to_fixed_63(), "{x:e}");
        }
        for i in [0, 1, -1, 2047, -12289, (1 << 53) - 1, 1 - (1 << 53)] {
            assert_eq!(Native::of(i).to_bits(), Emulated::of(i).to_bits(), "{i}");
            assert_eq!(f64::from_bits(Emulated::of(i).to_bits()) as i64, i);
        }
    }
}
