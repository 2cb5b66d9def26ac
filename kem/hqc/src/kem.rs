//! HQC-KEM: keys, Encaps, and Decaps with implicit rejection.

use crate::algorithm::Hqc;
use crate::params::{Params, Vector, codeword_len};
use crate::pke;
use crate::version::{KeySeeds, Version};
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_gf2x::Workspace;
use grille_hash::{Level, sha3_256};
use subtle::{Choice, ConditionallySelectable};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An encapsulation key (public), with its expanded vector h and its hash.
pub struct EncapsKey<P: Params> {
    bytes: P::EncapsKeyBytes,
    h: Vector<P>,
    s: Vector<P>,
    /// H(ek).
    hash: [u8; 32],
}

impl<P: Params> EncapsKey<P> {
    /// Creates the key from the seed of h, and s.
    fn new(level: Level, seed_of_h: &[u8], h: Vector<P>, s: &Vector<P>) -> Self {
        let mut bytes = P::EncapsKeyBytes::zeroed();
        let (seed, rest) = bytes.as_mut().split_at_mut(P::Version::SEED_LEN);
        seed.copy_from_slice(&seed_of_h[..P::Version::SEED_LEN]);
        s.write_bytes(rest);
        // public: s
        ct::public_bytes(bytes.as_mut());
        Self::with_bytes(level, bytes, h)
    }

    fn with_bytes(level: Level, bytes: P::EncapsKeyBytes, h: Vector<P>) -> Self {
        let s = Vector::from_bytes(&bytes.as_ref()[P::Version::SEED_LEN..]);
        let hash = sha3_256(level, &[bytes.as_ref(), &[1]]);
        Self { bytes, h, s, hash }
    }

    /// Parses the seed of h ‖ s.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::EncapsKeyBytes::LEN, bytes.len())?;
        let (seed, s) = bytes.split_at(P::Version::SEED_LEN);
        if !Vector::<P>::is_canonical(s) {
            return Err(Error::InvalidPublicKey { reason: "has bits set after the last bit of s" });
        }
        let mut own = P::EncapsKeyBytes::zeroed();
        own.as_mut().copy_from_slice(bytes);
        let level = Level::detect();
        Ok(Self::with_bytes(level, own, P::Version::sample_public_vector(level, seed)))
    }

    /// Runs HQC-KEM.Encaps. Samples the message of k bytes and, in the version of August 2025, a salt of 16 bytes.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Hqc<P>> {
        let mut message = Zeroizing::new(P::MessageBytes::zeroed());
        let mut ciphertext = P::CiphertextBytes::zeroed();
        rng.fill_bytes(message.as_mut());
        if P::Version::TAIL_IS_RANDOM {
            let tail = Vector::<P>::BYTES + codeword_len::<P>();
            rng.fill_bytes(&mut ciphertext.as_mut()[tail..]);
        }
        let mut workspace = Workspace::new(Level::detect());
        let long = self.encrypt_with_message(&message, &mut ciphertext, &mut workspace);
        let mut secret = Secret::<P::SharedBytes>::zeroed();
        secret.as_mut().copy_from_slice(&long.expose()[..P::SharedBytes::LEN]);
        Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
    }

    /// Encrypts the message and returns the shared secret. Encapsulation and the re-encryption in decapsulation call
    /// this function. Writes the ciphertext, except for the salt of the version of August 2025, which the caller must
    /// have written after u and v. The message, the seeds derived from it and the result are secret.
    fn encrypt_with_message(
        &self,
        message: &P::MessageBytes,
        ciphertext: &mut P::CiphertextBytes,
        workspace: &mut Workspace<P>,
    ) -> Secret<[u8; 64]> {
        let (u_v, tail) = ciphertext.as_mut().split_at_mut(Vector::<P>::BYTES + codeword_len::<P>());
        let derived = P::Version::derive(workspace.level(), &self.hash, message.as_ref(), tail);
        pke::encrypt([&self.h, &self.s], message, derived.theta.expose(), u_v, workspace);
        if !P::Version::TAIL_IS_RANDOM {
            tail.copy_from_slice(&P::Version::compute_tail(message.as_ref()));
        }
        P::Version::compute_secret(derived, message.as_ref(), u_v)
    }
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = Hqc<P>;

    /// Parses the seed of h ‖ s.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::parse(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.as_ref().to_vec()
    }

    /// Runs HQC-KEM.Encaps. Samples the message of k bytes and, in the version of August 2025, a salt of 16 bytes.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<Hqc<P>> {
        P::encapsulate(self, rng)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), h: self.h.clone(), s: self.s.clone(), hash: self.hash }
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<P: Params> Eq for EncapsKey<P> {}

impl<P: Params> fmt::Debug for EncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", P::NAME)
    }
}

/// A decapsulation key (secret). Erased on drop.
pub struct DecapsKey<P: Params> {
    encaps_key: EncapsKey<P>,
    y: Vector<P>,
    seeds: KeySeeds,
    /// The seed of the whole key pair or, in round 3, the seed of x and y followed by the seed of h. All other parts of
    /// the key are derived from it.
    pair_seed: SecretBytes,
}

