//! What came of one device, as results and JSON have it: the same of one that is asked alone and of one of a fleet.

use super::attested::Attested;
use super::attestor::Attestor;
use super::policy::Policy;
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
    /// It did not, or nobody knows.
    Failed(Failed),
}

/// What is known of a device that did not prove itself.
#[derive(Serialize)]
pub(super) struct Failed {
    endpoint: String,
    /// False if it could not prove itself, nothing if nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted: Option<bool>,
    #[serde(skip)]
    error: Error,
}

impl Outcome {
    /// Attests the device at `endpoint`; returns what it measures too.
    pub(super) fn of(attestor: &Attestor<'_>, endpoint: &str) -> (Self, Vec<MeasuredBlock>) {
        match attestor.attest(endpoint) {
            Ok((attested, blocks)) => (Self::Attested(Box::new(attested)), blocks),
            Err(error) => {
                let trusted = (error.kind() == Kind::Mismatch).then_some(false);
                (Self::Failed(Failed { endpoint: endpoint.to_owned(), trusted, error }), Vec::new())
            }
        }
    }

    /// Of a device that an earlier run did not trust, and that is not asked again.
    pub(super) fn distrusted_before(endpoint: String) -> Self {
        let error = Error::mismatch("was not trusted before").at_place(&endpoint);
        let error = error.advise("the last line of it in --results says why");
        Self::Failed(Failed { endpoint, trusted: Some(false), error })
    }

    /// The device, as it was asked for.
    pub(super) fn endpoint(&self) -> &str {
        match self {
            Self::Attested(attested) => attested.endpoint(),
            Self::Failed(failed) => &failed.endpoint,
        }
    }

    /// The verdict, if there is one.
    pub(super) fn is_trusted(&self) -> Option<bool> {
        match self {
            Self::Attested(attested) => attested.is_trusted(),
            Self::Failed(failed) => failed.trusted,
        }
    }

    /// Whether no quantum computer could have forged the proof.
    pub(super) fn is_quantum_safe(&self) -> bool {
        matches!(self, Self::Attested(attested) if attested.is_quantum_safe())
    }

    /// Why the device is not to be trusted, or why nobody knows.
    pub(super) fn reason(&self) -> Option<Error> {
        match self {
            Self::Attested(attested) => {
                let told = attested.mismatch().map(|[what, advice]| {
                    let told =
                        format_args!("the device measures something else than the manifest says: {what}");
                    Error::mismatch(told).advise(advice)
                });
                let open =
                    || attested.obstacle().map(|[what, advice]| Error::incomparable(what).advise(advice));
                told.or_else(open).map(|error| error.at_place(attested.endpoint()))
            }
            Self::Failed(failed) => Some(failed.error.clone()),
        }
    }

    /// As results and JSON have it, with the policy that it was judged by.
    pub(super) fn line<'a>(&'a self, policy: &'a Policy) -> Line<'a> {
        let (error, time) = (self.reason().map(Message::of), grille_pki::moment(grille_pki::now()));
        Line { outcome: self, error, policy, known: false, time, schema: SCHEMA }
    }

    /// The same, where it came at this time of an earlier run.
    pub(super) fn line_of_before<'a>(&'a self, policy: &'a Policy, time: String) -> Line<'a> {
        Line { known: true, time, ..self.line(policy) }
    }
}

/// What came of one device, and when; `docs/spdm.md` says what is in it.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    #[serde(flatten)]
    outcome: &'a Outcome,
    /// Wherever it is not trusted.
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
const SCHEMA: &str = "grille-spdm-attest-2";
/// What this and that of every other release begins with.
pub(super) const SCHEMAS: &str = "grille-spdm-attest-";
