//! A session: its transcript, its keys, its records.

use crate::config::{Binding, Config, KeyLog, Role};
use crate::connection::Connection;
use crate::encapsulated::Interview;
use crate::events::EventList;
use crate::hash::Digest;
use crate::interviewed::Said;
use crate::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic, TrafficSecret};
use crate::records::{Aead, Layout, RecordError, RecordKey};
use crate::transcript::{Measured, Th};
use alloc::{boxed::Box, vec, vec::Vec};
use core::time::Duration;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::PublicKey;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate};
use grille_spdm_transport::binding::Kind;
use zeroize::Zeroizing;

/// A session's number: RspSessionID in the high, ReqSessionID in the low half.
pub type SessionId = u32;

/// One session.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) origin: Origin,
    pub(crate) th: Th,
    pub(crate) measured: Measured,
    /// HeartbeatPeriod.
    pub(crate) heartbeat: Duration,
    /// Time since the last message.
    pub(crate) idle: Duration,
    /// The last KEY_UPDATE that was acknowledged.
    pub(crate) updated: Option<KeyUpdate>,
    /// The requester's: the last KEY_UPDATE that was sent, as long as it was neither acknowledged nor refused.
    pub(crate) unanswered: Option<KeyUpdate>,
    /// The requester's: the last KEY_UPDATE of the responder's that was acknowledged.
    pub(crate) followed: Option<KeyUpdate>,
    /// The requester's: the last message that was sent, and its record, as long as no record came back.
    sent: Option<(Zeroizing<Vec<u8>>, Vec<u8>)>,
    /// The responder's: the last record that could be opened, and the one that answered it.
    answered: Option<(Vec<u8>, Vec<u8>)>,
    /// SessionPolicy.
    pub(crate) policy: u8,
    /// The requester's: MeasurementSummaryHash, if it was asked for.
    pub(crate) summary: Vec<u8>,
    /// Whether the other side wants to hear of this side's events.
    pub(crate) subscribed: bool,
    /// The responder's: whether it wants to hear of the requester's.
    pub(crate) listens: bool,
    /// The requester's: the events that the responder told of, until the caller takes them.
    pub(crate) events: Vec<EventList>,
    /// The requester's: what it says where it was asked here.
    pub(crate) said: Said,
    /// The responder's: what the requester is being asked here.
    pub(crate) interview: Option<Interview>,
    /// The requester's DIGESTS of this handshake, where it has several keys.
    pub(crate) told: Vec<u8>,
    /// Whether the requester has to authenticate itself in FINISH, and with which slot.
    pub(crate) mutual: Mutual,
    /// The responder's: the key that FINISH is signed with. The requester may show other chains before that.
    pub(crate) prover: Option<PublicKey>,
    /// PSKHint of PSK_EXCHANGE.
    pub(crate) psk_hint: Vec<u8>,
    /// What is done after the next record is sealed.
    pub(crate) after: After,
    role: Role,
    suite: Suite,
    stage: Stage,
    keys: Keys,
    /// The key that the other side will send under, once it takes the update that is under way or hears that it was taken.
    next: Option<Next>,
}

/// SessionPolicy, DSP0274 "KEY_EXCHANGE" and "PSK_EXCHANGE".
pub mod policy {
    /// TerminationPolicy (1.2): the session may live on when code or configuration was updated at run time.
    pub const LIVES_THROUGH_UPDATES: u8 = 1;
    /// EventAllPolicy (1.3): the requester wants to hear of every event.
    pub const ALL_EVENTS: u8 = 1 << 1;
}

/// Mutual authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutual {
    /// Not in this session.
    No,
    /// The requester's chain is still to be fetched.
    Pending,
    /// With this slot of the requester's, or [`crate::identity::PROVISIONED`].
    Slot(u8),
}

/// What a response does to the session that it is sent in, once it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Nothing,
    /// The handshake is over.
    Establish,
    /// Of events nothing is to be heard any more.
    Unsubscribe,
    /// The session is over.
    End,
}

/// What a pair of messages does to sessions, once it is complete.
pub(crate) enum Effect {
    Nothing,
    /// One is opened.
    Open(Box<Opening>),
    /// The handshake ends; TH up to the request.
    Finish(Box<Th>),
    /// The requester's slot for FINISH is known; nothing if KEY_EXCHANGE_RSP named it.
    Bind(Option<u8>),
    /// Keys are updated, or the new ones proved.
    Update(KeyUpdate),
    /// It is over; and the responder forgets what it negotiated, if it kept that.
    End {
        forget: bool,
    },
}

/// What all keys of a session have in common.
pub(crate) struct Suite {
    pub(crate) aead: &'static Aead,
    pub(crate) layout: Layout,
    pub(crate) binding: Binding,
    /// 2 to this power records under one key.
    pub(crate) limit: u32,
    key_log: Option<KeyLog>,
}

