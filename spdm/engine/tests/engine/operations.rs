//! Operations that run packet by packet: retry delays, and misuse of operations that have ended.

use crate::common::{Wire, classical, credential, pair};
use crate::sessions::before_finish;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, OpenSession, SendHeartbeat,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use std::time::Duration;

/// Connects both sides without fetching anything.
fn connected(version: Version) -> (Requester, Wire) {
    let (mut requester, mut wire) = pair(version, &credential(classical("P256")));
    requester.run(Connect::new(), &mut wire).unwrap();
    (requester, wire)
}

fn misused<T>(step: &Result<Step<T>, Error>, how: Usage) -> bool {
    matches!(step, Err(Error::Usage(usage)) if *usage == how)
}

#[test]
fn completed_operation_rejects_further_input() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    let (mut active, packet) = requester.start(FetchDigests).unwrap();
    let answer = wire.exchange(packet).unwrap();
    assert!(misused(&requester.resume(&mut active), Usage::NoSignaturePending));
    assert!(matches!(requester.receive(&mut active, answer.clone()), Ok(Step::Done(_))));
    assert!(misused(&requester.receive(&mut active, answer), Usage::OperationEnded));
    assert!(misused(&requester.resume(&mut active), Usage::OperationEnded));
    // the response was appended to transcripts once
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
}

#[test]
fn failed_operation_rejects_further_input() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    let (mut active, packet) = requester.start(Connect::new()).unwrap();
    let answer = wire.exchange(packet).unwrap();
    let failed = requester.receive(&mut active, Packet::Message(Vec::new()));
    assert!(matches!(failed, Err(Error::Malformed { .. })), "{failed:?}");
    assert!(misused(&requester.receive(&mut active, answer), Usage::OperationEnded));
    assert!(misused(&requester.resume(&mut active), Usage::OperationEnded));
}

/// A transport to a responder that is always busy. Records how long the requester waits before each retry.
#[derive(Default)]
struct BusyCarrier(Vec<Duration>);

impl Carrier for BusyCarrier {
    type Error = Error;

    fn exchange(&mut self, _: Packet) -> Result<Packet, Error> {
        Ok(Packet::Message(vec![0x12, Code::ERROR.0, ErrorCode::BUSY.0, 0]))
    }

    fn wait(&mut self, time: Duration) {
        self.0.push(time);
    }
}

#[test]
fn backs_off_from_busy_responder() {
    let (mut requester, _) = connected(Version::V1_2);
    let mut busy = BusyCarrier::default();
    let given_up = requester.run(FetchDigests, &mut busy);
    assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
    let millis: Vec<_> = busy.0.iter().map(Duration::as_millis).collect();
    assert_eq!(millis[..9], [10, 10, 20, 40, 80, 160, 320, 640, 1000]);
    let all: Duration = busy.0.iter().sum();
    assert!(all <= Duration::from_mins(1) && all > Duration::from_secs(59), "{all:?}");
}

/// If END_SESSION_ACK is lost, the responder no longer has the session. So no record can end the session on the
/// requester's side, but [`Requester::forget_session`] can.
#[test]
fn forgets_session_after_lost_end_session_ack() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let [session, other] = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
    let (active, packet) = requester.start(End(session)).unwrap();
    wire.exchange(packet).unwrap();
    requester.abandon(active);
    let again = requester.run(End(session), &mut wire);
    assert!(matches!(again, Err(Error::Unprotected { .. })), "{again:?}");
    assert!(requester.export_secret(session).is_some());
    requester.forget_session(session);
    assert!(requester.export_secret(session).is_none() && requester.sessions().eq([other]));
    requester.forget_session(session);
    requester.run(SendHeartbeat(other), &mut wire).unwrap();
}

#[test]
fn forgotten_handshake_does_not_continue() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let (mut active, finish) = before_finish(&mut requester, &mut wire);
    let session = wire.opened_session();
    requester.forget_session(session);
    let answer = wire.exchange(finish).unwrap();
    let gone = requester.receive(&mut active, answer);
    assert!(matches!(gone, Err(Error::Usage(Usage::NoSession { session: id })) if id == session));
}
