//! A requester's side of everything that the responder answers, message by message.

use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags, GetCapabilities, Limits};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::chunk::{ChunkGet, ChunkResponse};
use grille_spdm_codec::digests::{Digests, GetDigests};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::{Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{Message, Sizes, Version, signing};
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Device, Hash, Responder, Suite, Value};
use sha2::{Digest, Sha384};

#[global_allocator]
static ALLOCATOR: grille_meter::Counting = grille_meter::Counting;

const CHAIN: [u8; 3000] = [0xC4; 3000];
const SIGNATURE: usize = 4627;

#[derive(Clone, Default)]
struct Running(Sha384);

impl Hash for Running {
    const LEN: usize = 48;

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self, output: &mut [u8]) {
        output.copy_from_slice(&self.0.finalize());
    }
}

/// Signs by writing what it signs at the beginning of the signature; the first `fails` times it cannot.
struct Open {
    count: u8,
    fails: u8,
    suite: Suite,
    measured: &'static [(u8, Measurement<'static>)],
}

const ML_DSA: Suite = Suite {
    version: Version::V1_4,
    asym: BaseAsym::NONE,
    pqc_asym: PqcAsym::ML_DSA_87,
    signature_len: SIGNATURE,
    hash: BaseHash::SHA_384,
    measurement_hash: MeasurementHash::SHA_384,
    data_transfer_size: 1024,
};
const RSA: Suite =
    Suite { asym: BaseAsym::RSASSA_2048, pqc_asym: PqcAsym::NONE, signature_len: RSA_SIGNATURE, ..ML_DSA };
const RSA_SIGNATURE: usize = 256;

const FIRMWARE: Measurement<'static> = Measurement { kind: 0, value: Value::Digest(&[1; 48]), tcb: true };
const SECURITY_VERSION: Measurement<'static> =
    Measurement { kind: 7, value: Value::Raw(&[7, 0, 0, 0, 0, 0, 0, 0]), tcb: false };
const OPEN: Open =
    Open { count: 0, fails: 0, suite: ML_DSA, measured: &[(1, FIRMWARE), (16, SECURITY_VERSION)] };

impl Device for Open {
    type Hash = Running;

    fn suite(&self) -> Suite {
        self.suite
    }

    fn fill_random(&mut self, bytes: &mut [u8]) {
        self.count = self.count.wrapping_add(1);
        bytes.fill(self.count);
    }

    fn chain(&self) -> &[u8] {
        &CHAIN
    }

    fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
        self.measured.iter().find(|(at, _)| *at == index).map(|(_, measured)| *measured)
    }

    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool {
        if self.fails > 0 {
            self.fails -= 1;
            return false;
        }
        signature[..message.len()].copy_from_slice(message);
        signature[message.len()..message.len() + context.len()].copy_from_slice(context);
        true
    }
}

/// A requester that remembers all of VCA.
struct Talk<'b> {
    responder: Responder<'b, Open>,
    /// GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS.
    negotiation: [Vec<u8>; 3],
    vca: Vec<u8>,
}

impl<'b> Talk<'b> {
    /// Before GET_VERSION, with what a requester says of itself.
    fn new(device: Open, limits: Limits, buffer: &'b mut [u8]) -> Self {
        let negotiation = negotiation(limits, MeasurementSpecification::DMTF);
        Talk { responder: Responder::new(device, buffer), negotiation, vca: Vec::new() }
    }

    /// After ALGORITHMS.
    fn negotiated(buffer: &'b mut [u8]) -> Self {
        Self::negotiated_with(OPEN, CHUNKS, buffer)
    }

    fn negotiated_with(device: Open, limits: Limits, buffer: &'b mut [u8]) -> Self {
        let mut talk = Self::new(device, limits, buffer);
        talk.negotiate();
        talk
    }

    fn negotiate(&mut self) {
        self.vca.clear();
        for request in self.negotiation.clone() {
            let response = self.packet(&request);
            assert_eq!(response[1], request[1] & 0x7F, "{response:?}");
            self.vca.extend([request, response].concat());
        }
    }

    /// ERROR with this code, and nothing else.
    fn refused(&mut self, request: &[u8], code: ErrorCode) {
        assert_eq!(self.packet(request), [0x14, 0x7F, code.0, 0], "{request:?}");
    }

