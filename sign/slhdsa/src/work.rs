//! How much of an operation is done: calls of hash functions, of which chains and trees take a known number.

use crate::params::Shape;
#[cfg(not(target_has_atomic = "32"))]
use core::cell::Cell;
#[cfg(target_has_atomic = "32")]
use core::sync::atomic::{AtomicU32, Ordering};
use grille_core::Progress;

/// Of what nobody asks to be told.
pub(crate) const SILENT: &Progress<'static> = &|_, _| {};

/// The work of an operation, and the callback that reports it.
pub(crate) struct Work<'a> {
    done: Counter,
    total: u32,
    progress: &'a Progress<'a>,
}

impl<'a> Work<'a> {
    /// A signature's: the trees of FORS, and as many XMSS trees.
    pub(crate) fn of_signing(shape: &Shape, trees: u32, progress: &'a Progress<'a>) -> Self {
        let keys = trees << shape.tree_height();
        Self {
            done: Counter::new(0),
            total: shape.k as u32 * fors_tree(shape) + keys * wots_key(shape),
            progress,
        }
    }

    /// Of what nobody is told.
    pub(crate) const fn unobserved() -> Self {
        Self { done: Counter::new(0), total: 0, progress: SILENT }
    }

    /// A tree of FORS is made.
    pub(crate) fn did_fors_tree(&self, shape: &Shape) {
        self.add(fors_tree(shape));
    }

    /// Keys of WOTS+ are made.
    pub(crate) fn did_wots_keys(&self, shape: &Shape, keys: usize) {
        self.add(keys as u32 * wots_key(shape));
    }

    fn add(&self, calls: u32) {
        (self.progress)(self.done.add(calls), self.total);
    }
}

/// Counts on several threads.
#[cfg(target_has_atomic = "32")]
struct Counter(AtomicU32);

#[cfg(target_has_atomic = "32")]
impl Counter {
    const fn new(count: u32) -> Self {
        Self(AtomicU32::new(count))
    }

    /// Adds, and returns the sum.
    fn add(&self, more: u32) -> u32 {
        self.0.fetch_add(more, Ordering::Relaxed) + more
    }
}

/// Counts on one thread: this processor has no atomic addition. The feature `parallel` does not build for it.
#[cfg(not(target_has_atomic = "32"))]
struct Counter(Cell<u32>);

#[cfg(not(target_has_atomic = "32"))]
impl Counter {
    const fn new(count: u32) -> Self {
        Self(Cell::new(count))
    }

    /// Adds, and returns the sum.
    fn add(&self, more: u32) -> u32 {
        self.0.set(self.0.get() + more);
        self.0.get()
    }
}

/// PRF and F for each leaf, and as many H but one.
const fn fors_tree(shape: &Shape) -> u32 {
    3 << shape.a
}

/// PRF and 15 times F for each chain.
const fn wots_key(shape: &Shape) -> u32 {
    16 * shape.chains() as u32
}
