//! Arrays of n values, whose length depends on the degree.

use crate::degree::Degree;
use core::ops::{Deref, DerefMut};
use grille_core::{Array, erase};

/// A value that can be erased.
pub(crate) trait Erasable: Copy + Default + Send + Sync + 'static {}

impl<T: Copy + Default + Send + Sync + 'static> Erasable for T {}

/// Returns n zeroes, for public values.
pub(crate) fn zeroes<D: Degree, T: Erasable>() -> D::Poly<T> {
    D::Poly::from_fn(|_| T::default())
}

/// An array of secret values. Erased on drop.
#[derive(Clone)]
pub(crate) struct Secrets<T: Erasable, A: Array<T>> {
    values: A,
    kind: core::marker::PhantomData<T>,
}

/// An array of n secret values.
pub(crate) type SecretPoly<D, T> = Secrets<T, <D as Degree>::Poly<T>>;

impl<T: Erasable, A: Array<T>> Secrets<T, A> {
    /// Returns values that are all zero.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self { values: A::from_fn(|_| T::default()), kind: core::marker::PhantomData }
    }
}

impl<T: Erasable, A: Array<T>> Deref for Secrets<T, A> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.values.as_ref()
    }
}

impl<T: Erasable, A: Array<T>> DerefMut for Secrets<T, A> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        self.values.as_mut()
    }
}

impl<T: Erasable, A: Array<T>> Drop for Secrets<T, A> {
    fn drop(&mut self) {
        erase(self.values.as_mut());
    }
}
