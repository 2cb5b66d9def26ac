//! Verification of messages that are passed in pieces.

use grille_core::{DynVerifyingKey, Error};

/// Verifies the signature of a message, passed in pieces of `len` bytes.
///
/// # Errors
/// Returns [`Error::InvalidSignature`] if the signature is invalid.
///
/// # Panics
/// Panics if the key refuses the context, or needs whole messages.
pub fn verify_in_pieces(
    key: &dyn DynVerifyingKey,
    context: &[u8],
    signature: &[u8],
    message: &[u8],
    len: usize,
) -> Result<(), Error> {
    let verifier = key.begin_verification(context, signature).expect("a valid context");
    let mut verifier = verifier.expect("a key that accepts messages in pieces");
    message.chunks(len).for_each(|piece| verifier.update(piece));
    verifier.finish()
}