    /// ERROR ResponseTooLarge with this length.
    fn too_large(&mut self, request: &[u8], len: u32) {
        let header = [0x14, 0x7F, ErrorCode::RESPONSE_TOO_LARGE.0, 0];
        assert_eq!(self.packet(request), [header, len.to_le_bytes()].concat());
    }

    fn packet(&mut self, request: &[u8]) -> Vec<u8> {
        let mut packet = [0; 1024];
        let len = self.responder.receive(request, &mut packet);
        packet[..len].to_vec()
    }

    /// The whole response, fetched in chunks if it is large.
    fn whole(&mut self, request: &[u8]) -> Vec<u8> {
        let first = self.packet(request);
        if first[1..3] != [0x7F, ErrorCode::LARGE_RESPONSE.0] {
            return first;
        }
        let (mut whole, handle) = (Vec::new(), first[4]);
        for sequence in 0.. {
            let answer = self.packet(&written(&ChunkGet { handle, sequence }));
            let ChunkResponse { chunk } = ChunkResponse::decode(&answer, &Sizes::default()).unwrap();
            assert_eq!((chunk.handle, chunk.sequence), (handle, sequence));
            assert!(answer.len() <= 900);
            whole.extend_from_slice(chunk.data);
            if chunk.last {
                break;
            }
        }
        whole
    }
}

/// A requester that puts messages together from chunks.
const CHUNKS: Limits = Limits {
    ct_exponent: 0,
    ext_flags: ExtCapabilityFlags::NONE,
    flags: Caps(Caps::CERT.0 | Caps::CHAL.0 | Caps::CHUNK.0),
    data_transfer_size: 900,
    max_message_size: 9000,
};

/// A requester that takes `size` bytes, and no chunks.
const fn whole_in(size: u32) -> Limits {
    let flags = Caps(Caps::CERT.0 | Caps::CHAL.0);
    Limits { flags, data_transfer_size: size, max_message_size: size, ..CHUNKS }
}

/// GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS.
fn negotiation(limits: Limits, measurement_specification: MeasurementSpecification) -> [Vec<u8>; 3] {
    let capabilities = GetCapabilities { limits, ..GetCapabilities::default() };
    let algorithms = NegotiateAlgorithms {
        measurement_specification,
        base_asym: RSA.asym,
        base_hash: BaseHash(7),
        pqc_asym: PqcAsym(7),
        ..NegotiateAlgorithms::default()
    };
    [vec![0x10, 0x84, 0, 0], written(&capabilities), written(&algorithms)]
}

fn challenge(summary_type: u8) -> Vec<u8> {
    written(&Challenge { slot: 0, summary_type, nonce: [8; 32], context: [9; 8] })
}

fn get_measurements(attributes: u8, operation: u8) -> Vec<u8> {
    written(&GetMeasurements { attributes, operation, ..GetMeasurements::default() })
}

fn written<'a>(message: &impl Message<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 512];
    let len = message.encode(Version::V1_4, &Sizes::default(), &mut bytes).unwrap();
    bytes.truncate(len);
    bytes
}

/// What the device has to sign.
fn to_be_signed(context: &str, transcript: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha384::new();
    transcript.iter().for_each(|part| hash.update(part));
    [&signing::prefix(Version::V1_4, context)[..], &hash.finalize(), context.as_bytes()].concat()
}

/// Asserts that `response` to `request` ends with a signature of RSA_SIGNATURE bytes over this and what was `said` before.
fn assert_signed(context: &str, said: &[&[u8]], request: &[u8], response: &[u8]) {
    let (body, signature) = response.split_at(response.len() - RSA_SIGNATURE);
    let expected = to_be_signed(context, &[&said.concat(), request, body]);
    assert_eq!(signature[..expected.len()], expected);
}

fn hashed() -> Sizes {
    Sizes { hash: 48, ..Sizes::default() }
}

#[test]
fn the_algorithms_are_those_of_the_suite() {
    let mut buffer = [0; 6000];
    let talk = Talk::negotiated(&mut buffer);
    let at = talk.vca.windows(2).rposition(|code| code == [0x14, 0x63]).unwrap();
    let algorithms = Algorithms::decode(&talk.vca[at..], &Sizes::default()).unwrap();
    assert_eq!(algorithms.pqc_asym, PqcAsym::ML_DSA_87);
    assert_eq!(algorithms.base_hash, BaseHash::SHA_384);
    assert_eq!(algorithms.measurement_hash, MeasurementHash::SHA_384);
}

