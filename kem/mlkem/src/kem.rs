//! ML-KEM, FIPS 203 sections 6 and 7: keys, encapsulation, and decapsulation with implicit rejection.

use crate::algorithm::MlKem;
use crate::backend::{Backend, Operation, dispatch};
use crate::encoded_key::EncodedKey;
use crate::expand::{matrix_and_hash, matrix_hash_and_message};
use crate::keygen::KeyGeneration;
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use crate::poly::NttPoly;
use crate::version::Version;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Array, Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, boxed, ct};
use zeroize::ZeroizeOnDrop;

/// An encapsulation key (public) that has been checked.
///
/// Each encapsulation expands the matrix and hashes the key in shared Keccak calls. To encapsulate to a key
/// more than once, [`prepare`](Self::prepare) it first.
pub struct EncapsKey<P: Params> {
    pub(crate) pke: EncryptionKey<P>,
}

impl<P: Params> EncapsKey<P> {
    /// Runs ML-KEM.Encaps_internal, FIPS 203 Algorithm 17, for tests against vectors.
    ///
    /// The secret `m` is used unchanged, whereas Encaps of round 3 hashes it first.
    #[must_use]
    pub fn encaps_internal(&self, m: &[u8; 32]) -> Encapsulated<MlKem<P>> {
        P::encapsulate_internal(self, m)
    }

    /// Expands the matrix and hashes the key, for many encapsulations. Each encapsulation is then several times faster.
    /// Preparation costs about as much as one encapsulation and adds k²·512 bytes for the matrix.
    #[must_use]
    pub fn prepare(&self) -> PreparedEncapsKey<P> {
        let mut a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        let h = P::expand(self, &mut a_hat_t);
        PreparedEncapsKey { key: self.clone(), a_hat_t, h }
    }

    /// Parses a key into this one, which is zeroed.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.pke.read_checked("encapsulation key", bytes)
    }

    /// Expands Âᵀ into a zeroed matrix and returns H(ek).
    pub(crate) fn expand(&self, a_hat_t: &mut P::NttMatrix) -> [u8; 32] {
        dispatch(Expand(self, a_hat_t))
    }

    /// Runs ML-KEM.Encaps, FIPS 203 Algorithm 20.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<MlKem<P>> {
        dispatch(Encapsulate { key: self, random: Secret::random(rng) })
    }

    /// Runs ML-KEM.Encaps_internal, FIPS 203 Algorithm 17.
    pub(crate) fn encapsulate_internal(&self, m: &[u8; 32]) -> Encapsulated<MlKem<P>> {
        dispatch(Encaps { key: self, m })
    }

    /// Runs ML-KEM.Encaps, FIPS 203 Algorithm 20, with Âᵀ and H(ek).
    pub(crate) fn encapsulate_prepared(
        &self,
        a_hat_t: &P::NttMatrix,
        h: &[u8; 32],
        rng: &mut dyn CryptoRng,
    ) -> Encapsulated<MlKem<P>> {
        dispatch(EncapsulatePrepared { key: self, a_hat_t, h, random: Secret::random(rng) })
    }

    /// Expands Âᵀ into a zeroed matrix and returns H(ek).
    #[inline(always)]
    fn expand_with<B: Backend>(&self, backend: B, a_hat_t: &mut P::NttMatrix) -> [u8; 32] {
        matrix_and_hash::<P, B>(backend, self.pke.source(), a_hat_t.as_mut(), self.pke.as_bytes().as_ref())
    }

    /// Runs ML-KEM.Encaps_internal, FIPS 203 Algorithm 17, with Âᵀ and H(ek).
    #[inline(always)]
    fn encaps<B: Backend>(
        &self,
        backend: B,
        a_hat_t: &P::NttMatrix,
        h: &[u8; 32],
        m: &[u8; 32],
    ) -> Encapsulated<MlKem<P>> {
        // (K, r) ← G(m ‖ H(ek))
        let k_and_r = P::Version::g(backend.level(), &[m, h]);
        let (k, r) = k_and_r.split_first_chunk().expect("64 bytes");
        // c ← K-PKE.Encrypt(ek, m, r)
        let c = self.pke.encrypt_with(backend, a_hat_t, m, r.first_chunk().expect("64 bytes"));
        let secret = P::Version::derive_secret(backend.level(), k, c.as_ref());
        Encapsulated { ciphertext: Ciphertext(c), secret }
    }
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = MlKem<P>;

    /// Parses a key with the modulus check of FIPS 203 section 7.2, in all versions. Deviation from round 3,
    /// which reduces larger coefficients modulo q.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self { pke: EncryptionKey::with_rho(&[0; 32]) };
        P::read(&mut key, bytes)?;
        Ok(key)
    }

    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut key = boxed(|| Self { pke: EncryptionKey::with_rho(&[0; 32]) });
        P::read(&mut key, bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.pke.as_bytes().as_ref().to_vec()
    }

    /// Runs ML-KEM.Encaps, FIPS 203 Algorithm 20. Samples 32 random bytes.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<MlKem<P>> {
        P::encapsulate(self, rng)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { pke: self.pke.clone() }
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.pke == other.pke
    }
}

