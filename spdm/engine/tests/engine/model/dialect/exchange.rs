//! The secret of a key exchange: a DHE group, a KEM, or both, and KEM authentication.

use crate::model::dialect::keys::KEMS;
use crate::model::dialect::session::{expand, zeros};
use crate::model::dialect::state::Model;
use crate::model::fields::Fields;
use grille_spdm_engine::algorithms::dhe;

impl Model {
    /// Returns ExchangeData of KEY_EXCHANGE.
    pub(super) fn exchange_data(&self) -> Vec<u8> {
        let (selected, settings) = (&self.selected, &self.settings);
        let group = dhe(3).unwrap();
        let point = group.to_wire(&settings.group_key.encaps_key_bytes()).to_vec();
        let kem = self.kem_at().map_or(Vec::new(), |at| settings.kem_keys[at].encaps_key_bytes());
        let ciphertext = self.kem_key().map_or(&[][..], |key| &key.ciphertext);
        [if selected.dhe { &point[..] } else { &[] }, &kem, ciphertext].concat()
    }

    /// Returns the index of the negotiated KEM.
    fn kem_at(&self) -> Option<usize> {
        let kem = self.selected.kem?;
        KEMS.iter().position(|one| *one == kem)
    }

    /// Returns the shared secret. `data`: ExchangeData of the response, and what follows.
    pub(super) fn shared_secret(&self, data: &[u8]) -> Vec<u8> {
        let (mut fields, settings) = (Fields(data), &self.settings);
        let mut shared = Vec::new();
        if self.selected.dhe {
            let point = dhe(3).unwrap().from_wire(fields.take(64).unwrap());
            shared.extend_from_slice(settings.group_key.decapsulate(&point).unwrap().as_ref());
        }
        let kem = self.kem_at().map_or(Vec::new(), |at| {
            let ciphertext = fields.take(KEMS[at].ciphertext_len).unwrap();
            settings.kem_keys[at].decapsulate(ciphertext).unwrap().as_ref().to_vec()
        });
        shared.extend(self.authenticated_secret(kem, &mut fields));
        shared
    }

    /// Returns the secret that replaces the KEM's: with KEM authentication, it also depends on the long-term key.
    /// `fields`: the ciphertext for the requester's long-term key, and what follows.
    fn authenticated_secret(&self, kem: Vec<u8>, fields: &mut Fields<'_>) -> Vec<u8> {
        let Some(key) = self.kem_key() else { return kem };
        let hash = self.selected.hash.unwrap();
        let step =
            |key: &[u8], data: &[u8], label| expand(hash, hash.hmac(key, &[data]).as_ref(), label, b"");
        let first = step(&kem, &zeros(hash), "kem derived");
        let second = step(&key.secret, &first, "kem auth derived");
        let len = self.selected.req_kem_auth.map_or(0, |kem| kem.ciphertext_len);
        let requester = self.requester_secret(fields.take(len).unwrap(), zeros(hash));
        step(&requester, &second, "req kem auth derived")
    }
}
