//! Keys and certificates: SPKI, PKCS#8, PEM, X.509.
//!
//! | question | file |
//! |---|---|
//! | how are private keys read and written? | `private_key`, `kem_keys`, `pkcs8` |
//! | and public ones? | `public_key`, `kem_keys` |
//! | how are blocks found in a PEM file? | `pem` |
//! | and keys from before PKCS#8 read? | `traditional` |
//! | how are encrypted keys and PKCS#12 opened? | `unlock`, then `pbe`, `pkcs12` and `ber` |
//! | what is a DER document that is not what was wanted? | `shape` |
//! | which row does an algorithm identifier mean? | `algorithm` |
//! | how are algorithms called that are not supported? | `known` |
//! | which identifiers are in any document? | `document` |
//! | what is in a certificate, in a request? | `certificate`, `request` |
//! | who signs requests for keys that cannot sign? | `possession` |
//! | how are certificates revoked? | `crl` |
//! | how are certificates issued? | [`issue`] |
//! | how are names written? | `name` |
//! | how are chains checked, and signatures? | [`verify`], `adapter` |
//! | what must a chain's end entity have of its own? | `end_entity` |
//! | and those with many intermediates? | `long_chain` |
//! | of a self-signed certificate, is its signature right? | `own_signature` |
//! | and why is a chain refused? | `refusal` |
//! | whom is a certificate about? | `subject` |
//! | what time is it, and how is it written? | `time` |
//! | what can go wrong? | `error` |
//!
//! No algorithm is chosen by name here: the registry says how the keys of each are written. The exception is `falcon`: Bouncy
//! Castle writes its private keys in parts.
//!
//! The feature `std`, on by default, brings the classical algorithms and the system's clock. Without it there are the
//! post-quantum standards, an allocator is enough, and the caller says what time it is.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod adapter;
mod algorithm;
mod asn1;
#[cfg(feature = "std")]
mod ber;
mod certificate;
mod crl;
mod document;
mod end_entity;
mod error;
mod falcon;
pub mod issue;
mod kem_keys;
mod known;
mod long_chain;
mod name;
mod own_signature;
#[cfg(feature = "std")]
mod pbe;
mod pem;
#[cfg(feature = "std")]
mod pkcs12;
mod pkcs8;
mod possession;
mod private_key;
mod public_key;
mod refusal;
mod request;
mod revocation;
mod shape;
mod subject;
mod time;
#[cfg(feature = "std")]
mod traditional;
#[cfg(feature = "std")]
mod unlock;
pub mod verify;

pub use certificate::Certificate;
pub use const_oid::ObjectIdentifier;
pub use crl::{Crl, CrlValidity};
pub use document::Document;
pub use error::Error;
pub use kem_keys::{KemPrivateKey, KemPublicKey};
pub use pem::Kind;
pub use private_key::{Layout, PrivateKey, PrivateKeyForm, Size};
pub use public_key::PublicKey;
pub use request::{Request, RequestedKey};
pub use subject::AlternativeName;
pub use time::moment;
#[cfg(feature = "std")]
pub use time::now;
#[cfg(feature = "std")]
pub use unlock::{container, lock, lock_pem, skipped, unlock};

/// What error messages call a file of PKCS#12.
pub(crate) const PKCS12: &str = "PKCS#12 file";
