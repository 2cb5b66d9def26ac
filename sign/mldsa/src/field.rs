//! Arithmetic modulo q, FIPS 204 sections 2.3 and 2.5, on `i32` with Montgomery products (R = 2³²).
//!
//! Coefficients are reduced lazily. Each function states the ranges of its inputs and outputs.

use grille_core::ct;

/// The modulus q = 2²³ − 2¹³ + 1, FIPS 204 Table 1.
pub(crate) const Q: i32 = 8_380_417;
const _: () = assert!(Q == (1 << 23) - (1 << 13) + 1);

/// The constant ζ, a 512th root of unity modulo q, FIPS 204 Table 1.
pub(crate) const ZETA: i32 = 1753;

/// The inverse q⁻¹ mod± 2³².
pub(crate) const Q_INV: i32 = inverse_of_q();
const _: () = assert!(Q.wrapping_mul(Q_INV) == 1);

/// The constant R² mod± q, the factor that converts a residue to Montgomery form.
const R2: i32 = mod_pm(((1i128 << 64) % Q as i128) as i64);

/// The constant R²/256 mod± q, the final factor of the inverse NTT. It also restores the factor R that the
/// preceding product lost.
pub(crate) const INVERSE_NTT_FACTOR: i32 = {
    // 256⁻¹ = −(q − 1)/256 mod q
    const INV_256: i64 = Q as i64 - (Q as i64 - 1) / 256;
    const _: () = assert!((INV_256 * 256) % Q as i64 == 1);
    mod_pm(R2 as i64 * INV_256)
};

/// Computes a·R⁻¹ mod q in (−q, q), for |a| < 2³¹·q = 256·q² and slightly larger a.
///
/// The absolute value of the result is at most |a|/2³² + q/2.
#[inline(always)]
pub(crate) const fn montgomery_reduce(a: i64) -> i32 {
    let t = (a as i32).wrapping_mul(Q_INV);
    // a − t·q is divisible by 2³²
    ((a - t as i64 * Q as i64) >> 32) as i32
}

/// Computes a·b·R⁻¹ mod q in (−q, q), for |a·b| < 2³¹·q.
#[inline(always)]
pub(crate) const fn montgomery_multiply(a: i32, b: i32) -> i32 {
    montgomery_reduce(a as i64 * b as i64)
}

/// Reduces a ≤ 2³¹ − 2²² − 1 to [−6283008, 6283008].
///
/// Maps a value v + m·q with |v| < 2²¹ and |m| ≤ 2 to v.
#[inline(always)]
pub(crate) const fn reduce(a: i32) -> i32 {
    let t = (a + (1 << 22)) >> 23;
    a - t * Q
}

/// Maps a residue in (−q, q) to [0, q).
#[inline(always)]
pub(crate) const fn add_q_if_negative(a: i32) -> i32 {
    a + (ct::mask(a >> 31) & Q)
}

/// The factors ζ^brv₈(m)·R mod± q for m = 0, …, 255: the table of FIPS 204 Appendix B in Montgomery form.
pub(crate) const ZETAS: [i32; 256] = {
    let mut zetas = [0; 256];
    let mut power = montgomery_multiply(1, R2);
    let mut exponent = 0;
    while exponent < 256 {
        zetas[(exponent as u8).reverse_bits() as usize] = mod_pm(power as i64);
        power = montgomery_multiply(power, montgomery_multiply(ZETA, R2));
        exponent += 1;
    }
    zetas
};

/// Returns the power of ζ for block `block` among the `blocks` blocks of a layer. The inverse NTT uses the
/// powers of a layer in descending order.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn zeta_at(blocks: usize, block: usize, inverse: bool) -> i32 {
    ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }]
}

/// Returns a factor and its product with q⁻¹ modulo R.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn with_q_inv(value: i32) -> [i32; 2] {
    [value, value.wrapping_mul(Q_INV)]
}

/// Computes a mod± q, FIPS 204 section 2.3, in (−q/2, q/2].
const fn mod_pm(a: i64) -> i32 {
    let a = (a % Q as i64) as i32;
    if a > Q / 2 {
        a - Q
    } else if a < -(Q / 2) {
        a + Q
    } else {
        a
    }
}

/// Computes q⁻¹ with Newton's iteration. Each step doubles the number of correct low bits, starting with
/// three bits, because q·q = 1 mod 8.
const fn inverse_of_q() -> i32 {
    let mut x = Q;
    let mut bits = 3;
    while bits < 32 {
        x = x.wrapping_mul(2i32.wrapping_sub(Q.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduce_is_exact_at_both_ends_and_between() {
        let dense = (i32::MIN..i32::MAX - (1 << 22)).step_by(997);
        for a in dense.chain([i32::MIN, i32::MAX - (1 << 22), 0, Q, -Q]) {
            let r = reduce(a);
            assert_eq!((i64::from(a) - i64::from(r)) % i64::from(Q), 0, "{a}");
            assert!((-6_283_008..=6_283_008).contains(&r), "{a} becomes {r}");
        }
    }

    #[test]
    fn reduce_recovers_small_values() {
        for v in -(1 << 21) + 1..1 << 21 {
            for m in -2..=2 {
                assert_eq!(reduce(v + m * Q), v);
            }
        }
    }

    #[test]
    fn add_q_if_negative_is_canonical_everywhere() {
        for a in -Q + 1..Q {
            assert_eq!(add_q_if_negative(a), a.rem_euclid(Q));
        }
    }

    #[test]
    fn montgomery_reduce_divides_by_r_within_its_bound() {
        let bound = i64::from(Q) << 31;
        let step = bound / 1_000_003;
        let mut a = -bound + 1;
        while a < bound {
            let r = montgomery_reduce(a);
            assert!(-Q < r && r < Q, "{a} becomes {r}");
            assert_eq!((i128::from(r) * (1 << 32) - i128::from(a)) % i128::from(Q), 0, "{a}");
            a += step;
        }
    }

    #[test]
    fn zetas_match_the_standard() {
        let plain = ZETAS.map(|zeta| add_q_if_negative(montgomery_multiply(zeta, 1)));
        // FIPS 204 Appendix B
        assert_eq!(
            plain[..8],
            [1, 4_808_194, 3_765_607, 3_761_513, 5_178_923, 5_496_691, 5_234_739, 5_178_987]
        );
        let mut power = 1;
        for exponent in 0..=255u8 {
            assert_eq!(i64::from(plain[usize::from(exponent.reverse_bits())]), power);
            power = power * i64::from(ZETA) % i64::from(Q);
        }
    }
}
