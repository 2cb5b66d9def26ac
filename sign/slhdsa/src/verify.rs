//! Verification: slh_verify_internal, FIPS 205 Algorithm 20. All data is public, so the running time may
//! vary.

use crate::family::Family;
use crate::fors;
use crate::hypertree::root_from_signature;
use crate::message::MessageParts;
use crate::shape::Shape;
use crate::sign::Selection;
use grille_core::Error;
use grille_hash::Level;
use grille_hash::prehash::{Hasher, PreHash};

/// Runs slh_verify_internal, FIPS 205 Algorithm 20, with the key PK.seed ‖ PK.root.
pub(crate) fn verify<F: Family>(
    shape: &Shape,
    key: &[u8],
    message: &MessageParts<'_>,
    signature: &[u8],
) -> Result<(), Error> {
    check_signature_len(shape, signature)?;
    let (family, pk_root) = split_key::<F>(shape, key);
    let selection = Selection::new(&family, shape, &signature[..shape.n], pk_root, message);
    verify_selected(&family, shape, pk_root, &selection, signature)
}

/// Starts to compute H_msg of a message that arrives in pieces, with the key PK.seed ‖ PK.root. Returns `None` if the
/// family needs the whole message at once.
pub(crate) fn h_msg_hasher<F: Family>(shape: &Shape, key: &[u8], r: &[u8]) -> Option<Hasher> {
    let (family, pk_root) = split_key::<F>(shape, key);
    family.begin_h_msg(r, pk_root)
}

/// Runs slh_verify_internal, FIPS 205 Algorithm 20, with the key PK.seed ‖ PK.root. `h_msg` is the final hash of the
/// hasher that [`h_msg_hasher`] returned.
pub(crate) fn verify_hashed<F: Family>(
    shape: &Shape,
    key: &[u8],
    h_msg: &PreHash,
    signature: &[u8],
) -> Result<(), Error> {
    check_signature_len(shape, signature)?;
    let (family, pk_root) = split_key::<F>(shape, key);
    let write = |digest: &mut [u8]| family.end_h_msg(&signature[..shape.n], h_msg, digest);
    let selection = Selection::from_hash::<F>(shape, write);
    verify_selected(&family, shape, pk_root, &selection, signature)
}

fn check_signature_len(shape: &Shape, signature: &[u8]) -> Result<(), Error> {
    if signature.len() == shape.signature_len() { Ok(()) } else { Err(Error::InvalidSignature) }
}

/// Returns the hash functions of PK.seed, and PK.root.
fn split_key<'k, F: Family>(shape: &Shape, key: &'k [u8]) -> (F, &'k [u8]) {
    let (pk_seed, pk_root) = key.split_at(shape.n);
    (F::new(Level::detect(), shape, pk_seed), pk_root)
}

/// Runs slh_verify_internal, FIPS 205 Algorithm 20, starting at line 14. `signature` must have the right length.
fn verify_selected<F: Family>(
    family: &F,
    shape: &Shape,
    pk_root: &[u8],
    selection: &Selection,
    signature: &[u8],
) -> Result<(), Error> {
    let (fors, hypertree) = signature[shape.n..].split_at(shape.fors_len());
    let Selection { indices, leaf } = selection;
    let key = fors::pk_from_sig(family, shape, leaf.key_pair(), indices, fors);
    let root = root_from_signature(family, shape, &key, *leaf, hypertree);
    if &root[..shape.n] == pk_root { Ok(()) } else { Err(Error::InvalidSignature) }
}
