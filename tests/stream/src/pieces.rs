//! Messages that come in pieces.

use grille_core::{DynVerifyingKey, Error};

/// Verifies the signature of a message that comes in pieces of `len` bytes.
///
/// # Errors
/// [`Error::InvalidSignature`].
///
/// # Panics
/// If the key refuses the context, or wants whole messages.
pub fn verify_in_pieces(
    key: &dyn DynVerifyingKey,
    context: &[u8],
    signature: &[u8],
    message: &[u8],
    len: usize,
) -> Result<(), Error> {
    let begun = key.begin_verification(context, signature).expect("a context that the key takes");
    let mut verifier = begun.expect("a message may come in pieces");
    message.chunks(len).for_each(|piece| verifier.update(piece));
    verifier.finish()
}
