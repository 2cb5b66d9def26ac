//! Signing: slh_sign, FIPS 205 Algorithms 19, 22 and 23.

use crate::family::Family;
use crate::fors::{self, Indices};
use crate::hypertree::{Leaf, TopTree};
use crate::keygen::SigningKey;
use crate::message::MessageParts;
use crate::params::{Params, Shape};
use crate::precompiled::Precompiled;
use crate::prepared::PreparedSigningKey;
use crate::progress::{NO_PROGRESS, ProgressCounter};
use crate::version::Fips205;
use crate::wots::Wots;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Error, Progress, ct, erase};
use grille_hash::prehash::PreHash;

/// The largest number of bytes of a message digest, which the sets 256f use.
const MAX_DIGEST: usize = 49;

/// The leaves that a message digest selects: FORS leaves, and the leaf of the hypertree that signs their FORS
/// key.
pub(crate) struct Selection {
    pub(crate) indices: Indices,
    pub(crate) leaf: Leaf,
}

impl Selection {
    /// Selects the leaves, FIPS 205 Algorithm 19, lines 5 to 13.
    pub(crate) fn new<F: Family>(
        family: &F,
        shape: &Shape,
        r: &[u8],
        pk_root: &[u8],
        message: &MessageParts<'_>,
    ) -> Self {
        Self::from_hash::<F>(shape, |digest| family.h_msg(r, pk_root, &message.parts(), digest))
    }

    /// Selects the leaves from the digest that `write` computes.
    pub(crate) fn from_hash<F: Family>(shape: &Shape, write: impl FnOnce(&mut [u8])) -> Self {
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..shape.digest_len()];
        write(digest);
        Self { indices: Indices::new::<F::Version>(shape, digest), leaf: Leaf::new(shape, digest) }
    }
}

/// A key and the expanded values for signing.
pub struct Signer<'a, F: Family> {
    shape: Shape,
    pub(crate) sk_prf: &'a [u8],
    pub(crate) pk_seed: &'a [u8],
    pub(crate) pk_root: &'a [u8],
    pub(crate) family: &'a F,
    secret: &'a F::Secret,
    top: Option<&'a TopTree>,
}

impl<F: Precompiled> Signer<'_, F> {
    /// Signs with n random bytes (hedged) if a generator is given. Otherwise, signs deterministically.
    pub(crate) fn sign_hedged_or_deterministic(
        &self,
        message: &MessageParts<'_>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Vec<u8> {
        let mut drawn = [0; 32];
        let drawn = &mut drawn[..self.shape.n];
        let opt_rand = rng.map(|rng| {
            rng.fill_bytes(drawn);
            &*drawn
        });
        let signature = F::sign(self, message, opt_rand, progress);
        erase(drawn);
        signature
    }

    /// Runs slh_sign_internal, FIPS 205 Algorithm 19.
    pub(crate) fn sign(
        &self,
        message: &MessageParts<'_>,
        opt_rand: Option<&[u8]>,
        progress: &Progress<'_>,
    ) -> Vec<u8> {
        let Self { shape, family, pk_root, .. } = *self;
        let mut r = family.prf_msg(self.sk_prf, opt_rand.unwrap_or(self.pk_seed), &message.parts());
        // R is public, because it is part of the signature; so is everything that is derived from R and the
        // message
        ct::public_bytes(&mut r[..shape.n]);
        let r = &r[..shape.n];
        self.sign_selected(r, &Selection::new(family, &shape, r, pk_root, message), progress)
    }

    /// Runs slh_sign_internal, FIPS 205 Algorithm 19, starting at line 6. `r` is R, n bytes. `h_msg` is the final hash
    /// of the hasher that [`begin_h_msg`](Family::begin_h_msg) returned.
    pub(crate) fn sign_hashed(&self, r: &[u8], h_msg: &PreHash, progress: &Progress<'_>) -> Vec<u8> {
        let write = |digest: &mut [u8]| self.family.end_h_msg(r, h_msg, digest);
        self.sign_selected(r, &Selection::from_hash::<F>(&self.shape, write), progress)
    }

    /// Runs slh_sign_internal, FIPS 205 Algorithm 19, starting at line 14. `r` is R, n bytes.
    fn sign_selected(&self, r: &[u8], selection: &Selection, progress: &Progress<'_>) -> Vec<u8> {
        let Self { shape, family, secret, .. } = *self;
        let work = &ProgressCounter::for_signing(&shape, shape.d - u32::from(self.top.is_some()), progress);
        let mut signature = vec![0; shape.signature_len()];
        let (randomizer, rest) = signature.split_at_mut(shape.n);
        let (fors, hypertree) = rest.split_at_mut(shape.fors_len());
        randomizer.copy_from_slice(r);
        let Selection { indices, leaf } = selection;
        let mut key = fors::sign(family, secret, &shape, leaf.key_pair(), indices, fors, work);
        // the FORS public key is public, because it can be computed from the signature
        ct::public_bytes(&mut key);
        Wots { family, secret, shape, work }.ht_sign(&key, *leaf, hypertree, self.top);
        signature
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

impl<P: Params> PreparedSigningKey<P> {
    /// Calls `f` with the expanded key and its top tree.
    pub(crate) fn with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        f(self.as_signer())
    }
}

