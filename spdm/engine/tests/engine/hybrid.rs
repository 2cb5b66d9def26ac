//! Hybrids for SPDM 1.4, between a requester and a responder of this crate.

mod broken_parts;
mod negotiation;

use crate::common::{self, Credential, Wire, config, credential};
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::hybrid::HybridKem;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::algorithms::{Asym, Bits, KeyExchange};
use grille_spdm_engine::config::{Config, MutualAuthentication, Packet};
use grille_spdm_engine::hybrid::HYBRID_SIGNATURES;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession,
    SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;

const MUTUAL: Caps = Caps(Caps::MUT_AUTH.0 | Caps::ENCAP.0);

/// The strongest hybrid signature.
const STRONGEST: &str = "ECDSA-P384 + ML-DSA-87";

fn hybrid(name: &str) -> Asym {
    Asym::by_name(name).unwrap()
}

/// Returns a configuration for 1.4 that offers every hybrid, and whose messages need no chunks.
fn hybrid_config(flags: Caps) -> Config {
    let mut config = config(Version::V1_4, flags);
    config.algorithms = config.algorithms.with_hybrids();
    config.limits.data_transfer_size = 0x4_0000;
    config
}

/// Returns a configuration for 1.4 that offers hybrids only.
fn only_hybrids(flags: Caps) -> Config {
    let mut config = hybrid_config(flags);
    let bits = &mut config.algorithms;
    *bits = Bits { asym: 0, pqc_asym: 0, req_asym: 0, req_pqc_asym: 0, dhe: 0, kem: 0, ..*bits };
    config
}

/// Creates both sides, with mutual authentication. In the arrays, the responder comes first.
fn pair(
    [mut ours, theirs]: [Config; 2],
    [device, host]: [&Credential; 2],
    identities: [Identity; 2],
) -> (Requester, Wire) {
    (ours.mutual, ours.basic_mutual) = (MutualAuthentication::Encapsulated, true);
    let judge = |credential: &Credential| Box::new(Roots::new(vec![credential.root.clone()]));
    let [own, other] = identities;
    let responder = Responder::new(ours, own, Box::new(common::Sample)).with_chain_verifier(judge(host));
    (Requester::new(theirs, other, judge(device)), Wire::new(responder))
}

fn fetch_chain(requester: &mut Requester, wire: &mut Wire) {
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchDigests, wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
}

/// Uses every proof and every message that depends on the session's keys.
fn use_all(requester: &mut Requester, wire: &mut Wire) {
    assert!(requester.run(ChallengeResponder::new(0, 0), wire).unwrap().mutual);
    requester.run(AnswerMutualAuth::new(), wire).unwrap();
    assert!(wire.responder.is_requester_authenticated());
    assert_eq!(requester.run(Measure::all_signed(0), wire).unwrap().blocks.len(), 3);
    let session = requester.run(OpenSession::new(0), wire).unwrap();
    assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(UpdateKeys::all_keys(session), wire).unwrap();
    requester.run(Measure::all_signed(0).within(session), wire).unwrap();
    requester.run(End(session), wire).unwrap();
}

/// Returns the first message with this code.
fn message(wire: &Wire, code: Code) -> Vec<u8> {
    let packets = wire.log.iter().flat_map(|(request, response)| [request, response]);
    let mut messages = packets.filter_map(|packet| match packet {
        Packet::Message(message) if message[1] == code.0 => Some(message.clone()),
        _ => None,
    });
    messages.next().unwrap_or_else(|| panic!("no {code}"))
}

#[test]
fn every_hybrid_authenticates_both_sides_and_opens_sessions() {
    let credentials: Vec<Credential> =
        HYBRID_SIGNATURES.iter().map(|row| credential(Asym::Hybrid(row))).collect();
    for (at, row) in HybridKem::ROWS.iter().enumerate() {
        let (device, host) = (&credentials[at % 4], &credentials[(at + 1) % 4]);
        let mut configs = [common::ALL | MUTUAL, common::REQUESTER | MUTUAL].map(only_hybrids);
        configs[0].algorithms.hybrid_kem = 1 << row.bit;
        let (mut requester, mut wire) = pair(configs, [device, host], [device.identity(), host.identity()]);
        fetch_chain(&mut requester, &mut wire);
        let algorithms = requester.connection().negotiated().unwrap().algorithms;
        assert_eq!(algorithms.asym, Some(device.signer.algorithm()));
        assert_eq!(algorithms.req_asym, Some(host.signer.algorithm()));
        let parts = [algorithms.key_exchange.unwrap(), algorithms.hybrid_kem.unwrap()];
        assert_eq!(parts.map(KeyExchange::name).join(" + "), row.name);
        use_all(&mut requester, &mut wire);
        let request = message(&wire, Code::KEY_EXCHANGE);
        assert!(request.len() > 40 + row.len, "{}: {}", row.name, request.len());
    }
}

