//! Sessions in which the test plays the responder with scripted answers, or plays the requester and loses the answers.

use crate::common::{self, Wire, classical, config, credential, pair_with};
use grille_core::{SecretBytes, SystemRng};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::{Binding, Config, KeyLog, Packet};
use grille_spdm_engine::error::{Error, Usage, Violation};
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::operation::{Operation, Step};
use grille_spdm_engine::operations::{
    AnswerRequests, Connect, End, FetchCertificate, FetchDigests, OpenSession, SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::session::SessionId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A scripted answer to a request.
#[derive(Clone, Copy)]
pub(crate) enum ScriptedAnswer {
    /// The correct answer.
    Right,
    /// ERROR in the session.
    Error(ErrorCode),
    /// ERROR in the clear.
    Clear(ErrorCode),
    /// KEY_UPDATE_ACK under the old key.
    Stale,
    /// A record with these contents.
    Inside(&'static [u8]),
    /// No answer: the carrier fails.
    Lost,
}

/// The record keys of a session, the requester's and the responder's.
pub(crate) struct Keys {
    pub(crate) session: SessionId,
    pub(crate) version: u8,
    pub(crate) aead: &'static Aead,
    pub(crate) secrets: [TrafficSecret<Application>; 2],
    pub(crate) keys: [RecordKey; 2],
}

/// A responder with the session's keys. It answers correctly when `answers` is empty.
pub(crate) struct ScriptedResponder {
    pub(crate) keys: Keys,
    answers: VecDeque<ScriptedAnswer>,
    /// The received KEY_UPDATE requests: operation and Tag.
    updates: Vec<[u8; 2]>,
    /// The last packet with its contents; it may be retransmitted.
    last: Option<(Packet, Vec<u8>)>,
    waited: usize,
}

pub(crate) const REQUESTER: usize = 0;
pub(crate) const RESPONDER: usize = 1;
pub(crate) const LAYOUT: Layout = Layout { sequence_len: 2, padding: 0, encrypted: true };
const UPDATE_KEY: u8 = 1;
const UPDATE_ALL_KEYS: u8 = 2;
const VERIFY_NEW_KEY: u8 = 3;

impl Keys {
    pub(crate) fn update(&mut self, side: usize) {
        self.secrets[side] = self.secrets[side].update();
        self.keys[side] = self.secrets[side].record_key(self.aead);
    }

    pub(crate) fn seal(&mut self, side: usize, message: &[u8]) -> Packet {
        let inside = [&[5], message].concat();
        Packet::Secured(self.keys[side].seal(self.session, LAYOUT, &inside, &mut SystemRng).unwrap())
    }

    pub(crate) fn seal_inside(&mut self, side: usize, inside: &[u8]) -> Packet {
        Packet::Secured(self.keys[side].seal_inside(self.session, LAYOUT, inside).unwrap())
    }

    pub(crate) fn open(&mut self, side: usize, packet: Packet) -> Vec<u8> {
        let Packet::Secured(record) = packet else { panic!("in the clear: {packet:?}") };
        self.keys[side].open(LAYOUT, &record).expect("both sides have the same key")[1..].to_vec()
    }

    /// Sends a request in the requester's place and returns the response.
    pub(crate) fn ask(&mut self, wire: &mut Wire, code: Code, param1: u8, param2: u8) -> Vec<u8> {
        let request = self.seal(REQUESTER, &[self.version, code.0, param1, param2]);
        self.open(RESPONDER, wire.responder.receive(&request))
    }
}

impl ScriptedResponder {
    /// Returns HEARTBEAT_ACK or KEY_UPDATE_ACK.
    fn acknowledge(&mut self, request: &[u8], stale: bool) -> Packet {
        let update = Code(request[1]) == Code::KEY_UPDATE;
        let all = update && request[2] == UPDATE_ALL_KEYS;
        if all && !stale {
            self.keys.update(RESPONDER);
        }
        let answer = self.keys.seal(RESPONDER, &[request[0], request[1] & 0x7F, request[2], request[3]]);
        if all || update && request[2] == UPDATE_KEY {
            self.keys.update(REQUESTER);
        }
        answer
    }
}

impl Carrier for ScriptedResponder {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let request = match self.last.take_if(|(last, _)| *last == packet) {
            Some((_, request)) => request,
            None => self.keys.open(REQUESTER, packet.clone()),
        };
        self.last = Some((packet, request.clone()));
        let version = self.keys.version;
        if Code(request[1]) == Code::KEY_UPDATE {
            self.updates.push([request[2], request[3]]);
        }
        let error = |code: ErrorCode| vec![version, Code::ERROR.0, code.0, 0];
        Ok(match self.answers.pop_front() {
            None | Some(ScriptedAnswer::Right) => self.acknowledge(&request, false),
            Some(ScriptedAnswer::Stale) => self.acknowledge(&request, true),
            Some(ScriptedAnswer::Lost) => return Err(Error::NotReady { request: Code(request[1]) }),
            Some(ScriptedAnswer::Inside(inside)) => self.keys.seal_inside(RESPONDER, inside),
            Some(ScriptedAnswer::Error(code)) => self.keys.seal(RESPONDER, &error(code)),
            Some(ScriptedAnswer::Clear(code)) => Packet::Message(error(code)),
        })
    }

    fn wait(&mut self, _time: Duration) {
        self.waited += 1;
    }
}

/// Creates a requester in a session with a scripted responder.
pub(crate) fn scripted(answers: &[ScriptedAnswer]) -> (Requester, ScriptedResponder) {
    let (requester, _, keys) = in_session(Version::V1_2);
    let answers = answers.iter().copied().collect();
    (requester, ScriptedResponder { keys, answers, updates: Vec::new(), last: None, waited: 0 })
}

pub(crate) type LoggedSecrets = Arc<Mutex<Vec<SecretBytes>>>;

/// Creates a requester that can open a session, its responder, and a log of the secrets whose names end with `end`.
pub(crate) fn connected_with_log(version: Version, end: &'static str) -> (Requester, Wire, LoggedSecrets) {
    let more = Caps::ENCAP | if version < Version::V1_3 { Caps::NONE } else { Caps::EVENT };
    let [mut ours, theirs] = [common::REQUESTER, common::ALL].map(|flags| config(version, flags | more));
    let logged = LoggedSecrets::default();
    let log = logged.clone();
    ours.key_log = Some(KeyLog(Arc::new(move |_, name, secret| {
        if name.ends_with(end) {
            log.lock().unwrap().push(secret.as_ref().into());
        }
    })));
    let (mut requester, mut wire): (_, Wire) = pair_with(ours, theirs, &credential(classical("P256")));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, logged)
}

