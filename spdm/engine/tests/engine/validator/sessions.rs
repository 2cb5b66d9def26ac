//! Groups 8, 9, 12, 13 and 16: sessions.

use crate::common::session_required_error;
use crate::validator::from_version;
use crate::validator::tester::{TESTER, Tester};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;

const IN_THE_CLEAR: Caps = Caps(TESTER.0 | Caps::HANDSHAKE_IN_THE_CLEAR.0);
const NEW: &[Version] = &[Version::V1_2, Version::V1_3, Version::V1_4];

/// Runs KEY_EXCHANGE with every summary type; if `finish` is set, runs the whole handshake.
fn handshakes(versions: &[Version], flags: Caps, finish: bool) {
    for &version in versions {
        for summary_type in [0, 1, 0xFF] {
            let mut tester = Tester::identified(version, flags);
            tester.key_exchange(summary_type);
            if finish {
                assert_eq!(tester.sessions(), 0);
                tester.finish();
                assert_eq!(tester.sessions(), 1);
                assert_eq!(tester.ask(&tester.header(0xE8, [0, 0])), tester.header(0x68, [0, 0]));
            }
        }
    }
}

#[test]
fn case_8_1_key_exchange_in_1_1() {
    handshakes(&[Version::V1_1], TESTER, false);
}

#[test]
fn case_8_2_key_exchange_in_the_clear_in_1_1() {
    handshakes(&[Version::V1_1], IN_THE_CLEAR, false);
}

#[test]
fn case_8_3_key_exchange_in_another_version() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::identified(version, TESTER);
        tester.mismatched(&tester.key_exchange_request(0, 0, &[1; 96]));
    }
}

#[test]
fn case_8_5_key_exchange_in_a_session() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        let request = tester.key_exchange_request(0, 0, &[1; 96]);
        tester.refused(&request, ErrorCode::UNEXPECTED_REQUEST);
    }
}

#[test]
fn case_8_6_key_exchange_with_an_invalid_field() {
    let invalid = ErrorCode::INVALID_REQUEST;
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::identified(version, TESTER);
        let wrong = (1..16).chain([0xFF]).map(|slot| (slot, 0)).chain([(0, 2), (0, 0xFE)]);
        for (slot, summary_type) in wrong {
            tester.refused(&tester.key_exchange_request(slot, summary_type, &[1; 96]), invalid);
        }
        // OpaqueDataLength follows after 40 bytes of other fields and ExchangeData
        let mut request = tester.key_exchange_request(0, 0, &[1; 96]);
        request[136..138].copy_from_slice(&[0xFF, 0xFF]);
        tester.refused(&request, invalid);
        assert_eq!(tester.sessions(), 0);
        tester.key_exchange(0);
    }
}

#[test]
fn case_8_7_key_exchange_in_1_2() {
    handshakes(NEW, TESTER, false);
}

#[test]
fn case_8_8_key_exchange_in_the_clear_in_1_2() {
    handshakes(NEW, IN_THE_CLEAR, false);
}

#[test]
fn case_9_1_finish_in_1_1() {
    handshakes(&[Version::V1_1], TESTER, true);
}

#[test]
fn case_9_2_finish_in_the_clear_in_1_1() {
    handshakes(&[Version::V1_1], IN_THE_CLEAR, true);
}

#[test]
fn case_9_3_finish_in_another_version() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, TESTER);
        tester.mismatched(&tester.finish_request([0, 0], 0));
        tester.finish();
    }
}

#[test]
fn case_9_5_finish_in_a_session() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, TESTER);
        let request = tester.finish_request([0, 0], 0);
        tester.finish();
        tester.refused(&request, ErrorCode::UNEXPECTED_REQUEST);
    }
}

#[test]
fn case_9_6_finish_with_an_invalid_field() {
    let invalid = ErrorCode::INVALID_REQUEST;
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, TESTER);
        for slot in (1..16).chain([0xFF]) {
            tester.refused(&tester.finish_request([1, slot], 0), invalid);
        }
        let whole = tester.finish_request([0, 0], 0);
        tester.refused(&whole[..whole.len() - 48], invalid);
        tester.finish();
    }
}

