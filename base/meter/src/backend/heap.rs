//! A global allocator that counts.

use crate::Used;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The operating system's allocator; a thread that is measured also counts.
///
/// Other threads pay one look at a flag of their own.
pub struct Counting;

/// Without a destructor, so that it can be used while a thread ends, and needs no allocation to begin.
#[derive(Clone, Copy)]
struct Count {
    is_on: bool,
    used: Used,
    /// Below 0 where memory is given back that was taken before counting began.
    held: i64,
}

const OFF: Count =
    Count { is_on: false, used: Used { allocations: 0, heap_total: 0, heap_peak: 0, stack: 0 }, held: 0 };

thread_local! {
    static COUNT: Cell<Count> = const { Cell::new(OFF) };
}

/// Counts from now on, for this thread.
pub(crate) fn begin() {
    COUNT.set(Count { is_on: true, ..OFF });
}

/// What was counted; counting ends.
pub(crate) fn end() -> Used {
    COUNT.replace(OFF).used
}

fn note(change: impl FnOnce(&mut Count)) {
    let mut count = COUNT.get();
    if count.is_on {
        change(&mut count);
        COUNT.set(count);
    }
}

fn taken(len: usize) {
    note(|count| {
        count.used.allocations += 1;
        count.used.heap_total += len as u64;
        count.held += len as i64;
        count.used.heap_peak = count.used.heap_peak.max(u64::try_from(count.held).unwrap_or(0));
    });
}

fn given_back(len: usize) {
    note(|count| count.held -= len as i64);
}

// SAFETY: every call goes on to `System`, which is an allocator, with what came; counting touches a thread-local `Cell`
// without a destructor and does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, len: usize) -> *mut u8 {
        given_back(layout.size());
        taken(len);
        // SAFETY: the caller keeps the contract of `realloc`; `memory` came from `System`, as all memory from here does.
        unsafe { System.realloc(memory, layout, len) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`; `memory` came from `System`, as all memory from here does.
        unsafe { System.dealloc(memory, layout) }
    }
}
