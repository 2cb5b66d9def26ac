//! The algorithm as a type, and the errors for inputs and operations that it does not have.

use core::marker::PhantomData;
use grille_core::Error;

/// The algorithm with the parameter set `P`.
pub struct Falcon<P>(PhantomData<fn() -> P>);

/// The error for keys from a seed.
pub(crate) const NO_SEED: Error = Error::Unsupported { feature: "seeds for keys" };
/// The error for signing without a random generator.
pub(crate) const NOT_DETERMINISTIC: Error = Error::Unsupported { feature: "signatures without randomness" };

/// Checks that the context is empty, because Falcon has no contexts.
pub(crate) fn require_empty_context(context: &[u8]) -> Result<(), Error> {
    if context.is_empty() { Ok(()) } else { Err(Error::ContextTooLong { max: 0, got: context.len() }) }
}
