//! Key generation, FIPS 205 Algorithms 18 and 21; import and export of signing keys.

use crate::SlhDsa;
use crate::family::Family;
use crate::params::Params;
use crate::verify::VerifyingKey;
use crate::work::Work;
use crate::wots::Wots;
use grille_core::{Bytes, CryptoRng, Error, Progress, Secret, SecretBytes, ct, erase};
use grille_hash::Level;

/// SK.seed, SK.prf, PK.seed and PK.root; erased on drop.
pub struct SigningKey<P: Params> {
    /// SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    pub(crate) bytes: Secret<P::SigningKeyBytes>,
    pub(crate) verifying_key: VerifyingKey<P>,
}

impl<P: Params> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), verifying_key: self.verifying_key.clone() }
    }
}

impl<P: Params> SigningKey<P> {
    /// slh_keygen, FIPS 205 Algorithm 21; draws 3n bytes.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let n = P::SHAPE.n;
        let mut seeds = [0; 3 * 32];
        rng.fill_bytes(&mut seeds[..3 * n]);
        let key = Self::from_seeds(&seeds[..3 * n]);
        erase(&mut seeds);
        key
    }

    /// slh_keygen_internal, FIPS 205 Algorithm 18, from n bytes each; for tests against vectors.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn generate_internal(sk_seed: &[u8], sk_prf: &[u8], pk_seed: &[u8]) -> Result<Self, Error> {
        let n = P::SHAPE.n;
        let mut seeds = [0; 3 * 32];
        for (out, seed) in seeds.chunks_exact_mut(n).zip([sk_seed, sk_prf, pk_seed]) {
            Error::check_len("seed", n, seed.len())?;
            out.copy_from_slice(seed);
        }
        let key = Self::from_seeds(&seeds[..3 * n]);
        erase(&mut seeds);
        Ok(key)
    }

    /// From SK.seed ‖ SK.prf ‖ PK.seed.
    fn from_seeds(seeds: &[u8]) -> Self {
        let n = P::SHAPE.n;
        let root = root::<P>(&seeds[..n], &seeds[2 * n..]);
        let mut bytes = Secret::<P::SigningKeyBytes>::zeroed();
        bytes.as_mut()[..3 * n].copy_from_slice(seeds);
        bytes.as_mut()[3 * n..].copy_from_slice(&root[..n]);
        Self::from_parts(bytes)
    }

    /// From the encoded key; PK.root is believed.
    fn from_parts(bytes: Secret<P::SigningKeyBytes>) -> Self {
        let mut public = P::VerifyingKeyBytes::zeroed();
        public.as_mut().copy_from_slice(&bytes.as_ref()[2 * P::SHAPE.n..]);
        // the half of the key that is published
        ct::public_bytes(public.as_mut());
        Self { bytes, verifying_key: VerifyingKey::from_array(public) }
    }

    /// Whether PK.root is the root that the seeds lead to; as slow as key generation.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if it is not.
    pub fn check(&self) -> Result<(), Error> {
        let n = P::SHAPE.n;
        let bytes = self.bytes.as_ref();
        let root = root::<P>(&bytes[..n], &bytes[2 * n..3 * n]);
        if ct::public(bool::from(ct::equal(&root[..n], &bytes[3 * n..]))) {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "has a root that its seeds do not lead to" })
        }
    }

    pub(crate) fn sk_seed(&self) -> &[u8] {
        &self.bytes.as_ref()[..P::SHAPE.n]
    }

    pub(crate) fn sk_prf(&self) -> &[u8] {
        &self.bytes.as_ref()[P::SHAPE.n..2 * P::SHAPE.n]
    }
}

/// slh_keygen_internal, FIPS 205 Algorithm 18, lines 1 to 3: PK.root.
fn root<P: Params>(sk_seed: &[u8], pk_seed: &[u8]) -> crate::family::Node {
    let mut public = [0; 32];
    public[..P::SHAPE.n].copy_from_slice(pk_seed);
    // PK.seed is published
    ct::public_bytes(&mut public);
    let family = P::Family::new(Level::detect(), &P::SHAPE, &public[..P::SHAPE.n]);
    let secret = family.secret(sk_seed);
    Wots { family: &family, secret: &secret, shape: P::SHAPE, work: &Work::unobserved() }.root()
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = SlhDsa<P>;

    /// Reads SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root. That the root is the seeds' costs a key generation:
    /// [`check`](Self::check) does it.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("signing key", 4 * P::SHAPE.n, bytes.len())?;
        let mut key = Secret::zeroed();
        key.as_mut().copy_from_slice(bytes);
        Ok(Self::from_parts(key))
    }

    fn to_bytes(&self) -> SecretBytes {
        self.bytes.as_ref().into()
    }

    /// FIPS 205 knows no seed; see [`generate_internal`](Self::generate_internal).
    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(Error::Unsupported { what: "seed" })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<alloc::vec::Vec<u8>, Error> {
        Self::sign(self, message, context, rng)
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<alloc::vec::Vec<u8>, Error> {
        Self::sign_deterministic(self, message, context)
    }

    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<alloc::vec::Vec<u8>, Error> {
        Self::sign_with_progress(self, message, context, rng, progress)
    }
}
