//! Comparison of measurements with a reference manifest.

use super::reason::{Finding, Reason};
use super::rule::{Match, Rule, form_text};
use crate::spdm::measured::{Entry, kind_name};
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;
use std::collections::BTreeMap;

/// Measurements that deviate from the manifest, by index.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Comparison {
    /// Measurements whose value, type or form differs from the manifest's.
    different: Vec<u8>,
    /// Measurements of the device that the manifest does not have.
    unknown: Vec<u8>,
    /// Measurements of the manifest that the device does not have.
    missing: Vec<u8>,
    /// Measurements with a security version below the minimum.
    below_minimum: Vec<u8>,
    /// Expected and actual values of the measurements in `different` and `below_minimum`.
    values: Vec<Difference>,
    /// Digests that cannot be compared, because the manifest's digests use another hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomparable: Vec<u8>,
    /// The hash algorithms of the manifest's digests and of the device's digests, if digests cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<[String; 2]>,
    /// The measurement types by index: the device's, or the manifest's if the device lacks the measurement.
    #[serde(skip)]
    kinds: BTreeMap<u8, u8>,
}

/// A measurement that differs from its rule, or has a security version below the minimum.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Difference {
    expected: Rule,
    found: Entry,
}

impl Difference {
    /// Returns the expected and the actual value for people, with the measurement types if these differ too.
    pub(in crate::spdm) fn texts(&self) -> [String; 2] {
        let Self { expected, found } = self;
        if expected.has_form_of(found) {
            return [expected.text(), found.text()];
        }
        let form = form_text(found.kind, found.raw);
        [format!("{}: {}", expected.form_text(), expected.text()), format!("{form}: {}", found.text())]
    }
}

impl Comparison {
    /// Compares a device's measurements with these rules. `hashes` are the hash algorithms of the rules' digests and of
    /// the device's digests, if both are known and differ.
    pub(in crate::spdm) fn new(
        rules: &[&Rule],
        blocks: &[MeasuredBlock],
        hashes: Option<(&str, &str)>,
    ) -> Self {
        let mut comparison = Self::default();
        for block in blocks {
            let index = block.index;
            let Some(rule) = rules.iter().find(|rule| rule.index == index) else {
                comparison.unknown.push(index);
                continue;
            };
            let list = match rule.check(block, hashes.is_some()) {
                Match::Accepted => continue,
                Match::Incomparable => {
                    comparison.incomparable.push(index);
                    continue;
                }
                Match::Different => &mut comparison.different,
                Match::BelowMinimum => &mut comparison.below_minimum,
            };
            list.push(index);
            comparison.values.push(Difference { expected: Rule::clone(rule), found: Entry::new(block) });
        }
        let there = |rule: &Rule| blocks.iter().any(|block| block.index == rule.index);
        let missing = || rules.iter().filter(|rule| !rule.is_ignored() && !there(rule));
        comparison.missing = missing().map(|rule| rule.index).collect();
        comparison.kinds = missing().filter_map(|rule| Some((rule.index, rule.kind()?))).collect();
        comparison.kinds.extend(blocks.iter().map(|block| (block.index, block.kind)));
        comparison.hashes = hashes
            .filter(|_| !comparison.incomparable.is_empty())
            .map(|(expected, found)| [expected, found].map(str::to_owned));
        comparison
    }

    /// Returns whether the measurement with this index cannot be compared.
    pub(in crate::spdm) fn is_incomparable(&self, index: u8) -> bool {
        self.incomparable.contains(&index)
    }

    /// Returns whether the device's measurement with this index deviates.
    pub(in crate::spdm) fn deviates(&self, index: u8) -> bool {
        [&self.different, &self.below_minimum, &self.unknown].iter().any(|list| list.contains(&index))
    }

    /// Returns the expected and actual value of the measurement with this index, if the measurement deviates.
    pub(in crate::spdm) fn difference(&self, index: u8) -> Option<&Difference> {
        self.values.iter().find(|difference| difference.found.index == index)
    }