#[test]
fn a_challenge_signs_all_that_was_said_before() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated(&mut buffer);
    for _ in 0..2 {
        let mut said = talk.vca.clone();
        let get_digests = written(&GetDigests);
        let response = talk.whole(&get_digests);
        let digests = Digests::decode(&response, &hashed()).unwrap();
        assert_eq!(digests.digests, &Sha384::digest(CHAIN)[..]);
        said.extend([get_digests, response.clone()].concat());
        let mut chain = Vec::new();
        while chain.len() < CHAIN.len() {
            let (offset, length) = (chain.len() as u32, 1700);
            let ask = written(&GetCertificate { offset, length, ..GetCertificate::default() });
            let response = talk.whole(&ask);
            let portion = Certificate::decode(&response, &Sizes::default()).unwrap();
            chain.extend_from_slice(portion.portion);
            assert_eq!(chain.len() + portion.remainder as usize, CHAIN.len());
            said.extend([ask, response.clone()].concat());
        }
        assert_eq!(chain, CHAIN);
        for summary_type in [0, 1, 0xFF] {
            let context = [9; 8];
            let ask = written(&Challenge { slot: 0, summary_type, nonce: [8; 32], context });
            let response = talk.whole(&ask);
            let summary_hash = if summary_type == 0 { 0 } else { 48 };
            let sizes = Sizes { signature: SIGNATURE, summary_hash, ..hashed() };
            let auth = ChallengeAuth::decode(&response, &sizes).unwrap();
            assert_eq!((auth.context, auth.chain_hash), (context, &Sha384::digest(CHAIN)[..]));
            let body = &response[..response.len() - SIGNATURE];
            let expected = to_be_signed(signing::CHALLENGE_AUTH, &[&said, &ask, body]);
            assert_eq!(auth.signature[..expected.len()], expected);
            // B is closed by CHALLENGE_AUTH
            said.clone_from(&talk.vca);
        }
        talk.negotiate();
    }
}

#[test]
fn measurements_sign_all_since_the_last_signature() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated(&mut buffer);
    for _ in 0..2 {
        let mut said = talk.vca.clone();
        for (operation, blocks, total) in [(0, 0, 2), (16, 1, 0), (0xFF, 2, 0)] {
            let signature = if operation == 0xFF { SIGNATURE } else { 0 };
            let attributes = u8::from(signature > 0);
            let ask = written(&GetMeasurements { attributes, operation, ..GetMeasurements::default() });
            let response = talk.whole(&ask);
            let sizes = Sizes { signature, ..Sizes::default() };
            let measured = Measurements::decode(&response, &sizes).unwrap();
            assert_eq!((measured.blocks, measured.total), (blocks, total));
            let body = &response[..response.len() - signature];
            if signature > 0 {
                let expected = to_be_signed(signing::MEASUREMENTS, &[&said, &ask, body]);
                assert_eq!(measured.signature[..expected.len()], expected);
            }
            said.extend([ask, response.clone()].concat());
        }
    }
}

