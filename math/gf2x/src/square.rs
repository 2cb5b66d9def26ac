//! Squares, which insert zeroes between all bits.

use crate::backend::{Kernel, at_level};
use grille_cpu::Level;

/// Computes c ← a². `c` is twice as long. Both values are secret.
pub(crate) fn square_words(level: Level, a: &[u64], c: &mut [u64]) {
    at_level(level, Square { a, c });
}

struct Square<'a> {
    a: &'a [u64],
    c: &'a mut [u64],
}

impl Kernel for Square<'_> {
    #[inline(always)]
    fn run(self) {
        for (pair, word) in self.c.as_chunks_mut::<2>().0.iter_mut().zip(self.a) {
            *pair = [spread(*word & 0xFFFF_FFFF), spread(*word >> 32)];
        }
    }
}

/// Inserts a zero after each of the 32 lower bits. The upper bits of the argument are zero.
#[inline(always)]
const fn spread(word: u64) -> u64 {
    let halves = (word | word << 16) & 0x0000_FFFF_0000_FFFF;
    let bytes = (halves | halves << 8) & 0x00FF_00FF_00FF_00FF;
    let nibbles = (bytes | bytes << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = (nibbles | nibbles << 2) & 0x3333_3333_3333_3333;
    (pairs | pairs << 1) & 0x5555_5555_5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scratch, multiply};

    #[test]
    fn squares_match_products() {
        let a: [u64; 16] = core::array::from_fn(|i| (i as u64 + 3).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for level in Level::all() {
            let (mut square, mut product) = ([1; 32], [2; 32]);
            square_words(level, &a, &mut square);
            multiply(level, &a, &a, &mut product, &mut Scratch::new(16));
            assert_eq!(square, product, "{}", level.name());
        }
    }
}
