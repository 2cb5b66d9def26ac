//! Quantum-safe TLS 1.3 on rustls, driven by the registry.
//!
//! | question | file |
//! |---|---|
//! | which groups can be offered? | [`groups`] |
//! | which signatures are made and accepted? | `sign`, `verify` |
//! | how is rustls' `CryptoProvider` assembled? | [`mod@provider`] |
//! | how does one connect, or serve? | [`client`], [`server`] |
//! | what was negotiated, and what did it cost? | [`report`], [`trace`], [`transport`] |
//! | what do numbers mean? | [`codepoints`] |
//! | what can go wrong? | [`error`] |
//!
//! No algorithm is named here: a row of the registry with a codepoint is a group or a signature scheme.
#![forbid(unsafe_code)]

pub mod client;
pub mod codepoints;
mod connection;
pub mod error;
pub mod groups;
mod identity;
mod noted;
pub mod provider;
pub mod report;
pub mod server;
mod sign;
pub mod trace;
mod transcript;
pub mod transport;
mod verify;

pub use client::{Client, ClientOptions};
pub use connection::Connection;
pub use error::Error;
pub use identity::Identity;
pub use provider::{Preferences, provider};
pub use report::Report;
pub use server::{Server, ServerOptions};
