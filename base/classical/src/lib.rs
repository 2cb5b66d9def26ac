//! Classical key agreement and signatures that implement grille's traits, for hybrids, composites and comparisons.
//!
//! The arithmetic comes from aws-lc, with four exceptions: crypto-bigint for finite fields and for RSA with SHA-3,
//! ed448-goldilocks for Ed448, and bp256 and bp384 for the Brainpool curves.
//!
//! ```
//! use grille_classical::{ED25519, X25519};
//! use grille_core::{DynKem, DynSignature, Error, SystemRng};
//!
//! # fn main() -> Result<(), Error> {
//! let key = X25519.generate(&mut SystemRng);
//! let sent = X25519.encaps_key(&key.encaps_key_bytes())?.encapsulate(&mut SystemRng);
//! assert_eq!(key.decapsulate(&sent.ciphertext)?, sent.secret);
//!
//! let key = ED25519.generate(&mut SystemRng);
//! let signature = key.sign(b"message", b"", &mut SystemRng)?;
//! ED25519.verifying_key(&key.verifying_key_bytes())?.verify(b"message", b"", &signature)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`, and a C compiler for aws-lc.
//!
//! # Security
//! A quantum computer breaks all of these algorithms. Use them in hybrids and composites, or with peers that have
//! nothing else.
//!
//! aws-lc generates the keys of signatures and the nonces of ECDSA with its own random generator and ignores the
//! caller's (see [`signature`]). `SECURITY.md` states which parts are constant time and which were audited.
//!
//! # Map of the source
//!
//! | algorithm | module |
//! |---|---|
//! | X25519 (RFC 7748), ECDH on the NIST curves (SP 800-56A) | [`ecdh`] |
//! | Diffie–Hellman in finite fields (RFC 7919) | [`ffdhe`] |
//! | ECDSA (FIPS 186-5), Ed25519 (RFC 8032), RSA (RFC 8017); parts of composites | [`signature`] |
//! | Ed448 (RFC 8032) | [`ed448`] |
//! | ECDSA on the Brainpool curves (RFC 5639) | [`brainpool`] |
//! | RSA with SHA-3 | [`rsa`] |
//! | modular exponentiation | `power` |
//! | private keys, their encodings, and signing with them | `private_key`, `key_pair`; messages in pieces, `streaming` |
//! | checking that a context is empty | `context` |
#![forbid(unsafe_code)]

pub mod brainpool;
mod context;
pub mod ecdh;
pub mod ed448;
pub mod ffdhe;
mod key_pair;
mod power;
mod private_key;
pub mod rsa;
pub mod signature;
mod streaming;

pub use brainpool::{IETF_BP256_SHA256, IETF_BP384_SHA384};
pub use ecdh::{Ecdh, SECP256R1, SECP384R1, SECP521R1, X25519};
pub use ed448::{ED448, PART_ED448};
pub use ffdhe::{FFDHE2048, FFDHE3072, FFDHE4096, Ffdhe};
pub use signature::{
    Classical, ECDSA_P256_SHA256, ECDSA_P384_SHA384, ECDSA_P521_SHA512, ED25519, IETF_P256_SHA256,
    IETF_P384_SHA384, IETF_P521_SHA512, PART_ED25519, PART_P256_SHA256, PART_P256_SHA384, PART_P384_SHA384,
    PART_P521_SHA512, PART_RSA_2048_PSS, PART_RSA_2048_SHA256, PART_RSA_3072_PSS, PART_RSA_3072_SHA256,
    PART_RSA_3072_SHA384, PART_RSA_4096_PSS, PART_RSA_4096_SHA384, Part, RSA_2048, RSA_3072, RSA_4096,
};