impl<P: Params> DecapsKey<P> {
    /// Runs HQC-KEM.Keygen. Samples a seed of 32 bytes. Round 3 samples two seeds of 40 bytes instead: first the seed
    /// of x and y, then the seed of h.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        Self::expand(P::Version::sample_seeds(rng))
    }

    /// Runs HQC-KEM.Keygen with the seed of the key pair. Returns an error for the sets of round 3, whose keys have no
    /// such seed.
    pub(crate) fn with_seed(seed: &[u8]) -> Result<Self, Error> {
        let expected = P::Version::KEY_SEED_LEN.ok_or(Error::Unsupported { feature: "seeds" })?;
        Error::check_len("seed", expected, seed.len())?;
        Ok(Self::expand(seed.into()))
    }

    fn expand(pair_seed: SecretBytes) -> Self {
        let level = Level::detect();
        let seeds = P::Version::expand(level, pair_seed.as_ref(), P::K);
        let secret = P::Version::sample_secret_vectors::<P>(level, seeds.xy_seed.expose(), P::OMEGA);
        let h = P::Version::sample_public_vector::<P>(level, &seeds.h_seed);
        let s = pke::keygen(&h, &secret, &mut Workspace::new(level));
        let encaps_key = EncapsKey::new(level, &seeds.h_seed, h, &s);
        let [_, y] = secret;
        Self { encaps_key, y, seeds, pair_seed }
    }

    /// Extracts the input of [`expand`](Self::expand) from an encoded key.
    fn extract_seeds(encoded: &[u8]) -> SecretBytes {
        match P::Version::KEY_SEED_LEN {
            Some(len) => encoded[encoded.len() - len..].into(),
            None => encoded[..2 * P::Version::SEED_LEN].into(),
        }
    }

    /// Parses and checks an encoded key.
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let key = Self::expand(Self::extract_seeds(bytes));
        let expected = grille_core::DecapsKey::to_bytes(&key);
        // public: whether a key is valid
        let same = ct::public(bool::from(ct::equal(expected.as_ref(), bytes)));
        same.then_some(key).ok_or(Error::InvalidPrivateKey { reason: "does not match its seeds" })
    }

    /// Runs HQC-KEM.Decaps.
    pub(crate) fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<P::SharedBytes> {
        let mut workspace = Workspace::new(Level::detect());
        let received = ciphertext.as_ref();
        let message = pke::decrypt(&self.y, received, &mut workspace);
        // re-encrypts the message with the received salt
        let mut again = Zeroizing::new(ciphertext.0.clone());
        let accepted = self.encaps_key.encrypt_with_message(&message, &mut again, &mut workspace);
        let same = ct::equal(again.as_ref(), received);
        // implicit rejection
        let rejected = P::Version::compute_rejection_secret(
            workspace.level(),
            &self.encaps_key.hash,
            &self.seeds,
            received,
        );
        select(&rejected, &accepted, same)
    }
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = Hqc<P>;

    /// Parses ek ‖ the seed of x and y ‖ σ ‖ the seed of the pair. The encoding of round 3 is the seed of x and y ‖ ek.
    ///
    /// Deviation from HQC, which does not check keys: this function generates the key again from its seeds and refuses
    /// an encoding that differs from the result.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        let seed_of_xy = &self.seeds.xy_seed.as_ref()[..P::Version::SEED_LEN];
        let ek = self.encaps_key.bytes.as_ref();
        let parts: &[&[u8]] = match P::Version::KEY_SEED_LEN {
            Some(_) => &[ek, seed_of_xy, self.seeds.sigma.as_ref(), self.pair_seed.as_ref()],
            None => &[seed_of_xy, ek],
        };
        let mut bytes = Vec::with_capacity(P::DecapsKeyBytes::LEN);
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        SecretBytes::new(bytes)
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        P::with_seed(seed)
    }

    fn seed(&self) -> Option<SecretBytes> {
        P::Version::KEY_SEED_LEN.map(|_| self.pair_seed.clone())
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    /// Runs HQC-KEM.Decaps.
    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<P::SharedBytes> {
        P::decapsulate(self, ciphertext)
    }
}

/// Returns the first `B::LEN` bytes of `accepted` if `accept` is true, else the first `B::LEN` bytes of `rejected`. All
/// arguments and results are secret.
fn select<B: Bytes + zeroize::Zeroize>(
    rejected: &Secret<[u8; 64]>,
    accepted: &Secret<[u8; 64]>,
    accept: Choice,
) -> Secret<B> {
    let mut selected = Secret::<B>::zeroed();
    let both = rejected.expose().iter().zip(accepted.expose());
    for (selected, (rejected, accepted)) in selected.as_mut().iter_mut().zip(both) {
        *selected = u8::conditional_select(rejected, accepted, accept);
    }
    selected
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", P::NAME)
    }
}
