//! SIDH as a KEM, as in liboqs. Encapsulation generates an ephemeral key pair and computes the shared secret.
//! The isogeny of the ephemeral key pair has degree 2^e₂ if that of the static key pair has degree 3^e₃, and
//! vice versa.
//!
//! A secret key must be used only once, because crafted ciphertexts reveal it.

use crate::Sidh;
use crate::exchange::Exchange;
use crate::sets::Params;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_hash::{Level, shake256};
use subtle::ConditionallySelectable;
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The exchange of a parameter set.
type ExchangeOf<S> = <S as Params>::Exchange;

/// An encapsulation key (public).
pub struct EncapsKey<S: Params> {
    bytes: S::EncapsKeyBytes,
}

impl<S: Params> grille_core::EncapsKey for EncapsKey<S> {
    type Kem = Sidh<S>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", S::EncapsKeyBytes::LEN, bytes.len())?;
        if !S::is_canonical_public_key(bytes) {
            return Err(Error::InvalidPublicKey { reason: "has a number that is too large" });
        }
        let mut own = S::EncapsKeyBytes::zeroed();
        own.as_mut().copy_from_slice(bytes);
        Ok(Self { bytes: own })
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.as_ref().to_vec()
    }

    /// Encapsulates with a random ephemeral secret key.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Sidh<S>> {
        let mut secret = Zeroizing::new(vec![0; ExchangeOf::<S>::EPHEMERAL_LEN]);
        rng.fill_bytes(&mut secret);
        ExchangeOf::<S>::format_ephemeral(&mut secret);
        let (sent, agreed) = S::send(&secret, self.bytes.as_ref());
        let mut ciphertext = S::CiphertextBytes::zeroed();
        ciphertext.as_mut()[..sent.len()].copy_from_slice(&sent);
        // the ciphertext is sent, so it is public
        ct::public_bytes(ciphertext.as_mut());
        let secret = Secret::try_from(&agreed[..]).expect("an element of the field");
        Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
    }
}

impl<S: Params> Clone for EncapsKey<S> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone() }
    }
}

impl<S: Params> PartialEq for EncapsKey<S> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<S: Params> Eq for EncapsKey<S> {}

impl<S: Params> fmt::Debug for EncapsKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", S::NAME)
    }
}

/// A decapsulation key (secret); erased on drop.
pub struct DecapsKey<S: Params> {
    secret: Zeroizing<Vec<u8>>,
    encaps_key: EncapsKey<S>,
}

impl<S: Params> DecapsKey<S> {
    /// Generates a key pair with a random static secret key.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut secret = Zeroizing::new(vec![0; ExchangeOf::<S>::STATIC_LEN]);
        rng.fill_bytes(&mut secret);
        ExchangeOf::<S>::format_static(&mut secret);
        Self::new(secret)
    }

    /// Computes the public key.
    fn new(secret: Zeroizing<Vec<u8>>) -> Self {
        let (public, _) = S::generate(&secret);
        let mut bytes = S::EncapsKeyBytes::zeroed();
        bytes.as_mut().copy_from_slice(&public);
        Self { secret, encaps_key: EncapsKey { bytes } }
    }
}

/// Returns the shared secret of a ciphertext. The secret key and the result are secret.
fn agree<S: Params>(secret: &[u8], ciphertext: &[u8]) -> Secret<S::SharedBytes> {
    let sent = &ciphertext[..ExchangeOf::<S>::SENT_LEN];
    let (agreed, received) = S::receive(secret, sent);
    let rest_is_zero = ct::equal(&ciphertext[sent.len()..], &vec![0; ciphertext.len() - sent.len()]);
    let canonical = ExchangeOf::<S>::is_canonical(&received) & rest_is_zero;
    // numbers that are too large are rejected implicitly; SIDH itself does not check them
    let mut shared = Secret::<S::SharedBytes>::zeroed();
    shake256(Level::detect(), &[secret, ciphertext], shared.as_mut());
    for (byte, agreed) in shared.as_mut().iter_mut().zip(agreed.iter()) {
        byte.conditional_assign(agreed, canonical);
    }
    shared
}

/// Parses a secret key.
fn parse<S: Params>(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Error::check_len("decapsulation key", S::DecapsKeyBytes::LEN, bytes.len())?;
    let secret = &bytes[..ExchangeOf::<S>::STATIC_LEN];
    if !ExchangeOf::<S>::is_static_key(secret) {
        return Err(Error::InvalidPrivateKey { reason: "has a secret number that is not in its range" });
    }
    Ok(Zeroizing::new(secret.to_vec()))
}

impl<S: Params> grille_core::DecapsKey for DecapsKey<S> {
    type Kem = Sidh<S>;

    /// Parses a secret key and computes the public key. The encoding is padded to the length of the longer of
    /// the two sides' secret keys.
    ///
    /// The padding is ignored, because liboqs does not write it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        parse::<S>(bytes).map(Self::new)
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Zeroizing::new(Vec::with_capacity(S::DecapsKeyBytes::LEN));
        bytes.extend_from_slice(&self.secret);
        bytes.resize(S::DecapsKeyBytes::LEN, 0);
        SecretBytes::new(core::mem::take(&mut *bytes))
    }

    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn encaps_key(&self) -> &EncapsKey<S> {
        &self.encaps_key
    }

    fn decapsulate(&self, ciphertext: &Ciphertext<S::CiphertextBytes>) -> Secret<S::SharedBytes> {
        agree::<S>(&self.secret, ciphertext.as_ref())
    }
}

impl<S: Params> ZeroizeOnDrop for DecapsKey<S> {}

impl<S: Params> fmt::Debug for DecapsKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", S::NAME)
    }
}

/// Decapsulates with an encoded key without computing the public key.
pub(crate) fn decapsulate_encoded<S: Params>(
    decaps_key: &[u8],
    ciphertext: &Ciphertext<S::CiphertextBytes>,
) -> Result<Secret<S::SharedBytes>, Error> {
    Ok(agree::<S>(&parse::<S>(decaps_key)?, ciphertext.as_ref()))
}
