//! Signing keys: generation, FIPS 205 Algorithm 21, import, export and checks.

use crate::any_signing_key::AnySigningKey;
use crate::family::{Family, Node};
use crate::hypertree::TopTree;
use crate::message::MessageParts;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::progress::NO_PROGRESS;
use crate::sign::Signer;
use crate::signing_methods::sign_prehash;
use crate::verifying_key::VerifyingKey;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, CryptoRng, Error, Secret, SecretBytes, ct, erase};
use zeroize::ZeroizeOnDrop;

/// A signing key, which consists of SK.seed, SK.prf, PK.seed and PK.root. Erased on drop.
pub struct SigningKey<P: Params> {
    /// The encoded key SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    pub(crate) bytes: Secret<P::SigningKeyBytes>,
    pub(crate) verifying_key: VerifyingKey<P>,
}

impl<P: Params> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), verifying_key: self.verifying_key.clone() }
    }
}

impl<P: Params> SigningKey<P> {
    /// Runs slh_keygen, FIPS 205 Algorithm 21. Samples 3n bytes.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let n = P::SHAPE.n;
        let mut seeds = [0; 3 * 32];
        rng.fill_bytes(&mut seeds[..3 * n]);
        let key = Self::from_seeds(&seeds[..3 * n]);
        erase(&mut seeds);
        key
    }

    /// Runs slh_keygen_internal, FIPS 205 Algorithm 18, on inputs of n bytes each, for tests against vectors.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong.
    pub fn generate_internal(sk_seed: &[u8], sk_prf: &[u8], pk_seed: &[u8]) -> Result<Self, Error> {
        let n = P::SHAPE.n;
        let given = [sk_seed, sk_prf, pk_seed];
        given.iter().try_for_each(|seed| Error::check_len("seed", n, seed.len()))?;
        let mut seeds = [0; 3 * 32];
        seeds.chunks_exact_mut(n).zip(given).for_each(|(out, seed)| out.copy_from_slice(seed));
        let key = Self::from_seeds(&seeds[..3 * n]);
        erase(&mut seeds);
        Ok(key)
    }

    /// Generates a key from SK.seed ‖ SK.prf ‖ PK.seed.
    fn from_seeds(seeds: &[u8]) -> Self {
        let n = P::SHAPE.n;
        let root = P::Family::root(&P::SHAPE, &seeds[..n], &seeds[2 * n..]);
        let mut bytes = Secret::<P::SigningKeyBytes>::zeroed();
        bytes.as_mut()[..3 * n].copy_from_slice(seeds);
        bytes.as_mut()[3 * n..].copy_from_slice(&root[..n]);
        Self::from_parts(bytes)
    }

    /// Creates a key from its encoding, without checking PK.root.
    fn from_parts(bytes: Secret<P::SigningKeyBytes>) -> Self {
        let mut public = P::VerifyingKeyBytes::zeroed();
        public.as_mut().copy_from_slice(&bytes.as_ref()[2 * P::SHAPE.n..]);
        // the public half of the key is public
        ct::public_bytes(public.as_mut());
        Self { bytes, verifying_key: VerifyingKey::from_array(public) }
    }

    /// Checks whether PK.root matches the seeds. This takes as long as key generation.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if PK.root does not match.
    pub fn check(&self) -> Result<(), Error> {
        let n = P::SHAPE.n;
        let bytes = self.bytes.as_ref();
        self.check_root(&P::Family::root(&P::SHAPE, &bytes[..n], &bytes[2 * n..3 * n]))
    }

    /// Checks whether PK.root equals `root`, which was computed from the seeds.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Self::check).
    pub(crate) fn check_root(&self, root: &Node) -> Result<(), Error> {
        let n = P::SHAPE.n;
        // the result is public, because an invalid key is not used
        let equal = ct::public(bool::from(ct::equal(&root[..n], &self.bytes.as_ref()[3 * n..])));
        if equal { Ok(()) } else { Err(WRONG_ROOT) }
    }

    /// Parses SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, without checking PK.root.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("signing key", 4 * P::SHAPE.n, bytes.len())?;
        let mut key = Secret::zeroed();
        key.as_mut().copy_from_slice(bytes);
        Ok(Self::from_parts(key))
    }

    /// Encodes the key.
    pub(crate) fn encode(&self) -> SecretBytes {
        self.bytes.as_ref().into()
    }

    pub(crate) fn sk_seed(&self) -> &[u8] {
        &self.bytes.as_ref()[..P::SHAPE.n]
    }

    pub(crate) fn sk_prf(&self) -> &[u8] {
        &self.bytes.as_ref()[P::SHAPE.n..2 * P::SHAPE.n]
    }
}

const WRONG_ROOT: Error = Error::InvalidPrivateKey { reason: "has a root that does not match its seeds" };

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}

impl<P: Params> SigningKey<P> {
    /// Calls `f` with the expanded key.
    pub(crate) fn with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        let (family, secret) = self.expand();
        f(self.as_signer(&family, &secret, None))
    }

    /// Combines the key with its expanded values.
    pub(crate) fn as_signer<'a>(
        &'a self,
        family: &'a P::Family,
        secret: &'a <P::Family as Family>::Secret,
        top: Option<&'a TopTree>,
    ) -> Signer<'a, P::Family> {
        let (pk_seed, pk_root) = self.verifying_key.as_bytes().split_at(P::SHAPE.n);
        Signer { shape: P::SHAPE, sk_prf: self.sk_prf(), pk_seed, pk_root, family, secret, top }
    }

    /// Returns the hash functions of PK.seed and the expanded SK.seed.
    pub(crate) fn expand(&self) -> (P::Family, <P::Family as Family>::Secret) {
        let pk_seed = &self.verifying_key.as_bytes()[..P::SHAPE.n];
        P::Family::expand(&P::SHAPE, self.sk_seed(), pk_seed)
    }

    /// Runs slh_sign_internal, FIPS 205 Algorithm 19, on the formatted message M′, for tests against vectors.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if `opt_rand` does not have n bytes.
    pub fn sign_internal(&self, m_prime: &[u8], opt_rand: Option<&[u8]>) -> Result<Vec<u8>, Error> {
        opt_rand.map_or(Ok(()), |random| Error::check_len("opt_rand", P::SHAPE.n, random.len()))?;
        let message = MessageParts::formatted(m_prime);
        Ok(self.with_signer(|signer| P::Family::sign(&signer, &message, opt_rand, NO_PROGRESS)))
    }
}

impl<P: Params> AnySigningKey<P> for SigningKey<P> {
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        self.with_signer(f)
    }
}

sign_prehash!(SigningKey);
