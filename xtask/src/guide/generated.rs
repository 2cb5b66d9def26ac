//! The generated parts of the guide: text between two marks of a page, and pictures.
//!
//! A page marks the place of a table with `<!-- generated: NAME -->` and `<!-- end of generated -->`.

use super::pages::FOLDER;
use super::pages::{Language, Page};
use super::speeds::{self, Measurements};
use super::tables::{self, Registry};
use super::{pages, translation};
use crate::outcome::Failure;
use crate::table::replace_between;
use crate::tree;

const BEGIN: &str = "<!-- generated: ";
const BEGIN_END: &str = " -->\n";
const END: &str = "<!-- end of generated -->";

/// The data from which all parts are generated.
pub(super) struct Facts {
    pub(super) registry: Registry,
    pub(super) measurements: Measurements,
}

/// Makes a table in a language.
type MakeTable = fn(&Facts, Language) -> String;

const TABLES: &[(&str, MakeTable)] = &[
    ("kem sizes", |facts, language| tables::kem_sizes(&facts.registry).markdown(language)),
    ("signature sizes", |facts, language| tables::signature_sizes(&facts.registry).markdown(language)),
    ("wolfssl kems", |facts, language| tables::wolfssl_kems(&facts.registry).markdown(language)),
    ("wolfssl signatures", |facts, language| tables::wolfssl_signatures(&facts.registry).markdown(language)),
    ("wolfssl kem sizes", |facts, language| tables::wolfssl_kem_sizes(&facts.registry).markdown(language)),
    ("wolfssl signature sizes", |facts, language| {
        tables::wolfssl_signature_sizes(&facts.registry).markdown(language)
    }),
    ("codepoints", |facts, language| tables::codepoints(&facts.registry).markdown(language)),
    ("kem speeds", |facts, language| speeds::kems(&facts.measurements).markdown(language)),
    ("signature speeds", |facts, language| speeds::signatures(&facts.measurements).markdown(language)),
    ("handshakes", |facts, language| speeds::handshakes(&facts.measurements).markdown(language)),
];

/// A function that draws a picture from the facts.
type Draw = fn(&Facts) -> String;

const PICTURES: &[(&str, Draw)] = &[
    ("kem-sizes", |facts| tables::kem_size_plot(&facts.registry)),
    ("signature-sizes", |facts| tables::signature_size_plot(&facts.registry)),
    ("kem-speeds", |facts| speeds::kem_plot(&facts.measurements)),
    ("signature-speeds", |facts| speeds::signature_plot(&facts.measurements)),
];

/// Lists generated parts that differ from their data; with `write`, writes these parts instead.
pub(super) fn check(write: bool) -> Result<Vec<String>, Failure> {
    let facts = Facts { registry: Registry::read()?, measurements: Measurements::read()? };
    let mut problems = Vec::new();
    for language in Language::ALL {
        for page in pages::read(language)? {
            let fresh = fill_tables(&page.text, &facts, language)
                .map_err(|problem| Failure(vec![format!("{}: {problem}", page.path())]))?;
            if fresh == page.text {
            } else if write {
                replace(&page, &fresh)?;
            } else {
                problems.push(format!(
                    "{}: generated tables differ; run `cargo xtask guide --write`",
                    page.path()
                ));
            }
        }
        problems.extend(pictures(&facts, language, write)?);
    }
    Ok(problems)
}

/// Returns the page's text with all generated tables.
fn fill_tables(text: &str, facts: &Facts, language: Language) -> Result<String, String> {
    let names = text.split(BEGIN).skip(1).map(|rest| rest.split(BEGIN_END).next().unwrap_or(rest));
    let mut filled = text.to_owned();
    for name in names {
        let known = TABLES.iter().find(|(known, _)| *known == name);
        let (_, make) = known.ok_or_else(|| format!("there is no generated part \"{name}\""))?;
        let begin = format!("{BEGIN}{name}{BEGIN_END}");
        let table = format!("\n{}\n", make(facts, language));
        filled = replace_between(&filled, &begin, END, &table).map_err(|failure| failure.0.join("; "))?;
    }
    Ok(filled)
}

/// Writes a page. If a translation was current, it remains current, because only generated parts change.
fn replace(page: &Page, fresh: &str) -> Result<(), Failure> {
    if page.language == Language::English {
        for translated in pages::read(Language::Japanese)? {
            if translated.name == page.name && translation::is_current(&page.text, &translated.text) {
                let text = translation::with_source(fresh, &translated.text);
                std::fs::write(tree::root().join(translated.path()), text)?;
            }
        }
    }
    Ok(std::fs::write(tree::root().join(page.path()), fresh)?)
}

/// Lists pictures that differ from their data; with `write`, writes them instead. Each language has its own copies,
/// below its pages.
fn pictures(facts: &Facts, language: Language, write: bool) -> Result<Vec<String>, Failure> {
    let folder = format!("{FOLDER}/{}/images", language.folder());
    let mut problems = Vec::new();
    for (name, draw) in PICTURES {
        let file = format!("{folder}/{name}.svg");
        let right = draw(facts);
        if tree::read(&file).is_ok_and(|found| found == right) {
            continue;
        }
        if write {
            std::fs::create_dir_all(tree::root().join(&folder))?;
            std::fs::write(tree::root().join(&file), right)?;
        } else {
            problems.push(format!("{file}: differs from its sources; run `cargo xtask guide --write`"));
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts { registry: Registry::default(), measurements: Measurements::default() }
    }

    #[test]
    fn fills_marked_places_only() {
        let page = "before\n<!-- generated: kem sizes -->\nold\n<!-- end of generated -->\nafter\n";
        let filled = fill_tables(page, &facts(), Language::English).unwrap();
        assert!(filled.starts_with("before\n<!-- generated: kem sizes -->\n\n| algorithm |"), "{filled}");
        assert!(filled.ends_with("|\n\n<!-- end of generated -->\nafter\n"), "{filled}");
    }

    #[test]
    fn fills_every_place_of_a_page() {
        let place = |name: &str| format!("<!-- generated: {name} -->\n<!-- end of generated -->\n");
        let page = place("kem sizes") + &place("handshakes");
        let filled = fill_tables(&page, &facts(), Language::English).unwrap();
        assert!(filled.contains("ciphertext") && filled.contains("handshakes per second"), "{filled}");
    }

    #[test]
    fn rejects_unknown_names_and_missing_ends() {
        for page in ["<!-- generated: no -->\n<!-- end of generated -->\n", "<!-- generated: kem sizes -->\n"]
        {
            assert!(fill_tables(page, &facts(), Language::English).is_err(), "{page}");
        }
    }
}
