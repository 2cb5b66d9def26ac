//! The keys and proofs of both sides: which key signs, which key verifies, and which hash represents the key in transcripts.

use crate::algorithms::{Asym, SIGNATURE_KIND};
use crate::challenge;
use crate::config::Role;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::hash::{Digest, Hash};
use crate::identity::{PROVISIONED, SLOTS, usage};
use crate::meter::{MeteredOperation, measure};
use crate::pqc2021::hybrid_signature::{self, FieldInput, FieldKeys, FieldSigner};
use crate::pqc2021::{Authentication, PublicKeyMode, Selected, bind_keys, kem_auth};
use crate::proof::{ExpectedProof, Proof};
use crate::signatures::{
    self, CHALLENGE_AUTH, ENCAPSULATED_CHALLENGE_AUTH, KEY_EXCHANGE_RSP, MEASUREMENTS, Signer, ToBeSigned,
};
use crate::slot_digest;
use crate::transcript::Covered;
use alloc::{sync::Arc, vec::Vec};
use grille_core::SecretBytes;
use grille_pki::PublicKey;
use grille_registry::KemRow;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::pqc2021::{SignatureField, SignatureLens};
use subtle::ConstantTimeEq;

/// Proofs with this side's keys.
impl Context {
    /// Returns the proof with the key of the slot that a request names, possibly [`PROVISIONED`]. On multi-key
    /// connections the key usage of the slot must permit `wanted`. `context`: a constant of [`signatures`]. `mac`: the
    /// secret of KEM authentication, if a MAC follows.
    pub(crate) fn proof(
        &self,
        slot: u8,
        wanted: u16,
        context: &'static str,
        mac: Option<&SecretBytes>,
    ) -> Result<Proof, Refusal> {
        let Some(selected) = self.connection.pqc2021() else {
            return Ok(Proof::Signature { signer: self.signer(slot, wanted)?, context });
        };
        let own = selected.authentication(self.role);
        if !own.is_possible() || is_only_signed(context) && !own.can_sign() {
            return Err(self.missing_signature());
        }
        // in `pqc2021`, slot 0xFF is used if there are no certificates, and only then
        let has_slot = (slot == PROVISIONED) == self.own_asym().is_none();
        if !has_slot {
            return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
        }
        let lens = field_lens(&selected, own, context);
        let mac_key = match (mac, self.connection.hash()) {
            (Some(secret), Some(hash)) => Some(kem_auth::mac_key(hash, secret)),
            _ => None,
        };
        let signer = self.field_signer(own, slot, lens)?;
        Ok(Proof::Field { signer, lens, context, mac_key })
    }

