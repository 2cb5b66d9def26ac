//! `table`: the tables of ALGORITHMS.md equal the registry, what the documents point at exists, and CONTRIBUTING gives
//! a reason for every dependency.

use crate::outcome::{Failure, Outcome, verdict};
use crate::registry::{Listing, Row};
use crate::source::words;
use crate::tree;

const ALGORITHMS: &str = "ALGORITHMS.md";
const CONTRIBUTING: &str = "CONTRIBUTING.md";
const BEGIN: &str = "<!-- algorithms: written by `cargo xtask table --write` -->\n";
const END: &str = "<!-- end of algorithms -->";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    let mut count = 0;
    let files = tree::files()?;
    for (document, text) in tree::texts(".md")? {
        for (line, pointer) in pointers(&text) {
            count += 1;
            problems.extend(astray(&files, &pointer).map(|problem| format!("{document}:{line}: {problem}")));
        }
    }
    problems.extend(unexplained(&tree::read("Cargo.toml")?, &tree::read(CONTRIBUTING)?)?);
    let write = arguments.iter().any(|argument| argument == "--write");
    problems.extend(algorithms_problem(write).unwrap_or_else(|failure| failure.0));
    verdict(problems, || {
        format!("ALGORITHMS.md is the registry's; {count} paths in documents lead somewhere")
    })
}

/// What is wrong with the tables of algorithms, unless they may be rewritten.
fn algorithms_problem(write: bool) -> Result<Vec<String>, Failure> {
    let document = tree::read(ALGORITHMS)?;
    let right = with_table(&document, &markdown(&Listing::ask()?))?;
    if right == document {
        return Ok(Vec::new());
    }
    if write {
        std::fs::write(tree::root().join(ALGORITHMS), right)?;
        return Ok(Vec::new());
    }
    Ok(vec![format!("{ALGORITHMS}: not the registry's; `cargo xtask table --write` writes it")])
}

/// The document with `table` between its marks.
fn with_table(document: &str, table: &str) -> Result<String, Failure> {
    between(document, BEGIN, END, table)
}

/// A document with `table` between two marks.
pub(crate) fn between(document: &str, begin: &str, end: &str, table: &str) -> Result<String, Failure> {
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

/// The workspace's dependencies on other people's crates without a row in the document, and rows without dependency.
fn unexplained(manifest: &str, document: &str) -> Result<Vec<String>, Failure> {
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
    let extra = extra.map(|name| format!("{CONTRIBUTING}: {name} is no dependency in Cargo.toml"));
    Ok(missing.chain(extra).collect())
}

/// Everything in backticks that looks like a path of this repository, with its line; fenced blocks do not count.
fn pointers(text: &str) -> Vec<(usize, String)> {
    let mut pointers = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let quoted = line.split('`').skip(1).step_by(2).filter(|_| !fenced);
        let paths = quoted.filter(|quoted| looks_like_a_path(quoted));
        pointers.extend(paths.map(|path| (index + 1, path.to_owned())));
    }
    pointers
}

fn looks_like_a_path(quoted: &str) -> bool {
    const ENDINGS: [&str; 6] = [".rs", ".md", ".toml", ".txt", ".sh", "/"];
    let path = quoted.split("::").next().unwrap_or(quoted);
    path.len() > 1
        && !path.contains([' ', '<', '(', '…', '*'])
        && ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// Why a pointer (`folder/`, `folder/file.rs` or `folder/file.rs::item`) leads nowhere. The last one or two parts of a
/// path (`params.rs`, `backend/mod.rs`) stand for that file in every family.
fn astray(files: &[String], pointer: &str) -> Option<String> {
    let (path, item) = pointer.split_once("::").map_or((pointer, None), |(path, item)| (path, Some(item)));
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
    fn a_row_shows_what_the_registry_says() {
        let table = markdown(&listing());
        assert!(
            table.contains("| ML-KEM-768 | 3 | standard | FIPS 203 | 1184 | 1088 | `0x0201` |\n"),
            "{table}"
        );
        assert!(table.contains("| Ed25519 | classical |"), "{table}");
    }

    #[test]
    fn every_dependency_of_others_has_a_reason_and_every_reason_a_dependency() {
        let manifest = "[workspace.dependencies]\naes = \"1\"\nours = { path = \"x\" }\n";
        let document = |row: &str| {
            format!("# A\n| `a` | b |\n\n## Dependencies\n\n| {row} | why |\n\n## After\n| `b` |\n")
        };
        assert_eq!(unexplained(manifest, &document("`aes`")), Ok(vec![]));
        let found = unexplained(manifest, &document("`des`")).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("no reason for the dependency aes"), "{found:?}");
        assert!(found[1].ends_with("des is no dependency in Cargo.toml"), "{found:?}");
    }

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let table = markdown(&listing());
        let old = format!("before\n{BEGIN}old\n{END}\nafter\n");
        let new = with_table(&old, &table).unwrap();
        assert!(new != old && new.starts_with("before\n") && new.ends_with("\nafter\n"));
        assert_eq!(with_table(&new, &table).unwrap(), new);
        assert!(with_table("no marks", &table).is_err());
    }

    #[test]
    fn pointers_are_paths_in_backticks() {
        let text = "see `a/b.rs::f`, `cargo xtask`, `kem/`, `kem/<family>/`\n```\n`x/y.rs`\n```\nand `c.md`";
        let found: Vec<_> = pointers(text).into_iter().map(|(line, path)| format!("{line} {path}")).collect();
        assert_eq!(found, ["1 a/b.rs::f", "1 kem/", "5 c.md"]);
    }

    #[test]
    fn a_pointer_must_lead_to_a_file_a_folder_and_an_item() {
        let files = ["xtask/src/table.rs".to_owned()];
        for good in
            ["xtask/", "xtask/src/table.rs", "xtask/src/table.rs::astray", "table.rs", "src/table.rs", "src/"]
        {
            assert_eq!(astray(&files, good), None, "{good}");
        }
        for bad in ["attic/", "xtask/src/tabel.rs", "able.rs", "attic/src/table.rs", "sr/"] {
            assert_eq!(astray(&files, bad), Some(format!("there is no {bad}")));
        }
        let absent = format!("{}_{}", "no_such", "item");
        assert!(astray(&files, &format!("xtask/src/table.rs::{absent}")).is_some());
    }
}
