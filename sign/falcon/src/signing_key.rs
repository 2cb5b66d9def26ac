//! Signing keys: generation, import and export.

use crate::degree::Degree;
use crate::keygen::{Basis, Complete, KeyGen, KeygenVariant, SEED_LEN};
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::sign::flr::{Flr, Real};
use crate::verifying_key::VerifyingKey;
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;
use grille_core::{Bytes, CryptoRng, Error, Secret, SecretBytes, boxed};
use zeroize::ZeroizeOnDrop;

/// A signing key (secret): the four small polynomials. Erased on drop.
///
/// Each signature computes the tree again, which takes about a fifth of the signing time. To sign many times
/// with one key, [`prepare`](Self::prepare) it first.
pub struct SigningKey<P: Params> {
    pub(crate) basis: Basis<P::Degree>,
    pub(crate) verifying_key: VerifyingKey<P>,
}

type SigningKeyBytes<P> = <<P as Params>::Degree as Degree>::SigningKeyBytes;

impl<P: Params> SigningKey<P> {
    /// Runs Keygen, Falcon Algorithm 4. Samples the 48-byte seed.
    ///
    /// Moving a key may leave copies on the stack.
    /// [`Signature::generate_boxed`](grille_core::Signature::generate_boxed) leaves none.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        let mut key = Self::zeroed();
        key.sample_basis(rng);
        key
    }

    /// Generates a key on the heap without a copy on the stack.
    pub(crate) fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self> {
        let mut key = boxed(Self::zeroed);
        key.sample_basis(rng);
        key
    }

    /// Runs Keygen, Falcon Algorithm 4, exactly as the round-3 reference implementation does, so that the
    /// seeds of the known answers give the published keys. This is slower than [`generate`](Self::generate),
    /// which samples f and g with the same distribution but with another method.
    #[must_use]
    pub fn keygen_internal(seed: &[u8; SEED_LEN]) -> Self {
        Self::keygen_with::<Flr>(seed, P::Degree::generate)
    }

    /// Runs [`keygen_internal`](Self::keygen_internal) with the doubles `R`.
    pub(crate) fn keygen_with<R: Real>(
        seed: &[u8; SEED_LEN],
        run: impl FnOnce(KeyGen<'_, P::Degree, R>),
    ) -> Self {
        let mut key = Self::zeroed();
        key.fill_from_seed(seed, KeygenVariant::Round3, run);
        key
    }

    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { basis: Basis::zeroed(), verifying_key: VerifyingKey::zeroed() }
    }

    /// Copies `other`. The owner of `other` remains responsible for erasing it.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.basis.copy_from(&other.basis);
        self.verifying_key.copy_from(&other.verifying_key);
    }

    /// Generates the key in place from a random seed.
    fn sample_basis(&mut self, rng: &mut dyn CryptoRng) {
        let mut seed = Secret::zeroed();
        rng.fill_bytes(seed.as_mut());
        self.fill_from_seed::<Flr>(seed.expose(), KeygenVariant::Integers, P::Degree::generate);
    }

    /// Generates the key in place from a seed.
    fn fill_from_seed<R: Real>(
        &mut self,
        seed: &[u8; SEED_LEN],
        variant: KeygenVariant,
        run: impl FnOnce(KeyGen<'_, P::Degree, R>),
    ) {
        let Self { basis, verifying_key } = self;
        let h = verifying_key.h.as_mut();
        run(KeyGen { seed, variant, doubles: PhantomData, basis, h });
        verifying_key.expand();
    }

    /// Parses and checks the output of [`to_bytes`](grille_core::SigningKey::to_bytes).
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len("signing key", SigningKeyBytes::<P>::LEN, bytes.len())?;
        let Self { basis, verifying_key } = self;
        P::Degree::decode_signing_key(bytes, basis)
            .and_then(|()| P::Degree::complete(Complete { basis, h: verifying_key.h.as_mut() }))
            .map_err(|reason| Error::InvalidPrivateKey { reason })?;
        verifying_key.expand();
        Ok(())
    }

    /// Encodes the key.
    pub(crate) fn encode(&self) -> SecretBytes {
        let mut bytes = Secret::<SigningKeyBytes<P>>::zeroed();
        P::Degree::encode_signing_key(&self.basis, bytes.as_mut());
        bytes.as_ref().into()
    }
}

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}
