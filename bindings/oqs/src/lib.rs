//! A library with the C interface of liboqs: programs written for liboqs compile and link against it unchanged.
//!
//! These programs contain lengths as constants, so compiling a program fixes the meaning of each algorithm name. There
//! is one package per era of liboqs, each with its own headers: `grille-oqs` (0.16), `grille-oqs-0-7` and
//! `grille-oqs-0-5`. All three share these sources; `build.rs` sets `cfg(era)`.
//!
//! `tests/operations.c` is a whole program that the tests compile and run with every era.
//!
//! # Features
//! `broken`: offers SIKE and SIDH, which have a known attack.
//!
//! # Without the standard library
//! The library needs `std` and an operating system.
//!
//! # Security
//! A null pointer is an error, and panics do not cross the border to C. As in liboqs, secrets are in buffers of the
//! caller, which erases them, and no algorithm is refused because of its status.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | how are pointers from C checked, and panics caught? | `boundary` |
//! | KEMs: the structure that programs read, and its functions | [`kem`] |
//! | signatures | [`sig`] |
//! | stateful signatures, and callbacks: names only | `stateful`, `callbacks`, in era 0.16 |
//! | which names does the era have, and which rows of the registry do they mean? | [`algorithms`] |
//! | randomness, and the generator of known answers | [`random`] |
//! | memory | [`memory`] |
//! | processor extensions | `processor` |
//!
//! Facts about layouts, names and errors come from liboqs' headers and from observing its releases; the code is not derived
//! from liboqs. `tests/generated` writes the tables of names and the headers from the registry and from `names.tsv`.
#![allow(non_camel_case_types, reason = "the names are those of the C header")]
#![allow(non_snake_case, reason = "the names are those of the C header")]
#![allow(clippy::too_many_arguments, reason = "the signatures are those of the C header")]

pub mod algorithms;
mod boundary;
#[cfg(era = "0.16")]
pub mod callbacks;
pub mod kem;
pub mod memory;
#[cfg(not(era = "0.5"))]
pub mod processor;
pub mod random;
pub mod sig;
#[cfg(era = "0.16")]
pub mod stateful;

use core::ffi::{CStr, c_char};

/// The result of an operation: 0 is success, and -1 is every failure.
pub type OQS_STATUS = i32;
/// Success.
pub const OQS_SUCCESS: OQS_STATUS = 0;
/// Failure. Programs compare with this number, so every function returns exactly this number on failure.
pub const OQS_ERROR: OQS_STATUS = -1;

/// The release of liboqs that the library replaces.
const VERSION: &CStr = if cfg!(era = "0.5") {
    c"0.5.0"
} else if cfg!(era = "0.7") {
    c"0.7.2"
} else {
    c"0.16.0"
};

/// Does nothing: the library needs no preparation.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_init() {}

/// Does nothing: the library holds no resources. Programs may call it at any time, and more than once.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_destroy() {}

/// Does nothing: the library holds no resources of threads.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_thread_stop() {}

/// Returns the version of liboqs that the library replaces, such as "0.16.0". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_version() -> *const c_char {
    VERSION.as_ptr()
}