#[test]
fn messages_in_chunks_carry_hybrids() {
    let [device, host] = [(); 2].map(|()| credential(hybrid(STRONGEST)));
    let configs = [common::ALL | MUTUAL, common::REQUESTER | MUTUAL].map(|flags| {
        let mut config = hybrid_config(flags);
        config.limits.data_transfer_size = 0x400;
        config
    });
    let (mut requester, mut wire) = pair(configs, [&device, &host], [device.identity(), host.identity()]);
    fetch_chain(&mut requester, &mut wire);
    use_all(&mut requester, &mut wire);
    message(&wire, Code::CHUNK_SEND);
}

#[test]
fn handshakes_in_the_clear_and_several_keys_work() {
    let [device, host] = [(); 2].map(|()| credential(hybrid("Ed25519 + ML-DSA-65")));
    for more in [Caps::HANDSHAKE_IN_THE_CLEAR, Caps::MULTI_KEY_CONN_SEL] {
        let configs =
            [common::responder_caps(common::ALL | MUTUAL | more), common::REQUESTER | MUTUAL | more];
        let identities = [device.identity(), host.identity()];
        let (mut requester, mut wire) = pair(configs.map(hybrid_config), [&device, &host], identities);
        fetch_chain(&mut requester, &mut wire);
        use_all(&mut requester, &mut wire);
    }
}

#[test]
fn hybrid_key_of_slot_255_authenticates_the_requester() {
    let [device, host] = [(); 2].map(|()| credential(hybrid("ECDSA-P256 + ML-DSA-44")));
    let without = Caps((common::REQUESTER | MUTUAL).0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
    let configs = [hybrid_config(common::ALL | MUTUAL), hybrid_config(without)];
    let key = host.chain[1].public_key().unwrap();
    let provisioned = Identity::default().with_provisioned(key.clone(), host.signer.clone());
    let (mut requester, mut wire) = pair(configs, [&device, &host], [device.identity(), provisioned]);
    wire.responder.provision(key);
    fetch_chain(&mut requester, &mut wire);
    use_all(&mut requester, &mut wire);
}

/// The purposes are independent: plain ML-DSA authenticates a hybrid key exchange, and a hybrid signature authenticates plain
/// ML-KEM.
#[test]
fn hybrids_work_together_with_plain_algorithms() {
    for (asym, hybrid_kem) in [("ML-DSA-65", 1), (STRONGEST, 0)] {
        let [device, host] = [(); 2].map(|()| credential(Asym::by_name(asym).unwrap()));
        let mut configs = [common::ALL | MUTUAL, common::REQUESTER | MUTUAL].map(hybrid_config);
        configs[0].algorithms.hybrid_kem = hybrid_kem;
        let (mut requester, mut wire) = pair(configs, [&device, &host], [device.identity(), host.identity()]);
        fetch_chain(&mut requester, &mut wire);
        let algorithms = requester.connection().negotiated().unwrap().algorithms;
        assert_eq!(algorithms.hybrid_kem.is_some(), hybrid_kem != 0);
        assert_eq!(algorithms.asym.map(Asym::name), Some(asym));
        use_all(&mut requester, &mut wire);
    }
}

#[test]
fn key_pairs_have_the_bits_of_both_parts() {
    let all: Vec<_> = HYBRID_SIGNATURES.iter().map(|row| Asym::Hybrid(row).key_pair_bits()).collect();
    for (at, (classical, post_quantum)) in all.iter().enumerate() {
        assert_eq!((classical.0.count_ones(), post_quantum.0.count_ones()), (1, 1));
        assert!(!all[..at].contains(&all[at]));
    }
}
