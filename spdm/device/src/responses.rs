//! The contents of each response, without its signature.

use crate::device::{Device, Hash, MAX_HASH_LEN, Measurement, Suite, Value};
use crate::refusal::{Refusal, UNEXPECTED};
use grille_spdm_codec::algorithms::{MeasurementSpecification, OtherParams};
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags as Caps, GetCapabilities, Limits};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::digests::{Digests, GetDigests};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{Block, GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::{Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::version::{GetVersion, VersionResponse};
use grille_spdm_codec::{Message, Sizes, Version, signing};

/// A response in the buffer, without its signature.
pub(crate) struct Body {
    /// The length of the request without padding, in bytes.
    pub(crate) request_len: usize,
    /// The length of the response in bytes.
    pub(crate) len: usize,
    /// The context of the signature, if the response is signed.
    pub(crate) context: Option<&'static str>,
}

impl Body {
    const fn plain(request_len: usize, len: usize) -> Self {
        Self { request_len, len, context: None }
    }
}

type ResponseResult = Result<Body, Refusal>;

const INVALID: Refusal = Refusal::new(ErrorCode::INVALID_REQUEST);
const UNSPECIFIED: Refusal = Refusal::new(ErrorCode::UNSPECIFIED);

/// Decodes a request. Returns it with its length, without padding. Accepts up to three bytes after the request, because
/// PCI DOE pads to double words and the transport is not known here.
pub(crate) fn read<'a, M: Message<'a>>(request: &'a [u8]) -> Result<(M, usize), Refusal> {
    let (message, request_len) = M::decode_prefix(request, &Sizes::default())?;
    if is_padding(request.len() - request_len) { Ok((message, request_len)) } else { Err(INVALID) }
}

/// Returns whether `bytes` is a possible number of padding bytes: PCI DOE carries whole double words.
pub(crate) const fn is_padding(bytes: usize) -> bool {
    bytes < 4
}

/// Writes the response into the buffer. Returns its length.
fn write<'a>(
    response: &impl Message<'a>,
    version: Version,
    sizes: &Sizes,
    buffer: &mut [u8],
) -> Result<usize, Refusal> {
    response.encode(version, sizes, buffer).map_err(|_| UNSPECIFIED)
}

pub(crate) fn version(suite: &Suite, request: &[u8], buffer: &mut [u8]) -> ResponseResult {
    let (GetVersion, request_len) = read::<GetVersion>(request)?;
    // VersionNumberEntry, little-endian: the higher byte holds the major and minor version.
    let response = VersionResponse { entries: &[[0, suite.version.byte()]] };
    Ok(Body::plain(request_len, write(&response, Version::V1_0, &Sizes::default(), buffer)?))
}

/// Answers GET_CAPABILITIES, and returns the requester's limits.
pub(crate) fn capabilities(
    suite: &Suite,
    request: &[u8],
    buffer: &mut [u8],
) -> Result<(Body, Limits), Refusal> {
    let (message, request_len) = read::<GetCapabilities>(request)?;
    let requester_limits = message.limits;
    // SupportedAlgorithms may not fit into one message, so it is sent only to requesters that support chunks.
    let wants_too_much = message.wants_algorithms && !requester_limits.flags.contains(Caps::CHUNK);
    if wants_too_much || requester_limits.check_requester(suite.version).is_err() {
        return Err(INVALID);
    }
    let size = suite.data_transfer_size;
    let limits = Limits {
        ct_exponent: suite.ct_exponent,
        flags: Caps::CERT | Caps::CHAL | Caps::MEAS_SIG | Caps::CHUNK,
        data_transfer_size: size,
        // Chunked requests are not supported.
        max_message_size: size,
        ..Limits::default()
    };
    let response =
        Capabilities { limits, algorithms: message.wants_algorithms.then(|| supported_algorithms(suite)) };
    Ok((
        Body::plain(request_len, write(&response, suite.version, &Sizes::default(), buffer)?),
        requester_limits,
    ))
}

/// Returns SupportedAlgorithms, which ALGORITHMS can select from.
fn supported_algorithms(suite: &Suite) -> NegotiateAlgorithms<'static> {
    NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        other_params: OtherParams::OPAQUE_DATA_FORMAT_1,
        base_asym: suite.asym,
        base_hash: suite.hash,
        pqc_asym: suite.pqc_asym,
        ..NegotiateAlgorithms::default()
    }
}

/// The selection of ALGORITHMS.
pub(crate) struct Selected {
    /// Whether a hash and a signature algorithm were selected; this device cannot attest without both.
    pub(crate) can_attest: bool,
    /// Whether DMTF's measurement specification was selected.
    pub(crate) measures: bool,
}

