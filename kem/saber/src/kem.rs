//! Saber.KEM, SABER round 3 Algorithms 4 to 6: keys, encapsulation, and decapsulation with implicit rejection.

use crate::algorithm::SaberKem;
use crate::backend::{Backend, Operation, dispatch};
use crate::hash::MatrixStream;
use crate::params::{POLY_Q_LEN, Params};
use crate::pke::{PublicKey, SecretKey, keygen};
use crate::sample::Streamed;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, boxed, ct};
use grille_hash::{Sha3_256, Shake128};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An encapsulation key (public).
///
/// Each encapsulation expands the matrix and hashes the key. To encapsulate to a key more than once,
/// [`prepare`](Self::prepare) it first.
pub struct EncapsKey<P: Params> {
    pub(crate) pke: PublicKey<P>,
}

impl<P: Params> EncapsKey<P> {
    /// Parses a key into this one, which is zeroed.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        dispatch(Read { bytes, pke: &mut self.pke });
    }

    /// Runs Saber.KEM.Encaps, Algorithm 5. Writes the result to `sent`, which must be a [`zeroed_result`].
    pub(crate) fn encapsulate_into(&self, rng: &mut dyn CryptoRng, sent: &mut Encapsulated<SaberKem<P>>) {
        let mut random = Secret::zeroed();
        rng.fill_bytes(random.as_mut());
        dispatch(Encapsulate { key: self, random: &random, sent });
    }
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = SaberKem<P>;

    /// Parses b ‖ seed_A. Every byte string of the right length is a valid key.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::EncapsKeyBytes::LEN, bytes.len())?;
        let mut key = Self { pke: PublicKey::zeroed() };
        P::read(&mut key, bytes);
        Ok(key)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.pke.bytes.as_ref().to_vec()
    }

    /// Runs Saber.KEM.Encaps, Algorithm 5. Samples 32 bytes.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<SaberKem<P>> {
        let mut sent = zeroed_result();
        P::encapsulate(self, rng, &mut sent);
        with_cloned_secret(sent)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self { pke: self.pke.clone() }
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.pke.bytes.as_ref() == other.pke.bytes.as_ref()
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
    pub(crate) encaps_key: EncapsKey<P>,
    /// The hash F(pk).
    pub(crate) h: [u8; 32],
    pub(crate) pke: SecretKey<P>,
    /// The secret z, which is hashed with rejected ciphertexts.
    pub(crate) z: Secret<[u8; 32]>,
}

impl<P: Params> DecapsKey<P> {
    /// Runs Saber.KEM.KeyGen, Algorithm 4. Samples 32 bytes three times: seed_A before it is hashed, the seed
    /// of s, and z.
    ///
    /// Moving a key may leave copies on the stack. [`Kem::generate_boxed`](grille_core::Kem::generate_boxed) leaves
    /// none, except for compiler spills.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut key = Self::zeroed();
        key.generate_in_place(rng);
        key
    }

    /// Generates the key in place. This function is not inlined, because batches of eight keys would
    /// otherwise need its stack space, too.
    #[inline(never)]
    pub(crate) fn generate_in_place(&mut self, rng: &mut dyn CryptoRng) {
        P::generate(self, rng, &mut P::MatrixBytes::zeroed());
    }

    /// Generates a key on the heap without a copy on the stack.
    pub(crate) fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self> {
        let (mut key, mut a) = (boxed(Self::zeroed), boxed(P::MatrixBytes::zeroed));
        P::generate(&mut key, rng, &mut a);
        key
    }

    /// Returns a key of zeroes.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        let encaps_key = EncapsKey { pke: PublicKey::zeroed() };
        Self { encaps_key, h: [0; 32], pke: SecretKey::zeroed(), z: Secret::zeroed() }
    }

    /// Runs Saber.KEM.KeyGen in place. Random values are also sampled in place. `a` is space for the stream
    /// of A.
    pub(crate) fn generate_with(&mut self, rng: &mut dyn CryptoRng, a: &mut P::MatrixBytes) {
        let (mut seed_a, mut seed_s) = (Secret::zeroed(), Secret::zeroed());
        for secret in [&mut seed_a, &mut seed_s, &mut self.z] {
            rng.fill_bytes(secret.as_mut());
        }
        dispatch(KeyGen { seed_a: &seed_a, seed_s: &seed_s, a, key: self });
    }

    /// Parses s ‖ pk ‖ F(pk) ‖ z into this key, which is zeroed.
    pub(crate) fn import(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        dispatch(Import { bytes, key: self })
    }

    /// Encodes the key as s ‖ pk ‖ F(pk) ‖ z.
    pub(crate) fn export(&self) -> SecretBytes {
        dispatch(Export(self))
    }

    /// Runs Saber.KEM.Decaps, Algorithm 6. Writes the result to `secret`, which must be zeroed.
    pub(crate) fn decapsulate_into(
        &self,
        ciphertext: &Ciphertext<P::CiphertextBytes>,
        secret: &mut Secret<[u8; 32]>,
    ) {
        dispatch(Decaps { key: self, c: &ciphertext.0, secret });
    }
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = SaberKem<P>;

    /// Parses and checks s ‖ pk ‖ F(pk) ‖ z. This deviates from SABER, which does not check keys: the hash must
    /// match the public key, and the coefficients of s must be within ±μ/2.
    ///
    /// Moving a key may leave copies on the stack. [`from_bytes_boxed`](grille_core::DecapsKey::from_bytes_boxed)
    /// leaves none, except for compiler spills.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        P::import(&mut key, bytes)?;
        Ok(key)
    }

    fn from_bytes_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut key = boxed(Self::zeroed);
        P::import(&mut key, bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> SecretBytes {
        P::export(self)
    }

    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        let mut secret = Secret::zeroed();
        P::decapsulate(self, ciphertext, &mut secret);
        // moving would leave the bytes in memory; a clone is returned, and the original is erased on drop
        secret.clone()
    }
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key", P::NAME)
    }
}

