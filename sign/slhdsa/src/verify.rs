//! Verification: slh_verify, FIPS 205 Algorithms 20, 24 and 25. All data is public, so the running time may
//! vary.

use crate::SlhDsa;
use crate::family::Family;
use crate::fors;
use crate::hypertree::root_from_signature;
use crate::message::MessageParts;
use crate::params::{Params, Shape};
use crate::precompiled::Precompiled;
use crate::sign::Selection;
use crate::streaming;
use crate::version::Fips205;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Error, MessageVerifier};
use grille_hash::Level;
use grille_hash::prehash::{Hasher, PreHash};

/// A verifying key (public), which consists of PK.seed and PK.root.
pub struct VerifyingKey<P: Params> {
    bytes: P::VerifyingKeyBytes,
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        let mut bytes = P::VerifyingKeyBytes::zeroed();
        bytes.as_mut().copy_from_slice(self.as_bytes());
        Self { bytes }
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} verifying key", P::NAME)
    }
}

impl<P: Params> VerifyingKey<P> {
    pub(crate) const fn from_array(bytes: P::VerifyingKeyBytes) -> Self {
        Self { bytes }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Runs slh_verify_internal, FIPS 205 Algorithm 20.
    pub(crate) fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::Family::verify(&P::SHAPE, self.as_bytes(), message, signature)
    }
}

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

impl<P: Params<Family: Family<Version = Fips205>>> VerifyingKey<P> {
    /// Runs hash_slh_verify, FIPS 205 Algorithm 25.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid or has the wrong length, or
    /// [`Error::ContextTooLong`] if the context is too long.
    ///
    /// This method does not compile for sets that already hash messages beforehand, because these sets fix
    /// the hash function.
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        const { assert!(P::PREHASH.is_none()) };
        self.verify_parts(&MessageParts::prehash(*message, context)?, signature)
    }

    /// Runs slh_verify_internal, FIPS 205 Algorithm 20, on the formatted message M′, for tests against vectors.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_internal(&self, m_prime: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::formatted(m_prime), signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for VerifyingKey<P> {
    type Scheme = SlhDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("verifying key", 2 * P::SHAPE.n, bytes.len())?;
        let mut key = P::VerifyingKeyBytes::zeroed();
        key.as_mut().copy_from_slice(bytes);
        Ok(Self::from_array(key))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    /// Runs slh_verify, FIPS 205 Algorithm 24, or Algorithm 25 if the set hashes messages beforehand.
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::new::<P>(message, context)?, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        streaming::begin_verification(self, context, signature)
    }
}
