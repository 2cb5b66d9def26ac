//! The algorithm as a type, and the error for keys from a seed.

use core::marker::PhantomData;
use grille_core::Error;

/// The algorithm with the parameter set `P`.
pub struct SlhDsa<P>(PhantomData<fn() -> P>);

/// The error for keys from a single seed, which the standard does not define.
pub(crate) const NO_SEED: Error = Error::Unsupported { feature: "seeds for keys" };
