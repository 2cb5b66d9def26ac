//! Reason codes: why a device has its verdict. Programs decide by them, so a code never changes its meaning.

use grille_spdm_engine::error::{Error, Violation};
use serde::{Deserialize, Serialize, Serializer};

/// What an appraisal ends with, from the best to the worst: of several findings the worst decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::spdm) enum Verdict {
    /// The device proved its identity, and its measurements are as the reference says.
    #[default]
    Trusted,
    /// The device proved its identity; its measurements were compared with nothing.
    Authentic,
    /// The device could not be asked, or its measurements could not be compared.
    #[serde(rename = "no_verdict")]
    Undecided,
    /// The device did not prove its identity, or is not as it should be.
    NotTrusted,
}

/// Why. The variants are in the order of [`ROWS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spdm) enum Reason {
    NotCompared,
    TestPsk,
    EmulatedRoot,
    TestRoot,
    Expired,
    NotYetValid,
    Revoked,
    RevocationUnknown,
    UntrustedRoot,
    BadChain,
    BadSignature,
    BadMac,
    OtherKey,
    IdentityMismatch,
    SharedKey,
    MeasurementChanged,
    SecurityVersion,
    MeasurementUnexpected,
    MeasurementMissing,
    DeviceMode,
    Incomparable,
    Unreachable,
    Timeout,
    ConnectionLost,
    Refused,
    Unsupported,
    ProtocolError,
    LocalFailure,
}

/// Every reason with its code, and the verdict that it leads to if no option allows it.
pub(in crate::spdm) const ROWS: [(Reason, &str, Verdict); 28] = [
    // the device is authentic, and nobody said what it should measure
    (Reason::NotCompared, "not_compared", Verdict::Authentic),
    // the session used the published test key of DMTF's emulators
    (Reason::TestPsk, "test_psk", Verdict::Trusted),
    // the chain begins at a root that `grille spdm responder` made
    (Reason::EmulatedRoot, "emulated_root", Verdict::Trusted),
    // the chain begins at a root whose private key is published
    (Reason::TestRoot, "test_root", Verdict::NotTrusted),
    // a certificate of the chain
    (Reason::Expired, "expired", Verdict::NotTrusted),
    (Reason::NotYetValid, "not_yet_valid", Verdict::NotTrusted),
    // an issuer of the chain revoked a certificate
    (Reason::Revoked, "revoked", Verdict::NotTrusted),
    // no list of --crl says whether a certificate of the chain was revoked
    (Reason::RevocationUnknown, "revocation_unknown", Verdict::Undecided),
    // no root of --ca issued the chain
    (Reason::UntrustedRoot, "untrusted_root", Verdict::NotTrusted),
    // another fault of the chain
    (Reason::BadChain, "bad_chain", Verdict::NotTrusted),
    // what the device signed or authenticated
    (Reason::BadSignature, "bad_signature", Verdict::NotTrusted),
    (Reason::BadMac, "bad_mac", Verdict::NotTrusted),
    // another key than the provisioned one
    (Reason::OtherKey, "other_key", Verdict::NotTrusted),
    // another device than the list names
    (Reason::IdentityMismatch, "identity_mismatch", Verdict::NotTrusted),
    // one key answers at two endpoints
    (Reason::SharedKey, "shared_key", Verdict::NotTrusted),
    // measurements that are not as the reference says; a security version below its minimum
    (Reason::MeasurementChanged, "measurement_changed", Verdict::NotTrusted),
    (Reason::SecurityVersion, "security_version", Verdict::NotTrusted),
    (Reason::MeasurementUnexpected, "measurement_unexpected", Verdict::NotTrusted),
    (Reason::MeasurementMissing, "measurement_missing", Verdict::NotTrusted),
    // debugging, recovery and other modes than normal operation
    (Reason::DeviceMode, "device_mode", Verdict::NotTrusted),
    // the reference has digests of another hash
    (Reason::Incomparable, "incomparable", Verdict::Undecided),
    // no connection
    (Reason::Unreachable, "unreachable", Verdict::Undecided),
    // no answer in time
    (Reason::Timeout, "timeout", Verdict::Undecided),
    // the device ended the connection
    (Reason::ConnectionLost, "connection_lost", Verdict::Undecided),
    // the device answered ERROR
    (Reason::Refused, "refused", Verdict::Undecided),
    // both sides have no version, algorithm or capability in common that this takes
    (Reason::Unsupported, "unsupported", Verdict::Undecided),
    // the device said what SPDM or its transport does not allow
    (Reason::ProtocolError, "protocol_error", Verdict::Undecided),
    // this side failed
    (Reason::LocalFailure, "local_failure", Verdict::Undecided),
];

