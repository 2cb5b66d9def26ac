//! The message representative that both parts of IETF composites sign.

use grille_hash::prehash::{HashFunction, Hasher};

/// The pre-hash function PH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreHash {
    /// SHA-256, FIPS 180-4.
    Sha256,
    /// SHA-512, FIPS 180-4.
    Sha512,
    /// SHAKE256 with 64 bytes of output, FIPS 202.
    Shake256,
}

impl PreHash {
    /// Creates the hasher that computes PH(M).
    pub(crate) fn hasher(self) -> Hasher {
        Hasher::new(match self {
            Self::Sha256 => HashFunction::Sha256,
            Self::Sha512 => HashFunction::Sha512,
            Self::Shake256 => HashFunction::Shake256,
        })
    }
}

/// Returns the message representative, draft-ietf-lamps-pq-composite-sigs section 2.2.
///
/// `hashed` is PH(M). `context` has at most 255 bytes.
pub(crate) fn representative(label: &str, hashed: &[u8], context: &[u8]) -> Vec<u8> {
    let context_len = [u8::try_from(context.len()).expect("the caller has checked the context")];
    // M' = Prefix ‖ Label ‖ len(ctx) ‖ ctx ‖ PH(M)
    [PREFIX, label.as_bytes(), &context_len, context, hashed].concat()
}

const PREFIX: &[u8] = b"CompositeAlgorithmSignatures2025";
