//! The operations on signing keys, compiled once for each degree.

use super::flr::{Flr, Real};
use super::{ExpandedKey, Request, low_memory, sign};
use crate::backend::Operation;
use crate::degree::Degree;
use crate::format::SignatureParams;
use crate::keygen::Basis;
use core::marker::PhantomData;
use grille_hash::Level;

/// The operation that signs without a precomputed tree.
pub struct Sign<'a, D: Degree, R> {
    pub(crate) basis: &'a Basis<D>,
    pub(crate) request: Request<'a>,
    pub(crate) doubles: PhantomData<R>,
}

impl<D: Degree, R: Real> Operation for Sign<'_, D, R> {
    type Output = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        let mut key = ExpandedKey::<D, R>::zeroed();
        key.set(level, self.basis, self.request.params);
        sign(level, &key, self.request)
    }
}

/// The operation that signs with little memory.
pub struct SignLowMemory<'a, D: Degree> {
    pub(crate) basis: &'a Basis<D>,
    pub(crate) request: Request<'a>,
}

impl<D: Degree> Operation for SignLowMemory<'_, D> {
    type Output = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        low_memory::sign::<D, Flr>(level, self.basis, self.request)
    }
}

/// The operation that computes the images and the tree of a key.
pub struct Prepare<'a, D: Degree> {
    pub(crate) basis: &'a Basis<D>,
    pub(crate) params: &'static SignatureParams,
    pub(crate) expanded: &'a mut ExpandedKey<D, Flr>,
}

impl<D: Degree> Operation for Prepare<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: Level) {
        self.expanded.set(level, self.basis, self.params);
    }
}

/// The operation that signs with a prepared key.
pub struct SignPrepared<'a, D: Degree> {
    pub(crate) key: &'a ExpandedKey<D, Flr>,
    pub(crate) request: Request<'a>,
}

impl<D: Degree> Operation for SignPrepared<'_, D> {
    type Output = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        sign(level, self.key, self.request)
    }
}
