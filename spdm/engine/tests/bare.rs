//! Tests of the engine without the standard library. They need only the clock and random generator of a simulated
//! board. The step `bare` of `cargo xtask ci` runs them without the feature `std`; `cargo test` runs them with it.

use core::time::Duration;
use grille_core::SecretBytes;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::signature_by_name;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenPskSession, OpenSession,
    SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::records::AEADS;
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Roots;
use grille_stream::Stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[global_allocator]
static ALLOCATOR: grille_meter::CountingAllocator = grille_meter::CountingAllocator;

const SESSION: Caps = Caps(Caps::KEY_EX.0 | Caps::ENCRYPT.0 | Caps::MAC.0 | Caps::HBEAT.0 | Caps::KEY_UPD.0);
const REQUESTER: Caps = Caps(SESSION.0 | Caps::CERT.0 | Caps::CHAL.0 | Caps::CHUNK.0 | Caps::LARGE_RESP.0);

/// The date of the certificates in these tests: 2026-11-22.
const CERTIFICATE_DATE: Duration = Duration::from_secs(1_795_305_600);

#[test]
fn attests_with_ml_dsa_87_and_ml_kem_1024() {
    let offer = algorithms("ML-DSA-87", 2);
    let device = device("ML-DSA-87");
    let (mut requester, mut wire) = pair(&device, &offer);
    attest(&mut requester, &mut wire);
    assert_eq!(requester.connection().version(), Version::V1_4);
    let exchange = requester.connection().negotiated().unwrap().algorithms.key_exchange.unwrap();
    assert_eq!(exchange.name(), "ML-KEM-1024");
    // an altered signature is rejected
    wire.altering = true;
    let altered = requester.run(ChallengeResponder::new(0, 0xFF), &mut wire);
    assert!(matches!(altered, Err(Error::Signature { .. })), "{altered:?}");
}

/// The measured memory includes parsing of the key and the chain, but not the allocator's own overhead.
/// `docs/guide/src/25-spdm-manual.md` states the memory use.
#[test]
fn attestation_needs_little_memory() {
    let offer = algorithms("ML-DSA-87", 2);
    let device = device("ML-DSA-87");
    let (mut requester, mut wire) = pair(&device, &offer);
    attest(&mut requester, &mut wire);
    let (answers, used) = grille_meter::measure(|| {
        let mut again = responder(&device, &offer);
        wire.log.iter().filter(|(asked, answer)| again.receive(asked) == *answer).count()
    })
    .unwrap();
    assert_eq!(answers, wire.log.len(), "the same randomness gives the same answers");
    assert!(used.heap_peak + used.stack < 512 << 10, "{used:?}");
}

#[test]
fn every_hash_and_aead_protects_a_session() {
    let device = device("ML-DSA-44");
    for hash in &HASHES {
        for aead in &AEADS {
            let offer = algorithms("ML-DSA-44", 0);
            let offer = Bits { hash: 1 << hash.bit, aead: 1 << aead.bit, ..offer };
            let (mut requester, mut wire) = pair(&device, &offer);
            requester.run(Connect::new(), &mut wire).unwrap();
            requester.run(FetchDigests, &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            let chosen = requester.connection().negotiated().unwrap().algorithms;
            assert_eq!((chosen.hash.bit, chosen.aead.unwrap().bit), (hash.bit, aead.bit));
            use_session(&mut requester, &mut wire, session);
        }
    }
}

#[test]
fn every_post_quantum_signature_authenticates_a_device() {
    for name in ["ML-DSA-65", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f"] {
        let (mut requester, mut wire) = pair(&device(name), &algorithms(name, 1));
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchDigests, &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        requester.run(ChallengeResponder::new(0, 0xFF), &mut wire).unwrap();
    }
}

#[test]
fn psk_opens_a_session_without_certificates() {
    let (requester, responder) = (SESSION | Caps::PSK, SESSION | Caps::PSK_WITH_CONTEXT | Caps::MEAS_NO_SIG);
    let offer = algorithms("ML-DSA-44", 0);
    let config = |flags| Config { algorithms: offer, ..Config::with(Caps(flags & !Caps::KEY_EX.0)) };
    let known = |psk: &[u8]| Identity::default().with_psk(b"hint", psk.into());
    for (theirs, opens) in [([7; 48], true), ([8; 48], false)] {
        let responder =
            Responder::with_rng(config(responder.0), known(&[7; 48]), Box::new(Board), rng("psk"));
        let judge = Box::new(Roots { roots: Vec::new(), clock: || CERTIFICATE_DATE, crls: Vec::new() });
        let mut requester = Requester::with_rng(config(requester.0), known(&theirs), judge, rng("theirs"));
        let mut wire = Wire::to(responder);
        requester.run(Connect::new(), &mut wire).unwrap();
        match requester.run(OpenPskSession::new(b"hint"), &mut wire) {
            Ok(session) if opens => {
                requester.run(UpdateKeys::all_keys(session), &mut wire).unwrap();
                requester.run(End(session), &mut wire).unwrap();
            }
            refused => assert!(matches!(refused, Err(Error::VerifyData { .. })) && !opens, "{refused:?}"),
        }
    }
}

#[test]
fn certificate_validity_uses_the_callers_clock() {
    let device = device("ML-DSA-44");
    let board = Arc::new(AtomicU64::new(0));
    let clock = board.clone();
    let clock = move || Duration::from_secs(clock.load(Ordering::Relaxed));
    let (mut requester, mut wire) = pair_at(clock, &device, &algorithms("ML-DSA-44", 0));
    let later = CERTIFICATE_DATE + Duration::from_hours(366 * 24);
    for (time, believed) in [(CERTIFICATE_DATE, true), (Duration::ZERO, false), (later, false)] {
        board.store(time.as_secs(), Ordering::Relaxed);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchDigests, &mut wire).unwrap();
        let fetched = requester.run(FetchCertificate::new(0), &mut wire);
        assert_eq!(fetched.is_ok(), believed, "{fetched:?}");
        assert!(believed || matches!(fetched, Err(Error::Untrusted(_))), "{fetched:?}");
    }
}

