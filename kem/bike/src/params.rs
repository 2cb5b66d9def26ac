//! The parameter sets: BIKE of round 4, Table 4, and of round 3, which has the same numbers.

use crate::generation::{Generation, Round3, Round4};
use grille_core::Bytes;
use grille_gf2x::{Element, Ring};
use zeroize::Zeroize;

/// A vector of r bits, an element of R.
pub(crate) type Vector<P> = Element<P>;

/// A parameter set and the ring R of its vectors, where 2 is a primitive root of the prime r. Named with the letters of
/// the specification.
pub trait Params: Ring + Send + Sync {
    /// The round of BIKE.
    type Generation: Generation;
    /// The name in liboqs. Names of round 3 have `-round3` appended here.
    const NAME: &'static str;
    /// w/2, the number of ones of h₀ and of h₁.
    const D: usize;
    /// t, the number of ones of e₀ and e₁ together.
    const T: usize;
    /// The threshold of the decoder for a syndrome of weight S: (BASE + SLOPE·S)/10⁸, at least [`MIN`](Self::MIN).
    const BASE: u64;
    /// The slope of the threshold; see [`BASE`](Self::BASE).
    const SLOPE: u64;
    /// The smallest threshold.
    const MIN: u32;
    /// An encoded encapsulation key.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
}

macro_rules! param_sets {
    ($($set:ident $name:literal $generation:ident = ($r:literal $d:literal $t:literal
        $base:literal $slope:literal $min:literal | $words:literal $ek:literal $dk:literal $ct:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Ring for $set {
            const N: usize = $r;
            type Words = [u64; $words];
            type Product = [u64; 2 * $words];
        }

        impl Params for $set {
            type Generation = $generation;
            const NAME: &'static str = $name;
            const D: usize = $d;
            const T: usize = $t;
            const BASE: u64 = $base;
            const SLOPE: u64 = $slope;
            const MIN: u32 = $min;
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type CiphertextBytes = [u8; $ct];
        }

        const _: () = assert!($words == grille_gf2x::padded(($r as usize).div_ceil(64)), "r bits, padded");
        const _: () = assert!($min == ($d + 1) / 2, "the minimum threshold is half of the checks");
        const _: () = assert!($ek == ($r as usize).div_ceil(8), "h");
        const _: () = assert!($dk == 8 * $d + 3 * $ek + 32, "supports of 32-bit numbers, h0, h1, h and sigma");
        const _: () = assert!($ct == $ek + 32, "c0 and c1");
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                    r    d   t      base      slope min | words ek   dk    ct
    L1       "BIKE-L1"        Round4 = (12323  71 134 1353000000 697220 36 | 216 1541  5223 1573);
    L3       "BIKE-L3"        Round4 = (24659 103 199 1525880000 526500 52 | 432 3083 10105 3115);
    L5       "BIKE-L5"        Round4 = (40973 137 264 1787850000 402312 69 | 648 5122 16494 5154);
    L1Round3 "BIKE-L1-round3" Round3 = (12323  71 134 1353000000 697220 36 | 216 1541  5223 1573);
    L3Round3 "BIKE-L3-round3" Round3 = (24659 103 199 1525880000 526500 52 | 432 3083 10105 3115);
}
