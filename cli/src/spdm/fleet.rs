//! Attestation of a fleet of devices.

mod list;
mod summary;

use super::appraisal::identity::Fingerprint;
use super::appraisal::reason::{Finding, Reason, Verdict};
use super::appraisal::shared_keys::{self, KeyHolders, Shared};
use super::attestor::Attestor;
use super::outcome::{Line, Outcome};
use super::policy::Policy;
use super::results::{EarlierResult, EarlierResults, EarlierVerdict, Results};
use crate::error::Error;
use crate::files;
use crate::output::{Message, Output};
use indicatif::{ProgressBar, ProgressStyle};
use list::Targets;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use summary::Summary;

/// Options for a fleet.
#[derive(clap::Args)]
pub(super) struct Fleet {
    /// Attest every device in this list. Each line is HOST or HOST:PORT, optionally followed by a required identity
    /// (key=SHA-256, leaf=SHA-256 or serial=HEX) and the device's own manifest (reference=FILE). # starts a comment.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pcap", "key_log"])]
    fleet: Option<PathBuf>,
    /// Append one line of JSON per device to this file.
    #[arg(long, value_name = "FILE", requires = "fleet", conflicts_with = "endpoint")]
    results: Option<PathBuf>,
    /// Continue an interrupted run: skip devices whose last line in --results is a verdict under the same policy, not
    /// older than --max-age [default: attest every device].
    #[arg(long, requires = "results")]
    resume: bool,
    /// Accept verdicts in --results up to this age with --resume: seconds, or a number with s, m, h or d; at most 7d.
    #[arg(long = "max-age", alias = "max_age", value_name = "TIME", default_value = "1h", requires = "resume", value_parser = age)]
    max_age: Duration,
    /// Trust a device key that answers at several endpoints, for example because a device has several addresses.
    #[arg(
        long = "allow-shared-key",
        alias = "allow_shared_key",
        requires = "fleet",
        conflicts_with = "endpoint"
    )]
    allow_shared_key: bool,
    /// Attest this many devices at once.
    #[arg(long, value_name = "N", default_value_t = 64, requires = "fleet", conflicts_with = "endpoint", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
}

/// The highest value of --max-age, in seconds: 7 days, like the maximum lifetime of TLS 1.3 tickets.
const MAX_AGE: u64 = 7 * 24 * 60 * 60;

/// Parses a duration of at most [`MAX_AGE`]: `3600`, `3600s`, `60m`, `1h`, `1d`.
fn age(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)];
    let with_unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (digits, seconds) = with_unit.unwrap_or((text, 1));
    let wrong =
        || format!("invalid duration {text:?}: expected a number of seconds, or a number with s, m, h or d");
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    match number.checked_mul(seconds) {
        Some(age) if age <= MAX_AGE => Ok(Duration::from_secs(age)),
        _ => Err(format!("duration {text:?} is too long: expected at most 7d")),
    }
}

/// Stack size of an attesting thread, which verifies chains and signatures, including SLH-DSA.
const STACK: usize = 1 << 20;

