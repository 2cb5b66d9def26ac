//! Products of long polynomials from products of [`BLOCK`] words, with Karatsuba's method in halves and in thirds.

use crate::backend::{self, Multiplier};
use alloc::boxed::Box;
use alloc::vec;
use grille_cpu::Level;
use zeroize::Zeroize;

/// The number of words in a block: each factor of [`Multiplier::multiply_block`] has this length.
pub(crate) const BLOCK: usize = 8;

/// Returns the length, in words, to which a factor of `words` words must be padded for [`multiply`].
///
/// [`multiply`] accepts some of the lengths `8·2^i·3^j`: a block of 8 words times a product of twos and threes. Among
/// all these lengths that are at least `words`, the returned one needs the fewest products of blocks.
#[must_use]
pub const fn padded(words: usize) -> usize {
    let mut best = (0, usize::MAX);
    let mut threes = 0;
    while threes <= MAX_SPLITS {
        let mut twos = 0;
        while twos <= MAX_SPLITS - threes {
            let length = BLOCK * 2usize.pow(twos) * 3usize.pow(threes);
            let products = 3usize.pow(twos) * 6usize.pow(threes);
            if length >= words && products < best.1 {
                best = (length, products);
            }
            twos += 1;
        }
        threes += 1;
    }
    best.0
}

/// The maximum number of splits of a factor: 8·2⁸ words are 131,072 bits.
const MAX_SPLITS: u32 = 8;

/// The working memory of products. Erased on drop.
pub struct Scratch(Box<[u64]>);

impl Scratch {
    /// Allocates working memory for products of factors of `words` words.
    #[must_use]
    pub fn new(words: usize) -> Self {
        Self(vec![0; scratch_len(words)].into_boxed_slice())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// Returns the number of words of working memory that [`karatsuba`] needs for factors of `n` words.
const fn scratch_len(n: usize) -> usize {
    match split(n) {
        Split::None => 0,
        // two sums, their product, and the memory of that product
        Split::Halves => 2 * n + scratch_len(n / 2),
        // two sums, three products, and the memory of one product
        Split::Thirds => 2 * (n / 3) + 2 * n + scratch_len(n / 3),
    }
}

/// Computes c ← a·b. `a` and `b` have n words each, where n is a [`padded`] length. `c` has 2·n words. All
/// words are secret.
///
/// # Panics
/// Panics if n is not a padded length, if the lengths do not match, or if the working memory was allocated for shorter
/// factors.
pub fn multiply(level: Level, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut Scratch) {
    assert!(
        a.len() == b.len() && c.len() == 2 * a.len(),
        "factors of one length, and a product of twice that"
    );
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) if let Some(token) = token.vpclmulqdq() => {
            karatsuba(backend::avx512::Avx512::new(token), a, b, c, &mut scratch.0);
        }
        #[cfg(target_arch = "x86_64")]
        level if let Some(token) = level.avx2() => {
            karatsuba(backend::avx2::Avx2::new(token), a, b, c, &mut scratch.0);
        }
        _ => karatsuba(backend::portable::Portable, a, b, c, &mut scratch.0),
    }
}

/// The way in which a factor is split.
enum Split {
    None,
    Halves,
    Thirds,
}

/// Returns how factors of `n` words are split. Splits in thirds come first, so that long factors become short
/// in few levels.
const fn split(n: usize) -> Split {
    assert!(n > 0 && n.is_multiple_of(BLOCK), "the length is padded to whole blocks");
    match n / BLOCK {
        1 => Split::None,
        blocks if blocks.is_multiple_of(3) => Split::Thirds,
        blocks => {
            assert!(blocks.is_multiple_of(2), "the length is padded to whole blocks");
            Split::Halves
        }
    }
}

fn karatsuba<M: Multiplier>(m: M, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut [u64]) {
    match split(a.len()) {
        Split::None => m.multiply_block(as_block(a), as_block(b), c.as_mut_array().expect("twice a block")),
        Split::Halves => multiply_halves(m, a, b, c, scratch),
        Split::Thirds => multiply_thirds(m, a, b, c, scratch),
    }
}

fn as_block(words: &[u64]) -> &[u64; BLOCK] {
    words.as_array().expect("a block")
}

