//! Arithmetic modulo primes of 31 bits, and NTTs modulo each prime. Large integers are represented by
//! residues modulo many primes.
//!
//! Residues are in [0, p). Products are Montgomery products with R = 2³².

use super::zint::Words;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::ct;

/// A prime p with 2048 | p − 1, and the constants of arithmetic modulo p.
#[derive(Clone, Copy)]
pub(super) struct Prime {
    /// The prime p, in (2³⁰, 2³¹).
    pub(super) p: u32,
    /// The constant −p⁻¹ mod 2³².
    minus_inverse: u32,
    /// The constant R² mod p.
    pub(super) r2: u32,
    /// A root of unity of order 2048, in Montgomery form.
    root: u32,
    /// The inverse of the product of all primes before this one in [`PRIMES`], in Montgomery form.
    crt: u32,
}

/// The largest primes below 2³¹ with 2048 | p − 1, in descending order. Their number equals the number of words
/// of the longest unreduced F in [`super::ntru`].
#[allow(long_running_const_eval, reason = "a few thousand primality tests")]
pub(super) static PRIMES: [Prime; 308] = primes();

impl Prime {
    /// Computes a + b.
    #[inline(always)]
    pub(super) fn add(&self, a: u32, b: u32) -> u32 {
        self.add_p_if_negative(a.wrapping_add(b).wrapping_sub(self.p))
    }

    /// Computes a − b.
    #[inline(always)]
    pub(super) fn sub(&self, a: u32, b: u32) -> u32 {
        self.add_p_if_negative(a.wrapping_sub(b))
    }

    /// Maps a number in [−p, p), represented modulo 2³², to [0, p).
    #[inline(always)]
    const fn add_p_if_negative(&self, a: u32) -> u32 {
        add_p_if_negative(a, self.p)
    }

    /// Computes a·b/R.
    #[inline(always)]
    pub(super) const fn mul(&self, a: u32, b: u32) -> u32 {
        montgomery(a as u64 * b as u64, self.p, self.minus_inverse)
    }

    /// Converts to Montgomery form.
    #[inline(always)]
    pub(super) const fn montgomery_form(&self, a: u32) -> u32 {
        self.mul(a, self.r2)
    }

    /// Returns the residue of a word of 31 bits.
    #[inline(always)]
    pub(super) fn word(&self, a: u32) -> u32 {
        self.add_p_if_negative(a.wrapping_sub(self.p))
    }

    /// Returns the residue of a signed number, for |a| < p.
    #[inline(always)]
    pub(super) fn signed(&self, a: i32) -> u32 {
        self.add_p_if_negative(a as u32)
    }

    /// Returns 2³¹ to the power of `words`, in Montgomery form.
    pub(super) fn radix_power(&self, words: usize) -> u32 {
        let word = self.montgomery_form(self.word((1 << 31) - 1) + 1);
        (0..words).fold(self.montgomery_form(1), |power, _| self.mul(power, word))
    }

    /// Returns the factor of Garner's step for this prime in [`PRIMES`].
    #[inline(always)]
    pub(super) const fn crt(&self) -> u32 {
        self.crt
    }

