//! The parts that the caller implements: cryptography, identity and measurements.

use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};

/// The version and algorithms of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The SPDM version: 1.2, 1.3 or 1.4.
    pub version: Version,
    /// The classical signature algorithm; empty if the device signs with a post-quantum algorithm.
    pub asym: BaseAsym,
    /// The post-quantum signature algorithm of SPDM 1.4; empty if the device signs with a classical algorithm.
    pub pqc_asym: PqcAsym,
    /// The length of a signature in bytes.
    pub signature_len: usize,
    /// The base hash: the bit for the algorithm of [`Device::Hash`].
    pub hash: BaseHash,
    /// The measurement hash, which must be the same algorithm as the base hash.
    pub measurement_hash: MeasurementHash,
    /// DataTransferSize: the longest request that the transport delivers, in bytes.
    pub data_transfer_size: u32,
    /// CTExponent: signatures and other cryptographic responses take at most 2^CTExponent microseconds.
    pub ct_exponent: u8,
}

/// The maximum output length of SPDM's hashes, in bytes.
pub(crate) const MAX_HASH_LEN: usize = 64;

/// An incremental computation of a hash.
pub trait Hash: Clone + Default {
    /// The output length in bytes, at most 64; larger values fail to compile.
    const LEN: usize;

    /// Adds input.
    fn update(&mut self, bytes: &[u8]);

    /// Writes the hash of all input into `output`, which has [`Hash::LEN`] bytes.
    fn finish(self, output: &mut [u8]);
}

/// A device: its algorithms, its certificate chain, its measurements and its key.
pub trait Device {
    /// The base hash, which is also the measurement hash.
    type Hash: Hash;

    /// Returns the version and the algorithms, which never change.
    fn suite(&self) -> Suite;

    /// Fills `bytes` with cryptographically secure random bytes.
    fn fill_random(&mut self, bytes: &mut [u8]);

    /// Returns the SPDM certificate chain of slot 0 (DSP0274 "SPDM certificate chain"): length, root hash,
    /// certificates.
    fn chain(&self) -> &[u8];

    /// Returns the measurement with this index, 1 to 0xFE; `None` if there is none.
    fn measurement(&self, index: u8) -> Option<Measurement<'_>>;

    /// Signs with the leaf key of the chain. `signature` has the suite's length. `context` is the context parameter of
    /// ML-DSA and SLH-DSA; other algorithms ignore it. Returns `false` on failure.
    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool;
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement<'a> {
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// The value of the measurement, raw or as a digest.
    pub value: Value<'a>,
    /// Whether the measurement belongs to the trusted computing base.
    pub tcb: bool,
}

/// The value of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// The value itself.
    Raw(&'a [u8]),
    /// The digest of the measured data, with [`Hash::LEN`] bytes.
    Digest(&'a [u8]),
}
