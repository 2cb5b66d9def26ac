//! Carry-less products from integer products. The operands are split into numbers with only every fourth bit,
//! so that no carry reaches the next used bit.

use super::{BLOCK, Kernel, Multiplier, sums};

/// The portable backend, in plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Multiplier for Portable {
    fn block(self, a: &[u64], b: &[u64], c: &mut [u64]) {
        let (mut a0, mut b0) = ([0; BLOCK / 2], [0; BLOCK / 2]);
        let ((a_low, a_high), (b_low, b_high)) = (a.split_at(BLOCK / 2), b.split_at(BLOCK / 2));
        sums::add::<{ BLOCK / 2 }>(a_low, a_high, &mut a0);
        sums::add::<{ BLOCK / 2 }>(b_low, b_high, &mut b0);
        let mut middle = [0; BLOCK];
        schoolbook(&a0, &b0, &mut middle);
        let (low, high) = c.split_at_mut(BLOCK);
        schoolbook(a_low, b_low, low);
        schoolbook(a_high, b_high, high);
        sums::join_halves::<{ BLOCK / 2 }>(c, &middle);
    }

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        kernel.run();
    }
}

/// Computes c ← a·b, word by word.
fn schoolbook(a: &[u64], b: &[u64], c: &mut [u64]) {
    c.fill(0);
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let [low, high] = word(*a, *b);
            c[i + j] ^= low;
            c[i + j + 1] ^= high;
        }
    }
}

/// Computes the 127 bits of a·b. The bit-reversed lower half of the product of the bit-reversed words gives
/// the upper half.
fn word(a: u64, b: u64) -> [u64; 2] {
    let high = low_half(a.reverse_bits(), b.reverse_bits()).reverse_bits() >> 1;
    [low_half(a, b), high]
}

/// Computes the lower 64 bits of a·b.
///
/// Each factor keeps only every fourth bit. At most 15 bit products therefore contribute to each used bit of a product,
/// except that 16 may contribute to the topmost one. A sum up to 15 fits in four bits and does not reach the next used
/// bit. The carry out of the topmost bit is lost.
fn low_half(a: u64, b: u64) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let spread = |x: u64| [0, 1, 2, 3].map(|bit| x & EVERY_FOURTH << bit);
    let (a, b) = (spread(a), spread(b));
    let mut c = 0;
    for sum in 0..4 {
        let products = (0..4).map(|i| a[i].wrapping_mul(b[(4 + sum - i) % 4]));
        c ^= products.fold(0, |sum, product| sum ^ product) & EVERY_FOURTH << sum;
    }
    c
}
