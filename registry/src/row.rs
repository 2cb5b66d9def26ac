//! The columns of the table.

use grille_core::{DynKem, DynSignature};

/// Where an algorithm stands, the best first. Only [`Status::Standard`] is offered unless a user asks by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Published as a standard.
    Standard,
    /// A standard's draft that is deployed already.
    Draft,
    /// A candidate that may become a standard.
    Candidate,
    /// Superseded or no longer considered; kept so that old peers and files can be met.
    Retired,
    /// An attack is known; for study only.
    Broken,
}

impl Status {
    /// Every status, in order: `ALL[status as usize]` is `status`.
    pub const ALL: [Self; 5] = [Self::Standard, Self::Draft, Self::Candidate, Self::Retired, Self::Broken];

    /// One lower-case word.
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

/// How the keys of a signature algorithm are written in SPKI and PKCS#8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyFormat {
    /// RFC 9881 and RFC 9935: the raw public key; the private key is a CHOICE of seed, expanded key, or both.
    SeedOrExpanded,
    /// RFC 9909 and the IETF's composites: the raw public key, and the raw private key.
    Raw,
    /// OQS since 2021: the raw public key; the private key is an OCTET STRING of private ‖ public, of a composite of all its
    /// parts.
    OqsConcatenated,
    /// A classical algorithm: `to_bytes` of the signing key is a whole PKCS#8 document already, and the public
    /// key is the content of the SPKI's BIT STRING.
    Native {
        /// The SPKI's algorithm identifier.
        spki_oid: &'static str,
        /// The SPKI's parameters, if they are an OID (the curve).
        curve_oid: Option<&'static str>,
        /// Whether the parameters are NULL (RSA).
        null_parameters: bool,
    },
}

/// What a signature algorithm is made of, and so what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// ML-DSA and Dilithium: signing takes a fraction of a millisecond, and so do key generation and verification.
    MlDsa,
    /// Falcon: generating a key takes milliseconds, signing is randomised only.
    Falcon,
    /// SLH-DSA and SPHINCS+, the sets `f`: signing takes milliseconds.
    HashFast,
    /// SLH-DSA and SPHINCS+, the sets `s`: signing takes tenths of a second.
    HashSmall,
    /// ECDSA and EdDSA.
    EllipticCurve,
    /// RSA: generating a key takes tenths of a second.
    Rsa,
}

impl Family {
    /// Whether nothing but hash functions is assumed to be hard.
    #[must_use]
    pub const fn is_hash_based(self) -> bool {
        matches!(self, Self::HashFast | Self::HashSmall)
    }
}

/// What the rows of both tables have in common.
pub trait Row: Sync + 'static {
    /// The canonical name: the standard's own spelling.
    fn name(&self) -> &'static str;
    /// The other names this algorithm is known by.
    fn aliases(&self) -> &'static [&'static str];
    /// The object identifier, in dotted form.
    fn oid(&self) -> Option<&'static str>;
    /// The TLS codepoint: a group for a KEM, a signature scheme for a signature.
    fn tls_code(&self) -> Option<u16>;
    /// The document that defines the algorithm.
    fn spec(&self) -> &'static str;
    /// NIST's security category, 1 to 5; 0 for classical algorithms, which a quantum computer breaks.
    fn category(&self) -> u8;
    /// Where the algorithm stands.
    fn status(&self) -> Status;

    /// The publication of the attack on a broken algorithm: every broken row is of SIKE or SIDH.
    fn attack(&self) -> Option<&'static str> {
        (self.status() == Status::Broken).then_some(CASTRYCK_DECRU)
    }
}

/// The attack that computes the secret keys of SIKE and SIDH.
const CASTRYCK_DECRU: &str = "W. Castryck and T. Decru, \"An efficient key recovery attack on SIDH\", EUROCRYPT 2023, \
                              https://eprint.iacr.org/2022/975";

/// A KEM, a hybrid of KEMs, or a classical key agreement in a KEM's clothes.
pub struct KemRow {
    /// The implementation; its `info()` has the canonical name and the lengths.
    pub kem: &'static dyn DynKem,
    /// NIST's security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
    /// The document that defines the algorithm.
    pub spec: &'static str,
    /// Where the algorithm stands.
    pub status: Status,
    /// The object identifier, in dotted form.
    pub oid: Option<&'static str>,
    /// The TLS named group.
    pub tls_group: Option<u16>,
    /// The bit in SPDM 1.4's KEMAlg.
    pub spdm_bit: Option<u8>,
    /// Other names: wolfSSL's, liboqs', OQS-OpenSSL's, OpenSSL's.
    pub aliases: &'static [&'static str],
}

/// A signature algorithm, or a composite of two.
#[derive(Clone, Copy)]
pub struct SignatureRow {
    /// The implementation; its `info()` has the canonical name and the lengths.
    pub signature: &'static dyn DynSignature,
    /// What it is made of; of a composite, the post-quantum part.
    pub family: Family,
    /// The classical part of a composite.
    pub classical: Option<Family>,
    /// NIST's security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
    /// The document that defines the algorithm.
    pub spec: &'static str,
    /// Where the algorithm stands.
    pub status: Status,
    /// The object identifier of the signature, in dotted form.
    pub oid: Option<&'static str>,
    /// How keys are written.
    pub key_format: KeyFormat,
    /// The TLS signature scheme. RSA has none: TLS signs with PSS, whatever the key's length, and the rows are PKCS #1
    /// v1.5. Ed448 has none: its number exists, but nobody's TLS needs it, and a hello is not longer for its sake.
    pub tls_scheme: Option<u16>,
    /// The bit in SPDM 1.4's PqcAsymAlgo.
    pub spdm_bit: Option<u8>,
    /// Other names: wolfSSL's, liboqs', OQS-OpenSSL's, OpenSSL's.
    pub aliases: &'static [&'static str],
}

impl SignatureRow {
    /// Whether this family has a part in the algorithm.
    #[must_use]
    pub fn has(&self, family: Family) -> bool {
        self.family == family || self.classical == Some(family)
    }

    /// Why no era has a TLS signature scheme for it, where a document says why: `None` of all but the IETF's composites.
    #[must_use]
    pub fn lacks_tls_scheme(&self) -> Option<&'static str> {
        let is_open = self.classical.is_some() && self.key_format == KeyFormat::Raw;
        is_open.then_some("draft-reddy-tls-composite-mldsa leaves the numbers of composites in TLS open")
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
