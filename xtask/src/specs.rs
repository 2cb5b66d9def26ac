//! `specs`: checks that every citation names a document of SPECS.toml and an algorithm or section that exists there.
//!
//! A citation is a key (`FIPS 203`, `RFC 9881`, `SP 800-38A`, `draft-…`), then `Algorithm 15`, `Algorithms 9
//! and 10` or `section 4.2`. A name directly before it (`K-PKE.Decrypt, FIPS 203 Algorithm 15`) or in
//! parentheses after it must be the algorithm's title. In a table whose first column has a key as its heading
//! (`| FIPS 204 | file |`) rows need no key, and `Algorithm 29, SampleInBall` is a citation too.

use crate::outcome::{Outcome, verdict};
use crate::source::Source;
use crate::tree;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One document of SPECS.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    title: String,
    date: String,
    url: String,
    /// Titles of algorithms by number, if the document numbers them.
    #[serde(default)]
    algorithms: BTreeMap<String, String>,
    /// Titles of sections by number; if there are any, a cited section must be among them.
    #[serde(default)]
    sections: BTreeMap<String, String>,
}

type Specs = BTreeMap<String, Spec>;

/// One citation.
#[derive(Debug, Default, PartialEq, Eq)]
struct Citation {
    key: String,
    /// The name before the key, if there is one.
    name: Option<String>,
    /// Numbers of algorithms, each with the title in parentheses after it, if there is one.
    algorithms: Vec<(String, Option<String>)>,
    sections: Vec<String>,
}

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let specs: Specs = toml::from_str(&tree::read("SPECS.toml")?)?;
    let mut cited = Vec::new();
    for (file, text) in tree::texts(".rs")? {
        let source = Source::read(&file, &text)?;
        let mut found = table_citations(&source.comments);
        found.extend(all_citations(blocks(&source.comments)));
        if file == "registry/src/table.rs" {
            found.extend(all_citations(source.strings));
        }
        cited.extend(found.into_iter().map(|(line, citation)| (file.clone(), line, citation)));
    }
    for (file, text) in tree::texts(".md")? {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.to_owned()));
        let found = all_citations(lines.collect());
        cited.extend(found.into_iter().map(|(line, citation)| (file.clone(), line, citation)));
    }
    let mut problems = find_incomplete(&specs);
    for (file, line, citation) in &cited {
        let wrong = find_errors(&specs, citation).into_iter();
        problems.extend(wrong.map(|problem| format!("{file}:{line}: {problem}")));
    }
    verdict(problems, || format!("{} citations of {} documents", cited.len(), specs.len()))
}

fn all_citations(texts: Vec<(usize, String)>) -> Vec<(usize, Citation)> {
    let cite =
        |(line, text): (usize, String)| citations(&text).into_iter().map(move |citation| (line, citation));
    texts.into_iter().flat_map(cite).collect()
}

/// Returns the citations in the first column of tables that have a key as heading.
fn table_citations(comments: &[(usize, String)]) -> Vec<(usize, Citation)> {
    let mut citations = Vec::new();
    let mut heading = None;
    for (line, comment) in comments {
        let Some(cell) = comment.strip_prefix('|').and_then(|row| row.split('|').next()).map(str::trim)
        else {
            heading = None;
            continue;
        };
        let Some(key) = heading.get_or_insert_with(|| key(cell).filter(|(_, len)| *len == cell.len())) else {
            continue;
        };
        let mut citation = Citation { key: key.0.clone(), ..Citation::default() };
        items(cell, &mut citation);
        if let [(number, None)] = citation.algorithms.as_slice() {
            let after = cell.split_once(&format!(" {number}, ")).map_or("", |(_, after)| after);
            let name = after.split([',', ' ', ';']).next().unwrap_or(after);
            citation.name = name_before(&format!("{name}, "));
        }
        citations.push((*line, citation));
    }
    citations
}

fn find_incomplete(specs: &Specs) -> Vec<String> {
    let complete = |spec: &Spec| {
        !spec.title.is_empty()
            && (spec.date.starts_with("19") || spec.date.starts_with("20"))
            && spec.url.starts_with("https://")
    };
    let bad = specs.iter().filter(|(_, spec)| !complete(spec));
    bad.map(|(key, _)| format!("SPECS.toml: {key} needs a title, a date (year first) and an https address"))
        .collect()
}

/// Joins comments on successive lines, since a citation may continue on the next line.
fn blocks(comments: &[(usize, String)]) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, usize, String)> = Vec::new();
    for (line, comment) in comments {
        match blocks.last_mut() {
            Some((_, last, block)) if *last + 1 == *line && !comment.is_empty() => {
                *last = *line;
                block.push(' ');
                block.push_str(comment);
            }
            _ => blocks.push((*line, *line, comment.clone())),
        }
    }
    blocks.into_iter().map(|(first, _, block)| (first, block)).collect()
}

