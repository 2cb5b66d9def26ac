//! One test program for all modules.

mod common;
mod layouts;
mod messages;
mod negotiate;
mod traces;
