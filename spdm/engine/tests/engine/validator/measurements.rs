//! Group 7: MEASUREMENTS.

use crate::common::measurements;
use crate::validator::from_version;
use crate::validator::tester::{TESTER, Tester};
use grille_spdm_codec::Version;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{Block, Blocks};

/// Parses the blocks of a record and checks that nothing else is in it.
fn blocks(record: &[u8]) -> Vec<Block<'_>> {
    let blocks: Vec<_> = Blocks::new(record).collect::<Result<_, _>>().unwrap();
    assert_eq!(blocks.iter().map(|block| block.bytes.len()).sum::<usize>(), record.len());
    blocks
}

/// Reads the number of blocks, all blocks, and each block alone. The last response is signed.
fn measure(tester: &mut Tester) {
    let indexes: Vec<u8> = measurements().iter().map(|measurement| measurement.index).collect();
    let count = u8::try_from(indexes.len()).unwrap();
    assert_eq!(tester.measure(true, 0), (count, 0, vec![]));
    let (_, number, record) = tester.measure(true, 0xFF);
    let all = blocks(&record);
    assert_eq!(number, count);
    assert_eq!(all.iter().map(|block| block.index).collect::<Vec<_>>(), indexes);
    for (block, measurement) in all.iter().zip(measurements()) {
        let last = block.index == indexes[indexes.len() - 1];
        assert_eq!(tester.measure(last, block.index), (0, 1, block.bytes.to_vec()));
        // case 7.5
        assert_eq!(block.kind(), measurement.kind);
        assert!(block.is_raw() || block.value.len() == 48);
    }
}

/// Runs outside sessions, after CHALLENGE.
fn measure_outside_sessions(versions: &[Version]) {
    for &version in versions {
        let mut tester = Tester::identified(version, TESTER);
        tester.challenge(0xFF);
        measure(&mut tester);
    }
}

fn measure_in_session(versions: &[Version]) {
    for &version in versions {
        let mut tester = Tester::in_session(version, TESTER);
        measure(&mut tester);
    }
}

#[test]
fn case_7_1_measurements_in_1_0() {
    measure_outside_sessions(&[Version::V1_0]);
}

#[test]
fn case_7_2_measurements_in_another_version() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        tester.mismatched(&tester.get_measurements(0, 0, 0));
    }
}

#[test]
fn case_7_4_measurements_with_an_invalid_field() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::negotiated(version, TESTER);
        let present: Vec<u8> = measurements().iter().map(|measurement| measurement.index).collect();
        for index in (1..0xFF).filter(|index| !present.contains(index)) {
            tester.refused(&tester.get_measurements(1, index, 0), ErrorCode::INVALID_REQUEST);
        }
        // SlotIDParam exists since 1.1
        let slots = if version >= Version::V1_1 { 1..16 } else { 0..0 };
        for slot in slots {
            tester.refused(&tester.get_measurements(1, present[0], slot), ErrorCode::INVALID_REQUEST);
        }
    }
}

#[test]
fn case_7_5_measurement_blocks() {
    for version in from_version(Version::V1_0) {
        let mut tester = Tester::identified(version, TESTER);
        let (_, _, record) = tester.measure(true, 0xFF);
        for block in blocks(&record) {
            assert_eq!(block.bytes[1], 1, "MeasurementSpecification");
            assert_eq!(usize::from(block.bytes[2]), 3 + block.value.len());
            assert!(block.is_raw() || block.value.len() == 48);
            assert!(block.kind() != 5 || block.is_raw(), "a device mode is raw");
        }
    }
}

#[test]
fn case_7_6_measurements_in_1_1() {
    measure_outside_sessions(&[Version::V1_1]);
}

#[test]
fn case_7_7_measurements_in_a_session_of_1_1() {
    measure_in_session(&[Version::V1_1]);
}

#[test]
fn case_7_8_measurements_in_a_handshake() {
    for version in from_version(Version::V1_1) {
        let mut tester = Tester::in_handshake_phase(version, TESTER);
        tester.refused(&tester.get_measurements(1, 0, 0), ErrorCode::UNEXPECTED_REQUEST);
    }
}

#[test]
fn case_7_9_measurements_in_1_2() {
    measure_outside_sessions(&[Version::V1_2, Version::V1_3, Version::V1_4]);
}

#[test]
fn case_7_10_measurements_in_a_session_of_1_2() {
    measure_in_session(&[Version::V1_2, Version::V1_3, Version::V1_4]);
}
