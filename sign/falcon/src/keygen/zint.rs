//! Large integers of fixed length in constant time. Words have 31 bits, the lowest comes first, and the
//! representation is two's complement.
//!
//! Integers of equal length are interleaved: word j of all integers is followed by word j + 1 of all
//! integers.

use crate::secret_vec::SecretVec;
use grille_core::ct;

/// The number of used bits in a word.
pub(super) const WORD_BITS: u32 = 31;
/// The largest word.
pub(super) const MASK: u32 = (1 << WORD_BITS) - 1;

/// Words of secret integers.
pub(super) type Words = SecretVec<u32>;

/// Returns a word, sign-extended from its highest bit.
#[inline(always)]
pub(super) fn signed(word: u32) -> i32 {
    (word << 1) as i32 >> 1
}

/// Subtracts the modulus from each integer that is larger than half of it.
#[inline(always)]
pub(super) fn center(x: &mut [u32], n: usize, modulus: &[u32]) {
    for i in 0..n {
        // computes the sign of 2x − m, which is the sign of x − m/2
        let (mut borrow, mut shifted) = (0i64, 0);
        for (w, m) in x[i..].iter().step_by(n).zip(modulus) {
            let doubled = (w << 1 | shifted) & MASK;
            shifted = w >> (WORD_BITS - 1);
            borrow = (i64::from(doubled) - i64::from(*m) + borrow) >> WORD_BITS;
        }
        let mask = ct::opaque(!((i64::from(shifted) + borrow) >> 63) as u32);
        let mut borrow = 0i64;
        for (w, m) in x[i..].iter_mut().step_by(n).zip(modulus) {
            let difference = i64::from(*w) - i64::from(m & mask) + borrow;
            *w = difference as u32 & MASK;
            borrow = difference >> WORD_BITS;
        }
    }
}

/// Computes x ← x·factor, and returns the overflow.
#[inline(always)]
pub(super) fn multiply_small(x: &mut [u32], factor: u32) -> u32 {
    let mut carry = 0;
    for x in x {
        let product = u64::from(*x) * u64::from(factor) + carry;
        *x = product as u32 & MASK;
        carry = product >> WORD_BITS;
    }
    carry as u32
}
