//! The last level of NTRUSolve: solves f·G − g·F = q for two large odd integers f and g, in constant time, with the
//! divsteps of Bernstein and Yang ("Fast constant-time gcd computation and modular inversion", 2019).
//!
//! Integers are limbs of 62 bits, the lowest first, in two's complement. The highest limb contains the sign.

use super::zint::{Words, signed};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;
use zeroize::Zeroizing;

/// Computes F and G with f·G − g·F = q. F and G are a few bits longer than f and g. Returns `None` if gcd(f,
/// g) ≠ 1.
///
/// `f` and `g` are odd and positive, as words of 31 bits. The results satisfy |F| < 2·q·f and |G| ≤ 2·q·g, and
/// must fit into as many words as f and g.
pub(super) fn bezout(f: &[u32], g: &[u32], q: i64) -> Option<(Words, Words)> {
    let (f_limbs, g_limbs) = (limbs(f), limbs(g));
    let inverse = inverse(&f_limbs, &g_limbs)?;
    // w ← (1 − g⁻¹·g)/f; the division is exact, so the low limbs are sufficient
    let mut rest = product(&inverse, &g_limbs);
    rest.iter_mut().for_each(|limb| *limb ^= LIMB_MASK);
    add_small(&mut rest, 2);
    let w = divide_exactly(rest, &f_limbs);
    Some((to_words(&inverse, -q, f.len()), to_words(&w, q, f.len())))
}

const BITS: usize = 62;
const LIMB_MASK: i64 = (1 << BITS) - 1;

type Limbs = Zeroizing<Vec<i64>>;

fn zeroes(len: usize) -> Limbs {
    Zeroizing::new(vec![0; len])
}

/// Returns the integer as limbs, with space for one more limb.
fn limbs(words: &[u32]) -> Limbs {
    let top = i64::from(signed(words[words.len() - 1]));
    let word = |i: usize| match words.get(i) {
        Some(word) if i + 1 < words.len() => i64::from(*word),
        Some(_) => top,
        None => top >> 63,
    };
    let len = words.len().div_ceil(2) + 1;
    let mut limbs = zeroes(len);
    for (i, limb) in limbs.iter_mut().enumerate() {
        *limb = (word(2 * i + 1) << 31) + (word(2 * i) & 0x7FFF_FFFF);
        // only the highest limb contains the sign
        if i + 1 < len {
            *limb &= LIMB_MASK;
        }
    }
    limbs
}

/// Returns the low words of x·factor.
fn to_words(x: &[i64], factor: i64, len: usize) -> Words {
    let mut words = Words::zeroes(len);
    let mut carry = 0i128;
    for (pair, limb) in words.chunks_mut(2).zip(x) {
        let sum = i128::from(*limb) * i128::from(factor) + carry;
        carry = sum >> BITS;
        let limb = sum as u64;
        for (word, shift) in pair.iter_mut().zip([0, 31]) {
            *word = (limb >> shift) as u32 & 0x7FFF_FFFF;
        }
    }
    words
}

/// Computes b⁻¹ mod `modulus`, with absolute value below 2·`modulus`. Returns `None` if there is no inverse.
fn inverse(modulus: &[i64], b: &[i64]) -> Option<Limbs> {
    let len = modulus.len();
    let modulus_inverse = invert_limb(modulus[0]);
    let (mut f, mut g) = (Zeroizing::new(modulus.to_vec()), Zeroizing::new(b.to_vec()));
    // f ≡ d·b and g ≡ e·b modulo `modulus`
    let (mut d, mut e) = (zeroes(len), zeroes(len));
    e[0] = 1;
    let mut zeta = -1;
    for _ in 0..steps(BITS * (len - 1)).div_ceil(BITS) {
        let matrix = Matrix::compute(&mut zeta, f[0], g[0]);
        matrix.apply(&mut f, &mut g);
        matrix.apply_modulo(&mut d, &mut e, modulus, modulus_inverse);
    }
    // f is the greatest common divisor or its negative; whether it is ±1 is public, because key generation
    // discards f and g if it is not
    let sign = ct::mask(f[len - 1] >> 63);
    let magnitude = |limb: i64| (limb ^ sign) & LIMB_MASK;
    let first = magnitude(f[0]) - sign;
    let differs = f[1..].iter().fold(first ^ 1, |all, limb| all | magnitude(*limb));
    if ct::public(ct::opaque(differs as u64)) != 0 {
        return None;
    }
    negate_if(&mut d, sign);
    Some(d)
}

