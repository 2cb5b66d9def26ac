//! Quantum-safe TLS 1.3 on rustls, driven by the registry.
//!
//! | question | file |
//! |---|---|
//! | which groups can be offered? | [`groups`] |
//! | which signatures are made and accepted? | `sign`, `verify` |
//! | how is rustls' `CryptoProvider` assembled? | [`provider`] |
//! | how does one connect, or serve? | [`client`], [`server`] |
//! | what was negotiated, and what did it cost? | [`report`], [`transport`] |
//! | what do numbers mean? | [`codepoints`] |
//! | what can go wrong? | [`error`] |
//!
//! No algorithm is named here: a row of the registry with a codepoint is a group or a signature scheme.
#![forbid(unsafe_code)]

pub mod codepoints;
pub mod groups;
pub mod transport;
