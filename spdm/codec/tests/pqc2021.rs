//! Tests of the dialect of openspdm-pqc: byte layouts written by hand, truncations and bit flips.

mod authentication;

use core::fmt::Debug;
use grille_spdm_codec::algorithms::{Aead, BaseAsym, BaseHash, Dhe, KeySchedule};
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::pqc2021::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::pqc2021::challenge::Challenge;
use grille_spdm_codec::pqc2021::fragment::{
    Fragment, FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest, MAX_MESSAGE,
    MAX_PIECE, REQUEST_ID, RESPONSE_ID, split,
};
use grille_spdm_codec::pqc2021::{
    ExchangeData, ExchangeLens, KEMS, Kem, KemAuthentication, SIGNATURES, Set, Signature, SignatureField,
    SignatureLens, Tables,
};
use grille_spdm_codec::{Message, Problem, Sizes, Version};

/// Digests, signatures and ciphertexts are unrealistically short to keep the bytes readable.
const SIZES: Sizes =
    Sizes { hash: 2, signature: 3, exchange_data: 4, summary_hash: 2, verify_data: 2, multi_key: false };

/// Asserts that a message has this encoding in SPDM 1.1, that every truncation is rejected, and that a message with a
/// flipped bit is rejected or encodes to the flipped bytes, except in reserved bytes. `reserved`: the positions of
/// reserved bytes.
fn assert_encoding<M: Message<'static> + PartialEq + Debug>(message: M, bytes: &[u8], reserved: &[usize]) {
    let reserved: Vec<_> = reserved.iter().map(|&at| (at, 0xff)).collect();
    assert_encoding_with(message, bytes, &SIZES, &reserved);
}

/// Asserts what [`assert_encoding`] asserts, for a message with fields of these sizes. `reserved`: positions of bytes,
/// each with a mask of the byte's reserved bits.
fn assert_encoding_with<M: Message<'static> + PartialEq + Debug>(
    message: M,
    bytes: &[u8],
    sizes: &Sizes,
    reserved: &[(usize, u8)],
) {
    let bytes: &[u8] = bytes.to_vec().leak();
    let mut buffer = vec![0xff; bytes.len()];
    assert_eq!(message.encode(Version::V1_1, sizes, &mut buffer), Ok(bytes.len()));
    assert_eq!(buffer, bytes);
    assert_eq!(M::decode(bytes, sizes), Ok(message));
    for len in 0..bytes.len() {
        assert!(M::decode(&bytes[..len], sizes).is_err(), "{len} bytes");
        assert!(message.encode(Version::V1_1, sizes, &mut buffer[..len]).is_err(), "{len} bytes");
    }
    for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, 1_u8 << bit))) {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= bit;
        let flipped: &[u8] = flipped.leak();
        let Ok(other) = M::decode(flipped, sizes) else { continue };
        let is_reserved = reserved.iter().any(|&(place, bits)| place == at && bits & bit != 0);
        assert_eq!(other == message, at == 0 || is_reserved, "byte {at} bit {bit:#x}");
        if other != message {
            let len = other.encode(Version::V1_1, sizes, &mut buffer);
            assert_eq!(len.map(|len| &buffer[..len]), Ok(flipped), "byte {at} bit {bit:#x}");
        }
    }
}

