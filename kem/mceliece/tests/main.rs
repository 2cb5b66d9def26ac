//! The tests.

mod edge;
mod stack;
