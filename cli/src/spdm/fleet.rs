//! Many devices at once.

mod list;
mod summary;

use super::appraisal::identity::Fingerprint;
use super::appraisal::reason::{Finding, Reason, Verdict};
use super::appraisal::shared_keys::{self, KeyHolders, Shared};
use super::attestor::Attestor;
use super::outcome::{Line, Outcome};
use super::policy::Policy;
use super::results::{Before, Earlier, Known, Results};
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

/// The options about it.
#[derive(clap::Args)]
pub(super) struct Fleet {
    /// Attest every device of this list. A line is HOST or HOST:PORT, and may add key=SHA-256, leaf=SHA-256 or serial=HEX, which
    /// the device must have, and reference=FILE, its own manifest; # begins a comment.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pcap", "key_log"])]
    fleet: Option<PathBuf>,
    /// Append a line of JSON for each device to this file.
    #[arg(long, value_name = "FILE", requires = "fleet", conflicts_with = "endpoint")]
    results: Option<PathBuf>,
    /// Continue an interrupted run: pass over devices whose last line in --results is a verdict under the same policy that
    /// is at most --max-age old [default: every device is asked].
    #[arg(long, requires = "results")]
    resume: bool,
    /// The age up to which --resume takes a verdict from --results: seconds, or a number with s, m, h or d.
    #[arg(long = "max-age", alias = "max_age", value_name = "TIME", default_value = "1h", requires = "resume", value_parser = age)]
    max_age: Duration,
    /// Trust devices whose key answers at several endpoints, such as one device with several addresses.
    #[arg(
        long = "allow-shared-key",
        alias = "allow_shared_key",
        requires = "fleet",
        conflicts_with = "endpoint"
    )]
    allow_shared_key: bool,
    /// How many devices are asked at once.
    #[arg(long, value_name = "N", default_value_t = 64, requires = "fleet", conflicts_with = "endpoint", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
}

/// Reads a length of time: `3600`, `3600s`, `60m`, `1h`, `1d`.
fn age(text: &str) -> Result<Duration, String> {
    let units = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)];
    let with_unit = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let (digits, seconds) = with_unit.unwrap_or((text, 1));
    let wrong =
        || format!("{text:?} is no length of time: write a number of seconds, or one with s, m, h or d");
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

/// The stack of a thread that attests: signatures are verified on it, and chains of SLH-DSA.
const STACK: usize = 1 << 20;

/// Attests every device of the list, and says how many are to be trusted.
///
/// # Errors
/// If files cannot be read or written, or not every device is to be trusted.
pub(super) fn run(fleet: &Fleet, attestor: &mut Attestor<'_>, out: &mut Output) -> Result<(), Error> {
    let list =
        fleet.fleet.as_deref().ok_or_else(|| Error::usage("no list of devices").at_place("--fleet"))?;
    check_files(list, fleet.results.as_deref())?;
    let (total, doubles) = list::count(list, attestor)?;
    let opened = fleet.results.as_deref().map(|path| Results::open(path, out)).transpose()?;
    let (results, earlier) = opened.unzip();
    let earlier = earlier.filter(|_| fleet.resume).unwrap_or_default();
    if doubles > 0 {
        let lines = if doubles == 1 { "1 line names".to_owned() } else { format!("{doubles} lines name") };
        out.warn(format_args!(
            "{}: {lines} a device that stood there before; it is asked once",
            list.display()
        ));
    }
    let (bar, start) = (out.bar(total as u64), Instant::now());
    let queue = Mutex::new(Targets::open(list, attestor.port())?);
    let mut record = Record {
        allow_shared_key: fleet.allow_shared_key,
        results,
        summary: Summary::of(total, fleet.results.is_some(), fleet.resume),
        holders: KeyHolders::default(),
        told: Ok(()),
    };
    thread::scope(|scope| {
        let (found, all) = mpsc::sync_channel(usize::from(fleet.jobs));
        let (attestor, earlier, queue) = (&*attestor, &earlier, &queue);
        for _ in 0..usize::from(fleet.jobs).min(total) {
            let found = found.clone();
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || work(attestor, queue, earlier, fleet.max_age, &found))
                .map_err(|error| Error::failure(format_args!("no thread: {error}")).at_place("--jobs"))?;
        }
        drop(found);
        for found in all {
            record.take(found?, out)?;
            bar.inc(1);
        }
        Ok::<(), Error>(())
    })?;
    bar.finish_and_clear();
    let Record { mut summary, told, .. } = record;
    summary.seconds = start.elapsed().as_secs_f64();
    let verdict = summary.verdict(list);
    summary.error = verdict.clone().err().map(Message::of);
    let told = told.and_then(|()| out.print(&summary));
    verdict.map_err(Error::documented)?;
    told
}

/// That the list can be read twice, and the results are not the answer.
///
/// # Errors
/// If one of them is no such file.
fn check_files(list: &Path, results: Option<&Path>) -> Result<(), Error> {
    if !files::can_be_read_again(list) {
        let what = "the list is read twice, so it can be nothing but a regular file";
        return Err(Error::usage(what).at_place("--fleet").advise("write it to a file"));
    }
    if results.is_some_and(files::is_pipe) {
        let what = Error::usage("standard output is for the answer").at_place("--results");
        return Err(what.advise("name a file; --json prints what would be in it"));
    }
    Ok(())
}