    /// Returns the keys that sign a signature field of the dialect.
    fn field_signer(
        &self,
        own: &Authentication,
        slot: u8,
        lens: SignatureLens,
    ) -> Result<FieldSigner, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let by_slot = |asym: Asym| self.identity.signer(slot, asym).cloned().ok_or(invalid);
        let certificate = self.own_asym();
        if let Some(asym @ Asym::PostQuantum(_)) = certificate {
            return Ok(FieldSigner::Certified { signer: by_slot(asym)?, classical: own.classical });
        }
        let raw = own.post_quantum.filter(|_| lens.post_quantum != 0);
        let raw = raw.map(|row| self.identity.raw_signer(row).ok_or(invalid)).transpose()?;
        Ok(FieldSigner::Separate {
            classical: certificate.map(by_slot).transpose()?,
            post_quantum: raw.map(|(_, signer)| signer.clone()),
        })
    }

    /// Returns the refusal of a request for a signature, if this side has no signature algorithm.
    const fn missing_signature(&self) -> Refusal {
        match self.role {
            Role::Responder => Refusal::missing_algorithm(SIGNATURE_KIND),
            Role::Requester => Refusal::new(ErrorCode::INVALID_REQUEST),
        }
    }

    /// Returns the signer of the slot that a request names, possibly [`PROVISIONED`]. On multi-key connections the key
    /// usage of the slot must permit `wanted`.
    fn signer(&self, slot: u8, wanted: u16) -> Result<Arc<dyn Signer>, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let asym = self.own_asym().ok_or_else(|| self.missing_signature())?;
        let provisioned = slot == PROVISIONED && self.own_limits().flags.contains(Caps::PUB_KEY_ID);
        if slot >= SLOTS && !provisioned {
            return Err(invalid);
        }
        let multi_key = self.own_sizes().multi_key;
        let signs = self.identity.slot(slot, asym);
        if signs.is_some_and(|slot| !usage::permits(multi_key, slot.key_usage, wanted)) {
            return Err(invalid);
        }
        self.identity.signer(slot, asym).cloned().ok_or(invalid)
    }

    /// Returns the length of this side's proofs with this context, in bytes.
    pub(crate) fn own_proof_len(&self, context: &'static str) -> usize {
        match self.connection.pqc2021() {
            Some(selected) => field_lens(&selected, selected.authentication(self.role), context).total(),
            None => self.own_asym().map_or(0, Asym::signature_len),
        }
    }

    /// Returns the hash of this side's chain in a slot, or of its provisioned public key. In `pqc2021` without the
    /// option `strict`, the hash of slot 0xFF is zero.
    pub(crate) fn own_chain_hash(&self, slot: u8) -> Result<Digest, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let hash = self.connection.hash().ok_or(invalid)?;
        let in_slot = || self.identity.digest(slot, self.own_asym()?, hash);
        self.with_own_keys(slot, hash, in_slot).map_or_else(|| zeros_in_place_of_chain(hash, self, slot), Ok)
    }

    /// Returns the hash that represents this side's certificates or public key in TH, if there is one.
    pub(crate) fn own_th_hash(&self, slot: u8) -> Result<Option<Digest>, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let hash = self.connection.hash().ok_or(invalid)?;
        if !self.connection.rules.th_without_chain_header {
            return self.own_chain_hash(slot).map(Some);
        }
        let in_slot = || self.identity.certificates_digest(slot, self.own_asym()?, hash);
        let digest = self.with_own_keys(slot, hash, in_slot);
        if digest.is_none() && slot != PROVISIONED { Err(invalid) } else { Ok(digest) }
    }

    /// Returns `chain`, the hash of the peer's chain in `slot`, or `None` if there is none. With the dialect's option
    /// `strict`, returns a hash of `chain` and the peer's public keys without certificates instead.
    fn with_own_keys(
        &self,
        slot: u8,
        hash: &Hash,
        in_slot: impl FnOnce() -> Option<Digest>,
    ) -> Option<Digest> {
        let selected = self.connection.pqc2021();
        let chain = if selected.is_some() && slot == PROVISIONED { None } else { in_slot() };
        let Some(selected) = selected.filter(Selected::binds_keys) else { return chain };
        if chain.is_none() && slot != PROVISIONED {
            return None;
        }
        let own = selected.authentication(self.role);
        let signature = own.post_quantum.and_then(|row| self.identity.raw_signer(row));
        let kem = own.kem.and_then(|row| self.identity.kem_key(row)).map(|key| key.encaps_key_bytes());
        let keys: Vec<&[u8]> =
            signature.map(|(key, _)| key.bytes()).into_iter().chain(kem.as_deref()).collect();
        Some(bind_keys(hash, chain.as_ref(), &keys))
    }

    /// Returns whether a side can authenticate itself.
    pub(crate) fn can_authenticate(&self, side: Role) -> bool {
        match (self.connection.pqc2021(), side) {
            (Some(selected), side) => selected.authentication(side).is_possible(),
            (None, Role::Requester) => self.connection.req_asym().is_some(),
            (None, Role::Responder) => self.connection.asym().is_some(),
        }
    }

    /// Encapsulates to the peer's long-term key. Returns the ciphertext and the secret.
    pub(crate) fn encapsulate(&mut self, row: &KemRow, slot: u8) -> Result<(Vec<u8>, SecretBytes), Error> {
        let key = self.peer.raw.kem(row).ok_or(Usage::NoChain { slot })?;
        let encapsulated = key.encapsulate(&mut *self.rng);
        Ok((encapsulated.ciphertext, encapsulated.secret))
    }

    /// Decapsulates with this side's long-term key.
    pub(crate) fn decapsulate(&self, row: &KemRow, ciphertext: &[u8]) -> Result<SecretBytes, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let key = self.identity.kem_key(row).ok_or(invalid)?;
        key.decapsulate(ciphertext).map_err(|_| invalid)
    }
}

