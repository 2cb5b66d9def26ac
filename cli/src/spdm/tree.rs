//! Trees of messages and findings, for people and as JSON.

use crate::output::{BAD, BOLD, DIM, GOOD, Output, printable};
use serde::Serialize;
use std::io::{self, Write};

/// A line of a tree, with its children.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Node {
    /// The label.
    pub(crate) name: String,
    /// The text after the label.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) value: String,
    /// The result of checking this line.
    #[serde(skip_serializing_if = "Mark::is_none")]
    pub(crate) mark: Mark,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<Self>,
}

/// The result of checking a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    /// Nothing was checked.
    #[default]
    None,
    /// The check succeeded.
    Good,
    /// The check failed.
    Bad,
    /// The check was skipped.
    Skipped,
}

impl Mark {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

impl Node {
    pub(crate) fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), ..Self::default() }
    }

    /// Marks the line as correct.
    pub(crate) fn good(self) -> Self {
        Self { mark: Mark::Good, ..self }
    }

    /// Marks the line as wrong.
    pub(crate) fn bad(self) -> Self {
        Self { mark: Mark::Bad, ..self }
    }

    /// Marks the line as skipped.
    pub(crate) fn skipped(self) -> Self {
        Self { mark: Mark::Skipped, ..self }
    }

    /// Adds a child.
    pub(crate) fn with(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds children.
    pub(crate) fn with_all(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// Formats the line and its descendants on one line.
    pub(crate) fn in_one_line(&self) -> String {
        let own =
            if self.value.is_empty() { self.name.clone() } else { format!("{} {}", self.name, self.value) };
        let below = self.children.iter().map(Self::in_one_line);
        [own].into_iter().chain(below).collect::<Vec<_>>().join(", ")
    }

    /// Draws the tree. Control characters from a peer are escaped.
    pub(crate) fn draw(&self, out: &mut Output) -> io::Result<()> {
        self.line(out, "", BOLD)?;
        self.write_children(out, "")
    }

    fn write_children(&self, out: &mut Output, indent: &str) -> io::Result<()> {
        let last = self.children.len().saturating_sub(1);
        let width = self.children.iter().map(Self::width).max().unwrap_or_default();
        for (i, child) in self.children.iter().enumerate() {
            let (branch, deeper) = if i == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            write!(out, "{DIM}{indent}{branch}{DIM:#}")?;
            let pad = " ".repeat(width.min(MAX_ALIGNED_WIDTH).saturating_sub(child.width()));
            child.line(out, &pad, anstyle::Style::new())?;
            child.write_children(out, &format!("{indent}{deeper}"))?;
        }
        Ok(())
    }

    /// Returns the width of mark and label in columns.
    fn width(&self) -> usize {
        self.name.chars().count() + if self.mark == Mark::None { 0 } else { 2 }
    }

    fn line(&self, out: &mut Output, pad: &str, style: anstyle::Style) -> io::Result<()> {
        let (name, value) = (printable(&self.name), printable(&self.value));
        match self.mark {
            Mark::None => write!(out, "{style}{name}{style:#}")?,
            Mark::Good => write!(out, "{GOOD}✓{GOOD:#} {style}{name}{style:#}")?,
            Mark::Bad => write!(out, "{BAD}✗ {name}{BAD:#}")?,
            Mark::Skipped => write!(out, "{DIM}- {name}{DIM:#}")?,
        }
        if value.is_empty() { writeln!(out) } else { writeln!(out, "{pad}  {value}") }
    }
}

/// The width up to which labels are padded to align values. Longer labels do not shift the values of their siblings.
const MAX_ALIGNED_WIDTH: usize = 48;