impl Suite {
    /// `None` if no AEAD was negotiated.
    pub(crate) fn new(connection: &Connection, config: &Config, limit: u32) -> Option<Self> {
        let binding = config.binding;
        let aead = connection.negotiated()?.algorithms.aead?;
        let (sequence_len, padding) = (binding.sequence_len(), binding.padding());
        let layout = Layout { sequence_len, padding, encrypted: connection.encrypts() };
        Some(Self { aead, layout, binding, limit, key_log: config.key_log.clone() })
    }
}

enum Stage {
    Handshake(KeySchedule<Handshake>, Traffic<Handshake>),
    Application(Traffic<Application>, SecretBytes),
    /// In between, and when something failed.
    Over,
}

/// The records' keys.
struct Keys {
    request: RecordKey,
    response: RecordKey,
}

/// What follows a key.
struct Next {
    secret: TrafficSecret<Application>,
    key: RecordKey,
}

/// What opens a session, but for its transcript.
pub(crate) struct Opening {
    pub(crate) id: SessionId,
    pub(crate) origin: Origin,
    pub(crate) heartbeat: u8,
    pub(crate) suite: Suite,
    pub(crate) shared: SecretBytes,
    /// SessionPolicy, bits of [`policy`].
    pub(crate) policy: u8,
    /// The requester's: MeasurementSummaryHash, if it was asked for.
    pub(crate) summary: Vec<u8>,
    /// Of KEY_EXCHANGE: the hash of the responder's chain.
    pub(crate) chain_hash: Option<Digest>,
    /// Of KEY_EXCHANGE: what FINISH will have to prove.
    pub(crate) mutual: Mutual,
    /// Of PSK_EXCHANGE.
    pub(crate) psk_hint: Vec<u8>,
}

impl Session {
    /// The handshake's keys. `th` ends before ResponderVerifyData, and is TH1.
    pub(crate) fn open(role: Role, opening: Opening, th: Th, connection: &Connection) -> Option<Self> {
        let Opening { id, origin, heartbeat, suite, shared, policy, summary, mutual, psk_hint, .. } = opening;
        let version = connection.version().byte();
        let schedule = KeySchedule::new(connection.hash()?, version, origin, shared.as_ref());
        let traffic = schedule.traffic(&th.digest());
        let keys = suite.keys(&traffic);
        suite.tell(id, ["request_handshake_secret", "response_handshake_secret"], &traffic);
        Some(Self {
            id,
            origin,
            th,
            measured: Measured::default(),
            heartbeat: Duration::from_secs(heartbeat.into()),
            idle: Duration::ZERO,
            updated: None,
            unanswered: None,
            followed: None,
            sent: None,
            answered: None,
            policy,
            summary,
            subscribed: false,
            listens: false,
            events: Vec::new(),
            said: Said::Nothing,
            interview: None,
            told: Vec::new(),
            mutual,
            prover: None,
            psk_hint,
            after: After::Nothing,
            role,
            suite,
            stage: Stage::Handshake(schedule, traffic),
            keys,
            next: None,
        })
    }

    /// Whether FINISH or PSK_FINISH is still to come.
    pub(crate) const fn in_handshake(&self) -> bool {
        matches!(self.stage, Stage::Handshake(..))
    }

    /// VerifyData of `side` over `th`; `None` after the handshake.
    pub(crate) fn verify_data(&self, side: Role, th: &Th) -> Option<Digest> {
        let Stage::Handshake(_, traffic) = &self.stage else { return None };
        Some(match side {
            Role::Requester => traffic.request.verify_data(&th.digest()),
            Role::Responder => traffic.response.verify_data(&th.digest()),
        })
    }

    /// ResponderVerifyData over `th`, appended to both.
    pub(crate) fn append_verify_data(&self, th: &mut Th, response: &mut Vec<u8>) {
        let mac = self.verify_data(Role::Responder, th).unwrap_or_default();
        th.push(mac.as_ref());
        response.extend_from_slice(mac.as_ref());
    }

    /// The requester will sign FINISH with the key of `slot`; TH goes on with its DIGESTS, if it has several keys, and
    /// the hash of its chain.
    pub(crate) fn bind(&mut self, slot: u8, chain: &Digest, prover: Option<PublicKey>) {
        (self.mutual, self.prover) = (Mutual::Slot(slot), prover);
        self.th.push(&core::mem::take(&mut self.told));
        self.th.push(chain.as_ref());
    }

