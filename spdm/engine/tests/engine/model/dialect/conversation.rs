//! Delivers messages to the responder, and compares its responses with the model.

use crate::model::dialect::fragments::{self, BEGIN, END, MAX_PIECE, Outcome};
use crate::model::dialect::messages;
use crate::model::dialect::rules::{NO_SLOT, VERSION, Verdict, is_split};
use crate::model::dialect::session::Session;
use crate::model::dialect::setup::begin;
use crate::model::dialect::state::{Model, Phase};
use crate::model::rules::HINT;
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::pqc2021::PublicKeyMode;
use grille_spdm_engine::requester_identity::RequesterIdentity;
use grille_spdm_engine::responder::Responder;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Counts the responses and errors by code.
#[derive(Default)]
pub(super) struct Coverage {
    responses: BTreeMap<u8, usize>,
    errors: BTreeMap<u8, usize>,
    /// The number of responses with several fragments.
    long_responses: usize,
    /// The kinds of sessions with a key exchange: RAW mode, `strict`, KEM authentication of the responder, and
    /// authentication of the requester.
    sessions: BTreeSet<[bool; 4]>,
}

impl Coverage {
    pub(super) fn add(&mut self, other: &Self) {
        other.responses.iter().for_each(|(code, count)| *self.responses.entry(*code).or_default() += count);
        other.errors.iter().for_each(|(code, count)| *self.errors.entry(*code).or_default() += count);
        self.long_responses += other.long_responses;
        self.sessions.extend(&other.sessions);
    }

    fn count_response(&mut self, response: &[u8]) {
        let error = response[1] == 0x7F;
        let (map, code) =
            if error { (&mut self.errors, response[2]) } else { (&mut self.responses, response[1]) };
        *map.entry(code).or_default() += 1;
    }

    /// Checks that every response and error that this responder can send occurred.
    pub(super) fn check(&self) {
        let Self { responses, errors, long_responses, sessions } = self;
        println!("responses {responses:02x?}\nerrors {errors:02x?}\nlong responses {long_responses}");
        let all = [1, 2, 3, 4, 0x60, 0x61, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6C, 0x7C, 0x7D];
        assert!(responses.keys().copied().eq(all));
        assert!(errors.keys().copied().eq([0x01, 0x04, 0x05, 0x06, 0x07, 0x0A, 0x41, 0x43]));
        assert!(*long_responses > 0);
        // in CERT mode, the requester has no certificate
        assert_eq!(sessions.len(), 8 + 4, "{sessions:?}");
    }
}

/// A responder, its model, and the random generator.
pub(super) struct Conversation {
    responder: Responder,
    model: Model,
    random: Random,
    /// The last record sent.
    last: Vec<u8>,
    pub(super) seen: Coverage,
}

impl Conversation {
    pub(super) fn new(seed: u64) -> Self {
        let (responder, settings) = begin(seed);
        let model = Model::new(settings);
        Self { responder, model, random: Random(seed), last: Vec::new(), seen: Coverage::default() }
    }

    /// Sends one message or triggers another event, and compares the responder's state with the model's.
    pub(super) fn step(&mut self) {
        match self.random.below(100) {
            0 => {
                let seconds = self.random.below(22) as u64;
                self.responder.advance(Duration::from_secs(seconds));
                self.model.wait(seconds);
            }
            1 if self.random.percent(10) => {
                self.responder.resynch();
                self.model.lose_connection();
            }
            2 | 3 => self.send_noise(),
            4 => self.send_application_data(),
            5 | 6 if self.model.knows_fragments() => self.send_stray_fragment(),
            _ => self.send_random_request(),
        }
        self.compare_state();
    }