/// Returns the number of divsteps that reduce g to 0, for integers of `bits` bits. This is the bound of
/// Wuille and Pornin for steps that start with δ = 1/2.
const fn steps(bits: usize) -> usize {
    (45_907 * bits + 26_313) / 19_929
}

/// Returns the inverse of an odd number modulo 2⁶².
const fn invert_limb(a: i64) -> i64 {
    // three bits are correct at first, and each round doubles the number of correct bits
    let (mut inverse, mut round) = (a, 0);
    while round < 5 {
        inverse = inverse.wrapping_mul(2i64.wrapping_sub(a.wrapping_mul(inverse)));
        round += 1;
    }
    inverse & LIMB_MASK
}

/// The effect of 62 divsteps: (f, g) ← (u·f + v·g, q·f + r·g)/2⁶², where |u| + |v| and |q| + |r| are at most
/// 2⁶².
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Matrix {
    /// Computes the matrix from the lowest limbs of f and g. `zeta` is −(δ + 1/2).
    fn compute(zeta: &mut i64, f: i64, g: i64) -> Self {
        let (mut f, mut g, mut z) = (f, g, *zeta);
        let Self { mut u, mut v, mut q, mut r } = Self { u: 1, v: 0, q: 0, r: 1 };
        for _ in 0..BITS {
            // if g is odd, g ← g + f, or g − f if δ > 0
            let (is_positive, is_odd) = (ct::mask(z >> 63), ct::mask(-(g & 1)));
            let signed = |x: i64| (x ^ is_positive).wrapping_sub(is_positive) & is_odd;
            g = g.wrapping_add(signed(f));
            q = q.wrapping_add(signed(u));
            r = r.wrapping_add(signed(v));
            // if also δ > 0, f ← the old g
            let swap = is_positive & is_odd;
            z = (z ^ swap) - 1;
            f = f.wrapping_add(g & swap);
            u = u.wrapping_add(q & swap) << 1;
            v = v.wrapping_add(r & swap) << 1;
            g >>= 1;
        }
        *zeta = z;
        Self { u, v, q, r }
    }

    fn apply(&self, f: &mut [i64], g: &mut [i64]) {
        let len = f.len();
        let (mut f_sum, mut g_sum) = self.times(f[0], g[0]);
        for i in 1..len {
            let (f_next, g_next) = self.times(f[i], g[i]);
            (f_sum, g_sum) = ((f_sum >> BITS) + f_next, (g_sum >> BITS) + g_next);
            (f[i - 1], g[i - 1]) = (f_sum as i64 & LIMB_MASK, g_sum as i64 & LIMB_MASK);
        }
        (f[len - 1], g[len - 1]) = ((f_sum >> BITS) as i64, (g_sum >> BITS) as i64);
    }

    /// Applies the matrix modulo the modulus. d and e stay above −2·modulus and below the modulus.
    fn apply_modulo(&self, d: &mut [i64], e: &mut [i64], modulus: &[i64], modulus_inverse: i64) {
        let len = d.len();
        let (d_sign, e_sign) = (ct::mask(d[len - 1] >> 63), ct::mask(e[len - 1] >> 63));
        let (mut d_sum, mut e_sum) = self.times(d[0], e[0]);
        // adds the modulus once to a negative number, then the multiple that makes the low limb zero
        let multiple = |sum: i128, start: i64| {
            start - ((sum as i64).wrapping_mul(modulus_inverse).wrapping_add(start) & LIMB_MASK)
        };
        let d_multiple = multiple(d_sum, (self.u & d_sign) + (self.v & e_sign));
        let e_multiple = multiple(e_sum, (self.q & d_sign) + (self.r & e_sign));
        d_sum += i128::from(modulus[0]) * i128::from(d_multiple);
        e_sum += i128::from(modulus[0]) * i128::from(e_multiple);
        for i in 1..len {
            let (d_next, e_next) = self.times(d[i], e[i]);
            d_sum = (d_sum >> BITS) + d_next + i128::from(modulus[i]) * i128::from(d_multiple);
            e_sum = (e_sum >> BITS) + e_next + i128::from(modulus[i]) * i128::from(e_multiple);
            (d[i - 1], e[i - 1]) = (d_sum as i64 & LIMB_MASK, e_sum as i64 & LIMB_MASK);
        }
        (d[len - 1], e[len - 1]) = ((d_sum >> BITS) as i64, (e_sum >> BITS) as i64);
    }

    #[inline(always)]
    fn times(&self, x: i64, y: i64) -> (i128, i128) {
        let (x, y) = (i128::from(x), i128::from(y));
        (i128::from(self.u) * x + i128::from(self.v) * y, i128::from(self.q) * x + i128::from(self.r) * y)
    }
}

