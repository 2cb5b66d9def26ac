//! The file of results of a fleet: a line for each device, which a later run goes on after.

use super::outcome::{Line, SCHEMAS};
use super::policy::Policy;
use crate::error::Error;
use crate::files::io_error;
use crate::output::{Output, counted};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

/// The file, open for more.
pub(super) struct Results<'a> {
    path: &'a Path,
    file: File,
}

/// What earlier runs found.
#[derive(Default)]
pub(super) struct Earlier {
    /// The devices that have a verdict under the policy of this run.
    pub(super) done: HashMap<String, Known>,
    /// Those whose last verdict is of another.
    pub(super) outdated: HashSet<String>,
    /// Whether anything in the file is a result.
    has_results: bool,
}

/// A verdict of an earlier run.
#[derive(Clone)]
pub(super) struct Known {
    /// When the device was not trusted; nothing if it was.
    pub(super) distrusted: Option<Box<str>>,
    /// Nothing if the device did not prove itself.
    pub(super) quantum_safe: Option<bool>,
}

/// What of a line counts for later runs.
#[derive(Deserialize)]
struct Verdict {
    endpoint: String,
    trusted: Option<bool>,
    quantum_safe: Option<bool>,
    policy: Option<String>,
    time: Option<Box<str>>,
    schema: Option<String>,
}

impl Verdict {
    /// Whether it is one of ours: those of older releases have no schema.
    fn is_result(&self) -> bool {
        self.trusted.is_some() || self.schema.as_deref().is_some_and(|schema| schema.starts_with(SCHEMAS))
    }
}

impl<'a> Results<'a> {
    /// Reads what is there, and goes on after it. A last line that a killed run left unfinished is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, another run writes to it, or it has something and no result; then it stays as it
    /// is.
    pub(super) fn open(path: &'a Path, policy: &Policy, out: &Output) -> Result<(Self, Earlier), Error> {
        let failed = |error: io::Error| unusable(&error, path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        if !begins_as_results(&file).map_err(failed)? {
            return Err(foreign(path));
        }
        lock(&file, path)?;
        let mut earlier = Earlier::default();
        let end = earlier.read(&file, path, policy, out).map_err(failed)?;
        if !earlier.has_results && file.metadata().map_err(failed)?.len() > 0 {
            return Err(foreign(path));
        }
        match end {
            End::Whole => {}
            End::Unfinished { whole, rest } => {
                file.set_len(whole).map_err(failed)?;
                let rest = counted(rest, "byte");
                out.warn(format_args!(
                    "{}: the last line was unfinished, and its {rest} are cut off: it was no verdict",
                    path.display()
                ));
            }
            End::NoNewline => file.write_all(b"\n").map_err(failed)?,
        }
        Ok((Self { path, file }, earlier))
    }

    /// One line, whole and at once: whoever is killed leaves at most one that is unfinished.
    pub(super) fn append(&mut self, line: &Line<'_>) -> Result<(), Error> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|error| io_error("write", self.path, &error))
    }
}

/// A file that is not ours, or of which nobody can tell.
fn foreign(path: &Path) -> Error {
    let what = "has no result and is not empty, and may be another's: nothing is appended to it";
    Error::usage(what).at(path).advise("--results names a new file or one of an earlier run")
}

fn unusable(error: &io::Error, path: &Path) -> Error {
    io_error("read or write", path, error)
}

/// Two runs at once would each ask every device, and one could cut off what the other is about to finish.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        // some file systems have no locks
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(unusable(&error, path)),
        Err(TryLockError::WouldBlock) => {
            let what = "another run writes to it";
            Err(Error::failure(what).at(path).advise("wait for its end, or name another file"))
        }
    }
}

/// How a file ends.
enum End {
    /// As it should.
    Whole,
    /// With so many bytes of whole lines, and so many of one that was not finished.
    Unfinished { whole: u64, rest: usize },
    /// With a line that lacks nothing but its end.
    NoNewline,
}

impl Earlier {
    /// Reads all lines; of a line that is no result it warns, unless it is the last and unfinished.
    fn read(&mut self, file: &File, path: &Path, policy: &Policy, out: &Output) -> io::Result<End> {
        let (mut reader, mut line, mut whole) = (BufReader::new(file), Vec::new(), 0);
        for number in 1_u64.. {
            line.clear();
            let len = reader.read_until(b'\n', &mut line)?;
            if len == 0 {
                break;
            }
            let (is_finished, is_empty) = (line.ends_with(b"\n"), line.trim_ascii().is_empty());
            match serde_json::from_slice(&line) {
                Ok(verdict) => self.take(verdict, policy),
                Err(_) if !is_finished => return Ok(End::Unfinished { whole, rest: len }),
                Err(_) if is_empty => {}
                Err(_) => out.warn(format_args!(
                    "{}: line {number} is no result, and is passed over; take it out, as other programs stop there",
                    path.display()
                )),
            }
            if !is_finished {
                return Ok(End::NoNewline);
            }
            whole += len as u64;
        }
        Ok(End::Whole)
    }

    /// The last verdict on a device counts.
    fn take(&mut self, verdict: Verdict, policy: &Policy) {
        self.has_results |= verdict.is_result();
        let Verdict { endpoint, trusted: Some(trusted), quantum_safe, policy: of, time, .. } = verdict else {
            return;
        };
        if of.as_deref() == Some(policy.as_str()) {
            self.outdated.remove(&endpoint);
            let distrusted = (!trusted).then(|| time.unwrap_or_default());
            self.done.insert(endpoint, Known { distrusted, quantum_safe });
        } else {
            self.done.remove(&endpoint);
            self.outdated.insert(endpoint);
        }
    }
}

/// Whether this is a file that begins as results do, or not even so far.
fn begins_as_results(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    if file.metadata()?.is_file() {
        file.take(BEGIN.len() as u64).read_to_end(&mut start)?;
        file.rewind()?;
        return Ok(BEGIN.starts_with(&start));
    }
    Ok(false)
}

/// Each result names its device first.
const BEGIN: &[u8] = b"{\"endpoint\":\"";
