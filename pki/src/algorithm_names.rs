//! Names of algorithms by object identifier, including algorithms that are not supported here.

use crate::asn1::elements;
use alloc::{borrow::ToOwned, format, string::String, string::ToString};
use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode, Encode};
use spki::AlgorithmIdentifierOwned;

/// Returns the name of a signature algorithm as its standard spells it, or `None` if the tables of this module lack the
/// algorithm.
pub(crate) fn signature(identifier: &AlgorithmIdentifierOwned) -> Option<String> {
    let oid = identifier.oid.to_string();
    if oid == RSASSA_PSS {
        return Some(format!("RSASSA-PSS with {}", pss_hash(identifier).unwrap_or("an unknown hash")));
    }
    find(SIGNATURES, &oid).map(str::to_owned)
}

/// Returns the name of a public key's algorithm, or the curve's name for elliptic curves. Returns `None` if the tables
/// of this module lack the name.
pub(crate) fn key(identifier: &AlgorithmIdentifierOwned) -> Option<&'static str> {
    let oid = identifier.oid.to_string();
    if oid != EC_PUBLIC_KEY {
        return find(KEYS, &oid);
    }
    let curve = identifier.parameters.as_ref().and_then(|curve| curve.decode_as::<ObjectIdentifier>().ok());
    match curve {
        Some(curve) => find(CURVES, &curve.to_string()),
        None => Some("EC with explicit parameters"),
    }
}

fn find(table: &[(&'static str, &'static str)], oid: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == oid).map(|(_, name)| *name)
}

/// Returns the name of the hash in RSASSA-PSS-params, RFC 4055 section 3.1: that in element `[0]`, or SHA-1 if there is
/// no such element. Returns `None` if the hash is unknown.
fn pss_hash(identifier: &AlgorithmIdentifierOwned) -> Option<&'static str> {
    let parameters = identifier.parameters.as_ref()?.to_der().ok()?;
    let parameters = AnyRef::from_der(&parameters).ok()?;
    let fields = elements("parameters", parameters.value()).ok()?;
    let Some(hash) = fields.iter().find(|field| field.header().tag().number().value() == 0) else {
        return Some("SHA-1");
    };
    let hash = AlgorithmIdentifierOwned::from_der(hash.value()).ok()?;
    find(HASHES, &hash.oid.to_string())
}

const RSASSA_PSS: &str = "1.2.840.113549.1.1.10";
const EC_PUBLIC_KEY: &str = "1.2.840.10045.2.1";

#[rustfmt::skip]
const SIGNATURES: &[(&str, &str)] = &[
    ("1.2.840.10045.4.1",         "ecdsa-with-SHA1"),
    ("1.2.840.10045.4.3.1",       "ecdsa-with-SHA224"),
    ("1.2.840.10045.4.3.2",       "ecdsa-with-SHA256"),
    ("1.2.840.10045.4.3.3",       "ecdsa-with-SHA384"),
    ("1.2.840.10045.4.3.4",       "ecdsa-with-SHA512"),
    ("2.16.840.1.101.3.4.3.9",    "ecdsa-with-SHA3-224"),
    ("2.16.840.1.101.3.4.3.10",   "ecdsa-with-SHA3-256"),
    ("2.16.840.1.101.3.4.3.11",   "ecdsa-with-SHA3-384"),
    ("2.16.840.1.101.3.4.3.12",   "ecdsa-with-SHA3-512"),
    ("1.3.6.1.5.5.7.6.32",        "ecdsa-with-SHAKE128"),
    ("1.3.6.1.5.5.7.6.33",        "ecdsa-with-SHAKE256"),
    ("1.2.840.113549.1.1.2",      "md2WithRSAEncryption"),
    ("1.2.840.113549.1.1.4",      "md5WithRSAEncryption"),
    ("1.2.840.113549.1.1.5",      "sha1WithRSAEncryption"),
    ("1.3.14.3.2.29",             "sha1WithRSAEncryption"),
    ("1.2.840.113549.1.1.14",     "sha224WithRSAEncryption"),
    ("1.2.840.113549.1.1.11",     "sha256WithRSAEncryption"),
    ("1.2.840.113549.1.1.12",     "sha384WithRSAEncryption"),
    ("1.2.840.113549.1.1.13",     "sha512WithRSAEncryption"),
    ("2.16.840.1.101.3.4.3.13",   "rsassa-pkcs1-v1-5-with-sha3-224"),
    ("2.16.840.1.101.3.4.3.14",   "rsassa-pkcs1-v1-5-with-sha3-256"),
    ("2.16.840.1.101.3.4.3.15",   "rsassa-pkcs1-v1-5-with-sha3-384"),
    ("2.16.840.1.101.3.4.3.16",   "rsassa-pkcs1-v1-5-with-sha3-512"),
    ("1.3.6.1.5.5.7.6.30",        "RSASSA-PSS with SHAKE128"),
    ("1.3.6.1.5.5.7.6.31",        "RSASSA-PSS with SHAKE256"),
    ("1.2.840.10040.4.3",         "dsa-with-sha1"),
    ("2.16.840.1.101.3.4.3.1",    "dsa-with-sha224"),
    ("2.16.840.1.101.3.4.3.2",    "dsa-with-sha256"),
    ("1.2.156.10197.1.501",       "SM2-with-SM3"),
    ("1.2.840.113549.1.9.16.3.17", "HSS/LMS"),
    ("1.3.6.1.5.5.7.6.34",        "XMSS"),
    ("1.3.6.1.5.5.7.6.35",        "XMSSMT"),
];

