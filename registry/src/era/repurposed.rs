//! Names and object identifiers that a program continued to use after it replaced the algorithm.

use crate::lookup::named;
use crate::row::SignatureRow;
use crate::table::SIGNATURES;

/// A name and object identifier that some releases of a program use for a different algorithm than earlier releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repurposed {
    /// The program's name for the algorithm.
    pub name: &'static str,
    /// The object identifier that belongs to the name.
    pub oid: &'static str,
    /// The releases that use the name for the different algorithm.
    pub releases: &'static str,
    row: &'static str,
}

impl Repurposed {
    /// Returns every repurposed name.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        REPURPOSED
    }

    /// Returns the algorithm that the name denotes in the releases that the field `releases` names.
    ///
    /// # Panics
    /// Does not panic: a test looks up the algorithm of every repurposed name.
    #[must_use]
    pub fn signature(&self) -> &'static SignatureRow {
        named(SIGNATURES, self.row).expect("a row of this name")
    }
}

/// liboqs 0.8.0 of June 2023 replaced round-3 SPHINCS+ by round 3.1, under new names. wolfSSL requests the new
/// algorithms but still uses the old names and numbers.
#[cfg(feature = "post-quantum")]
const WOLFSSL: &str = "wolfSSL with liboqs 0.8.0 (2023) or later";

#[cfg(not(feature = "post-quantum"))]
const REPURPOSED: &[Repurposed] = &[];

#[cfg(feature = "post-quantum")]
#[rustfmt::skip]
const REPURPOSED: &[Repurposed] = &[
    Repurposed { name: "SPHINCS_FAST_LEVEL1",  oid: "1.3.9999.6.7.4",  releases: WOLFSSL, row: "SPHINCS+-SHAKE-128f-simple" },
    Repurposed { name: "SPHINCS_FAST_LEVEL3",  oid: "1.3.9999.6.8.3",  releases: WOLFSSL, row: "SPHINCS+-SHAKE-192f-simple" },
    Repurposed { name: "SPHINCS_FAST_LEVEL5",  oid: "1.3.9999.6.9.3",  releases: WOLFSSL, row: "SPHINCS+-SHAKE-256f-simple" },
    Repurposed { name: "SPHINCS_SMALL_LEVEL1", oid: "1.3.9999.6.7.10", releases: WOLFSSL, row: "SPHINCS+-SHAKE-128s-simple" },
    Repurposed { name: "SPHINCS_SMALL_LEVEL3", oid: "1.3.9999.6.8.7",  releases: WOLFSSL, row: "SPHINCS+-SHAKE-192s-simple" },
    Repurposed { name: "SPHINCS_SMALL_LEVEL5", oid: "1.3.9999.6.9.7",  releases: WOLFSSL, row: "SPHINCS+-SHAKE-256s-simple" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature_by_name;

    #[test]
    fn repurposed_name_means_a_different_algorithm_of_equal_strength() {
        for repurposed in Repurposed::all() {
            let first = signature_by_name(repurposed.name).unwrap();
            let now = repurposed.signature();
            assert_eq!(first.oid, Some(repurposed.oid), "{}", repurposed.name);
            assert_eq!((first.family, first.category), (now.family, now.category), "{}", repurposed.name);
            assert_eq!(
                (first.spec, now.spec),
                ("SPHINCS+, round 3", "SPHINCS+, round 3.1"),
                "{}",
                repurposed.name
            );
        }
    }
}