    /// The application's keys; `th` is TH2 now.
    pub(crate) fn establish(&mut self) {
        (self.after, self.idle) = (After::Nothing, Duration::ZERO);
        if let Stage::Handshake(schedule, _) = core::mem::replace(&mut self.stage, Stage::Over) {
            let (schedule, th2) = (schedule.finish(), self.th.digest());
            let traffic = schedule.traffic(&th2);
            self.keys = self.suite.keys(&traffic);
            self.suite.tell(self.id, ["request_data_secret", "response_data_secret"], &traffic);
            self.stage = Stage::Application(traffic, schedule.export(&th2));
        }
    }

    /// Export Master Secret; `None` in the handshake.
    pub(crate) const fn export(&self) -> Option<&SecretBytes> {
        match &self.stage {
            Stage::Application(_, export) => Some(export),
            _ => None,
        }
    }

    /// The next key of what `sender` sends.
    pub(crate) fn update(&mut self, sender: Role) {
        let Stage::Application(traffic, _) = &mut self.stage else { return };
        let (secret, key) = match sender {
            Role::Requester => (&mut traffic.request, &mut self.keys.request),
            Role::Responder => (&mut traffic.response, &mut self.keys.response),
        };
        *secret = secret.update();
        *key = self.suite.key(secret);
    }

    /// The other side may update what it sends. Its first record under the next key says that it did.
    fn expect_update(&mut self) {
        let Stage::Application(traffic, _) = &self.stage else { return };
        let secret = match self.role {
            Role::Requester => traffic.response.update(),
            Role::Responder => traffic.request.update(),
        };
        self.next = Some(Next { key: self.suite.key(&secret), secret });
    }

    /// KEY_UPDATE goes out, or goes out again.
    pub(crate) fn ask_update(&mut self, update: KeyUpdate) {
        if self.unanswered.replace(update) != Some(update)
            && update.operation == KeyOperation::UPDATE_ALL_KEYS
        {
            self.expect_update();
        }
    }

    /// The responder said, under the old key, that it will not.
    pub(crate) fn expect_no_update(&mut self) {
        (self.next, self.unanswered, self.followed) = (None, None, None);
    }

    /// KEY_UPDATE of the responder's is acknowledged.
    pub(crate) fn follow(&mut self, update: KeyUpdate) {
        self.followed = Some(update);
        if update.operation == KeyOperation::UPDATE_KEY {
            self.expect_update();
        }
    }

    /// The other side used the next key: there is no other any more.
    fn take_next(&mut self) {
        let (Some(Next { secret, key }), Stage::Application(traffic, _)) =
            (self.next.take(), &mut self.stage)
        else {
            return;
        };
        match self.role {
            Role::Requester => (traffic.response, self.keys.response) = (secret, key),
            Role::Responder => (traffic.request, self.keys.request) = (secret, key),
        }
    }

    /// Whether keys are being updated: the acknowledgement of VerifyNewKey ends that.
    pub(crate) fn is_updating(&self) -> bool {
        let unverified = |last: KeyUpdate| last.operation != KeyOperation::VERIFY_NEW_KEY;
        self.unanswered.is_some() || self.updated.is_some_and(unverified)
    }

    /// Whether applications may speak: DSP0274 lets them in the application phase, and not while keys are updated.
    pub(crate) fn takes_applications(&self) -> bool {
        !self.in_handshake() && !self.is_updating()
    }

    /// Whether the other side used its newest key.
    pub(crate) const fn proved(&self) -> bool {
        !self.in_handshake() && self.next.is_none()
    }

