//! The C library of grille: `include/grille.h`, built as `libgrille` by `install.sh` or cargo-c.
//!
//! The library has no list of algorithms: functions take rows of the registry by name or by position.
//!
//! `examples/kem.c` is a whole program, which `cargo xtask faces c` runs:
//!
//! ```c
#![doc = include_str!("../examples/kem.c")]
//! ```
//!
//! # Features
//! `capi` changes nothing: cargo-c builds the crates of a workspace that have it. The library always has every row of the
//! registry except the broken ones.
//!
//! # Without the standard library
//! The library needs `std` and an operating system.
//!
//! # Security
//! Pointers are checked for null, and panics do not cross the border to C. Private keys are erased when they are
//! freed; the caller erases its own buffers. No algorithm is refused because of its status.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | which result codes exist, and where does the text of an error come from? | `status` |
//! | how are pointers from C checked, and panics caught? | `boundary` |
//! | KEMs and their keys | `kem` |
//! | signature algorithms and their keys | `signature` |
//! | many operations in one call | `batch` |
//! | large public keys in pieces | `streamed` |
//! | keys as PKCS#8 and SubjectPublicKeyInfo, PEM or DER | `key_file` |
//! | certificates and chains | `certificate` |
//! | the parts of round-3 Kyber: encryption, and secrets of any length | `kyber` |
#![allow(non_camel_case_types, reason = "the names are those of the C header")]

pub mod batch;
mod boundary;
pub mod certificate;
pub mod kem;
pub mod key_file;
pub mod kyber;
pub mod signature;
pub mod status;
pub mod streamed;

use core::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("the version has no NUL"),
};

/// Returns the version of the library, such as "0.1.0". The string is static.
#[unsafe(no_mangle)]
pub extern "C" fn grille_version() -> *const c_char {
    VERSION.as_ptr()
}
