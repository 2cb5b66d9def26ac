//! The algorithms ECDSA, Ed25519 and RSA, implemented for grille's signature traits.
//!
//! A signing key is encoded as a whole PKCS #8 document; as a part of a composite, it is the content of such
//! a document (`private_key` implements both). A verifying key is the content of the SPKI's BIT STRING: an
//! uncompressed point, 32 bytes, or an `RSAPublicKey`. For some algorithms, lengths vary by a few bytes.
//! `info()` returns the maximum lengths.
//!
//! Deviation from the traits: aws-lc generates keys and ECDSA nonces with its own generator and ignores the
//! caller's generator. Tests therefore cannot reproduce keys or ECDSA signatures.

use crate::context::check_context;
use crate::key_pair::{Form, SigningKeyPair};
use crate::private_key::{Curve, Kind, Padding};
use crate::streaming::Verifying;
use aws_lc_rs::digest;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{self as lc, UnparsedPublicKey, VerificationAlgorithm};
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, Error, MessageVerifier, SignatureInfo,
};

/// A classical signature algorithm.
pub struct Classical {
    info: SignatureInfo,
    pub(crate) kind: Kind,
    pub(crate) form: Form,
    verification: &'static dyn VerificationAlgorithm,
}

/// A signature algorithm as a part of a composite, with its lengths for tables built at compile time.
#[derive(Clone, Copy)]
pub struct Part {
    /// The signature scheme, as the trait object that the registry uses.
    pub scheme: &'static dyn DynSignature,
    /// The name and the lengths.
    pub info: &'static SignatureInfo,
}

impl Part {
    pub(crate) const fn new(scheme: &'static dyn DynSignature, info: &'static SignatureInfo) -> Self {
        Self { scheme, info }
    }
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $static:ident = $name:literal ($spki:literal $pkcs8:literal $signature:literal) $form:expr,
        $kind:expr, $verification:expr;)*) => {$(
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
            form: $form,
            verification: $verification,
        };
    )*

        #[cfg(test)]
        pub(crate) static ALL: &[&Classical] = &[$(&$static),*];
    };
}

