//! Sessions: transcript, keys and records.

use crate::config::{Binding, Config, KeyLog, Role};
use crate::connection::Connection;
use crate::event_list::EventList;
use crate::hash::Digest;
use crate::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic, TrafficSecret};
use crate::pending_answer::PendingAnswer;
use crate::records::{Aead, Layout, RecordError, RecordKey};
use crate::transcript::{MeasurementTranscript, Th};
use alloc::{boxed::Box, vec, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate};
use grille_spdm_transport::binding::Kind;
use zeroize::Zeroizing;

pub use crate::session_id::SessionId;

/// A session.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) origin: Origin,
    pub(crate) th: Th,
    pub(crate) measured: MeasurementTranscript,
    /// HeartbeatPeriod.
    pub(crate) heartbeat: Duration,
    /// The time since the last message.
    pub(crate) idle: Duration,
    /// The requester's last acknowledged KEY_UPDATE.
    pub(crate) updated: Option<KeyUpdate>,
    /// On the requester's side: the last KEY_UPDATE sent, while it is neither acknowledged nor refused.
    pub(crate) unacknowledged: Option<KeyUpdate>,
    /// On the requester's side: the responder's last acknowledged KEY_UPDATE.
    pub(crate) acknowledged: Option<KeyUpdate>,
    /// On the requester's side: the last message sent, with its record, until the responder's record arrives.
    last_sent: Option<(Zeroizing<Vec<u8>>, Vec<u8>)>,
    /// On the responder's side: the last record opened, with the record that answered it.
    last_answered: Option<(Vec<u8>, Vec<u8>)>,
    /// SessionPolicy.
    pub(crate) policy: u8,
    /// On the requester's side: MeasurementSummaryHash, if requested.
    pub(crate) summary: Vec<u8>,
    /// Whether the peer subscribed to this side's events.
    pub(crate) subscribed: bool,
    /// On the responder's side: whether it subscribed to the requester's events.
    pub(crate) subscribes: bool,
    /// On the requester's side: the responder's events, until the caller takes them.
    pub(crate) events: Vec<EventList>,
    /// On the requester's side: the pending answer to an encapsulated request of this session.
    pub(crate) pending_answer: PendingAnswer,
    /// The requester's DIGESTS of this handshake, if it uses a multi-key connection.
    pub(crate) requester_digests: Vec<u8>,
    /// The mutual authentication expected in FINISH.
    pub(crate) mutual: Mutual,
    /// On the responder's side: the key that must sign FINISH. The requester may present other chains before that.
    pub(crate) prover: Option<PublicKey>,
    /// PSKHint of PSK_EXCHANGE.
    pub(crate) psk_hint: Vec<u8>,
    /// The effect on this session, once the current response is sent.
    pub(crate) after: AfterResponse,
    role: Role,
    suite: RecordSuite,
    stage: Stage,
    keys: Keys,
    /// The peer's next key, during a key update. The peer switches to this key when it accepts this side's KEY_UPDATE,
    /// or when it learns that this side has accepted the peer's KEY_UPDATE.
    next: Option<NextKey>,
}

/// SessionPolicy, DSP0274 "KEY_EXCHANGE" and "PSK_EXCHANGE".
pub mod policy {
    pub use crate::session_policy::{ALL_EVENTS, SURVIVES_UPDATES};
}

/// Mutual authentication in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutual {
    /// No mutual authentication.
    No,
    /// The requester's chain must still be fetched.
    Pending,
    /// Authentication with this slot of the requester, or [`crate::identity::PROVISIONED`].
    Slot(u8),
}

/// The effect of a response on its session, after it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterResponse {
    Nothing,
    /// The handshake is complete.
    Establish,
    /// The subscription to events ends.
    Unsubscribe,
    /// The session ends.
    End,
}

/// The effect of a completed request and response on sessions.
pub(crate) enum Effect {
    Nothing,
    /// A session is opened.
    Open(Box<SessionParams>),
    /// The handshake ends; contains TH up to the request.
    Finish(Box<Th>),
    /// The encapsulated flow ended, so the requester's slot for FINISH is settled: the one that the responder named, or,
    /// if `None`, the requester's first slot with a chain.
    Bind(Option<u8>),
    /// The requester's KEY_UPDATE updates or verifies keys.
    Update(KeyUpdate),
    /// The session ends. With `forget` the responder clears the cached negotiated state.
    End {
        forget: bool,
    },
}

