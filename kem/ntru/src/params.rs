//! The parameter sets: NTRU round 3, and two larger sets that follow the same rules.

use crate::algorithm::{Hps, Hrss, Ntru, Precompiled, Variant};
use grille_core::{Array, Bytes};
use zeroize::Zeroize;

/// A parameter set. Its constants have the names of the submission. p is always 3.
pub trait Params: Precompiled<Ntru<Self>> + Sized + Send + Sync + 'static {
    /// The variant, HPS or HRSS.
    type Variant: Variant;
    /// The name in the submission's spelling, which liboqs also uses.
    const NAME: &'static str;
    /// n, a prime modulo which 2 and 3 are primitive roots, so that S/2 and S/3 are fields.
    const N: usize;
    /// log₂ q.
    const LOG_Q: usize;
    /// An array of n coefficients, followed by zeroes up to a multiple of 64.
    type Coefficients: Array<u16> + Zeroize;
    /// The n − 1 sorting keys of Fixed_Type, followed by the highest possible keys up to a length that the
    /// networks sort.
    type SortKeys: Array<i32>;
    /// The bytes that Sample_fg and Sample_rm read.
    type SampleBytes: Bytes + Zeroize;
    /// An element of S/3, packed.
    type S3Bytes: Bytes + Zeroize;
    /// An element of R/q or S/q, packed: an encapsulation key, or a ciphertext.
    type PublicBytes: Bytes + Zeroize;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
}

macro_rules! param_sets {
    ($($set:ident $name:literal $variant:ident = ($n:literal $log_q:literal $padded:literal $keys:literal
        | $sample:literal $s3:literal $public:literal $dk:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Variant = $variant;
            const NAME: &'static str = $name;
            const N: usize = $n;
            const LOG_Q: usize = $log_q;
            type Coefficients = [u16; $padded];
            type SortKeys = [i32; $keys];
            type SampleBytes = [u8; $sample];
            type S3Bytes = [u8; $s3];
            type PublicBytes = [u8; $public];
            type DecapsKeyBytes = [u8; $dk];
        }

        const _: () = assert!($padded % 64 == 0 && $padded > $n && $padded < $n + 64, "n, padded");
        const _: () = assert!($sample == $variant::sample_len($n), "length of the sampled bytes");
        const _: () = assert!($s3 == ($n - 1_usize).div_ceil(5), "five trits a byte");
        const _: () = assert!($public == ($log_q * ($n - 1_usize)).div_ceil(8), "n − 1 coefficients");
        const _: () = assert!($dk == 2 * $s3 + $public + 32, "f, f⁻¹ modulo 3, h⁻¹, and the key of the PRF");
        const _: () = assert!($n % 8 == 5, "n − 1 is four more than a multiple of eight");
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                             n log q padded keys | sample  s3   pk   dk
    Hps2048509   "NTRU-HPS-2048-509"  Hps  = ( 509 11  512  512 | 2413 102  699  935);
    Hps2048677   "NTRU-HPS-2048-677"  Hps  = ( 677 11  704  768 | 3211 136  930 1234);
    Hps4096821   "NTRU-HPS-4096-821"  Hps  = ( 821 12  832 1024 | 3895 164 1230 1590);
    Hps40961229  "NTRU-HPS-4096-1229" Hps  = (1229 12 1280 1280 | 5833 246 1842 2366);
    Hrss701      "NTRU-HRSS-701"      Hrss = ( 701 13  704    0 | 1400 140 1138 1450);
    Hrss1373     "NTRU-HRSS-1373"     Hrss = (1373 14 1408    0 | 2744 275 2401 2983);
}