/// A signing key, prepared or not.
pub(crate) trait AnySigningKey<P: Params>: Sync {
    /// Calls `f` with the expanded key.
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T;
}

impl<P: Params> AnySigningKey<P> for SigningKey<P> {
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        self.with_signer(f)
    }
}

impl<P: Params> AnySigningKey<P> for PreparedSigningKey<P> {
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        self.with_signer(f)
    }
}

/// Defines slh_sign, or hash_slh_sign for sets that hash messages beforehand, as the methods of
/// [`grille_core::SigningKey`] for both kinds of signing keys.
macro_rules! sign {
    () => {
        /// Runs the hedged variant of slh_sign, FIPS 205 Algorithm 22. Samples n bytes.
        fn sign(
            &self,
            message: &[u8],
            context: &[u8],
            rng: &mut dyn grille_core::CryptoRng,
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            grille_core::SigningKey::sign_with_progress(
                self,
                message,
                context,
                Some(rng),
                $crate::progress::NO_PROGRESS,
            )
        }

        /// Runs the deterministic variant of slh_sign, FIPS 205 Algorithm 22: PK.seed replaces the randomness.
        fn sign_deterministic(
            &self,
            message: &[u8],
            context: &[u8],
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            grille_core::SigningKey::sign_with_progress(
                self,
                message,
                context,
                None,
                $crate::progress::NO_PROGRESS,
            )
        }

        /// Runs slh_sign, FIPS 205 Algorithm 22: the hedged variant if a generator is given, and otherwise the
        /// deterministic one. Reports progress after each FORS tree, and after every eight WOTS+ keys or fewer.
        fn sign_with_progress(
            &self,
            message: &[u8],
            context: &[u8],
            rng: Option<&mut dyn grille_core::CryptoRng>,
            progress: &grille_core::Progress<'_>,
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            let parts = $crate::message::MessageParts::new::<P>(message, context)?;
            Ok(self.with_signer(|signer| signer.sign_hedged_or_deterministic(&parts, rng, progress)))
        }

        /// Starts to sign a message that arrives in pieces. Sets that do not hash messages beforehand need two passes.
        /// Returns `None` if the family needs the whole message at once.
        fn begin_signature<'k>(
            &'k self,
            context: &[u8],
            rng: Option<&mut dyn grille_core::CryptoRng>,
        ) -> Result<Option<alloc::boxed::Box<dyn grille_core::MessageSigner + 'k>>, grille_core::Error> {
            $crate::streaming::begin_signature::<P, Self>(self, context, rng)
        }
    };
}
pub(crate) use sign;

/// Defines hash_slh_sign with any hash function, for both kinds of signing keys. The methods do not compile for sets
/// that already hash messages beforehand.
macro_rules! sign_prehash {
    ($key:ident) => {
        impl<P: Params<Family: Family<Version = Fips205>>> $key<P> {
            /// Runs the hedged variant of hash_slh_sign, FIPS 205 Algorithm 23.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`] if the context is too long.
            pub fn sign_prehash(
                &self,
                message: &PreHash,
                context: &[u8],
                rng: &mut dyn CryptoRng,
            ) -> Result<Vec<u8>, Error> {
                const { assert!(P::PREHASH.is_none()) };
                let parts = MessageParts::prehash(*message, context)?;
                Ok(self.with_signer(|signer| {
                    signer.sign_hedged_or_deterministic(&parts, Some(rng), NO_PROGRESS)
                }))
            }

            /// Runs the deterministic variant of hash_slh_sign, FIPS 205 Algorithm 23.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`] if the context is too long.
            pub fn sign_prehash_deterministic(
                &self,
                message: &PreHash,
                context: &[u8],
            ) -> Result<Vec<u8>, Error> {
                const { assert!(P::PREHASH.is_none()) };
                let parts = MessageParts::prehash(*message, context)?;
                Ok(self.with_signer(|signer| signer.sign_hedged_or_deterministic(&parts, None, NO_PROGRESS)))
            }
        }
    };
}

sign_prehash!(SigningKey);
sign_prehash!(PreparedSigningKey);
