//! READMEs of crates, made from the beginning of their documentation, so that both say the same.

use super::metadata::Package;
use crate::outcome::Failure;
use crate::tree;

/// The first line of a README that this check writes. Other READMEs are written by hand.
const MARK: &str = "<!-- written by `cargo xtask publish --write` from src/lib.rs -->\n";

/// Compares the README of a crate with its documentation; with `write`, writes it if it is missing or has the mark.
pub(super) fn check(package: &Package, write: bool) -> Result<Option<String>, Failure> {
    let Some(readme) = &package.readme else { return Ok(None) };
    let file = format!("{}/{readme}", package.folder);
    let present = tree::read(&file).ok();
    if present.as_ref().is_some_and(|text| !text.starts_with(MARK)) {
        return Ok(None);
    }
    let Ok(source) = tree::read(&format!("{}/src/lib.rs", package.folder)) else {
        return Ok(Some(format!("{file} is missing; write it by hand, because the crate is a program")));
    };
    let expected = format(&package.name, &source);
    if present.as_ref() == Some(&expected) {
        return Ok(None);
    }
    if write {
        std::fs::write(tree::root().join(&file), expected)?;
        return Ok(None);
    }
    let state = if present.is_some() { "out of date" } else { "missing" };
    Ok(Some(format!("{file} is {state}; run `cargo xtask publish --write`")))
}

/// Returns the README: the documentation of the crate up to its first heading, and where to read on.
fn format(name: &str, source: &str) -> String {
    let mut text = format!("{MARK}# {name}\n\n");
    // the language of the code block that the line is in
    let mut language: Option<&str> = None;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        match (language, line.strip_prefix("```")) {
            (None, Some(attributes)) => {
                let is_rust = attributes.is_empty() || attributes.starts_with("no_run");
                language = Some(if is_rust { "rust" } else { attributes });
                text.push_str(&format!("```{}\n", language.unwrap_or_default()));
            }
            (Some(_), Some(_)) => {
                language = None;
                text.push_str("```\n");
            }
            // rustdoc hides these lines
            (Some("rust"), None) if line == "#" || line.starts_with("# ") => {}
            (Some(_), None) => text.push_str(&format!("{line}\n")),
            (None, None) if line.starts_with("# ") => break,
            (None, None) => text.push_str(&format!("{}\n", without_links(line))),
        }
    }
    format!("{}\n\n{}", text.trim_end(), ending(name))
}

/// Replaces the links of rustdoc, ``[`Name`]`` and ``[`Name`](path)``, by `Name`; other links stay.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, after)) = link.split_once("`]") else { break };
        text.push_str(&format!("{before}`{}`", name.trim_start_matches("mod@")));
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    text + rest
}

fn ending(name: &str) -> String {
    format!(
        "The documentation of the crate continues here: `cargo doc --open -p {name}`. grille is young and **not audited**.\n\n\
         License: Apache-2.0 or MIT, at your option.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_documentation_up_to_its_first_heading() {
        let source = "//! A KEM with [`Kem`] and [`decode`](Key::decode), see <https://example.org>.\n//!\n\
                      //! ```\n//! # fn main() {\n//! #[cfg(unix)]\n//! run();\n//! # }\n//! ```\n//!\n\
                      //! ```text\n//! # kept\n//! ```\n//!\n//! # Features\n//! none\n#![no_std]\n";
        let expected = "# a\n\nA KEM with `Kem` and `decode`, see <https://example.org>.\n\n\
                        ```rust\n#[cfg(unix)]\nrun();\n```\n\n```text\n# kept\n```\n\n";
        assert_eq!(format("a", source), format!("{MARK}{expected}{}", ending("a")));
    }

    #[test]
    fn keeps_text_without_links() {
        assert_eq!(without_links("a[0] and `[` stay"), "a[0] and `[` stay");
        assert_eq!(without_links("[`mod@erase`]."), "`erase`.");
    }
}
