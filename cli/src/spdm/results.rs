//! The file of results of a fleet: a line for each device that was asked. A run with --resume goes on after it.

use super::appraisal::identity::Fingerprint;
use super::appraisal::reason::{Reason, Verdict};
use super::appraisal::timestamp;
use super::outcome::{Line, SCHEMAS};
use super::policy::Policy;
use crate::error::Error;
use crate::files::io_error;
use crate::output::{Output, counted};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

/// The file, open for more.
pub(super) struct Results<'a> {
    path: &'a Path,
    file: File,
}

/// What earlier runs found.
#[derive(Default)]
pub(super) struct Earlier {
    /// The last verdict on each device whose last line has one.
    verdicts: HashMap<String, Known>,
    /// Whether anything in the file is a result.
    has_results: bool,
}

/// A verdict of an earlier run.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) verdict: Verdict,
    /// Why the device is not trusted.
    reason: Option<Reason>,
    pub(super) quantum_safe: bool,
    /// Whether test credentials were in use.
    pub(super) is_test: bool,
    /// The key that the device proved itself with, if it did.
    pub(super) key: Option<Fingerprint>,
    /// When, as it stands in the file.
    pub(super) time: Box<str>,
    policy: Box<str>,
}

impl Known {
    /// Why the device is not trusted; of a later release the reason may not be known here.
    pub(super) fn reason(&self) -> Reason {
        self.reason.unwrap_or(Reason::LocalFailure)
    }
}

#[cfg(test)]
impl Known {
    /// A device that was not trusted at this time.
    pub(super) fn distrusted(time: &str) -> Self {
        Self {
            verdict: Verdict::NotTrusted,
            reason: Some(Reason::UntrustedRoot),
            quantum_safe: false,
            is_test: false,
            key: None,
            time: time.into(),
            policy: Box::default(),
        }
    }
}

/// What a run with --resume does about a device.
pub(super) enum Before<'a> {
    /// It asks the device: nothing is known.
    Nothing,
    /// It asks the device: the verdict is too old, or of another policy.
    Outdated,
    /// It passes the device over.
    Known(&'a Known),
}

/// What of a line counts for later runs.
#[derive(Deserialize)]
struct Record {
    endpoint: String,
    verdict: Option<Verdict>,
    trusted: Option<bool>,
    reason: Option<String>,
    #[serde(default)]
    findings: Vec<FindingRecord>,
    identity: Option<IdentityRecord>,
    quantum_safe: Option<bool>,
    policy: Option<Box<str>>,
    time: Option<Box<str>>,
    schema: Option<String>,
}

#[derive(Deserialize)]
struct FindingRecord {
    reason: String,
}

#[derive(Deserialize)]
struct IdentityRecord {
    key: Fingerprint,
}

impl Record {
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
    pub(super) fn open(path: &'a Path, out: &Output) -> Result<(Self, Earlier), Error> {
        let failed = |error: io::Error| unusable(&error, path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        if !begins_as_results(&file).map_err(failed)? {
            return Err(foreign(path));
        }
        lock(&file, path)?;
        let mut earlier = Earlier::default();
        let end = earlier.read(&file, path, out).map_err(failed)?;
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
    /// What is known of a device under this policy, at `now`, that is at most `max_age` old.
    pub(super) fn of(&self, endpoint: &str, policy: &Policy, now: Duration, max_age: Duration) -> Before<'_> {
        let Some(known) = self.verdicts.get(endpoint) else { return Before::Nothing };
        // a time to come is one of a clock that was wrong
        let age = timestamp::parse(&known.time).and_then(|time| now.checked_sub(time));
        let is_young = age.is_some_and(|age| age <= max_age);
        if is_young && *known.policy == *policy.as_str() { Before::Known(known) } else { Before::Outdated }
    }

    /// Reads all lines; of a line that is no result it warns, unless it is the last and unfinished.
    fn read(&mut self, file: &File, path: &Path, out: &Output) -> io::Result<End> {
        let (mut reader, mut line, mut whole) = (BufReader::new(file), Vec::new(), 0);
        for number in 1_u64.. {
            line.clear();
            let len = reader.read_until(b'\n', &mut line)?;
            if len == 0 {
                break;
            }
            let (is_finished, is_empty) = (line.ends_with(b"\n"), line.trim_ascii().is_empty());
            match serde_json::from_slice(&line) {
                Ok(record) => self.take(record),
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

    /// The last line of a device counts: if it could not be asked then, what was known before no longer stands.
    fn take(&mut self, record: Record) {
        self.has_results |= record.is_result();
        let is_test = record
            .findings
            .iter()
            .any(|finding| Reason::by_code(&finding.reason).is_some_and(Reason::is_test_credential));
        let Record { endpoint, reason, identity, quantum_safe, .. } = record;
        let known = match (record.verdict, record.policy, record.time) {
            (None | Some(Verdict::Undecided), ..) | (_, None, _) | (_, _, None) => None,
            (Some(verdict), Some(policy), Some(time)) => Some(Known {
                verdict,
                reason: reason.as_deref().and_then(Reason::by_code),
                quantum_safe: quantum_safe == Some(true),
                is_test,
                key: identity.map(|identity| identity.key),
                time,
                policy,
            }),
        };
        match known {
            Some(known) => self.verdicts.insert(endpoint, known),
            None => self.verdicts.remove(&endpoint),
        };
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

#[cfg(test)]
mod tests {
    use super::super::policy::Form;
    use super::*;
    use grille_spdm_engine::config::Config;

    fn earlier(lines: &[&str]) -> Earlier {
        let mut earlier = Earlier::default();
        lines.iter().for_each(|line| earlier.take(serde_json::from_str(line).unwrap()));
        earlier
    }

    fn policy(slot: u8) -> Policy {
        Form::new(&[], &Config::default()).with("slot", slot).policy()
    }

    #[test]
    fn a_verdict_stands_while_it_is_young_and_of_the_same_policy() {
        let (policy, other) = (policy(0), policy(1));
        let line = |verdict: &str, time: &str| {
            let policy = policy.as_str();
            format!(r#"{{"endpoint":"a","verdict":"{verdict}","policy":"{policy}","time":"{time}"}}"#)
        };
        let hour = Duration::from_secs(3600);
        let noon = timestamp::parse("2026-11-27T12:00:00Z").unwrap();
        let is_known = |earlier: &Earlier, policy: &Policy, now| {
            matches!(earlier.of("a", policy, now, hour), Before::Known(_))
        };
        for verdict in ["trusted", "authentic", "not_trusted"] {
            let known = earlier(&[&line(verdict, "2026-11-27T12:00:00Z")]);
            assert!(is_known(&known, &policy, noon) && is_known(&known, &policy, noon + hour));
            let second = Duration::from_secs(1);
            assert!(!is_known(&known, &policy, noon + hour + second), "too old");
            assert!(!is_known(&known, &policy, noon - second), "of a time to come");
            assert!(!is_known(&known, &other, noon), "of another policy");
            assert!(matches!(known.of("b", &policy, noon, hour), Before::Nothing));
        }
        let trusted = line("trusted", "2026-11-27T12:00:00Z");
        for last in [
            line("no_verdict", "2026-11-27T12:00:00Z"),
            r#"{"endpoint":"a","trusted":true}"#.to_owned(),
            line("trusted", "yesterday"),
        ] {
            assert!(!is_known(&earlier(&[&trusted, &last]), &policy, noon), "{last}");
            assert!(is_known(&earlier(&[&last, &trusted]), &policy, noon), "{last}");
        }
    }
}
