//! How many devices of a fleet are what they should be.

use super::super::appraisal::reason::{Reason, Verdict};
use super::super::outcome::Outcome;
use super::super::results::Known;
use crate::error::Error;
use crate::output::{BAD, DIM, GOOD, Message, Output, Report, WARN, counted, printable};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// How many bad devices the summary names.
const NAMED: usize = 20;

/// How many devices are what they should be.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    devices: usize,
    /// Of those that were asked in this run, as the next three.
    trusted: usize,
    /// Those that proved their identity, and whose measurements were not compared.
    authentic: usize,
    not_trusted: usize,
    /// Those without a verdict: they could not be reached, or broke off.
    failed: usize,
    /// Those that had a verdict before, and were not asked.
    known: usize,
    /// Of these, those that are to be trusted, as the next two.
    known_trusted: usize,
    known_authentic: usize,
    known_not_trusted: usize,
    /// Those that had a verdict that was too old or of another policy, and were asked again.
    again: usize,
    /// Of the trusted and authentic ones, now and before, those whose proof a quantum computer could forge.
    forgeable: usize,
    /// Of the same, those with test credentials.
    test_credentials: usize,
    pub(super) seconds: f64,
    /// Why not every device is to be trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Message>,
    /// Of those that failed, those whose digests the manifest has of another hash.
    #[serde(skip)]
    incomparable: usize,
    /// Whether there is a file of results, and the run goes on after it.
    #[serde(skip)]
    keeps: bool,
    #[serde(skip)]
    resumes: bool,
    /// The first bad ones of this run, and why; whether that is a verdict.
    #[serde(skip)]
    bad: Vec<(bool, String)>,
    /// Those of earlier ones.
    #[serde(skip)]
    bad_before: Vec<(bool, String)>,
}

impl Summary {
    /// Of so many devices. `keeps`: there is a file of results; `resumes`: the run goes on after it.
    pub(super) fn of(devices: usize, keeps: bool, resumes: bool) -> Self {
        Self { devices, keeps, resumes, ..Self::default() }
    }

    /// Counts a device that was asked. `again`: its last verdict was outdated.
    pub(super) fn count(&mut self, outcome: &Outcome, again: bool) {
        self.again += usize::from(again);
        let judgement = outcome.judgement();
        *self.counter(judgement.verdict(), false) += 1;
        self.incomparable += usize::from(judgement.reason() == Some(Reason::Incomparable));
        match outcome.error() {
            Some(error) => name(&mut self.bad, outcome.verdict(), &error),
            None => {
                let is_test = judgement.findings().iter().any(|finding| finding.reason.is_test_credential());
                self.count_proof(outcome.is_quantum_safe(), is_test);
            }
        }
    }

    /// Counts a device that was asked before.
    pub(super) fn count_known(&mut self, known: &Known, endpoint: &str) {
        self.known += 1;
        *self.counter(known.verdict, true) += 1;
        if known.verdict == Verdict::NotTrusted {
            let outcome = Outcome::distrusted_before(endpoint, known.reason());
            outcome.error().iter().for_each(|error| name(&mut self.bad_before, known.verdict, error));
        } else {
            self.count_proof(known.quantum_safe, known.is_test);
        }
    }

    /// A device that was counted with this verdict, in an earlier run if `before`, has another one now.
    pub(super) fn correct(&mut self, verdict: Verdict, before: bool, outcome: &Outcome) {
        let counter = self.counter(verdict, before);
        *counter = counter.saturating_sub(1);
        *self.counter(outcome.verdict(), before) += 1;
        outcome.error().iter().for_each(|error| name(&mut self.bad, outcome.verdict(), error));
    }

    fn count_proof(&mut self, quantum_safe: bool, is_test: bool) {
        self.forgeable += usize::from(!quantum_safe);
        self.test_credentials += usize::from(is_test);
    }

