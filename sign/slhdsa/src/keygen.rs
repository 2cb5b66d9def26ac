//! Key generation, FIPS 205 Algorithms 18 and 21; import and export of signing keys.

use crate::SlhDsa;
use crate::family::{Family, Node};
use crate::params::{Params, Shape};
use crate::precompiled::Precompiled;
use crate::prepared::PreparedSigningKey;
use crate::progress::ProgressCounter;
use crate::sign::sign;
use crate::verify::VerifyingKey;
use crate::wots::Wots;
use alloc::boxed::Box;
use core::fmt;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, Secret, SecretBytes, ct, erase};
use grille_hash::Level;
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

    pub(crate) fn sk_seed(&self) -> &[u8] {
        &self.bytes.as_ref()[..P::SHAPE.n]
    }

    pub(crate) fn sk_prf(&self) -> &[u8] {
        &self.bytes.as_ref()[P::SHAPE.n..2 * P::SHAPE.n]
    }
}

pub(crate) const NO_SEED: Error = Error::Unsupported { feature: "seeds for keys" };
const WRONG_ROOT: Error = Error::InvalidPrivateKey { reason: "has a root that does not match its seeds" };

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}

/// Computes PK.root: slh_keygen_internal, FIPS 205 Algorithm 18, lines 1 to 3.
pub(crate) fn root<F: Family>(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> Node {
    let mut public = [0; 32];
    public[..shape.n].copy_from_slice(pk_seed);
    // PK.seed is public
    ct::public_bytes(&mut public);
    let (family, secret) = expand::<F>(shape, sk_seed, &public[..shape.n]);
    Wots { family: &family, secret: &secret, shape: *shape, work: &ProgressCounter::silent() }.root()
}

/// Returns the hash functions of PK.seed and the expanded SK.seed.
pub(crate) fn expand<F: Family>(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> (F, F::Secret) {
    let family = F::new(Level::detect(), shape, pk_seed);
    let secret = family.secret(sk_seed);
    (family, secret)
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = SlhDsa<P>;

    /// Parses SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root. Does not check whether the root matches the seeds,
    /// because this takes as long as key generation. Call [`check`](Self::check) to check it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("signing key", 4 * P::SHAPE.n, bytes.len())?;
        let mut key = Secret::zeroed();
        key.as_mut().copy_from_slice(bytes);
        Ok(Self::from_parts(key))
    }

    fn to_bytes(&self) -> SecretBytes {
        self.bytes.as_ref().into()
    }

    /// Parses and prepares a key. Preparation checks PK.root against the root of the top tree.
    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(PreparedSigningKey::<P>::from_bytes(bytes)?))
    }

    /// Parses and checks a key, and does not store the top tree. The check takes as long as key generation.
    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let key = Self::from_bytes(bytes)?;
        key.check()?;
        Ok(Box::new(key))
    }

    /// Returns an error, because FIPS 205 defines no single seed. See [`generate_internal`](Self::generate_internal).
    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    sign! {}
}
