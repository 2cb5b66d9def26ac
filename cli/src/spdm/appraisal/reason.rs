//! Stable reason codes for verdicts. Programs depend on them, so a code never changes its meaning.

use grille_spdm_engine::error::{Error, Violation};
use serde::{Deserialize, Serialize, Serializer};

/// The result of an appraisal, ordered from best to worst. The worst finding decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::spdm) enum Verdict {
    /// The device is authenticated, and its measurements match the reference.
    #[default]
    Trusted,
    /// The device is authenticated, and its measurements were not compared.
    Authentic,
    /// There is no verdict. For example, the device could not be queried, or its measurements could not be compared.
    #[serde(rename = "no_verdict")]
    Undecided,
    /// The device is not authenticated, or its measurements, identity or mode are not acceptable.
    NotTrusted,
}

/// Reasons for a verdict, in the order of [`ROWS`].
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

/// Every reason with its code, and its verdict unless an option allows the reason.
pub(in crate::spdm) const ROWS: [(Reason, &str, Verdict); 28] = [
    // The device is authentic, and there is no reference.
    (Reason::NotCompared, "not_compared", Verdict::Authentic),
    // The session used the published test key of DMTF's emulators.
    (Reason::TestPsk, "test_psk", Verdict::Trusted),
    // The chain starts at a root created by `grille spdm responder`.
    (Reason::EmulatedRoot, "emulated_root", Verdict::Trusted),
    // The chain starts at a root whose private key is published.
    (Reason::TestRoot, "test_root", Verdict::NotTrusted),
    // A certificate of the chain is expired, or not valid yet.
    (Reason::Expired, "expired", Verdict::NotTrusted),
    (Reason::NotYetValid, "not_yet_valid", Verdict::NotTrusted),
    // An issuer of the chain revoked a certificate.
    (Reason::Revoked, "revoked", Verdict::NotTrusted),
    // No list of --crl says whether a certificate of the chain was revoked.
    (Reason::RevocationUnknown, "revocation_unknown", Verdict::Undecided),
    // No root of --ca issued the chain.
    (Reason::UntrustedRoot, "untrusted_root", Verdict::NotTrusted),
    // The chain has another defect.
    (Reason::BadChain, "bad_chain", Verdict::NotTrusted),
    // A signature or a MAC of the device is wrong.
    (Reason::BadSignature, "bad_signature", Verdict::NotTrusted),
    (Reason::BadMac, "bad_mac", Verdict::NotTrusted),
    // The device's key is not the provisioned one.
    (Reason::OtherKey, "other_key", Verdict::NotTrusted),
    // The device's identity is not the expected one.
    (Reason::IdentityMismatch, "identity_mismatch", Verdict::NotTrusted),
    // One key answers at two endpoints.
    (Reason::SharedKey, "shared_key", Verdict::NotTrusted),
    // A measurement deviates from the reference, or a security version is below the minimum.
    (Reason::MeasurementChanged, "measurement_changed", Verdict::NotTrusted),
    (Reason::SecurityVersion, "security_version", Verdict::NotTrusted),
    (Reason::MeasurementUnexpected, "measurement_unexpected", Verdict::NotTrusted),
    (Reason::MeasurementMissing, "measurement_missing", Verdict::NotTrusted),
    // The device is not in normal operation, but in debugging, recovery or another mode.
    (Reason::DeviceMode, "device_mode", Verdict::NotTrusted),
    // The digests of the reference use another hash.
    (Reason::Incomparable, "incomparable", Verdict::Undecided),
    // The connection failed.
    (Reason::Unreachable, "unreachable", Verdict::Undecided),
    // No response arrived in time.
    (Reason::Timeout, "timeout", Verdict::Undecided),
    // The device closed the connection.
    (Reason::ConnectionLost, "connection_lost", Verdict::Undecided),
    // The device answered with ERROR.
    (Reason::Refused, "refused", Verdict::Undecided),
    // The device and the verifier share no version, algorithm or capability that the attestation needs.
    (Reason::Unsupported, "unsupported", Verdict::Undecided),
    // The device violated SPDM or its transport.
    (Reason::ProtocolError, "protocol_error", Verdict::Undecided),
    // The verifier failed, not the device.
    (Reason::LocalFailure, "local_failure", Verdict::Undecided),
];

