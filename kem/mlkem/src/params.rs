//! The parameter sets: FIPS 203 Tables 2 and 3, and Kyber of round 3, Table 1.

use crate::algorithm::{MlKem, Precompiled};
use crate::poly::{NttPoly, Poly};
use crate::version::{Fips203, Kyber90s, Round3, Version};
use grille_core::{Array, Bytes};
use zeroize::Zeroize;

/// A parameter set. Its constants have the names that the standard uses.
pub trait Params:
    Precompiled<MlKem<Self>, <Self as Params>::NttMatrix> + Sized + Send + Sync + 'static
{
    /// The version of the algorithm: ML-KEM, round-3 Kyber or Kyber-90s.
    type Version: Version;
    /// The name in the standard's own spelling.
    const NAME: &'static str;
    /// k, the rank of the module.
    const K: usize;
    /// η₁, the largest absolute value of the coefficients of s, e and y.
    const ETA1: usize;
    /// η₂, the largest absolute value of the coefficients of e₁ and e₂.
    const ETA2: usize;
    /// d_u, the number of bits of a compressed coefficient of u.
    const DU: usize;
    /// d_v, the number of bits of a compressed coefficient of v.
    const DV: usize;
    /// The noise of key generation, s and e: 2k polynomials.
    type KeyNoise: Array<Poly> + Zeroize;
    /// The noise of encryption, y, e₁ and e₂: 2k + 1 polynomials.
    type EncryptionNoise: Array<Poly> + Zeroize;
    /// A vector of k elements of T_q.
    type NttVector: Array<NttPoly> + Zeroize;
    /// A matrix of k² elements of T_q.
    type NttMatrix: Array<NttPoly>;
    /// An encoded encapsulation key, which is also an encryption key of K-PKE.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key in expanded form.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// An encoded decryption key of K-PKE.
    type DecryptionKeyBytes: Bytes + Zeroize;
    /// A ciphertext.
    type CiphertextBytes: Bytes + Zeroize;
}

macro_rules! param_sets {
    ($($set:ident $name:literal $version:ident
        = ($k:literal $eta1:literal $eta2:literal $du:literal $dv:literal
        | $ek:literal $dk:literal $ct:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Version = $version;
            const NAME: &'static str = $name;
            const K: usize = $k;
            const ETA1: usize = $eta1;
            const ETA2: usize = $eta2;
            const DU: usize = $du;
            const DV: usize = $dv;
            type KeyNoise = [Poly; 2 * $k];
            type EncryptionNoise = [Poly; 2 * $k + 1];
            type NttVector = [NttPoly; $k];
            type NttMatrix = [NttPoly; $k * $k];
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type DecryptionKeyBytes = [u8; 384 * $k];
            type CiphertextBytes = [u8; $ct];
        }

        const _: () = assert!($ek == 384 * $k + 32, "t̂ with 12 bits, and rho");
        const _: () = assert!($dk == 768 * $k + 96, "ŝ with 12 bits, ek, H(ek) and z");
        const _: () = assert!($ct == 32 * ($du * $k + $dv), "u and v, compressed");
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                  k η1 η2 du dv |  ek   dk   ct
    P512     "ML-KEM-512"     Fips203 = (2 3 2 10 4 |  800 1632  768);
    P768     "ML-KEM-768"     Fips203 = (3 2 2 10 4 | 1184 2400 1088);
    P1024    "ML-KEM-1024"    Fips203 = (4 2 2 11 5 | 1568 3168 1568);
    K512     "Kyber512"       Round3  = (2 3 2 10 4 |  800 1632  768);
    K768     "Kyber768"       Round3  = (3 2 2 10 4 | 1184 2400 1088);
    K1024    "Kyber1024"      Round3  = (4 2 2 11 5 | 1568 3168 1568);
    K512N    "Kyber512-90s"   Kyber90s = (2 3 2 10 4 |  800 1632  768);
    K768N    "Kyber768-90s"   Kyber90s = (3 2 2 10 4 | 1184 2400 1088);
    K1024N   "Kyber1024-90s"  Kyber90s = (4 2 2 11 5 | 1568 3168 1568);
}