/// Attests every device in the list, and prints a summary.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or a device is not trusted or has no verdict.
pub(super) fn run(fleet: &Fleet, attestor: &mut Attestor<'_>, out: &mut Output) -> Result<(), Error> {
    let list = fleet
        .fleet
        .as_deref()
        .ok_or_else(|| Error::usage("the list of devices is missing").with_place("--fleet"))?;
    check_files(list, fleet.results.as_deref())?;
    let (total, duplicates) = list::count(list, attestor)?;
    let opened = fleet.results.as_deref().map(|path| Results::open(path, out)).transpose()?;
    let (results, earlier) = opened.unzip();
    let earlier = earlier.filter(|_| fleet.resume).unwrap_or_default();
    if duplicates > 0 {
        let lines =
            if duplicates == 1 { "1 line repeats".to_owned() } else { format!("{duplicates} lines repeat") };
        out.warn(format_args!("{}: {lines} an earlier device; each device is attested once", list.display()));
    }
    let (bar, start) = (out.bar(total as u64), Instant::now());
    let queue = Mutex::new(Targets::open(list, attestor.port())?);
    let mut record = RunRecord {
        allow_shared_key: fleet.allow_shared_key,
        results,
        summary: Summary::new(total, fleet.results.is_some(), fleet.resume),
        holders: KeyHolders::default(),
        printed: Ok(()),
    };
    thread::scope(|scope| {
        let (found, all) = mpsc::sync_channel(usize::from(fleet.jobs));
        let (attestor, earlier, queue) = (&*attestor, &earlier, &queue);
        for _ in 0..usize::from(fleet.jobs).min(total) {
            let found = found.clone();
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || work(attestor, queue, earlier, fleet.max_age, &found))
                .map_err(|error| {
                    Error::failure(format_args!("cannot start a thread: {error}")).with_place("--jobs")
                })?;
        }
        drop(found);
        for found in all {
            record.record(found?, out)?;
            bar.inc(1);
        }
        Ok::<(), Error>(())
    })?;
    bar.finish_and_clear();
    let RunRecord { mut summary, printed, .. } = record;
    summary.seconds = start.elapsed().as_secs_f64();
    let verdict = summary.verdict(list);
    summary.error = verdict.clone().err().map(Message::new);
    let printed = printed.and_then(|()| out.print(&summary));
    verdict.map_err(Error::mark_in_json_output)?;
    printed
}

/// Checks that the list can be read twice, and that results do not go to standard output.
///
/// # Errors
/// Returns an error if a file is unsuitable.
fn check_files(list: &Path, results: Option<&Path>) -> Result<(), Error> {
    if !files::can_be_read_again(list) {
        let problem = "not a regular file; the list is read twice";
        return Err(Error::usage(problem).with_place("--fleet").advise("save the list to a file"));
    }
    if results.is_some_and(files::is_standard_stream) {
        let problem = Error::usage("cannot write results to standard output").with_place("--results");
        return Err(problem.advise("name a file, or print the same lines with --json"));
    }
    Ok(())
}

/// Attests devices until the list ends or the receiver of the results is dropped.
fn work(
    attestor: &Attestor<'_>,
    queue: &Mutex<Targets<'_>>,
    earlier: &EarlierResults,
    max_age: Duration,
    found: &SyncSender<Result<DeviceResult, Error>>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let one = match next {
            None => return,
            Some(Err(error)) => Err(error),
            Some(Ok(target)) => {
                let policy = attestor.policy(&target);
                let source = match earlier.lookup(&target.endpoint, &policy, grille_pki::now(), max_age) {
                    EarlierResult::Current(known) => ResultSource::Earlier(known.clone()),
                    before => ResultSource::Now {
                        outcome: Outcome::attest(attestor, &target).0,
                        again: matches!(before, EarlierResult::Outdated),
                    },
                };
                Ok(DeviceResult { endpoint: target.endpoint, policy, source })
            }
        };
        if found.send(one).is_err() {
            return;
        }
    }
}

/// The result for one device of the list.
struct DeviceResult {
    endpoint: String,
    policy: Policy,
    source: ResultSource,
}

enum ResultSource {
    /// The outcome of this run. `again`: whether the device was attested because its earlier verdict was outdated.
    Now { outcome: Outcome, again: bool },
    /// A verdict of an earlier run.
    Earlier(EarlierVerdict),
}

impl DeviceResult {
    /// Returns the key that authenticated the device, now or in an earlier run.
    fn key(&self) -> Option<Fingerprint> {
        match &self.source {
            ResultSource::Now { outcome, .. } => outcome.key(),
            ResultSource::Earlier(known) => known.key,
        }
    }
}

/// The collected results of a run.
struct RunRecord<'a> {
    allow_shared_key: bool,
    results: Option<Results<'a>>,
    summary: Summary,
    /// The endpoint at which each key answered first.
    holders: KeyHolders<CountedResult>,
    /// The result of writing to standard output; once that fails, nothing more is printed.
    printed: Result<(), Error>,
}

/// The result that was counted for an endpoint.
struct CountedResult {
    verdict: Verdict,
    policy: Policy,
    /// Whether the result comes from an earlier run.
    is_earlier: bool,
}

