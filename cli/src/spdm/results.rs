//! The results file of a fleet: one line per attested device. A run with --resume continues it.

use super::appraisal::identity::Fingerprint;
use super::appraisal::reason::{Reason, Verdict};
use super::appraisal::timestamp;
use super::outcome::{Line, SCHEMAS};
use super::policy::Policy;
use crate::error::Error;
use crate::files::io_error;
use crate::output::{Output, format_count};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

/// The results file, open for appending.
pub(super) struct Results<'a> {
    path: &'a Path,
    file: File,
}

/// The results of earlier runs.
#[derive(Default)]
pub(super) struct EarlierResults {
    /// The verdict in the last line of each device, if that line has one.
    verdicts: HashMap<String, EarlierVerdict>,
    /// Whether the file contains any result.
    has_results: bool,
}

/// A verdict of an earlier run.
#[derive(Clone)]
pub(super) struct EarlierVerdict {
    pub(super) verdict: Verdict,
    /// The reason if the device is not trusted.
    reason: Option<Reason>,
    pub(super) quantum_safe: bool,
    /// Whether test credentials were in use.
    pub(super) is_test: bool,
    /// The key that authenticated the device, if the device was authenticated.
    pub(super) key: Option<Fingerprint>,
    /// The time of this result, as written in the results file.
    pub(super) time: Box<str>,
    policy: Box<str>,
}

impl EarlierVerdict {
    /// Returns the reason for not trusting the device; [`Reason::LocalFailure`] if the line has none, or one that only
    /// later releases know.
    pub(super) fn reason(&self) -> Reason {
        self.reason.unwrap_or(Reason::LocalFailure)
    }
}

#[cfg(test)]
impl EarlierVerdict {
    /// Creates the verdict that a device is not trusted, with this time.
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

/// The result of looking up a device in the results of earlier runs.
pub(super) enum EarlierResult<'a> {
    /// There is no verdict: the run attests the device.
    Nothing,
    /// The verdict is too old, or of another policy: the run attests the device again.
    Outdated,
    /// The verdict is current: the run skips the device.
    Current(&'a EarlierVerdict),
}

/// The members of a results line that resumed runs read.
#[derive(Deserialize)]
struct ResultRecord {
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

impl ResultRecord {
    /// Returns whether the line is a result of grille. Lines of older releases have no schema.
    fn is_result(&self) -> bool {
        self.trusted.is_some() || self.schema.as_deref().is_some_and(|schema| schema.starts_with(SCHEMAS))
    }
}

impl<'a> Results<'a> {
    /// Opens the file for appending, and reads its lines. Removes an unfinished last line, which a killed run leaves
    /// behind.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, another run writes to it, or it is not empty and holds
    /// no result. A foreign file stays unchanged.
    pub(super) fn open(path: &'a Path, out: &Output) -> Result<(Self, EarlierResults), Error> {
        let failed = |error: io::Error| file_error(&error, path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        if !begins_as_results(&file).map_err(failed)? {
            return Err(foreign_file_error(path));
        }
        lock(&file, path)?;
        let mut earlier = EarlierResults::default();
        let end = earlier.read(&file, path, out).map_err(failed)?;
        if !earlier.has_results && file.metadata().map_err(failed)?.len() > 0 {
            return Err(foreign_file_error(path));
        }
        match end {
            FileEnd::Whole => {}
            FileEnd::Unfinished { whole, rest } => {
                file.set_len(whole).map_err(failed)?;
                let rest = format_count(rest, "byte");
                out.warn(format_args!(
                    "{}: removed an unfinished last line of {rest}, which held no verdict",
                    path.display()
                ));
            }
            FileEnd::NoNewline => file.write_all(b"\n").map_err(failed)?,
        }
        Ok((Self { path, file }, earlier))
    }

    /// Appends a line in one call, so that a killed run leaves at most one unfinished line.
    pub(super) fn append(&mut self, line: &Line<'_>) -> Result<(), Error> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|error| io_error("write", self.path, &error))
    }
}

/// Returns the error for a file that holds no results.
fn foreign_file_error(path: &Path) -> Error {
    let problem = "not a results file: it is not empty, and holds no result";
    Error::usage(problem).at(path).advise("name a new file, or one of an earlier run, with --results")
}

fn file_error(error: &io::Error, path: &Path) -> Error {
    io_error("read or write", path, error)
}

/// Locks the file. Two runs at once would each attest every device, and could truncate each other's last line.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        // Some file systems do not support locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(file_error(&error, path)),
        Err(TryLockError::WouldBlock) => {
            let problem = "another run is writing to this file";
            Err(Error::failure(problem).at(path).advise("wait for the other run, or name another file"))
        }
    }
}

/// The end of a results file.
enum FileEnd {
    /// The last line is complete.
    Whole,
    /// The last line is unfinished: `whole` bytes of complete lines, then `rest` bytes.
    Unfinished { whole: u64, rest: usize },
    /// The last line is complete except for its newline.
    NoNewline,
}

impl EarlierResults {
    /// Looks up the verdict on a device under this policy. Verdicts that are older than `max_age` at the time `now` are
    /// outdated.
    pub(super) fn lookup(
        &self,
        endpoint: &str,
        policy: &Policy,
        now: Duration,
        max_age: Duration,
    ) -> EarlierResult<'_> {
        let Some(known) = self.verdicts.get(endpoint) else { return EarlierResult::Nothing };
        // A time in the future comes from a wrong clock.
        let age = timestamp::parse(&known.time).and_then(|time| now.checked_sub(time));
        let is_young = age.is_some_and(|age| age <= max_age);
        if is_young && *known.policy == *policy.as_str() {
            EarlierResult::Current(known)
        } else {
            EarlierResult::Outdated
        }
    }