/// Returns the zeros that CHALLENGE_AUTH contains instead of the hash of a chain, for slot 0xFF in `pqc2021`.
fn zeros_in_place_of_chain(hash: &Hash, cx: &Context, slot: u8) -> Result<Digest, Refusal> {
    let raw = cx.connection.rules.raw_keys && slot == PROVISIONED;
    if raw { Ok(Digest::zeros(hash.output_len())) } else { Err(Refusal::new(ErrorCode::INVALID_REQUEST)) }
}

/// Returns the lengths of the parts of a signature field with this context.
fn field_lens(selected: &Selected, side: &Authentication, context: &'static str) -> SignatureLens {
    side.lens(has_post_quantum(selected, side, context))
}

/// Returns whether signature fields with this context have a post-quantum signature, which KEM authentication may
/// replace.
fn has_post_quantum(selected: &Selected, side: &Authentication, context: &str) -> bool {
    is_only_signed(context) || !side.replaces_signature(selected.public_keys)
}

/// Returns whether messages with this context cannot use KEM authentication, so that they must be signed.
fn is_only_signed(context: &str) -> bool {
    matches!(context, MEASUREMENTS | ENCAPSULATED_CHALLENGE_AUTH)
}

/// Verification with the peer's keys.
impl Context {
    /// Returns the hash of the peer's chain in a slot, or of its provisioned public key; see [`Context::own_chain_hash`].
    pub(crate) fn peer_chain_hash(&self, slot: u8) -> Result<Digest, Error> {
        let hash = self.connection.hash().ok_or(Usage::NotConnected)?;
        if self.connection.pqc2021().is_some() && slot == PROVISIONED {
            return Ok(self.with_peer_keys(slot, hash, None).unwrap_or(Digest::zeros(hash.output_len())));
        }
        if slot == PROVISIONED {
            let key = self.peer.provisioned.as_ref().ok_or(Usage::NoChain { slot })?;
            return Ok(hash.digest(&[&key.to_spki_der().map_err(Error::Untrusted)?]));
        }
        let chain = self.peer.chain(slot).ok_or(Usage::NoChain { slot })?.digest;
        Ok(self.with_peer_keys(slot, hash, Some(chain)).unwrap_or(chain))
    }

    /// Returns the hash that represents the peer's certificates or public key in TH, if there is one.
    pub(crate) fn peer_th_hash(&self, slot: u8) -> Result<Option<Digest>, Error> {
        if !self.connection.rules.th_without_chain_header {
            return self.peer_chain_hash(slot).map(Some);
        }
        let hash = self.connection.hash().ok_or(Usage::NotConnected)?;
        let chain = match slot {
            PROVISIONED => None,
            slot => Some(self.peer.chain(slot).ok_or(Usage::NoChain { slot })?.certificates_digest),
        };
        Ok(self.with_peer_keys(slot, hash, chain))
    }

    /// Returns `chain`, the hash of the peer's chain in `slot`, or `None` if there is none. With the dialect's option
    /// `strict`, returns a hash of `chain` and the peer's public keys without certificates instead.
    fn with_peer_keys(&self, slot: u8, hash: &Hash, chain: Option<Digest>) -> Option<Digest> {
        let selected = self.connection.pqc2021().filter(Selected::binds_keys);
        let Some(selected) = selected.filter(|_| chain.is_some() || slot == PROVISIONED) else {
            return chain;
        };
        let side = selected.authentication(self.role.other());
        let signature = side.post_quantum.and_then(|row| self.peer.raw.signature(row));
        let kem = side.kem.and_then(|row| self.peer.raw.kem_bytes(row));
        let keys: Vec<&[u8]> = signature.map(PublicKey::bytes).into_iter().chain(kem).collect();
        Some(bind_keys(hash, chain.as_ref(), &keys))
    }

