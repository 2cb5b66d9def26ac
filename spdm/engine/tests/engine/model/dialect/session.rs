//! The model's state of a session: transcripts, and keys that the model derives itself, with the dialect's key schedule.

use crate::model::dialect::rules::VERSION;
use grille_core::{SecretBytes, SystemRng};
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};

/// A session.
pub(super) struct Session {
    pub(super) id: u32,
    pub(super) hash: &'static Hash,
    aead: &'static Aead,
    layout: Layout,
    pub(super) in_handshake: bool,
    /// Whether the session has a pre-shared key.
    pub(super) psk: bool,
    /// Whether FINISH must authenticate the requester.
    pub(super) mutual: bool,
    /// The Handshake-Secret.
    handshake_secret: Vec<u8>,
    /// The secrets of the requester's and the responder's direction.
    secrets: [Vec<u8>; 2],
    /// The record keys of the requester and the responder.
    keys: [RecordKey; 2],
    /// The sequence number of the requester's next record.
    sent: u16,
    /// TH.
    pub(super) th: Vec<u8>,
    /// L1/L2.
    pub(super) l: Vec<u8>,
    /// Whether UpdateKey or UpdateAllKeys was acknowledged, and VerifyNewKey is still missing.
    pub(super) unverified: bool,
    /// Operation and Tag of the last KEY_UPDATE, to recognise a repeated VerifyNewKey.
    pub(super) last_key_update: [u8; 2],
    /// The requester's last record, and the responder's answer, which it repeats if the record is repeated.
    pub(super) answered: (Vec<u8>, Vec<u8>),
    pub(super) heartbeat: u64,
    /// The seconds since the last record.
    pub(super) idle: u64,
}

/// The parameters of a new session.
pub(super) struct SessionParams {
    pub(super) id: u32,
    pub(super) hash: &'static Hash,
    pub(super) aead: &'static Aead,
    pub(super) encrypted: bool,
    pub(super) heartbeat: u8,
    pub(super) psk: bool,
    pub(super) mutual: bool,
}

/// Returns HKDF-Expand with BinConcat(H, "spdm1.1 ", label, context).
pub(super) fn expand(hash: &Hash, secret: &[u8], label: &str, context: &[u8]) -> Vec<u8> {
    let len = hash.output_len();
    let number = (len as u16).to_le_bytes();
    hash.expand(secret, &[&number, b"spdm1.1 ", label.as_bytes(), context], len).as_ref().to_vec()
}

/// Returns zeros of the hash's length.
pub(super) fn zeros(hash: &Hash) -> Vec<u8> {
    vec![0; hash.output_len()]
}

impl Session {
    /// Derives the handshake keys. `th`: TH1, up to ResponderVerifyData.
    pub(super) fn open(params: &SessionParams, shared: &[u8], th: Vec<u8>) -> Self {
        let SessionParams { id, hash, aead, encrypted, heartbeat, psk, mutual } = *params;
        // the dialect swaps the arguments of this HMAC
        let handshake_secret = hash.hmac(shared, &[&zeros(hash)]).as_ref().to_vec();
        let th1 = hash.digest(&[&th]);
        let secrets =
            ["req hs data", "rsp hs data"].map(|label| expand(hash, &handshake_secret, label, th1.as_ref()));
        Self {
            id,
            hash,
            aead,
            layout: Layout { sequence_len: 2, padding: 32, encrypted },
            in_handshake: true,
            psk,
            mutual,
            handshake_secret,
            keys: [&secrets[0], &secrets[1]].map(|secret| record_key(hash, aead, secret)),
            secrets,
            sent: 0,
            th,
            l: Vec::new(),
            unverified: false,
            last_key_update: [0, 0],
            answered: (Vec::new(), Vec::new()),
            heartbeat: heartbeat.into(),
            idle: 0,
        }
    }

    /// Returns VerifyData of a direction: the dialect's HMAC covers the messages of TH, not their hash.
    fn verify_data(&self, side: usize, th: &[&[u8]]) -> Vec<u8> {
        let key = expand(self.hash, &self.secrets[side], "finished", b"");
        self.hash.hmac(&key, th).as_ref().to_vec()
    }

    /// Returns RequesterVerifyData of FINISH. `message`: the request up to RequesterVerifyData.
    pub(super) fn requester_verify_data(&self, message: &[u8]) -> Vec<u8> {
        self.verify_data(0, &[&self.th, message])
    }

    /// Returns ResponderVerifyData and appends it to TH.
    pub(super) fn responder_verify_data(&mut self) -> Vec<u8> {
        let mac = self.verify_data(1, &[&self.th]);
        self.th.extend_from_slice(&mac);
        mac
    }

    /// Completes the handshake; TH is TH2.
    pub(super) fn establish(&mut self) {
        let hash = self.hash;
        let salt = expand(hash, &self.handshake_secret, "derived", b"");
        let master = hash.hmac(&salt, &[&zeros(hash)]);
        let th2 = hash.digest(&[&self.th]);
        self.secrets =
            ["req app data", "rsp app data"].map(|label| expand(hash, master.as_ref(), label, th2.as_ref()));
        self.keys = [0, 1].map(|side| record_key(hash, self.aead, &self.secrets[side]));
        (self.idle, self.sent, self.in_handshake) = (0, 0, false);
    }

    /// Updates the key of one direction.
    pub(super) fn update(&mut self, side: usize) {
        self.secrets[side] = expand(self.hash, &self.secrets[side], "traffic upd", b"");
        self.keys[side] = record_key(self.hash, self.aead, &self.secrets[side]);
        if side == 0 {
            self.sent = 0;
        }
    }

    /// Seals `data`, which starts with MCTP's message type, in a record.
    pub(super) fn seal(&mut self, data: &[u8]) -> Vec<u8> {
        (self.sent, self.idle) = (self.sent + 1, 0);
        self.keys[0].seal(self.id, self.layout, data, &mut SystemRng).unwrap()
    }

    /// Opens the responder's next record.
    pub(super) fn unseal(&mut self, record: &[u8]) -> Vec<u8> {
        self.keys[1].open(self.layout, record).unwrap().to_vec()
    }

    /// Returns a record with a valid header and invalid contents.
    pub(super) fn forged(&self, content: &[u8]) -> Vec<u8> {
        let len = u16::try_from(content.len()).unwrap();
        [&self.id.to_le_bytes()[..], &self.sent.to_le_bytes(), &len.to_le_bytes(), content].concat()
    }
}

fn record_key(hash: &'static Hash, aead: &'static Aead, secret: &[u8]) -> RecordKey {
    TrafficSecret::<Application>::from_key_log(hash, VERSION, SecretBytes::from(secret)).record_key(aead)
}