    /// Computes base to the power of `exponent`, with base and result in Montgomery form.
    fn power(&self, base: u32, exponent: u32) -> u32 {
        let (mut result, mut square, mut exponent) = (self.montgomery_form(1), base, exponent);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    /// Creates a prime with its Montgomery constants only.
    const fn new(p: u32) -> Self {
        let mut inverse = 1u32;
        let mut i = 0;
        while i < 5 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        let r = (1u64 << 32) % p as u64;
        let r2 = (r * r % p as u64) as u32;
        Self { p, minus_inverse: inverse.wrapping_neg(), r2, root: 0, crt: 0 }
    }

    /// Checks whether p is a strong probable prime to `base`. Below 2³¹, passing the test for the bases 2, 3,
    /// 5 and 7 proves that p is prime, because the only exception, 3215031751, is larger.
    const fn is_probable_prime(&self, base: u32) -> bool {
        let shift = (self.p - 1).trailing_zeros();
        let mut power = power_modulo(base, (self.p - 1) >> shift, self.p);
        let mut is_minus_one = false;
        let starts_with_one = power == 1;
        let mut i = 0;
        while i < shift {
            is_minus_one = is_minus_one || power == self.p - 1;
            power = multiply_modulo(power, power, self.p);
            i += 1;
        }
        starts_with_one || is_minus_one
    }

    /// Sets the root of unity. It is the first power aᵏ with a = 2, 3, 4, … and k = (p − 1)/2048 whose order is
    /// 2048.
    const fn set_roots(&mut self) {
        let mut base = 2;
        loop {
            let root = power_modulo(base, (self.p - 1) / 2048, self.p);
            if power_modulo(root, 1024, self.p) == self.p - 1 {
                self.root = self.montgomery_form(root);
                return;
            }
            base += 1;
        }
    }
}

/// Computes x/R modulo p, in [0, p), for x < R·p.
#[inline(always)]
const fn montgomery(x: u64, p: u32, minus_inverse: u32) -> u32 {
    let quotient = (x as u32).wrapping_mul(minus_inverse);
    // x is below R·p ≤ 2⁶³, and the added product is below 2⁶³, too
    let reduced = ((x + quotient as u64 * p as u64) >> 32) as u32;
    add_p_if_negative(reduced.wrapping_sub(p), p)
}

/// Maps a number in [−p, p), represented modulo 2³², to [0, p).
#[inline(always)]
const fn add_p_if_negative(a: u32, p: u32) -> u32 {
    a.wrapping_add(p & ct::mask((a >> 31).wrapping_neg()))
}

/// The first primes of [`PRIMES`]. Their number is rounded up to whole vectors. The methods compute modulo
/// all of these primes at once. A column holds one residue for each prime.
pub(super) struct Columns {
    len: usize,
}

/// The values p, −p⁻¹ and R² of all primes, padded with those of the last prime.
static COLUMNS: [[u32; 320]; 3] = {
    let mut columns = [[0; 320]; 3];
    let mut j = 0;
    while j < 320 {
        let prime = &PRIMES[if j < PRIMES.len() { j } else { PRIMES.len() - 1 }];
        columns[0][j] = prime.p;
        columns[1][j] = prime.minus_inverse;
        columns[2][j] = prime.r2;
        j += 1;
    }
    columns
};

impl Columns {
    /// The number of residues in a vector.
    pub(super) const LANES: usize = 16;

    pub(super) fn for_primes(primes: usize) -> Self {
        Self { len: primes.next_multiple_of(Self::LANES) }
    }

    /// Returns the number of primes, a multiple of [`LANES`](Self::LANES).
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns p and −p⁻¹ of the primes starting at `from`.
    #[inline(always)]
    fn moduli(&self, from: usize) -> impl Iterator<Item = (&'static u32, &'static u32)> {
        COLUMNS[0][from..self.len].iter().zip(&COLUMNS[1][from..self.len])
    }

    /// Returns 1 in Montgomery form, which is R − 2p.
    pub(super) fn one(&self) -> Words {
        const _: () = assert!(3 * PRIMES[307].p as u64 > 1 << 32);
        Words::new(COLUMNS[0][..self.len].iter().map(|p| p.wrapping_mul(2).wrapping_neg()).collect())
    }

    /// Returns 2³¹ in Montgomery form.
    #[inline(always)]
    pub(super) fn radix(&self) -> Words {
        let mut word = Words::zeroes(self.len);
        let below: Vec<u32> = COLUMNS[0][..self.len].iter().map(|p| (1 << 31) - p).collect();
        self.multiply(&mut word, &below, &COLUMNS[2]);
        word
    }

    /// Writes the residues of one word of 31 bits.
    #[inline(always)]
    pub(super) fn write_residues(&self, out: &mut [u32], word: u32) {
        for (out, (p, _)) in out.iter_mut().zip(self.moduli(0)) {
            *out = add_p_if_negative(word.wrapping_sub(*p), *p);
        }
    }

    /// Computes out ← a·b/R.
    #[inline(always)]
    pub(super) fn multiply(&self, out: &mut [u32], a: &[u32], b: &[u32]) {
        for (((out, a), b), (p, inverse)) in out.iter_mut().zip(a).zip(b).zip(self.moduli(0)) {
            *out = montgomery(u64::from(*a) * u64::from(*b), *p, *inverse);
        }
    }

    /// Computes out ← low + 2³²·high modulo each prime. The inputs are below 2⁴⁰.
    #[inline(always)]
    pub(super) fn reduce(&self, low: &[u64], high: &[u64], out: &mut [u32]) {
        let r2 = &COLUMNS[2];
        for ((((out, low), high), r2), (p, inverse)) in
            out.iter_mut().zip(low).zip(high).zip(r2).zip(self.moduli(0))
        {
            let high = montgomery(*high, *p, *inverse);
            let high = montgomery(u64::from(high) * u64::from(*r2), *p, *inverse);
            let low = montgomery(*low, *p, *inverse);
            *out = add_p_if_negative(low.wrapping_add(high).wrapping_sub(*p), *p);
        }
    }

