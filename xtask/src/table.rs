//! `table`: checks that the tables of ALGORITHMS.md match the registry, that MAP.md shows every crate, that paths in
//! documents exist, and that CONTRIBUTING gives a reason for every dependency.

use crate::crate_graph;
use crate::crates::crates;
use crate::outcome::{Failure, Outcome, verdict};
use crate::registry::{Listing, Row};
use crate::source::words;
use crate::tree;

const ALGORITHMS: &str = "ALGORITHMS.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
const MAP: &str = "MAP.md";
const BEGIN: &str = "<!-- algorithms: written by `cargo xtask table --write` -->\n";
const END: &str = "<!-- end of algorithms -->";
const CRATES_BEGIN: &str = "<!-- crates: written by `cargo xtask table --write` -->\n";
const CRATES_END: &str = "<!-- end of crates -->";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    let mut count = 0;
    let files = tree::files()?;
    for (document, text) in tree::texts(".md")? {
        for (line, path) in find_paths(&text) {
            count += 1;
            problems
                .extend(missing_target(&files, &path).map(|problem| format!("{document}:{line}: {problem}")));
        }
    }
    problems.extend(find_unexplained(&tree::read("Cargo.toml")?, &tree::read(CONTRIBUTING)?)?);
    let write = arguments.iter().any(|argument| argument == "--write");
    for problem in [map_problem(write), algorithms_problem(write)] {
        problems.extend(problem.unwrap_or_else(|failure| failure.0));
    }
    verdict(problems, || {
        format!("{ALGORITHMS} and {MAP} match the registry and the crates; {count} paths in documents exist")
    })
}

/// Compares the tables of algorithms with the registry; with `write`, writes them instead.
fn algorithms_problem(write: bool) -> Result<Vec<String>, Failure> {
    check_generated(ALGORITHMS, (BEGIN, END), &markdown(&Listing::read()?), write)
}

/// Compares the picture and the table of crates with `cargo metadata`; with `write`, writes them instead.
fn map_problem(write: bool) -> Result<Vec<String>, Failure> {
    check_generated(MAP, (CRATES_BEGIN, CRATES_END), &crate_graph::markdown(&crates()?), write)
}

/// Compares the part of a document between two marks with its expected text, or writes it if `write` is set.
fn check_generated(
    document: &str,
    (begin, end): (&str, &str),
    expected: &str,
    write: bool,
) -> Result<Vec<String>, Failure> {
    let before = tree::read(document)?;
    let after = replace_between(&before, begin, end, expected)?;
    if after == before {
        return Ok(Vec::new());
    }
    if write {
        std::fs::write(tree::root().join(document), after)?;
        return Ok(Vec::new());
    }
    Ok(vec![format!("{document}: a generated part is out of date; run `cargo xtask table --write`")])
}

