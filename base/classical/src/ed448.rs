//! Ed448, RFC 8032 section 5.2: EdDSA on edwards448 with SHAKE256 and a context.
//!
//! A signing key is encoded as a PKCS #8 document, as in RFC 8410. As a part of a composite, a signing key is encoded
//! as the 57-byte private key of RFC 8032. Verifying keys and signatures are encoded as in RFC 8032. The arithmetic
//! comes from ed448-goldilocks. This module also refuses encodings that RFC 8032 sections 5.2.3 and 5.2.7 do not allow.

use crate::key_pair::Form;
use crate::signature::Part;
use der::asn1::{AnyRef, OctetStringRef};
use der::oid::ObjectIdentifier;
use der::{Decode, Encode};
use ed448_goldilocks::{SECRET_KEY_LENGTH, SIGNATURE_LENGTH, Signature, SigningKey, VerifyingKey};
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, Error, SecretBytes, SignatureInfo,
};
use pkcs8::{AlgorithmIdentifierRef, PrivateKeyInfoRef};
use zeroize::Zeroizing;

/// The algorithm Ed448, RFC 8032, with PKCS #8 signing keys.
pub static ED448: Ed448 = Ed448::new("Ed448", 73, Form::Pkcs8);

/// The algorithm Ed448, RFC 8032, with signing keys of 57 bytes, as a part of composites.
pub static PART_ED448: Ed448 = Ed448::new("Ed448, composite part", LEN, Form::Inner);

/// The algorithm Ed448 with one encoding of its signing keys.
pub struct Ed448 {
    info: SignatureInfo,
    form: Form,
}

impl Ed448 {
    const fn new(name: &'static str, signing_key_len: usize, form: Form) -> Self {
        let info = SignatureInfo {
            name,
            verifying_key_len: LEN,
            signing_key_len,
            seed_len: None,
            signature_len: SIGNATURE_LENGTH,
            context_len: 255,
        };
        Self { info, form }
    }

    /// Returns the algorithm as a part of a composite.
    #[must_use]
    pub const fn part(&'static self) -> Part {
        Part::new(self, &self.info)
    }
}

/// The length of points, scalars and keys in bytes.
const LEN: usize = SECRET_KEY_LENGTH;

/// The object identifier id-Ed448, RFC 8410 section 3.
const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.113");

const INFALLIBLE: &str = "a key of 57 bytes is short enough for DER";

impl DynSignature for Ed448 {
    fn info(&self) -> &SignatureInfo {
        &self.info
    }

    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        let mut seed = Zeroizing::new([0; LEN]);
        rng.fill_bytes(seed.as_mut());
        Box::new(Private::from_seed(&seed, self.form))
    }

    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let invalid = Error::InvalidPrivateKey { reason: "is not a PKCS #8 document of this algorithm" };
        let key = match self.form {
            Form::Inner | Form::InnerWithoutPublicKey => {
                bytes.try_into().ok().map(|seed| Private::from_seed(seed, self.form))
            }
            Form::Pkcs8 => Private::from_pkcs8(bytes),
        };
        Ok(Box::new(key.ok_or(invalid)?))
    }

    fn signing_key_from_seed(&self, _seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        Error::check_len("public key", LEN, bytes.len())?;
        let point = <&[u8; LEN]>::try_from(bytes).ok().filter(|point| is_canonical(point));
        let key = point.and_then(|point| VerifyingKey::from_bytes(point).ok());
        Ok(Box::new(Public(key.ok_or(Error::InvalidPublicKey { reason: "is not a key of this algorithm" })?)))
    }
}

/// A private key. ed448-goldilocks erases it on drop.
struct Private {
    key: SigningKey,
    seed: SecretBytes,
    form: Form,
}

impl Private {
    fn from_seed(seed: &[u8; LEN], form: Form) -> Self {
        let array = Zeroizing::new((*seed).into());
        Self { key: SigningKey::from(&*array), seed: SecretBytes::from(seed.as_slice()), form }
    }