    /// Computes a ← a − (b & `mask`) modulo each prime.
    #[inline(always)]
    pub(super) fn subtract(&self, a: &mut [u32], b: &[u32], mask: u32) {
        for ((a, b), (p, _)) in a.iter_mut().zip(b).zip(self.moduli(0)) {
            *a = add_p_if_negative(a.wrapping_sub(b & mask), *p);
        }
    }

    /// Computes a ← a + b·factor/R, for the primes starting at `from`.
    #[inline(always)]
    pub(super) fn add_multiple(&self, a: &mut [u32], b: &[u32], factor: u32, from: usize) {
        for ((a, b), (p, inverse)) in a[from..].iter_mut().zip(&b[from..]).zip(self.moduli(from)) {
            let product = montgomery(u64::from(*b) * u64::from(factor), *p, *inverse);
            *a = add_p_if_negative(a.wrapping_add(product).wrapping_sub(*p), *p);
        }
    }

    /// Computes a ← a·p_j, for the primes starting at `from`. The result is correct for primes after prime j.
    #[inline(always)]
    pub(super) fn multiply_by_prime(&self, a: &mut [u32], j: usize, from: usize) {
        let r2 = &COLUMNS[2][from..];
        for ((a, r2), (p, inverse)) in a[from..].iter_mut().zip(r2).zip(self.moduli(from)) {
            let residue = PRIMES[j].p.wrapping_sub(*p);
            let product = montgomery(u64::from(*a) * u64::from(residue), *p, *inverse);
            *a = montgomery(u64::from(product) * u64::from(*r2), *p, *inverse);
        }
    }
}

/// Computes a·b mod p with a division. Used at compile time, to compute [`PRIMES`].
const fn multiply_modulo(a: u32, b: u32, p: u32) -> u32 {
    (a as u64 * b as u64 % p as u64) as u32
}

/// Computes base to the power of `exponent` mod p. Used at compile time, like [`multiply_modulo`].
const fn power_modulo(base: u32, exponent: u32, p: u32) -> u32 {
    let (mut result, mut square, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply_modulo(result, square, p);
        }
        square = multiply_modulo(square, square, p);
        exponent >>= 1;
    }
    result
}

const fn primes() -> [Prime; 308] {
    let mut primes = [Prime::new(3); 308];
    let (mut found, mut candidate) = (0, (1u32 << 31) + 1 - 2048);
    while found < 308 {
        let mut prime = Prime::new(candidate);
        if prime.is_probable_prime(2)
            && prime.is_probable_prime(3)
            && prime.is_probable_prime(5)
            && prime.is_probable_prime(7)
        {
            prime.set_roots();
            let (mut product, mut i) = (1, 0);
            while i < found {
                product = multiply_modulo(product, primes[i].p - prime.p, prime.p);
                i += 1;
            }
            prime.crt = prime.montgomery_form(power_modulo(product, prime.p - 2, prime.p));
            primes[found] = prime;
            found += 1;
        }
        candidate -= 2048;
    }
    primes
}

/// The roots for NTTs of one degree modulo one prime, in Montgomery form and bit-reversed.
pub(super) struct Ntt {
    pub(super) prime: &'static Prime,
    roots: Vec<u32>,
    inverse_roots: Vec<u32>,
    /// The constant 1/n in Montgomery form.
    inverse_degree: u32,
}

impl Ntt {
    /// Creates the roots for degree `n`, at least 2.
    #[inline(always)]
    pub(super) fn new(prime: &'static Prime, n: usize) -> Self {
        let (mut roots, mut inverse_roots) = (vec![0; n], vec![0; n]);
        let reversed = |i: usize| i.reverse_bits() >> (usize::BITS - n.trailing_zeros());
        let (step, mut power) = (prime.power(prime.root, 1024 / n as u32), prime.montgomery_form(1));
        (roots[0], inverse_roots[0]) = (power, power);
        for i in 1..n {
            power = prime.mul(power, step);
            roots[reversed(i)] = power;
            // the n-th power is −1
            inverse_roots[reversed(n - i)] = prime.p - power;
        }
        // −(p − 1)/n is the inverse of n, because n·(p − 1)/n = −1
        let inverse_degree = prime.montgomery_form(prime.p - (prime.p - 1) / n as u32);
        Self { prime, roots, inverse_roots, inverse_degree }
    }

