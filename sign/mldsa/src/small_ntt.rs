//! Products with small coefficients, c·s1 and c·s2, computed modulo a prime of 13 bits.
//!
//! No coefficient of c·s1 and c·s2 exceeds β = τ·η ≤ 196 in absolute value, so the products are exact modulo any p >
//! 2β. With p = 7681, which has 512th roots of unity like q, each coefficient fits in sixteen bits. A vector then holds
//! twice as many coefficients, and a product takes a third of the instructions.
//!
//! Deviation from the standard, which computes modulo q. The resulting integers are equal.

use crate::poly::{N, Zero};
use zeroize::{Zeroize, optimization_barrier};

/// The prime p = 15·512 + 1.
pub(crate) const P: i16 = 7681;

/// A polynomial's image under the NTT modulo p, in the order of FIPS 204 Algorithm 41.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct SmallNttPoly(pub(crate) [i16; N]);

impl Zero for SmallNttPoly {
    const ZERO: Self = Self([0; N]);
}

impl Zeroize for SmallNttPoly {
    fn zeroize(&mut self) {
        self.0.fill(0);
        optimization_barrier(&self.0);
    }
}

/// The inverse p⁻¹ mod± 2¹⁶.
pub(crate) const P_INV: i16 = -7679;
const _: () = assert!(P.wrapping_mul(P_INV) == 1);

/// The number 1 in Montgomery form, R = 2¹⁶ mod± p. [`multiply`] by this factor preserves a residue and makes it small.
pub(crate) const ONE: i16 = mod_pm(1 << 16);

/// The constant R²/256 mod± p, the final factor of the inverse NTT. It also restores the factor R that the
/// preceding product lost.
pub(crate) const INVERSE_FACTOR: i16 = {
    // 256⁻¹ = −(p − 1)/256 mod p
    const INV_256: i64 = P as i64 - (P as i64 - 1) / 256;
    const _: () = assert!(INV_256 * 256 % P as i64 == 1);
    mod_pm((1i64 << 32) % P as i64 * INV_256)
};

/// Computes a·b·R⁻¹ mod p for |a·b| < 2³⁰. The absolute value is at most |a·b|/2¹⁶ + p/2 + 1.
#[inline(always)]
pub(crate) const fn multiply(a: i32, b: i16) -> i32 {
    let product = a * b as i32;
    let t = (product as i16).wrapping_mul(P_INV);
    // a·b − t·p is divisible by 2¹⁶
    (product - t as i32 * P as i32) >> 16
}

/// The factors ζ^brv₈(m)·R mod± p for m = 0, …, 255, where ζ is a 512th root of unity modulo p.
pub(crate) const ZETAS: [i16; N] = {
    /// The smallest 512th root of unity.
    const ZETA: i64 = 62;
    let mut zetas = [0; N];
    let mut power = ONE as i64;
    let mut exponent = 0;
    while exponent < N {
        zetas[(exponent as u8).reverse_bits() as usize] = mod_pm(power);
        power = power * ZETA % P as i64;
        exponent += 1;
    }
    // ζ²⁵⁶ = −1
    assert!(mod_pm(power + ONE as i64) == 0);
    zetas
};

/// Computes a mod± p.
const fn mod_pm(a: i64) -> i16 {
    let a = (a % P as i64) as i16;
    if a > P / 2 {
        a - P
    } else if a < -(P / 2) {
        a + P
    } else {
        a
    }
}

/// The factors of a layer within vectors, and their products with p⁻¹ modulo R. The factor is a power of ζ
/// for the higher element of each pair, and 1 for the lower element.
#[cfg(target_arch = "x86_64")]
#[repr(C, align(64))]
pub(crate) struct Factors(pub(crate) [[i16; N]; 2]);

/// The factors of the layers len = 1, 2, 4, 8 and 16.
#[cfg(target_arch = "x86_64")]
pub(crate) static FORWARD: [Factors; 5] = factors(false);

/// The factors of the inverse NTT, which uses the powers of −ζ in descending order of m; see [`FORWARD`].
#[cfg(target_arch = "x86_64")]
pub(crate) static INVERSE: [Factors; 5] = factors(true);

#[cfg(target_arch = "x86_64")]
const fn factors(inverse: bool) -> [Factors; 5] {
    let mut tables = [const { Factors([[0; N]; 2]) }; 5];
    let mut layer = 0;
    while layer < 5 {
        let (len, blocks) = (1 << layer, 128 >> layer);
        let mut i = 0;
        while i < N {
            let block = i / (2 * len);
            let factor = if i & len == 0 {
                ONE
            } else if inverse {
                -ZETAS[2 * blocks - 1 - block]
            } else {
                ZETAS[blocks + block]
            };
            tables[layer].0[0][i] = factor;
            tables[layer].0[1][i] = factor.wrapping_mul(P_INV);
            i += 1;
        }
        layer += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_reduced_within_their_bound() {
        for a in (-(1 << 18)..1 << 18).step_by(37) {
            for b in (-P / 2..=P / 2).step_by(101).chain([ONE, INVERSE_FACTOR]) {
                let product = a * i32::from(b);
                let r = multiply(a, b);
                assert_eq!((i64::from(r) * 65_536 - i64::from(product)) % i64::from(P), 0);
                assert!(r.abs() <= product.abs() / 65_536 + i32::from(P / 2) + 1);
            }
        }
    }
}
