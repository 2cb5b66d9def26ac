//! `grille help TOPIC`: the short forms of the guide's chapters, for a terminal.

use crate::error::Error;
use crate::output::{BOLD, Output, Report};
use serde::Serialize;
use std::io::{self, Write};

/// The short forms: each begins with the line `# name: title (file)`.
pub(crate) const TEXT: &str = include_str!("topics.md");

/// A chapter's short form.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    title: &'static str,
    /// The chapter's file in `docs/guide/src`.
    pub(crate) chapter: &'static str,
    pub(crate) text: &'static str,
}

impl Report for Topic {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}{}{BOLD:#}\n\n{}\n", self.title, self.text)?;
        writeln!(out, "More: docs/guide/src/{} in the source of grille.", self.chapter)
    }
}

#[derive(Serialize)]
struct Topics {
    topics: Vec<Topic>,
}

impl Report for Topics {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{BOLD}Topics{BOLD:#}; `grille help TOPIC` shows one:\n")?;
        for topic in &self.topics {
            writeln!(out, "  {:10} {}", topic.name, topic.title)?;
        }
        writeln!(out, "\n`grille help COMMAND` describes a command; `grille help` lists them.")
    }
}

/// Lists all topics.
pub(crate) fn all() -> impl Iterator<Item = Topic> {
    TEXT.split("\n# ").filter_map(parse)
}

/// Parses a section, such as `why: Why post-quantum (01-why.md)` with the text below it.
fn parse(section: &'static str) -> Option<Topic> {
    let (head, text) = section.trim_start_matches("# ").split_once('\n')?;
    let (name, rest) = head.split_once(": ")?;
    let (title, chapter) = rest.trim_end_matches(')').split_once(" (")?;
    Some(Topic { name, title, chapter, text: text.trim_matches('\n') })
}

/// Prints a topic, or the list of topics for the name `topics`. `None` if there is no such topic.
pub(crate) fn print(name: &str, out: &mut Output) -> Option<Result<(), Error>> {
    if name == "topics" {
        return Some(out.print(&Topics { topics: all().collect() }));
    }
    let topic = all().find(|topic| topic.name == name)?;
    Some(out.print(&topic))
}
