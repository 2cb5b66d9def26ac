//! Integers of N words, and their arithmetic modulo a prime p = 2^e₂·3^e₃ − 1 in Montgomery form.
//!
//! Because p ≡ −1 modulo 2⁶⁴, the Montgomery reduction multiplies p by the lowest word itself (−p⁻¹ ≡ 1), and
//! the low words of p + 1 are zero.

use grille_core::ct;
use zeroize::Zeroize;

/// An array of N words, the lowest first. The trait hides N from generic code.
pub trait Limbs: AsRef<[u64]> + AsMut<[u64]> + Copy + Zeroize + Send + Sync + 'static {
    /// The integer zero.
    const ZERO: Self;

    /// Returns the sum of M products of pairs, divided by 2^(64·N) modulo p. The result is below (sum of
    /// products)/2^(64·N) + p.
    ///
    /// `p1` is p + 1, whose `zeros` low words are zero. The factors are secret.
    fn montgomery<const M: usize>(pairs: [(&Self, &Self); M], p1: &Self, zeros: usize) -> Self;

    /// Returns a + b modulo 2^(64·N). Both values are secret.
    fn plus(&self, other: &Self) -> Self;

    /// Returns a − b modulo 2^(64·N), and all ones if b > a, else 0. Both values are secret.
    fn minus(&self, other: &Self) -> (Self, u64);

    /// Returns the bitwise AND of each word and the mask.
    fn apply_mask(&self, mask: u64) -> Self;

    /// Exchanges two integers if `mask` is all ones. Does nothing if it is 0. All arguments are secret.
    fn swap(&mut self, other: &mut Self, mask: u64);
}

/// Returns the low word of t + a·b + carry, and the new carry.
#[inline(always)]
const fn multiply_add(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = t as u128 + a as u128 * b as u128 + carry as u128;
    (sum as u64, (sum >> 64) as u64)
}

/// Returns the low word of a + b + carry, and the new carry.
///
/// The carry is a number because compilers for AArch64 turn the `bool` of `carrying_add` into branches.
#[inline(always)]
const fn add(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = a as u128 + b as u128 + carry as u128;
    (sum as u64, (sum >> 64) as u64)
}

/// Returns the low word of a − b + borrow, and the new borrow. A borrow is 0 or −1; see [`add`] for the reason.
#[inline(always)]
const fn subtract(a: u64, b: u64, borrow: i64) -> (u64, i64) {
    let difference = a as i128 - b as i128 + borrow as i128;
    (difference as u64, (difference >> 64) as i64)
}

impl<const N: usize> Limbs for [u64; N] {
    const ZERO: Self = [0; N];

    #[inline(always)]
    fn montgomery<const M: usize>(pairs: [(&Self, &Self); M], p1: &Self, zeros: usize) -> Self {
        let mut t = [0; N];
        for i in 0..N {
            let mut high = 0;
            for (a, b) in pairs {
                let mut carry = 0;
                for j in 0..N {
                    (t[j], carry) = multiply_add(t[j], a[i], b[j], carry);
                }
                high += carry;
            }
            // adds t₀·p, which makes the lowest word zero, and drops that word
            let factor = t[0];
            let mut carry = 0;
            // a single loop instead of two lets the compiler unroll the loop and keep more words in registers, which
            // makes it 1.7 times as fast
            for j in 1..N {
                if j < zeros {
                    t[j - 1] = t[j];
                } else {
                    (t[j - 1], carry) = multiply_add(t[j], factor, p1[j], carry);
                }
            }
            t[N - 1] = high + carry;
        }
        t
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let mut sum = [0; N];
        let mut carry = 0;
        for i in 0..N {
            (sum[i], carry) = add(self[i], other[i], carry);
        }
        sum
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> (Self, u64) {
        let mut difference = [0; N];
        let mut borrow = 0;
        for i in 0..N {
            (difference[i], borrow) = subtract(self[i], other[i], borrow);
        }
        (difference, ct::opaque(borrow.cast_unsigned()))
    }

    #[inline(always)]
    fn apply_mask(&self, mask: u64) -> Self {
        self.map(|word| word & mask)
    }

    #[inline(always)]
    fn swap(&mut self, other: &mut Self, mask: u64) {
        for (one, other) in self.iter_mut().zip(other) {
            let difference = (*one ^ *other) & mask;
            *one ^= difference;
            *other ^= difference;
        }
    }
}