    /// Checks that the peer's chain or public key is known, and that its announced key usage permits `wanted`.
    pub(crate) fn check_peer_key(&self, request: Code, slot: u8, wanted: u16) -> Result<(), Error> {
        if self.role == Role::Requester {
            let missing = match request {
                Code::CHALLENGE | Code::KEY_EXCHANGE => self.connection.missing_for(request),
                _ => self.connection.missing_signature(),
            };
            self.check_selected(request, missing)?;
        }
        let context = match request {
            Code::CHALLENGE => challenge::context(self.role.other()),
            Code::GET_MEASUREMENTS => MEASUREMENTS,
            _ => KEY_EXCHANGE_RSP,
        };
        self.check_peer_raw_keys(slot, context)?;
        self.peer_chain_hash(slot)?;
        let entry = slot_digest::entry(&self.peer.announced, slot);
        let multi_key = self.peer_sizes().multi_key;
        let other_use = entry.is_some_and(|entry| !usage::permits(multi_key, entry.key_usage, wanted));
        if other_use { Err(Usage::KeyUsage { slot }.into()) } else { Ok(()) }
    }

    /// Checks that this side knows the peer's keys without certificates, as far as messages with this context need
    /// them. With the option `strict`, messages need the keys of all negotiated algorithms.
    pub(crate) fn check_peer_raw_keys(&self, slot: u8, context: &str) -> Result<(), Error> {
        let Some(selected) = self.connection.pqc2021() else { return Ok(()) };
        let side = selected.authentication(self.role.other());
        let raw = selected.public_keys == PublicKeyMode::Raw;
        let binds = selected.binds_keys();
        let signs =
            side.post_quantum.filter(|_| raw && (binds || has_post_quantum(&selected, side, context)));
        let kem = side.kem.filter(|_| binds || !is_only_signed(context));
        let unknown = signs.is_some_and(|row| self.peer.raw.signature(row).is_none())
            || kem.is_some_and(|row| self.peer.raw.kem_bytes(row).is_none());
        // slot 0xFF has only keys without certificates
        let needs_slot = slot == PROVISIONED && (side.classical.is_some() || !raw && side.can_sign());
        if unknown || needs_slot { Err(Usage::NoChain { slot }.into()) } else { Ok(()) }
    }

    /// Returns the expected proof at the end of a message from the peer with this context. `mac`: the secret of KEM
    /// authentication, if a MAC follows.
    pub(crate) fn expected_proof(
        &self,
        slot: u8,
        context: &'static str,
        mac: Option<&SecretBytes>,
    ) -> ExpectedProof {
        let mac_key = mac.zip(self.connection.hash()).map(|(secret, hash)| kem_auth::mac_key(hash, secret));
        let tag = mac_key.as_ref().map_or(0, |_| self.connection.hash_len());
        ExpectedProof { slot, context, len: self.peer_proof_len(context) + tag, mac_key }
    }

    /// Returns the length of the peer's proofs with this context in bytes, without a MAC.
    pub(crate) fn peer_proof_len(&self, context: &'static str) -> usize {
        match self.connection.pqc2021() {
            Some(selected) => {
                field_lens(&selected, selected.authentication(self.role.other()), context).total()
            }
            None => self.peer_asym().map_or(0, Asym::signature_len),
        }
    }

    /// Verifies the proof at the end of a message from the peer.
    pub(crate) fn verify(
        &self,
        request: Code,
        expected: &ExpectedProof,
        covered: &Covered,
        proof: &[u8],
    ) -> Result<(), Error> {
        let wrong = || Error::Signature { request, missed: self.missed };
        let tag_len = expected.mac_key.as_ref().map_or(0, |_| self.connection.hash_len());
        let split = proof.len().checked_sub(tag_len).ok_or_else(wrong)?;
        let (signature, tag) = proof.split_at(split);
        let key = self.peer_slot_key(expected.slot)?;
        self.verify_with(request, key.as_ref(), expected.context, covered, signature)?;
        let (Some(mac_key), Some(hash)) = (&expected.mac_key, self.connection.hash()) else { return Ok(()) };
        let mac = hash.hmac(mac_key.as_ref(), &[covered.bytes(), signature]);
        if bool::from(mac.as_ref().ct_eq(tag)) { Ok(()) } else { Err(wrong()) }
    }

