//! The algorithms as types. Parameter sets and keys depend on this module.

use core::marker::PhantomData;

/// BIKE of rounds 3 and 4 with the parameter set `P`.
pub struct Bike<P>(PhantomData<fn() -> P>);

/// BIKE-1 with the parameter set `P`.
pub struct Bike1<P>(PhantomData<fn() -> P>);