/// Answers NEGOTIATE_ALGORITHMS. If the requester does not offer the device's algorithm of a kind, the selection of that
/// kind is zero (DSP0274 "ALGORITHMS").
pub(crate) fn algorithms(
    suite: &Suite,
    request: &[u8],
    buffer: &mut [u8],
) -> Result<(Body, Selected), Refusal> {
    let (message, request_len) = read::<NegotiateAlgorithms<'_>>(request)?;
    if !message.is_possible(suite.version) {
        return Err(INVALID);
    }
    let (base_asym, pqc_asym) = (message.base_asym & suite.asym, message.pqc_asym & suite.pqc_asym);
    let base_hash = message.base_hash & suite.hash;
    let signs = !base_asym.is_empty() || !pqc_asym.is_empty();
    let all = signs && !base_hash.is_empty();
    let measures = all && message.measurement_specification.contains(MeasurementSpecification::DMTF);
    let response = Algorithms {
        measurement_specification: MeasurementSpecification(u8::from(measures)),
        other_params: message.other_params & OtherParams::OPAQUE_DATA_FORMAT_1,
        measurement_hash: if measures { suite.measurement_hash } else { Default::default() },
        base_asym,
        base_hash,
        pqc_asym,
        ..Algorithms::default()
    };
    let len = write(&response, suite.version, &Sizes::default(), buffer)?;
    Ok((Body::plain(request_len, len), Selected { can_attest: all, measures }))
}

pub(crate) fn digests<D: Device>(device: &D, request: &[u8], buffer: &mut [u8]) -> ResponseResult {
    let (GetDigests, request_len) = read::<GetDigests>(request)?;
    let mut digest = [0; MAX_HASH_LEN];
    let digests = chain_hash(device, &mut digest);
    let response = Digests { supported_slots: 1, slots: 1, digests, ..Digests::default() };
    Ok(Body::plain(request_len, write(&response, device.suite().version, &sizes::<D>(), buffer)?))
}

/// Answers GET_CERTIFICATE. `most` is the requester's maximum message length in bytes.
pub(crate) fn certificate<D: Device>(
    device: &D,
    most: usize,
    request: &[u8],
    buffer: &mut [u8],
) -> ResponseResult {
    let (message, request_len) = read::<GetCertificate>(request)?;
    let (chain, size_only) = (device.chain(), message.attributes & SLOT_SIZE != 0);
    let offset = if size_only { 0 } else { message.offset as usize };
    let rest = chain.get(offset..).filter(|rest| !rest.is_empty());
    // LARGE_RESP_CAP is not supported.
    let rest = rest.filter(|_| message.slot == 0 && !message.large).ok_or(INVALID)?;
    let room = most.min(buffer.len()).saturating_sub(CERTIFICATE_HEADER).min(usize::from(u16::MAX));
    let length = if size_only { 0 } else { room.min(message.length as usize) };
    let portion = rest.get(..length).unwrap_or(rest);
    let remainder = u32::try_from(rest.len() - portion.len()).map_err(|_| UNSPECIFIED)?;
    let response = Certificate { portion, remainder, ..Certificate::default() };
    Ok(Body::plain(request_len, write(&response, device.suite().version, &sizes::<D>(), buffer)?))
}

/// Answers CHALLENGE. `measures` tells whether ALGORITHMS selected a measurement specification.
pub(crate) fn challenge<D: Device>(
    device: &mut D,
    measures: bool,
    request: &[u8],
    buffer: &mut [u8],
) -> ResponseResult {
    let (challenge, request_len) = read::<Challenge>(request)?;
    check_challenge(&challenge, measures)?;
    let (mut digest, mut summary) = ([0; MAX_HASH_LEN], [0; MAX_HASH_LEN]);
    let summary_hash = summarise(device, challenge.summary_type, buffer, &mut summary)?;
    let response = ChallengeAuth {
        slots: 1,
        chain_hash: chain_hash(device, &mut digest),
        nonce: nonce(device),
        summary_hash,
        context: challenge.context,
        ..ChallengeAuth::default()
    };
    let sizes = Sizes { summary_hash: summary_hash.len(), ..sizes::<D>() };
    let len = write(&response, device.suite().version, &sizes, buffer)?;
    Ok(Body { request_len, len, context: Some(signing::CHALLENGE_AUTH) })
}

fn check_challenge(challenge: &Challenge, measures: bool) -> Result<(), Refusal> {
    match challenge.summary_type {
        _ if challenge.slot != 0 => Err(INVALID),
        0 => Ok(()),
        1 | GetMeasurements::ALL if measures => Ok(()),
        1 | GetMeasurements::ALL => Err(UNEXPECTED),
        _ => Err(INVALID),
    }
}

