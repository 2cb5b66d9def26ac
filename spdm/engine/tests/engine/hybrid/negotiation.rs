//! Negotiation of hybrids: layouts, peers without hybrids, and selections that were not offered.

use super::*;
use crate::invalid_responses::{Alter, connect};
use grille_spdm_codec::hybrid::HybridAsym;
use grille_spdm_engine::algorithms::KeyExchange;
use grille_spdm_engine::error::{Error, Usage, Violation};

/// A requester that offers ECDSA-P384 + ML-DSA-87 and X25519 + ML-KEM-768 only, and a responder with all hybrids.
fn documented(device: &Credential) -> (Requester, Wire) {
    let mut theirs = only_hybrids(common::REQUESTER);
    let bits = &mut theirs.algorithms;
    (bits.hash, bits.aead, bits.key_schedule) = (2, 2, 1);
    bits.hybrid_asym = HybridAsym::ECDSA_P384_ML_DSA_87.0;
    bits.hybrid_kem = HybridKem::X25519_ML_KEM_768.0;
    common::pair_with(theirs, hybrid_config(common::ALL), device)
}

/// The variable parts of both messages in `docs/guide/src/26-spdm-hybrids.md`.
const END: [u8; 20] = [4, 0, 0x13, 0xFE, 3, 0x20, 2, 0, 5, 0x20, 1, 0, 7, 0x21, 0, 0, 4, 0, 0x11, 0xFE];