/// The parameters that all keys of a session share.
pub(crate) struct RecordSuite {
    pub(crate) aead: &'static Aead,
    pub(crate) layout: Layout,
    pub(crate) binding: Binding,
    /// The maximum number of records under one key, as a power of 2.
    pub(crate) limit: u32,
    key_log: Option<KeyLog>,
}

impl RecordSuite {
    /// Returns `None` if no AEAD was negotiated.
    pub(crate) fn new(connection: &Connection, config: &Config, limit: u32) -> Option<Self> {
        let binding = config.binding;
        let aead = connection.negotiated()?.algorithms.aead?;
        let (sequence_len, padding) = (binding.sequence_len(), binding.max_random_padding());
        let layout = Layout { sequence_len, padding, encrypted: connection.encrypts() };
        Some(Self { aead, layout, binding, limit, key_log: config.key_log.clone() })
    }
}

enum Stage {
    Handshake(KeySchedule<Handshake>, Traffic<Handshake>),
    Application(Traffic<Application>, SecretBytes),
    /// No stage: one has ended and the next has not started, or an error occurred.
    Over,
}

/// The record keys of both directions.
struct Keys {
    request: RecordKey,
    response: RecordKey,
}

/// The key after an update.
struct NextKey {
    secret: TrafficSecret<Application>,
    key: RecordKey,
}

/// The parameters of a new session, except for its transcript.
pub(crate) struct SessionParams {
    pub(crate) id: SessionId,
    pub(crate) origin: Origin,
    pub(crate) heartbeat: u8,
    pub(crate) suite: RecordSuite,
    pub(crate) shared: SecretBytes,
    /// SessionPolicy, bits of [`policy`].
    pub(crate) policy: u8,
    /// On the requester's side: MeasurementSummaryHash, if requested.
    pub(crate) summary: Vec<u8>,
    /// For KEY_EXCHANGE: the hash of the responder's chain.
    pub(crate) chain_hash: Option<Digest>,
    /// For KEY_EXCHANGE: the mutual authentication expected in FINISH.
    pub(crate) mutual: Mutual,
    /// PSKHint, for PSK_EXCHANGE.
    pub(crate) psk_hint: Vec<u8>,
}

impl Session {
    /// Creates a session with its handshake keys; `None` before ALGORITHMS. `th` is TH1, which ends before
    /// ResponderVerifyData.
    pub(crate) fn open(role: Role, params: SessionParams, th: Th, connection: &Connection) -> Option<Self> {
        let SessionParams { id, origin, heartbeat, suite, shared, policy, summary, mutual, psk_hint, .. } =
            params;
        let schedule = KeySchedule::new(connection.hash()?, connection.rules, origin, shared.as_ref());
        let traffic = schedule.traffic(&th.digest());
        let keys = suite.keys(&traffic);
        suite.log_secrets(id, ["request_handshake_secret", "response_handshake_secret"], &traffic);
        Some(Self {
            id,
            origin,
            th,
            measured: MeasurementTranscript::default(),
            heartbeat: Duration::from_secs(heartbeat.into()),
            idle: Duration::ZERO,
            updated: None,
            unacknowledged: None,
            acknowledged: None,
            last_sent: None,
            last_answered: None,
            policy,
            summary,
            subscribed: false,
            subscribes: false,
            events: Vec::new(),
            pending_answer: PendingAnswer::None,
            requester_digests: Vec::new(),
            mutual,
            prover: None,
            psk_hint,
            after: AfterResponse::Nothing,
            role,
            suite,
            stage: Stage::Handshake(schedule, traffic),
            keys,
            next: None,
        })
    }

    /// Returns whether FINISH or PSK_FINISH is still missing.
    pub(crate) const fn is_in_handshake(&self) -> bool {
        matches!(self.stage, Stage::Handshake(..))
    }

    /// Returns VerifyData of `side` over `th`; `None` after the handshake.
    pub(crate) fn verify_data(&self, side: Role, th: &Th) -> Option<Digest> {
        let Stage::Handshake(_, traffic) = &self.stage else { return None };
        Some(match side {
            Role::Requester => traffic.request.verify_data(th.covered().bytes()),
            Role::Responder => traffic.response.verify_data(th.covered().bytes()),
        })
    }

