//! Which key opens a record.

use crate::negotiated::Negotiated;
use crate::secrets::{self, Secrets};
use crate::{Closed, Sessions, Side};
use grille_core::SecretBytes;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp, session_id};
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp};
use grille_spdm_codec::{Code, Header, Message, Sizes};
use grille_spdm_engine::hash::{Hash, Running};
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, TrafficSecret};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::{Binding, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The keys of all sessions.
pub(crate) struct Keys {
    secrets: Secrets,
    binding: Binding,
    sessions: BTreeMap<SessionId, Session>,
    /// What records have for a number that no session has; nothing for those too short for one.
    strange: BTreeSet<Option<SessionId>>,
    /// How many of both have records.
    pub(crate) counted: Sessions,
    /// Of sessions with records that no key opened, what the key log lacks.
    pub(crate) lacking: Vec<(SessionId, Vec<&'static str>)>,
    /// ReqSessionID of the last KEY_EXCHANGE or PSK_EXCHANGE, and that message.
    asked: Option<(u16, Vec<u8>)>,
    /// The session of the last PSK_EXCHANGE_RSP, until its handshake is over.
    psk: Option<Psk>,
}

/// What was in a record.
pub(crate) enum Opened {
    /// A message of SPDM.
    Message(Side, Vec<u8>),
    /// What an application said.
    Application(Side, Vec<u8>),
    /// It stays closed.
    Closed(Closed),
}

struct Session {
    layout: Layout,
    /// What the requester sends, and what the responder does.
    directions: [Option<Direction>; 2],
    /// The secrets of the handshake, the requester's and the responder's.
    handshake: [Option<TrafficSecret<Handshake>>; 2],
    /// The secrets of it that the key log lacks, if it has others.
    lacks: Vec<&'static str>,
    records: Records,
}

/// What became of the records of a session.
#[derive(Default)]
struct Records {
    /// Whether one was opened.
    opened: bool,
    /// Whether one was not.
    closed: bool,
}

impl Records {
    /// Notes that one more was opened, or was not.
    fn note(&mut self, opened: bool, counted: &mut Sessions) {
        let before = self.counts();
        *(if opened { &mut self.opened } else { &mut self.closed }) = true;
        let after = self.counts();
        counted.sealed = counted.sealed + after.sealed - before.sealed;
        counted.opened = counted.opened + after.opened - before.opened;
        counted.partly = counted.partly + after.partly - before.partly;
    }

    /// As one session.
    fn counts(&self) -> Sessions {
        Sessions {
            sealed: usize::from(self.opened || self.closed),
            opened: usize::from(self.opened && !self.closed),
            partly: usize::from(self.opened && self.closed),
        }
    }
}

/// The handshake of a session with a key that both sides had beforehand.
struct Psk {
    id: SessionId,
    schedule: KeySchedule<Handshake>,
    th: Running,
}

/// The key of one direction, and the secrets of the next.
struct Direction {
    aead: &'static Aead,
    key: RecordKey,
    application: Option<TrafficSecret<Application>>,
    /// Whether the key is still that of the handshake.
    handshake: bool,
}

impl Keys {
    pub(crate) const fn new(secrets: Secrets, binding: Binding) -> Self {
        Self {
            secrets,
            binding,
            sessions: BTreeMap::new(),
            strange: BTreeSet::new(),
            counted: Sessions { sealed: 0, opened: 0, partly: 0 },
            lacking: Vec::new(),
            asked: None,
            psk: None,
        }
    }

    /// Opens a record; if not as one of the side whose turn it is, as one of the other.
    pub(crate) fn open(&mut self, turn: Side, record: &[u8]) -> Opened {
        let id = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
        let binding = self.binding;
        let Some((id, session)) = id.and_then(|id| Some((id, self.sessions.get_mut(&id)?))) else {
            self.counted.sealed += usize::from(self.strange.insert(id));
            return Opened::Closed(Closed::NoSecret);
        };
        let whole = session.layout.record_len(record);
        let record = whole.and_then(|len| record.get(..len)).unwrap_or(record);
        let layout = session.layout;
        for side in [turn, turn.other()] {
            let direction = session.directions[side as usize].as_mut();
            if let Some(data) = direction.and_then(|direction| direction.open(layout, record)) {
                session.records.note(true, &mut self.counted);
                return match binding.decode_inside(&data) {
                    Ok((Kind::Spdm, message)) => Opened::Message(side, message.to_vec()),
                    _ => Opened::Application(side, data),
                };
            }
        }
        if !session.records.closed && !session.lacks.is_empty() {
            self.lacking.push((id, session.lacks.clone()));
        }
        session.records.note(false, &mut self.counted);
        let any = session.directions.iter().any(Option::is_some);
        Opened::Closed(if any { Closed::WrongKey } else { Closed::NoSecret })
    }

    /// The secret of this side in the handshake of a session.
    pub(crate) fn handshake(&self, id: SessionId, side: Side) -> Option<&TrafficSecret<Handshake>> {
        self.sessions.get(&id)?.handshake[side as usize].as_ref()
    }

    /// What this message does to sessions.
    pub(crate) fn note(&mut self, negotiated: &Negotiated, bytes: &[u8], sizes: &Sizes) {
        let Ok(header) = Header::decode(bytes) else { return };
        match header.code {
            Code::GET_VERSION => {
                self.sessions.clear();
                self.strange.clear();
            }
            Code::KEY_EXCHANGE => {
                let read = KeyExchange::decode_prefix(bytes, sizes);
                self.asked = read.ok().map(|(request, _)| (request.session, bytes.to_vec()));
            }
            Code::PSK_EXCHANGE => {
                let read = PskExchange::decode_prefix(bytes, sizes);
                self.asked = read.ok().map(|(request, len)| (request.session, bytes[..len].to_vec()));
            }
            Code::KEY_EXCHANGE_RSP => {
                if let (Ok((response, _)), Some((asked, _))) =
                    (KeyExchangeRsp::decode_prefix(bytes, sizes), self.asked.take())
                {
                    let id = session_id(asked, response.session);
                    let log = self.secrets.next(id);
                    self.begin(id, negotiated, log);
                }
            }
            Code::PSK_EXCHANGE_RSP => {
                if let (Ok((response, len)), Some((asked, request))) =
                    (PskExchangeRsp::decode_prefix(bytes, sizes), self.asked.take())
                {
                    let id = session_id(asked, response.session);
                    self.begin_psk(id, negotiated, &request, &bytes[..len]);
                }
            }
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
        let lacks = log.as_ref().map_or_else(Vec::new, secrets::Session::lacks);
        let [request, response, request_data, response_data] =
            log.map_or_else(Default::default, |log| log.traffic);
        let secret = |secret: &Option<SecretBytes>| {
            secret.clone().map(|secret| TrafficSecret::of_key_log(hash, version, secret))
        };
        let handshake = [&request, &response].map(secret);
        let directions = [(request, request_data), (response, response_data)]
            .map(|secrets| Direction::of_log(hash, version, aead, secrets));
        let session = Session { layout, directions, handshake, lacks, records: Records::default() };
        self.sessions.insert(id, session);
    }

    /// From a key log, or from the key that both sides had beforehand: whichever of those proves the response.
    fn begin_psk(&mut self, id: SessionId, negotiated: &Negotiated, request: &[u8], response: &[u8]) {
        let log = self.secrets.next_numbered(id);
        let logged = log.is_some();
        self.begin(id, negotiated, log);
        let (Some(hash), Some(aead)) = (negotiated.hash, negotiated.aead) else { return };
        let Some((body, mac)) =
            response.split_at_checked(response.len().saturating_sub(negotiated.hash_len()))
        else {
            return;
        };
        let Some(mut th) = negotiated.th.clone().filter(|_| !logged) else { return };
        [request, body].into_iter().for_each(|part| th.update(part));
        let th1 = th.digest();
        for psk in self.secrets.psks() {
            let schedule = KeySchedule::new(hash, negotiated.version, Origin::Psk, psk.as_ref());
            let traffic = schedule.traffic(&th1);
            if traffic.response.verify_data(&th1).as_ref() != mac {
                continue;
            }
            if let Some(session) = self.sessions.get_mut(&id) {
                let keys = [traffic.request.record_key(aead), traffic.response.record_key(aead)];
                session.directions =
                    keys.map(|key| Some(Direction { aead, key, application: None, handshake: true }));
                session.handshake = [Some(traffic.request), Some(traffic.response)];
            }
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
        let traffic = schedule.finish().traffic(&th.digest());
        if let Some(session) = self.sessions.get_mut(&id) {
            for (direction, secret) in session.directions.iter_mut().zip([traffic.request, traffic.response])
            {
                if let Some(direction) = direction {
                    direction.application = Some(secret);
                }
            }
        }
    }
}

/// How many records in a row may be altered before all that follow stay closed.
const MOST_LOST: u64 = 8;

impl Direction {
    fn of_log(
        hash: &'static Hash,
        version: u8,
        aead: &'static Aead,
        (handshake, application): (Option<SecretBytes>, Option<SecretBytes>),
    ) -> Option<Self> {
        let application = application.map(|secret| TrafficSecret::of_key_log(hash, version, secret));
        let first = handshake.map(|secret| TrafficSecret::<Handshake>::of_key_log(hash, version, secret));
        let (key, handshake) = match (&first, &application) {
            (Some(secret), _) => (secret.record_key(aead), true),
            (None, Some(secret)) => (secret.record_key(aead), false),
            (None, None) => return None,
        };
        Some(Self { aead, key, application, handshake })
    }

    /// The next record, or one after some that did not open, as they were altered.
    fn open(&mut self, layout: Layout, record: &[u8]) -> Option<Vec<u8>> {
        (0..=MOST_LOST).find_map(|lost| self.open_after(lost, layout, record))
    }

    /// With the key that opened the last record, or with one that follows: the application's after the handshake's,
    /// the next after KEY_UPDATE, and both at once if that is the first that is said after the handshake.
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
