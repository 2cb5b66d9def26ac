//! Signing keys: generation, import, export and signing.

use crate::backend::Operation;
use crate::codec::SignatureBytes;
use crate::hash::Message;
use crate::keygen::{Basis, Complete, KeyGen, KeygenVariant, SEED_LEN};
use crate::low_memory_signing_key::LowMemorySigningKey;
use crate::params::{Degree, Params};
use crate::precompiled::Precompiled;
use crate::prepared::{PreparedSigningKey, expanded, sign_all};
use crate::sign::flr::{Flr, Real};
use crate::sign::{ExpandedKey, Request, sign};
use crate::streaming::Signing;
use crate::verify::VerifyingKey;
use crate::{Falcon, require_empty_context};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, MessageSigner, Secret, SecretBytes, boxed};
use grille_hash::Level;
use zeroize::ZeroizeOnDrop;

/// A signing key (secret): the four small polynomials. Erased on drop.
///
/// Each signature computes the tree again, which takes about a fifth of the signing time. To sign many times
/// with one key, [`prepare`](Self::prepare) it first.
pub struct SigningKey<P: Params> {
    pub(crate) basis: Basis<P::Degree>,
    verifying_key: VerifyingKey<P>,
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

    fn sign_alone(&self, message: Message<'_>, rng: &mut dyn CryptoRng) -> SignatureBytes<P> {
        self.sign_with::<Flr>(message, rng, P::Degree::sign)
    }

    /// Signs with the doubles `R`.
    pub(crate) fn sign_with<R: Real>(
        &self,
        message: Message<'_>,
        rng: &mut dyn CryptoRng,
        run: impl FnOnce(Sign<'_, P::Degree, R>) -> usize,
    ) -> SignatureBytes<P> {
        SignatureBytes::write_with(|bytes| {
            let request = Request { params: &P::SIGNATURE, message, rng, bytes };
            run(Sign { basis: &self.basis, request, doubles: PhantomData })
        })
    }

    /// Precomputes the values that each signature would otherwise compute again.
    ///
    /// This moves the key, which may leave copies on the stack.
    /// [`from_bytes_dyn`](grille_core::SigningKey::from_bytes_dyn) parses and prepares a key on the heap and leaves
    /// none.
    #[must_use]
    pub fn prepare(self) -> PreparedSigningKey<P> {
        PreparedSigningKey::new(self)
    }
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = Falcon<P>;

    /// Parses and checks a key. Moving a key may leave copies on the stack.
    /// [`from_bytes_dyn`](grille_core::SigningKey::from_bytes_dyn) leaves none.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        key.read(bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> SecretBytes {
        let mut bytes = Secret::<SigningKeyBytes<P>>::zeroed();
        P::Degree::encode_signing_key(&self.basis, bytes.as_mut());
        bytes.as_ref().into()
    }

    fn from_seed(_: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(PreparedSigningKey::<P>::read_boxed(bytes)?)
    }

    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(LowMemorySigningKey::<P>::read_boxed(bytes)?)
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
    ) -> Result<SignatureBytes<P>, Error> {
        require_empty_context(context)?;
        Ok(self.sign_alone(Message::Whole(message), rng))
    }

    /// Signs many messages. For two or more messages, computes the tree once on the heap, like
    /// [`prepare`](SigningKey::prepare).
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<SignatureBytes<P>>, Error> {
        require_empty_context(context)?;
        Ok(match messages {
            [] | [_] => {
                messages.iter().map(|message| self.sign_alone(Message::Whole(message), rng)).collect()
            }
            _ => sign_all(&expanded(self), messages, rng),
        })
    }

    fn sign_deterministic(&self, _: &[u8], _: &[u8]) -> Result<SignatureBytes<P>, Error> {
        Err(NOT_DETERMINISTIC)
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        require_empty_context(context)?;
        let sign =
            |message: Message<'_>, rng: &mut dyn CryptoRng| self.sign_alone(message, rng).as_ref().to_vec();
        Ok(Some(Signing::begin::<P>(rng, sign)?))
    }
}

pub(crate) const NO_SEED: Error = Error::Unsupported { feature: "seeds for keys" };
pub(crate) const NOT_DETERMINISTIC: Error = Error::Unsupported { feature: "signatures without randomness" };

impl<P: Params> ZeroizeOnDrop for SigningKey<P> {}

impl<P: Params> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signing key", P::NAME)
    }
}

/// The operation that signs without a precomputed tree.
pub struct Sign<'a, D: Degree, R> {
    basis: &'a Basis<D>,
    request: Request<'a>,
    doubles: PhantomData<R>,
}

impl<D: Degree, R: Real> Operation for Sign<'_, D, R> {
    type Output = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        let mut key = ExpandedKey::<D, R>::zeroed();
        key.set(level, self.basis, self.request.params);
        sign(level, &key, self.request)
    }
}
