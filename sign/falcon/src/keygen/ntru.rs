//! NTRUSolve, Falcon Algorithm 6: computes F and G with f·G − g·F = q, using integers. Only the quotients in
//! Reduce are approximated, with fixed-point numbers or doubles ([`KeygenVariant`]). The remainders are
//! exact.
//!
//! Step d of the recursion computes modulo xⁿ + 1 for a degree divided by 2^d, and the length of the integers
//! doubles with each step. A pair of polynomials is stored as 2n integers: first those of f (or F), then
//! those of g (or G).

use super::bezout::bezout;
use super::primes::{Ntt, PRIMES};
use super::reduce::reduce;
use super::residues::{rebuild, residues};
use super::round3;
use super::sizes::{FG_WORDS, UNREDUCED_WORDS};
use super::zint::{MASK, Words, signed};
use crate::mq::Q;
use crate::sign::flr::Real;
use alloc::vec::Vec;
use grille_core::ct;

/// The method of sampling f and g, and the arithmetic for the quotients in Reduce.
#[derive(Clone, Copy)]
pub(crate) enum KeygenVariant {
    /// One number per coefficient, from eight parallel streams. Quotients are computed with fixed-point
    /// numbers.
    Integers,
    /// The method of round 3's reference implementation, on which known answers depend. It uses four or two
    /// numbers per coefficient, from one stream, and computes quotients with doubles. For a few candidates,
    /// NTRUSolve fails with doubles but not with fixed-point numbers, or vice versa.
    Round3,
}

/// Runs NTRUSolve, Falcon Algorithm 6. Returns true if it finds F and G with f·G − g·F = q and with
/// coefficients in ±127. It may return false although such F and G exist.
///
/// Everything except the result is secret. `R` is the type of doubles.
#[inline(always)]
pub(super) fn solve<R: Real>(variant: KeygenVariant, f: &[i8], g: &[i8], F: &mut [i8], G: &mut [i8]) -> bool {
    let n = f.len();
    let bottom = n.ilog2() as usize;
    let mut tower = Vec::with_capacity(bottom + 1);
    tower.push(small_to_words(f, g));
    for depth in 0..bottom {
        tower.push(field_norm(&tower[depth], depth, n >> depth));
    }
    let fg = &tower[bottom];
    let (f_bottom, g_bottom): (Vec<u32>, Vec<u32>) =
        fg.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip();
    let (f_bottom, g_bottom) = (Words::new(f_bottom), Words::new(g_bottom));
    let Some((F_bottom, G_bottom)) = bezout(&f_bottom, &g_bottom, i64::from(Q)) else {
        return false;
    };
    let mut FG = Words::new(F_bottom.iter().zip(G_bottom.iter()).flat_map(|(F, G)| [*F, *G]).collect());
    for depth in (0..bottom).rev() {
        let mut lifted = lift(&tower[depth], &FG, depth, n >> depth);
        match variant {
            KeygenVariant::Integers => reduce(&mut lifted, &tower[depth], depth, n >> depth),
            KeygenVariant::Round3 => {
                if !round3::reduce::<R>(&mut lifted, &tower[depth], depth, n >> depth) {
                    return false;
                }
            }
        }
        FG = lifted;
    }
    to_small(&FG, F, G) && equation_holds(f, g, F, G)
}

/// Converts small polynomials to words.
fn small_to_words(f: &[i8], g: &[i8]) -> Words {
    Words::new(f.iter().chain(g).map(|c| i32::from(*c) as u32 & MASK).collect())
}

/// Computes N(f) and N(g), Falcon section 3.8.2: f(x)·f(−x) as a polynomial of x², whose degree is halved.
#[inline(always)]
fn field_norm(fg: &[u32], depth: usize, n: usize) -> Words {
    let mut norms = Words::zeroes(n * FG_WORDS[depth + 1]);
    let mut images = residues(fg, 2 * n, FG_WORDS[depth + 1]);
    let rows = norms.chunks_exact_mut(n).zip(images.chunks_exact_mut(2 * n));
    for (prime, (row, images)) in PRIMES.iter().zip(rows) {
        let ntt = Ntt::new(prime, n);
        for image in images.chunks_exact_mut(n) {
            ntt.forward(image);
        }
        // neighbouring values are the values at r and −r
        for (norm, pair) in row.iter_mut().zip(images.chunks_exact(2)) {
            *norm = prime.mul(prime.mul(pair[0], pair[1]), prime.r2);
        }
        for image in row.chunks_exact_mut(n / 2) {
            ntt.inverse(image);
        }
    }
    rebuild(&mut norms, n, true);
    norms
}

