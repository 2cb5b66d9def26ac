//! The identity of one side: certificate chains in slots, and provisioned public keys.

use crate::algorithms::{Asym, Bits};
use crate::chain;
use crate::error::Error;
use crate::hash::{Digest, HASHES, Hash};
use crate::signatures::{self, CHALLENGE_AUTH, Signer, ToBeSigned};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use grille_core::{CryptoRng, DynDecapsKey, SecretBytes};
use grille_pki::{Certificate, PublicKey};
use grille_registry::{KemRow, Row, SignatureRow};
use grille_spdm_codec::Version;
use once_cell::race::OnceBox;

pub use crate::slot_number::{PROVISIONED, SLOTS};

/// A certificate chain with its signer, in a slot.
#[derive(Clone)]
pub struct Slot {
    /// The slot's number, 0 to 7.
    pub number: u8,
    /// The certificates from the root to the leaf.
    pub certificates: Vec<Certificate>,
    /// For a chain without its root: RootHash, with the bit of its hash in BaseHashAlgo. If another hash is negotiated,
    /// RootHash cannot be computed without the root, and the hash of the first certificate is sent instead.
    pub root_hash: Option<(u8, Vec<u8>)>,
    /// The signer with the leaf's private key, which [`Slot::check`] verifies.
    pub signer: Arc<dyn Signer>,
    /// KeyPairID, from 1 (1.3); 0 if the slot has lost its key pair, and thus has no chain.
    pub key_pair_id: u8,
    /// Certificate model, one of [`model`] (1.3).
    pub model: u8,
    /// KeyUsageMask (1.3).
    pub key_usage: u16,
}

impl Slot {
    /// Creates a slot with a device certificate. Its key has every key usage, and KeyPairID is the slot number plus 1.
    pub fn new(number: u8, certificates: Vec<Certificate>, signer: Arc<dyn Signer>) -> Self {
        Self {
            number,
            certificates,
            root_hash: None,
            signer,
            // saturation has no effect: slot numbers are at most 7
            key_pair_id: number.saturating_add(1),
            model: model::DEVICE,
            key_usage: usage::ALL,
        }
    }

    /// Checks that the signer has the key of the leaf certificate. Nothing else checks this; a requester would only see invalid
    /// signatures. Call it when the device is built or tested, because it signs once. Returns `None` if the signer needs more
    /// time, as in [`Signer::sign`]: call it again then. An empty slot passes.
    ///
    /// # Errors
    /// Returns [`Error::Key`] with [`InvalidSignature`](grille_core::Error::InvalidSignature) or
    /// [`InvalidPublicKey`](grille_core::Error::InvalidPublicKey) if the signer has another key, or with the signer's error;
    /// [`Error::Untrusted`] if the certificate's key cannot be parsed.
    pub fn check(&self, rng: &mut dyn CryptoRng) -> Result<Option<()>, Error> {
        let Some(leaf) = self.certificates.last() else { return Ok(Some(())) };
        let key = leaf.public_key().map_err(Error::Untrusted)?;
        let hash = &HASHES[0];
        // This is not the hash of any real transcript.
        let digest = hash.digest(&[leaf.as_der()]);
        let message = ToBeSigned::new(Version::V1_4, CHALLENGE_AUTH, hash, &digest);
        let Some(signature) = signatures::sign(&*self.signer, &message, rng).map_err(Error::Key)? else {
            return Ok(None);
        };
        signatures::verify(self.signer.algorithm(), &key, &message, &signature).map_err(Error::Key)?;
        Ok(Some(()))
    }

    fn matches(&self, number: u8, algorithm: Asym) -> bool {
        self.number == number && self.signer.algorithm() == algorithm
    }
}

/// Certificate models, DSP0274 1.3 "CertificateInfo".
pub mod model {
    /// No model: not announced, or the slot is empty.
    pub const NONE: u8 = 0;
    /// The device's own key, which never changes.
    pub const DEVICE: u8 = 1;
    /// A key that the device derived, possibly from its firmware, and certified itself.
    pub const ALIAS: u8 = 2;
    /// A use outside the standard; not allowed in slot 0.
    pub const GENERIC: u8 = 3;

    /// Returns whether a slot with a chain may have this model.
    pub(crate) const fn is_allowed(model: u8, slot: u8, multi_key: bool) -> bool {
        may_announce(model, multi_key) && !(model == GENERIC && slot == 0)
    }

