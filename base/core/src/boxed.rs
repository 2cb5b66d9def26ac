//! Puts large values on the heap without copying them over the stack.

use alloc::boxed::Box;

/// Returns the value of `make` on the heap.
///
/// Runs `make` in a stack frame of its own. The frame is free again when this function returns; with [`Box::new`], it
/// stays occupied until the caller returns.
#[inline(never)]
pub fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    Box::new(make())
}
