//! Negotiation, certificates, challenge and measurements, with requester and responder in one thread.

use crate::common::{self, Credential, classical, config, credential, measurements, pair, pair_with};
use grille_registry::Row;
use grille_spdm_codec::Version;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::{Asym, CLASSICAL, post_quantum};
use grille_spdm_engine::connection::Phase;
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement, measurement_hash};
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::hash::{HASHES, Hash};
use grille_spdm_engine::operations::{ChallengeResponder, Connect, FetchCertificate, FetchDigests, Measure};
use grille_spdm_engine::responder::Responder;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

fn attest(version: Version, credential: &Credential) {
    let (mut requester, mut wire) = pair(version, credential);
    requester.run(Connect::new(), &mut wire).unwrap();
    assert_eq!(requester.connection().version(), version);
    assert_eq!(requester.connection().phase(), Phase::Negotiated);
    let digests = requester.run(FetchDigests, &mut wire).unwrap();
    assert_eq!(digests.iter().map(|slot| slot.slot).collect::<Vec<_>>(), [0]);
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let all = requester.run(ChallengeResponder::new(0, 0xFF), &mut wire).unwrap();
    let tcb = requester.run(ChallengeResponder::new(0, 1), &mut wire).unwrap();
    let none = requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    assert_ne!(all.summary_hash, tcb.summary_hash);
    assert!(none.summary_hash.is_empty());
    measure(&mut requester, &mut wire);
    // Attest again over a second connection.
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
}

fn measure(requester: &mut grille_spdm_engine::requester::Requester, wire: &mut common::Wire) {
    let count = requester.run(Measure::new(0), wire).unwrap();
    assert_eq!((count.total, count.blocks.len()), (3, 0));
    for expected in measurements() {
        let one = requester.run(Measure::new(expected.index), wire).unwrap();
        assert_eq!(one.blocks[0].kind, expected.kind);
    }
    let last = requester.run(Measure::new(2).signed(0), wire).unwrap();
    assert_eq!(last.blocks.len(), 1);
    let signed = requester.run(Measure::all_signed(0), wire).unwrap();
    assert_eq!(signed.blocks.len(), 3);
    let raw = requester.run(Measure::all_signed(0).raw(), wire).unwrap();
    assert_eq!(raw.blocks[2], signed.blocks[2]);
    let early = requester.connection().version() < Version::V1_2;
    assert_eq!(raw.blocks[0].value == vec![1; 100], !early);
}

#[test]
fn every_version_attests_with_p384() {
    let credential = credential(classical("P384"));
    Version::ALL.into_iter().for_each(|version| attest(version, &credential));
}

#[test]
fn every_classical_algorithm_attests() {
    for row in CLASSICAL {
        let credential = credential(Asym::Classical(row));
        attest(Version::V1_1, &credential);
        attest(Version::V1_2, &credential);
    }
}

#[test]
fn post_quantum_algorithms_attest_in_1_4() {
    let quick = post_quantum().filter(|(_, row)| !row.name().ends_with('s'));
    quick.for_each(|(_, row)| attest(Version::V1_4, &credential(Asym::PostQuantum(row))));
}

#[test]
#[ignore = "small signatures of SLH-DSA: half a minute"]
fn post_quantum_algorithms_that_sign_slowly_attest_in_1_4() {
    let slow = post_quantum().filter(|(_, row)| row.name().ends_with('s'));
    slow.for_each(|(_, row)| attest(Version::V1_4, &credential(Asym::PostQuantum(row))));
}

#[test]
fn rejects_chain_of_another_root() {
    let (ours, others) = (credential(classical("P384")), credential(classical("P384")));
    let (requester, _) = pair(Version::V1_2, &others);
    let (_, mut wire) = pair(Version::V1_2, &ours);
    let mut requester = requester;
    requester.run(Connect::new(), &mut wire).unwrap();
    let refused = requester.run(FetchCertificate::new(0), &mut wire);
    assert!(matches!(refused, Err(Error::Untrusted(_))), "{refused:?}");
    let early = requester.run(ChallengeResponder::new(0, 0), &mut wire);
    assert!(matches!(early, Err(Error::Usage(Usage::NoChain { slot: 0 }))), "{early:?}");
}