#[test]
fn what_is_not_answered_is_refused_with_its_error() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
    assert_eq!(talk.packet(&[0x14, 0x81, 0, 0]), [0x10, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
    assert_eq!(talk.packet(&[0x13, 0x81, 0, 0]), [0x10, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
    assert_eq!(talk.packet(&[0x11, 0x84, 0, 0]), [0x10, 0x7F, ErrorCode::VERSION_MISMATCH.0, 0]);
    talk.negotiate();
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
        assert_eq!(talk.packet(request), [0x14, 0x7F, error.0, data], "{request:?}");
    }
}

/// Says all of `before`; asserts what is answered to the first `len` bytes of the request, of which one bit is altered
/// unless it is behind them.
fn assert_answered(talk: &mut Talk<'_>, before: &[Vec<u8>], request: &[u8], len: usize, bit: usize) {
    let mut altered = request.to_vec();
    for request in before {
        let answer = talk.packet(request);
        if altered[1] == 0x86 && answer[1..3] == [0x7F, ErrorCode::LARGE_RESPONSE.0] {
            altered[3] = answer[4];
        }
    }
    altered.truncate(len);
    altered.get_mut(bit / 8).into_iter().for_each(|byte| *byte ^= 1 << (bit % 8));
    let answer = talk.packet(&altered);
    let large = answer[1..3] == [0x7F, ErrorCode::LARGE_RESPONSE.0];
    let answered = large || altered.get(1).is_some_and(|code| answer[1] == code & 0x7F);
    assert!(answered || answer[1] == 0x7F, "{altered:?}");
    assert!((4..=900).contains(&answer.len()), "{altered:?}");
    if bit >= len * 8 {
        assert_eq!(answered, len == request.len(), "{altered:?}");
    }
}

#[test]
fn every_truncation_and_altered_bit_of_every_request_gets_an_answer() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
    let mut conversation = talk.negotiation.to_vec();
    let get_certificate = written(&GetCertificate { length: 1000, ..GetCertificate::default() });
    conversation.extend([written(&GetDigests), get_certificate, challenge(0xFF), get_measurements(1, 0xFF)]);
    conversation.push(written(&ChunkGet { handle: 0, sequence: 0 }));
    for (said, request) in conversation.iter().enumerate() {
        for len in 0..=request.len() {
            for bit in 0..=len * 8 {
                assert_answered(&mut talk, &conversation[..said], request, len, bit);
            }
        }
    }
}

#[test]
fn a_buffer_that_is_too_small_is_an_error_and_no_panic() {
    let mut buffer = [0; 600];
    let mut talk = Talk::negotiated(&mut buffer);
    let ask = written(&Challenge::default());
    assert_eq!(talk.packet(&ask), [0x14, 0x7F, ErrorCode::UNSPECIFIED.0, 0]);
}

#[test]
fn measurements_that_were_too_large_to_be_sent_are_not_signed() {
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
    let device = Open { suite: RSA, measured, ..OPEN };
    let mut talk = Talk::negotiated_with(device, whole_in(330), &mut buffer);
    let vca = talk.vca.clone();
    let (count, one) = (get_measurements(0, 0), get_measurements(1, 16));
    for _ in 0..2 {
        // what was sent before the refusal is not signed either
        assert_eq!(talk.packet(&count)[1], 0x60);
        talk.too_large(&get_measurements(0, 0xFF), 8 + 6 * 55 + 15 + 42);
        assert_signed(signing::MEASUREMENTS, &[&vca], &one, &talk.packet(&one));
    }
    talk.too_large(&get_measurements(1, 1), 8 + 55 + 42 + RSA_SIGNATURE as u32);
    assert_signed(signing::MEASUREMENTS, &[&vca], &one, &talk.packet(&one));
}

#[test]
fn a_challenge_that_was_not_answered_changes_nothing() {
    for (fails, size) in [(0, 360), (1, 500)] {
        let mut buffer = [0; 6000];
        let device = Open { suite: RSA, fails, ..OPEN };
        let mut talk = Talk::negotiated_with(device, whole_in(size), &mut buffer);
        let vca = talk.vca.clone();
        let (get_digests, whole, plain) = (written(&GetDigests), challenge(0xFF), challenge(0));
        let digests = talk.packet(&get_digests);
        match fails {
            0 => talk.too_large(&whole, 142 + RSA_SIGNATURE as u32),
            _ => talk.refused(&whole, ErrorCode::UNSPECIFIED),
        }
        // nothing is authenticated yet: measurements end B
        assert_eq!(talk.packet(&get_digests), digests);
        assert_eq!(talk.packet(&get_measurements(0, 0))[1], 0x60);
        assert_signed(signing::CHALLENGE_AUTH, &[&vca], &plain, &talk.packet(&plain));
        // and now they do not
        assert_eq!(talk.packet(&get_digests), digests);
        assert_eq!(talk.packet(&get_measurements(0, 0))[1], 0x60);
        let said = [&vca[..], &get_digests, &digests];
        assert_signed(signing::CHALLENGE_AUTH, &said, &plain, &talk.packet(&plain));
    }
}

#[test]
fn a_refused_challenge_leaves_b_as_it_was() {
    let mut buffer = [0; 6000];
    let device = Open { suite: RSA, fails: 1, ..OPEN };
    let mut talk = Talk::negotiated_with(device, whole_in(360), &mut buffer);
    let (get_digests, plain) = (written(&GetDigests), challenge(0));
    let said = [talk.vca.clone(), get_digests.clone(), talk.packet(&get_digests)].concat();
    talk.too_large(&challenge(1), 142 + RSA_SIGNATURE as u32);
    talk.refused(&plain, ErrorCode::UNSPECIFIED);
    assert_signed(signing::CHALLENGE_AUTH, &[&said], &plain, &talk.packet(&plain));
}

#[test]
fn a_signature_that_fails_ends_what_was_measured() {
    let mut buffer = [0; 6000];
    let device = Open { suite: RSA, fails: 1, ..OPEN };
    let mut talk = Talk::negotiated_with(device, whole_in(500), &mut buffer);
    let one = get_measurements(1, 16);
    assert_eq!(talk.packet(&get_measurements(0, 0))[1], 0x60);
    talk.refused(&one, ErrorCode::UNSPECIFIED);
    assert_signed(signing::MEASUREMENTS, &[&talk.vca.clone()], &one, &talk.packet(&one));
}

#[test]
fn a_portion_fits_the_packet_even_if_the_requester_takes_more() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated_with(OPEN, whole_in(4096), &mut buffer);
    let ask = written(&GetCertificate { length: 0xFFFF, ..GetCertificate::default() });
    let response = talk.packet(&ask);
    let portion = Certificate::decode(&response, &Sizes::default()).unwrap();
    assert_eq!((portion.portion, portion.remainder), (&CHAIN[..1016], 1984));
}

