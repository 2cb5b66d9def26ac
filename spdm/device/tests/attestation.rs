//! Tests of attestation from the requester's side: certificates, challenges, measurements, and refused requests.

use crate::test_requester::*;
use grille_spdm_codec::algorithms::{BaseHash, MeasurementHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::chunk::ChunkGet;
use grille_spdm_codec::digests::{Digests, GetDigests};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::Algorithms;
use grille_spdm_codec::{Message, Sizes, signing};
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Responder, Value};
use sha2::{Digest, Sha384};

#[test]
fn negotiates_algorithms_of_the_suite() {
    let mut buffer = [0; 6000];
    let test_requester = TestRequester::negotiated(&mut buffer);
    let at = test_requester.vca.windows(2).rposition(|code| code == [0x14, 0x63]).unwrap();
    let algorithms = Algorithms::decode(&test_requester.vca[at..], &Sizes::default()).unwrap();
    assert_eq!(algorithms.pqc_asym, PqcAsym::ML_DSA_87);
    assert_eq!(algorithms.base_hash, BaseHash::SHA_384);
    assert_eq!(algorithms.measurement_hash, MeasurementHash::SHA_384);
}

#[test]
fn challenge_signs_whole_transcript() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated(&mut buffer);
    for _ in 0..2 {
        let mut sent = test_requester.vca.clone();
        let get_digests = encode(&GetDigests);
        let response = test_requester.fetch_whole(&get_digests);
        let digests = Digests::decode(&response, &sizes()).unwrap();
        assert_eq!(digests.digests, &Sha384::digest(CHAIN)[..]);
        sent.extend([get_digests, response.clone()].concat());
        let mut chain = Vec::new();
        while chain.len() < CHAIN.len() {
            let (offset, length) = (chain.len() as u32, 1700);
            let request = encode(&GetCertificate { offset, length, ..GetCertificate::default() });
            let response = test_requester.fetch_whole(&request);
            let portion = Certificate::decode(&response, &Sizes::default()).unwrap();
            chain.extend_from_slice(portion.portion);
            assert_eq!(chain.len() + portion.remainder as usize, CHAIN.len());
            sent.extend([request, response.clone()].concat());
        }
        assert_eq!(chain, CHAIN);
        for summary_type in [0, 1, 0xFF] {
            let context = [9; 8];
            let request = encode(&Challenge { slot: 0, summary_type, nonce: [8; 32], context });
            let response = test_requester.fetch_whole(&request);
            let summary_hash = if summary_type == 0 { 0 } else { 48 };
            let sizes = Sizes { signature: SIGNATURE_LEN, summary_hash, ..sizes() };
            let auth = ChallengeAuth::decode(&response, &sizes).unwrap();
            assert_eq!((auth.context, auth.chain_hash), (context, &Sha384::digest(CHAIN)[..]));
            let body = &response[..response.len() - SIGNATURE_LEN];
            let expected = to_be_signed(signing::CHALLENGE_AUTH, &[&sent, &request, body]);
            assert_eq!(auth.signature[..expected.len()], expected);
            // CHALLENGE_AUTH ends B.
            sent.clone_from(&test_requester.vca);
        }
        test_requester.negotiate();
    }
}

#[test]
fn measurements_sign_messages_since_last_signature() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated(&mut buffer);
    for _ in 0..2 {
        let mut sent = test_requester.vca.clone();
        for (operation, blocks, total) in [(0, 0, 2), (16, 1, 0), (0xFF, 2, 0)] {
            let signature = if operation == 0xFF { SIGNATURE_LEN } else { 0 };
            let attributes = u8::from(signature > 0);
            let request = encode(&GetMeasurements { attributes, operation, ..GetMeasurements::default() });
            let response = test_requester.fetch_whole(&request);
            let sizes = Sizes { signature, ..Sizes::default() };
            let measured = Measurements::decode(&response, &sizes).unwrap();
            assert_eq!((measured.blocks, measured.total), (blocks, total));
            let body = &response[..response.len() - signature];
            if signature > 0 {
                let expected = to_be_signed(signing::MEASUREMENTS, &[&sent, &request, body]);
                assert_eq!(measured.signature[..expected.len()], expected);
            }
            sent.extend([request, response.clone()].concat());
        }
    }
}

