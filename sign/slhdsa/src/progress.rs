//! Progress of an operation, measured in calls of hash functions. Each chain and each tree takes a known
//! number of calls.

use crate::shape::Shape;
#[cfg(not(target_has_atomic = "32"))]
use core::cell::Cell;
#[cfg(target_has_atomic = "32")]
use core::sync::atomic::{AtomicU32, Ordering};
use grille_core::Progress;

/// A progress callback that does nothing.
pub(crate) const NO_PROGRESS: &Progress<'static> = &|_, _| {};

/// The work of an operation, and the callback that reports it.
pub(crate) struct ProgressCounter<'a> {
    done: Counter,
    total: u32,
    progress: &'a Progress<'a>,
}

impl<'a> ProgressCounter<'a> {
    /// Returns a counter for one signature, which computes all FORS trees and `trees` XMSS trees.
    pub(crate) fn for_signing(shape: &Shape, trees: u32, progress: &'a Progress<'a>) -> Self {
        let keys = trees << shape.tree_height();
        Self {
            done: Counter::new(0),
            total: shape.k as u32 * fors_tree(shape) + keys * wots_key(shape),
            progress,
        }
    }

    /// Returns a counter that reports nothing.
    pub(crate) const fn silent() -> Self {
        Self { done: Counter::new(0), total: 0, progress: NO_PROGRESS }
    }

    /// Reports that a FORS tree is complete.
    pub(crate) fn finish_fors_tree(&self, shape: &Shape) {
        self.add(fors_tree(shape));
    }

    /// Reports that WOTS+ keys are complete.
    pub(crate) fn finish_wots_keys(&self, shape: &Shape, keys: usize) {
        self.add(keys as u32 * wots_key(shape));
    }

    fn add(&self, calls: u32) {
        (self.progress)(self.done.add(calls), self.total);
    }
}

/// A counter for several threads.
#[cfg(target_has_atomic = "32")]
struct Counter(AtomicU32);

#[cfg(target_has_atomic = "32")]
impl Counter {
    const fn new(count: u32) -> Self {
        Self(AtomicU32::new(count))
    }

    /// Adds `more` to the counter and returns the sum.
    fn add(&self, more: u32) -> u32 {
        self.0.fetch_add(more, Ordering::Relaxed) + more
    }
}

/// A counter for one thread, for processors without atomic addition. The feature `parallel` does not build for these
/// processors.
#[cfg(not(target_has_atomic = "32"))]
struct Counter(Cell<u32>);

#[cfg(not(target_has_atomic = "32"))]
impl Counter {
    const fn new(count: u32) -> Self {
        Self(Cell::new(count))
    }

    /// Adds `more` to the counter and returns the sum.
    fn add(&self, more: u32) -> u32 {
        self.0.set(self.0.get() + more);
        self.0.get()
    }
}

/// Returns the number of hash calls for a FORS tree: PRF and F for each leaf, and one H for each inner node.
const fn fors_tree(shape: &Shape) -> u32 {
    3 << shape.a
}

/// Returns the number of hash calls for a WOTS+ key: PRF and 15 times F for each chain.
const fn wots_key(shape: &Shape) -> u32 {
    16 * shape.chains() as u32
}
