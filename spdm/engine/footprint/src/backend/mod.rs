//! The entry point and the allocator of a board.

use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;

/// The entry point that the reset vector jumps to.
// SAFETY: nothing else in the program has this name.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    crate::run()
}

/// A stand-in for a board's allocator. Every allocation fails; the firmware is linked to be measured, not to be run.
struct FailingAllocator;

#[global_allocator]
static ALLOCATOR: FailingAllocator = FailingAllocator;

// SAFETY: no memory is allocated, so none can be allocated or freed twice.
unsafe impl GlobalAlloc for FailingAllocator {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        black_box(core::ptr::null_mut())
    }

    unsafe fn dealloc(&self, _memory: *mut u8, _layout: Layout) {}
}
