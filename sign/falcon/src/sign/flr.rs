//! Real numbers for signing, and for round 3 key generation: IEEE 754 doubles, rounded to nearest, in two
//! implementations with identical results.
//!
//! [`Native`] uses the processor's arithmetic. Its additions, multiplications and conversions take the same
//! time for all values that occur here, which are zero or normal numbers. All operations are rounded as IEEE
//! 754 requires. On some processors, the time of divisions and square roots depends on the operands. These
//! operands depend only on the key and are the same for every signature. Rust does not combine a product and
//! a sum into one operation with a single rounding. `Emulated`, in `emulated.rs`, computes on the bits with
//! integer instructions. `Emulated` is for processors without double arithmetic, and for testing `Native`.
//!
//! Neither type supports subnormal numbers, infinities or NaNs, which do not occur in Falcon.

#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
use super::emulated::{Emulated, sqrt, truncate};
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use crate::backend::{sqrt, truncate};
use core::f64::consts::{LN_2, LOG2_E};
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::ct;

/// The implementation that this target uses.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
pub(crate) type Flr = Native;
/// The implementation that this target uses.
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
pub(crate) type Flr = Emulated;

/// A number in polynomial arithmetic: one double, or a vector of several doubles.
///
/// Numbers are created from other numbers. The first vector is created by code that has proved that the
/// processor has the instructions. Each vector passes this proof to the next one.
pub trait Number:
    Copy
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// The type of one double.
    type Scalar: Real;

    /// Returns the same double in all lanes. `self` only determines the type, and its existence proves that
    /// the processor supports this type.
    fn splat(self, x: Self::Scalar) -> Self;

    /// Returns the same constant in all lanes.
    #[inline(always)]
    fn constant(self, x: f64) -> Self {
        self.splat(Self::Scalar::from_bits(x.to_bits()))
    }

    /// Computes x/2.
    #[inline(always)]
    fn half(self) -> Self {
        self * self.constant(0.5)
    }
}

/// A double.
pub trait Real: Number<Scalar = Self> + Default {
    /// Creates a double from its IEEE 754 encoding.
    fn from_bits(bits: u64) -> Self;
    /// Returns the encoding as an IEEE 754 double.
    fn to_bits(self) -> u64;
    /// Converts an integer exactly, for |i| < 2⁵³.
    fn from_int(i: i64) -> Self;
    /// Returns the nearest integer, with ties to even, for |x| < 2⁵¹.
    fn rint(self) -> i64;
    /// Returns the largest integer that is not larger than x, for |x| < 2⁵¹.
    fn floor(self) -> i64;
    /// Returns the largest integer that is not larger than x, as a double. The result is never −0.
    fn to_floor(self) -> Self;
    /// Computes ⌊x·2⁶³⌋, for 0 ≤ x < 1.
    fn to_fixed_63(self) -> u64;
    /// Computes 1/x.
    fn inverse(self) -> Self;
    /// Computes √x, for x ≥ 0.
    fn sqrt(self) -> Self;
    /// Returns whether the first byte of ccs·e^(−x)·2⁶⁴ is larger than `byte`, if an estimate is sufficient
    /// to decide this. Returns `None` if both bytes are equal and, rarely, if they differ. Requires 0 ≤ x <
    /// 500 and 0 ≤ ccs ≤ 1.
    fn exp_exceeds(x: Self, ccs: Self, byte: u8) -> Option<bool>;

    /// Computes x².
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
}

/// The processor's doubles.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
#[allow(dead_code, unreachable_pub, reason = "a target without double arithmetic uses the other one")]
pub struct Native(f64);

/// Defines operators for a type around one double, from a line `Trait method |a, b| result;` for each
/// operator.
macro_rules! double {
    ($type:ident $($trait:ident $method:ident |$a:ident $(, $b:ident)?| $body:expr;)*) => {
        $(impl $trait for $type {
            type Output = Self;

            #[inline(always)]
            fn $method(self $(, $b: Self)?) -> Self {
                let Self($a) = self;
                $(let Self($b) = $b;)?
                Self($body)
            }
        })*

        impl Number for $type {
            type Scalar = Self;

            #[inline(always)]
            fn splat(self, x: Self) -> Self {
                x
            }
        }
    };
}

