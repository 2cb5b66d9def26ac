//! `grille help TOPIC`: the short forms of the guide's chapters, for a terminal.

use crate::error::Error;
use crate::output::{BOLD, Output, Report};
use serde::Serialize;
use std::io::{self, Write};

/// The short forms: each begins with the line `# name: title (file)`.
const TEXT: &str = include_str!("../../docs/guide/topics.md");

/// A chapter's short form.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Topic {
    name: &'static str,
    title: &'static str,
    /// The chapter's file in `docs/guide/src`.
    chapter: &'static str,
    text: &'static str,
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
fn all() -> impl Iterator<Item = Topic> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::{CommandFactory, Parser, error::ErrorKind};

    #[test]
    fn every_topic_is_a_chapter_and_no_command() {
        let topics: Vec<_> = all().collect();
        assert_eq!(topics.len(), TEXT.lines().filter(|line| line.starts_with("# ")).count());
        for topic in topics {
            let chapter = format!("{}/../docs/guide/src/{}", env!("CARGO_MANIFEST_DIR"), topic.chapter);
            assert!(std::path::Path::new(&chapter).is_file(), "{}", topic.chapter);
            assert!(Cli::command().find_subcommand(topic.name).is_none(), "{} is a command", topic.name);
            assert!(topic.text.lines().count() <= 20, "{} is long", topic.name);
        }
    }

    #[test]
    fn every_command_line_is_accepted() {
        let lines = TEXT.lines().filter_map(|line| line.strip_prefix("    grille "));
        let mut count = 0;
        for line in lines.filter(|line| !line.contains(" -v 4 ")) {
            let words = ["grille"].into_iter().chain(line.split_whitespace());
            let refused = Cli::try_parse_from(words).err().filter(|e| e.kind() != ErrorKind::DisplayHelp);
            assert!(refused.is_none(), "{line}: {}", refused.unwrap());
            count += 1;
        }
        assert!(count > 25, "{count}");
    }
}
