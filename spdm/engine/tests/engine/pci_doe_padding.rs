//! PCI DOE's padding: messages in the clear have trailing zeros up to a multiple of four bytes.

use crate::common::{self, Wire, classical, config, credential, pair_with};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::{Binding, Config, Packet};
use grille_spdm_engine::error::Error;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, FetchCertificate, FetchDigests, Measure, OpenSession,
    SetChain,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::DangerousAcceptAny;

/// A transport with PCI DOE's padding in both directions.
struct PaddingCarrier(Wire);

fn pad(packet: Packet) -> Packet {
    let pad = |mut bytes: Vec<u8>| {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    match packet {
        Packet::Message(message) => Packet::Message(pad(message)),
        Packet::Secured(record) => Packet::Secured(pad(record)),
    }
}

impl Carrier for PaddingCarrier {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        self.0.exchange(pad(packet)).map(pad)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

#[test]
fn padded_messages_can_be_chunked() {
    let credential = credential(classical("P256"));
    let clear = Caps::HANDSHAKE_IN_THE_CLEAR;
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        for handshake in [Caps::NONE, clear] {
            let [mut theirs, mut ours] = [common::REQUESTER, common::ALL]
                .map(|flags| Config { binding: Binding::PciDoe, ..config(version, flags | handshake) });
            theirs.limits.data_transfer_size = 101;
            ours.limits.data_transfer_size = 64;
            let (mut requester, wire) = pair_with(theirs, ours, &credential);
            let mut wire = PaddingCarrier(wire);
            requester.run(Connect::new(), &mut wire).unwrap();
            requester.run(FetchDigests, &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            requester.run(ChallengeResponder::new(0, 0xFF), &mut wire).unwrap();
            requester.run(Measure::new(1), &mut wire).unwrap();
            requester.run(Measure::all_signed(0), &mut wire).unwrap();
            requester.run(OpenSession::new(0), &mut wire).unwrap();
            let chunks = |code| {
                let is_one =
                    |(packet, _): &&(Packet, Packet)| matches!(packet, Packet::Message(m) if m[1] == code);
                wire.0.log.iter().filter(is_one).count()
            };
            assert!(chunks(0x85) > 2 && chunks(0x86) > 2);
        }
    }
}

/// Covers encapsulated messages in both directions.
#[test]
fn padded_messages_authenticate_both_sides() {
    let credential = credential(classical("P256"));
    for version in [Version::V1_1, Version::V1_2, Version::V1_3] {
        let with = |flags: Caps| {
            let flags = flags | Caps::MUT_AUTH | Caps::ENCAP;
            Config { binding: Binding::PciDoe, basic_mutual: true, ..config(version, flags) }
        };
        let mut requester =
            Requester::new(with(common::REQUESTER), credential.identity(), Box::new(DangerousAcceptAny));
        let responder = Responder::new(with(common::ALL), credential.identity(), Box::new(common::Sample));
        let mut wire = PaddingCarrier(Wire::new(responder.with_chain_verifier(Box::new(DangerousAcceptAny))));
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
        requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
        assert!(wire.0.responder.is_requester_authenticated());
    }
}

/// The lengths of ECDSA signatures in DER vary, and so do those of chains.
#[test]
fn installs_padded_chains_of_any_length() {
    let mut lengths = [false; 4];
    for _ in 0..100 {
        let credential = credential(classical("P256"));
        let [theirs, ours] = [common::REQUESTER, common::ALL].map(|flags| Config {
            binding: Binding::PciDoe,
            trusted_environment: true,
            ..config(Version::V1_2, flags | Caps::SET_CERT)
        });
        let mut requester = Requester::new(theirs, Identity::default(), Box::new(DangerousAcceptAny));
        let responder = Responder::new(ours, credential.identity(), Box::new(common::Sample));
        let mut wire = PaddingCarrier(Wire::new(responder));
        requester.run(Connect::new(), &mut wire).unwrap();
        let hash = requester.connection().negotiated().unwrap().algorithms.hash;
        let chain = chain::write(hash, &credential.chain);
        lengths[chain.len() % 4] = true;
        requester.run(SetChain::new(0, chain), &mut wire).unwrap();
        requester.run(FetchDigests, &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        if lengths == [true; 4] {
            return;
        }
    }
    panic!("no chain of every length: {lengths:?}");
}