/// Creates both sides in a session, with its keys.
pub(crate) fn in_session(version: Version) -> (Requester, Wire, Keys) {
    let (mut requester, mut wire, logged) = connected_with_log(version, "data_secret");
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let (algorithms, version) = (requester.connection().negotiated().unwrap().algorithms, version.byte());
    let aead = algorithms.aead.unwrap();
    let secrets = [0, 1].map(|side| {
        let secret = logged.lock().unwrap()[side].as_ref().into();
        TrafficSecret::from_key_log(algorithms.hash, version, secret)
    });
    let keys = [0, 1].map(|side: usize| secrets[side].record_key(aead));
    (requester, wire, Keys { session, version, aead, secrets, keys })
}

#[test]
fn changes_keys_once_after_busy() {
    for update in [UpdateKeys::all_keys, UpdateKeys::request_key] {
        let busy = ScriptedAnswer::Error(ErrorCode::BUSY);
        let (mut requester, mut scripted) = scripted(&[busy, busy]);
        let session = scripted.keys.session;
        for _ in 0..2 {
            requester.run(update(session), &mut scripted).unwrap();
            requester.run(SendHeartbeat(session), &mut scripted).unwrap();
            assert_eq!(scripted.waited, 2);
        }
    }
}

#[test]
fn keeps_keys_after_refused_key_update() {
    for update in [UpdateKeys::all_keys, UpdateKeys::request_key] {
        let (mut requester, mut scripted) = scripted(&[ScriptedAnswer::Error(ErrorCode::UNSPECIFIED)]);
        let session = scripted.keys.session;
        let refused = requester.run(update(session), &mut scripted);
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
        for _ in 0..2 {
            requester.run(SendHeartbeat(session), &mut scripted).unwrap();
            requester.run(update(session), &mut scripted).unwrap();
        }
    }
}

