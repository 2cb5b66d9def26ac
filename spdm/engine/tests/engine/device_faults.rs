//! Faults of a device or key: the responder's operator gets the reason, and no faulty response is sent.

use crate::common::{
    self, Credential, Wire, classical, config, credential, delayable, post_quantum, refused,
};
use crate::mutual;
use crate::provisioning::MORE;
use crate::responder_requests::Subscribers;
use grille_core::CryptoRng;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchDigests, FetchEventTypes, FetchKeyPair, Measure,
    OpenSession,
};
use grille_spdm_engine::refused_request::Reason;
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::{Signer, ToBeSigned};
use grille_spdm_engine::trust::DangerousAcceptAny;
use std::sync::Arc;

const VERSION: Version = Version::V1_4;

/// A device with the faulty answers that a test sets.
#[derive(Clone, Default)]
struct FaultyDevice {
    measurements: Vec<Measurement>,
    opaque: Vec<u8>,
    types: EventTypes,
    pairs: Vec<KeyPair>,
}

impl Device for FaultyDevice {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(self.measurements.clone())
    }

    fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(self.opaque.clone())
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(self.types.clone())
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        Ok(self.pairs.clone())
    }
}

fn connected(device: FaultyDevice, identity: Identity) -> (Requester, Wire) {
    let judge = Box::new(DangerousAcceptAny);
    let mut requester = Requester::new(config(VERSION, common::REQUESTER), Identity::default(), judge);
    let ours = config(VERSION, common::ALL | MORE);
    let mut wire = Wire::new(Responder::new(ours, identity, Box::new(device)));
    requester.run(Connect::new(), &mut wire).unwrap();
    (requester, wire)
}

/// Runs an operation that must be refused with Unspecified, and returns the reason.
fn fault_reason<O: Operation>(device: &FaultyDevice, credential: &Credential, operation: O) -> Reason
where
    O::Output: std::fmt::Debug,
{
    let (mut requester, mut wire) = connected(device.clone(), credential.identity());
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert_eq!(refused(requester.run(operation, &mut wire)), ErrorCode::UNSPECIFIED);
    wire.last_refusal().1
}

fn is_fault(reason: Reason) -> bool {
    matches!(reason, Reason::Fault(_))
}

fn is_answer(reason: Reason) -> bool {
    matches!(reason, Reason::Answer(_))
}

#[test]
fn reports_measurement_faults_to_the_operator_only() {
    let device = credential(classical("P256"));
    let one = |index, value| Measurement { index, kind: 1, value: MeasuredValue::Raw(value), tcb: true };
    let of = |indexes: &[u8]| FaultyDevice {
        measurements: indexes.iter().map(|index| one(*index, vec![1])).collect(),
        ..FaultyDevice::default()
    };
    for wrong in [of(&[1, 2, 1]), of(&[0]), of(&[1, 0xFF])] {
        assert!(is_fault(fault_reason(&wrong, &device, Measure::all_signed(0))));
        assert!(is_fault(fault_reason(&wrong, &device, Measure::new(0))));
        assert!(is_fault(fault_reason(&wrong, &device, Measure::new(1))));
        assert!(is_fault(fault_reason(&wrong, &device, ChallengeResponder::new(0, 0xFF))));
    }
    let value = MeasuredValue::Digest(vec![1; 3]);
    let short = FaultyDevice {
        measurements: vec![Measurement { value, ..one(1, Vec::new()) }],
        ..FaultyDevice::default()
    };
    assert!(is_fault(fault_reason(&short, &device, Measure::new(1))));
    let long = FaultyDevice { measurements: vec![one(1, vec![1; 70_000])], ..FaultyDevice::default() };
    assert!(is_answer(fault_reason(&long, &device, Measure::new(1))));
}

