//! The parameter sets. Each consists of a prime, a form of public keys, and the lengths that depend on both.

use crate::compressed::{CompressedSidh, CompressedSike};
use crate::exchange::{Exchange, Precompiled, Uncompressed};
use crate::params::{P434, P503, P610, P751, Prime};
use crate::sidh::{Side2, Side3};
use grille_core::Bytes;
use zeroize::Zeroize;

/// A parameter set of SIKE or SIDH.
pub trait Params:
    Precompiled<<Self as Params>::Prime, <Self as Params>::Exchange> + Sized + Send + Sync + 'static
{
    /// The prime p.
    type Prime: Prime;
    /// The exchange, which determines the side that has the static key pair, and the encoding of public keys.
    type Exchange: Exchange<Self::Prime>;
    /// The name that liboqs uses.
    const NAME: &'static str;
    /// An encoded encapsulation key.
    type EncapsKeyBytes: Bytes;
    /// An encoded decapsulation key.
    type DecapsKeyBytes: Bytes + Zeroize;
    /// An encoded ciphertext.
    type CiphertextBytes: Bytes;
    /// The bytes of a shared secret.
    type SharedBytes: Bytes + Zeroize;
}

macro_rules! param_sets {
    ($($set:ident $name:literal $prime:ident $exchange:ty, $ek:literal $dk:literal $ct:literal $ss:literal;)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Prime = $prime;
            type Exchange = $exchange;
            const NAME: &'static str = $name;
            type EncapsKeyBytes = [u8; $ek];
            type DecapsKeyBytes = [u8; $dk];
            type CiphertextBytes = [u8; $ct];
            type SharedBytes = [u8; $ss];
        }
    )*};
}

#[rustfmt::skip]
param_sets! {
    //                                                              ek   dk   ct   ss
    SikeP434 "SIKE-p434" P434 Uncompressed<Side3, Side2>,           330  374  346  16;
    SikeP503 "SIKE-p503" P503 Uncompressed<Side3, Side2>,           378  434  402  24;
    SikeP610 "SIKE-p610" P610 Uncompressed<Side3, Side2>,           462  524  486  24;
    SikeP751 "SIKE-p751" P751 Uncompressed<Side3, Side2>,           564  644  596  32;
    SidhP434 "SIDH-p434" P434 Uncompressed<Side2, Side3>,           330   28  330 110;
    SidhP503 "SIDH-p503" P503 Uncompressed<Side2, Side3>,           378   32  378 126;
    SidhP610 "SIDH-p610" P610 Uncompressed<Side2, Side3>,           462   39  462 154;
    SidhP751 "SIDH-p751" P751 Uncompressed<Side2, Side3>,           564   48  564 188;
    SikeP434Compressed "SIKE-p434-compressed" P434 CompressedSike,  197  350  236  16;
    SikeP503Compressed "SIKE-p503-compressed" P503 CompressedSike,  225  407  280  24;
    SikeP610Compressed "SIKE-p610-compressed" P610 CompressedSike,  274  491  336  24;
    SikeP751Compressed "SIKE-p751-compressed" P751 CompressedSike,  335  602  410  32;
    SidhP434Compressed "SIDH-p434-compressed" P434 CompressedSidh,  197   28  197 110;
    SidhP503Compressed "SIDH-p503-compressed" P503 CompressedSidh,  225   32  225 126;
    SidhP610Compressed "SIDH-p610-compressed" P610 CompressedSidh,  274   39  274 154;
    SidhP751Compressed "SIDH-p751-compressed" P751 CompressedSidh,  335   48  335 188;
}
