//! Products of long polynomials from products of [`BLOCK`] words, with Karatsuba's method in halves and in thirds.

use crate::backend::sums::{add, join_halves, join_thirds};
use crate::backend::{self, BLOCK, Kernel, Multiplier};
use alloc::boxed::Box;
use alloc::vec;
use grille_cpu::Level;
use zeroize::Zeroize;

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

/// Returns the number of words of working memory that one product of factors of `n` words needs, at every level.
const fn scratch_len(n: usize) -> usize {
    let h = n / 2;
    match split(n) {
        // two factors and a product in two lanes
        Split::None => 8 * n,
        // two products in two lanes and their memory; then two sums, their product, and its memory
        Split::Halves => max(2 * n + 2 * lane_scratch_len(h), 2 * n + scratch_len(h)),
        // three products, two products in two lanes, and their memory
        Split::Thirds => 2 * n + 4 * (n / 3) + 2 * lane_scratch_len(n / 3),
    }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// Returns the number of words of working memory that [`Product`] needs per lane for factors of `n` words.
const fn lane_scratch_len(n: usize) -> usize {
    match split(n) {
        Split::None => 0,
        // two sums, their product, and the memory of that product
        Split::Halves => 2 * n + lane_scratch_len(n / 2),
        // two sums, three products, and the memory of one product
        Split::Thirds => 2 * (n / 3) + 2 * n + lane_scratch_len(n / 3),
    }
}

/// Computes c ← a·b. `a` and `b` have n words each, where n is a [`padded`] length. `c` has 2·n words. All
/// words are secret.
///
/// # Panics
/// Panics if n is not a padded length, if the lengths differ, or if the working memory was allocated for shorter factors.
pub fn multiply(level: Level, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut Scratch) {
    assert!(
        a.len() == b.len() && c.len() == 2 * a.len(),
        "factors of one length, and a product of twice that"
    );
    let scratch = &mut scratch.0;
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) if let Some(token) = token.vpclmulqdq() => {
            product(backend::avx512::Avx512::new(token), a, b, c, scratch);
        }
        #[cfg(target_arch = "x86_64")]
        level if let Some(token) = level.avx2() => match token.vpclmulqdq256() {
            Some(token) => single(backend::avx2::wide::Wide::new(token), a, b, c, scratch),
            None => product(backend::avx2::narrow::Narrow::new(token), a, b, c, scratch),
        },
        _ => product(backend::portable::Portable, a, b, c, scratch),
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

/// Computes c ← a·b in each lane of a backend.
fn product<M: Multiplier>(m: M, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut [u64]) {
    m.run(Product { m, a, b, c, scratch });
}

/// Computes c ← a·b with a backend of two lanes.
#[cfg(target_arch = "x86_64")]
fn single<M: Multiplier>(m: M, a: &[u64], b: &[u64], c: &mut [u64], scratch: &mut [u64]) {
    m.run(Single(Product { m, a, b, c, scratch }));
}

struct Product<'a, M> {
    m: M,
    a: &'a [u64],
    b: &'a [u64],
    c: &'a mut [u64],
    scratch: &'a mut [u64],
}

impl<M: Multiplier> Kernel for Product<'_, M> {
    #[inline(always)]
    fn run(self) {
        let n = self.a.len() / M::LANES;
        match split(n) {
            Split::None => self.m.block(self.a, self.b, self.c),
            // without further calls, which would take a quarter of the time
            Split::Halves if n == 2 * BLOCK => self.halves(Self::block),
            Split::Thirds if n == 3 * BLOCK => self.thirds(Self::block),
            Split::Halves => self.halves(product),
            Split::Thirds => self.thirds(product),
        }
    }
}

impl<M: Multiplier> Product<'_, M> {
    /// Computes c ← a·b for factors of one block.
    #[inline(always)]
    fn block(m: M, a: &[u64], b: &[u64], c: &mut [u64], _scratch: &mut [u64]) {
        m.block(a, b, c);
    }

    /// Computes (a₀ + a₁·X)·(b₀ + b₁·X), where X is x to the power of half the length, with three products.
    #[inline(always)]
    fn halves(self, product: impl Fn(M, &[u64], &[u64], &mut [u64], &mut [u64])) {
        let Self { m, a, b, c, scratch } = self;
        let h = a.len() / 2;
        let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
        let (sums, scratch) = scratch.split_at_mut(2 * h);
        let (middle, scratch) = scratch.split_at_mut(2 * h);
        let (a01, b01) = sums.split_at_mut(h);
        add::<BLOCK>(a0, a1, a01);
        add::<BLOCK>(b0, b1, b01);
        product(m, a01, b01, middle, scratch);
        let (low, high) = c.split_at_mut(2 * h);
        product(m, a0, b0, low, scratch);
        product(m, a1, b1, high, scratch);
        join_halves::<BLOCK>(c, middle);
    }

    /// Computes (a₀ + a₁·X + a₂·X²)·(b₀ + b₁·X + b₂·X²), where X is x to the power of a third of the length, with six
    /// products.
    #[inline(always)]
    fn thirds(self, product: impl Fn(M, &[u64], &[u64], &mut [u64], &mut [u64])) {
        let Self { m, a, b, c, scratch } = self;
        let h = a.len() / 3;
        let (sums, scratch) = scratch.split_at_mut(2 * h);
        let (mixed, scratch) = scratch.split_at_mut(6 * h);
        let (sum_a, sum_b) = sums.split_at_mut(h);
        for ((i, j), mixed) in [(0, 1), (0, 2), (1, 2)].into_iter().zip(mixed.chunks_exact_mut(2 * h)) {
            add::<BLOCK>(&a[i * h..][..h], &a[j * h..][..h], sum_a);
            add::<BLOCK>(&b[i * h..][..h], &b[j * h..][..h], sum_b);
            product(m, sum_a, sum_b, mixed, scratch);
        }
        for ((a, b), c) in a.chunks_exact(h).zip(b.chunks_exact(h)).zip(c.chunks_exact_mut(2 * h)) {
            product(m, a, b, c, scratch);
        }
        join_thirds::<BLOCK>(c, mixed);
    }
}

