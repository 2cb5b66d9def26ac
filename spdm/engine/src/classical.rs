//! The classical algorithms of DSP0274, implemented by aws-lc-rs, which needs the standard library.

use crate::hash::MAX_HASH_LEN;
use crate::scheme::{self, Classical, NO_SCHEME, PreparedKey, RegistryKey, Scheme};
use crate::to_be_signed::ToBeSigned;
use alloc::{boxed::Box, vec, vec::Vec};
use aws_lc_rs::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    self as lc, EcdsaKeyPair, EcdsaSigningAlgorithm, RsaEncoding, RsaKeyPair, UnparsedPublicKey,
    VerificationAlgorithm,
};
use grille_classical::rsa::{self, Padding, PrivateNumbers};
use grille_classical::{FFDHE2048, FFDHE3072, FFDHE4096, SECP256R1, SECP384R1, SECP521R1, X25519};
use grille_core::{CryptoRng, DynKem, Error};
use grille_pki::{PrivateKey, PrivateKeyForm, PublicKey};
use grille_spdm_codec::algorithms::BaseAsym;
use grille_spdm_codec::bits::{self, Bits as _};

macro_rules! classical {
    ($($bit:literal $key:literal $scheme:expr;)*) => {
        /// The algorithms of BaseAsymAlgo, DSP0274. SM2 is not supported.
        pub static CLASSICAL: &[Classical] = &[$(Classical {
            bit: $bit,
            name: bits::row(BaseAsym::ROWS, $bit).name,
            signature_len: bits::row(BaseAsym::ROWS, $bit).len,
            key: $key,
            scheme: &$scheme,
        }),*];
    };
}

classical! {
    0 "RSA-2048" RSASSA;
    1 "RSA-2048" RSAPSS;
    2 "RSA-3072" RSASSA;
    3 "RSA-3072" RSAPSS;
    4 "ECDSA-P256" P256;
    5 "RSA-4096" RSASSA;
    6 "RSA-4096" RSAPSS;
    7 "ECDSA-P384" P384;
    8 "ECDSA-P521" P521;
    10 "Ed25519" Edwards;
    11 "Ed448" Edwards;
}

/// The DHE groups: bit, group, and whether its elements are points. SM2 is not supported.
pub(crate) static DHE: &[(u8, &dyn DynKem, bool)] = &[
    (0, &FFDHE2048, false),
    (1, &FFDHE3072, false),
    (2, &FFDHE4096, false),
    (3, &SECP256R1, true),
    (4, &SECP384R1, true),
    (5, &SECP521R1, true),
];

/// Returns X25519, which only hybrids use: it has no bit in the DHE table.
pub(crate) const fn x25519() -> Option<&'static dyn DynKem> {
    Some(&X25519)
}

/// ECDSA on one curve, with the hash that aws-lc associates with the curve. The output of another hash is converted to
/// that length.
struct Ecdsa {
    digest: &'static digest::Algorithm,
    signing: &'static EcdsaSigningAlgorithm,
    verification: &'static dyn VerificationAlgorithm,
}

macro_rules! ecdsa {
    ($digest:ident $verification:ident $signing:ident) => {
        Ecdsa { digest: &digest::$digest, signing: &lc::$signing, verification: &lc::$verification }
    };
}

static P256: Ecdsa = ecdsa!(SHA256 ECDSA_P256_SHA256_FIXED ECDSA_P256_SHA256_FIXED_SIGNING);
static P384: Ecdsa = ecdsa!(SHA384 ECDSA_P384_SHA384_FIXED ECDSA_P384_SHA384_FIXED_SIGNING);
static P521: Ecdsa = ecdsa!(SHA512 ECDSA_P521_SHA512_FIXED ECDSA_P521_SHA512_FIXED_SIGNING);

impl Ecdsa {
    /// Converts the message's hash to the length of the curve's hash. A longer hash is truncated to its leftmost bytes, FIPS
    /// 186-5 section 6.4.1. A shorter one is padded with leading zeros.
    fn converted_hash(&self, message: &ToBeSigned) -> Result<digest::Digest, Error> {
        let (mut number, len) = ([0; MAX_HASH_LEN], self.digest.output_len());
        let hash = hashed(message)?;
        let taken = hash.as_ref().len().min(len);
        number[len - taken..len].copy_from_slice(&hash.as_ref()[..taken]);
        digest::Digest::import_less_safe(&number[..len], self.digest).map_err(|_| NO_SCHEME)
    }
}

impl Scheme for Ecdsa {
    fn key(&'static self, key: &PrivateKey) -> Option<Box<dyn PreparedKey>> {
        let pkcs8 = key.to_pkcs8_der(PrivateKeyForm::Native).ok()?;
        let pair = EcdsaKeyPair::from_pkcs8(self.signing, pkcs8.as_ref()).ok()?;
        Some(Box::new(EcdsaKey { curve: self, pair }))
    }

