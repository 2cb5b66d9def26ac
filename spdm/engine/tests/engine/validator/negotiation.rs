//! Groups 1 to 3: VERSION, CAPABILITIES, ALGORITHMS.

use crate::validator::from_version;
use crate::validator::tester::{RESPONDER, TESTER, Tester};
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags as Caps};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::negotiate::Algorithms;
use grille_spdm_codec::{Message, Sizes, Version};

/// The validator's capabilities in 2.3, 2.5 and 2.7.
const EVERYTHING: Caps = Caps(TESTER.0 | Caps::MUT_AUTH.0 | Caps::PSK.0 | Caps::ENCAP.0);

#[test]
fn case_1_1_version() {
    let response = Tester::new(Version::V1_0, TESTER).get_version();
    assert_eq!(response[..4], [0x10, 0x04, 0, 0]);
    assert_eq!(response.len(), 6 + 2 * usize::from(response[5]));
    let versions: Vec<_> = response[6..].chunks(2).map(|entry| entry[1]).collect();
    assert_eq!(versions, [0x10, 0x11, 0x12, 0x13, 0x14]);
}

/// Checks the cases 2.1, 2.3, 2.5 and 2.7.
fn capabilities(version: Version) {
    let mut tester = Tester::versioned(version, EVERYTHING);
    let response = tester.ask_vca(&tester.get_capabilities());
    assert_eq!(response[..2], [version.byte(), 0x61]);
    let limits = Capabilities::decode(&response, &Sizes::default()).unwrap().limits;
    let (has, both) = (|any: Caps| limits.flags.intersects(any), |all: Caps| limits.flags.contains(all));
    assert!(!both(Caps::MEAS_NO_SIG | Caps::MEAS_SIG) && !both(Caps::PSK | Caps::PSK_WITH_CONTEXT));
    if version == Version::V1_0 {
        // 1.0 defines only these of the responder's capabilities
        assert_eq!(limits.flags, Caps(RESPONDER.0 & 0x3F));
        return;
    }
    assert_eq!(has(Caps::ENCRYPT | Caps::MAC), has(Caps::KEY_EX | Caps::PSK | Caps::PSK_WITH_CONTEXT));
    assert!(!has(Caps::MUT_AUTH) || has(Caps::ENCAP));
    assert!(!has(Caps::HANDSHAKE_IN_THE_CLEAR) || has(Caps::KEY_EX));
    assert!(!both(Caps::PUB_KEY_ID | Caps::CERT));
    assert!(!has(Caps::CHAL | Caps::MEAS_SIG | Caps::KEY_EX) || has(Caps::CERT | Caps::PUB_KEY_ID));
    if version >= Version::V1_2 {
        assert!(limits.data_transfer_size >= 42);
        assert!(limits.max_message_size >= limits.data_transfer_size && has(Caps::CHUNK));
    }
}

#[test]
fn case_2_1_capabilities_in_1_0() {
    capabilities(Version::V1_0);
}

#[test]
fn case_2_2_capabilities_in_another_version() {
    let mut tester = Tester::versioned(Version::V1_0, TESTER);
    for version in [0x15, 0x0F] {
        tester.refused(&[version, 0xE1, 0, 0], ErrorCode::VERSION_MISMATCH);
    }
}

#[test]
fn case_2_3_capabilities_in_1_1() {
    capabilities(Version::V1_1);
}

#[test]
fn case_2_4_capabilities_with_an_invalid_field() {
    let invalid = ErrorCode::INVALID_REQUEST;
    let without = |flags: Caps| Caps(EVERYTHING.0 & !flags.0);
    for version in from_version(Version::V1_1) {
        let mut flags = vec![without(Caps::ENCRYPT | Caps::MAC), without(Caps::KEY_EX | Caps::PSK)];
        flags.extend((version == Version::V1_1).then_some(without(Caps::ENCAP)));
        for flags in flags {
            let mut tester = Tester::versioned(version, flags);
            tester.refused(&tester.get_capabilities(), invalid);
        }
        if version < Version::V1_2 {
            continue;
        }
        let mut tester = Tester::versioned(version, EVERYTHING);
        let request = tester.get_capabilities();
        for (data_transfer_size, max_message_size) in [(41, 0x1200), (0x1201, 0x1200)] {
            let sizes = [u32::to_le_bytes(data_transfer_size), u32::to_le_bytes(max_message_size)].concat();
            tester.refused(&[&request[..12], &sizes].concat(), invalid);
        }
        // without chunks both limits are equal
        let mut tester = Tester::versioned(version, without(Caps::CHUNK));
        tester.refused(&tester.get_capabilities(), invalid);
    }
}

#[test]
fn case_2_5_capabilities_in_1_2() {
    capabilities(Version::V1_2);
}

