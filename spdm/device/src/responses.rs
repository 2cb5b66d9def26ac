//! What is in each response, without its signature.

use crate::device::{Device, Hash, Measurement, Suite, Value};
use crate::responder::{MAX_HASH, Refusal};
use grille_spdm_codec::algorithms::{BaseAsym, MeasurementSpecification, OtherParams, PqcAsym};
use grille_spdm_codec::capabilities::{
    Capabilities, CapabilityFlags as Caps, GetCapabilities, Limits, MIN_DATA_TRANSFER_SIZE,
};
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::digests::{Digests, GetDigests};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{Block, GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::{Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::version::{GetVersion, VersionResponse};
use grille_spdm_codec::{CodecError, Message, Sizes, Version, signing};

/// A response in the buffer.
pub(crate) struct Body {
    /// The length of the request.
    pub(crate) taken: usize,
    /// The length of the response.
    pub(crate) len: usize,
    /// The context of its signature, if it is signed.
    pub(crate) context: Option<&'static str>,
}

impl Body {
    const fn plain(taken: usize, len: usize) -> Self {
        Self { taken, len, context: None }
    }
}

type Responded = Result<Body, Refusal>;

const INVALID: Refusal = Refusal(ErrorCode::INVALID_REQUEST);

pub(crate) fn version(suite: &Suite, request: &[u8], buffer: &mut [u8]) -> Responded {
    let (GetVersion, taken) = GetVersion::decode_prefix(request, &Sizes::default())?;
    // VersionNumberEntry, little-endian: major and minor in the higher byte
    let response = VersionResponse { entries: &[[0, suite.version.byte()]] };
    Ok(Body::plain(taken, response.encode(Version::V1_0, &Sizes::default(), buffer)?))
}

/// And what the requester can do and takes.
pub(crate) fn capabilities(
    suite: &Suite,
    request: &[u8],
    buffer: &mut [u8],
) -> Result<(Body, Limits), Refusal> {
    let (ask, taken) = GetCapabilities::decode_prefix(request, &Sizes::default())?;
    let theirs = ask.limits;
    if theirs.data_transfer_size < MIN_DATA_TRANSFER_SIZE
        || theirs.max_message_size < theirs.data_transfer_size
    {
        return Err(INVALID);
    }
    let size = suite.data_transfer_size;
    let limits = Limits {
        flags: Caps::CERT | Caps::CHAL | Caps::MEAS_SIG | Caps::CHUNK,
        data_transfer_size: size,
        // no request is put together from chunks
        max_message_size: size,
        ..Limits::default()
    };
    let response = Capabilities { limits, algorithms: None };
    Ok((Body::plain(taken, response.encode(suite.version, &Sizes::default(), buffer)?), theirs))
}

pub(crate) fn algorithms(suite: &Suite, request: &[u8], buffer: &mut [u8]) -> Responded {
    let (ask, taken) = NegotiateAlgorithms::decode_prefix(request, &Sizes::default())?;
    let signs = ask.base_asym.0 & suite.asym.0 != 0 || ask.pqc_asym.0 & suite.pqc_asym.0 != 0;
    if !signs || ask.base_hash.0 & suite.hash.0 == 0 {
        return Err(INVALID);
    }
    let measures = ask.measurement_specification.contains(MeasurementSpecification::DMTF);
    let response = Algorithms {
        measurement_specification: MeasurementSpecification(u8::from(measures)),
        other_params: OtherParams(ask.other_params.0 & OtherParams::OPAQUE_DATA_FORMAT_1.0),
        measurement_hash: if measures { suite.measurement_hash } else { Default::default() },
        base_asym: BaseAsym(suite.asym.0),
        base_hash: suite.hash,
        pqc_asym: PqcAsym(suite.pqc_asym.0),
        ..Algorithms::default()
    };
    Ok(Body::plain(taken, response.encode(suite.version, &Sizes::default(), buffer)?))
}

pub(crate) fn digests<D: Device>(device: &D, request: &[u8], buffer: &mut [u8]) -> Responded {
    let (GetDigests, taken) = GetDigests::decode_prefix(request, &Sizes::default())?;
    let mut digest = [0; MAX_HASH];
    let digests = chain_hash(device, &mut digest);
    let response = Digests { supported_slots: 1, slots: 1, digests, ..Digests::default() };
    Ok(Body::plain(taken, response.encode(device.suite().version, &sizes::<D>(), buffer)?))
}

/// `most`: bytes of the longest message that the requester takes.
pub(crate) fn certificate<D: Device>(
    device: &D,
    most: usize,
    request: &[u8],
    buffer: &mut [u8],
) -> Responded {
    let (ask, taken) = GetCertificate::decode_prefix(request, &Sizes::default())?;
    let (chain, size_only) = (device.chain(), ask.attributes & 1 != 0);
    let rest = chain.get(ask.offset as usize..).filter(|rest| !rest.is_empty());
    // LARGE_RESP_CAP is not offered
    let rest = rest.filter(|_| ask.slot == 0 && !ask.large && !size_only).ok_or(INVALID)?;
    let room = most.min(buffer.len()).saturating_sub(CERTIFICATE_HEADER).min(usize::from(u16::MAX));
    let portion = rest.get(..rest.len().min(ask.length as usize).min(room)).unwrap_or(rest);
    let remainder = u32::try_from(rest.len() - portion.len()).map_err(|_| INVALID)?;
    let response = Certificate { portion, remainder, ..Certificate::default() };
    Ok(Body::plain(taken, response.encode(device.suite().version, &sizes::<D>(), buffer)?))
}

pub(crate) fn challenge<D: Device>(device: &mut D, request: &[u8], buffer: &mut [u8]) -> Responded {
    let (ask, taken) = Challenge::decode_prefix(request, &Sizes::default())?;
    if ask.slot != 0 || !matches!(ask.summary_type, 0 | 1 | GetMeasurements::ALL) {
        return Err(INVALID);
    }
    let nonce = nonce(device);
    let (mut digest, mut summary) = ([0; MAX_HASH], [0; MAX_HASH]);
    let summary_hash = if ask.summary_type == 0 {
        &[][..]
    } else {
        summarise(device, ask.summary_type, &mut summary).map_err(|_| Refusal(ErrorCode::UNSPECIFIED))?
    };
    let response = ChallengeAuth {
        attribute: 0,
        slots: 1,
        chain_hash: chain_hash(device, &mut digest),
        nonce,
        summary_hash,
        opaque: &[],
        context: ask.context,
        signature: &[],
    };
    let sizes = Sizes { summary_hash: summary_hash.len(), ..sizes::<D>() };
    let len = response.encode(device.suite().version, &sizes, buffer)?;
    Ok(Body { taken, len, context: Some(signing::CHALLENGE_AUTH) })
}

pub(crate) fn measurements<D: Device>(device: &mut D, request: &[u8], buffer: &mut [u8]) -> Responded {
    let (ask, taken) = GetMeasurements::decode_prefix(request, &Sizes::default())?;
    if ask.wants_signature() && ask.slot & 0xF != 0 {
        return Err(INVALID);
    }
    let nonce = nonce(device);
    let (mut record, mut len, mut blocks, mut total) = ([0; RECORD], 0, 0, 0);
    for index in 1..GetMeasurements::ALL {
        let Some(measured) = device.measurement(index) else { continue };
        total += 1;
        if ask.operation == index || ask.operation == GetMeasurements::ALL {
            let room = record.get_mut(len..).unwrap_or_default();
            len += block(index, &measured).encode(room).map_err(|_| Refusal(ErrorCode::UNSPECIFIED))?;
            blocks += 1;
        }
    }
    let counts = ask.operation == GetMeasurements::COUNT;
    if blocks == 0 && !counts {
        return Err(INVALID);
    }
    let response = Measurements {
        total: if counts { total } else { 0 },
        slot: 0,
        blocks,
        record: record.get(..len).unwrap_or_default(),
        nonce,
        opaque: &[],
        context: ask.context,
        signature: &[],
    };
    let len = response.encode(device.suite().version, &sizes::<D>(), buffer)?;
    let context = ask.wants_signature().then_some(signing::MEASUREMENTS);
    Ok(Body { taken, len, context })
}

fn block<'a>(index: u8, measured: &Measurement<'a>) -> Block<'a> {
    let (value, raw) = match measured.value {
        Value::Raw(value) => (value, Block::RAW),
        Value::Digest(value) => (value, 0),
    };
    Block { index, value_type: measured.kind & !Block::RAW | raw, value, bytes: &[] }
}

/// MeasurementSummaryHash: all blocks, or those of the trusted computing base.
fn summarise<'s, D: Device>(
    device: &D,
    summary_type: u8,
    output: &'s mut [u8; MAX_HASH],
) -> Result<&'s [u8], CodecError> {
    let mut hash = D::Hash::default();
    for index in 1..GetMeasurements::ALL {
        let Some(measured) = device.measurement(index) else { continue };
        if measured.tcb || summary_type == GetMeasurements::ALL {
            let mut bytes = [0; RECORD];
            let len = block(index, &measured).encode(&mut bytes)?;
            hash.update(bytes.get(..len).unwrap_or_default());
        }
    }
    hash.finish(&mut output[..D::Hash::LEN]);
    Ok(&output[..D::Hash::LEN])
}

fn chain_hash<'s, D: Device>(device: &D, output: &'s mut [u8; MAX_HASH]) -> &'s [u8] {
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

/// Bytes of CERTIFICATE before the portion.
const CERTIFICATE_HEADER: usize = 8;

/// The longest measurement record in bytes; it lies on the stack while MEASUREMENTS is written.
const RECORD: usize = 512;
