//! Where a board begins, and where its memory comes from.

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;

/// What the reset vector jumps to.
// SAFETY: nothing else in the program has this name.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    crate::run()
}

/// In place of a board's own allocator: it never has anything, and only its face is linked.
struct Nothing;

#[global_allocator]
static ALLOCATOR: Nothing = Nothing;

// SAFETY: no memory is given out, so that none can be given twice or taken back.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        black_box(core::ptr::null_mut())
    }

    unsafe fn dealloc(&self, _memory: *mut u8, _layout: Layout) {}
}
