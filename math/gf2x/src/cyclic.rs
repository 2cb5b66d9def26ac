//! Reduction modulo xⁿ − 1.

use crate::backend::{Kernel, at_level};
use grille_cpu::Level;

/// Computes r ← c modulo xⁿ − 1: adds each coefficient of xⁿ⁺ⁱ to that of xⁱ. The coefficients are secret;
/// `n` is public.
///
/// `c` has a degree below 2·n. `r` has at least ⌈n/64⌉ words; the words after these become zero.
///
/// # Panics
/// Panics if `c` or `r` is too short.
pub fn fold(level: Level, n: usize, c: &[u64], r: &mut [u64]) {
    let words = n.div_ceil(64);
    assert!(c.len() >= 2 * words && r.len() >= words, "result of n bits, product of 2·n bits");
    at_level(level, Fold { n, c, r });
}

struct Fold<'a> {
    n: usize,
    c: &'a [u64],
    r: &'a mut [u64],
}

impl Kernel for Fold<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { n, c, r } = self;
        let (whole, bits) = (n / 64, n % 64);
        let words = n.div_ceil(64);
        let (low, high) = (&c[..words], &c[whole..]);
        if bits == 0 {
            for ((r, low), high) in r.iter_mut().zip(low).zip(high) {
                *r = low ^ high;
            }
        } else {
            for ((r, low), high) in r.iter_mut().zip(low).zip(high.windows(2)) {
                *r = low ^ (high[0] >> bits | high[1] << (64 - bits));
            }
            r[words - 1] &= (1 << bits) - 1;
        }
        r[words..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_wrap_around() {
        for n in [70, 128, 65, 127] {
            for exponent in 0..2 * n {
                let mut c = [0u64; 5];
                c[exponent / 64] |= 1 << (exponent % 64);
                let mut r = [!0u64; 3];
                fold(Level::detect(), n, &c, &mut r);
                let mut expected = [0u64; 3];
                expected[exponent % n / 64] |= 1 << (exponent % n % 64);
                assert_eq!(r, expected, "x^{exponent} modulo x^{n} - 1");
            }
        }
    }

    #[test]
    fn overlapping_coefficients_are_added() {
        let mut r = [0; 2];
        fold(Level::detect(), 70, &[0b101, 1 << 6, 0, 0], &mut r);
        assert_eq!(r, [0b100, 0]);
    }
}
