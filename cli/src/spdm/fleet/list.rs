//! The list of a fleet: a line for each device.

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

/// How many devices the list names, and how many lines name one that a line before does. All lines, and the manifests that they
/// name, are read before the first device is asked.
///
/// # Errors
/// If one of them cannot be read, or there is no device.
pub(super) fn count(list: &Path, attestor: &mut Attestor<'_>) -> Result<(usize, usize), Error> {
    let (mut targets, mut total) = (Targets::open(list, attestor.port())?, 0);
    for target in targets.by_ref() {
        attestor.prepare(&target?)?;
        total += 1;
    }
    if total == 0 {
        return Err(Error::failure("names no device").at(list).advise(LINE));
    }
    Ok((total, targets.doubles))
}

/// What a line is.
const LINE: &str =
    "a line of it is HOST or HOST:PORT, then key=, leaf=, serial= and reference= if they are wanted";

/// The devices of a list, each once; empty lines and comments are left out.
pub(super) struct Targets<'a> {
    list: &'a Path,
    lines: Enumerate<Lines<BufReader<File>>>,
    /// Where a device without a port is asked.
    port: u16,
    /// The addresses that were named.
    known: HashSet<String>,
    doubles: usize,
}

impl<'a> Targets<'a> {
    /// Begins at the first line.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn open(list: &'a Path, port: u16) -> Result<Self, Error> {
        let lines = BufReader::new(files::open(list)?).lines().enumerate();
        Ok(Self { list, lines, port, known: HashSet::new(), doubles: 0 })
    }
}

/// What a line says before a `#`, which begins a comment where it begins the line or white space is before it.
fn without_comment(line: &str) -> &str {
    let begins = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(|at| begins(*at));
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
                    let what = format_args!("cannot read: line {}: {}", at + 1, reason(&error));
                    return Some(Err(Error::failure(what).at(self.list)));
                }
            };
            let line = without_comment(&line);
            if line.is_empty() {
                continue;
            }
            let target = match Target::of_line(line, folder) {
                Ok(target) => target,
                Err(what) => {
                    let wrong = Error::failure(format_args!("line {}: {what}", at + 1)).at(self.list);
                    return Some(Err(wrong.advise(LINE)));
                }
            };
            if self.known.insert(host_and_address(&target.endpoint, self.port).1) {
                return Some(Ok(target));
            }
            self.doubles += 1;
        }
        None
    }
}
