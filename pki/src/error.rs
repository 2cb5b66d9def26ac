//! What can be wrong with keys and certificates: one line that says what, where, and what to do.

use crate::algorithm::named;
use crate::moment;
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt;
use core::time::Duration;
use grille_registry::{Numbers, Profile, kem_by_name, signature_by_name};

/// Why a key or a certificate was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text between the PEM boundaries, or a boundary itself, is damaged.
    Pem {
        /// What should have been there, such as `PRIVATE KEY`; empty if anything might.
        label: String,
        /// What is wrong.
        reason: String,
    },
    /// There is neither PEM nor DER.
    NeitherPemNorDer {
        /// What should have been there, such as `PRIVATE KEY`; empty if anything might.
        label: String,
        /// What is there instead, and what to do.
        found: &'static str,
    },
    /// The PEM is of something else.
    Label {
        /// What should have been there; empty if anything might that is DER inside.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The DER is of something else.
    OtherDocument {
        /// What should have been there, such as `private key`.
        expected: &'static str,
        /// What is there, with its article.
        found: &'static str,
    },
    /// A passphrase protects what is in the file, and none was given.
    Encrypted {
        /// What is protected, such as `private key`.
        element: &'static str,
    },
    /// A passphrase is not the right one.
    Passphrase {
        /// What it does not open, such as `private key`.
        element: &'static str,
    },
    /// The protection is of a kind that is not read here.
    Cipher {
        /// What is protected, such as `private key`.
        element: &'static str,
        /// Names and object identifiers of the algorithms.
        algorithm: String,
    },
    /// The DER of an element cannot be parsed or written.
    Der {
        /// Which element, such as `certificate`.
        element: &'static str,
        /// Where in it, and why.
        source: der::Error,
    },
    /// An element is well-formed but not what the standard says.
    Malformed {
        /// Which element.
        element: &'static str,
        /// What is wrong, as the end of the sentence "the … ".
        reason: &'static str,
    },
    /// A certificate has one extension twice.
    DuplicateExtension {
        /// Which one, in dotted form.
        oid: String,
    },
    /// No row of the registry has this algorithm identifier.
    UnknownAlgorithm {
        /// Where it stands.
        element: &'static str,
        /// In dotted form.
        oid: String,
    },
    /// A key for signatures where one of a KEM is wanted, or the other way round.
    OtherUse {
        /// Where it stands.
        element: &'static str,
        /// The algorithm.
        algorithm: &'static str,
        /// What its keys are for.
        serves: &'static str,
    },
    /// The algorithm refused the key.
    Key {
        /// The algorithm.
        algorithm: &'static str,
        /// Its reason.
        source: grille_core::Error,
    },
    /// The key cannot be written in this form.
    Form {
        /// The algorithm.
        algorithm: &'static str,
        /// Why not, and what to do.
        reason: &'static str,
    },
    /// The algorithm has no object identifier, so no standard container can hold its keys.
    NoOid {
        /// The algorithm.
        algorithm: &'static str,
        /// In which era, as ` in the profile …`; empty for the registry's own numbers.
        era: String,
    },
    /// A name, a time or another value to be certified cannot be written.
    Value {
        /// What it is for, such as `subject`.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The private key belongs to another certificate.
    OtherKey {
        /// The certificate's subject.
        subject: String,
    },
    /// The signature on a certificate or a request was not made with the key that should have made it.
    Signature {
        /// Whose signature, such as `the request of CN=a`.
        whose: String,
    },
    /// A revocation list cannot be used.
    Crl {
        /// Its issuer.
        issuer: String,
        /// Why not, as the end of the sentence "the revocation list of … ".
        reason: String,
    },
    /// The key is of a size that no row of its algorithm has.
    Size {
        /// Where it stands.
        element: &'static str,
        /// Bits of its modulus.
        bits: usize,
        /// The rows that there are.
        known: Vec<&'static str>,
    },
    /// A chain ends in none of the roots given.
    NoRoot {
        /// The subject of the last certificate that is there.
        certificate: String,
        /// Whose certificate is missing; nothing if that one is signed with its own key.
        issuer: Option<String>,
    },
    /// A certificate was not signed with the key of its issuer.
    OtherIssuer {
        /// The subject of the first certificate of its chain.
        certificate: String,
        /// The trusted root that has the issuer's name, where it is certain that it has another key.
        namesake: Option<String>,
    },
    /// A certificate of a chain is no longer valid.
    Expired {
        /// Its subject.
        certificate: String,
        /// When it ended, since 1970.
        ended: Duration,
    },
    /// A certificate of a chain is not valid yet.
    NotYetValid {
        /// Its subject.
        certificate: String,
        /// When it begins, since 1970.
        begins: Duration,
    },
    /// A revocation list says that a certificate of a chain was revoked.
    Revoked {
        /// Its subject.
        certificate: String,
        /// When it was revoked, since 1970.
        date: Duration,
        /// The name of RFC 5280 section 5.3.1 for the reason, if the list gives one.
        reason: Option<&'static str>,
    },
    /// No revocation list says whether a certificate of a chain was revoked: the list is missing, outdated or not its issuer's.
    RevocationUnknown {
        /// Its subject.
        certificate: String,
        /// Which list is needed, or why the one given cannot be used.
        reason: String,
    },
    /// A chain cannot be trusted for another reason.
    Chain {
        /// The subject of the certificate at fault.
        certificate: String,
        /// What is wrong with it and what to do.
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
            Self::NeitherPemNorDer { label, found } => f.write_str(&neither(label, found)),
            Self::Label { expected, found } => f.write_str(&other_label(expected, found)),
            Self::OtherDocument { expected, found } => {
                write!(f, "this is {found} where a {expected} is wanted{}", other_document(expected, found))
            }
            Self::Encrypted { element } => {
                write!(f, "the {element} is encrypted, and opens with its passphrase")
            }
            Self::Passphrase { element } => write!(f, "the passphrase does not open the {element}"),
            Self::Cipher { element, algorithm } => write!(
                f,
                "the {element} is encrypted with {algorithm}, which is not read here; {}",
                otherwise_encrypted(element)
            ),
            Self::Der { element, source } => f.write_str(&not_der(element, source)),
            Self::Malformed { element, reason } => write!(f, "the {element} {reason}"),
            Self::DuplicateExtension { oid } => {
                write!(f, "the certificate has the extension {} {TWICE}", dotted(oid))
            }
            Self::UnknownAlgorithm { element, oid } => {
                let (name, instead) = (dotted(oid), instead(oid));
                write!(f, "the {element} names algorithm {name}, which is not known here{instead}")
            }
            Self::OtherUse { element, algorithm, serves } => {
                write!(f, "the {element} is of {algorithm}, which is for {serves}")
            }
            Self::Key { algorithm, source } => write!(f, "{algorithm}: {source}"),
            Self::Form { algorithm, reason } => write!(f, "{algorithm}: {reason}"),
            Self::NoOid { algorithm, era } => write!(
                f,
                "{algorithm} has no object identifier{era}, so PEM and DER cannot hold its keys; {}",
                without_oid(algorithm)
            ),
            Self::Value { what, reason } => write!(f, "{what}: {reason}"),
            Self::OtherKey { subject } => {
                write!(f, "the private key belongs to another certificate than that of {subject}")
            }
            Self::Signature { whose } => {
                write!(f, "the signature on {whose} is wrong: it was altered, or signed with another key")
            }
            Self::Crl { issuer, reason } => write!(f, "the revocation list of {issuer} {reason}"),
            Self::Size { element, bits, known } => {
                write!(f, "the {element} has {bits} bits, and is none of {}", known.join(", "))
            }
            Self::NoRoot { certificate, issuer } => {
                write!(f, "the certificate of {certificate} {}", without_root(issuer.as_deref()))
            }
            Self::OtherIssuer { certificate, namesake } => {
                write!(f, "the certificate of {certificate} {}", other_issuer(namesake.as_deref()))
            }
            Self::Expired { .. } | Self::NotYetValid { .. } | Self::Revoked { .. } => self.validity(f),
            Self::Chain { certificate, reason } | Self::RevocationUnknown { certificate, reason } => {
                write!(f, "the certificate of {certificate} {reason}")
            }
        }
    }
}

