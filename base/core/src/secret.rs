//! Secrets that are erased on drop, are never printed, and are compared in constant time.

use crate::Error;
use crate::bytes::{self, Bytes};
use alloc::vec::Vec;
use core::fmt;
use rand_core::CryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

/// Overwrites secrets with zeroes. The compiler must perform the writes but may combine them.
///
/// On an array, `zeroize()` writes each element separately. For a decapsulation key of 3168 bytes, this would
/// take 3168 stores.
pub fn erase<T: Copy + Default>(secrets: &mut [T]) {
    secrets.fill(T::default());
    optimization_barrier(secrets);
}

/// A secret byte string of fixed length, such as a shared secret or a seed.
#[derive(Clone)]
pub struct Secret<B: Bytes + Zeroize>(B);

impl<B: Bytes + Zeroize> Secret<B> {
    /// Wraps the bytes. If the caller still has a copy, the caller must erase it.
    pub const fn new(bytes: B) -> Self {
        Self(bytes)
    }

    /// Returns a secret of zero bytes, to be filled in place.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(B::zeroed())
    }

    /// Returns random bytes, read in one call of `rng`.
    #[must_use]
    pub fn random(rng: &mut dyn CryptoRng) -> Self {
        let mut random = Self::zeroed();
        rng.fill_bytes(random.as_mut());
        random
    }

    /// Returns a reference to the secret bytes.
    pub const fn expose(&self) -> &B {
        &self.0
    }
}

impl<B: Bytes + Zeroize> TryFrom<&[u8]> for Secret<B> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        bytes::parse("secret", bytes).map(Self)
    }
}

/// A secret byte string of a length known at run time, such as an encoded private key.
#[derive(Clone, Default)]
pub struct SecretBytes(Vec<u8>);

impl SecretBytes {
    /// Takes ownership of the bytes, which are erased on drop.
    #[must_use]
    pub const fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for SecretBytes {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

macro_rules! secret_traits {
    ($(impl [$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> AsRef<[u8]> for $type {
            fn as_ref(&self) -> &[u8] {
                self.0.as_ref()
            }
        }

        impl<$($generics)*> AsMut<[u8]> for $type {
            fn as_mut(&mut self) -> &mut [u8] {
                self.0.as_mut()
            }
        }

        impl<$($generics)*> ConstantTimeEq for $type {
            fn ct_eq(&self, other: &Self) -> subtle::Choice {
                self.as_ref().ct_eq(other.as_ref())
            }
        }

        impl<$($generics)*> PartialEq for $type {
            /// Compares the contents in constant time. The comparison does not hide the lengths.
            fn eq(&self, other: &Self) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl<$($generics)*> Eq for $type {}

        impl<$($generics)*> ZeroizeOnDrop for $type {}

        impl<$($generics)*> fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "Secret({} bytes)", self.as_ref().len())
            }
        }
    )*};
}

secret_traits! {
    impl [B: Bytes + Zeroize] Secret<B>;
    impl [] SecretBytes;
}

impl<B: Bytes + Zeroize> Drop for Secret<B> {
    fn drop(&mut self) {
        erase(self.as_mut());
    }
}

impl Drop for SecretBytes {
    /// Erases the whole buffer, including the capacity beyond the length.
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn secrets_do_not_print() {
        assert_eq!(format!("{:?}", Secret::new([7u8; 32])), "Secret(32 bytes)");
        assert_eq!(format!("{:?}", SecretBytes::from(&[7u8; 5][..])), "Secret(5 bytes)");
    }

    #[test]
    fn secrets_compare_by_contents_and_length() {
        assert_eq!(SecretBytes::from(&[1, 2][..]), SecretBytes::from(&[1, 2][..]));
        assert_ne!(SecretBytes::from(&[1, 2][..]), SecretBytes::from(&[1, 3][..]));
        assert_ne!(SecretBytes::from(&[1, 2][..]), SecretBytes::from(&[1, 2, 3][..]));
    }
}