    /// Computes the NTT in place. The degree of `a` is that of the roots or smaller.
    #[inline(always)]
    pub(super) fn forward(&self, a: &mut [u32]) {
        let (mut blocks, mut half) = (1, a.len() / 2);
        while half > 0 {
            let roots = &self.roots[blocks..];
            match half {
                1 => layer::<2>(self.prime, a, roots),
                2 => layer::<4>(self.prime, a, roots),
                4 => layer::<8>(self.prime, a, roots),
                8 => layer::<16>(self.prime, a, roots),
                _ => {
                    for (block, root) in a.chunks_exact_mut(2 * half).zip(roots) {
                        butterflies(self.prime, block, *root);
                    }
                }
            }
            (blocks, half) = (2 * blocks, half / 2);
        }
    }

    /// Computes the inverse of [`forward`](Self::forward) in place. The degree of `a` is that of the roots or
    /// half of it.
    #[inline(always)]
    pub(super) fn inverse(&self, a: &mut [u32]) {
        let (mut blocks, mut half) = (a.len() / 2, 1);
        while blocks > 0 {
            let roots = &self.inverse_roots[blocks..];
            match half {
                1 => inverse_layer::<2>(self.prime, a, roots),
                2 => inverse_layer::<4>(self.prime, a, roots),
                4 => inverse_layer::<8>(self.prime, a, roots),
                8 => inverse_layer::<16>(self.prime, a, roots),
                _ => {
                    for (block, root) in a.chunks_exact_mut(2 * half).zip(roots) {
                        inverse_butterflies(self.prime, block, *root);
                    }
                }
            }
            (blocks, half) = (blocks / 2, 2 * half);
        }
        let doubled = self.prime.add(self.inverse_degree, self.inverse_degree);
        let scale = if a.len() == self.roots.len() { self.inverse_degree } else { doubled };
        for a in a {
            *a = self.prime.mul(*a, scale);
        }
    }
}

/// Computes a layer of short blocks, whose length must be a constant to allow vectorisation.
#[inline(always)]
fn layer<const BLOCK: usize>(prime: &Prime, a: &mut [u32], roots: &[u32]) {
    for (block, root) in a.as_chunks_mut::<BLOCK>().0.iter_mut().zip(roots) {
        butterflies(prime, block, *root);
    }
}

/// Computes a layer of short blocks of the inverse.
#[inline(always)]
fn inverse_layer<const BLOCK: usize>(prime: &Prime, a: &mut [u32], roots: &[u32]) {
    for (block, root) in a.as_chunks_mut::<BLOCK>().0.iter_mut().zip(roots) {
        inverse_butterflies(prime, block, *root);
    }
}

#[inline(always)]
fn butterflies(prime: &Prime, block: &mut [u32], root: u32) {
    let (low, high) = block.split_at_mut(block.len() / 2);
    for (x, y) in low.iter_mut().zip(high) {
        let product = prime.mul(*y, root);
        (*x, *y) = (prime.add(*x, product), prime.sub(*x, product));
    }
}

#[inline(always)]
fn inverse_butterflies(prime: &Prime, block: &mut [u32], root: u32) {
    let (low, high) = block.split_at_mut(block.len() / 2);
    for (x, y) in low.iter_mut().zip(high) {
        let difference = prime.sub(*x, *y);
        (*x, *y) = (prime.add(*x, *y), prime.mul(difference, root));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_distinct_with_valid_roots() {
        for (i, prime) in PRIMES.iter().enumerate() {
            assert_eq!(prime.p % 2048, 1);
            assert!(prime.p > 1 << 30 && (i == 0 || prime.p < PRIMES[i - 1].p));
            assert!((2..46_341).all(|divisor| !prime.p.is_multiple_of(divisor)), "{}", prime.p);
            assert_eq!(prime.power(prime.root, 1024), prime.p - prime.montgomery_form(1));
        }
        let product = PRIMES[..2].iter().fold(PRIMES[2].montgomery_form(1), |product, prime| {
            PRIMES[2].mul(product, PRIMES[2].montgomery_form(prime.p - PRIMES[2].p))
        });
        assert_eq!(PRIMES[2].mul(product, PRIMES[2].crt), PRIMES[2].montgomery_form(1));
    }

    #[test]
    fn ntt_multiplies_modulo_x_to_the_n_plus_one() {
        let ntt = Ntt::new(&PRIMES[5], 8);
        // x·x⁷ = −1
        let (mut a, mut b) = ([0, 3, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 5]);
        ntt.forward(&mut a);
        ntt.forward(&mut b);
        for (a, b) in a.iter_mut().zip(b) {
            *a = ntt.prime.mul(*a, ntt.prime.montgomery_form(b));
        }
        ntt.inverse(&mut a);
        assert_eq!(a, [ntt.prime.p - 15, 0, 0, 0, 0, 0, 0, 0]);
    }
}