algorithms! {
    // name, and the maximum lengths of public key, signing key and signature in bytes
    /// ECDSA on P-256 with SHA-256, FIPS 186-5.
    ECDSA_P256_SHA256 = "ECDSA-P256-SHA256" (65 138 72) Form::Pkcs8,
        Kind::Ecdsa(&Curve::P256_SHA256), &lc::ECDSA_P256_SHA256_ASN1;
    /// ECDSA on P-384 with SHA-384, FIPS 186-5.
    ECDSA_P384_SHA384 = "ECDSA-P384-SHA384" (97 185 104) Form::Pkcs8,
        Kind::Ecdsa(&Curve::P384_SHA384), &lc::ECDSA_P384_SHA384_ASN1;
    /// ECDSA on P-521 with SHA-512, FIPS 186-5.
    ECDSA_P521_SHA512 = "ECDSA-P521-SHA512" (133 241 139) Form::Pkcs8,
        Kind::Ecdsa(&Curve::P521_SHA512), &lc::ECDSA_P521_SHA512_ASN1;
    /// Ed25519, RFC 8032.
    ED25519 = "Ed25519" (32 83 64) Form::Pkcs8, Kind::Ed25519, &lc::ED25519;
    /// RSA with 2048 bits, PKCS #1 v1.5 with SHA-256.
    RSA_2048 = "RSA-2048" (270 1219 256) Form::Pkcs8,
        Kind::Rsa(KeySize::Rsa2048, Padding::PKCS1_SHA256), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 3072 bits, PKCS #1 v1.5 with SHA-256.
    RSA_3072 = "RSA-3072" (398 1795 384) Form::Pkcs8,
        Kind::Rsa(KeySize::Rsa3072, Padding::PKCS1_SHA256), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 4096 bits, PKCS #1 v1.5 with SHA-256.
    RSA_4096 = "RSA-4096" (526 2376 512) Form::Pkcs8,
        Kind::Rsa(KeySize::Rsa4096, Padding::PKCS1_SHA256), &lc::RSA_PKCS1_2048_8192_SHA256;

    // Parts of composites: the signing key is encoded as the content of a PKCS #8 document.
    /// ECDSA on P-256 with SHA-256; the signing key is an `ECPrivateKey` with its public key.
    PART_P256_SHA256 = "ECDSA-P256-SHA256, composite part" (65 121 72) Form::Inner,
        Kind::Ecdsa(&Curve::P256_SHA256), &lc::ECDSA_P256_SHA256_ASN1;
    /// ECDSA on P-256 with SHA-384; the signing key is an `ECPrivateKey` with its public key.
    PART_P256_SHA384 = "ECDSA-P256-SHA384, composite part" (65 121 72) Form::Inner,
        Kind::Ecdsa(&Curve::P256_SHA384), &lc::ECDSA_P256_SHA384_ASN1;
    /// ECDSA on P-384 with SHA-384; the signing key is an `ECPrivateKey` with its public key.
    PART_P384_SHA384 = "ECDSA-P384-SHA384, composite part" (97 167 104) Form::Inner,
        Kind::Ecdsa(&Curve::P384_SHA384), &lc::ECDSA_P384_SHA384_ASN1;
    /// ECDSA on P-521 with SHA-512; the signing key is an `ECPrivateKey` with its public key.
    PART_P521_SHA512 = "ECDSA-P521-SHA512, composite part" (133 223 139) Form::Inner,
        Kind::Ecdsa(&Curve::P521_SHA512), &lc::ECDSA_P521_SHA512_ASN1;
    /// ECDSA on P-256 with SHA-256; the signing key is an `ECPrivateKey` without its public key.
    IETF_P256_SHA256 = "ECDSA-P256-SHA256, IETF composite part" (65 51 72) Form::InnerWithoutPublicKey,
        Kind::Ecdsa(&Curve::P256_SHA256), &lc::ECDSA_P256_SHA256_ASN1;
    /// ECDSA on P-384 with SHA-384; the signing key is an `ECPrivateKey` without its public key.
    IETF_P384_SHA384 = "ECDSA-P384-SHA384, IETF composite part" (97 64 104) Form::InnerWithoutPublicKey,
        Kind::Ecdsa(&Curve::P384_SHA384), &lc::ECDSA_P384_SHA384_ASN1;
    /// ECDSA on P-521 with SHA-512; the signing key is an `ECPrivateKey` without its public key.
    IETF_P521_SHA512 = "ECDSA-P521-SHA512, IETF composite part" (133 82 139) Form::InnerWithoutPublicKey,
        Kind::Ecdsa(&Curve::P521_SHA512), &lc::ECDSA_P521_SHA512_ASN1;
    /// Ed25519, RFC 8032; the signing key is the 32 bytes of RFC 8032.
    PART_ED25519 = "Ed25519, composite part" (32 32 64) Form::Inner, Kind::Ed25519, &lc::ED25519;
    /// RSA with 2048 bits, PKCS #1 v1.5 with SHA-256; the signing key is an `RSAPrivateKey`.
    PART_RSA_2048_SHA256 = "RSA-2048-SHA256, composite part" (270 1193 256) Form::Inner,
        Kind::Rsa(KeySize::Rsa2048, Padding::PKCS1_SHA256), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 3072 bits, PKCS #1 v1.5 with SHA-256; the signing key is an `RSAPrivateKey`.
    PART_RSA_3072_SHA256 = "RSA-3072-SHA256, composite part" (398 1769 384) Form::Inner,
        Kind::Rsa(KeySize::Rsa3072, Padding::PKCS1_SHA256), &lc::RSA_PKCS1_2048_8192_SHA256;
    /// RSA with 3072 bits, PKCS #1 v1.5 with SHA-384; the signing key is an `RSAPrivateKey`.
    PART_RSA_3072_SHA384 = "RSA-3072-SHA384, composite part" (398 1769 384) Form::Inner,
        Kind::Rsa(KeySize::Rsa3072, Padding::PKCS1_SHA384), &lc::RSA_PKCS1_2048_8192_SHA384;
    /// RSA with 4096 bits, PKCS #1 v1.5 with SHA-384; the signing key is an `RSAPrivateKey`.
    PART_RSA_4096_SHA384 = "RSA-4096-SHA384, composite part" (526 2350 512) Form::Inner,
        Kind::Rsa(KeySize::Rsa4096, Padding::PKCS1_SHA384), &lc::RSA_PKCS1_2048_8192_SHA384;
    /// RSA with 2048 bits, PSS with SHA-256 and a salt as long as the hash; the signing key is an `RSAPrivateKey`.
    PART_RSA_2048_PSS = "RSA-2048-PSS, composite part" (270 1193 256) Form::Inner,
        Kind::Rsa(KeySize::Rsa2048, Padding::PSS_SHA256), &lc::RSA_PSS_2048_8192_SHA256;
    /// RSA with 3072 bits, PSS with SHA-256 and a salt as long as the hash; the signing key is an `RSAPrivateKey`.
    PART_RSA_3072_PSS = "RSA-3072-PSS, composite part" (398 1769 384) Form::Inner,
        Kind::Rsa(KeySize::Rsa3072, Padding::PSS_SHA256), &lc::RSA_PSS_2048_8192_SHA256;
    /// RSA with 4096 bits, PSS with SHA-384 and a salt as long as the hash; the signing key is an `RSAPrivateKey`.
    PART_RSA_4096_PSS = "RSA-4096-PSS, composite part" (526 2350 512) Form::Inner,
        Kind::Rsa(KeySize::Rsa4096, Padding::PSS_SHA384), &lc::RSA_PSS_2048_8192_SHA384;
}

