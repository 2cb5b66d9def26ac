//! ECDSA on brainpoolP256r1 and brainpoolP384r1 (RFC 5639), the classical halves of two IETF composites.
//!
//! A signing key is encoded as an `ECPrivateKey` of RFC 5915, with its curve and without its public key. A verifying
//! key is encoded as an uncompressed point. The arithmetic comes from RustCrypto. Nonces are derived as in RFC 6979.
//! With a generator, signing adds randomness to the derivation, as in section 3.6.

use crate::context::check_context;
use crate::signature::Part;
use bp256::BrainpoolP256r1;
use bp384::BrainpoolP384r1;
use der::asn1::OctetStringRef;
use der::oid::ObjectIdentifier;
use der::{Decode, Encode, Sequence};
use ecdsa::DigestAlgorithm;
use ecdsa::elliptic_curve::ops::Invert;
use ecdsa::elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use ecdsa::elliptic_curve::subtle::CtOption;
use ecdsa::elliptic_curve::{CurveArithmetic, Generate, Scalar, SecretKey};
use ecdsa::signature::{RandomizedSigner, Signer, Verifier};
use ecdsa::{EcdsaCurve, Signature, VerifyingKey};
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, Error, SecretBytes, SignatureInfo,
};
use std::marker::PhantomData;
use zeroize::Zeroizing;

/// ECDSA on brainpoolP256r1 with SHA-256; the signing key is an `ECPrivateKey` without its public key.
pub static IETF_BP256_SHA256: Brainpool<BrainpoolP256r1> =
    Brainpool::new("ECDSA-brainpoolP256r1-SHA256, IETF composite part", [65, 52, 72]);
/// ECDSA on brainpoolP384r1 with SHA-384; the signing key is an `ECPrivateKey` without its public key.
pub static IETF_BP384_SHA384: Brainpool<BrainpoolP384r1> =
    Brainpool::new("ECDSA-brainpoolP384r1-SHA384, IETF composite part", [97, 68, 104]);

/// ECDSA on a curve of RFC 5639.
pub struct Brainpool<C> {
    info: SignatureInfo,
    curve: PhantomData<C>,
}

impl<C> Brainpool<C> {
    /// Creates the algorithm. The lengths are in bytes and are the maximum lengths of an encoded verifying
    /// key, an encoded signing key and a signature.
    const fn new(
        name: &'static str,
        [verifying_key_len, signing_key_len, signature_len]: [usize; 3],
    ) -> Self {
        let info = SignatureInfo {
            name,
            verifying_key_len,
            signing_key_len,
            seed_len: None,
            signature_len,
            context_len: 0,
        };
        Self { info, curve: PhantomData }
    }
}

impl<C: Curve> Brainpool<C> {
    /// Returns the algorithm as a part of a composite.
    #[must_use]
    pub const fn part(&'static self) -> Part {
        Part::new(self, &self.info)
    }
}

/// A curve and its hash function.
pub trait Curve:
    EcdsaCurve<FieldBytesSize: ModulusSize>
    + CurveArithmetic<
        AffinePoint: FromSec1Point<Self> + ToSec1Point<Self>,
        Scalar: Invert<Output = CtOption<Scalar<Self>>>,
    > + DigestAlgorithm
{
    /// The curve's object identifier, RFC 5639 section 4.1.
    const OID: ObjectIdentifier;

    /// Encodes a signature as ECDSA-Sig-Value, RFC 3279 section 2.2.3.
    fn write(signature: &Signature<Self>) -> Vec<u8>;

    /// Decodes an ECDSA-Sig-Value; `None` if it is malformed.
    fn read(signature: &[u8]) -> Option<Signature<Self>>;
}

macro_rules! curves {
    ($($curve:ty = $oid:literal;)*) => {$(
        impl Curve for $curve {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);

            fn write(signature: &Signature<Self>) -> Vec<u8> {
                signature.to_der().as_bytes().to_vec()
            }

            fn read(signature: &[u8]) -> Option<Signature<Self>> {
                Signature::from_der(signature).ok()
            }
        }
    )*};
}

curves! {
    BrainpoolP256r1 = "1.3.36.3.3.2.8.1.1.7";
    BrainpoolP384r1 = "1.3.36.3.3.2.8.1.1.11";
}

impl<C: Curve> DynSignature for Brainpool<C> {
    fn info(&self) -> &SignatureInfo {
        &self.info
    }

    fn generate(&self, mut rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        Box::new(Private::<C>(ecdsa::SigningKey::generate_from_rng(&mut rng)))
    }

    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let reason = "is not an ECPrivateKey of this curve without its public key";
        Ok(Box::new(Private::<C>::read(bytes).ok_or(Error::InvalidPrivateKey { reason })?))
    }

    fn signing_key_from_seed(&self, _seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        // accept only one length: RFC 5480's compressed points are shorter
        Error::check_len("public key", self.info.verifying_key_len, bytes.len())?;
        let key = VerifyingKey::<C>::from_sec1_bytes(bytes);
        let invalid = Error::InvalidPublicKey { reason: "is not a key of this algorithm" };
        Ok(Box::new(Public(key.map_err(|_| invalid)?)))
    }
}

