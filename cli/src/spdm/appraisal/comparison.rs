//! Measurements beside what a reference says of them.

use super::reason::{Finding, Reason};
use super::rule::{Match, Rule, form_text};
use crate::spdm::measured::{Entry, kind_name};
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;
use std::collections::BTreeMap;

/// Measurements that are not as the manifest says, by their indexes.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Comparison {
    /// Of another value.
    different: Vec<u8>,
    /// Which the manifest does not have.
    unknown: Vec<u8>,
    /// Which the device does not have.
    missing: Vec<u8>,
    /// Of a security version below the minimum.
    below_minimum: Vec<u8>,
    /// What those of another value, or below the minimum, should be, and are.
    values: Vec<Difference>,
    /// Digests of which nobody can say whether they are of the same: the manifest has them of another hash.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    incomparable: Vec<u8>,
    /// The hash of the manifest's digests, and that of the device's, where some cannot be compared for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<[String; 2]>,
    /// Of what kind each is that the device has or should have.
    #[serde(skip)]
    kinds: BTreeMap<u8, u8>,
}

/// A measurement of another value.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct Difference {
    expected: Rule,
    found: Entry,
}

impl Difference {
    /// What is expected and what was found, for people; of which kind, where that differs too.
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
    /// Compares what a device measures with these rules. `hashes`: that of the rules' digests and that of the device's, if they
    /// are known and differ.
    pub(in crate::spdm) fn of(
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
                Match::Right => continue,
                Match::Incomparable => {
                    comparison.incomparable.push(index);
                    continue;
                }
                Match::Different => &mut comparison.different,
                Match::BelowMinimum => &mut comparison.below_minimum,
            };
            list.push(index);
            comparison.values.push(Difference { expected: Rule::clone(rule), found: Entry::of(block) });
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

    /// Whether nobody can say whether this measurement is what it should be.
    pub(in crate::spdm) fn is_open(&self, index: u8) -> bool {
        self.incomparable.contains(&index)
    }

    /// Whether the device's measurement with this index is not as it should be.
    pub(in crate::spdm) fn concerns(&self, index: u8) -> bool {
        [&self.different, &self.below_minimum, &self.unknown].iter().any(|list| list.contains(&index))
    }

    /// What the measurement with this index should be, and is.
    pub(in crate::spdm) fn difference(&self, index: u8) -> Option<&Difference> {
        self.values.iter().find(|difference| difference.found.index == index)
    }

    /// What the differences mean for the verdict. `base`: the hash that was negotiated.
    pub(in crate::spdm) fn findings(&self, base: &str) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self
            .lists()
            .into_iter()
            .filter(|(.., indexes)| !indexes.is_empty())
            .map(|(reason, what, indexes)| {
                Finding::new(reason, self.sentence(what, indexes)).advise(self.advice())
            })
            .collect();
        findings.extend(self.obstacle(base));
        findings
    }

    /// Why digests cannot be compared, and what brings others, if some cannot. `base`: the hash that was negotiated.
    fn obstacle(&self, base: &str) -> Option<Finding> {
        let [expected, found] = self.hashes.as_ref()?;
        let other = if base == found {
            format!("--hash {} may have the device hash so", expected.replace('-', "_"))
        } else {
            "the device chooses that hash itself, whatever --hash is".to_owned()
        };
        let what =
            format!("the manifest has digests of {expected}, the device of {found}: they cannot be compared");
        Some(Finding::new(Reason::Incomparable, what).advise(format!(
            "{other}; if the device is known to be as it should be, --save without --reference writes a manifest of {found}"
        )))
    }

    /// The measurements with these indexes, in words; of many the first few.
    fn sentence(&self, what: &str, indexes: &[u8]) -> String {
        let one = |index: &u8| {
            let kind = self.kinds.get(index).map_or("unknown", |kind| kind_name(*kind));
            format!("measurement {index} ({kind}) {what}")
        };
        let mut said: Vec<String> = indexes.iter().take(NAMED).map(one).collect();
        if indexes.len() > NAMED {
            said.push(format!("and {} more", indexes.len() - NAMED));
        }
        said.join(", ")
    }

    fn lists(&self) -> [(Reason, &'static str, &[u8]); 4] {
        [
            (Reason::MeasurementChanged, "differs", &self.different),
            (Reason::SecurityVersion, "is below the minimum", &self.below_minimum),
            (Reason::MeasurementUnexpected, "is not in the manifest", &self.unknown),
            (Reason::MeasurementMissing, "is missing", &self.missing),
        ]
    }

    /// What to do about it: a device that was tampered with is not to be taken for one that is as it should be.
    fn advice(&self) -> String {
        let kinds = self.lists().into_iter().flat_map(|(.., indexes)| indexes);
        let mut parts: Vec<&str> =
            kinds.filter_map(|index| self.kinds.get(index)).map(|kind| part_of_device(*kind)).collect();
        parts.sort_unstable();
        parts.dedup();
        let parts = parts.join(" and ");
        format!(
            "{parts} may have been changed: find out by whom before anybody trusts the device; only if the change is \
             yours, --save without --reference writes a new manifest: beside it nothing is saved that differs"
        )
    }
}

