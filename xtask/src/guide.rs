//! `guide`: checks the pages of the guide in `docs/guide/`, and writes its generated tables and plots with `--write`.
//!
//! | question | file |
//! |---|---|
//! | which pages exist, and does SUMMARY.md list them? | `guide/pages.rs` |
//! | do links lead to a page, a heading or a picture? | `guide/links.rs` |
//! | is a translation present and current? | `guide/translation.rs` |
//! | which tables and plots are generated, and are they current? | `guide/generated.rs` |
//! | how is a table made from the registry? | `guide/tables.rs` |
//! | how is a table or a plot made from measurements? | `guide/speeds.rs` |
//! | how is a plot drawn? | `guide/plot.rs` |
//!
//! `guide --build` builds the book of each language with mdbook, into `docs/guide/book/`.

mod generated;
mod links;
mod pages;
mod plot;
mod speeds;
mod tables;
mod translation;

use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, tree};
use pages::{FOLDER, Language};
use std::process::Command;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    if has("--build") {
        return build();
    }
    let mut problems = generated::check(has("--write"))?;
    let english = pages::read(Language::English)?;
    let japanese = pages::read(Language::Japanese)?;
    for pages in [&english, &japanese] {
        problems.extend(pages::unlisted(pages));
        problems.extend(links::broken_links(pages));
    }
    problems.extend(translation::outdated(&english, &japanese));
    verdict(problems, || {
        format!("{} pages in two languages, translations and generated parts are current", english.len())
    })
}

/// Builds both books. mdbook reads the settings that differ between the languages from its environment.
fn build() -> Outcome {
    if Command::new("mdbook").arg("--version").output().is_err() {
        return Err(Failure(vec!["mdbook is not installed; `cargo install mdbook` installs it".into()]));
    }
    for language in Language::ALL {
        let mut mdbook = Command::new("mdbook");
        mdbook.args(["build", FOLDER]).current_dir(tree::root());
        mdbook.env("MDBOOK_BOOK__SRC", language.folder()).env("MDBOOK_BOOK__LANGUAGE", language.code());
        mdbook.env("MDBOOK_BOOK__TITLE", language.title());
        mdbook.env("MDBOOK_BUILD__BUILD_DIR", format!("book/{}", language.code()));
        process::expect_success(&mut mdbook)?;
    }
    Ok(format!("built {FOLDER}/book/en/index.html and {FOLDER}/book/ja/index.html"))
}
