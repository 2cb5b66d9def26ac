//! One test program for all modules, so that the generic code of the family is compiled once.

mod edge;
mod stack;