fn citations(text: &str) -> Vec<Citation> {
    let mut citations = Vec::new();
    for (at, _) in text.char_indices().filter(|&(at, _)| !text[..at].ends_with(char::is_alphanumeric)) {
        if let Some((key, len)) = key(&text[at..]) {
            let mut citation = Citation { key, name: name_before(&text[..at]), ..Citation::default() };
            items(&text[at + len..], &mut citation);
            citations.push(citation);
        }
    }
    citations
}

/// Returns the key at the start of the text, and its length there.
fn key(text: &str) -> Option<(String, usize)> {
    let run = |from: usize, allowed: fn(char) -> bool| {
        from + text[from..].find(|c| !allowed(c)).unwrap_or(text.len() - from)
    };
    let number = |prefix: &str, allowed: fn(char) -> bool| {
        let digits = text.strip_prefix(prefix)?;
        digits.starts_with(|c: char| c.is_ascii_digit()).then(|| run(prefix.len(), allowed))
    };
    let end = number("FIPS ", |c| c.is_ascii_digit() || c == '-')
        .or_else(|| number("RFC ", |c| c.is_ascii_digit()))
        .or_else(|| number("SP 800-", |c| c.is_ascii_digit() || c.is_ascii_uppercase()))
        .or_else(|| {
            let name = text.strip_prefix("draft-")?;
            let named = name.starts_with(|c: char| c.is_ascii_lowercase());
            named.then(|| run(0, |c| c.is_ascii_alphanumeric() || c == '-'))
        })?;
    let found = text[..end].trim_end_matches('-');
    let key = if found.starts_with("draft-") { without_version(found) } else { found };
    Some((key.to_owned(), found.len()))
}

/// Returns a draft's name without its two-digit version.
fn without_version(draft: &str) -> &str {
    match draft.rsplit_once('-') {
        Some((name, version)) if version.len() == 2 && version.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => draft,
    }
}

/// Returns the last word of `text`, if a comma follows the word and it looks like an algorithm's name.
fn name_before(text: &str) -> Option<String> {
    let word = text.strip_suffix(", ")?.rsplit([' ', '(', '|']).next()?;
    let word = word.trim_matches(['`', '*', '_']);
    let like_a_name = |c: char| c.is_uppercase() || matches!(c, '_' | '⁻' | '^');
    let clean = !word.contains([')', ']', '‖', '=']) && word.chars().count() > 1;
    (clean && word.contains(like_a_name)).then(|| word.to_owned())
}

/// Reads the algorithms or sections that follow a key: `, Algorithms 9 (NTT), 10 and 11`.
fn items(text: &str, citation: &mut Citation) {
    let text = text.trim_start_matches([',', ' ', '\'', '’']);
    let kinds = ["Algorithms ", "Algorithm ", "sections ", "section ", "Sections ", "Section "];
    let Some(kind) = kinds.iter().find(|kind| text.starts_with(**kind)) else { return };
    let mut rest = &text[kind.len()..];
    loop {
        let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        rest = &rest[number.len()..];
        let number = number.trim_end_matches('.');
        if number.is_empty() {
            return;
        }
        if kind.starts_with("Algorithm") {
            let title =
                rest.strip_prefix(" (").and_then(|rest| rest.split_once(')')).map(|found| found.0.to_owned());
            rest = title.as_ref().map_or(rest, |title| &rest[title.len() + 3..]);
            citation.algorithms.push((number.to_owned(), title));
        } else {
            citation.sections.push(number.to_owned());
        }
        let Some(next) = [", ", " and ", "–", " to "].iter().find_map(|joint| rest.strip_prefix(joint))
        else {
            return;
        };
        rest = next.strip_prefix(kind).unwrap_or(next);
    }
}

fn find_errors(specs: &Specs, citation: &Citation) -> Vec<String> {
    let key = &citation.key;
    let Some(spec) = specs.get(key) else {
        return vec![format!("{key} is not in SPECS.toml")];
    };
    let mut problems = Vec::new();
    let mut titles = Vec::new();
    for (number, in_brackets) in &citation.algorithms {
        let Some(title) = spec.algorithms.get(number) else {
            problems.push(format!("{key} has no Algorithm {number} in SPECS.toml"));
            continue;
        };
        titles.push(title.as_str());
        if let Some(name) = in_brackets.as_ref().filter(|name| !names_match(name, title)) {
            problems.push(format!("{key} Algorithm {number} is {title}, not {name}"));
        }
    }
    if let Some(name) = citation.name.as_ref().filter(|_| !titles.is_empty())
        && !titles.iter().any(|title| names_match(name, title))
    {
        problems.push(format!("{key} Algorithm {} is {}, not {name}", citation.algorithms[0].0, titles[0]));
    }
    let unknown = |section: &&String| !spec.sections.is_empty() && !spec.sections.contains_key(*section);
    problems.extend(
        citation
            .sections
            .iter()
            .filter(unknown)
            .map(|section| format!("{key} has no section {section} in SPECS.toml")),
    );
    problems
}