#[test]
fn the_size_of_the_slot_is_told_without_a_portion() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated(&mut buffer);
    for offset in [0, 5, 3000, 0xFFFF] {
        let ask = GetCertificate { attributes: 1, offset, length: 9, ..GetCertificate::default() };
        let response = talk.packet(&written(&ask));
        let told = Certificate::decode(&response, &Sizes::default()).unwrap();
        assert_eq!((told.portion, told.remainder), (&[][..], 3000));
    }
    let ask = GetCertificate { slot: 1, attributes: 1, ..GetCertificate::default() };
    talk.refused(&written(&ask), ErrorCode::INVALID_REQUEST);
}

#[test]
fn nothing_is_measured_unless_that_was_negotiated() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
    talk.negotiation = negotiation(CHUNKS, MeasurementSpecification::NONE);
    talk.negotiate();
    for operation in [0, 1, 0xFF] {
        talk.refused(&get_measurements(0, operation), ErrorCode::UNEXPECTED_REQUEST);
        talk.refused(&get_measurements(1, operation), ErrorCode::UNEXPECTED_REQUEST);
    }
    talk.refused(&challenge(1), ErrorCode::UNEXPECTED_REQUEST);
    talk.refused(&challenge(0xFF), ErrorCode::UNEXPECTED_REQUEST);
    assert_eq!(talk.whole(&challenge(0))[1], 0x03);
    talk.negotiation = negotiation(CHUNKS, MeasurementSpecification::DMTF);
    talk.negotiate();
    assert_eq!(talk.packet(&get_measurements(0, 1))[1], 0x60);
}

#[test]
fn a_device_without_measurements_says_so() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated_with(Open { measured: &[], ..OPEN }, CHUNKS, &mut buffer);
    for operation in [0, 0xFF] {
        let response = talk.packet(&get_measurements(0, operation));
        let measured = Measurements::decode(&response, &Sizes::default()).unwrap();
        assert_eq!((measured.blocks, measured.total, measured.record), (0, 0, &[][..]));
    }
    talk.refused(&get_measurements(0, 1), ErrorCode::INVALID_REQUEST);
}

