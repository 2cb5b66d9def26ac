//! Tests of the negotiation, and of chunked responses.

use crate::test_requester::*;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags as Caps, GetCapabilities, Limits};
use grille_spdm_codec::certificate::GetCertificate;
use grille_spdm_codec::chunk::ChunkGet;
use grille_spdm_codec::digests::GetDigests;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{Message, Sizes, signing};

#[test]
fn repeats_responses_and_signs_them_once() {
    let mut buffer = [0; 6000];
    let mut test_requester =
        TestRequester::new(EchoSigner { suite: RSA, ..ECHO_SIGNER }, CHUNKS, &mut buffer);
    for request in test_requester.negotiation.clone() {
        let response = test_requester.packet(&request);
        if request[1] != 0x84 {
            assert_eq!(test_requester.packet(&request), response);
            // A refused request does not prevent the repetition.
            assert_eq!(test_requester.packet(&[0x14, 0xE4, 0, 0])[2], ErrorCode::UNSUPPORTED_REQUEST.0);
            // The padding of PCI DOE is ignored.
            assert_eq!(test_requester.packet(&[&request[..], &[0; 3]].concat()), response);
            let mut other = request.clone();
            other[3] = 1;
            assert_eq!(test_requester.packet(&other)[1..3], [0x7F, ErrorCode::UNEXPECTED_REQUEST.0]);
        }
        test_requester.vca.extend([request, response].concat());
    }
    let (plain, vca) = (challenge(0), test_requester.vca.clone());
    assert_signed(signing::CHALLENGE_AUTH, &[&vca], &plain, &test_requester.packet(&plain));
    let last = test_requester.negotiation[2].clone();
    test_requester.assert_refused(&last, ErrorCode::UNEXPECTED_REQUEST);
}

#[test]
fn error_for_get_capabilities_has_its_version() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
    let get_capabilities = test_requester.negotiation[1].clone();
    test_requester.assert_refused(&get_capabilities, ErrorCode::UNEXPECTED_REQUEST);
    assert_eq!(test_requester.packet(&[0x10, 0x84, 0, 0])[1], 0x04);
    test_requester.assert_refused(&get_capabilities[..8], ErrorCode::INVALID_REQUEST);
    let older = [&[0x13], &get_capabilities[1..]].concat();
    assert_eq!(test_requester.packet(&older), [0x10, 0x7F, ErrorCode::VERSION_MISMATCH.0, 0]);
}

#[test]
fn rejects_contradictory_sizes_and_flags() {
    let chunks =
        |data_transfer_size, max_message_size| Limits { data_transfer_size, max_message_size, ..CHUNKS };
    let flags = |flags| Limits { flags: Caps::CHUNK | flags, ..CHUNKS };
    for limits in [
        chunks(41, 9000),
        chunks(900, 899),
        without_chunks(41),
        Limits { max_message_size: 9000, ..without_chunks(900) },
        flags(Caps::CHAL),
        flags(Caps::CERT | Caps::KEY_EX),
        flags(Caps::CERT | Caps::CHAL | Caps::PUB_KEY_ID),
    ] {
        let mut buffer = [0; 6000];
        let mut test_requester = TestRequester::new(ECHO_SIGNER, limits, &mut buffer);
        let [get_version, get_capabilities, _] = test_requester.negotiation.clone();
        assert_eq!(test_requester.packet(&get_version)[1], 0x04);
        test_requester.assert_refused(&get_capabilities, ErrorCode::INVALID_REQUEST);
    }
    // SupportedAlgorithms is sent only to requesters that support chunks.
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
    let request = GetCapabilities { wants_algorithms: true, limits: without_chunks(900) };
    let get_version = test_requester.negotiation[0].clone();
    assert_eq!(test_requester.packet(&get_version)[1], 0x04);
    test_requester.assert_refused(&encode(&request), ErrorCode::INVALID_REQUEST);
}

