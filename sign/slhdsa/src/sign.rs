//! Signing: slh_sign_internal, FIPS 205 Algorithm 19.

use crate::family::Family;
use crate::fors::{self, Indices};
use crate::hypertree::{Leaf, TopTree};
use crate::message::MessageParts;
use crate::progress::ProgressCounter;
use crate::shape::Shape;
use crate::wots::Wots;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{Progress, ct};
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
    pub(crate) shape: Shape,
    pub(crate) sk_prf: &'a [u8],
    pub(crate) pk_seed: &'a [u8],
    pub(crate) pk_root: &'a [u8],
    pub(crate) family: &'a F,
    pub(crate) secret: &'a F::Secret,
    pub(crate) top: Option<&'a TopTree>,
}

impl<F: Family> Signer<'_, F> {
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
