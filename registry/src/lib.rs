//! Every algorithm under every name and number it is known by.
//!
//! | question | file |
//! |---|---|
//! | which algorithms exist, under which names and numbers? | `table` |
//! | what does a column mean? | [`row`] |
//! | how is a row found? | [`lookup`] |
//! | what did numbers mean in which year? | [`era`] |
//! | which names wait for their standard? | [`reserved`] |
//!
//! | feature | rows | needs |
//! |---|---|---|
//! | none | ML-KEM, ML-DSA, SLH-DSA | no operating system |
//! | `post-quantum` | also Falcon, NTRU, SABER, and Kyber, Dilithium and SPHINCS+ of earlier rounds | no operating system |
//! | `all`, the default | also hybrids, composites and classical algorithms | `std` and a C compiler, for aws-lc |
//! | `broken` | also SIKE and SIDH, for study; with `all` also their hybrids | no operating system |
//!
//! ```
//! use grille_core::SystemRng;
//!
//! let kem = grille_registry::kem_by_name("ML-KEM-768")?.kem;
//! let decaps_key = kem.generate(&mut SystemRng);
//! let sent = kem.encaps_key(&decaps_key.encaps_key_bytes())?.encapsulate(&mut SystemRng);
//! assert_eq!(decaps_key.decapsulate(&sent.ciphertext)?, sent.secret);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(feature = "broken")]
mod broken;
#[cfg(feature = "all")]
mod composites;
pub mod era;
pub mod lookup;
pub mod reserved;
pub mod row;

mod table;

pub use era::{Numbers, Profile};
pub use lookup::{
    UnknownAlgorithm, distinct_signatures, kem_by_name, kem_by_oid, kem_by_tls_group, signature_by_name,
    signature_by_oid, signature_by_tls_scheme,
};
pub use row::{Family, KemRow, KeyFormat, Row, SignatureRow, Status};
pub use table::{KEMS, SIGNATURES};
