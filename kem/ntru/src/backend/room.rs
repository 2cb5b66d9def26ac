//! Room for what products are made of, erased once for all the products of an operation.

use super::Backend;
use crate::params::Params;
use core::mem::MaybeUninit;

/// Room for the products of a vector unit; erased on drop. Aligned, because vectors are loaded from it.
#[repr(C, align(64))]
pub(crate) struct Room<P: Params, B: Backend> {
    /// As much as the longest of them takes of polynomials with as many coefficients.
    space: MaybeUninit<[P::Coefficients; 14]>,
    backend: B,
}

impl<P: Params, B: Backend> Room<P, B> {
    /// Not written yet.
    #[inline(always)]
    pub(super) const fn new(backend: B) -> Self {
        Self { space: MaybeUninit::uninit(), backend }
    }

    /// All of it.
    #[inline(always)]
    pub(super) const fn numbers(&mut self) -> &mut [MaybeUninit<u16>] {
        let len = size_of_val(&self.space) / size_of::<u16>();
        // SAFETY: memory of this length, aligned to 64 bytes, that is allowed not to be written.
        unsafe { core::slice::from_raw_parts_mut(self.space.as_mut_ptr().cast(), len) }
    }

    /// The same, as bytes.
    #[inline(always)]
    pub(super) const fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        let len = size_of_val(&self.space);
        // SAFETY: as above.
        unsafe { core::slice::from_raw_parts_mut(self.space.as_mut_ptr().cast(), len) }
    }
}

impl<P: Params, B: Backend> Drop for Room<P, B> {
    #[inline(always)]
    fn drop(&mut self) {
        let backend = self.backend;
        backend.erase(self.numbers());
    }
}
