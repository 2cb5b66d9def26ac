//! One test program for all modules, so that the crate and its dependencies are linked once.

mod edge;
mod stack;
mod streamed;
