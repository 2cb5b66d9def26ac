//! Classical key agreement and signatures behind grille's traits: the other half of hybrids, and the yardstick.
//!
//! | what | file |
//! |---|---|
//! | X25519 (RFC 7748), ECDH on the NIST curves (SP 800-56A) | [`ecdh`] |
//! | ECDSA (FIPS 186-5), Ed25519 (RFC 8032), RSA PKCS #1 v1.5 (RFC 8017) | [`signature`] |
//!
//! The arithmetic is aws-lc's. A quantum computer breaks all of it.
#![forbid(unsafe_code)]

pub mod ecdh;
pub mod signature;

pub use ecdh::{Ecdh, SECP256R1, SECP384R1, SECP521R1, X25519};
pub use signature::{
    Classical, ECDSA_P256_SHA256, ECDSA_P384_SHA384, ECDSA_P521_SHA512, ED25519, RSA_2048, RSA_3072, RSA_4096,
};
