//! Reads the registry from the output of the command line, so that this crate compiles without the cryptography.

use crate::outcome::Failure;
use crate::{process, programs};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Command;

/// The output of `grille list --all --json`, reduced to the fields that the checks need.
#[derive(Default, Deserialize)]
pub(crate) struct Listing {
    pub(crate) kems: Vec<Row>,
    pub(crate) signatures: Vec<Row>,
}

/// One algorithm. Lengths are in bytes.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Security category; 0 for classical algorithms.
    pub(crate) category: u8,
    pub(crate) status: String,
    pub(crate) spec: String,
    pub(crate) tls_code: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) public_key_len: usize,
    /// Length of a KEM's ciphertext.
    pub(crate) ciphertext_len: Option<usize>,
    /// Maximum length of a signature.
    pub(crate) signature_len: Option<usize>,
}

impl Listing {
    /// Runs the built command line.
    pub(crate) fn read() -> Result<Self, Failure> {
        let json = process::stdout(Command::new(program()?).args(["list", "--all", "--json"]))?;
        Self::parse(&json)
    }

    fn parse(json: &str) -> Result<Self, Failure> {
        Ok(serde_json::from_str(json)?)
    }
}

/// Builds the command line and returns its path. Builds all tests, too, as `cargo test --workspace` does: fewer targets
/// would have other features, so that the crates would be compiled twice.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    let mut cargo = process::cargo(&["test", "--quiet", "--workspace", "--no-run"]);
    let mut built = programs::build(&mut cargo)?;
    built.retain(|program| program.name == "grille" && !program.is_test);
    programs::last(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_listing_and_rejects_other_shapes() {
        let json = r#"{"kems":[{"name":"A","category":3,"status":"standard","spec":"FIPS 203","oid":null,
            "tls_code":"0x11EC","aliases":["B"],"public_key_len":1,"ciphertext_len":2}],"signatures":[],"left_out":0}"#;
        let listing = Listing::parse(json).unwrap();
        assert_eq!((listing.kems[0].ciphertext_len, listing.kems[0].signature_len), (Some(2), None));
        assert!(Listing::parse("{\"kems\": []}").is_err());
    }
}
