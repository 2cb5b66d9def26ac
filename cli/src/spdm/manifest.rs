//! Reference manifests: what a device should measure.

use super::appraisal::reason::{Finding, Reason};
use super::inputs::Input;
use super::measured::{Entry, kind_name};
use crate::error::Error;
use crate::hex;
use grille_spdm_engine::hash::{HASHES, Hash};
use grille_spdm_engine::operations::MeasuredBlock;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

/// Every measurement of a device that is as it should be; JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// What the digests are of: those of another hash cannot be compared. Where all values are raw, it says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    measurements: Vec<Entry>,
}

impl Entry {
    fn is(&self, block: &MeasuredBlock) -> bool {
        let same = (self.index, self.kind, self.raw) == (block.index, block.kind, block.raw);
        same && self.bytes().is_some_and(|value| value == block.value)
    }

    /// What is no value, or no digest of this hash.
    fn mistake(&self, hash: Option<&Hash>) -> Option<String> {
        let Self { index, raw, .. } = self;
        let Some(value) = self.bytes() else {
            return Some(format!("the value of measurement {index} is not hexadecimal"));
        };
        match hash {
            _ if *raw => None,
            None => {
                let what = "is a digest, and there is no \"hash\" that says of what";
                Some(format!("measurement {index} {what}; {}", known()))
            }
            Some(hash) if hash.output_len() == value.len() => None,
            Some(Hash { name, .. }) => {
                let len = value.len();
                Some(format!("the digest of measurement {index} has {len} bytes, which is none of {name}"))
            }
        }
    }

    /// Whether both are digests of the same, which differ where the hashes do.
    fn hashes_like(&self, block: &MeasuredBlock) -> bool {
        (self.kind, self.raw, block.raw) == (block.kind, false, false)
    }

    /// What it says beside what the device does.
    fn beside(&self, block: &MeasuredBlock) -> Difference {
        Difference { expected: self.clone(), found: Self::of(block) }
    }

    /// The same with its value as it is written, and described as what it is of: a file may say anything.
    fn written(self) -> Self {
        let value = self.bytes().map(|value| hex::encode(&value).to_string());
        let description = kind_name(self.kind).to_owned();
        Self { value: value.unwrap_or_default(), description, ..self }
    }
}

impl Manifest {
    /// What these blocks say, whose digests are of `hash`.
    pub(super) fn of(blocks: &[MeasuredBlock], hash: Option<&str>) -> Self {
        Self { hash: hash.map(str::to_owned), measurements: blocks.iter().map(Entry::of).collect() }
    }

    /// From a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no manifest.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = Input::Manifest.read(path)?;
        let broken = |why: &dyn Display| {
            let what = format_args!("is no manifest of measurements: {why}");
            Error::failure(what).at(path).advise("grille spdm attest --save writes one")
        };
        if read.trim_ascii().is_empty() {
            return Err(broken(&"it is empty"));
        }
        // of a list the parser would say what its first element should be
        if read.trim_ascii_start().first() == Some(&b'[') {
            return Err(broken(
                &"it is a list, and should be an object, {\"hash\": …, \"measurements\": […]}",
            ));
        }
        let manifest: Self = serde_json::from_slice(&read).map_err(|error| broken(&error))?;
        match manifest.mistake() {
            Some(what) => Err(Error::failure(what).at(path)),
            None => {
                let measurements = manifest.measurements.into_iter().map(Entry::written).collect();
                Ok(Self { measurements, ..manifest })
            }
        }
    }

    /// What can never be what a device measures.
    fn mistake(&self) -> Option<String> {
        let named = |name: &str| HASHES.iter().find(|hash| hash.name == name).ok_or_else(|| unknown(name));
        let hash = match self.hash.as_deref().map(named).transpose() {
            Ok(hash) => hash,
            Err(what) => return Some(what),
        };
        let mut known = BTreeSet::new();
        self.measurements.iter().find_map(|entry| {
            let twice = || format!("has measurement {} twice", entry.index);
            entry.mistake(hash).or_else(|| (!known.insert(entry.index)).then(twice))
        })
    }

    /// All that is compared, in words that say the same of the same.
    pub(super) fn canonical(&self) -> String {
        let entry = |entry: &Entry| {
            let Entry { index, kind, raw, value, .. } = entry;
            format!("{index} {kind} {raw} {value}\n")
        };
        let mut entries: Vec<_> = self.measurements.iter().map(entry).collect();
        entries.sort();
        entries.push(self.hash.clone().unwrap_or_default());
        entries.concat()
    }

    /// As it stands in a file.
    ///
    /// # Errors
    /// None in practice; those of the serializer.
    pub(super) fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// What differs between the manifest and a device, whose digests are of `hash`.
    pub(super) fn compare(&self, blocks: &[MeasuredBlock], hash: Option<&str>) -> Comparison {
        let expected =
            |block: &MeasuredBlock| self.measurements.iter().find(|entry| entry.index == block.index);
        let hashes = self.hash.as_deref().zip(hash).filter(|(expected, found)| expected != found);
        let mut comparison = Comparison::default();
        for block in blocks {
            match expected(block) {
                Some(entry) if entry.is(block) => {}
                Some(entry) if hashes.is_some() && entry.hashes_like(block) => {
                    comparison.incomparable.push(block.index);
                }
                Some(entry) => {
                    comparison.different.push(block.index);
                    comparison.values.push(entry.beside(block));
                }
                None => comparison.unknown.push(block.index),
            }
        }
        let there = |entry: &&Entry| blocks.iter().any(|block| block.index == entry.index);
        let missing = || self.measurements.iter().filter(|entry| !there(entry));
        comparison.missing = missing().map(|entry| entry.index).collect();
        comparison.kinds = missing().map(|entry| (entry.index, entry.kind)).collect();
        comparison.kinds.extend(blocks.iter().map(|block| (block.index, block.kind)));
        comparison.hashes = hashes
            .filter(|_| !comparison.incomparable.is_empty())
            .map(|(expected, found)| [expected, found].map(str::to_owned));
        comparison
    }
}