/// Checks that an invalid MAC ends the session, so that FINISH cannot be repeated.
fn wrong_mac(flags: Caps) {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, flags);
        let (wrong, right) = (tester.finish_request([0, 0], 1), tester.finish_request([0, 0], 0));
        tester.refused(&wrong, ErrorCode::DECRYPT_ERROR);
        let response = tester.plain(&right);
        assert_eq!(response[1..3], [0x7F, session_required_error(version).0]);
        assert_eq!(tester.sessions(), 0);
    }
}

#[test]
fn case_9_7_finish_with_a_wrong_mac() {
    wrong_mac(TESTER);
}

#[test]
fn case_9_8_finish_in_the_clear_with_a_wrong_mac() {
    wrong_mac(IN_THE_CLEAR);
}

#[test]
fn case_9_9_finish_in_1_2() {
    handshakes(NEW, TESTER, true);
}

#[test]
fn case_9_10_finish_in_the_clear_in_1_2() {
    handshakes(NEW, IN_THE_CLEAR, true);
}

/// Checks that FINISH, HEARTBEAT, KEY_UPDATE or END_SESSION is refused without a session.
fn session_required(code: u8, param1: u8) {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.refused(&tester.header(code, [param1, 0]), session_required_error(version));
    }
}

/// Checks that the request is refused in an incomplete handshake.
fn unexpected_in_a_handshake(code: u8, param1: u8) {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, TESTER);
        tester.refused(&tester.header(code, [param1, 0]), ErrorCode::UNEXPECTED_REQUEST);
        tester.finish();
    }
}

/// Checks that a request whose SPDMVersion is not the negotiated version is refused.
fn mismatched(code: u8, param1: u8) {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        tester.mismatched(&tester.header(code, [param1, 0]));
        assert_eq!(tester.sessions(), 1);
    }
}

#[test]
fn case_9_11_finish_without_a_session() {
    session_required(0xE5, 0);
}

#[test]
fn case_12_1_heartbeat() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        assert_eq!(tester.ask(&tester.header(0xE8, [0, 0])), tester.header(0x68, [0, 0]));
    }
}

#[test]
fn case_12_2_heartbeat_in_another_version() {
    mismatched(0xE8, 0);
}

#[test]
fn case_12_3_heartbeat_in_a_handshake() {
    unexpected_in_a_handshake(0xE8, 0);
}

#[test]
fn case_12_4_heartbeat_without_a_session() {
    session_required(0xE8, 0);
}

#[test]
fn case_13_1_key_update() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        for (tag, operation) in (1..).zip([1, 3, 2, 3]) {
            tester.key_update(operation, tag);
        }
    }
}

#[test]
fn case_13_2_key_update_in_another_version() {
    mismatched(0xE9, 1);
}

#[test]
fn case_13_3_key_update_with_an_invalid_field() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        for operation in [0, 4] {
            tester.refused(&tester.header(0xE9, [operation, 1]), ErrorCode::INVALID_REQUEST);
        }
        tester.key_update(1, 1);
    }
}

#[test]
fn case_13_4_key_update_in_a_handshake() {
    unexpected_in_a_handshake(0xE9, 1);
}

#[test]
fn case_13_5_key_update_without_a_session() {
    session_required(0xE9, 1);
}

#[test]
fn case_16_1_end_session() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_session(version, TESTER);
        assert_eq!(tester.ask(&tester.header(0xEC, [0, 0])), tester.header(0x6C, [0, 0]));
        assert_eq!(tester.sessions(), 0);
    }
}

#[test]
fn case_16_2_end_session_in_another_version() {
    mismatched(0xEC, 0);
}

#[test]
fn case_16_3_end_session_in_a_handshake() {
    unexpected_in_a_handshake(0xEC, 0);
}

#[test]
fn case_16_4_end_session_without_a_session() {
    session_required(0xEC, 0);
}
