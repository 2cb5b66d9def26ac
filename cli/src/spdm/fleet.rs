//! Many devices at once.

use super::attestor::Attestor;
use super::outcome::{Line, Outcome};
use super::policy::Policy;
use super::results::{Earlier, Known, Results};
use crate::arguments::{self, host_and_address};
use crate::error::{Error, Kind};
use crate::files::{self, reason};
use crate::output::{BAD, DIM, GOOD, Message, Output, Report, WARN, counted, printable};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::iter::Enumerate;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The options about it.
#[derive(clap::Args)]
pub(super) struct Fleet {
    /// Attest every device of this list: HOST or HOST:PORT in each line; # begins a comment.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pcap", "key_log"])]
    fleet: Option<PathBuf>,
    /// Append what is found to this file, a line of JSON for each device, and pass over those that have a verdict there
    /// under the same policy: the roots or the key of --peer_key, the reference, the slot, the session, the transport and
    /// what may be negotiated. Those that were judged under another are judged again, and with another file all.
    #[arg(long, value_name = "FILE", requires = "fleet", conflicts_with = "endpoint")]
    results: Option<PathBuf>,
    /// How many devices are asked at once.
    #[arg(long, value_name = "N", default_value_t = 64, requires = "fleet", conflicts_with = "endpoint", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    jobs: u16,
}

/// The stack of a thread that attests: signatures are verified on it, and chains of SLH-DSA.
const STACK: usize = 1 << 20;

/// How many bad devices the summary names.
const NAMED: usize = 20;

/// Attests every device of the list, and says how many are to be trusted.
///
/// # Errors
/// If files cannot be read or written, or not every device is to be trusted.
pub(super) fn run(fleet: &Fleet, attestor: &Attestor<'_>, out: &mut Output) -> Result<(), Error> {
    let list =
        fleet.fleet.as_deref().ok_or_else(|| Error::usage("no list of devices").at_place("--fleet"))?;
    check_files(list, fleet.results.as_deref())?;
    let policy = attestor.policy()?;
    let (total, doubles) = count(list, attestor.port())?;
    let opened = fleet.results.as_deref().map(|path| Results::open(path, &policy, out)).transpose()?;
    let (mut results, earlier) = opened.unzip();
    let Earlier { done, outdated, .. } = earlier.unwrap_or_default();
    if doubles > 0 {
        let lines = if doubles == 1 { "1 line names".to_owned() } else { format!("{doubles} lines name") };
        out.warn(format_args!(
            "{}: {lines} a device that stood there before; it is asked once",
            list.display()
        ));
    }
    let bar = out.bar(total as u64);
    let mut summary = Summary { devices: total, ..Summary::default() };
    let (start, mut told) = (Instant::now(), Ok(()));
    let queue = Mutex::new(Devices::open(list, attestor.port())?);
    thread::scope(|scope| {
        let (found, all) = mpsc::sync_channel(usize::from(fleet.jobs));
        for _ in 0..usize::from(fleet.jobs).min(total) {
            let (found, queue, done) = (found.clone(), &queue, &done);
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || work(attestor, queue, done, &found))
                .map_err(|error| Error::failure(format_args!("no thread: {error}")).at_place("--jobs"))?;
        }
        drop(found);
        for found in all {
            let found = found?;
            summary.count(&found);
            let line = found.line(&policy);
            if let (Found::Now(outcome), Some(line)) = (&found, &line) {
                summary.again += usize::from(outdated.contains(outcome.endpoint()));
                if let Some(results) = &mut results {
                    results.append(line)?;
                }
            }
            // whether anybody reads it or not, the run goes on
            if let Some(line) = line.filter(|_| out.is_json() && told.is_ok()) {
                told = out.document(&line);
            }
            bar.inc(1);
        }
        Ok::<(), Error>(())
    })?;
    bar.finish_and_clear();
    summary.seconds = start.elapsed().as_secs_f64();
    let verdict = summary.verdict(list, fleet.results.is_some());
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
    queue: &Mutex<Devices<'_>>,
    done: &HashMap<String, Known>,
    found: &SyncSender<Result<Found, Error>>,
) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let one = match next {
            None => return,
            Some(Err(error)) => Err(error),
            Some(Ok(endpoint)) => Ok(match done.get(&endpoint) {
                Some(known) => Found::before(endpoint, known),
                None => Found::Now(Outcome::of(attestor, &endpoint).0),
            }),
        };
        if found.send(one).is_err() {
            return;
        }
    }
}

/// What is known of a device of the list.
enum Found {
    /// What came of it in this run.
    Now(Outcome),
    /// It was trusted in an earlier one: whether no quantum computer could have forged its proof.
    Trusted(bool),
    /// It was not, at this time.
    Distrusted(Outcome, String),
}

