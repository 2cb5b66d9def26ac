//! The verdict on a device, with its reasons.

use super::reason::{Finding, Reason, Verdict, decisive, verdict};
use serde::Serialize;

/// A verdict, and all findings that lead to it.
#[derive(Clone, Debug, Serialize)]
pub(in crate::spdm) struct Judgement {
    verdict: Verdict,
    /// Whether the device is trusted; `None` if the verdict is [`Verdict::Authentic`] or [`Verdict::Undecided`].
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted: Option<bool>,
    /// The reason of the decisive finding; `None` if the device is trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    findings: Vec<Finding>,
}

impl Judgement {
    /// Derives the verdict from findings.
    pub(in crate::spdm) fn new(findings: Vec<Finding>) -> Self {
        let verdict = verdict(&findings);
        let trusted = match verdict {
            Verdict::Trusted => Some(true),
            Verdict::NotTrusted => Some(false),
            Verdict::Authentic | Verdict::Undecided => None,
        };
        Self { verdict, trusted, reason: decisive(&findings).map(|finding| finding.reason), findings }
    }

    /// Adds a finding.
    pub(in crate::spdm) fn add(&mut self, finding: Finding) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.push(finding);
        *self = Self::new(findings);
    }

    pub(in crate::spdm) const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the reason for the verdict; `None` if the device is trusted.
    pub(in crate::spdm) const fn reason(&self) -> Option<Reason> {
        self.reason
    }

    pub(in crate::spdm) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Iterates over the findings that decide the verdict; empty if the device is trusted.
    fn deciding_findings(&self) -> impl Iterator<Item = &Finding> {
        let of_verdict = |finding: &&Finding| finding.verdict == self.verdict && !finding.is_note();
        self.findings.iter().filter(of_verdict)
    }

    /// Explains the verdict in one line; empty if the device is trusted.
    pub(in crate::spdm) fn text(&self) -> String {
        self.deciding_findings().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// Returns the advice of the first deciding finding that has any.
    pub(in crate::spdm) fn advice(&self) -> Option<&str> {
        self.deciding_findings().find_map(|finding| finding.advice.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additional_finding_may_change_the_verdict() {
        let mut judgement = Judgement::new(vec![Finding::new(Reason::EmulatedRoot, "an emulated device")]);
        assert_eq!(
            (judgement.verdict(), judgement.reason(), judgement.trusted),
            (Verdict::Trusted, None, Some(true))
        );
        assert_eq!(judgement.text(), "");
        for (reason, verdict, trusted, text) in [
            (Reason::NotCompared, Verdict::Authentic, None, "one"),
            (Reason::SharedKey, Verdict::NotTrusted, Some(false), "one"),
            (Reason::DeviceMode, Verdict::NotTrusted, Some(false), "one; one"),
        ] {
            judgement.add(Finding::new(reason, "one").advise("do it"));
            assert_eq!((judgement.verdict(), judgement.trusted), (verdict, trusted));
            assert_eq!((judgement.text().as_str(), judgement.advice()), (text, Some("do it")));
        }
        // The first finding with the worst verdict decides the reason.
        assert_eq!((judgement.reason(), judgement.findings().len()), (Some(Reason::SharedKey), 4));
    }
}