    fn compare_state(&self) {
        let connection = self.responder.connection();
        assert_eq!(connection.phase(), self.model.phase);
        assert_eq!(connection.version().byte(), self.model.version());
        let open = self.model.sessions.iter().filter(|session| !session.in_handshake);
        // whether a session has a pre-shared key, and whether its requester authenticated itself
        let identity = |id| match self.responder.authenticated(id) {
            Some(RequesterIdentity::Key { slot: NO_SLOT, .. }) => (false, true),
            Some(RequesterIdentity::Kem { slot: NO_SLOT }) => (false, true),
            Some(RequesterIdentity::Psk { hint: HINT }) => (true, false),
            Some(RequesterIdentity::Anonymous) => (false, false),
            other => panic!("{other:?}"),
        };
        let sessions = self.responder.sessions().map(|id| (id, identity(id)));
        let expected = open.map(|one| (one.id, (one.psk, one.mutual)));
        assert_eq!(sessions.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
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
        let mut record = self.model.session(id).unwrap().forged(&content);
        match self.random.below(4) {
            0 if !self.last.is_empty() => record.clone_from(&self.last),
            1 => record[0] ^= 0xFF,
            2 => record.truncate(self.random.below(record.len())),
            _ => {}
        }
        let named = record.first_chunk().map(|id| u32::from_le_bytes(*id));
        let answer = self.responder.receive(&Packet::Secured(record.clone()));
        let version = self.model.version();
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
        let session = self.model.session(id).unwrap();
        let record = session.seal(&[1, 2, 3]);
        let Packet::Secured(answer) = self.responder.receive(&Packet::Secured(record.clone())) else {
            panic!("in the clear")
        };
        session.answered = (record, answer.clone());
        let (early, contents) = (session.in_handshake || session.unverified, session.unseal(&answer));
        if early {
            assert_eq!(contents, [5, VERSION, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
        } else {
            assert_eq!(contents, [1, 2, 3]);
        }
    }

    /// Sends a fragment of no request, or asks for a fragment of no response.
    fn send_stray_fragment(&mut self) {
        let place = if self.random.percent(50) { self.any_session() } else { None };
        let junk = self.random.bytes(8);
        let mut fragment = fragments::cut(&mut self.random, &junk)[0];
        fragment.flags = self.random.pick(&[0, BEGIN]);
        fragment.spoil(&mut self.random);
        let request = fragment.encode();
        if self.random.percent(50) {
            let sequence = self.random.pick(&[0, 1]);
            self.request_fragment(place, sequence);
        } else if let Outcome::Refused(error) = self.model.receive_fragment(place, &request) {
            assert_eq!(self.send(place, &request, false), [VERSION, 0x7F, error.0, 0]);
        } else {
            let ack = [&[VERSION, 0x7D, 0, 0x7F], &request[4..8]].concat();
            assert_eq!(self.send(place, &request, false), ack);
        }
    }

    /// Asks for a fragment of an abandoned response, which has two, or of no response.
    fn request_fragment(&mut self, place: Option<u32>, sequence: u8) {
        let get = [VERSION, 0xFC, 0, 0xFF, sequence, 0, 0, 0];
        let error = self.model.fragment_rsp_error(place, &get);
        let answer = self.send(place, &get, false);
        match error {
            Some(error) => assert_eq!(answer, [VERSION, 0x7F, error.0, 0]),
            None => {
                assert_eq!(answer[..8], [VERSION, 0x7C, END, 0xFF, 1, 0, 0, 0]);
                self.model.fragments.outgoing = None;
            }
        }
    }

    fn send_random_request(&mut self) {
        let inside = if self.random.percent(60) { self.any_session() } else { None };
        let mut m = self.compose(inside);
        // FINISH may be sent in the clear and then belongs to its session
        let code = m.get(1).copied().unwrap_or(0);
        let clear = self.model.clear_session(code);
        let plain = inside.is_none() || clear.is_some() && inside == clear && self.random.percent(90);
        let place = if plain { clear } else { inside };
        if plain && clear.is_some() && inside != clear {
            let session = self.model.sessions.iter().find(|session| Some(session.id) == clear);
            m = messages::request(&mut self.random, &self.model, session, code);
        }
        let verdict = self.model.predict(self.session(place), plain && clear.is_some(), &m);
        let carried = if plain { None } else { inside };
        let Some(response) = self.exchange(carried, &m, verdict.errors.is_empty()) else { return };
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
        let (phase, selected) = (self.model.phase, &self.model.selected);
        let shown = &response[..response.len().min(200)];
        let at = format!("{m:02x?} in {place:x?}, {phase:?} {selected:?}: {shown:02x?}");
        let error = (response[1] == 0x7F).then(|| response[2]);
        assert_eq!(response[0], self.expected_version(m), "{at}");
        if place.is_none() && self.model.is_repeated(m) {
            assert_eq!(response, self.model.repeatable_vca.as_ref().unwrap().1, "{at}");
            return;
        }
        if *admitted {
            self.model.repeatable_vca = None;
        }
        match error {
            None => {
                assert!(errors.is_empty(), "not {errors:?}, but {at}");
                self.model.answered(place, m, response);
                if m[1] == 0xE5 {
                    self.seen.sessions.insert(self.session_kind(place));
                }
            }
            Some(error) => {
                assert!(errors.iter().any(|expected| expected.0 == error), "{errors:?}, but {at}");
                let data = if error == ErrorCode::UNSUPPORTED_REQUEST.0 { m[1] } else { 0 };
                assert_eq!(response[3..], [data], "{at}");
                self.model.refused(place, m, error);
            }
        }
    }

    fn session_kind(&self, id: Option<u32>) -> [bool; 4] {
        let Model { settings, selected, .. } = &self.model;
        let raw = settings.mode == PublicKeyMode::Raw;
        [raw, settings.strict, selected.kem_auth.is_some(), self.session(id).unwrap().mutual]
    }

    /// Returns the expected SPDMVersion: 1.0 for GET_VERSION and before CAPABILITIES. After the connection was lost, the
    /// responder answers in the request's version if it supports it.
    fn expected_version(&self, m: &[u8]) -> u8 {
        let lost = self.model.lost.or(self.model.no_common_hash.then_some(self.model.version()));
        match (m, lost) {
            ([_, 0x84, ..], _) => 0x10,
            ([VERSION, ..], Some(_)) => VERSION,
            (_, Some(lost)) => lost,
            ([VERSION, 0xE1, ..], None) if self.model.phase < Phase::Capabilities => VERSION,
            _ => self.model.version(),
        }
    }

    /// Sends a request, whole or in fragments, and returns the whole response. `None`: a wrong fragment was refused, or
    /// the response was abandoned after its first fragment.
    fn exchange(&mut self, inside: Option<u32>, m: &[u8], fine: bool) -> Option<Vec<u8>> {
        let code = m.get(1).copied().unwrap_or(0);
        let split = self.model.knows_fragments() && is_split(code);
        let usual = if matches!(code, 0xE4 | 0xE5) { 80 } else { 10 };
        let whole = m.is_empty() || matches!(code, 0x85 | 0x86);
        let cuts = self.model.knows_fragments() && !whole && self.random.percent(usual);
        let first = match cuts {
            true => self.send_fragments(inside, m, fine)?,
            false => self.send(inside, m, fine),
        };
        if !matches!(code, 0x85 | 0x86) && !cuts {
            self.model.fragments = Default::default();
        }
        if split && code == 0x83 && first[2] & END == 0 && self.random.percent(25) {
            self.abandon(inside);
            return None;
        }
        Some(if split { self.collect(inside, first) } else { first })
    }

    /// Leaves CHALLENGE_AUTH incomplete. Often asks for a fragment at once, and always does after another request, which
    /// discards the response.
    fn abandon(&mut self, inside: Option<u32>) {
        self.model.challenge_abandoned();
        self.model.fragments.outgoing = Some((inside, 1));
        if self.random.percent(50) {
            self.send_random_request();
        }
        if self.model.knows_fragments() {
            self.request_fragment(inside, 1);
        }
    }

    /// Sends the fragments of a request, some of them possibly wrong or in another place. Returns the first message of
    /// the response.
    fn send_fragments(&mut self, inside: Option<u32>, m: &[u8], fine: bool) -> Option<Vec<u8>> {
        for mut fragment in fragments::cut(&mut self.random, m) {
            if self.random.percent(4) {
                fragment.spoil(&mut self.random);
            }
            let request = fragment.encode();
            let elsewhere = fragment.flags & END == 0 && self.random.percent(4);
            let place = if elsewhere { self.other_place(inside) } else { inside };
            match self.model.receive_fragment(place, &request) {
                Outcome::Complete(whole) => {
                    assert_eq!(whole, m);
                    return Some(self.send_as(inside, &request, m, fine));
                }
                Outcome::Acknowledged => {
                    let ack = self.send(place, &request, false);
                    self.seen.count_response(&ack);
                    assert_eq!(ack, [&[VERSION, 0x7D, 0, 0x7F], &request[4..8]].concat());
                }
                Outcome::Refused(error) => {
                    assert_eq!(self.send(place, &request, false), [VERSION, 0x7F, error.0, 0]);
                    return None;
                }
            }
        }
        unreachable!("the last fragment is complete or refused")
    }

    /// Returns another place than `inside`, if there is one: outside sessions, or in one.
    fn other_place(&mut self, inside: Option<u32>) -> Option<u32> {
        if inside.is_some() { None } else { self.any_session() }
    }

    /// Collects a response in fragments. `first`: its first fragment.
    fn collect(&mut self, inside: Option<u32>, first: Vec<u8>) -> Vec<u8> {
        let (mut fragment, mut whole) = (first, Vec::new());
        for sequence in 0_u32.. {
            let (header, piece) = fragment.split_at(16);
            let begins = if sequence == 0 { BEGIN } else { 0 };
            let ends = header[2] & END;
            let numbers = [sequence, whole.len() as u32, piece.len() as u32].map(u32::to_le_bytes).concat();
            assert_eq!(header, [&[VERSION, 0x7C, begins | ends, 0xFF], &numbers[..]].concat());
            assert!(if ends == 0 {
                piece.len() == MAX_PIECE
            } else {
                (1..=MAX_PIECE).contains(&piece.len())
            });
            whole.extend_from_slice(piece);
            self.seen.count_response(&fragment);
            self.model.fragments.outgoing = (ends == 0).then_some((inside, sequence + 1));
            if ends != 0 {
                break;
            }
            fragment = self.next_fragment(inside, sequence + 1);
            self.seen.long_responses += 1;
        }
        whole
    }

    /// Sends FRAGMENT_RSP_REQUEST, before it sometimes a wrong one, which has no effect.
    fn next_fragment(&mut self, inside: Option<u32>, sequence: u32) -> Vec<u8> {
        let right = [&[VERSION, 0xFC, 0, 0xFF], &sequence.to_le_bytes()[..]].concat();
        if self.random.percent(20) {
            let (mut wrong, mut place) = (right.clone(), inside);
            match self.random.below(4) {
                0 => wrong[4] += 1,
                1 => wrong[0] = 0x12,
                2 => wrong.truncate(7),
                // a session in its handshake may already be replaced
                _ => place = self.any_session().filter(|id| !self.session(Some(*id)).unwrap().in_handshake),
            }
            if let Some(error) = self.model.fragment_rsp_error(place, &wrong) {
                assert_eq!(self.send(place, &wrong, false), [VERSION, 0x7F, error.0, 0]);
            }
        }
        assert!(self.model.fragment_rsp_error(inside, &right).is_none());
        self.send(inside, &right, false)
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
        let session = self.model.session(id).unwrap();
        let record = session.seal(&[&[5], bytes].concat());
        self.last.clone_from(&record);
        // UpdateAllKeys is answered under the new key
        if fine && m[1..3] == [0xE9, 2] {
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
