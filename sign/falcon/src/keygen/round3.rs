//! Reduce, Falcon Algorithm 7, with the steps and the doubles of round 3's reference implementation. Rounding
//! errors decide which candidates fail, and therefore which key is generated from a seed.

use super::reduce::{Products, SCHOOLBOOK};
use super::sizes::{COEFFICIENT_BITS, FG_WORDS};
use super::zint::{MASK, WORD_BITS, Words, signed};
use crate::secret_vec::SecretVec;
use crate::sign::fft::{fft, inverse_fft, set_value, value};
use crate::sign::flr::Real;
use grille_core::ct;

/// Runs Reduce, Falcon Algorithm 7. `FG` contains 2n integers. Returns true if all quotients were in the
/// expected range. In that case, F and G are as short as f and g. Otherwise, the caller must discard f and g.
///
/// Everything except the result is secret.
pub(super) fn reduce<R: Real>(FG: &mut Words, fg: &[u32], depth: usize, n: usize) -> bool {
    let (average, deviation) = COEFFICIENT_BITS[depth];
    let (shortest, longest) = (average - 6 * deviation, average + 6 * deviation);
    let mut quotients = Quotients::<R>::new(fg, n);
    let mut products = Products::new(fg, n);
    let mut len = FG.len() / (2 * n);
    let mut bits = WORD_BITS as usize * len;
    let mut scale = if depth > MAX_ONE_STEP_DEPTH { bits - shortest } else { 0 };
    let mut k = Words::zeroes(n);
    loop {
        if !quotients.approximate(&FG[..2 * n * len], scale, &mut k) {
            return false;
        }
        subtract(&mut products, &mut FG[..2 * n * len], scale, &k);
        bits = bits.min(scale + longest + 10);
        if WORD_BITS as usize * (len - 1) >= bits {
            len -= 1;
        }
        if scale == 0 {
            break;
        }
        scale = scale.saturating_sub(STEP);
    }
    resize(FG, 2 * n, len, FG_WORDS[depth]);
    true
}

/// The largest depth at which a double represents F and G exactly, so that one step is sufficient.
const MAX_ONE_STEP_DEPTH: usize = 1;
/// The number of bits that each step always removes.
const STEP: usize = 25;

/// Computes (F, G) ← (F, G) − k·(f, g)·2^scale, for |k| < 2³¹.
fn subtract(products: &mut Products<'_>, FG: &mut [u32], scale: usize, k: &[u32]) {
    if k.len() > SCHOOLBOOK {
        products.subtract(FG, scale, k);
    } else {
        // k is too long for one schoolbook multiplication, so it is split into halves
        let halves = |half: fn(u32) -> u32| Words::new(k.iter().map(|k| half(*k)).collect());
        products.subtract(FG, scale, &halves(|k| k & 0xFFFF));
        products.subtract(FG, scale + 16, &halves(|k| (k as i32 >> 16) as u32));
    }
}

/// Changes the length of the `n` integers of `x` from `from` words to `to` words, and extends their signs.
fn resize(x: &mut Words, n: usize, from: usize, to: usize) {
    for row in from..to {
        let (known, rest) = x.split_at_mut(row * n);
        for (word, top) in rest.iter_mut().zip(&known[(row - 1) * n..]) {
            *word = (signed(*top) >> 31) as u32 & MASK;
        }
    }
    x.truncate(n * to);
}

/// The approximations of (F·f* + G·g*)/(f·f* + g·g*) (secret).
struct Quotients<R: Real> {
    /// The images of f* and g*.
    fg: Images<R>,
    /// The values 1/(f·f* + g·g*).
    inverses: SecretVec<R>,
    /// Working memory for F and G.
    FG: Images<R>,
}

impl<R: Real> Quotients<R> {
    fn new(fg: &[u32], n: usize) -> Self {
        let (mut fg, FG) = (Images::from_integers(fg, n), Images::zeroes(n));
        let mut inverses = SecretVec::<R>::zeroes(n / 2);
        let [f, g] = &mut fg.values;
        for (i, inverse) in inverses.iter_mut().enumerate() {
            let (a, b) = (value(f, i), value(g, i));
            let norm: R = a.norm() + b.norm();
            *inverse = norm.inverse();
            set_value(f, i, a.conjugate());
            set_value(g, i, b.conjugate());
        }
        Self { fg, inverses, FG }
    }

    /// Computes k ← the nearest integers to the quotients divided by 2^scale, in two's complement of 32 bits.
    /// Returns true if all integers are in ±(2³¹ − 2).
    fn approximate(&mut self, FG: &[u32], scale: usize, k: &mut [u32]) -> bool {
        self.FG.set(FG);
        let ([F, G], [f, g]) = (&mut self.FG.values, &self.fg.values);
        for (i, inverse) in self.inverses.iter().enumerate() {
            let sum = value(F, i).mul(value(f, i)).add(value(G, i).mul(value(g, i)));
            set_value(F, i, sum.scale(*inverse));
        }
        inverse_fft(F);
        let factor = power_of_two::<R>(self.FG.skipped as i32 - self.fg.skipped as i32 - scale as i32);
        let mut too_large = 0;
        for (k, quotient) in k.iter_mut().zip(F.iter()) {
            let quotient = *quotient * factor;
            too_large |= (QUOTIENT_BOUND - 1).wrapping_sub(quotient.to_bits() & !SIGN) >> 63;
            *k = quotient.rint() as u32;
        }
        // the result is public, because f and g are not used if the result is false
        ct::public(ct::opaque(too_large)) == 0
    }
}

/// The exclusive upper bound of the absolute values of quotients, as the encoding of a double.
const QUOTIENT_BOUND: u64 = f64::to_bits(((1u32 << 31) - 1) as f64);
/// The sign bit of a double.
const SIGN: u64 = 1 << 63;