#[test]
fn sends_supported_algorithms_in_chunks_if_needed() {
    for data_transfer_size in [42, 900] {
        let mut buffer = [0; 6000];
        let limits = Limits { data_transfer_size, ..CHUNKS };
        let mut test_requester = TestRequester::new(ECHO_SIGNER, limits, &mut buffer);
        let get_version = test_requester.negotiation[0].clone();
        assert_eq!(test_requester.packet(&get_version)[1], 0x04);
        let request = encode(&GetCapabilities { wants_algorithms: true, limits });
        assert_eq!(
            test_requester.packet(&request)[1] == 0x7F,
            data_transfer_size == 42,
            "a single message if it fits"
        );
        let response = test_requester.fetch_whole(&request);
        let received = Capabilities::decode(&response, &Sizes::default()).unwrap().algorithms.unwrap();
        assert_eq!((received.base_hash, received.base_asym), (BaseHash::SHA_384, BaseAsym::NONE));
        assert_eq!((received.pqc_asym, received.tables.iter().count()), (PqcAsym::ML_DSA_87, 0));
        // The listed algorithms can be negotiated.
        let negotiate = test_requester.negotiation[2].clone();
        assert_eq!(test_requester.fetch_whole(&negotiate)[1], 0x63);
    }
}

#[test]
fn rejects_malformed_algorithm_tables() {
    let ext_asym = [[0; 4]; 25];
    let table = |alg_type, supported| AlgStruct { alg_type: AlgType(alg_type), supported, external: &[] };
    let many: Vec<_> = (2..7).map(|alg_type| table(alg_type, &[1, 0][..])).collect();
    for (count, tables, refused) in [
        (20, &many[..0], false),
        (21, &many[..0], true),
        // The first request has 0x80 bytes, and the second has four bytes more.
        (20, &many[..4], false),
        (20, &many, true),
        (0, &[table(2, &[1, 0])], false),
        (0, &[table(2, &[0, 0])], true),
        (0, &[table(2, &[1, 0, 0, 0])], true),
        // The table has an unknown type.
        (0, &[table(9, &[0, 0])], false),
    ] {
        let mut buffer = [0; 6000];
        let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
        let (ext_asym, mut bytes) = (&ext_asym[..count], [0; 64]);
        let (base_hash, pqc_asym) = (BaseHash(7), PqcAsym(7));
        let tables = AlgStructs::write(tables.iter().copied(), &mut bytes).unwrap();
        let request =
            NegotiateAlgorithms { base_hash, pqc_asym, ext_asym, tables, ..NegotiateAlgorithms::default() };
        let request = encode(&request);
        let [get_version, get_capabilities, _] = test_requester.negotiation.clone();
        assert_eq!(test_requester.packet(&get_version)[1], 0x04);
        assert_eq!(test_requester.packet(&get_capabilities)[1], 0x61);
        match refused {
            true => test_requester.assert_refused(&request, ErrorCode::INVALID_REQUEST),
            false => assert_eq!(test_requester.packet(&request)[1], 0x63),
        }
    }
}

/// DSP0274 "ALGORITHMS": without a common algorithm the selection is zero, and later requests are answered with
/// RequestResynch.
#[test]
fn missing_common_algorithm_makes_connection_unusable() {
    for (base_hash, base_asym, pqc_asym, selected) in [
        (BaseHash::SHA_384, BaseAsym::NONE, PqcAsym::ML_DSA_87, [true, true]),
        (BaseHash::SHA_512, BaseAsym::NONE, PqcAsym::ML_DSA_87, [false, true]),
        (BaseHash::NONE, BaseAsym::NONE, PqcAsym::ML_DSA_87, [false, true]),
        (BaseHash::SHA_384, BaseAsym::ECDSA_P384, PqcAsym::ML_DSA_44, [true, false]),
    ] {
        let mut buffer = [0; 6000];
        let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
        let measurement_specification = MeasurementSpecification::DMTF;
        let request = NegotiateAlgorithms {
            measurement_specification,
            base_hash,
            base_asym,
            pqc_asym,
            ..NegotiateAlgorithms::default()
        };
        let [get_version, get_capabilities, _] = test_requester.negotiation.clone();
        for (request, code) in [(get_version, 0x04), (get_capabilities, 0x61)] {
            assert_eq!(test_requester.packet(&request)[1], code);
        }
        let response = test_requester.packet(&encode(&request));
        let received = Algorithms::decode(&response, &Sizes::default()).unwrap();
        let all = selected == [true, true];
        assert_eq!(
            [received.base_hash == BaseHash::SHA_384, received.pqc_asym == PqcAsym::ML_DSA_87],
            selected
        );
        assert_eq!([received.base_hash.is_empty(), received.pqc_asym.is_empty()], selected.map(|one| !one));
        assert_eq!((received.base_asym, received.measurement_hash.is_empty()), (BaseAsym::NONE, !all));
        for request in [encode(&GetDigests), get_measurements(0, 0xFF), encode(&request)] {
            if all {
                assert_ne!(test_requester.packet(&request)[2], ErrorCode::REQUEST_RESYNCH.0);
            } else {
                test_requester.assert_refused(&request, ErrorCode::REQUEST_RESYNCH);
            }
        }
        test_requester.negotiate();
    }
}