#[test]
fn reports_device_faults_to_the_operator_only() {
    let device = credential(classical("P256"));
    let opaque = |opaque: &[u8]| FaultyDevice { opaque: opaque.to_vec(), ..FaultyDevice::default() };
    assert!(is_fault(fault_reason(&opaque(&[1, 2, 3]), &device, ChallengeResponder::new(0, 0))));
    assert!(is_fault(fault_reason(&opaque(&[1, 2, 3]), &device, Measure::new(0xFF))));
    // a list with one element, longer than OpaqueData allows
    let long = [&[1, 0, 0, 0, 0, 0, 0xB0, 4][..], &[0; 1200]].concat();
    assert!(is_answer(fault_reason(&opaque(&long), &device, ChallengeResponder::new(0, 0))));
    let pairs = |pairs| FaultyDevice { pairs, ..FaultyDevice::default() };
    assert!(is_fault(fault_reason(&pairs(vec![KeyPair::default(); 256]), &device, FetchKeyPair(1))));
    let info = KeyPair { public_key_info: vec![0; 70_000], ..KeyPair::default() };
    assert!(is_answer(fault_reason(&pairs(vec![info]), &device, FetchKeyPair(1))));
    let groups = Subscribers::types().groups;
    for (count, groups) in [(2, groups.clone()), (0, groups), (1, vec![1])] {
        let types = EventTypes { count, groups };
        let (mut requester, mut wire) =
            connected(FaultyDevice { types, ..FaultyDevice::default() }, device.identity());
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let asked = requester.run(FetchEventTypes.within(session), &mut wire);
        assert_eq!(refused(asked), ErrorCode::UNSPECIFIED);
        assert!(is_fault(wire.last_refusal().1));
    }
    let empty = Identity::default().with(Slot { certificates: Vec::new(), ..device.slot(0) });
    let (mut requester, mut wire) = connected(FaultyDevice::default(), empty);
    assert_eq!(refused(requester.run(FetchDigests, &mut wire)), ErrorCode::UNSPECIFIED);
    assert!(is_fault(wire.last_refusal().1));
}

/// A signer whose signatures are longer or shorter by this number of bytes.
struct ResizingSigner(Arc<dyn Signer>, isize);

impl Signer for ResizingSigner {
    fn algorithm(&self) -> Asym {
        self.0.algorithm()
    }

    fn sign(
        &self,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, grille_core::Error> {
        let mut signature = self.0.sign(message, rng)?.unwrap();
        signature.resize(signature.len().saturating_add_signed(self.1), 0);
        Ok(Some(signature))
    }
}

#[test]
fn rejects_signatures_of_another_length() {
    for asym in [classical("P256"), post_quantum("ML-DSA-44")] {
        let device = credential(asym);
        for by in [-1, 1, -10_000] {
            let signer = Arc::new(ResizingSigner(device.signer.clone(), by));
            let wrong = Credential { signer, ..credential(asym) };
            let (expected, got) = (asym.signature_len(), asym.signature_len().saturating_add_signed(by));
            let length = grille_core::Error::Length { input: "signature", expected, got };
            let reason = Reason::Signer(length);
            assert_eq!(fault_reason(&FaultyDevice::default(), &wrong, ChallengeResponder::new(0, 0)), reason);
            assert_eq!(fault_reason(&FaultyDevice::default(), &wrong, OpenSession::new(0)), reason);
        }
    }
    // The signer of a requester, too, may create signatures of a wrong length.
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let host = Credential { signer: Arc::new(ResizingSigner(host.signer.clone(), 1)), ..host };
    let asked = MutualAuthentication::Encapsulated;
    let (mut requester, mut wire) = mutual::pair(Version::V1_2, asked, Caps::NONE, [&device, &host]);
    let opened = requester.run(OpenSession::new(0), &mut wire);
    let own = matches!(opened, Err(Error::Key(grille_core::Error::Length { expected: 64, got: 65, .. })));
    assert!(own, "{opened:?}");
}

#[test]
fn reports_signer_failures() {
    let device = credential(classical("P256"));
    let failure = grille_core::Error::Unsupported { feature: "time" };
    let broken = Credential { signer: delayable(&device.signer, move || Err(failure)), ..device };
    assert_eq!(
        fault_reason(&FaultyDevice::default(), &broken, ChallengeResponder::new(0, 0)),
        Reason::Signer(failure)
    );
}