#[test]
fn verifies_pending_key_before_next_update() {
    for update in [UpdateKeys::all_keys, UpdateKeys::request_key] {
        let (mut requester, mut scripted) =
            scripted(&[ScriptedAnswer::Right, ScriptedAnswer::Error(ErrorCode::UNSPECIFIED)]);
        let session = scripted.keys.session;
        let refused = requester.run(update(session), &mut scripted);
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
        requester.run(update(session), &mut scripted).unwrap();
        let operations: Vec<u8> = scripted.updates.iter().map(|[operation, _]| *operation).collect();
        let wanted = operations[0];
        assert_eq!(operations[1..], [VERIFY_NEW_KEY, VERIFY_NEW_KEY, wanted, VERIFY_NEW_KEY]);
        requester.run(SendHeartbeat(session), &mut scripted).unwrap();
    }
}

/// The Tag distinguishes a repeated request from a new one.
#[test]
fn repeats_unanswered_key_update_with_its_tag() {
    let lost = ScriptedAnswer::Lost;
    for (first, second) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
        let (mut requester, mut scripted) =
            scripted(&[lost, lost, ScriptedAnswer::Right, lost, ScriptedAnswer::Right]);
        let session = scripted.keys.session;
        let update = |operation| {
            if operation == UPDATE_KEY {
                UpdateKeys::request_key(session)
            } else {
                UpdateKeys::all_keys(session)
            }
        };
        for _ in 0..2 {
            assert!(requester.run(update(first), &mut scripted).is_err());
        }
        assert!(requester.run(update(first), &mut scripted).is_err());
        requester.run(update(second), &mut scripted).unwrap();
        let [asked, verified] = [scripted.updates[0], scripted.updates[3]];
        assert_eq!([asked[0], verified[0]], [first, VERIFY_NEW_KEY]);
        assert_eq!(scripted.updates[1..5], [asked, asked, verified, verified]);
        let rest: Vec<u8> = scripted.updates[5..].iter().map(|[operation, _]| *operation).collect();
        assert_eq!(rest, [second, VERIFY_NEW_KEY]);
        requester.run(SendHeartbeat(session), &mut scripted).unwrap();
    }
    // a different operation follows the unanswered one
    let (mut requester, mut scripted) = scripted(&[lost]);
    let session = scripted.keys.session;
    assert!(requester.run(UpdateKeys::request_key(session), &mut scripted).is_err());
    requester.run(UpdateKeys::all_keys(session), &mut scripted).unwrap();
    let operations: Vec<u8> = scripted.updates.iter().map(|[operation, _]| *operation).collect();
    assert_eq!(operations, [UPDATE_KEY, UPDATE_KEY, VERIFY_NEW_KEY, UPDATE_ALL_KEYS, VERIFY_NEW_KEY]);
    assert_eq!(scripted.updates[0], scripted.updates[1]);
}

