//! The parameter sets: FIPS 204 Tables 1 and 2, and Dilithium of round 3.1, Table 2.

use crate::algorithm::{MlDsa, Precompiled};
use crate::poly::{NttPoly, Poly, Zero};
use crate::round::{GAMMA2_32, GAMMA2_88};
use crate::small_ntt::SmallNttPoly;
use crate::version::{Fips204, Round3, Round3Aes, Version};
use grille_core::{Array, Bytes};
use zeroize::Zeroize;

/// A parameter set. Its constants have the names that the standard uses.
pub trait Params: Precompiled<MlDsa<Self>> + Sized + Send + Sync + 'static {
    /// The version of the algorithm: ML-DSA, round-3 Dilithium or Dilithium-AES.
    type Version: Version;
    /// The name in the standard's own spelling.
    const NAME: &'static str;
    /// k, the number of rows of the matrix.
    const K: usize;
    /// ℓ, the number of columns of the matrix.
    const L: usize;
    /// η, the largest absolute value of the coefficients of s1 and s2.
    const ETA: i32;
    /// γ1, a power of two. The coefficients of y are in (−γ1, γ1].
    const GAMMA1: i32;
    /// γ2, half the width of the low bits: the divisor of Decompose is 2γ2.
    const GAMMA2: i32;
    /// τ, the number of coefficients ±1 in the challenge.
    const TAU: usize;
    /// ω, the maximum number of hints.
    const OMEGA: usize;
    /// The length of c~ in bytes: λ/4, or 32 in round 3.
    const C_TILDE_LEN: usize;
    /// β = τ·η, the largest change that c·s1 or c·s2 makes to a coefficient.
    const BETA: i32 = Self::TAU as i32 * Self::ETA;
    /// A vector of k polynomials.
    type VectorK: Array<Poly> + Zero + Zeroize;
    /// A vector of ℓ polynomials.
    type VectorL: Array<Poly> + Zero + Zeroize;
    /// A vector of ℓ elements of T_q.
    type NttVectorL: Array<NttPoly> + Zero + Zeroize;
    /// A vector of k elements of T_q.
    type NttVectorK: Array<NttPoly> + Zero + Zeroize;
    /// A vector of ℓ images under the NTT modulo the small prime.
    type SmallVectorL: Array<SmallNttPoly> + Zero + Zeroize;
    /// A vector of k images under the NTT modulo the small prime.
    type SmallVectorK: Array<SmallNttPoly> + Zero + Zeroize;
    /// A matrix of k rows, each with ℓ elements of T_q.
    type Matrix: Array<Self::NttVectorL> + Zero;
    /// An encoded verifying key.
    type VerifyingKeyBytes: Bytes;
    /// An encoded signing key in expanded form.
    type SigningKeyBytes: Bytes + Zeroize;
    /// An encoded signature.
    type SignatureBytes: Bytes;
    /// The encoded mask polynomials of one attempt, and those that are sampled in advance for the next attempt.
    type MaskBytes: Bytes;
}

/// The type of the engines that a parameter set uses to read streams.
pub(crate) type Engines<P> = <<P as Params>::Version as Version>::Engines;

/// Returns ⌈log₂(2η + 1)⌉, the number of bits of an encoded coefficient of s1 or s2.
pub(crate) const fn eta_bits(eta: usize) -> usize {
    if eta == 2 { 3 } else { 4 }
}

/// Returns 1 + log₂ γ1, the number of bits of an encoded coefficient of y or z.
pub(crate) const fn gamma1_bits(gamma1: i32) -> usize {
    1 + gamma1.trailing_zeros() as usize
}

/// Returns the number of mask polynomials to store: those of one attempt, and those that are sampled while the
/// challenge of this attempt is hashed.
pub(crate) const fn mask_capacity(l: usize) -> usize {
    2 * l + 2
}

macro_rules! param_sets {
    ($($set:ident $name:literal $version:ident
        = ($k:literal $l:literal $eta:literal $log_gamma1:literal $gamma2:ident $tau:literal $lambda:literal $omega:literal
        | $pk:literal $sk:literal $sig:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Version = $version;
            const NAME: &'static str = $name;
            const K: usize = $k;
            const L: usize = $l;
            const ETA: i32 = $eta;
            const GAMMA1: i32 = 1 << $log_gamma1;
            const GAMMA2: i32 = $gamma2;
            const TAU: usize = $tau;
            const OMEGA: usize = $omega;
            const C_TILDE_LEN: usize = match $version::C_TILDE_LEN {
                Some(len) => len,
                None => $lambda / 4,
            };
            type VectorK = [Poly; $k];
            type VectorL = [Poly; $l];
            type NttVectorL = [NttPoly; $l];
            type NttVectorK = [NttPoly; $k];
            type SmallVectorL = [SmallNttPoly; $l];
            type SmallVectorK = [SmallNttPoly; $k];
            type Matrix = [[NttPoly; $l]; $k];
            type VerifyingKeyBytes = [u8; $pk];
            type SigningKeyBytes = [u8; $sk];
            type SignatureBytes = [u8; $sig];
            type MaskBytes = [u8; mask_capacity($l) * 32 * gamma1_bits(1 << $log_gamma1)];
        }

        const _: () = assert!($pk == 32 + 32 * $k * 10, "rho, and t1 with 10 bits");
        const _: () = assert!(
            $sk == 32 + 32 + $version::TR_LEN + 32 * (($k + $l) * eta_bits($eta) + 13 * $k),
            "rho, K, tr, s1, s2, and t0 with 13 bits"
        );
        const _: () = assert!(
            $sig == $set::C_TILDE_LEN + 32 * $l * gamma1_bits(1 << $log_gamma1) + $omega + $k,
            "c~, z and the hints"
        );
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                    k l η γ1 γ2        τ  λ   ω  |   pk   sk  sig
    P44   "ML-DSA-44"      Fips204   = (4 4 2 17 GAMMA2_88 39 128 80 | 1312 2560 2420);
    P65   "ML-DSA-65"      Fips204   = (6 5 4 19 GAMMA2_32 49 192 55 | 1952 4032 3309);
    P87   "ML-DSA-87"      Fips204   = (8 7 2 19 GAMMA2_32 60 256 75 | 2592 4896 4627);
    D2    "Dilithium2"     Round3    = (4 4 2 17 GAMMA2_88 39 128 80 | 1312 2528 2420);
    D3    "Dilithium3"     Round3    = (6 5 4 19 GAMMA2_32 49 192 55 | 1952 4000 3293);
    D5    "Dilithium5"     Round3    = (8 7 2 19 GAMMA2_32 60 256 75 | 2592 4864 4595);
    D2Aes "Dilithium2-AES" Round3Aes = (4 4 2 17 GAMMA2_88 39 128 80 | 1312 2528 2420);
    D3Aes "Dilithium3-AES" Round3Aes = (6 5 4 19 GAMMA2_32 49 192 55 | 1952 4000 3293);
    D5Aes "Dilithium5-AES" Round3Aes = (8 7 2 19 GAMMA2_32 60 256 75 | 2592 4864 4595);
}
