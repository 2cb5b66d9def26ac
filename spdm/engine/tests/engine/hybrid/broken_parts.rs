//! A hybrid fails if either of its parts fails.

use super::*;
use grille_core::CryptoRng;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::identity::Slot;
use grille_spdm_engine::signatures::{Signer, ToBeSigned};
use std::sync::Arc;

/// A signer whose signatures have one flipped bit.
struct Flipping {
    key: Arc<dyn Signer>,
    at: usize,
}

impl Signer for Flipping {
    fn algorithm(&self) -> Asym {
        self.key.algorithm()
    }

    fn sign(
        &self,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, grille_core::Error> {
        let mut signature = self.key.sign(message, rng)?.unwrap();
        signature[self.at] ^= 1;
        Ok(Some(signature))
    }
}

/// Returns an identity whose signatures have a flipped bit.
fn flipping(credential: &Credential, at: usize) -> Identity {
    let signer = Arc::new(Flipping { key: credential.signer.clone(), at });
    Identity::default().with(Slot::new(0, credential.chain.clone(), signer))
}

/// Returns a byte of each part of a signature.
fn places(asym: Asym) -> [usize; 2] {
    let classical = if asym.name().contains("P384") { 96 } else { 64 };
    [classical - 1, classical]
}

#[test]
fn responders_need_both_parts_of_their_signature() {
    for row in HYBRID_SIGNATURES {
        let asym = Asym::Hybrid(row);
        let [device, host] = [(); 2].map(|()| credential(asym));
        for at in places(asym) {
            // without mutual authentication, so that CHALLENGE_AUTH starts no encapsulated requests
            let configs = [common::ALL, common::REQUESTER].map(hybrid_config);
            let identities = [flipping(&device, at), host.identity()];
            let (mut requester, mut wire) = pair(configs, [&device, &host], identities);
            fetch_chain(&mut requester, &mut wire);
            for error in [
                requester.run(ChallengeResponder::new(0, 0), &mut wire).err(),
                requester.run(Measure::all_signed(0), &mut wire).err(),
                requester.run(OpenSession::new(0), &mut wire).err(),
            ] {
                assert!(matches!(error, Some(Error::Signature { .. })), "{} {at}: {error:?}", row.name);
            }
            assert_eq!(requester.sessions().count(), 0);
        }
    }
}

#[test]
fn requesters_need_both_parts_of_their_signature() {
    let asym = hybrid("ECDSA-P384 + ML-DSA-65");
    let [device, host] = [(); 2].map(|()| credential(asym));
    for at in places(asym) {
        let configs = [common::ALL | MUTUAL, common::REQUESTER | MUTUAL].map(hybrid_config);
        let identities = [device.identity(), flipping(&host, at)];
        let (mut requester, mut wire) = pair(configs, [&device, &host], identities);
        fetch_chain(&mut requester, &mut wire);
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
        assert!(requester.run(AnswerMutualAuth::new(), &mut wire).is_err(), "{at}");
        assert!(!wire.responder.is_requester_authenticated());
        assert!(requester.run(OpenSession::new(0), &mut wire).is_err(), "{at}");
        assert_eq!(wire.responder.sessions().count(), 0);
    }
}

/// Returns a responder after the negotiation of this key exchange, and its valid KEY_EXCHANGE.
fn key_exchange(device: &Credential, kem: HybridKem) -> (Wire, Vec<u8>) {
    let mut configs = [common::REQUESTER, common::ALL].map(hybrid_config);
    configs[1].algorithms.hybrid_kem = kem.0;
    let [theirs, ours] = configs;
    let (mut requester, mut wire) = common::pair_with(theirs, ours, device);
    fetch_chain(&mut requester, &mut wire);
    let (_, packet) = requester.start(OpenSession::new(0)).unwrap();
    let Packet::Message(request) = packet else { panic!("no session is open") };
    (wire, request)
}

/// The offset of ExchangeData in KEY_EXCHANGE.
const DATA: usize = 40;

#[test]
fn responders_refuse_a_malformed_part_of_exchange_data() {
    let device = credential(hybrid("Ed25519 + ML-DSA-65"));
    for row in HybridKem::ROWS {
        let (mut wire, request) = key_exchange(&device, HybridKem(1 << row.bit));
        let classical = [32, 64, 96][usize::from(row.bit / 3)];
        let mut wrong = [request.clone(), request.clone()];
        // a point that is not on the curve, or the point of small order; coefficients of ML-KEM above its modulus
        wrong[0][DATA..DATA + classical].fill(0);
        wrong[1][DATA + classical..DATA + classical + 3].fill(0xFF);
        for request in &wrong {
            let refused = wire.plain(request);
            let error = [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0];
            assert_eq!(refused[1..3], error, "{}: {:02x?}", row.name, &refused[..4]);
        }
        assert_eq!(wire.responder.sessions().count(), 0);
        assert_eq!(wire.plain(&request)[1], Code::KEY_EXCHANGE_RSP.0, "{}", row.name);
    }
}

#[test]
fn responders_refuse_truncated_requests() {
    let device = credential(hybrid("ECDSA-P256 + ML-DSA-44"));
    let (mut wire, request) = key_exchange(&device, HybridKem::X25519_ML_KEM_512);
    for len in (4..request.len()).step_by(37).chain([request.len() - 1]) {
        assert_eq!(wire.plain(&request[..len])[1], Code::ERROR.0, "{len}");
    }
    assert_eq!(wire.responder.sessions().count(), 0);
}

/// Every byte of the response is signed, or is a part of the signature. The shorter message lacks a part.
#[test]
fn requesters_reject_changed_and_truncated_responses() {
    let device = credential(hybrid("ECDSA-P256 + ML-DSA-44"));
    let configs = || [common::REQUESTER, common::ALL].map(hybrid_config);
    let ends = |message: &mut Vec<u8>, at: usize| message.truncate(at);
    let flips = |message: &mut Vec<u8>, at: usize| message[at] ^= 1;
    let changes: [fn(&mut Vec<u8>, usize); 2] = [ends, flips];
    for (code, step) in [(Code::KEY_EXCHANGE_RSP, 487), (Code::CHALLENGE_AUTH, 389)] {
        for change in changes {
            for at in (4..2500).step_by(step) {
                let [theirs, ours] = configs();
                let (mut requester, mut wire) = common::pair_with(theirs, ours, &device);
                fetch_chain(&mut requester, &mut wire);
                let mut wire = crate::hostile_responses::AlteringWire {
                    wire,
                    alter: |message: &mut Vec<u8>| {
                        if message[1] == code.0 {
                            change(message, at);
                        }
                    },
                    packets: 0,
                };
                let failed = match code {
                    Code::CHALLENGE_AUTH => requester.run(ChallengeResponder::new(0, 0), &mut wire).is_err(),
                    _ => requester.run(OpenSession::new(0), &mut wire).is_err(),
                };
                assert!(failed, "{code} {at}");
                assert_eq!(requester.sessions().count(), 0);
            }
        }
    }
}
