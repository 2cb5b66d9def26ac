//! The modules that need `unsafe`: two allocators and the measurement of the stack.

pub(crate) mod heap;
pub(crate) mod stack;
pub(crate) mod watch;
