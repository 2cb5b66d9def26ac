//! Registry of all algorithms, with their names, object identifiers and TLS and SPDM numbers.
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
//!
//! # Features
//!
//! | feature | rows | requires |
//! |---|---|---|
//! | none | ML-KEM, ML-DSA, SLH-DSA | nothing; works without an operating system |
//! | `post-quantum` | also Falcon, HQC, BIKE, Classic McEliece, NTRU, SABER, and earlier rounds of Kyber, Dilithium and SPHINCS+ | nothing; works without an operating system |
//! | `all` (default) | also hybrids, composites and classical algorithms | `std` and a C compiler, for aws-lc |
//! | `broken` | `post-quantum`, SIKE and SIDH, for study; with `all` also their hybrids | nothing; works without an operating system |
//!
//! The feature `parallel` adds no rows: it computes hash-based signatures on several threads, and needs `std`.
//!
//! # Without the standard library
//! Without the feature `all` the crate is `no_std` and needs an allocator. Processors without atomic
//! compare-and-swap work.
//!
//! # Security
//! A row states the status of its algorithm ([`row::Status`]). The functions of [`lookup`] also find retired and,
//! with the feature `broken`, broken algorithms. A program that takes names from a user or numbers from a peer must
//! check the status itself.
//!
//! `SECURITY.md` states what the algorithms protect against.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | Which algorithms exist, under which names and numbers? | `table` |
//! | What does a column mean? | [`row`] |
//! | How is a row found? | [`lookup`] |
//! | What did a codepoint or OID mean in an earlier release? | [`era`] |
//! | Which names are reserved for unpublished standards? | [`reserved`] |
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
mod spelling;

mod table;

pub use era::{Numbers, Profile};
pub use lookup::{
    UnknownAlgorithm, distinct_signatures, kem_by_name, kem_by_oid, kem_by_tls_group, signature_by_name,
    signature_by_oid, signature_by_tls_scheme,
};
pub use row::{Family, KemRow, KeyFormat, Row, SignatureRow, Status};
pub use table::{KEMS, SIGNATURES};
