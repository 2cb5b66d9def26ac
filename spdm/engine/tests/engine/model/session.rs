//! The model's state of a session: transcripts, and keys that the model derives itself.

use crate::model::device::RequesterId;
use crate::model::rules::HINT;
use grille_core::SystemRng;
use grille_spdm_codec::Version;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};

/// A session.
pub(crate) struct Session {
    pub(crate) id: u32,
    pub(crate) psk: bool,
    pub(crate) hash: &'static Hash,
    aead: &'static Aead,
    layout: Layout,
    stage: Stage,
    /// The record keys of the requester and the responder.
    keys: [RecordKey; 2],
    /// The sequence number of the requester's next record.
    sent: u16,
    /// TH.
    pub(crate) th: Vec<u8>,
    /// L1/L2.
    pub(crate) l: Vec<u8>,
    /// Whether UpdateKey or UpdateAllKeys was acknowledged, and VerifyNewKey is still missing.
    pub(crate) unverified: bool,
    /// Operation and Tag of the last KEY_UPDATE, to recognise a repeated VerifyNewKey.
    pub(crate) last_key_update: [u8; 2],
    /// The requester's last record, and the responder's answer. The responder repeats the answer if the record is
    /// repeated.
    pub(crate) answered: (Vec<u8>, Vec<u8>),
    pub(crate) heartbeat: u64,
    /// The seconds since the last record.
    pub(crate) idle: u64,
    /// Whether SessionPolicy keeps the session alive after a device update.
    pub(crate) survives_updates: bool,
    /// Whether the requester is subscribed to events once the handshake is complete.
    pub(crate) subscribed: bool,
    /// Whether the responder is subscribed to the requester's events.
    pub(crate) responder_subscribed: bool,
    /// MutAuthRequested.
    pub(crate) mut_auth: u8,
    /// The authentication expected in FINISH.
    pub(crate) mutual: Mutual,
}

/// The authentication expected in FINISH.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mutual {
    No,
    /// The requester's chain must still be fetched.
    Pending,
    /// A signature with this slot of the requester.
    Slot(u8),
}

enum Stage {
    Handshake(KeySchedule<Handshake>, Traffic<Handshake>),
    Application(Traffic<Application>),
    Between,
}

/// The parameters of a new session.
pub(crate) struct SessionParams {
    pub(crate) id: u32,
    pub(crate) psk: bool,
    pub(crate) version: u8,
    pub(crate) hash: &'static Hash,
    pub(crate) aead: &'static Aead,
    pub(crate) encrypted: bool,
    pub(crate) heartbeat: u8,
    pub(crate) survives_updates: bool,
    pub(crate) subscribed_to_all: bool,
}

impl Session {
    /// Derives the handshake keys. `th`: TH1, up to ResponderVerifyData.
    pub(crate) fn open(opening: &SessionParams, shared: &[u8], th: Vec<u8>) -> Self {
        let SessionParams {
            id,
            psk,
            version,
            hash,
            aead,
            encrypted,
            heartbeat,
            survives_updates,
            subscribed_to_all,
        } = *opening;
        let origin = if psk { Origin::Psk } else { Origin::KeyExchange };
        let schedule = KeySchedule::new(hash, Version::from_byte(version).unwrap(), origin, shared);
        let traffic = schedule.traffic(&hash.digest(&[&th]));
        let keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        Self {
            id,
            psk,
            hash,
            aead,
            layout: Layout { sequence_len: 2, padding: 32, encrypted },
            stage: Stage::Handshake(schedule, traffic),
            keys,
            sent: 0,
            th,
            l: Vec::new(),
            unverified: false,
            last_key_update: [0, 0],
            answered: (Vec::new(), Vec::new()),
            heartbeat: heartbeat.into(),
            idle: 0,
            survives_updates,
            subscribed: subscribed_to_all,
            responder_subscribed: false,
            mut_auth: 0,
            mutual: Mutual::No,
        }
    }

    /// Binds the session to this slot of the requester. Appends `shown` to TH: the requester's DIGESTS and the hash of
    /// its chain.
    pub(crate) fn bind(&mut self, slot: u8, shown: &[u8]) {
        self.th.extend_from_slice(shown);
        self.mutual = Mutual::Slot(slot);
    }

    /// Returns the requester's identity.
    pub(crate) fn requester_identity(&self) -> RequesterId {
        match self.mutual {
            _ if self.psk => RequesterId::Psk(HINT.to_vec()),
            Mutual::Slot(slot) => RequesterId::Slot(slot),
            Mutual::No | Mutual::Pending => RequesterId::Anonymous,
        }
    }

    pub(crate) fn is_in_handshake(&self) -> bool {
        matches!(self.stage, Stage::Handshake(..))
    }

    fn handshake(&self) -> &Traffic<Handshake> {
        let Stage::Handshake(_, traffic) = &self.stage else { panic!("the handshake is over") };
        traffic
    }

    /// Returns RequesterVerifyData of FINISH or PSK_FINISH. `message`: the request up to RequesterVerifyData.
    pub(crate) fn requester_verify_data(&self, message: &[u8]) -> Vec<u8> {
        let th = self.hash.digest(&[&self.th, message]);
        self.handshake().request.verify_data(&th).as_ref().to_vec()
    }

    /// Returns ResponderVerifyData and appends it to TH.
    pub(crate) fn responder_verify_data(&mut self) -> Vec<u8> {
        let mac = self.handshake().response.verify_data(&self.hash.digest(&[&self.th])).as_ref().to_vec();
        self.th.extend_from_slice(&mac);
        mac
    }

    /// Completes the handshake; TH is TH2.
    pub(crate) fn establish(&mut self) {
        self.idle = 0;
        let Stage::Handshake(schedule, _) = std::mem::replace(&mut self.stage, Stage::Between) else {
            panic!("the handshake is over")
        };
        let traffic = schedule.finish().traffic(&self.hash.digest(&[&self.th]));
        self.keys = [traffic.request.record_key(self.aead), traffic.response.record_key(self.aead)];
        self.sent = 0;
        self.stage = Stage::Application(traffic);
    }

    /// Seals `data`, which starts with MCTP's message type, in a record.
    pub(crate) fn seal(&mut self, data: &[u8]) -> Vec<u8> {
        self.sent += 1;
        self.keys[0].seal(self.id, self.layout, data, &mut SystemRng).unwrap()
    }

    /// Opens the responder's next record.
    pub(crate) fn unseal(&mut self, record: &[u8]) -> Vec<u8> {
        self.keys[1].open(self.layout, record).unwrap().to_vec()
    }

    /// Returns a record with a valid header and invalid contents.
    pub(crate) fn forged(&self, content: &[u8]) -> Vec<u8> {
        let len = u16::try_from(content.len()).unwrap();
        [&self.id.to_le_bytes()[..], &self.sent.to_le_bytes(), &len.to_le_bytes(), content].concat()
    }

    /// Updates the key of one direction.
    pub(crate) fn update(&mut self, side: usize) {
        let Stage::Application(traffic) = &mut self.stage else { panic!("in the handshake") };
        let secret: &mut TrafficSecret<_> =
            if side == 0 { &mut traffic.request } else { &mut traffic.response };
        *secret = secret.update();
        self.keys[side] = secret.record_key(self.aead);
        if side == 0 {
            self.sent = 0;
        }
    }
}
