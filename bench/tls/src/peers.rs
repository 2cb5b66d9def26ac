//! The TLS libraries. Each is configured with one group, one cipher suite and one certificate, so that the negotiation
//! has only one possible result.

mod grille;
mod openssl;
mod rustls;
mod wolfssl;

use crate::party::Party;
use grille_bench_harness::report::{Library, locked_version};

/// A TLS library that is measured.
pub struct Peer {
    pub name: &'static str,
    version: String,
    /// The library's build and features.
    build: &'static str,
    /// Returns a function that runs one full handshake with this group; `None` if the library lacks the group or the
    /// signature algorithm.
    pub handshakes: fn(&str, &Party) -> Option<Box<dyn FnMut()>>,
}

impl Peer {
    /// Describes the library for the report.
    pub fn library(&self) -> Library {
        Library { name: self.name.into(), version: self.version.clone(), build: self.build.into() }
    }
}

/// Returns all libraries, grille first.
pub fn all() -> Vec<Peer> {
    let locked = |package| locked_version(include_str!("../Cargo.lock"), package);
    vec![
        Peer {
            name: "grille",
            version: locked("grille-tls"),
            build: "rustls' unbuffered interface, X25519 and ECDSA of aws-lc-rs",
            handshakes: grille::handshakes,
        },
        Peer {
            name: "rustls",
            version: format!("{}, aws-lc-rs {}", locked("rustls"), locked("aws-lc-rs")),
            build: "its default provider",
            handshakes: rustls::handshakes,
        },
        Peer {
            name: "OpenSSL",
            version: ::openssl::version::version().into(),
            build: "openssl-src, its default configuration",
            handshakes: openssl::handshakes,
        },
        Peer {
            name: "wolfSSL",
            version: ::wolfssl::build_info().to_string(),
            build: "wolfssl-sys: assembly for Intel, ECC of single precision, bitsliced AES, no ML-DSA",
            handshakes: wolfssl::handshakes,
        },
    ]
}