#[test]
fn refuses_other_requests_with_correct_error() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
    assert_eq!(test_requester.packet(&[0x14, 0x81, 0, 0]), [0x10, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
    assert_eq!(test_requester.packet(&[0x13, 0x81, 0, 0]), [0x10, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
    assert_eq!(test_requester.packet(&[0x11, 0x84, 0, 0]), [0x10, 0x7F, ErrorCode::VERSION_MISMATCH.0, 0]);
    test_requester.negotiate();
    for (request, error, data) in [
        (&[0x14, 0xE4, 0, 0][..], ErrorCode::UNSUPPORTED_REQUEST, 0xE4),
        (&[0x14, 0xE1, 0, 0], ErrorCode::UNEXPECTED_REQUEST, 0),
        (&[0x13, 0x81, 0, 0], ErrorCode::VERSION_MISMATCH, 0),
        (&[0x14, 0x82, 1, 0, 0, 0, 0xFF, 0xFF], ErrorCode::INVALID_REQUEST, 0),
        (&[0x14, 0x82, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], ErrorCode::INVALID_REQUEST, 0),
        (&[0x14, 0x83, 0, 0], ErrorCode::INVALID_REQUEST, 0),
        (&[0x14, 0x86, 0, 1, 0, 0, 0, 0], ErrorCode::UNEXPECTED_REQUEST, 0),
        (&[0x14, 0xE0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0], ErrorCode::INVALID_REQUEST, 0),
        (&[0x14], ErrorCode::INVALID_REQUEST, 0),
        (&[], ErrorCode::INVALID_REQUEST, 0),
    ] {
        assert_eq!(test_requester.packet(request), [0x14, 0x7F, error.0, data], "{request:?}");
    }
}

/// Sends all requests in `before`, then the first `len` bytes of `request` with the bit at `bit` flipped, and checks
/// the response. If `bit` is beyond these bytes, no bit is flipped.
fn assert_answered(
    test_requester: &mut TestRequester<'_>,
    before: &[Vec<u8>],
    request: &[u8],
    len: usize,
    bit: usize,
) {
    let mut altered = request.to_vec();
    for request in before {
        let answer = test_requester.packet(request);
        if altered[1] == 0x86 && answer[1..3] == [0x7F, ErrorCode::LARGE_RESPONSE.0] {
            altered[3] = answer[4];
        }
    }
    altered.truncate(len);
    altered.get_mut(bit / 8).into_iter().for_each(|byte| *byte ^= 1 << (bit % 8));
    let answer = test_requester.packet(&altered);
    let large = answer[1..3] == [0x7F, ErrorCode::LARGE_RESPONSE.0];
    let answered = large || altered.get(1).is_some_and(|code| answer[1] == code & 0x7F);
    assert!(answered || answer[1] == 0x7F, "{altered:?}");
    assert!((4..=900).contains(&answer.len()), "{altered:?}");
    if bit >= len * 8 {
        assert_eq!(answered, len == request.len(), "{altered:?}");
    }
}

#[test]
fn answers_truncated_and_altered_requests() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
    let mut conversation = test_requester.negotiation.to_vec();
    let get_certificate = encode(&GetCertificate { length: 1000, ..GetCertificate::default() });
    conversation.extend([encode(&GetDigests), get_certificate, challenge(0xFF), get_measurements(1, 0xFF)]);
    conversation.push(encode(&ChunkGet { handle: 0, sequence: 0 }));
    for (sent, request) in conversation.iter().enumerate() {
        for len in 0..=request.len() {
            for bit in 0..=len * 8 {
                assert_answered(&mut test_requester, &conversation[..sent], request, len, bit);
            }
        }
    }
}

#[test]
fn too_small_buffer_is_an_error() {
    let mut buffer = [0; 600];
    let mut test_requester = TestRequester::negotiated(&mut buffer);
    let request = encode(&Challenge::default());
    assert_eq!(test_requester.packet(&request), [0x14, 0x7F, ErrorCode::UNSPECIFIED.0, 0]);
}

#[test]
fn unsent_measurements_are_not_signed() {
    let mut buffer = [0; 6000];
    let measured = &[
        (1, FIRMWARE),
        (2, FIRMWARE),
        (3, FIRMWARE),
        (4, FIRMWARE),
        (5, FIRMWARE),
        (6, FIRMWARE),
        (16, SECURITY_VERSION),
    ];
    let device = EchoSigner { suite: RSA, measured, ..ECHO_SIGNER };
    let mut test_requester = TestRequester::negotiated_with(device, without_chunks(330), &mut buffer);
    let vca = test_requester.vca.clone();
    let (count, one) = (get_measurements(0, 0), get_measurements(1, 16));
    for _ in 0..2 {
        // Messages sent before the refusal are not signed either.
        assert_eq!(test_requester.packet(&count)[1], 0x60);
        test_requester.assert_too_large(&get_measurements(0, 0xFF), 8 + 6 * 55 + 15 + 42);
        assert_signed(signing::MEASUREMENTS, &[&vca], &one, &test_requester.packet(&one));
    }
    test_requester.assert_too_large(&get_measurements(1, 1), 8 + 55 + 42 + RSA_SIGNATURE_LEN as u32);
    assert_signed(signing::MEASUREMENTS, &[&vca], &one, &test_requester.packet(&one));
}

#[test]
fn unanswered_challenge_has_no_effect() {
    for (failures, size) in [(0, 360), (1, 500)] {
        let mut buffer = [0; 6000];
        let device = EchoSigner { suite: RSA, failures, ..ECHO_SIGNER };
        let mut test_requester = TestRequester::negotiated_with(device, without_chunks(size), &mut buffer);
        let vca = test_requester.vca.clone();
        let (get_digests, whole, plain) = (encode(&GetDigests), challenge(0xFF), challenge(0));
        let digests = test_requester.packet(&get_digests);
        match failures {
            0 => test_requester.assert_too_large(&whole, 142 + RSA_SIGNATURE_LEN as u32),
            _ => test_requester.assert_refused(&whole, ErrorCode::UNSPECIFIED),
        }
        // Nothing is authenticated yet, so measurements end B.
        assert_eq!(test_requester.packet(&get_digests), digests);
        assert_eq!(test_requester.packet(&get_measurements(0, 0))[1], 0x60);
        assert_signed(signing::CHALLENGE_AUTH, &[&vca], &plain, &test_requester.packet(&plain));
        // After authentication, measurements do not end B.
        assert_eq!(test_requester.packet(&get_digests), digests);
        assert_eq!(test_requester.packet(&get_measurements(0, 0))[1], 0x60);
        let sent = [&vca[..], &get_digests, &digests];
        assert_signed(signing::CHALLENGE_AUTH, &sent, &plain, &test_requester.packet(&plain));
    }
}

#[test]
fn refused_challenge_keeps_b() {
    let mut buffer = [0; 6000];
    let device = EchoSigner { suite: RSA, failures: 1, ..ECHO_SIGNER };
    let mut test_requester = TestRequester::negotiated_with(device, without_chunks(360), &mut buffer);
    let (get_digests, plain) = (encode(&GetDigests), challenge(0));
    let sent =
        [test_requester.vca.clone(), get_digests.clone(), test_requester.packet(&get_digests)].concat();
    test_requester.assert_too_large(&challenge(1), 142 + RSA_SIGNATURE_LEN as u32);
    test_requester.assert_refused(&plain, ErrorCode::UNSPECIFIED);
    assert_signed(signing::CHALLENGE_AUTH, &[&sent], &plain, &test_requester.packet(&plain));
}

#[test]
fn failed_signature_resets_measurement_transcript() {
    let mut buffer = [0; 6000];
    let device = EchoSigner { suite: RSA, failures: 1, ..ECHO_SIGNER };
    let mut test_requester = TestRequester::negotiated_with(device, without_chunks(500), &mut buffer);
    let one = get_measurements(1, 16);
    assert_eq!(test_requester.packet(&get_measurements(0, 0))[1], 0x60);
    test_requester.assert_refused(&one, ErrorCode::UNSPECIFIED);
    assert_signed(signing::MEASUREMENTS, &[&test_requester.vca.clone()], &one, &test_requester.packet(&one));
}

#[test]
fn portion_fits_packet_even_if_requester_accepts_more() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated_with(ECHO_SIGNER, without_chunks(4096), &mut buffer);
    let request = encode(&GetCertificate { length: 0xFFFF, ..GetCertificate::default() });
    let response = test_requester.packet(&request);
    let portion = Certificate::decode(&response, &Sizes::default()).unwrap();
    assert_eq!((portion.portion, portion.remainder), (&CHAIN[..1016], 1984));
}

#[test]
fn reports_slot_size_without_portion() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::negotiated(&mut buffer);
    for offset in [0, 5, 3000, 0xFFFF] {
        let request = GetCertificate { attributes: 1, offset, length: 9, ..GetCertificate::default() };
        let response = test_requester.packet(&encode(&request));
        let received = Certificate::decode(&response, &Sizes::default()).unwrap();
        assert_eq!((received.portion, received.remainder), (&[][..], 3000));
    }
    let request = GetCertificate { slot: 1, attributes: 1, ..GetCertificate::default() };
    test_requester.assert_refused(&encode(&request), ErrorCode::INVALID_REQUEST);
}