#[test]
fn the_buffer_alone_bounds_a_measurement_record() {
    const LONG: Measurement<'static> = Measurement { kind: 4, value: Value::Raw(&[5; 600]), tcb: true };
    const WIDE: Measurement<'static> = Measurement { kind: 1, value: Value::Digest(&[6; 64]), tcb: false };
    let measured = &[(1, WIDE), (2, WIDE), (3, WIDE), (4, WIDE), (5, WIDE), (6, WIDE), (7, WIDE), (8, WIDE)];
    for measured in [&measured[..], &[(1, WIDE), (253, LONG)]] {
        let mut buffer = [0; 6000];
        let mut talk = Talk::negotiated_with(Open { measured, ..OPEN }, CHUNKS, &mut buffer);
        let response = talk.whole(&get_measurements(0, 0xFF));
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
            let response = talk.whole(&challenge(summary_type));
            let sizes = Sizes { signature: SIGNATURE, summary_hash: 48, ..hashed() };
            let auth = ChallengeAuth::decode(&response, &sizes).unwrap();
            assert_eq!(auth.summary_hash, &Sha384::digest(summarised)[..]);
        }
    }
}

#[test]
fn a_buffer_that_just_holds_the_response_is_enough() {
    let blocks = 55 + 15;
    let ask = get_measurements(1, 0xFF);
    for short in [false, true] {
        let mut buffer = vec![0; 8 + blocks + 42 + RSA_SIGNATURE - usize::from(short)];
        let mut talk = Talk::negotiated_with(Open { suite: RSA, ..OPEN }, whole_in(900), &mut buffer);
        match short {
            false => assert_signed(signing::MEASUREMENTS, &[&talk.vca.clone()], &ask, &talk.packet(&ask)),
            true => talk.refused(&ask, ErrorCode::UNSPECIFIED),
        }
    }
}

#[test]
fn a_repeated_negotiation_is_answered_the_same_and_signed_once() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(Open { suite: RSA, ..OPEN }, CHUNKS, &mut buffer);
    for request in talk.negotiation.clone() {
        let response = talk.packet(&request);
        if request[1] != 0x84 {
            assert_eq!(talk.packet(&request), response);
            // a request that is not let in does not end that
            assert_eq!(talk.packet(&[0x14, 0xE4, 0, 0])[2], ErrorCode::UNSUPPORTED_REQUEST.0);
            // the padding of PCI DOE is no part of it
            assert_eq!(talk.packet(&[&request[..], &[0; 3]].concat()), response);
            let mut other = request.clone();
            other[3] = 1;
            assert_eq!(talk.packet(&other)[1..3], [0x7F, ErrorCode::UNEXPECTED_REQUEST.0]);
        }
        talk.vca.extend([request, response].concat());
    }
    let (plain, vca) = (challenge(0), talk.vca.clone());
    assert_signed(signing::CHALLENGE_AUTH, &[&vca], &plain, &talk.packet(&plain));
    let last = talk.negotiation[2].clone();
    talk.refused(&last, ErrorCode::UNEXPECTED_REQUEST);
}

#[test]
fn an_error_to_get_capabilities_has_the_version_that_was_tried() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
    let get_capabilities = talk.negotiation[1].clone();
    talk.refused(&get_capabilities, ErrorCode::UNEXPECTED_REQUEST);
    assert_eq!(talk.packet(&[0x10, 0x84, 0, 0])[1], 0x04);
    talk.refused(&get_capabilities[..8], ErrorCode::INVALID_REQUEST);
    let older = [&[0x13], &get_capabilities[1..]].concat();
    assert_eq!(talk.packet(&older), [0x10, 0x7F, ErrorCode::VERSION_MISMATCH.0, 0]);
}

#[test]
fn sizes_that_contradict_each_other_are_refused() {
    let chunks =
        |data_transfer_size, max_message_size| Limits { data_transfer_size, max_message_size, ..CHUNKS };
    for limits in
        [chunks(41, 9000), chunks(900, 899), whole_in(41), Limits { max_message_size: 9000, ..whole_in(900) }]
    {
        let mut buffer = [0; 6000];
        let mut talk = Talk::new(OPEN, limits, &mut buffer);
        let [get_version, get_capabilities, _] = talk.negotiation.clone();
        assert_eq!(talk.packet(&get_version)[1], 0x04);
        talk.refused(&get_capabilities, ErrorCode::INVALID_REQUEST);
    }
    // algorithms are told to those only who take chunks
    let mut buffer = [0; 6000];
    let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
    let wanted = GetCapabilities { wants_algorithms: true, limits: whole_in(900) };
    let get_version = talk.negotiation[0].clone();
    assert_eq!(talk.packet(&get_version)[1], 0x04);
    talk.refused(&written(&wanted), ErrorCode::INVALID_REQUEST);
}

