//! Loops whose iterations may run in parallel: on several threads with the feature `parallel`, otherwise one after the
//! other.

#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Runs `f` on every item.
#[cfg(feature = "parallel")]
pub(crate) fn for_each<T: Send>(items: impl Iterator<Item = T>, f: impl Fn(T) + Send + Sync) {
    items.collect::<alloc::vec::Vec<_>>().into_par_iter().for_each(f);
}

/// Runs `f` on every item.
#[cfg(not(feature = "parallel"))]
pub(crate) fn for_each<T>(items: impl Iterator<Item = T>, f: impl Fn(T)) {
    items.for_each(f);
}
