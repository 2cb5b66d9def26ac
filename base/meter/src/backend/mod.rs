//! The places that need `unsafe`: two allocators, and a look at the stack.

pub(crate) mod heap;
pub(crate) mod stack;
pub(crate) mod watch;