#[cfg(any(
    test,
    feature = "emulated",
    not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))
))]
pub(super) use double;

double! {
    Native
    Add add |a, b| a + b;
    Sub sub |a, b| a - b;
    Mul mul |a, b| a * b;
    Neg neg |a| -a;
}

/// The addend that moves the integer part of a number into the low bits of the mantissa, with rounding. Valid
/// for |x| < 2⁵¹.
const ROUNDER: f64 = ((1u64 << 52) + (1 << 51)) as f64;

impl Real for Native {
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self(f64::from_bits(bits))
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    #[inline(always)]
    fn from_int(i: i64) -> Self {
        // the conversion is exact for all values below 2⁵³
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
    fn to_floor(self) -> Self {
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
        // uses e^(−x) = 2^(−k)·2^(−f) with |f| ≤ 1/2
        let exponent = x.0 * LOG2_E;
        let rounded = exponent + ROUNDER;
        let power = power_of_half(Self(exponent - (rounded - ROUNDER)));
        // computes 256·2^(−k); the low bits of `rounded` are those of k
        let scale = Self(f64::from_bits(256f64.to_bits().wrapping_sub(rounded.to_bits() << 52)));
        let distance = (power * (scale * ccs)).0 - f64::from(byte);
        let (below, above) = (distance < -EXP_ERROR, distance >= 1.0 + EXP_ERROR);
        ct::public(below | above).then_some(ct::public(above))
    }
}

/// Computes 2^(−f) for |f| ≤ 1/2, with the power series up to f⁶.
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
    let high = (f.constant(SERIES[4]) + f.constant(SERIES[5]) * f) + f.constant(SERIES[6]) * square;
    let middle = f.constant(SERIES[2]) + f.constant(SERIES[3]) * f;
    (f.constant(SERIES[0]) + f.constant(SERIES[1]) * f) + square * middle + square * square * high
}

/// The largest error of 256·e^(−x) with [`power_of_half`], whose first omitted term is below 2⁻²².
pub(crate) const EXP_ERROR: f64 = 1.0 / 4096.0;

#[cfg(test)]
mod tests {
    use super::super::emulated::{Emulated, SIGN};
    use super::*;
    use std::vec::Vec;

    /// Returns doubles with short and long mantissas, near and far exponents, both signs, and zeroes.
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
    fn both_versions_agree_on_addition_subtraction_and_multiplication() {
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
    fn both_versions_agree_on_inverses_and_roots() {
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
    fn both_versions_agree_on_conversions() {
        for x in samples().into_iter().filter(|x| x.abs() < (1u64 << 50) as f64) {
            let (a, b) = pair(x);
            assert_eq!(
                (a.rint(), b.rint()),
                (x.round_ties_even() as i64, x.round_ties_even() as i64),
                "{x:e}"
            );
            assert_eq!((a.floor(), b.floor()), (x.floor() as i64, x.floor() as i64), "{x:e}");
            // adding 0.0 turns −0 into +0
            let floor = (x.floor() + 0.0).to_bits();
            assert_eq!([a.to_floor().to_bits(), b.to_floor().to_bits()], [floor; 2], "{x:e}");
            let (a, b) = pair(x.abs().fract());
            assert_eq!(a.to_fixed_63(), b.to_fixed_63(), "{x:e}");
        }
        for i in [0, 1, -1, 2047, -12289, (1 << 53) - 1, 1 - (1 << 53)] {
            assert_eq!(Native::from_int(i).to_bits(), Emulated::from_int(i).to_bits(), "{i}");
            assert_eq!(f64::from_bits(Emulated::from_int(i).to_bits()) as i64, i);
        }
    }
}
