//! GET_MEASUREMENTS and MEASUREMENTS: the device's measurements, optionally signed.

use crate::context::Context;
use crate::device::{Measurement, measurement_hash};
use crate::encode::respond_with;
use crate::error::Refusal;
use crate::error::{Error, Usage, Violation};
use crate::hash::Hash;
use crate::identity::{PROVISIONED, usage};
use crate::operation::{Operation, Parsed, Request};
use crate::proof::Proof;
use crate::reply::{IncomingRequest, Reply};
use crate::signatures;
use crate::transcript::{ReportedBlock, ReportedBlocks};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::Block;
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (GetMeasurements, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let rules = cx.connection.rules;
    if !cx.connection.negotiated.is_some_and(|negotiated| negotiated.measures) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    let proof = proof(cx, &request)?;
    let pending = rules.pending_measurements && request.attributes & GetMeasurements::NEW != 0;
    let all = cx.measurements(pending)?;
    let (blocks, record) = record(cx, &request, &all)?;
    let (reported, changed) = report_blocks(cx, incoming, &request, pending, &all)?;
    let opaque = cx.opaque()?;
    let response = Measurements {
        total: if request.operation == GetMeasurements::COUNT { all.len() as u8 } else { 0 },
        slot: if proof.is_some() { request.slot & 0xF | changed } else { 0 },
        blocks,
        record: &record,
        nonce: cx.nonce(),
        opaque: &opaque,
        context: request.context,
        signature: &[],
    };
    let body = respond_with(&response, rules.version(), &cx.own_sizes())?;
    Ok(Reply { proof, reported: Some(reported), ..Reply::plain(body, taken) })
}

impl Context {
    /// Returns MeasurementHashAlgo; `None` for RAW_BIT_STREAM.
    fn measurement_hash(&self) -> Option<&'static Hash> {
        self.connection.negotiated.and_then(|known| measurement_hash(known.algorithms.measurement_hash))
    }

    /// Tells the device MeasurementHashAlgo and returns its measurements. Checks that their indexes are distinct and from
    /// 1 to 254, and that digests have the hash's length.
    pub(crate) fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let hash = self.measurement_hash();
        self.device.set_measurement_hash(hash);
        let all = self.device.measurements(pending)?;
        if !are_distinct(all.iter().map(|measurement| measurement.index)) {
            return Err(Refusal::fault("two measurements have the same index, or an index is 0 or 255"));
        }
        let fit = all
            .iter()
            .all(|measurement| measurement.digest().is_none_or(|digest| has_hash_len(digest, hash)));
        if fit {
            Ok(all)
        } else {
            Err(Refusal::fault("a digest does not have the length of MeasurementHashAlgo"))
        }
    }
}

/// Returns whether a digest has the length of MeasurementHashAlgo.
fn has_hash_len(digest: &[u8], hash: Option<&Hash>) -> bool {
    hash.is_some_and(|hash| digest.len() == hash.output_len())
}