impl Found {
    fn before(endpoint: String, known: &Known) -> Self {
        match &known.distrusted {
            None => Self::Trusted(known.quantum_safe == Some(true)),
            Some(time) => Self::Distrusted(Outcome::distrusted_before(endpoint), time.to_string()),
        }
    }

    /// As JSON has it; of a device that was trusted before nothing is new.
    fn line<'a>(&'a self, policy: &'a Policy) -> Option<Line<'a>> {
        match self {
            Self::Now(outcome) => Some(outcome.line(policy)),
            Self::Trusted(_) => None,
            Self::Distrusted(outcome, time) => Some(outcome.line_of_before(policy, time.clone())),
        }
    }
}

/// How many devices the list names, and how many lines name one that a line before does. All lines are read before the first
/// device is asked.
fn count(list: &Path, port: u16) -> Result<(usize, usize), Error> {
    let mut devices = Devices::open(list, port)?;
    let total = devices.by_ref().try_fold(0, |total, device| device.map(|_| total + 1))?;
    if total == 0 {
        return Err(Error::failure("names no device").at(list).advise("a line of it is HOST or HOST:PORT"));
    }
    Ok((total, devices.doubles))
}

/// The devices of a list, each once; empty lines and comments are left out.
struct Devices<'a> {
    list: &'a Path,
    lines: Enumerate<Lines<BufReader<File>>>,
    /// Where a device without a port is asked.
    port: u16,
    /// The addresses that were named.
    known: HashSet<String>,
    doubles: usize,
}

impl<'a> Devices<'a> {
    fn open(list: &'a Path, port: u16) -> Result<Self, Error> {
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

impl Iterator for Devices<'_> {
    type Item = Result<String, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        for (at, line) in self.lines.by_ref() {
            let line = match line {
                Ok(line) => line,
                Err(error) => {
                    let what = format_args!("cannot read: line {}: {}", at + 1, reason(&error));
                    return Some(Err(Error::failure(what).at(self.list)));
                }
            };
            let device = without_comment(&line);
            if device.is_empty() {
                continue;
            }
            if let Err(what) = arguments::host(device) {
                let wrong = Error::failure(format_args!("line {}: {what}", at + 1)).at(self.list);
                return Some(Err(wrong.advise("a line of it is HOST or HOST:PORT")));
            }
            if self.known.insert(host_and_address(device, self.port).1) {
                return Some(Ok(device.to_owned()));
            }
            self.doubles += 1;
        }
        None
    }
}

/// How many devices are what they should be.
#[derive(Default, Serialize)]
struct Summary {
    devices: usize,
    /// Of those that were asked in this run, as the next two.
    trusted: usize,
    not_trusted: usize,
    /// Of these nobody knows: they could not be reached, or broke off.
    failed: usize,
    /// Those that had a verdict before, and were not asked.
    known: usize,
    /// Of these, those that are to be trusted.
    known_trusted: usize,
    /// Of these, those that are not to be trusted.
    known_not_trusted: usize,
    /// Those that had a verdict under another policy, and were asked again.
    again: usize,
    /// Of the trusted ones, now and before, those whose proof a quantum computer could forge.
    forgeable: usize,
    seconds: f64,
    /// Why not every device is to be trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
    /// Of those that failed, those whose digests the manifest has of another hash.
    #[serde(skip)]
    incomparable: usize,
    /// The first bad ones of this run, and why; whether that is a verdict.
    #[serde(skip)]
    bad: Vec<(bool, String)>,
    /// Those of earlier ones.
    #[serde(skip)]
    bad_before: Vec<(bool, String)>,
}

impl Summary {
    fn count(&mut self, found: &Found) {
        let (named, bad) = match found {
            Found::Trusted(quantum_safe) => {
                self.known += 1;
                self.known_trusted += 1;
                self.forgeable += usize::from(!quantum_safe);
                return;
            }
            Found::Distrusted(outcome, _) => {
                self.known += 1;
                self.known_not_trusted += 1;
                let reason = outcome.reason().map(|reason| reason.to_string());
                (&mut self.bad_before, (true, reason.unwrap_or_default()))
            }
            Found::Now(outcome) => {
                let trusted = outcome.is_trusted();
                let Some(reason) = outcome.reason() else {
                    self.trusted += 1;
                    self.forgeable += usize::from(!outcome.is_quantum_safe());
                    return;
                };
                *(if trusted.is_some() { &mut self.not_trusted } else { &mut self.failed }) += 1;
                self.incomparable += usize::from(reason.kind() == Kind::Incomparable);
                (&mut self.bad, (trusted.is_some(), reason.to_string()))
            }
        };
        if named.len() < NAMED {
            named.push(bad);
        }
    }

