//! Arithmetic modulo q, FIPS 203 section 2.3, on `i16` with Montgomery products (R = 2¹⁶).
//!
//! Coefficients are reduced lazily. Each function states the ranges of its inputs and outputs.

use grille_core::ct;

/// The modulus q = 2⁸·13 + 1, FIPS 203 section 2.4.
pub(crate) const Q: i16 = 3329;
const _: () = assert!(Q == (1 << 8) * 13 + 1);

/// The constant ζ, a 256th root of unity modulo q, FIPS 203 section 4.3.
pub(crate) const ZETA: i32 = 17;

/// The inverse q⁻¹ mod± 2¹⁶.
pub(crate) const Q_INV: i16 = -3327;
const _: () = assert!(Q.wrapping_mul(Q_INV) == 1);

/// The constant R² mod q, the factor that converts a residue to Montgomery form.
pub(crate) const R2: i16 = ((1i64 << 32) % Q as i64) as i16;

/// The constant R²/128 mod q, the final factor of the inverse NTT. It also restores the factor R that the
/// preceding product lost.
pub(crate) const INVERSE_NTT_FACTOR: i16 = {
    // 128⁻¹ = −(q − 1)/128 mod q
    const INV_128: i32 = Q as i32 - (Q as i32 - 1) / 128;
    const _: () = assert!((INV_128 * 128) % Q as i32 == 1);
    (R2 as i32 * INV_128 % Q as i32) as i16
};

/// Computes a·R⁻¹ mod q in (−q, q), for |a| < 2¹⁵·q. For larger a, the bound is |a|/2¹⁶ + q/2.
#[inline(always)]
pub(crate) const fn montgomery_reduce(a: i32) -> i16 {
    let t = (a as i16).wrapping_mul(Q_INV);
    // a − t·q is divisible by 2¹⁶
    ((a - t as i32 * Q as i32) >> 16) as i16
}

/// Computes a·b·R⁻¹ mod q in (−q, q), for |a| < q.
#[inline(always)]
pub(crate) const fn montgomery_multiply(a: i16, b: i16) -> i16 {
    montgomery_reduce(a as i32 * b as i32)
}

/// Reduces any `i16` to [−(q − 1)/2, (q − 1)/2], by Barrett's method.
#[inline(always)]
pub(crate) const fn reduce(a: i16) -> i16 {
    /// The factor ⌊2²⁶/q + 1/2⌋.
    const V: i32 = ((1 << 26) + Q as i32 / 2) / Q as i32;
    let t = (V * a as i32 + (1 << 25)) >> 26;
    a.wrapping_sub((t as i16).wrapping_mul(Q))
}

/// Maps a residue in (−q, q) to [0, q).
#[inline(always)]
pub(crate) const fn add_q_if_negative(a: i16) -> i16 {
    a + (ct::mask(a >> 15) & Q)
}

/// The factors ζ^BitRev₇(i)·R mod± q for i = 0, …, 127: FIPS 203 Appendix A in Montgomery form.
pub(crate) const ZETAS: [i16; 128] = zetas(1, 0);

/// The factors ζ^(2·BitRev₇(i) + 1)·R mod± q for i = 0, …, 127, FIPS 203 Algorithm 11.
pub(crate) const GAMMAS: [i16; 128] = zetas(2, 1);

/// Returns ζ^(`factor`·BitRev₇(i) + `offset`)·R mod± q for i = 0, …, 127.
const fn zetas(factor: u32, offset: u32) -> [i16; 128] {
    let mut zetas = [0; 128];
    let mut i = 0;
    while i < 128 {
        let exponent = factor * ((i as u8).reverse_bits() >> 1) as u32 + offset;
        let (mut power, mut n) = ((1i32 << 16) % Q as i32, 0);
        while n < exponent {
            power = power * ZETA % Q as i32;
            n += 1;
        }
        zetas[i] = if power > Q as i32 / 2 { power - Q as i32 } else { power } as i16;
        i += 1;
    }
    zetas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduce_is_exact_and_centred_everywhere() {
        for a in i16::MIN..=i16::MAX {
            let r = reduce(a);
            assert_eq!((i32::from(a) - i32::from(r)) % i32::from(Q), 0, "{a}");
            assert!(r.abs() <= Q / 2, "{a} becomes {r}");
        }
    }

    #[test]
    fn montgomery_reduce_divides_by_r_within_its_bound() {
        let bound = i32::from(Q) << 15;
        for a in -bound + 1..bound {
            let r = montgomery_reduce(a);
            assert!(-Q < r && r < Q, "{a} becomes {r}");
            assert_eq!(((i64::from(r) << 16) - i64::from(a)) % i64::from(Q), 0, "{a}");
        }
    }

    #[test]
    fn add_q_if_negative_is_canonical_everywhere() {
        for a in -Q + 1..Q {
            assert_eq!(add_q_if_negative(a), a.rem_euclid(Q));
        }
    }

    #[test]
    fn zetas_match_the_standard() {
        let plain = |zeta: i16| add_q_if_negative(montgomery_multiply(zeta, 1));
        // FIPS 203 Appendix A
        assert_eq!(ZETAS.map(plain)[..8], [1, 1729, 2580, 3289, 2642, 630, 1897, 848]);
        assert_eq!(GAMMAS.map(plain)[..4], [17, 3312, 2761, 568]);
    }
}
