//! Tests of the tables in NEGOTIATE_ALGORITHMS and ALGORITHMS.

use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, Dhe, Kem, PqcAsym};
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{CodecError, Message, Sizes, Version};

const SIZES: Sizes =
    Sizes { hash: 0, signature: 0, exchange_data: 0, summary_hash: 0, verify_data: 0, multi_key: false };

fn table(alg_type: AlgType, supported: &[u8]) -> AlgStruct<'_> {
    AlgStruct { alg_type, supported, external: &[] }
}

/// Returns ALGORITHMS of SPDM 1.1 with this Length, this number of tables, and `tables` as their bytes.
fn algorithms(length: u16, count: u8, tables: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x11, 0x63, count, 0];
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.resize(36, 0);
    bytes.extend_from_slice(tables);
    bytes
}

fn decode_error(bytes: &[u8]) -> Result<(), &'static str> {
    Algorithms::decode(bytes, &SIZES).map(|_| ()).map_err(|error: CodecError| error.name)
}

#[test]
fn encodes_and_finds_tables() {
    let mut buffer = [0; 32];
    let external = [[1, 0, 2, 0]];
    let tables = AlgStructs::write(
        [
            table(AlgType::DHE, &[0x18, 0]),
            AlgStruct { alg_type: AlgType::AEAD, supported: &[2, 0], external: &external },
            table(AlgType::KEM, &[4, 0]),
        ],
        &mut buffer,
    )
    .unwrap();
    assert_eq!(Dhe(tables.bits(AlgType::DHE) as u16), Dhe::SECP256R1 | Dhe::SECP384R1);
    assert_eq!(Kem(tables.bits(AlgType::KEM) as u16).row().map(|row| row.name), Some("ML-KEM-1024"));
    assert_eq!(tables.bits(AlgType::KEY_SCHEDULE), 0);
    let request = NegotiateAlgorithms { tables, ..NegotiateAlgorithms::default() };
    let mut bytes = [0xff; 64];
    let len = request.encode(Version::V1_4, &SIZES, &mut bytes).unwrap();
    assert_eq!(bytes[..6], [0x14, 0xe3, 3, 0, 48, 0]);
    assert_eq!(bytes[32..len], [2, 0x20, 0x18, 0, 3, 0x21, 2, 0, 1, 0, 2, 0, 7, 0x20, 4, 0],);
    assert_eq!(NegotiateAlgorithms::decode(&bytes[..len], &SIZES), Ok(request));
}

#[test]
fn external_algorithms_precede_tables() {
    let response = Algorithms {
        base_asym: BaseAsym::ECDSA_P256,
        base_hash: BaseHash::SHA_256,
        ext_asym: &[[1, 0, 2, 0], [1, 0, 3, 0]],
        ext_hash: &[[4, 0, 5, 0]],
        ..Algorithms::default()
    };
    let mut bytes = [0xff; 64];
    let len = response.encode(Version::V1_0, &SIZES, &mut bytes).unwrap();
    assert_eq!((len, bytes[4], &bytes[32..34]), (48, 48, &[2, 1][..]));
    assert_eq!(bytes[36..len], [1, 0, 2, 0, 1, 0, 3, 0, 4, 0, 5, 0]);
    assert_eq!(Algorithms::decode(&bytes[..len], &SIZES), Ok(response));
}

#[test]
fn post_quantum_algorithms_are_reserved_before_1_4() {
    let request = NegotiateAlgorithms { pqc_asym: PqcAsym::ML_DSA_65, ..NegotiateAlgorithms::default() };
    let mut bytes = [0xff; 32];
    for (version, written) in [(Version::V1_3, 0), (Version::V1_4, 2)] {
        assert_eq!(request.encode(version, &SIZES, &mut bytes), Ok(32));
        assert_eq!(bytes[16..20], [written, 0, 0, 0]);
    }
    let mut earlier = bytes;
    earlier[0] = 0x13;
    let read = NegotiateAlgorithms::decode(&earlier, &SIZES).unwrap();
    assert_eq!(read.pqc_asym, PqcAsym::NONE);
}

#[test]
fn rejects_contradictory_tables() {
    let (dhe, aead) = ([2, 0x20, 8, 0], [3, 0x20, 1, 0]);
    let both = [dhe, aead].concat();
    assert_eq!(decode_error(&algorithms(44, 2, &both)), Ok(()));
    // Wrong counts, wrong lengths, a wrong order, a repeated type, an invalid type, and a missing external algorithm.
    assert_eq!(decode_error(&algorithms(44, 1, &both)), Err("Length"));
    assert_eq!(decode_error(&algorithms(44, 3, &both)), Err("AlgType"));
    assert_eq!(decode_error(&algorithms(40, 2, &both)), Err("AlgType"));
    assert_eq!(decode_error(&algorithms(43, 2, &both)), Err("AlgSupported"));
    assert_eq!(decode_error(&algorithms(45, 2, &both)), Err("AlgStruct"));
    assert_eq!(decode_error(&algorithms(35, 0, &[])), Err("Length"));
    assert_eq!(decode_error(&algorithms(44, 2, &[aead, dhe].concat())), Err("AlgType"));
    assert_eq!(decode_error(&algorithms(44, 2, &[dhe, dhe].concat())), Err("AlgType"));
    assert_eq!(decode_error(&algorithms(40, 1, &[0, 0x20, 1, 0])), Err("AlgType"));
    assert_eq!(decode_error(&algorithms(40, 1, &[2, 0x21, 8, 0])), Err("AlgExternal"));
}

#[test]
fn table_errors_have_message_offsets() {
    let error = Algorithms::decode(&algorithms(40, 1, &[2, 0x30, 8, 0]), &SIZES).unwrap_err();
    assert_eq!((error.name, error.offset), ("AlgSupported", 38));
}

#[test]
fn rejects_table_too_long_for_its_header() {
    let mut buffer = [0; 64];
    assert!(AlgStructs::write([table(AlgType::DHE, &[0; 16])], &mut buffer).is_err());
    let external = [[0; 4]; 16];
    let too_many = AlgStruct { alg_type: AlgType::DHE, supported: &[0; 2], external: &external };
    assert!(AlgStructs::write([too_many], &mut buffer).is_err());
    assert!(AlgStructs::write([table(AlgType::DHE, &[0; 2])], &mut buffer[..3]).is_err());
}

#[test]
fn limits_external_algorithms_by_version() {
    let external = [[0; 4]; 21];
    for (version, count, possible) in [
        (Version::V1_0, 8, true),
        (Version::V1_0, 9, false),
        (Version::V1_1, 20, true),
        (Version::V1_1, 21, false),
        (Version::V1_4, 20, true),
        (Version::V1_4, 21, false),
    ] {
        for in_hash in [0, 1, count] {
            let (ext_hash, ext_asym) = external[..count].split_at(in_hash);
            let request = NegotiateAlgorithms { ext_asym, ext_hash, ..NegotiateAlgorithms::default() };
            assert_eq!(request.is_possible(version), possible, "{version:?} {count} {in_hash}");
        }
    }
}

#[test]
fn empty_tables_are_valid_only_before_1_4() {
    let mut buffer = [0; 16];
    let empty_table = AlgStruct { alg_type: AlgType::DHE, supported: &[0; 2], external: &[] };
    let tables = AlgStructs::write([empty_table], &mut buffer).unwrap();
    let request = NegotiateAlgorithms { tables, ..NegotiateAlgorithms::default() };
    for version in [Version::V1_1, Version::V1_2, Version::V1_3] {
        assert!(request.is_possible(version), "{version:?}");
    }
    assert!(!request.is_possible(Version::V1_4));
}
