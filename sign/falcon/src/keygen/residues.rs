//! Conversion of large integers to residues modulo many primes, and back.
//!
//! Row j holds the residues of all integers modulo prime j, in the same way as rows hold words of integers.
//! If a row has many integers, loops run over the integers of a row. In the last steps of the recursion, a
//! row has only a few integers, each with hundreds of words. Loops then run over the primes, and data is
//! stored by columns: all residues of one integer, then those of the next.

use super::primes::{Columns, PRIMES, Prime};
use super::zint::{MASK, WORD_BITS, Words, center, multiply_small};
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;
use zeroize::Zeroizing;

/// The minimum number of integers for processing row by row.
const MIN_ROW_LEN: usize = 32;

/// Returns the `n` integers of `x` modulo the first `primes` primes.
#[inline(always)]
pub(super) fn residues(x: &[u32], n: usize, primes: usize) -> Words {
    let mut out = Words::zeroes(n * primes);
    if n >= MIN_ROW_LEN || primes < Columns::LANES {
        for (prime, out) in PRIMES.iter().zip(out.chunks_exact_mut(n)) {
            by_row(x, prime, out);
        }
    } else {
        by_column(x, n, &mut out);
    }
    out
}

/// Computes each integer of `x` modulo p with Horner's rule. `out` determines the number of integers.
#[inline(always)]
fn by_row(x: &[u32], prime: &Prime, out: &mut [u32]) {
    let n = out.len();
    let len = x.len() / n;
    unsigned_by_row(x, prime, out);
    // a negative integer was processed as the integer plus 2^(31·len); this step also converts from
    // Montgomery form
    let minus_one = prime.mul(prime.sub(0, prime.radix_power(len)), 1);
    for (out, top) in out.iter_mut().zip(&x[(len - 1) * n..]) {
        *out = prime.add(*out, minus_one & is_negative(*top));
    }
}

#[inline(always)]
fn unsigned_by_row(x: &[u32], prime: &Prime, out: &mut [u32]) {
    let word = prime.radix_power(1);
    out.fill(0);
    for row in x.chunks_exact(out.len()).rev() {
        for (out, w) in out.iter_mut().zip(row) {
            *out = prime.add(prime.mul(*out, word), prime.word(*w));
        }
    }
}

/// Returns a mask of all ones if the highest word `top` is negative, else zero.
#[inline(always)]
fn is_negative(top: u32) -> u32 {
    ct::mask((top >> (WORD_BITS - 1)).wrapping_neg())
}

/// Computes Σ w_j·2^(31j): multiplies each word by its power, which is the same for all integers.
#[inline(always)]
fn by_column(x: &[u32], n: usize, out: &mut [u32]) {
    let columns = Columns::for_primes(out.len() / n);
    let (len, last) = (columns.len(), x.len() - n);
    let word = columns.radix();
    let mut powers = [columns.one(), Words::zeroes(len), Words::zeroes(len), Words::zeroes(len)];
    let mut sums: Vec<Sums> = (0..n).map(|_| Sums::new(len)).collect();
    for four in x.chunks(4 * n) {
        for j in 1..4 {
            let (before, after) = powers.split_at_mut(j);
            columns.multiply(&mut after[0], &before[j - 1], &word);
        }
        for (i, sums) in sums.iter_mut().enumerate() {
            let mut w = [0; 4];
            for (w, word) in w.iter_mut().zip(four[i..].iter().step_by(n)) {
                *w = u64::from(*word);
            }
            sums.add(&powers, w);
        }
        let (first, rest) = powers.split_at_mut(1);
        columns.multiply(&mut first[0], &rest[2], &word);
    }
    // a negative integer was processed as the integer plus 2^(31·len); this step also converts from
    // Montgomery form
    let mut whole = Words::zeroes(len);
    columns.multiply(&mut whole, &powers[x.len() / n % 4], &vec![1; len]);
    let mut column = Words::zeroes(len);
    for (i, sums) in sums.iter().enumerate() {
        columns.reduce(&sums.low, &sums.high, &mut column);
        columns.subtract(&mut column, &whole, ct::opaque(is_negative(x[last + i])));
        for (out, residue) in out.chunks_exact_mut(n).zip(column.iter()) {
            out[i] = *residue;
        }
    }
}

/// For each prime, a sum of 62-bit products, split so that it does not overflow: `low` adds the low 32 bits,
/// and `high` the high 32 bits, of every sum of four products (secret, erased on drop).
struct Sums {
    low: Zeroizing<Vec<u64>>,
    high: Zeroizing<Vec<u64>>,
}

impl Sums {
    fn new(len: usize) -> Self {
        Self { low: Zeroizing::new(vec![0; len]), high: Zeroizing::new(vec![0; len]) }
    }

    /// Adds Σ w_j·powers_j. The sum of four products fits into 64 bits.
    #[inline(always)]
    fn add(&mut self, powers: &[Words; 4], w: [u64; 4]) {
        let [a, b, c, d] = powers;
        let powers = a.iter().zip(b.iter()).zip(c.iter().zip(d.iter()));
        let sums = self.low.iter_mut().zip(self.high.iter_mut());
        for ((low, high), ((a, b), (c, d))) in sums.zip(powers) {
            let products =
                [w[0] * u64::from(*a), w[1] * u64::from(*b), w[2] * u64::from(*c), w[3] * u64::from(*d)];
            let sum = (products[0] + products[1]) + (products[2] + products[3]);
            *low += sum & u64::from(u32::MAX);
            *high += sum >> 32;
        }
    }
}

