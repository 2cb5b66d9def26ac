//! Names reserved for unpublished standards. No algorithm may use one before its standard is published.

use crate::spelling::{normalized_letters, strip_oid_prefix};
use alloc::{format, string::String};

/// A reserved algorithm name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The name as the standard will spell it.
    pub name: &'static str,
    /// Other spellings of the name.
    pub aliases: &'static [&'static str],
    /// The unpublished standard.
    pub standard: &'static str,
    /// The algorithm that the standard is based on. The standard differs from it: keys and signatures of one may not
    /// work with the other.
    pub based_on: &'static str,
}

impl Reserved {
    /// Returns every reserved name.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        RESERVED
    }

    /// Returns the reserved name with this spelling, or `None` if the name is not reserved. Case, punctuation and a
    /// prefix `id-` do not matter.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_named = |own: &str| normalized_letters(own).eq(normalized_letters(strip_oid_prefix(name)));
        RESERVED.iter().find(|reserved| reserved.names().any(is_named))
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        core::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Returns the reason why no algorithm has this name.
    #[must_use]
    pub fn reason(&self) -> String {
        format!(
            "{} is reserved for {}, which is not published yet; {} is the predecessor and will not interoperate with it",
            self.name, self.standard, self.based_on
        )
    }
}

#[cfg(not(feature = "post-quantum"))]
const RESERVED: &[Reserved] = &[];

#[cfg(feature = "post-quantum")]
#[rustfmt::skip]
const RESERVED: &[Reserved] = &[
    Reserved { name: "FN-DSA-512",  aliases: &["FN-DSA", "FN-DSA-padded-512"], standard: "FIPS 206", based_on: "Falcon-512" },
    Reserved { name: "FN-DSA-1024", aliases: &["FN-DSA-padded-1024"],          standard: "FIPS 206", based_on: "Falcon-1024" },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kem_by_name, signature_by_name};

    #[test]
    fn reserved_name_is_rejected_and_its_predecessor_is_suggested() {
        for reserved in Reserved::all() {
            for name in reserved.names() {
                assert!(kem_by_name(name).is_err());
                let unknown = signature_by_name(&format!("id-{}", name.to_lowercase())).unwrap_err();
                let message = format!("{unknown}");
                assert!(message.contains("FIPS 206, which is not published"), "{message}");
                let other = reserved.based_on;
                assert!(
                    message.ends_with(&format!(
                        "{other} is the predecessor and will not interoperate with it; use {other} instead"
                    )),
                    "{message}"
                );
            }
        }
        let spellings = ["FN-DSA", "FNDSA", "id-fn-dsa-512", "FN-DSA-padded-512", "fndsa512"];
        assert!(spellings.map(Reserved::named).iter().flatten().all(|one| one.name == "FN-DSA-512"));
        assert!(spellings.iter().all(|name| Reserved::named(name).is_some()));
    }

    #[test]
    fn predecessor_of_every_reserved_name_exists() {
        assert!(Reserved::all().iter().all(|reserved| signature_by_name(reserved.based_on).is_ok()));
    }
}