impl<P: Params> Eq for EncapsKey<P> {}

impl<P: Params> fmt::Debug for EncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", P::NAME)
    }
}

/// An encapsulation key (public) for many encapsulations; see [`EncapsKey::prepare`].
pub struct PreparedEncapsKey<P: Params> {
    key: EncapsKey<P>,
    /// The matrix Âᵀ row by row, in [0, q).
    a_hat_t: P::NttMatrix,
    /// The hash H(ek).
    h: [u8; 32],
}

impl<P: Params> PreparedEncapsKey<P> {
    /// Runs ML-KEM.Encaps, FIPS 203 Algorithm 20. Samples 32 random bytes.
    pub fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<MlKem<P>> {
        P::encapsulate_prepared(&self.key, &self.a_hat_t, &self.h, rng)
    }

    /// Returns the key without the prepared data.
    #[must_use]
    pub const fn encaps_key(&self) -> &EncapsKey<P> {
        &self.key
    }
}

impl<P: Params> Clone for PreparedEncapsKey<P> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), a_hat_t: self.a_hat_t.clone(), h: self.h }
    }
}

impl<P: Params> fmt::Debug for PreparedEncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, prepared", self.key)
    }
}

/// A decapsulation key (secret). Erased on drop.
///
/// The key includes the matrix (k²·512 bytes), so that the re-encryption in decapsulation need not expand it.
/// Key generation needs the matrix anyway. For an encoded key, the matrix shares the Keccak calls of the hash
/// check.
pub struct DecapsKey<P: Params> {
    pub(crate) encaps_key: EncapsKey<P>,
    /// The matrix Âᵀ row by row, in [0, q).
    pub(crate) a_hat_t: P::NttMatrix,
    /// The hash H(ek).
    pub(crate) h: [u8; 32],
    pub(crate) pke: DecryptionKey<P>,
    /// The secret z, which is hashed with rejected ciphertexts.
    pub(crate) z: Secret<[u8; 32]>,
    /// The seed d; `None` if the key was parsed from its expanded form.
    pub(crate) d: Option<Secret<[u8; 32]>>,
}

impl<P: Params> DecapsKey<P> {
    /// Runs ML-KEM.KeyGen, FIPS 203 Algorithm 19. ML-KEM samples d and z together, as 64 bytes. Round 3
    /// samples them separately, as 32 bytes each.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        Self::generate_from(&P::Version::sample_seed(rng))
    }

    /// Generates the key from d ‖ z.
    pub(crate) fn generate_from(seed: &Secret<[u8; 64]>) -> Self {
        let mut key = Self::with_seed(seed.expose(), &[0; 32]);
        P::generate(seed.expose(), &mut key);
        key
    }

    /// Generates a key on the heap without a copy on the stack; see [`generate`](Self::generate).
    pub(crate) fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self> {
        let seed = P::Version::sample_seed(rng);
        let mut key = boxed(|| Self::with_seed(seed.expose(), &[0; 32]));
        P::generate(seed.expose(), &mut key);
        key
    }

    /// Generates the key from d ‖ z in this key, which holds only them.
    pub(crate) fn generate_in_place(&mut self, seed: &[u8; 64]) {
        dispatch(KeyGen(seed, self));
    }

    /// Parses dk_PKE ‖ ek ‖ H(ek) ‖ z, with all checks.
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        let encoded = EncodedKey::split::<P>(bytes)?;
        let mut key = Self::with_z(encoded.z, None, &[0; 32]);
        dispatch(Import(encoded, &mut key))?;
        Ok(key)
    }

    /// Encodes the key as dk_PKE ‖ ek ‖ H(ek) ‖ z.
    pub(crate) fn export(&self) -> SecretBytes {
        dispatch(Export(self))
    }

    /// Creates a key that holds only the seed d ‖ z and rho; key generation fills in the rest.
    #[inline(always)]
    pub(crate) fn with_seed(seed: &[u8; 64], rho: &[u8; 32]) -> Self {
        let (d, z) = seed.split_first_chunk().expect("64 bytes");
        Self::with_z(z.first_chunk().expect("64 bytes"), Some(Secret::new(*d)), rho)
    }

    /// Creates a key that holds only z, rho and, if given, d.
    #[inline(always)]
    fn with_z(z: &[u8; 32], d: Option<Secret<[u8; 32]>>, rho: &[u8; 32]) -> Self {
        Self {
            encaps_key: EncapsKey { pke: EncryptionKey::with_rho(rho) },
            a_hat_t: P::NttMatrix::from_fn(|_| NttPoly::ZERO),
            h: [0; 32],
            pke: DecryptionKey::zeroed(),
            z: Secret::new(*z),
            d,
        }
    }

    /// Runs ML-KEM.KeyGen_internal, FIPS 203 Algorithm 16. The same d and z always give the same key.
    #[must_use]
    pub fn keygen_internal(d: &[u8; 32], z: &[u8; 32]) -> Self {
        let mut seed = Secret::<[u8; 64]>::zeroed();
        seed.as_mut()[..32].copy_from_slice(d);
        seed.as_mut()[32..].copy_from_slice(z);
        Self::generate_from(&seed)
    }

    /// Runs ML-KEM.Decaps_internal, FIPS 203 Algorithm 18.
    #[must_use]
    pub fn decaps_internal(&self, c: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        P::decapsulate(self, c)
    }
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = MlKem<P>;

    /// Parses dk_PKE ‖ ek ‖ H(ek) ‖ z, with the hash check of FIPS 203 section 7.3. The coefficients of both keys must
    /// be below q.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        P::export(self)
    }

    /// Expands the seed d ‖ z.
    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Error::check_len("seed", 64, seed.len())?;
        Ok(Self::generate_from(&Secret::try_from(seed)?))
    }

    fn seed(&self) -> Option<SecretBytes> {
        let d = self.d.as_ref()?;
        Some(SecretBytes::new([d.as_ref(), self.z.as_ref()].concat()))
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        self.decaps_internal(ciphertext)
    }
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key", P::NAME)
    }
}

