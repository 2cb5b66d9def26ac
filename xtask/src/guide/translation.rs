//! Compares the pages of two languages.
//!
//! The first line of a translated page has the beginning of the SHA-256 of its source (`sha256sum FILE | cut -c-16`):
//! `<!-- source: 0123456789abcdef -->`.

use super::pages::Page;
use crate::digest::sha256;

/// Minimum number of hexadecimal digits of a source's hash.
const MIN_HASH_DIGITS: usize = 12;

/// Lists pages without a translation, and translations without a source page. Also lists translations that are older
/// than their source page, or whose commands differ from those of the source page.
pub(super) fn outdated(sources: &[Page], translations: &[Page]) -> Vec<String> {
    let mut problems = Vec::new();
    for source in sources {
        match translations.iter().find(|translation| translation.name == source.name) {
            Some(translation) => problems.extend(differences(source, translation)),
            None => problems.push(format!("{}: has no translation", source.path())),
        }
    }
    let extra = translations.iter().filter(|page| sources.iter().all(|source| source.name != page.name));
    problems.extend(extra.map(|page| format!("{}: has no source page", page.path())));
    problems
}

fn differences(source: &Page, translation: &Page) -> Vec<String> {
    let mut problems = Vec::new();
    if !is_current(&source.text, &translation.text) {
        let right = first_line(&source.text);
        problems.push(format!(
            "{}:1: is older than its source; translate the changes, then start the page with `{right}`",
            translation.path()
        ));
    }
    if blocks(&source.text) != blocks(&translation.text) {
        problems.push(format!("{}: its commands differ from those of its source", translation.path()));
    }
    problems
}

/// Returns whether a translation's first line has the hash of this source.
pub(super) fn is_current(source: &str, translation: &str) -> bool {
    let line = translation.lines().next().unwrap_or_default();
    let digits = line.strip_prefix("<!-- source: ").and_then(|rest| rest.strip_suffix(" -->"));
    digits.is_some_and(|digits| digits.len() >= MIN_HASH_DIGITS && sha256(source).starts_with(digits))
}

/// Returns a translation with its first line replaced by one that has the hash of this source.
pub(super) fn with_source(source: &str, translation: &str) -> String {
    let rest = translation.split_once('\n').map_or("", |(_, rest)| rest);
    format!("{}\n{rest}", first_line(source))
}

fn first_line(source: &str) -> String {
    format!("<!-- source: {} -->", &sha256(source)[..16])
}

/// Returns the fenced blocks with commands.
fn blocks(text: &str) -> Vec<&str> {
    let starts = text.match_indices("\n```console").map(|(at, _)| &text[at + 1..]);
    starts.map(|block| block.split("\n```").next().unwrap_or(block)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::pages::Language;
    use super::*;

    fn page(language: Language, text: &str) -> Vec<Page> {
        vec![Page { language, name: "01-a.md".into(), text: text.into() }]
    }

    const SOURCE: &str = "# A\n\n```console\n$ grille list\n```\n";

    fn check(translation: &str) -> Vec<String> {
        outdated(&page(Language::English, SOURCE), &page(Language::Japanese, translation))
    }

    #[test]
    fn accepts_current_translations() {
        let translation = with_source(SOURCE, "<!-- source: 0 -->\n# あ\n\n```console\n$ grille list\n```\n");
        assert_eq!(check(&translation), Vec::<String>::new());
    }

    #[test]
    fn reports_old_translations_and_other_commands() {
        let problems = check("<!-- source: 0123456789ab -->\n\n```console\n$ grille help\n```\n");
        assert!(problems[0].starts_with("docs/guide/ja/01-a.md:1: is older than its source"), "{problems:?}");
        assert_eq!(problems[1], "docs/guide/ja/01-a.md: its commands differ from those of its source");
    }

    #[test]
    fn reports_missing_and_extra_translations() {
        let pages = page(Language::English, SOURCE);
        assert_eq!(outdated(&pages, &[]), ["docs/guide/src/01-a.md: has no translation"]);
        let extra = page(Language::Japanese, "");
        assert_eq!(outdated(&[], &extra), ["docs/guide/ja/01-a.md: has no source page"]);
    }

    #[test]
    fn rejects_short_hashes() {
        let short = format!("<!-- source: {} -->\n", &sha256(SOURCE)[..8]);
        assert!(!is_current(SOURCE, &short) && !is_current(SOURCE, ""));
    }
}
