//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::algorithm::{MlDsa, Operations, Precompiled};
use crate::backend::dispatch;
use crate::expanded::{PrepareSigningKey, PrepareVerifyingKey};
use crate::keygen::{Import, KeyGen};
use crate::low_memory_verifying_key::VerifyLowMemory;
use crate::params::{D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87, Params};
use crate::prepared::VerifyPrepared;
use crate::sign::Sign;
use crate::trusted::CheckRanges;
use crate::verify::Verify;
use grille_core::Error;

impl<P: Params> Operations for MlDsa<P> {
    type KeyGen<'a> = KeyGen<'a, P>;
    type Import<'a> = Import<'a, P>;
    type CheckRanges<'a> = CheckRanges<'a, P>;
    type Sign<'a> = Sign<'a, P>;
    type PrepareSigningKey<'a> = PrepareSigningKey<'a, P>;
    type Verify<'a> = Verify<'a, P>;
    type VerifyLowMemory<'a> = VerifyLowMemory<'a, P>;
    type PrepareVerifyingKey<'a> = PrepareVerifyingKey<'a, P>;
    type VerifyPrepared<'a> = VerifyPrepared<'a, P>;
}

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<MlDsa<Self>> for $set {
            fn generate(operation: KeyGen<'_, Self>) {
                dispatch(operation);
            }

            fn import(operation: Import<'_, Self>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn check_ranges(operation: CheckRanges<'_, Self>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn sign(operation: Sign<'_, Self>) {
                dispatch(operation);
            }

            fn prepare_signing_key(operation: PrepareSigningKey<'_, Self>) {
                dispatch(operation);
            }

            fn verify(operation: Verify<'_, Self>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn verify_low_memory(operation: VerifyLowMemory<'_, Self>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn prepare_verifying_key(operation: PrepareVerifyingKey<'_, Self>) {
                dispatch(operation);
            }

            fn verify_prepared(operation: VerifyPrepared<'_, Self>) -> Result<(), Error> {
                dispatch(operation)
            }
        }
    )*};
}
precompile! { P44 P65 P87 D2 D3 D5 D2Aes D3Aes D5Aes }
