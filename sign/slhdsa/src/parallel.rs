//! Loops whose iterations may run in parallel. They run on several threads with the feature `parallel`, and
//! otherwise one after the other.

#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Calls `f` with every item, on several threads.
#[cfg(feature = "parallel")]
pub(crate) fn for_each<T: Send>(items: impl Iterator<Item = T>, f: impl Fn(T) + Send + Sync) {
    items.collect::<alloc::vec::Vec<_>>().into_par_iter().for_each(f);
}

/// Calls `f` with every item, one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn for_each<T>(items: impl Iterator<Item = T>, f: impl Fn(T)) {
    items.for_each(f);
}
