//! The context of signatures, which no algorithm of this crate has.

use grille_core::Error;

/// Checks that the context is empty, because these algorithms take no context.
///
/// # Errors
/// Returns [`Error::ContextTooLong`] if the context is not empty.
pub(crate) fn check_context(context: &[u8]) -> Result<(), Error> {
    if context.is_empty() { Ok(()) } else { Err(Error::ContextTooLong { max: 0, got: context.len() }) }
}
