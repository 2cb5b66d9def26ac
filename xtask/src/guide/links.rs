//! Checks the links between pages. A link of a page leads to a page of the same language, to a heading, to a picture,
//! or to the web.

use super::pages::FOLDER;
use super::pages::Page;
use crate::tree;

/// Lists links without a target, one line for each.
pub(super) fn broken_links(pages: &[Page]) -> Vec<String> {
    let mut problems = Vec::new();
    for page in pages {
        for (line, target) in targets(&page.text) {
            let problem = missing_reason(page, &target, pages);
            problems.extend(problem.map(|problem| format!("{}:{line}: {problem}", page.path())));
        }
    }
    problems
}

/// Returns the reason why the target of a link does not exist, or `None` if it exists. Addresses in the web are not
/// opened.
fn missing_reason(page: &Page, target: &str, pages: &[Page]) -> Option<String> {
    if target.starts_with("https://") {
        return None;
    }
    let (file, heading) =
        target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    if !file.is_empty() && !file.ends_with(".md") {
        let path = format!("{FOLDER}/{}/{file}", page.language.folder());
        let exists = !file.contains("..") && tree::root().join(&path).is_file();
        return (!exists).then(|| format!("there is no file {path}"));
    }
    let name = if file.is_empty() { &page.name } else { file };
    let Some(found) = pages.iter().find(|page| page.name == name) else {
        return Some(format!("there is no page {name}"));
    };
    let heading = heading?;
    let exists = headings(&found.text).any(|found| found == heading);
    (!exists).then(|| format!("{name} has no heading #{heading}"))
}

/// Lists the targets of links and pictures with their lines. Fenced blocks and code spans do not count.
fn targets(text: &str) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    for (line, prose) in prose(text) {
        let spans: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("``");
        let ends = spans.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.extend(ends.map(|target| (line, target.to_owned())));
    }
    targets
}

/// Returns the lines outside of fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        (!fence && !fenced).then_some((index + 1, line))
    })
}

/// Returns the identifiers that mdbook gives to headings: lower case, spaces as hyphens, no punctuation.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
        let known = |c: char| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
        };
        Some(heading.trim().chars().filter_map(known).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::super::pages::Language;
    use super::*;

    fn page(text: &str) -> Page {
        Page { language: Language::English, name: "01-a.md".into(), text: text.into() }
    }

    #[test]
    fn finds_broken_links_only() {
        let good = "# The *first* Part\n[a](#the-first-part) [b](01-a.md) [c](https://example.org/#x) `[d](no.md)`\n";
        assert_eq!(broken_links(&[page(good)]), Vec::<String>::new());
        let bad = "[a](#no)\n```\n[x](no.md)\n```\n![b](images/no.svg) [c](02-b.md)\n[d](../../README.md)\n";
        let problems = broken_links(&[page(bad)]);
        assert_eq!(
            problems,
            [
                "docs/guide/src/01-a.md:1: 01-a.md has no heading #no",
                "docs/guide/src/01-a.md:5: there is no file docs/guide/src/images/no.svg",
                "docs/guide/src/01-a.md:5: there is no page 02-b.md",
                "docs/guide/src/01-a.md:6: there is no page ../../README.md",
            ]
        );
    }
}
