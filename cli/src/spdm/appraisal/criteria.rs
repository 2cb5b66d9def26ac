//! Appraisal criteria other than the reference measurements.

use super::device_mode::{DEVICE_MODE, DeviceMode, Modes};
use super::identity::{Expected, Identity};
use super::reason::{Finding, Reason};
use super::test_roots::TestRoot;
use grille_spdm_engine::operations::MeasuredBlock;

/// Options that accept weaker evidence, and the verifier's own use of test credentials.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::spdm) struct Criteria {
    /// Modes other than normal operation that are acceptable.
    pub(in crate::spdm) allowed_modes: Modes,
    /// Whether roots with published private keys may be trusted.
    pub(in crate::spdm) allows_test_roots: bool,
    /// Whether the session uses the published test key of DMTF's emulators.
    pub(in crate::spdm) uses_test_psk: bool,
}

impl Criteria {
    /// Returns findings about the device's identity and about test credentials. `root` is the subject of the trusted
    /// root, if there is one.
    pub(in crate::spdm) fn credentials(
        &self,
        expected: &Expected,
        found: &Identity,
        root: Option<&str>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(problem) = expected.mismatch(found) {
            let finding = Finding::new(Reason::IdentityMismatch, format!("unexpected device: {problem}"));
            findings.push(
                finding.advise("find out which device has this address, or correct the expected identity"),
            );
        }
        if self.uses_test_psk {
            findings.push(Finding::new(
                Reason::TestPsk,
                "the session used the public test key of DMTF's emulators",
            ));
        }
        match root.and_then(|root| Some((root, TestRoot::classify(root)?))) {
            None => {}
            Some((root, TestRoot::Published)) => {
                let problem = format!(
                    "the private key of the root {root} is public, so anyone can issue certificates under it"
                );
                let finding = Finding::new(Reason::TestRoot, problem).allow_if(self.allows_test_roots);
                findings.push(
                    finding.advise("remove the root from --ca, or trust it in a laboratory with --test-root"),
                );
            }
            Some((root, TestRoot::Emulated)) => {
                findings.push(Finding::new(
                    Reason::EmulatedRoot,
                    format!("the device is emulated: its root is {root}"),
                ));
            }
        }
        findings
    }

    /// Returns findings about the device modes among the measurements. Without a reference (`compared` is false) they
    /// do not affect the verdict.
    pub(in crate::spdm) fn device_modes(&self, blocks: &[MeasuredBlock], compared: bool) -> Vec<Finding> {
        let found = |block: &MeasuredBlock| {
            let index = block.index;
            let decoded = if block.raw { DeviceMode::decode(&block.value) } else { None };
            let (modes, problem) = match decoded {
                Some(mode) => (mode.modes(), format!("device mode (measurement {index}): {mode}")),
                None => (Modes::UNKNOWN, format!("the device mode (measurement {index}) cannot be decoded")),
            };
            let refused = modes.without(self.allowed_modes);
            (!modes.is_empty()).then(|| {
                let names = modes.names().collect::<Vec<_>>().join(",");
                let finding =
                    Finding::new(Reason::DeviceMode, problem).allow_if(refused.is_empty() || !compared);
                finding.advise(format!(
                    "return the device to normal operation, or allow its mode with --allow-mode {names}"
                ))
            })
        };
        blocks.iter().filter(|block| block.kind == DEVICE_MODE).filter_map(found).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::reason::Verdict;
    use super::*;

    fn block(raw: bool, value: Vec<u8>) -> MeasuredBlock {
        MeasuredBlock { index: 0xFE, kind: DEVICE_MODE, raw, value }
    }

    fn mode(state: u32, debugging: u32) -> MeasuredBlock {
        block(true, [0, state, 0, debugging].iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    #[test]
    fn rejects_mode_only_with_reference() {
        let verdicts = |allowed: &str, block: MeasuredBlock, compared| {
            let allowed_modes = Modes::by_names(allowed.split(','));
            let criteria = Criteria { allowed_modes, ..Criteria::default() };
            criteria.device_modes(&[block], compared).iter().map(|one| one.verdict).collect::<Vec<_>>()
        };
        assert_eq!(verdicts("", mode(4, 0), true), []);
        for bad in [
            mode(8, 0),
            mode(4, 1),
            mode(4, 1 << 3),
            mode(0, 0),
            block(true, vec![0; 15]),
            block(false, vec![0; 16]),
        ] {
            assert_eq!(verdicts("", bad.clone(), true), [Verdict::NotTrusted], "{bad:?}");
            assert_eq!(verdicts("", bad, false), [Verdict::Trusted]);
        }
        assert_eq!(verdicts("recovery", mode(8, 0), true), [Verdict::Trusted]);
        assert_eq!(verdicts("recovery", mode(8, 1), true), [Verdict::NotTrusted]);
        assert_eq!(verdicts("recovery,debug", mode(8, 1), true), [Verdict::Trusted]);
        assert_eq!(verdicts("unknown", block(true, vec![0; 15]), true), [Verdict::Trusted]);
    }

    #[test]
    fn ignores_other_measurement_types() {
        let firmware = MeasuredBlock { kind: 1, ..mode(8, 1) };
        assert!(Criteria::default().device_modes(&[firmware], true).is_empty());
    }

    #[test]
    fn finds_test_credentials() {
        let der = include_bytes!("../../../../vectors/spdm/profile/device.der");
        let identity = Identity::from_leaf(&grille_pki::Certificate::from_pem_or_der(der).unwrap()).unwrap();
        let findings_for = |criteria: Criteria, root| {
            let findings = criteria.credentials(&Expected::default(), &identity, root);
            findings.into_iter().map(|one| (one.reason, one.verdict)).collect::<Vec<_>>()
        };
        let usual = Criteria::default();
        let published = Some("CN=DMTF libspdm ECP384 CA");
        assert_eq!(findings_for(usual, Some("CN=owner")), []);
        assert_eq!(findings_for(usual, None), []);
        assert_eq!(findings_for(usual, published), [(Reason::TestRoot, Verdict::NotTrusted)]);
        let allows = Criteria { allows_test_roots: true, ..usual };
        assert_eq!(findings_for(allows, published), [(Reason::TestRoot, Verdict::Trusted)]);
        let psk = Criteria { uses_test_psk: true, ..usual };
        assert_eq!(
            findings_for(psk, Some("CN=emulated device root ECDSA_P384")),
            [(Reason::TestPsk, Verdict::Trusted), (Reason::EmulatedRoot, Verdict::Trusted)]
        );
    }
}
