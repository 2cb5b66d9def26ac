//! A signed message, and the verification of its signature with a key.

use rustls_pki_types::SignatureVerificationAlgorithm;

/// Message and signature of an X.509 document.
pub(crate) struct Signed<'a> {
    /// Contents of the signature's AlgorithmIdentifier.
    pub(crate) identifier: &'a [u8],
    pub(crate) message: &'a [u8],
    pub(crate) signature: &'a [u8],
}

/// Returns whether a signature verifies with a key. Returns `None` if none of `algorithms` matches the identifiers of
/// both the signature and the key.
///
/// `kind`: contents of the key's AlgorithmIdentifier.
pub(crate) fn matches_key(
    signed: &Signed<'_>,
    kind: &[u8],
    key: &[u8],
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let able = algorithms
        .iter()
        .filter(|one| *one.signature_alg_id() == *signed.identifier && *one.public_key_alg_id() == *kind);
    able.map(|one| one.verify_signature(key, signed.message, signed.signature).is_ok())
        .reduce(|one, other| one || other)
}