impl RunRecord<'_> {
    /// Counts a device, and writes its result.
    ///
    /// # Errors
    /// Returns an error if the results file cannot be written.
    fn record(&mut self, found: DeviceResult, out: &mut Output) -> Result<(), Error> {
        let shared = self.check_key(&found, out)?;
        let DeviceResult { endpoint, policy, source } = found;
        match (source, shared) {
            (ResultSource::Now { mut outcome, again }, shared) => {
                shared.into_iter().for_each(|finding| outcome.add(finding));
                self.summary.count(&outcome, again);
                self.write(&outcome.line(&policy), out)
            }
            // A finding of this run corrects an earlier verdict.
            (ResultSource::Earlier(known), Some(finding)) if known.verdict != Verdict::NotTrusted => {
                let outcome = Outcome::shares_key(&endpoint, &finding);
                self.summary.count(&outcome, true);
                self.write(&outcome.line(&policy), out)
            }
            (ResultSource::Earlier(known), _) => {
                self.summary.count_known(&known, &endpoint);
                // Every run reports the devices that are not trusted.
                if known.verdict == Verdict::NotTrusted {
                    let outcome = Outcome::distrusted_before(&endpoint, known.reason());
                    self.print(&outcome.earlier_line(&policy, known.time.to_string()), out);
                }
                Ok(())
            }
        }
    }

    /// Returns the finding against a device whose key answered at another endpoint before. The first endpoint was
    /// already reported, so its corrected result is written again.
    fn check_key(&mut self, found: &DeviceResult, out: &mut Output) -> Result<Option<Finding>, Error> {
        let Some(key) = found.key() else { return Ok(None) };
        let (verdict, is_earlier) = match &found.source {
            ResultSource::Now { outcome, .. } => (outcome.verdict(), false),
            ResultSource::Earlier(known) => (known.verdict, true),
        };
        let counted = CountedResult { verdict, policy: found.policy.clone(), is_earlier };
        let Some(Shared { first, first_value }) = self.holders.record(key, &found.endpoint, counted) else {
            return Ok(None);
        };
        if let Some(CountedResult { verdict, policy, is_earlier }) = first_value
            && verdict != Verdict::NotTrusted
            && !self.allow_shared_key
        {
            let outcome = Outcome::shares_key(&first, &self.shared_key_finding(&found.endpoint));
            self.summary.replace_verdict(verdict, is_earlier, &outcome);
            self.write(&outcome.line(&policy), out)?;
        }
        Ok(Some(self.shared_key_finding(&first)))
    }

    /// Creates the finding that a device's key also answers at the endpoint `other`.
    fn shared_key_finding(&self, other: &str) -> Finding {
        let finding = Finding::new(Reason::SharedKey, shared_keys::message(other));
        finding
            .allow_if(self.allow_shared_key)
            .advise("find out whether the key was copied; use --allow-shared-key if both addresses belong to one device")
    }

    /// Appends a line to the results file, and prints it.
    fn write(&mut self, line: &Line<'_>, out: &mut Output) -> Result<(), Error> {
        if let Some(results) = &mut self.results {
            results.append(line)?;
        }
        self.print(line, out);
        Ok(())
    }

    /// Prints a line. The run continues if printing fails.
    fn print(&mut self, line: &Line<'_>, out: &mut Output) {
        if out.is_json() && self.printed.is_ok() {
            self.printed = out.print_json(line);
        }
    }
}

impl Output {
    /// Returns a progress bar on standard error, visible only on a terminal.
    pub(super) fn bar(&self, len: u64) -> ProgressBar {
        if !self.shows_progress() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}, {per_sec}, {eta} left");
        let bar = ProgressBar::new(len).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_units() {
        let seconds = |text| age(text).map(|age| age.as_secs());
        for (text, expected) in
            [("90", 90), ("0", 0), ("90s", 90), ("2m", 120), ("1h", 3600), ("7d", 604_800)]
        {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in ["", "h", "-1", "1.5h", "1w", "18446744073709551615d"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
