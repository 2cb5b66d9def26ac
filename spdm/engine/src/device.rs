//! What only the device itself knows: measurements, logs, and what its vendor adds.

use crate::error::Refusal;
use crate::hash::{Digest, HASHES, Hash};
use grille_spdm_codec::CodecError;
use grille_spdm_codec::measurements::Block;

/// The responder's side of everything that is not cryptography. Each method may be left out: the device then does
/// without.
pub trait Device: Send {
    /// The measurements, ascending by index; `pending`: those that the next reset brings (1.3).
    fn measurements(&mut self, pending: bool) -> Vec<Measurement> {
        let _ = pending;
        Vec::new()
    }

    /// OpaqueData of CHALLENGE_AUTH and MEASUREMENTS.
    fn opaque(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// The answer to what an application says in a session.
    fn application(&mut self, session: u32, message: &[u8]) -> Option<Vec<u8>> {
        let _ = (session, message);
        None
    }
}

/// A device without anything.
pub struct Bare;

impl Device for Bare {}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// Index, 1 to 0xFE.
    pub index: u8,
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// The value.
    pub value: MeasuredValue,
    /// Whether it belongs to the trusted computing base.
    pub tcb: bool,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasuredValue {
    /// Sent as it is if the requester asks so, else hashed.
    Hashed(Vec<u8>),
    /// Always sent as it is, such as a version.
    Raw(Vec<u8>),
    /// Only the digest is known; of MeasurementHashAlgo.
    Digest(Vec<u8>),
}

impl Measurement {
    /// The block; `hash` is that of MeasurementHashAlgo, `None` if that is RAW_BIT_STREAM.
    pub(crate) fn block(&self, raw: bool, hash: Option<&Hash>) -> Result<Vec<u8>, CodecError> {
        let digest: Digest;
        let (value, is_raw) = match (&self.value, hash) {
            (MeasuredValue::Hashed(value), Some(hash)) if !raw => {
                digest = hash.digest(&[value]);
                (digest.as_ref(), false)
            }
            (MeasuredValue::Hashed(value) | MeasuredValue::Raw(value), _) => (&value[..], true),
            (MeasuredValue::Digest(value), _) => (&value[..], false),
        };
        let value_type = self.kind & !Block::RAW | if is_raw { Block::RAW } else { 0 };
        let mut bytes = vec![0; value.len() + 7];
        Block { index: self.index, value_type, value, bytes: &[] }.encode(&mut bytes)?;
        Ok(bytes)
    }
}

/// The hash with this bit of MeasurementHashAlgo: the raw bit stream has bit 0, so that all others are one up.
pub(crate) fn measurement_hash(bits: u32) -> Option<&'static Hash> {
    HASHES.iter().find(|hash| bits == 2 << hash.bit)
}

/// MeasurementSummaryHash: all blocks, or those of the trusted computing base.
pub(crate) fn summary(
    measurements: &[Measurement],
    summary_type: u8,
    hash: &Hash,
    measurement_hash: Option<&Hash>,
) -> Result<Option<Digest>, Refusal> {
    if summary_type == 0 {
        return Ok(None);
    }
    let mut running = hash.start();
    for measurement in measurements.iter().filter(|measurement| summary_type == ALL || measurement.tcb) {
        running.update(&measurement.block(false, measurement_hash)?);
    }
    Ok(Some(running.digest()))
}

/// MeasurementSummaryHashType: all measurements.
pub(crate) const ALL: u8 = 0xFF;
