//! The entries of DIGESTS.

use crate::hash::Digest;
use crate::identity::model;

/// The entry of one slot in DIGESTS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotDigest {
    /// The slot.
    pub slot: u8,
    /// The hash of the slot's chain.
    pub digest: Digest,
    /// KeyPairID; 0 unless the connection is multi-key.
    pub key_pair_id: u8,
    /// Certificate model; 0 unless the connection is multi-key.
    pub model: u8,
    /// KeyUsageMask; 0 unless the connection is multi-key.
    pub key_usage: u16,
}

impl SlotDigest {
    /// Returns whether the slot has a chain. A key without a chain has no model and a digest of zeros (1.3).
    pub(crate) fn is_full(&self) -> bool {
        self.model != model::NONE || self.digest.as_ref().iter().any(|byte| *byte != 0)
    }
}

/// Returns the entry of this slot in DIGESTS.
pub(crate) fn entry(slots: &[SlotDigest], slot: u8) -> Option<&SlotDigest> {
    slots.iter().find(|candidate| candidate.slot == slot)
}
