//! Key encapsulation mechanisms as types.

use crate::encapsulated::format_lengths;
use crate::{Error, SecretBytes, StreamedEncapsulation};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use rand_core::CryptoRng;

/// The name and the lengths of a KEM. All lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KemInfo {
    /// The standard's own spelling, such as `ML-KEM-768`.
    pub name: &'static str,
    /// The length of an encoded encapsulation key (public).
    pub encaps_key_len: usize,
    /// The length of a decapsulation key in the standard's expanded form (secret).
    pub decaps_key_len: usize,
    /// The length of the seed that key generation expands; `None` if the standard has no seed.
    pub seed_len: Option<usize>,
    /// The length of a ciphertext.
    pub ciphertext_len: usize,
    /// The length of a shared secret.
    pub shared_secret_len: usize,
}

/// A key encapsulation mechanism.
pub trait Kem: Sized + Send + Sync + 'static {
    /// The name and the lengths.
    const INFO: KemInfo;
    /// The secret key; it contains its public key.
    type DecapsKey: DecapsKey<Kem = Self>;
    /// The public key.
    type EncapsKey: EncapsKey<Kem = Self>;
    /// A ciphertext; `try_from` checks its length once.
    type Ciphertext: AsRef<[u8]> + for<'a> TryFrom<&'a [u8], Error = Error>;
    /// The secret that both sides share.
    type SharedSecret: AsRef<[u8]>;

    /// Generates a key pair.
    fn generate(rng: &mut dyn CryptoRng) -> Self::DecapsKey;

    /// Generates a key pair on the heap. Families with large keys create them directly on the heap, so that no copy
    /// stays on the stack.
    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self::DecapsKey> {
        Box::new(Self::generate(rng))
    }

    /// Generates `count` key pairs, with the same results and the same calls of the random generator as `count` calls
    /// of [`generate`](Self::generate).
    ///
    /// `generate_many`, `encapsulate_many` and `decapsulate_many` are for servers and key pools. Families with batched
    /// implementations state how much time these implementations save. Operations that do not fill a batch run one
    /// after the other. In families without batched implementations, all operations do.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<Self::DecapsKey> {
        (0..count).map(|_| Self::generate(rng)).collect()
    }

    /// Creates a fresh shared secret for each of `keys`, which may contain a key more than once. Reads the same random
    /// bytes as one call of [`EncapsKey::encapsulate`] per key.
    fn encapsulate_many(keys: &[&Self::EncapsKey], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        keys.iter().map(|key| key.encapsulate(rng)).collect()
    }

    /// Decapsulates each ciphertext with its key, as [`DecapsKey::decapsulate`] does.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Self::SharedSecret> {
        received.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext)).collect()
    }

    /// Decapsulates `ciphertext` with an encoded decapsulation key that is used only once. The result is that of
    /// [`DecapsKey::from_bytes`] followed by [`DecapsKey::decapsulate`]; some families have a faster implementation and
    /// document it.
    ///
    /// Performs at least the checks of `from_bytes` that the standard's decapsulation requires. A key whose
    /// parts do not belong together may be refused or used. If such a key is used, the secrets are unrelated
    /// to the ciphertext.
    ///
    /// # Errors
    /// Returns the errors of [`DecapsKey::from_bytes`], except for errors of skipped checks.
    fn decapsulate_encoded(
        decaps_key: &[u8],
        ciphertext: &Self::Ciphertext,
    ) -> Result<Self::SharedSecret, Error> {
        Ok(Self::DecapsKey::from_bytes(decaps_key)?.decapsulate(ciphertext))
    }

    /// Starts to encapsulate with an encoded key that arrives in pieces, so that the key need not be in memory as a
    /// whole. Reads all random bytes of the encapsulation. Returns `None` if the KEM needs the whole key at once.
    fn begin_encapsulation(_rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
        None
    }
}

/// A public key that was parsed, checked and expanded once.
pub trait EncapsKey: Sized + Send + Sync + 'static {
    /// The KEM of this key.
    type Kem: Kem;

    /// Parses and checks an encoded key.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPublicKey`] if the bytes are not canonical.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// Parses and checks an encoded key, on the heap. See [`Kem::generate_boxed`] for the reason.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        Self::from_bytes(bytes).map(Box::new)
    }

    /// Encodes the key.
    fn to_bytes(&self) -> Vec<u8>;

    /// Copies bytes of the encoded key, starting with the byte at `offset`, to the start of `out`. Copies as many bytes
    /// as there are and as fit. Returns their number.
    ///
    /// KEMs with large keys copy only these bytes. By default, the whole key is encoded first.
    fn copy_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        copy_piece(&self.to_bytes(), offset, out)
    }

    /// Creates a fresh shared secret and the ciphertext that carries it.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Self::Kem>;
}

/// Copies the bytes of `whole` that start at `offset` to the start of `out`, as many as there are and as fit. Returns
/// their number.
pub fn copy_piece(whole: &[u8], offset: usize, out: &mut [u8]) -> usize {
    let rest = whole.get(offset..).unwrap_or_default();
    let len = rest.len().min(out.len());
    out[..len].copy_from_slice(&rest[..len]);
    len
}

/// A secret key.
pub trait DecapsKey: Sized + Send + Sync + 'static {
    /// The KEM of this key.
    type Kem: Kem;

    /// Parses and checks the standard's expanded encoding.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPrivateKey`] if the key fails the
    /// standard's checks.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// Like [`from_bytes`](Self::from_bytes), but returns the key on the heap. Families with large keys override this
    /// function, so that no copy of the key stays on the stack; the default body does not ensure this.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        Self::from_bytes(bytes).map(Box::new)
    }

    /// Encodes the key in the standard's expanded form.
    fn to_bytes(&self) -> SecretBytes;

    /// Expands a seed. The same seed always gives the same key.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::Unsupported`] if the algorithm has no seeds.
    fn from_seed(seed: &[u8]) -> Result<Self, Error>;

    /// Returns the seed of this key; `None` if the key was parsed from its expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// Returns the public key.
    fn encaps_key(&self) -> &<Self::Kem as Kem>::EncapsKey;

    /// Decapsulates a ciphertext: returns the shared secret that it carries.
    ///
    /// Never fails. A modified ciphertext yields an unrelated secret, always the same one for the same ciphertext and
    /// key ("implicit rejection"), in constant time.
    fn decapsulate(&self, ciphertext: &<Self::Kem as Kem>::Ciphertext) -> <Self::Kem as Kem>::SharedSecret;
}

/// A decapsulation key and a ciphertext for it.
pub type Received<'a, K> = (&'a <K as Kem>::DecapsKey, &'a <K as Kem>::Ciphertext);

/// The result of encapsulation. The fields have names so that callers cannot swap them.
pub struct Encapsulated<K: Kem> {
    /// The ciphertext, to be sent to the holder of the decapsulation key.
    pub ciphertext: K::Ciphertext,
    /// The shared secret, which must stay private.
    pub secret: K::SharedSecret,
}

/// Shows only the lengths.
impl<K: Kem> fmt::Debug for Encapsulated<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format_lengths(f, "Encapsulated", self.ciphertext.as_ref(), self.secret.as_ref())
    }
}
