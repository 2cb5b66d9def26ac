//! A device with constant measurements, and a requester that records the negotiation.

#[path = "../../footprint/src/sha384.rs"]
mod sha384;

use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, MeasurementSpecification, PqcAsym};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags, GetCapabilities, Limits};
use grille_spdm_codec::challenge::Challenge;
use grille_spdm_codec::chunk::{ChunkGet, ChunkResponse};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::GetMeasurements;
use grille_spdm_codec::negotiate::NegotiateAlgorithms;
use grille_spdm_codec::{Message, Sizes, Version, signing};
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Device, Responder, Suite, Value};
use sha2::{Digest, Sha384};
pub(crate) use sha384::IncrementalSha384;

#[global_allocator]
static ALLOCATOR: grille_meter::CountingAllocator = grille_meter::CountingAllocator;

pub(crate) const CHAIN: [u8; 3000] = [0xC4; 3000];
pub(crate) const SIGNATURE_LEN: usize = 4627;

/// A device whose signatures start with the message to sign and the context. The first `failures` signatures fail.
pub(crate) struct EchoSigner {
    pub(crate) count: u8,
    pub(crate) failures: u8,
    pub(crate) suite: Suite,
    pub(crate) measured: &'static [(u8, Measurement<'static>)],
}

pub(crate) const ML_DSA: Suite = Suite {
    version: Version::V1_4,
    asym: BaseAsym::NONE,
    pqc_asym: PqcAsym::ML_DSA_87,
    signature_len: SIGNATURE_LEN,
    hash: BaseHash::SHA_384,
    measurement_hash: MeasurementHash::SHA_384,
    data_transfer_size: 1024,
    ct_exponent: 20,
};
pub(crate) const RSA: Suite = Suite {
    asym: BaseAsym::RSASSA_2048,
    pqc_asym: PqcAsym::NONE,
    signature_len: RSA_SIGNATURE_LEN,
    ..ML_DSA
};
pub(crate) const RSA_SIGNATURE_LEN: usize = 256;

pub(crate) const FIRMWARE: Measurement<'static> =
    Measurement { kind: 0, value: Value::Digest(&[1; 48]), tcb: true };
pub(crate) const SECURITY_VERSION: Measurement<'static> =
    Measurement { kind: 7, value: Value::Raw(&[7, 0, 0, 0, 0, 0, 0, 0]), tcb: false };
pub(crate) const ECHO_SIGNER: EchoSigner =
    EchoSigner { count: 0, failures: 0, suite: ML_DSA, measured: &[(1, FIRMWARE), (16, SECURITY_VERSION)] };

impl Device for EchoSigner {
    type Hash = IncrementalSha384;

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
        if self.failures > 0 {
            self.failures -= 1;
            return false;
        }
        signature[..message.len()].copy_from_slice(message);
        signature[message.len()..message.len() + context.len()].copy_from_slice(context);
        true
    }
}

/// A requester that records its VCA messages.
pub(crate) struct TestRequester<'b> {
    pub(crate) responder: Responder<'b, EchoSigner>,
    /// GET_VERSION, GET_CAPABILITIES and NEGOTIATE_ALGORITHMS.
    pub(crate) negotiation: [Vec<u8>; 3],
    pub(crate) vca: Vec<u8>,
}

impl<'b> TestRequester<'b> {
    /// Creates a requester with these limits, before GET_VERSION.
    pub(crate) fn new(device: EchoSigner, limits: Limits, buffer: &'b mut [u8]) -> Self {
        let negotiation = negotiation(limits, MeasurementSpecification::DMTF);
        TestRequester { responder: Responder::new(device, buffer), negotiation, vca: Vec::new() }
    }

    /// Creates a requester after ALGORITHMS.
    pub(crate) fn negotiated(buffer: &'b mut [u8]) -> Self {
        Self::negotiated_with(ECHO_SIGNER, CHUNKS, buffer)
    }

    pub(crate) fn negotiated_with(device: EchoSigner, limits: Limits, buffer: &'b mut [u8]) -> Self {
        let mut test_requester = Self::new(device, limits, buffer);
        test_requester.negotiate();
        test_requester
    }

    pub(crate) fn negotiate(&mut self) {
        self.vca.clear();
        for request in self.negotiation.clone() {
            let response = self.packet(&request);
            assert_eq!(response[1], request[1] & 0x7F, "{response:?}");
            self.vca.extend([request, response].concat());
        }
    }

