//! One test program for all modules, so that the crate and its dependencies are linked once.

mod cctv;
mod edge;
mod many;
mod secret_stream;
mod stack;
