//! A global allocator that counts allocations.

use crate::Usage;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The operating system's allocator, which also counts the allocations of threads that are measured.
///
/// For other threads, the overhead is one read of a thread-local flag.
pub struct CountingAllocator;

/// The counter of a thread. It has no destructor, so it can be used while a thread ends. Its initialisation
/// does not allocate.
#[derive(Clone, Copy)]
struct Count {
    is_on: bool,
    used: Usage,
    /// The number of bytes held. Negative if memory was freed that had been allocated before counting
    /// started.
    held: i64,
}

const NOT_COUNTING: Count =
    Count { is_on: false, used: Usage { allocations: 0, heap_total: 0, heap_peak: 0, stack: 0 }, held: 0 };

thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(NOT_COUNTING) };
}

/// Starts counting for this thread.
pub(crate) fn begin() {
    COUNT.set(Count { is_on: true, ..NOT_COUNTING });
}

/// Stops counting and returns the counts.
pub(crate) fn end() -> Usage {
    COUNT.replace(NOT_COUNTING).used
}

fn update_count(change: impl FnOnce(&mut Count)) {
    let mut count = COUNT.get();
    if count.is_on {
        change(&mut count);
        COUNT.set(count);
    }
}

fn count_allocation(len: usize) {
    update_count(|count| {
        count.used.allocations += 1;
        count.used.heap_total += len as u64;
        count.held += len as i64;
        count.used.heap_peak = count.used.heap_peak.max(u64::try_from(count.held).unwrap_or(0));
    });
}

fn count_release(len: usize) {
    update_count(|count| count.held -= len as i64);
}

// SAFETY: every call is forwarded unchanged to `System`, which is an allocator. Counting touches a thread-local `Cell`
// without a destructor and does not allocate.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_allocation(layout.size());
        // SAFETY: the caller fulfils the contract of `alloc`, which is `System`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_allocation(layout.size());
        // SAFETY: the caller fulfils the contract of `alloc_zeroed`, which is `System`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, len: usize) -> *mut u8 {
        count_release(layout.size());
        count_allocation(len);
        // SAFETY: the caller fulfils the contract of `realloc`; `memory` came from `System`, as all memory of this
        // allocator does.
        unsafe { System.realloc(memory, layout, len) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count_release(layout.size());
        // SAFETY: the caller fulfils the contract of `dealloc`; `memory` came from `System`, as all memory of this
        // allocator does.
        unsafe { System.dealloc(memory, layout) }
    }
}
