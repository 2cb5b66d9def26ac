//! Refused and abandoned requests end transcripts on both sides or on neither, so that the next signature is valid.

use crate::common::{self, Wire, classical, config, credential, delayable, refused};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerRequests, ChallengeResponder, Connect, FetchCertificate, FetchCsr, FetchDigests, Measure,
    OpenSession, SendHeartbeat, SetChain, VendorRequest,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::Roots;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A device with measurements that is always busy when asked for a CSR.
struct BusyDevice;

impl Device for BusyDevice {
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        common::Sample.measurements(pending)
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, _: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::new(ErrorCode::BUSY))
    }
}

/// Connects both sides and fetches the chain. The responder's signer can sign only while the returned flag is set.
fn connected(version: Version) -> (Requester, Wire, Arc<AtomicBool>) {
    let (credential, signs) = (credential(classical("P256")), Arc::new(AtomicBool::new(true)));
    let more = Caps::ENCAP | Caps::SET_CERT | Caps::CSR;
    let theirs = Config { patience: Duration::from_millis(100), ..config(version, common::REQUESTER | more) };
    let judge = Box::new(Roots::new(vec![credential.root.clone()]));
    let mut requester = Requester::new(theirs, Identity::default(), judge);
    let allowed = signs.clone();
    let signer = delayable(&credential.signer, move || Ok(allowed.load(Ordering::Relaxed)));
    let identity = Identity::default().with(Slot::new(0, credential.chain.clone(), signer));
    let responder = Responder::new(config(version, common::ALL | more), identity, Box::new(BusyDevice));
    let mut wire = Wire::new(responder);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, signs)
}

fn vendor() -> VendorRequest {
    VendorRequest { standard_id: 3, vendor_id: vec![1, 2], data: vec![3] }
}

#[test]
fn unsupported_requests_keep_measurement_transcripts_equal() {
    for version in Version::ALL {
        let (mut requester, mut wire, _) = connected(version);
        let [one, all] = [Measure::new(1), Measure::all_signed(0)];
        requester.run(one, &mut wire).unwrap();
        assert_eq!(refused(requester.run(vendor(), &mut wire)), ErrorCode::UNSUPPORTED_REQUEST);
        requester.run(all, &mut wire).unwrap();
        if version == Version::V1_0 {
            continue;
        }
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(one.within(session), &mut wire).unwrap();
        assert_eq!(
            refused(requester.run(vendor().within(session), &mut wire)),
            ErrorCode::UNSUPPORTED_REQUEST
        );
        requester.run(all.within(session), &mut wire).unwrap();
    }
}

#[test]
fn unexpected_requests_keep_measurement_transcripts_equal() {
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        let (mut requester, mut wire, _) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        let put = SetChain::new(0, vec![1; 40]);
        assert_eq!(refused(requester.run(put, &mut wire)), ErrorCode::UNEXPECTED_REQUEST);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        // a processed request ends L1/L2 on both sides
        requester.run(Measure::new(1), &mut wire).unwrap();
        let chain = FetchCertificate::new(3);
        assert_eq!(refused(requester.run(chain, &mut wire)), ErrorCode::INVALID_REQUEST);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
    }
}