/// DSP0274 allows only a repeated KEY_UPDATE, VerifyNewKey or END_SESSION after KEY_UPDATE. Other messages must wait.
#[test]
fn incomplete_key_update_blocks_other_requests() {
    // the answers after which the update is incomplete, and the number of KEY_UPDATE requests to complete it
    for (answers, rest) in [
        (&[ScriptedAnswer::Lost][..], 2),
        (&[ScriptedAnswer::Right, ScriptedAnswer::Lost], 3),
        (&[ScriptedAnswer::Right, ScriptedAnswer::Error(ErrorCode::UNSPECIFIED)], 3),
    ] {
        let updates: [fn(SessionId) -> UpdateKeys; 2] = [UpdateKeys::all_keys, UpdateKeys::request_key];
        for (update, ends) in updates.into_iter().flat_map(|update| [(update, false), (update, true)]) {
            let (mut requester, mut scripted) = scripted(answers);
            let session = scripted.keys.session;
            assert!(requester.run(update(session), &mut scripted).is_err());
            let updating =
                |error| matches!(error, Error::Usage(Usage::Updating { session: open }) if open == session);
            assert!(requester.run(SendHeartbeat(session), &mut scripted).is_err_and(updating));
            assert!(requester.run(FetchDigests.within(session), &mut scripted).is_err_and(updating));
            assert!(requester.run(AnswerRequests::new(session), &mut scripted).is_err_and(updating));
            assert!(requester.seal_application(session, b"\x01PLDM").is_err_and(updating));
            assert!(requester.start(FetchDigests).is_ok(), "requests outside sessions are not affected");
            if ends {
                requester.run(End(session), &mut scripted).unwrap();
                continue;
            }
            scripted.updates.clear();
            requester.run(update(session), &mut scripted).unwrap();
            assert_eq!(scripted.updates.len(), rest);
            requester.run(SendHeartbeat(session), &mut scripted).unwrap();
            assert!(requester.seal_application(session, b"\x01PLDM").is_ok());
        }
    }
}

#[test]
fn responder_refuses_requests_before_verify_new_key() {
    for operation in [UPDATE_KEY, UPDATE_ALL_KEYS] {
        for ended in [false, true] {
            let (_requester, mut wire, mut keys) = in_session(Version::V1_2);
            let unexpected = [keys.version, Code::ERROR.0, ErrorCode::UNEXPECTED_REQUEST.0, 0];
            let request = keys.seal(REQUESTER, &[keys.version, Code::KEY_UPDATE.0, operation, 7]);
            let acknowledged = wire.responder.receive(&request);
            if operation == UPDATE_ALL_KEYS {
                keys.update(RESPONDER);
            }
            assert_eq!(keys.open(RESPONDER, acknowledged)[1], Code::KEY_UPDATE_ACK.0);
            // The next request uses the old key, which the responder still accepts, or the new key.
            for new in [false, true] {
                if new {
                    keys.update(REQUESTER);
                }
                for code in [Code::HEARTBEAT, Code::GET_DIGESTS, Code::GET_ENCAPSULATED_REQUEST] {
                    assert_eq!(keys.ask(&mut wire, code, 0, 0), unexpected, "{code}");
                }
                let application_record =
                    keys.keys[REQUESTER].seal(keys.session, LAYOUT, b"\x01PLDM", &mut SystemRng);
                let answer = wire.responder.receive(&Packet::Secured(application_record.unwrap()));
                assert_eq!(keys.open(RESPONDER, answer), unexpected);
            }
            let outside = wire.plain(&[keys.version, Code::GET_DIGESTS.0, 0, 0]);
            assert_eq!(outside[1], Code::DIGESTS.0, "requests outside sessions are not affected");
            if ended {
                assert_eq!(keys.ask(&mut wire, Code::END_SESSION, 0, 0)[1], Code::END_SESSION_ACK.0);
                assert_eq!(wire.responder.sessions().count(), 0);
            } else {
                let verified = keys.ask(&mut wire, Code::KEY_UPDATE, VERIFY_NEW_KEY, 8);
                assert_eq!(verified[1], Code::KEY_UPDATE_ACK.0);
                assert_eq!(keys.ask(&mut wire, Code::HEARTBEAT, 0, 0)[1], Code::HEARTBEAT_ACK.0);
            }
        }
    }
}

#[test]
fn rejects_ack_of_update_all_keys_under_old_key() {
    let (mut requester, mut scripted) = scripted(&[ScriptedAnswer::Stale]);
    let stale = requester.run(UpdateKeys::all_keys(scripted.keys.session), &mut scripted);
    assert!(matches!(stale, Err(Error::Violation { violation: Violation::KeyUpdate, .. })), "{stale:?}");
}

