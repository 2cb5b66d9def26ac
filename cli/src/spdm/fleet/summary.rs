//! Summary of a fleet's verdicts.

use super::super::appraisal::reason::{Reason, Verdict};
use super::super::outcome::Outcome;
use super::super::results::EarlierVerdict;
use crate::error::Error;
use crate::output::{BAD, DIM, GOOD, Message, Output, Report, WARN, format_count, printable};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The maximum number of distrusted or failed devices that the summary names.
const MAX_NAMED: usize = 20;

/// The number of devices by verdict.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    devices: usize,
    /// Devices attested in this run and trusted.
    trusted: usize,
    /// Devices attested in this run and authenticated, whose measurements were not compared.
    authentic: usize,
    not_trusted: usize,
    /// Devices without a verdict of this run, for example unreachable devices.
    failed: usize,
    /// Devices with a verdict of an earlier run, which were not attested again.
    known: usize,
    /// Devices in `known` that are trusted.
    known_trusted: usize,
    /// Devices in `known` that are authentic, but whose measurements were not compared.
    known_authentic: usize,
    /// Devices in `known` that are not trusted.
    known_not_trusted: usize,
    /// Devices whose earlier verdict was too old or under another policy, and which were attested again.
    again: usize,
    /// Trusted and authentic devices, of this and earlier runs, whose authentication a quantum computer could forge.
    forgeable: usize,
    /// Trusted and authentic devices, of this and earlier runs, with test credentials.
    test_credentials: usize,
    pub(super) seconds: f64,
    /// The error if a device is not trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Message>,
    /// Failed devices whose digests cannot be compared with the manifest.
    #[serde(skip)]
    incomparable: usize,
    /// Whether there is a results file, and whether the run resumes it.
    #[serde(skip)]
    has_results_file: bool,
    #[serde(skip)]
    resumes: bool,
    /// The first distrusted or failed devices of this run: whether the device is distrusted, and its error.
    #[serde(skip)]
    failures: Vec<(bool, String)>,
    /// The first distrusted devices of earlier runs, in the form of `failures`.
    #[serde(skip)]
    earlier_failures: Vec<(bool, String)>,
}

impl Summary {
    /// Creates a summary for `devices` devices. `has_results_file`: whether there is a results file. `resumes`: whether
    /// the run continues that file.
    pub(super) fn new(devices: usize, has_results_file: bool, resumes: bool) -> Self {
        Self { devices, has_results_file, resumes, ..Self::default() }
    }

    /// Counts a device that was attested in this run. `again`: whether its earlier verdict was outdated.
    pub(super) fn count(&mut self, outcome: &Outcome, again: bool) {
        self.again += usize::from(again);
        let judgement = outcome.judgement();
        *self.counter(judgement.verdict(), false) += 1;
        self.incomparable += usize::from(judgement.reason() == Some(Reason::Incomparable));
        match outcome.error() {
            Some(error) => add_named(&mut self.failures, outcome.verdict(), &error),
            None => {
                let is_test = judgement.findings().iter().any(|finding| finding.reason.is_test_credential());
                self.count_proof(outcome.is_quantum_safe(), is_test);
            }
        }
    }

    /// Counts a device that was attested in an earlier run.
    pub(super) fn count_known(&mut self, known: &EarlierVerdict, endpoint: &str) {
        self.known += 1;
        *self.counter(known.verdict, true) += 1;
        if known.verdict == Verdict::NotTrusted {
            let outcome = Outcome::distrusted_before(endpoint, known.reason());
            outcome
                .error()
                .iter()
                .for_each(|error| add_named(&mut self.earlier_failures, known.verdict, error));
        } else {
            self.count_proof(known.quantum_safe, known.is_test);
        }
    }

    /// Replaces the verdict of a counted device. `is_earlier`: whether the verdict came from an earlier run.
    pub(super) fn replace_verdict(&mut self, verdict: Verdict, is_earlier: bool, outcome: &Outcome) {
        let counter = self.counter(verdict, is_earlier);
        *counter = counter.saturating_sub(1);
        *self.counter(outcome.verdict(), is_earlier) += 1;
        outcome.error().iter().for_each(|error| add_named(&mut self.failures, outcome.verdict(), error));
    }

    fn count_proof(&mut self, quantum_safe: bool, is_test: bool) {
        self.forgeable += usize::from(!quantum_safe);
        self.test_credentials += usize::from(is_test);
    }

    fn counter(&mut self, verdict: Verdict, is_earlier: bool) -> &mut usize {
        match (verdict, is_earlier) {
            (Verdict::Trusted, false) => &mut self.trusted,
            (Verdict::Authentic, false) => &mut self.authentic,
            (Verdict::NotTrusted, false) => &mut self.not_trusted,
            (Verdict::Trusted, true) => &mut self.known_trusted,
            (Verdict::Authentic, true) => &mut self.known_authentic,
            (Verdict::NotTrusted, true) => &mut self.known_not_trusted,
            (Verdict::Undecided, _) => &mut self.failed,
        }
    }

    /// Iterates over the untrusted and failed devices that the summary lists, at most [`MAX_NAMED`]. The devices of
    /// this run come before those of earlier runs.
    fn named_devices(&self) -> impl Iterator<Item = &(bool, String)> {
        self.failures.iter().chain(&self.earlier_failures).take(MAX_NAMED)
    }

    /// Returns the number of distrusted devices, of this and earlier runs.
    const fn distrusted(&self) -> usize {
        self.not_trusted + self.known_not_trusted
    }

