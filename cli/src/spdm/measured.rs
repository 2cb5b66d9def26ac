//! Measurements as people read them, and whether they are what they should be.

use crate::hex;
use grille_spdm_codec::measurements::VALUE_TYPES;
pub(crate) use grille_spdm_engine::device::measurement_hash;
use grille_spdm_engine::device::{MeasuredValue, Measurement};
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;

/// What was measured, in words.
pub(crate) fn kind_name(kind: u8) -> &'static str {
    VALUE_TYPES.get(usize::from(kind)).copied().unwrap_or("reserved")
}

/// The value: a firmware security version is a number, all else is hexadecimal.
pub(crate) fn value_text(block: &MeasuredBlock) -> String {
    match (block.kind, block.value.first_chunk()) {
        (7, Some(number)) if block.value.len() == 8 => u64::from_le_bytes(*number).to_string(),
        _ => hex::encode(&block.value).to_string(),
    }
}

/// A measurement as JSON has it.
#[derive(Serialize)]
pub(crate) struct Shown {
    pub(crate) index: u8,
    pub(crate) kind: &'static str,
    raw: bool,
    pub(crate) value: String,
}

impl Shown {
    pub(crate) fn of(block: &MeasuredBlock) -> Self {
        let (index, kind, raw) = (block.index, kind_name(block.kind), block.raw);
        Self { index, kind, raw, value: value_text(block) }
    }
}

/// Whether the blocks are exactly what these contents measure to.
pub(crate) fn are(blocks: &[MeasuredBlock], contents: &[Measurement], hash: Option<&Hash>) -> bool {
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
        let of = |content: Measurement| match content.value {
            MeasuredValue::Hashed(value) => (HASHES[1].digest(&[&value]).as_ref().to_vec(), false),
            MeasuredValue::Raw(value) => (value, true),
            MeasuredValue::Digest(value) => (value, false),
        };
        let block = |content: Measurement| {
            let (index, kind) = (content.index, content.kind);
            let (value, raw) = of(content);
            MeasuredBlock { index, kind, raw, value }
        };
        Emulated::contents().into_iter().map(block).collect()
    }

    #[test]
    fn other_measurements_are_told() {
        let (contents, hash) = (Emulated::contents(), measurement_hash(4));
        assert!(are(&blocks(), &contents, hash));
        assert!(!are(&blocks(), &contents, measurement_hash(2)));
        assert!(!are(&blocks()[1..], &contents, hash));
        for i in 0..contents.len() {
            let mut altered = blocks();
            altered[i].value[0] ^= 1;
            assert!(!are(&altered, &contents, hash), "{i}");
        }
    }

    #[test]
    fn versions_are_numbers_and_digests_hexadecimal() {
        assert_eq!(value_text(&blocks()[4]), "7");
        assert_eq!(value_text(&blocks()[0]).len(), 96);
        assert_eq!((kind_name(7), kind_name(11)), ("firmware security version", "reserved"));
    }
}
