//! The results of --verify, one by one and in total.

use super::super::names::slot;
use crate::error::Error;
use crate::output::{BAD, GOOD, Output, WARN, format_count, printable};
use grille_spdm_dump::verify::{Check, Outcome};
use grille_spdm_dump::{Entry, Side};
use serde::Serialize;
use std::io::{self, Write};

/// One check in the form of the output.
#[derive(Serialize)]
pub(super) struct Checked {
    subject: String,
    prover: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slot: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<&'static str>,
    result: Verdict,
    /// The cause if the check failed or was not possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Right,
    Wrong,
    Unchecked,
}

impl Checked {
    pub(super) fn new(check: &Check) -> Self {
        let (result, why) = match &check.outcome {
            Outcome::Right => (Verdict::Right, None),
            Outcome::Wrong(why) => (Verdict::Wrong, Some(why.to_string())),
            Outcome::Unchecked(why) => (Verdict::Unchecked, Some((*why).to_owned())),
        };
        let prover = if check.prover == Side::Requester { "requester" } else { "responder" };
        let (subject, slot) = (check.subject.to_string(), check.slot);
        let algorithm = Some(check.algorithm).filter(|name| !name.is_empty());
        Self { subject, prover, slot, algorithm, result, why }
    }

    /// Prints the check below its message.
    pub(super) fn show(&self, out: &mut Output) -> io::Result<()> {
        let (style, result) = match self.result {
            Verdict::Right => (GOOD, "right"),
            Verdict::Wrong => (BAD, "wrong"),
            Verdict::Unchecked => (WARN, "not checked"),
        };
        let why = self.why.as_ref().map(|why| format!(": {}", printable(why))).unwrap_or_default();
        writeln!(out, "{:20}{style}{} {result}{why}{style:#}", "", self.name())
    }

    /// Names the check, such as `signature of slot 0 (ML-DSA-87)`.
    fn name(&self) -> String {
        let slot = self.slot.map(|number| format!(" of slot {}", slot(number))).unwrap_or_default();
        let algorithm = self.algorithm.map(|name| format!(" ({name})")).unwrap_or_default();
        format!("{}{slot}{algorithm}", self.subject)
    }
}

/// The number of checks by result.
#[derive(Default, Serialize)]
pub(super) struct Verified {
    right: usize,
    wrong: usize,
    unchecked: usize,
    /// The first failed check, with its packet and message.
    #[serde(skip)]
    first_failure: Option<String>,
    /// The first check that was not possible, with its packet and message.
    #[serde(skip)]
    first_unchecked: Option<String>,
}

impl Verified {
    /// Counts the checks of a message with this name.
    pub(super) fn count(&mut self, entry: &Entry, name: &str) {
        for check in entry.checks.iter().map(Checked::new) {
            let place = || format!("packet {}: {name}: the {}", entry.packet, check.name());
            let why = check.why.as_deref().unwrap_or_default();
            match check.result {
                Verdict::Right => self.right += 1,
                Verdict::Wrong => {
                    self.wrong += 1;
                    self.first_failure.get_or_insert_with(|| format!("{} is wrong: {why}", place()));
                }
                Verdict::Unchecked => {
                    self.unchecked += 1;
                    self.first_unchecked.get_or_insert_with(|| format!("{} was not checked: {why}", place()));
                }
            }
        }
    }

    /// Returns the error if a check failed.
    pub(super) fn error(&self) -> Option<Error> {
        let first = self.first_failure.as_ref()?;
        let problem = match self.wrong {
            1 => first.clone(),
            wrong => format!("{first} (the first of {wrong})"),
        };
        let advice = "check the signer and the capture: the signer's key does not match its certificate, or messages were altered or are missing";
        Some(Error::mismatch(problem).advise(advice))
    }

    /// Returns the error if no check was possible: the capture then proves nothing.
    pub(super) fn no_checks_error(&self) -> Option<Error> {
        if self.right + self.wrong > 0 {
            return None;
        }
        let problem = match &self.first_unchecked {
            Some(first_unchecked) => first_unchecked.as_str(),
            None => "--verify: the capture has no readable certificate chain, signature or MAC",
        };
        Some(Error::failure(problem).advise(MORE_CHECKS))
    }

    /// Returns the warning if only some checks were possible.
    pub(super) fn warning(&self) -> Option<String> {
        let first_unchecked = self.first_unchecked.as_ref().filter(|_| self.wrong == 0 && self.right > 0)?;
        Some(match self.unchecked {
            1 => format!("{first_unchecked}; {MORE_CHECKS}"),
            unchecked => format!("{first_unchecked} (the first of {unchecked}); {MORE_CHECKS}"),
        })
    }

    /// Prints the totals, such as `6 checks: 3 right, 1 wrong, 2 not possible`.
    pub(super) fn show(&self, out: &mut Output) -> io::Result<()> {
        let Self { right, wrong, unchecked, .. } = *self;
        let style = if wrong > 0 { BAD } else { GOOD };
        let checks = format_count(right + wrong + unchecked, "check");
        writeln!(out, "{style}{checks}: {right} right, {wrong} wrong, {unchecked} not possible{style:#}")
    }
}

/// Advice on how to make more checks possible.
const MORE_CHECKS: &str = "give provisioned public keys with --peer-key and --requester-key, session secrets with --keys and --psk, \
     and the negotiation before the capture with --load-state";
