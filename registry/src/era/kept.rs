//! Names and object identifiers that a program kept while the algorithm under them became another one.

use crate::lookup::named;
use crate::row::SignatureRow;
use crate::table::SIGNATURES;

/// A name and an identifier that mean something else in these releases than in those that had them first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The program's name of the algorithm.
    pub name: &'static str,
    /// The object identifier.
    pub oid: &'static str,
    /// Which releases.
    pub by: &'static str,
    row: &'static str,
}

impl Kept {
    /// Every one.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        KEPT
    }

    /// What it means in these releases.
    ///
    /// # Panics
    /// Never: the tests look all of them up.
    #[must_use]
    pub fn signature(&self) -> &'static SignatureRow {
        named(SIGNATURES, self.row).expect("a row of this name")
    }
}

/// liboqs 0.8.0 of June 2023 replaced SPHINCS+ of round 3 by that of round 3.1, under new names; wolfSSL asks it for the new
/// ones, but names and numbers them as before.
#[cfg(feature = "post-quantum")]
const WOLFSSL: &str = "wolfSSL with liboqs 0.8.0 (2023) or later";

#[cfg(not(feature = "post-quantum"))]
const KEPT: &[Kept] = &[];

#[cfg(feature = "post-quantum")]
#[rustfmt::skip]
const KEPT: &[Kept] = &[
    Kept { name: "SPHINCS_FAST_LEVEL1",  oid: "1.3.9999.6.7.4",  by: WOLFSSL, row: "SPHINCS+-SHAKE-128f-simple" },
    Kept { name: "SPHINCS_FAST_LEVEL3",  oid: "1.3.9999.6.8.3",  by: WOLFSSL, row: "SPHINCS+-SHAKE-192f-simple" },
    Kept { name: "SPHINCS_FAST_LEVEL5",  oid: "1.3.9999.6.9.3",  by: WOLFSSL, row: "SPHINCS+-SHAKE-256f-simple" },
    Kept { name: "SPHINCS_SMALL_LEVEL1", oid: "1.3.9999.6.7.10", by: WOLFSSL, row: "SPHINCS+-SHAKE-128s-simple" },
    Kept { name: "SPHINCS_SMALL_LEVEL3", oid: "1.3.9999.6.8.7",  by: WOLFSSL, row: "SPHINCS+-SHAKE-192s-simple" },
    Kept { name: "SPHINCS_SMALL_LEVEL5", oid: "1.3.9999.6.9.7",  by: WOLFSSL, row: "SPHINCS+-SHAKE-256s-simple" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature_by_name;

    #[test]
    fn what_was_kept_is_of_another_row_that_is_as_strong() {
        for kept in Kept::all() {
            let first = signature_by_name(kept.name).unwrap();
            let now = kept.signature();
            assert_eq!(first.oid, Some(kept.oid), "{}", kept.name);
            assert_eq!((first.family, first.category), (now.family, now.category), "{}", kept.name);
            assert_eq!((first.spec, now.spec), ("SPHINCS+, round 3", "SPHINCS+, round 3.1"), "{}", kept.name);
        }
    }
}
