//! Puts large values on the heap and releases the stack space in which they were made.

use alloc::boxed::Box;

/// Calls `make` and returns its value on the heap.
///
/// Runs `make` in a separate stack frame, which is released when this function returns. With [`Box::new`],
/// the stack space of the value stays occupied until the caller returns.
#[inline(never)]
pub fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    Box::new(make())
}
