//! Errors for keys and certificates. Each message is one line that states the problem, its place and a remedy.

use crate::format_time;
use crate::oid_name::oid_with_name;
use crate::pem_label::OPENSSH;
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt;
use core::time::Duration;
use grille_registry::{Numbers, Profile, kem_by_name, signature_by_name};

/// Reason why a key or a certificate was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text between the PEM boundaries, or a boundary itself, is damaged.
    Pem {
        /// Expected label, such as `PRIVATE KEY`; empty if any label is accepted.
        label: String,
        /// Description of the damage.
        reason: String,
    },
    /// The input is neither PEM nor DER.
    NeitherPemNorDer {
        /// Expected label, such as `PRIVATE KEY`; empty if any label is accepted.
        label: String,
        /// Description of the input, with a remedy.
        found: &'static str,
    },
    /// The PEM block has a different label than expected.
    Label {
        /// Expected label; empty if any label with DER content is accepted.
        expected: &'static str,
        /// Label that was found.
        found: String,
    },
    /// The DER is a different kind of document than expected.
    OtherDocument {
        /// Expected kind of document, such as `private key`.
        expected: &'static str,
        /// Kind of document that was found, with an indefinite article, such as `a certificate`.
        found: &'static str,
    },
    /// The input is encrypted and no passphrase was given.
    Encrypted {
        /// Encrypted element, such as `private key`.
        element: &'static str,
    },
    /// The passphrase is wrong.
    Passphrase {
        /// Encrypted element, such as `private key`.
        element: &'static str,
    },
    /// The encryption scheme is not supported.
    Cipher {
        /// Encrypted element, such as `private key`.
        element: &'static str,
        /// Names and object identifiers of the algorithms.
        algorithm: String,
    },
    /// The DER of an element cannot be parsed or written.
    Der {
        /// Name of the element, such as `certificate`.
        element: &'static str,
        /// Position and cause of the error.
        source: der::Error,
    },
    /// An element is well-formed DER but violates its standard.
    Malformed {
        /// Name of the element.
        element: &'static str,
        /// Description of the violation, as the end of the sentence "the … ".
        reason: &'static str,
    },
    /// A certificate contains the same extension twice.
    DuplicateExtension {
        /// Object identifier of the extension, in dotted form.
        oid: String,
    },
    /// No row of the registry has this algorithm identifier.
    UnknownAlgorithm {
        /// Element that contains the identifier.
        element: &'static str,
        /// Object identifier, in dotted form.
        oid: String,
    },
    /// A signature key was found where a KEM key is expected, or vice versa.
    OtherUse {
        /// Element that contains the key.
        element: &'static str,
        /// Algorithm of the key.
        algorithm: &'static str,
        /// Use of the algorithm's keys, such as `key encapsulation, not for signatures`.
        purpose: &'static str,
    },
    /// The algorithm rejected the key.
    Key {
        /// Algorithm of the key.
        algorithm: &'static str,
        /// Reason that the algorithm gave.
        source: grille_core::Error,
    },
    /// The private key cannot be written in the requested form.
    Form {
        /// Algorithm of the key.
        algorithm: &'static str,
        /// Reason, with a remedy.
        reason: &'static str,
    },
    /// The algorithm has no object identifier, so standard containers cannot hold its keys.
    NoOid {
        /// Algorithm without an identifier.
        algorithm: &'static str,
        /// The era as a part of the message, ` in the profile …`; empty for the registry's own numbers.
        era: String,
    },
    /// A name, a time or another value for a certificate is invalid.
    Value {
        /// Field of the value, such as `subject`.
        element: &'static str,
        /// Description of the problem.
        reason: String,
    },
    /// The private key does not belong to the certificate.
    OtherKey {
        /// Subject of the certificate.
        subject: String,
    },
    /// A signature on a certificate or a request does not verify with the expected key.
    Signature {
        /// Signed object, such as `the request of CN=a`.
        signed: String,
    },
    /// A revocation list cannot be used.
    Crl {
        /// Issuer of the list.
        issuer: String,
        /// Reason, as the end of the sentence "the revocation list of … ".
        reason: String,
    },
    /// The key has a size that no registered parameter set of its algorithm has.
    UnsupportedKeySize {
        /// Element that contains the key.
        element: &'static str,
        /// Length of the RSA modulus in bits.
        bits: usize,
        /// Names of the supported algorithms.
        known: Vec<&'static str>,
    },
    /// The chain does not end in a trusted root.
    NoRoot {
        /// Subject of the last certificate of the chain.
        certificate: String,
        /// Name of the missing issuer; `None` if the last certificate is self-signed.
        issuer: Option<String>,
    },
    /// A certificate's signature does not verify with the key of its issuer.
    OtherIssuer {
        /// Subject of the certificate.
        certificate: String,
        /// Name of the trusted root that has the issuer's name, if the root's key certainly differs from the issuer's
        /// key.
        root_name: Option<String>,
    },
    /// A certificate of the chain has expired.
    Expired {
        /// Subject of the certificate.
        certificate: String,
        /// End of its validity period, as a duration since the Unix epoch.
        ended: Duration,
    },
    /// A certificate of the chain is not valid yet.
    NotYetValid {
        /// Subject of the certificate.
        certificate: String,
        /// Start of its validity period, as a duration since the Unix epoch.
        begins: Duration,
    },
    /// A certificate of the chain has been revoked by a revocation list.
    Revoked {
        /// Subject of the certificate.
        certificate: String,
        /// Time of revocation, as a duration since the Unix epoch.
        date: Duration,
        /// Name of the reason in RFC 5280 section 5.3.1, if the list gives a reason.
        reason: Option<&'static str>,
    },
    /// The revocation status of a certificate of the chain is unknown: the list is missing, outdated or not signed by
    /// the issuer.
    RevocationUnknown {
        /// Subject of the certificate.
        certificate: String,
        /// Description of the missing list, or reason why the given list cannot be used.
        reason: String,
    },
    /// The chain is not trusted for another reason.
    Chain {
        /// Subject of the certificate at fault.
        certificate: String,
        /// Description of the problem, with a remedy.
        reason: String,
    },
}