    fn counter(&mut self, verdict: Verdict, before: bool) -> &mut usize {
        match (verdict, before) {
            (Verdict::Trusted, false) => &mut self.trusted,
            (Verdict::Authentic, false) => &mut self.authentic,
            (Verdict::NotTrusted, false) => &mut self.not_trusted,
            (Verdict::Trusted, true) => &mut self.known_trusted,
            (Verdict::Authentic, true) => &mut self.known_authentic,
            (Verdict::NotTrusted, true) => &mut self.known_not_trusted,
            (Verdict::Undecided, _) => &mut self.failed,
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

    /// Whether every device of the list is to be trusted.
    ///
    /// # Errors
    /// If one is not.
    pub(super) fn verdict(&self, list: &Path) -> Result<(), Error> {
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
        Err(if failed == 0 { error } else { error.advise(self.advice()) })
    }

    /// What brings a verdict on those that could not be attested.
    const fn advice(&self) -> &'static str {
        if self.incomparable == self.failed {
            "the manifest is of another hash than these measure with: --save without --reference writes one of theirs, of a device that is as it should be"
        } else if self.keeps && self.resumes {
            "the same command asks again those alone that could not be attested"
        } else if self.keeps {
            "with --resume the same command asks again those alone that could not be attested"
        } else {
            "with --results and --resume another run asks those alone that could not be attested"
        }
    }
}

/// Names a bad device, if few were named before.
fn name(named: &mut Vec<(bool, String)>, verdict: Verdict, error: &Error) {
    if named.len() < NAMED {
        named.push((verdict == Verdict::NotTrusted, error.to_string()));
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
        let Self { authentic, known_authentic, known, again, forgeable, test_credentials, .. } = self;
        if authentic + known_authentic > 0 {
            writeln!(out, "{DIM}authentic: measurements not compared; --reference compares them{DIM:#}")?;
        }
        if *known > 0 {
            writeln!(out, "{DIM}{known} known: not asked again, as --resume says{DIM:#}")?;
        }
        if *again > 0 {
            writeln!(
                out,
                "{DIM}{again} again: the earlier verdict was too old, or of another policy{DIM:#}"
            )?;
        }
        if *test_credentials > 0 {
            let what = "test credentials: an emulated device, a public test root or a public test key";
            writeln!(out, "{WARN}!{WARN:#} {test_credentials} with {what}")?;
        }
        if *forgeable > 0 {
            let whom = "trusted or authentic ones, whose chain or key is classical";
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
        let Self { devices, trusted, authentic, not_trusted, failed, known, .. } = self;
        write!(out, "{}: {GOOD}{trusted} trusted{GOOD:#}", counted(devices, "device"))?;
        let now =
            [(GOOD, authentic, "authentic"), (BAD, not_trusted, "not trusted"), (WARN, failed, "failed")];
        for (style, count, what) in now {
            if *count > 0 {
                write!(out, ", {style}{count} {what}{style:#}")?;
            }
        }
        if *known > 0 {
            write!(out, ", {known} known: {GOOD}{} trusted{GOOD:#}", self.known_trusted)?;
        }
        let before =
            [(GOOD, self.known_authentic, "authentic"), (BAD, self.known_not_trusted, "not trusted")];
        for (style, count, what) in before {
            if count > 0 {
                write!(out, ", {style}{count} {what}{style:#}")?;
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "shown without digits")]
        let rate = (devices - known) as f64 / self.seconds.max(f64::EPSILON);
        writeln!(out, "; {:.1} s, {rate:.0} in a second", self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::appraisal::reason::Finding;
    use super::*;

    fn bad(host: usize) -> Outcome {
        Outcome::shares_key(&format!("host-{host}"), &Finding::new(Reason::SharedKey, "bad"))
    }

    #[test]
    fn of_many_bad_devices_those_of_this_run_are_named() {
        let mut summary = Summary::default();
        let known = Known::distrusted("2026-11-27T00:00:00Z");
        (0..NAMED).for_each(|at| summary.count_known(&known, &format!("host-{at}")));
        (NAMED..NAMED + 2).for_each(|at| summary.count(&bad(at), false));
        let named: Vec<&str> = summary.named().filter_map(|(_, text)| text.split(':').next()).collect();
        assert_eq!((named.len(), &named[..3]), (NAMED, &["host-20", "host-21", "host-0"][..]));
    }

    #[test]
    fn a_corrected_device_counts_once() {
        let mut summary =
            Summary { trusted: 2, known_authentic: 1, known: 1, devices: 3, ..Summary::default() };
        summary.correct(Verdict::Trusted, false, &bad(1));
        assert_eq!((summary.trusted, summary.not_trusted), (1, 1));
        summary.correct(Verdict::Authentic, true, &bad(2));
        assert_eq!((summary.known_authentic, summary.known_not_trusted, summary.bad.len()), (0, 1, 2));
    }
}
