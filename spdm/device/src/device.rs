//! What a responder is given: cryptography, identity, measurements.

use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};

/// The version and the algorithms that a device speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    /// 1.2, 1.3 or 1.4.
    pub version: Version,
    /// The signatures' algorithm; nothing if it is post-quantum.
    pub asym: BaseAsym,
    /// The same of 1.4; nothing if it is classical.
    pub pqc_asym: PqcAsym,
    /// The length of a signature in bytes.
    pub signature_len: usize,
    /// The bit of [`Device::Hash`].
    pub hash: BaseHash,
    /// What measurements are hashed with, which must be the same.
    pub measurement_hash: MeasurementHash,
    /// The longest request that the transport delivers, in bytes: DataTransferSize.
    pub data_transfer_size: u32,
    /// A signature, and any other answer with cryptography, takes at most 2 to this power microseconds: CTExponent.
    pub ct_exponent: u8,
}

/// A hash in progress.
pub trait Hash: Clone + Default {
    /// The length of the output in bytes, at most 64: a responder with more does not compile.
    const LEN: usize;

    /// Takes more input.
    fn update(&mut self, bytes: &[u8]);

    /// Writes the hash of all input into `output`, [`Hash::LEN`] bytes.
    fn finish(self, output: &mut [u8]);
}

/// A device.
pub trait Device {
    /// The base hash, which hashes measurements too.
    type Hash: Hash;

    /// What it speaks; always the same.
    fn suite(&self) -> Suite;

    /// Random bytes, which nobody can guess.
    fn fill_random(&mut self, bytes: &mut [u8]);

    /// SPDM's certificate chain of slot 0, DSP0274 "SPDM certificate chain": length, hash of the root, certificates.
    fn chain(&self) -> &[u8];

    /// The measurement of this index, 1 to 0xFE.
    fn measurement(&self, index: u8) -> Option<Measurement<'_>>;

    /// Signs with the key of the chain's last certificate; `signature` has the suite's length. ML-DSA and SLH-DSA take
    /// `context` as theirs. `false` if it cannot.
    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool;
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement<'a> {
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// The value.
    pub value: Value<'a>,
    /// Whether it belongs to the trusted computing base.
    pub tcb: bool,
}

/// A measurement's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Sent as it is.
    Raw(&'a [u8]),
    /// The digest of what was measured, as long as the hash.
    Digest(&'a [u8]),
}
