//! The parameter sets: the tables of the standard, and the lengths in both versions.

use crate::algorithm::McEliece;
use crate::field::{Field, Gf12, Gf13};
use crate::version::{Current, Round3, Version};
use grille_core::{Bytes, Precompiled};
use zeroize::Zeroize;

/// A parameter set. The constants have the names of the standard.
pub trait Params: Precompiled<McEliece<Self>> + Sized + Send + Sync + 'static {
    /// The version of Classic McEliece.
    type Version: Version;
    /// The field GF(q), where q = 2^m.
    type Field: Field;
    /// The name in liboqs. The names of parameter sets of round 3 have the additional suffix `-round3`.
    const NAME: &'static str;
    /// n, the length of the code.
    const N: usize;
    /// t, the number of errors that the code corrects.
    const T: usize;
    /// The terms of F(y) = y^t + … except for the first one, as exponents and coefficients.
    const F: &'static [(usize, u16)];
    /// Whether the matrix may have semi-systematic form, with (μ, ν) = (32, 64).
    const SEMI_SYSTEMATIC: bool;
    /// An encoded ciphertext.
    type CiphertextBytes: Bytes + Zeroize;
    /// The number of bytes of an encoded encapsulation key.
    const ENCAPS_KEY_LEN: usize;
    /// The number of bytes of an encoded decapsulation key.
    const DECAPS_KEY_LEN: usize;
}

/// Returns m·t, the number of rows of the parity-check matrix.
pub(crate) const fn rows<P: Params>() -> usize {
    P::Field::M * P::T
}

/// Returns k = n − m·t, the number of columns of the public matrix T.
pub(crate) const fn columns<P: Params>() -> usize {
    P::N - rows::<P>()
}

/// Returns q, the number of field elements.
pub(crate) const fn q<P: Params>() -> usize {
    1 << P::Field::M
}

/// The lengths of a code, for functions that are compiled once for all codes over a field.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    pub(crate) n: usize,
    pub(crate) t: usize,
    /// The number of rows m·t.
    pub(crate) rows: usize,
}

impl Code {
    /// Returns the number of bytes of a row of T: k bits, padded with zeros to whole bytes.
    pub(crate) const fn row_len(self) -> usize {
        (self.n - self.rows).div_ceil(8)
    }
}

/// Returns the lengths of the code of a parameter set.
pub(crate) const fn code<P: Params>() -> Code {
    Code { n: P::N, t: P::T, rows: rows::<P>() }
}

macro_rules! param_sets {
    ($($set:ident $name:literal $version:ident $field:ident ($n:literal $t:literal $semi:literal) = $f:expr,
        $ek:literal $dk:literal $ct:literal;)*) => {$(
        #[doc = concat!("The parameters of ", $name, ".")]
        pub struct $set;

        impl Params for $set {
            type Version = $version;
            type Field = $field;
            const NAME: &'static str = $name;
            const N: usize = $n;
            const T: usize = $t;
            const F: &'static [(usize, u16)] = &$f;
            const SEMI_SYSTEMATIC: bool = $semi;
            type CiphertextBytes = [u8; $ct];
            const ENCAPS_KEY_LEN: usize = $ek;
            const DECAPS_KEY_LEN: usize = $dk;
        }

        const _: () = assert!($n % 8 == 0 && $n <= 1 << $field::M && $field::M * $t < $n, "the code");
        const _: () = assert!($ek == rows::<$set>() * columns::<$set>().div_ceil(8), "the rows of T");
        const _: () = assert!(
            $dk == $version::PREFIX_LEN + 2 * $t + crate::benes::control_len::<$field>() + $n / 8,
            "δ and c, g, control bits, and s",
        );
        const _: () = assert!($ct == rows::<$set>().div_ceil(8) + $version::CONFIRMATION_LEN, "the syndrome, and a hash");
    )*};
}

