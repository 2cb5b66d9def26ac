//! Key generation, FIPS 205 Algorithm 18: the root of the hypertree.

use crate::family::{Family, Node};
use crate::progress::ProgressCounter;
use crate::shape::Shape;
use crate::wots::Wots;
use grille_core::ct;
use grille_hash::Level;

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
