//! The algorithm as a type. Parameter sets and keys depend on this module.

use core::marker::PhantomData;

/// The algorithm with the parameter set `P`.
pub struct Bike<P>(PhantomData<fn() -> P>);