    /// Returns whether this model may be announced. Only multi-key connections announce models.
    pub(crate) const fn may_announce(model: u8, multi_key: bool) -> bool {
        match model {
            NONE => !multi_key,
            DEVICE | ALIAS | GENERIC => multi_key,
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
    /// Every key usage of the standard's own messages.
    pub const ALL: u16 = KEY_EX | CHALLENGE | MEASUREMENT | ENDPOINT_INFO;

    /// Returns whether KeyUsageMask permits `wanted`. Without multi-key, one key has every usage.
    pub(crate) const fn permits(multi_key: bool, mask: u16, wanted: u16) -> bool {
        !multi_key || mask & wanted != 0
    }
}

/// A slot with its encoded chain for each hash. Each chain is encoded on first use, or in advance, and shared by all
/// clones.
#[derive(Clone)]
struct SlotState {
    slot: Slot,
    /// The key of the initial chain. Chains may be replaced; the key remains. In the alias model the certificates issued by the device
    /// remain as well.
    key: Option<PublicKey>,
    initial_chain: Arc<[Certificate]>,
    encoded: Arc<[OnceBox<EncodedChain>; HASHES.len()]>,
}

/// An encoded chain with its hash.
struct EncodedChain {
    chain: Vec<u8>,
    digest: Digest,
}

impl SlotState {
    fn new(slot: Slot) -> Self {
        let key = slot.certificates.last().and_then(|leaf| leaf.public_key().ok());
        Self { key, initial_chain: slot.certificates.as_slice().into(), slot, encoded: Arc::default() }
    }

    /// Returns the slot without its chain and key pair. The slot itself remains.
    fn without_key(&self) -> Self {
        let slot = Slot { certificates: Vec::new(), key_pair_id: 0, ..self.slot.clone() };
        Self { slot, key: None, initial_chain: Arc::default(), encoded: Arc::default() }
    }

    /// Returns the encoded chain; `None` if the slot is empty.
    fn encoded(&self, hash: &Hash) -> Option<&EncodedChain> {
        let slot = Some(&self.slot).filter(|slot| !slot.certificates.is_empty())?;
        let place = self.encoded.get(usize::from(hash.bit))?;
        Some(place.get_or_init(|| {
            let chain = match &slot.root_hash {
                Some((bit, root_hash)) if *bit == hash.bit => {
                    chain::write_with_root_hash(root_hash, &slot.certificates)
                }
                _ => chain::write(hash, &slot.certificates),
            };
            Box::new(EncodedChain { digest: hash.digest(&[&chain]), chain })
        }))
    }

    /// Returns whether neither slot was changed since one was cloned from the other.
    fn is_unchanged_since(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.encoded, &other.encoded) && self.slot.key_usage == other.slot.key_usage
    }

    /// Encodes the chain for the hashes with these bits.
    fn prepare(&self, hashes: u32) {
        HASHES.iter().filter(|hash| hashes >> hash.bit & 1 == 1).for_each(|hash| {
            self.encoded(hash);
        });
    }
}

/// All slots of one side. A slot may have a chain for each of several algorithms; the negotiated algorithm selects one.
#[derive(Clone, Default)]
pub struct Identity {
    slots: Vec<SlotState>,
    provisioned: Vec<(PublicKey, Arc<dyn Signer>)>,
    psks: Vec<(Vec<u8>, SecretBytes)>,
    raw: Vec<(PublicKey, Arc<dyn Signer>)>,
    kems: Vec<(&'static KemRow, Arc<dyn DynDecapsKey>)>,
    /// The bits of the hashes for which chains are encoded in advance.
    hashes: u32,
}

impl Identity {
    /// Adds a slot. A slot with the same number and algorithm is replaced.
    ///
    /// # Panics
    /// Panics if its number is above 7.
    #[must_use]
    pub fn with(mut self, slot: Slot) -> Self {
        assert!(slot.number < SLOTS, "slot numbers are 0 to 7");
        let state = self.state(slot);
        self.put(state);
        self
    }

    /// Encodes and hashes every chain in advance, now and when it is replaced, for the hashes with these bits of BaseHashAlgo.
    /// Requesters and responders call this when they are created. If you create one for each connection, call this once and clone
    /// the result.
    #[must_use]
    pub fn prepared(mut self, hashes: u32) -> Self {
        self.hashes |= hashes;
        self.slots.iter().for_each(|state| state.prepare(hashes));
        self
    }

