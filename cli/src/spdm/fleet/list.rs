//! The device list of a fleet: one line per device.

use super::super::attestor::Attestor;
use super::super::target::Target;
use crate::arguments::host_and_address;
use crate::error::Error;
use crate::files::{self, reason};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::iter::Enumerate;
use std::path::Path;

/// Counts the devices in the list, and the lines that repeat an earlier device. Reads all lines, and the manifests
/// that they name, before any device is queried.
///
/// # Errors
/// Returns an error if a file cannot be read, or the list has no device.
pub(super) fn count(list: &Path, attestor: &mut Attestor<'_>) -> Result<(usize, usize), Error> {
    let (mut targets, mut total) = (Targets::open(list, attestor.port())?, 0);
    for target in targets.by_ref() {
        attestor.prepare(&target?)?;
        total += 1;
    }
    if total == 0 {
        return Err(Error::failure("the list names no device").at(list).advise(LINE_ADVICE));
    }
    Ok((total, targets.duplicates))
}

/// Advice that describes the format of a line.
const LINE_ADVICE: &str = "write one device per line: HOST or HOST:PORT, optionally followed by key=, leaf=, serial= and reference=";

/// Iterates over the devices of a list, without repetitions, empty lines and comments.
pub(super) struct Targets<'a> {
    list: &'a Path,
    lines: Enumerate<Lines<BufReader<File>>>,
    /// The default port of devices.
    port: u16,
    /// The addresses in the lines that were already read.
    known: HashSet<String>,
    duplicates: usize,
}

impl<'a> Targets<'a> {
    /// Opens the list at its first line.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(super) fn open(list: &'a Path, port: u16) -> Result<Self, Error> {
        let lines = BufReader::new(files::open(list)?).lines().enumerate();
        Ok(Self { list, lines, port, known: HashSet::new(), duplicates: 0 })
    }
}

/// Returns the part of a line before a `#` comment, which starts at the beginning of the line or after white space.
fn without_comment(line: &str) -> &str {
    let starts_comment = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| starts_comment(*at));
    line[..comment.unwrap_or(line.len())].trim()
}

impl Iterator for Targets<'_> {
    type Item = Result<Target, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let folder = self.list.parent().unwrap_or(Path::new(""));
        for (at, line) in self.lines.by_ref() {
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    let problem = format_args!("cannot read line {}: {}", at + 1, reason(&error));
                    return Some(Err(Error::failure(problem).at(self.list)));
                }
            };
            let line = without_comment(&line);
            if line.is_empty() {
                continue;
            }
            let target = match Target::parse_line(line, folder) {
                Ok(target) => target,
                Err(problem) => {
                    let wrong = Error::failure(format_args!("line {}: {problem}", at + 1)).at(self.list);
                    return Some(Err(wrong.advise(LINE_ADVICE)));
                }
            };
            if self.known.insert(host_and_address(&target.endpoint, self.port).1) {
                return Some(Ok(target));
            }
            self.duplicates += 1;
        }
        None
    }
}
