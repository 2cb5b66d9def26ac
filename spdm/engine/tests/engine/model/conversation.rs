//! Delivers messages to the responder, and compares its responses with the model.

use crate::model::device::{DeviceLog, Sample, VENDOR_ERROR};
use crate::model::events::events;
use crate::model::messages;
use crate::model::provisioning;
use crate::model::rules::{DATA_TRANSFER_SIZE, MAX_MESSAGE_SIZE, Verdict};
use crate::model::setup::{Setup, begin};
use crate::model::state::{Deferred, Model, Phase, Session};
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::operations::{FetchEndpointInfo, ResponderRequest};
use grille_spdm_engine::responder::Responder;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Counts the responses and errors by code, and stores other coverage of the test.
#[derive(Default)]
pub(crate) struct Coverage {
    responses: BTreeMap<u8, usize>,
    errors: BTreeMap<u8, usize>,
    /// The codes of encapsulated requests that were answered correctly.
    answered: BTreeSet<u8>,
    /// The values of MutAuthRequested in completed handshakes.
    requested_mut_auth: BTreeSet<u8>,
    /// Whether a session was opened on a multi-key connection.
    multi_key_seen: bool,
}

impl Coverage {
    pub(crate) fn add(&mut self, conversation: &Conversation) {
        let Self { responses, errors, .. } = &conversation.seen;
        responses.iter().for_each(|(code, count)| *self.responses.entry(*code).or_default() += count);
        errors.iter().for_each(|(code, count)| *self.errors.entry(*code).or_default() += count);
        self.answered.extend(&conversation.model.device_state.answered);
        self.requested_mut_auth.extend(&conversation.model.device_state.requested_mut_auth);
        self.multi_key_seen |= conversation.model.device_state.multi_key_seen;
    }

    fn count_response(&mut self, response: &[u8]) {
        let error = response[1] == 0x7F;
        let (map, code) =
            if error { (&mut self.errors, response[2]) } else { (&mut self.responses, response[1]) };
        *map.entry(code).or_default() += 1;
    }

    /// Checks that every response and error that this responder can send occurred.
    pub(crate) fn check(&self) {
        let Self { responses, errors, answered, requested_mut_auth, multi_key_seen } = self;
        println!(
            "responses {responses:02x?}\nerrors {errors:02x?}\nanswered {answered:02x?}, requested_mut_auth {requested_mut_auth:x?}"
        );
        let all = [
            1, 2, 3, 4, 5, 6, 7, 8, 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B,
            0x6C, 0x6D, 0x6E, 0x6F, 0x70, 0x71, 0x7C, 0x7D, 0x7E,
        ];
        assert!(responses.keys().copied().eq(all));
        let all = [
            0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x11, 0x41,
            0x42, 0x43, 0x44, 0x45, 0xFF,
        ];
        assert!(errors.keys().copied().eq(all));
        assert!(answered.iter().copied().eq([0x81, 0x82, 0x83, 0x87, 0xE2, 0xE9, 0xF0, 0xF1]));
        assert!(requested_mut_auth.iter().copied().eq([0, 1, 2, 4]) && *multi_key_seen);
    }
}

/// The ErrorCodes that devices refuse with.
const REFUSAL_CODES: [ErrorCode; 6] = [
    ErrorCode::BUSY,
    ErrorCode::UNSPECIFIED,
    ErrorCode::DECRYPT_ERROR,
    ErrorCode::REQUEST_RESYNCH,
    ErrorCode::OPERATION_FAILED,
    ErrorCode::VENDOR_DEFINED,
];

fn refusal(code: ErrorCode) -> Refusal {
    let (standard, vendor, data) = VENDOR_ERROR;
    match code {
        ErrorCode::VENDOR_DEFINED => Refusal::vendor_defined(standard.into(), &vendor, &data).unwrap(),
        code => Refusal::new(code),
    }
}

/// A responder, its model, and the random generator.
pub(crate) struct Conversation {
    responder: Responder,
    model: Model,
    random: Random,
    slow: Arc<AtomicBool>,
    /// The data that the device received.
    device_log: Arc<Mutex<DeviceLog>>,
    /// The refusal with which the device answers requests; `None` if it does not refuse them.
    device_refusal: Arc<Mutex<Option<Refusal>>>,
    /// The last record sent.
    last: Vec<u8>,
    pub(crate) seen: Coverage,
}

