//! Keys and certificates: SPKI, PKCS#8, PEM, X.509.
//!
//! | question | file |
//! |---|---|
//! | how are private keys read and written? | `private_key`, `kem_keys`, `pkcs8` |
//! | and public ones? | `public_key`, `kem_keys` |
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
//! | what time is it, and how is it written? | `time` |
//! | what can go wrong? | `error` |
//!
//! No algorithm is chosen by name here: the registry says how the keys of each are written.
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
mod certificate;
mod crl;
mod document;
mod end_entity;
mod error;
pub mod issue;
mod kem_keys;
mod known;
mod long_chain;
mod name;
mod own_signature;
mod pem;
mod pkcs8;
mod possession;
mod private_key;
mod public_key;
mod refusal;
mod request;
mod time;
pub mod verify;

pub use certificate::Certificate;
pub use const_oid::ObjectIdentifier;
pub use crl::{Crl, CrlValidity};
pub use document::Document;
pub use error::Error;
pub use kem_keys::{KemPrivateKey, KemPublicKey};
pub use private_key::{Layout, PrivateKey, PrivateKeyForm, Size};
pub use public_key::PublicKey;
pub use request::{Request, RequestedKey};
pub use time::moment;
#[cfg(feature = "std")]
pub use time::now;
