//! Authentication of the requester, in slot 0xFF: with a signature in FINISH, or with KEM authentication.

use crate::model::dialect::keys::{KEMS, KemAlgorithm, SIGNATURES, SignatureAlgorithm};
use crate::model::dialect::session::Session;
use crate::model::dialect::setup::Settings;
use crate::model::dialect::state::Model;
use crate::model::dialect::tables::Tables;
use grille_core::{DynDecapsKey, SystemRng};
use grille_pki::PrivateKey;
use grille_spdm_engine::pqc2021::PeerKeys;

/// The requester's algorithms whose keys the responder knows. The responder prefers others, but must select these.
const SIGNATURE: SignatureAlgorithm = SIGNATURES[1];
const KEM: KemAlgorithm = KEMS[1];

/// The requester's keys.
pub(super) struct Host {
    signature: PrivateKey,
    kem: Box<dyn DynDecapsKey>,
}

impl Host {
    pub(super) fn generate() -> Self {
        let signature = PrivateKey::generate(SIGNATURE.row(), &mut SystemRng).unwrap();
        Self { signature, kem: KEM.row().kem.generate(&mut SystemRng) }
    }

    /// Returns the keys that the responder knows.
    pub(super) fn known_keys(&self) -> PeerKeys {
        let keys = PeerKeys::default().with_signature(self.signature.public_key().clone());
        keys.with_kem(KEM.row(), self.kem.encaps_key_bytes())
    }
}

impl Settings {
    /// Returns the selected algorithms of the requester. `kem_auth`: whether the responder uses KEM authentication,
    /// without which the requester cannot use it. If no key is known, the selection has the prototype's preferences.
    pub(super) fn select_requester(
        &self,
        theirs: &Tables,
        kem_auth: bool,
    ) -> (Option<SignatureAlgorithm>, Option<KemAlgorithm>) {
        let signs = |one: &SignatureAlgorithm| theirs.req_signature & 1 << one.bit != 0;
        let authenticates = |one: &KemAlgorithm| kem_auth && theirs.req_kem_auth & 1 << one.bit != 0;
        let known = (Some(SIGNATURE).filter(signs), Some(KEM).filter(authenticates));
        match known {
            (None, None) => (SIGNATURES.into_iter().find(signs), KEMS.into_iter().find(authenticates)),
            known => known,
        }
    }
}

impl Model {
    /// Returns whether KEY_EXCHANGE_RSP requests the requester's authentication.
    pub(super) fn requests_authentication(&self) -> bool {
        self.selected.req_signature.is_some() || self.selected.req_kem_auth.is_some()
    }

    /// Returns whether the responder knows the requester's keys of the negotiated algorithms.
    pub(super) fn knows_requester(&self) -> bool {
        let selected = &self.selected;
        selected.req_signature.is_none_or(|one| one == SIGNATURE)
            && selected.req_kem_auth.is_none_or(|one| one == KEM)
    }

    fn host(&self) -> &Host {
        self.settings.host.as_ref().unwrap()
    }

    /// Returns the secret in the responder's ciphertext for the requester's key; zeros without KEM authentication of the
    /// requester.
    pub(super) fn requester_secret(&self, ciphertext: &[u8], zeros: Vec<u8>) -> Vec<u8> {
        match self.selected.req_kem_auth {
            Some(_) => self.host().kem.decapsulate(ciphertext).unwrap().as_ref().to_vec(),
            None => zeros,
        }
    }

    /// Returns the part of TH that represents the requester: only with the option `strict`, a hash of its keys.
    pub(super) fn requester_hash(&self) -> Vec<u8> {
        if !self.settings.strict || !self.requests_authentication() {
            return Vec::new();
        }
        let (selected, host) = (&self.selected, self.host());
        let signature = selected.req_signature.map_or(&[][..], |_| host.signature.public_key().bytes());
        let kem = selected.req_kem_auth.map_or(Vec::new(), |_| host.kem.encaps_key_bytes());
        selected.hash.unwrap().digest(&[signature, &kem]).as_ref().to_vec()
    }

    /// Returns the length of the signature in FINISH, which KEM authentication replaces.
    fn requester_signature_len(&self) -> usize {
        let signature = self.selected.req_signature.filter(|_| self.selected.req_kem_auth.is_none());
        signature.map_or(0, |signature| signature.signature_len)
    }

    /// Returns the length of the signature field in FINISH.
    pub(super) fn requester_field_len(&self) -> usize {
        4 + self.requester_signature_len()
    }

    /// Returns the signature field of FINISH. `finish`: the header.
    pub(super) fn requester_field(&self, session: &Session, finish: &[u8]) -> Vec<u8> {
        let len = self.requester_signature_len();
        let mut field = (len as u32).to_le_bytes().to_vec();
        if len != 0 {
            let covered = [&session.th, finish].concat();
            let key = self.host().signature.signing_key();
            field.extend(key.sign(&covered, b"", &mut SystemRng).unwrap());
        }
        field
    }

    /// Returns whether the signature field of FINISH is right.
    pub(super) fn accepts_field(&self, session: &Session, finish: &[u8], field: &[u8]) -> bool {
        let len = self.requester_signature_len();
        let covered = [&session.th, finish].concat();
        let key = || self.host().signature.public_key().verifying_key().unwrap();
        field[..4] == (len as u32).to_le_bytes()
            && (len == 0 || key().verify(&covered, b"", &field[4..]).is_ok())
    }
}
