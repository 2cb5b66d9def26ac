//! Splits files into texts, and texts into sentences and words.

use crate::outcome::Failure;
use crate::source::Source;

/// A comment, a paragraph, a list item, a table cell or a string literal.
#[derive(Debug)]
pub(super) struct Text {
    /// The lines that the text consists of, with their numbers.
    lines: Vec<(usize, String)>,
    /// The kind of the text.
    pub(super) kind: TextKind,
}

/// Kind of a text, which decides whether the text may continue another one.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(super) enum TextKind {
    /// A comment: an editor's hover shows nothing before it.
    Comment,
    /// A string in lower case, which may continue another string.
    Fragment,
    /// A paragraph, a list item, a table cell, or a string that is a sentence.
    Paragraph,
}

/// Words and punctuation marks up to a full stop, an exclamation mark or a question mark.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    /// The words as written. Punctuation marks are words of their own, and a code span is one word.
    pub(super) words: Vec<String>,
    /// The line of each word.
    pub(super) lines: Vec<usize>,
    /// Whether the sentence ends in a question mark.
    pub(super) is_question: bool,
}

/// Lists the texts of a Rust, Markdown or TOML file.
pub(super) fn texts(file: &str, text: &str) -> Result<Vec<Text>, Failure> {
    if file.ends_with(".rs") {
        let source = Source::read(file, text)?;
        let mut found: Vec<Text> =
            comments(&source).iter().flat_map(|comment| paragraphs(comment, TextKind::Comment)).collect();
        found.extend(source.strings.iter().filter(|(_, string)| string.contains(' ')).flat_map(string));
        return Ok(found);
    }
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if file.ends_with(".md") {
        let lines: Vec<_> = numbered.map(|(number, line)| (number, line.to_owned())).collect();
        return Ok(paragraphs(&lines, TextKind::Paragraph));
    }
    let comments: Vec<_> =
        numbered.filter_map(|(number, line)| Some((number, toml_comment(line)?))).collect();
    let comments = groups(&comments, |_| true);
    Ok(comments.iter().flat_map(|comment| paragraphs(comment, TextKind::Comment)).collect())
}

