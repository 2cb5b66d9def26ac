//! What came of one device, as results and JSON have it: the same of one that is asked alone and of one of a fleet.

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

/// What came of one device.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    /// It proved itself.
    Attested(Box<Attested>),
    /// It did not, or could not be asked.
    Failed(Failed),
}

/// What is known of a device that did not prove itself in this run.
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
        let judgement = Judgement::of(vec![Finding::new(reason, error.what())]);
        Self { endpoint: endpoint.to_owned(), judgement, error: error.with_code(reason.code()) }
    }
}

impl Outcome {
    /// Attests a device; returns what it measures too.
    pub(super) fn of(attestor: &Attestor<'_>, target: &Target) -> (Self, Vec<MeasuredBlock>) {
        match attestor.attest(target) {
            Ok((attested, blocks)) => (Self::Attested(Box::new(attested)), blocks),
            Err(error) => {
                let reason = error.code().and_then(Reason::by_code).unwrap_or(Reason::LocalFailure);
                (Self::Failed(Failed::new(&target.endpoint, reason, error)), Vec::new())
            }
        }
    }

    /// Of a device that an earlier run did not trust for this reason, and that is not asked again.
    pub(super) fn distrusted_before(endpoint: &str, reason: Reason) -> Self {
        let error = Error::mismatch("was not trusted before").at_place(endpoint);
        let error = error.advise("the last line of it in --results says why");
        Self::Failed(Failed::new(endpoint, reason, error))
    }

    /// Of a device that had a verdict, and whose key answers at another endpoint too.
    pub(super) fn shares_key(endpoint: &str, finding: &Finding) -> Self {
        Self::Failed(Failed::new(
            endpoint,
            finding.reason,
            mismatch(&finding.message, finding.advice.as_deref(), endpoint),
        ))
    }

    /// The verdict with its findings.
    pub(super) const fn judgement(&self) -> &Judgement {
        match self {
            Self::Attested(attested) => attested.judgement(),
            Self::Failed(failed) => &failed.judgement,
        }
    }

    /// The verdict.
    pub(super) const fn verdict(&self) -> Verdict {
        self.judgement().verdict()
    }

    /// The key that the device proved itself with, if it did.
    pub(super) fn key(&self) -> Option<Fingerprint> {
        match self {
            Self::Attested(attested) => Some(attested.identity().key),
            Self::Failed(_) => None,
        }
    }

    /// Adds a finding about a device that proved itself.
    pub(super) fn add(&mut self, finding: Finding) {
        if let Self::Attested(attested) = self {
            attested.add(finding);
        }
    }

    /// Whether no quantum computer could have forged the proof.
    pub(super) fn is_quantum_safe(&self) -> bool {
        matches!(self, Self::Attested(attested) if attested.is_quantum_safe())
    }

    /// Why the device is not to be trusted, or why nobody knows.
    pub(super) fn error(&self) -> Option<Error> {
        let attested = match self {
            Self::Attested(attested) => attested,
            Self::Failed(failed) => return Some(failed.error.clone()),
        };
        let judgement = attested.judgement();
        let error = match judgement.verdict() {
            Verdict::Trusted | Verdict::Authentic => return None,
            Verdict::Undecided => {
                let error = Error::incomparable(judgement.text()).at_place(attested.endpoint());
                advised(error, judgement.advice())
            }
            Verdict::NotTrusted => mismatch(&judgement.text(), judgement.advice(), attested.endpoint()),
        };
        Some(match judgement.reason() {
            Some(reason) => error.with_code(reason.code()),
            None => error,
        })
    }

    /// As results and JSON have it, with the policy that it was judged by.
    pub(super) fn line<'a>(&'a self, policy: &'a Policy) -> Line<'a> {
        let (error, time) = (self.error().map(Message::of), grille_pki::moment(grille_pki::now()));
        Line { outcome: self, error, policy, known: false, time, schema: SCHEMA }
    }

    /// The same, where it came at this time of an earlier run.
    pub(super) fn line_of_before<'a>(&'a self, policy: &'a Policy, time: String) -> Line<'a> {
        Line { known: true, time, ..self.line(policy) }
    }
}

/// That a device is not trusted.
fn mismatch(why: &str, advice: Option<&str>, endpoint: &str) -> Error {
    advised(Error::mismatch(format_args!("not trusted: {why}")).at_place(endpoint), advice)
}

fn advised(error: Error, advice: Option<&str>) -> Error {
    match advice {
        Some(advice) => error.advise(advice),
        None => error,
    }
}

/// The exit code of `grille spdm attest` where there is no verdict.
pub(super) const NO_VERDICT: u8 = 3;

/// The error with the exit code of attestation: 1 is a verdict, 2 a mistake in the command line, 3 that there is no verdict.
pub(super) fn with_exit(error: Error) -> Error {
    match error.kind() {
        Kind::Failure | Kind::Incomparable => error.with_exit(NO_VERDICT),
        Kind::Mismatch | Kind::Usage | Kind::ClosedPipe => error,
    }
}

/// What came of one device, and when; `docs/spdm.md` says what is in it.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    /// Wherever it is not trusted, or there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Message>,
    policy: &'a Policy,
    /// Whether an earlier run found it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    known: bool,
    /// When it came, in UTC.
    time: String,
    schema: &'static str,
}

/// Another name where a field changes its meaning or disappears.
const SCHEMA: &str = "grille-spdm-attest-3";
/// What this and that of every other release begins with.
pub(super) const SCHEMAS: &str = "grille-spdm-attest-";