    /// The bad ones that are named: what is new first.
    fn named(&self) -> impl Iterator<Item = &(bool, String)> {
        self.bad.iter().chain(&self.bad_before).take(NAMED)
    }

    /// Now and before.
    const fn distrusted(&self) -> usize {
        self.not_trusted + self.known_not_trusted
    }

    /// `keeps`: whether there is a file of results.
    fn verdict(&self, list: &Path, keeps: bool) -> Result<(), Error> {
        let (bad, failed) = (self.distrusted(), self.failed);
        let are = if bad == 1 { "is" } else { "are" };
        let distrusted = format!("{} {are} not to be trusted", counted(bad, "device"));
        let open = format!("{} could not be attested", counted(failed, "device"));
        let error = match (bad, failed) {
            (0, 0) => return Ok(()),
            (0, _) => Error::failure(open),
            (_, 0) => Error::mismatch(distrusted),
            _ => Error::mismatch(format_args!("{distrusted}, and {open}")),
        };
        let error = error.at(list);
        Err(if failed == 0 { error } else { error.advise(self.advice(keeps)) })
    }

    /// What brings a verdict on those that could not be attested.
    const fn advice(&self, keeps: bool) -> &'static str {
        if self.incomparable == self.failed {
            "the manifest is of another hash than these measure with: --save without --reference writes one of theirs, of a device that is as it should be"
        } else if keeps {
            "the same command asks again those alone that could not be attested"
        } else {
            "with --results another run asks those alone that could not be attested"
        }
    }
}

impl Report for Summary {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        for (distrusted, text) in self.named() {
            let (style, mark) = if *distrusted { (BAD, "✗") } else { (WARN, "?") };
            writeln!(out, "{style}{mark}{style:#} {}", printable(text))?;
        }
        let unnamed = self.distrusted() + self.failed - self.named().count();
        if unnamed > 0 {
            writeln!(out, "{DIM}and {unnamed} more{DIM:#}")?;
        }
        self.counts(out)?;
        let Self { known, again, forgeable, .. } = self;
        if *known > 0 {
            let how = "another file in --results asks everybody again";
            writeln!(out, "{DIM}{known} known: judged before, and not asked again; {how}{DIM:#}")?;
        }
        if *again > 0 {
            writeln!(out, "{DIM}{again} again: judged before under another policy{DIM:#}")?;
        }
        if *forgeable > 0 {
            let whom = "trusted ones, whose chain or key is classical";
            writeln!(
                out,
                "{WARN}!{WARN:#} {forgeable} forgeable: a quantum computer could forge the proof of {whom}"
            )?;
        }
        Ok(())
    }
}

impl Summary {
    /// The line with the counts that JSON has too, each under its name there.
    fn counts(&self, out: &mut Output) -> io::Result<()> {
        let Self { devices, trusted, not_trusted, failed, known, known_trusted, known_not_trusted, .. } =
            self;
        write!(out, "{}: {GOOD}{trusted} trusted{GOOD:#}", counted(devices, "device"))?;
        for (style, count, what) in [(BAD, not_trusted, "not trusted"), (WARN, failed, "failed")] {
            if *count > 0 {
                write!(out, ", {style}{count} {what}{style:#}")?;
            }
        }
        if *known > 0 {
            write!(out, ", {known} known: {GOOD}{known_trusted} trusted{GOOD:#}")?;
        }
        if *known_not_trusted > 0 {
            write!(out, ", {BAD}{known_not_trusted} not trusted{BAD:#}")?;
        }
        #[expect(clippy::cast_precision_loss, reason = "shown without digits")]
        let rate = (devices - known) as f64 / self.seconds.max(f64::EPSILON);
        writeln!(out, "; {:.1} s, {rate:.0} in a second", self.seconds)
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
    fn of_many_bad_devices_those_of_this_run_are_named() {
        let bad = |endpoint: usize| Outcome::distrusted_before(format!("host-{endpoint}"));
        let mut summary = Summary::default();
        (0..NAMED).for_each(|at| summary.count(&Found::Distrusted(bad(at), String::new())));
        (NAMED..NAMED + 2).for_each(|at| summary.count(&Found::Now(bad(at))));
        let named: Vec<&str> = summary.named().filter_map(|(_, text)| text.split(':').next()).collect();
        assert_eq!((named.len(), &named[..3]), (NAMED, &["host-20", "host-21", "host-0"][..]));
    }
}
