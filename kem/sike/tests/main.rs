//! One program, so that what its parts use of the family is compiled once.

mod edge;
mod stack;
