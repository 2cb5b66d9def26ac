//! IEEE 754 doubles as their bits, computed with integers. No branch and no index depends on a value. Some
//! shift amounts below 32 depend on values. On processors with a barrel shifter, shifts take constant time.
//!
//! Every mask and every 0 or 1 that is derived from a value is hidden from the compiler, because compilers
//! turned such values into branches on RISC-V and s390x.

use super::flr::{Number, Real, double};
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::ct;

/// A double as its bits, computed with integers in constant time.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
#[allow(unreachable_pub, reason = "a target with double arithmetic uses the other one, except in tests")]
pub struct Emulated(u64);

double! {
    Emulated
    Add add |a, b| add(a, b);
    Sub sub |a, b| add(a, negate(b));
    Mul mul |a, b| multiply(a, b);
    Neg neg |a| negate(a);
}

impl Real for Emulated {
    fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    fn to_bits(self) -> u64 {
        self.0
    }

    fn from_int(i: i64) -> Self {
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

    fn to_floor(self) -> Self {
        Self::from_int(self.floor())
    }

    /// Returns `None`, because an estimate would take as long as the exact value.
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

pub(super) const SIGN: u64 = 1 << 63;

const fn negate(x: u64) -> u64 {
    x ^ SIGN
}

/// Returns the biased exponent e, where x = m·2^(e − 1075).
fn exponent(x: u64) -> i32 {
    (x >> 52) as i32 & 0x7FF
}

/// Returns the 53-bit mantissa m, or 0 for zero.
fn mantissa(x: u64) -> u64 {
    let normal = is_nonzero(exponent(x) as u64);
    x & ((1 << 52) - 1) | normal << 52
}

/// Returns the magnitude with the sign of `x`.
fn with_sign(magnitude: u64, x: u64) -> i64 {
    let sign = ct::opaque((x as i64) >> 63);
    (magnitude as i64 ^ sign) - sign
}

/// Returns all ones if a < b, else zero, for a and b below 2⁶³.
fn mask_less(a: u64, b: u64) -> u64 {
    ct::opaque((a.wrapping_sub(b) as i64 >> 63) as u64)
}

/// Returns 1 if a ≠ 0, else 0.
fn is_nonzero(a: u64) -> u64 {
    ct::opaque((a | a.wrapping_neg()) >> 63)
}

/// Returns all ones if n ≥ 32, else zero, for n < 64.
fn mask_at_least_32(n: i32) -> u64 {
    ct::opaque((n as u64 >> 5 & 1).wrapping_neg())
}

/// Computes x·2⁻ⁿ, rounded down, which is 0 for n ≥ 64. Shifts in steps, because not every processor shifts
/// 64 bits in constant time.
fn shift_right(x: u64, n: i32) -> u64 {
    let halved = x ^ ((x ^ x >> 32) & mask_at_least_32(n));
    (halved >> (n & 31)) & mask_less(n as u64, 64)
}

/// Computes x·2⁻ⁿ, rounded down. The lowest bit of the result is also set if a nonzero bit was shifted out.
fn shift_right_sticky(x: u64, n: i32) -> u64 {
    let cut = shift_right(x, n);
    let back = (cut ^ ((cut ^ cut << 32) & mask_at_least_32(n))) << (n & 31);
    cut | is_nonzero(x ^ back & mask_less(n as u64, 64))
}

/// Returns 1 if a number must be rounded up: to nearest, with ties to even. The number has two bits more than
/// the mantissa. The last bit is sticky: it is set if a nonzero bit below it was dropped.
fn round_up(x: u64) -> u64 {
    0b1100_1000 >> (x & 7) & 1
}

/// Returns m·2ⁿ with its highest bit set, and n. For m = 0, n is arbitrary. Shifts in steps, because not
/// every processor has an instruction to count leading zeroes.
fn normalize(m: u64) -> (u64, i32) {
    let (mut m, mut n) = (m, 0);
    for step in [32, 16, 8, 4, 2, 1] {
        let is_low = is_nonzero(m >> (64 - step)).wrapping_sub(1);
        m ^= (m ^ m << step) & is_low;
        n += step & is_low as i32;
    }
    (m, n)
}

/// Returns ±m·2^e, rounded.
fn round(sign: u64, e: i32, m: u64) -> u64 {
    let (top, zeroes) = normalize(m);
    // keeps 55 bits, two more than the mantissa has
    let m = top >> 9 | is_nonzero(top & 0x1FF);
    let biased = (e - zeroes + 9 + 1076) as u64;
    let x = (biased << 52).wrapping_add(m >> 2) + round_up(m);
    sign | x & is_nonzero(m).wrapping_neg()
}

fn add(a: u64, b: u64) -> u64 {
    let swap = (a ^ b) & mask_less(a & !SIGN, b & !SIGN);
    let (large, small) = (a ^ swap, b ^ swap);
    let aligned = shift_right_sticky(mantissa(small) << 10, exponent(large) - exponent(small));
    let opposite = ct::opaque((((large ^ small) as i64) >> 63) as u64);
    let sum = (mantissa(large) << 10).wrapping_add((aligned ^ opposite).wrapping_sub(opposite));
    // x − x gives +0
    let sign = large & SIGN & (is_nonzero(sum).wrapping_neg() | small);
    round(sign, exponent(large) - 1085, sum)
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(mantissa(a)) * u128::from(mantissa(b));
    let m = (product >> 43) as u64 | is_nonzero(product as u64 & ((1 << 43) - 1));
    round((a ^ b) & SIGN, exponent(a) + exponent(b) - 2150 + 43, m)
}

/// Computes a/b, for b ≠ 0.
fn divide(a: u64, b: u64) -> u64 {
    let (mut rest, divisor) = (mantissa(a), mantissa(b));
    let mut quotient = 0;
    // computes ⌊a·2⁵⁶/b⌋ bit by bit
    for _ in 0..57 {
        let fits = !mask_less(rest, divisor);
        rest = (rest - (divisor & fits)) << 1;
        quotient = quotient << 1 | fits & 1;
    }
    round((a ^ b) & SIGN, exponent(a) - exponent(b) - 56, quotient | is_nonzero(rest))
}

/// Computes √a, for a ≥ 0.
fn square_root(a: u64) -> u64 {
    let odd = (exponent(a) - 1075) & 1;
    let square = u128::from(mantissa(a) << odd) << 56;
    let mut root = 0u64;
    for bit in (0..56).rev() {
        let next = u128::from(root | 1 << bit);
        let too_large = ct::opaque((square.wrapping_sub(next * next) >> 127) as u64);
        root |= (1 ^ too_large) << bit;
    }
    let rest = square - u128::from(root) * u128::from(root);
    // the square is a·2^(1075 − e + odd + 56)
    round(0, (exponent(a) - 1075 - odd - 56) >> 1, root | is_nonzero(rest as u64 | (rest >> 64) as u64))
}

/// Computes √x, for x ≥ 0.
#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")))]
pub(super) fn sqrt(x: f64) -> f64 {
    f64::from_bits(square_root(x.to_bits()))
}

/// Returns the integer part of x, for 0 ≤ x < 2⁶³.
#[cfg(any(test, not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))))]
pub(super) fn truncate(x: f64) -> i64 {
    // computes ⌊(x/2⁶³)·2⁶³⌋
    shift_right(mantissa(x.to_bits()) << 11, 1023 + 63 - exponent(x.to_bits())) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_every_magnitude() {
        for shift in 0..63 {
            let power = 1i64 << shift;
            for i in [power, power + power / 3, power + (power - 1)] {
                let x = i as f64;
                // the conversion may have rounded up to 2⁶³
                if x < 2f64.powi(63) {
                    assert_eq!(truncate(x), x as i64, "{x:e}");
                    assert_eq!(truncate(x / 1024.0), (x / 1024.0) as i64, "{x:e}/1024");
                }
            }
        }
        assert_eq!((truncate(0.0), truncate(0.75), truncate(f64::MIN_POSITIVE)), (0, 0, 0));
    }
}
