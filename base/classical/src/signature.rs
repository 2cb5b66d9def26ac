//! ECDSA, Ed25519 and RSA behind grille's signature traits.
//!
//! A signing key's bytes are its whole PKCS #8 document; a verifying key's are the content of the SPKI's BIT STRING
//! (an uncompressed point, 32 bytes, an `RSAPublicKey`). Both vary in length by a few bytes for some algorithms:
//! the lengths in `info()` are the longest.
//!
//! Differs from the traits: keys are generated, and ECDSA's nonces drawn, by aws-lc's own generator, whatever generator is
//! given: no test can repeat them.

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    self as lc, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, UnparsedPublicKey,
    VerificationAlgorithm,
};
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, Error, SecretBytes, SignatureInfo,
};

/// A classical signature algorithm.
pub struct Classical {
    info: SignatureInfo,
    kind: Kind,
    verification: &'static dyn VerificationAlgorithm,
}

#[derive(Clone, Copy)]
enum Kind {
    Ecdsa(&'static EcdsaSigningAlgorithm),
    Ed25519,
    Rsa(KeySize),
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $static:ident = $name:literal ($spki:literal $pkcs8:literal $signature:literal) $kind:expr,
        $verification:expr;)*) => {$(
        $(#[$doc])*
        pub static $static: Classical = Classical {
            info: SignatureInfo {
                name: $name,
                verifying_key_len: $spki,
                signing_key_len: $pkcs8,
                seed_len: None,
                signature_len: $signature,
                context_len: 0,
            },
            kind: $kind,
            verification: $verification,
        };
    )*

        static ALL: &[&Classical] = &[$(&$static),*];
    };
}

algorithms! {
    // name, longest public key, PKCS #8 document and signature, in bytes
    /// ECDSA on P-256 with SHA-256, FIPS 186-5.
    ECDSA_P256_SHA256 = "ECDSA-P256-SHA256" (65 138 72)
        Kind::Ecdsa(&lc::ECDSA_P256_SHA256_ASN1_SIGNING), &lc::ECDSA_P256_SHA256_ASN1;
    /// ECDSA on P-384 with SHA-384, FIPS 186-5.
    ECDSA_P384_SHA384 = "ECDSA-P384-SHA384" (97 185 104)
        Kind::Ecdsa(&lc::ECDSA_P384_SHA384_ASN1_SIGNING), &lc::ECDSA_P384_SHA384_ASN1;
    /// ECDSA on P-521 with SHA-512, FIPS 186-5.
    ECDSA_P521_SHA512 = "ECDSA-P521-SHA512" (133 241 139)
        Kind::Ecdsa(&lc::ECDSA_P521_SHA512_ASN1_SIGNING), &lc::ECDSA_P521_SHA512_ASN1;
    /// Ed25519, RFC 8032.
    ED25519 = "Ed25519" (32 83 64) Kind::Ed25519, &lc::ED25519;
    /// RSA with 2048 bits, PKCS #1 v1.5 with SHA-256.
    RSA_2048 = "RSA-2048" (270 1219 256) Kind::Rsa(KeySize::Rsa2048), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 3072 bits, PKCS #1 v1.5 with SHA-256.
    RSA_3072 = "RSA-3072" (398 1795 384) Kind::Rsa(KeySize::Rsa3072), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 4096 bits, PKCS #1 v1.5 with SHA-256.
    RSA_4096 = "RSA-4096" (526 2376 512) Kind::Rsa(KeySize::Rsa4096), &lc::RSA_PKCS1_2048_8192_SHA256;
}

/// SEC 1 section 2.3.3: the first byte of an uncompressed point.
const UNCOMPRESSED: u8 = 4;

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(RsaKeyPair),
}

const INVALID_PRIVATE: Error =
    Error::InvalidPrivateKey { reason: "is not a PKCS #8 document of this algorithm" };
const WORKS: &str = "aws-lc generates keys and signs with keys it has accepted";

impl Classical {
    fn of(&self) -> &'static Self {
        let same = |known: &&&'static Self| known.info.name == self.info.name;
        ALL.iter().find(same).expect("algorithms are made in this module")
    }

    fn parse(&self, pkcs8: &[u8]) -> Option<Pair> {
        // aws-lc overlooks bytes after an ECDSA document
        if !is_one_sequence(pkcs8) {
            return None;
        }
        match self.kind {
            Kind::Ecdsa(algorithm) => EcdsaKeyPair::from_pkcs8(algorithm, pkcs8).ok().map(Pair::Ecdsa),
            Kind::Ed25519 => Ed25519KeyPair::from_pkcs8(pkcs8).ok().map(Pair::Ed25519),
            Kind::Rsa(size) => RsaKeyPair::from_pkcs8(pkcs8)
                .ok()
                .filter(|key| key.public_modulus_len() == size.len())
                .map(Pair::Rsa),
        }
    }
}