/// Returns the proof that the response ends with, if the request asks for a signature.
fn proof(cx: &Context, request: &GetMeasurements) -> Result<Option<Proof>, Refusal> {
    if !request.wants_signature() {
        return Ok(None);
    }
    if !cx.connection.responder_has(Caps::MEAS_SIG) {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    let slot = match request.slot & 0xF {
        0xF => PROVISIONED,
        slot => slot,
    };
    cx.proof(slot, usage::MEASUREMENT, signatures::MEASUREMENTS, None).map(Some)
}

/// Encodes the requested blocks and returns their number.
fn record(cx: &Context, request: &GetMeasurements, all: &[Measurement]) -> Result<(u8, Vec<u8>), Refusal> {
    let hash = cx.measurement_hash();
    let raw = cx.connection.rules.raw_measurements && request.attributes & GetMeasurements::RAW != 0;
    let (mut blocks, mut record) = (0_u8, Vec::new());
    for measurement in all.iter().filter(|measurement| is_wanted(request, measurement)) {
        record.extend_from_slice(&measurement.block(raw, hash)?);
        // There are at most 254 blocks.
        blocks += 1;
    }
    let single_block = !matches!(request.operation, GetMeasurements::COUNT | GetMeasurements::ALL);
    if single_block && blocks == 0 {
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    } else {
        Ok((blocks, record))
    }
}

fn is_wanted(request: &GetMeasurements, measurement: &Measurement) -> bool {
    match request.operation {
        GetMeasurements::COUNT => false,
        GetMeasurements::ALL => true,
        index => measurement.index == index,
    }
}

/// Returns the blocks in L1/L2, including those in this response, and the bits of Param2 that report a change (1.2).
/// Before a signature, all blocks in L1/L2 are measured again to find changes.
fn report_blocks(
    cx: &mut Context,
    incoming: &IncomingRequest<'_>,
    request: &GetMeasurements,
    pending: bool,
    all: &[Measurement],
) -> Result<(ReportedBlocks, u8), Refusal> {
    if !cx.connection.rules.reports_changes {
        return Ok((ReportedBlocks::default(), 0));
    }
    let hash = cx.connection.hash().ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
    let report = |pending: bool, measurement: &Measurement| -> Result<ReportedBlock, Refusal> {
        let digest = hash.digest(&[&measurement.block(true, None)?]);
        Ok(ReportedBlock { pending, index: measurement.index, digest })
    };
    let mut reported = incoming.reported_blocks(cx);
    if !request.wants_signature() {
        for measurement in all.iter().filter(|measurement| is_wanted(request, measurement)) {
            reported.add(report(pending, measurement)?);
        }
        return Ok((reported, 0));
    }
    let others = if reported.has(!pending) { cx.measurements(!pending)? } else { Vec::new() };
    for (pending, all) in [(pending, all), (!pending, &others[..])] {
        if reported.has(pending) {
            let all: Result<Vec<ReportedBlock>, Refusal> =
                all.iter().map(|measurement| report(pending, measurement)).collect();
            reported.compare(pending, &all?);
        }
    }
    let changed = if reported.changed { Measurements::CHANGED } else { Measurements::UNCHANGED };
    Ok((reported, changed))
}

/// Fetches measurements.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    operation: u8,
    slot: Option<u8>,
    attributes: u8,
}

impl Measure {
    /// Fetches measurements. `operation`: 0 for the number of blocks, 0xFF for all blocks, or the index of one block.
    #[must_use]
    pub const fn new(operation: u8) -> Self {
        Self { operation, slot: None, attributes: 0 }
    }

    /// Fetches all blocks, signed with the key of `slot`.
    #[must_use]
    pub const fn all_signed(slot: u8) -> Self {
        Self::new(GetMeasurements::ALL).signed(slot)
    }

    /// Requests a signature with the key of `slot`. The signature also covers measurements that were fetched unsigned
    /// before.
    #[must_use]
    pub const fn signed(mut self, slot: u8) -> Self {
        self.slot = Some(slot);
        self
    }

    /// Requests raw values instead of digests (1.2).
    #[must_use]
    pub const fn raw(mut self) -> Self {
        self.attributes |= GetMeasurements::RAW;
        self
    }

    /// Requests the measurements that take effect at the next reset (1.3).
    #[must_use]
    pub const fn pending(mut self) -> Self {
        self.attributes |= GetMeasurements::NEW;
        self
    }
}

/// The contents of MEASUREMENTS, after its signature was verified, if one was requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasurementResult {
    /// The number of blocks, if requested.
    pub total: u8,
    /// The blocks.
    pub blocks: Vec<MeasuredBlock>,
    /// MeasurementRecord, the encoded blocks.
    pub record: Vec<u8>,
    /// OpaqueData.
    pub opaque: Vec<u8>,
    /// Whether a measurement changed since it was first reported: 0 unknown, 1 yes, 2 no (1.2).
    pub changed: u8,
}