/// Compares two names, ignoring a subscript of one or two characters (`ByteEncode_d`, `ByteEncode₁₂`) and the spelling
/// of ⁻¹.
fn names_match(name: &str, title: &str) -> bool {
    let plain = name.replace("^-1", "⁻¹").replace('`', "");
    let subscript = |rest: &str| match rest.strip_prefix('_') {
        Some(rest) => (1..=2).contains(&rest.chars().count()),
        None => rest.chars().all(|c| ('₀'..='₉').contains(&c)),
    };
    plain.strip_prefix(title).is_some_and(subscript)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs() -> Specs {
        toml::from_str(
            "[\"FIPS 203\"]\ntitle = \"t\"\ndate = \"2024-08-13\"\nurl = \"https://a.b\"\n\
             algorithms = { 5 = \"ByteEncode\", 9 = \"NTT\", 10 = \"NTT⁻¹\", 15 = \"K-PKE.Decrypt\" }\n\
             sections = { \"4.2\" = \"General Algorithms\" }\n\
             [\"RFC 9881\"]\ntitle = \"t\"\ndate = \"2025-10\"\nurl = \"https://a.b\"\n\
             [draft-ietf-tls-mldsa]\ntitle = \"t\"\ndate = \"2025\"\nurl = \"https://a.b\"\n",
        )
        .unwrap()
    }

    fn problems(text: &str) -> Vec<String> {
        citations(text).iter().flat_map(|citation| find_errors(&specs(), citation)).collect()
    }

    #[test]
    fn accepts_correct_citations() {
        for text in [
            "K-PKE.Decrypt, FIPS 203 Algorithm 15.",
            "FIPS 203, Algorithm 15 (K-PKE.Decrypt), line 3",
            "`ByteEncode_d`, FIPS 203 Algorithm 5",
            "NTT and NTT^-1, FIPS 203 Algorithms 9 and 10",
            "the seed: FIPS 203 section 4.2; RFC 9881 section 77, RFC 9881's appendix",
            "The loop of NTT, FIPS 203 Algorithm 9, over `bytes`",
            "draft-ietf-tls-mldsa-02",
        ] {
            assert!(!citations(text).is_empty(), "{text}");
            assert_eq!(problems(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn rejects_wrong_titles_numbers_sections_and_keys() {
        for (text, problem) in [
            (
                "K-PKE.KeyGen, FIPS 203 Algorithm 15.",
                "FIPS 203 Algorithm 15 is K-PKE.Decrypt, not K-PKE.KeyGen",
            ),
            ("FIPS 203 Algorithm 9 (NTT⁻¹)", "FIPS 203 Algorithm 9 is NTT, not NTT⁻¹"),
            ("FIPS 203 Algorithms 9 and 99", "FIPS 203 has no Algorithm 99 in SPECS.toml"),
            ("FIPS 203, section 4.7", "FIPS 203 has no section 4.7 in SPECS.toml"),
            ("see RFC 1234", "RFC 1234 is not in SPECS.toml"),
            ("SP 800-38A", "SP 800-38A is not in SPECS.toml"),
            ("draft-unknown-document-01", "draft-unknown-document is not in SPECS.toml"),
        ] {
            assert_eq!(problems(text), [problem], "{text}");
        }
    }

    #[test]
    fn reads_citations_across_line_ends() {
        let comments =
            [(4, "K-PKE.KeyGen, FIPS".to_owned()), (5, "203 Algorithm 15".to_owned()), (9, "x".to_owned())];
        let joined = blocks(&comments);
        assert_eq!((joined.len(), joined[0].0), (2, 4));
        assert_eq!(problems(&joined[0].1).len(), 1);
    }

    #[test]
    fn reads_citations_in_tables_with_a_key_as_heading() {
        let problems = |heading: &str, row: &str| -> Vec<String> {
            let comments = [
                (1, format!("| {heading} | file |")),
                (2, "|---|---|".into()),
                (3, format!("| {row} | `a` |")),
            ];
            let cited = table_citations(&comments);
            cited.iter().flat_map(|(_, citation)| find_errors(&specs(), citation)).collect()
        };
        assert!(problems("FIPS 203", "Algorithm 15, K-PKE.Decrypt; the rest").is_empty());
        assert!(problems("FIPS 203", "Algorithms 9 and 10, NTT").is_empty());
        assert!(problems("question", "Algorithm 77, Nothing").is_empty());
        assert_eq!(problems("FIPS 203", "Algorithm 15, K-PKE.KeyGen").len(), 1);
        assert_eq!(problems("FIPS 203", "Algorithms 9 to 77").len(), 1);
        assert_eq!(problems("FIPS 203", "section 9.9").len(), 1);
    }

    #[test]
    fn does_not_treat_internal_as_a_subscript() {
        assert!(
            names_match("ByteEncode₁₂", "ByteEncode")
                && !names_match("ML-KEM.KeyGen_internal", "ML-KEM.KeyGen")
        );
    }

    #[test]
    fn rejects_documents_without_an_address() {
        assert!(find_incomplete(&specs()).is_empty());
        let specs = toml::from_str("[\"FIPS 1\"]\ntitle = \"t\"\ndate = \"2024\"\nurl = \"\"\n").unwrap();
        assert_eq!(find_incomplete(&specs).len(), 1);
    }
}