fn other_issuer(namesake: Option<&str>) -> String {
    match namesake {
        None => OTHER_ISSUER.to_owned(),
        Some(root) => format!(
            "was issued by another {root} than the root of that name which is trusted here: they have different keys"
        ),
    }
}

/// Of an extension.
const TWICE: &str = "twice, which RFC 5280 section 4.2 forbids; its issuer can issue it anew with one";

fn damaged_pem(label: &str, reason: &str) -> String {
    match label {
        "" => format!("the PEM is damaged: {reason}"),
        label => format!("the {label} PEM is damaged: {reason}"),
    }
}

fn neither(label: &str, found: &str) -> String {
    match label {
        "" => format!("this is neither PEM nor DER: {found}"),
        label => format!("this is neither PEM nor DER of \"{label}\": {found}"),
    }
}

fn other_label(expected: &str, found: &str) -> String {
    let advice = advice(expected, found);
    match expected {
        "" => format!("this is PEM of \"{found}\", which is no DER inside{advice}"),
        expected => format!("this is PEM of \"{found}\" where \"{expected}\" is wanted{advice}"),
    }
}

fn not_der(element: &str, source: &der::Error) -> String {
    let is_cut = matches!(source.kind(), der::ErrorKind::Incomplete { .. });
    let cut = if is_cut { "; is the file cut off?" } else { "" };
    format!("the {element} is not valid DER: {source}{cut}")
}

