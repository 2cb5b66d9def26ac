//! The quotients (F·f* + G·g*)/(f·f* + g·g*) that Reduce rounds, computed with fixed-point numbers from the
//! highest bits of the integers. Each value of f and g has its own scale, because at some depths one value is
//! 2³⁰ times as large as another.
//!
//! This deviates from round 3's implementation (`round3.rs`), which computes with doubles: for some f and g,
//! doubles are not precise enough to make F and G short, so round 3 samples other candidates.

use super::fixed::{FRACTION_BITS, Fixed, invert};
use super::top::{HighestBits, LengthRange};
use crate::secret_vec::SecretVec;
use crate::sign::fft::{Complex, fft, inverse_fft, set_value, value};
use grille_core::ct;

/// Approximations of (F·f* + G·g*)/(f·f* + g·g*) (secret).
pub(super) struct Quotients {
    top: HighestBits,
    /// The FFT image of f*/(f·f* + g·g*). The field `g` holds the image of g*/(f·f* + g·g*). In both images,
    /// each value is divided by its element of `factors`.
    f: SecretVec<Fixed>,
    g: SecretVec<Fixed>,
    /// Powers of two, one for each value of the images `f` and `g`.
    factors: SecretVec<i64>,
    /// Working memory for F and G.
    FG: SecretVec<Fixed>,
}

impl Quotients {
    /// Creates the approximations. `fg` contains 2n integers. The length of the longest integer must be
    /// within `lengths`. Otherwise, all results are wrong.
    #[inline(always)]
    pub(super) fn new(fg: &[u32], n: usize, lengths: LengthRange) -> Self {
        let mut top = HighestBits::find(fg, 2 * n, lengths);
        let mut both = SecretVec::<Fixed>::zeroes(2 * n);
        top.read(fg, 0, &mut both, Fixed::from_bits);
        let (mut f, mut g) = (SecretVec::zeroes(n), SecretVec::zeroes(n));
        f.copy_from_slice(&both[..n]);
        g.copy_from_slice(&both[n..]);
        fft(&mut f);
        fft(&mut g);
        let (mut factors, mut inverses) = (SecretVec::zeroes(n / 2), SecretVec::<Fixed>::zeroes(n / 2));
        for i in 0..n / 2 {
            let (a, b) = (value(&f, i), value(&g, i));
            let factor = scale_factor([a.re, a.im, b.re, b.im]);
            let (a, b) = (multiply(a, factor), multiply(b, factor));
            (factors[i], inverses[i]) = (factor, a.norm() + b.norm());
            set_value(&mut f, i, a.conjugate());
            set_value(&mut g, i, b.conjugate());
        }
        invert(&mut inverses, NORM_EXPONENT);
        for (i, inverse) in inverses.iter().enumerate() {
            let (a, b) = (value(&f, i).scale(*inverse), value(&g, i).scale(*inverse));
            set_value(&mut f, i, a);
            set_value(&mut g, i, b);
        }
        Self { top, f, g, factors, FG: both }
    }

    /// Computes k ← the nearest integers to the quotients divided by 2^scale, in two's complement of 32 bits.
    ///
    /// `FG` contains 2n integers, which are at most 2^above/n times as long as f and g.
    #[inline(always)]
    pub(super) fn approximate(&mut self, FG: &[u32], above: usize, scale: usize, k: &mut [u32]) {
        let n = k.len();
        self.top.read(FG, above, &mut self.FG, Fixed::from_bits);
        let (F, G) = self.FG.split_at_mut(n);
        fft(F);
        fft(G);
        dot(F, G, &self.f, &self.g, &self.factors);
        inverse_fft(F);
        // at this point, the quotients are divided by 2^(above + NORM_EXPONENT)
        let shift = ((FRACTION_BITS - NORM_EXPONENT) as usize + scale - above).min(63);
        for (k, quotient) in k.iter_mut().zip(F.iter()) {
            *k = (quotient.to_bits().wrapping_add(1 << (shift - 1)) >> shift) as u32;
        }
    }
}

