//! A device to attest: its endpoint, required identity and reference manifest.

use super::appraisal::identity::Expected;
use crate::arguments;
use std::path::{Path, PathBuf};

/// A device to attest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Target {
    /// `HOST` or `HOST:PORT`.
    pub(super) endpoint: String,
    pub(super) expected: Expected,
    /// The manifest of this device; `None` for the one of --reference, if there is one.
    pub(super) reference: Option<PathBuf>,
}

impl Target {
    /// Parses a line of a fleet list, without its comment: `HOST[:PORT] [key=SHA-256] [leaf=SHA-256] [serial=HEX]
    /// [reference=FILE]`. Relative manifest paths start at `folder`, the folder of the list.
    ///
    /// # Errors
    /// Returns an error if the line is malformed.
    pub(super) fn parse_line(line: &str, folder: &Path) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let endpoint = arguments::host(words.next().unwrap_or_default())?;
        let mut target = Self { endpoint, ..Self::default() };
        for word in words {
            match word.strip_prefix("reference=") {
                None => target.expected = target.expected.with(word)?,
                Some("") => return Err("reference= names no file".to_owned()),
                Some(_) if target.reference.is_some() => {
                    return Err("reference= appears twice".to_owned());
                }
                Some(file) => target.reference = Some(folder.join(file)),
            }
        }
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_endpoint_identity_and_reference() {
        let parse = |line: &str| Target::parse_line(line, Path::new("racks"));
        let bare = parse("host").unwrap();
        assert_eq!((bare.endpoint.as_str(), bare.expected.is_any(), bare.reference), ("host", true, None));
        let key = "ab".repeat(32);
        let full = parse(&format!("[::1]:2600 serial=0c\treference=one.json key={key}")).unwrap();
        assert_eq!(full.endpoint, "[::1]:2600");
        assert_eq!(full.expected.to_string(), format!("key={key} serial=c"));
        assert_eq!(full.reference, Some(PathBuf::from("racks/one.json")));
        for (line, expected) in [
            ("host:70000", "port 70000"),
            ("two words", "invalid identity \"words\""),
            ("host reference=", "names no file"),
            ("host reference=a reference=b", "twice"),
            ("host key=12", "64 hexadecimal digits"),
        ] {
            let message = parse(line).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