const F64: [(usize, u16); 3] = [(3, 1), (1, 1), (0, 2)];
const F96: [(usize, u16); 4] = [(10, 1), (9, 1), (6, 1), (0, 1)];
const F119: [(usize, u16); 2] = [(8, 1), (0, 1)];
const F128: [(usize, u16); 4] = [(7, 1), (2, 1), (1, 1), (0, 1)];
// round 3 had other polynomials
const F64_ROUND3: [(usize, u16); 4] = [(9, 877), (7, 2888), (5, 1781), (0, 373)];
const F96_ROUND3: [(usize, u16); 4] = [(11, 714), (5, 5296), (4, 728), (0, 5881)];
const F119_ROUND3: [(usize, u16); 2] = [(2, 6400), (0, 3134)];
const F128_ROUND3: [(usize, u16); 3] = [(5, 7682), (3, 2159), (0, 3597)];

#[rustfmt::skip]
param_sets! {
    //                                                                                n    t  f        F(y)            ek       dk    ct
    McEliece348864         "Classic-McEliece-348864"         Current Gf12 (3488  64 false) = F64,           261_120  6492 96;
    McEliece348864f        "Classic-McEliece-348864f"        Current Gf12 (3488  64 true ) = F64,           261_120  6492 96;
    McEliece460896         "Classic-McEliece-460896"         Current Gf13 (4608  96 false) = F96,           524_160 13608 156;
    McEliece460896f        "Classic-McEliece-460896f"        Current Gf13 (4608  96 true ) = F96,           524_160 13608 156;
    McEliece6688128        "Classic-McEliece-6688128"        Current Gf13 (6688 128 false) = F128,        1_044_992 13932 208;
    McEliece6688128f       "Classic-McEliece-6688128f"       Current Gf13 (6688 128 true ) = F128,        1_044_992 13932 208;
    McEliece6960119        "Classic-McEliece-6960119"        Current Gf13 (6960 119 false) = F119,        1_047_319 13948 194;
    McEliece6960119f       "Classic-McEliece-6960119f"       Current Gf13 (6960 119 true ) = F119,        1_047_319 13948 194;
    McEliece8192128        "Classic-McEliece-8192128"        Current Gf13 (8192 128 false) = F128,        1_357_824 14120 208;
    McEliece8192128f       "Classic-McEliece-8192128f"       Current Gf13 (8192 128 true ) = F128,        1_357_824 14120 208;
    McEliece348864Round3   "Classic-McEliece-348864-round3"  Round3  Gf12 (3488  64 false) = F64_ROUND3,    261_120  6452 128;
    McEliece348864fRound3  "Classic-McEliece-348864f-round3" Round3  Gf12 (3488  64 true ) = F64_ROUND3,    261_120  6452 128;
    McEliece460896Round3   "Classic-McEliece-460896-round3"  Round3  Gf13 (4608  96 false) = F96_ROUND3,    524_160 13568 188;
    McEliece460896fRound3  "Classic-McEliece-460896f-round3" Round3  Gf13 (4608  96 true ) = F96_ROUND3,    524_160 13568 188;
    McEliece6688128Round3  "Classic-McEliece-6688128-round3" Round3  Gf13 (6688 128 false) = F128_ROUND3, 1_044_992 13892 240;
    McEliece6688128fRound3 "Classic-McEliece-6688128f-round3" Round3  Gf13 (6688 128 true ) = F128_ROUND3, 1_044_992 13892 240;
    McEliece6960119Round3  "Classic-McEliece-6960119-round3" Round3  Gf13 (6960 119 false) = F119_ROUND3, 1_047_319 13908 226;
    McEliece6960119fRound3 "Classic-McEliece-6960119f-round3" Round3  Gf13 (6960 119 true ) = F119_ROUND3, 1_047_319 13908 226;
    McEliece8192128Round3  "Classic-McEliece-8192128-round3" Round3  Gf13 (8192 128 false) = F128_ROUND3, 1_357_824 14080 240;
    McEliece8192128fRound3 "Classic-McEliece-8192128f-round3" Round3  Gf13 (8192 128 true ) = F128_ROUND3, 1_357_824 14080 240;
}