/// Computes (a₀ + a₁·X)·(b₀ + b₁·X), where X is x to the power of half the length, with three products.
fn multiply_halves<M: Multiplier>(m: M, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut [u64]) {
    let h = a.len() / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (sums, scratch) = scratch.split_at_mut(2 * h);
    let (middle, scratch) = scratch.split_at_mut(2 * h);
    let (a01, b01) = sums.split_at_mut(h);
    m.add(a0, a1, a01);
    m.add(b0, b1, b01);
    karatsuba(m, a01, b01, middle, scratch);
    let (low, high) = c.split_at_mut(2 * h);
    karatsuba(m, a0, b0, low, scratch);
    karatsuba(m, a1, b1, high, scratch);
    m.join_halves(c, middle);
}

/// Computes (a₀ + a₁·X + a₂·X²)·(b₀ + b₁·X + b₂·X²), where X is x to the power of a third of the length, with six
/// products.
fn multiply_thirds<M: Multiplier>(m: M, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut [u64]) {
    let h = a.len() / 3;
    let (sums, scratch) = scratch.split_at_mut(2 * h);
    let (mixed, scratch) = scratch.split_at_mut(6 * h);
    let (sum_a, sum_b) = sums.split_at_mut(h);
    for ((i, j), product) in [(0, 1), (0, 2), (1, 2)].into_iter().zip(mixed.chunks_exact_mut(2 * h)) {
        m.add(&a[i * h..][..h], &a[j * h..][..h], sum_a);
        m.add(&b[i * h..][..h], &b[j * h..][..h], sum_b);
        karatsuba(m, sum_a, sum_b, product, scratch);
    }
    for ((a, b), product) in a.chunks_exact(h).zip(b.chunks_exact(h)).zip(c.chunks_exact_mut(2 * h)) {
        karatsuba(m, a, b, product, scratch);
    }
    m.join_thirds(c, mixed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Computes a product bit by bit.
    fn schoolbook(a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut c = vec![0; a.len() + b.len() + 1];
        for (i, word) in a.iter().enumerate() {
            for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                for (j, b) in b.iter().enumerate() {
                    let shifted = u128::from(*b) << bit;
                    c[i + j] ^= shifted as u64;
                    c[i + j + 1] ^= (shifted >> 64) as u64;
                }
            }
        }
        c.truncate(a.len() + b.len());
        c
    }

    fn random(words: usize, seed: u64) -> Vec<u64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state.rotate_left(29)
        };
        (0..words).map(|_| next()).collect()
    }

    fn check_product(a: &[u64], b: &[u64]) {
        let expected = schoolbook(a, b);
        for level in Level::all() {
            let mut c = vec![!0; 2 * a.len()];
            multiply(level, a, b, &mut c, &mut Scratch::new(a.len()));
            assert_eq!(c, expected, "{} words, {}", a.len(), level.name());
        }
    }

    #[test]
    fn blocks_match_schoolbook_multiplication() {
        for i in 0..512 {
            let mut one_bit = [0; BLOCK];
            one_bit[i / 64] = 1 << (i % 64);
            check_product(&one_bit, &random(BLOCK, i as u64));
        }
        (0..200).for_each(|seed| check_product(&random(BLOCK, seed), &random(BLOCK, !seed)));
        check_product(&[!0; BLOCK], &[!0; BLOCK]);
    }

    #[test]
    fn long_products_match_schoolbook_multiplication() {
        for words in [16, 24, 32, 48, 72, 96, 144, 216, 288] {
            check_product(&random(words, 1), &random(words, 2));
            check_product(&vec![!0; words], &vec![!0; words]);
        }
    }

    #[test]
    fn padded_lengths_suit_hqc_and_bike() {
        let lengths = [277, 561, 901, 193, 386, 641].map(padded);
        assert_eq!(lengths, [288, 576, 1024, 216, 432, 648]);
        assert_eq!((padded(1), padded(8), padded(9)), (8, 8, 16));
    }

    #[test]
    #[should_panic(expected = "padded")]
    fn rejects_lengths_that_cannot_be_split() {
        multiply(Level::Portable, &[0; 40], &[0; 40], &mut [0; 80], &mut Scratch::new(48));
    }
}