pub(crate) fn measurements<D: Device>(device: &mut D, request: &[u8], buffer: &mut [u8]) -> ResponseResult {
    let (message, request_len) = read::<GetMeasurements>(request)?;
    if message.wants_signature() && message.slot & 0xF != 0 {
        return Err(INVALID);
    }
    let (mut record_len, mut blocks, mut total) = (0, 0, 0);
    for index in 1..GetMeasurements::ALL {
        let Some(measured) = device.measurement(index) else { continue };
        total += 1;
        if message.operation == index || message.operation == GetMeasurements::ALL {
            record_len += write_block(index, &measured, buffer, MEASUREMENTS_HEADER + record_len)?;
            blocks += 1;
        }
    }
    let total = match message.operation {
        GetMeasurements::COUNT => total,
        GetMeasurements::ALL => 0,
        _ if blocks == 0 => return Err(INVALID),
        _ => 0,
    };
    let response = Measurements {
        total,
        blocks,
        nonce: nonce(device),
        context: message.context,
        ..Measurements::default()
    };
    let len = write_around_record(&response, device.suite().version, record_len, buffer)?;
    Ok(Body { request_len, len, context: message.wants_signature().then_some(signing::MEASUREMENTS) })
}

/// Writes MEASUREMENTS around the record that is already in the buffer. Returns its length.
fn write_around_record(
    response: &Measurements<'_>,
    version: Version,
    record_len: usize,
    buffer: &mut [u8],
) -> Result<usize, Refusal> {
    let mut around = [0; MEASUREMENTS_HEADER + MEASUREMENTS_TAIL];
    let len = write(response, version, &Sizes::default(), &mut around)?;
    let (header, tail) =
        around.get(..len).and_then(|all| all.split_at_checked(MEASUREMENTS_HEADER)).ok_or(UNSPECIFIED)?;
    let length = u32::try_from(record_len).ok().filter(|len| *len < 1 << 24).ok_or(UNSPECIFIED)?;
    let end = MEASUREMENTS_HEADER + record_len;
    let whole = buffer.get_mut(..end + tail.len()).ok_or(UNSPECIFIED)?;
    whole[..MEASUREMENTS_HEADER].copy_from_slice(header);
    whole[RECORD_LENGTH_OFFSET..MEASUREMENTS_HEADER].copy_from_slice(&length.to_le_bytes()[..3]);
    whole[end..].copy_from_slice(tail);
    Ok(whole.len())
}

/// Writes a measurement block into the buffer at `at`. Returns its length.
fn write_block(
    index: u8,
    measured: &Measurement<'_>,
    buffer: &mut [u8],
    at: usize,
) -> Result<usize, Refusal> {
    let (value, raw) = match measured.value {
        Value::Raw(value) => (value, Block::RAW),
        Value::Digest(value) => (value, 0),
    };
    let block = Block { index, value_type: measured.kind & !Block::RAW | raw, value, bytes: &[] };
    block.encode(buffer.get_mut(at..).unwrap_or_default()).map_err(|_| UNSPECIFIED)
}

/// Computes MeasurementSummaryHash: of no blocks, all blocks, or those of the trusted computing base. The buffer
/// holds one block at a time.
fn summarise<'s, D: Device>(
    device: &D,
    summary_type: u8,
    buffer: &mut [u8],
    output: &'s mut [u8; MAX_HASH_LEN],
) -> Result<&'s [u8], Refusal> {
    if summary_type == 0 {
        return Ok(&[]);
    }
    let mut hash = D::Hash::default();
    for index in 1..GetMeasurements::ALL {
        let Some(measured) = device.measurement(index) else { continue };
        if measured.tcb || summary_type == GetMeasurements::ALL {
            let len = write_block(index, &measured, buffer, 0)?;
            hash.update(buffer.get(..len).unwrap_or_default());
        }
    }
    hash.finish(&mut output[..D::Hash::LEN]);
    Ok(&output[..D::Hash::LEN])
}

fn chain_hash<'s, D: Device>(device: &D, output: &'s mut [u8; MAX_HASH_LEN]) -> &'s [u8] {
    let mut hash = D::Hash::default();
    hash.update(device.chain());
    hash.finish(&mut output[..D::Hash::LEN]);
    &output[..D::Hash::LEN]
}

fn nonce(device: &mut impl Device) -> [u8; 32] {
    let mut nonce = [0; 32];
    device.fill_random(&mut nonce);
    nonce
}

fn sizes<D: Device>() -> Sizes {
    Sizes { hash: D::Hash::LEN, ..Sizes::default() }
}

/// Length of CERTIFICATE before the portion, in bytes.
const CERTIFICATE_HEADER: usize = 8;

/// Bit 0 of the attributes of GET_CERTIFICATE: SlotSizeRequested (1.3).
const SLOT_SIZE: u8 = 1;

/// Length of MEASUREMENTS before the record, in bytes.
const MEASUREMENTS_HEADER: usize = 8;
/// Offset of MeasurementRecordLength, which has three bytes, in MEASUREMENTS.
const RECORD_LENGTH_OFFSET: usize = 5;

/// Maximum length of MEASUREMENTS between the record and the signature: Nonce, OpaqueDataLength, RequesterContext.
const MEASUREMENTS_TAIL: usize = 32 + 2 + 8;
