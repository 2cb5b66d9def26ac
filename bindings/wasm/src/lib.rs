//! The WebAssembly part of the npm package `grille`.
//!
//! | question | file |
//! |---|---|
//! | how do bytes and errors cross between JavaScript and Rust? | `convert` |
//! | how are copies of secrets on the stack erased? | `erase` |
//! | KEMs and their keys | `kem` |
//! | signature algorithms and their keys | `signature` |
//! | key files and certificates | `files` |
//!
//! The package has no list of algorithms: it asks the registry.
#![forbid(unsafe_code)]

mod convert;
mod erase;
mod files;
mod kem;
mod signature;
