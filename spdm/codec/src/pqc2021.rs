//! The post-quantum dialect of openspdm-pqc (2021): SPDM 1.1 with tables, fields and messages of its own.
//!
//! Two forms exist. openspdm-pqc negotiates seven tables, and openspdm-pqc-kem nine, because of KEM authentication.
//! All other messages are those of SPDM 1.1; only the lengths in [`Sizes`](crate::Sizes) differ.
//!
//! | question | file |
//! |---|---|
//! | which algorithms exist, under which bits and lengths? | `algorithms.rs` |
//! | how are they negotiated? | `tables.rs` |
//! | what is in ExchangeData of KEY_EXCHANGE and its response? | `exchange_data.rs` |
//! | what is in a signature field? | `signature.rs` |
//! | how does CHALLENGE carry a ciphertext? | `challenge.rs` |
//! | how are large messages sent in pieces? | `fragment.rs` |
//! | how are long certificate chains read? | `certificate.rs` |
//!
//! ```
//! use grille_spdm_codec::pqc2021::{Kem, Set, Signature};
//!
//! let kem = Kem::by_name("KYBER_768").ok_or("no such KEM")?;
//! assert_eq!((kem.name, kem.public_key_len, kem.ciphertext_len), ("Kyber768", 1184, 1088));
//! let offered = Set::NONE.union(kem.set());
//! assert_eq!(offered.to_bytes(), [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
//! assert_eq!(Kem::from_set(offered), Some(kem));
//! assert!(Signature::by_name("ML-DSA-44").is_none());
//! # Ok::<(), &str>(())
//! ```

mod algorithms;
pub mod certificate;
pub mod challenge;
mod exchange_data;
pub mod fragment;
mod set;
mod signature;
mod tables;

pub use algorithms::{KEMS, Kem, SIGNATURES, Signature};
pub use exchange_data::{ExchangeData, ExchangeLens};
pub use set::Set;
pub use signature::{SignatureField, SignatureLens};
pub use tables::{KemAuthentication, Tables};
