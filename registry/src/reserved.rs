//! Names of standards that are not out yet: nothing here may bear one before its standard says what it means.

use crate::lookup::letters;
use alloc::{format, string::String};

/// A name that is kept free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// As the standard will write it.
    pub name: &'static str,
    /// The standard.
    pub standard: &'static str,
    /// The row that it grows from, which is not the same: neither keys nor signatures of one are promised to work as the other.
    pub instead: &'static str,
}

impl Reserved {
    /// Every one.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        RESERVED
    }

    /// The one of this name; case and punctuation do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        RESERVED.iter().find(|reserved| letters(reserved.name).eq(letters(name)))
    }

    /// Why there is no such algorithm.
    #[must_use]
    pub fn reason(&self) -> String {
        format!(
            "{} is a name of {}, which is not published; nothing here claims to be it",
            self.name, self.standard
        )
    }
}

#[cfg(not(feature = "all"))]
const RESERVED: &[Reserved] = &[];

#[cfg(feature = "all")]
#[rustfmt::skip]
const RESERVED: &[Reserved] = &[
    Reserved { name: "FN-DSA-512",  standard: "FIPS 206", instead: "Falcon-512" },
    Reserved { name: "FN-DSA-1024", standard: "FIPS 206", instead: "Falcon-1024" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kem_by_name, signature_by_name};

    #[test]
    fn a_reserved_name_is_nobody_s_and_what_it_grows_from_is_named() {
        for reserved in Reserved::all() {
            assert!(kem_by_name(reserved.name).is_err());
            let unknown = signature_by_name(&reserved.name.to_lowercase()).unwrap_err();
            let said = format!("{unknown}");
            assert!(said.contains("FIPS 206, which is not published"), "{said}");
            assert!(said.ends_with(&format!("take {}", reserved.instead)), "{said}");
        }
    }

    #[test]
    fn what_a_reserved_name_grows_from_is_there() {
        assert!(Reserved::all().iter().all(|reserved| signature_by_name(reserved.instead).is_ok()));
    }
}