impl Conversation {
    pub(crate) fn new(seed: u64) -> Self {
        let Setup { responder, model, slow, device_log, device_refusal } = begin(seed);
        let (random, last, seen) = (Random(seed), Vec::new(), Coverage::default());
        Self { responder, model, random, slow, device_log, device_refusal, last, seen }
    }

    /// Sends one message or triggers another event, and compares the responder's state with the model's.
    pub(crate) fn step(&mut self) {
        match self.random.below(100) {
            0 => {
                let seconds = self.random.below(22) as u64;
                self.responder.advance(Duration::from_secs(seconds));
                self.model.wait(seconds);
            }
            1 if self.random.percent(20) => {
                self.responder.updated();
                self.model.updated();
            }
            1 if self.random.percent(5) => {
                self.responder.resynch();
                self.model.lose_connection();
            }
            2 | 3 => self.send_noise(),
            4 => self.send_application_data(),
            5 | 6 => self.queue_random_request(),
            _ => self.send_random_request(),
        }
        let connection = self.responder.connection();
        assert_eq!(connection.phase(), self.model.phase);
        if self.model.phase >= Phase::Capabilities {
            assert_eq!(connection.version().byte(), self.model.version);
        }
        assert_eq!(self.responder.is_requester_authenticated(), self.model.peer.proved);
        let device_log = std::mem::take(&mut *self.device_log.lock().unwrap());
        assert_eq!(device_log, std::mem::take(&mut self.model.device_log));
        let open = self.model.sessions.iter().filter(|session| !session.is_in_handshake());
        assert_eq!(self.responder.sessions().collect::<Vec<_>>(), open.map(|one| one.id).collect::<Vec<_>>());
    }

    fn any_session(&mut self) -> Option<u32> {
        let at = self.random.below(self.model.sessions.len());
        self.model.sessions.get(at).map(|session| session.id)
    }

    /// Sends a record that is invalid, old, or of no session.
    fn send_noise(&mut self) {
        let Some(id) = self.any_session() else { return };
        let content = 16 + self.random.below(40);
        let content = self.random.bytes(content);
        let session = self.model.session(id).unwrap();
        let mut record = session.forged(&content);
        match self.random.below(4) {
            0 if !self.last.is_empty() => record.clone_from(&self.last),
            1 => record[0] ^= 0xFF,
            2 => record.truncate(self.random.below(record.len())),
            _ => {}
        }
        let named = record.first_chunk().map(|id| u32::from_le_bytes(*id));
        let answer = self.responder.receive(&Packet::Secured(record.clone()));
        let version = self.model.version;
        match (answer, named.and_then(|id| self.model.session(id))) {
            (Packet::Secured(answer), Some(session)) if session.answered.0 == record => {
                assert_eq!(answer, session.answered.1, "the answer is repeated");
            }
            (Packet::Message(response), session) => {
                let error = if session.is_some() { 0x06 } else { 0x01 };
                assert_eq!(response, [version, 0x7F, error, 0]);
            }
            (answer, _) => panic!("{answer:02x?}"),
        }
    }

    /// Sends application data, which the device echoes after the handshake and outside key updates.
    fn send_application_data(&mut self) {
        let Some(id) = self.any_session() else { return };
        let version = self.model.version;
        let session = self.model.session(id).unwrap();
        let record = session.seal(&[1, 2, 3]);
        session.idle = 0;
        let Packet::Secured(answer) = self.responder.receive(&Packet::Secured(record.clone())) else {
            panic!("in the clear")
        };
        session.answered = (record, answer.clone());
        let (early, contents) = (session.is_in_handshake() || session.unverified, session.unseal(&answer));
        if early {
            assert_eq!(contents, [5, version, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
        } else {
            assert_eq!(contents, [1, 2, 3]);
        }
    }

    /// Queues a random request of the responder.
    fn queue_random_request(&mut self) {
        let sessions = &self.model.sessions;
        let subscribed = sessions.iter().find(|session| session.subscribed && !session.is_in_handshake());
        // few sessions are subscribed to events, so prefer a subscribed session
        let subscribed = subscribed.map(|session| session.id).filter(|_| self.random.percent(80));
        let place = if self.random.percent(70) { subscribed.or_else(|| self.any_session()) } else { None };
        let signed = self.random.pick(&[None, Some(0), Some(0), Some(1), Some(0xFF)]);
        let question = match self.random.below(if subscribed.is_some() { 8 } else { 5 }) {
            0 => ResponderRequest::UpdateKey,
            1 => ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed }),
            2 => ResponderRequest::EventTypes,
            3 if self.random.percent(70) => ResponderRequest::Subscribe(Sample::types()),
            3 => ResponderRequest::Subscribe(EventTypes::default()),
            _ => ResponderRequest::Events(events(0, 1 + self.random.below(12))),
        };
        let taken = self.responder.queue_request(place, question.clone());
        assert_eq!(
            taken.is_ok(),
            self.model.may_ask(place, &question),
            "{question:?} in {place:x?}: {taken:?}"
        );
        if taken.is_ok() {
            self.model.queued_requests.push((place, question));
        }
    }

