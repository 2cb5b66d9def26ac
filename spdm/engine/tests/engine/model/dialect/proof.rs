//! The proofs at the end of responses: a signature of up to two parts, and the MAC of KEM authentication.

use crate::common::classical;
use crate::model::dialect::rules::NO_SLOT;
use crate::model::dialect::session::zeros;
use crate::model::dialect::state::Model;
use crate::model::identity::signing_input;
use grille_pki::PublicKey;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::pqc2021::PublicKeyMode;
use grille_spdm_engine::signatures;

/// The length of the classical signature, ECDSA on P-256, in bytes.
const CLASSICAL_LEN: usize = 64;

impl Model {
    /// Returns the length of the signature field. `signs_always`: KEM authentication cannot replace the post-quantum
    /// signature.
    pub(super) fn field_len(&self, signs_always: bool) -> usize {
        let classical = if self.selected.asym { CLASSICAL_LEN } else { 0 };
        classical + 4 + self.post_quantum_len(signs_always)
    }

    /// Returns the maximum length of the post-quantum signature in bytes, to which it is padded.
    fn post_quantum_len(&self, signs_always: bool) -> usize {
        let replaced = self.selected.kem_auth.is_some() && self.settings.mode == PublicKeyMode::Raw;
        let signature = self.selected.signature.filter(|_| signs_always || !replaced);
        signature.map_or(0, |signature| signature.signature_len)
    }

    /// Verifies a signature field over `covered`, the messages of a transcript. In a certificate of OQS-OpenSSL, one key
    /// makes both parts as a composite signature.
    pub(super) fn verify_field(
        &self,
        slot: u8,
        context: &'static str,
        covered: &[u8],
        field: &[u8],
        signs_always: bool,
    ) {
        let (first, rest) = field.split_at(if self.selected.asym { CLASSICAL_LEN } else { 0 });
        let (len, padded) = rest.split_first_chunk().unwrap();
        assert_eq!(padded.len(), self.post_quantum_len(signs_always));
        let (second, padding) = padded.split_at(u32::from_le_bytes(*len) as usize);
        assert!(padding.iter().all(|byte| *byte == 0));
        assert_eq!(second.is_empty(), padded.is_empty(), "a signature has at least one byte");
        let key = (slot != NO_SLOT).then(|| self.slot(slot).unwrap().key());
        match key {
            Some(key) if self.settings.mode == PublicKeyMode::Certificate && !second.is_empty() => {
                verify_messages(&key, covered, &certified_signature(first, second));
            }
            key => self.verify_separate(key, context, covered, first, second),
        }
    }

    /// Verifies the two parts with their own keys. The classical one signs the transcript's hash, the other its
    /// messages.
    fn verify_separate(
        &self,
        key: Option<PublicKey>,
        context: &'static str,
        covered: &[u8],
        first: &[u8],
        second: &[u8],
    ) {
        if let Some(key) = key {
            let input = signing_input(0x11, self.selected.hash.unwrap(), context, &[covered]);
            signatures::verify(classical("P256"), &key, &input, first).expect("the same transcript");
        }
        if !second.is_empty() {
            verify_messages(self.raw_key().unwrap(), covered, second);
        }
    }

    /// Returns the responder's negotiated signature key without a certificate.
    pub(super) fn raw_key(&self) -> Option<&PublicKey> {
        let keys = &self.settings.keys.signatures;
        let signature = self.selected.signature?;
        keys.iter().find(|(algorithm, _)| *algorithm == signature).map(|(_, key)| key)
    }

    /// Verifies the MAC of KEM authentication at the end of CHALLENGE_AUTH. `covered`: M1/M2 with the signature field.
    pub(super) fn verify_mac(&self, ciphertext: &[u8], covered: &[u8], mac: &[u8]) {
        let Some(key) = self.kem_key() else { return assert!(mac.is_empty()) };
        if ciphertext != key.ciphertext {
            return;
        }
        assert_eq!(
            mac,
            challenge_mac(self.selected.hash.unwrap(), &key.secret, covered),
            "another transcript"
        );
    }
}

/// Returns the MAC of CHALLENGE_AUTH.
fn challenge_mac(hash: &Hash, secret: &[u8], covered: &[u8]) -> Vec<u8> {
    let mac_secret = hash.hmac(&zeros(hash), &[secret]);
    let key = hash.expand(mac_secret.as_ref(), &[b"derive"], hash.output_len());
    hash.hmac(key.as_ref(), &[covered]).as_ref().to_vec()
}

fn verify_messages(key: &PublicKey, messages: &[u8], signature: &[u8]) {
    key.verifying_key().unwrap().verify(messages, b"", signature).expect("the same transcript");
}

/// Returns the signature of a certified key. A composite's is the length of the classical part, that part in DER, and
/// the post-quantum part.
fn certified_signature(first: &[u8], second: &[u8]) -> Vec<u8> {
    if first.is_empty() {
        return second.to_vec();
    }
    let [r, s] = [0, 32].map(|at| integer(&first[at..at + 32]));
    let der = [&[0x30, (r.len() + s.len()) as u8][..], &r, &s].concat();
    [&(der.len() as u32).to_be_bytes()[..], &der, second].concat()
}

/// Returns a number in DER.
fn integer(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let sign: &[u8] = if number[zeros] >= 0x80 { &[0] } else { &[] };
    [&[2, (sign.len() + number.len() - zeros) as u8][..], sign, &number[zeros..]].concat()
}
