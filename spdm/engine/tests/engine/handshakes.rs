//! Handshakes that fail, and failures during a handshake.

use crate::common::{Wire, classical, credential};
use crate::sessions::{CLEAR, before_finish, configs, connected, error};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{End, FetchCertificate, FetchDigests, OpenSession, SendHeartbeat};
use grille_spdm_engine::requester::{Carrier, Requester};

#[test]
fn invalid_mac_ends_the_handshake() {
    let credential = credential(classical("P256"));
    for more in [Caps::NONE, CLEAR] {
        let (requester, responder) = configs(Version::V1_2, more, Caps::NONE);
        let (mut requester, mut wire) = connected(requester, responder, &credential);
        let (mut active, packet) = requester.start(OpenSession::new(0)).unwrap();
        let answer = wire.responder.receive(&packet);
        let Packet::Message(mut response) = answer else { panic!("no message") };
        let at = response.len() - 1;
        response[at] ^= 1;
        let wrong = requester.receive(&mut active, Packet::Message(response));
        // If the handshake is in the clear, the last field of KEY_EXCHANGE_RSP is the signature; otherwise it is
        // VerifyData.
        match wrong {
            Err(Error::VerifyData { .. }) => assert_eq!(more, Caps::NONE),
            Err(Error::Signature { .. }) => assert_eq!(more, CLEAR),
            other => panic!("{other:?}"),
        }
        assert!(requester.sessions().next().is_none());
        // the responder's session with an incomplete handshake does not prevent another session
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(End(session), &mut wire).unwrap();
    }
}

/// A carrier that fails after this number of exchanges.
struct FailingCarrier<'w>(&'w mut Wire, u8);

impl Carrier for FailingCarrier<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        self.1 = self.1.checked_sub(1).ok_or(Usage::NoResponseExpected)?;
        self.0.exchange(packet)
    }
}

/// A function that runs between KEY_EXCHANGE and FINISH.
type Interruption = fn(&mut Requester, &mut Wire);

#[test]
fn failed_operations_outside_a_handshake_do_not_end_it() {
    let credential = credential(classical("P256"));
    let refused = |requester: &mut Requester, wire: &mut Wire| {
        let refused = requester.run(FetchCertificate::new(5), wire);
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
    };
    let lost = |requester: &mut Requester, wire: &mut Wire| {
        requester.run(FetchDigests, &mut FailingCarrier(wire, 0)).unwrap_err();
    };
    // Opening another session fails, first before that session has an ID, and then after it has one.
    let other = |requester: &mut Requester, wire: &mut Wire| {
        for exchanges in [0, 1] {
            requester.run(OpenSession::new(0), &mut FailingCarrier(wire, exchanges)).unwrap_err();
        }
    };
    // FINISH in the clear belongs to the session that was opened last, so `other` runs only with encrypted handshakes.
    let cases: [(Caps, Interruption); 5] =
        [(Caps::NONE, refused), (CLEAR, refused), (Caps::NONE, lost), (CLEAR, lost), (Caps::NONE, other)];
    for (more, between) in cases {
        let (requester, responder) = configs(Version::V1_2, more, Caps::NONE);
        let (mut requester, mut wire) = connected(requester, responder, &credential);
        let (mut active, finish) = before_finish(&mut requester, &mut wire);
        between(&mut requester, &mut wire);
        let answer = wire.exchange(finish).unwrap();
        let step = requester.receive(&mut active, answer).unwrap();
        let Step::Done(session) = step else { panic!("{step:?}") };
        assert!(requester.sessions().eq([session]));
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
}

#[test]
fn lost_finish_ends_the_session() {
    let credential = credential(classical("P256"));
    let (requester, responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let other = requester.run(OpenSession::new(0), &mut wire).unwrap();
    requester.run(OpenSession::new(0), &mut FailingCarrier(&mut wire, 1)).unwrap_err();
    let sealed = requester.seal_message(wire.opened_session(), b"FINISH");
    assert!(matches!(sealed, Err(Error::Usage(Usage::NoSession { .. }))), "{sealed:?}");
    requester.run(SendHeartbeat(other), &mut wire).unwrap();
}

#[test]
fn operation_can_be_abandoned_at_any_step() {
    let credential = credential(classical("P256"));
    let (requester, responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let (active, _) = before_finish(&mut requester, &mut wire);
    requester.seal_message(wire.opened_session(), b"FINISH").unwrap();
    requester.abandon(active);
    let sealed = requester.seal_message(wire.opened_session(), b"FINISH");
    assert!(matches!(sealed, Err(Error::Usage(Usage::NoSession { .. }))), "{sealed:?}");
}

#[test]
fn finish_with_invalid_mac_gets_decrypt_error() {
    let credential = credential(classical("P256"));
    let (requester, responder) = configs(Version::V1_2, CLEAR, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let (_, Packet::Message(finish)) = before_finish(&mut requester, &mut wire) else { panic!("sealed") };
    for len in 0..finish.len() {
        let answer = wire.responder.receive(&Packet::Message(finish[..len].to_vec()));
        assert_eq!(error(&answer), Some(ErrorCode::INVALID_REQUEST.0), "{len}");
    }
    let mut altered = finish.clone();
    *altered.last_mut().unwrap() ^= 1;
    let answer = wire.responder.receive(&Packet::Message(altered));
    assert_eq!(error(&answer), Some(ErrorCode::DECRYPT_ERROR.0));
    // the session has ended with the error
    let answer = wire.responder.receive(&Packet::Message(finish));
    assert_eq!(error(&answer), Some(ErrorCode::SESSION_REQUIRED.0));
}