/// Computes x ← −x if `mask` is −1.
fn negate_if(x: &mut [i64], mask: i64) {
    let len = x.len();
    let mut carry = -mask;
    for limb in &mut x[..len - 1] {
        let sum = (*limb ^ (mask & LIMB_MASK)) + carry;
        *limb = sum & LIMB_MASK;
        carry = sum >> BITS;
    }
    x[len - 1] = (x[len - 1] ^ mask) + carry;
}

/// Computes x·y modulo 2^(62·len). All limbs of the result are nonnegative.
fn product(x: &[i64], y: &[i64]) -> Limbs {
    let len = x.len();
    let mut out = zeroes(len);
    for (i, x) in x.iter().enumerate() {
        subtract_shifted(&mut out, i, -i128::from(*x & LIMB_MASK), y);
    }
    out
}

/// Computes out ← out − factor·y·2^(62·shift) modulo 2^(62·len), for |factor| < 2⁶².
fn subtract_shifted(out: &mut [i64], shift: usize, factor: i128, y: &[i64]) {
    let mut carry = 0i128;
    for (out, y) in out[shift..].iter_mut().zip(y) {
        let sum = i128::from(*out) - factor * i128::from(*y & LIMB_MASK) + carry;
        *out = sum as i64 & LIMB_MASK;
        carry = sum >> BITS;
    }
}

fn add_small(x: &mut [i64], small: i64) {
    let mut carry = small;
    for limb in x {
        let sum = *limb + carry;
        *limb = sum & LIMB_MASK;
        carry = sum >> BITS;
    }
}

/// Computes x/y modulo 2^(62·len), starting at the lowest limb. y is odd, and x is a multiple of y.
fn divide_exactly(mut x: Limbs, y: &[i64]) -> Limbs {
    let inverse = invert_limb(y[0]);
    let len = x.len();
    let mut quotient = zeroes(len);
    for i in 0..len {
        quotient[i] = x[i].wrapping_mul(inverse) & LIMB_MASK;
        subtract_shifted(&mut x, i, i128::from(quotient[i]), y);
    }
    // extends the sign
    quotient[len - 1] = quotient[len - 1] << 2 >> 2;
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(x: i128, len: usize) -> Vec<u32> {
        (0..len).map(|i| (x >> (31 * i).min(127)) as u32 & 0x7FFF_FFFF).collect()
    }

    fn value(words: &[u32]) -> i128 {
        let (top, rest) = words.split_last().expect("at least one word");
        rest.iter().rev().fold(i128::from(signed(*top)), |x, word| x << 31 | i128::from(*word))
    }

    #[test]
    fn solves_the_equation_for_coprime_numbers() {
        let pairs = [(1, 1), (3, 5), (5, 3), (1, 99), (12289, 1), (0x1234_5678_9ABC_DEF1, 0x7EDC_BA98_7655)];
        for (f, g) in pairs {
            for q in [1, 12289i64] {
                let (F, G) = bezout(&words_of(f, 4), &words_of(g, 4), q).expect("coprime");
                assert_eq!(f * value(&G) - g * value(&F), i128::from(q), "{f} {g}");
                assert!(value(&F).abs() <= 2 * f * i128::from(q));
            }
        }
    }

    #[test]
    fn rejects_numbers_with_a_common_divisor() {
        for (f, g) in [(3, 9), (15, 35), (12289 * 7, 12289 * 5), (9, 9)] {
            assert!(bezout(&words_of(f, 4), &words_of(g, 4), 1).is_none(), "{f} {g}");
        }
    }

    #[test]
    fn words_round_trip_through_signed_limbs() {
        for x in [0, 1, -1, i128::from(i64::MAX), -(1 << 100), (1 << 100) + 12345] {
            let limbs = limbs(&words_of(x, 5));
            assert_eq!(value(&to_words(&limbs, 1, 5)), x);
        }
    }
}
