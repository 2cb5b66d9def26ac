//! Row types of the algorithm table and the meaning of their columns.

use grille_core::{DynKem, DynSignature};

/// Standardisation status of an algorithm, best first. Only [`Status::Standard`] is offered unless a user asks for an
/// algorithm by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Published as a standard.
    Standard,
    /// A draft of a standard that is already deployed.
    Draft,
    /// A candidate that may become a standard.
    Candidate,
    /// Superseded or no longer a candidate; supported for compatibility with old peers and files.
    Retired,
    /// Broken by a known attack; for study only.
    Broken,
}

impl Status {
    /// Every status, in order: `ALL[status as usize]` is `status`.
    pub const ALL: [Self; 5] = [Self::Standard, Self::Draft, Self::Candidate, Self::Retired, Self::Broken];

    /// Returns the status as one lower-case word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Draft => "draft",
            Self::Candidate => "candidate",
            Self::Retired => "retired",
            Self::Broken => "broken",
        }
    }
}

/// Encoding of a signature algorithm's keys in SPKI and PKCS#8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyFormat {
    /// RFC 9881 and RFC 9935: the public key is raw; the private key is a CHOICE of the seed, the expanded key, or
    /// both.
    SeedOrExpanded,
    /// RFC 9909 and the IETF's composites: the public key and the private key are raw.
    Raw,
    /// OQS since 2021: the public key is raw; the private key is an OCTET STRING of private ‖ public. A composite
    /// concatenates the keys of all its parts.
    OqsConcatenated,
    /// A classical algorithm. `to_bytes` of the signing key is a complete PKCS#8 document, and the public key is the
    /// content of the SPKI's BIT STRING.
    Native {
        /// The SPKI's algorithm identifier.
        spki_oid: &'static str,
        /// The parameters in the SPKI's algorithm identifier, if they are the OID of a curve.
        curve_oid: Option<&'static str>,
        /// Whether the parameters in the SPKI's algorithm identifier are NULL, as for RSA.
        null_parameters: bool,
    },
}

/// Family of a signature algorithm, which determines the cost of its operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// ML-DSA and Dilithium: key generation, signing and verification each take a fraction of a millisecond.
    MlDsa,
    /// Falcon: generating a key takes milliseconds; signing is always randomised.
    Falcon,
    /// `f` parameter sets of SLH-DSA and SPHINCS+: signing takes milliseconds.
    HashFast,
    /// `s` parameter sets of SLH-DSA and SPHINCS+: signing takes tenths of a second.
    HashSmall,
    /// ECDSA and EdDSA.
    EllipticCurve,
    /// RSA: generating a key takes tenths of a second.
    Rsa,
}

impl Family {
    /// Returns whether security relies on hash functions alone.
    #[must_use]
    pub const fn is_hash_based(self) -> bool {
        matches!(self, Self::HashFast | Self::HashSmall)
    }
}

/// Columns that KEM rows and signature rows share.
pub trait Row: Sync + 'static {
    /// Returns the canonical name, spelled as in the standard.
    fn name(&self) -> &'static str;
    /// Returns the other names of this algorithm.
    fn aliases(&self) -> &'static [&'static str];
    /// Returns the object identifier in dotted form, or `None` if the algorithm has none.
    fn oid(&self) -> Option<&'static str>;
    /// Returns the TLS codepoint: a named group for a KEM, a signature scheme for a signature algorithm. Returns `None`
    /// if the algorithm has no codepoint.
    fn tls_code(&self) -> Option<u16>;
    /// Returns the document that defines the algorithm.
    fn spec(&self) -> &'static str;
    /// Returns NIST's security category, 1 to 5, or 0 for classical algorithms, which a quantum computer breaks.
    fn category(&self) -> u8;
    /// Returns the standardisation status.
    fn status(&self) -> Status;

    /// Returns a citation of the attack on the algorithm, or `None` if its status is not [`Status::Broken`]. All broken
    /// rows are SIKE or SIDH.
    fn attack(&self) -> Option<&'static str> {
        (self.status() == Status::Broken).then_some(CASTRYCK_DECRU)
    }
}

/// The attack that computes the secret keys of SIKE and SIDH.
const CASTRYCK_DECRU: &str = "W. Castryck and T. Decru, \"An efficient key recovery attack on SIDH\", EUROCRYPT 2023, \
                              https://eprint.iacr.org/2022/975";

