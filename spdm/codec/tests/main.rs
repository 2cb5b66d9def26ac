//! One test program for all modules.

mod common;
mod hybrid;
mod layouts;
mod messages;
mod negotiate;
mod pqc2021;
mod traces;
