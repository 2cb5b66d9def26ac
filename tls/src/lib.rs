//! Post-quantum TLS 1.3 on rustls, driven by the algorithm registry.
//!
//! No algorithm is named in this crate: every registry row with a codepoint becomes a group or a signature scheme.
//!
//! ```
//! use grille_core::SystemRng;
//! use grille_pki::PrivateKey;
//! use grille_pki::issue::{Profile, Template, issue, self_signed};
//! use grille_tls::{Client, ClientOptions, Identity, Server, ServerOptions};
//! use std::io::{Read, Write};
//!
//! let row = grille_registry::signature_by_name("ML-DSA-65")?;
//! let (root_key, key) = (PrivateKey::generate(row, &mut SystemRng)?, PrivateKey::generate(row, &mut SystemRng)?);
//! let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, &mut SystemRng)?;
//! let own = Template::new("CN=server", Profile::end_entity(&["localhost"])?)?;
//! let own = issue(&own, key.public_key(), &root, &root_key, &mut SystemRng)?;
//!
//! let server = Server::bind("127.0.0.1:0", ServerOptions::new(Identity::new(&[own], &key)?))?;
//! let address = server.local_addr()?.to_string();
//! std::thread::spawn(move || {
//!     let (socket, peer) = server.accept()?;
//!     server.handshake(socket, peer)?.write_all(b"hello").map_err(|e| grille_tls::Error::from_io("greet", e))
//! });
//!
//! let client = Client::new(ClientOptions { roots: vec![root], ..ClientOptions::default() })?;
//! let mut connection = client.connect(&address, "localhost")?;
//! let mut hello = [0; 5];
//! connection.read_exact(&mut hello)?;
//! assert_eq!(connection.report().group_name(), "X25519MLKEM768 (0x11EC)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! None. The crate has every row of the registry except the broken ones, which the feature `broken` of
//! `grille-registry` adds.
//!
//! # Without the standard library
//! The crate needs `std`: connections are sockets, and the ciphers come from aws-lc, which needs a C compiler.
//!
//! # Security
//! By default both sides speak TLS 1.3 with post-quantum groups only. [`provider()`] accepts signatures of
//! published standards; [`Client`] and [`Server`] accept them down to the status of the weakest trusted root.
//! [`Preferences::legacy`] adds TLS 1.2 and classical groups for old peers; a quantum computer breaks them.
//!
//! [`Check::DangerousAcceptAny`] is for tests. Early data is off by default, because an attacker can replay it. A
//! session is resumed only if a full handshake with the same peer would succeed now. `SECURITY.md` has the details.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | Which groups can be offered? | [`groups`] |
//! | How are handshake signatures made and verified? | `sign`, `verify` |
//! | How does early data (0-RTT) work? | `early` |
//! | How are certificates compressed? | `compression` |
//! | How are peers authenticated by raw public keys? | `raw_public_key`, `certificate_types` |
//! | How does STARTTLS work in each protocol? | [`starttls`] |
//! | How is rustls' `CryptoProvider` assembled? Where is the group list made? | [`mod@provider`] |
//! | How do a client and a server work? | [`client`], [`server`] |
//! | Whose order of groups takes precedence? | [`order`] |
//! | How is rustls driven? | `engine` |
//! | What does a given server accept? | [`scan`] |
//! | How are the plaintext parts of a handshake parsed? | [`hello`] |
//! | How is a client with TLS 1.1 or older answered? | [`old_version`] |
//! | Which of its certificates does a server present? | `identities` |
//! | Where is a wrong certificate refused? | `cert_verifier` |
//! | How are clients authenticated? | `client_auth` |
//! | Which identity does a client have, and which clients are allowed? | `client_identity` |
//! | How do several servers share session tickets? | [`tickets`] |
//! | Which sessions does a server resume, and for how long? | `resumption` |
//! | Which sessions does a client resume, and for how long? | `client_sessions`; the default for both sides, `session_age` |
//! | How is the cost of both sides measured without a network? | [`memory`] |
//! | What was negotiated, and what did it cost? | [`report`], [`trace`], [`transport`] |
//! | What are the names of codepoints? | [`codepoints`] |
//! | Which errors are there, and what is the advice? | [`error`] |
#![forbid(unsafe_code)]

mod cert_verifier;
mod certificate_types;
pub mod client;
mod client_auth;
mod client_identity;
mod client_sessions;
pub mod codepoints;
mod compression;
mod connection;
mod early;
mod engine;
pub mod error;
pub mod groups;
pub mod hello;
mod identities;
mod identity;
pub mod memory;
mod not_tls;
pub mod old_version;
pub mod order;
pub mod provider;
mod raw_public_key;
pub mod report;
mod resumption;
pub mod scan;
pub mod server;
mod session_age;
mod sign;
pub mod starttls;
pub mod tickets;
pub mod trace;
mod transcript;
pub mod transport;
mod unknown_key;
mod verify;

pub use cert_verifier::Check;
pub use client::{Client, ClientOptions};
pub use client_identity::{AllowedClient, ClientIdentity};
pub use compression::Compression;
pub use connection::Connection;
pub use early::EarlyData;
pub use error::Error;
pub use grille_pki::format_time;
pub use identity::Identity;
pub use not_tls::OtherProtocol;
pub use order::Configs;
pub use provider::{Preferences, provider};
pub use report::Report;
pub use server::{Server, ServerOptions};
pub use session_age::DEFAULT_MAX_SESSION_AGE;
pub use starttls::StartTls;

/// Examples of the README, run as doctests. They are in this crate, the lowest one that depends on everything they use.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
