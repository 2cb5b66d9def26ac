//! Finds refused phrases in the sentences of a text.

use super::prose::{Sentence, Text, TextKind};
use super::rules::{Place, RULES, Rule};

/// Lists the refused phrases of one text with their lines.
pub(super) fn find_refused(text: &Text) -> Vec<(usize, String)> {
    let mut problems = Vec::new();
    for (index, sentence) in text.sentences().iter().enumerate() {
        for rule in RULES {
            let at = match rule.place {
                Place::Anywhere => (0..sentence.words.len()).find(|&at| rule.matches(&sentence.words, at)),
                Place::Start if index > 0 || text.kind != TextKind::Comment => None,
                Place::Sentence if index == 0 && text.kind == TextKind::Fragment => None,
                Place::Start | Place::Sentence | Place::Clause => {
                    rule.matches(&sentence.words, 0).then_some(0)
                }
                Place::Test | Place::Name => None,
            };
            let excused = sentence.is_question && rule.place != Place::Anywhere;
            if let Some(at) = at.filter(|_| !excused) {
                problems.push((sentence.lines[at], describe(rule, &quote(sentence, at))));
            }
        }
    }
    problems
}

/// Returns the refused words and a few that follow.
fn quote(sentence: &Sentence, at: usize) -> String {
    let end = sentence.words.len().min(at + 6);
    let dots = if end < sentence.words.len() { " …" } else { "" };
    format!("\"{}{dots}\"", sentence.words[at..end].join(" ").replace(" ,", ",").replace(" .", "."))
}

/// Describes a refused phrase or name.
pub(super) fn describe(rule: &Rule, quoted: &str) -> String {
    format!("{quoted}: {}; write \"{}\", not \"{}\"", rule.reason, rule.good, rule.bad)
}