    /// Parses a OneAsymmetricKey, RFC 8410 section 7. If it contains a public key, that public key must
    /// belong to the private key.
    fn from_pkcs8(document: &[u8]) -> Option<Self> {
        let info = PrivateKeyInfoRef::try_from(document).ok()?;
        if info.algorithm != (AlgorithmIdentifierRef { oid: OID, parameters: None }) {
            return None;
        }
        // CurvePrivateKey: an OCTET STRING within the OCTET STRING privateKey
        let inner = <&OctetStringRef>::from_der(info.private_key.as_bytes()).ok()?;
        let key = Self::from_seed(inner.as_bytes().try_into().ok()?, Form::Pkcs8);
        let own = |public: &[u8]| public == key.key.verifying_key().as_bytes().as_slice();
        let same = info.public_key.as_ref().is_none_or(|public| public.as_bytes().is_some_and(own));
        same.then_some(key)
    }
}

impl DynSigningKey for Private {
    fn to_bytes(&self) -> SecretBytes {
        if self.form != Form::Pkcs8 {
            return SecretBytes::from(self.seed.as_ref());
        }
        let inner = OctetStringRef::new(self.seed.as_ref()).expect(INFALLIBLE);
        let inner = Zeroizing::new(inner.to_der().expect(INFALLIBLE));
        let inner = OctetStringRef::new(&inner).expect(INFALLIBLE);
        let info = PrivateKeyInfoRef::new(
            AlgorithmIdentifierRef { oid: OID, parameters: None::<AnyRef<'_>> },
            inner,
        );
        SecretBytes::new(info.to_der().expect(INFALLIBLE))
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        self.key.verifying_key().as_bytes().to_vec()
    }

    fn sign(&self, message: &[u8], context: &[u8], _rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        self.sign_deterministic(message, context)
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        let too_long = Error::ContextTooLong { max: ED448.info.context_len, got: context.len() };
        Ok(self.key.sign_ctx(context, message).map_err(|_| too_long)?.to_bytes().to_vec())
    }
}

struct Public(VerifyingKey);

impl DynVerifyingKey for Public {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        if context.len() > ED448.info.context_len {
            return Err(Error::ContextTooLong { max: ED448.info.context_len, got: context.len() });
        }
        let signature = Signature::from_slice(signature).map_err(|_| Error::InvalidSignature)?;
        if !is_canonical(signature.r_bytes()) {
            return Err(Error::InvalidSignature);
        }
        self.0.verify_ctx(&signature, context, message).map_err(|_| Error::InvalidSignature)
    }
}

/// Checks whether a point is encoded as RFC 8032 section 5.2.2 requires: 56 bytes of y below p, then one byte whose
/// highest bit is the sign of x and whose other seven bits are zero. ed448-goldilocks reduces y and ignores these seven
/// bits.
fn is_canonical(point: &[u8; LEN]) -> bool {
    let [y @ .., x] = point;
    x & 0x7F == 0 && y.iter().rev().lt(P.iter().rev())
}

/// The prime p = 2^448 - 2^224 - 1, little-endian.
const P: [u8; 56] = {
    let mut p = [0xFF; 56];
    p[28] = 0xFE;
    p
};

#[cfg(test)]
mod tests {
    use super::*;
    use grille_core::SystemRng;

    #[test]
    fn key_round_trips_and_signature_binds_the_context() {
        let key = ED448.generate(&mut SystemRng);
        let (document, public) = (key.to_bytes(), key.verifying_key_bytes());
        assert_eq!(document.as_ref().len(), ED448.info.signing_key_len);
        let read = ED448.signing_key(document.as_ref()).expect("output of this library is valid");
        assert!(read.to_bytes() == document && read.verifying_key_bytes() == public);
        let signature = read.sign(b"message", b"context", &mut SystemRng).expect("short");
        let public = ED448.verifying_key(&public).expect("output of this library is valid");
        assert_eq!(public.verify(b"message", b"context", &signature), Ok(()));
        assert!(public.verify(b"message", b"", &signature).is_err());
        assert!(public.verify(b"massage", b"context", &signature).is_err());
        let long = [0; 256];
        let too_long = Error::ContextTooLong { max: 255, got: 256 };
        assert_eq!(read.sign_deterministic(b"", &long), Err(too_long));
        assert_eq!(public.verify(b"", &long, &signature), Err(too_long));
        let longest = read.sign_deterministic(b"", &long[1..]).expect("255 bytes");
        assert_eq!(public.verify(b"", &long[1..], &longest), Ok(()));
    }

