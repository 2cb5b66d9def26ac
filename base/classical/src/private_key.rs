//! Private keys of ECDSA, Ed25519 and RSA: their parts, their encodings, and signatures of hashes.

use aws_lc_rs::digest::{self, Digest};
use aws_lc_rs::encoding::{AsBigEndian, AsDer};
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    self as lc, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RsaEncoding,
};
use grille_core::SecretBytes;
use zeroize::Zeroizing;

/// The kind of a key, which decides how it signs.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Ecdsa(&'static Curve),
    Ed25519,
    Rsa(KeySize, Padding),
}

impl Kind {
    /// Returns the hash function for messages; `None` for Ed25519, which does not hash the message alone.
    pub(crate) const fn digest(self) -> Option<&'static digest::Algorithm> {
        match self {
            Self::Ecdsa(curve) => Some(curve.digest),
            Self::Ed25519 => None,
            Self::Rsa(_, padding) => Some(padding.digest),
        }
    }
}

/// A curve and the hash function for messages signed on it.
pub(crate) struct Curve {
    signing: &'static EcdsaSigningAlgorithm,
    /// The curve's object identifier, with tag and length.
    oid: &'static [u8],
    /// The hash function for messages.
    pub(crate) digest: &'static digest::Algorithm,
    /// Whether this is SHA-384 on P-256, where only the leftmost 256 bits of a hash are signed, FIPS 186-5 section
    /// 6.4.1. aws-lc-rs can verify signatures of this combination but has no constant for signing with it.
    truncates_digest: bool,
}

const P256_OID: &[u8] = &[0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7];
const P384_OID: &[u8] = &[0x06, 5, 0x2B, 0x81, 0x04, 0, 34];
const P521_OID: &[u8] = &[0x06, 5, 0x2B, 0x81, 0x04, 0, 35];

impl Curve {
    pub(crate) const P256_SHA256: Self =
        Self::new(&lc::ECDSA_P256_SHA256_ASN1_SIGNING, P256_OID, &digest::SHA256);
    pub(crate) const P256_SHA384: Self = Self {
        truncates_digest: true,
        ..Self::new(&lc::ECDSA_P256_SHA256_ASN1_SIGNING, P256_OID, &digest::SHA384)
    };
    pub(crate) const P384_SHA384: Self =
        Self::new(&lc::ECDSA_P384_SHA384_ASN1_SIGNING, P384_OID, &digest::SHA384);
    pub(crate) const P521_SHA512: Self =
        Self::new(&lc::ECDSA_P521_SHA512_ASN1_SIGNING, P521_OID, &digest::SHA512);

    const fn new(
        signing: &'static EcdsaSigningAlgorithm,
        oid: &'static [u8],
        digest: &'static digest::Algorithm,
    ) -> Self {
        Self { signing, oid, digest, truncates_digest: false }
    }

    /// Signs a hash computed with this curve's hash function.
    fn sign(&self, key: &EcdsaKeyPair, digest: Digest) -> lc::Signature {
        let digest = match self.truncates_digest {
            true => Digest::import_less_safe(&digest.as_ref()[..32], &digest::SHA256).expect("256 bits"),
            false => digest,
        };
        key.sign_digest(&digest).expect(INFALLIBLE)
    }

    /// Encodes ECPrivateKey, RFC 5915 section 3.
    fn private_key(&self, key: &EcdsaKeyPair, with_public: bool) -> SecretBytes {
        let scalar = key.private_key().as_be_bytes().expect(INFALLIBLE);
        let scalar = element(0x04, &[scalar.as_ref()]);
        let parameters = element(0xA0, &[self.oid]);
        let public = match with_public {
            true => element(0xA1, &[&element(0x03, &[&[0], key.public_key().as_ref()])]),
            false => Zeroizing::default(),
        };
        // version 1
        let sequence = element(0x30, &[&[0x02, 1, 1], &scalar, &parameters, &public]);
        SecretBytes::from(sequence.as_slice())
    }
}

/// RSA's padding scheme and hash function.
#[derive(Clone, Copy)]
pub(crate) struct Padding {
    encoding: &'static dyn RsaEncoding,
    pub(crate) digest: &'static digest::Algorithm,
    /// True for PSS with a random salt, false for PKCS #1 v1.5.
    is_pss: bool,
}

impl Padding {
    pub(crate) const PKCS1_SHA256: Self = Self::new(&lc::RSA_PKCS1_SHA256, &digest::SHA256, false);
    pub(crate) const PKCS1_SHA384: Self = Self::new(&lc::RSA_PKCS1_SHA384, &digest::SHA384, false);
    pub(crate) const PSS_SHA256: Self = Self::new(&lc::RSA_PSS_SHA256, &digest::SHA256, true);
    pub(crate) const PSS_SHA384: Self = Self::new(&lc::RSA_PSS_SHA384, &digest::SHA384, true);

    const fn new(
        encoding: &'static dyn RsaEncoding,
        digest: &'static digest::Algorithm,
        is_pss: bool,
    ) -> Self {
        Self { encoding, digest, is_pss }
    }
}

const INFALLIBLE: &str = "aws-lc can generate keys, and can sign with every key that it has accepted";