    fn verify(&self, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
        let key = UnparsedPublicKey::new(self.verification, key.bytes());
        key.verify_digest(&self.converted_hash(message)?, signature).map_err(|_| Error::InvalidSignature)
    }
}

struct EcdsaKey {
    curve: &'static Ecdsa,
    pair: EcdsaKeyPair,
}

impl PreparedKey for EcdsaKey {
    fn sign(
        &self,
        _key: &PrivateKey,
        message: &ToBeSigned,
        _rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let signature = self.pair.sign_digest(&self.curve.converted_hash(message)?);
        Ok(signature.map_err(|_| NO_SCHEME)?.as_ref().to_vec())
    }
}

/// RSA with the hashes that aws-lc supports. For SHA-3, `grille_classical::rsa` computes the padding.
struct Rsa {
    padding: Padding,
    hashes: [RsaHash; 3],
}

type RsaHash = (&'static digest::Algorithm, &'static dyn RsaEncoding, &'static dyn VerificationAlgorithm);

macro_rules! rsa {
    ($padding:ident: $($digest:ident $verification:ident $encoding:ident),*) => {
        Rsa {
            padding: Padding::$padding,
            hashes: [$((&digest::$digest, &lc::$encoding, &lc::$verification)),*],
        }
    };
}

static RSASSA: Rsa = rsa!(
    Pkcs1: SHA256 RSA_PKCS1_2048_8192_SHA256 RSA_PKCS1_SHA256,
    SHA384 RSA_PKCS1_2048_8192_SHA384 RSA_PKCS1_SHA384,
    SHA512 RSA_PKCS1_2048_8192_SHA512 RSA_PKCS1_SHA512
);
static RSAPSS: Rsa = rsa!(
    Pss: SHA256 RSA_PSS_2048_8192_SHA256 RSA_PSS_SHA256,
    SHA384 RSA_PSS_2048_8192_SHA384 RSA_PSS_SHA384,
    SHA512 RSA_PSS_2048_8192_SHA512 RSA_PSS_SHA512
);

impl Rsa {
    /// Returns aws-lc's algorithms for the message's hash.
    fn native(&self, message: &ToBeSigned) -> Option<&RsaHash> {
        self.hashes.iter().find(|(digest, ..)| *digest == message.hash().algorithm())
    }
}

impl Scheme for Rsa {
    fn key(&'static self, key: &PrivateKey) -> Option<Box<dyn PreparedKey>> {
        let pkcs8 = key.to_pkcs8_der(PrivateKeyForm::Native).ok()?;
        let pair = RsaKeyPair::from_pkcs8(pkcs8.as_ref()).ok()?;
        let numbers = PrivateNumbers::from_pkcs8(pkcs8.as_ref()).ok()?;
        Some(Box::new(RsaKey { scheme: self, pair, numbers }))
    }

    fn verify(&self, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
        let Some((_, _, algorithm)) = self.native(message) else {
            return rsa::verify(key.bytes(), self.padding, &hashed(message)?, signature);
        };
        let key = UnparsedPublicKey::new(*algorithm, key.bytes());
        match message.is_hash() {
            true => key.verify_digest(&hashed(message)?, signature),
            false => key.verify(message.bytes(), signature),
        }
        .map_err(|_| Error::InvalidSignature)
    }
}

struct RsaKey {
    scheme: &'static Rsa,
    pair: RsaKeyPair,
    numbers: PrivateNumbers,
}

impl PreparedKey for RsaKey {
    fn sign(
        &self,
        _key: &PrivateKey,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let Some((_, encoding, _)) = self.scheme.native(message) else {
            return self.numbers.sign(self.scheme.padding, &hashed(message)?, rng);
        };
        let mut signature = vec![0; self.pair.public_modulus_len()];
        match message.is_hash() {
            true => self.pair.sign_digest(*encoding, &hashed(message)?, &mut signature),
            false => self.pair.sign(*encoding, &SystemRandom::new(), message.bytes(), &mut signature),
        }
        .map_err(|_| NO_SCHEME)?;
        Ok(signature)
    }
}

/// EdDSA from the registry. The algorithm hashes the message itself, independently of the base hash.
struct Edwards;

impl Scheme for Edwards {
    fn key(&'static self, _key: &PrivateKey) -> Option<Box<dyn PreparedKey>> {
        Some(Box::new(RegistryKey))
    }

    fn verify(&self, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
        scheme::verify_registered(key, message, signature)
    }
}

/// Returns the hash of the message. In 1.0 and 1.1 the message is already a hash.
fn hashed(message: &ToBeSigned) -> Result<digest::Digest, Error> {
    let algorithm = message.hash().algorithm();
    match message.is_hash() {
        true => digest::Digest::import_less_safe(message.bytes(), algorithm).map_err(|_| NO_SCHEME),
        false => Ok(digest::digest(algorithm, message.bytes())),
    }
}
