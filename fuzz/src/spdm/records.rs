//! Encryption of packets from the input, and decryption of the answers, with the session's keys.

use super::kind::Kind;
use crate::Counter;
use grille_core::SecretBytes;
use grille_spdm_engine::algorithms::NegotiatedAlgorithms;
use grille_spdm_engine::config::{KeyLog, Packet};
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::session::SessionId;
use std::sync::{Arc, Mutex};

/// `form`, the first byte of a packet of the input: the packet is sent in the clear.
pub const CLEAR: u8 = 0;
/// `form`, the first byte of a packet of the input: the packet is a complete record, which the target sends unchanged.
pub const RECORD: u8 = 1;
/// `form`, the first byte of a packet of the input: the packet is a message of an application or of SPDM, which the
/// target encrypts into a record. On MCTP, the message starts with its type.
pub const MESSAGE: u8 = 2;
/// `form`, the first byte of a packet of the input: the packet is the plaintext of a record, valid or not, which the
/// target encrypts.
pub const PLAINTEXT: u8 = 3;
/// Flag that may be added to [`MESSAGE`] and [`PLAINTEXT`]: the sender first switches to its next key.
pub const NEXT_KEY: u8 = 4;

/// The secrets that the two sides logged, without duplicates. `times` counts how often each secret was logged: twice if
/// both sides have it.
#[derive(Clone, Default)]
pub struct LoggedSecrets(Arc<Mutex<Vec<Secret>>>);

struct Secret {
    session: SessionId,
    name: &'static str,
    bytes: Vec<u8>,
    times: u8,
}

impl LoggedSecrets {
    /// Returns the key log callback, which stores the secrets.
    #[must_use]
    pub fn log(&self) -> KeyLog {
        let logged = self.0.clone();
        KeyLog(Arc::new(move |session, name, secret: &SecretBytes| {
            let bytes = secret.as_ref().to_vec();
            let mut logged = logged.lock().expect("only one thread takes the lock");
            let known = |one: &&mut Secret| one.session == session && one.name == name && one.bytes == bytes;
            match logged.iter_mut().find(known) {
                Some(known) => known.times += 1,
                None => logged.push(Secret { session, name, bytes, times: 1 }),
            }
        }))
    }

    /// Returns the last opened session.
    ///
    /// # Panics
    /// Panics if no session was opened.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.0.lock().expect("only one thread takes the lock").last().expect("a session was opened").session
    }

    /// Returns whether both sides have opened a session.
    #[must_use]
    pub fn opened_by_both(&self) -> bool {
        self.0.lock().expect("only one thread takes the lock").iter().any(|secret| secret.times > 1)
    }

    /// Returns the last secret of a side, and its index.
    fn last(&self, session: SessionId, side: &str) -> (usize, Vec<u8>) {
        let logged = self.0.lock().expect("only one thread takes the lock");
        let of_side = |(_, one): &(usize, &Secret)| one.session == session && one.name.starts_with(side);
        let (number, last) = logged.iter().enumerate().rfind(of_side).expect("both sides log secrets");
        (number, last.bytes.clone())
    }
}

/// The logged secrets of both sides and their negotiated parameters.
#[derive(Clone)]
pub struct Keys {
    /// The session's secrets, as the key log reports them.
    pub logged: LoggedSecrets,
    /// The kind of the session, which selects binding, cipher and version.
    pub kind: Kind,
    /// The algorithms that both sides negotiated.
    pub algorithms: NegotiatedAlgorithms,
    /// Number of records that each side has already sent in the session.
    pub sent_records: usize,
}

impl Keys {
    /// Returns the record keys of a side, "request" or "response", in the last opened session.
    #[must_use]
    pub fn records(&self, side: &'static str) -> Records {
        let session = self.logged.session();
        let (number, bytes) = self.logged.last(session, side);
        let (sequence_len, encrypted) = (self.kind.binding().sequence_len(), self.kind.encrypts());
        let layout = Layout { sequence_len, padding: 0, encrypted };
        let secret = self.secret(&bytes);
        let mut key = secret.record_key(self.aead());
        for _ in 0..self.sent_records {
            key.seal(session, layout, &[], &mut Counter::default()).expect("the key is below its limit");
        }
        Records { keys: self.clone(), session, side, layout, number, secret, key }
    }

    /// Returns a traffic secret. Its type is that of applications: records of handshakes are encrypted in the same way.
    fn secret(&self, bytes: &[u8]) -> TrafficSecret<Application> {
        TrafficSecret::from_key_log(self.algorithms.hash, self.kind.version().byte(), bytes.into())
    }

    fn aead(&self) -> &'static Aead {
        self.algorithms.aead.expect("both sides have one")
    }
}

/// Seals and opens the records of one side.
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
    /// Returns the SPDM packet that a packet of the input describes; `None` if it cannot be encrypted. `form`:
    /// [`CLEAR`], [`RECORD`], [`MESSAGE`] or [`PLAINTEXT`].
    pub fn packet(&mut self, form: u8, bytes: &[u8]) -> Option<Packet> {
        let (session, layout) = (self.session, self.layout);
        if form & 2 != 0 && form & NEXT_KEY != 0 {
            self.replace();
        }
        let record = match form & 3 {
            CLEAR => return Some(Packet::Message(bytes.to_vec())),
            RECORD => Ok(bytes.to_vec()),
            MESSAGE => self.key.seal(session, layout, bytes, &mut Counter::default()),
            _ => self.key.seal_inside(session, layout, bytes),
        };
        record.ok().map(Packet::Secured)
    }

    /// Decrypts a record with the current or the next key. Returns the plaintext, and the `form` with which
    /// [`Records::packet`] makes this record of it; `None` if neither key fits.
    pub fn open(&mut self, record: &[u8]) -> Option<(u8, Vec<u8>)> {
        if let Ok(data) = self.key.open(self.layout, record) {
            return Some((MESSAGE, data.to_vec()));
        }
        let (number, secret) = self.next();
        let mut key = secret.record_key(self.keys.aead());
        let data = key.open(self.layout, record).ok()?;
        (self.number, self.secret, self.key) = (number, secret, key);
        Some((MESSAGE | NEXT_KEY, data.to_vec()))
    }

    fn replace(&mut self) {
        (self.number, self.secret) = self.next();
        self.key = self.secret.record_key(self.keys.aead());
    }

    /// Returns the next secret of the side. If the side has logged a new secret, which it does when the handshake ends,
    /// that is the next one. Otherwise, it is the secret that results from a key update.
    fn next(&self) -> (usize, TrafficSecret<Application>) {
        let (number, bytes) = self.keys.logged.last(self.session, self.side);
        if number == self.number {
            (number, self.secret.update())
        } else {
            (number, self.keys.secret(&bytes))
        }
    }
}
