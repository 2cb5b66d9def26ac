//! Commit subjects: imperative and at most 72 characters, in every commit after [`BASE`].

use super::prose::{self, TextKind};
use super::refusals::find_refused;
use crate::outcome::Failure;
use crate::tree;
use std::process::Command;

/// The last commit before this rule.
const BASE: &str = "dc7328e55aff0e7daf7e7ecf8520e0eac74a76bd";

/// Maximum number of characters of a subject.
const MAX_LENGTH: usize = 72;

/// One refused kind of subject.
struct Rule {
    reason: &'static str,
    good: &'static str,
    bad: &'static str,
    refuses: fn(&str) -> bool,
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    Rule {
        reason: "a subject has at most 72 characters; the body says why",
        good: "spdm/engine: report contradictory capabilities at configuration",
        bad: "spdm/engine: report capabilities that contradict each other where they are configured",
        refuses: |subject| subject.chars().count() > MAX_LENGTH,
    },
    Rule {
        reason: "a subject names its room: `room: imperative subject`",
        good: "pki: reject expired roots",
        bad: "reject expired roots",
        refuses: |subject| !subject.contains(": "),
    },
    Rule {
        reason: "a subject starts with an imperative",
        good: "cli: explain missing keys",
        bad: "cli: what is missing gets an explanation",
        refuses: |subject| NOT_VERBS.contains(&first_word(subject).as_str()),
    },
    Rule {
        reason: "a subject starts with an imperative, not with a past or present form",
        good: "cli: explain missing keys",
        bad: "cli: explained missing keys",
        refuses: |subject| is_inflected(&first_word(subject)),
    },
    Rule {
        reason: "a subject has no full stop",
        good: "tls: rename the verifier",
        bad: "tls: rename the verifier.",
        refuses: |subject| subject.ends_with('.'),
    },
    Rule {
        reason: "a subject says what the commit does",
        good: "tls: rename the verifier",
        bad: "tls: wip",
        refuses: |subject| ["wip", "fixup", "squash", "misc", "stuff"].contains(&first_word(subject).as_str()),
    },
];

/// Words that start a clause instead of an imperative.
const NOT_VERBS: &[&str] = &[
    "a", "all", "an", "and", "as", "at", "both", "but", "by", "each", "every", "for", "from", "how", "if",
    "in", "it", "its", "no", "nobody", "none", "nothing", "of", "on", "one", "only", "or", "so", "some",
    "that", "the", "there", "these", "they", "this", "those", "to", "two", "what", "when", "where",
    "whether", "which", "who", "whoever", "why", "with", "without",
];

/// Verbs whose imperative ends like an inflected form, such as "bring" and "compress".
const IMPERATIVES: &[&str] = &[
    "access",
    "address",
    "alias",
    "assess",
    "bias",
    "bring",
    "bypass",
    "canvas",
    "compress",
    "cross",
    "decompress",
    "discuss",
    "dismiss",
    "embed",
    "exceed",
    "express",
    "feed",
    "focus",
    "guess",
    "heed",
    "need",
    "pass",
    "ping",
    "press",
    "proceed",
    "process",
    "progress",
    "ring",
    "seed",
    "shed",
    "speed",
    "spring",
    "string",
    "stress",
    "suppress",
    "swing",
    "toss",
    "witness",
];

/// Returns the problems of all subjects after [`BASE`], and a summary. A clone without the history has nothing to
/// check.
pub(super) fn check() -> Result<(Vec<String>, String), Failure> {
    let has_base = git(&["merge-base", "--is-ancestor", BASE, "HEAD"])?;
    let Some(listed) =
        has_base.and(git(&["log", "--no-merges", "--format=%h %s", &format!("{BASE}..HEAD")])?)
    else {
        return Ok((Vec::new(), "commit subjects not checked: this clone lacks the history".into()));
    };
    let subjects: Vec<_> = listed.lines().filter_map(|line| line.split_once(' ')).collect();
    let problems = subjects.iter().flat_map(|(commit, subject)| {
        problems(subject).into_iter().map(move |problem| format!("commit {commit}: \"{subject}\": {problem}"))
    });
    Ok((problems.collect(), format!("{} commit subjects", subjects.len())))
}

/// Returns the output of git, or `None` if git fails.
fn git(arguments: &[&str]) -> Result<Option<String>, Failure> {
    let output = Command::new("git").args(arguments).current_dir(tree::root()).output()?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

fn problems(subject: &str) -> Vec<String> {
    let own = RULES.iter().filter(|rule| (rule.refuses)(subject));
    let mut problems: Vec<String> =
        own.map(|rule| format!("{}; write \"{}\", not \"{}\"", rule.reason, rule.good, rule.bad)).collect();
    let lines = [(1, without_room(subject).to_owned())];
    let texts = prose::paragraphs(&lines, TextKind::Paragraph);
    problems.extend(texts.iter().flat_map(find_refused).map(|(_, problem)| problem));
    problems
}

fn without_room(subject: &str) -> &str {
    subject.split_once(": ").map_or(subject, |(_, rest)| rest)
}

fn first_word(subject: &str) -> String {
    let word = without_room(subject).split_whitespace().next().unwrap_or_default();
    word.trim_end_matches([',', ':', ';']).to_lowercase()
}

/// Returns whether a word looks like "fixed", "fixing" or "fixes".
fn is_inflected(word: &str) -> bool {
    let ends = |suffix: &str| word.len() > suffix.len() + 1 && word.ends_with(suffix);
    let plain = word.ends_with("ss") || word.ends_with("us") || word.contains(['-', '`', '/', '.']);
    (ends("ed") || ends("ing") || (ends("s") && !plain)) && !IMPERATIVES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_every_bad_example_and_accepts_every_good_one() {
        for rule in RULES {
            assert!(
                problems(rule.bad).iter().any(|problem| problem.starts_with(rule.reason)),
                "{}",
                rule.bad
            );
            assert_eq!(problems(rule.good), Vec::<String>::new(), "{}", rule.good);
        }
    }

    #[test]
    fn refuses_phrases_in_subjects() {
        assert_eq!(problems("cli: tell nobody").len(), 1);
    }

    #[test]
    fn accepts_imperatives_that_look_inflected() {
        for word in IMPERATIVES {
            assert!(!is_inflected(word), "{word}");
        }
        assert!(is_inflected("fixes") && is_inflected("added") && is_inflected("adding"));
    }

    #[test]
    fn survives_a_clone_without_history() {
        assert_eq!(
            git(&["merge-base", "--is-ancestor", "0000000000000000000000000000000000000000", "HEAD"]),
            Ok(None)
        );
        assert!(check().is_ok());
    }
}
