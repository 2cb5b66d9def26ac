//! Constant-time comparison and selection of secrets, opaque masks, and marks for the constant-time tests.
//!
//! `tests/ct` runs the algorithms under valgrind with every secret marked as undefined memory. Valgrind reports each
//! branch and each index that depends on a secret. Where the standard allows a value to become known (a public key,
//! whether a signing attempt was rejected), [`public`] removes the mark. A comment at each such call gives the
//! reason. Without the feature `ct-marks`, the marks do nothing.

use crate::Secret;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Checks whether the byte strings are equal, in constant time. Returns false if the lengths differ.
#[must_use]
pub fn equal(a: &[u8], b: &[u8]) -> Choice {
    let ((a_words, a_rest), (b_words, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let words = a_words
        .iter()
        .zip(b_words)
        .fold(0, |difference, (a, b)| difference | (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)));
    let rest = a_rest.iter().zip(b_rest).fold(0, |difference, (a, b)| difference | (a ^ b));
    (words | u64::from(rest)).ct_eq(&0) & a.len().ct_eq(&b.len())
}

/// Returns `accepted` if `accept` is true, else `rejected`. All arguments and the result are secret.
#[must_use]
pub fn select(rejected: &[u8; 32], accepted: &[u8; 32], accept: Choice) -> Secret<[u8; 32]> {
    let mut selected = Secret::new(*rejected);
    for (selected, accepted) in selected.as_mut().iter_mut().zip(accepted) {
        selected.conditional_assign(accepted, accept);
    }
    selected
}

/// Returns the value unchanged and hides it from the compiler's optimiser.
///
/// Use it for masks derived from secrets. If the compiler can infer that a mask is either zero or all ones, it may
/// branch on the mask, or split a loop under one mask into two loops.
#[inline(always)]
#[must_use]
pub fn opaque<T: Value>(value: T) -> T {
    core::hint::black_box(value)
}

/// Returns the value and hides it like [`opaque`], except on x86-64 and AArch64.
///
/// Use this function for masks in loops that must become vector instructions on these two architectures.
/// Compilers for RISC-V and s390x were seen to turn such masks into branches. SECURITY.md lists the checks
/// for each target.
#[inline(always)]
#[must_use]
pub const fn mask<T: Value + Copy>(value: T) -> T {
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        value
    } else {
        core::hint::black_box(value)
    }
}

/// Declares the value no longer secret and returns it. Each call needs a comment with the reason.
#[inline(always)]
#[must_use]
pub fn public<T: Value>(value: T) -> T {
    #[cfg(feature = "ct-marks")]
    return marks::unmark(value);
    #[cfg(not(feature = "ct-marks"))]
    value
}

/// Declares bytes no longer secret, in place. Each call needs a comment with the reason.
#[inline(always)]
pub fn public_bytes(bytes: &mut [u8]) {
    #[cfg(feature = "ct-marks")]
    marks::unmark_bytes(bytes);
    #[cfg(not(feature = "ct-marks"))]
    let _ = bytes;
}

/// A value of a few bytes that [`public`] and [`opaque`] accept.
pub trait Value: Sized {
    /// Applies `f` to the bytes of the value. `f` must not change the bytes.
    #[must_use]
    fn through_bytes(self, f: impl FnOnce(&mut [u8])) -> Self;
}

impl<const N: usize> Value for [u8; N] {
    fn through_bytes(mut self, f: impl FnOnce(&mut [u8])) -> Self {
        f(&mut self);
        self
    }
}

impl Value for bool {
    fn through_bytes(self, f: impl FnOnce(&mut [u8])) -> Self {
        [u8::from(self)].through_bytes(f) != [0]
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Value for $integer {
            fn through_bytes(self, f: impl FnOnce(&mut [u8])) -> Self {
                Self::from_ne_bytes(self.to_ne_bytes().through_bytes(f))
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 usize i16 i32 i64);

#[cfg(feature = "ct-marks")]
pub use marks::install;

#[cfg(feature = "ct-marks")]
mod marks {
    extern crate std;

    use super::Value;
    use std::sync::OnceLock;

    static UNMARK: OnceLock<fn(&mut [u8])> = OnceLock::new();

    /// Installs the function that [`public`](super::public) calls. `unmark` must leave the bytes unchanged.
    /// Calls after the first one have no effect.
    pub fn install(unmark: fn(&mut [u8])) {
        UNMARK.get_or_init(|| unmark);
    }

    #[inline(never)]
    pub(super) fn unmark<T: Value>(value: T) -> T {
        value.through_bytes(unmark_bytes)
    }

    pub(super) fn unmark_bytes(bytes: &mut [u8]) {
        if let Some(unmark) = UNMARK.get() {
            unmark(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_detects_a_difference_in_any_bit() {
        let a: [u8; 37] = core::array::from_fn(|i| i as u8);
        assert!(bool::from(equal(&a, &a)));
        for bit in 0..8 * a.len() {
            let mut b = a;
            b[bit / 8] ^= 1 << (bit % 8);
            assert!(!bool::from(equal(&a, &b)), "bit {bit}");
        }
        assert!(!bool::from(equal(&a, &a[..36])));
        assert!(bool::from(equal(&[], &[])));
    }

    #[test]
    fn selects_one_of_two() {
        for (accept, expected) in [(0, [0xA5; 32]), (1, [0x0F; 32])] {
            assert_eq!(select(&[0xA5; 32], &[0x0F; 32], Choice::from(accept)).expose(), &expected);
        }
    }

    #[test]
    fn opaque_and_public_return_the_value() {
        assert_eq!(public([1u8, 2, 3]), [1, 2, 3]);
        assert_eq!((public(0x1234_5678u32), public(-5i32), public(9usize)), (0x1234_5678, -5, 9));
        assert!(public(true) && !public(false));
        assert_eq!((opaque(0xFFFFu16), opaque([5u8; 3])), (0xFFFF, [5; 3]));
    }

    #[test]
    fn through_bytes_reaches_every_byte() {
        let mut seen = 0;
        assert_eq!(0xFFFF_FFFFu32.through_bytes(|bytes| bytes.fill(0)), 0);
        assert!(!true.through_bytes(|bytes| bytes.fill(0)));
        let _ = [0u8; 7].through_bytes(|bytes| seen = bytes.len());
        assert_eq!(seen, 7);
    }
}
