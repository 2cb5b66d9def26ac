//! `left-overs`: refuses marks of unfinished work, paths of one machine, and registry hosts.

use crate::outcome::{Failure, Outcome, verdict};
use crate::source::Source;
use crate::tree;

/// Texts that no file may contain, with reasons. Each text is written in two halves, so that the check does not find it
/// here.
#[rustfmt::skip]
const ANYWHERE: &[(&str, &str)] = &[
    (concat!("TO", "DO"),             "unfinished"),
    (concat!("FIX", "ME"),            "unfinished"),
    (concat!("XX", "X "),             "unfinished"),
    (concat!("/wo", "rk/"),           "a path of one machine"),
    (concat!("/ho", "me/"),           "a path of one machine"),
    (concat!("/Us", "ers/"),          "a path of one machine"),
    (concat!("crates", ".io"),        "a registry host"),
    (concat!("static.", "rust-lang"), "a registry host"),
    (concat!("pypi", ".org"),         "a registry host"),
    (concat!("npm", "js."),           "a registry host"),
    (concat!("proxy.", "golang"),     "a registry host"),
];

/// Further texts that documents and comments may not contain, with reasons.
const IN_WORDS: &[(&str, &str)] = &[(concat!("/t", "mp/"), "a path of one machine")];

/// Further texts that code may not contain, with reasons.
const IN_CODE: &[(&str, &str)] = &[
    (concat!("to", "do!"), "unfinished"),
    (concat!("unimpl", "emented!"), "unfinished"),
    (concat!("db", "g!"), "a debugging aid"),
];

/// Files that are not checked; cargo writes the registry's address into its lock files.
const EXEMPT: &[&str] = &["Cargo.lock", "LICENSE-APACHE"];

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    let mut count = 0;
    for file in tree::files()? {
        let name = file.rsplit('/').next().unwrap_or(&file);
        if EXEMPT.contains(&name) {
            continue;
        }
        let bytes = std::fs::read(tree::root().join(&file))
            .map_err(|error| Failure(vec![format!("{file}: {error}")]))?;
        if let Ok(text) = String::from_utf8(bytes) {
            problems.extend(find_marks(&file, &text)?);
            count += 1;
        }
    }
    verdict(problems, || format!("{count} files, no left-overs"))
}

fn find_marks(file: &str, text: &str) -> Result<Vec<String>, Failure> {
    let mut found = lines(file, text, ANYWHERE);
    if file.ends_with(".md") {
        found.extend(lines(file, text, IN_WORDS));
    }
    if file.ends_with(".rs") {
        let source = Source::read(file, text)?;
        found.extend(lines(file, &source.code, IN_CODE));
        for (line, comment) in &source.comments {
            let here = lines(file, comment, IN_WORDS);
            found.extend(here.into_iter().map(|problem| problem.replacen(":1:", &format!(":{line}:"), 1)));
        }
    }
    Ok(found)
}

fn lines(file: &str, text: &str, marks: &[(&str, &str)]) -> Vec<String> {
    let numbered = text.lines().enumerate();
    let pairs = numbered.flat_map(|(index, line)| marks.iter().map(move |mark| (index + 1, line, mark)));
    pairs
        .filter(|(_, line, (mark, _))| line.contains(mark))
        .map(|(number, _, (mark, reason))| format!("{file}:{number}: \"{}\" is {reason}", mark.trim()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_marks(file: &str, text: &str) -> Vec<String> {
        super::find_marks(file, text).unwrap()
    }

    #[test]
    fn finds_every_mark_in_any_file() {
        for (mark, reason) in ANYWHERE {
            let problems = find_marks("a.toml", &format!("fine\nnot {mark} fine"));
            assert_eq!(problems, [format!("a.toml:2: \"{}\" is {reason}", mark.trim())]);
        }
    }

    #[test]
    fn finds_unfinished_macros_in_code_only() {
        for (mark, _) in IN_CODE {
            assert_eq!(find_marks("a.rs", &format!("fn f() {{ {mark}() }}")).len(), 1, "{mark}");
            assert!(find_marks("a.rs", &format!("/// Never `{mark}`.")).is_empty(), "{mark}");
        }
    }

    #[test]
    fn finds_temporary_paths_in_documents_and_comments_only() {
        let path = format!("{}x", IN_WORDS[0].0);
        assert_eq!(find_marks("a.md", &format!("see {path}")).len(), 1);
        assert_eq!(find_marks("a.rs", &format!("fn f() {{}}\n// see {path}")).len(), 1);
        assert!(find_marks("a.rs", &format!("\n// see {path}"))[0].starts_with("a.rs:2: "));
        assert!(find_marks("a.rs", &format!("let path = \"{path}\";")).is_empty());
    }

    #[test]
    fn accepts_clean_text() {
        assert!(find_marks("a.rs", "/// K-PKE.Decrypt.\nfn decrypt() {}\n").is_empty());
    }
}
