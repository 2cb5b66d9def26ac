//! The cipher suites of TLS 1.3.

use crate::output::{BOLD, DIM, Output};
use grille_tls::codepoints::{SUITES, suite_name, wolfssl_suite_name};
use rustls::CipherSuite;
use serde::Serialize;
use std::io::{self, Write};

/// A cipher suite: the encryption of records and the hash of the handshake.
#[derive(Serialize)]
pub(super) struct Suite {
    kind: &'static str,
    name: String,
    tls_code: String,
    spec: &'static str,
    key_bits: u16,
    /// NIST's security category. NIST defines categories by key search on AES with these key lengths.
    category: u8,
    implemented: bool,
}

/// The suites of RFC 8446 appendix B.4 with their key lengths in bits.
const ALL: [(CipherSuite, u16); 5] = [
    (CipherSuite::TLS13_AES_128_GCM_SHA256, 128),
    (CipherSuite::TLS13_AES_256_GCM_SHA384, 256),
    (CipherSuite::TLS13_CHACHA20_POLY1305_SHA256, 256),
    (CipherSuite::TLS13_AES_128_CCM_SHA256, 128),
    (CipherSuite::TLS13_AES_128_CCM_8_SHA256, 128),
];

impl Suite {
    /// Finds the suite with this codepoint.
    pub(super) fn by_code(code: u16) -> Option<Self> {
        Self::find(|suite| u16::from(suite) == code)
    }

    /// Finds the suite with this name, the standard's or wolfSSL's; case is ignored.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        Self::find(|suite| {
            let own = suite_name(suite);
            own.eq_ignore_ascii_case(name.trim())
                || wolfssl_suite_name(&own).eq_ignore_ascii_case(name.trim())
        })
    }

    fn find(is: impl Fn(CipherSuite) -> bool) -> Option<Self> {
        let (suite, key_bits) = ALL.into_iter().find(|(suite, _)| is(*suite))?;
        Some(Self {
            kind: "TLS cipher suite",
            name: suite_name(suite),
            tls_code: format!("0x{:04X}", u16::from(suite)),
            spec: "RFC 8446",
            key_bits,
            category: if key_bits == 128 { 1 } else { 5 },
            implemented: SUITES.iter().any(|own| own.suite() == suite),
        })
    }

    pub(super) fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let Self { kind, name, tls_code, spec, key_bits, category, implemented } = self;
        writeln!(out, "  {BOLD}{name}{BOLD:#} {DIM}{kind} {tls_code}{DIM:#}")?;
        writeln!(out, "    {spec}, standard, {key_bits}-bit keys: security category {category}")?;
        match implemented {
            true => {
                writeln!(out, "    encrypts records; key exchange and signatures are negotiated separately")
            }
            false => writeln!(out, "    not implemented in grille"),
        }
    }
}
