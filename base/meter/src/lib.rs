//! How much memory a piece of work takes: allocations, heap, stack.
//!
//! [`Counting`] is a global allocator that counts for the threads that ask for it; [`measured`] runs work in a thread of
//! its own, whose stack is painted first. What C libraries allocate by themselves is not seen.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: grille_meter::Counting = grille_meter::Counting;
//!
//! let (sum, used) = grille_meter::measured(|| vec![1_u8; 1000].iter().map(|byte| u64::from(*byte)).sum::<u64>()).unwrap();
//! assert_eq!((sum, used.allocations, used.heap_peak), (1000, 1, 1000));
//! ```

mod backend;
mod stated;

pub use backend::heap::Counting;
pub use backend::watch::Watching;
pub use stated::{Column, Heap, hold_column};

use backend::{heap, stack, watch};
use std::io;
use std::thread;

/// What work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Calls of the allocator that gave memory; growing is one, too.
    pub allocations: u64,
    /// Bytes that were given, all together.
    pub heap_total: u64,
    /// The most bytes that were held at once.
    pub heap_peak: u64,
    /// Bytes of the stack that were written to.
    pub stack: u64,
}

/// The stack of the thread that is measured; work that needs more ends the process.
const STACK_LEN: usize = 8 << 20;

/// So much of it is painted: the rest is left to the frames above the work and to the thread's own data.
const PAINTED_LEN: usize = STACK_LEN - (256 << 10);

/// Runs `work` in a thread of its own. Heap is counted only where [`Counting`] is the global allocator, and only what
/// that one thread asks for.
///
/// # Errors
/// If there is no memory for a thread, or `work` panics.
pub fn measured<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<(T, Used)> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_LEN).spawn_scoped(scope, || {
            let mut result = None;
            let stack = stack::used_by(PAINTED_LEN, || {
                heap::begin();
                result = Some(work());
            });
            let heap = heap::end();
            result.map(|result| (result, Used { stack: stack as u64, ..heap }))
        })?;
        let panicked = || io::Error::other("the work that was measured panicked");
        thread.join().ok().flatten().ok_or_else(panicked)
    })
}

/// So many bytes of a secret are looked for.
pub const MARK: usize = 12;

/// From now on this thread looks for this secret, which has at least [`MARK`] bytes, in all memory that it gives back: where
/// [`Watching`] is the global allocator.
///
/// # Panics
/// If the secret is shorter, or one of more than 64.
pub fn watch_for(secret: &[u8]) {
    assert!(secret.len() >= MARK, "a secret has more bytes");
    watch::begin(secret);
}

/// How often this thread gave memory back with such a secret still in it; nothing is looked for any more.
#[must_use]
pub fn left_behind() -> usize {
    watch::end()
}