/// Returns 2^e.
fn power_of_two<R: Real>(e: i32) -> R {
    R::from_bits(((1023 + e) as u64) << 52)
}

/// The images of two polynomials (secret).
struct Images<R: Real> {
    values: [SecretVec<R>; 2],
    /// The number of lowest bits that were skipped. The images are those of the polynomials divided by
    /// 2^skipped.
    skipped: usize,
}

impl<R: Real> Images<R> {
    fn zeroes(n: usize) -> Self {
        Self { values: [SecretVec::zeroes(n), SecretVec::zeroes(n)], skipped: 0 }
    }

    fn from_integers(x: &[u32], n: usize) -> Self {
        let mut images = Self::zeroes(n);
        images.set(x);
        images
    }

    /// Sets the images to those of the 2n integers `x`. Reads only their highest words.
    fn set(&mut self, x: &[u32]) {
        let n = self.values[0].len();
        let skipped = (x.len() / (2 * n)).saturating_sub(WINDOW);
        self.skipped = WORD_BITS as usize * skipped;
        let x = &x[2 * n * skipped..];
        for (i, image) in self.values.iter_mut().enumerate() {
            for (j, out) in image.iter_mut().enumerate() {
                *out = to_double(x[n * i + j..].iter().step_by(2 * n), x[x.len() - 2 * n + n * i + j]);
            }
            fft(image);
        }
    }
}

/// The number of words that are converted to a double. The values of all lower words are negligible.
const WINDOW: usize = 10;

/// Converts an integer to a double. Processes the lowest word first, and rounds after each word. `top` is the
/// highest word of the integer.
fn to_double<'a, R: Real>(words: impl Iterator<Item = &'a u32>, top: u32) -> R {
    let sign = ct::mask(signed(top) >> 31);
    let (mut sum, mut unit, mut carry) = (R::from_int(0), R::from_int(1), sign as u32 & 1);
    for word in words {
        // converts to the magnitude
        let word = (word ^ sign as u32 & MASK) + carry;
        carry = word >> WORD_BITS;
        let word = (word & MASK) as i32;
        sum = sum + R::from_int(i64::from((word ^ sign) - sign)) * unit;
        unit = unit * R::from_int(1 << WORD_BITS);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::sizes::UNREDUCED_WORDS;
    use super::super::top::tests::{NumberGenerator, product, to_words};
    use super::*;
    use crate::sign::emulated::Emulated;
    use crate::sign::flr::Native;
    use std::vec;
    use std::vec::Vec;

    #[test]
    fn two_word_integers_convert_to_the_nearest_double() {
        let mut numbers = NumberGenerator(1);
        for bits in 0..62 {
            for x in [numbers.below(bits), numbers.below(bits), 1 << bits >> 1, -(1 << bits)] {
                let words = to_words(&[x], 2);
                assert_eq!(
                    to_double::<Native>(words.iter(), words[1]).to_bits(),
                    (x as f64).to_bits(),
                    "{x}"
                );
            }
        }
    }

    #[test]
    fn only_the_highest_words_of_long_integers_matter() {
        let n = 4;
        let mut words = vec![MASK; 2 * n * (WINDOW + 3)];
        words[2 * n * (WINDOW + 2)..].fill(1);
        let long = Images::<Native>::from_integers(&words, n);
        let short = Images::<Native>::from_integers(&words[2 * n * 3..], n);
        assert_eq!((long.skipped, short.skipped), (93, 0));
        let bits = |images: &Images<Native>| images.values[1].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&long), bits(&short));
    }

    #[test]
    fn both_versions_of_doubles_reduce_identically() {
        let mut numbers = NumberGenerator(1);
        for (depth, short, long) in [(0, 5, 18), (1, 11, 39), (2, 24, 78), (3, 50, 120)] {
            let n = 512 >> depth;
            let mut draw = |bits| (0..n).map(|_| numbers.below(bits)).collect::<Vec<_>>();
            let (f, g, k) = (draw(short), draw(short), draw(long - short - 9));
            let fg = to_words(&[&f[..], &g].concat(), FG_WORDS[depth]);
            // a multiple of (f, g), plus a polynomial as short as f and g
            let mut near =
                |x: &[i128]| product(x, &k).into_iter().map(|x| x + numbers.below(short)).collect();
            let FG: [Vec<_>; 2] = [near(&f), near(&g)];
            let FG = to_words(&FG.concat(), UNREDUCED_WORDS[depth]);
            let (mut native, mut emulated) = (Words::new(FG.clone()), Words::new(FG));
            assert!(reduce::<Native>(&mut native, &fg, depth, n));
            assert!(reduce::<Emulated>(&mut emulated, &fg, depth, n));
            assert_eq!(*native, *emulated, "{depth}");
            assert_eq!(native.len(), 2 * n * FG_WORDS[depth]);
        }
    }

    #[test]
    fn rejects_quotients_that_are_too_large() {
        let (depth, n) = (2, 128);
        // (1 − x)⁴ is almost zero at the roots that are closest to 1
        let mut f = vec![0; n];
        f[..5].copy_from_slice(&[1, -4, 6, -4, 1]);
        let fg = to_words(&[&f[..], &f].concat(), FG_WORDS[depth]);
        for (top, fits) in [(0, true), (MASK >> 1, false)] {
            let mut FG = Words::zeroes(2 * n * UNREDUCED_WORDS[depth]);
            let last = FG.len() - 2 * n;
            FG[last..].fill(top);
            assert_eq!(reduce::<Native>(&mut FG, &fg, depth, n), fits);
        }
    }
}