    /// Returns the findings for the verdict. `base` is the negotiated hash.
    pub(in crate::spdm) fn findings(&self, base: &str) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self
            .lists()
            .into_iter()
            .filter(|(.., indexes)| !indexes.is_empty())
            .map(|(reason, deviation, indexes)| {
                Finding::new(reason, self.sentence(deviation, indexes)).advise(self.advice())
            })
            .collect();
        findings.extend(self.incomparable_finding(base));
        findings
    }

    /// Returns the finding for digests that cannot be compared, if there are any. `base` is the negotiated hash.
    fn incomparable_finding(&self, base: &str) -> Option<Finding> {
        let [expected, found] = self.hashes.as_ref()?;
        let other = if base == found {
            format!("--hash {} may change the device's hash", expected.replace('-', "_"))
        } else {
            "the device chooses this hash independently of --hash".to_owned()
        };
        let problem = format!("cannot compare digests: the manifest has {expected}, the device {found}");
        Some(Finding::new(Reason::Incomparable, problem).advise(format!(
            "if the device is known to be good, save a new manifest with {found} digests: give --save and omit --reference; {other}"
        )))
    }

    /// States the deviation of the measurements with these indexes, and names at most [`MAX_NAMED`] of them.
    fn sentence(&self, deviation: &str, indexes: &[u8]) -> String {
        let one = |index: &u8| {
            let kind = self.kinds.get(index).map_or("unknown", |kind| kind_name(*kind));
            format!("measurement {index} ({kind}) {deviation}")
        };
        let mut parts: Vec<String> = indexes.iter().take(MAX_NAMED).map(one).collect();
        if indexes.len() > MAX_NAMED {
            parts.push(format!("and {} more", indexes.len() - MAX_NAMED));
        }
        parts.join(", ")
    }

    fn lists(&self) -> [(Reason, &'static str, &[u8]); 4] {
        [
            (Reason::MeasurementChanged, "differs", &self.different),
            (Reason::SecurityVersion, "is below the minimum", &self.below_minimum),
            (Reason::MeasurementUnexpected, "is not in the manifest", &self.unknown),
            (Reason::MeasurementMissing, "is missing", &self.missing),
        ]
    }

    /// Returns advice that does not suggest accepting a device that was tampered with.
    fn advice(&self) -> String {
        let kinds = self.lists().into_iter().flat_map(|(.., indexes)| indexes);
        let mut parts: Vec<&str> =
            kinds.filter_map(|index| self.kinds.get(index)).map(|kind| device_part(*kind)).collect();
        parts.sort_unstable();
        parts.dedup();
        let parts = parts.join(" and ");
        format!(
            "find out who may have changed {parts} before you trust the device; if the change is yours, write a new manifest \
             with --save and without --reference; with --reference, a device that differs is not saved"
        )
    }
}

/// Returns the part of a device that measurements of this type cover.
const fn device_part(kind: u8) -> &'static str {
    match kind {
        0 => "its ROM",
        1 | 6 | 7 => "its firmware",
        2 | 3 | 5 => "its configuration",
        _ => "its software",
    }
}

