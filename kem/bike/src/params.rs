//! The parameter sets: BIKE of round 4 (Table 4), BIKE of round 3 with the same values, and BIKE-1 of round 2.

use crate::algorithm::{Bike, Bike1};
use crate::bike1::{Cpa, Fo, Variant};
use crate::code::Vector;
use crate::round::{Round, Round3, Round4};
use grille_core::{Bytes, Precompiled};
use grille_gf2x::Ring;

pub use crate::code::Code;

/// A parameter set of rounds 3 and 4.
pub trait Params: Code + Precompiled<Bike<Self>> + Sized {
    /// The round of BIKE.
    type Round: Round;
}

/// A parameter set of BIKE-1, round 2.
pub trait Bike1Params: Code + Precompiled<Bike1<Self>> + Sized {
    /// The variant, CPA or FO.
    type Variant: Variant;
}

macro_rules! codes {
    ($($set:ident $name:literal = ($r:literal $d:literal $t:literal $iterations:literal
        $base:literal $slope:literal $min:literal | $words:literal $ek:literal $dk:literal $ct:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Ring for $set {
            const N: usize = $r;
            type Words = [u64; $words];
            type Product = [u64; 2 * $words];
        }

        impl Code for $set {
            const NAME: &'static str = $name;
            const D: usize = $d;
            const T: usize = $t;
            const ITERATIONS: usize = $iterations;
            const BASE: u64 = $base;
            const SLOPE: u64 = $slope;
            const MIN: u32 = $min;
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type CiphertextBytes = [u8; $ct];
        }

        const _: () = assert!($words == grille_gf2x::padded(($r as usize).div_ceil(64)), "r bits, padded");
    )*};
}

#[rustfmt::skip]
codes! {
    //                              r    d   t  it      base  slope min | words ek   dk    ct
    L1       "BIKE-L1"        = (12323  71 134 5 1353000000 697220 36 | 216 1541  5223 1573);
    L3       "BIKE-L3"        = (24659 103 199 5 1525880000 526500 52 | 432 3083 10105 3115);
    L5       "BIKE-L5"        = (40973 137 264 5 1787850000 402312 69 | 648 5122 16494 5154);
    L1Round3 "BIKE-L1-round3" = (12323  71 134 5 1353000000 697220 36 | 216 1541  5223 1573);
    L3Round3 "BIKE-L3-round3" = (24659 103 199 5 1525880000 526500 52 | 432 3083 10105 3115);
    L1Cpa    "BIKE1-L1-CPA"   = (10163  71 134 5 1353000000 697210  0 | 192 2542  3110 2542);
    L3Cpa    "BIKE1-L3-CPA"   = (19853 103 199 6 1593200000 529360  0 | 384 4964  5788 4964);
    L1Fo     "BIKE1-L1-FO"    = (11779  71 134 5 1353000000 697210  0 | 192 2946  6460 2946);
    L3Fo     "BIKE1-L3-FO"    = (24821 103 199 6 1593200000 529360  0 | 432 6206 13236 6206);
}

macro_rules! rounds {
    ($($set:ident $round:ident)*) => {$(
        impl Params for $set {
            type Round = $round;
        }

        const _: () = assert!($set::MIN as usize == $set::D.div_ceil(2), "the minimum threshold is half of the checks");
        const _: () = assert!(<$set as Code>::EncapsKeyBytes::LEN == Vector::<$set>::BYTES, "h");
        const _: () = assert!(
            <$set as Code>::DecapsKeyBytes::LEN == 8 * $set::D + 3 * Vector::<$set>::BYTES + 32,
            "supports of 32-bit numbers, h0, h1, h and sigma"
        );
        const _: () = assert!(<$set as Code>::CiphertextBytes::LEN == Vector::<$set>::BYTES + 32, "c0 and c1");
    )*};
}

rounds! { L1 Round4 L3 Round4 L5 Round4 L1Round3 Round3 L3Round3 Round3 }

macro_rules! variants {
    ($($set:ident $variant:ident)*) => {$(
        impl Bike1Params for $set {
            type Variant = $variant;
        }

        const _: () = assert!(<$set as Code>::EncapsKeyBytes::LEN == 2 * Vector::<$set>::BYTES, "f0 and f1");
        const _: () = assert!(
            <$set as Code>::DecapsKeyBytes::LEN
                == 8 * $set::D + (2 + $variant::SIGMAS) * Vector::<$set>::BYTES,
            "supports of 32-bit numbers, h0, h1 and the values of sigma"
        );
        const _: () = assert!(<$set as Code>::CiphertextBytes::LEN == 2 * Vector::<$set>::BYTES, "c0 and c1");
    )*};
}

variants! { L1Cpa Cpa L3Cpa Cpa L1Fo Fo L3Fo Fo }
