//! The parameter sets: Falcon Table 3.3, and the sets of the reference implementation of September 2020.

pub use crate::degree::{Degree, N512, N1024};
pub use crate::format::{Format, NONCE_LEN, SignatureParams};
use crate::precompiled::Precompiled;
use grille_core::Bytes;

/// A parameter set.
pub trait Params: Send + Sync + 'static {
    /// The degree n and everything that depends only on n. All code except encodings is compiled once per
    /// degree.
    type Degree: Precompiled;
    /// The name in the specification's own spelling. `-padded` is a suffix of liboqs; `-ct` and the year are
    /// suffixes of this crate.
    const NAME: &'static str;
    /// The parameters of signing.
    const SIGNATURE: SignatureParams;
    /// A buffer for the longest signature.
    type SignatureBytes: Bytes;
}

macro_rules! param_sets {
    ($($set:ident $name:literal $format:ident
        = ($degree:ident $inverse_sigma:literal $sigma_min:literal $bound:literal | $sig:literal);)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Degree = $degree;
            const NAME: &'static str = $name;
            const SIGNATURE: SignatureParams = SignatureParams {
                format: Format::$format,
                inverse_sigma: f64::to_bits($inverse_sigma),
                sigma_min: f64::to_bits($sigma_min),
                bound: $bound,
            };
            type SignatureBytes = [u8; $sig];
        }

        const _: () = assert!($sig >= 1 + NONCE_LEN + (9 * $degree::N) / 8, "a header, the nonce, and s2");
    )*};
}

// the Falcon-2020 sets are those of the reference implementation before version 1.2 of the specification
// (October 2020) reduced σ and β; liboqs used them until version 0.7.2: σ = 1.55·√q and β² < (1.2·1.55)²·q·2n
//
// sig is sbytelen of Falcon Table 3.3 for padded signatures, and twelve bits per coefficient for
// constant-time ones; for compressed ones, it is the buffer size of the reference implementation, 11·n bits
// and 101 bits per 1024 coefficients, or for the Falcon-2020 sets the size in that implementation's interface
// for NIST's tests
#[rustfmt::skip]
param_sets! {
    //                                                    n     1/σ                  σ_min                β²    | sig
    Falcon512P        "Falcon-512"         Compressed   = (N512  0.006033669668157724 1.2778336969128337 34034726 |  752);
    Falcon1024P       "Falcon-1024"        Compressed   = (N1024 0.005938645309533116 1.298280334344292  70265242 | 1462);
    FalconPadded512P  "Falcon-padded-512"  Padded       = (N512  0.006033669668157724 1.2778336969128337 34034726 |  666);
    FalconPadded1024P "Falcon-padded-1024" Padded       = (N1024 0.005938645309533116 1.298280334344292  70265242 | 1280);
    FalconCt512P      "Falcon-ct-512"      ConstantTime = (N512  0.006033669668157724 1.2778336969128337 34034726 |  809);
    FalconCt1024P     "Falcon-ct-1024"     ConstantTime = (N1024 0.005938645309533116 1.298280334344292  70265242 | 1577);
    Falcon512Y2020P   "Falcon-512-2020"    Compressed   = (N512  0.005819826392951607 1.2915007562335146 43533781 |  690);
    Falcon1024Y2020P  "Falcon-1024-2020"   Compressed   = (N1024 0.005819826392951607 1.3117343759050837 87067564 | 1330);
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    /// Returns σ, σ_min and β². Falcon section 3.13 derives them from n for at most 2⁶⁴ signatures and ε =
    /// 1/√(2⁶⁴·λ).
    fn derive_parameters(n: f64, lambda: f64) -> (f64, f64, f64) {
        let epsilon = 1.0 / (2f64.powi(64) * lambda).sqrt();
        let smoothing = (1.0 / PI) * ((4.0 * n * (1.0 + 1.0 / epsilon)).ln() / 2.0).sqrt();
        let sigma = smoothing * 1.17 * 12289f64.sqrt();
        let beta = 1.1 * sigma * (2.0 * n).sqrt();
        (sigma, smoothing, (beta * beta).floor())
    }

    #[test]
    fn parameters_follow_from_the_specification() {
        fn check<P: Params>(lambda: f64) {
            let (sigma, sigma_min, bound) = derive_parameters(P::Degree::N as f64, lambda);
            assert!((f64::from_bits(P::SIGNATURE.inverse_sigma) * sigma - 1.0).abs() < 1e-12, "{}", P::NAME);
            assert!((f64::from_bits(P::SIGNATURE.sigma_min) / sigma_min - 1.0).abs() < 1e-12, "{}", P::NAME);
            assert!((f64::from(P::SIGNATURE.bound) - bound).abs() < 1.0, "{}", P::NAME);
        }
        check::<Falcon512P>(128.0);
        check::<Falcon1024P>(256.0);
    }

    #[test]
    fn parameters_of_2020_follow_from_its_constants() {
        fn check<P: Params>() {
            let sigma = 1.55 * 12289f64.sqrt();
            assert!((f64::from_bits(P::SIGNATURE.inverse_sigma) * sigma - 1.0).abs() < 1e-12);
            let bound = (7085 * 12289u32) >> (10 - P::Degree::LOG_N);
            assert_eq!(P::SIGNATURE.bound, bound - 1, "the 2020 implementation excludes the bound");
        }
        check::<Falcon512Y2020P>();
        check::<Falcon1024Y2020P>();
    }
}
