//! Responders that try to keep a requester busy forever, or to mislead it.

use crate::common::{self, Wire, classical, config, credential, pair_with, post_quantum};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage, Violation};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerRequests, Connect, FetchCertificate, FetchDigests, OpenSession, SendHeartbeat,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use std::time::Duration;

/// A transport that alters the responses and counts the packets.
pub(crate) struct AlteringWire<F> {
    pub(crate) wire: Wire,
    pub(crate) alter: F,
    pub(crate) packets: usize,
}

impl<F: FnMut(&mut Vec<u8>)> Carrier for AlteringWire<F> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        self.packets += 1;
        let mut answer = self.wire.exchange(packet)?;
        if let Packet::Message(message) = &mut answer {
            (self.alter)(message);
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: Duration) {}
}

/// Runs an operation with altered responses. Returns its error and the number of packets that it sent.
pub(crate) fn run_altered<O: Operation>(
    (mut requester, mut wire): (Requester, Wire),
    operation: O,
    alter: impl FnMut(&mut Vec<u8>),
) -> (Error, usize) {
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let mut altering_wire = AlteringWire { wire, alter, packets: 0 };
    let error = requester.run(operation, &mut altering_wire).err().expect("the altered responses must fail");
    (error, altering_wire.packets)
}

fn pair(version: Version) -> (Requester, Wire) {
    let [requester, responder] = [common::REQUESTER, common::ALL].map(|flags| config(version, flags));
    pair_with(requester, responder, &credential(classical("P256")))
}

#[test]
fn gives_up_after_endless_large_responses() {
    let (error, packets) = run_altered(pair(Version::V1_2), FetchDigests, |message| {
        *message = vec![message[0], 0x7F, ErrorCode::LARGE_RESPONSE.0, 0, 7];
    });
    assert!(matches!(error, Error::Violation { violation: Violation::Chunk, .. }), "{error:?}");
    assert!(packets < 20, "{packets}");
}

#[test]
fn reconnects_to_responder_without_connection() {
    let (mut requester, mut wire) = pair(Version::V1_2);
    requester.run(Connect::new(), &mut wire).unwrap();
    let resynch = |requester: &mut Requester, wire: Wire| {
        let code = ErrorCode::REQUEST_RESYNCH;
        let alter = |message: &mut Vec<u8>| *message = vec![message[0], 0x7F, code.0, 0];
        let mut altering_wire = AlteringWire { wire, alter, packets: 0 };
        let refused = requester.run(FetchDigests, &mut altering_wire);
        assert!(matches!(refused, Err(Error::Refused { code: got, .. }) if got == code), "{refused:?}");
        altering_wire.wire
    };
    let mut wire = resynch(&mut requester, wire);
    let before = requester.run(FetchDigests, &mut wire);
    assert!(matches!(before, Err(Error::Usage(Usage::NotConnected))), "{before:?}");
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    // ERROR in the clear is unauthenticated, so it does not end the session
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let mut wire = resynch(&mut requester, wire);
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
}

#[test]
fn gives_up_after_endless_encapsulated_requests() {
    let flags = Caps::ENCAP | Caps::MUT_AUTH;
    let [ours, theirs] = [common::REQUESTER, common::ALL].map(|base| config(Version::V1_2, base | flags));
    let pair = pair_with(ours, theirs, &credential(classical("P256")));
    let mut header = vec![0x12, Code::ENCAPSULATED_REQUEST.0, 1, 0];
    let (error, packets) = run_altered(pair, AnswerRequests::outside_sessions(), |message| {
        let next = vec![0x12, Code::ENCAPSULATED_RESPONSE_ACK.0, 1, 1, 1, 0, 0, 0];
        *message = std::mem::replace(&mut header, next);
        message.extend([0x12, Code::GET_DIGESTS.0, 0, 0]);
    });
    assert!(matches!(error, Error::Violation { violation: Violation::Encapsulated, .. }), "{error:?}");
    assert!(packets < 10_000, "{packets}");
}

#[test]
fn gives_up_on_responder_that_is_never_ready() {
    // RDTExponent 0 announces a delay of one microsecond
    let (error, packets) = run_altered(pair(Version::V1_2), FetchDigests, |message| {
        *message = vec![message[0], 0x7F, ErrorCode::RESPONSE_NOT_READY.0, 0, 0, 0x81, 1, 2];
    });
    assert!(matches!(error, Error::NotReady { .. }), "{error:?}");
    assert!(packets <= 60_001, "{packets}");
    // RDTExponent 0xFF announces a delay longer than a duration can express
    let (error, packets) = run_altered(pair(Version::V1_2), FetchDigests, |message| {
        *message = vec![message[0], 0x7F, ErrorCode::RESPONSE_NOT_READY.0, 0, 0xFF, 0x81, 1, 2];
    });
    assert!(matches!(error, Error::NotReady { .. }) && packets == 1, "{error:?}");
    // The first error names another request. The others announce, by RDTM 1 and 0, that the responder drops the
    // response as soon as it is ready.
    for [code, rdtm] in [[0x82, 2], [0x81, 1], [0x81, 0]] {
        let (error, packets) = run_altered(pair(Version::V1_2), FetchDigests, |message| {
            *message = vec![message[0], 0x7F, ErrorCode::RESPONSE_NOT_READY.0, 0, 0, code, 1, rdtm];
        });
        let wrong = matches!(error, Error::Violation { violation: Violation::ErrorData, .. });
        assert!(wrong && packets == 1, "{error:?}");
    }
}

#[test]
fn rejects_ack_of_another_chunk() {
    let [requester, mut responder] =
        [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_4, flags));
    responder.limits.data_transfer_size = 42;
    let pair = pair_with(requester, responder, &credential(post_quantum("ML-DSA-44")));
    let (error, _) = run_altered(pair, OpenSession::new(0), |message| {
        if message[1] == 0x05 {
            message[4..8].fill(0xFF);
        }
    });
    assert!(matches!(error, Error::Violation { violation: Violation::Chunk, .. }), "{error:?}");
}