/// Returns a result of zeroes, to be filled in place.
pub(crate) fn zeroed_result<P: Params>() -> Encapsulated<SaberKem<P>> {
    Encapsulated { ciphertext: Ciphertext(P::CiphertextBytes::zeroed()), secret: Secret::zeroed() }
}

/// Returns a result with a clone of the secret. Moving the secret would leave its bytes in memory, whereas
/// the original of a clone is erased on drop.
#[inline(always)]
pub(crate) fn with_cloned_secret<P: Params>(sent: Encapsulated<SaberKem<P>>) -> Encapsulated<SaberKem<P>> {
    Encapsulated { secret: sent.secret.clone(), ciphertext: sent.ciphertext }
}

/// Splits the output of G into (K̂, r).
pub(crate) fn halves(k_and_r: &[u8; 64]) -> (&[u8; 32], &[u8]) {
    k_and_r.split_first_chunk().expect("64 bytes")
}

struct Read<'a, P: Params> {
    bytes: &'a [u8],
    pke: &'a mut PublicKey<P>,
}

impl<P: Params> Operation for Read<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        self.pke.read(backend, self.bytes);
    }
}

struct KeyGen<'a, P: Params> {
    seed_a: &'a Secret<[u8; 32]>,
    seed_s: &'a Secret<[u8; 32]>,
    /// The space for the stream of A.
    a: &'a mut P::MatrixBytes,
    /// The key, which is zeroed except for z.
    key: &'a mut DecapsKey<P>,
}

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.KeyGen, Algorithm 4, with Saber.PKE.KeyGen, Algorithm 1.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let (level, key) = (backend.level(), self.key);
        // seed_A ← SHAKE128(seed_A)
        let mut seed_a = [0; 32];
        Shake128::hash(level, &[self.seed_a.as_ref()], &mut seed_a);
        // seed_A is public, because it is part of the public key
        let seed_a = ct::public(seed_a);
        let mut s = Zeroizing::new(P::SecretBytes::zeroed());
        let mut stream = MatrixStream::new(level, &seed_a, self.a.as_mut());
        stream.shake128(self.seed_s.as_ref(), s.as_mut(), &[]);
        let keys = (&mut key.encaps_key.pke, &mut key.pke);
        keygen::<P, B>(backend, &mut stream, &seed_a, (*s).as_ref(), keys);
        key.h = stream.finish(key.encaps_key.pke.bytes.as_ref());
    }
}

struct Import<'a, P: Params> {
    bytes: &'a [u8],
    key: &'a mut DecapsKey<P>,
}

impl<P: Params> Operation for Import<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let Self { bytes, key } = self;
        key.read(backend, bytes)?;
        let mut h = [0; 32];
        Sha3_256::hash(backend.level(), &[key.encaps_key.pke.bytes.as_ref()], &mut h);
        if h == key.h {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "contains a hash that does not match its public key" })
        }
    }
}

impl<P: Params> DecapsKey<P> {
    /// Parses s ‖ pk ‖ F(pk) ‖ z without checking the hash.
    #[inline(always)]
    fn read<B: Backend>(&mut self, backend: B, bytes: &[u8]) -> Result<(), Error> {
        let (s, rest) = bytes.split_at(POLY_Q_LEN * P::L);
        let (pk, rest) = rest.split_at(P::EncapsKeyBytes::LEN);
        let (h, z) = rest.split_at(32);
        self.pke.read(backend, s)?;
        self.encaps_key.pke.read(backend, pk);
        self.h.copy_from_slice(h);
        self.z.as_mut().copy_from_slice(z);
        Ok(())
    }
}

/// Decapsulates with an encoded key. As in SABER itself, the hash in the key is not checked.
pub(crate) fn decapsulate_encoded<P: Params>(
    key: &[u8],
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Result<Secret<[u8; 32]>, Error> {
    Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, key.len())?;
    dispatch(DecapsEncoded::<P>(key, &ciphertext.0))
}