    /// Appends ResponderVerifyData over `th` to both arguments.
    pub(crate) fn append_verify_data(&self, th: &mut Th, response: &mut Vec<u8>) {
        let mac = self.verify_data(Role::Responder, th).unwrap_or_default();
        th.push(mac.as_ref());
        response.extend_from_slice(mac.as_ref());
    }

    /// Sets the requester's slot that signs FINISH. TH continues with the requester's DIGESTS, on multi-key
    /// connections, and with the hash of the slot's chain, if it has one.
    pub(crate) fn bind(&mut self, slot: u8, chain: Option<&Digest>, prover: Option<PublicKey>) {
        (self.mutual, self.prover) = (Mutual::Slot(slot), prover);
        self.th.push(&core::mem::take(&mut self.requester_digests));
        chain.into_iter().for_each(|chain| self.th.push(chain.as_ref()));
    }

    /// Derives the application keys. At this point, TH must be TH2.
    pub(crate) fn establish(&mut self) {
        (self.after, self.idle) = (AfterResponse::Nothing, Duration::ZERO);
        if let Stage::Handshake(schedule, _) = core::mem::replace(&mut self.stage, Stage::Over) {
            let (schedule, th2) = (schedule.finish(), self.th.digest());
            let traffic = schedule.traffic(&th2);
            self.keys = self.suite.keys(&traffic);
            self.suite.log_secrets(self.id, ["request_data_secret", "response_data_secret"], &traffic);
            self.stage = Stage::Application(traffic, schedule.export(&th2));
        }
    }

    /// Returns the Export Master Secret; `None` in the handshake.
    pub(crate) const fn export(&self) -> Option<&SecretBytes> {
        match &self.stage {
            Stage::Application(_, export) => Some(export),
            _ => None,
        }
    }

    /// Replaces the key of `sender`'s direction by the next one.
    pub(crate) fn update(&mut self, sender: Role) {
        let Stage::Application(traffic, _) = &mut self.stage else { return };
        let (secret, key) = match sender {
            Role::Requester => (&mut traffic.request, &mut self.keys.request),
            Role::Responder => (&mut traffic.response, &mut self.keys.response),
        };
        *secret = secret.update();
        *key = self.suite.key(secret);
    }

    /// Prepares for a key update by the peer. The first record under the next key confirms it.
    fn expect_update(&mut self) {
        let Stage::Application(traffic, _) = &self.stage else { return };
        let secret = match self.role {
            Role::Requester => traffic.response.update(),
            Role::Responder => traffic.request.update(),
        };
        self.next = Some(NextKey { key: self.suite.key(&secret), secret });
    }

    /// Records that KEY_UPDATE was sent, possibly again.
    pub(crate) fn update_sent(&mut self, update: KeyUpdate) {
        if self.unacknowledged.replace(update) != Some(update)
            && update.operation == KeyOperation::UPDATE_ALL_KEYS
        {
            self.expect_update();
        }
    }

    /// Cancels the update, because the responder refused it under the old key.
    pub(crate) fn update_refused(&mut self) {
        (self.next, self.unacknowledged, self.acknowledged) = (None, None, None);
    }

    /// Records that the responder's KEY_UPDATE was acknowledged.
    pub(crate) fn acknowledge_update(&mut self, update: KeyUpdate) {
        self.acknowledged = Some(update);
        if update.operation == KeyOperation::UPDATE_KEY {
            self.expect_update();
        }
    }

    /// Replaces the peer's key by the next one, because the peer used it.
    fn switch_to_next_key(&mut self) {
        let (Some(NextKey { secret, key }), Stage::Application(traffic, _)) =
            (self.next.take(), &mut self.stage)
        else {
            return;
        };
        match self.role {
            Role::Requester => (traffic.response, self.keys.response) = (secret, key),
            Role::Responder => (traffic.request, self.keys.request) = (secret, key),
        }
    }

    /// Returns whether a key update is in progress. The acknowledgement of VerifyNewKey ends it.
    pub(crate) fn is_updating(&self) -> bool {
        let unverified = |last: KeyUpdate| last.operation != KeyOperation::VERIFY_NEW_KEY;
        self.unacknowledged.is_some() || self.updated.is_some_and(unverified)
    }

