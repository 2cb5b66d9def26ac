//! Arrays whose length is part of the type, so that a parameter set can declare its array types.
//!
//! A parameter set declares `type NttVector: Array<NttPoly>`. Generic code then calls `P::NttVector::from_fn(|i| …)`,
//! without a `where` clause.

use crate::Error;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// A byte string of fixed length.
pub trait Bytes: AsRef<[u8]> + AsMut<[u8]> + Clone + Send + Sync + 'static {
    /// The length in bytes.
    const LEN: usize;
    /// Returns a string of zero bytes.
    fn zeroed() -> Self;
}

impl<const N: usize> Bytes for [u8; N] {
    const LEN: usize = N;

    fn zeroed() -> Self {
        [0; N]
    }
}

/// A fixed number of values of one type.
pub trait Array<T>: AsRef<[T]> + AsMut<[T]> + Clone + Send + Sync + 'static {
    /// The number of values.
    const LEN: usize;
    /// Returns the array of `f(0)`, `f(1)`, ….
    fn from_fn(f: impl FnMut(usize) -> T) -> Self;
}

impl<T: Clone + Send + Sync + 'static, const N: usize> Array<T> for [T; N] {
    const LEN: usize = N;

    fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        core::array::from_fn(f)
    }
}

/// A KEM ciphertext whose length has been checked. The contents have not been checked.
///
/// ```
/// use grille_core::Ciphertext;
/// assert!(Ciphertext::<[u8; 4]>::try_from(&[1, 2, 3, 4][..]).is_ok());
/// assert!(Ciphertext::<[u8; 4]>::try_from(&[1, 2, 3][..]).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ciphertext<B: Bytes>(pub B);

impl<B: Bytes> AsRef<[u8]> for Ciphertext<B> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<B: Bytes> TryFrom<&[u8]> for Ciphertext<B> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        parse("ciphertext", bytes).map(Self)
    }
}

impl<B: Bytes> Deref for Ciphertext<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.0
    }
}

impl<B: Bytes> DerefMut for Ciphertext<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.0
    }
}

impl<B: Bytes> fmt::Debug for Ciphertext<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ciphertext({} bytes)", B::LEN)
    }
}

/// Copies `bytes` into a fixed-length array.
///
/// # Errors
/// Returns [`Error::Length`] if the length differs. `input` is the name of the input in this error.
pub fn parse<B: Bytes>(input: &'static str, bytes: &[u8]) -> Result<B, Error> {
    Error::check_len(input, B::LEN, bytes.len())?;
    let mut out = B::zeroed();
    out.as_mut().copy_from_slice(bytes);
    Ok(out)
}
