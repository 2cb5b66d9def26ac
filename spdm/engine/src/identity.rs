//! What a side proves itself with: certificate chains in slots, public keys provisioned beforehand.

use crate::algorithms::{Asym, Bits};
use crate::chain;
use crate::hash::{Digest, Hash};
use crate::signatures::Signer;
use grille_core::SecretBytes;
use grille_pki::{Certificate, PublicKey};
use std::sync::Arc;

/// The slot number of the public key that was provisioned.
pub const PROVISIONED: u8 = 0xFF;
/// The number of slots.
pub const SLOTS: u8 = 8;

/// A chain and its key in a slot.
#[derive(Clone)]
pub struct Slot {
    /// The slot's number.
    pub number: u8,
    /// From the root to the device's own.
    pub certificates: Vec<Certificate>,
    /// RootHash, where the root is not among the certificates and the negotiated hash has this length; else the first
    /// certificate's.
    pub root_hash: Vec<u8>,
    /// The device's own private key.
    pub signer: Arc<dyn Signer>,
    /// KeyPairID, from 1 (1.3).
    pub key_pair_id: u8,
    /// Certificate model, one of [`model`] (1.3).
    pub model: u8,
    /// KeyUsageMask (1.3).
    pub key_usage: u16,
}

impl Slot {
    /// A device certificate whose key may be used for everything.
    pub fn new(number: u8, certificates: Vec<Certificate>, signer: Arc<dyn Signer>) -> Self {
        let everything = usage::KEY_EX | usage::CHALLENGE | usage::MEASUREMENT | usage::ENDPOINT_INFO;
        Self {
            number,
            certificates,
            root_hash: Vec::new(),
            signer,
            key_pair_id: number + 1,
            model: model::DEVICE,
            key_usage: everything,
        }
    }
}

/// Certificate models, DSP0274 1.3 "CertificateInfo".
pub mod model {
    /// Not told, or the slot is empty.
    pub const NONE: u8 = 0;
    /// The device's own key, which it keeps for life.
    pub const DEVICE: u8 = 1;
    /// A key that the device derived, perhaps of what runs on it, and certified itself.
    pub const ALIAS: u8 = 2;
    /// Another use than the standard's; not in slot 0.
    pub const GENERIC: u8 = 3;

    /// Whether a full slot may have this model; only multi-key connections tell one.
    pub(crate) const fn fits(model: u8, slot: u8, multi_key: bool) -> bool {
        match model {
            NONE => !multi_key,
            DEVICE | ALIAS => multi_key,
            GENERIC => multi_key && slot != 0,
            _ => false,
        }
    }
}

/// KeyUsageMask, DSP0274 1.3.
pub mod usage {
    /// KeyExUse.
    pub const KEY_EX: u16 = 1;
    /// ChallengeUse.
    pub const CHALLENGE: u16 = 1 << 1;
    /// MeasurementUse.
    pub const MEASUREMENT: u16 = 1 << 2;
    /// EndpointInfoUse.
    pub const ENDPOINT_INFO: u16 = 1 << 3;
}

/// All of a side's slots. A slot may hold a chain for each of several algorithms; the negotiated one counts.
#[derive(Clone, Default)]
pub struct Identity {
    slots: Vec<Slot>,
    provisioned: Vec<(PublicKey, Arc<dyn Signer>)>,
    psks: Vec<(Vec<u8>, SecretBytes)>,
}

impl Identity {
    /// With one slot more.
    #[must_use]
    pub fn with(mut self, slot: Slot) -> Self {
        self.slots.push(slot);
        self
    }

    /// With a public key that the peer knows already.
    #[must_use]
    pub fn with_provisioned(mut self, key: PublicKey, signer: Arc<dyn Signer>) -> Self {
        self.provisioned.push((key, signer));
        self
    }

    /// With a key that the peer has too, under a name that both know. Secret: `psk`.
    #[must_use]
    pub fn with_psk(mut self, hint: &[u8], psk: SecretBytes) -> Self {
        self.psks.push((hint.to_vec(), psk));
        self
    }