#[test]
fn reports_missing_common_algorithms() {
    let device = credential(classical("P384"));
    let (mut requester, mut wire) =
        pair_with(config(Version::V1_2, common::REQUESTER), config(Version::V1_1, common::ALL), &device);
    let refused = requester.run(Connect::new(), &mut wire);
    assert!(matches!(refused, Err(Error::NothingInCommon { .. })), "{refused:?}");

    let mut requester_config = config(Version::V1_2, common::REQUESTER);
    requester_config.algorithms.asym = 1 << 4;
    let (mut requester, mut wire) = pair_with(requester_config, config(Version::V1_2, common::ALL), &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let error = requester.run(FetchDigests, &mut wire).unwrap_err().to_string();
    assert!(error.contains("no signature algorithm for the responder in common"), "{error}");
}

#[test]
fn rejects_unnegotiated_operations() {
    let device = credential(classical("P384"));
    let (mut requester, mut wire) = pair(Version::V1_2, &device);
    let early = requester.run(FetchDigests, &mut wire);
    assert!(matches!(early, Err(Error::Usage(Usage::NotConnected))), "{early:?}");
    assert!(wire.log.is_empty());
    let missing = requester.run(Measure::new(3), &mut wire);
    assert!(matches!(missing, Err(Error::Usage(Usage::NotConnected))), "{missing:?}");
}

/// The requester rejects a signed response with an altered byte, because the signature covers the byte or another check
/// fails.
#[test]
fn rejects_every_altered_byte() {
    let device = credential(classical("P256"));
    let (mut requester, mut wire) = pair(Version::V1_3, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let mut checked = 0;
    for at in 0.. {
        let (mut active, packet) = requester.start(ChallengeResponder::new(0, 0xFF)).unwrap();
        let answer = wire.responder.receive(&packet);
        let grille_spdm_engine::config::Packet::Message(mut response) = answer else { panic!() };
        if at == response.len() {
            break;
        }
        response[at] ^= 1;
        let altered = grille_spdm_engine::config::Packet::Message(response);
        let result = requester.receive(&mut active, altered);
        assert!(result.is_err(), "{at}: {result:?}");
        checked += 1;
    }
    assert!(checked > 150);
}

/// A device whose firmware is updated between two measurements. Block 1 has the value that the test sets.
struct UpdatedFirmware(Arc<AtomicU8>);

impl Device for UpdatedFirmware {
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let mut all = measurements();
        let version = if pending { 9 } else { self.0.load(Ordering::Relaxed) };
        all[0].value = MeasuredValue::Hashed(vec![version]);
        Ok(all)
    }
}

#[test]
fn reports_measurements_that_change_before_their_signature() {
    let credential = credential(classical("P256"));
    for version in Version::ALL {
        let [unchanged, changed] = if version < Version::V1_2 { [0, 0] } else { [2, 1] };
        let firmware = Arc::new(AtomicU8::new(1));
        let (mut requester, mut wire) = pair(version, &credential);
        let ours = config(version, common::ALL);
        let device = Box::new(UpdatedFirmware(firmware.clone()));
        wire.responder = Responder::new(ours, credential.identity(), device);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let mut ask = |measure: Measure| requester.run(measure, &mut wire).unwrap().changed;
        let update = |version| firmware.store(version, Ordering::Relaxed);

        assert_eq!(ask(Measure::all_signed(0)), unchanged, "{version:?}");
        assert_eq!(ask(Measure::new(1)), 0, "{version:?}, unsigned");
        assert_eq!(ask(Measure::new(2).signed(0)), unchanged, "{version:?}");
        // block 1 was not reported before the update
        ask(Measure::new(2));
        update(2);
        assert_eq!(ask(Measure::all_signed(0)), unchanged, "{version:?}");
        ask(Measure::new(1));
        update(3);
        assert_eq!(ask(Measure::new(2).signed(0)), changed, "{version:?}");
        // The firmware changes, is reported, and changes back.
        for firmware in 4..6 {
            ask(Measure::new(1));
            update(firmware);
        }
        ask(Measure::new(0xFF).raw());
        update(4);
        assert_eq!(ask(Measure::all_signed(0)), changed, "{version:?}");
        // the value that takes effect at the next reset is a separate block
        if version >= Version::V1_3 {
            ask(Measure::new(1));
            ask(Measure::new(1).pending());
            assert_eq!(ask(Measure::all_signed(0)), unchanged, "{version:?}");
        }
    }
}

/// A device that provides only digests of its measurements, with the negotiated hash or with another one.
struct DigestDevice {
    uses_negotiated: bool,
    negotiated: Option<&'static Hash>,
}

impl Device for DigestDevice {
    fn set_measurement_hash(&mut self, hash: Option<&'static Hash>) {
        self.negotiated = hash;
    }

    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let hash = self.negotiated.filter(|_| self.uses_negotiated).unwrap_or(&HASHES[0]);
        let digest = hash.digest(&[b"firmware"]);
        Ok(vec![Measurement {
            value: MeasuredValue::Digest(digest.as_ref().to_vec()),
            ..measurements()[0].clone()
        }])
    }
}

#[test]
fn refuses_digests_of_another_hash() {
    let credential = credential(classical("P256"));
    for uses_negotiated in [true, false] {
        let (mut requester, mut wire) = pair(Version::V1_2, &credential);
        let ours = config(Version::V1_2, common::ALL);
        let device = Box::new(DigestDevice { uses_negotiated, negotiated: None });
        wire.responder = Responder::new(ours, credential.identity(), device);
        requester.run(Connect::new(), &mut wire).unwrap();
        match requester.run(Measure::new(1), &mut wire) {
            Ok(measured) => {
                let negotiated = requester.connection().negotiated().unwrap().algorithms;
                let hash = measurement_hash(negotiated.measurement_hash).unwrap();
                assert!(uses_negotiated && measured.blocks[0].value == hash.digest(&[b"firmware"]).as_ref());
            }
            Err(Error::Refused { code: ErrorCode::UNSPECIFIED, .. }) => assert!(!uses_negotiated),
            Err(error) => panic!("{error}"),
        }
    }
}
