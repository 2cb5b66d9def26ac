//! The two places that need `unsafe`: an allocator, and a look at the stack.

pub(crate) mod heap;
pub(crate) mod stack;
