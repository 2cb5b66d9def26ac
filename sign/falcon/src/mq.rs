//! Arithmetic modulo q = 12289, and the roots of the NTT, for verification and public keys.
//!
//! Residues are `i16`. Values in Montgomery form are multiplied by R = 2¹⁶, and [`mul`] divides by R.

use grille_core::ct;

/// The modulus q, Falcon section 3.4.
pub(crate) const Q: i16 = 12289;

/// The constant q⁻¹ mod 2¹⁶.
pub(crate) const Q_INVERSE: i16 = -12287;
const _: () = assert!(Q.wrapping_mul(Q_INVERSE) == 1);

/// The constant R² mod q.
const R2: i16 = ((1u64 << 32) % Q as u64) as i16;

/// The constant ⌊2²⁷/q⌉, for [`reduce`].
pub(crate) const BARRETT_FACTOR: i16 = 10922;
const _: () = assert!(BARRETT_FACTOR as i32 == ((1 << 27) + Q as i32 / 2) / Q as i32);

/// The root of unity ψ of order 2048. It is a power of 11, which generates all units.
const PSI: u64 = power(11, 12288 / 2048);
const _: () = assert!(power(PSI, 1024) == Q as u64 - 1, "ψ¹⁰²⁴ must be −1");

/// The powers of ψ, times R, within ±q/2. The exponent of the power at an index is this index with its ten
/// bits reversed.
pub(crate) static ZETAS: [i16; 1024] = zetas(PSI);

/// The inverses of the powers in `ZETAS`.
pub(crate) static INVERSE_ZETAS: [i16; 1024] = zetas(power(PSI, 2047));

const fn zetas(psi: u64) -> [i16; 1024] {
    let mut zetas = [0; 1024];
    let mut i = 0;
    while i < 1024 {
        let reversed = (i as u16).reverse_bits() >> 6;
        let zeta = power(psi, reversed as u64) * 65536 % Q as u64;
        zetas[i] = if zeta > Q as u64 / 2 { zeta as i16 - Q } else { zeta as i16 };
        i += 1;
    }
    zetas
}

/// Computes base^exponent mod q.
pub(crate) const fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut square, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % Q as u64;
        }
        square = square * square % Q as u64;
        exponent >>= 1;
    }
    result
}

/// Computes a·b/R in (−q, q), for |a·b| < 2¹⁵·q.
#[inline(always)]
pub(crate) fn mul(a: i16, b: i16) -> i16 {
    let high = ((i32::from(a) * i32::from(b)) >> 16) as i16;
    let quotient = a.wrapping_mul(b).wrapping_mul(Q_INVERSE);
    high - ((i32::from(quotient) * i32::from(Q)) >> 16) as i16
}

/// Returns the residue of smallest or second-smallest absolute value, within ±(q/2 + 8), for |a| ≤ 2.5q.
#[inline(always)]
pub(crate) fn reduce(a: i16) -> i16 {
    let high = ((i32::from(a) * i32::from(BARRETT_FACTOR)) >> 16) as i16;
    a - ((high + 1024) >> 11) * Q
}

/// Returns the residue in [0, q), for |a| < q.
#[inline(always)]
pub(crate) fn canonical(a: i16) -> i16 {
    a + (ct::mask(a >> 15) & Q)
}

/// Returns the residue of smallest absolute value, for `a` in [0, q).
#[inline(always)]
fn center_residue(a: i16) -> i16 {
    a - (ct::mask((Q / 2 - a) >> 15) & Q)
}

/// Returns the roots of a layer of [`ntt`](crate::ntt::ntt), or of its inverse, with `blocks` blocks. If there are fewer than
/// sixteen roots, the sequence is repeated up to sixteen elements.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn layer_roots(inverse: bool, blocks: usize) -> &'static [i16] {
    let (first, all) = if inverse { (&FIRST_INVERSE_ZETAS, &INVERSE_ZETAS) } else { (&FIRST_ZETAS, &ZETAS) };
    first.get(blocks.ilog2() as usize).map_or(&all[blocks..2 * blocks], |repeated| repeated)
}

/// Returns the roots of the layers with 1, 2, 4 and 8 blocks, repeated up to sixteen elements.
#[cfg(target_arch = "x86_64")]
const fn repeated(all: &[i16; 1024]) -> [[i16; 16]; 4] {
    let mut repeated = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        let blocks = 1 << (i / 16);
        repeated[i / 16][i % 16] = all[blocks + i % blocks];
        i += 1;
    }
    repeated
}

