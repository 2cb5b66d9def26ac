//! Groups 4 to 6: DIGESTS, CERTIFICATE, CHALLENGE_AUTH.

use crate::validator::from_version;
use crate::validator::tester::{B, TESTER, Tester, algorithms};
use grille_spdm_codec::Version;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{ChainVerifier, Claim, Roots};

/// Returns slots without a chain, and invalid slot numbers.
fn invalid_slots() -> impl Iterator<Item = u8> {
    (1..16).chain([0xFF])
}

#[test]
fn case_4_1_digests() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        let response = tester.get_digests();
        assert_eq!(response[..2], [version.byte(), 0x01]);
        // SupportedSlotMask, since 1.3, and ProvisionedSlotMask
        assert_eq!(response[2] & response[3], if version >= Version::V1_3 { 1 } else { 0 });
        assert_eq!((response[3], response.len()), (1, 4 + 48));
    }
}

#[test]
fn case_4_2_digests_in_another_version() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.mismatched(&tester.header(0x81, [0, 0]));
    }
}

#[test]
fn case_5_1_certificate() {
    for version in from_version(Version::V1_0) {
        let tester = Tester::identified(version, TESTER);
        let chain = tester.chain.unwrap();
        assert_eq!(Some(chain.digest.as_ref()), tester.digest.as_deref());
    }
}

#[test]
fn case_5_2_certificate_in_another_version() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.get_digests();
        let request = [tester.header(0x82, [0, 0]), vec![0, 0, 0, 4]].concat();
        tester.mismatched(&request);
    }
}

#[test]
fn case_5_4_certificate_with_an_invalid_field() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.get_digests();
        for slot in 1..16 {
            let request = [tester.header(0x82, [slot, 0]), vec![0, 0, 0, 4]].concat();
            tester.refused(&request, ErrorCode::INVALID_REQUEST);
        }
        let request = [tester.header(0x82, [0, 0]), vec![0xFF, 0xFF, 0, 4]].concat();
        tester.refused(&request, ErrorCode::INVALID_REQUEST);
    }
}

/// The requester parsed the chain as X.509, which requires version, serial number, names, validity and key.
#[test]
fn case_5_5_certificates_are_those_of_a_device() {
    let tester = Tester::identified(Version::V1_2, TESTER);
    let chain = tester.chain.unwrap();
    let root = &chain.issuers[0];
    assert_eq!(chain.root_hash, algorithms().hash.digest(&[&root.to_der()]).as_ref());
    assert_eq!(root.subject(), root.issuer());
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::DEVICE };
    Roots::new(vec![root.clone()]).verify(&claim, &chain).unwrap();
    assert!(root.is_ca() && !chain.leaf.is_ca());
    assert!(chain.leaf.public_key().unwrap().row().aliases.contains(&"ECDSA-P384"));
}

#[test]
fn case_5_6_the_size_of_a_slot() {
    for version in from_version(Version::V1_3) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.get_digests();
        let request = [tester.header(0x82, [0, 1]), vec![0xFF, 0xFF, 0x55, 0xAA]].concat();
        let response = tester.ask(&request);
        assert_eq!((response.len(), &response[..2]), (8, &[version.byte(), 0x02][..]));
        // PortionLength, RemainderLength
        assert_eq!(response[4..6], [0, 0]);
        assert_ne!(response[6..8], [0, 0]);
    }
}

/// Runs CHALLENGE with every summary type. With `repeat_all`, the messages from GET_VERSION on are repeated before
/// (A1), otherwise not (A2).
fn challenge(versions: &[Version], repeat_all: bool, b: B) {
    for &version in versions {
        let mut tester = Tester::identified(version, TESTER);
        tester.challenge(0);
        for summary_type in [0, 1, 0xFF] {
            if repeat_all {
                tester.vca();
            }
            tester.challenge_after(b, summary_type);
        }
    }
}

const OLD: &[Version] = &[Version::V1_0, Version::V1_1];
const NEW: &[Version] = &[Version::V1_2, Version::V1_3, Version::V1_4];

#[test]
fn case_6_1_challenge_of_a1_b1_before_1_2() {
    challenge(OLD, true, B::DigestsAndCertificate);
}

#[test]
fn case_6_2_challenge_of_a1_b2_before_1_2() {
    challenge(OLD, true, B::Nothing);
}

#[test]
fn case_6_3_challenge_of_a1_b3_before_1_2() {
    challenge(OLD, true, B::Digests);
}

#[test]
fn case_6_4_challenge_in_another_version() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.mismatched(&tester.challenge_request(0, 0));
    }
}

#[test]
fn case_6_6_challenge_with_an_invalid_field() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        let wrong = invalid_slots().map(|slot| (slot, 0)).chain([(0, 2), (0, 0xFE)]);
        for (slot, summary_type) in wrong {
            let request = tester.challenge_request(slot, summary_type);
            tester.refused(&request, ErrorCode::INVALID_REQUEST);
        }
    }
}

#[test]
fn case_6_11_challenge_of_a1_b1() {
    challenge(NEW, true, B::DigestsAndCertificate);
}

#[test]
fn case_6_12_challenge_of_a1_b2() {
    challenge(NEW, true, B::Nothing);
}

#[test]
fn case_6_13_challenge_of_a1_b3() {
    challenge(NEW, true, B::Digests);
}

#[test]
fn case_6_14_challenge_of_a1_b4() {
    challenge(NEW, true, B::Certificate);
}

#[test]
fn case_6_15_challenge_of_a2_b1() {
    challenge(NEW, false, B::DigestsAndCertificate);
}

#[test]
fn case_6_16_challenge_of_a2_b2() {
    challenge(NEW, false, B::Nothing);
}

#[test]
fn case_6_17_challenge_of_a2_b3() {
    challenge(NEW, false, B::Digests);
}

#[test]
fn case_6_18_challenge_of_a2_b4() {
    challenge(NEW, false, B::Certificate);
}
