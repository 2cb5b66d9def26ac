//! The operations of each parameter set, compiled in this crate; [`grille_core::precompiled`] gives the reason.

use crate::Bike;
use crate::bike1::Bike1;
use crate::params::{L1, L1Cpa, L1Fo, L1Round3, L3, L3Cpa, L3Fo, L3Round3, L5};
use grille_core::Precompiled;

macro_rules! precompile {
    ($($kem:ident: $($set:ident)*;)*) => {$($(
        impl Precompiled<$kem<Self>> for $set {
            grille_core::forward_kem_operations!($kem<Self>);
        }
    )*)*};
}

precompile! {
    Bike: L1 L3 L5 L1Round3 L3Round3;
    Bike1: L1Cpa L3Cpa L1Fo L3Fo;
}
