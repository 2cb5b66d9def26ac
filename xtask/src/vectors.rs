//! `vectors`: checks that every vector file has a source, and every post-quantum algorithm has vectors.

use crate::outcome::{Outcome, verdict};
use crate::registry::{Listing, Row};
use crate::tree;

const SOURCES: &str = "vectors/SOURCES.md";

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut files = tree::files()?;
    files.retain(|file| file.starts_with("vectors/") && !is_of_the_crate(file));
    let mut texts = Vec::new();
    for file in &files {
        texts.push(format!("{file}\n{}", tree::read(file).unwrap_or_default())); // not every vector is text
    }
    let listing = Listing::read()?;
    let rows: Vec<&Row> = listing.kems.iter().chain(&listing.signatures).collect();
    let mut problems = without_source(&files, &tree::read(SOURCES)?);
    problems.extend(without_vectors(&rows, &texts));
    verdict(problems, || format!("{} files with sources, {} algorithms", files.len(), rows.len()))
}

/// Returns whether the file is part of the crate that embeds vectors, or the list of sources.
fn is_of_the_crate(file: &str) -> bool {
    file.starts_with("vectors/src/") || [SOURCES, "vectors/Cargo.toml", "vectors/README.md"].contains(&file)
}

fn without_source(files: &[String], sources: &str) -> Vec<String> {
    let named = |file: &str| {
        let inside = file.trim_start_matches("vectors/");
        sources.split('`').skip(1).step_by(2).any(|quoted| quoted == inside || quoted == file)
    };
    files.iter().filter(|file| !named(file)).map(|file| format!("{file} is not named in {SOURCES}")).collect()
}

/// Lists algorithms without vectors. A vector file contains one of the algorithm's names in quotes. The name of a
/// hybrid (`X25519MLKEM768`) ends with its post-quantum half, and the hybrid uses the vectors of that half.
fn without_vectors(rows: &[&Row], texts: &[String]) -> Vec<String> {
    let (with, without): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| {
        let mut names = names(row).map(|name| format!("\"{name}\""));
        names.any(|name| texts.iter().any(|text| text.contains(&name)))
    });
    let is_hybrid = |row: &Row| {
        let halves: Vec<String> = with.iter().flat_map(|half| names(half)).map(plain).collect();
        names(row).any(|name| halves.iter().any(|half| plain(name).ends_with(half)))
    };
    let missing = without.iter().filter(|row| row.category > 0 && !is_hybrid(row));
    missing.map(|row| format!("{} has no vectors", row.name)).collect()
}

fn names(row: &Row) -> impl Iterator<Item = &str> {
    std::iter::once(&row.name).chain(&row.aliases).map(String::as_str)
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_files_without_their_exact_name() {
        let files = ["vectors/a/kat.json".to_owned(), "vectors/b/kat.json".to_owned()];
        assert!(without_source(&files, "`a/kat.json` and `vectors/b/kat.json`").is_empty());
        let found = without_source(&files, "`a/kat.json`, b/kat.json");
        assert_eq!(found, ["vectors/b/kat.json is not named in vectors/SOURCES.md"]);
    }

    #[test]
    fn rejects_rows_without_vectors_under_any_name() {
        let row = |category, aliases: &[&str]| Row {
            name: "ML-KEM-768".into(),
            category,
            aliases: aliases.iter().map(ToString::to_string).collect(),
            ..Row::default()
        };
        let texts = ["{\"algorithm\": \"MLKEM768\"}".to_owned()];
        assert!(without_vectors(&[&row(3, &["MLKEM768"])], &texts).is_empty());
        assert!(without_vectors(&[&row(0, &[])], &texts).is_empty());
        assert_eq!(without_vectors(&[&row(3, &["MLKEM"])], &texts), ["ML-KEM-768 has no vectors"]);
    }

    #[test]
    fn accepts_vectors_of_a_hybrids_post_quantum_half() {
        let row = |name: &str| Row { name: name.into(), category: 3, ..Row::default() };
        let (half, hybrid, other) = (row("Kyber768"), row("X25519Kyber768"), row("Kyber768-90s"));
        let texts = ["\"Kyber768\"".to_owned()];
        assert_eq!(without_vectors(&[&half, &hybrid, &other], &texts), ["Kyber768-90s has no vectors"]);
        assert_eq!(without_vectors(&[&half, &hybrid], &[]).len(), 2);
        let by_alias = Row { aliases: vec!["x25519_kyber768".into()], ..row("X25519Kyber768Draft00") };
        assert!(without_vectors(&[&half, &by_alias], &texts).is_empty());
    }
}