    /// Inserts a slot, or replaces the one with the same number and algorithm.
    fn put(&mut self, state: SlotState) {
        let (number, algorithm) = (state.slot.number, state.slot.signer.algorithm());
        match self.slots.iter_mut().find(|old| old.slot.matches(number, algorithm)) {
            Some(old) => *old = state,
            None => self.slots.push(state),
        }
    }

    fn state(&self, slot: Slot) -> SlotState {
        let state = SlotState::new(slot);
        state.prepare(self.hashes);
        state
    }

    /// Adds a public key that is provisioned at the peer.
    #[must_use]
    pub fn with_provisioned(mut self, key: PublicKey, signer: Arc<dyn Signer>) -> Self {
        self.provisioned.push((key, signer));
        self
    }

    /// Adds a key that signs without a certificate, in [`crate::pqc2021`]. There may be one for each algorithm.
    #[must_use]
    pub fn with_raw_signer(mut self, key: PublicKey, signer: Arc<dyn Signer>) -> Self {
        self.raw.push((key, signer));
        self
    }

    /// Adds a key for KEM authentication, in [`crate::pqc2021`]. There may be one for each algorithm.
    #[must_use]
    pub fn with_kem_key(mut self, row: &'static KemRow, key: Box<dyn DynDecapsKey>) -> Self {
        self.kems.push((row, key.into()));
        self
    }

    /// Returns the key without a certificate of this algorithm, with its signer.
    pub(crate) fn raw_signer(&self, row: &SignatureRow) -> Option<&(PublicKey, Arc<dyn Signer>)> {
        self.raw.iter().find(|(key, _)| key.row().name() == row.name())
    }

    /// Returns the key for KEM authentication with this algorithm.
    pub(crate) fn kem_key(&self, row: &KemRow) -> Option<&Arc<dyn DynDecapsKey>> {
        self.kems.iter().find(|(known, _)| known.name() == row.name()).map(|(_, key)| key)
    }

    /// Replaces every signer, for example with one that creates invalid signatures, to test peers.
    #[must_use]
    pub fn with_signers(mut self, replace: impl Fn(Arc<dyn Signer>) -> Arc<dyn Signer>) -> Self {
        let slots = self.slots.iter_mut().map(|state| &mut state.slot.signer);
        let provisioned = self.provisioned.iter_mut().map(|(_, signer)| signer);
        let raw = self.raw.iter_mut().map(|(_, signer)| signer);
        slots.chain(provisioned).chain(raw).for_each(|signer| *signer = replace(signer.clone()));
        self
    }

    /// Adds a pre-shared key under a hint that both sides know. If several keys have the same hint, the first is used.
    /// A session is only as secure as this key, so use random bytes, at least as many as the hash has. Secret: `psk`.
    ///
    /// # Panics
    /// Panics if `psk` is empty.
    #[must_use]
    pub fn with_psk(mut self, hint: &[u8], psk: SecretBytes) -> Self {
        assert!(!psk.as_ref().is_empty(), "a pre-shared key must not be empty");
        self.psks.push((hint.to_vec(), psk));
        self
    }

    /// Returns the pre-shared key with this hint.
    pub(crate) fn psk(&self, hint: &[u8]) -> Option<&SecretBytes> {
        self.psks.iter().find(|(known, _)| known == hint).map(|(_, psk)| psk)
    }

    /// Returns `bits` without the signature algorithms for which there is no key.
    pub(crate) fn restrict(&self, bits: Bits) -> Bits {
        let slots = self.slots.iter().filter(|state| state.slot.key_pair_id != 0);
        let slots = slots.map(|state| state.slot.signer.algorithm());
        let provisioned = self.provisioned.iter().map(|(_, signer)| signer.algorithm());
        let (mut classical, mut post_quantum, mut hybrid) = (0, 0, 0);
        for algorithm in slots.chain(provisioned) {
            match algorithm {
                Asym::Classical(row) => classical |= 1 << row.bit,
                Asym::PostQuantum(row) => post_quantum |= row.spdm_bit.map_or(0, |bit| 1 << bit),
                Asym::Hybrid(row) => hybrid |= 1 << row.bit,
            }
        }
        let hybrid_asym = bits.hybrid_asym & hybrid;
        Bits { asym: bits.asym & classical, pqc_asym: bits.pqc_asym & post_quantum, hybrid_asym, ..bits }
    }

