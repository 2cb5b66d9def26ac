//! slh_sign, FIPS 205 Algorithms 19, 22 and 23.

use crate::family::{Family, Node};
use crate::fors::{self, Indices};
use crate::generation::Fips205;
use crate::hypertree::Leaf;
use crate::keygen::SigningKey;
use crate::message::MessageParts;
use crate::params::{Params, Shape};
use crate::wots::Wots;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Error, ct, erase};
use grille_hash::Level;
use grille_hash::prehash::PreHash;

/// The most bytes of a message digest, of SLH-DSA-256f and its likes.
const MAX_DIGEST: usize = 49;

/// What a message digest selects: FORS leaves, and the hypertree's leaf whose FORS key they are of.
pub(crate) struct Selection {
    pub(crate) indices: Indices,
    pub(crate) leaf: Leaf,
}

impl Selection {
    /// FIPS 205 Algorithm 19, lines 5 to 13.
    pub(crate) fn new<F: Family>(
        family: &F,
        shape: &Shape,
        r: &[u8],
        pk_root: &[u8],
        message: &MessageParts<'_>,
    ) -> Self {
        let mut digest = [0; MAX_DIGEST];
        let digest = &mut digest[..shape.digest_len()];
        family.h_msg(r, pk_root, &message.parts(), digest);
        Self { indices: Indices::new::<F::Generation>(shape, digest), leaf: Leaf::new(shape, digest) }
    }
}

impl<P: Params> SigningKey<P> {
    /// slh_sign, FIPS 205 Algorithm 22, hedged: draws n bytes.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        let parts = MessageParts::pure::<<P::Family as Family>::Generation>(message, context)?;
        Ok(self.sign_hedged(&parts, rng))
    }

    /// slh_sign, FIPS 205 Algorithm 22, deterministic: PK.seed takes the place of the randomness.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        let parts = MessageParts::pure::<<P::Family as Family>::Generation>(message, context)?;
        Ok(self.sign_parts(&parts, None))
    }

    fn sign_hedged(&self, message: &MessageParts<'_>, rng: &mut dyn CryptoRng) -> Vec<u8> {
        let mut opt_rand = [0; 32];
        let opt_rand = &mut opt_rand[..P::SHAPE.n];
        rng.fill_bytes(opt_rand);
        let signature = self.sign_parts(message, Some(opt_rand));
        erase(opt_rand);
        signature
    }

    /// slh_sign_internal, FIPS 205 Algorithm 19.
    fn sign_parts(&self, message: &MessageParts<'_>, opt_rand: Option<&[u8]>) -> Vec<u8> {
        let shape = P::SHAPE;
        let public = self.verifying_key.as_bytes();
        let (pk_seed, pk_root) = public.split_at(shape.n);
        let family = P::Family::new(Level::detect(), &shape, pk_seed);
        let secret = family.secret(self.sk_seed());

        let mut signature = vec![0; shape.signature_len()];
        let (r, rest) = signature.split_at_mut(shape.n);
        let (fors, hypertree) = rest.split_at_mut(shape.fors_len());
        let randomizer: Node = family.prf_msg(self.sk_prf(), opt_rand.unwrap_or(pk_seed), &message.parts());
        r.copy_from_slice(&randomizer[..shape.n]);
        // R is part of the signature, and so all that follows from it and the message
        ct::public_bytes(r);
        let Selection { indices, leaf } = Selection::new(&family, &shape, r, pk_root, message);
        let mut key = fors::sign(&family, &secret, &shape, leaf.key_pair(), &indices, fors);
        // the signature reveals what leads to it
        ct::public_bytes(&mut key);
        Wots { family: &family, secret: &secret, shape }.sign(&key, leaf, hypertree);
        signature
    }
}

impl<P: Params<Family: Family<Generation = Fips205>>> SigningKey<P> {
    /// hash_slh_sign, FIPS 205 Algorithm 23, hedged.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_prehash(
        &self,
        message: &PreHash,
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        Ok(self.sign_hedged(&MessageParts::prehash(message, context)?, rng))
    }

    /// hash_slh_sign, FIPS 205 Algorithm 23, deterministic.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_prehash_deterministic(&self, message: &PreHash, context: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.sign_parts(&MessageParts::prehash(message, context)?, None))
    }

    /// slh_sign_internal, FIPS 205 Algorithm 19, on the formatted message M′; for tests against vectors.
    ///
    /// `opt_rand` has n bytes.
    #[must_use]
    pub fn sign_internal(&self, m_prime: &[u8], opt_rand: Option<&[u8]>) -> Vec<u8> {
        self.sign_parts(&MessageParts::formatted(m_prime), opt_rand)
    }
}
