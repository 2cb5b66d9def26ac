//! Names of codepoints for display. Unknown codepoints are shown as numbers.

use grille_registry::{Numbers, Row};
use rustls::crypto::aws_lc_rs::cipher_suite;
use rustls::{CipherSuite, ProtocolVersion, SupportedCipherSuite};

/// The TLS 1.3 cipher suites, in order of preference.
pub static SUITES: &[SupportedCipherSuite] = &[
    cipher_suite::TLS13_AES_256_GCM_SHA384,
    cipher_suite::TLS13_AES_128_GCM_SHA256,
    cipher_suite::TLS13_CHACHA20_POLY1305_SHA256,
];

/// Returns the registry's name of the group that has this codepoint in `numbers`, or the codepoint as text.
#[must_use]
pub fn group_name(code: u16, numbers: Numbers) -> String {
    numbers.kem_by_group(code).map_or_else(|| format!("0x{code:04X}"), |row| row.name().to_owned())
}

/// Returns the registry's name of the algorithm whose signature scheme has this codepoint in `numbers`, or the
/// codepoint as text.
///
/// RSA schemes have their own names: the registry's RSA rows differ by key length, which a scheme does not determine.
#[must_use]
pub fn scheme_name(code: u16, numbers: Numbers) -> String {
    let rsa = RSA_SCHEMES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name);
    let name = rsa.or_else(|| numbers.signature_by_scheme(code).map(Row::name));
    name.map_or_else(|| format!("0x{code:04X}"), str::to_owned)
}

/// RSA signature schemes, RFC 8446 section 4.2.3.
const RSA_SCHEMES: [(u16, &str); 3] =
    [(0x0804, "rsa_pss_rsae_sha256"), (0x0805, "rsa_pss_rsae_sha384"), (0x0806, "rsa_pss_rsae_sha512")];

/// Returns the standard's name of a suite, such as `TLS_AES_256_GCM_SHA384`.
#[must_use]
pub fn suite_name(suite: CipherSuite) -> String {
    format!("{suite:?}").replacen("TLS13_", "TLS_", 1)
}

/// Returns the standard's name of a version, such as `TLSv1.3`.
#[must_use]
pub fn version_name(version: ProtocolVersion) -> String {
    format!("{version:?}").replacen("TLSv1_", "TLSv1.", 1)
}

/// Returns the suite with this name, the standard's or wolfSSL's, such as `TLS13-AES256-GCM-SHA384`. Case does not
/// matter.
#[must_use]
pub fn suite_by_name(name: &str) -> Option<SupportedCipherSuite> {
    let name = name.trim();
    let has_name = |suite: CipherSuite| {
        let own = suite_name(suite);
        own.eq_ignore_ascii_case(name) || wolfssl_suite_name(&own).eq_ignore_ascii_case(name)
    };
    SUITES.iter().copied().find(|suite| has_name(suite.suite()))
}

/// Converts the standard's name of a TLS 1.3 suite to wolfSSL's: `TLS_AES_256_GCM_SHA384` becomes
/// `TLS13-AES256-GCM-SHA384`.
#[must_use]
pub fn wolfssl_suite_name(standard: &str) -> String {
    standard.replacen("TLS_", "TLS13_", 1).replace("AES_", "AES").replace('_', "-")
}

/// Returns the standard's name of a handshake message, such as `ClientHello`, or its number.
#[must_use]
pub fn message_name(code: u8) -> String {
    match code {
        1 => "ClientHello",
        2 => "ServerHello",
        4 => "NewSessionTicket",
        5 => "EndOfEarlyData",
        8 => "EncryptedExtensions",
        11 => "Certificate",
        13 => "CertificateRequest",
        15 => "CertificateVerify",
        20 => "Finished",
        24 => "KeyUpdate",
        25 => "CompressedCertificate",
        _ => return format!("message {code}"),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_have_the_standards_names() {
        assert_eq!(suite_name(SUITES[0].suite()), "TLS_AES_256_GCM_SHA384");
        assert_eq!(version_name(ProtocolVersion::TLSv1_3), "TLSv1.3");
        assert_eq!(suite_by_name("tls_chacha20_poly1305_sha256"), Some(SUITES[2]));
        assert_eq!(suite_by_name("TLS13-AES128-GCM-SHA256"), Some(SUITES[1]));
        assert_eq!(suite_by_name("TLS13-CHACHA20-POLY1305-SHA256"), Some(SUITES[2]));
        assert!(suite_by_name("TLS_RSA_WITH_NULL_MD5").is_none());
    }

    #[test]
    fn schemes_have_algorithm_names_except_for_rsa() {
        let name = |code| scheme_name(code, Numbers::default());
        assert_eq!(name(0x0905), "ML-DSA-65");
        assert_eq!(name(0x0804), "rsa_pss_rsae_sha256");
        assert_eq!(name(0x0806), "rsa_pss_rsae_sha512");
    }

    #[test]
    fn unknown_codepoints_are_shown_as_numbers() {
        assert_eq!(group_name(0x6A6A, Numbers::default()), "0x6A6A");
        assert_eq!(scheme_name(0xFFFF, Numbers::default()), "0xFFFF");
        assert_eq!(message_name(99), "message 99");
    }
}