#[cfg(not(feature = "std"))]
#[test]
fn offers_no_classical_algorithm() {
    let all = Bits::all();
    assert_eq!((all.asym, all.req_asym, all.dhe), (0, 0, 0));
    assert_eq!((all.hash, all.aead, all.kem, all.pqc_asym), (0b11_1111, 0b111, 0b111, 0x7FFF));
    assert!(signature_by_name("ECDSA-P384").is_err());
}

/// Attests the device, first outside a session and then in one.
fn attest(requester: &mut Requester, wire: &mut Wire) {
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchDigests, wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0xFF), wire).unwrap();
    let session = requester.run(OpenSession::new(0), wire).unwrap();
    use_session(requester, wire, session);
}

/// Runs every operation of a session.
fn use_session(requester: &mut Requester, wire: &mut Wire, session: SessionId) {
    assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
    let measured = requester.run(Measure::all_signed(0).within(session), wire).unwrap();
    assert_eq!(measured.blocks.len(), 2);
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(UpdateKeys::all_keys(session), wire).unwrap();
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(End(session), wire).unwrap();
    assert!(requester.sessions().next().is_none() && wire.responder.sessions().next().is_none());
}

/// A root certificate with a device's certificate and key in DER.
struct DeviceIdentity {
    root: Certificate,
    leaf: Vec<u8>,
    key: SecretBytes,
}

impl DeviceIdentity {
    /// Parses the identity, as a board does when it starts.
    fn identity(&self) -> Identity {
        let leaf = Certificate::from_pem_or_der(&self.leaf).unwrap();
        let key = PrivateKey::from_pem_or_der(self.key.as_ref()).unwrap();
        let signer = LocalSigner::new(Asym::PostQuantum(key.row()), key).unwrap();
        Identity::default().with(Slot::new(0, vec![self.root.clone(), leaf], Arc::new(signer)))
    }
}

fn device(name: &str) -> DeviceIdentity {
    let (row, rng) = (signature_by_name(name).unwrap(), &mut Stream::new(name));
    let (ca, key) = (PrivateKey::generate(row, rng).unwrap(), PrivateKey::generate(row, rng).unwrap());
    let root =
        self_signed(&Template::at(CERTIFICATE_DATE, "CN=root", Profile::Root).unwrap(), &ca, rng).unwrap();
    let template = Template::at(CERTIFICATE_DATE, "CN=device", Profile::end_entity(&[]).unwrap()).unwrap();
    let leaf = issue(&template, key.public_key(), &root, &ca, rng).unwrap();
    let key = key.to_pkcs8_der(PrivateKeyForm::SeedIfKnown).unwrap();
    DeviceIdentity { root, leaf: leaf.to_der(), key }
}

/// Returns an offer with every hash and AEAD, this signature algorithm, and the KEM with this bit.
fn algorithms(signature: &str, kem: u8) -> Bits {
    let row = signature_by_name(signature).unwrap();
    Bits { asym: 0, pqc_asym: 1 << row.spdm_bit.unwrap(), dhe: 0, kem: 1 << kem, ..Bits::all() }
}

fn pair(device: &DeviceIdentity, algorithms: &Bits) -> (Requester, Wire) {
    pair_at(|| CERTIFICATE_DATE, device, algorithms)
}

/// Creates both sides with this clock.
fn pair_at(
    clock: impl Fn() -> Duration + Send + 'static,
    device: &DeviceIdentity,
    algorithms: &Bits,
) -> (Requester, Wire) {
    let config = Config { algorithms: *algorithms, ..Config::with(REQUESTER) };
    let judge = Box::new(Roots { roots: vec![device.root.clone()], clock, crls: Vec::new() });
    let requester = Requester::with_rng(config, Identity::default(), judge, rng("requester"));
    (requester, Wire::to(responder(device, algorithms)))
}

fn responder(device: &DeviceIdentity, algorithms: &Bits) -> Responder {
    let config = Config::with(REQUESTER | Caps::MEAS_SIG);
    let config = Config { algorithms: *algorithms, heartbeat: 5, ..config };
    Responder::with_rng(config, device.identity(), Box::new(Board), rng("responder"))
}

fn rng(seed: &str) -> Box<Stream> {
    Box::new(Stream::new(seed))
}

/// A device with two measurements.
struct Board;

impl Device for Board {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let measurement = |index, value| Measurement { index, kind: 1, value, tcb: true };
        let version = MeasuredValue::Raw(b"1.0.0".to_vec());
        Ok(vec![measurement(1, MeasuredValue::Hashed(vec![1; 100])), measurement(2, version)])
    }
}

/// A transport that records its packets. If `altering` is set, it alters the last byte of each long message in the clear.
struct Wire {
    responder: Responder,
    log: Vec<(Packet, Packet)>,
    altering: bool,
}

impl Wire {
    fn to(responder: Responder) -> Self {
        Self { responder, log: Vec::new(), altering: false }
    }
}

impl Carrier for Wire {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let mut answer = self.responder.receive(&packet);
        self.log.push((packet, answer.clone()));
        if let Packet::Message(message) = &mut answer
            && self.altering
            && message.len() > 1000
        {
            *message.last_mut().expect("the message is long") ^= 1;
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: Duration) {}
}
