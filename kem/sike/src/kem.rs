//! SIKE: KeyGen, Encaps, and Decaps with implicit rejection.

use crate::Sike;
use crate::exchange::Exchange;
use crate::sets::Params;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_hash::{Level, shake256};
use subtle::{Choice, ConditionallySelectable};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The exchange of a parameter set.
type ExchangeOf<S> = <S as Params>::Exchange;

/// Returns the number of bytes of a message. The secret s and a shared secret have the same length.
const fn message_len<S: Params>() -> usize {
    S::SharedBytes::LEN
}

/// Returns SHAKE256 of the parts. All arguments and results are secret.
fn hash(parts: &[&[u8]], len: usize) -> Zeroizing<Vec<u8>> {
    let mut digest = Zeroizing::new(vec![0; len]);
    shake256(Level::detect(), parts, &mut digest);
    digest
}

/// Returns the shared secret H(m ‖ c). The message and the result are secret.
fn derive_secret<S: Params>(message: &[u8], ciphertext: &[u8]) -> Secret<S::SharedBytes> {
    let mut shared = Secret::zeroed();
    shake256(Level::detect(), &[message, ciphertext], shared.as_mut());
    shared
}

/// Adds one bit string to another with XOR. Both values are secret.
fn xor_into(bytes: &mut [u8], other: &[u8]) {
    bytes.iter_mut().zip(other).for_each(|(byte, other)| *byte ^= other);
}

/// An encapsulation key (public).
pub struct EncapsKey<S: Params> {
    bytes: S::EncapsKeyBytes,
}

impl<S: Params> EncapsKey<S> {
    /// Returns the ephemeral secret key that the message determines, G(m ‖ pk). The message and the result
    /// are secret.
    fn ephemeral(&self, message: &[u8]) -> Zeroizing<Vec<u8>> {
        let mut secret = hash(&[message, self.bytes.as_ref()], ExchangeOf::<S>::EPHEMERAL_LEN);
        ExchangeOf::<S>::format_ephemeral(&mut secret);
        secret
    }
}

impl<S: Params> grille_core::EncapsKey for EncapsKey<S> {
    type Kem = Sike<S>;

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

    /// Runs Encaps. Samples the message.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Sike<S>> {
        let mut message = Zeroizing::new(vec![0; message_len::<S>()]);
        rng.fill_bytes(&mut message);
        let secret = self.ephemeral(&message);
        let (sent, agreed) = S::send(&secret, self.bytes.as_ref());
        let mut ciphertext = S::CiphertextBytes::zeroed();
        let (first, masked) = ciphertext.as_mut().split_at_mut(ExchangeOf::<S>::SENT_LEN);
        first.copy_from_slice(&sent);
        masked.copy_from_slice(&message);
        xor_into(masked, &hash(&[&agreed], message_len::<S>()));
        // the ciphertext is sent, so it is public
        ct::public_bytes(ciphertext.as_mut());
        let secret = derive_secret::<S>(&message, ciphertext.as_ref());
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

/// A decapsulation key (secret). Erased on drop.
pub struct DecapsKey<S: Params> {
    /// The secret s, which is hashed with rejected ciphertexts.
    s: Zeroizing<Vec<u8>>,
    /// The static secret key.
    secret: Zeroizing<Vec<u8>>,
    encaps_key: EncapsKey<S>,
    /// The bytes that the exchange stores with the keys.
    stored: Zeroizing<Vec<u8>>,
}

impl<S: Params> DecapsKey<S> {
    /// Runs KeyGen. Samples s and the static secret key.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut s = Zeroizing::new(vec![0; message_len::<S>()]);
        let mut secret = Zeroizing::new(vec![0; ExchangeOf::<S>::STATIC_LEN]);
        rng.fill_bytes(&mut s);
        rng.fill_bytes(&mut secret);
        ExchangeOf::<S>::format_static(&mut secret);
        let (public, stored) = S::generate(&secret);
        let mut bytes = S::EncapsKeyBytes::zeroed();
        bytes.as_mut().copy_from_slice(&public);
        Self { s, secret, encaps_key: EncapsKey { bytes }, stored }
    }