    /// Returns whether application data is allowed: in the application phase, and not during a key update (DSP0274).
    pub(crate) fn takes_applications(&self) -> bool {
        !self.is_in_handshake() && !self.is_updating()
    }

    /// Returns whether the handshake is complete, and the peer has used its newest key.
    pub(crate) const fn peer_uses_newest_key(&self) -> bool {
        !self.is_in_handshake() && self.next.is_none()
    }

    /// Applies an acknowledged KEY_UPDATE, DSP0274 "Session key update synchronization".
    ///
    /// The requester uses its next key once it has the acknowledgement. With UpdateAllKeys the responder acknowledges
    /// under its own next key. The responder accepts the requester's old key until the requester uses its next key,
    /// because a requester that did not receive the acknowledgement repeats its request under the old key.
    pub(crate) fn apply_update(&mut self, update: KeyUpdate) {
        (self.updated, self.unacknowledged) = (Some(update), None);
        match (self.role, update.operation) {
            (_, KeyOperation::VERIFY_NEW_KEY) => {}
            (Role::Requester, _) => self.update(Role::Requester),
            (Role::Responder, operation) => {
                self.expect_update();
                if operation == KeyOperation::UPDATE_ALL_KEYS {
                    self.update(Role::Responder);
                }
            }
        }
    }

    /// Returns the length of the longest message that fits a record of this transport, in bytes.
    pub(crate) const fn max_message_len(&self) -> usize {
        let RecordSuite { layout, binding, .. } = &self.suite;
        layout.room(binding.longest_payload()).saturating_sub(binding.plaintext_header_len())
    }

