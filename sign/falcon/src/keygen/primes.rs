//! Arithmetic modulo primes of 31 bits, and NTTs modulo each: large integers are kept as residues modulo many.
//!
//! Residues are in [0, p). Products are Montgomery's with R = 2³².

use alloc::vec;
use alloc::vec::Vec;

/// A prime p with 2048 | p − 1, and what computing modulo it needs.
#[derive(Clone, Copy)]
pub(super) struct Prime {
    /// p, in (2³⁰, 2³¹).
    pub(super) p: u32,
    /// −p⁻¹ mod 2³².
    minus_inverse: u32,
    /// R² mod p.
    pub(super) r2: u32,
    /// A root of unity of order 2048, in Montgomery form.
    root: u32,
    /// Its inverse, in Montgomery form.
    inverse_root: u32,
    /// The inverse of the product of all primes before this one in [`PRIMES`], in Montgomery form.
    crt: u32,
}

/// The largest such primes, largest first: as many as the longest unreduced F of [`super::ntru`] has words.
#[allow(long_running_const_eval, reason = "a few thousand primality tests")]
pub(super) static PRIMES: [Prime; 308] = primes();

impl Prime {
    /// a + b.
    #[inline(always)]
    pub(super) fn add(&self, a: u32, b: u32) -> u32 {
        self.below_p(a.wrapping_add(b).wrapping_sub(self.p))
    }

    /// a − b.
    #[inline(always)]
    pub(super) fn sub(&self, a: u32, b: u32) -> u32 {
        self.below_p(a.wrapping_sub(b))
    }

    /// From [−p, p), as a wrapped number, to [0, p).
    #[inline(always)]
    fn below_p(&self, a: u32) -> u32 {
        a.wrapping_add(self.p & (a >> 31).wrapping_neg())
    }

    /// a·b/R.
    #[inline(always)]
    pub(super) const fn mul(&self, a: u32, b: u32) -> u32 {
        let product = a as u64 * b as u64;
        let quotient = (product as u32).wrapping_mul(self.minus_inverse);
        let reduced = ((product + quotient as u64 * self.p as u64) >> 32) as u32;
        let less = reduced.wrapping_sub(self.p);
        less.wrapping_add(self.p & (less >> 31).wrapping_neg())
    }

    /// Into Montgomery form.
    #[inline(always)]
    pub(super) const fn enter(&self, a: u32) -> u32 {
        self.mul(a, self.r2)
    }

    /// The residue of a word of 31 bits.
    #[inline(always)]
    pub(super) fn word(&self, a: u32) -> u32 {
        self.below_p(a.wrapping_sub(self.p))
    }

    /// The residue of a signed number. |a| < p.
    #[inline(always)]
    pub(super) fn signed(&self, a: i32) -> u32 {
        self.below_p(a as u32)
    }

    /// 2³¹ to the power of `words`, in Montgomery form.
    pub(super) fn words(&self, words: usize) -> u32 {
        let word = self.enter(self.word((1 << 31) - 1) + 1);
        (0..words).fold(self.enter(1), |power, _| self.mul(power, word))
    }

    /// The factor of [`PRIMES`]' Garner step.
    #[inline(always)]
    pub(super) const fn crt(&self) -> u32 {
        self.crt
    }