#[test]
fn measures_only_if_negotiated() {
    let mut buffer = [0; 6000];
    let mut test_requester = TestRequester::new(ECHO_SIGNER, CHUNKS, &mut buffer);
    test_requester.negotiation = negotiation(CHUNKS, MeasurementSpecification::NONE);
    test_requester.negotiate();
    for operation in [0, 1, 0xFF] {
        test_requester.assert_refused(&get_measurements(0, operation), ErrorCode::UNEXPECTED_REQUEST);
        test_requester.assert_refused(&get_measurements(1, operation), ErrorCode::UNEXPECTED_REQUEST);
    }
    test_requester.assert_refused(&challenge(1), ErrorCode::UNEXPECTED_REQUEST);
    test_requester.assert_refused(&challenge(0xFF), ErrorCode::UNEXPECTED_REQUEST);
    assert_eq!(test_requester.fetch_whole(&challenge(0))[1], 0x03);
    test_requester.negotiation = negotiation(CHUNKS, MeasurementSpecification::DMTF);
    test_requester.negotiate();
    assert_eq!(test_requester.packet(&get_measurements(0, 1))[1], 0x60);
}

#[test]
fn reports_device_without_measurements() {
    let mut buffer = [0; 6000];
    let mut test_requester =
        TestRequester::negotiated_with(EchoSigner { measured: &[], ..ECHO_SIGNER }, CHUNKS, &mut buffer);
    for operation in [0, 0xFF] {
        let response = test_requester.packet(&get_measurements(0, operation));
        let measured = Measurements::decode(&response, &Sizes::default()).unwrap();
        assert_eq!((measured.blocks, measured.total, measured.record), (0, 0, &[][..]));
    }
    test_requester.assert_refused(&get_measurements(0, 1), ErrorCode::INVALID_REQUEST);
}