    /// Returns the requester's record of `message`. If `message` was the last message sent and no record from the
    /// responder arrived since, returns the same record again: the responder may have received it, and neither side
    /// accepts any sequence number but the next (DSP0277).
    pub(crate) fn send(&mut self, message: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, RecordError> {
        if let Some((sent, record)) = &self.last_sent
            && **sent == message
        {
            return Ok(record.clone());
        }
        let record = self.seal(message, rng)?;
        self.last_sent = Some((Zeroizing::new(message.to_vec()), record.clone()));
        Ok(record)
    }

    /// Returns the responder's answer to a retransmitted record; `None` if `record` is not the last one answered.
    pub(crate) fn answer_to(&self, record: &[u8]) -> Option<Vec<u8>> {
        self.last_answered.as_ref().filter(|(last, _)| last == record).map(|(_, answer)| answer.clone())
    }

    /// Stores the responder's answer to an opened record, for a retransmission.
    pub(crate) fn store_answer(&mut self, record: &[u8], answer: &[u8]) {
        self.last_answered = Some((record.to_vec(), answer.to_vec()));
    }

    /// Seals an SPDM message in a record.
    pub(crate) fn seal(&mut self, message: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, RecordError> {
        let binding = self.suite.binding;
        let mut data = Zeroizing::new(vec![0; binding.plaintext_header_len() + message.len()]);
        binding.encode_plaintext(message, &mut data).map_err(|_| RecordError::TooLong)?;
        self.seal_application(&data, rng)
    }

    /// Seals application data in a record; on MCTP it starts with a message type.
    pub(crate) fn seal_application(
        &mut self,
        data: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, RecordError> {
        let key = match self.role {
            Role::Requester => &mut self.keys.request,
            Role::Responder => &mut self.keys.response,
        };
        self.last_sent = None;
        key.seal(self.id, self.suite.layout, data, rng)
    }

    /// Seals arbitrary plaintext in a record.
    pub(crate) fn seal_inside(&mut self, inside: &[u8]) -> Result<Vec<u8>, RecordError> {
        self.last_sent = None;
        self.keys.request.seal_inside(self.id, self.suite.layout, inside)
    }

    /// Opens a record.
    pub(crate) fn unseal(&mut self, record: &[u8]) -> Result<Content, RecordError> {
        let key = match self.role {
            Role::Requester => &mut self.keys.response,
            Role::Responder => &mut self.keys.request,
        };
        let record = self.suite.without_padding(record);
        let data = match (key.open(self.suite.layout, record), &mut self.next) {
            (Ok(data), _) => data,
            // a valid tag means that this key is the right one
            (Err(error @ RecordError::Inside), _) | (Err(error), None) => return Err(error),
            (Err(_), Some(next)) => {
                let data = next.key.open(self.suite.layout, record)?;
                self.switch_to_next_key();
                data
            }
        };
        (self.idle, self.last_sent) = (Duration::ZERO, None);
        Ok(match self.suite.binding.decode_plaintext(&data) {
            Ok((Kind::Spdm, message)) => Content::Spdm(Zeroizing::new(message.to_vec())),
            // The data has another type or is empty. Empty data is an application's empty answer.
            _ => Content::Application(data),
        })
    }

    /// Returns whether the session has a heartbeat: HeartbeatPeriod is not 0.
    pub(crate) const fn has_heartbeat(&self) -> bool {
        !self.heartbeat.is_zero()
    }

    /// Advances the clock. Returns whether the peer was silent for twice HeartbeatPeriod.
    pub(crate) fn is_silent_after(&mut self, time: Duration) -> bool {
        self.idle = self.idle.saturating_add(time);
        self.has_heartbeat() && self.idle > self.heartbeat * 2
    }
}

/// The contents of a record.
pub(crate) enum Content {
    /// An SPDM message.
    Spdm(Zeroizing<Vec<u8>>),
    /// Application data; on MCTP it starts with the message type.
    Application(Zeroizing<Vec<u8>>),
}

impl RecordSuite {
    fn keys<Stage>(&self, traffic: &Traffic<Stage>) -> Keys {
        Keys { request: self.key(&traffic.request), response: self.key(&traffic.response) }
    }

    /// Returns a record without the transport's trailing zeros.
    fn without_padding<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        let (len, trailing) = (self.layout.record_len(record), self.binding.max_trailing_zeros());
        let whole = len.filter(|len| record.len().saturating_sub(*len) <= trailing);
        whole.and_then(|len| record.get(..len)).unwrap_or(record)
    }

    /// Passes the secrets to the key log, if there is one. The names are libspdm's.
    fn log_secrets<Stage>(&self, id: SessionId, names: [&'static str; 2], traffic: &Traffic<Stage>) {
        if let Some(KeyLog(log)) = &self.key_log {
            log(id, names[0], traffic.request.secret());
            log(id, names[1], traffic.response.secret());
        }
    }

    fn key<Stage>(&self, secret: &TrafficSecret<Stage>) -> RecordKey {
        let mut key = secret.record_key(self.aead);
        key.set_limit(self.limit);
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroize::ZeroizeOnDrop;

    fn erases<T: ZeroizeOnDrop>(_: &T) {}

    fn erases_traffic<Stage>(Traffic { request, response }: &Traffic<Stage>) {
        erases(request);
        erases(response);
    }

    /// The patterns list every field, so the test does not compile with a new field until the field is added here.
    #[test]
    fn every_session_secret_is_zeroize_on_drop() {
        let _: fn(&Session) = |session| {
            #[rustfmt::skip]
            let Session {
                id: _, origin: _, th: _, measured: _, heartbeat: _, idle: _, updated: _, unacknowledged: _, acknowledged: _,
                last_sent, last_answered: _, policy: _, summary: _, subscribed: _, subscribes: _, events: _, pending_answer: _, requester_digests: _,
                mutual: _, prover: _, psk_hint: _, after: _, role: _, suite: _, stage, keys: Keys { request, response }, next,
            } = session;
            if let Some((message, _)) = last_sent {
                erases(message);
            }
            [request, response].into_iter().for_each(erases);
            if let Some(NextKey { secret, key }) = next {
                erases(secret);
                erases(key);
            }
            match stage {
                Stage::Handshake(schedule, traffic) => {
                    erases(schedule);
                    erases_traffic(traffic);
                }
                Stage::Application(traffic, export) => {
                    erases_traffic(traffic);
                    erases(export);
                }
                Stage::Over => {}
            }
        };
        let _: fn(&SessionParams) = |params| erases(&params.shared);
        let _: fn(&Content) = |content| match content {
            Content::Spdm(data) | Content::Application(data) => erases(data),
        };
    }
}