/// Splits a function's name at its underscores.
pub(super) fn name_words(name: &str) -> Vec<String> {
    name.split('_').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Joins comments on successive lines. A comment that follows code on its line is not joined with others.
fn comments(source: &Source) -> Vec<Vec<(usize, String)>> {
    let code: Vec<&str> = source.code.lines().collect();
    let alone = |line: usize| code.get(line - 1).is_none_or(|code| code.trim().is_empty());
    groups(&source.comments, alone)
}

/// Joins lines that follow each other, if `joins` holds for the numbers of both.
fn groups(lines: &[(usize, String)], joins: impl Fn(usize) -> bool) -> Vec<Vec<(usize, String)>> {
    let mut groups: Vec<Vec<(usize, String)>> = Vec::new();
    for (number, line) in lines {
        let follows = |group: &&mut Vec<(usize, String)>| {
            group.last().is_some_and(|(last, _)| last + 1 == *number && joins(*last) && joins(*number))
        };
        match groups.last_mut().filter(follows) {
            Some(group) => group.push((*number, line.clone())),
            None => groups.push(vec![(*number, line.clone())]),
        }
    }
    groups
}

fn toml_comment(line: &str) -> Option<String> {
    let outside_strings = |at: &usize| line[..*at].matches('"').count().is_multiple_of(2);
    let at = line.match_indices('#').map(|(at, _)| at).find(outside_strings)?;
    Some(line[at..].trim_start_matches('#').trim().to_owned())
}

/// Reads a string literal. As in Rust, a backslash at the end of a line joins the line with the next.
fn string((line, written): &(usize, String)) -> Vec<Text> {
    let mut lines = Vec::new();
    for (offset, part) in written.replace("\\n", "\n\n").lines().enumerate() {
        lines.push((line + offset, part.trim_end_matches('\\').trim().to_owned()));
    }
    // `\n` starts no new line of the file. In a string on one line, every part therefore has the number of that line.
    if !written.contains('\n') {
        lines.iter_mut().for_each(|(number, _)| *number = *line);
    }
    let is_sentence = written.starts_with(char::is_uppercase);
    paragraphs(&lines, if is_sentence { TextKind::Paragraph } else { TextKind::Fragment })
}

/// Splits Markdown into paragraphs, headings, list items and table cells. Code blocks are left out.
pub(super) fn paragraphs(lines: &[(usize, String)], first: TextKind) -> Vec<Text> {
    let (mut texts, mut open, mut in_code): (Vec<Text>, Vec<(usize, String)>, bool) = Default::default();
    let mut close = |open: &mut Vec<(usize, String)>| {
        if !open.is_empty() {
            let kind = if texts.is_empty() { first } else { TextKind::Paragraph };
            texts.push(Text { lines: std::mem::take(open), kind });
        }
    };
    for (number, line) in lines {
        let line = line.trim();
        let fence = line.starts_with("```") || line.starts_with("~~~");
        in_code ^= fence;
        if fence || in_code || line.is_empty() {
            close(&mut open);
        } else if line.starts_with('|') {
            close(&mut open);
            for cell in line.split('|').map(str::trim).filter(|cell| !cell.is_empty()) {
                open.push((*number, cell.to_owned()));
                close(&mut open);
            }
        } else {
            if is_item(line) {
                close(&mut open);
            }
            open.push((*number, line.trim_start_matches(['#', '*', '-', '>', ' ']).to_owned()));
            if line.starts_with('#') {
                close(&mut open);
            }
        }
    }
    close(&mut open);
    texts
}

/// Returns whether a line opens a heading or a list item.
fn is_item(line: &str) -> bool {
    let numbered =
        line.split_once(". ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
    numbered || ["#", "* ", "- ", "> "].iter().any(|mark| line.starts_with(mark))
}

impl Text {
    /// Splits the text at full stops, exclamation marks and question marks that a space follows.
    pub(super) fn sentences(&self) -> Vec<Sentence> {
        let mut sentences = vec![Sentence::default()];
        for (line, word) in self.words() {
            let begins = sentences.last().is_some_and(|sentence| sentence.ends() && word != ")");
            if begins {
                sentences.push(Sentence::default());
            }
            if let Some(sentence) = sentences.last_mut() {
                sentence.is_question = word == "?";
                sentence.words.push(word);
                sentence.lines.push(line);
            }
        }
        sentences
    }

    /// Splits the text into words, punctuation marks and code spans. A full stop within a word is part of it.
    fn words(&self) -> Vec<(usize, String)> {
        let mut words = Vec::new();
        let mut in_span = false;
        for (line, text) in &self.lines {
            for (index, part) in text.split('`').enumerate() {
                if index > 0 {
                    in_span = !in_span;
                    if in_span {
                        words.push((*line, "`…`".to_owned()));
                    }
                }
                if !in_span {
                    words.extend(
                        part.split_whitespace().flat_map(split_punctuation).map(|word| (*line, word)),
                    );
                }
            }
        }
        words
    }
}

impl Sentence {
    fn ends(&self) -> bool {
        self.words.last().is_some_and(|word| matches!(word.as_str(), "." | "?" | "!"))
    }
}

/// Splits the punctuation marks off both ends of a word; the target of a link is left out.
fn split_punctuation(word: &str) -> Vec<String> {
    let (word, end) = match word.split_once("](") {
        Some((text, target)) => (text, target.rsplit(')').next().unwrap_or_default()),
        None => (word, ""),
    };
    let inner = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let core = inner.trim_end_matches(|c: char| !c.is_alphanumeric());
    let marks =
        |text: &str| text.chars().filter(|c| ".,;:?!()".contains(*c)).map(String::from).collect::<Vec<_>>();
    let mut parts = marks(&word[..word.len() - inner.len()]);
    if !core.is_empty() {
        parts.push(core.to_owned());
    }
    parts.extend(marks(&inner[core.len()..]));
    parts.extend(marks(end));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(file: &str, text: &str) -> Vec<String> {
        let texts = texts(file, text).unwrap();
        texts.iter().flat_map(Text::sentences).map(|sentence| sentence.words.join(" ")).collect()
    }

    #[test]
    fn splits_sentences_but_not_numbers_or_abbreviations() {
        assert_eq!(
            sentences("a.md", "TLS 1.3 (RFC 8446). See e.g x.y.\n"),
            ["TLS 1.3 ( RFC 8446 ) .", "See e.g x.y ."]
        );
    }

    #[test]
    fn joins_the_lines_of_a_comment_but_not_trailing_comments() {
        let text = "/// One\n/// text.\nstruct A {\n    a: u8, // first\n    b: u8, // second\n}\n";
        assert_eq!(sentences("a.rs", text), ["One text .", "first", "second"]);
    }

    #[test]
    fn splits_tables_and_lists() {
        assert_eq!(sentences("a.md", "| a b | c |\n\n* d\n  e\n* f\n"), ["a b", "c", "d e", "f"]);
    }

    #[test]
    fn joins_continued_strings_and_splits_them_at_line_ends() {
        assert_eq!(sentences("a.rs", "f(\"one \\\n    two\\nthree four\");"), ["one two", "three four"]);
    }

    #[test]
    fn code_spans_are_one_word() {
        assert_eq!(sentences("a.md", "Call `what is` or [this](who.md).\n"), ["Call `…` or this ."]);
    }

    #[test]
    fn toml_comments_are_not_strings() {
        assert_eq!(sentences("a.toml", "a = \"b # c\" # d e\n"), ["d e"]);
    }
}