impl Reason {
    /// The stable code.
    pub(in crate::spdm) const fn code(self) -> &'static str {
        ROWS[self as usize].1
    }

    /// The verdict that the reason leads to if no option allows it.
    pub(in crate::spdm) const fn verdict(self) -> Verdict {
        ROWS[self as usize].2
    }

    /// Whether it is about credentials that prove nothing outside a laboratory.
    pub(in crate::spdm) const fn is_test_credential(self) -> bool {
        matches!(self, Self::TestPsk | Self::TestRoot | Self::EmulatedRoot)
    }

    /// The reason with this code.
    pub(in crate::spdm) fn by_code(code: &str) -> Option<Self> {
        ROWS.iter().find(|(_, known, _)| *known == code).map(|(reason, ..)| *reason)
    }

    /// Why an operation of the requester failed.
    pub(in crate::spdm) const fn of(error: &Error) -> Self {
        match error {
            Error::Refused { .. } | Error::Unprotected { .. } => Self::Refused,
            Error::Signature { .. } => Self::BadSignature,
            Error::VerifyData { .. } => Self::BadMac,
            Error::Violation { violation: Violation::PublicKey, .. } => Self::OtherKey,
            Error::Violation { violation: Violation::ChainDigest, .. } | Error::Chain(_) => Self::BadChain,
            Error::Untrusted(error) => Self::of_chain(error),
            Error::NothingInCommon { .. } | Error::Usage(_) | Error::TooLong { .. } => Self::Unsupported,
            Error::NotReady { .. } => Self::Timeout,
            Error::Key(_) => Self::LocalFailure,
            _ => Self::ProtocolError,
        }
    }

    /// Why a chain is not believed.
    const fn of_chain(error: &grille_pki::Error) -> Self {
        match error {
            grille_pki::Error::Expired { .. } => Self::Expired,
            grille_pki::Error::NotYetValid { .. } => Self::NotYetValid,
            grille_pki::Error::Revoked { .. } => Self::Revoked,
            grille_pki::Error::RevocationUnknown { .. } => Self::RevocationUnknown,
            grille_pki::Error::NoRoot { .. } => Self::UntrustedRoot,
            _ => Self::BadChain,
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// One thing that was found, what it means for the verdict, and what to do about it.
#[derive(Clone, Debug, Serialize)]
pub(in crate::spdm) struct Finding {
    pub(in crate::spdm) reason: Reason,
    /// The verdict that it leads to. `Trusted`: it is worth a note, and decides nothing.
    pub(in crate::spdm) verdict: Verdict,
    /// One line, without a full stop.
    pub(in crate::spdm) message: String,
    #[serde(skip)]
    pub(in crate::spdm) advice: Option<String>,
}

impl Finding {
    /// With the verdict that the reason leads to.
    pub(in crate::spdm) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, verdict: reason.verdict(), message: message.into(), advice: None }
    }

    /// Decides nothing if `allowed`.
    pub(in crate::spdm) fn unless(self, allowed: bool) -> Self {
        if allowed { Self { verdict: Verdict::Trusted, ..self } } else { self }
    }

    /// With advice.
    pub(in crate::spdm) fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// Whether it decides nothing.
    pub(in crate::spdm) fn is_note(&self) -> bool {
        self.verdict == Verdict::Trusted
    }
}

/// The worst verdict of these findings; `Trusted` if there are none.
pub(in crate::spdm) fn verdict(findings: &[Finding]) -> Verdict {
    findings.iter().map(|finding| finding.verdict).max().unwrap_or_default()
}

/// The first finding that decides the verdict, if one does.
pub(in crate::spdm) fn decisive(findings: &[Finding]) -> Option<&Finding> {
    let verdict = verdict(findings);
    findings.iter().find(|finding| finding.verdict == verdict && !finding.is_note())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_reason_has_one_row_and_one_code() {
        for (at, (reason, code, verdict)) in ROWS.into_iter().enumerate() {
            assert_eq!((reason as usize, reason.code(), reason.verdict()), (at, code, verdict));
            assert_eq!(Reason::by_code(code), Some(reason));
            assert!(code.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()), "{code}");
        }
        let codes: BTreeSet<_> = ROWS.into_iter().map(|(_, code, _)| code).collect();
        assert_eq!((codes.len(), Reason::by_code("")), (ROWS.len(), None));
    }

    #[test]
    fn the_worst_finding_decides() {
        let of = |reason| Finding::new(reason, "");
        assert_eq!((verdict(&[]), decisive(&[]).map(|one| one.reason)), (Verdict::Trusted, None));
        let found =
            [of(Reason::TestPsk), of(Reason::NotCompared), of(Reason::DeviceMode), of(Reason::SharedKey)];
        for (findings, expected, reason) in [
            (&found[..1], Verdict::Trusted, None),
            (&found[..2], Verdict::Authentic, Some(Reason::NotCompared)),
            (&found[..], Verdict::NotTrusted, Some(Reason::DeviceMode)),
        ] {
            assert_eq!((verdict(findings), decisive(findings).map(|one| one.reason)), (expected, reason));
        }
        assert_eq!(verdict(&[of(Reason::DeviceMode).unless(true)]), Verdict::Trusted);
        assert_eq!(verdict(&[of(Reason::DeviceMode).unless(false)]), Verdict::NotTrusted);
    }
}