/// Converts residues to integers with Garner's algorithm. Row j of `x` holds residues modulo prime j. The integers are
/// signed if `is_signed`.
#[inline(always)]
pub(super) fn rebuild(x: &mut [u32], n: usize, is_signed: bool) {
    let len = x.len() / n;
    let mut product = Words::zeroes(len);
    product[0] = PRIMES[0].p;
    let mut columns = (n < MIN_ROW_LEN && len >= Columns::LANES).then(|| PartialIntegers::new(len, &x[..n]));
    let (mut factors, mut carry) = (Words::zeroes(n), Words::zeroes(n));
    for (j, prime) in PRIMES.iter().enumerate().take(len).skip(1) {
        let (known, rest) = x.split_at_mut(j * n);
        let row = &mut rest[..n];
        match &columns {
            Some(columns) => columns.row(j, &mut factors),
            None => unsigned_by_row(known, prime, &mut factors),
        }
        // x ← x + ((row − x)/∏p mod p)·∏p
        for (factor, target) in factors.iter_mut().zip(row.iter()) {
            *factor = prime.mul(prime.sub(*target, *factor), prime.crt());
        }
        if let Some(columns) = &mut columns {
            columns.add(j, &factors);
        }
        carry.fill(0);
        for (known, word) in known.chunks_exact_mut(n).zip(product.iter()) {
            for ((known, factor), carry) in known.iter_mut().zip(factors.iter()).zip(carry.iter_mut()) {
                let sum = u64::from(*factor) * u64::from(*word) + u64::from(*known) + u64::from(*carry);
                *known = sum as u32 & MASK;
                *carry = (sum >> WORD_BITS) as u32;
            }
        }
        row.copy_from_slice(&carry);
        product[j] = multiply_small(&mut product[..j], prime.p);
    }
    if is_signed {
        center(x, n, &product);
    }
}

/// The partially reconstructed integers, modulo all remaining primes (secret, erased on drop).
struct PartialIntegers {
    columns: Columns,
    /// The residues, with one column per integer.
    residues: Words,
    /// The product of the processed primes, in Montgomery form.
    product: Words,
}

impl PartialIntegers {
    /// Creates the integers from `row`, the residues modulo the first prime.
    #[inline(always)]
    fn new(primes: usize, row: &[u32]) -> Self {
        let columns = Columns::for_primes(primes);
        let len = columns.len();
        let mut residues = Words::zeroes(row.len() * len);
        for (column, first) in residues.chunks_exact_mut(len).zip(row) {
            columns.write_residues(column, *first);
        }
        let mut product = columns.one();
        columns.multiply_by_prime(&mut product, 0, 0);
        Self { columns, residues, product }
    }

    /// Writes the residues modulo prime j.
    #[inline(always)]
    fn row(&self, j: usize, out: &mut [u32]) {
        for (out, column) in out.iter_mut().zip(self.residues.chunks_exact(self.columns.len())) {
            *out = column[j];
        }
    }

    /// Adds each factor times the product of the primes. Then multiplies the product by prime j.
    #[inline(always)]
    fn add(&mut self, j: usize, factors: &[u32]) {
        let Self { columns, residues, product } = self;
        // residues modulo the preceding primes are no longer needed, and become arbitrary
        let from = (j + 1) / Columns::LANES * Columns::LANES;
        for (column, factor) in residues.chunks_exact_mut(columns.len()).zip(factors) {
            columns.add_multiple(column, product, *factor, from);
        }
        columns.multiply_by_prime(product, j, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns integers of `len` words. Some are short, and some are long and have either sign.
    fn integers(n: usize, len: usize) -> Words {
        let mut x = Words::zeroes(n * len);
        for (i, word) in x.iter_mut().enumerate() {
            *word = (i as u32 + 1).wrapping_mul(0x9E37_79B9) >> 1;
        }
        for (i, small) in [0, 1, MASK].into_iter().enumerate() {
            let sign = if small == MASK { MASK } else { 0 };
            x[i] = small;
            x[i + n..].iter_mut().step_by(n).for_each(|word| *word = sign);
        }
        x
    }

    #[test]
    fn integers_round_trip_through_residues() {
        // tests processing by rows and by columns; uses `len` + 1 primes, because the product of the first
        // `len` primes is smaller than 2^(31·len)
        for (n, len) in [(MIN_ROW_LEN, 5), (4, 5), (4, 15), (4, 16), (2 * 3, 40), (MIN_ROW_LEN, 17), (4, 307)]
        {
            let x = integers(n, len);
            let mut rns = residues(&x, n, len + 1);
            rebuild(&mut rns, n, true);
            assert_eq!(rns[..n * len], x[..], "{n} {len}");
            let sign = |i: usize| is_negative(x[n * (len - 1) + i]) & MASK;
            assert!(rns[n * len..].iter().enumerate().all(|(i, word)| *word == sign(i)), "{n} {len}");
        }
    }

    #[test]
    fn residues_of_small_integers_are_exact() {
        let integers: [i128; 4] = [0, 1, -1, -98_765_432_109_876_543_210];
        let mut x = Words::zeroes(4 * 3);
        for (i, word) in x.iter_mut().enumerate() {
            *word = (integers[i % 4] >> (31 * (i / 4))) as u32 & MASK;
        }
        for primes in [3, 16, 21] {
            let rows = residues(&x, 4, primes);
            for (prime, row) in PRIMES.iter().zip(rows.chunks_exact(4)) {
                assert_eq!(row, integers.map(|integer| integer.rem_euclid(i128::from(prime.p)) as u32));
            }
        }
    }
}
