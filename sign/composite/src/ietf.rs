//! What both parts of the IETF's composites sign.

use grille_hash::Level;
use grille_hash::sha2::{sha256, sha512};
use grille_hash::sponge::shake256;

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

/// The message representative, draft-ietf-lamps-pq-composite-sigs section 2.2.
///
/// `context` has at most 255 bytes.
pub(crate) fn representative(label: &str, hash: PreHash, message: &[u8], context: &[u8]) -> Vec<u8> {
    let context_len = [u8::try_from(context.len()).expect("the caller has checked the context")];
    let prefix = [PREFIX, label.as_bytes(), &context_len, context];
    // M' = Prefix ‖ Label ‖ len(ctx) ‖ ctx ‖ PH(M)
    match hash {
        PreHash::Sha256 => [&prefix.concat()[..], &sha256(&[message])].concat(),
        PreHash::Sha512 => [&prefix.concat()[..], &sha512(&[message])].concat(),
        PreHash::Shake256 => {
            let mut hash = [0; 64];
            shake256(Level::detect(), &[message], &mut hash);
            [&prefix.concat()[..], &hash].concat()
        }
    }
}

const PREFIX: &[u8] = b"CompositeAlgorithmSignatures2025";