    fn send_random_request(&mut self) {
        self.model.end_flows();
        let inside = if self.random.percent(60) { self.any_session() } else { None };
        let mut m = self.compose(inside);
        let later = self.random.percent(4);
        self.slow.store(later, Ordering::Relaxed);
        let device_refusal = self.random.percent(4).then(|| self.random.pick(&REFUSAL_CODES));
        self.model.device_refusal = device_refusal;
        *self.device_refusal.lock().unwrap() = device_refusal.map(refusal);
        // FINISH may be sent in the clear and then belongs to its session
        let code = m.get(1).copied().unwrap_or(0);
        let clear = self.model.clear_session(code);
        let plain = inside.is_none() || clear.is_some() && inside == clear && self.random.percent(90);
        let place = if plain { clear } else { inside };
        if plain && clear.is_some() && inside != clear {
            let session = self.model.sessions.iter().find(|session| Some(session.id) == clear);
            m = messages::request(&mut self.random, &self.model, session, code);
        }
        let in_the_clear = plain && clear.is_some();
        let chunked_place = self.choose_chunks(place, &m);
        let too_long = self.model.too_long(&m, chunked_place);
        let verdict = too_long.unwrap_or_else(|| self.model.predict(self.session(place), in_the_clear, &m));
        self.model.chunked_place.take_if(|_| !matches!(m.get(1), Some(0x85 | 0x86)));
        let carried = if plain { None } else { inside };
        let response = self.exchange(carried, &m, chunked_place, verdict.errors.is_empty());
        self.seen.count_response(&response);
        self.compare(place, &m, &response, &verdict);
    }

    fn session(&self, id: Option<u32>) -> Option<&Session> {
        self.model.sessions.iter().find(|session| Some(session.id) == id)
    }

    fn compose(&mut self, inside: Option<u32>) -> Vec<u8> {
        let session = self.model.sessions.iter().find(|session| Some(session.id) == inside);
        let code = messages::code(&mut self.random, &self.model, session);
        let mut m = messages::request(&mut self.random, &self.model, session, code);
        let again = self.model.repeatable_vca.as_ref().filter(|_| self.random.percent(20));
        if let Some((request, _)) = again {
            m.clone_from(request);
        }
        if self.random.percent(15) {
            messages::alter(&mut self.random, &mut m);
        }
        m
    }

    /// Compares the response with the verdict, and applies its effects.
    fn compare(&mut self, place: Option<u32>, m: &[u8], response: &[u8], verdict: &Verdict) {
        let Verdict { errors, admitted } = verdict;
        let at = format!(
            "{m:02x?} in {place:x?}, {:?} {:02x}: {response:02x?}",
            self.model.phase, self.model.version
        );
        let error = (response[1] == 0x7F).then(|| response[2]);
        assert_eq!(response[0], self.expected_version(m), "{at}");
        let repeated =
            self.model.repeatable_vca.as_ref().filter(|(request, _)| place.is_none() && request == m);
        if let Some((_, before)) = repeated {
            assert_eq!(response, before, "{at}");
            return;
        }
        if *admitted {
            self.model.apply_allowed();
        }
        match error {
            None => {
                assert!(errors.is_empty(), "not {errors:?}, but {at}");
                self.answered(place, m, response);
            }
            Some(0x42) if errors.is_empty() => self.deferred(place, m, response),
            Some(0x0D) if errors.is_empty() => {
                let len = u32::from_le_bytes(response[4..8].try_into().unwrap()) as usize;
                let most = match m[1] {
                    // the limit that this GET_CAPABILITIES announces already applies to its response
                    0xE1 => u32::from_le_bytes(m[16..20].try_into().unwrap()) as usize,
                    _ if self.model.chunks() => self.model.max_message_size,
                    _ => self.model.transfer,
                };
                assert!(len > most, "{at}");
                let asked =
                    if m[1] == 0xFF { self.model.deferred.take().unwrap().request } else { m.to_vec() };
                self.model.refused(place, &asked, 0x0D);
            }
            Some(error) => {
                assert!(errors.iter().any(|expected| expected.0 == error), "{errors:?}, but {at}");
                assert_eq!(response[3], provisioning::error_data(m, error), "{at}");
                if error == ErrorCode::VENDOR_DEFINED.0 {
                    let (_, vendor, data) = VENDOR_ERROR;
                    assert_eq!(response[4..], [&[2][..], &vendor, &data].concat(), "{at}");
                }
                self.model.refused(place, m, error);
            }
        }
    }