#[cfg(target_arch = "x86_64")]
static FIRST_ZETAS: [[i16; 16]; 4] = repeated(&zetas(PSI));
#[cfg(target_arch = "x86_64")]
static FIRST_INVERSE_ZETAS: [[i16; 16]; 4] = repeated(&zetas(power(PSI, 2047)));

/// Converts to Montgomery form, in (−q, q), for |a| < 2q.
#[inline(always)]
pub(crate) fn to_montgomery(a: &mut [i16]) {
    a.iter_mut().for_each(|a| *a = mul(*a, R2));
}

/// Computes a ∘ b divided by R, in (−q, q), for |a|, |b| ≤ 1.51q.
#[inline(always)]
pub(crate) fn multiply(a: &mut [i16], b: &[i16]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = mul(reduce(*a), *b));
}

/// Computes a ← a − b as residues of smallest absolute value, for a and b in [0, q).
#[inline(always)]
pub(crate) fn subtract_centered(a: &mut [i16], b: &[i16]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = center_residue(canonical(*a - b)));
}

/// Replaces each residue by the one of smallest absolute value, for a in [0, q).
#[inline(always)]
pub(crate) fn center(a: &mut [i16]) {
    a.iter_mut().for_each(|a| *a = center_residue(*a));
}

/// Returns the sum of the squared values.
#[inline(always)]
pub(crate) fn squared_norm(a: &[i16]) -> u64 {
    a.iter().map(|a| i32::from(*a).pow(2) as u64).sum()
}

/// Computes a ← a⁻¹ as a to the power of q − 2, in constant time. Input and result are in Montgomery form.
/// The result for 0 is 0.
#[inline(always)]
pub(crate) fn invert(a: &mut [i16]) {
    for a in a {
        let (base, mut result) = (*a, *a);
        // q − 2 = 0b10111111111111
        for bit in (0..13).rev() {
            result = mul(result, result);
            if (Q - 2) >> bit & 1 == 1 {
                result = mul(result, base);
            }
        }
        *a = result;
    }
}

/// Checks whether a residue is 0, in constant time, for |a| < q.
#[inline(always)]
pub(crate) fn has_zero(a: &[i16]) -> bool {
    let zero = a.iter().fold(0, |zero, a| zero | (u32::from(canonical(*a) as u16).wrapping_sub(1) >> 31));
    ct::opaque(zero) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn residue(a: i16) -> i64 {
        i64::from(a).rem_euclid(i64::from(Q))
    }

    #[test]
    fn reduce_is_exact_everywhere() {
        for a in -5 * (Q / 2)..=5 * (Q / 2) {
            let reduced = reduce(a);
            assert_eq!(residue(reduced), residue(a), "{a}");
            assert!(reduced.abs() <= Q / 2 + 8, "{a}");
        }
    }

    #[test]
    fn mul_is_exact_for_all_operands_of_the_ntt() {
        for b in -(Q / 2)..=Q / 2 {
            let is_exact = |a: i16| {
                let product = i32::from(mul(a, b));
                let difference = (product << 16) - i32::from(a) * i32::from(b);
                (difference % i32::from(Q) == 0) & (product.abs() < i32::from(Q))
            };
            // there is no early exit, so that the compiler can test several values at a time
            assert!((1 - 2 * Q..2 * Q).fold(true, |all, a| all & is_exact(a)), "{b}");
        }
    }

    #[test]
    fn centered_and_canonical_are_exact_everywhere() {
        for a in 0..Q {
            let small = center_residue(a);
            assert_eq!(residue(small), i64::from(a));
            assert!(small.abs() <= Q / 2);
            assert_eq!(canonical(small), a);
        }
    }

    #[test]
    fn inverses_are_inverses() {
        let mut all: Vec<i16> = (0..Q).collect();
        assert!(has_zero(&all) && !has_zero(&all[1..]));
        to_montgomery(&mut all);
        let mut inverses = all.clone();
        invert(&mut inverses);
        multiply(&mut inverses, &all);
        let one = (65536 % 12289) as i16;
        assert_eq!(canonical(inverses[0]), 0);
        assert!(inverses[1..].iter().all(|product| canonical(*product) == one));
    }
}