    /// base to the power of `exponent`, both base and result in Montgomery form.
    const fn power(&self, base: u32, exponent: u32) -> u32 {
        let (mut result, mut square, mut exponent) = (self.enter(1), base, exponent);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    /// p with its Montgomery constants only.
    const fn new(p: u32) -> Self {
        let mut inverse = 1u32;
        let mut i = 0;
        while i < 5 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        let r = (1u64 << 32) % p as u64;
        let r2 = (r * r % p as u64) as u32;
        Self { p, minus_inverse: inverse.wrapping_neg(), r2, root: 0, inverse_root: 0, crt: 0 }
    }

    /// Whether p is a strong probable prime to `base`; for the bases 2, 3, 5 and 7 that is a proof below 2³¹ but for
    /// 3215031751, which is above.
    const fn is_probable_prime(&self, base: u32) -> bool {
        let one = self.enter(1);
        let shift = (self.p - 1).trailing_zeros();
        let mut power = self.power(self.enter(base), (self.p - 1) >> shift);
        let mut is_minus_one = false;
        let starts_with_one = power == one;
        let mut i = 0;
        while i < shift {
            is_minus_one = is_minus_one || power == self.p - one;
            power = self.mul(power, power);
            i += 1;
        }
        starts_with_one || is_minus_one
    }

    /// Sets the roots: some small number to the power of (p − 1)/2048 has order 2048.
    const fn set_roots(&mut self) {
        let minus_one = self.p - self.enter(1);
        let mut base = 2;
        loop {
            let root = self.power(self.enter(base), (self.p - 1) / 2048);
            if self.power(root, 1024) == minus_one {
                self.root = root;
                self.inverse_root = self.power(root, 2047);
                return;
            }
            base += 1;
        }
    }
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
            let (mut product, mut i) = (prime.enter(1), 0);
            while i < found {
                product = prime.mul(product, prime.enter(primes[i].p - prime.p));
                i += 1;
            }
            prime.crt = prime.power(product, prime.p - 2);
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
    /// 1/n, in Montgomery form.
    inverse_degree: u32,
}

impl Ntt {
    /// Of degree `n`, at least 2.
    pub(super) fn new(prime: &'static Prime, n: usize) -> Self {
        let table = |root: u32| {
            let step = prime.power(root, 1024 / n as u32);
            let (mut roots, mut power) = (vec![0; n], prime.enter(1));
            for i in 0..n {
                roots[i.reverse_bits() >> (usize::BITS - n.trailing_zeros())] = power;
                power = prime.mul(power, step);
            }
            roots
        };
        let inverse_degree = prime.power(prime.enter(n as u32), prime.p - 2);
        Self { prime, roots: table(prime.root), inverse_roots: table(prime.inverse_root), inverse_degree }
    }

    /// NTT in place, of this degree or of a smaller one.
    pub(super) fn forward(&self, a: &mut [u32]) {
        let (mut blocks, mut half) = (1, a.len() / 2);
        while half > 0 {
            for (block, root) in a.chunks_exact_mut(2 * half).zip(&self.roots[blocks..]) {
                let (low, high) = block.split_at_mut(half);
                for (x, y) in low.iter_mut().zip(high) {
                    let product = self.prime.mul(*y, *root);
                    (*x, *y) = (self.prime.add(*x, product), self.prime.sub(*x, product));
                }
            }
            (blocks, half) = (2 * blocks, half / 2);
        }
    }

    /// The inverse of [`forward`](Self::forward), of this degree or of half of it.
    pub(super) fn inverse(&self, a: &mut [u32]) {
        let (mut blocks, mut half) = (a.len() / 2, 1);
        while blocks > 0 {
            for (block, root) in a.chunks_exact_mut(2 * half).zip(&self.inverse_roots[blocks..]) {
                let (low, high) = block.split_at_mut(half);
                for (x, y) in low.iter_mut().zip(high) {
                    let difference = self.prime.sub(*x, *y);
                    (*x, *y) = (self.prime.add(*x, *y), self.prime.mul(difference, *root));
                }
            }
            (blocks, half) = (blocks / 2, 2 * half);
        }
        let doubled = self.prime.add(self.inverse_degree, self.inverse_degree);
        let scale = if a.len() == self.roots.len() { self.inverse_degree } else { doubled };
        a.iter_mut().for_each(|a| *a = self.prime.mul(*a, scale));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_are_distinct_and_have_their_roots() {
        for (i, prime) in PRIMES.iter().enumerate() {
            assert_eq!(prime.p % 2048, 1);
            assert!(prime.p > 1 << 30 && (i == 0 || prime.p < PRIMES[i - 1].p));
            assert!((2..46_341).all(|divisor| !prime.p.is_multiple_of(divisor)), "{}", prime.p);
            assert_eq!(prime.power(prime.root, 1024), prime.p - prime.enter(1));
            assert_eq!(prime.mul(prime.root, prime.inverse_root), prime.enter(1));
        }
        let product = PRIMES[..2].iter().fold(PRIMES[2].enter(1), |product, prime| {
            PRIMES[2].mul(product, PRIMES[2].enter(prime.p - PRIMES[2].p))
        });
        assert_eq!(PRIMES[2].mul(product, PRIMES[2].crt), PRIMES[2].enter(1));
    }

    #[test]
    fn the_ntt_multiplies_modulo_x_to_the_n_plus_one() {
        let ntt = Ntt::new(&PRIMES[5], 8);
        // x·x⁷ = −1
        let (mut a, mut b) = ([0, 3, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 5]);
        ntt.forward(&mut a);
        ntt.forward(&mut b);
        for (a, b) in a.iter_mut().zip(b) {
            *a = ntt.prime.mul(*a, ntt.prime.enter(b));
        }
        ntt.inverse(&mut a);
        assert_eq!(a, [ntt.prime.p - 15, 0, 0, 0, 0, 0, 0, 0]);
    }
}
