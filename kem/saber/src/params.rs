//! The parameter sets: SABER of round 3, Table 1.

use crate::algorithm::{Precompiled, SaberKem};
use crate::ring::{Image, Poly};
use grille_core::{Array, Bytes};
use zeroize::Zeroize;

/// The exponent ε_q. The modulus q is 2¹³.
pub(crate) const EPS_Q: usize = 13;
/// The exponent ε_p. The modulus p is 2¹⁰.
pub(crate) const EPS_P: usize = 10;

/// The number of bytes of a polynomial modulo q.
pub(crate) const POLY_Q_LEN: usize = 32 * EPS_Q;
/// The number of bytes of a polynomial modulo p.
pub(crate) const POLY_P_LEN: usize = 32 * EPS_P;

/// A parameter set. Its constants have the names of the specification.
pub trait Params:
    Precompiled<SaberKem<Self>, <Self as Params>::ImageMatrix, <Self as Params>::MatrixBytes>
    + Sized
    + Send
    + Sync
    + 'static
{
    /// The name that liboqs uses.
    const NAME: &'static str;
    /// l, the rank of the module.
    const L: usize;
    /// μ, the parameter of the distribution of secrets. Their coefficients are in [−μ/2, μ/2].
    const MU: usize;
    /// ε_T, the number of bits of a coefficient of c_m. T = 2^ε_T.
    const EPS_T: usize;
    /// A vector of l polynomials.
    type Vector: Array<Poly> + Zeroize;
    /// A vector of l images.
    type ImageVector: Array<Image> + Zeroize;
    /// A matrix of l² images.
    type ImageMatrix: Array<Image>;
    /// The bytes that GenMatrix reads.
    type MatrixBytes: Bytes;
    /// The bytes that GenSecret reads.
    type SecretBytes: Bytes + Zeroize;
    /// An encoded encapsulation key.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// A ciphertext.
    type CiphertextBytes: Bytes + Zeroize;
}

macro_rules! param_sets {
    ($($set:ident $name:literal = ($l:literal $mu:literal $eps_t:literal
        | $ek:literal $dk:literal $ct:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            const NAME: &'static str = $name;
            const L: usize = $l;
            const MU: usize = $mu;
            const EPS_T: usize = $eps_t;
            type Vector = [Poly; $l];
            type ImageVector = [Image; $l];
            type ImageMatrix = [Image; $l * $l];
            type MatrixBytes = [u8; POLY_Q_LEN * $l * $l];
            type SecretBytes = [u8; 32 * $mu * $l];
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type CiphertextBytes = [u8; $ct];
        }

        const _: () = assert!($ek == 32 * EPS_P * $l + 32, "b with 10 bits, and seed_A");
        const _: () = assert!($dk == 32 * EPS_Q * $l + $ek + 64, "s with 13 bits, pk, its hash and z");
        const _: () = assert!($ct == 32 * (EPS_P * $l + $eps_t), "b′ with 10 bits, c_m with ε_T");
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                           l  μ ε_T |  ek   dk   ct
    Light "LightSaber-KEM"   =  (2 10  3  |  672 1568  736);
    Plain "Saber-KEM"        =  (3  8  4  |  992 2304 1088);
    Fire  "FireSaber-KEM"    =  (4  6  6  | 1312 3040 1472);
}
