//! Quantum-safe TLS 1.3 on rustls, driven by the registry.
//!
//! | question | file |
//! |---|---|
//! | which groups can be offered? | [`groups`] |
//! | which signatures are made and accepted? | `sign`, `verify` |
//! | what is said before the handshake is over? | `early` |
//! | how are certificates made shorter? | `compression` |
//! | how are peers known without certificates? | `raw`, `certificate_types` |
//! | how does TLS begin inside of other protocols? | [`starttls`] |
//! | how is rustls' `CryptoProvider` assembled? | [`mod@provider`] |
//! | how does one connect, or serve? | [`client`], [`server`] |
//! | whose order of groups decides? | [`order`] |
//! | how is rustls driven? | `engine` |
//! | what does a server accept? | [`scan`] |
//! | what does a handshake of others say in the clear? | [`hello`] |
//! | what does a client of TLS 1.1 or older get? | [`old_version`] |
//! | which of its certificates does a server show? | `identities` |
//! | how are clients authenticated? | `client_auth` |
//! | who is a client, and which ones are let in? | `client_identity` |
//! | how do several servers open each other's tickets? | [`tickets`] |
//! | which sessions does a server resume, and for how long? | `resumption` |
//! | which sessions does a client resume, and for how long? | `client_sessions` |
//! | what do both sides cost without a network? | [`memory`] |
//! | what was negotiated, and what did it cost? | [`report`], [`trace`], [`transport`] |
//! | what do numbers mean? | [`codepoints`] |
//! | what can go wrong? | [`error`] |
//!
//! No algorithm is named here: a row of the registry with a codepoint is a group or a signature scheme.
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
#![forbid(unsafe_code)]

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
mod noted;
pub mod old_version;
pub mod order;
pub mod provider;
mod raw;
pub mod report;
mod resumption;
pub mod scan;
pub mod server;
mod sign;
pub mod starttls;
pub mod tickets;
pub mod trace;
mod transcript;
pub mod transport;
mod verify;

pub use client::{Client, ClientOptions};
pub use client_identity::{AllowedClient, ClientIdentity};
pub use compression::Compression;
pub use connection::Connection;
pub use early::EarlyData;
pub use error::Error;
pub use grille_pki::moment;
pub use identity::Identity;
pub use not_tls::Spoken;
pub use noted::Check;
pub use order::Configs;
pub use provider::{Preferences, provider};
pub use report::Report;
pub use resumption::DEFAULT_MAX_SESSION_AGE;
pub use server::{Server, ServerOptions};
pub use starttls::StartTls;

/// The code of the README, which runs as tests of this crate: the lowest one that sees all it names.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