/// A private key.
pub(crate) enum Key {
    Ecdsa(EcdsaKeyPair, &'static Curve),
    Ed25519(Ed25519KeyPair),
    Rsa(RsaKeyPair, Padding),
}

impl Key {
    pub(crate) fn generate(kind: Kind) -> Self {
        match kind {
            Kind::Ecdsa(curve) => {
                Self::Ecdsa(EcdsaKeyPair::generate(curve.signing).expect(INFALLIBLE), curve)
            }
            Kind::Ed25519 => Self::Ed25519(Ed25519KeyPair::generate().expect(INFALLIBLE)),
            Kind::Rsa(size, padding) => Self::Rsa(RsaKeyPair::generate(size).expect(INFALLIBLE), padding),
        }
    }

    pub(crate) fn from_pkcs8(kind: Kind, pkcs8: &[u8]) -> Option<Self> {
        // aws-lc ignores bytes after an ECDSA document
        if !is_one_sequence(pkcs8) {
            return None;
        }
        match kind {
            Kind::Ecdsa(curve) => {
                EcdsaKeyPair::from_pkcs8(curve.signing, pkcs8).ok().map(|key| Self::Ecdsa(key, curve))
            }
            Kind::Ed25519 => Ed25519KeyPair::from_pkcs8(pkcs8).ok().map(Self::Ed25519),
            Kind::Rsa(size, padding) => RsaKeyPair::from_pkcs8(pkcs8)
                .ok()
                .filter(|key| key.public_modulus_len() == size.len())
                .map(|key| Self::Rsa(key, padding)),
        }
    }

    pub(crate) fn from_inner(kind: Kind, bytes: &[u8]) -> Option<Self> {
        match kind {
            Kind::Ecdsa(curve) => EcdsaKeyPair::from_private_key_der(curve.signing, bytes)
                .ok()
                .map(|key| Self::Ecdsa(key, curve)),
            Kind::Ed25519 if bytes.len() == 32 => {
                Ed25519KeyPair::from_seed_unchecked(bytes).ok().map(Self::Ed25519)
            }
            Kind::Ed25519 => None,
            Kind::Rsa(size, padding) => RsaKeyPair::from_der(bytes)
                .ok()
                .filter(|key| key.public_modulus_len() == size.len())
                .map(|key| Self::Rsa(key, padding)),
        }
    }

    /// Returns the hash function for messages; `None` for Ed25519, which does not hash the message alone.
    pub(crate) const fn digest(&self) -> Option<&'static digest::Algorithm> {
        match self {
            Self::Ecdsa(_, curve) => Some(curve.digest),
            Self::Ed25519(_) => None,
            Self::Rsa(_, padding) => Some(padding.digest),
        }
    }

    /// Signs a hash computed with the function that `digest()` returns.
    ///
    /// # Panics
    /// Panics if the algorithm does not sign hashes.
    pub(crate) fn sign_digest(&self, digest: Digest) -> Vec<u8> {
        match self {
            Self::Ecdsa(key, curve) => curve.sign(key, digest).as_ref().to_vec(),
            Self::Rsa(key, padding) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign_digest(padding.encoding, &digest, &mut signature).expect(INFALLIBLE);
                signature
            }
            Self::Ed25519(_) => unreachable!("Ed25519 signs messages, not hashes"),
        }
    }

    /// Checks whether signing needs randomness.
    pub(crate) const fn is_randomized(&self) -> bool {
        matches!(self, Self::Ecdsa(..) | Self::Rsa(_, Padding { is_pss: true, .. }))
    }

    pub(crate) fn to_pkcs8(&self) -> SecretBytes {
        let document = match self {
            Self::Ecdsa(key, _) => key.to_pkcs8v1().expect(INFALLIBLE),
            Self::Ed25519(key) => key.to_pkcs8v1().expect(INFALLIBLE),
            Self::Rsa(key, _) => return SecretBytes::from(AsDer::as_der(key).expect(INFALLIBLE).as_ref()),
        };
        SecretBytes::from(document.as_ref())
    }

    pub(crate) fn to_inner(&self, with_public: bool) -> SecretBytes {
        match self {
            Self::Ecdsa(key, curve) => curve.private_key(key, with_public),
            Self::Ed25519(key) => {
                SecretBytes::from(key.seed().expect(INFALLIBLE).as_be_bytes().expect(INFALLIBLE).as_ref())
            }
            Self::Rsa(..) => SecretBytes::from(&self.to_pkcs8().as_ref()[RSA_PKCS8_HEADER..]),
        }
    }
}

/// The length of the PKCS #8 bytes before an `RSAPrivateKey` of 256 to 65535 bytes: two headers of 4 bytes, a version
/// of 3 and an algorithm identifier of 15.
const RSA_PKCS8_HEADER: usize = 4 + 3 + 15 + 4;

/// Encodes a DER element of fewer than 256 bytes.
fn element(tag: u8, parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let len = parts.iter().map(|part| part.len()).sum::<usize>();
    let len = u8::try_from(len).expect("keys of these curves are shorter than 256 bytes");
    let header: &[u8] = if len < 0x80 { &[tag, len] } else { &[tag, 0x81, len] };
    let mut bytes = Zeroizing::new(Vec::with_capacity(3 + usize::from(len)));
    std::iter::once(&header).chain(parts).for_each(|part| bytes.extend_from_slice(part));
    bytes
}

/// Checks whether `der` is one SEQUENCE with nothing after it, X.690 section 8.1.
fn is_one_sequence(der: &[u8]) -> bool {
    let (header, content) = match *der {
        [0x30, len @ 0..=0x7F, ..] => (2, usize::from(len)),
        [0x30, 0x81, len, ..] => (3, usize::from(len)),
        [0x30, 0x82, high, low, ..] => (4, usize::from(high) << 8 | usize::from(low)),
        _ => return false,
    };
    der.len() == header + content
}
