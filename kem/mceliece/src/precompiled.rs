//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::params::{self, Params};
use crate::{DecapsKey, McEliece, kem, streamed};
use alloc::boxed::Box;
use grille_core::{Ciphertext, CryptoRng, Error, Precompiled, Secret, StreamedEncapsulation};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<McEliece<Self>> for params::$set {
            grille_core::forward_kem_operations!(McEliece<Self>);

            fn with_seed(seed: &[u8]) -> Result<DecapsKey<Self>, Error> {
                DecapsKey::with_seed(seed)
            }

            fn decapsulate_encoded(
                key: &[u8],
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Result<Secret<[u8; 32]>, Error> {
                kem::decapsulate_encoded::<Self>(key, ciphertext)
            }

            fn begin_encapsulation(rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
                Some(streamed::begin::<Self>(rng))
            }
        }
    )*};
}

precompile! {
    McEliece348864 McEliece348864f McEliece460896 McEliece460896f McEliece6688128 McEliece6688128f
    McEliece6960119 McEliece6960119f McEliece8192128 McEliece8192128f
    McEliece348864Round3 McEliece348864fRound3 McEliece460896Round3 McEliece460896fRound3
    McEliece6688128Round3 McEliece6688128fRound3 McEliece6960119Round3 McEliece6960119fRound3
    McEliece8192128Round3 McEliece8192128fRound3
}
