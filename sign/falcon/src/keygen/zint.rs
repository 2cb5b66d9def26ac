//! Large integers of fixed length, in constant time: words of 31 bits, the lowest first, two's complement.
//!
//! Many integers of the same length stand side by side: word j of all of them, then word j + 1 of all of them.

use super::primes::{PRIMES, Prime};
use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;
use zeroize::Zeroizing;

/// Bits of a word that count.
pub(super) const WORD: u32 = 31;
/// The largest word.
pub(super) const MASK: u32 = (1 << WORD) - 1;

/// A vector of words, erased on drop.
pub(super) type Words = Zeroizing<Vec<u32>>;

/// Zeroes.
pub(super) fn words(len: usize) -> Words {
    Zeroizing::new(vec![0; len])
}

/// The word with the bits above its highest bit set like that one.
#[inline(always)]
pub(super) fn signed(word: u32) -> i32 {
    (word << 1) as i32 >> 1
}

/// Each integer of `x` modulo p; `out` says how many there are.
pub(super) fn residues(x: &[u32], prime: &Prime, out: &mut [u32]) {
    let n = out.len();
    let len = x.len() / n;
    let word = prime.words(1);
    let minus_one = prime.sub(0, prime.words(len));
    out.fill(0);
    for row in x.chunks_exact(n).rev() {
        for (out, w) in out.iter_mut().zip(row) {
            *out = prime.add(prime.mul(*out, word), prime.word(*w));
        }
    }
    // a negative integer was taken as 2^(31·len) more; out of Montgomery form
    let minus_one = prime.mul(minus_one, 1);
    for (out, top) in out.iter_mut().zip(&x[(len - 1) * n..]) {
        *out = prime.add(*out, minus_one & (top >> (WORD - 1)).wrapping_neg());
    }
}

/// Row j of `x` are residues modulo prime j: makes them integers, signed ones if `is_signed`. Garner's algorithm.
pub(super) fn rebuild(x: &mut [u32], n: usize, is_signed: bool) {
    let len = x.len() / n;
    let mut product = words(len);
    product[0] = PRIMES[0].p;
    let (mut residue, mut carry) = (words(n), words(n));
    for (j, prime) in PRIMES.iter().enumerate().take(len).skip(1) {
        let (known, rest) = x.split_at_mut(j * n);
        let row = &mut rest[..n];
        unsigned_residues(known, prime, &mut residue);
        // x ← x + ((row − x)/∏p mod p)·∏p
        for (residue, target) in residue.iter_mut().zip(row.iter()) {
            *residue = prime.mul(prime.sub(*target, *residue), prime.crt());
        }
        carry.fill(0);
        for (known, word) in known.chunks_exact_mut(n).zip(product.iter()) {
            for ((known, factor), carry) in known.iter_mut().zip(residue.iter()).zip(carry.iter_mut()) {
                let sum = u64::from(*factor) * u64::from(*word) + u64::from(*known) + u64::from(*carry);
                *known = sum as u32 & MASK;
                *carry = (sum >> WORD) as u32;
            }
        }
        row.copy_from_slice(&carry);
        let top = multiply_small(&mut product[..j], prime.p);
        product[j] = top;
    }
    if is_signed {
        center(x, n, &product);
    }
}

/// [`residues`] of integers that are not negative.
fn unsigned_residues(x: &[u32], prime: &Prime, out: &mut [u32]) {
    let word = prime.words(1);
    out.fill(0);
    for row in x.chunks_exact(out.len()).rev() {
        for (out, w) in out.iter_mut().zip(row) {
            *out = prime.add(prime.mul(*out, word), prime.word(*w));
        }
    }
}

/// Subtracts the modulus from each integer that is above half of it.
fn center(x: &mut [u32], n: usize, modulus: &[u32]) {
    for i in 0..n {
        // the sign of 2x − m, and of x − m/2 with it
        let (mut borrow, mut shifted) = (0i64, 0);
        for (w, m) in x[i..].iter().step_by(n).zip(modulus) {
            let doubled = (w << 1 | shifted) & MASK;
            shifted = w >> (WORD - 1);
            borrow = (i64::from(doubled) - i64::from(*m) + borrow) >> WORD;
        }
        // of a mask that it knows LLVM makes a branch
        let mask = black_box(!((i64::from(shifted) + borrow) >> 63) as u32);
        let mut borrow = 0i64;
        for (w, m) in x[i..].iter_mut().step_by(n).zip(modulus) {
            let difference = i64::from(*w) - i64::from(m & mask) + borrow;
            *w = difference as u32 & MASK;
            borrow = difference >> WORD;
        }
    }
}

/// x ← x·factor; what does not fit is returned.
pub(super) fn multiply_small(x: &mut [u32], factor: u32) -> u32 {
    let mut carry = 0;
    for x in x {
        let product = u64::from(*x) * u64::from(factor) + carry;
        *x = product as u32 & MASK;
        carry = product >> WORD;
    }
    carry as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_survive_their_residues() {
        let integers: [i128; 6] = [0, 1, -1, 123_456_789_012_345_678, -98_765_432_109_876_543_210, 1 << 91];
        let (n, len) = (integers.len(), 4);
        let mut x = words(n * len);
        for (i, integer) in integers.iter().enumerate() {
            for j in 0..len {
                x[j * n + i] = (integer >> (31 * j)) as u32 & MASK;
            }
        }
        let mut rns = words(n * len);
        for (prime, row) in PRIMES.iter().zip(rns.chunks_exact_mut(n)) {
            residues(&x, prime, row);
            let expected = integers.map(|integer| integer.rem_euclid(i128::from(prime.p)) as u32);
            assert_eq!(row, expected);
        }
        rebuild(&mut rns, n, true);
        assert_eq!(*rns, *x);
    }
}