/// ECPrivateKey, RFC 5915 section 3, without its public key.
#[derive(Sequence)]
struct EcPrivateKey<'a> {
    version: u8,
    private_key: &'a OctetStringRef,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT")]
    parameters: ObjectIdentifier,
}

/// A private key. RustCrypto erases it on drop.
struct Private<C: Curve>(ecdsa::SigningKey<C>);

impl<C: Curve> Private<C> {
    fn read(bytes: &[u8]) -> Option<Self> {
        let key = EcPrivateKey::from_der(bytes).ok()?;
        let scalar = key.private_key.as_bytes();
        // RFC 5915 requires a scalar that is as long as the order
        let secret = SecretKey::<C>::from_slice(scalar).ok()?;
        let whole = scalar.len() == secret.to_bytes().len();
        (key.version == 1 && key.parameters == C::OID && whole).then(|| Self(secret.into()))
    }
}

const INFALLIBLE: &str = "keys and signatures of these curves are short, and their scalars are not zero";

impl<C: Curve> DynSigningKey for Private<C> {
    fn to_bytes(&self) -> SecretBytes {
        let scalar = Zeroizing::new(self.0.to_bytes().to_vec());
        let private_key = OctetStringRef::new(&scalar).expect(INFALLIBLE);
        let key = EcPrivateKey { version: 1, private_key, parameters: C::OID };
        SecretBytes::new(key.to_der().expect(INFALLIBLE))
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        self.0.verifying_key().to_sec1_point(false).as_bytes().to_vec()
    }

    fn sign(&self, message: &[u8], context: &[u8], mut rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        check_context(context)?;
        let signature: Signature<C> = self.0.try_sign_with_rng(&mut rng, message).expect(INFALLIBLE);
        Ok(C::write(&signature))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        check_context(context)?;
        let signature: Signature<C> = self.0.try_sign(message).expect(INFALLIBLE);
        Ok(C::write(&signature))
    }
}

struct Public<C: Curve>(VerifyingKey<C>);

impl<C: Curve> DynVerifyingKey for Public<C> {
    fn to_bytes(&self) -> Vec<u8> {
        self.0.to_sec1_point(false).as_bytes().to_vec()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        check_context(context)?;
        let signature = C::read(signature).ok_or(Error::InvalidSignature)?;
        self.0.verify(message, &signature).map_err(|_| Error::InvalidSignature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_core::SystemRng;

    fn all() -> [&'static dyn DynSignature; 2] {
        [&IETF_BP256_SHA256, &IETF_BP384_SHA384]
    }

    #[test]
    fn keys_round_trip_and_sign() {
        for algorithm in all() {
            let key = algorithm.generate(&mut SystemRng);
            let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
            assert_eq!(private.as_ref().len(), algorithm.info().signing_key_len);
            assert_eq!(public.len(), algorithm.info().verifying_key_len);
            let read = algorithm.signing_key(private.as_ref()).expect("output of this library is valid");
            assert!(read.to_bytes() == private && read.verifying_key_bytes() == public);
            let verifying = algorithm.verifying_key(&public).expect("output of this library is valid");
            assert_eq!(verifying.to_bytes(), public);
            let [random, other] = [(); 2].map(|()| {
                read.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough")
            });
            assert_ne!(random, other);
            let fixed = read.sign_deterministic(b"message", b"").expect("an empty context is short enough");
            assert_eq!(read.sign_deterministic(b"message", b""), Ok(fixed.clone()));
            for signature in [random, other, fixed] {
                assert!(signature.len() <= algorithm.info().signature_len);
                assert_eq!(verifying.verify(b"message", b"", &signature), Ok(()));
                assert_eq!(verifying.verify(b"massage", b"", &signature), Err(Error::InvalidSignature));
                let mut cut = signature.clone();
                cut.pop();
                assert_eq!(verifying.verify(b"message", b"", &cut), Err(Error::InvalidSignature));
            }
        }
    }

    #[test]
    fn rejects_keys_of_other_forms_and_curves() {
        let [small, large] = all().map(|algorithm| algorithm.generate(&mut SystemRng));
        assert!(all()[1].signing_key(small.to_bytes().as_ref()).is_err());
        assert!(all()[0].signing_key(large.to_bytes().as_ref()).is_err());
        let (document, point) = (small.to_bytes(), small.verifying_key_bytes());
        for length in 0..document.as_ref().len() {
            assert!(all()[0].signing_key(&document.as_ref()[..length]).is_err(), "{length}");
        }
        let mut off_curve = point.clone();
        off_curve[64] ^= 1;
        // a compressed point, and a hybrid form, which RFC 5480 does not define
        let compressed = [&[2 + (point[64] & 1)][..], &point[1..33]].concat();
        let mut hybrid = point.clone();
        hybrid[0] = 6 + (point[64] & 1);
        for bytes in [&off_curve, &compressed, &hybrid] {
            assert!(all()[0].verifying_key(bytes).is_err());
        }
    }
}