/// Takes one device after the other, until the list ends or nobody listens any more.
fn work(
    attestor: &Attestor<'_>,
    queue: &Mutex<Targets<'_>>,
    earlier: &Earlier,
    max_age: Duration,
    found: &SyncSender<Result<Found, Error>>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let one = match next {
            None => return,
            Some(Err(error)) => Err(error),
            Some(Ok(target)) => {
                let policy = attestor.policy(&target);
                let what = match earlier.of(&target.endpoint, &policy, grille_pki::now(), max_age) {
                    Before::Known(known) => What::Before(known.clone()),
                    before => What::Now {
                        outcome: Outcome::of(attestor, &target).0,
                        again: matches!(before, Before::Outdated),
                    },
                };
                Ok(Found { endpoint: target.endpoint, policy, what })
            }
        };
        if found.send(one).is_err() {
            return;
        }
    }
}

/// What is known of a device of the list.
struct Found {
    endpoint: String,
    policy: Policy,
    what: What,
}

enum What {
    /// What came of it in this run; whether its last verdict was outdated.
    Now { outcome: Outcome, again: bool },
    /// A verdict of an earlier run.
    Before(Known),
}

impl Found {
    /// The key that the device proved itself with, now or before.
    fn key(&self) -> Option<Fingerprint> {
        match &self.what {
            What::Now { outcome, .. } => outcome.key(),
            What::Before(known) => known.key,
        }
    }
}

/// What is made of all that was found.
struct Record<'a> {
    allow_shared_key: bool,
    results: Option<Results<'a>>,
    summary: Summary,
    /// Where each key answered first.
    holders: KeyHolders<Counted>,
    /// Whether somebody still reads the documents.
    told: Result<(), Error>,
}

/// How a device was counted.
struct Counted {
    verdict: Verdict,
    policy: Policy,
    /// Whether it was asked in an earlier run.
    before: bool,
}

impl Record<'_> {
    /// Counts a device, and writes what was found.
    ///
    /// # Errors
    /// If the results cannot be written.
    fn take(&mut self, found: Found, out: &mut Output) -> Result<(), Error> {
        let shared = self.check_key(&found, out)?;
        let Found { endpoint, policy, what } = found;
        match (what, shared) {
            (What::Now { mut outcome, again }, shared) => {
                shared.into_iter().for_each(|finding| outcome.add(finding));
                self.summary.count(&outcome, again);
                self.write(&outcome.line(&policy), out)
            }
            // what was found now corrects what was known
            (What::Before(known), Some(finding)) if known.verdict != Verdict::NotTrusted => {
                let outcome = Outcome::shares_key(&endpoint, &finding);
                self.summary.count(&outcome, true);
                self.write(&outcome.line(&policy), out)
            }
            (What::Before(known), _) => {
                self.summary.count_known(&known, &endpoint);
                // every run says which devices are not trusted
                if known.verdict == Verdict::NotTrusted {
                    let outcome = Outcome::distrusted_before(&endpoint, known.reason());
                    self.tell(&outcome.line_of_before(&policy, known.time.to_string()), out);
                }
                Ok(())
            }
        }
    }

    /// What to hold against a device whose key answered at another endpoint before. The device there was told of before this was
    /// known, and is told of once more.
    fn check_key(&mut self, found: &Found, out: &mut Output) -> Result<Option<Finding>, Error> {
        let Some(key) = found.key() else { return Ok(None) };
        let (verdict, before) = match &found.what {
            What::Now { outcome, .. } => (outcome.verdict(), false),
            What::Before(known) => (known.verdict, true),
        };
        let counted = Counted { verdict, policy: found.policy.clone(), before };
        let Some(Shared { first, alone }) = self.holders.note(key, &found.endpoint, counted) else {
            return Ok(None);
        };
        if let Some(Counted { verdict, policy, before }) = alone
            && verdict != Verdict::NotTrusted
            && !self.allow_shared_key
        {
            let outcome = Outcome::shares_key(&first, &self.finding(&found.endpoint));
            self.summary.correct(verdict, before, &outcome);
            self.write(&outcome.line(&policy), out)?;
        }
        Ok(Some(self.finding(&first)))
    }

    /// That the key of a device answers at `other` too.
    fn finding(&self, other: &str) -> Finding {
        let finding = Finding::new(Reason::SharedKey, shared_keys::message(other));
        finding
            .unless(self.allow_shared_key)
            .advise("find out whether a key was copied; if it is one device, --allow-shared-key trusts it")
    }

    /// Appends a line to the results, and tells it.
    fn write(&mut self, line: &Line<'_>, out: &mut Output) -> Result<(), Error> {
        if let Some(results) = &mut self.results {
            results.append(line)?;
        }
        self.tell(line, out);
        Ok(())
    }

    /// Whether anybody reads it or not, the run goes on.
    fn tell(&mut self, line: &Line<'_>, out: &mut Output) {
        if out.is_json() && self.told.is_ok() {
            self.told = out.document(line);
        }
    }
}

impl Output {
    /// A bar on standard error that people at a terminal see.
    fn bar(&self, len: u64) -> ProgressBar {
        if !self.is_watched() {
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