    /// Returns the expected SPDMVersion: 1.0 for GET_VERSION, the attempted version for GET_CAPABILITIES, and the request's
    /// version after the connection was lost.
    fn expected_version(&self, m: &[u8]) -> u8 {
        let fetches = m.get(1) == Some(&0x86) && self.model.chunked_place.is_some();
        let no_common_hash = self.model.no_common_hash && !fetches;
        let lost = self.model.lost.or(no_common_hash.then_some(self.model.version));
        match m {
            [_, 0x84, ..] => 0x10,
            [tried @ 0x10..=0x14, ..] if lost.is_some() => *tried,
            _ if lost.is_some() => lost.unwrap(),
            [tried @ 0x10..=0x14, 0xE1, ..] if self.model.phase < Phase::Capabilities => *tried,
            _ => self.model.version,
        }
    }

    fn answered(&mut self, place: Option<u32>, m: &[u8], response: &[u8]) {
        match m[1] {
            0xFF => {
                let Deferred { request, .. } = self.model.deferred.take().unwrap();
                self.model.answered(place, &request, response);
            }
            // the responder refused an invalid chunk
            0x85 => {
                self.model.chunked_place = None;
                let ack = if self.model.version >= 0x14 { 8 } else { 6 };
                assert_eq!((response[1], response[2] & 1), (5, 1));
                assert_eq!(response[ack..], [self.model.version, 0x7F, 0x01, 0]);
            }
            _ => self.model.answered(place, m, response),
        }
    }

    /// Records ResponseNotReady, after which RESPOND_IF_READY is allowed.
    fn deferred(&mut self, place: Option<u32>, m: &[u8], response: &[u8]) {
        assert!(self.slow.load(Ordering::Relaxed));
        let asked = match self.model.deferred.take() {
            Some(deferred) if m[1] == 0xFF => deferred.request,
            _ => m.to_vec(),
        };
        assert_eq!(response[5], asked[1]);
        assert!(matches!(asked[1], 0x83 | 0x87 | 0xE0 | 0xE4), "{asked:02x?} is not signed");
        self.model.deferred = Some(Deferred { request: asked, session: place, token: response[6] });
    }

    /// Returns whether to send a message in chunks: usually if it is too long, and sometimes if it is not.
    fn choose_chunks(&mut self, place: Option<u32>, m: &[u8]) -> bool {
        let updating = self.session(place).is_some_and(|session| session.unverified);
        let able = self.model.chunks()
            && !self.model.no_common_hash
            && !updating
            && m.len() > 42
            && !matches!(m[1], 0x84..=0x86 | 0xE1);
        able && self.random.percent(if m.len() > DATA_TRANSFER_SIZE { 80 } else { 30 })
    }

    /// Sends a request and returns the whole response, with or without chunks. `fine`: a response other than ERROR is
    /// expected.
    fn exchange(&mut self, inside: Option<u32>, m: &[u8], chunked_place: bool, fine: bool) -> Vec<u8> {
        let response =
            if chunked_place { self.send_in_chunks(inside, m, fine) } else { self.send(inside, m, fine) };
        if response[1] != 0x7F || response[2] != 0x0F {
            // `compare` checks the response to GET_CAPABILITIES, with the limit in the request
            let negotiated = self.model.phase >= Phase::Capabilities && m.get(1) != Some(&0x84);
            assert!(!negotiated || response.len() <= self.model.transfer, "{response:02x?}");
            return response;
        }
        self.seen.count_response(&response);
        self.fetch(inside, response[4], m)
    }