impl Error {
    pub(crate) fn der(element: &'static str) -> impl FnOnce(der::Error) -> Self {
        move |source| Self::Der { element, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pem { label, reason } => f.write_str(&damaged_pem(label, reason)),
            Self::NeitherPemNorDer { label, found } => f.write_str(&neither_pem_nor_der(label, found)),
            Self::Label { expected, found } => f.write_str(&other_label(expected, found)),
            Self::OtherDocument { expected, found } => {
                write!(f, "expected a {expected}, but this is {found}{}", document_advice(expected, found))
            }
            Self::Encrypted { element } => {
                write!(f, "the {element} is encrypted; its passphrase is required")
            }
            Self::Passphrase { element } => write!(f, "wrong passphrase for the {element}"),
            Self::Cipher { element, algorithm } => write!(
                f,
                "the {element} is encrypted with {algorithm}, which is not supported; {}",
                encryption_advice(element)
            ),
            Self::Der { element, source } => f.write_str(&not_der(element, source)),
            Self::Malformed { element, reason } => write!(f, "the {element} {reason}"),
            Self::DuplicateExtension { oid } => {
                write!(f, "the certificate has the extension {} {DUPLICATE_ADVICE}", format_oid(oid))
            }
            Self::UnknownAlgorithm { element, oid } => {
                let (name, instead) = (format_oid(oid), unsupported_advice(oid));
                write!(f, "the {element} has the unknown algorithm {name}{instead}")
            }
            Self::OtherUse { element, algorithm, purpose: serves } => {
                write!(f, "the {element} is for {algorithm}, which is used for {serves}")
            }
            Self::Key { algorithm, source } => write!(f, "{algorithm}: {source}"),
            Self::Form { algorithm, reason } => write!(f, "{algorithm}: {reason}"),
            Self::NoOid { algorithm, era } => f.write_str(&without_oid(algorithm, era)),
            Self::Value { element, reason } => write!(f, "{element}: {reason}"),
            Self::OtherKey { subject } => {
                write!(f, "the private key does not belong to the certificate of {subject}")
            }
            Self::Signature { signed } => {
                write!(f, "the signature on {signed} is wrong: it was altered, or signed with another key")
            }
            Self::Crl { issuer, reason } => write!(f, "the revocation list of {issuer} {reason}"),
            Self::UnsupportedKeySize { element, bits, known } => {
                write!(f, "the {element} has {bits} bits; supported: {}", known.join(", "))
            }
            Self::NoRoot { certificate, issuer } => {
                write!(f, "the certificate of {certificate} {}", without_root(issuer.as_deref()))
            }
            Self::OtherIssuer { certificate, root_name: namesake } => {
                write!(f, "the certificate of {certificate} {}", other_issuer(namesake.as_deref()))
            }
            Self::Expired { .. } | Self::NotYetValid { .. } | Self::Revoked { .. } => {
                self.write_validity_error(f)
            }
            Self::Chain { certificate, reason } | Self::RevocationUnknown { certificate, reason } => {
                write!(f, "the certificate of {certificate} {reason}")
            }
        }
    }
}

fn without_oid(algorithm: &str, era: &str) -> String {
    let advice = missing_oid_advice(algorithm);
    format!("{algorithm} has no object identifier{era}, so PEM and DER cannot hold its keys; {advice}")
}

fn other_issuer(namesake: Option<&str>) -> String {
    match namesake {
        None => OTHER_ISSUER.to_owned(),
        Some(root) => format!("was issued by {root}, but not with the key of the trusted root of that name"),
    }
}

/// End of the message about a duplicate extension.
const DUPLICATE_ADVICE: &str =
    "twice, which RFC 5280 section 4.2 forbids; ask its issuer for a certificate without the duplicate";

fn damaged_pem(label: &str, reason: &str) -> String {
    match label {
        "" => format!("the PEM is damaged: {reason}"),
        label => format!("the {label} PEM is damaged: {reason}"),
    }
}

fn neither_pem_nor_der(label: &str, found: &str) -> String {
    match label {
        "" => format!("this is neither PEM nor DER: {found}"),
        label => format!("expected PEM or DER of \"{label}\", but this is neither: {found}"),
    }
}

