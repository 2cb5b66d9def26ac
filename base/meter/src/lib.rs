//! Measures the memory that a function call uses: allocations, heap and stack.
//!
//! [`CountingAllocator`] is a global allocator that counts the allocations of threads that are measured.
//! [`measure`] runs work in a new thread and first fills the stack of this thread with a known value.
//! Allocations that C libraries make by themselves are not counted.
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: grille_meter::CountingAllocator = grille_meter::CountingAllocator;
//!
//! let (sum, used) = grille_meter::measure(|| vec![1_u8; 1000].iter().map(|byte| u64::from(*byte)).sum::<u64>()).unwrap();
//! assert_eq!((sum, used.allocations, used.heap_peak), (1000, 1, 1000));
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`: it starts threads, and replaces the global allocator.
//!
//! # Security
//! The crate is for tests and measurements. [`WatchingAllocator`] searches freed memory for secrets that were not
//! erased; see [`watch_for`].

mod backend;
mod documented;
mod usage;

pub use backend::heap::CountingAllocator;
pub use backend::watch::WatchingAllocator;
pub use documented::{Column, Heap, check_column};
pub use usage::{MARK_LEN, Usage};

use backend::{heap, stack, watch};
use std::io;
use std::thread;

/// The stack size of the measured thread. Work that needs more aborts the process.
const STACK_LEN: usize = 8 << 20;

/// The length of the stack part that is filled with a known value. The rest of the stack is for the frames above
/// the work and for the thread's own data.
const PAINTED_LEN: usize = STACK_LEN - (256 << 10);

/// Runs `work` in a new thread and measures the memory use of this thread. Heap use is counted only if
/// [`CountingAllocator`] is the global allocator.
///
/// # Errors
/// Returns an error if the thread cannot be started, or `work` panics.
pub fn measure<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<(T, Usage)> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_LEN).spawn_scoped(scope, || {
            let mut result = None;
            let stack = stack::used_by(PAINTED_LEN, || {
                heap::begin();
                result = Some(work());
            });
            let heap = heap::end();
            result.map(|result| (result, Usage { stack: stack as u64, ..heap }))
        })?;
        let panicked = || io::Error::other("the measured call panicked");
        thread.join().ok().flatten().ok_or_else(panicked)
    })
}

/// Starts to search for `secret` in all memory that this thread frees. Needs [`WatchingAllocator`] as the global
/// allocator.
///
/// # Panics
/// Panics if the secret is shorter than [`MARK_LEN`] bytes, or if more than 64 secrets are watched.
pub fn watch_for(secret: &[u8]) {
    assert!(secret.len() >= MARK_LEN, "the secret is too short to watch");
    watch::begin(secret);
}

/// Stops watching. Returns how many times this thread freed memory that still contained a watched secret.
#[must_use]
pub fn freed_secrets() -> usize {
    watch::end()
}