#[test]
fn messages_have_the_documented_bytes() {
    let device = credential(hybrid(STRONGEST));
    let (mut requester, mut wire) = documented(&device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let offer = message(&wire, Code::NEGOTIATE_ALGORITHMS);
    let fixed = [0x14, 0xE3, 3, 0, 0x34, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(offer[..20], fixed);
    // MELspecification is that of the configuration
    assert_eq!((&offer[20..31], &offer[32..]), (&[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0][..], &END[..]));
    let selection = message(&wire, Code::ALGORITHMS);
    assert_eq!(selection[..8], [0x14, 0x63, 3, 0, 0x38, 0, 1, 2]);
    // after MeasurementHashAlgo: no fixed signature algorithm, and SHA-384
    assert_eq!(selection[12..32], [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((&selection[32..36], &selection[36..]), (&[1, 0, 0, 0][..], &END[..]));
}

#[test]
fn the_largest_offer_fits_its_limit() {
    let [device, host] = [(); 2].map(|()| credential(hybrid(STRONGEST)));
    let identities = [device.identity(), host.identity()];
    let mut configs = [common::ALL | MUTUAL, common::REQUESTER | MUTUAL].map(hybrid_config);
    for config in &mut configs {
        config.algorithms = Bits::all().with_hybrids();
    }
    let all = HYBRID_SIGNATURES.iter().fold(host.identity(), |identity, row| {
        let other = credential(Asym::Hybrid(row));
        identity.with(other.slot(0))
    });
    let (mut requester, mut wire) = pair(configs, [&device, &host], [identities[0].clone(), all]);
    requester.run(Connect::new(), &mut wire).unwrap();
    let offer = message(&wire, Code::NEGOTIATE_ALGORITHMS);
    // 9 key exchanges, and 4 signatures for each side; the requester has no key for the table ReqPqcAsymAlg
    assert_eq!((offer.len(), offer[28]), (120, 4));
}

#[test]
fn responders_prefer_hybrids_and_the_configured_ones_among_them() {
    let [device, other] = [hybrid(STRONGEST), common::post_quantum("ML-DSA-87")].map(credential);
    let identity = device.identity().with(other.slot(0));
    let mut ours = hybrid_config(common::ALL);
    let judge = || Box::new(Roots::new(vec![device.root.clone()]));
    for (preferred, expected) in [(0, "secp384r1"), (HybridKem::X25519_ML_KEM_768.0, "X25519")] {
        ours.preferred.hybrid_kem = preferred;
        let mut requester = Requester::new(hybrid_config(common::REQUESTER), Identity::default(), judge());
        let mut wire = Wire::new(Responder::new(ours.clone(), identity.clone(), Box::new(common::Sample)));
        requester.run(Connect::new(), &mut wire).unwrap();
        let algorithms = requester.connection().negotiated().unwrap().algorithms;
        assert_eq!(algorithms.asym.map(Asym::name), Some(STRONGEST));
        assert_eq!(algorithms.key_exchange.map(KeyExchange::name), Some(expected));
    }
}

#[test]
fn peers_without_hybrids_negotiate_plain_1_4() {
    let [device, other] = [hybrid(STRONGEST), common::post_quantum("ML-DSA-65")].map(credential);
    let plain = |flags| config(Version::V1_4, flags);
    for configs in [
        [hybrid_config(common::ALL), plain(common::REQUESTER)],
        [plain(common::ALL), hybrid_config(common::REQUESTER)],
    ] {
        let [ours, theirs] = configs;
        let identity = device.identity().with(other.slot(0));
        let judge = Box::new(Roots::new(vec![other.root.clone()]));
        let mut requester = Requester::new(theirs, Identity::default(), judge);
        let mut wire = Wire::new(Responder::new(ours, identity, Box::new(common::Sample)));
        fetch_chain(&mut requester, &mut wire);
        let algorithms = requester.connection().negotiated().unwrap().algorithms;
        assert_eq!(algorithms.asym.map(Asym::name), Some("ML-DSA-65"));
        assert!(algorithms.hybrid_kem.is_none());
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(End(session), &mut wire).unwrap();
    }
}

#[test]
fn requesters_of_hybrids_only_report_missing_algorithms() {
    let device = credential(common::post_quantum("ML-DSA-65"));
    let plain = config(Version::V1_4, common::ALL);
    let (mut requester, mut wire) = common::pair_with(only_hybrids(common::REQUESTER), plain, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let sent = wire.log.len();
    for refused in [
        requester.run(ChallengeResponder::new(0, 0), &mut wire).err(),
        requester.run(OpenSession::new(0), &mut wire).err(),
    ] {
        assert!(matches!(refused, Some(Error::Usage(Usage::NothingInCommon { .. }))), "{refused:?}");
    }
    assert_eq!(wire.log.len(), sent, "nothing is sent");
}

#[test]
fn earlier_versions_have_no_hybrids() {
    let [device, other] = [hybrid(STRONGEST), common::classical("P384")].map(credential);
    let [ours, theirs] = [common::ALL, common::REQUESTER]
        .map(|flags| Config { versions: vec![Version::V1_3], ..hybrid_config(flags) });
    let judge = Box::new(Roots::new(vec![other.root.clone()]));
    let identity = device.identity().with(other.slot(0));
    let mut requester = Requester::new(theirs, Identity::default(), judge);
    let mut wire = Wire::new(Responder::new(ours, identity, Box::new(common::Sample)));
    requester.run(Connect::new().with_algorithms(), &mut wire).unwrap();
    let offer = message(&wire, Code::NEGOTIATE_ALGORITHMS);
    assert_eq!(offer[28], 0);
    assert!(!offer.windows(4).any(|bytes| bytes == [4, 0, 0x13, 0xFE]));
    let supported = requester.connection().supported_algorithms().unwrap();
    assert_eq!(*supported, supported.without_hybrids());
    // a responder ignores them in 1.3
    let mut changed = offer;
    changed[28] = 1;
    changed[4] += 4;
    changed.splice(32..32, [4, 0, 0x13, 0xFE]);
    let sent = [0, 1].map(|at: usize| wire.log[at].0.clone());
    for packet in sent {
        let Packet::Message(request) = packet else { panic!("no session is open") };
        wire.plain(&request);
    }
    let selection = wire.plain(&changed);
    assert_eq!((selection[1], selection[32]), (Code::ALGORITHMS.0, 0));
}

#[test]
fn capabilities_list_the_supported_hybrids() {
    let device = credential(hybrid(STRONGEST));
    let configs = [common::REQUESTER, common::ALL].map(hybrid_config);
    let [theirs, ours] = configs;
    let (mut requester, mut wire) = common::pair_with(theirs, ours, &device);
    requester.run(Connect::new().with_algorithms(), &mut wire).unwrap();
    let supported = requester.connection().supported_algorithms().unwrap();
    assert_eq!(supported.hybrid_asym, HybridAsym::ECDSA_P384_ML_DSA_87.0);
    assert_eq!(supported.hybrid_kem, 0x1FF);
}

/// ExtAsymSel is at offset 36; the table KEM with its external algorithm is last.
#[test]
fn rejects_selections_that_were_not_offered() {
    let device = credential(hybrid(STRONGEST));
    let second = |message: &mut Vec<u8>, at: usize, low: u8| {
        message.splice(at..at, [4, 0, low, 0xFE]);
        message[4] += 4;
    };
    let last = |message: &mut Vec<u8>, back: usize, byte: u8| {
        let at = message.len() - back;
        message[at] = byte;
    };
    let alterations: [Alter<'_>; 11] = [
        // a hybrid that was not offered, another version of the definition, another registry
        &|message| message[38] = 0x12,
        &|message| message[38] = 0x23,
        &|message| message[36] = 1,
        &|message| last(message, 2, 0x12),
        &|message| last(message, 2, 0x21),
        // two hybrids
        &|message| {
            message[32] = 2;
            second(message, 40, 0x12);
        },
        &|message| {
            last(message, 7, 0x22);
            let end = message.len();
            second(message, end, 0x12);
        },
        // a fixed algorithm together with a hybrid
        &|message| message[12] = 0x10,
        &|message| message[20] = 1,
        &|message| last(message, 6, 1),
        // an external AEAD
        &|message| {
            message[41] = 0x21;
            second(message, 44, 0x10);
        },
    ];
    for (number, alter) in alterations.into_iter().enumerate() {
        let error = connect(documented(&device), Code::ALGORITHMS, alter);
        let wrong = matches!(error, Err(Error::Violation { violation: Violation::Algorithms, .. }));
        assert!(wrong, "{number}: {error:?}");
    }
    connect(documented(&device), Code::ALGORITHMS, |_| {}).unwrap();
}

/// The hybrids and the selection are in VCA: removing them from the offer invalidates the signature.
#[test]
fn removing_hybrids_from_the_offer_is_detected() {
    let [device, other] = [hybrid(STRONGEST), common::post_quantum("ML-DSA-65")].map(credential);
    let identity = device.identity().with(other.slot(0));
    let judge = Box::new(Roots::new(vec![other.root.clone()]));
    let mut requester = Requester::new(hybrid_config(common::REQUESTER), Identity::default(), judge);
    let responder = Responder::new(hybrid_config(common::ALL), identity, Box::new(common::Sample));
    let mut wire = Downgrade { wire: Wire::new(responder) };
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let algorithms = requester.connection().negotiated().unwrap().algorithms;
    assert_eq!(algorithms.asym.map(Asym::name), Some("ML-DSA-65"));
    let error = requester.run(ChallengeResponder::new(0, 0), &mut wire);
    assert!(matches!(error, Err(Error::Signature { .. })), "{error:?}");
}

/// Removes ExtAsym from NEGOTIATE_ALGORITHMS.
struct Downgrade {
    wire: Wire,
}

impl grille_spdm_engine::requester::Carrier for Downgrade {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let Packet::Message(mut request) = packet else { panic!("no session is open") };
        if request[1] == Code::NEGOTIATE_ALGORITHMS.0 {
            let removed = 4 * usize::from(request[28]);
            request.drain(32..32 + removed);
            (request[4], request[28]) = (request[4] - removed as u8, 0);
        }
        self.wire.exchange(Packet::Message(request))
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}