#[test]
fn sends_no_chunks_to_requesters_without_support() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated_with(ECHO_SIGNER, without_chunks(900), &mut buffer);
    test_requester.assert_too_large(&challenge(0), 94 + SIGNATURE_LEN as u32);
    let get = encode(&ChunkGet { handle: 0, sequence: 0 });
    assert_eq!(test_requester.packet(&get), [0x14, 0x7F, ErrorCode::UNSUPPORTED_REQUEST.0, 0x86]);
}

#[test]
fn last_chunk_can_be_repeated() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated(&mut buffer);
    let request = encode(&GetCertificate { length: 2000, ..GetCertificate::default() });
    for _ in 0..2 {
        let handle = test_requester.packet(&request)[4];
        let get = |sequence| encode(&ChunkGet { handle, sequence });
        let chunks: Vec<_> = (0..3)
            .map(|sequence| {
                let chunk = test_requester.packet(&get(sequence));
                assert_eq!(test_requester.packet(&get(sequence)), chunk, "again");
                test_requester.assert_refused(&get(sequence + 2), ErrorCode::INVALID_REQUEST);
                chunk
            })
            .collect();
        assert_eq!(chunks.iter().map(|chunk| chunk[2]).collect::<Vec<_>>(), [0, 0, 1]);
        test_requester.assert_refused(&get(3), ErrorCode::INVALID_REQUEST);
        test_requester.assert_refused(&get(1), ErrorCode::INVALID_REQUEST);
        assert_eq!(test_requester.packet(&get(2)), chunks[2]);
    }
    let last = test_requester.packet(&request)[4];
    assert_eq!(test_requester.packet(&encode(&GetDigests))[1], 0x01);
    let outdated = encode(&ChunkGet { handle: last, sequence: 0 });
    test_requester.assert_refused(&outdated, ErrorCode::UNEXPECTED_REQUEST);
}

#[test]
fn accepts_only_doe_padding_after_requests() {
    for (zeros, fine) in [(0, true), (3, true), (4, false), (100, false)] {
        let padded = |request: &[u8]| [request, &vec![0; zeros]].concat();
        let mut buffer = [0; 6000];
        let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
        let later = [
            encode(&GetDigests),
            encode(&GetCertificate { length: 100, ..GetCertificate::default() }),
            challenge(0),
            get_measurements(0, 0xFF),
            get_measurements(1, 0xFF),
        ];
        for request in test_requester.negotiation.clone().into_iter().chain(later) {
            let answer = test_requester.packet(&padded(&request));
            if fine {
                let large = answer[1..3] == [0x7F, ErrorCode::LARGE_RESPONSE.0];
                assert!(answer[1] == request[1] & 0x7F || large, "{zeros}: {answer:?}");
                if large {
                    let get = encode(&ChunkGet { handle: answer[4], sequence: 0 });
                    assert_eq!(test_requester.packet(&padded(&get))[1], 0x06);
                    let beyond = test_requester.packet(&[&get[..], &[0; 4]].concat());
                    assert_eq!(beyond[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
                }
            } else {
                assert_eq!(answer[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0], "{zeros}: {request:?}");
                test_requester.packet(&request);
                // A repeated request that is too long is refused, too.
                let again = test_requester.packet(&padded(&request));
                assert_eq!(again[1], 0x7F, "{zeros}: {request:?}");
            }
        }
    }
}
