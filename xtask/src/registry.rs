//! The registry, as the command line prints it; so this crate waits for no cryptography to compile.

use crate::outcome::Failure;
use crate::{process, programs};
use serde::Deserialize;
use std::process::Command;

/// A test that runs the command line.
const ITS_TEST: &str = "cli";

/// What `grille list --all --json` prints, as far as the checks need it.
#[derive(Default, Deserialize)]
pub(crate) struct Listing {
    pub(crate) kems: Vec<Row>,
    pub(crate) signatures: Vec<Row>,
}

/// One algorithm. Lengths are bytes.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// 0 for classical algorithms.
    pub(crate) category: u8,
    pub(crate) status: String,
    pub(crate) spec: String,
    pub(crate) tls_code: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) public_key_len: usize,
    /// Of KEMs.
    pub(crate) ciphertext_len: Option<usize>,
    /// Of signatures; the longest.
    pub(crate) signature_len: Option<usize>,
}

impl Listing {
    /// Builds the command line as it is built for its own tests among all others, with the features that the whole
    /// workspace turns on, so that nothing is compiled for this alone; and asks it.
    pub(crate) fn ask() -> Result<Self, Failure> {
        let mut cargo = process::cargo(&["test", "--quiet", "--workspace", "--test", ITS_TEST, "--no-run"]);
        let mut built = programs::built(&mut cargo)?;
        built.retain(|program| program.name == "grille" && !program.is_test);
        let json = process::stdout(Command::new(programs::last(built)?).args(["list", "--all", "--json"]))?;
        Self::parse(&json)
    }

    fn parse(json: &str) -> Result<Self, Failure> {
        Ok(serde_json::from_str(json)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_is_read_and_another_shape_refused() {
        let json = r#"{"kems":[{"name":"A","category":3,"status":"standard","spec":"FIPS 203","oid":null,
            "tls_code":"0x11EC","aliases":["B"],"public_key_len":1,"ciphertext_len":2}],"signatures":[],"left_out":0}"#;
        let listing = Listing::parse(json).unwrap();
        assert_eq!((listing.kems[0].ciphertext_len, listing.kems[0].signature_len), (Some(2), None));
        assert!(Listing::parse("{\"kems\": []}").is_err());
    }
}