/// One product with a backend of two lanes. The products of its parts are computed side by side.
#[cfg(target_arch = "x86_64")]
struct Single<'a, M>(Product<'a, M>);

#[cfg(target_arch = "x86_64")]
impl<M: Multiplier> Kernel for Single<'_, M> {
    #[inline(always)]
    fn run(self) {
        match split(self.0.a.len()) {
            Split::None => self.block(),
            Split::Halves => self.halves(),
            Split::Thirds => self.thirds(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl<M: Multiplier> Single<'_, M> {
    /// Computes a product of blocks in the first lane.
    #[inline(always)]
    fn block(self) {
        let Product { m, a, b, c, scratch } = self.0;
        let (factors, double) = scratch.split_at_mut(4 * BLOCK);
        let (x, y) = factors.split_at_mut(2 * BLOCK);
        write_lane(0, a, x);
        write_lane(0, b, y);
        product(m, x, y, &mut double[..4 * BLOCK], &mut []);
        read_lane(0, double, c);
    }

    /// Computes the products of the two halves side by side, then the product of their sums.
    #[inline(always)]
    fn halves(self) {
        let Product { m, a, b, c, scratch } = self.0;
        let h = a.len() / 2;
        let (double, rest) = scratch.split_at_mut(4 * h);
        let (x, y) = c.split_at_mut(2 * h);
        for lane in 0..2 {
            write_lane(lane, &a[lane * h..][..h], x);
            write_lane(lane, &b[lane * h..][..h], y);
        }
        product(m, x, y, double, rest);
        (0..2).for_each(|lane| read_lane(lane, double, &mut c[lane * 2 * h..][..2 * h]));
        let (sums, scratch) = scratch.split_at_mut(2 * h);
        let (middle, scratch) = scratch.split_at_mut(2 * h);
        let (a01, b01) = sums.split_at_mut(h);
        add::<BLOCK>(&a[..h], &a[h..], a01);
        add::<BLOCK>(&b[..h], &b[h..], b01);
        single(m, a01, b01, middle, scratch);
        join_halves::<BLOCK>(c, middle);
    }

    /// Computes six products, two of them side by side.
    #[inline(always)]
    fn thirds(self) {
        let Product { m, a, b, c, scratch } = self.0;
        let h = a.len() / 3;
        let (mixed, scratch) = scratch.split_at_mut(6 * h);
        let (double, scratch) = scratch.split_at_mut(4 * h);
        // the thirds whose sums are the factors, in pairs of products
        for pair in [[[0, 1], [0, 2]], [[1, 2], [2, 2]], [[0, 0], [1, 1]]] {
            // this part of c is free until the last pair of products is known
            let (x, y) = c[..4 * h].split_at_mut(2 * h);
            for (lane, [i, j]) in pair.into_iter().enumerate() {
                write_sum(lane, i, j, a, x);
                write_sum(lane, i, j, b, y);
            }
            product(m, x, y, double, scratch);
            for (lane, [i, j]) in pair.into_iter().enumerate() {
                let to = if i == j { &mut c[2 * h * i..] } else { &mut mixed[2 * h * (i + j - 1)..] };
                read_lane(lane, double, &mut to[..2 * h]);
            }
        }
        join_thirds::<BLOCK>(c, mixed);
    }
}

/// Writes the sum of two thirds of `words`, or one third if both are the same, to one of two lanes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write_sum(lane: usize, i: usize, j: usize, words: &[u64], lanes: &mut [u64]) {
    let h = words.len() / 3;
    write_lane(lane, &words[i * h..][..h], lanes);
    if i != j {
        for (lanes, words) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(words[j * h..].as_chunks::<2>().0) {
            lanes[2 * lane] ^= words[0];
            lanes[2 * lane + 1] ^= words[1];
        }
    }
}

/// Writes `words` to one of two lanes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn write_lane(lane: usize, words: &[u64], lanes: &mut [u64]) {
    for (lanes, words) in lanes.as_chunks_mut::<4>().0.iter_mut().zip(words.as_chunks::<2>().0) {
        lanes[2 * lane..][..2].copy_from_slice(words);
    }
}

/// Reads the words of one of two lanes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn read_lane(lane: usize, lanes: &[u64], words: &mut [u64]) {
    for (words, lanes) in words.as_chunks_mut::<2>().0.iter_mut().zip(lanes.as_chunks::<4>().0) {
        words.copy_from_slice(&lanes[2 * lane..][..2]);
    }
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
        check_narrow_product(a, b, &expected);
    }

    /// Checks the product with PCLMULQDQ also on processors with VPCLMULQDQ.
    fn check_narrow_product(_a: &[u64], _b: &[u64], _expected: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = grille_cpu::Avx2::detect() {
            let mut c = vec![!0; 2 * _a.len()];
            let narrow = backend::avx2::narrow::Narrow::new(token);
            product(narrow, _a, _b, &mut c, &mut Scratch::new(_a.len()).0);
            assert_eq!(c, _expected, "{} words, PCLMULQDQ", _a.len());
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