    /// Verifies a signature of the peer. `key`: the key of its certificate, or its provisioned public key; `None` if the slot has
    /// neither.
    pub(crate) fn verify_with(
        &self,
        request: Code,
        key: Option<&PublicKey>,
        context: &'static str,
        covered: &Covered,
        signature: &[u8],
    ) -> Result<(), Error> {
        let column = match context {
            CHALLENGE_AUTH => Some(MeteredOperation::ChalVerify),
            KEY_EXCHANGE_RSP => Some(MeteredOperation::KeyExVerify),
            _ => None,
        };
        let verified = measure(self.config.meter.as_ref(), column, || match self.connection.pqc2021() {
            Some(selected) => self.verify_field(&selected, key, context, covered, signature),
            None => self.verify_signature(key, context, covered, signature),
        });
        verified.map_err(|_| Error::Signature { request, missed: self.missed })
    }

    fn verify_signature(
        &self,
        key: Option<&PublicKey>,
        context: &'static str,
        covered: &Covered,
        signature: &[u8],
    ) -> Result<(), Error> {
        let connection = &self.connection;
        let (hash, asym) = connection.hash().zip(self.peer_asym()).ok_or(Usage::NotConnected)?;
        let message = ToBeSigned::new(connection.rules, context, hash, &covered.digest());
        signatures::verify(asym, key.ok_or(Usage::NotConnected)?, &message, signature).map_err(Error::Key)
    }

    fn verify_field(
        &self,
        selected: &Selected,
        key: Option<&PublicKey>,
        context: &'static str,
        covered: &Covered,
        signature: &[u8],
    ) -> Result<(), Error> {
        let (rules, hash) = (self.connection.rules, self.connection.hash().ok_or(Usage::NotConnected)?);
        let side = selected.authentication(self.role.other());
        let lens = field_lens(selected, side, context);
        let invalid = || Error::Key(grille_core::Error::InvalidSignature);
        if is_only_signed(context) && !side.can_sign() {
            return Err(invalid());
        }
        let field = SignatureField::decode(signature, lens).map_err(|_| invalid())?;
        let post_quantum = side.post_quantum.and_then(|row| self.peer.raw.signature(row));
        let keys = FieldKeys { certified: key, post_quantum };
        let input = FieldInput { rules, hash, context, covered };
        hybrid_signature::verify(side.classical, self.peer_asym(), &keys, &input, &field, lens)
            .map_err(Error::Key)
    }

    /// Returns the peer's default slot in `pqc2021`: 0xFF if the peer has no certificates, otherwise 0.
    pub(crate) fn peer_slot(&self) -> u8 {
        if self.peer_asym().is_some() { 0 } else { PROVISIONED }
    }

    /// Returns the key of the peer's certificate in a slot, or its provisioned public key. Returns `None` for slot 0xFF in
    /// `pqc2021`, whose keys depend on the algorithm.
    pub(crate) fn peer_slot_key(&self, slot: u8) -> Result<Option<PublicKey>, Error> {
        let raw = self.connection.pqc2021().is_some() && slot == PROVISIONED;
        if raw { Ok(None) } else { self.peer_key(slot).map(Some) }
    }

    /// Returns the key with which a session's requester authenticates itself in FINISH: the result of
    /// [`Context::peer_slot_key`], or the post-quantum key of slot 0xFF. Returns `None` for KEM authentication alone.
    pub(crate) fn prover_key(&self, slot: u8) -> Result<Option<PublicKey>, Error> {
        let selected = self.connection.pqc2021().filter(|_| slot == PROVISIONED);
        let side =
            selected.map(|selected| (*selected.authentication(self.role.other()), selected.public_keys));
        let signs = side.filter(|(side, mode)| !side.replaces_signature(*mode));
        let raw = signs.and_then(|(side, _)| self.peer.raw.signature(side.post_quantum?));
        raw.map_or_else(|| self.peer_slot_key(slot), |key| Ok(Some(key.clone())))
    }

    /// Returns the peer's public key in a slot, or its provisioned key.
    fn peer_key(&self, slot: u8) -> Result<PublicKey, Error> {
        if slot == PROVISIONED {
            return self.peer.provisioned.clone().ok_or(Usage::NoChain { slot }.into());
        }
        let chain = self.peer.chain(slot).ok_or(Usage::NoChain { slot })?;
        chain.leaf.public_key().map_err(Error::Untrusted)
    }
}
