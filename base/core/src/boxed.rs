//! Large values on the heap, without a copy of them on the stack.

use alloc::boxed::Box;

/// What `make` returns, on the heap.
///
/// In a frame of its own: what `make` needs of the stack is there again when this returns, which after [`Box::new`] it is only
/// when the caller returns.
#[inline(never)]
pub fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    Box::new(make())
}