#[test]
fn missing_encapsulated_requests_keep_certificate_transcripts_equal() {
    for version in [Version::V1_1, Version::V1_2, Version::V1_3, Version::V1_4] {
        for inside in [false, true] {
            let (mut requester, mut wire, _) = connected(version);
            let session = inside.then(|| requester.run(OpenSession::new(0), &mut wire).unwrap());
            requester.run(FetchDigests, &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            let listen = session.map_or(AnswerRequests::outside_sessions(), AnswerRequests::new);
            let nothing = if version < Version::V1_3 {
                ErrorCode::UNEXPECTED_REQUEST
            } else {
                ErrorCode::NO_PENDING_REQUESTS
            };
            assert_eq!(refused(requester.run(listen, &mut wire)), nothing);
            requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
        }
    }
}

#[test]
fn abandoned_requests_keep_measurement_transcripts_equal() {
    for version in [Version::V1_2, Version::V1_4] {
        let (mut requester, mut wire, signs) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        signs.store(false, Ordering::Relaxed);
        let given_up = requester.run(ChallengeResponder::new(0, 0), &mut wire);
        assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
        signs.store(true, Ordering::Relaxed);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        requester.run(Measure::new(1), &mut wire).unwrap();
        let given_up = requester.run(FetchCsr::default(), &mut wire);
        assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        // the fetched chain is still the one that is authenticated
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    }
}

/// Sends a request, and abandons the operation although the responder has answered.
fn lose(requester: &mut Requester, wire: &mut Wire, operation: impl Operation) {
    let (active, packet) = requester.start(operation).unwrap();
    wire.exchange(packet).unwrap();
    requester.abandon(active);
}

/// Checks that the signature is invalid. Returns whether the error says that an earlier response was lost.
fn is_missed_signature<T: std::fmt::Debug>(outcome: Result<T, Error>) -> bool {
    match outcome {
        Err(Error::Signature { missed, .. }) => missed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn at_most_one_invalid_signature_after_a_lost_measurement() {
    for version in Version::ALL {
        let (mut requester, mut wire, _) = connected(version);
        for _ in 0..2 {
            requester.run(Measure::new(1), &mut wire).unwrap();
            lose(&mut requester, &mut wire, Measure::new(2));
            assert!(is_missed_signature(requester.run(Measure::all_signed(0), &mut wire)));
            requester.run(Measure::all_signed(0), &mut wire).unwrap();
        }
        // The signature is valid if another request was answered before the signed one.
        requester.run(Measure::new(1), &mut wire).unwrap();
        lose(&mut requester, &mut wire, Measure::new(2));
        requester.run(FetchDigests, &mut wire).unwrap();
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
    }
}

#[test]
fn at_most_one_invalid_challenge_after_lost_digests() {
    for version in Version::ALL {
        let (mut requester, mut wire, _) = connected(version);
        lose(&mut requester, &mut wire, FetchDigests);
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        assert!(is_missed_signature(requester.run(ChallengeResponder::new(0, 0), &mut wire)));
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
        // The signature is valid if the digests were fetched again.
        lose(&mut requester, &mut wire, FetchDigests);
        requester.run(FetchDigests, &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    }
}

#[test]
fn altered_signature_is_not_a_missed_response() {
    let (mut requester, mut wire, _) = connected(Version::V1_2);
    requester.run(FetchDigests, &mut wire).unwrap();
    for measures in [false, true] {
        let altered = |answer| {
            let Packet::Message(mut message) = answer else { panic!("in the clear") };
            *message.last_mut().unwrap() ^= 1;
            Packet::Message(message)
        };
        if measures {
            requester.run(Measure::new(1), &mut wire).unwrap();
            let (mut active, packet) = requester.start(Measure::all_signed(0)).unwrap();
            let answer = altered(wire.exchange(packet).unwrap());
            assert!(!is_missed_signature(requester.receive(&mut active, answer)));
        } else {
            let (mut active, packet) = requester.start(ChallengeResponder::new(0, 0)).unwrap();
            let answer = altered(wire.exchange(packet).unwrap());
            assert!(!is_missed_signature(requester.receive(&mut active, answer)));
        }
        // both sides ended the transcript of the invalid signature
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
    }
}

#[test]
fn new_connection_clears_missed_responses() {
    let (mut requester, mut wire, _) = connected(Version::V1_2);
    lose(&mut requester, &mut wire, FetchDigests);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let (mut active, packet) = requester.start(ChallengeResponder::new(0, 0)).unwrap();
    let Packet::Message(mut message) = wire.exchange(packet).unwrap() else { panic!("in the clear") };
    *message.last_mut().unwrap() ^= 1;
    assert!(!is_missed_signature(requester.receive(&mut active, Packet::Message(message))));
}

/// Sends twice each packet that carriers may retransmit, according to [`Carrier::exchange`].
#[test]
fn accepts_documented_retransmissions() {
    let (mut requester, mut wire, _) = connected(Version::V1_2);
    let mut twice = RetransmittingWire(&mut wire);
    requester.run(Connect::new(), &mut twice).unwrap();
    requester.run(FetchDigests, &mut twice).unwrap();
    requester.run(FetchCertificate::new(0), twice.0).unwrap();
    requester.run(ChallengeResponder::new(0, 0), twice.0).unwrap();
    let session = requester.run(OpenSession::new(0), twice.0).unwrap();
    requester.run(Measure::new(1).within(session), &mut twice).unwrap();
    requester.run(Measure::all_signed(0).within(session), &mut twice).unwrap();
    // the same operation sends the same record again
    lose(&mut requester, &mut wire, SendHeartbeat(session));
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
    requester.run(Measure::all_signed(0).within(session), &mut wire).unwrap();
}

/// A transport that sends every packet twice.
struct RetransmittingWire<'w>(&'w mut Wire);

impl Carrier for RetransmittingWire<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        self.0.exchange(packet.clone())?;
        self.0.exchange(packet)
    }
}