/// Computes F ← (F·f + G·g)·factors.
#[inline(always)]
fn dot(F: &mut [Fixed], G: &[Fixed], f: &[Fixed], g: &[Fixed], factors: &[i64]) {
    let half = factors.len();
    let (F_re, F_im) = F.split_at_mut(half);
    let ((G_re, G_im), (f_re, f_im), (g_re, g_im)) = (G.split_at(half), f.split_at(half), g.split_at(half));
    let (F_im, G_im, f_im, g_im) = (&mut F_im[..half], &G_im[..half], &f_im[..half], &g_im[..half]);
    for i in 0..half {
        let Ff = Complex::new(F_re[i], F_im[i]).mul(Complex::new(f_re[i], f_im[i]));
        let Gg = Complex::new(G_re[i], G_im[i]).mul(Complex::new(g_re[i], g_im[i]));
        let sum = multiply(Ff.add(Gg), factors[i]);
        (F_re[i], F_im[i]) = (sum.re, sum.im);
    }
}

/// The exponent of the smallest norm: if the largest real or imaginary part of two complex numbers is in
/// [1/4, 1/2), the sum of their squared absolute values is in (2^−NORM_EXPONENT, 1).
const NORM_EXPONENT: u32 = 4;

/// Returns the power of two that scales the largest absolute value of four numbers to [1/4, 1/2). All numbers
/// are in ±1/2.
#[inline(always)]
fn scale_factor(parts: [Fixed; 4]) -> i64 {
    let mut bits = parts.iter().fold(0, |bits, part| bits | (part.to_bits() ^ part.to_bits() >> 63));
    let mut factor = 1i64;
    for shift in [32, 16, 8, 4, 2, 1] {
        let fits = ct::opaque(((bits >> (FRACTION_BITS - 1 - shift)) - 1) >> 63);
        bits ^= (bits ^ bits << shift) & fits;
        factor ^= (factor ^ factor << shift) & fits;
    }
    factor
}

#[inline(always)]
fn multiply(x: Complex<Fixed>, factor: i64) -> Complex<Fixed> {
    let by = |x: Fixed| Fixed::from_bits(x.to_bits().wrapping_mul(factor));
    Complex::new(by(x.re), by(x.im))
}

#[cfg(test)]
mod tests {
    use super::super::top::tests::{NumberGenerator, product, to_words};
    use super::*;
    use std::vec::Vec;

    #[test]
    fn quotients_recover_factors_of_products() {
        let mut numbers = NumberGenerator(1);
        for n in [2, 4, 8, 64, 512] {
            for length in [1, 5, 30, 31, 40, 61] {
                let mut draw = |bits| (0..n).map(|_| numbers.below(bits)).collect::<Vec<_>>();
                let (f, g, factors) = (draw(length), draw(length), draw(20));
                let times = |poly: &[i128]| product(poly, &factors);
                let fg = to_words(&[&f[..], &g].concat(), 3);
                let mut quotients = Quotients::new(&fg, n, (length as i32 - 9, length as i32 + 40));
                for scale in [0, 7] {
                    let FG: Vec<_> = [times(&f), times(&g)].concat().iter().map(|x| x << scale).collect();
                    let mut k = std::vec![0; n];
                    let above = 20 + scale + n.ilog2() as usize;
                    quotients.approximate(&to_words(&FG, 4), above, scale, &mut k);
                    assert!(
                        k.iter().zip(&factors).all(|(k, factor)| i128::from(*k as i32) == *factor),
                        "{n} {length}"
                    );
                }
            }
        }
    }

    #[test]
    fn scaling_brings_the_largest_part_into_range() {
        for bits in 0..61 {
            for part in [1i64 << bits, (1 << bits) + ((1 << bits) - 1), -(1 << bits) - 1] {
                let factor = scale_factor([0, part, 1, -1].map(Fixed::from_bits));
                assert!((1 << 60..=1 << 61).contains(&(part * factor).abs()), "{part}: {factor}");
            }
        }
    }
}
