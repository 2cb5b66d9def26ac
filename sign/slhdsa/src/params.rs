//! The parameter sets: FIPS 205 Table 2, and those of SPHINCS+ of rounds 2, 3 and 3.1.

use crate::family::haraka::Haraka;
use crate::family::sha2::Sha2;
use crate::family::shake::Shake;
use crate::precompiled::Precompiled;
pub use crate::shape::Shape;
use crate::version::{Fips205, Round3, Round31};
use grille_core::Bytes;
use grille_hash::prehash::HashFunction;
use zeroize::Zeroize;

/// A parameter set.
pub trait Params: Send + Sync + 'static {
    /// The hash functions of the parameter set, with the steps of its version.
    type Family: Precompiled;
    /// The name in the standard's or the submission's own spelling.
    const NAME: &'static str;
    /// The dimensions of the parameter set.
    const SHAPE: Shape;
    /// The hash function that is applied to messages before signing, RFC 9909 section 3; `None` for pure signing.
    const PREHASH: Option<HashFunction>;
    /// The encoded verifying key PK.seed ‖ PK.root.
    type VerifyingKeyBytes: Bytes;
    /// The encoded signing key SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root.
    type SigningKeyBytes: Bytes + Zeroize;
}

const fn shape(n: usize, h: u32, d: u32, a: u32, k: usize) -> Shape {
    Shape { n, h, d, a, k }
}

// the dimensions of FIPS 205 Table 2, which rounds 3 and 3.1 also use
const S128: Shape = shape(16, 63, 7, 12, 14);
const F128: Shape = shape(16, 66, 22, 6, 33);
const S192: Shape = shape(24, 63, 7, 14, 17);
const F192: Shape = shape(24, 66, 22, 8, 33);
const S256: Shape = shape(32, 64, 8, 14, 22);
const F256: Shape = shape(32, 68, 17, 9, 35);

// the dimensions of round 2; F192 and S256 are equal to those of FIPS 205
const S128_ROUND2: Shape = shape(16, 64, 8, 15, 10);
const F128_ROUND2: Shape = shape(16, 60, 20, 9, 30);
const S192_ROUND2: Shape = shape(24, 64, 8, 16, 14);
const F256_ROUND2: Shape = shape(32, 68, 17, 10, 30);

const _: () = {
    assert!(S128.signature_len() == 7856 && F128.signature_len() == 17088);
    assert!(S192.signature_len() == 16224 && F192.signature_len() == 35664);
    assert!(S256.signature_len() == 29792 && F256.signature_len() == 49856);
    assert!(S128_ROUND2.signature_len() == 8080 && F128_ROUND2.signature_len() == 16976);
    assert!(S192_ROUND2.signature_len() == 17064 && F256_ROUND2.signature_len() == 49216);
};

macro_rules! param_sets {
    ($($prehash:expr, $family:ty { $($set:ident $name:literal $shape:ident;)* })*) => {$($(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Family = $family;
            const NAME: &'static str = $name;
            const SHAPE: Shape = $shape;
            const PREHASH: Option<HashFunction> = $prehash;
            type VerifyingKeyBytes = [u8; 2 * $shape.n];
            type SigningKeyBytes = [u8; 4 * $shape.n];
        }
    )*)*

        /// The algorithms by name.
        pub mod algorithms {
            $($(
                #[doc = concat!($name, ".")]
                pub type $set = crate::algorithm::SlhDsa<super::$set>;
            )*)*

            #[cfg(all(feature = "erased", not(test)))]
            grille_core::erase_signatures! { $($($set)*)* }
        }
    };
}