/// A measurement block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredBlock {
    /// Index.
    pub index: u8,
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// Whether the value is raw instead of a digest.
    pub raw: bool,
    /// The value.
    pub value: Vec<u8>,
}

impl Operation for Measure {
    type Output = MeasurementResult;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let signature = u8::from(self.slot.is_some()) * GetMeasurements::SIGNATURE;
        let request = GetMeasurements {
            attributes: self.attributes | signature,
            operation: self.operation,
            nonce: cx.nonce(),
            slot: self.slot.unwrap_or_default() & 0xF,
            context: cx.random(),
        };
        if let Some(slot) = self.slot {
            cx.check_peer_key(Code::GET_MEASUREMENTS, slot, usage::MEASUREMENT)?;
            // 1.0 has no SlotIDParam, so slot 0 signs
            if slot != 0 && !cx.connection.rules.measurement_slots {
                return Err(Usage::KeyUsage { slot }.into());
            }
        }
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(
        &mut self,
        cx: &mut Context,
        sent: &[u8],
        response: &[u8],
    ) -> Result<Parsed<MeasurementResult>, Error> {
        let request = Code::GET_MEASUREMENTS;
        let violation = |violation| Error::Violation { request, violation };
        let signature = self.slot.map_or(0, |_| cx.peer_proof_len(signatures::MEASUREMENTS));
        let sizes = Sizes { signature, ..cx.peer_sizes() };
        let (message, len): (Measurements<'_>, _) = cx.read_response(request, response, &sizes)?;
        let (sent, _): (GetMeasurements, _) = cx.read_response(request, sent, &Sizes::default())?;
        cx.check_peer_opaque(request, message.opaque)?;
        if message.context != sent.context {
            return Err(violation(Violation::Context));
        }
        if self.slot.is_some() && message.slot & 0xF != sent.slot {
            return Err(violation(Violation::Slot));
        }
        let hash = cx.measurement_hash();
        let are_of = |blocks: &Vec<MeasuredBlock>| {
            blocks.iter().all(|block| block.raw || has_hash_len(&block.value, hash))
        };
        let blocks = blocks(&message).filter(|blocks| self.are_wanted(blocks) && are_of(blocks));
        let measured = MeasurementResult {
            total: message.total,
            blocks: blocks.ok_or(violation(Violation::Measurements))?,
            record: message.record.to_vec(),
            opaque: message.opaque.to_vec(),
            changed: message.slot >> 4 & 3,
        };
        let proof = self.slot.map(|slot| cx.expected_proof(slot, signatures::MEASUREMENTS, None));
        Ok(Parsed { proof, ..Parsed::plain(len, Some(measured)) })
    }
}

impl Measure {
    fn are_wanted(&self, blocks: &[MeasuredBlock]) -> bool {
        match (self.operation, blocks) {
            (GetMeasurements::COUNT, blocks) => blocks.is_empty(),
            (GetMeasurements::ALL, blocks) => are_distinct(blocks.iter().map(|block| block.index)),
            (index, [block]) => block.index == index,
            _ => false,
        }
    }
}

/// Returns whether the blocks have distinct indexes in the valid range, 1 to 0xFE.
fn are_distinct(mut indexes: impl Iterator<Item = u8>) -> bool {
    let mut seen = [false; 256];
    (seen[0], seen[0xFF]) = (true, true);
    indexes.all(|index| !core::mem::replace(&mut seen[usize::from(index)], true))
}

/// Parses the blocks; `None` if they are malformed or do not match their announced number.
fn blocks(message: &Measurements<'_>) -> Option<Vec<MeasuredBlock>> {
    let owned = |block: Block<'_>| MeasuredBlock {
        index: block.index,
        kind: block.kind(),
        raw: block.is_raw(),
        value: block.value.to_vec(),
    };
    let blocks: Result<Vec<_>, _> = message.blocks().map(|block| block.map(owned)).collect();
    blocks.ok().filter(|blocks| blocks.len() == usize::from(message.blocks))
}