impl DynSignature for Classical {
    fn info(&self) -> &SignatureInfo {
        &self.info
    }

    /// From aws-lc's own generator: `rng` is not asked.
    fn generate(&self, _rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        Box::new(match self.kind {
            Kind::Ecdsa(algorithm) => Pair::Ecdsa(EcdsaKeyPair::generate(algorithm).expect(WORKS)),
            Kind::Ed25519 => Pair::Ed25519(Ed25519KeyPair::generate().expect(WORKS)),
            Kind::Rsa(size) => Pair::Rsa(RsaKeyPair::generate(size).expect(WORKS)),
        })
    }

    fn signing_key(&self, pkcs8: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(self.parse(pkcs8).ok_or(INVALID_PRIVATE)?))
    }

    fn signing_key_from_seed(&self, _seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Err(Error::Unsupported { what: "seeds" })
    }

    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        let shortest = self.info.verifying_key_len - if matches!(self.kind, Kind::Rsa(_)) { 2 } else { 0 };
        if !(shortest..=self.info.verifying_key_len).contains(&bytes.len()) {
            return Err(Error::Length {
                what: "public key",
                expected: self.info.verifying_key_len,
                got: bytes.len(),
            });
        }
        let invalid = Error::InvalidPublicKey { reason: "is not one of this algorithm" };
        // RFC 5480 section 2.2 has no hybrid form; aws-lc takes it
        if matches!(self.kind, Kind::Ecdsa(_)) && bytes[0] != UNCOMPRESSED {
            return Err(invalid);
        }
        lc::ParsedPublicKey::new(self.verification, bytes).map_err(|_| invalid)?;
        Ok(Box::new(PublicKey { algorithm: self.of(), bytes: bytes.to_vec() }))
    }
}

impl DynSigningKey for Pair {
    fn to_bytes(&self) -> SecretBytes {
        let document = match self {
            Pair::Ecdsa(pair) => pair.to_pkcs8v1().expect(WORKS),
            Pair::Ed25519(pair) => pair.to_pkcs8v1().expect(WORKS),
            Pair::Rsa(pair) => return SecretBytes::from(AsDer::as_der(pair).expect(WORKS).as_ref()),
        };
        SecretBytes::from(document.as_ref())
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        match self {
            Pair::Ecdsa(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Rsa(pair) => pair.public_key().as_ref().to_vec(),
        }
    }

    fn sign(&self, message: &[u8], context: &[u8], _rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        check_context(context)?;
        Ok(match self {
            Pair::Ecdsa(pair) => pair.sign(&SystemRandom::new(), message).expect(WORKS).as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&lc::RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).expect(WORKS);
                signature
            }
        })
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        if let Self::Ecdsa(_) = self {
            return Err(Error::Unsupported { what: "deterministic signatures" });
        }
        // Ed25519 and PKCS #1 v1.5 never ask for randomness
        self.sign(message, context, &mut grille_core::SystemRng)
    }
}

struct PublicKey {
    algorithm: &'static Classical,
    bytes: Vec<u8>,
}

impl DynVerifyingKey for PublicKey {
    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        check_context(context)?;
        let key = UnparsedPublicKey::new(self.algorithm.verification, &self.bytes);
        key.verify(message, signature).map_err(|_| Error::InvalidSignature)
    }
}

fn check_context(context: &[u8]) -> Result<(), Error> {
    if context.is_empty() { Ok(()) } else { Err(Error::ContextTooLong { max: 0, got: context.len() }) }
}

/// Whether `der` is one SEQUENCE and nothing after it, X.690 section 8.1.
fn is_one_sequence(der: &[u8]) -> bool {
    let (header, content) = match *der {
        [0x30, len @ 0..=0x7F, ..] => (2, usize::from(len)),
        [0x30, 0x81, len, ..] => (3, usize::from(len)),
        [0x30, 0x82, high, low, ..] => (4, usize::from(high) << 8 | usize::from(low)),
        _ => return false,
    };
    der.len() == header + content
}