/// The first byte of an uncompressed point, SEC 1 section 2.3.3.
const UNCOMPRESSED: u8 = 4;

const INVALID_PRIVATE: Error =
    Error::InvalidPrivateKey { reason: "is not a PKCS #8 document of this algorithm" };

impl Classical {
    /// Returns the algorithm as a part of a composite.
    #[must_use]
    pub const fn part(&'static self) -> Part {
        Part::new(self, &self.info)
    }
}

impl DynSignature for Classical {
    fn info(&self) -> &SignatureInfo {
        &self.info
    }

    /// Generates a key pair with aws-lc's own generator. Ignores `rng`.
    fn generate(&self, _rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        Box::new(SigningKeyPair::generate(self.kind, self.form))
    }

    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(SigningKeyPair::parse(self.kind, self.form, bytes).ok_or(INVALID_PRIVATE)?))
    }

    fn signing_key_from_seed(&self, _seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        let shortest = self.info.verifying_key_len - if matches!(self.kind, Kind::Rsa(..)) { 2 } else { 0 };
        if !(shortest..=self.info.verifying_key_len).contains(&bytes.len()) {
            return Err(Error::Length {
                input: "public key",
                expected: self.info.verifying_key_len,
                got: bytes.len(),
            });
        }
        let invalid = Error::InvalidPublicKey { reason: "is not a key of this algorithm" };
        // RFC 5480 section 2.2 has no hybrid form, but aws-lc accepts it
        if matches!(self.kind, Kind::Ecdsa(_)) && bytes[0] != UNCOMPRESSED {
            return Err(invalid);
        }
        lc::ParsedPublicKey::new(self.verification, bytes).map_err(|_| invalid)?;
        let (verification, digest) = (self.verification, self.kind.digest());
        Ok(Box::new(PublicKey { verification, digest, bytes: bytes.to_vec() }))
    }
}

struct PublicKey {
    verification: &'static dyn VerificationAlgorithm,
    /// The hash function for messages; `None` for Ed25519, which does not hash the message alone.
    digest: Option<&'static digest::Algorithm>,
    bytes: Vec<u8>,
}

impl DynVerifyingKey for PublicKey {
    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        check_context(context)?;
        let key = UnparsedPublicKey::new(self.verification, &self.bytes);
        key.verify(message, signature).map_err(|_| Error::InvalidSignature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        check_context(context)?;
        Ok(self.digest.map(|digest| Verifying::begin(digest, self.verification, &self.bytes, signature)))
    }
}
