//! Names of standards that are not out yet: nothing here may bear one before its standard says what it means.

use crate::lookup::{letters, without_id};
use alloc::{format, string::String};

/// A name that is kept free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// As the standard will write it.
    pub name: &'static str,
    /// What others call it.
    pub aliases: &'static [&'static str],
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

    /// The one of this name; case and punctuation do not matter, nor does the `id-` of an object identifier's.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_named = |own: &str| letters(own).eq(letters(without_id(name)));
        RESERVED.iter().find(|reserved| reserved.names().any(is_named))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        core::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Why there is no such algorithm.
    #[must_use]
    pub fn reason(&self) -> String {
        format!(
            "{} is a name of {}, which is not published; nothing here claims to be it, and {} will not interoperate with it",
            self.name, self.standard, self.instead
        )
    }
}

#[cfg(not(feature = "post-quantum"))]
const RESERVED: &[Reserved] = &[];

#[cfg(feature = "post-quantum")]
#[rustfmt::skip]
const RESERVED: &[Reserved] = &[
    Reserved { name: "FN-DSA-512",  aliases: &["FN-DSA", "FN-DSA-padded-512"], standard: "FIPS 206", instead: "Falcon-512" },
    Reserved { name: "FN-DSA-1024", aliases: &["FN-DSA-padded-1024"],          standard: "FIPS 206", instead: "Falcon-1024" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kem_by_name, signature_by_name};

    #[test]
    fn a_reserved_name_is_nobody_s_and_what_it_grows_from_is_named() {
        for reserved in Reserved::all() {
            for name in reserved.names() {
                assert!(kem_by_name(name).is_err());
                let unknown = signature_by_name(&format!("id-{}", name.to_lowercase())).unwrap_err();
                let said = format!("{unknown}");
                assert!(said.contains("FIPS 206, which is not published"), "{said}");
                let other = reserved.instead;
                assert!(
                    said.ends_with(&format!("{other} will not interoperate with it; take {other}")),
                    "{said}"
                );
            }
        }
        let spellings = ["FN-DSA", "FNDSA", "id-fn-dsa-512", "FN-DSA-padded-512", "fndsa512"];
        assert!(spellings.map(Reserved::named).iter().flatten().all(|one| one.name == "FN-DSA-512"));
        assert!(spellings.iter().all(|name| Reserved::named(name).is_some()));
    }

    #[test]
    fn what_a_reserved_name_grows_from_is_there() {
        assert!(Reserved::all().iter().all(|reserved| signature_by_name(reserved.instead).is_ok()));
    }
}