    /// Sends CHUNK_GET until the response is complete.
    fn fetch(&mut self, inside: Option<u32>, handle: u8, m: &[u8]) -> Vec<u8> {
        let negotiating = m[1] == 0xE1 && self.model.phase < Phase::Capabilities;
        let (version, transfer) = if negotiating {
            (m[0], u32::from_le_bytes(m[12..16].try_into().unwrap()) as usize)
        } else {
            (self.model.version, self.model.transfer)
        };
        let newest = version >= 0x14;
        let (mut whole, mut size) = (Vec::new(), 0);
        for sequence in 0_u32.. {
            let number = &sequence.to_le_bytes()[..if newest { 4 } else { 2 }];
            let mut get = [&[version, 0x86, 0, handle], number].concat();
            if self.random.percent(5) {
                get[3] ^= 1;
                assert_eq!(self.send(inside, &get, false), [version, 0x7F, 0x01, 0]);
                get[3] ^= 1;
            }
            let chunk = self.send(inside, &get, true);
            assert_eq!(chunk[1], 0x06, "{get:02x?} of {m:02x?} in {inside:x?}: {chunk:02x?}");
            self.seen.count_response(&chunk);
            assert_eq!((chunk[1], chunk[3], &chunk[4..4 + number.len()]), (0x06, handle, number));
            assert!(chunk.len() <= transfer);
            let at = if sequence == 0 { 16 } else { 12 };
            if sequence == 0 {
                size = u32::from_le_bytes(chunk[12..16].try_into().unwrap()) as usize;
            }
            whole.extend_from_slice(&chunk[at..]);
            if chunk[2] & 1 != 0 {
                break;
            }
        }
        self.model.chunked_place = Some(inside);
        assert_eq!(whole.len(), size);
        // CHUNK_SEND_ACK adds 8 bytes around the response
        assert!(whole.len() + 8 > transfer);
        whole
    }

    /// Sends CHUNK_SEND until the request is complete. The response is in the last acknowledgement. All chunks but the last have
    /// at least 42 bytes.
    fn send_in_chunks(&mut self, inside: Option<u32>, m: &[u8], fine: bool) -> Vec<u8> {
        let version = self.model.version;
        let (first, rest) = m.split_at(26 + self.random.below(m.len().min(DATA_TRANSFER_SIZE - 16) - 26));
        let each = 30 + self.random.below(m.len().min(DATA_TRANSFER_SIZE - 12 - 30));
        let pieces: Vec<&[u8]> = [first].into_iter().chain(rest.chunks(each)).collect();
        let handle = self.random.below(256) as u8;
        for (sequence, piece) in (0_u32..).zip(&pieces) {
            let last = sequence as usize + 1 == pieces.len();
            let len = u32::try_from(piece.len()).unwrap().to_le_bytes();
            let size = u32::try_from(m.len()).unwrap().to_le_bytes();
            let size = if sequence == 0 { &size[..] } else { &[] };
            let header = [version, 0x85, u8::from(last), handle];
            let chunk = [&header, &sequence.to_le_bytes()[..], &len, size, piece].concat();
            let ack = self.send_as(inside, &chunk, m, fine && last);
            self.seen.count_response(&ack);
            let body = if version >= 0x14 { 8 } else { 6 };
            // a request whose announced length is too long is refused at once
            let early = m.len() > MAX_MESSAGE_SIZE;
            assert_eq!((ack[1], ack[2] & 1, ack[3]), (0x05, u8::from(early), handle), "{ack:02x?}");
            assert_eq!(ack[4..body], chunk[4..body]);
            assert!(ack.len() <= self.model.transfer);
            if last || early {
                return ack[body..].to_vec();
            }
            assert_eq!(ack.len(), body);
        }
        unreachable!("there is a last piece")
    }

    fn send(&mut self, inside: Option<u32>, m: &[u8], fine: bool) -> Vec<u8> {
        self.send_as(inside, m, m, fine)
    }

    /// Sends `bytes` in a record of the session, or in the clear. `m`: the request that they contain.
    fn send_as(&mut self, inside: Option<u32>, bytes: &[u8], m: &[u8], fine: bool) -> Vec<u8> {
        let Some(id) = inside else {
            return match self.responder.receive(&Packet::Message(bytes.to_vec())) {
                Packet::Message(response) => response,
                Packet::Secured(record) => panic!("a record: {record:02x?}"),
            };
        };
        // these requests are answered under the new key
        let updates = fine && (m[1..3] == [0xE9, 2] || self.model.updates_key(inside, m));
        let session = self.model.session(id).unwrap();
        let record = session.seal(&[&[5], bytes].concat());
        session.idle = 0;
        self.last.clone_from(&record);
        if updates {
            session.update(1);
        }
        match self.responder.receive(&Packet::Secured(record.clone())) {
            Packet::Secured(answer) => {
                session.answered = (record, answer.clone());
                session.unseal(&answer)[1..].to_vec()
            }
            Packet::Message(response) => panic!("in the clear: {response:02x?}"),
        }
    }
}
