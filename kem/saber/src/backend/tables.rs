//! The two primes, and the roots of unity that the transforms use.
//!
//! All factors are in Montgomery form: ζ·R mod q in (−q/2, q/2), where R = 2¹⁶. Each factor is stored with
//! its product with q⁻¹ modulo R.

use crate::ring::Row;

/// The primes qᵢ. Each qᵢ − 1 is a multiple of 512.
pub(super) const Q: [i16; 2] = [7681, 10753];
/// A root ψ of order 512 for each prime. A test checks that ψ²⁵⁶ = −1.
const PSI: [i32; 2] = [62, 10];

/// A factor for each lane, and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent
/// multiplications.
#[repr(C, align(64))]
pub(super) struct Factor {
    pub(super) value: Row,
    pub(super) by_q_inv: Row,
}

/// The factors of four layers on 16 rows. Layer d, for d from 0 to 3, uses the factors with the indices 2^d to
/// 2^(d+1) − 1. The factor with index 0 is used only in the last layer of the inverse transform.
pub(super) type Factors = [Factor; 16];

/// The modulus q of each lane.
pub(super) static MODULI: Row = lanes(Q);
/// The inverse q⁻¹ modulo R of each lane.
pub(super) static Q_INVERSES: Row = INVERSES;
const INVERSES: Row = lanes([q_inv(0), q_inv(1)]);
/// The constant R modulo q. A Montgomery multiplication by this factor reduces a number.
pub(super) static ONE: Factor = factor(lanes([montgomery(1, 0), montgomery(1, 1)]));
/// The factors of layers 1 to 4, with distances of 8, 4, 2 and 1 rows.
pub(super) static LAYERS_1_TO_4: Factors = factors(false, false);
/// The factors of layers 5 to 8, which run after the transposition.
pub(super) static LAYERS_5_TO_8: Factors = factors(true, false);
/// The factors of the inverse of [`LAYERS_5_TO_8`].
pub(super) static INVERSE_LAYERS_5_TO_8: Factors = factors(true, true);
/// The factors of the inverse of [`LAYERS_1_TO_4`]. Its last layer also multiplies by R/256, because the inverse
/// transform divides by 256 and a product contains the factor R⁻¹.
pub(super) static INVERSE_LAYERS_1_TO_4: Factors = with_final_scaling(factors(false, true));
/// The constant q₁⁻¹ modulo q₂ in Montgomery form, with its product with q₂⁻¹ modulo R, for the Chinese
/// remainder theorem.
pub(super) const Q1_INVERSE: [i16; 2] = {
    let value = montgomery(power(Q[0] as i32, Q[1] as i32 - 2, 1), 1);
    [value, value.wrapping_mul(q_inv(1))]
};

/// Returns the first value in the lanes of the first prime, and the second value in the other lanes.
const fn lanes(values: [i16; 2]) -> Row {
    let mut row = [values[0]; 32];
    let mut lane = 16;
    while lane < 32 {
        row[lane] = values[1];
        lane += 1;
    }
    row
}

/// Computes qᵢ⁻¹ modulo R with Newton's iteration. Each step doubles the number of correct bits.
const fn q_inv(prime: usize) -> i16 {
    let (q, mut inverse, mut step) = (Q[prime], 1_i16, 0);
    while step < 4 {
        inverse = inverse.wrapping_mul(2_i16.wrapping_sub(q.wrapping_mul(inverse)));
        step += 1;
    }
    assert!(q.wrapping_mul(inverse) == 1);
    inverse
}

/// Computes baseᵉ modulo qᵢ, in [0, qᵢ).
const fn power(base: i32, mut e: i32, prime: usize) -> i32 {
    let (q, mut result, mut square) = (Q[prime] as i32, 1, base);
    while e > 0 {
        if e % 2 == 1 {
            result = result * square % q;
        }
        square = square * square % q;
        e /= 2;
    }
    result
}

/// Computes x·R modulo qᵢ, in (−qᵢ/2, qᵢ/2). x is in [0, qᵢ).
const fn montgomery(x: i32, prime: usize) -> i16 {
    let q = Q[prime] as i32;
    let residue = (((x as i64) << 16) % q as i64) as i32;
    (if residue > q / 2 { residue - q } else { residue }) as i16
}

/// Returns ψ^BitRev₈(k), inverted if `inverse`, in [0, qᵢ).
const fn zeta(k: usize, inverse: bool, prime: usize) -> i32 {
    let e = (k as u8).reverse_bits() as i32;
    power(PSI[prime], if inverse { 512 - e } else { e }, prime)
}

/// Returns the factor with the given value of each lane.
const fn factor(values: Row) -> Factor {
    let (mut by_q_inv, mut lane) = ([0; 32], 0);
    while lane < 32 {
        by_q_inv[lane] = values[lane].wrapping_mul(INVERSES[lane]);
        lane += 1;
    }
    Factor { value: values, by_q_inv }
}

/// Returns the factors of layers 1 to 4 or, if `is_transposed` is set, of layers 5 to 8, which run after the
/// transposition. If `inverse` is set, returns the inverses of these factors.
///
/// Let d = 0, 1, 2, 3 count the four layers. Layer d splits each of 2^d blocks of rows, and block p uses the
/// factor with index 2^d + p. This factor is a root [`zeta`] with an index k. In layers 1 to 4, k is 2^d + p in
/// all lanes. In layers 5 to 8, k is 2^(4+d) + 2^d·r + p in lane r.
const fn factors(is_transposed: bool, inverse: bool) -> Factors {
    let mut table = [const { factor(lanes([montgomery(1, 0), montgomery(1, 1)])) }; 16];
    let mut n = 1_usize;
    while n < 16 {
        let depth = n.ilog2() as usize;
        let mut values = [0; 32];
        let mut lane = 0;
        while lane < 32 {
            let (prime, r) = (lane / 16, lane % 16);
            let k = if is_transposed { (16 << depth) + (r << depth) + n - (1 << depth) } else { n };
            values[lane] = montgomery(zeta(k, inverse, prime), prime);
            lane += 1;
        }
        table[n] = factor(values);
        n += 1;
    }
    table
}

/// Replaces the factor 1 by R/256 for the sums of the last layer, and multiplies the factor for the
/// differences by R/256.
const fn with_final_scaling(mut table: Factors) -> Factors {
    let (mut sums, mut differences) = ([0; 2], [0; 2]);
    let mut prime = 0;
    while prime < 2 {
        let q = Q[prime] as i32;
        let r_by_256 = power(2, 8, prime);
        sums[prime] = montgomery(r_by_256, prime);
        differences[prime] = montgomery(zeta(1, true, prime) * r_by_256 % q, prime);
        prime += 1;
    }
    table[0] = factor(lanes(sums));
    table[1] = factor(lanes(differences));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_order_512() {
        for prime in 0..2 {
            assert_eq!(power(PSI[prime], 256, prime), i32::from(Q[prime]) - 1, "ψ²⁵⁶ = −1");
        }
    }

    #[test]
    fn primes_cover_every_sum_of_products() {
        let q = Q.map(i64::from);
        // l·256·2¹²·μ/2 has the same value for l = 3 and 4, and is smaller for l = 2
        let bound = 12 << 20;
        // the sum and the result of `ntt::combine` on its residues differ by less than q₁·q₂, so they are
        // equal
        assert!(bound + (1 << 15) + q[0] * (3 * q[1] / 4) < q[0] * q[1]);
    }
}