#[rustfmt::skip]
const HASHES: &[(&str, &str)] = &[
    ("1.3.14.3.2.26",           "SHA-1"),
    ("2.16.840.1.101.3.4.2.4",  "SHA-224"),
    ("2.16.840.1.101.3.4.2.1",  "SHA-256"),
    ("2.16.840.1.101.3.4.2.2",  "SHA-384"),
    ("2.16.840.1.101.3.4.2.3",  "SHA-512"),
    ("2.16.840.1.101.3.4.2.8",  "SHA3-256"),
    ("2.16.840.1.101.3.4.2.9",  "SHA3-384"),
    ("2.16.840.1.101.3.4.2.10", "SHA3-512"),
];

#[rustfmt::skip]
const KEYS: &[(&str, &str)] = &[
    ("1.2.840.113549.1.1.1",       "RSA"),
    (RSASSA_PSS,                   "RSASSA-PSS"),
    ("1.2.840.10040.4.1",          "DSA"),
    ("1.2.840.10046.2.1",          "DH"),
    ("1.3.101.110",                "X25519"),
    ("1.3.101.111",                "X448"),
    ("1.3.101.112",                "Ed25519"),
    ("1.3.101.113",                "Ed448"),
    ("1.2.840.113549.1.9.16.3.17", "HSS/LMS"),
    ("1.3.6.1.5.5.7.6.34",         "XMSS"),
    ("1.3.6.1.5.5.7.6.35",         "XMSSMT"),
];

#[rustfmt::skip]
const CURVES: &[(&str, &str)] = &[
    ("1.2.840.10045.3.1.1",    "P-192"),
    ("1.3.132.0.33",           "P-224"),
    ("1.2.840.10045.3.1.7",    "P-256"),
    ("1.3.132.0.34",           "P-384"),
    ("1.3.132.0.35",           "P-521"),
    ("1.3.132.0.10",           "secp256k1"),
    ("1.3.36.3.3.2.8.1.1.1",   "brainpoolP160r1"),
    ("1.3.36.3.3.2.8.1.1.3",   "brainpoolP192r1"),
    ("1.3.36.3.3.2.8.1.1.5",   "brainpoolP224r1"),
    ("1.3.36.3.3.2.8.1.1.7",   "brainpoolP256r1"),
    ("1.3.36.3.3.2.8.1.1.8",   "brainpoolP256t1"),
    ("1.3.36.3.3.2.8.1.1.9",   "brainpoolP320r1"),
    ("1.3.36.3.3.2.8.1.1.10",  "brainpoolP320t1"),
    ("1.3.36.3.3.2.8.1.1.11",  "brainpoolP384r1"),
    ("1.3.36.3.3.2.8.1.1.12",  "brainpoolP384t1"),
    ("1.3.36.3.3.2.8.1.1.13",  "brainpoolP512r1"),
    ("1.3.36.3.3.2.8.1.1.14",  "brainpoolP512t1"),
    ("1.2.156.10197.1.301",    "SM2"),
];
