//! The algorithm as a type, and the operations on its keys. Parameter sets and keys depend on this module.

use core::marker::PhantomData;
use grille_core::Error;

/// The algorithm with the parameter set `P`.
pub struct MlDsa<P>(PhantomData<fn() -> P>);

/// The types of the operations of an algorithm. Each operation contains its inputs and its output buffers.
pub trait Operations {
    /// Generation of a key from ξ.
    type KeyGen<'a>;
    /// Import of an encoded signing key of the right length.
    type Import<'a>;
    /// Check of the ranges of s1 and s2 in an encoded signing key.
    type CheckRanges<'a>;
    /// Computation of a signature.
    type Sign<'a>;
    /// Computation of the values of a prepared signing key.
    type PrepareSigningKey<'a>;
    /// Verification of one signature with an encoded key.
    type Verify<'a>;
    /// Verification of one signature with an encoded key and little memory.
    type VerifyLowMemory<'a>;
    /// Computation of the values of a prepared verifying key, except for its hash.
    type PrepareVerifyingKey<'a>;
    /// Verification of one signature with a prepared key.
    type VerifyPrepared<'a>;
}

/// The operations of the algorithm `A`. Each parameter set of `A` implements this trait in `precompiled.rs`. The
/// functions run an operation at the best level of this machine.
pub trait Precompiled<A: Operations> {
    fn generate(operation: A::KeyGen<'_>);
    fn import(operation: A::Import<'_>) -> Result<(), Error>;
    fn check_ranges(operation: A::CheckRanges<'_>) -> Result<(), Error>;
    fn sign(operation: A::Sign<'_>);
    fn prepare_signing_key(operation: A::PrepareSigningKey<'_>);
    fn verify(operation: A::Verify<'_>) -> Result<(), Error>;
    fn verify_low_memory(operation: A::VerifyLowMemory<'_>) -> Result<(), Error>;
    fn prepare_verifying_key(operation: A::PrepareVerifyingKey<'_>);
    fn verify_prepared(operation: A::VerifyPrepared<'_>) -> Result<(), Error>;
}