fn other_label(expected: &str, found: &str) -> String {
    let advice = label_advice(expected, found);
    match expected {
        "" => format!("this is PEM of \"{found}\", which does not contain DER{advice}"),
        expected => format!("expected PEM of \"{expected}\", but this is PEM of \"{found}\"{advice}"),
    }
}

fn not_der(element: &str, source: &der::Error) -> String {
    let is_cut = matches!(source.kind(), der::ErrorKind::Incomplete { .. });
    let cut = if is_cut { "; is the file truncated?" } else { "" };
    format!("the {element} is not valid DER: {source}{cut}")
}

/// Returns advice for common algorithms that are not supported.
fn unsupported_advice(oid: &str) -> &'static str {
    match oid {
        "1.2.840.113549.1.1.10" => {
            "; it restricts an RSA key to PSS signatures: `openssl rsa -in FILE -traditional -out NEW` writes the key without \
             that restriction"
        }
        // brainpool, secp256k1, and the X9.62 curves other than P-256
        curve
            if ["1.3.36.3.3.2.", "1.3.132.0.", "1.2.840.10045.3."]
                .iter()
                .any(|arc| curve.starts_with(arc)) =>
        {
            "; the supported curves are P-256, P-384 and P-521"
        }
        _ => "",
    }
}

/// Returns an object identifier in dotted form, with its name if it has one.
fn format_oid(oid: &str) -> String {
    const_oid::ObjectIdentifier::new(oid).map_or_else(|_| oid.to_owned(), |oid| oid_with_name(&oid))
}

impl Error {
    /// Writes the message about a certificate that has expired, is not valid yet, or was revoked.
    fn write_validity_error(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired { certificate, ended } => {
                write!(f, "the certificate of {certificate} expired on {}; renew it", format_time(*ended))
            }
            Self::NotYetValid { certificate, begins } => {
                write!(
                    f,
                    "the certificate of {certificate} is not valid before {}; check the clock",
                    format_time(*begins)
                )
            }
            Self::Revoked { certificate, date, reason } => {
                write!(f, "the certificate of {certificate} was revoked on {}", format_time(*date))?;
                reason.map_or(Ok(()), |reason| write!(f, " ({reason})"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns advice for an algorithm without an object identifier.
fn missing_oid_advice(algorithm: &str) -> String {
    let kem = kem_by_name(algorithm).ok();
    let signature = signature_by_name(algorithm).ok();
    let has_one = |numbers: Numbers| {
        kem.and_then(|row| numbers.kem_oid(row)).or(signature.and_then(|row| numbers.signature_oid(row)))
    };
    match Profile::ALL.iter().find(|profile| has_one(Numbers::for_profile(**profile)).is_some()) {
        Some(profile) => format!("use raw files, or the profile {}, which assigns one", profile.name()),
        None => "use raw files: no profile assigns one".to_owned(),
    }
}

/// Reason for a certificate whose signature does not verify with its issuer's key.
const OTHER_ISSUER: &str = "was altered, or was signed with a key other than its issuer's";

/// Describes an untrusted chain. `issuer` is `None` if the certificate is self-signed.
fn without_root(issuer: Option<&str>) -> String {
    match issuer {
        None => "is self-signed and is not one of the given roots".to_owned(),
        Some(issuer) => format!("was issued by {issuer}, which is not one of the given roots"),
    }
}

/// Returns advice for PEM files that are often confused with others.
fn label_advice(expected: &str, found: &str) -> &'static str {
    match (expected, found) {
        (_, OPENSSH) => {
            ", OpenSSH's own format; for RSA and ECDSA keys, convert a copy with `ssh-keygen -p -m PKCS8 -f COPY`"
        }
        ("PRIVATE KEY", "EC PARAMETERS") => ", which precede a key; is the file truncated?",
        (_, "PKCS7" | "CMS") => "; extract its certificates with `openssl pkcs7 -print_certs -in FILE`",
        ("PUBLIC KEY", found) if found.ends_with("PRIVATE KEY") => "; give the public key",
        ("PRIVATE KEY", found) if found.ends_with("PUBLIC KEY") => "; give the private key",
        _ => "",
    }
}

/// Returns advice for DER files that are often confused with others.
fn document_advice(expected: &str, found: &str) -> &'static str {
    match (expected, found) {
        (_, "a CMS message (PKCS#7)") => {
            "; extract its certificates with `openssl pkcs7 -inform DER -print_certs -in FILE`"
        }
        ("public key", found) if found.contains("private key") => "; give the public key",
        ("private key", found) if found.contains("public key") => "; give the private key",
        _ => "",
    }
}

/// Returns advice for unsupported encryption.
fn encryption_advice(element: &str) -> &'static str {
    if element == crate::PKCS12 {
        "write its contents without encryption with `openssl pkcs12 -legacy -in FILE -nodes -out NEW.pem`"
    } else {
        "encrypt it with a supported scheme: `openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE -out NEW`"
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Der { source, .. } => Some(source),
            Self::Key { source, .. } => Some(source),
            _ => None,
        }
    }
}