#[test]
fn signature_bits_follow_the_reference() {
    let bytes = |name: &str| Signature::by_name(name).unwrap().set().to_bytes();
    assert_eq!(bytes("DILITHIUM_2"), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("DILITHIUM_5_AES"), [0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("FALCON_1024"), [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("SPHINCS_HARAKA_128F_ROBUST"), [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("SPHINCS_SHA256_128F_ROBUST"), [0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("SPHINCS_SHAKE256_128F_ROBUST"), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(bytes("SPHINCS_SHAKE256_256S_SIMPLE"), [0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0]);
    assert_eq!((SIGNATURES.len(), bytes("dilithium2-aes")), (44, bytes("DILITHIUM_2_AES")));
}

#[test]
fn kem_bits_follow_the_reference() {
    let bytes = |name: &str| Kem::by_name(name).unwrap().set().to_bytes();
    assert_eq!(bytes("BIKE1_L3_FO"), [8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("CLASSIC_MCELIECE_348864"), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("CLASSIC_MCELIECE_8192128F"), [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("HQC_256"), [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("KYBER_1024_90S"), [0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes("SIDH_P434"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(bytes("SIKE_P751_COMPRESSED"), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0]);
    assert_eq!((KEMS.len(), bytes("SIKE_P510")), (39, bytes("SIKE_P503")));
}

#[test]
fn algorithms_are_unique_and_found() {
    for row in SIGNATURES {
        assert_eq!(Signature::from_set(row.set()), Some(row));
        assert_eq!((Signature::by_name(row.name), Signature::by_name(row.option)), (Some(row), Some(row)));
    }
    for row in KEMS {
        assert_eq!(Kem::from_set(row.set()), Some(row));
        assert_eq!((Kem::by_name(row.name), Kem::by_name(row.option)), (Some(row), Some(row)));
    }
    assert!(SIGNATURES.is_sorted_by(|a, b| a.bit < b.bit) && KEMS.is_sorted_by(|a, b| a.bit < b.bit));
    assert_eq!((Signature::from_set(Set::NONE), Kem::from_set(Set::from_bit(4))), (None, None));
    assert_eq!(Signature::from_set(SIGNATURES[0].set().union(SIGNATURES[1].set())), None);
    assert_eq!((Signature::by_name("KYBER_512"), Kem::by_name("")), (None, None));
}

/// Returns tables for Kyber512-90s, Falcon-512 and secp256r1, and their encoding by hand. With `nine`, they include the
/// tables of KEM authentication.
fn tables(nine: bool) -> (Tables, Vec<u8>) {
    let tables = Tables {
        dhe: Dhe::SECP256R1,
        aead: Aead::AES_256_GCM | Aead::CHACHA20_POLY1305,
        req_base_asym: BaseAsym::RSAPSS_3072,
        key_schedule: KeySchedule::HMAC_HASH,
        signature: Signature::by_name("FALCON_512").unwrap().set(),
        req_signature: Set::NONE,
        kem: Kem::by_name("KYBER_512_90S").unwrap().set(),
        kem_authentication: nine.then(|| KemAuthentication {
            responder: Kem::by_name("SIKE_P434").unwrap().set(),
            requester: Set::NONE,
        }),
    };
    let mut bytes = vec![2, 0x20, 8, 0, 3, 0x20, 6, 0, 4, 0x20, 8, 0, 5, 0x20, 1, 0];
    bytes.extend([11, 0xc0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([12, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([13, 0xc0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
    if nine {
        bytes.extend([14, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
        bytes.extend([15, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    (tables, bytes)
}

#[test]
fn negotiation_has_seven_or_nine_tables() {
    for (nine, request_len, response_len) in [(false, 90, 94), (true, 118, 122)] {
        let (expected, bytes) = tables(nine);
        let mut buffer = [0xff; Tables::MAX_LEN];
        let structs = expected.write(&mut buffer).unwrap();
        let request = NegotiateAlgorithms {
            base_hash: BaseHash::SHA_256,
            tables: structs,
            ..NegotiateAlgorithms::default()
        };
        let mut encoded = [0xff; 128];
        assert_eq!(request.encode(Version::V1_1, &SIZES, &mut encoded), Ok(request_len));
        assert_eq!(encoded[..6], [0x11, 0xe3, if nine { 9 } else { 7 }, 0, request_len as u8, 0]);
        assert_eq!(encoded[32..request_len], bytes);
        let decoded = NegotiateAlgorithms::decode(&encoded[..request_len], &SIZES).unwrap();
        assert_eq!(Tables::read(&decoded.tables), Ok(expected));
        assert!(decoded.is_possible(Version::V1_1));
        let response = Algorithms { tables: structs, ..Algorithms::default() };
        assert_eq!(response.encode(Version::V1_1, &SIZES, &mut encoded), Ok(response_len));
        assert_eq!(encoded[36..response_len], bytes);
        let decoded = Algorithms::decode(&encoded[..response_len], &SIZES).unwrap();
        assert_eq!(Tables::read(&decoded.tables), Ok(expected));
    }
}

/// Returns ALGORITHMS of SPDM 1.1 with these bytes as tables.
fn algorithms(count: u8, tables: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x11, 0x63, count, 0, (36 + tables.len()) as u8, 0];
    bytes.resize(36, 0);
    bytes.extend_from_slice(tables);
    bytes
}

#[test]
fn rejects_every_flipped_table_header() {
    for nine in [false, true] {
        let (expected, bytes) = tables(nine);
        let count = if nine { 9 } else { 7 };
        for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            let message = algorithms(count, &flipped);
            let read = Algorithms::decode(&message, &SIZES).and_then(|found| Tables::read(&found.tables));
            let in_table = if at < 16 { at % 4 } else { (at - 16) % 14 };
            assert_eq!(read.is_ok(), in_table >= 2, "byte {at} bit {bit}");
            if let Ok(other) = read {
                assert_ne!(other, expected);
                let mut buffer = [0; Tables::MAX_LEN];
                other.write(&mut buffer).unwrap();
                assert_eq!(buffer[..flipped.len()], flipped);
            }
        }
    }
}

#[test]
fn rejects_every_truncation_of_tables() {
    for nine in [false, true] {
        let (_, bytes) = tables(nine);
        for (len, count) in (0..bytes.len()).flat_map(|len| (0..10).map(move |count| (len, count))) {
            let message = algorithms(count, &bytes[..len]);
            let read = Algorithms::decode(&message, &SIZES).and_then(|found| Tables::read(&found.tables));
            // the first seven of the nine tables are a valid message of openspdm-pqc
            assert_eq!(read.is_ok(), nine && (len, count) == (58, 7), "{len} bytes, {count} tables");
        }
    }
}

#[test]
fn rejects_missing_and_foreign_tables() {
    let (_, bytes) = tables(false);
    let read = |count: u8, tables: &[u8]| {
        let message = algorithms(count, tables);
        Algorithms::decode(&message, &SIZES).and_then(|found| Tables::read(&found.tables)).unwrap_err()
    };
    // Six tables; and the standard's table 7 instead of DHE's last one.
    let six = read(6, &bytes[..44]);
    assert_eq!(
        (six.name, six.problem),
        ("number of AlgStruct", Problem::Value { expected: "7 or 9 tables", got: 6 })
    );
    let foreign = [&bytes[..16], &[7, 0x20, 4, 0], &bytes[30..]].concat();
    let error = read(7, &foreign);
    assert_eq!((error.name, error.offset), ("AlgType", 16));
    let mut buffer = [0; 64];
    let external = [[1, 0, 2, 0]];
    let structs = (2..9).map(|alg_type| AlgStruct {
        alg_type: AlgType(alg_type),
        supported: &[1, 0],
        external: &external,
    });
    let structs = AlgStructs::write(structs, &mut buffer).unwrap();
    assert_eq!(Tables::read(&structs).unwrap_err().name, "AlgCount");
}

#[test]
fn rejects_buffers_too_small_for_tables_and_wide_algorithms() {
    let (expected, bytes) = tables(true);
    let mut buffer = [0; Tables::MAX_LEN];
    assert_eq!(bytes.len(), Tables::MAX_LEN);
    for len in 0..Tables::MAX_LEN {
        assert!(expected.write(&mut buffer[..len]).is_err(), "{len} bytes");
    }
    let wide = Tables { req_base_asym: BaseAsym(1 << 16), ..expected };
    assert!(wide.write(&mut buffer).is_err());
}

#[test]
fn exchange_data_splits_into_its_parts() {
    let cases: [(&[u8], &[u8], &[u8]); 5] = [
        (&[1, 2], &[3, 4, 5], &[6]),
        (&[1, 2], &[3], &[]),
        (&[], &[3], &[6]),
        (&[1], &[], &[]),
        (&[], &[], &[]),
    ];
    for (dhe, kem, kem_auth) in cases {
        let data = ExchangeData { dhe, kem, kem_auth };
        let lens = ExchangeLens { dhe: dhe.len(), kem: kem.len(), kem_auth: kem_auth.len() };
        let bytes = [dhe, kem, kem_auth].concat();
        let mut buffer = [0xff; 8];
        assert_eq!((lens.total(), data.encode(lens, &mut buffer)), (bytes.len(), Ok(bytes.len())));
        assert_eq!(buffer[..bytes.len()], bytes);
        assert_eq!(ExchangeData::decode(&bytes, lens), Ok(data));
        for len in 0..bytes.len() {
            assert!(ExchangeData::decode(&bytes[..len], lens).is_err());
            assert!(data.encode(lens, &mut buffer[..len]).is_err());
        }
        assert!(ExchangeData::decode(&[&bytes[..], &[0]].concat(), lens).is_err());
        assert!(data.encode(ExchangeLens { kem: lens.kem + 1, ..lens }, &mut buffer).is_err());
    }
    let huge = ExchangeLens { dhe: usize::MAX, kem: usize::MAX, kem_auth: 1 };
    assert_eq!(huge.total(), usize::MAX);
    assert!(ExchangeData::decode(&[0; 8], huge).is_err());
}

#[test]
fn signature_field_pads_the_post_quantum_part() {
    let lens = SignatureLens { classical: 2, post_quantum: 4, mac: 0 };
    let field = SignatureField { classical: &[0xc0, 0xc1], post_quantum: &[1, 2, 3], mac: &[] };
    let bytes = [0xc0, 0xc1, 3, 0, 0, 0, 1, 2, 3, 0];
    let mut buffer = [0xff; 10];
    assert_eq!((lens.total(), field.encode(lens, &mut buffer)), (10, Ok(10)));
    assert_eq!((buffer, SignatureField::decode(&bytes, lens)), (bytes, Ok(field)));
    for len in 0..10 {
        assert!(SignatureField::decode(&bytes[..len], lens).is_err());
        assert!(field.encode(lens, &mut buffer[..len]).is_err());
    }
    // A bit of the length or of the padding.
    for at in [2, 3, 4, 5, 9] {
        for bit in 0..8 {
            let mut flipped = bytes;
            flipped[at] ^= 1 << bit;
            let read = SignatureField::decode(&flipped, lens);
            // With a shorter length, the end of the signature counts as padding, which must be zero.
            assert!(read.is_err(), "byte {at} bit {bit}: {read:?}");
        }
    }
    let long = SignatureField { post_quantum: &[1; 5], ..field };
    let error = long.encode(lens, &mut [0; 16]).unwrap_err();
    assert_eq!((error.offset, error.problem), (2, Problem::TooLarge { max: 4, got: 5 }));
    let padding = SignatureField::decode(&[0xc0, 0xc1, 2, 0, 0, 0, 1, 2, 0, 9], lens).unwrap_err();
    assert_eq!((padding.name, padding.offset), ("post-quantum signature", 9));
}

#[test]
fn signature_field_has_a_length_without_post_quantum_signature() {
    let classical = SignatureLens { classical: 2, ..SignatureLens::default() };
    let field = SignatureField { classical: &[7, 8], ..SignatureField::default() };
    assert_eq!((classical.total(), SignatureField::decode(&[7, 8, 0, 0, 0, 0], classical)), (6, Ok(field)));
    let authenticated = SignatureLens { mac: 3, ..SignatureLens::default() };
    let field = SignatureField { mac: &[4, 5, 6], ..SignatureField::default() };
    let mut buffer = [0xff; 7];
    assert_eq!(field.encode(authenticated, &mut buffer), Ok(authenticated.total()));
    assert_eq!(buffer, [0, 0, 0, 0, 4, 5, 6]);
    assert_eq!(SignatureField::decode(&buffer, authenticated), Ok(field));
}

#[test]
fn signature_field_ends_with_a_mac() {
    let lens = SignatureLens { classical: 2, post_quantum: 3, mac: 2 };
    let field = SignatureField { classical: &[7, 8], post_quantum: &[1, 2], mac: &[4, 5] };
    let bytes = [7, 8, 2, 0, 0, 0, 1, 2, 0, 4, 5];
    let mut buffer = [0xff; 11];
    assert_eq!((field.encode(lens, &mut buffer), buffer), (Ok(lens.total()), bytes));
    assert_eq!(SignatureField::decode(&bytes, lens), Ok(field));
    for len in 0..bytes.len() {
        assert!(SignatureField::decode(&bytes[..len], lens).is_err(), "{len} bytes");
        assert!(field.encode(lens, &mut buffer[..len]).is_err(), "{len} bytes");
    }
    assert!(SignatureField::decode(&[&bytes[..], &[0]].concat(), lens).is_err());
    for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit))) {
        let mut flipped = bytes;
        flipped[at] ^= bit;
        let Ok(other) = SignatureField::decode(&flipped, lens) else {
            assert!((2..6).contains(&at) || at == 8, "the length, and padding: byte {at}");
            continue;
        };
        assert_ne!(other, field, "byte {at} bit {bit:#x}");
        assert_eq!((other.encode(lens, &mut buffer), buffer), (Ok(bytes.len()), flipped));
    }
}

#[test]
fn challenge_carries_a_ciphertext() {
    let challenge = Challenge { slot: 0xff, summary_type: 1, nonce: [0x4e; 32], ciphertext: &[1, 2, 3, 4] };
    let bytes = [&[0x11, 0x83, 0xff, 1][..], &[0x4e; 32], &[1, 2, 3, 4]].concat();
    assert_encoding(challenge, &bytes, &[]);
    let plain = Challenge { ciphertext: &[], ..challenge };
    let none = Sizes { exchange_data: 0, ..SIZES };
    assert_eq!(Challenge::decode(&bytes[..36], &none), Ok(plain));
}

#[test]
fn certificates_have_lengths_of_32_bits() {
    let request = GetCertificate { slot: 3, offset: 0x1_0002, length: 0x400 };
    let bytes = [0x11, 0x82, 3, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 4, 0, 0];
    assert_encoding(request, &bytes, &[3, 4, 5, 6, 7]);
    let response = Certificate { slot: 3, portion: &[9, 8, 7], remainder: 0x1_0002 };
    let bytes = [0x11, 0x02, 3, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 1, 0, 9, 8, 7];
    assert_encoding(response, &bytes, &[3, 4, 5, 6, 7]);
}

#[test]
fn fragments_have_a_header_of_16_bytes() {
    let first =
        Fragment { is_first: true, is_last: false, id: REQUEST_ID, sequence: 0, offset: 0, data: &[9, 8, 7] };
    let bytes = [0x11, 0xfd, 1, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 9, 8, 7];
    // the prototype ignores the other six bits
    let attributes = [(2, 0xfc)];
    assert_encoding_with(FragmentRequest { fragment: first }, &bytes, &SIZES, &attributes);
    let last = Fragment {
        is_first: false,
        is_last: true,
        id: RESPONSE_ID,
        sequence: 0x102,
        offset: 0x10_3000,
        data: &[1],
    };
    let bytes = [0x11, 0x7c, 2, 0xff, 2, 1, 0, 0, 0, 0x30, 0x10, 0, 1, 0, 0, 0, 1];
    assert_encoding_with(FragmentResponse { fragment: last }, &bytes, &SIZES, &attributes);
}

#[test]
fn acknowledgements_have_8_bytes() {
    let ack = FragmentRequestAck { id: 0x7f, sequence: 0x0102_0304 };
    assert_encoding(ack, &[0x11, 0x7d, 0, 0x7f, 4, 3, 2, 1], &[2]);
    let request = FragmentRspRequest { id: 0xff, sequence: 1 };
    assert_encoding(request, &[0x11, 0xfc, 0, 0xff, 1, 0, 0, 0], &[2]);
    let wrong = FragmentRspRequest::decode(&[0x11, 0x7d, 0, 0xff, 1, 0, 0, 0], &SIZES).unwrap_err();
    assert_eq!(wrong.problem, Problem::Value { expected: "FRAGMENT_RSP_REQUEST", got: 0x7d });
}

#[test]
fn rejects_pieces_over_4096_bytes() {
    let message = vec![0; MAX_PIECE + 1];
    let fragment = Fragment { data: &message, ..Fragment::default() };
    let mut buffer = vec![0; 2 * MAX_PIECE];
    let error = FragmentRequest { fragment }.encode(Version::V1_1, &SIZES, &mut buffer).unwrap_err();
    assert_eq!((error.offset, error.problem), (12, Problem::TooLarge { max: 4096, got: 4097 }));
    let mut bytes = vec![0x11, 0xfd, 3, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x10, 0, 0];
    bytes.extend_from_slice(&message);
    assert_eq!(FragmentRequest::decode(&bytes, &SIZES).unwrap_err().name, "length");
}

#[test]
fn split_messages_join_again() {
    for len in [1, MAX_PIECE - 1, MAX_PIECE, MAX_PIECE + 1, 3 * MAX_PIECE, MAX_MESSAGE] {
        let message: Vec<u8> = (0..len).map(|at| (at / 7) as u8).collect();
        let mut joined = Vec::new();
        for (sequence, fragment) in split(&message, REQUEST_ID).enumerate() {
            assert_eq!(fragment.check(sequence as u32, joined.len(), MAX_MESSAGE), Ok(()));
            joined.extend_from_slice(fragment.data);
            assert_eq!(fragment.is_last, joined.len() == len);
        }
        assert_eq!(joined, message);
    }
    assert_eq!(split(&[], REQUEST_ID).count(), 0);
}

#[test]
fn rejects_pieces_out_of_order_and_over_the_limit() {
    let second = Fragment { sequence: 1, offset: 4096, data: &[1, 2], ..Fragment::default() };
    assert_eq!(second.check(1, 4096, 4098), Ok(()));
    let refused = |fragment: Fragment<'_>, sequence, received, limit| {
        fragment.check(sequence, received, limit).unwrap_err().name
    };
    assert_eq!(refused(second, 1, 4096, 4097), "length");
    assert_eq!(refused(second, 2, 4096, 8192), "sequence");
    assert_eq!(refused(second, 1, 4095, 8192), "offset");
    assert_eq!(refused(second, 0, 0, 8192), "BEGIN");
    assert_eq!(refused(Fragment { is_first: true, ..second }, 1, 4096, 8192), "BEGIN");
    assert_eq!(refused(Fragment { data: &[], ..second }, 1, 4096, 8192), "length");
    assert_eq!(refused(second, 1, 4096, 0), "length");
}