/// A KEM, a hybrid of KEMs, or a classical key agreement used as a KEM.
pub struct KemRow {
    /// The implementation; its `info()` has the canonical name and the lengths.
    pub kem: &'static dyn DynKem,
    /// NIST's security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
    /// The document that defines the algorithm.
    pub spec: &'static str,
    /// Standardisation status.
    pub status: Status,
    /// The object identifier in dotted form; `None` if the KEM has none.
    pub oid: Option<&'static str>,
    /// The TLS named group; `None` if the KEM has none.
    pub tls_group: Option<u16>,
    /// The bit in SPDM 1.4's KEMAlg; `None` if the field has no bit for the KEM.
    pub spdm_bit: Option<u8>,
    /// Other names of the algorithm, as in wolfSSL, liboqs, OQS-OpenSSL and OpenSSL.
    pub aliases: &'static [&'static str],
}

/// A signature algorithm, or a composite of two.
#[derive(Clone, Copy)]
pub struct SignatureRow {
    /// The implementation; its `info()` has the canonical name and the lengths.
    pub signature: &'static dyn DynSignature,
    /// Family of the algorithm; for a composite, family of the post-quantum part.
    pub family: Family,
    /// Family of a composite's classical part; `None` if the algorithm is not a composite.
    pub classical_family: Option<Family>,
    /// NIST's security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
    /// The document that defines the algorithm.
    pub spec: &'static str,
    /// Standardisation status.
    pub status: Status,
    /// The object identifier of the signature in dotted form; `None` if there is none.
    pub oid: Option<&'static str>,
    /// Encoding of the keys.
    pub key_format: KeyFormat,
    /// The TLS signature scheme. RSA rows have none: each is PKCS #1 v1.5 with one key length, but TLS 1.3 signs with PSS,
    /// for all key lengths alike. Ed448 has a number but is not offered: no known TLS peer needs it, and omitting it
    /// keeps the hello shorter.
    pub tls_scheme: Option<u16>,
    /// The bit in SPDM 1.4's PqcAsymAlgo; `None` if the field has no bit for the algorithm.
    pub spdm_bit: Option<u8>,
    /// Other names of the algorithm, as in wolfSSL, liboqs, OQS-OpenSSL and OpenSSL.
    pub aliases: &'static [&'static str],
}

impl KemRow {
    /// Returns the reason why the KEM cannot be a TLS group: its keys exceed the 65,535 bytes of a key share. Returns
    /// `None` if they fit.
    #[must_use]
    pub fn missing_tls_group_reason(&self) -> Option<&'static str> {
        let is_too_long = self.kem.info().encaps_key_len > usize::from(u16::MAX);
        is_too_long
            .then_some("its public keys are longer than the 65,535 bytes that a TLS key share can hold")
    }
}

impl SignatureRow {
    /// Returns whether the algorithm, or a part of it, belongs to this family.
    #[must_use]
    pub fn has_family(&self, family: Family) -> bool {
        self.family == family || self.classical_family == Some(family)
    }

    /// Returns the reason why the algorithm has no TLS signature scheme in any era. Only the IETF's composites have a
    /// documented reason; for all other algorithms, returns `None`.
    #[must_use]
    pub fn missing_tls_scheme_reason(&self) -> Option<&'static str> {
        let is_open = self.classical_family.is_some() && self.key_format == KeyFormat::Raw;
        is_open
            .then_some("draft-reddy-tls-composite-mldsa has not assigned TLS codepoints for composites yet")
    }
}

macro_rules! row {
    ($row:ty, $implementation:ident, $tls:ident) => {
        impl Row for $row {
            fn name(&self) -> &'static str {
                self.$implementation.info().name
            }

            fn aliases(&self) -> &'static [&'static str] {
                self.aliases
            }

            fn oid(&self) -> Option<&'static str> {
                self.oid
            }

            fn tls_code(&self) -> Option<u16> {
                self.$tls
            }

            fn spec(&self) -> &'static str {
                self.spec
            }

            fn category(&self) -> u8 {
                self.category
            }

            fn status(&self) -> Status {
                self.status
            }
        }
    };
}

row!(KemRow, kem, tls_group);
row!(SignatureRow, signature, tls_scheme);

impl core::fmt::Debug for KemRow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "KemRow({})", self.name())
    }
}

impl core::fmt::Debug for SignatureRow {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "SignatureRow({})", self.name())
    }
}