/// Replaces the text between two marks of a document.
pub(crate) fn replace_between(
    document: &str,
    begin: &str,
    end: &str,
    table: &str,
) -> Result<String, Failure> {
    let missing = || Failure(vec![format!("the marks {} … {end} are missing", begin.trim_end())]);
    let (before, rest) = document.split_once(begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

fn markdown(listing: &Listing) -> String {
    let mut table = String::from(
        "\n| KEM, hybrid or key agreement | category | status | document | public key | ciphertext | TLS group |\n\
         |---|---|---|---|--:|--:|---|\n",
    );
    listing.kems.iter().for_each(|row| table.push_str(&markdown_row(row, row.ciphertext_len)));
    table.push_str(
        "\n| signature | category | status | document | public key | signature | TLS scheme |\n\
         |---|---|---|---|--:|--:|---|\n",
    );
    listing.signatures.iter().for_each(|row| table.push_str(&markdown_row(row, row.signature_len)));
    table.push('\n');
    table
}

fn markdown_row(row: &Row, second_len: Option<usize>) -> String {
    let category = if row.category == 0 { "classical".to_owned() } else { row.category.to_string() };
    let code = row.tls_code.as_ref().map_or_else(String::new, |code| format!("`{code}`"));
    let second_len = second_len.map_or_else(String::new, |len| len.to_string());
    let Row { name, status, spec, public_key_len, .. } = row;
    format!("| {name} | {category} | {status} | {spec} | {public_key_len} | {second_len} | {code} |\n")
}

/// Lists third-party dependencies without a row in the document, and rows without a dependency.
fn find_unexplained(manifest: &str, document: &str) -> Result<Vec<String>, Failure> {
    let manifest: toml::Table = toml::from_str(manifest)?;
    let dependencies = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let dependencies = dependencies.and_then(toml::Value::as_table).into_iter().flatten();
    let theirs: Vec<&str> = dependencies
        .filter(|(_, value)| value.get("path").is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    let section = document.split_once("\n## Dependencies\n").map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or(section);
    let rows: Vec<&str> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let missing = theirs.iter().filter(|name| !rows.contains(name));
    let extra = rows.iter().filter(|name| !theirs.contains(name));
    let missing = missing.map(|name| format!("{CONTRIBUTING}: no reason for the dependency {name}"));
    let extra = extra.map(|name| format!("{CONTRIBUTING}: {name} is not a dependency in Cargo.toml"));
    Ok(missing.chain(extra).collect())
}

/// Lists the texts in backticks that look like paths of this repository, each with its line. Fenced blocks do not
/// count.
fn find_paths(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let quoted = line.split('`').skip(1).step_by(2).filter(|_| !fenced);
        let paths = quoted.filter(|quoted| looks_like_a_path(quoted));
        found.extend(paths.map(|path| (index + 1, path.to_owned())));
    }
    found
}

fn looks_like_a_path(quoted: &str) -> bool {
    const ENDINGS: [&str; 6] = [".rs", ".md", ".toml", ".txt", ".sh", "/"];
    let path = quoted.split("::").next().unwrap_or(quoted);
    path.len() > 1
        && !path.contains([' ', '<', '(', '…', '*'])
        && ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// Returns an error message if a path (`folder/`, `folder/file.rs` or `folder/file.rs::item`) does not exist, otherwise
/// `None`. A path of one or two parts (`params.rs`, `backend/mod.rs`) exists if any path of a file ends with it.
fn missing_target(files: &[String], path: &str) -> Option<String> {
    let (path, item) = path.split_once("::").map_or((path, None), |(path, item)| (path, Some(item)));
    let is_short = path.trim_end_matches('/').matches('/').count() < 2;
    let leads_to = |file: &str| match path.strip_suffix('/') {
        Some(_) => file.starts_with(path) || (is_short && file.contains(&format!("/{path}"))),
        None => file == path || (is_short && file.ends_with(&format!("/{path}"))),
    };
    let Some(file) = files.iter().find(|file| leads_to(file)) else {
        return Some(format!("there is no {path}"));
    };
    let item = item?;
    let text = tree::read(file).ok()?;
    words(&text, item).next().is_none().then(|| format!("{file} has no `{item}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Listing {
        let kem = Row {
            name: "ML-KEM-768".into(),
            category: 3,
            status: "standard".into(),
            spec: "FIPS 203".into(),
            tls_code: Some("0x0201".into()),
            public_key_len: 1184,
            ciphertext_len: Some(1088),
            ..Row::default()
        };
        let classical = Row { name: "Ed25519".into(), signature_len: Some(64), ..Row::default() };
        Listing { kems: vec![kem], signatures: vec![classical] }
    }

    #[test]
    fn formats_rows_of_the_registry() {
        let table = markdown(&listing());
        assert!(
            table.contains("| ML-KEM-768 | 3 | standard | FIPS 203 | 1184 | 1088 | `0x0201` |\n"),
            "{table}"
        );
        assert!(table.contains("| Ed25519 | classical |"), "{table}");
    }

    #[test]
    fn reports_dependencies_without_reason_and_reasons_without_dependency() {
        let manifest = "[workspace.dependencies]\naes = \"1\"\nours = { path = \"x\" }\n";
        let document = |row: &str| {
            format!("# A\n| `a` | b |\n\n## Dependencies\n\n| {row} | why |\n\n## After\n| `b` |\n")
        };
        assert_eq!(find_unexplained(manifest, &document("`aes`")), Ok(vec![]));
        let found = find_unexplained(manifest, &document("`des`")).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("no reason for the dependency aes"), "{found:?}");
        assert!(found[1].ends_with("des is not a dependency in Cargo.toml"), "{found:?}");
    }

    #[test]
    fn replaces_only_the_text_between_the_marks() {
        let table = markdown(&listing());
        let old = format!("before\n{BEGIN}old\n{END}\nafter\n");
        let new = replace_between(&old, BEGIN, END, &table).unwrap();
        assert!(new != old && new.starts_with("before\n") && new.ends_with("\nafter\n"));
        assert_eq!(replace_between(&new, BEGIN, END, &table).unwrap(), new);
        assert!(replace_between("no marks", BEGIN, END, &table).is_err());
    }

    #[test]
    fn finds_paths_in_backticks() {
        let text = "see `a/b.rs::f`, `cargo xtask`, `kem/`, `kem/<family>/`\n```\n`x/y.rs`\n```\nand `c.md`";
        let found: Vec<_> =
            find_paths(text).into_iter().map(|(line, path)| format!("{line} {path}")).collect();
        assert_eq!(found, ["1 a/b.rs::f", "1 kem/", "5 c.md"]);
    }

    #[test]
    fn reports_missing_files_folders_and_items() {
        let files = ["xtask/src/table.rs".to_owned()];
        for good in [
            "xtask/",
            "xtask/src/table.rs",
            "xtask/src/table.rs::missing_target",
            "table.rs",
            "src/table.rs",
            "src/",
        ] {
            assert_eq!(missing_target(&files, good), None, "{good}");
        }
        for bad in ["attic/", "xtask/src/tabel.rs", "able.rs", "attic/src/table.rs", "sr/"] {
            assert_eq!(missing_target(&files, bad), Some(format!("there is no {bad}")));
        }
        let absent = format!("{}_{}", "no_such", "item");
        assert!(missing_target(&files, &format!("xtask/src/table.rs::{absent}")).is_some());
    }
}