    /// Replaces the chain in a slot.
    pub(crate) fn replace(
        &mut self,
        number: u8,
        algorithm: Asym,
        root_hash: Option<(u8, Vec<u8>)>,
        certificates: Vec<Certificate>,
        model: u8,
    ) {
        if let Some(at) = self.slots.iter().position(|state| state.slot.matches(number, algorithm)) {
            let SlotState { slot, key, initial_chain, .. } = self.slots[at].clone();
            let state = self.state(Slot { root_hash, certificates, model, ..slot });
            self.slots[at] = SlotState { key: key.or_else(|| state.key.clone()), initial_chain, ..state };
        }
    }

    /// Puts the key pair into exactly these slots. `key`: the key for newly assigned slots.
    pub(crate) fn associate(
        &mut self,
        key_pair_id: u8,
        slots: u8,
        usage: u16,
        key: Option<(PublicKey, Arc<dyn Signer>)>,
    ) {
        let inside = |number: u8| number < SLOTS && slots >> number & 1 == 1;
        for state in &mut self.slots {
            if state.slot.key_pair_id == key_pair_id && !inside(state.slot.number) {
                *state = state.without_key();
            }
        }
        let Some((public, signer)) = key else { return };
        for number in (0..SLOTS).filter(|number| inside(*number)) {
            let there = self.slot(number, signer.algorithm());
            if there.is_some_and(|slot| slot.key_pair_id == key_pair_id) {
                continue;
            }
            let slot = Slot::new(number, Vec::new(), signer.clone());
            let slot = Slot { key_pair_id, key_usage: usage, ..slot };
            self.put(SlotState { key: Some(public.clone()), ..SlotState::new(slot) });
        }
    }

    /// Restricts the key pair to these usages.
    pub(crate) fn restrict_usage(&mut self, key_pair_id: u8, usage: u16) {
        let of_pair = |state: &&mut SlotState| state.slot.key_pair_id == key_pair_id;
        self.slots.iter_mut().filter(of_pair).for_each(|state| state.slot.key_usage = usage);
    }

    /// Adopts the slots that changed between `before` and its clone `after`. Use it to merge the changes of one connection while
    /// other connections change other slots.
    pub fn adopt_changes(&mut self, before: &Self, after: &Self) {
        let changed = |state: &&SlotState| !before.slots.iter().any(|old| old.is_unchanged_since(state));
        after.slots.iter().filter(changed).for_each(|state| self.put(state.clone()));
    }

    /// Returns the key that a chain in this slot must certify; `None` if the slot has no key.
    pub(crate) fn key(&self, number: u8, algorithm: Asym) -> Option<&PublicKey> {
        self.slots.iter().find(|state| state.slot.matches(number, algorithm))?.key.as_ref()
    }

    /// Returns the certificates of the initial chain below the CA with this key; `None` if no certificate has this key,
    /// or none is below it.
    pub(crate) fn certificates_below(
        &self,
        number: u8,
        algorithm: Asym,
        ca: &PublicKey,
    ) -> Option<&[Certificate]> {
        let state = self.slots.iter().find(|state| state.slot.matches(number, algorithm))?;
        let is_it = |one: &Certificate| one.public_key().is_ok_and(|key| key == *ca);
        let at = state.initial_chain.iter().rposition(is_it)?;
        state.initial_chain.get(at + 1..).filter(|below| !below.is_empty())
    }

    /// Removes the chain in the slot. The key and the certificate model remain; a later chain has that model if its
    /// request names none.
    pub(crate) fn erase(&mut self, number: u8, algorithm: Asym) {
        let model = self.slot(number, algorithm).map_or(model::NONE, |slot| slot.model);
        self.replace(number, algorithm, None, Vec::new(), model);
    }

    /// Returns the algorithms of all slots, possibly with duplicates.
    pub(crate) fn algorithms(&self) -> impl Iterator<Item = Asym> {
        self.slots.iter().map(|state| state.slot.signer.algorithm())
    }