#[test]
fn only_the_buffer_limits_a_measurement_record() {
    const LONG: Measurement<'static> = Measurement { kind: 4, value: Value::Raw(&[5; 600]), tcb: true };
    const WIDE: Measurement<'static> = Measurement { kind: 1, value: Value::Digest(&[6; 64]), tcb: false };
    let measured = &[(1, WIDE), (2, WIDE), (3, WIDE), (4, WIDE), (5, WIDE), (6, WIDE), (7, WIDE), (8, WIDE)];
    for measured in [&measured[..], &[(1, WIDE), (253, LONG)]] {
        let mut buffer = [0; 6000];
        let mut test_requester =
            TestRequester::negotiated_with(EchoSigner { measured, ..ECHO_SIGNER }, CHUNKS, &mut buffer);
        let response = test_requester.fetch_whole(&get_measurements(0, 0xFF));
        let message = Measurements::decode(&response, &Sizes::default()).unwrap();
        let expected = measured.iter().map(|&(index, measurement)| match measurement.value {
            Value::Raw(value) => (index, measurement.kind | 0x80, value),
            Value::Digest(value) => (index, measurement.kind, value),
        });
        let blocks: Vec<_> = message.blocks().map(Result::unwrap).collect();
        assert!(blocks.iter().map(|block| (block.index, block.value_type, block.value)).eq(expected));
        assert_eq!(usize::from(message.blocks), measured.len());
        let tcb: Vec<_> =
            blocks.iter().filter(|block| block.is_raw()).flat_map(|block| block.bytes).copied().collect();
        for (summary_type, summarised) in [(1, &tcb[..]), (0xFF, message.record)] {
            let response = test_requester.fetch_whole(&challenge(summary_type));
            let sizes = Sizes { signature: SIGNATURE_LEN, summary_hash: 48, ..sizes() };
            let auth = ChallengeAuth::decode(&response, &sizes).unwrap();
            assert_eq!(auth.summary_hash, &Sha384::digest(summarised)[..]);
        }
    }
}

