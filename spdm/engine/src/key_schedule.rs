//! The key schedule of DSP0274, chapter "Key schedule".
//!
//! ```text
//! shared secret (DHE, KEM or PSK)
//!      │ HMAC(salt_0, ·), in `pqc2021` HMAC(·, salt_0)
//! Handshake-Secret ──"req hs data", "rsp hs data" + TH1──► handshake traffic ──"finished"──► finished_key
//!      │ "derived", HMAC(salt_1, 0)
//! Master-Secret ──"req app data", "rsp app data" + TH2──► application traffic ──"traffic upd"──► the next
//!      └──"exp master" + TH2──► Export Master Secret
//! ```
//!
//! The type of a schedule is its stage: a handshake schedule has no application keys, and application traffic has no
//! finished_key.

use crate::hash::{Digest, Hash, MAX_HASH_LEN};
use crate::records::{Aead, IV_LEN, RecordKey};
use crate::rules::Rules;
use core::marker::PhantomData;
use grille_core::SecretBytes;
use grille_spdm_codec::Version;
use zeroize::ZeroizeOnDrop;

/// The stage before FINISH or PSK_FINISH.
pub enum Handshake {}
/// The stage after FINISH or PSK_FINISH.
pub enum Application {}

/// The parameters that all labels of a connection share.
#[derive(Clone, Copy)]
struct LabelParams {
    hash: &'static Hash,
    /// "spdm1.X "
    version: [u8; 8],
}

impl LabelParams {
    const fn new(hash: &'static Hash, rules: &Rules) -> Self {
        Self { hash, version: rules.key_schedule.label }
    }

    /// Returns Expand(secret, BinConcat(length, version, label, context)).
    fn expand(self, secret: &[u8], label: &str, context: &[u8], len: usize) -> SecretBytes {
        let length = u16::try_from(len).expect("keys are short").to_le_bytes();
        self.hash.expand(secret, &[&length, &self.version, label.as_bytes(), context], len)
    }
}

/// The origin of the shared secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// KEY_EXCHANGE.
    KeyExchange,
    /// PSK_EXCHANGE.
    Psk,
}

/// A stage of the schedule, with its secret.
pub struct KeySchedule<Stage> {
    suite: LabelParams,
    secret: SecretBytes,
    stage: PhantomData<Stage>,
}

impl<Stage> ZeroizeOnDrop for KeySchedule<Stage> {}

impl KeySchedule<Handshake> {
    /// Derives the Handshake-Secret. `rules`: the version or its rules. Secret: `shared`.
    #[must_use]
    pub fn new(hash: &'static Hash, rules: impl Into<&'static Rules>, origin: Origin, shared: &[u8]) -> Self {
        let rules = rules.into();
        let suite = LabelParams::new(hash, rules);
        let salt = match origin {
            Origin::KeyExchange => 0,
            Origin::Psk => rules.key_schedule.psk_salt,
        };
        let salt = &[salt; MAX_HASH_LEN][..hash.output_len()];
        let secret = match rules.key_schedule.secret_is_key {
            false => hash.hmac_key(salt, &[shared]),
            true => hash.hmac_key(shared, &[salt]),
        };
        Self { suite, secret, stage: PhantomData }
    }

    /// Derives the handshake secrets of both directions.
    #[must_use]
    pub fn traffic(&self, th1: &Digest) -> Traffic<Handshake> {
        self.derive_both_directions("req hs data", "rsp hs data", th1)
    }

    /// Derives the application stage from the handshake stage.
    #[must_use]
    pub fn finish(self) -> KeySchedule<Application> {
        let hash = self.suite.hash;
        let salt_1 = self.suite.expand(self.secret.as_ref(), "derived", b"", hash.output_len());
        let secret = hash.hmac_key(salt_1.as_ref(), &[&[0; MAX_HASH_LEN][..hash.output_len()]]);
        KeySchedule { suite: self.suite, secret, stage: PhantomData }
    }
}

impl KeySchedule<Application> {
    /// Derives the application secrets of both directions.
    #[must_use]
    pub fn traffic(&self, th2: &Digest) -> Traffic<Application> {
        self.derive_both_directions("req app data", "rsp app data", th2)
    }

    /// Derives the Export Master Secret.
    #[must_use]
    pub fn export(&self, th2: &Digest) -> SecretBytes {
        self.suite.expand(self.secret.as_ref(), "exp master", th2.as_ref(), self.suite.hash.output_len())
    }
}

impl<Stage> KeySchedule<Stage> {
    fn derive_both_directions(&self, request: &str, response: &str, th: &Digest) -> Traffic<Stage> {
        let secret = |label| TrafficSecret {
            suite: self.suite,
            secret: self.suite.expand(self.secret.as_ref(), label, th.as_ref(), self.suite.hash.output_len()),
            stage: PhantomData,
        };
        Traffic { request: secret(request), response: secret(response) }
    }
}

/// The traffic secrets of both directions.
pub struct Traffic<Stage> {
    /// The requester's direction.
    pub request: TrafficSecret<Stage>,
    /// The responder's direction.
    pub response: TrafficSecret<Stage>,
}

