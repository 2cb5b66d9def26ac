//! Operations that go on packet by packet: when they are over.

use crate::common::{Wire, classical, credential, pair};
use grille_spdm_codec::Version;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::flight::Step;
use grille_spdm_engine::operations::{Connect, FetchCertificate, FetchDigests, Prove};
use grille_spdm_engine::requester::{Carrier, Requester};

/// A connection in which nothing is known of the responder.
fn connected(version: Version) -> (Requester, Wire) {
    let (mut requester, mut wire) = pair(version, &credential(classical("P256")));
    requester.run(Connect::new(), &mut wire).unwrap();
    (requester, wire)
}

fn misused<T>(step: &Result<Step<T>, Error>, how: Usage) -> bool {
    matches!(step, Err(Error::Usage(usage)) if *usage == how)
}

#[test]
fn an_operation_that_is_over_takes_nothing_more() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    let (mut flight, packet) = requester.start(FetchDigests).unwrap();
    let answer = wire.exchange(packet).unwrap();
    assert!(misused(&requester.resume(&mut flight), Usage::NothingToSign));
    assert!(matches!(requester.receive(&mut flight, answer.clone()), Ok(Step::Done(_))));
    assert!(misused(&requester.receive(&mut flight, answer), Usage::Over));
    assert!(misused(&requester.resume(&mut flight), Usage::Over));
    // and it went into transcripts once
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(Prove::new(0, 0), &mut wire).unwrap();
}

#[test]
fn an_operation_that_failed_takes_nothing_more() {
    let (mut requester, mut wire) = connected(Version::V1_2);
    let (mut flight, packet) = requester.start(Connect::new()).unwrap();
    let answer = wire.exchange(packet).unwrap();
    let failed = requester.receive(&mut flight, Packet::Message(Vec::new()));
    assert!(matches!(failed, Err(Error::Malformed { .. })), "{failed:?}");
    assert!(misused(&requester.receive(&mut flight, answer), Usage::Over));
    assert!(misused(&requester.resume(&mut flight), Usage::Over));
}
