//! The working memory of products, erased once for all the products of an operation.

use super::hankel::Space;
use crate::params::Params;
use core::mem::MaybeUninit;

/// The size of the working memory in ring elements. Products need at most 13.95; see
/// [`columns`](super::columns).
pub(super) const ELEMENTS: usize = 14;

/// A backend's function for overwriting memory with zeroes.
pub(crate) trait Erase: Copy {
    /// Overwrites the whole memory.
    fn erase(self, space: &mut Space);
}

/// The working memory of products. Erased on drop, and aligned for vector loads.
#[repr(C, align(64))]
pub(crate) struct Workspace<P: Params, B: Erase> {
    space: MaybeUninit<[P::Coefficients; ELEMENTS]>,
    backend: B,
}

impl<P: Params, B: Erase> Workspace<P, B> {
    /// Creates uninitialised memory.
    #[inline(always)]
    pub(super) const fn new(backend: B) -> Self {
        Self { space: MaybeUninit::uninit(), backend }
    }

    /// Returns the whole memory as numbers.
    #[inline(always)]
    pub(super) const fn numbers(&mut self) -> &mut Space {
        let len = size_of_val(&self.space) / size_of::<u16>();
        // SAFETY: the memory has this length, is aligned to 64 bytes, and has a type that may be
        // uninitialised.
        unsafe { core::slice::from_raw_parts_mut(self.space.as_mut_ptr().cast(), len) }
    }

    /// Returns the whole memory as bytes.
    #[inline(always)]
    pub(super) const fn bytes(&mut self) -> &mut [MaybeUninit<u8>] {
        let len = size_of_val(&self.space);
        // SAFETY: the memory has this length, is aligned to 64 bytes, and has a type that may be
        // uninitialised.
        unsafe { core::slice::from_raw_parts_mut(self.space.as_mut_ptr().cast(), len) }
    }
}

impl<P: Params, B: Erase> Drop for Workspace<P, B> {
    #[inline(always)]
    fn drop(&mut self) {
        let backend = self.backend;
        backend.erase(self.numbers());
    }
}
