//! The operations of each degree, compiled in this crate; [`grille_core::precompiled`] gives the reason.
//! The code that depends on a parameter set and not only on its degree is small and remains generic.

use crate::backend::dispatch;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::backend::dispatch_avx512;
#[cfg(feature = "emulated")]
use crate::backend::run_portable;
use crate::codec;
use crate::degree::{Degree, N512, N1024};
use crate::keygen::{Basis, Complete, KeyGen};
use crate::sign::ExpandedKey;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::sign::batch::SignEight;
#[cfg(feature = "emulated")]
use crate::sign::emulated::Emulated;
use crate::sign::flr::Flr;
use crate::sign::operations::{Prepare, Sign, SignLowMemory, SignPrepared};
use crate::verify::Verify;
use alloc::boxed::Box;
use grille_core::{Error, boxed};
#[cfg(feature = "emulated")]
use grille_hash::Level;

/// The operations with a degree, which implements this trait itself. The functions that take an operation run it
/// at the best CPU level of this machine, or with emulated doubles in plain Rust. The encodings are those of `codec`.
pub trait Precompiled: Degree {
    fn generate(operation: KeyGen<'_, Self, Flr>);
    #[cfg(feature = "emulated")]
    fn generate_emulated(operation: KeyGen<'_, Self, Emulated>);
    fn complete(operation: Complete<'_, Self>) -> Result<(), &'static str>;
    fn sign(operation: Sign<'_, Self, Flr>) -> usize;
    #[cfg(feature = "emulated")]
    fn sign_emulated(operation: Sign<'_, Self, Emulated>) -> usize;
    fn sign_low_memory(operation: SignLowMemory<'_, Self>) -> usize;
    /// Returns a key of zeroes on the heap, for `prepare` to fill in place.
    fn zeroed_expanded_key() -> Box<ExpandedKey<Self, Flr>>;
    fn prepare(operation: Prepare<'_, Self>);
    fn sign_prepared(operation: SignPrepared<'_, Self>) -> usize;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    fn sign_eight(operation: SignEight<'_, Self>) -> [usize; 8];
    fn verify(operation: Verify<'_, Self>) -> Result<(), Error>;
    fn encode_signing_key(basis: &Basis<Self>, bytes: &mut [u8]);
    fn decode_signing_key(bytes: &[u8], basis: &mut Basis<Self>) -> Result<(), &'static str>;
    fn encode_verifying_key(h: &[i16]) -> Self::VerifyingKeyBytes;
    fn decode_verifying_key(bytes: &[u8], h: &mut [i16]) -> Result<(), &'static str>;
}

macro_rules! precompile {
    ($($degree:ident)*) => {$(
        impl Precompiled for $degree {
            fn generate(operation: KeyGen<'_, $degree, Flr>) {
                dispatch(operation);
            }

            #[cfg(feature = "emulated")]
            fn generate_emulated(operation: KeyGen<'_, $degree, Emulated>) {
                run_portable(Level::Portable, operation);
            }

            fn complete(operation: Complete<'_, $degree>) -> Result<(), &'static str> {
                dispatch(operation)
            }

            fn sign(operation: Sign<'_, $degree, Flr>) -> usize {
                dispatch(operation)
            }

            #[cfg(feature = "emulated")]
            fn sign_emulated(operation: Sign<'_, $degree, Emulated>) -> usize {
                run_portable(Level::Portable, operation)
            }

            fn sign_low_memory(operation: SignLowMemory<'_, $degree>) -> usize {
                dispatch(operation)
            }

            fn zeroed_expanded_key() -> Box<ExpandedKey<$degree, Flr>> {
                boxed(ExpandedKey::zeroed)
            }

            fn prepare(operation: Prepare<'_, $degree>) {
                dispatch(operation);
            }

            fn sign_prepared(operation: SignPrepared<'_, $degree>) -> usize {
                dispatch(operation)
            }

            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            fn sign_eight(operation: SignEight<'_, $degree>) -> [usize; 8] {
                dispatch_avx512(operation.token, operation)
            }

            fn verify(operation: Verify<'_, $degree>) -> Result<(), Error> {
                dispatch(operation)
            }

            fn encode_signing_key(basis: &Basis<$degree>, bytes: &mut [u8]) {
                codec::encode_signing_key::<$degree>(&basis.f, &basis.g, &basis.F, bytes);
            }

            fn decode_signing_key(bytes: &[u8], basis: &mut Basis<$degree>) -> Result<(), &'static str> {
                codec::decode_signing_key::<$degree>(bytes, &mut basis.f, &mut basis.g, &mut basis.F)
            }

            fn encode_verifying_key(h: &[i16]) -> <$degree as Degree>::VerifyingKeyBytes {
                codec::encode_verifying_key::<$degree>(h)
            }

            fn decode_verifying_key(bytes: &[u8], h: &mut [i16]) -> Result<(), &'static str> {
                codec::decode_verifying_key::<$degree>(bytes, h)
            }
        }
    )*};
}
precompile! { N512 N1024 }