impl Reason {
    /// Returns the stable code.
    pub(in crate::spdm) const fn code(self) -> &'static str {
        ROWS[self as usize].1
    }

    /// Returns the verdict that follows unless an option allows the reason.
    pub(in crate::spdm) const fn verdict(self) -> Verdict {
        ROWS[self as usize].2
    }

    /// Returns whether the reason is about credentials that prove nothing outside a laboratory.
    pub(in crate::spdm) const fn is_test_credential(self) -> bool {
        matches!(self, Self::TestPsk | Self::TestRoot | Self::EmulatedRoot)
    }

    /// Returns the reason with this code.
    pub(in crate::spdm) fn by_code(code: &str) -> Option<Self> {
        ROWS.iter().find(|(_, known, _)| *known == code).map(|(reason, ..)| *reason)
    }

    /// Returns the reason for a failed operation of the requester.
    pub(in crate::spdm) const fn from_error(error: &Error) -> Self {
        match error {
            Error::Refused { .. } | Error::Unprotected { .. } => Self::Refused,
            Error::Signature { .. } => Self::BadSignature,
            Error::VerifyData { .. } => Self::BadMac,
            Error::Violation { violation: Violation::PublicKey, .. } => Self::OtherKey,
            Error::Violation { violation: Violation::ChainDigest, .. } | Error::Chain(_) => Self::BadChain,
            Error::Untrusted(error) => Self::for_chain_error(error),
            Error::NothingInCommon { .. } | Error::Usage(_) | Error::TooLong { .. } => Self::Unsupported,
            Error::NotReady { .. } => Self::Timeout,
            Error::Key(_) => Self::LocalFailure,
            _ => Self::ProtocolError,
        }
    }

    /// Returns the reason for an untrusted chain.
    const fn for_chain_error(error: &grille_pki::Error) -> Self {
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

/// A fact found during appraisal, its effect on the verdict, and advice.
#[derive(Clone, Debug, Serialize)]
pub(in crate::spdm) struct Finding {
    pub(in crate::spdm) reason: Reason,
    /// The resulting verdict; `Trusted` means that the finding is only a note.
    pub(in crate::spdm) verdict: Verdict,
    /// One line, without a full stop.
    pub(in crate::spdm) message: String,
    #[serde(skip)]
    pub(in crate::spdm) advice: Option<String>,
}

impl Finding {
    /// Creates a finding with the default verdict of the reason.
    pub(in crate::spdm) fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, verdict: reason.verdict(), message: message.into(), advice: None }
    }

    /// Turns the finding into a note if `allowed`.
    pub(in crate::spdm) fn allow_if(self, allowed: bool) -> Self {
        if allowed { Self { verdict: Verdict::Trusted, ..self } } else { self }
    }

    /// Adds advice.
    pub(in crate::spdm) fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// Returns whether the finding is only a note.
    pub(in crate::spdm) fn is_note(&self) -> bool {
        self.verdict == Verdict::Trusted
    }
}

/// Returns the worst verdict of these findings; `Trusted` if there are none.
pub(in crate::spdm) fn verdict(findings: &[Finding]) -> Verdict {
    findings.iter().map(|finding| finding.verdict).max().unwrap_or_default()
}

/// Returns the first finding with the deciding verdict, if any finding decides.
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
        let finding = |reason| Finding::new(reason, "");
        assert_eq!((verdict(&[]), decisive(&[]).map(|one| one.reason)), (Verdict::Trusted, None));
        let found = [
            finding(Reason::TestPsk),
            finding(Reason::NotCompared),
            finding(Reason::DeviceMode),
            finding(Reason::SharedKey),
        ];
        for (findings, expected, reason) in [
            (&found[..1], Verdict::Trusted, None),
            (&found[..2], Verdict::Authentic, Some(Reason::NotCompared)),
            (&found[..], Verdict::NotTrusted, Some(Reason::DeviceMode)),
        ] {
            assert_eq!((verdict(findings), decisive(findings).map(|one| one.reason)), (expected, reason));
        }
        assert_eq!(verdict(&[finding(Reason::DeviceMode).allow_if(true)]), Verdict::Trusted);
        assert_eq!(verdict(&[finding(Reason::DeviceMode).allow_if(false)]), Verdict::NotTrusted);
    }
}
