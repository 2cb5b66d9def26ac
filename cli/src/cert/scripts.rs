//! The chains of wolfSSL's scripts: generate_falcon_chains.sh, generate_dilithium_chains.sh,
//! generate_sphincs_chains.sh, and for ML-DSA generate_dilithium_chains_with_provider.sh.
//!
//! Deviation from the scripts: the authority key identifier contains only the key, not the issuer's name and serial
//! number.

use grille_pki::issue::{KeyUsage, KeyUsages, Template};
use grille_registry::{SignatureRow, signature_by_name};

/// A root and its end entity, as one of the scripts makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScriptChain {
    /// wolfSSL's name of the algorithm; in lower case, it is the prefix of the file names.
    pub(crate) name: &'static str,
    /// The root's serial number; the entity has the next one.
    serial: u16,
}

impl ScriptChain {
    /// Finds the chain with this name.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        SCRIPT_CHAINS.iter().find(|scripted| scripted.name.eq_ignore_ascii_case(name)).copied()
    }

    /// Returns the chains of all levels and variants whose names begin with this word.
    pub(crate) fn family(word: &str) -> impl Iterator<Item = Self> {
        let is_word = word.ends_with(|c: char| c.is_ascii_alphabetic());
        let is_rest = |rest: &str| rest.starts_with(|c: char| !c.is_ascii_alphabetic());
        SCRIPT_CHAINS.iter().copied().filter(move |Self { name, .. }| {
            let begin = name.split_at_checked(word.len()).filter(|_| is_word);
            begin.is_some_and(|(begin, rest)| begin.eq_ignore_ascii_case(word) && is_rest(rest))
        })
    }

    /// Finds the chain of this algorithm.
    pub(crate) fn for_algorithm(row: &SignatureRow) -> Option<Self> {
        SCRIPT_CHAINS.iter().find(|scripted| std::ptr::eq(scripted.row(), row)).copied()
    }

    /// Returns the row of the algorithm.
    ///
    /// # Panics
    /// Never: a test looks up every name.
    pub(crate) fn row(self) -> &'static SignatureRow {
        signature_by_name(self.name).expect("the registry has this name")
    }

    /// Returns the serial numbers of the root and the entity, big-endian.
    pub(crate) const fn serials(self) -> [[u8; 2]; 2] {
        [self.serial.to_be_bytes(), (self.serial + 1).to_be_bytes()]
    }
}

/// Adds the root's key usage as in the scripts.
pub(crate) fn with_root_usage(template: Template) -> Template {
    template.key_usage(KeyUsage(KeyUsages::KeyCertSign.into()))
}

/// Makes the entity's extended key usage critical, as in the scripts.
pub(crate) fn with_entity_purposes(template: Template) -> Template {
    template.critical_purposes()
}

/// The subject of the roots, without [`ROOT_MAIL`].
pub(crate) const ROOT_SUBJECT: &str =
    "/C=CA/ST=ON/L=Waterloo/O=wolfSSL Inc./OU=Engineering/CN=Root Certificate";
pub(super) const ROOT_MAIL: &str = "/emailAddress=root@wolfssl.com";

/// The subject of the entities, without [`ENTITY_MAIL`].
pub(crate) const ENTITY_SUBJECT: &str =
    "/C=CA/ST=ON/L=Waterloo/O=wolfSSL Inc./OU=Engineering/CN=Entity Certificate";
pub(super) const ENTITY_MAIL: &str = "/emailAddress=entity@wolfssl.com";

/// The only subject alternative name of the entities.
pub(crate) const ENTITY_NAME: &str = "127.0.0.1";

const fn chain(name: &'static str, serial: u16) -> ScriptChain {
    ScriptChain { name, serial }
}

const SCRIPT_CHAINS: &[ScriptChain] = &[
    chain("FALCON_LEVEL1", 512),
    chain("FALCON_LEVEL5", 1024),
    chain("DILITHIUM_LEVEL2", 20),
    chain("DILITHIUM_LEVEL3", 30),
    chain("DILITHIUM_LEVEL5", 50),
    chain("DILITHIUM_AES_LEVEL2", 20),
    chain("DILITHIUM_AES_LEVEL3", 30),
    chain("DILITHIUM_AES_LEVEL5", 50),
    chain("SPHINCS_FAST_LEVEL1", 20),
    chain("SPHINCS_FAST_LEVEL3", 30),
    chain("SPHINCS_FAST_LEVEL5", 50),
    chain("SPHINCS_SMALL_LEVEL1", 20),
    chain("SPHINCS_SMALL_LEVEL3", 30),
    chain("SPHINCS_SMALL_LEVEL5", 50),
    chain("MLDSA44", 20),
    chain("MLDSA65", 30),
    chain("MLDSA87", 50),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn chains_have_distinct_names_and_algorithms() {
        let mut rows = HashSet::new();
        for scripted in SCRIPT_CHAINS {
            assert!(rows.insert(std::ptr::from_ref(scripted.row())), "{}", scripted.name);
            assert_eq!(ScriptChain::by_name(&scripted.name.to_lowercase()), Some(*scripted));
            assert_eq!(ScriptChain::for_algorithm(scripted.row()), Some(*scripted));
        }
    }

    #[test]
    fn selects_families_by_whole_words() {
        let names = |word| ScriptChain::family(word).map(|scripted| scripted.name).collect::<Vec<_>>();
        assert_eq!(names("falcon"), ["FALCON_LEVEL1", "FALCON_LEVEL5"]);
        assert_eq!(names("DILITHIUM").len(), 6);
        assert_eq!(names("DILITHIUM_AES").len(), 3);
        let serials: Vec<_> = ScriptChain::family("SPHINCS").map(|scripted| scripted.serial).collect();
        assert_eq!(serials, [20, 30, 50, 20, 30, 50], "fast, and small");
        assert_eq!(names("MLDSA"), ["MLDSA44", "MLDSA65", "MLDSA87"]);
        for word in ["", "FALC", "FALCON_LEVEL1", "FALCON_LEVEL12", "MLDSA4", "é"] {
            assert!(names(word).is_empty(), "{word}");
        }
    }
}
