//! Room for what products are made of, erased once for all the products of an operation.

use super::hankel::Space;
use crate::params::Params;
use core::mem::MaybeUninit;

/// What products take, in elements of the ring: 13.95 where they take most, see [`columns`](super::columns).
pub(super) const ELEMENTS: usize = 14;

/// A vector unit that overwrites room with zeroes.
pub(crate) trait Erase: Copy {
    /// Overwrites all of it.
    fn erase(self, space: &mut Space);
}

/// Room for the products of a vector unit; erased on drop. Aligned, because vectors are loaded from it.
#[repr(C, align(64))]
pub(crate) struct Room<P: Params, B: Erase> {
    space: MaybeUninit<[P::Coefficients; ELEMENTS]>,
    backend: B,
}

impl<P: Params, B: Erase> Room<P, B> {
    /// Not written yet.
    #[inline(always)]
    pub(super) const fn new(backend: B) -> Self {
        Self { space: MaybeUninit::uninit(), backend }
    }

    /// All of it.
    #[inline(always)]
    pub(super) const fn numbers(&mut self) -> &mut Space {
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

impl<P: Params, B: Erase> Drop for Room<P, B> {
    #[inline(always)]
    fn drop(&mut self) {
        let backend = self.backend;
        backend.erase(self.numbers());
    }
}