    /// What KEY_UPDATE does once it is acknowledged, DSP0274 "Session key update synchronization". The requester sends under its
    /// next key when it has the acknowledgement. The responder acknowledges under its own next key, if all are updated, and
    /// reads under the requester's old one until the next is used: the acknowledgement may be lost, and is asked for again.
    pub(crate) fn apply_update(&mut self, update: KeyUpdate) {
        (self.updated, self.unanswered) = (Some(update), None);
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

    /// The longest message in bytes that a record holds, in the frame of the transport.
    pub(crate) const fn room(&self) -> usize {
        let Suite { layout, binding, .. } = &self.suite;
        layout.room(binding.longest_payload()).saturating_sub(binding.inside_len())
    }

    /// The requester's record of `message`: the same as before if that was the last, and nothing came back. It may have come, and
    /// neither side takes a sequence number but the next (DSP0277).
    pub(crate) fn send(&mut self, message: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, RecordError> {
        if let Some((sent, record)) = &self.sent
            && **sent == message
        {
            return Ok(record.clone());
        }
        let record = self.seal(message, rng)?;
        self.sent = Some((Zeroizing::new(message.to_vec()), record.clone()));
        Ok(record)
    }

    /// The responder's answer to a record that comes again, because the answer was lost.
    pub(crate) fn answer_to(&self, record: &[u8]) -> Option<Vec<u8>> {
        self.answered.as_ref().filter(|(last, _)| last == record).map(|(_, answer)| answer.clone())
    }

    /// The responder's answer to a record that was opened, in case it comes again.
    pub(crate) fn keep_answer(&mut self, record: &[u8], answer: &[u8]) {
        self.answered = Some((record.to_vec(), answer.to_vec()));
    }

    /// A record of `message`.
    pub(crate) fn seal(&mut self, message: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, RecordError> {
        let binding = self.suite.binding;
        let mut data = Zeroizing::new(vec![0; binding.inside_len() + message.len()]);
        binding.encode_inside(message, &mut data).map_err(|_| RecordError::TooLong)?;
        self.seal_application(&data, rng)
    }

    /// A record of what an application says; on MCTP it begins with a message type.
    pub(crate) fn seal_application(
        &mut self,
        data: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, RecordError> {
        let key = match self.role {
            Role::Requester => &mut self.keys.request,
            Role::Responder => &mut self.keys.response,
        };
        self.sent = None;
        key.seal(self.id, self.suite.layout, data, rng)
    }

    /// A record with this inside, right or not.
    pub(crate) fn seal_inside(&mut self, inside: &[u8]) -> Result<Vec<u8>, RecordError> {
        self.sent = None;
        self.keys.request.seal_inside(self.id, self.suite.layout, inside)
    }

    /// What is in a record.
    pub(crate) fn unseal(&mut self, record: &[u8]) -> Result<Content, RecordError> {
        let key = match self.role {
            Role::Requester => &mut self.keys.response,
            Role::Responder => &mut self.keys.request,
        };
        let record = self.suite.whole(record);
        let data = match (key.open(self.suite.layout, record), &mut self.next) {
            (Ok(data), _) => data,
            // where the tag is right it is under this key
            (Err(error @ RecordError::Inside), _) | (Err(error), None) => return Err(error),
            (Err(_), Some(next)) => {
                let data = next.key.open(self.suite.layout, record)?;
                self.take_next();
                data
            }
        };
        (self.idle, self.sent) = (Duration::ZERO, None);
        Ok(match self.suite.binding.decode_inside(&data) {
            Ok((Kind::Spdm, message)) => Content::Spdm(Zeroizing::new(message.to_vec())),
            // another type, or nothing at all, as where an application has no answer
            _ => Content::Application(data),
        })
    }

    /// Whether the session has a heartbeat: HeartbeatPeriod is not 0.
    pub(crate) const fn beats(&self) -> bool {
        !self.heartbeat.is_zero()
    }

    /// Lets time pass; whether the other side was silent for twice the heartbeat's period.
    pub(crate) fn silent(&mut self, time: Duration) -> bool {
        self.idle = self.idle.saturating_add(time);
        self.beats() && self.idle > self.heartbeat * 2
    }
}

/// What a record carries.
pub(crate) enum Content {
    /// A message of SPDM.
    Spdm(Zeroizing<Vec<u8>>),
    /// Something else; on MCTP it begins with the message type.
    Application(Zeroizing<Vec<u8>>),
}

impl Suite {
    fn keys<Stage>(&self, traffic: &Traffic<Stage>) -> Keys {
        Keys { request: self.key(&traffic.request), response: self.key(&traffic.response) }
    }

    /// A record without the zeros that the transport may have put behind it.
    fn whole<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        let (len, trailing) = (self.layout.record_len(record), self.binding.trailing());
        let whole = len.filter(|len| record.len().saturating_sub(*len) <= trailing);
        whole.and_then(|len| record.get(..len)).unwrap_or(record)
    }

    /// Tells the key log, if there is one. The names are those of libspdm's own.
    fn tell<Stage>(&self, id: SessionId, names: [&'static str; 2], traffic: &Traffic<Stage>) {
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

    /// A new field does not compile until it is sorted here.
    #[test]
    fn every_secret_of_a_session_erases_itself() {
        let _: fn(&Session) = |session| {
            #[rustfmt::skip]
            let Session {
                id: _, origin: _, th: _, measured: _, heartbeat: _, idle: _, updated: _, unanswered: _, followed: _,
                sent, answered: _, policy: _, summary: _, subscribed: _, listens: _, events: _, said: _, interview: _, told: _,
                mutual: _, prover: _, psk_hint: _, after: _, role: _, suite: _, stage, keys: Keys { request, response }, next,
            } = session;
            if let Some((message, _)) = sent {
                erases(message);
            }
            [request, response].into_iter().for_each(erases);
            if let Some(Next { secret, key }) = next {
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
        let _: fn(&Opening) = |opening| erases(&opening.shared);
        let _: fn(&Content) = |content| match content {
            Content::Spdm(data) | Content::Application(data) => erases(data),
        };
    }
}
