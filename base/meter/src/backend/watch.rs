//! A global allocator that searches freed memory for secrets.

use crate::MARK_LEN;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// The operating system's allocator, for tests. In threads that watch for secrets, it searches all memory
/// that is freed, including the old block when an allocation grows.
///
/// All memory is zeroed when it is allocated.
pub struct WatchingAllocator;

/// The maximum number of secrets per thread.
const MAX_SECRETS: usize = 64;

/// The first bytes of a secret, each masked. Without the mask, the search would mistake copies of this value for the
/// secret: the stack contains copies, and padding can carry stack contents into the heap.
type Mark = [Cell<u8>; MARK_LEN];

const MASK: u8 = 0xA5;

// These variables have no destructor, so they can be used while a thread ends. Their initialisation does not
// allocate.
thread_local! {
    static MARKS: [Mark; MAX_SECRETS] = const { [const { [const { Cell::new(0) }; MARK_LEN] }; MAX_SECRETS] };
    static SECRET_COUNT: Cell<usize> = const { Cell::new(0) };
    static FREED_SECRETS: Cell<usize> = const { Cell::new(0) };
}

/// Starts to watch for this secret on this thread, in addition to earlier secrets.
///
/// # Panics
/// Panics if the maximum number of secrets is exceeded.
pub(crate) fn begin(secret: &[u8]) {
    MARKS.with(|marks| {
        let mark = marks[SECRET_COUNT.get()].iter();
        mark.zip(secret).for_each(|(mark, byte)| mark.set(byte ^ MASK));
    });
    SECRET_COUNT.set(SECRET_COUNT.get() + 1);
}

/// Stops watching. Returns how many times memory that contained a secret was freed.
pub(crate) fn end() -> usize {
    SECRET_COUNT.set(0);
    FREED_SECRETS.replace(0)
}

/// Searches memory that is being freed.
///
/// # Safety
/// This function is for tests only; the comment in its body explains why. `len` bytes at `memory` must come
/// from [`WatchingAllocator`], and no other thread may write there.
unsafe fn inspect(memory: *const u8, len: usize) {
    let count = SECRET_COUNT.get();
    if count == 0 || len < MARK_LEN {
        return;
    }
    let begins = |marks: &[Mark; MAX_SECRETS], at| {
        // SAFETY: the caller guarantees that the bytes are in valid memory. Nothing more is proved. Rust has
        // no defined way to read uninitialised bytes, and some bytes may be uninitialised: the memory was
        // zeroed at first, but a value moved there may have padding, which counts as uninitialised again.
        // This is a known limit of a tool that only tests link. It relies on the compiler to perform a
        // volatile read as a read of memory.
        let byte = |n| unsafe { ptr::read_volatile(memory.add(at + n)) };
        let is = |mark: &Mark| mark.iter().enumerate().all(|(n, masked)| byte(n) ^ MASK == masked.get());
        marks[..count].iter().any(is)
    };
    if MARKS.with(|marks| (0..=len - MARK_LEN).any(|at| begins(marks, at))) {
        FREED_SECRETS.set(FREED_SECRETS.get() + 1);
    }
}

// SAFETY: every call is forwarded to `System`, which is an allocator. `realloc` allocates a new block and copies the
// bytes. Watching touches thread-local `Cell`s without destructors, does not allocate, and only reads.
unsafe impl GlobalAlloc for WatchingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of `alloc`, which is that of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfils the contract of `dealloc`: the block came from this allocator with this size and
        // is no longer used.
        unsafe { inspect(memory, layout.size()) };
        // SAFETY: the caller fulfils the contract of `dealloc`; `memory` came from `System`, as all memory of this
        // allocator does.
        unsafe { System.dealloc(memory, layout) }
    }
}