#[test]
fn repeats_key_update_ack_until_new_key_is_used() {
    let refused = |answer: &[u8]| answer[1..3] == [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0];
    for operation in [UPDATE_KEY, UPDATE_ALL_KEYS] {
        let (_requester, mut wire, mut keys) = in_session(Version::V1_2);
        for _ in 0..2 {
            let request = keys.seal(REQUESTER, &[keys.version, Code::KEY_UPDATE.0, operation, 7]);
            let first = wire.responder.receive(&request);
            if operation == UPDATE_ALL_KEYS {
                keys.update(RESPONDER);
            }
            let acknowledged = [keys.version, Code::KEY_UPDATE_ACK.0, operation, 7];
            assert_eq!(keys.open(RESPONDER, first), acknowledged);
            for _ in 0..2 {
                assert_eq!(keys.ask(&mut wire, Code::KEY_UPDATE, operation, 7), acknowledged);
            }
            for (other, tag) in [(operation, 8), (operation ^ 3, 7), (VERIFY_NEW_KEY, 7), (0, 7)] {
                assert!(refused(&keys.ask(&mut wire, Code::KEY_UPDATE, other, tag)), "{other} {tag}");
            }
            let next = keys.secrets[REQUESTER].update();
            let mut old_key = std::mem::replace(&mut keys.keys[REQUESTER], next.record_key(keys.aead));
            keys.secrets[REQUESTER] = next;
            for _ in 0..2 {
                let verified = keys.ask(&mut wire, Code::KEY_UPDATE, VERIFY_NEW_KEY, 9);
                assert_eq!(verified, [keys.version, Code::KEY_UPDATE_ACK.0, VERIFY_NEW_KEY, 9]);
            }
            let late = [&[5, keys.version, Code::HEARTBEAT.0][..], &[0, 0]].concat();
            let late = old_key.seal(keys.session, LAYOUT, &late, &mut SystemRng).unwrap();
            let answer = wire.responder.receive(&Packet::Secured(late));
            let Packet::Message(decrypt) = answer else { panic!("under a key") };
            assert_eq!(decrypt[1..3], [Code::ERROR.0, ErrorCode::DECRYPT_ERROR.0]);
        }
    }
}

/// A transport that drops packets.
struct Lossy {
    wire: Wire,
    /// The number of packets delivered before the next loss.
    delivered_before_loss: usize,
    /// Whether the request is lost, rather than the response.
    loses_request: bool,
}

impl Carrier for Lossy {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let lost = self.delivered_before_loss == 0;
        self.delivered_before_loss = self.delivered_before_loss.wrapping_sub(1);
        if lost && self.loses_request {
            return Err(Error::NotReady { request: Code::ERROR });
        }
        let answer = self.wire.exchange(packet);
        if lost { Err(Error::NotReady { request: Code::ERROR }) } else { answer }
    }
}

#[test]
fn recovers_from_packets_lost_in_either_direction() {
    let credential = credential(classical("P256"));
    for (binding, version, request) in [
        (Binding::Mctp, Version::V1_1, false),
        (Binding::Mctp, Version::V1_4, true),
        (Binding::PciDoe, Version::V1_2, true),
        (Binding::Tcp, Version::V1_3, false),
    ] {
        let [ours, theirs] =
            [common::REQUESTER, common::ALL].map(|flags| Config { binding, ..config(version, flags) });
        let (mut requester, mut wire) = pair_with(ours, theirs, &credential);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let mut lossy = Lossy { wire, delivered_before_loss: 0, loses_request: request };
        for update in [UpdateKeys::request_key, UpdateKeys::all_keys] {
            for drop in 0..2 {
                for _ in 0..2 {
                    lossy.delivered_before_loss = drop;
                    assert!(requester.run(update(session), &mut lossy).is_err());
                    requester.run(update(session), &mut lossy).unwrap();
                    requester.run(SendHeartbeat(session), &mut lossy).unwrap();
                }
            }
        }
        lossy.delivered_before_loss = 0;
        assert!(requester.run(SendHeartbeat(session), &mut lossy).is_err());
        requester.run(SendHeartbeat(session), &mut lossy).unwrap();
        assert!(lossy.wire.responder.sessions().eq([session]), "{binding:?} {version:?}");
    }
}