struct KeyGen<'a, P: Params>(&'a [u8; 64], &'a mut DecapsKey<P>);

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self(seed, key) = self;
        let (d, _) = seed.split_first_chunk().expect("64 bytes");
        // (rho, sigma) ← G(d ‖ k)
        let seeds = P::Version::expand_seed(backend.level(), d, P::K as u8);
        let (rho, sigma) = seeds.split_first_chunk().expect("64 bytes");
        // rho is public, because it is part of the encryption key
        let rho = &ct::public(*rho);
        let DecapsKey { encaps_key, a_hat_t, pke, h, .. } = key;
        encaps_key.pke.set_rho(rho);
        let mut keys = KeyGeneration::new(rho, a_hat_t, &mut encaps_key.pke, pke);
        keys.run(backend, sigma.first_chunk().expect("64 bytes"));
        *h = keys.hash(backend);
    }
}

struct Import<'a, P: Params>(EncodedKey<'a>, &'a mut DecapsKey<P>);

impl<P: Params> Operation for Import<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        let Self(encoded, DecapsKey { encaps_key, a_hat_t, h, pke, .. }) = self;
        encoded.read(backend, pke, &mut encaps_key.pke)?;
        *h = encaps_key.expand_with(backend, a_hat_t);
        encoded.check(h)
    }
}

struct Export<'a, P: Params>(&'a DecapsKey<P>);

impl<P: Params> Operation for Export<'_, P> {
    type Output = SecretBytes;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> SecretBytes {
        let Self(key) = self;
        let mut dk = Secret::<P::DecapsKeyBytes>::zeroed();
        let (dk_pke, rest) = dk.as_mut().split_at_mut(384 * P::K);
        let (ek, rest) = rest.split_at_mut(P::EncapsKeyBytes::LEN);
        let (h, z) = rest.split_at_mut(32);
        // dk ← dk_PKE ‖ ek ‖ H(ek) ‖ z
        key.pke.encode(backend, dk_pke);
        ek.copy_from_slice(key.encaps_key.pke.as_bytes().as_ref());
        h.copy_from_slice(&key.h);
        z.copy_from_slice(key.z.as_ref());
        dk.as_ref().into()
    }
}

struct Encapsulate<'a, P: Params> {
    key: &'a EncapsKey<P>,
    random: Secret<[u8; 32]>,
}

impl<P: Params> Operation for Encapsulate<'_, P> {
    type Output = Encapsulated<MlKem<P>>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let (key, mut a_hat_t) = (self.key, P::NttMatrix::from_fn(|_| NttPoly::ZERO));
        let (source, ek) = (key.pke.source(), key.pke.as_bytes().as_ref());
        let (h, m) = matrix_hash_and_message::<P, B>(backend, source, a_hat_t.as_mut(), ek, self.random);
        key.encaps(backend, &a_hat_t, &h, m.expose())
    }
}

struct Encaps<'a, P: Params> {
    key: &'a EncapsKey<P>,
    m: &'a [u8; 32],
}

impl<P: Params> Operation for Encaps<'_, P> {
    type Output = Encapsulated<MlKem<P>>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { key, m } = self;
        let mut a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        let h = key.expand_with(backend, &mut a_hat_t);
        key.encaps(backend, &a_hat_t, &h, m)
    }
}

struct Expand<'a, P: Params>(&'a EncapsKey<P>, &'a mut P::NttMatrix);

impl<P: Params> Operation for Expand<'_, P> {
    type Output = [u8; 32];

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> [u8; 32] {
        let Self(key, a_hat_t) = self;
        key.expand_with(backend, a_hat_t)
    }
}

struct EncapsulatePrepared<'a, P: Params> {
    key: &'a EncapsKey<P>,
    a_hat_t: &'a P::NttMatrix,
    h: &'a [u8; 32],
    random: Secret<[u8; 32]>,
}

impl<P: Params> Operation for EncapsulatePrepared<'_, P> {
    type Output = Encapsulated<MlKem<P>>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { key, a_hat_t, h, random } = self;
        let m = P::Version::derive_message(backend.level(), random);
        key.encaps(backend, a_hat_t, h, m.expose())
    }
}
