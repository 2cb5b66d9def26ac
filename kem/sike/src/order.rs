//! Integers modulo the orders of the torsion groups, 2^e₂ and 3^e₃.

use crate::limbs::Limbs;
use crate::params::Prime;
use crate::sidh::{Side2, Side3};
use subtle::Choice;

/// The group of points of order ℓ^e, and integers modulo ℓ^e. All integers are secret.
pub(crate) trait Order<P: Prime>: 'static {
    /// The prime ℓ.
    const ELL: usize;
    /// The exponent e.
    const EXPONENT: usize;
    /// The order ℓ^e.
    const ORDER: P::Limbs;
    /// The number of bytes of an encoded integer.
    const BYTES: usize;

    /// Returns a·b.
    fn multiply(a: &P::Limbs, b: &P::Limbs) -> P::Limbs;

    /// Checks whether an integer is a multiple of ℓ. Multiples of ℓ have no inverse.
    fn is_multiple(a: &P::Limbs) -> Choice;

    /// Returns a + b.
    fn add(a: &P::Limbs, b: &P::Limbs) -> P::Limbs {
        let sum = a.plus(b);
        let (less, borrow) = sum.minus(&Self::ORDER);
        less.plus(&Self::ORDER.apply_mask(borrow))
    }

    /// Returns a − b.
    fn sub(a: &P::Limbs, b: &P::Limbs) -> P::Limbs {
        let (difference, borrow) = a.minus(b);
        difference.plus(&Self::ORDER.apply_mask(borrow))
    }

    /// Returns 1/a, or an unrelated integer if a is a multiple of ℓ.
    fn invert(a: &P::Limbs) -> P::Limbs {
        // a equals its own inverse modulo 8 or modulo 3; each step doubles the number of correct digits
        let mut inverse = *a;
        let two = integer::<P>(2);
        for _ in 0..8 {
            inverse = Self::multiply(&inverse, &Self::sub(&two, &Self::multiply(a, &inverse)));
        }
        inverse
    }

    /// Reads [`BYTES`](Self::BYTES) bytes. Also returns whether the integer is below ℓ^e.
    fn from_bytes(bytes: &[u8]) -> (P::Limbs, Choice) {
        let integer = from_bytes::<P>(bytes);
        let below = integer.minus(&Self::ORDER).1;
        (integer, Choice::from((below & 1) as u8))
    }

    /// Writes [`BYTES`](Self::BYTES) bytes, the lowest first.
    fn write_bytes(integer: &P::Limbs, bytes: &mut [u8]) {
        for (bytes, word) in bytes[..Self::BYTES].chunks_mut(8).zip(integer.as_ref()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }
}

/// Converts a small integer.
pub(crate) fn integer<P: Prime>(small: u64) -> P::Limbs {
    let mut integer = P::Limbs::ZERO;
    integer.as_mut()[0] = small;
    integer
}

/// Reads bytes as an integer, the lowest byte first.
pub(crate) fn from_bytes<P: Prime>(bytes: &[u8]) -> P::Limbs {
    let mut integer = P::Limbs::ZERO;
    for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.chunks(8)) {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(padded);
    }
    integer
}

impl<P: Prime> Order<P> for Side2 {
    const ELL: usize = 2;
    const EXPONENT: usize = P::E2;
    const ORDER: P::Limbs = P::ORDER_2;
    const BYTES: usize = P::E2.div_ceil(8);

    fn multiply(a: &P::Limbs, b: &P::Limbs) -> P::Limbs {
        let (a, b) = (a.as_ref(), b.as_ref());
        let mut product = P::Limbs::ZERO;
        let words = P::E2.div_ceil(64);
        for (i, a) in a[..words].iter().enumerate() {
            let mut carry = 0;
            for (t, b) in product.as_mut()[i..words].iter_mut().zip(b) {
                (*t, carry) = a.carrying_mul_add(*b, *t, carry);
            }
        }
        if P::E2 % 64 != 0 {
            product.as_mut()[P::E2 / 64] &= (1 << (P::E2 % 64)) - 1;
        }
        product
    }

    fn is_multiple(a: &P::Limbs) -> Choice {
        Choice::from((a.as_ref()[0] & 1) as u8 ^ 1)
    }
}

impl<P: Prime> Order<P> for Side3 {
    const ELL: usize = 3;
    const EXPONENT: usize = P::E3;
    const ORDER: P::Limbs = P::ORDER_3;
    const BYTES: usize = (P::SECRET_BITS_3 + 1).div_ceil(8);

    fn multiply(a: &P::Limbs, b: &P::Limbs) -> P::Limbs {
        montgomery_3::<P>(&montgomery_3::<P>(a, b), &P::ORDER_3_R_SQUARED)
    }

    fn is_multiple(a: &P::Limbs) -> Choice {
        // powers of four are 1 modulo 3, so the base-4 digits are added up until one digit remains
        let halves = a.as_ref().iter().map(|word| (word & 0xFFFF_FFFF) + (word >> 32));
        let mut sum: u64 = halves.sum();
        for bits in [20, 10, 6, 4, 2, 2, 2] {
            sum = (sum & ((1 << bits) - 1)) + (sum >> bits);
        }
        // the sum is at most 3
        Choice::from((!(sum ^ sum >> 1) & 1) as u8)
    }
}

/// Returns a·b/2^(64·N) modulo 3^e₃.
fn montgomery_3<P: Prime>(a: &P::Limbs, b: &P::Limbs) -> P::Limbs {
    let (a, b, order) = (a.as_ref(), b.as_ref(), P::ORDER_3);
    let order_words = order.as_ref();
    let n = a.len();
    let mut t = P::Limbs::ZERO;
    for word in a {
        let (mut carry, mut reduction) = (0, 0);
        let words = t.as_mut();
        for j in 0..n {
            (words[j], carry) = word.carrying_mul_add(b[j], words[j], carry);
        }
        let factor = words[0].wrapping_mul(P::ORDER_3_FACTOR);
        for j in 0..n {
            let sum;
            (sum, reduction) = factor.carrying_mul_add(order_words[j], words[j], reduction);
            if j > 0 {
                words[j - 1] = sum;
            }
        }
        // the order has half as many bits as the words, so the sum has no carry
        words[n - 1] = carry + reduction;
    }
    let (less, borrow) = t.minus(&order);
    less.plus(&order.apply_mask(borrow))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{P434, P503, P610, P751};

    fn inverts<P: Prime, O: Order<P>>() {
        for (small, is_multiple) in [(1, false), (5, false), (6, true), (7, false), (0, true)] {
            let a = integer::<P>(small);
            assert_eq!(bool::from(O::is_multiple(&a)), is_multiple, "{small}");
            let minus = O::sub(&P::Limbs::ZERO, &a);
            assert_eq!(bool::from(O::is_multiple(&minus)), is_multiple, "-{small}");
            if !is_multiple {
                assert_eq!(O::multiply(&a, &O::invert(&a)).as_ref(), integer::<P>(1).as_ref());
                let product = O::multiply(&minus, &O::invert(&a));
                assert_eq!(O::add(&product, &integer::<P>(1)).as_ref(), P::Limbs::ZERO.as_ref());
            }
        }
    }

    #[test]
    fn integers_are_inverted_modulo_the_orders() {
        inverts::<P434, Side2>();
        inverts::<P434, Side3>();
        inverts::<P503, Side2>();
        inverts::<P503, Side3>();
        inverts::<P610, Side2>();
        inverts::<P610, Side3>();
        inverts::<P751, Side2>();
        inverts::<P751, Side3>();
    }
}
