//! Keys and certificates: SPKI, PKCS#8, PEM, X.509.
//!
//! | question | file |
//! |---|---|
//! | how are private keys read and written? | `private_key`, `kem_keys`, `pkcs8` |
//! | and public ones? | `public_key`, `kem_keys` |
//! | which row does an algorithm identifier mean? | `algorithm` |
//! | which identifiers are in any document? | `document` |
//! | what is in a certificate, in a request? | `certificate`, `request` |
//! | how are certificates issued? | [`issue`] |
//! | how are names written? | `name` |
//! | how are signatures and chains checked? | [`verify`] |
//! | and why is a chain refused? | `refusal` |
//! | which certificates are revoked? | `revocation` |
//! | whom is a certificate about? | `subject` |
//! | what time is it, and how is it written? | `time` |
//! | what can go wrong? | `error` |
//!
//! No algorithm is named here: the registry says how the keys of each are written.
//!
//! The feature `std`, on by default, brings the classical algorithms and the system's clock. Without it there are the
//! post-quantum standards, an allocator is enough, and the caller says what time it is.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod asn1;
mod certificate;
mod document;
mod error;
pub mod issue;
mod kem_keys;
mod name;
mod pem;
mod pkcs8;
mod private_key;
mod public_key;
mod refusal;
mod request;
mod revocation;
mod subject;
mod time;
pub mod verify;

pub use certificate::Certificate;
pub use const_oid::ObjectIdentifier;
pub use document::Document;
pub use error::Error;
pub use kem_keys::{KemPrivateKey, KemPublicKey};
pub use private_key::{Layout, PrivateKey, PrivateKeyForm, Size};
pub use public_key::PublicKey;
pub use request::Request;
pub use revocation::RevocationList;
pub use subject::AlternativeName;
pub use time::moment;
#[cfg(feature = "std")]
pub use time::now;
