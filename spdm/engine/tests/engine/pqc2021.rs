//! The dialect of openspdm-pqc (2021), between a requester and a responder of this crate.

mod bit_flips;
mod changed_messages;
mod every_algorithm;
mod mutual;
mod negotiation;
mod refusals;
mod suite;

use crate::common::{self, Credential, Sample, Wire, classical, credential, credential_in_era, measurements};
use grille_core::{SecretBytes, SystemRng};
use grille_pki::PrivateKey;
use grille_registry::{KemRow, SignatureRow};
use grille_spdm_codec::Code;
use grille_spdm_codec::algorithms::{BaseHash, Dhe};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::{Config, MutualAuthentication, Packet};
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::meter::{Meter, MeterHandle, MeteredOperation};
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure,
    OpenPskSession, OpenSession, SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::pqc2021::{
    Algorithms, Kem, Options, PeerKeys, PublicKeyMode, Set, Signature, composite, kem_row, signature_row,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::requester_identity::RequesterIdentity;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Roots;
use std::sync::{Arc, Mutex};
use suite::{
    CERTIFIED, HYBRID, KEM_AUTH, Keys, PURE, REQUESTER, RESPONDER, Suite, classical_asym, use_session,
};

#[test]
fn keys_without_certificates_authenticate_slot_255() {
    PURE.check_all();
    for signature in ["Dilithium3-AES", "Falcon-512", "Falcon-1024", "SPHINCS+-Haraka-128f-simple"] {
        Suite { signature, kem: "Kyber768-90s", ..PURE }.check_all();
    }
}

#[test]
fn hybrid_signatures_and_key_exchanges_need_both_parts() {
    HYBRID.check_all();
    Suite { signature: "Falcon-512", kem: "HQC-128", ..HYBRID }.check_all();
    // Here, the signature, the key exchange, or both have only one part.
    Suite { signature: "", ..HYBRID }.check_all();
    Suite { kem: "", ..HYBRID }.check_all();
    Suite { dhe: Dhe::NONE, ..HYBRID }.check_all();
    Suite { signature: "", kem: "", ..HYBRID }.check_all();
}

#[test]
fn kem_authentication_replaces_signatures() {
    KEM_AUTH.check_all();
    Suite { kem_auth: "HQC-256", ..KEM_AUTH }.check_all();
    Suite { kem_auth: "SIDH-p434", ..KEM_AUTH }.check_all();
    Suite { kem_auth: "BIKE1-L1-FO", kem: "BIKE1-L3-CPA", ..KEM_AUTH }.check_all();
    Suite { asym: "P256", dhe: Dhe::SECP256R1, ..KEM_AUTH }.check_all();
    // Without a KEM in the key exchange, the secret of KEM authentication is appended to the secret of the group.
    Suite { dhe: Dhe::SECP256R1, kem: "", ..KEM_AUTH }.check_all();
    Suite { dhe: Dhe::SECP384R1, kem: "", req_kem_auth: "Kyber768", ..KEM_AUTH }.check_all();
    // In this suite, the signature algorithm only signs MEASUREMENTS.
    Suite { signature: "Dilithium2", ..KEM_AUTH }.check_all();
}

#[test]
fn megabyte_keys_are_sent_in_fragments() {
    Suite { kem: "Classic-McEliece-348864f", ..PURE }.check_all();
}

#[test]
fn composite_certificates_sign_both_parts() {
    CERTIFIED.check_all();
    Suite { asym: "", signature: "Dilithium3", dhe: Dhe::NONE, ..CERTIFIED }.check_all();
}

#[test]
fn rejects_responders_with_another_key() {
    for suite in [PURE, HYBRID, KEM_AUTH] {
        let [device, host] = suite.keys();
        let [other, _] = suite.keys();
        let keys = [Keys { public: other.public, ..device }, host];
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with(keys, configs);
        let slot = suite.slot();
        assert!(requester.run(ChallengeResponder::new(slot, 0), &mut wire).is_err(), "{suite:?}");
        assert!(requester.run(OpenSession::new(slot), &mut wire).is_err(), "{suite:?}");
        assert_eq!(requester.sessions().count(), 0);
    }
}

#[test]
fn slot_255_needs_no_classical_key() {
    let (mut requester, mut wire) = HYBRID.connect();
    let refused = requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire);
    assert!(matches!(refused, Err(Error::Usage(Usage::NoChain { slot: PROVISIONED }))), "{refused:?}");
}

#[test]
fn strict_options_bind_keys_on_both_sides() {
    for suite in [PURE, HYBRID, KEM_AUTH] {
        Suite { strict: true, ..suite }.check_all();
        let configs = [
            Suite { strict: true, ..suite }.config(RESPONDER),
            Suite { strict: false, ..suite }.config(REQUESTER),
        ];
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
        assert!(requester.run(ChallengeResponder::new(suite.slot(), 0), &mut wire).is_err());
        assert!(requester.run(OpenSession::new(suite.slot()), &mut wire).is_err());
    }
}

