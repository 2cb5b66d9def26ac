//! Formats measurements, and compares them with expected contents.

use super::appraisal::device_mode::{DEVICE_MODE, DeviceMode};
use crate::hex;
use grille_spdm_codec::measurements::VALUE_TYPES;
pub(crate) use grille_spdm_engine::device::measurement_hash;
use grille_spdm_engine::device::{MeasuredValue, Measurement};
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::{Deserialize, Serialize};

/// Names a measurement type.
pub(crate) fn kind_name(kind: u8) -> &'static str {
    VALUE_TYPES.get(usize::from(kind)).copied().unwrap_or("reserved")
}

/// Formats a value for people: hexadecimal, and decoded for a firmware security version or a device mode.
pub(crate) fn value_text(kind: u8, value: &[u8]) -> String {
    let digits = hex::encode(value);
    let decoded = match kind {
        SECURITY_VERSION => value.try_into().ok().map(|number| u64::from_le_bytes(number).to_string()),
        DEVICE_MODE => DeviceMode::decode(value).map(|mode| mode.to_string()),
        _ => None,
    };
    match decoded {
        Some(decoded) => format!("{} ({decoded})", digits.as_str()),
        None => digits.to_string(),
    }
}

/// DMTFSpecMeasurementValueType of a firmware security version: u64, little-endian.
pub(crate) const SECURITY_VERSION: u8 = 7;

/// A measurement in the form of JSON documents and manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) index: u8,
    /// A description for people; not compared.
    #[serde(default)]
    pub(crate) description: String,
    /// DMTFSpecMeasurementValueType.
    pub(crate) kind: u8,
    /// Whether the value is raw rather than a digest.
    pub(crate) raw: bool,
    /// The value in hexadecimal.
    pub(crate) value: String,
}

impl Entry {
    pub(crate) fn new(block: &MeasuredBlock) -> Self {
        Self {
            index: block.index,
            description: kind_name(block.kind).to_owned(),
            kind: block.kind,
            raw: block.raw,
            value: hex::encode(&block.value).to_string(),
        }
    }

    /// Returns the bytes of the value; `None` if it is not hexadecimal.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        hex::decode(&self.value)
    }

    /// Formats the value for people.
    pub(crate) fn text(&self) -> String {
        self.bytes().map_or_else(|| self.value.clone(), |value| value_text(self.kind, &value))
    }
}

/// Returns whether the blocks are exactly the measurements of these contents.
pub(crate) fn matches_contents(
    blocks: &[MeasuredBlock],
    contents: &[Measurement],
    hash: Option<&Hash>,
) -> bool {
    let same = |(block, content): (&MeasuredBlock, &Measurement)| {
        let value = match (&content.value, hash) {
            (MeasuredValue::Hashed(value), Some(hash)) if !block.raw => {
                hash.digest(&[value]).as_ref().to_vec()
            }
            (MeasuredValue::Hashed(value) | MeasuredValue::Raw(value), _) if block.raw => value.clone(),
            (MeasuredValue::Digest(value), _) if !block.raw => value.clone(),
            _ => return false,
        };
        (block.index, block.kind, &block.value) == (content.index, content.kind, &value)
    };
    blocks.len() == contents.len() && blocks.iter().zip(contents).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spdm::device::Emulated;
    use grille_spdm_engine::hash::HASHES;

    fn blocks() -> Vec<MeasuredBlock> {
        let block = |content: Measurement| match content.value {
            MeasuredValue::Hashed(value) => (HASHES[1].digest(&[&value]).as_ref().to_vec(), false),
            MeasuredValue::Raw(value) => (value, true),
            MeasuredValue::Digest(value) => (value, false),
        };
        let block = |content: Measurement| {
            let (index, kind) = (content.index, content.kind);
            let (value, raw) = block(content);
            MeasuredBlock { index, kind, raw, value }
        };
        Emulated::contents().into_iter().map(block).collect()
    }

    #[test]
    fn detects_different_measurements() {
        let (contents, hash) = (Emulated::contents(), measurement_hash(4));
        assert!(matches_contents(&blocks(), &contents, hash));
        assert!(!matches_contents(&blocks(), &contents, measurement_hash(2)));
        assert!(!matches_contents(&blocks()[1..], &contents, hash));
        for i in 0..contents.len() {
            let mut altered = blocks();
            altered[i].value[0] ^= 1;
            assert!(!matches_contents(&altered, &contents, hash), "{i}");
        }
    }

    #[test]
    fn formats_values_and_decodes_versions() {
        let [digest, version] = [0, 4].map(|at| Entry::new(&blocks()[at]));
        assert_eq!(
            (version.value.as_str(), version.text().as_str()),
            ("0700000000000000", "0700000000000000 (7)")
        );
        assert_eq!((digest.value.len(), digest.text()), (96, digest.value.clone()));
        // This value has eight bytes, but its type is not a version.
        assert_eq!(value_text(6, &[7; 8]), "07".repeat(8));
        assert_eq!((kind_name(7), kind_name(11)), ("firmware security version", "reserved"));
    }
}
