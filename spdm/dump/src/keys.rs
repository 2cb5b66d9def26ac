//! Session keys, and decryption of records.

use crate::chains::Chains;
use crate::negotiated::Negotiated;
use crate::secrets::{self, Secrets};
use crate::shared_secret::{KeyExchangePair, KnownHandshake};
use crate::types::{Sessions, Side, UndecryptedReason};
use grille_core::SecretBytes;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp};
use grille_spdm_codec::{Code, Header, Message, Sizes, Version};
use grille_spdm_engine::hash::{Hash, Running};
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::{Binding, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The keys of all sessions.
pub(crate) struct Keys {
    secrets: Secrets,
    binding: Binding,
    sessions: BTreeMap<SessionId, Session>,
    /// Session IDs of records that belong to no known session; `None` for records too short for an ID.
    unknown_sessions: BTreeSet<Option<SessionId>>,
    /// The number of sessions with records.
    pub(crate) counts: Sessions,
    /// For sessions with undecrypted records: the secrets that the key log lacks.
    pub(crate) missing: Vec<(SessionId, Vec<&'static str>)>,
    /// ReqSessionID of the last KEY_EXCHANGE or PSK_EXCHANGE, and that message.
    pending_request: Option<(u16, Vec<u8>)>,
    /// The session of the last PSK_EXCHANGE_RSP, until its handshake is complete.
    psk: Option<Psk>,
    /// The handshake of the last session whose shared secret is known, until it is complete.
    known: Option<KnownHandshake>,
}

/// The contents of a record.
pub(crate) enum Decrypted {
    /// An SPDM message.
    Message(Side, Vec<u8>),
    /// Application data.
    Application(Side, Vec<u8>),
    /// The record cannot be decrypted.
    Failed(UndecryptedReason),
}

struct Session {
    layout: Layout,
    /// The record keys of the requester's and the responder's direction.
    directions: [Option<Direction>; 2],
    /// The handshake secrets of the requester and the responder.
    handshake: [Option<TrafficSecret<Handshake>>; 2],
    /// Handshake secrets that the key log lacks, although it has other secrets of this session.
    missing_secrets: Vec<&'static str>,
    records: Records,
}

/// The decryption results of a session's records.
#[derive(Default)]
struct Records {
    /// Whether a record was decrypted.
    opened: bool,
    /// Whether a record was not decrypted.
    has_undecrypted: bool,
}

impl Records {
    /// Counts a record of this session. `opened`: whether the record was decrypted.
    fn update(&mut self, opened: bool, counts: &mut Sessions) {
        let before = self.counts();
        *(if opened { &mut self.opened } else { &mut self.has_undecrypted }) = true;
        let after = self.counts();
        counts.sealed = counts.sealed + after.sealed - before.sealed;
        counts.opened = counts.opened + after.opened - before.opened;
        counts.partly = counts.partly + after.partly - before.partly;
    }

    /// Returns the counts of this session alone.
    fn counts(&self) -> Sessions {
        Sessions {
            sealed: usize::from(self.opened || self.has_undecrypted),
            opened: usize::from(self.opened && !self.has_undecrypted),
            partly: usize::from(self.opened && self.has_undecrypted),
        }
    }
}

/// The handshake of a session with a pre-shared key.
struct Psk {
    id: SessionId,
    schedule: KeySchedule<Handshake>,
    th: Running,
}

/// The key of one direction, and the secrets for its successors.
struct Direction {
    aead: &'static Aead,
    key: RecordKey,
    application: Option<TrafficSecret<Application>>,
    /// Whether the key is still the handshake key.
    handshake: bool,
}

impl Keys {
    pub(crate) const fn new(secrets: Secrets, binding: Binding) -> Self {
        Self {
            secrets,
            binding,
            sessions: BTreeMap::new(),
            unknown_sessions: BTreeSet::new(),
            counts: Sessions { sealed: 0, opened: 0, partly: 0 },
            missing: Vec::new(),
            pending_request: None,
            psk: None,
            known: None,
        }
    }

    /// Decrypts a record. First tries the keys of `expected`, the side that probably sent it, and then those of the
    /// other side.
    pub(crate) fn open(&mut self, expected: Side, record: &[u8]) -> Decrypted {
        let id = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
        let binding = self.binding;
        let Some((id, session)) = id.and_then(|id| Some((id, self.sessions.get_mut(&id)?))) else {
            self.counts.sealed += usize::from(self.unknown_sessions.insert(id));
            return Decrypted::Failed(UndecryptedReason::NoSecret);
        };
        let whole = session.layout.record_len(record);
        let record = whole.and_then(|len| record.get(..len)).unwrap_or(record);
        let layout = session.layout;
        for side in [expected, expected.other()] {
            let direction = session.directions[side as usize].as_mut();
            if let Some(data) = direction.and_then(|direction| direction.open(layout, record)) {
                session.records.update(true, &mut self.counts);
                return match binding.decode_plaintext(&data) {
                    Ok((Kind::Spdm, message)) => Decrypted::Message(side, message.to_vec()),
                    _ => Decrypted::Application(side, data),
                };
            }
        }
        if !session.records.has_undecrypted && !session.missing_secrets.is_empty() {
            self.missing.push((id, session.missing_secrets.clone()));
        }
        session.records.update(false, &mut self.counts);
        let any = session.directions.iter().any(Option::is_some);
        Decrypted::Failed(if any { UndecryptedReason::WrongKey } else { UndecryptedReason::NoSecret })
    }

    /// Returns the handshake secret of a side in a session.
    pub(crate) fn handshake(&self, id: SessionId, side: Side) -> Option<&TrafficSecret<Handshake>> {
        self.sessions.get(&id)?.handshake[side as usize].as_ref()
    }

    /// Updates the sessions with a message.
    pub(crate) fn update(&mut self, negotiated: &Negotiated, chains: &Chains, bytes: &[u8], sizes: &Sizes) {
        let Ok(header) = Header::decode(bytes) else { return };
        match header.code {
            Code::GET_VERSION => {
                self.sessions.clear();
                self.unknown_sessions.clear();
            }
            Code::KEY_EXCHANGE => {
                let read = KeyExchange::decode_prefix(bytes, sizes);
                self.pending_request =
                    read.ok().map(|(request, len)| (request.session, bytes[..len].to_vec()));
            }
            Code::PSK_EXCHANGE => {
                let read = PskExchange::decode_prefix(bytes, sizes);
                self.pending_request =
                    read.ok().map(|(request, len)| (request.session, bytes[..len].to_vec()));
            }
            Code::KEY_EXCHANGE_RSP => {
                if let (Ok((message, len)), Some((pending_request, request))) =
                    (KeyExchangeRsp::decode_prefix(bytes, sizes), self.pending_request.take())
                {
                    let id = negotiated.rules().session_id(pending_request, message.session);
                    let (request, response) = (&request[..], &bytes[..len]);
                    let verify_data_len = message.verify_data.len();
                    let pair = KeyExchangePair { negotiated, chains, request, response, verify_data_len };
                    self.begin_key_exchange(id, pair);
                }
            }
            Code::PSK_EXCHANGE_RSP => {
                if let (Ok((response, len)), Some((pending_request, request))) =
                    (PskExchangeRsp::decode_prefix(bytes, sizes), self.pending_request.take())
                {
                    let id = negotiated.rules().session_id(pending_request, response.session);
                    self.begin_psk(id, negotiated, &request, &bytes[..len]);
                }
            }
            Code::FINISH => {
                let known = self.known.take();
                self.known = known.and_then(|known| known.add_request(negotiated, chains, bytes, sizes));
            }
            Code::FINISH_RSP => self.finish_known(bytes, sizes),
            Code::PSK_FINISH | Code::PSK_FINISH_RSP => self.finish_psk(header.code, bytes, sizes),
            _ => {}
        }
    }

    fn begin(&mut self, id: SessionId, negotiated: &Negotiated, log: Option<secrets::Session>) {
        let layout = Layout {
            sequence_len: self.binding.sequence_len(),
            padding: 0,
            encrypted: negotiated.encrypts(),
        };
        let (Some(hash), Some(aead)) = (negotiated.hash, negotiated.aead) else { return };
        let version = negotiated.version;
        let missing_secrets = log.as_ref().map_or_else(Vec::new, secrets::Session::missing_secrets);
        let [request, response, request_data, response_data] =
            log.map_or_else(Default::default, |log| log.traffic);
        let secret = |secret: &Option<SecretBytes>| {
            secret.clone().map(|secret| TrafficSecret::from_key_log(hash, version, secret))
        };
        let handshake = [&request, &response].map(secret);
        let directions = [(request, request_data), (response, response_data)]
            .map(|secrets| Direction::from_log(hash, version, aead, secrets));
        let session = Session { layout, directions, handshake, missing_secrets, records: Records::default() };
        self.sessions.insert(id, session);
    }

    /// Starts a session with secrets of the key log, or of a shared secret that matches the response.
    fn begin_key_exchange(&mut self, id: SessionId, pair: KeyExchangePair<'_>) {
        let log = self.secrets.next(id);
        let is_logged = log.is_some();
        self.begin(id, pair.negotiated, log);
        self.known = None;
        let Some(aead) = pair.negotiated.aead.filter(|_| !is_logged) else { return };
        let known = self.secrets.take_shared(|shared| KnownHandshake::begin(id, pair, shared));
        let Some((known, traffic)) = known else { return };
        self.set_handshake(id, aead, traffic);
        self.known = Some(known);
    }

    /// Sets the handshake keys of a session.
    fn set_handshake(&mut self, id: SessionId, aead: &'static Aead, traffic: Traffic<Handshake>) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
        session.directions =
            keys.map(|key| Some(Direction { aead, key, application: None, handshake: true }));
        session.handshake = [Some(traffic.request), Some(traffic.response)];
    }

    /// Sets the application secrets of a session, which has handshake keys.
    fn set_application(&mut self, id: SessionId, traffic: Traffic<Application>) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        for (direction, secret) in session.directions.iter_mut().zip([traffic.request, traffic.response]) {
            if let Some(direction) = direction {
                direction.application = Some(secret);
            }
        }
    }

    fn finish_known(&mut self, bytes: &[u8], sizes: &Sizes) {
        let len = grille_spdm_codec::messages::observe(bytes, sizes, &mut ()).unwrap_or(bytes.len());
        let Some(known) = self.known.take() else { return };
        let (id, traffic) = (known.id, known.finish(bytes.get(..len).unwrap_or(bytes)));
        self.set_application(id, traffic);
    }

    /// Starts a PSK session with secrets of the key log or of a pre-shared key, whichever match the response.
    fn begin_psk(&mut self, id: SessionId, negotiated: &Negotiated, request: &[u8], response: &[u8]) {
        let log = self.secrets.next_with_id(id);
        let logged = log.is_some();
        self.begin(id, negotiated, log);
        let (Some(hash), Some(aead)) = (negotiated.hash, negotiated.aead) else { return };
        let Some((body, mac)) =
            response.split_at_checked(response.len().saturating_sub(negotiated.hash_len()))
        else {
            return;
        };
        // The dialect derives other secrets, with MACs over whole messages; only a key log has them.
        let derives = !logged && !negotiated.is_dialect();
        let Some(mut th) = negotiated.th.clone().filter(|_| derives) else { return };
        [request, body].into_iter().for_each(|part| th.update(part));
        let th1 = th.digest();
        let Ok(version) = Version::from_byte(negotiated.version) else { return };
        for psk in self.secrets.psks() {
            let schedule = KeySchedule::new(hash, version, Origin::Psk, psk.as_ref());
            let traffic = schedule.traffic(&th1);
            if traffic.response.verify_data(&th1).as_ref() != mac {
                continue;
            }
            self.set_handshake(id, aead, traffic);
            th.update(mac);
            self.psk = Some(Psk { id, schedule, th });
            if !negotiated.psk_has_context() {
                self.establish_psk();
            }
            return;
        }
    }

    fn finish_psk(&mut self, code: Code, bytes: &[u8], sizes: &Sizes) {
        let len = grille_spdm_codec::messages::observe(bytes, sizes, &mut ()).unwrap_or(bytes.len());
        let Some(psk) = &mut self.psk else { return };
        psk.th.update(bytes.get(..len).unwrap_or(bytes));
        if code == Code::PSK_FINISH_RSP {
            self.establish_psk();
        }
    }

    fn establish_psk(&mut self) {
        let Some(Psk { id, schedule, th }) = self.psk.take() else { return };
        self.set_application(id, schedule.finish().traffic(&th.digest()));
    }
}

/// Maximum number of successive altered records that decryption skips. After more, decryption of this direction
/// fails, at least until the key changes.
const MAX_LOST: u64 = 8;

impl Direction {
    fn from_log(
        hash: &'static Hash,
        version: u8,
        aead: &'static Aead,
        (handshake, application): (Option<SecretBytes>, Option<SecretBytes>),
    ) -> Option<Self> {
        let application = application.map(|secret| TrafficSecret::from_key_log(hash, version, secret));
        let first = handshake.map(|secret| TrafficSecret::<Handshake>::from_key_log(hash, version, secret));
        let (key, handshake) = match (&first, &application) {
            (Some(secret), _) => (secret.record_key(aead), true),
            (None, Some(secret)) => (secret.record_key(aead), false),
            (None, None) => return None,
        };
        Some(Self { aead, key, application, handshake })
    }

    /// Decrypts the next record, even if several altered records precede it.
    fn open(&mut self, layout: Layout, record: &[u8]) -> Option<Vec<u8>> {
        (0..=MAX_LOST).find_map(|lost| self.open_after(lost, layout, record))
    }

    /// Decrypts with the current key or a successor: the application key after the handshake key, or the next key
    /// after KEY_UPDATE. The first record after the handshake may need both steps.
    fn open_after(&mut self, lost: u64, layout: Layout, record: &[u8]) -> Option<Vec<u8>> {
        if let Ok(data) = self.key.open_after(lost, layout, record) {
            return Some(data.to_vec());
        }
        let secret = self.application.as_ref()?;
        if self.handshake {
            let mut key = secret.record_key(self.aead);
            if let Ok(data) = key.open_after(lost, layout, record) {
                (self.key, self.handshake) = (key, false);
                return Some(data.to_vec());
            }
        }
        let updated = secret.update();
        let mut key = updated.record_key(self.aead);
        let data = key.open_after(lost, layout, record).ok()?;
        (self.key, self.handshake, self.application) = (key, false, Some(updated));
        Some(data.to_vec())
    }
}