/// The maximum number of measurements that a finding names.
const MAX_NAMED: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::reason::{self, Verdict};
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    /// Compares with a manifest of exactly these blocks.
    fn compare_with_manifest(
        should: &[MeasuredBlock],
        hashes: Option<(&'static str, &'static str)>,
    ) -> impl Fn(&[MeasuredBlock]) -> Comparison + use<> {
        let rules: Vec<Rule> = should.iter().map(Rule::new).collect();
        move |blocks| Comparison::new(&rules.iter().collect::<Vec<_>>(), blocks, hashes)
    }

    fn verdict(compared: &Comparison) -> Verdict {
        reason::verdict(&compared.findings("SHA-384"))
    }

    fn reasons(compared: &Comparison) -> Vec<Reason> {
        compared.findings("SHA-384").iter().map(|finding| finding.reason).collect()
    }

    #[test]
    fn every_difference_is_found() {
        let compare = compare_with_manifest(&[block(1, 1), block(2, 2), block(3, 3)], None);
        assert_eq!(verdict(&compare(&[block(3, 3), block(2, 2), block(1, 1)])), Verdict::Trusted);
        let compared = compare(&[block(1, 1), block(2, 0), block(4, 4)]);
        let value = Difference { expected: Rule::new(&block(2, 2)), found: Entry::new(&block(2, 0)) };
        let expected = Comparison {
            different: vec![2],
            unknown: vec![4],
            missing: vec![3],
            values: vec![value],
            kinds: [1, 2, 3, 4].map(|index| (index, 1)).into(),
            ..Comparison::default()
        };
        assert_eq!((verdict(&compared), &compared), (Verdict::NotTrusted, &expected));
        assert_eq!(
            reasons(&compared),
            [Reason::MeasurementChanged, Reason::MeasurementUnexpected, Reason::MeasurementMissing]
        );
        assert!(compared.deviates(2) && compared.deviates(4) && !compared.deviates(1));
        let missing = &compared.findings("SHA-384")[2].message;
        assert_eq!(missing, "measurement 3 (mutable firmware) is missing");
        let raw = MeasuredBlock { raw: true, ..block(1, 1) };
        let compared = compare(&[raw, block(2, 2), block(3, 3)]);
        assert_eq!(compared.different, [1]);
        let [expected, found] = compared.values[0].texts();
        assert!(
            expected.ends_with(&format!("mutable firmware, a digest: {}", "01".repeat(48))),
            "{expected}"
        );
        assert!(found.contains(", raw: "), "{found}");
    }

    #[test]
    fn advises_to_investigate_changed_measurements() {
        let kind = |index, kind| MeasuredBlock { kind, ..block(index, 1) };
        let should: Vec<MeasuredBlock> = (1..=9).map(|index| kind(index, index)).collect();
        let compare = compare_with_manifest(&should, None);
        for (changed, parts) in [
            (&[1][..], "changed its firmware before"),
            (&[2, 3, 5], "changed its configuration before"),
            (&[1, 2, 6], "changed its configuration and its firmware before"),
            (&[9], "changed its software before"),
        ] {
            let found: Vec<MeasuredBlock> = should
                .iter()
                .map(|block| {
                    let value = vec![u8::from(!changed.contains(&block.index)); 48];
                    MeasuredBlock { value, ..block.clone() }
                })
                .collect();
            let advice = compare(&found).findings("SHA-384")[0].advice.clone().unwrap();
            assert!(advice.contains(parts), "{advice}");
            let changed = "; if the change is yours, write a new manifest ";
            assert!(advice.contains(changed), "{advice}");
        }
        let findings = compare(&[]).findings("SHA-384");
        assert!(
            findings[0].message.ends_with("measurement 4 (measurement manifest) is missing, and 5 more"),
            "{findings:?}"
        );
    }

    #[test]
    fn digests_of_another_hash_are_incomparable() {
        let compare = compare_with_manifest(&[block(1, 1), block(2, 2)], Some(("SHA-384", "SHA-256")));
        let compared = compare(&[block(1, 3), block(2, 4)]);
        assert_eq!(
            (verdict(&compared), compared.is_incomparable(1), compared.deviates(1)),
            (Verdict::Undecided, true, false)
        );
        let finding = |base| compared.findings(base).remove(0);
        let Finding { reason, message, advice, .. } = finding("SHA-256");
        assert_eq!(reason, Reason::Incomparable);
        assert!(message.contains("the manifest has SHA-384, the device SHA-256"), "{message}");
        assert!(advice.unwrap().contains("--hash SHA_384 may change"));
        // The device's measurement hash is not the negotiated hash.
        let advice = finding("SHA-512").advice.unwrap();
        assert!(advice.ends_with("; the device chooses this hash independently of --hash"), "{advice}");
        // Another type, and a raw value, differ whatever the hash is.
        for blocks in [&[block(1, 3)][..], &[block(1, 3), MeasuredBlock { raw: true, ..block(2, 2) }]] {
            assert_eq!(verdict(&compare(blocks)), Verdict::NotTrusted, "{blocks:?}");
        }
        // The hash does not matter while nothing differs.
        assert_eq!(verdict(&compare(&[block(1, 1), block(2, 2)])), Verdict::Trusted);
    }

    #[test]
    fn security_version_below_minimum_has_its_own_reason() {
        let version = |number: u64| MeasuredBlock {
            index: 16,
            kind: 7,
            raw: true,
            value: number.to_le_bytes().to_vec(),
        };
        let rule: Rule = serde_json::from_str(r#"{ "index": 16, "minimum": 7 }"#).unwrap();
        let compared = Comparison::new(&[&rule], &[version(6)], None);
        assert_eq!((reasons(&compared), compared.deviates(16)), (vec![Reason::SecurityVersion], true));
        let texts = compared.difference(16).unwrap().texts();
        assert_eq!(texts, ["at least 7".to_owned(), format!("06{} (6)", "00".repeat(7))]);
        assert_eq!(reasons(&Comparison::new(&[&rule], &[version(7)], None)), []);
        assert_eq!(reasons(&Comparison::new(&[&rule], &[], None)), [Reason::MeasurementMissing]);
        let ignored: Rule = serde_json::from_str(r#"{ "index": 16, "ignore": true }"#).unwrap();
        assert_eq!(reasons(&Comparison::new(&[&ignored], &[], None)), []);
    }
}