#[test]
fn exactly_fitting_buffer_suffices() {
    let blocks = 55 + 15;
    let request = get_measurements(1, 0xFF);
    for short in [false, true] {
        let mut buffer = vec![0; 8 + blocks + 42 + RSA_SIGNATURE_LEN - usize::from(short)];
        let mut test_requester = TestRequester::negotiated_with(
            EchoSigner { suite: RSA, ..ECHO_SIGNER },
            without_chunks(900),
            &mut buffer,
        );
        match short {
            false => assert_signed(
                signing::MEASUREMENTS,
                &[&test_requester.vca.clone()],
                &request,
                &test_requester.packet(&request),
            ),
            true => test_requester.assert_refused(&request, ErrorCode::UNSPECIFIED),
        }
    }
}

#[test]
fn allocates_nothing_and_uses_little_stack() {
    let get_certificate = GetCertificate { length: 1000, ..GetCertificate::default() };
    let (attributes, operation) = (1, GetMeasurements::ALL);
    let requests_after = [
        encode(&GetDigests),
        encode(&get_certificate),
        encode(&Challenge { summary_type: 0xFF, ..Challenge::default() }),
        encode(&GetMeasurements { attributes, operation, ..GetMeasurements::default() }),
        encode(&ChunkGet { handle: 3, sequence: 0 }),
    ];
    let requests = [&negotiation(CHUNKS, MeasurementSpecification::DMTF)[..], &requests_after].concat();
    let (mut buffer, mut packet) = ([0; 6000], [0; 1024]);
    let (errors, used) = grille_meter::measure(|| {
        let mut responder = Responder::new(ECHO_SIGNER, &mut buffer);
        let mut refused = |request: &Vec<u8>| {
            responder.receive(request, &mut packet);
            packet[1] == 0x7F && packet[2] != ErrorCode::LARGE_RESPONSE.0
        };
        requests.iter().filter(|request| refused(request)).count()
    })
    .unwrap();
    assert_eq!((errors, used.allocations), (0, 0));
    // Includes the responder, but not the buffers.
    assert!(used.stack < 6 * 1024, "{used:?}");
}
