//! Reads the pages of one language and compares them with its SUMMARY.md.

use crate::outcome::Failure;
use crate::tree;

/// The folder of the guide.
pub(super) const FOLDER: &str = "docs/guide";

/// A language of the guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Japanese,
}

impl Language {
    pub(super) const ALL: [Self; 2] = [Self::English, Self::Japanese];

    /// Returns the folder of the pages, below the guide's folder.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::English => "src",
            Self::Japanese => "ja",
        }
    }

    /// Returns the code of ISO 639.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    /// Returns the title of the book.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::English => "The grille guide: post-quantum cryptography in practice",
            Self::Japanese => "grille ガイド：耐量子計算機暗号の実践",
        }
    }
}

/// A page of the guide.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) language: Language,
    /// File name, such as `01-why.md`.
    pub(super) name: String,
    pub(super) text: String,
}

impl Page {
    /// Returns the path relative to the repository's root.
    pub(super) fn path(&self) -> String {
        format!("{FOLDER}/{}/{}", self.language.folder(), self.name)
    }
}

/// Reads all pages of a language, SUMMARY.md included, sorted by name.
pub(super) fn read(language: Language) -> Result<Vec<Page>, Failure> {
    let folder = format!("{FOLDER}/{}/", language.folder());
    let mut pages = Vec::new();
    for file in tree::files()? {
        let name = file.strip_prefix(&folder).filter(|name| !name.contains('/') && name.ends_with(".md"));
        if let Some(name) = name {
            pages.push(Page { language, name: name.to_owned(), text: tree::read(&file)? });
        }
    }
    Ok(pages)
}

/// Lists pages that SUMMARY.md does not list exactly once, and entries that are not in the order of the files.
pub(super) fn unlisted(pages: &[Page]) -> Vec<String> {
    let Some(summary) = pages.iter().find(|page| page.name == "SUMMARY.md") else {
        return Vec::new();
    };
    let listed: Vec<&str> = entries(&summary.text).collect();
    let mut problems = Vec::new();
    for page in pages.iter().filter(|page| page.name != summary.name) {
        let count = listed.iter().filter(|name| **name == page.name).count();
        if count != 1 {
            problems.push(format!("{}: listed {count} times in SUMMARY.md", page.path()));
        }
    }
    if !listed.is_sorted() {
        problems.push(format!("{}: chapters are not in the order of their files", summary.path()));
    }
    problems
}

/// Returns the files that a summary links.
fn entries(summary: &str) -> impl Iterator<Item = &str> {
    summary.lines().filter_map(|line| line.split_once("](")?.1.split(')').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str, text: &str) -> Page {
        Page { language: Language::English, name: name.into(), text: text.into() }
    }

    #[test]
    fn reports_unlisted_repeated_and_misplaced_pages() {
        let summary = |text| vec![page("01-a.md", ""), page("02-b.md", ""), page("SUMMARY.md", text)];
        assert!(unlisted(&summary("- [A](01-a.md)\n- [B](02-b.md)\n")).is_empty());
        let problems = unlisted(&summary("- [B](02-b.md)\n- [A](01-a.md)\n- [A](01-a.md)\n"));
        assert_eq!(problems.len(), 2, "{problems:?}");
        let problems = unlisted(&summary("- [A](01-a.md)\n"));
        assert_eq!(problems, ["docs/guide/src/02-b.md: listed 0 times in SUMMARY.md"]);
    }

    #[test]
    fn reads_the_english_pages() {
        let pages = read(Language::English).unwrap();
        assert!(
            pages.iter().any(|page| page.name == "SUMMARY.md" && page.path() == "docs/guide/src/SUMMARY.md")
        );
    }
}