#[rustfmt::skip]
param_sets! {
    None, Sha2<Fips205, false> {
        SlhDsaSha2_128s                  "SLH-DSA-SHA2-128s"                      S128;
        SlhDsaSha2_128f                  "SLH-DSA-SHA2-128f"                      F128;
        SlhDsaSha2_192s                  "SLH-DSA-SHA2-192s"                      S192;
        SlhDsaSha2_192f                  "SLH-DSA-SHA2-192f"                      F192;
        SlhDsaSha2_256s                  "SLH-DSA-SHA2-256s"                      S256;
        SlhDsaSha2_256f                  "SLH-DSA-SHA2-256f"                      F256;
    }
    None, Shake<Fips205, false> {
        SlhDsaShake128s                 "SLH-DSA-SHAKE-128s"                     S128;
        SlhDsaShake128f                 "SLH-DSA-SHAKE-128f"                     F128;
        SlhDsaShake192s                 "SLH-DSA-SHAKE-192s"                     S192;
        SlhDsaShake192f                 "SLH-DSA-SHAKE-192f"                     F192;
        SlhDsaShake256s                 "SLH-DSA-SHAKE-256s"                     S256;
        SlhDsaShake256f                 "SLH-DSA-SHAKE-256f"                     F256;
    }
    Some(HashFunction::Sha256), Sha2<Fips205, false> {
        HashSlhDsaSha2_128sWithSha256      "HashSLH-DSA-SHA2-128s-with-SHA256"      S128;
        HashSlhDsaSha2_128fWithSha256      "HashSLH-DSA-SHA2-128f-with-SHA256"      F128;
    }
    Some(HashFunction::Sha512), Sha2<Fips205, false> {
        HashSlhDsaSha2_192sWithSha512      "HashSLH-DSA-SHA2-192s-with-SHA512"      S192;
        HashSlhDsaSha2_192fWithSha512      "HashSLH-DSA-SHA2-192f-with-SHA512"      F192;
        HashSlhDsaSha2_256sWithSha512      "HashSLH-DSA-SHA2-256s-with-SHA512"      S256;
        HashSlhDsaSha2_256fWithSha512      "HashSLH-DSA-SHA2-256f-with-SHA512"      F256;
    }
    Some(HashFunction::Shake128), Shake<Fips205, false> {
        HashSlhDsaShake128sWithShake128    "HashSLH-DSA-SHAKE-128s-with-SHAKE128"   S128;
        HashSlhDsaShake128fWithShake128    "HashSLH-DSA-SHAKE-128f-with-SHAKE128"   F128;
    }
    Some(HashFunction::Shake256), Shake<Fips205, false> {
        HashSlhDsaShake192sWithShake256    "HashSLH-DSA-SHAKE-192s-with-SHAKE256"   S192;
        HashSlhDsaShake192fWithShake256    "HashSLH-DSA-SHAKE-192f-with-SHAKE256"   F192;
        HashSlhDsaShake256sWithShake256    "HashSLH-DSA-SHAKE-256s-with-SHAKE256"   S256;
        HashSlhDsaShake256fWithShake256    "HashSLH-DSA-SHAKE-256f-with-SHAKE256"   F256;
    }
    None, Sha2<Round31, false> {
        SphincsSha2_128sSimple           "SPHINCS+-SHA2-128s-simple"              S128;
        SphincsSha2_128fSimple           "SPHINCS+-SHA2-128f-simple"              F128;
        SphincsSha2_192sSimple           "SPHINCS+-SHA2-192s-simple"              S192;
        SphincsSha2_192fSimple           "SPHINCS+-SHA2-192f-simple"              F192;
        SphincsSha2_256sSimple           "SPHINCS+-SHA2-256s-simple"              S256;
        SphincsSha2_256fSimple           "SPHINCS+-SHA2-256f-simple"              F256;
    }
    None, Shake<Round31, false> {
        SphincsShake128sSimple          "SPHINCS+-SHAKE-128s-simple"             S128;
        SphincsShake128fSimple          "SPHINCS+-SHAKE-128f-simple"             F128;
        SphincsShake192sSimple          "SPHINCS+-SHAKE-192s-simple"             S192;
        SphincsShake192fSimple          "SPHINCS+-SHAKE-192f-simple"             F192;
        SphincsShake256sSimple          "SPHINCS+-SHAKE-256s-simple"             S256;
        SphincsShake256fSimple          "SPHINCS+-SHAKE-256f-simple"             F256;
    }
    None, Sha2<Round31, true> {
        SphincsSha2_128sRobust           "SPHINCS+-SHA2-128s-robust"              S128;
        SphincsSha2_128fRobust           "SPHINCS+-SHA2-128f-robust"              F128;
        SphincsSha2_192sRobust           "SPHINCS+-SHA2-192s-robust"              S192;
        SphincsSha2_192fRobust           "SPHINCS+-SHA2-192f-robust"              F192;
        SphincsSha2_256sRobust           "SPHINCS+-SHA2-256s-robust"              S256;
        SphincsSha2_256fRobust           "SPHINCS+-SHA2-256f-robust"              F256;
    }
    None, Shake<Round31, true> {
        SphincsShake128sRobust          "SPHINCS+-SHAKE-128s-robust"             S128;
        SphincsShake128fRobust          "SPHINCS+-SHAKE-128f-robust"             F128;
        SphincsShake192sRobust          "SPHINCS+-SHAKE-192s-robust"             S192;
        SphincsShake192fRobust          "SPHINCS+-SHAKE-192f-robust"             F192;
        SphincsShake256sRobust          "SPHINCS+-SHAKE-256s-robust"             S256;
        SphincsShake256fRobust          "SPHINCS+-SHAKE-256f-robust"             F256;
    }
    None, Shake<Round3, false> {
        SphincsShake256_128sSimple       "SPHINCS+-SHAKE256-128s-simple"          S128;
        SphincsShake256_128fSimple       "SPHINCS+-SHAKE256-128f-simple"          F128;
        SphincsShake256_192sSimple       "SPHINCS+-SHAKE256-192s-simple"          S192;
        SphincsShake256_192fSimple       "SPHINCS+-SHAKE256-192f-simple"          F192;
        SphincsShake256_256sSimple       "SPHINCS+-SHAKE256-256s-simple"          S256;
        SphincsShake256_256fSimple       "SPHINCS+-SHAKE256-256f-simple"          F256;
    }
    None, Sha2<Round3, false> {
        SphincsSha256_128sSimple         "SPHINCS+-SHA256-128s-simple"            S128;
        SphincsSha256_128fSimple         "SPHINCS+-SHA256-128f-simple"            F128;
        SphincsSha256_192sSimple         "SPHINCS+-SHA256-192s-simple"            S192;
        SphincsSha256_192fSimple         "SPHINCS+-SHA256-192f-simple"            F192;
        SphincsSha256_256sSimple         "SPHINCS+-SHA256-256s-simple"            S256;
        SphincsSha256_256fSimple         "SPHINCS+-SHA256-256f-simple"            F256;
    }
    None, Haraka<false> {
        SphincsHaraka128sSimple         "SPHINCS+-Haraka-128s-simple"            S128;
        SphincsHaraka128fSimple         "SPHINCS+-Haraka-128f-simple"            F128;
        SphincsHaraka192sSimple         "SPHINCS+-Haraka-192s-simple"            S192;
        SphincsHaraka192fSimple         "SPHINCS+-Haraka-192f-simple"            F192;
        SphincsHaraka256sSimple         "SPHINCS+-Haraka-256s-simple"            S256;
        SphincsHaraka256fSimple         "SPHINCS+-Haraka-256f-simple"            F256;
    }
    None, Shake<Round3, true> {
        SphincsShake256_128sRobust       "SPHINCS+-SHAKE256-128s-robust"          S128;
        SphincsShake256_128fRobust       "SPHINCS+-SHAKE256-128f-robust"          F128;
        SphincsShake256_192sRobust       "SPHINCS+-SHAKE256-192s-robust"          S192;
        SphincsShake256_192fRobust       "SPHINCS+-SHAKE256-192f-robust"          F192;
        SphincsShake256_256sRobust       "SPHINCS+-SHAKE256-256s-robust"          S256;
        SphincsShake256_256fRobust       "SPHINCS+-SHAKE256-256f-robust"          F256;
    }
    None, Sha2<Round3, true> {
        SphincsSha256_128sRobust         "SPHINCS+-SHA256-128s-robust"            S128;
        SphincsSha256_128fRobust         "SPHINCS+-SHA256-128f-robust"            F128;
        SphincsSha256_192sRobust         "SPHINCS+-SHA256-192s-robust"            S192;
        SphincsSha256_192fRobust         "SPHINCS+-SHA256-192f-robust"            F192;
        SphincsSha256_256sRobust         "SPHINCS+-SHA256-256s-robust"            S256;
        SphincsSha256_256fRobust         "SPHINCS+-SHA256-256f-robust"            F256;
    }
    None, Haraka<true> {
        SphincsHaraka128sRobust         "SPHINCS+-Haraka-128s-robust"            S128;
        SphincsHaraka128fRobust         "SPHINCS+-Haraka-128f-robust"            F128;
        SphincsHaraka192sRobust         "SPHINCS+-Haraka-192s-robust"            S192;
        SphincsHaraka192fRobust         "SPHINCS+-Haraka-192f-robust"            F192;
        SphincsHaraka256sRobust         "SPHINCS+-Haraka-256s-robust"            S256;
        SphincsHaraka256fRobust         "SPHINCS+-Haraka-256f-robust"            F256;
    }
    None, Shake<Round3, false> {
        SphincsShake256_128sSimpleRound2 "SPHINCS+-SHAKE256-128s-simple-round2"   S128_ROUND2;
        SphincsShake256_128fSimpleRound2 "SPHINCS+-SHAKE256-128f-simple-round2"   F128_ROUND2;
        SphincsShake256_192sSimpleRound2 "SPHINCS+-SHAKE256-192s-simple-round2"   S192_ROUND2;
        SphincsShake256_192fSimpleRound2 "SPHINCS+-SHAKE256-192f-simple-round2"   F192;
        SphincsShake256_256sSimpleRound2 "SPHINCS+-SHAKE256-256s-simple-round2"   S256;
        SphincsShake256_256fSimpleRound2 "SPHINCS+-SHAKE256-256f-simple-round2"   F256_ROUND2;
    }
    None, Sha2<Round3, false> {
        SphincsSha256_128sSimpleRound2   "SPHINCS+-SHA256-128s-simple-round2"     S128_ROUND2;
        SphincsSha256_128fSimpleRound2   "SPHINCS+-SHA256-128f-simple-round2"     F128_ROUND2;
        SphincsSha256_192sSimpleRound2   "SPHINCS+-SHA256-192s-simple-round2"     S192_ROUND2;
        SphincsSha256_192fSimpleRound2   "SPHINCS+-SHA256-192f-simple-round2"     F192;
        SphincsSha256_256sSimpleRound2   "SPHINCS+-SHA256-256s-simple-round2"     S256;
        SphincsSha256_256fSimpleRound2   "SPHINCS+-SHA256-256f-simple-round2"     F256_ROUND2;
    }
    None, Haraka<false> {
        SphincsHaraka128sSimpleRound2   "SPHINCS+-Haraka-128s-simple-round2"     S128_ROUND2;
        SphincsHaraka128fSimpleRound2   "SPHINCS+-Haraka-128f-simple-round2"     F128_ROUND2;
        SphincsHaraka192sSimpleRound2   "SPHINCS+-Haraka-192s-simple-round2"     S192_ROUND2;
        SphincsHaraka192fSimpleRound2   "SPHINCS+-Haraka-192f-simple-round2"     F192;
        SphincsHaraka256sSimpleRound2   "SPHINCS+-Haraka-256s-simple-round2"     S256;
        SphincsHaraka256fSimpleRound2   "SPHINCS+-Haraka-256f-simple-round2"     F256_ROUND2;
    }
    None, Shake<Round3, true> {
        SphincsShake256_128sRobustRound2 "SPHINCS+-SHAKE256-128s-robust-round2"   S128_ROUND2;
        SphincsShake256_128fRobustRound2 "SPHINCS+-SHAKE256-128f-robust-round2"   F128_ROUND2;
        SphincsShake256_192sRobustRound2 "SPHINCS+-SHAKE256-192s-robust-round2"   S192_ROUND2;
        SphincsShake256_192fRobustRound2 "SPHINCS+-SHAKE256-192f-robust-round2"   F192;
        SphincsShake256_256sRobustRound2 "SPHINCS+-SHAKE256-256s-robust-round2"   S256;
        SphincsShake256_256fRobustRound2 "SPHINCS+-SHAKE256-256f-robust-round2"   F256_ROUND2;
    }
    None, Sha2<Round3, true> {
        SphincsSha256_128sRobustRound2   "SPHINCS+-SHA256-128s-robust-round2"     S128_ROUND2;
        SphincsSha256_128fRobustRound2   "SPHINCS+-SHA256-128f-robust-round2"     F128_ROUND2;
        SphincsSha256_192sRobustRound2   "SPHINCS+-SHA256-192s-robust-round2"     S192_ROUND2;
        SphincsSha256_192fRobustRound2   "SPHINCS+-SHA256-192f-robust-round2"     F192;
        SphincsSha256_256sRobustRound2   "SPHINCS+-SHA256-256s-robust-round2"     S256;
        SphincsSha256_256fRobustRound2   "SPHINCS+-SHA256-256f-robust-round2"     F256_ROUND2;
    }
    None, Haraka<true> {
        SphincsHaraka128sRobustRound2   "SPHINCS+-Haraka-128s-robust-round2"     S128_ROUND2;
        SphincsHaraka128fRobustRound2   "SPHINCS+-Haraka-128f-robust-round2"     F128_ROUND2;
        SphincsHaraka192sRobustRound2   "SPHINCS+-Haraka-192s-robust-round2"     S192_ROUND2;
        SphincsHaraka192fRobustRound2   "SPHINCS+-Haraka-192f-robust-round2"     F192;
        SphincsHaraka256sRobustRound2   "SPHINCS+-Haraka-256s-robust-round2"     S256;
        SphincsHaraka256fRobustRound2   "SPHINCS+-Haraka-256f-robust-round2"     F256_ROUND2;
    }
}