#[test]
fn a_negotiation_that_is_longer_than_allowed_is_refused() {
    let ext_asym = [[0; 4]; 25];
    for (count, refused) in [(24, false), (25, true)] {
        let mut buffer = [0; 6000];
        let mut talk = Talk::new(OPEN, CHUNKS, &mut buffer);
        let ext_asym = &ext_asym[..count];
        let (base_hash, pqc_asym) = (BaseHash(7), PqcAsym(7));
        let ask =
            written(&NegotiateAlgorithms { base_hash, pqc_asym, ext_asym, ..NegotiateAlgorithms::default() });
        assert_eq!(ask.len() > 0x80, refused);
        let [get_version, get_capabilities, _] = talk.negotiation.clone();
        assert_eq!(talk.packet(&get_version)[1], 0x04);
        assert_eq!(talk.packet(&get_capabilities)[1], 0x61);
        match refused {
            true => talk.refused(&ask, ErrorCode::INVALID_REQUEST),
            false => assert_eq!(talk.packet(&ask)[1], 0x63),
        }
    }
}

#[test]
fn a_requester_that_takes_no_chunks_gets_none() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated_with(OPEN, whole_in(900), &mut buffer);
    talk.too_large(&challenge(0), 94 + SIGNATURE as u32);
    let get = written(&ChunkGet { handle: 0, sequence: 0 });
    assert_eq!(talk.packet(&get), [0x14, 0x7F, ErrorCode::UNSUPPORTED_REQUEST.0, 0x86]);
}

#[test]
fn the_last_chunk_can_be_asked_for_again() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated(&mut buffer);
    let ask = written(&GetCertificate { length: 2000, ..GetCertificate::default() });
    for _ in 0..2 {
        let handle = talk.packet(&ask)[4];
        let get = |sequence| written(&ChunkGet { handle, sequence });
        let chunks: Vec<_> = (0..3)
            .map(|sequence| {
                let chunk = talk.packet(&get(sequence));
                assert_eq!(talk.packet(&get(sequence)), chunk, "again");
                talk.refused(&get(sequence + 2), ErrorCode::INVALID_REQUEST);
                chunk
            })
            .collect();
        assert_eq!(chunks.iter().map(|chunk| chunk[2]).collect::<Vec<_>>(), [0, 0, 1]);
        talk.refused(&get(3), ErrorCode::INVALID_REQUEST);
        talk.refused(&get(1), ErrorCode::INVALID_REQUEST);
        assert_eq!(talk.packet(&get(2)), chunks[2]);
    }
    let last = talk.packet(&ask)[4];
    assert_eq!(talk.packet(&written(&GetDigests))[1], 0x01);
    let gone = written(&ChunkGet { handle: last, sequence: 0 });
    talk.refused(&gone, ErrorCode::UNEXPECTED_REQUEST);
}

#[test]
fn nothing_is_allocated_and_little_stack_is_used() {
    let get_certificate = GetCertificate { length: 1000, ..GetCertificate::default() };
    let (attributes, operation) = (1, GetMeasurements::ALL);
    let asked = [
        written(&GetDigests),
        written(&get_certificate),
        written(&Challenge { summary_type: 0xFF, ..Challenge::default() }),
        written(&GetMeasurements { attributes, operation, ..GetMeasurements::default() }),
        written(&ChunkGet { handle: 3, sequence: 0 }),
    ];
    let requests = [&negotiation(CHUNKS, MeasurementSpecification::DMTF)[..], &asked].concat();
    let (mut buffer, mut packet) = ([0; 6000], [0; 1024]);
    let (errors, used) = grille_meter::measured(|| {
        let mut responder = Responder::new(OPEN, &mut buffer);
        let mut refused = |request: &Vec<u8>| {
            responder.receive(request, &mut packet);
            packet[1] == 0x7F && packet[2] != ErrorCode::LARGE_RESPONSE.0
        };
        requests.iter().filter(|request| refused(request)).count()
    })
    .unwrap();
    assert_eq!((errors, used.allocations), (0, 0));
    // the responder is within, the buffers are not
    assert!(used.stack < 6 * 1024, "{used:?}");
}
