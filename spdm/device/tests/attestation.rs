//! A requester's side of everything that the responder answers, message by message.

use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, GetCapabilities, Limits};
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

/// Signs by writing what it signs at the beginning of the signature.
struct Open {
    count: u8,
}

impl Device for Open {
    type Hash = Running;

    fn suite(&self) -> Suite {
        Suite {
            version: Version::V1_4,
            asym: BaseAsym::NONE,
            pqc_asym: PqcAsym::ML_DSA_87,
            signature_len: SIGNATURE,
            hash: BaseHash::SHA_384,
            measurement_hash: MeasurementHash::SHA_384,
            data_transfer_size: 1024,
        }
    }

    fn fill_random(&mut self, bytes: &mut [u8]) {
        self.count += 1;
        bytes.fill(self.count);
    }

    fn chain(&self) -> &[u8] {
        &CHAIN
    }

    fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
        match index {
            1 => Some(Measurement { kind: 0, value: Value::Digest(&[1; 48]), tcb: true }),
            16 => Some(Measurement { kind: 7, value: Value::Raw(&[7, 0, 0, 0, 0, 0, 0, 0]), tcb: false }),
            _ => None,
        }
    }

    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool {
        signature[..message.len()].copy_from_slice(message);
        signature[message.len()..message.len() + context.len()].copy_from_slice(context);
        true
    }
}

/// A requester that remembers all of VCA.
struct Talk<'b> {
    responder: Responder<'b, Open>,
    vca: Vec<u8>,
}

impl<'b> Talk<'b> {
    /// After ALGORITHMS.
    fn negotiated(buffer: &'b mut [u8]) -> Self {
        let mut talk = Talk { responder: Responder::new(Open { count: 0 }, buffer), vca: Vec::new() };
        talk.negotiate();
        talk
    }

    fn negotiate(&mut self) {
        self.vca.clear();
        for request in negotiation() {
            let response = self.packet(&request);
            assert_eq!(response[1], request[1] & 0x7F, "{response:?}");
            self.vca.extend([request, response].concat());
        }
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

/// GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS.
fn negotiation() -> [Vec<u8>; 3] {
    let flags = Caps::CERT | Caps::CHAL | Caps::CHUNK;
    let limits = Limits { flags, data_transfer_size: 900, max_message_size: 9000, ..Limits::default() };
    let capabilities = GetCapabilities { limits, ..GetCapabilities::default() };
    let algorithms = NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        base_hash: BaseHash(7),
        pqc_asym: PqcAsym(7),
        ..NegotiateAlgorithms::default()
    };
    [vec![0x10, 0x84, 0, 0], written(&capabilities), written(&algorithms)]
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
    let mut talk = Talk { responder: Responder::new(Open { count: 0 }, &mut buffer), vca: Vec::new() };
    assert_eq!(talk.packet(&[0x14, 0x81, 0, 0]), [0x10, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
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

#[test]
fn every_truncation_and_altered_bit_gets_an_answer() {
    let mut buffer = [0; 6000];
    let mut talk = Talk::negotiated(&mut buffer);
    for request in [written(&GetDigests), written(&GetCertificate { length: 9, ..GetCertificate::default() })]
    {
        for len in 0..=request.len() {
            for at in 0..len * 8 {
                let mut altered = request[..len].to_vec();
                altered[at / 8] ^= 1 << (at % 8);
                let answer = talk.packet(&altered);
                assert!(answer.len() >= 4 && answer[1] & 0x80 == 0, "{altered:?}");
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
    let requests = [&negotiation()[..], &asked].concat();
    let (mut buffer, mut packet) = ([0; 6000], [0; 1024]);
    let (errors, used) = grille_meter::measured(|| {
        let mut responder = Responder::new(Open { count: 0 }, &mut buffer);
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