/// The traffic secret of one direction.
pub struct TrafficSecret<Stage> {
    suite: LabelParams,
    secret: SecretBytes,
    stage: PhantomData<Stage>,
}

impl<Stage> ZeroizeOnDrop for TrafficSecret<Stage> {}

impl<Stage> TrafficSecret<Stage> {
    /// Restores a secret from a key log. `version`: the SPDMVersion byte. Secret: `secret`.
    #[must_use]
    pub fn from_key_log(hash: &'static Hash, version: u8, secret: SecretBytes) -> Self {
        let rules = Version::from_byte(version).unwrap_or_default().into();
        Self { suite: LabelParams::new(hash, rules), secret, stage: PhantomData }
    }

    /// Returns the secret itself, for key logs.
    pub(crate) const fn secret(&self) -> &SecretBytes {
        &self.secret
    }

    /// Derives the key and IV of records, starting at sequence number 0.
    #[must_use]
    pub fn record_key(&self, aead: &'static Aead) -> RecordKey {
        let key = self.suite.expand(self.secret.as_ref(), "key", b"", aead.key_len());
        let iv = self.suite.expand(self.secret.as_ref(), "iv", b"", IV_LEN);
        RecordKey::new(aead, &key, iv)
    }
}

impl TrafficSecret<Handshake> {
    /// Returns VerifyData: HMAC(finished_key, th). `th`: the hash of TH; in `pqc2021` the messages of TH instead.
    #[must_use]
    pub fn verify_data(&self, th: &(impl AsRef<[u8]> + ?Sized)) -> Digest {
        let hash = self.suite.hash;
        let finished_key = self.suite.expand(self.secret.as_ref(), "finished", b"", hash.output_len());
        hash.hmac(finished_key.as_ref(), &[th.as_ref()])
    }
}

impl TrafficSecret<Application> {
    /// Derives the secret after KEY_UPDATE.
    #[must_use]
    pub fn update(&self) -> Self {
        let secret =
            self.suite.expand(self.secret.as_ref(), "traffic upd", b"", self.suite.hash.output_len());
        Self { suite: self.suite, secret, stage: PhantomData }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::exchange_parts::join;
    use crate::hash::HASHES;
    use alloc::{format, string::String, vec};

    /// Encodes bytes in lower-case hexadecimal.
    pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
        bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The expected values were computed with Python's hmac and hashlib, for SHA-384 and the secrets 11… (DHE) and 22…
    /// (KEM).
    #[test]
    fn pqc2021_has_known_values() {
        let hash = &HASHES[1];
        let shared = join(vec![SecretBytes::new(vec![0x11; 32]), SecretBytes::new(vec![0x22; 32])]);
        let schedule = KeySchedule::new(hash, Rules::pqc2021(), Origin::KeyExchange, shared.as_ref());
        assert_eq!(
            hex(&schedule.secret),
            "be7bcbdb0c7635c853d3eeda74ea06597fc3a2795d8b16ec\
             f12d4a55861152c92cabafec65153e5f6d7415319930618e"
        );
        let traffic = schedule.traffic(&hash.digest(&[b"TH1"]));
        assert_eq!(
            hex(traffic.request.secret()),
            "b548868ff4f5fd99c650973225cc9d8475a1a5f1793faba7\
             eb44e63ebcfc3a94bcba5760ac1dc3612e451ea4260f6f04"
        );
        assert_eq!(
            hex(traffic.request.verify_data(b"TH1")),
            "e964961a7a1021c36632d83f91441534f0ec902b28bcc598\
             30cc253a66e1fdabf754ce4ee5b7365492f1e5ac27fe226f"
        );
        assert_eq!(
            hex(traffic.response.verify_data(b"TH1")),
            "1154c98c8eab3012eaefe70cee1e331e8f0cf38cfeeccf75\
             8694b0a56ae905ea615c4123c4394d700165df97c4e3784d"
        );
        let schedule = schedule.finish();
        let th2 = hash.digest(&[b"TH2"]);
        assert_eq!(
            hex(schedule.traffic(&th2).request.secret()),
            "5554113ebb13e465965425937386b9c8681d543d4cfb3be8\
             f6a2140e4beb6e6a969c510b9b446993fbb729afa8048b20"
        );
        assert_eq!(
            hex(schedule.export(&th2)),
            "d0901e72555ee8c86b7355dd2f21395658a0659c1f7bb563\
             d79000e3b8984458d8dd2b8810f8c452fbbe0c2178188b99"
        );
    }

    /// For pre-shared keys, too, the prototype swaps the arguments of HMAC.
    #[test]
    fn pqc2021_has_known_values_for_preshared_keys() {
        let schedule = KeySchedule::new(&HASHES[1], Rules::pqc2021(), Origin::Psk, &[7; 32]);
        assert_eq!(
            hex(&schedule.secret),
            "770720d7c8be839504bb4f8f9b513f1eddc5a0be1913137a\
             4049d9ae62c2fe7dfc3c6393796da15d7302ff7d3f669467"
        );
    }
}