#[test]
fn case_2_6_capabilities_again_but_not_the_same() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::versioned(version, EVERYTHING);
        let request = tester.get_capabilities();
        let first = tester.ask_vca(&request);
        let mut others = vec![(3, 1)];
        others.extend((version >= Version::V1_1).then_some([(5, 1), (9, 1 << 5)]).into_iter().flatten());
        others.extend((version >= Version::V1_2).then_some((16, 1)));
        for (at, bits) in others {
            let mut other = request.clone();
            other[at] ^= bits;
            tester.refused(&other, ErrorCode::UNEXPECTED_REQUEST);
        }
        // the responder repeats its answer to a repeated request
        let mut tester = Tester::versioned(version, EVERYTHING);
        assert_eq!([tester.ask(&request), tester.ask(&request)], [first.clone(), first]);
    }
}

#[test]
fn case_2_7_capabilities_in_1_3() {
    capabilities(Version::V1_3);
    capabilities(Version::V1_4);
}

/// Checks the cases 3.1, 3.5, 3.6 and 3.8: ALGORITHMS selects one algorithm of each offered kind.
fn algorithms(version: Version) {
    let mut tester = Tester::versioned(version, TESTER);
    tester.ask_vca(&tester.get_capabilities());
    let mut request = tester.negotiate_algorithms();
    request[8..16].copy_from_slice(&[0xFF, 0x0F, 0, 0, 0x7F, 0, 0, 0]);
    if version >= Version::V1_1 {
        request[34..36].copy_from_slice(&[0x7F, 0]);
        request[38..40].copy_from_slice(&[0x0F, 0]);
        request[42..44].copy_from_slice(&[0xFF, 0x0F]);
    }
    let response = tester.ask_vca(&request);
    assert_eq!(response[..2], [version.byte(), 0x63]);
    assert_eq!(usize::from(u16::from_le_bytes([response[4], response[5]])), response.len());
    let answer = Algorithms::decode(&response, &Sizes::default()).unwrap();
    assert_eq!((answer.ext_asym.len(), answer.ext_hash.len()), (0, 0));
    // SHA3-512 has the highest bit of the offered hashes
    assert_eq!((answer.measurement_specification.0, answer.base_asym.0, answer.base_hash.0), (1, 0x80, 0x20));
    assert_eq!(answer.measurement_hash.0.count_ones(), 1);
    assert_eq!(answer.other_params.0, if version >= Version::V1_2 { 2 } else { 0 });
    let tables: Vec<_> = answer.tables.iter().map(|table| (table.alg_type.0, table.bits())).collect();
    assert_eq!(response[36..].len(), 4 * tables.len());
    if version == Version::V1_0 {
        assert_eq!(tables, []);
    } else {
        let ones: Vec<_> = tables.iter().map(|(kind, bits)| (*kind, bits.count_ones())).collect();
        // mutual authentication was not offered
        assert_eq!(ones, [(2, 1), (3, 1), (4, 0), (5, 1)]);
    }
}

#[test]
fn case_3_1_algorithms_in_1_0() {
    algorithms(Version::V1_0);
}

#[test]
fn case_3_2_algorithms_in_another_version() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::versioned(version, TESTER);
        tester.ask_vca(&tester.get_capabilities());
        tester.mismatched(&tester.negotiate_algorithms());
    }
}

#[test]
fn case_3_4_algorithms_with_an_invalid_field() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::versioned(version, TESTER);
        tester.ask_vca(&tester.get_capabilities());
        let right = tester.negotiate_algorithms();
        let length = right[4];
        let mut changes = vec![(4, length - 1), (4, length + 1), (28, 21), (29, 21)];
        if version >= Version::V1_1 {
            // AlgCount of the first table: one byte, three bytes, missing external algorithms
            changes.extend([(33, 0x10), (33, 0x30), (33, 0x2F)]);
        }
        for (at, value) in changes {
            let mut wrong = right.clone();
            wrong[at] = value;
            tester.refused(&wrong, ErrorCode::INVALID_REQUEST);
        }
        assert_eq!(tester.ask(&right)[1], 0x63);
    }
}

#[test]
fn case_3_5_algorithms_in_1_1() {
    algorithms(Version::V1_1);
}

#[test]
fn case_3_6_algorithms_in_1_2() {
    algorithms(Version::V1_2);
}

#[test]
fn case_3_7_algorithms_again_but_not_the_same() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        let right = tester.negotiate_algorithms();
        let mut changes = vec![3, 12];
        changes.extend((version >= Version::V1_1).then_some(34));
        for at in changes {
            let mut other = right.clone();
            other[at] ^= 1;
            tester.refused(&other, ErrorCode::UNEXPECTED_REQUEST);
        }
    }
}

#[test]
fn case_3_8_algorithms_in_1_3() {
    algorithms(Version::V1_3);
    algorithms(Version::V1_4);
}