    /// Returns the slots of `algorithm`, ascending.
    pub(crate) fn slots(&self, algorithm: Asym) -> Vec<&Slot> {
        let all = self.slots.iter().map(|state| &state.slot);
        let mut slots: Vec<_> = all.filter(|slot| slot.signer.algorithm() == algorithm).collect();
        slots.sort_by_key(|slot| slot.number);
        slots
    }

    pub(crate) fn slot(&self, number: u8, algorithm: Asym) -> Option<&Slot> {
        self.slots(algorithm).into_iter().find(|slot| slot.number == number)
    }

    /// Returns the signer of slot `number`, possibly [`PROVISIONED`].
    pub(crate) fn signer(&self, number: u8, algorithm: Asym) -> Option<&Arc<dyn Signer>> {
        if number == PROVISIONED {
            let mut keys = self.provisioned.iter();
            return keys.find(|(_, signer)| signer.algorithm() == algorithm).map(|(_, signer)| signer);
        }
        let slot = self.slot(number, algorithm).filter(|slot| !slot.certificates.is_empty());
        slot.map(|slot| &slot.signer)
    }

    /// Returns the hash of the slot's chain, or of the provisioned public key; `None` if there is neither.
    pub(crate) fn digest(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<Digest> {
        if number == PROVISIONED {
            let mut keys = self.provisioned.iter();
            let (key, _) = keys.find(|(_, signer)| signer.algorithm() == algorithm)?;
            return Some(hash.digest(&[&key.to_spki_der().ok()?]));
        }
        Some(self.encoded(number, algorithm, hash)?.digest)
    }

    /// Returns the hash of the slot's certificates without the header of the chain; `None` if the slot has no chain.
    pub(crate) fn certificates_digest(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<Digest> {
        let chain = self.chain(number, algorithm, hash)?;
        Some(hash.digest(&[chain.get(4 + hash.output_len()..)?]))
    }

    /// Returns the slot's encoded chain; `None` if the slot has no chain.
    pub(crate) fn chain(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<&[u8]> {
        Some(&self.encoded(number, algorithm, hash)?.chain)
    }

    fn encoded(&self, number: u8, algorithm: Asym, hash: &Hash) -> Option<&EncodedChain> {
        self.slots.iter().find(|state| state.slot.matches(number, algorithm))?.encoded(hash)
    }

    /// Returns SupportedSlotMask: slots with or without a chain.
    pub(crate) fn supported_mask(&self, algorithm: Asym) -> u8 {
        self.slots(algorithm).into_iter().fold(0, |mask, slot| mask | 1 << slot.number)
    }

    /// Returns ProvisionedSlotMask: slots with a chain.
    pub(crate) fn provisioned_mask(&self, algorithm: Asym) -> u8 {
        let full = self.slots(algorithm).into_iter().filter(|slot| !slot.certificates.is_empty());
        full.fold(0, |mask, slot| mask | 1 << slot.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::post_quantum;
    use alloc::vec;

    struct NeverReady;

    impl Signer for NeverReady {
        fn algorithm(&self) -> Asym {
            Asym::PostQuantum(post_quantum().next().expect("SPDM has post-quantum algorithms").1)
        }

        fn sign(
            &self,
            _message: &ToBeSigned,
            _rng: &mut dyn CryptoRng,
        ) -> Result<Option<Vec<u8>>, grille_core::Error> {
            Ok(None)
        }
    }

    #[test]
    fn clones_share_the_chain_hash_until_the_chain_is_replaced() {
        let der = include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt");
        let certificate = Certificate::from_pem_or_der(der).unwrap();
        let signer = Arc::new(NeverReady);
        let mut ours = Identity::default().with(Slot::new(0, vec![certificate.clone()], signer));
        let (other, asym) = (ours.clone(), NeverReady.algorithm());
        let at = |identity: &Identity, hash| identity.chain(0, asym, hash).map(<[u8]>::as_ptr);
        for hash in &HASHES {
            let digest = hash.digest(&[other.chain(0, asym, hash).unwrap()]);
            assert_eq!(ours.digest(0, asym, hash), Some(digest), "{}", hash.name);
            assert_eq!(at(&ours, hash), at(&other, hash), "{}", hash.name);
        }
        ours.replace(0, asym, Some((HASHES[0].bit, vec![7; 32])), vec![certificate], model::ALIAS);
        assert_eq!(ours.slot(0, asym).map(|slot| slot.model), Some(model::ALIAS));
        assert_ne!(ours.digest(0, asym, &HASHES[0]), other.digest(0, asym, &HASHES[0]));
        let others = HASHES.iter().filter(|hash| hash.bit != HASHES[0].bit);
        for hash in others {
            assert_eq!(
                ours.digest(0, asym, hash),
                other.digest(0, asym, hash),
                "{}: RootHash is for another hash",
                hash.name
            );
        }
        ours.erase(0, asym);
        assert_eq!(ours.digest(0, asym, &HASHES[1]), None);
        assert!(other.digest(0, asym, &HASHES[1]).is_some());
    }

    #[test]
    fn merges_changes_of_concurrent_connections() {
        let der = include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt");
        let certificate = Certificate::from_pem_or_der(der).unwrap();
        let slot = |number| Slot::new(number, Vec::new(), Arc::new(NeverReady));
        let mut all = (0..3).fold(Identity::default(), |all, number| all.with(slot(number)));
        let before = all.clone();
        let (mut one, mut other) = (all.clone(), all.clone());
        let key = certificate.public_key().unwrap();
        one.replace(0, NeverReady.algorithm(), None, vec![certificate.clone()], model::DEVICE);
        one.restrict_usage(3, usage::CHALLENGE);
        other.replace(1, NeverReady.algorithm(), None, vec![certificate], model::DEVICE);
        other.associate(4, 0b1000, usage::ALL, Some((key, Arc::new(NeverReady))));
        all.adopt_changes(&before, &one);
        all.adopt_changes(&before, &other);
        assert_eq!(all.provisioned_mask(NeverReady.algorithm()), 0b11);
        assert_eq!(all.supported_mask(NeverReady.algorithm()), 0b1111);
        assert_eq!(all.slot(2, NeverReady.algorithm()).map(|slot| slot.key_usage), Some(usage::CHALLENGE));
    }

    #[test]
    fn prepared_chains_are_hashed_in_advance() {
        let der = include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt");
        let certificates = || vec![Certificate::from_pem_or_der(der).unwrap()];
        let slot = |number| Slot::new(number, certificates(), Arc::new(NeverReady));
        let ours = Identity::default().with(slot(0));
        let encoded = |identity: &Identity| {
            let hashes =
                |state: &SlotState| state.encoded.iter().map(|place| place.get().is_some()).collect();
            identity.slots.iter().map(hashes).collect::<Vec<Vec<bool>>>()
        };
        let (none, two) = (vec![false; HASHES.len()], [0, 1, 0, 0, 0, 1].map(|bit| bit == 1).to_vec());
        assert_eq!(encoded(&ours), [&none[..]]);
        let before = ours.clone();
        let ours = ours.prepared(0b10_0010);
        assert_eq!(encoded(&before), [&two[..]], "all clones share the encoded chain");
        let mut ours = ours.with(slot(1));
        ours.replace(0, NeverReady.algorithm(), None, certificates(), model::DEVICE);
        assert_eq!(encoded(&ours), [&two[..], &two[..]], "slots added later");
        ours.erase(1, NeverReady.algorithm());
        assert_eq!(encoded(&ours), [&two[..], &none[..]], "an empty slot has no chain");
    }

    #[test]
    fn replaces_a_slot_with_the_same_number() {
        let der = include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt");
        let full = Slot::new(0, vec![Certificate::from_pem_or_der(der).unwrap()], Arc::new(NeverReady));
        let empty = Slot::new(0, Vec::new(), Arc::new(NeverReady));
        for (first, second, left) in [(&full, &empty, 0), (&empty, &full, 1)] {
            let ours = Identity::default().with(first.clone()).with(second.clone());
            assert_eq!(ours.slots(NeverReady.algorithm()).len(), 1);
            assert_eq!(ours.provisioned_mask(NeverReady.algorithm()), left);
        }
    }

    #[test]
    #[should_panic(expected = "slot numbers are 0 to 7")]
    fn rejects_slot_255() {
        let _ = Identity::default().with(Slot::new(255, Vec::new(), Arc::new(NeverReady)));
    }

    #[test]
    #[should_panic(expected = "a pre-shared key must not be empty")]
    fn rejects_an_empty_psk() {
        let _ = Identity::default().with_psk(b"hint", SecretBytes::new(Vec::new()));
    }
}
