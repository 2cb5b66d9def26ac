//! Keys and certificates: SPKI, PKCS#8, PEM, X.509.
//!
//! Algorithms are selected through the registry, which also states how their keys are encoded. The exception is
//! `falcon`, because Bouncy Castle writes Falcon private keys in parts.
//!
//! ```
//! use grille_core::SystemRng;
//! use grille_pki::issue::{Profile, Template, issue, self_signed};
//! use grille_pki::verify::{Purpose, Requirements, verify_chain};
//! use grille_pki::{Certificate, PrivateKey, PrivateKeyForm, now};
//! use grille_registry::Row;
//!
//! let row = grille_registry::signature_by_name("ML-DSA-65")?;
//! let (root_key, key) = (PrivateKey::generate(row, &mut SystemRng)?, PrivateKey::generate(row, &mut SystemRng)?);
//! let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, &mut SystemRng)?;
//! let server = Template::new("CN=server", Profile::end_entity(&["localhost"])?)?;
//! let server = issue(&server, key.public_key(), &root, &root_key, &mut SystemRng)?;
//!
//! let stored = key.to_pkcs8_pem(PrivateKeyForm::default_for(row))?;        // secret: store this
//! let sent = server.to_pem()?;                                             // send this
//!
//! assert_eq!(PrivateKey::from_pem_or_der(stored.as_bytes())?.row().name(), "ML-DSA-65");
//! let received = Certificate::from_pem_or_der(sent.as_bytes())?;
//! let requirements = Requirements { time: now(), purpose: Purpose::Server, name: Some("localhost") };
//! verify_chain(&received, &[], &[root], &requirements)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! `std` (default): adds the classical algorithms, encrypted keys, PKCS#12, the formats of EC and RSA keys that are
//! older than PKCS#8, and the system's clock.
//!
//! # Without the standard library
//! Without `std` the crate is `no_std`. It needs an allocator and atomic compare-and-swap, and the caller supplies
//! the time. The algorithms are those of the features of `grille-registry`: without any, ML-KEM, ML-DSA and
//! SLH-DSA.
//!
//! # Security
//! Malformed documents never make this crate panic. Private keys are erased on drop.
//!
//! Keys are encrypted with PBES2 (AES-256-CBC, PBKDF2 with 600,000 iterations), which does not authenticate: an
//! attacker who can change the file can damage the key. Old encryption is read and never written.
//!
//! [`verify::verify_chain`] accepts every known algorithm, including retired ones. [`verify::Trust`] restricts the
//! algorithms and takes revocation lists.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | How are private keys read and written? | `private_key`, `kem_keys`, `pkcs8`; their forms, `private_key_form` |
//! | How are public keys read and written? | `public_key`, `kem_keys` |
//! | How are blocks found in a PEM file? | `pem`; labels, `pem_label` |
//! | How are keys read in formats older than PKCS#8? | `traditional` |
//! | How are encrypted keys and PKCS#12 files decrypted? | `encryption`, then `pbe`, `pkcs12` and `ber` |
//! | How is the type of an unexpected DER document recognised? | `document_type` |
//! | Which registry row belongs to an algorithm identifier? | `algorithm` |
//! | What are the names of unsupported algorithms? | `algorithm_names`; of other object identifiers, `oid_name` |
//! | Which object identifiers does a document contain? | `document` |
//! | How are certificates and requests parsed? | `certificate`, `request` |
//! | How do requests for KEM keys prove possession? | `possession` |
//! | How are certificates revoked? | `crl` |
//! | How are certificates issued? | [`issue`], `certified_key` |
//! | How do values live as long as the program, once per key? | `interned` |
//! | How are extensions and signatures encoded? | `encoding` |
//! | How are names parsed and written? | `name` |
//! | How are chains and signatures verified? | [`verify`], `signed`, `signed_message`, `adapter` |
//! | What is trusted, and what must a chain meet? | `trust`, `purpose` |
//! | Which checks apply to an end entity's certificate? | `end_entity`; to its key, `subject_key` |
//! | How are chains with many intermediates verified? | `long_chain` |
//! | How is the signature of a self-signed certificate checked? | `own_signature` |
//! | How are the reasons for refused chains explained? | `refusal` |
//! | How is the subject of a certificate described? | `subject` |
//! | How are times read and formatted? | `time` |
//! | Which errors are there? | `error` |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod adapter;
mod algorithm;
mod algorithm_names;
mod asn1;
#[cfg(feature = "std")]
mod ber;
mod certificate;
mod certified_key;
mod crl;
mod document;
mod document_type;
mod encoding;
#[cfg(feature = "std")]
mod encryption;
mod end_entity;
mod error;
mod falcon;
#[doc(hidden)]
pub mod interned;
pub mod issue;
mod kem_keys;
mod long_chain;
mod name;
mod oid_name;
mod own_signature;
#[cfg(feature = "std")]
mod pbe;
mod pem;
mod pem_label;
#[cfg(feature = "std")]
mod pkcs12;
mod pkcs8;
mod possession;
mod private_key;
mod private_key_form;
mod public_key;
mod purpose;
mod refusal;
mod request;
mod revocation;
mod signed;
mod signed_message;
mod subject;
mod subject_key;
mod time;
#[cfg(feature = "std")]
mod traditional;
mod trust;
pub mod verify;

pub use certificate::Certificate;
pub use const_oid::ObjectIdentifier;
pub use crl::{Crl, CrlValidity};
pub use document::Document;
#[cfg(feature = "std")]
pub use encryption::{container_format, decrypt, encrypt, encrypt_pem, skipped_labels};
pub use error::Error;
pub use kem_keys::{KemPrivateKey, KemPublicKey};
pub use pem::Kind;
pub use private_key::{KeyMode, PrivateKey};
pub use private_key_form::{Layout, PrivateKeyForm};
pub use public_key::PublicKey;
pub use request::{Request, RequestedKey};
pub use subject::AlternativeName;
pub use time::format_time;
#[cfg(feature = "std")]
pub use time::now;

/// Name of a PKCS#12 file in error messages.
pub(crate) const PKCS12: &str = "PKCS#12 file";