    /// The key with this name.
    pub(crate) fn psk(&self, hint: &[u8]) -> Option<&SecretBytes> {
        self.psks.iter().find(|(known, _)| known == hint).map(|(_, psk)| psk)
    }

    /// What of `bits` there are keys for.
    pub(crate) fn able(&self, bits: Bits) -> Bits {
        let slots = self.slots.iter().map(|slot| slot.signer.algorithm());
        let provisioned = self.provisioned.iter().map(|(_, signer)| signer.algorithm());
        let (mut classical, mut post_quantum) = (0, 0);
        for algorithm in slots.chain(provisioned) {
            match algorithm {
                Asym::Classical(row) => classical |= 1 << row.bit,
                Asym::PostQuantum(row) => post_quantum |= row.spdm_bit.map_or(0, |bit| 1 << bit),
            }
        }
        Bits { asym: bits.asym & classical, pqc_asym: bits.pqc_asym & post_quantum, ..bits }
    }

    /// Puts these in place of what is in the slot.
    pub(crate) fn replace(
        &mut self,
        number: u8,
        algorithm: Asym,
        root_hash: Vec<u8>,
        certificates: Vec<Certificate>,
    ) {
        let wanted = |slot: &&mut Slot| slot.number == number && slot.signer.algorithm() == algorithm;
        if let Some(slot) = self.slots.iter_mut().find(wanted) {
            (slot.root_hash, slot.certificates) = (root_hash, certificates);
        }
    }

    /// Takes out the chain that is in the slot; the key stays.
    pub(crate) fn erase(&mut self, number: u8, algorithm: Asym) {
        self.replace(number, algorithm, Vec::new(), Vec::new());
    }

    /// Every slot with a chain for `algorithm`, ascending.
    pub(crate) fn slots(&self, algorithm: Asym) -> Vec<&Slot> {
        let mut slots: Vec<_> =
            self.slots.iter().filter(|slot| slot.signer.algorithm() == algorithm).collect();
        slots.sort_by_key(|slot| slot.number);
        slots
    }

    pub(crate) fn slot(&self, number: u8, algorithm: Asym) -> Option<&Slot> {
        self.slots(algorithm).into_iter().find(|slot| slot.number == number)
    }

    /// Whose signature `number`, perhaps [`PROVISIONED`], stands for.
    pub(crate) fn signer(&self, number: u8, algorithm: Asym) -> Option<&Arc<dyn Signer>> {
        if number == PROVISIONED {
            let mut keys = self.provisioned.iter();
            return keys.find(|(_, signer)| signer.algorithm() == algorithm).map(|(_, signer)| signer);
        }
        let slot = self.slot(number, algorithm).filter(|slot| !slot.certificates.is_empty());
        slot.map(|slot| &slot.signer)
    }

    /// The hash of the slot's chain, or of the public key that was provisioned.
    pub(crate) fn digest(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<Digest> {
        if number == PROVISIONED {
            let mut keys = self.provisioned.iter();
            let (key, _) = keys.find(|(_, signer)| signer.algorithm() == algorithm)?;
            return Some(hash.digest(&[&key.to_spki_der().ok()?]));
        }
        Some(hash.digest(&[&self.chain(number, algorithm, hash)?]))
    }

    /// The slot's chain as it is sent.
    pub(crate) fn chain(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<Vec<u8>> {
        let slot = self.slot(number, algorithm).filter(|slot| !slot.certificates.is_empty())?;
        if slot.root_hash.len() == hash.output_len() {
            return Some(chain::write_below(&slot.root_hash, &slot.certificates));
        }
        Some(chain::write(hash, &slot.certificates))
    }

    /// ProvisionedSlotMask.
    pub(crate) fn mask(&self, algorithm: Asym) -> u8 {
        let full = self.slots(algorithm).into_iter().filter(|slot| !slot.certificates.is_empty());
        full.fold(0, |mask, slot| mask | 1 << (slot.number % SLOTS))
    }
}
