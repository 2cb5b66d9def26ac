//! `words`: refuses phrases that make readers stumble, in comments, documents, strings, names of functions and commit
//! subjects.
//!
//! | question | file |
//! |---|---|
//! | which phrases are refused, why, and what to write instead? | `words/rules.rs` |
//! | how is a file split into texts and sentences? | `words/prose.rs` |
//! | which phrases of a text are refused? | `words/refusals.rs` |
//! | which commit subjects are refused? | `words/subjects.rs` |

mod prose;
mod refusals;
mod rules;
mod subjects;

use crate::outcome::{Failure, Outcome, verdict};
use crate::source::Source;
use crate::tree;
use refusals::{describe, find_refused};
use rules::{Place, RULES, Rule};

/// Files that are not checked, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("xtask/src/words", "its tables and tests quote refused phrases"),
    ("vectors/", "third-party texts; vectors/SOURCES.md is ours and is checked"),
];

/// Checks the files below the given paths. Without paths, checks every file and the commit subjects.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let paths: Vec<&str> = arguments.iter().map(|path| path.trim_end_matches('/')).collect();
    let files = tree::files()?;
    if let Some(path) = paths.iter().find(|path| !files.iter().any(|file| is_below(file, path))) {
        return Err(Failure(vec![format!("{path}: no such file or folder in the repository")]));
    }
    let chosen =
        files.iter().filter(|file| paths.is_empty() || paths.iter().any(|path| is_below(file, path)));
    let (mut problems, mut count) = (Vec::new(), 0);
    for file in chosen.filter(|file| is_checked(file)) {
        problems.extend(check_text(file, &tree::read(file)?)?);
        count += 1;
    }
    let mut subjects = String::new();
    if paths.is_empty() {
        let (bad, summary) = subjects::check()?;
        problems.extend(bad);
        subjects = format!("; {summary}");
    }
    verdict(problems, || format!("{count} files and {} rules, no refused phrase{subjects}", RULES.len()))
}

/// Returns whether `file` is `path` or lies in that folder.
fn is_below(file: &str, path: &str) -> bool {
    file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_checked(file: &str) -> bool {
    let exempt = EXEMPT.iter().any(|(start, _)| file.starts_with(start)) && file != "vectors/SOURCES.md";
    let kind = [".rs", ".md", ".toml"].iter().any(|suffix| file.ends_with(suffix));
    kind && !exempt
}

/// Lists the refused phrases of one file, one line for each.
fn check_text(file: &str, text: &str) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for part in prose::texts(file, text)? {
        problems.extend(find_refused(&part));
    }
    if file.ends_with(".rs") {
        problems.extend(find_refused_names(&Source::read(file, text)?));
    }
    problems.sort();
    Ok(problems.into_iter().map(|(line, problem)| format!("{file}:{line}: {problem}")).collect())
}

/// Lists the refused names of functions with their lines.
fn find_refused_names(source: &Source) -> Vec<(usize, String)> {
    let code: Vec<&str> = source.code.lines().collect();
    let mut problems = Vec::new();
    for function in &source.functions {
        let is_test = is_test(&code[..function.line - 1]);
        let words = prose::name_words(&function.name);
        let applies = |rule: &&Rule| rule.place == Place::Name || (rule.place == Place::Test && is_test);
        let bad = RULES.iter().filter(applies).filter(|rule| rule.matches_at_any(&words));
        problems.extend(bad.map(|rule| (function.line, describe(rule, &format!("`{}`", function.name)))));
    }
    problems
}

/// Returns whether the function that follows these lines is a test: one of its attributes ends in `test`.
fn is_test(before: &[&str]) -> bool {
    let attributes = before
        .iter()
        .rev()
        .map(|line| line.trim())
        .take_while(|line| line.is_empty() || line.starts_with("#["));
    attributes.into_iter().any(|line| line.ends_with("test]") || line.contains("test("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(file: &str, text: &str) -> Vec<String> {
        super::check_text(file, text).unwrap()
    }

    /// Wraps an example in the kind of file that its rule is for.
    fn check(rule: &Rule, example: &str) -> Vec<String> {
        match rule.place {
            Place::Test | Place::Name => check_text("a.rs", &format!("#[test]\nfn {example}() {{}}\n")),
            _ => check_text("a.rs", &format!("/// {example}\nstruct A;\n")),
        }
    }

    #[test]
    fn refuses_every_bad_example_and_accepts_every_good_one() {
        for rule in RULES {
            let problems = check(rule, rule.bad);
            assert!(
                problems.iter().any(|problem| problem.contains(rule.reason)),
                "{}: {problems:?}",
                rule.bad
            );
            assert_eq!(check(rule, rule.good), Vec::<String>::new(), "{}", rule.good);
        }
    }

    #[test]
    fn checks_comments_documents_strings_and_names() {
        let bad = "Nobody answers.";
        assert_eq!(check_text("a.md", &format!("# A\n\n{bad}\n")).len(), 1);
        assert_eq!(check_text("a.toml", &format!("a = 1 # {bad}\n")).len(), 1);
        assert_eq!(check_text("a.rs", &format!("const A: &str = \"{bad}\";\n")).len(), 1);
        assert_eq!(check_text("a.rs", &format!("fn a() {{}} // {bad}\n")).len(), 1);
        assert_eq!(check_text("a.rs", "fn nobody_answers() {}\n").len(), 1);
    }

    #[test]
    fn checks_tests_but_not_other_functions_for_their_first_word() {
        assert_eq!(check_text("a.rs", "#[tokio::test]\n/// Text.\nasync fn what_is_sent() {}\n").len(), 1);
        assert!(check_text("a.rs", "fn as_str() {}\nfn of(a: u8) {}\n").is_empty());
    }

    #[test]
    fn accepts_fragments_of_sentences_in_strings() {
        assert!(check_text("a.rs", "const A: &str = \" and it is of total: name\";\n").is_empty());
        assert_eq!(check_text("a.rs", "const A: &str = \"what is missing\";\n").len(), 1);
    }

    #[test]
    fn ignores_code_spans_code_blocks_and_questions() {
        assert!(check_text("a.md", "Refuses `nobody` and `what is`.\n\n```sh\nnobody\n```\n").is_empty());
        assert!(check_text("a.rs", "//! | what is a slot? | `slot` |\n").is_empty());
        assert!(check_text("a.rs", "/// ```\n/// // nobody\n/// ```\nfn a() {}\n").is_empty());
    }

    #[test]
    fn reports_the_line_of_the_phrase() {
        let problems =
            check_text("a.rs", "\n/// Returns the slot, or an error if\n/// nobody answers.\nfn a() {}\n");
        assert!(problems[0].starts_with("a.rs:3: \"nobody answers.\""), "{problems:?}");
    }

    #[test]
    fn chooses_files_by_path() {
        assert!(is_below("cli/src/main.rs", "cli") && is_below("cli/src/main.rs", "cli/src/main.rs"));
        assert!(!is_below("client/main.rs", "cli"));
        assert!(run(&["no/such/folder".into()]).unwrap_err().0[0].starts_with("no/such/folder: "));
    }

    #[test]
    fn exempts_vectors_but_not_their_sources() {
        assert!(is_checked("vectors/SOURCES.md") && !is_checked("vectors/kem/README.md"));
        assert!(!is_checked("xtask/src/words/rules.rs") && is_checked("xtask/src/ci.rs"));
    }
}
