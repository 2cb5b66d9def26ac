//! Vectors of secrets.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use grille_core::erase;

/// A vector of secrets. Erased on drop.
#[derive(Clone)]
pub(crate) struct SecretVec<T: Copy + Default>(Vec<T>);

impl<T: Copy + Default> SecretVec<T> {
    pub(crate) fn new(values: Vec<T>) -> Self {
        Self(values)
    }

    pub(crate) fn zeroes(n: usize) -> Self {
        Self(vec![T::default(); n])
    }

    /// Keeps the first `n` values, and erases the others.
    pub(crate) fn truncate(&mut self, n: usize) {
        erase(&mut self.0[n..]);
        self.0.truncate(n);
    }
}

impl<T: Copy + Default> Deref for SecretVec<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Copy + Default> DerefMut for SecretVec<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Copy + Default> Drop for SecretVec<T> {
    fn drop(&mut self) {
        erase(&mut self.0);
    }
}
