//! A requester in a session that the test answers in the responder's place: busy, unwilling, or as somebody else.
#![cfg(feature = "std")]

mod common;

use common::{Wire, classical, config, credential, pair_with};
use grille_core::{SecretBytes, SystemRng};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::{KeyLog, Packet};
use grille_spdm_engine::error::{Error, Violation};
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::operations::{Beat, Connect, FetchCertificate, OpenSession, Update};
use grille_spdm_engine::records::{Aead, Layout, RecordKey};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::session::SessionId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a request is answered.
#[derive(Clone, Copy)]
enum Answer {
    /// With ERROR, in the session.
    Error(ErrorCode),
    /// With ERROR in the clear.
    Clear(ErrorCode),
    /// KEY_UPDATE with its ACK, under the key that it should have replaced.
    Stale,
}

/// Who has the session's keys and answers in it: as the standard says when nothing is left of `answers`.
struct Puppet {
    session: SessionId,
    version: u8,
    aead: &'static Aead,
    /// The requester's and the responder's.
    secrets: [TrafficSecret<Application>; 2],
    keys: [RecordKey; 2],
    answers: VecDeque<Answer>,
    waited: usize,
}

const LAYOUT: Layout = Layout { sequence_len: 2, padding: 0, encrypted: true };
const UPDATE_KEY: u8 = 1;
const UPDATE_ALL_KEYS: u8 = 2;

impl Puppet {
    fn update(&mut self, side: usize) {
        self.secrets[side] = self.secrets[side].update();
        self.keys[side] = self.secrets[side].record_key(self.aead);
    }

    fn seal(&mut self, message: &[u8]) -> Packet {
        let inside = [&[5], message].concat();
        Packet::Secured(self.keys[1].seal(self.session, LAYOUT, &inside, &mut SystemRng).unwrap())
    }

    /// HEARTBEAT_ACK and KEY_UPDATE_ACK.
    fn acknowledge(&mut self, request: &[u8], stale: bool) -> Packet {
        let update = Code(request[1]) == Code::KEY_UPDATE;
        let all = update && request[2] == UPDATE_ALL_KEYS;
        if all && !stale {
            self.update(1);
        }
        let answer = self.seal(&[request[0], request[1] & 0x7F, request[2], request[3]]);
        if all || update && request[2] == UPDATE_KEY {
            self.update(0);
        }
        answer
    }
}

impl Carrier for Puppet {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let Packet::Secured(record) = packet else { panic!("in the clear: {packet:?}") };
        let request = self.keys[0].open(LAYOUT, &record).expect("both sides have the same key");
        let error = |code: ErrorCode| vec![self.version, Code::ERROR.0, code.0, 0];
        Ok(match self.answers.pop_front() {
            None => self.acknowledge(&request[1..], false),
            Some(Answer::Stale) => self.acknowledge(&request[1..], true),
            Some(Answer::Error(code)) => self.seal(&error(code)),
            Some(Answer::Clear(code)) => Packet::Message(error(code)),
        })
    }

    fn wait(&mut self, _time: Duration) {
        self.waited += 1;
    }
}

/// A requester in a session, and who answers from now on.
fn puppet(answers: &[Answer]) -> (Requester, Puppet) {
    let [mut ours, theirs] = [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags));
    let told: Arc<Mutex<Vec<SecretBytes>>> = Arc::default();
    let log = told.clone();
    ours.key_log = Some(KeyLog(Arc::new(move |_, name, secret| {
        if name.ends_with("data_secret") {
            log.lock().unwrap().push(secret.as_ref().into());
        }
    })));
    let (mut requester, mut wire): (_, Wire) = pair_with(ours, theirs, &credential(classical("P256")));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let (algorithms, version) =
        (requester.connection().negotiated().unwrap().algorithms, Version::V1_2.byte());
    let aead = algorithms.aead.unwrap();
    let secrets = [0, 1].map(|side| {
        let secret = told.lock().unwrap()[side].as_ref().into();
        TrafficSecret::of_key_log(algorithms.hash, version, secret)
    });
    let keys = [0, 1].map(|side: usize| secrets[side].record_key(aead));
    let answers = answers.iter().copied().collect();
    (requester, Puppet { session, version, aead, secrets, keys, answers, waited: 0 })
}

#[test]
fn key_update_that_a_busy_responder_puts_off_changes_keys_once() {
    for update in [Update::all_keys, Update::request_key] {
        let busy = Answer::Error(ErrorCode::BUSY);
        let (mut requester, mut puppet) = puppet(&[busy, busy]);
        let session = puppet.session;
        for _ in 0..2 {
            requester.run(update(session), &mut puppet).unwrap();
            requester.run(Beat(session), &mut puppet).unwrap();
            assert_eq!(puppet.waited, 2);
        }
    }
}

#[test]
fn key_update_that_is_refused_changes_no_key() {
    for update in [Update::all_keys, Update::request_key] {
        let (mut requester, mut puppet) = puppet(&[Answer::Error(ErrorCode::UNSPECIFIED)]);
        let session = puppet.session;
        let refused = requester.run(update(session), &mut puppet);
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
        for _ in 0..2 {
            requester.run(Beat(session), &mut puppet).unwrap();
            requester.run(update(session), &mut puppet).unwrap();
        }
    }
}

#[test]
fn key_update_of_all_keys_is_not_acknowledged_under_the_old_one() {
    let (mut requester, mut puppet) = puppet(&[Answer::Stale]);
    let stale = requester.run(Update::all_keys(puppet.session), &mut puppet);
    assert!(matches!(stale, Err(Error::Violation { violation: Violation::KeyUpdate, .. })), "{stale:?}");
}

/// Whoever can put a message between the two would otherwise have a session's requests sent again, fetched from elsewhere
/// or given up for ever.
#[test]
fn error_in_the_clear_ends_an_operation_and_nothing_else() {
    let (mut requester, mut puppet) = puppet(&[]);
    let session = puppet.session;
    for code in (0..=u8::MAX).map(ErrorCode) {
        puppet.answers.push_back(Answer::Clear(code));
        let error = requester.run(Beat(session), &mut puppet);
        assert!(matches!(error, Err(Error::Unprotected { code: got, .. }) if got == code), "{error:?}");
        assert!(puppet.answers.is_empty() && puppet.waited == 0, "{code}");
        requester.run(Beat(session), &mut puppet).unwrap();
        requester.run(Update::all_keys(session), &mut puppet).unwrap();
    }
}
