//! The NTT modulo q = 12289.

use crate::backend;
use crate::mq::{Q, canonical, mul, power};
use grille_hash::Level;

/// Computes the NTT in place: maps an element of Z_q\[x\]/(xⁿ + 1) to n residues in bit-reversed order. The
/// input satisfies |a| < q, and the results are within ±1.51q.
///
/// `spare` is working memory of n values, which is overwritten.
#[inline(always)]
pub(crate) fn ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    backend::ntt(level, a, spare);
}

/// Computes the inverse of [`ntt`]. The input satisfies |a| < q, and the result is in [0, q). `spare` is
/// working memory of n values, which is overwritten.
#[inline(always)]
pub(crate) fn inverse_ntt(level: Level, a: &mut [i16], spare: &mut [i16]) {
    backend::inverse_ntt(level, a, spare);
    // the factor is R/n, because `mul` divides by R
    let scale = (power(a.len() as u64, Q as u64 - 2) * 65536 % Q as u64) as i16;
    a.iter_mut().for_each(|a| *a = canonical(mul(*a, scale)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mq::{multiply, to_montgomery};

    fn residue(a: i16) -> i64 {
        i64::from(a).rem_euclid(i64::from(Q))
    }

    #[test]
    fn ntt_multiplies_polynomials() {
        fn check<const N: usize>() {
            let a: [i16; N] = core::array::from_fn(|i| ((i * i * 7 + 3 * i + 1) % 12289) as i16);
            let b: [i16; N] = core::array::from_fn(|i| ((i * 5003 + 12) % 12289) as i16);
            let mut expected = [0i64; N];
            for i in 0..N {
                for j in 0..N {
                    let product = residue(a[i]) * residue(b[j]);
                    expected[(i + j) % N] += if i + j < N { product } else { -product };
                }
            }
            let (mut a_hat, mut b_hat) = (a, b);
            let mut spare = [0; N];
            ntt(Level::detect(), &mut a_hat, &mut spare);
            ntt(Level::detect(), &mut b_hat, &mut spare);
            to_montgomery(&mut b_hat);
            multiply(&mut a_hat, &b_hat);
            inverse_ntt(Level::detect(), &mut a_hat, &mut spare);
            assert_eq!(a_hat.map(i64::from), expected.map(|e| e.rem_euclid(12289)), "{N}");
        }
        check::<32>();
        check::<512>();
        check::<1024>();
    }
}
