//! One test program for all modules, so that the algorithms are linked once.

mod eras;
mod every_row;
mod stream;
