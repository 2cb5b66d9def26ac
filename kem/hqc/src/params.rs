//! The parameter sets: HQC of August 2025, Table 5, and HQC of round 3, which uses the same codes.

use crate::algorithm::Hqc;
use crate::version::{August2025, Round3, Version};
use grille_core::{Bytes, Precompiled};
use grille_gf2x::{Element, Ring};
use zeroize::Zeroize;

/// A vector of n bits, an element of R.
pub(crate) type Vector<P> = Element<P>;

/// A parameter set and the ring R of its vectors, where 2 is a primitive root of the prime n. The constants are named
/// with the letters of the specification.
pub trait Params: Ring + Precompiled<Hqc<Self>> + Sized + Send + Sync {
    /// The version of HQC.
    type Version: Version;
    /// The name in liboqs.
    const NAME: &'static str;
    /// n₁, the number of symbols of a codeword of the Reed–Solomon code.
    const N1: usize;
    /// n₂, the number of bits of a codeword of the duplicated Reed–Muller code.
    const N2: usize;
    /// k, the number of bytes of a message.
    const K: usize;
    /// δ, the number of symbols that the Reed–Solomon code corrects; n₁ = k + 2·δ.
    const DELTA: usize;
    /// ω, the weight of each of x and y.
    const OMEGA: usize;
    /// ω_r and ω_e, which are equal: the weight of each of r₁, r₂ and e.
    const OMEGA_R: usize;
    /// A message.
    type MessageBytes: Bytes + Zeroize;
    /// An encoded encapsulation key.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// A ciphertext.
    type CiphertextBytes: Bytes + Zeroize;
    /// A shared secret.
    type SharedBytes: Bytes + Zeroize;
}

/// Returns the number of bytes of v, a codeword of both codes.
pub(crate) const fn codeword_len<P: Params>() -> usize {
    P::N1 * P::N2 / 8
}

macro_rules! param_sets {
    ($($set:ident $name:literal $version:ident = ($n:literal $n1:literal $n2:literal $k:literal $delta:literal
        $omega:literal $omega_r:literal | $words:literal $ek:literal $dk:literal $ct:literal $ss:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Ring for $set {
            const N: usize = $n;
            type Words = [u64; $words];
            type Product = [u64; 2 * $words];
        }

        impl Params for $set {
            type Version = $version;
            const NAME: &'static str = $name;
            const N1: usize = $n1;
            const N2: usize = $n2;
            const K: usize = $k;
            const DELTA: usize = $delta;
            const OMEGA: usize = $omega;
            const OMEGA_R: usize = $omega_r;
            type MessageBytes = [u8; $k];
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type CiphertextBytes = [u8; $ct];
            type SharedBytes = [u8; $ss];
        }

        const _: () = assert!($words == grille_gf2x::padded(($n as usize).div_ceil(64)), "n bits, padded");
        const _: () = assert!($n1 == $k + 2 * $delta, "the Reed–Solomon code");
        const _: () = assert!($n2 % 128 == 0 && $n1 * $n2 % 64 == 0 && $n1 * $n2 < $n, "the concatenated code");
        const _: () = assert!($ek == $version::SEED_LEN + ($n as usize).div_ceil(8), "the seed of h, and s");
        const _: () = assert!($dk == $ek + $version::secrets_len($k), "the encapsulation key, and secrets");
        const _: () = assert!(
            $ct == ($n as usize).div_ceil(8) + $n1 * $n2 / 8 + $version::TAIL_LEN,
            "u, v, and the salt or d",
        );
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                     n   n1  n2  k  δ   ω  ω_r | words   ek   dk    ct  ss
    Hqc1    "HQC-1"   August2025 =  (17669 46 384 16 15  66  75 |  288 2241 2321  4433 32);
    Hqc3    "HQC-3"   August2025 =  (35851 56 640 24 16 100 114 |  576 4514 4602  8978 32);
    Hqc5    "HQC-5"   August2025 =  (57637 90 640 32 29 131 149 | 1024 7237 7333 14421 32);
    Hqc128  "HQC-128" Round3     =  (17669 46 384 16 15  66  75 |  288 2249 2289  4481 64);
    Hqc192  "HQC-192" Round3     =  (35851 56 640 24 16 100 114 |  576 4522 4562  9026 64);
    Hqc256  "HQC-256" Round3     =  (57637 90 640 32 29 131 149 | 1024 7245 7285 14469 64);
}