struct DecapsEncoded<'a, P: Params>(&'a [u8], &'a P::CiphertextBytes);

impl<P: Params> Operation for DecapsEncoded<'_, P> {
    type Output = Result<Secret<[u8; 32]>, Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let mut key = DecapsKey::<P>::zeroed();
        key.read(backend, self.0)?;
        let mut secret = Secret::zeroed();
        Decaps { key: &key, c: self.1, secret: &mut secret }.run(backend);
        Ok(secret.clone())
    }
}

struct Export<'a, P: Params>(&'a DecapsKey<P>);

impl<P: Params> Operation for Export<'_, P> {
    type Output = SecretBytes;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> SecretBytes {
        let Self(key) = self;
        let mut dk = Secret::<P::DecapsKeyBytes>::zeroed();
        let (s, rest) = dk.as_mut().split_at_mut(POLY_Q_LEN * P::L);
        let (pk, rest) = rest.split_at_mut(P::EncapsKeyBytes::LEN);
        let (h, z) = rest.split_at_mut(32);
        // s ‖ pk ‖ F(pk) ‖ z
        key.pke.encode(backend, s);
        pk.copy_from_slice(key.encaps_key.pke.bytes.as_ref());
        h.copy_from_slice(&key.h);
        z.copy_from_slice(key.z.as_ref());
        dk.as_ref().into()
    }
}

struct Encapsulate<'a, P: Params> {
    key: &'a EncapsKey<P>,
    random: &'a Secret<[u8; 32]>,
    /// The zeroed result to fill.
    sent: &'a mut Encapsulated<SaberKem<P>>,
}

impl<P: Params> Operation for Encapsulate<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.Encaps, Algorithm 5.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, random, sent: Encapsulated { ciphertext: Ciphertext(c), secret } } = self;
        let pke = &key.pke;
        let (mut a, mut s) = (P::MatrixBytes::zeroed(), Zeroizing::new(P::SecretBytes::zeroed()));
        let mut stream = MatrixStream::new(backend.level(), pke.seed_a(), a.as_mut());
        // m ← F(random); (K̂, r) ← G(m ‖ F(pk))
        let (mut m, mut h) = (Secret::<[u8; 32]>::zeroed(), [0; 32]);
        stream.sha3_256_pair(random.as_ref(), pke.bytes.as_ref(), [m.as_mut(), &mut h]);
        let mut k_and_r = Zeroizing::new([0; 64]);
        stream.sha3_512(&[m.as_ref(), &h], &[], &mut k_and_r);
        let (k, r) = halves(&k_and_r);
        stream.shake128(r, s.as_mut(), &[]);
        // c ← Saber.PKE.Enc(pk, m; r); K ← F(K̂ ‖ F(c))
        pke.encrypt(backend, Streamed::new(&mut stream, None), m.expose(), (*s).as_ref(), c);
        let h = stream.finish(c.as_ref());
        Sha3_256::hash(backend.level(), &[k, &h], secret.as_mut());
    }
}

pub(crate) struct Decaps<'a, P: Params> {
    pub(crate) key: &'a DecapsKey<P>,
    pub(crate) c: &'a P::CiphertextBytes,
    /// The output.
    pub(crate) secret: &'a mut Secret<[u8; 32]>,
}

impl<P: Params> Operation for Decaps<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.Decaps, Algorithm 6.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, c, secret } = self;
        let pke = &key.encaps_key.pke;
        let (mut a, mut s) = (P::MatrixBytes::zeroed(), Zeroizing::new(P::SecretBytes::zeroed()));
        let mut stream = MatrixStream::new(backend.level(), pke.seed_a(), a.as_mut());
        // m′ ← Saber.PKE.Dec(s, c); (K̂′, r′) ← G(m′ ‖ F(pk))
        let (mut m, mut k_and_r) = (Secret::<[u8; 32]>::zeroed(), Zeroizing::new([0; 64]));
        key.pke.decrypt(backend, c, m.as_mut());
        stream.sha3_512(&[m.as_ref(), &key.h], c.as_ref(), &mut k_and_r);
        let (k, r) = halves(&k_and_r);
        stream.shake128(r, s.as_mut(), c.as_ref());
        // c′ ← Saber.PKE.Enc(pk, m′; r′)
        let a = Streamed::new(&mut stream, Some(c.as_ref()));
        let mut c2 = Zeroizing::new(P::CiphertextBytes::zeroed());
        pke.encrypt(backend, a, m.expose(), (*s).as_ref(), &mut c2);
        let h = stream.finish(c.as_ref());
        // if c ≠ c′: K̂′ ← z. K ← F(K̂′ ‖ F(c))
        let accept = ct::equal(c.as_ref(), (*c2).as_ref());
        let k = ct::select(key.z.expose(), k, accept);
        Sha3_256::hash(backend.level(), &[k.as_ref(), &h], secret.as_mut());
    }
}
