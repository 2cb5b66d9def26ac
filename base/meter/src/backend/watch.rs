//! A global allocator that looks for secrets in what is given back.

use crate::MARK;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// The operating system's allocator, for tests. A thread that watches also looks at all that it gives back, and at what a growing
/// piece of memory leaves behind.
///
/// All memory is zero at first.
pub struct Watching;

/// The most secrets that a thread watches for.
const MOST: usize = 64;

/// What of a secret is remembered, byte by byte and masked: what was on the stack, copies of it among them, gets into memory with
/// the padding of what is moved there.
type Mark = [Cell<u8>; MARK];

const MASK: u8 = 0xA5;

// Without a destructor, so that they can be used while a thread ends, and need no allocation to begin.
thread_local! {
    static MARKS: [Mark; MOST] = const { [const { [const { Cell::new(0) }; MARK] }; MOST] };
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// From now on, for this thread, also for this secret.
///
/// # Panics
/// If there are too many.
pub(crate) fn begin(secret: &[u8]) {
    MARKS.with(|marks| {
        let mark = marks[COUNT.get()].iter();
        mark.zip(secret).for_each(|(mark, byte)| mark.set(byte ^ MASK));
    });
    COUNT.set(COUNT.get() + 1);
}

/// How often memory was given back with a secret in it; watching ends.
pub(crate) fn end() -> usize {
    COUNT.set(0);
    LEFT.replace(0)
}

/// Looks at memory that is given back.
///
/// # Safety
/// In tests only, see below. `len` bytes of `memory` came from [`Watching`], and nobody else writes there.
unsafe fn look(memory: *const u8, len: usize) {
    let count = COUNT.get();
    if count == 0 || len < MARK {
        return;
    }
    let begins = |marks: &[Mark; MOST], at| {
        // SAFETY: the bytes lie in the memory that the caller speaks of. That is all that is proved. Rust has no reading of bytes that
        // are not initialised, and some may be: the memory was zero at first, but a value that was moved there may have padding, which
        // counts as uninitialised again. This is an admitted limit of a tool that only tests link: it relies on the compiler, which
        // reads from memory what a volatile read is to read.
        let byte = |n| unsafe { ptr::read_volatile(memory.add(at + n)) };
        let is = |mark: &Mark| mark.iter().enumerate().all(|(n, masked)| byte(n) ^ MASK == masked.get());
        marks[..count].iter().any(is)
    };
    if MARKS.with(|marks| (0..=len - MARK).any(|at| begins(marks, at))) {
        LEFT.set(LEFT.get() + 1);
    }
}

// SAFETY: every call goes on to `System`, which is an allocator, with what came; a piece that grows is a new one, with the bytes of
// the old. Watching touches thread-local `Cell`s without destructors, does not allocate, and only reads.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is that of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`: so many bytes came from here, and nobody uses them any more.
        unsafe { look(memory, layout.size()) };
        // SAFETY: the same; `memory` came from `System`, as all memory from here does.
        unsafe { System.dealloc(memory, layout) }
    }
}
