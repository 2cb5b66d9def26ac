//! A session's keys in the fuzzer's hands: it seals what the input says, and opens what comes back.

use super::kind::Kind;
use crate::Counter;
use grille_core::SecretBytes;
use grille_spdm_engine::algorithms::Algorithms;
use grille_spdm_engine::config::{KeyLog, Packet};
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::session::SessionId;
use std::sync::{Arc, Mutex};

/// A packet in the clear.
pub const CLEAR: u8 = 0;
/// A record as it comes.
pub const RECORD: u8 = 1;
/// What an application or SPDM says in a record, on MCTP from the message type.
pub const SAID: u8 = 2;
/// The inside of a record, right or not.
pub const INSIDE: u8 = 3;
/// Beside [`SAID`] and [`INSIDE`]: the key is replaced first.
pub const NEXT_KEY: u8 = 4;

/// The secrets that both sides told, each once, and how often that was.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<Vec<Secret>>>);

struct Secret {
    session: SessionId,
    name: &'static str,
    bytes: Vec<u8>,
    times: u8,
}

impl Told {
    /// Who is told.
    #[must_use]
    pub fn log(&self) -> KeyLog {
        let told = self.0.clone();
        KeyLog(Arc::new(move |session, name, secret: &SecretBytes| {
            let bytes = secret.as_ref().to_vec();
            let mut told = told.lock().expect("one thread");
            let known = |one: &&mut Secret| one.session == session && one.name == name && one.bytes == bytes;
            match told.iter_mut().find(known) {
                Some(known) => known.times += 1,
                None => told.push(Secret { session, name, bytes, times: 1 }),
            }
        }))
    }

    /// The session that was opened last.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.0.lock().expect("one thread").last().expect("a session was opened").session
    }

    /// Whether both sides have opened a session together.
    #[must_use]
    pub fn by_both(&self) -> bool {
        self.0.lock().expect("one thread").iter().any(|secret| secret.times > 1)
    }

    /// The last secret of a side, and its number.
    fn last(&self, session: SessionId, side: &str) -> (usize, Vec<u8>) {
        let told = self.0.lock().expect("one thread");
        let of_side = |(_, one): &(usize, &Secret)| one.session == session && one.name.starts_with(side);
        let (number, last) = told.iter().enumerate().rfind(of_side).expect("both sides tell");
        (number, last.bytes.clone())
    }
}

/// Whose keys are in the fuzzer's hands: what both sides told, and what they negotiated.
#[derive(Clone)]
pub struct Keys {
    /// The secrets.
    pub told: Told,
    /// What both sides have agreed on.
    pub kind: Kind,
    /// The algorithms.
    pub algorithms: Algorithms,
    /// How many records of the session either side has sent.
    pub spoken: usize,
}

impl Keys {
    /// What a side, "request" or "response", seals with in the session that was opened last.
    #[must_use]
    pub fn records(&self, side: &'static str) -> Records {
        let session = self.told.session();
        let (number, bytes) = self.told.last(session, side);
        let (sequence_len, encrypted) = (self.kind.binding().sequence_len(), self.kind.encrypts());
        let layout = Layout { sequence_len, padding: 0, encrypted };
        let secret = self.secret(&bytes);
        let mut key = secret.record_key(self.aead());
        for _ in 0..self.spoken {
            key.seal(session, layout, &[], &mut Counter::default()).expect("there were as many");
        }
        Records { keys: self.clone(), session, side, layout, number, secret, key }
    }

    /// Of an application or a handshake: records are sealed alike.
    fn secret(&self, bytes: &[u8]) -> TrafficSecret<Application> {
        TrafficSecret::of_key_log(self.algorithms.hash, self.kind.version().byte(), bytes.into())
    }

    fn aead(&self) -> &'static Aead {
        self.algorithms.aead.expect("both sides have one")
    }
}

/// What one side seals with.
pub struct Records {
    keys: Keys,
    session: SessionId,
    side: &'static str,
    layout: Layout,
    number: usize,
    secret: TrafficSecret<Application>,
    key: RecordKey,
}

impl Records {
    /// The packet that an input describes; `None` if it cannot be sealed.
    pub fn packet(&mut self, place: u8, bytes: &[u8]) -> Option<Packet> {
        let (session, layout) = (self.session, self.layout);
        if place & 2 != 0 && place & NEXT_KEY != 0 {
            self.replace();
        }
        let record = match place & 3 {
            CLEAR => return Some(Packet::Message(bytes.to_vec())),
            RECORD => Ok(bytes.to_vec()),
            SAID => self.key.seal(session, layout, bytes, &mut Counter::default()),
            _ => self.key.seal_inside(session, layout, bytes),
        };
        record.ok().map(Packet::Secured)
    }

    /// What is in a record, and the place that [`Records::packet`] would seal it with.
    pub fn open(&mut self, record: &[u8]) -> Option<(u8, Vec<u8>)> {
        if let Ok(data) = self.key.open(self.layout, record) {
            return Some((SAID, data.to_vec()));
        }
        let (number, secret) = self.next();
        let mut key = secret.record_key(self.keys.aead());
        let data = key.open(self.layout, record).ok()?;
        (self.number, self.secret, self.key) = (number, secret, key);
        Some((SAID | NEXT_KEY, data.to_vec()))
    }

    fn replace(&mut self) {
        (self.number, self.secret) = self.next();
        self.key = self.secret.record_key(self.keys.aead());
    }

    /// What follows the secret: after the handshake the application's, and then that of KEY_UPDATE.
    fn next(&self) -> (usize, TrafficSecret<Application>) {
        let (number, bytes) = self.keys.told.last(self.session, self.side);
        if number == self.number {
            (number, self.secret.update())
        } else {
            (number, self.keys.secret(&bytes))
        }
    }
}
