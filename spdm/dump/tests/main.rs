//! One test program for all modules.

mod captures;
mod verify;