    /// Asserts that the response is exactly ERROR with this code.
    pub(crate) fn assert_refused(&mut self, request: &[u8], code: ErrorCode) {
        assert_eq!(self.packet(request), [0x14, 0x7F, code.0, 0], "{request:?}");
    }

    /// Asserts that the response is ERROR ResponseTooLarge with this length.
    pub(crate) fn assert_too_large(&mut self, request: &[u8], len: u32) {
        let header = [0x14, 0x7F, ErrorCode::RESPONSE_TOO_LARGE.0, 0];
        assert_eq!(self.packet(request), [header, len.to_le_bytes()].concat());
    }

    pub(crate) fn packet(&mut self, request: &[u8]) -> Vec<u8> {
        let mut packet = [0; 1024];
        let len = self.responder.receive(request, &mut packet);
        packet[..len].to_vec()
    }

    /// Returns the whole response, fetched in chunks if it is large.
    pub(crate) fn fetch_whole(&mut self, request: &[u8]) -> Vec<u8> {
        let first = self.packet(request);
        if first[1..3] != [0x7F, ErrorCode::LARGE_RESPONSE.0] {
            return first;
        }
        let (mut whole, handle) = (Vec::new(), first[4]);
        for sequence in 0.. {
            let answer = self.packet(&encode(&ChunkGet { handle, sequence }));
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

/// Limits of a requester that supports chunks.
pub(crate) const CHUNKS: Limits = Limits {
    ct_exponent: 0,
    ext_flags: ExtCapabilityFlags::NONE,
    flags: Caps(Caps::CERT.0 | Caps::CHAL.0 | Caps::CHUNK.0),
    data_transfer_size: 900,
    max_message_size: 9000,
};

/// Limits of a requester that accepts `size` bytes, without chunks.
pub(crate) const fn without_chunks(size: u32) -> Limits {
    let flags = Caps(Caps::CERT.0 | Caps::CHAL.0);
    Limits { flags, data_transfer_size: size, max_message_size: size, ..CHUNKS }
}

/// Returns GET_VERSION, GET_CAPABILITIES and NEGOTIATE_ALGORITHMS.
pub(crate) fn negotiation(
    limits: Limits,
    measurement_specification: MeasurementSpecification,
) -> [Vec<u8>; 3] {
    let capabilities = GetCapabilities { limits, ..GetCapabilities::default() };
    let algorithms = NegotiateAlgorithms {
        measurement_specification,
        base_asym: RSA.asym,
        base_hash: BaseHash(7),
        pqc_asym: PqcAsym(7),
        ..NegotiateAlgorithms::default()
    };
    [vec![0x10, 0x84, 0, 0], encode(&capabilities), encode(&algorithms)]
}

pub(crate) fn challenge(summary_type: u8) -> Vec<u8> {
    encode(&Challenge { slot: 0, summary_type, nonce: [8; 32], context: [9; 8] })
}

pub(crate) fn get_measurements(attributes: u8, operation: u8) -> Vec<u8> {
    encode(&GetMeasurements { attributes, operation, ..GetMeasurements::default() })
}

pub(crate) fn encode<'a>(message: &impl Message<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 512];
    let len = message.encode(Version::V1_4, &Sizes::default(), &mut bytes).unwrap();
    bytes.truncate(len);
    bytes
}

/// Returns the message to sign and the context, as in the signatures of [`EchoSigner`].
pub(crate) fn to_be_signed(context: &str, transcript: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha384::new();
    transcript.iter().for_each(|part| hash.update(part));
    [&signing::prefix(Version::V1_4, context)[..], &hash.finalize(), context.as_bytes()].concat()
}

/// Asserts that `response` ends with a signature of [`RSA_SIGNATURE_LEN`] bytes over `sent`, `request` and the part of
/// `response` before the signature.
pub(crate) fn assert_signed(context: &str, sent: &[&[u8]], request: &[u8], response: &[u8]) {
    let (body, signature) = response.split_at(response.len() - RSA_SIGNATURE_LEN);
    let expected = to_be_signed(context, &[&sent.concat(), request, body]);
    assert_eq!(signature[..expected.len()], expected);
}

pub(crate) fn sizes() -> Sizes {
    Sizes { hash: 48, ..Sizes::default() }
}
