//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::params::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256};
use crate::{DecapsKey, Hqc};
use grille_core::{Error, Precompiled};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<Hqc<Self>> for $set {
            grille_core::forward_kem_operations!(Hqc<Self>);

            fn with_seed(seed: &[u8]) -> Result<DecapsKey<Self>, Error> {
                DecapsKey::with_seed(seed)
            }
        }
    )*};
}
precompile! { Hqc1 Hqc3 Hqc5 Hqc128 Hqc192 Hqc256 }
