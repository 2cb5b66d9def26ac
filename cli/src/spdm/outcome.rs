//! The outcome of attesting one device, as in results and JSON; identical for a single device and a fleet member.

use super::appraisal::identity::Fingerprint;
use super::appraisal::judgement::Judgement;
use super::appraisal::reason::{Finding, Reason, Verdict};
use super::attested::Attested;
use super::attestor::Attestor;
use super::policy::Policy;
use super::target::Target;
use crate::error::{Error, Kind};
use crate::output::Message;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;

/// The outcome of attesting one device.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    /// The device was authenticated and appraised.
    Attested(Box<Attested>),
    /// The device could not be authenticated or reached.
    Failed(Failed),
}

/// A failed attestation.
#[derive(Serialize)]
pub(super) struct Failed {
    endpoint: String,
    #[serde(flatten)]
    judgement: Judgement,
    #[serde(skip)]
    error: Error,
}

impl Failed {
    fn new(endpoint: &str, reason: Reason, error: Error) -> Self {
        let judgement = Judgement::new(vec![Finding::new(reason, error.problem())]);
        Self { endpoint: endpoint.to_owned(), judgement, error: error.with_code(reason.code()) }
    }
}

impl Outcome {
    /// Attests a device, and also returns its measurements.
    pub(super) fn attest(attestor: &Attestor<'_>, target: &Target) -> (Self, Vec<MeasuredBlock>) {
        match attestor.attest(target) {
            Ok((attested, blocks)) => (Self::Attested(Box::new(attested)), blocks),
            Err(error) => {
                let reason = error.code().and_then(Reason::by_code).unwrap_or(Reason::LocalFailure);
                (Self::Failed(Failed::new(&target.endpoint, reason, error)), Vec::new())
            }
        }
    }

    /// Returns the outcome for a device that an earlier run distrusted for this reason, and that is not attested again.
    pub(super) fn distrusted_before(endpoint: &str, reason: Reason) -> Self {
        let error = Error::mismatch("not trusted in an earlier run").with_place(endpoint);
        let error = error.advise("see the device's last line in --results");
        Self::Failed(Failed::new(endpoint, reason, error))
    }

    /// Returns the corrected outcome for a device whose key also answers at another endpoint.
    pub(super) fn shares_key(endpoint: &str, finding: &Finding) -> Self {
        Self::Failed(Failed::new(
            endpoint,
            finding.reason,
            mismatch(&finding.message, finding.advice.as_deref(), endpoint),
        ))
    }

    /// Returns the verdict with its findings.
    pub(super) const fn judgement(&self) -> &Judgement {
        match self {
            Self::Attested(attested) => attested.judgement(),
            Self::Failed(failed) => &failed.judgement,
        }
    }

    /// Returns the verdict.
    pub(super) const fn verdict(&self) -> Verdict {
        self.judgement().verdict()
    }

    /// Returns the key that authenticated the device, if the device was authenticated.
    pub(super) fn key(&self) -> Option<Fingerprint> {
        match self {
            Self::Attested(attested) => Some(attested.identity().key),
            Self::Failed(_) => None,
        }
    }

    /// Adds a finding about an authenticated device.
    pub(super) fn add(&mut self, finding: Finding) {
        if let Self::Attested(attested) = self {
            attested.add(finding);
        }
    }

    /// Returns whether a quantum computer cannot forge the device's authentication.
    pub(super) fn is_quantum_safe(&self) -> bool {
        matches!(self, Self::Attested(attested) if attested.is_quantum_safe())
    }

    /// Returns the error if the device is not trusted, or has no verdict.
    pub(super) fn error(&self) -> Option<Error> {
        let attested = match self {
            Self::Attested(attested) => attested,
            Self::Failed(failed) => return Some(failed.error.clone()),
        };
        let judgement = attested.judgement();
        let error = match judgement.verdict() {
            Verdict::Trusted | Verdict::Authentic => return None,
            Verdict::Undecided => {
                let error = Error::incomparable(judgement.text()).with_place(attested.endpoint());
                add_advice(error, judgement.advice())
            }
            Verdict::NotTrusted => mismatch(&judgement.text(), judgement.advice(), attested.endpoint()),
        };
        Some(match judgement.reason() {
            Some(reason) => error.with_code(reason.code()),
            None => error,
        })
    }

    /// Returns the line for results and JSON, with the policy of the appraisal.
    pub(super) fn line<'a>(&'a self, policy: &'a Policy) -> Line<'a> {
        let (error, time) = (self.error().map(Message::new), grille_pki::format_time(grille_pki::now()));
        Line { outcome: self, error, policy, known: false, time, schema: SCHEMA }
    }

    /// Returns the line for an outcome of an earlier run at `time`.
    pub(super) fn earlier_line<'a>(&'a self, policy: &'a Policy, time: String) -> Line<'a> {
        Line { known: true, time, ..self.line(policy) }
    }
}

/// Returns the error for a distrusted device.
fn mismatch(reason: &str, advice: Option<&str>, endpoint: &str) -> Error {
    add_advice(Error::mismatch(format_args!("not trusted: {reason}")).with_place(endpoint), advice)
}

fn add_advice(error: Error, advice: Option<&str>) -> Error {
    match advice {
        Some(advice) => error.advise(advice),
        None => error,
    }
}

/// The exit code of `grille spdm attest` if there is no verdict.
pub(super) const NO_VERDICT: u8 = 3;

/// Sets the exit code of attestation: 1 for an untrusted device, 2 for an invalid command line, 3 for no verdict.
pub(super) fn with_exit(error: Error) -> Error {
    match error.kind() {
        Kind::Failure | Kind::Incomparable => error.with_exit(NO_VERDICT),
        Kind::Mismatch | Kind::Usage | Kind::ClosedPipe => error,
    }
}

/// The outcome for one device with its time; `docs/guide/src/25-spdm-manual.md` documents the members.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    /// Present if the device is not trusted, or has no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
    policy: &'a Policy,
    /// Whether the outcome comes from an earlier run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    known: bool,
    /// The time of the outcome, in UTC.
    time: String,
    schema: &'static str,
}

/// The schema name; it changes if a member changes its meaning or disappears.
const SCHEMA: &str = "grille-spdm-attest-3";
/// The common prefix of the schema names of all releases.
pub(super) const SCHEMAS: &str = "grille-spdm-attest-";
