//! This crate's requester with the responder of `grille-spdm-device`.

use crate::common::{self, Credential, classical, config, credential, post_quantum};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair};
use grille_core::{DynSigningKey, SystemRng};
use grille_pki::PrivateKey;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Device, Hash, Responder, Suite, Value};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::hash::{HASHES, Running};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchDigests, Measure, OpenSession,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::trust::Roots;

const SHA_384: &grille_spdm_engine::hash::Hash = &HASHES[1];

#[derive(Clone)]
struct Sha384(Running);

impl Default for Sha384 {
    fn default() -> Self {
        Self(SHA_384.start())
    }
}

impl Hash for Sha384 {
    const LEN: usize = 48;

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self, output: &mut [u8]) {
        output.copy_from_slice(self.0.digest().as_ref());
    }
}

enum Key {
    PostQuantum(Box<dyn DynSigningKey>),
    P384(EcdsaKeyPair),
}

struct Board {
    suite: Suite,
    chain: Vec<u8>,
    key: Key,
}

impl Board {
    fn new(version: Version, made: &Credential) -> Self {
        let private = PrivateKey::from_pem_or_der(made.pkcs8.as_ref()).unwrap();
        let (key, signature_len) = if version == Version::V1_4 {
            (Key::PostQuantum(private.into_signing_key()), 4627)
        } else {
            (
                Key::P384(
                    EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, made.pkcs8.as_ref()).unwrap(),
                ),
                96,
            )
        };
        let classical = matches!(key, Key::P384(_));
        let suite = Suite {
            version,
            asym: if classical { BaseAsym::ECDSA_P384 } else { BaseAsym::NONE },
            pqc_asym: if classical { PqcAsym::NONE } else { PqcAsym::ML_DSA_87 },
            signature_len,
            hash: BaseHash::SHA_384,
            measurement_hash: MeasurementHash::SHA_384,
            data_transfer_size: 1024,
            ct_exponent: 20,
        };
        Self { suite, chain: grille_spdm_engine::chain::write(SHA_384, &made.chain), key }
    }
}

impl Device for Board {
    type Hash = Sha384;

    fn suite(&self) -> Suite {
        self.suite
    }

    fn fill_random(&mut self, bytes: &mut [u8]) {
        aws_lc_rs::rand::fill(bytes).unwrap();
    }

    fn chain(&self) -> &[u8] {
        &self.chain
    }

    fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
        match index {
            1 => Some(Measurement { kind: 0, value: Value::Digest(&[1; 48]), tcb: true }),
            16 => Some(Measurement { kind: 7, value: Value::Raw(&[7, 0, 0, 0, 0, 0, 0, 0]), tcb: false }),
            _ => None,
        }
    }

    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool {
        let made = match &self.key {
            Key::PostQuantum(key) => key.sign(message, context, &mut SystemRng).unwrap(),
            Key::P384(key) => key.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
        };
        signature.copy_from_slice(&made);
        true
    }
}

/// A transport that delivers packets to a board immediately.
struct Bus<'b>(Responder<'b, Board>);

impl Carrier for Bus<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let (Packet::Message(request) | Packet::Secured(request)) = packet;
        let mut answer = [0; 1024];
        let len = self.0.receive(&request, &mut answer);
        Ok(Packet::Message(answer[..len].to_vec()))
    }
}

#[test]
fn requester_attests_a_microcontroller() {
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        let made =
            credential(if version == Version::V1_4 { post_quantum("ML-DSA-87") } else { classical("P384") });
        let judge = Box::new(Roots::new(vec![made.root.clone()]));
        let mut requester = Requester::new(config(version, common::REQUESTER), Identity::default(), judge);
        let mut buffer = [0; 6000];
        let mut bus = Bus(Responder::new(Board::new(version, &made), &mut buffer));
        for _ in 0..2 {
            requester.run(Connect::new(), &mut bus).unwrap();
            assert_eq!(requester.run(FetchDigests, &mut bus).unwrap().len(), 1);
            requester.run(FetchCertificate::new(0), &mut bus).unwrap();
            let all = requester.run(ChallengeResponder::new(0, 0xFF), &mut bus).unwrap();
            let tcb = requester.run(ChallengeResponder::new(0, 1), &mut bus).unwrap();
            assert_ne!(all.summary_hash, tcb.summary_hash);
            assert_eq!(requester.run(Measure::new(0), &mut bus).unwrap().total, 2);
            assert_eq!(
                requester.run(Measure::new(16), &mut bus).unwrap().blocks[0].value,
                [7, 0, 0, 0, 0, 0, 0, 0]
            );
            assert_eq!(requester.run(Measure::all_signed(0), &mut bus).unwrap().blocks.len(), 2);
            let missing = requester.run(Measure::new(3), &mut bus);
            let invalid = ErrorCode::INVALID_REQUEST;
            assert!(matches!(missing, Err(Error::Refused { code, .. }) if code == invalid), "{missing:?}");
            requester.run(Measure::all_signed(0), &mut bus).unwrap();
        }
        assert!(matches!(requester.run(OpenSession::new(0), &mut bus), Err(Error::Usage(_))));
    }
}

#[test]
fn rejects_signature_of_another_key() {
    let [made, other] = [(); 2].map(|()| credential(post_quantum("ML-DSA-87")));
    let judge = Box::new(Roots::new(vec![made.root.clone()]));
    let mut requester = Requester::new(config(Version::V1_4, common::REQUESTER), Identity::default(), judge);
    let mut buffer = [0; 6000];
    let board = Board { chain: Board::new(Version::V1_4, &made).chain, ..Board::new(Version::V1_4, &other) };
    let mut bus = Bus(Responder::new(board, &mut buffer));
    requester.run(Connect::new(), &mut bus).unwrap();
    requester.run(FetchCertificate::new(0), &mut bus).unwrap();
    assert!(matches!(requester.run(ChallengeResponder::new(0, 0), &mut bus), Err(Error::Signature { .. })));
    assert!(matches!(requester.run(Measure::all_signed(0), &mut bus), Err(Error::Signature { .. })));
}
