//! Key encapsulation mechanisms, as types.

use crate::{Error, SecretBytes};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// The name and the lengths of a KEM; all lengths are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KemInfo {
    /// The standard's own spelling, such as `ML-KEM-768`.
    pub name: &'static str,
    /// An encoded encapsulation key (public).
    pub encaps_key_len: usize,
    /// An encoded decapsulation key in the standard's expanded form (secret).
    pub decaps_key_len: usize,
    /// The seed that key generation expands, where the standard has one.
    pub seed_len: Option<usize>,
    /// A ciphertext.
    pub ciphertext_len: usize,
    /// A shared secret.
    pub shared_secret_len: usize,
}

/// A key encapsulation mechanism.
pub trait Kem: Sized + Send + Sync + 'static {
    /// Name and lengths.
    const INFO: KemInfo;
    /// The secret key; holds its public key.
    type DecapsKey: DecapsKey<Kem = Self>;
    /// The public key.
    type EncapsKey: EncapsKey<Kem = Self>;
    /// Bytes of the right length, checked once by `try_from`.
    type Ciphertext: AsRef<[u8]> + for<'a> TryFrom<&'a [u8], Error = Error>;
    /// What both sides end up with.
    type SharedSecret: AsRef<[u8]>;

    /// A new key pair.
    fn generate(rng: &mut dyn CryptoRng) -> Self::DecapsKey;

    /// The same on the heap. Keys are large: a family makes them there, and not on the stack to be copied from frame to
    /// frame.
    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self::DecapsKey> {
        Box::new(Self::generate(rng))
    }

    /// `count` key pairs: those that as many calls of [`generate`](Self::generate) would make, with the same draws.
    ///
    /// This and the next two are for servers and pools of keys. A family that works for many at once gives them texts of
    /// their own and says what they save; elsewhere, and for what is left over, the operations run one after the other.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<Self::DecapsKey> {
        (0..count).map(|_| Self::generate(rng)).collect()
    }

    /// A fresh shared secret for each of `keys`, which may repeat, with the draws of as many calls of
    /// [`EncapsKey::encapsulate`].
    fn encapsulate_many(keys: &[&Self::EncapsKey], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        keys.iter().map(|key| key.encapsulate(rng)).collect()
    }

    /// The secret of each ciphertext with its key, as [`DecapsKey::decapsulate`] finds it.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Self::SharedSecret> {
        received.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext)).collect()
    }

    /// The shared secret that `ciphertext` carries, with an encoded decapsulation key that is needed once: the same as
    /// [`DecapsKey::from_bytes`] and [`DecapsKey::decapsulate`], and faster where a family says so.
    ///
    /// Of the checks of `from_bytes` those are made that the standard's decapsulation has, and perhaps others. A key whose
    /// parts do not belong together may be refused or used; if it is used, its secrets are unrelated ones.
    ///
    /// # Errors
    /// As [`DecapsKey::from_bytes`], but for that.
    fn decapsulate_encoded(
        decaps_key: &[u8],
        ciphertext: &Self::Ciphertext,
    ) -> Result<Self::SharedSecret, Error> {
        Ok(Self::DecapsKey::from_bytes(decaps_key)?.decapsulate(ciphertext))
    }
}

/// A public key, parsed, checked and expanded once.
pub trait EncapsKey: Sized + Send + Sync + 'static {
    /// The algorithm it belongs to.
    type Kem: Kem;

    /// Parses and checks an encoded key.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::InvalidPublicKey`] if the bytes are not canonical.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// The same on the heap, for the reason of [`Kem::generate_boxed`].
    ///
    /// # Errors
    /// As there.
    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        Self::from_bytes(bytes).map(Box::new)
    }

    /// The encoded key.
    fn to_bytes(&self) -> Vec<u8>;

    /// A fresh shared secret and the ciphertext that carries it.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Self::Kem>;
}

/// A secret key.
pub trait DecapsKey: Sized + Send + Sync + 'static {
    /// The algorithm it belongs to.
    type Kem: Kem;

    /// Parses and checks the standard's expanded encoding.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::InvalidPrivateKey`] if the key fails the standard's checks.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// The same on the heap, for the reason of [`Kem::generate_boxed`]: no copy of the key stays on the stack.
    ///
    /// # Errors
    /// As there.
    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        Self::from_bytes(bytes).map(Box::new)
    }

    /// The standard's expanded encoding.
    fn to_bytes(&self) -> SecretBytes;

    /// Expands a seed; the same seed always gives the same key.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::Unsupported`] where the algorithm has no seeds.
    fn from_seed(seed: &[u8]) -> Result<Self, Error>;

    /// The seed this key was made from; `None` if it came in expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// The public half.
    fn encaps_key(&self) -> &<Self::Kem as Kem>::EncapsKey;

    /// The shared secret that `ciphertext` carries.
    ///
    /// Total: a ciphertext that was tampered with yields an unrelated secret, always the same one for the same
    /// ciphertext and key ("implicit rejection"), in constant time.
    fn decapsulate(&self, ciphertext: &<Self::Kem as Kem>::Ciphertext) -> <Self::Kem as Kem>::SharedSecret;
}

/// A key, and a ciphertext to be decapsulated with it.
pub type Received<'a, K> = (&'a <K as Kem>::DecapsKey, &'a <K as Kem>::Ciphertext);

/// What encapsulation returns; named, so that nobody swaps the two.
pub struct Encapsulated<K: Kem> {
    /// To be sent to the holder of the decapsulation key.
    pub ciphertext: K::Ciphertext,
    /// To be kept.
    pub secret: K::SharedSecret,
}
