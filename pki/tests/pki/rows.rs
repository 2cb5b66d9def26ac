//! The algorithms that the tests of certificates and keys run through.

use grille_registry::{Family, SignatureRow, distinct_signatures};

/// Iterates over the algorithms that have an OID, so that certificates can name them.
pub(crate) fn with_oid() -> impl Iterator<Item = &'static SignatureRow> {
    distinct_signatures().into_iter().filter(|row| row.oid.is_some())
}

/// Iterates over the algorithms with an OID, without those whose operations take long.
pub(crate) fn quick() -> impl Iterator<Item = &'static SignatureRow> {
    with_oid().filter(|row| !is_slow(row))
}

/// Returns whether key generation and signatures take up to seconds: the small variants of SLH-DSA and SPHINCS+.
pub(crate) fn is_slow(row: &SignatureRow) -> bool {
    row.family == Family::HashSmall
}
