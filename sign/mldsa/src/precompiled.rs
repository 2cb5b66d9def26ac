//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::backend::dispatch;
use crate::keygen::{Import, KeyGen};
use crate::low_memory_verifying_key::VerifyLowMemory;
use crate::params::{D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87, Params};
use crate::prepared::{PrepareSigningKey, PrepareVerifyingKey, VerifyPrepared};
use crate::sign::Sign;
use crate::trusted::CheckRanges;
use crate::verify::Verify;
use grille_core::Error;

/// The operations with the parameter set `P`, which implements this trait itself. The functions that take an operation
/// run it at the best level of this machine.
pub trait Precompiled<P: Params> {
    fn generate(operation: KeyGen<'_, P>);
    fn import(operation: Import<'_, P>) -> Result<(), Error>;
    fn check_ranges(operation: CheckRanges<'_, P>) -> Result<(), Error>;
    fn sign(operation: Sign<'_, P>);
    fn prepare_signing_key(operation: PrepareSigningKey<'_, P>);
    fn verify(operation: Verify<'_, P>) -> Result<(), Error>;
    fn verify_low_memory(operation: VerifyLowMemory<'_, P>) -> Result<(), Error>;
    fn prepare_verifying_key(operation: PrepareVerifyingKey<'_, P>);
    fn verify_prepared(operation: VerifyPrepared<'_, P>) -> Result<(), Error>;
}

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<$set> for $set {
            fn generate(operation: KeyGen<'_, $set>) {
                dispatch(operation);
            }

            fn import(operation: Import<'_, $set>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn check_ranges(operation: CheckRanges<'_, $set>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn sign(operation: Sign<'_, $set>) {
                dispatch(operation);
            }

            fn prepare_signing_key(operation: PrepareSigningKey<'_, $set>) {
                dispatch(operation);
            }

            fn verify(operation: Verify<'_, $set>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn verify_low_memory(operation: VerifyLowMemory<'_, $set>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn prepare_verifying_key(operation: PrepareVerifyingKey<'_, $set>) {
                dispatch(operation);
            }

            fn verify_prepared(operation: VerifyPrepared<'_, $set>) -> Result<(), Error> {
                dispatch(operation)
            }
        }
    )*};
}
precompile! { P44 P65 P87 D2 D3 D5 D2Aes D3Aes D5Aes }
