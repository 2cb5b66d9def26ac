//! The requester's slots, according to its DIGESTS.

use crate::model::encapsulated::EncapsulatedFlow;
use crate::model::fields::Fields;
use crate::model::state::Model;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::identity::usage;
use std::collections::BTreeMap;
use std::iter::repeat;
use std::ops::RangeInclusive;

/// The entry of a slot in DIGESTS.
#[derive(Clone)]
pub(super) struct SlotEntry {
    pub(super) digest: Vec<u8>,
    /// The certificate model; 0 unless the connection is multi-key.
    pub(super) model: u8,
    /// KeyUsageMask; 0 unless the connection is multi-key.
    usage: u16,
}

impl SlotEntry {
    /// Returns whether the slot has a chain, and not only a key.
    fn is_full(&self) -> bool {
        self.model != 0 || self.digest.iter().any(|byte| *byte != 0)
    }
}

impl Model {
    /// Returns whether the key usage of the announced slot permits `wanted`. On connections without multi-key, every
    /// key may be used for everything.
    fn permits_usage(&self, announced: &SlotEntry, wanted: u16) -> bool {
        !self.multi_key || announced.usage & wanted != 0
    }

    /// Returns whether the requester's key in this slot is known and may be used for `wanted`.
    pub(crate) fn can_prove(&self, slot: u8, wanted: u16) -> bool {
        self.knows_key(slot) && self.may_prove(slot, wanted)
    }

    /// Returns whether the announced key usage of the slot permits `wanted`. If the slot was not announced, returns
    /// true.
    pub(super) fn may_prove(&self, slot: u8, wanted: u16) -> bool {
        self.peer.announced.get(&slot).is_none_or(|announced| self.permits_usage(announced, wanted))
    }

    /// Returns the first slot with a chain whose key fits the encapsulated request flow.
    pub(super) fn select_slot(
        &self,
        flow: &EncapsulatedFlow,
        announced: &BTreeMap<u8, SlotEntry>,
    ) -> Option<u8> {
        let wanted = if flow.session.is_some() { usage::KEY_EX } else { usage::CHALLENGE };
        let able = |announced: &SlotEntry| announced.is_full() && self.permits_usage(announced, wanted);
        announced.iter().find(|(_, announced)| able(announced)).map(|(slot, _)| *slot)
    }

    /// Parses DIGESTS; `None` if its contents are invalid.
    pub(super) fn read_digests(
        &self,
        header: &[u8; 4],
        fields: &mut Fields<'_>,
        hash: &Hash,
    ) -> Option<BTreeMap<u8, SlotEntry>> {
        let slots: Vec<u8> = (0..8).filter(|slot| header[3] >> slot & 1 == 1).collect();
        let digests = fields.take(hash.output_len() * slots.len())?.chunks(hash.output_len());
        // KeyPairID, CertificateInfo and KeyUsageMask
        let each = if self.multi_key { slots.len() } else { 0 };
        let (_, infos, usages) = (fields.take(each)?, fields.take(each)?, fields.take(2 * each)?);
        let models = infos.iter().map(|info| info & 7).chain(repeat(0));
        let usages = usages.chunks(2).map(|usage| u16::from_le_bytes([usage[0], usage[1]])).chain(repeat(0));
        let announced = digests.zip(models.zip(usages));
        let announced =
            announced.map(|(digest, (model, usage))| SlotEntry { digest: digest.to_vec(), model, usage });
        let announced: BTreeMap<u8, SlotEntry> = slots.into_iter().zip(announced).collect();
        let there = self.version < 0x13 || header[3] & !header[2] == 0;
        let models = |(slot, announced): (&u8, &SlotEntry)| {
            self.models(*slot).contains(&announced.model) || !announced.is_full()
        };
        let of_use = announced.get(&0).is_none_or(|announced| self.permits_usage(announced, usage::ALL));
        let fine = there && of_use && !announced.is_empty() && announced.iter().all(models);
        Some(announced).filter(|_| fine)
    }

    /// Returns the certificate models that a slot with a chain may have. Without multi-key, the model is 0; slot 0 must
    /// not have a generic certificate.
    fn models(&self, slot: u8) -> RangeInclusive<u8> {
        if self.multi_key { 1..=if slot == 0 { 2 } else { 3 } } else { 0..=0 }
    }
}