/// Computes F ← F′(x²)·g(−x) and G ← G′(x²)·f(−x), Falcon Algorithm 6, lines 9 and 10.
#[inline(always)]
fn lift(fg: &[u32], deeper: &[u32], depth: usize, n: usize) -> Words {
    let mut FG = Words::zeroes(2 * n * UNREDUCED_WORDS[depth]);
    let (mut images, mut deeper) =
        (residues(fg, 2 * n, UNREDUCED_WORDS[depth]), residues(deeper, n, UNREDUCED_WORDS[depth]));
    let sources = images.chunks_exact_mut(2 * n).zip(deeper.chunks_exact_mut(n));
    for ((prime, row), (images, deeper)) in PRIMES.iter().zip(FG.chunks_exact_mut(2 * n)).zip(sources) {
        let ntt = Ntt::new(prime, n);
        for image in images.chunks_exact_mut(n) {
            ntt.forward(image);
        }
        for image in deeper.chunks_exact_mut(n / 2) {
            ntt.forward(image);
        }
        // F is multiplied by g, and G by f
        let (f, g) = images.split_at(n);
        let factors = g.chunks_exact(2).chain(f.chunks_exact(2));
        for ((out, deeper), factor) in row.chunks_exact_mut(2).zip(deeper.iter()).zip(factors) {
            let deeper = prime.montgomery_form(*deeper);
            (out[0], out[1]) = (prime.mul(deeper, factor[1]), prime.mul(deeper, factor[0]));
        }
        for image in row.chunks_exact_mut(n) {
            ntt.inverse(image);
        }
    }
    rebuild(&mut FG, 2 * n, true);
    FG
}

/// Converts F and G to bytes. Returns true if all coefficients are in ±127.
fn to_small(FG: &[u32], F: &mut [i8], G: &mut [i8]) -> bool {
    let mut too_large = 0;
    for (small, word) in F.iter_mut().chain(G).zip(FG) {
        let value = signed(*word);
        *small = value as i8;
        too_large |= ((value + 127) | (127 - value)) as u32 >> 31;
    }
    // the result is public, because F and G are not used if the result is false
    ct::public(ct::opaque(too_large)) == 0
}

/// Checks whether f·G − g·F = q.
///
/// The coefficients satisfy |f|, |g| ≤ 128 and |F|, |G| ≤ 128. Products are therefore below half a prime, so
/// one prime is sufficient.
#[inline(always)]
pub(super) fn equation_holds(f: &[i8], g: &[i8], F: &[i8], G: &[i8]) -> bool {
    const _: () = assert!(2 * 1024 * 128 * 128 + 12289 < PRIMES[0].p / 2);
    let n = f.len();
    let ntt = Ntt::new(&PRIMES[0], n);
    let image = |small: &[i8]| {
        let mut image = Words::new(small.iter().map(|c| ntt.prime.signed(i32::from(*c))).collect());
        ntt.forward(&mut image);
        image
    };
    let (f, g, F, G) = (image(f), image(g), image(F), image(G));
    // all values of the image of a constant equal that constant; products have lost a factor R
    let q = ntt.prime.mul(Q as u32, 1);
    let difference = (0..n)
        .fold(0, |all, i| all | (ntt.prime.sub(ntt.prime.mul(f[i], G[i]), ntt.prime.mul(g[i], F[i])) ^ q));
    // the result is public, because F and G are not used if the result is false
    ct::public(ct::opaque(difference)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sign::flr::Flr;

    #[test]
    fn checks_the_equation_exactly() {
        // uses 100·123 − 11·1 = q
        assert!(equation_holds(&[100, 0], &[11, 0], &[1, 0], &[123, 0]));
        assert!(!equation_holds(&[100, 0], &[11, 0], &[2, 0], &[123, 0]));
        assert!(!equation_holds(&[100, 0], &[11, 0], &[1, 1], &[123, 0]));
        assert!(!equation_holds(&[100, 1], &[11, 0], &[1, 0], &[123, 0]));
    }

    #[test]
    fn solves_the_equation_in_a_small_ring() {
        let mut solved = 0;
        for seed in 0..40i32 {
            let n = 16;
            let small = |k: i32| -> Vec<i8> {
                (0..n).map(|i| ((seed * 37 + k * 11 + i * i * (seed + 3) + 5 * i) % 61 - 30) as i8).collect()
            };
            let (mut f, mut g) = (small(1), small(2));
            for poly in [&mut f, &mut g] {
                poly[0] ^= 1 ^ poly.iter().fold(0, |sum, c| sum ^ (c & 1));
            }
            let n = n as usize;
            let (mut F, mut G) = (std::vec![0; n], std::vec![0; n]);
            solved += i32::from(solve::<Flr>(KeygenVariant::Integers, &f, &g, &mut F, &mut G));
        }
        assert!(solved > 5, "{solved}");
    }
}