#[test]
fn handshakes_in_the_clear_and_preshared_keys_work() {
    for suite in [PURE, KEM_AUTH, HYBRID] {
        let clear = Caps::HANDSHAKE_IN_THE_CLEAR | Caps::PSK;
        let configs = [RESPONDER | Caps::PSK, REQUESTER | Caps::PSK].map(|flags| suite.config(flags | clear));
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
        let session = requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
        use_session(&mut requester, &mut wire, session);
        let before = wire.log.len();
        let session = requester.run(OpenPskSession::new(b"hint"), &mut wire).unwrap();
        let [request, response] = &messages(&wire)[2 * before..][..2] else { panic!() };
        let number = |message: &[u8]| u32::from(u16::from_le_bytes([message[4], message[5]]));
        assert_eq!(session, number(request) << 16 | number(response), "ReqSessionID is the upper half");
        use_session(&mut requester, &mut wire, session);
    }
}

#[test]
fn every_measured_operation_is_reported() {
    #[derive(Default)]
    struct Recorder(Mutex<Vec<MeteredOperation>>);

    impl Meter for Recorder {
        fn finished(&self, operation: MeteredOperation) {
            self.0.lock().unwrap().push(operation);
        }
    }

    use MeteredOperation as Op;
    for (suite, expected) in [
        (
            HYBRID,
            &[
                Op::CertVerify,
                Op::ChalVerify,
                Op::KeyExKemGen,
                Op::KeyExKemDecap,
                Op::KeyExVerify,
                Op::ChalSign,
                Op::KeyExKemEncap,
                Op::KeyExSign,
            ][..],
        ),
        (
            KEM_AUTH,
            &[
                Op::ChalVerify,
                Op::ChalKemAuthEncap,
                Op::KeyExKemGen,
                Op::KeyExKemDecap,
                Op::KeyExVerify,
                Op::KeyExKemAuthEncap,
                Op::ChalSign,
                Op::ChalKemAuthDecap,
                Op::KeyExKemEncap,
                Op::KeyExSign,
                Op::KeyExKemAuthDecap,
            ],
        ),
    ] {
        let meter = Arc::new(Recorder::default());
        let configs = [RESPONDER, REQUESTER]
            .map(|flags| Config { meter: Some(MeterHandle(meter.clone())), ..suite.config(flags) });
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
        requester.run(ChallengeResponder::new(suite.slot(), 0), &mut wire).unwrap();
        requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
        let mut seen = meter.0.lock().unwrap().clone();
        seen.sort_unstable();
        assert_eq!(seen, expected);
    }
}

/// Returns the messages of a connection. Records stay encrypted.
fn messages(wire: &Wire) -> Vec<Vec<u8>> {
    let bytes = |packet: &Packet| match packet {
        Packet::Message(bytes) | Packet::Secured(bytes) => bytes.clone(),
    };
    wire.log.iter().flat_map(|(request, response)| [bytes(request), bytes(response)]).collect()
}

/// The expected lengths and fields are from the prototype's documentation.
#[test]
fn messages_have_the_prototypes_layout() {
    let (mut requester, mut wire) = HYBRID.connect();
    let [negotiate, algorithms] = &messages(&wire)[4..6] else { panic!() };
    assert_eq!((negotiate.len(), algorithms.len()), (118, 122));
    assert_eq!((negotiate[2], algorithms[2]), (9, 9), "always nine tables");
    let dilithium2 = [11, 0xC0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!((&negotiate[48..62], &algorithms[52..66]), (&dilithium2[..], &dilithium2[..]));
    let before = wire.log.len();
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    let challenge = messages(&wire).split_off(2 * before);
    assert_eq!(challenge[0].len(), 36);
    assert_eq!(challenge[1][..16], [0x11, 0x7C, 3, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x0E, 0x0A, 0, 0]);
    // header, chain hash, nonce, opaque length, P-256, length, Dilithium2
    assert_eq!(challenge[1].len() - 16, 4 + 48 + 32 + 2 + 64 + 4 + 2420);
    assert_eq!(challenge[1][16 + 150..][..4], 2420_u32.to_le_bytes());
    let before = wire.log.len();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let exchange = messages(&wire).split_off(2 * before);
    assert_eq!(exchange[0][..4], [0x11, 0xFD, 3, 0x7F]);
    assert_eq!(exchange[1][..3], [0x11, 0x7C, 3]);
    let half = |message: &[u8]| u32::from(u16::from_le_bytes([message[20], message[21]]));
    assert_eq!(session, half(&exchange[0]) << 16 | half(&exchange[1]), "ReqSessionID is the upper half");
    let opaque = u16::from_le_bytes([exchange[0][16 + 40 + 64 + 800], exchange[0][16 + 40 + 64 + 801]]);
    assert_eq!(exchange[0].len() - 16, 40 + 64 + 800 + 2 + usize::from(opaque));
}

#[test]
fn slot_255_has_zeros_instead_of_a_chain_hash() {
    let (mut requester, mut wire) = PURE.connect();
    requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
    let all = messages(&wire);
    let response = all.iter().find(|message| message[1] == 0x7C).unwrap();
    assert_eq!(response[16..20], [0x11, Code::CHALLENGE_AUTH.0, 0xF, 0]);
    assert_eq!(response[20..68], [0; 48]);
}