    /// Reads all lines. Warns about lines that hold no result, except an unfinished last line.
    fn read(&mut self, file: &File, path: &Path, out: &Output) -> io::Result<FileEnd> {
        let (mut reader, mut line, mut whole) = (BufReader::new(file), Vec::new(), 0);
        for number in 1_u64.. {
            line.clear();
            let len = reader.read_until(b'\n', &mut line)?;
            if len == 0 {
                break;
            }
            let (is_finished, is_empty) = (line.ends_with(b"\n"), line.trim_ascii().is_empty());
            match serde_json::from_slice(&line) {
                Ok(record) => self.record(record),
                Err(_) if !is_finished => return Ok(FileEnd::Unfinished { whole, rest: len }),
                Err(_) if is_empty => {}
                Err(_) => out.warn(format_args!(
                    "{}: ignoring line {number}, which holds no result; remove it, because other programs may stop there",
                    path.display()
                )),
            }
            if !is_finished {
                return Ok(FileEnd::NoNewline);
            }
            whole += len as u64;
        }
        Ok(FileEnd::Whole)
    }

    /// Records a line. The last line of a device counts: if it has no verdict, earlier verdicts no longer apply.
    fn record(&mut self, record: ResultRecord) {
        self.has_results |= record.is_result();
        let is_test = record
            .findings
            .iter()
            .any(|finding| Reason::by_code(&finding.reason).is_some_and(Reason::is_test_credential));
        let ResultRecord { endpoint, reason, identity, quantum_safe, .. } = record;
        let known = match (record.verdict, record.policy, record.time) {
            (None | Some(Verdict::Undecided), ..) | (_, None, _) | (_, _, None) => None,
            (Some(verdict), Some(policy), Some(time)) => Some(EarlierVerdict {
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

/// Returns whether the file starts like a results file. A file shorter than that start must match as far as it goes.
fn begins_as_results(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    if file.metadata()?.is_file() {
        file.take(RESULT_START.len() as u64).read_to_end(&mut start)?;
        file.rewind()?;
        return Ok(RESULT_START.starts_with(&start));
    }
    Ok(false)
}

/// Each result starts with the device's endpoint.
const RESULT_START: &[u8] = b"{\"endpoint\":\"";

#[cfg(test)]
mod tests {
    use super::super::policy::Form;
    use super::*;
    use grille_spdm_engine::config::Config;

    fn earlier(lines: &[&str]) -> EarlierResults {
        let mut earlier = EarlierResults::default();
        lines.iter().for_each(|line| earlier.record(serde_json::from_str(line).unwrap()));
        earlier
    }

    fn policy(slot: u8) -> Policy {
        Form::new(&[], &Config::default()).with("slot", slot).fingerprint()
    }

    #[test]
    fn verdict_is_reused_only_while_fresh_and_under_the_same_policy() {
        let (policy, other) = (policy(0), policy(1));
        let line = |verdict: &str, time: &str| {
            let policy = policy.as_str();
            format!(r#"{{"endpoint":"a","verdict":"{verdict}","policy":"{policy}","time":"{time}"}}"#)
        };
        let hour = Duration::from_secs(3600);
        let noon = timestamp::parse("2026-11-27T12:00:00Z").unwrap();
        let is_known = |earlier: &EarlierResults, policy: &Policy, now| {
            matches!(earlier.lookup("a", policy, now, hour), EarlierResult::Current(_))
        };
        for verdict in ["trusted", "authentic", "not_trusted"] {
            let known = earlier(&[&line(verdict, "2026-11-27T12:00:00Z")]);
            assert!(is_known(&known, &policy, noon) && is_known(&known, &policy, noon + hour));
            let second = Duration::from_secs(1);
            assert!(!is_known(&known, &policy, noon + hour + second), "too old");
            assert!(!is_known(&known, &policy, noon - second), "in the future");
            assert!(!is_known(&known, &other, noon), "under another policy");
            assert!(matches!(known.lookup("b", &policy, noon, hour), EarlierResult::Nothing));
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