/// What to do about algorithms that people meet and that are not read here.
fn instead(oid: &str) -> &'static str {
    match oid {
        "1.2.840.113549.1.1.10" => {
            "; it lets an RSA key sign with PSS only, and `openssl rsa -in FILE -traditional -out NEW` writes the key without \
             that restriction"
        }
        // brainpool, secp256k1, and the curves of X9.62 but P-256
        curve
            if ["1.3.36.3.3.2.", "1.3.132.0.", "1.2.840.10045.3."]
                .iter()
                .any(|arc| curve.starts_with(arc)) =>
        {
            "; of the curves P-256, P-384 and P-521 are"
        }
        _ => "",
    }
}

/// An object identifier with its name, if it has one.
fn dotted(oid: &str) -> String {
    const_oid::ObjectIdentifier::new(oid).map_or_else(|_| oid.to_owned(), |oid| named(&oid))
}

impl Error {
    /// Writes when a certificate is valid, or when it was revoked.
    fn validity(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired { certificate, ended } => {
                write!(
                    f,
                    "the certificate of {certificate} expired on {}; it must be renewed",
                    moment(*ended)
                )
            }
            Self::NotYetValid { certificate, begins } => {
                write!(
                    f,
                    "the certificate of {certificate} is not valid before {}; check the clock",
                    moment(*begins)
                )
            }
            Self::Revoked { certificate, date, reason } => {
                write!(f, "the certificate of {certificate} was revoked on {}", moment(*date))?;
                reason.map_or(Ok(()), |reason| write!(f, " ({reason})"))
            }
            _ => Ok(()),
        }
    }
}

/// What to do where an algorithm has no object identifier.
fn without_oid(algorithm: &str) -> String {
    let kem = kem_by_name(algorithm).ok();
    let signature = signature_by_name(algorithm).ok();
    let has_one = |numbers: Numbers| {
        kem.and_then(|row| numbers.kem_oid(row)).or(signature.and_then(|row| numbers.signature_oid(row)))
    };
    match Profile::ALL.iter().find(|profile| has_one(Numbers::of(**profile)).is_some()) {
        Some(profile) => format!("use raw files, or the profile {}, in which it has one", profile.name()),
        None => "use raw files: no profile has one for it".to_owned(),
    }
}

/// Of a certificate that its issuer's key did not sign.
const OTHER_ISSUER: &str = "was altered, or its issuer's key is another one";

/// Of a certificate that none of the roots issued, but this one; nothing if it is signed with its own key.
fn without_root(issuer: Option<&str>) -> String {
    match issuer {
        None => "is signed with its own key, and is none of the roots given".to_owned(),
        Some(issuer) => format!("was issued by none of the roots given, but by {issuer}"),
    }
}

/// What to do about files that are often mistaken for others.
fn advice(expected: &str, found: &str) -> &'static str {
    match (expected, found) {
        (_, crate::pem::OPENSSH) => {
            ", OpenSSH's own format; of RSA and ECDSA keys `ssh-keygen -p -m PKCS8 -f COPY` converts a copy"
        }
        ("PRIVATE KEY", "EC PARAMETERS") => ", which stand before a key; is the file cut off?",
        (_, "PKCS7" | "CMS") => "; `openssl pkcs7 -print_certs -in FILE` prints the certificates in it",
        ("PUBLIC KEY", found) if found.ends_with("PRIVATE KEY") => "; give the public key",
        ("PRIVATE KEY", found) if found.ends_with("PUBLIC KEY") => "; give the private key",
        _ => "",
    }
}

/// What to do about DER that is something else.
fn other_document(expected: &str, found: &str) -> &'static str {
    match (expected, found) {
        (_, "a message of CMS (PKCS#7)") => {
            "; `openssl pkcs7 -inform DER -print_certs -in FILE` prints the certificates in it"
        }
        ("public key", found) if found.contains("private key") => "; give the public key",
        ("private key", found) if found.contains("public key") => "; give the private key",
        _ => "",
    }
}

/// How protection that is not read here becomes one that is.
fn otherwise_encrypted(element: &str) -> &'static str {
    if element == crate::PKCS12 {
        "`openssl pkcs12 -legacy -in FILE -nodes -out NEW.pem` writes its contents without encryption"
    } else {
        "`openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE -out NEW` encrypts it in a way that is"
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