    /// Checks that every device is trusted.
    ///
    /// # Errors
    /// Returns an error if a device is not trusted or has no verdict.
    pub(super) fn verdict(&self, list: &Path) -> Result<(), Error> {
        let (bad, failed) = (self.distrusted(), self.failed);
        let are = if bad == 1 { "is" } else { "are" };
        let distrusted = format!("{} {are} not trusted", format_count(bad, "device"));
        let open = format!("{} could not be attested", format_count(failed, "device"));
        let error = match (bad, failed) {
            (0, 0) => return Ok(()),
            (0, _) => Error::failure(open),
            (_, 0) => Error::mismatch(distrusted),
            _ => Error::mismatch(format_args!("{distrusted}, and {open}")),
        };
        let error = error.at(list);
        Err(if failed == 0 { error } else { error.advise(self.advice()) })
    }

    /// Advises how to get verdicts on the devices that could not be attested.
    const fn advice(&self) -> &'static str {
        if self.incomparable == self.failed {
            "save a manifest of a known good device, with --save and without --reference: the devices use a hash other than the manifest's"
        } else if self.has_results_file && self.resumes {
            "repeat the command to attest only these devices again"
        } else if self.has_results_file {
            "repeat the command with --resume to attest only these devices again"
        } else {
            "use --results and --resume, so that another run attests only the devices without a verdict"
        }
    }
}

/// Records a distrusted or failed device, unless the list is full.
fn add_named(named: &mut Vec<(bool, String)>, verdict: Verdict, error: &Error) {
    if named.len() < MAX_NAMED {
        named.push((verdict == Verdict::NotTrusted, error.to_string()));
    }
}

impl Report for Summary {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        for (distrusted, text) in self.named_devices() {
            let (style, mark) = if *distrusted { (BAD, "✗") } else { (WARN, "?") };
            writeln!(out, "{style}{mark}{style:#} {}", printable(text))?;
        }
        let unnamed = self.distrusted() + self.failed - self.named_devices().count();
        if unnamed > 0 {
            writeln!(out, "{DIM}and {unnamed} more{DIM:#}")?;
        }
        self.counts(out)?;
        let Self { authentic, known_authentic, known, again, forgeable, test_credentials, .. } = self;
        if authentic + known_authentic > 0 {
            writeln!(out, "{DIM}authentic: measurements not compared; compare them with --reference{DIM:#}")?;
        }
        if *known > 0 {
            writeln!(out, "{DIM}{known} known: not attested again because of --resume{DIM:#}")?;
        }
        if *again > 0 {
            writeln!(
                out,
                "{DIM}{again} attested again: the earlier verdict was too old, or under another policy{DIM:#}"
            )?;
        }
        if *test_credentials > 0 {
            let credentials = "test credentials: an emulated device, a public test root or a public test key";
            writeln!(out, "{WARN}!{WARN:#} {test_credentials} with {credentials}")?;
        }
        if *forgeable > 0 {
            let devices = "these trusted or authentic devices, because their chain or key is classical";
            writeln!(
                out,
                "{WARN}!{WARN:#} {forgeable} forgeable: a quantum computer could forge the proof of {devices}"
            )?;
        }
        Ok(())
    }
}

impl Summary {
    /// Prints the counts, each under its name in JSON.
    fn counts(&self, out: &mut Output) -> io::Result<()> {
        let Self { devices, trusted, authentic, not_trusted, failed, known, .. } = self;
        write!(out, "{}: {GOOD}{trusted} trusted{GOOD:#}", format_count(devices, "device"))?;
        let now =
            [(GOOD, authentic, "authentic"), (BAD, not_trusted, "not trusted"), (WARN, failed, "failed")];
        for (style, count, label) in now {
            if *count > 0 {
                write!(out, ", {style}{count} {label}{style:#}")?;
            }
        }
        if *known > 0 {
            write!(out, ", {known} known: {GOOD}{} trusted{GOOD:#}", self.known_trusted)?;
        }
        let before =
            [(GOOD, self.known_authentic, "authentic"), (BAD, self.known_not_trusted, "not trusted")];
        for (style, count, label) in before {
            if count > 0 {
                write!(out, ", {style}{count} {label}{style:#}")?;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "shown without digits")]
        let rate = (devices - known) as f64 / self.seconds.max(f64::EPSILON);
        writeln!(out, "; {:.1} s, {rate:.0} per second", self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::appraisal::reason::Finding;
    use super::*;

    fn failures(host: usize) -> Outcome {
        Outcome::shares_key(&format!("host-{host}"), &Finding::new(Reason::SharedKey, "bad"))
    }

    #[test]
    fn names_bad_devices_of_this_run_first() {
        let mut summary = Summary::default();
        let known = EarlierVerdict::distrusted("2026-11-27T00:00:00Z");
        (0..MAX_NAMED).for_each(|at| summary.count_known(&known, &format!("host-{at}")));
        (MAX_NAMED..MAX_NAMED + 2).for_each(|at| summary.count(&failures(at), false));
        let named: Vec<&str> =
            summary.named_devices().filter_map(|(_, text)| text.split(':').next()).collect();
        assert_eq!((named.len(), &named[..3]), (MAX_NAMED, &["host-20", "host-21", "host-0"][..]));
    }

    #[test]
    fn corrected_device_counts_once() {
        let mut summary =
            Summary { trusted: 2, known_authentic: 1, known: 1, devices: 3, ..Summary::default() };
        summary.replace_verdict(Verdict::Trusted, false, &failures(1));
        assert_eq!((summary.trusted, summary.not_trusted), (1, 1));
        summary.replace_verdict(Verdict::Authentic, true, &failures(2));
        assert_eq!((summary.known_authentic, summary.known_not_trusted, summary.failures.len()), (0, 1, 2));
    }
}
