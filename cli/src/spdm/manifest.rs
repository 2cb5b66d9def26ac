//! Reference manifests: what a device should measure.

use super::measured::kind_name;
use crate::error::Error;
use crate::{files, hex};
use grille_spdm_engine::operations::MeasuredBlock;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// Every measurement of a device that is as it should be; JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    measurements: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    index: u8,
    /// For people; not compared.
    #[serde(default)]
    description: String,
    /// DMTFSpecMeasurementValueType.
    kind: u8,
    /// Whether the value is raw and no digest.
    raw: bool,
    /// Hexadecimal.
    value: String,
}

impl Entry {
    fn is(&self, block: &MeasuredBlock) -> bool {
        let same = (self.index, self.kind, self.raw) == (block.index, block.kind, block.raw);
        same && hex::decode(&self.value).is_some_and(|value| value == block.value)
    }
}

impl Manifest {
    /// What these blocks say.
    pub(super) fn of(blocks: &[MeasuredBlock]) -> Self {
        let entry = |block: &MeasuredBlock| Entry {
            index: block.index,
            description: kind_name(block.kind).to_owned(),
            kind: block.kind,
            raw: block.raw,
            value: hex::encode(&block.value).to_string(),
        };
        Self { measurements: blocks.iter().map(entry).collect() }
    }

    /// From a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no manifest.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let read = files::read(path)?;
        let manifest: Self = serde_json::from_slice(&read).map_err(|error| {
            Error::failure(format_args!("is no manifest of measurements: {error}"))
                .at(path)
                .advise("grille spdm attest --save writes one")
        })?;
        match manifest.mistake() {
            Some(what) => Err(Error::failure(what).at(path)),
            None => Ok(manifest),
        }
    }

    /// What cannot be compared.
    fn mistake(&self) -> Option<String> {
        let mut known = BTreeSet::new();
        self.measurements.iter().find_map(|Entry { index, value, .. }| {
            if hex::decode(value).is_none() {
                return Some(format!("the value of measurement {index} is not hexadecimal"));
            }
            (!known.insert(index)).then(|| format!("has measurement {index} twice"))
        })
    }

    /// All that is compared, in words that say the same of the same.
    pub(super) fn canonical(&self) -> String {
        let entry = |entry: &Entry| {
            let Entry { index, kind, raw, value, .. } = entry;
            format!("{index} {kind} {raw} {}\n", value.to_ascii_lowercase())
        };
        let mut entries: Vec<_> = self.measurements.iter().map(entry).collect();
        entries.sort();
        entries.concat()
    }

    /// As it stands in a file.
    ///
    /// # Errors
    /// None in practice; those of the serializer.
    pub(super) fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// What differs between the manifest and a device.
    pub(super) fn compare(&self, blocks: &[MeasuredBlock]) -> Comparison {
        let expected =
            |block: &MeasuredBlock| self.measurements.iter().find(|entry| entry.index == block.index);
        let mut comparison = Comparison::default();
        for block in blocks {
            match expected(block) {
                Some(entry) if entry.is(block) => {}
                Some(_) => comparison.different.push(block.index),
                None => comparison.unknown.push(block.index),
            }
        }
        let there = |entry: &&Entry| blocks.iter().any(|block| block.index == entry.index);
        comparison.missing =
            self.measurements.iter().filter(|entry| !there(entry)).map(|entry| entry.index).collect();
        comparison
    }
}

/// Indexes of measurements that are not as the manifest says.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Comparison {
    /// Of another value.
    different: Vec<u8>,
    /// Which the manifest does not have.
    unknown: Vec<u8>,
    /// Which the device does not have.
    missing: Vec<u8>,
}

impl Comparison {
    /// Whether nothing differs.
    pub(super) fn is_same(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the device's measurement with this index is not as it should be.
    pub(super) fn concerns(&self, index: u8) -> bool {
        self.different.contains(&index) || self.unknown.contains(&index)
    }

    /// What differs, for people.
    pub(super) fn text(&self) -> String {
        let lists = [
            ("differs", &self.different),
            ("is not in the manifest", &self.unknown),
            ("is missing", &self.missing),
        ];
        let said = lists.iter().flat_map(|(what, indexes)| {
            indexes.iter().map(move |index| format!("measurement {index} {what}"))
        });
        said.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(index: u8, value: u8) -> MeasuredBlock {
        MeasuredBlock { index, kind: 1, raw: false, value: vec![value; 48] }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let manifest = Manifest::of(&[block(1, 1), block(2, 2)]);
        assert_eq!(serde_json::from_str::<Manifest>(&manifest.to_json().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn no_measurement_stands_in_a_manifest_twice() {
        assert_eq!(Manifest::of(&[block(1, 1), block(2, 2)]).mistake(), None);
        let twice = Manifest::of(&[block(1, 1), block(2, 2), block(1, 3)]);
        assert_eq!(twice.mistake().as_deref(), Some("has measurement 1 twice"));
    }

    #[test]
    fn every_difference_is_told() {
        let manifest = Manifest::of(&[block(1, 1), block(2, 2), block(3, 3)]);
        assert!(manifest.compare(&[block(3, 3), block(2, 2), block(1, 1)]).is_same());
        let compared = manifest.compare(&[block(1, 1), block(2, 0), block(4, 4)]);
        let expected = Comparison { different: vec![2], unknown: vec![4], missing: vec![3] };
        assert_eq!(compared, expected);
        assert!(compared.concerns(2) && compared.concerns(4) && !compared.concerns(1));
        assert!(compared.text().ends_with("measurement 3 is missing"));
        let raw = MeasuredBlock { raw: true, ..block(1, 1) };
        assert_eq!(manifest.compare(&[raw, block(2, 2), block(3, 3)]).different, [1]);
    }
}