#[test]
fn refuses_verify_new_key_without_update() {
    let (_requester, mut wire, mut keys) = in_session(Version::V1_2);
    let refused = keys.ask(&mut wire, Code::KEY_UPDATE, VERIFY_NEW_KEY, 1);
    assert_eq!(refused[1..3], [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0]);
}

#[test]
fn requester_refuses_verify_new_key_without_update() {
    let (mut requester, _, mut keys) = in_session(Version::V1_2);
    let (session, version, update) = (keys.session, keys.version, Code::KEY_UPDATE.0);
    let acknowledged = |operation, tag| [version, Code::KEY_UPDATE_ACK.0, operation, tag];
    let invalid = [version, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0];
    // for each request: operation, Tag, whether the responder updates its key before it, and the expected answer
    for requests in [
        &[(VERIFY_NEW_KEY, 1, false, invalid)][..],
        &[(UPDATE_ALL_KEYS, 2, false, invalid)],
        &[(UPDATE_KEY, 3, false, acknowledged(1, 3)), (VERIFY_NEW_KEY, 4, true, acknowledged(3, 4))],
        &[(VERIFY_NEW_KEY, 5, false, invalid)],
        &[(UPDATE_KEY, 6, false, acknowledged(1, 6)), (UPDATE_KEY, 7, true, invalid)],
    ] {
        let (mut active, packet) = requester.start(AnswerRequests::new(session)).unwrap();
        assert_eq!(keys.open(REQUESTER, packet)[1], Code::GET_ENCAPSULATED_REQUEST.0);
        for (number, (operation, tag, new, answer)) in requests.iter().enumerate() {
            if *new {
                keys.update(RESPONDER);
            }
            let request = [version, update, *operation, *tag];
            let header = match number {
                0 => &[version, Code::ENCAPSULATED_REQUEST.0, 1, 0][..],
                _ => &[version, Code::ENCAPSULATED_RESPONSE_ACK.0, 2, 1, 1, 0, 0, 0],
            };
            let request = keys.seal(RESPONDER, &[header, &request].concat());
            let Step::Send(delivered) = requester.receive(&mut active, request).unwrap() else {
                panic!("done")
            };
            assert_eq!(keys.open(REQUESTER, delivered)[4..], *answer, "{operation} {tag}");
        }
        let over = [version, Code::ENCAPSULATED_RESPONSE_ACK.0, 0, 0, requests.len() as u8, 0, 0, 0];
        let over = keys.seal(RESPONDER, &over);
        assert_eq!(requester.receive(&mut active, over).is_ok(), requests.last().unwrap().3 != invalid);
    }
}

/// If ERROR in the clear had other effects, an attacker who injects one could redirect the requester or end the session.
#[test]
fn error_in_the_clear_ends_only_the_operation() {
    let (mut requester, mut scripted) = scripted(&[]);
    let session = scripted.keys.session;
    for code in (0..=u8::MAX).map(ErrorCode) {
        scripted.answers.push_back(ScriptedAnswer::Clear(code));
        let error = requester.run(SendHeartbeat(session), &mut scripted);
        assert!(matches!(error, Err(Error::Unprotected { code: got, .. }) if got == code), "{error:?}");
        assert!(scripted.answers.is_empty() && scripted.waited == 0, "{code}");
        requester.run(SendHeartbeat(session), &mut scripted).unwrap();
        requester.run(UpdateKeys::all_keys(session), &mut scripted).unwrap();
    }
}

/// The responder can no longer decrypt the session's records, and answers DecryptError under the current key.
#[test]
fn decrypt_error_in_the_session_ends_it() {
    for code in (0..=u8::MAX).map(ErrorCode) {
        let (mut requester, mut scripted) = scripted(&[]);
        let session = scripted.keys.session;
        scripted.answers.push_back(ScriptedAnswer::Error(code));
        let _ = requester.run(SendHeartbeat(session), &mut scripted);
        let ends = matches!(code, ErrorCode::DECRYPT_ERROR | ErrorCode::REQUEST_RESYNCH);
        assert_eq!(requester.sessions().next().is_none(), ends, "{code}");
    }
}