/// What of a device a measurement of this kind is about.
const fn part_of_device(kind: u8) -> &'static str {
    match kind {
        0 => "its ROM",
        1 | 6 | 7 => "its firmware",
        2 | 3 | 5 => "its configuration",
        _ => "what it runs",
    }
}

/// How many measurements a finding names.
const NAMED: usize = 4;

#[cfg(test)]
mod tests {
    use super::super::reason::{self, Verdict};
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    /// Compares with exactly these blocks.
    fn comparing(
        should: &[MeasuredBlock],
        hashes: Option<(&'static str, &'static str)>,
    ) -> impl Fn(&[MeasuredBlock]) -> Comparison + use<> {
        let rules: Vec<Rule> = should.iter().map(Rule::of).collect();
        move |blocks| Comparison::of(&rules.iter().collect::<Vec<_>>(), blocks, hashes)
    }

    fn verdict(compared: &Comparison) -> Verdict {
        reason::verdict(&compared.findings("SHA-384"))
    }

    fn reasons(compared: &Comparison) -> Vec<Reason> {
        compared.findings("SHA-384").iter().map(|finding| finding.reason).collect()
    }

    #[test]
    fn every_difference_is_found() {
        let compare = comparing(&[block(1, 1), block(2, 2), block(3, 3)], None);
        assert_eq!(verdict(&compare(&[block(3, 3), block(2, 2), block(1, 1)])), Verdict::Trusted);
        let compared = compare(&[block(1, 1), block(2, 0), block(4, 4)]);
        let value = Difference { expected: Rule::of(&block(2, 2)), found: Entry::of(&block(2, 0)) };
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
        assert!(compared.concerns(2) && compared.concerns(4) && !compared.concerns(1));
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
    fn advises_to_find_out_who_changed_a_measurement() {
        let kind = |index, kind| MeasuredBlock { kind, ..block(index, 1) };
        let should: Vec<MeasuredBlock> = (1..=9).map(|index| kind(index, index)).collect();
        let compare = comparing(&should, None);
        for (changed, parts) in [
            (&[1][..], "its firmware may"),
            (&[2, 3, 5], "its configuration may"),
            (&[1, 2, 6], "its configuration and its firmware may"),
            (&[9], "what it runs may"),
        ] {
            let found: Vec<MeasuredBlock> = should
                .iter()
                .map(|block| {
                    let value = vec![u8::from(!changed.contains(&block.index)); 48];
                    MeasuredBlock { value, ..block.clone() }
                })
                .collect();
            let advice = compare(&found).findings("SHA-384")[0].advice.clone().unwrap();
            assert!(advice.starts_with(parts), "{advice}");
            let changed = "; only if the change is yours, --save without --reference writes a new manifest: ";
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
        let compare = comparing(&[block(1, 1), block(2, 2)], Some(("SHA-384", "SHA-256")));
        let compared = compare(&[block(1, 3), block(2, 4)]);
        assert_eq!(
            (verdict(&compared), compared.is_open(1), compared.concerns(1)),
            (Verdict::Undecided, true, false)
        );
        let finding = |base| compared.findings(base).remove(0);
        let Finding { reason, message, advice, .. } = finding("SHA-256");
        assert_eq!(reason, Reason::Incomparable);
        assert!(message.contains("of SHA-384, the device of SHA-256: they cannot be compared"), "{message}");
        assert!(advice.unwrap().contains("--hash SHA_384 may have"));
        // the device measures with another hash than was negotiated
        let advice = finding("SHA-512").advice.unwrap();
        assert!(
            advice.starts_with(
                "the device chooses that hash itself, whatever --hash is; if the device is known"
            ),
            "{advice}"
        );
        // another kind, and a raw value, differ whatever the hash is
        for blocks in [&[block(1, 3)][..], &[block(1, 3), MeasuredBlock { raw: true, ..block(2, 2) }]] {
            assert_eq!(verdict(&compare(blocks)), Verdict::NotTrusted, "{blocks:?}");
        }
        // the hash does not matter while nothing differs
        assert_eq!(verdict(&compare(&[block(1, 1), block(2, 2)])), Verdict::Trusted);
    }

    #[test]
    fn a_security_version_below_the_minimum_has_a_reason_of_its_own() {
        let version = |number: u64| MeasuredBlock {
            index: 16,
            kind: 7,
            raw: true,
            value: number.to_le_bytes().to_vec(),
        };
        let rule: Rule = serde_json::from_str(r#"{ "index": 16, "minimum": 7 }"#).unwrap();
        let compared = Comparison::of(&[&rule], &[version(6)], None);
        assert_eq!((reasons(&compared), compared.concerns(16)), (vec![Reason::SecurityVersion], true));
        let texts = compared.difference(16).unwrap().texts();
        assert_eq!(texts, ["at least 7".to_owned(), format!("06{} (6)", "00".repeat(7))]);
        assert_eq!(reasons(&Comparison::of(&[&rule], &[version(7)], None)), []);
        assert_eq!(reasons(&Comparison::of(&[&rule], &[], None)), [Reason::MeasurementMissing]);
        let ignored: Rule = serde_json::from_str(r#"{ "index": 16, "ignore": true }"#).unwrap();
        assert_eq!(reasons(&Comparison::of(&[&ignored], &[], None)), []);
    }
}