    #[test]
    fn composite_part_encodes_the_raw_key() {
        let key = PART_ED448.generate(&mut SystemRng);
        let bytes = key.to_bytes();
        assert_eq!(bytes.as_ref().len(), LEN);
        let read = PART_ED448.signing_key(bytes.as_ref()).expect("output of this library is valid");
        assert!(read.to_bytes() == bytes && read.verifying_key_bytes() == key.verifying_key_bytes());
        assert!(PART_ED448.signing_key(ED448.generate(&mut SystemRng).to_bytes().as_ref()).is_err());
        assert!(ED448.signing_key(bytes.as_ref()).is_err());
    }

    #[test]
    fn rejects_foreign_and_inconsistent_documents() {
        let key = ED448.generate(&mut SystemRng);
        let document = key.to_bytes();
        let info = PrivateKeyInfoRef::try_from(document.as_ref()).expect("output of this library is valid");
        let with = |public: &[u8]| {
            let public = der::asn1::BitStringRef::from_bytes(public).expect("short");
            PrivateKeyInfoRef { public_key: Some(public), ..info.clone() }.to_der().expect("short")
        };
        let (own, other) = (key.verifying_key_bytes(), ED448.generate(&mut SystemRng).verifying_key_bytes());
        assert!(ED448.signing_key(&with(&own)).is_ok());
        assert!(ED448.signing_key(&with(&other)).is_err());
        for algorithm in [
            AlgorithmIdentifierRef { oid: ObjectIdentifier::new_unwrap("1.3.101.112"), parameters: None },
            AlgorithmIdentifierRef { oid: OID, parameters: Some(AnyRef::NULL) },
        ] {
            let foreign = PrivateKeyInfoRef { algorithm, ..info.clone() }.to_der().expect("short");
            assert!(ED448.signing_key(&foreign).is_err());
        }
    }

    #[test]
    fn rejects_non_canonical_points() {
        let public = ED448.generate(&mut SystemRng).verifying_key_bytes();
        for bit in 0..7 {
            let mut other = public.clone();
            other[56] ^= 1 << bit;
            assert!(ED448.verifying_key(&other).is_err(), "{bit}");
        }
        let mut point = [0; LEN];
        point[..56].copy_from_slice(&P);
        assert!(!is_canonical(&point), "p is 0");
        point[0] = 0xFE;
        assert!(is_canonical(&point), "p - 1");
        // the neutral element, and the point of order two
        let mut one = [0; LEN];
        one[0] = 1;
        assert!(ED448.verifying_key(&one).is_err() && ED448.verifying_key(&point).is_err());
    }

    #[test]
    fn rejects_signature_scalars_of_the_order_or_more() {
        let key = ED448.generate(&mut SystemRng);
        let public =
            ED448.verifying_key(&key.verifying_key_bytes()).expect("output of this library is valid");
        let signature = key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
        // a lax verifier would also accept S + L, where L is the order in RFC 8032 section 5.2, little-endian
        let order = "f34458ab92c27823558fc58d72c26c219036d6ae49db4ec4e923ca7cffffffffffffffffffffffffffffffffffffffffffffffffffffff3f00";
        let mut sum = signature.clone();
        let mut carry = 0;
        for (byte, order) in sum[LEN..].iter_mut().zip(base16ct::lower::decode_vec(order).expect("digits")) {
            carry += u16::from(*byte) + u16::from(order);
            *byte = carry as u8;
            carry >>= 8;
        }
        assert_eq!(public.verify(b"message", b"", &signature), Ok(()));
        assert_eq!(public.verify(b"message", b"", &sum), Err(Error::InvalidSignature));
    }
}
