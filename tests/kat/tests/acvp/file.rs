//! Reads the vector files: groups of test cases with the protocol's field names.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};
use std::ops::Deref;

/// Test cases of one mode and one parameter set, with their common fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Group<Case> {
    /// The parameter set, in the standard's spelling.
    pub(crate) parameter_set: String,
    /// The decapsulation key of all cases.
    #[serde(default)]
    pub(crate) dk: Bytes,
    /// The public key of all cases.
    #[serde(default)]
    pub(crate) pk: Bytes,
    /// The interface of a signature: `pure`, `preHash` or `internal`.
    #[serde(default)]
    pub(crate) interface: String,
    pub(crate) tests: Vec<Case>,
}

/// Reads the groups of one mode; panics if there are none.
pub(crate) fn groups<Case: DeserializeOwned>(text: &str, mode: &str) -> Vec<Group<Case>> {
    let all: Vec<serde_json::Value> = serde_json::from_str(text).expect("the file is JSON");
    let chosen = all.into_iter().filter(|group| group["mode"] == mode);
    let groups: Vec<_> =
        chosen.map(|group| serde_json::from_value(group).expect("a group of this mode")).collect();
    assert!(!groups.is_empty(), "no groups of {mode}");
    groups
}

/// Bytes, which are hexadecimal in the file.
#[derive(Default)]
pub(crate) struct Bytes(Vec<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        base16ct::lower::decode_vec(digits).map(Self).map_err(D::Error::custom)
    }
}

impl Bytes {
    /// Returns whether the file's bytes are the SHA-256 digest of `of`.
    pub(crate) fn is_digest(&self, of: &[u8]) -> bool {
        **self == Sha256::digest(of)[..]
    }
}