    /// Parses a key. Checks only that its numbers are canonical.
    fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", S::DecapsKeyBytes::LEN, bytes.len())?;
        let (s, rest) = bytes.split_at(message_len::<S>());
        let (secret, rest) = rest.split_at(ExchangeOf::<S>::STATIC_LEN);
        let (public, stored) = rest.split_at(ExchangeOf::<S>::PUBLIC_LEN);
        if !ExchangeOf::<S>::is_static_key(secret) {
            return Err(Error::InvalidPrivateKey { reason: "has a secret number that is too large" });
        }
        let encaps_key = <EncapsKey<S> as grille_core::EncapsKey>::from_bytes(public)
            .map_err(|_| Error::InvalidPrivateKey { reason: "has a public number that is too large" })?;
        let [s, secret, stored] = [s, secret, stored].map(|bytes| Zeroizing::new(bytes.to_vec()));
        Ok(Self { s, secret, encaps_key, stored })
    }
}

impl<S: Params> grille_core::DecapsKey for DecapsKey<S> {
    type Kem = Sike<S>;

    /// Parses s ‖ secret key ‖ encapsulation key, followed by x(K) of the secret kernel K in compressed sets.
    ///
    /// This deviates from SIKE, which does not check keys: this function checks that the parts belong together,
    /// which takes as long as key generation.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let key = Self::parse(bytes)?;
        let (public, stored) = S::generate(&key.secret);
        let same = ct::equal(&public, key.encaps_key.bytes.as_ref()) & ct::equal(&stored, &key.stored);
        // the validity of a key may become public
        ct::public(bool::from(same))
            .then_some(key)
            .ok_or(Error::InvalidPrivateKey { reason: "has parts that do not belong together" })
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Zeroizing::new(Vec::with_capacity(S::DecapsKeyBytes::LEN));
        for part in [&self.s, &self.secret, self.encaps_key.bytes.as_ref(), &self.stored] {
            bytes.extend_from_slice(part);
        }
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

    /// Runs Decaps.
    ///
    /// This deviates from liboqs. If a ciphertext is rejected, the compressed sets of liboqs replace only the
    /// lowest bit of each byte of the message by that of s. This code replaces the whole message by s.
    fn decapsulate(&self, ciphertext: &Ciphertext<S::CiphertextBytes>) -> Secret<S::SharedBytes> {
        let (sent, masked) = ciphertext.as_ref().split_at(ExchangeOf::<S>::SENT_LEN);
        let (agreed, received) = S::receive(&self.secret, sent);
        let mut message = hash(&[&agreed], message_len::<S>());
        xor_into(&mut message, masked);
        let ephemeral = self.encaps_key.ephemeral(&message);
        // implicit rejection: the ciphertext must be the one that the message determines
        let accepted: Choice = S::confirm(&ephemeral, sent, &received, &self.stored);
        for (byte, s) in message.iter_mut().zip(self.s.iter()) {
            *byte = u8::conditional_select(s, byte, accepted);
        }
        derive_secret::<S>(&message, ciphertext.as_ref())
    }
}

impl<S: Params> ZeroizeOnDrop for DecapsKey<S> {}

impl<S: Params> fmt::Debug for DecapsKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", S::NAME)
    }
}

/// Decapsulates with an encoded key without checking that its parts belong together.
pub(crate) fn decapsulate_encoded<S: Params>(
    decaps_key: &[u8],
    ciphertext: &Ciphertext<S::CiphertextBytes>,
) -> Result<Secret<S::SharedBytes>, Error> {
    Ok(grille_core::DecapsKey::decapsulate(&DecapsKey::<S>::parse(decaps_key)?, ciphertext))
}