/// A hash that there is not, and those that there are.
fn unknown(name: &str) -> String {
    format!("its hash is {name}, and {}", known())
}

/// The hashes that there are.
fn known() -> String {
    let known: Vec<&str> = HASHES.iter().map(|hash| hash.name).collect();
    format!("only these are known: {}", known.join(", "))
}

/// Measurements that are not as the manifest says, by their indexes.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Comparison {
    /// Of another value.
    different: Vec<u8>,
    /// Which the manifest does not have.
    unknown: Vec<u8>,
    /// Which the device does not have.
    missing: Vec<u8>,
    /// What those of another value should be, and are.
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
pub(super) struct Difference {
    expected: Entry,
    found: Entry,
}

impl Difference {
    /// What is expected and what was found, for people; of which kind, where that differs too.
    pub(super) fn texts(&self) -> [String; 2] {
        let Self { expected, found } = self;
        let alike = (expected.kind, expected.raw) == (found.kind, found.raw);
        [expected, found].map(|entry| {
            let form = if entry.raw { "raw" } else { "a digest" };
            let value = entry.text();
            if alike { value } else { format!("{}, {form}: {value}", kind_name(entry.kind)) }
        })
    }
}

impl Comparison {
    /// Whether nobody can say whether this measurement is what it should be.
    pub(super) fn is_open(&self, index: u8) -> bool {
        self.incomparable.contains(&index)
    }

    /// Whether the device's measurement with this index is not as it should be.
    pub(super) fn concerns(&self, index: u8) -> bool {
        self.different.contains(&index) || self.unknown.contains(&index)
    }

    /// What the measurement with this index should be, and is.
    pub(super) fn difference(&self, index: u8) -> Option<&Difference> {
        self.values.iter().find(|difference| difference.found.index == index)
    }

    /// What the differences mean for the verdict. `base`: the hash that was negotiated.
    pub(super) fn findings(&self, base: &str) -> Vec<Finding> {
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

    fn lists(&self) -> [(Reason, &'static str, &[u8]); 3] {
        [
            (Reason::MeasurementChanged, "differs", &self.different),
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
    use super::super::appraisal::reason::{self, Verdict};
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let manifest = Manifest::of(&[block(1, 1), block(2, 2)], Some("SHA-384"));
        assert!(manifest.to_json().unwrap().contains(r#""hash": "SHA-384""#));
        assert_eq!(serde_json::from_str::<Manifest>(&manifest.to_json().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn no_measurement_stands_in_a_manifest_twice() {
        let hash = Some("SHA-384");
        assert_eq!(Manifest::of(&[block(1, 1), block(2, 2)], hash).mistake(), None);
        let twice = Manifest::of(&[block(1, 1), block(2, 2), block(1, 3)], hash);
        assert_eq!(twice.mistake().as_deref(), Some("has measurement 1 twice"));
    }

    fn verdict(compared: &Comparison) -> Verdict {
        reason::verdict(&compared.findings("SHA-384"))
    }

    fn reasons(compared: &Comparison) -> Vec<Reason> {
        compared.findings("SHA-384").iter().map(|finding| finding.reason).collect()
    }

    #[test]
    fn every_difference_is_found() {
        let manifest = Manifest::of(&[block(1, 1), block(2, 2), block(3, 3)], Some("SHA-384"));
        let compare = |blocks: &[MeasuredBlock]| manifest.compare(blocks, Some("SHA-384"));
        assert_eq!(verdict(&compare(&[block(3, 3), block(2, 2), block(1, 1)])), Verdict::Trusted);
        let compared = compare(&[block(1, 1), block(2, 0), block(4, 4)]);
        let value = Difference { expected: Entry::of(&block(2, 2)), found: Entry::of(&block(2, 0)) };
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
        let manifest = Manifest::of(&should, Some("SHA-384"));
        let compare = |blocks: &[MeasuredBlock]| manifest.compare(blocks, Some("SHA-384"));
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
        let manifest = Manifest::of(&[block(1, 1), block(2, 2)], Some("SHA-384"));
        let compare = |blocks: &[MeasuredBlock]| manifest.compare(blocks, Some("SHA-256"));
        let compared = compare(&[block(1, 3), block(2, 4)]);
        assert_eq!(
            (verdict(&compared), compared.is_open(1), compared.concerns(1)),
            (Verdict::NoVerdict, true, false)
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
    fn a_manifest_of_no_hash_or_of_other_lengths_is_refused() {
        let mistake = |hash| Manifest::of(&[block(1, 1)], Some(hash)).mistake().unwrap_or_default();
        assert_eq!(mistake("SHA-384"), "");
        assert!(mistake("MD5").starts_with("its hash is MD5, and only these are known: SHA-256, "));
        assert_eq!(mistake("SHA-256"), "the digest of measurement 1 has 48 bytes, which is none of SHA-256");
        // raw values have any length
        let raw = MeasuredBlock { raw: true, ..block(1, 1) };
        assert_eq!(Manifest::of(std::slice::from_ref(&raw), Some("SHA-256")).mistake(), None);
        // and are of no hash
        assert_eq!(Manifest::of(&[raw], None).mistake(), None);
        let told = Manifest::of(&[block(1, 1)], None).mistake().unwrap_or_default();
        assert!(told.starts_with("measurement 1 is a digest, and there is no \"hash\""), "{told}");
    }
}
