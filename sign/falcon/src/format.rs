//! The formats of signatures, and the parameters that differ between sets of the same degree.

/// The encoding of a signature, Falcon section 3.11.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Compressed, with variable length: header 0x30 + log₂ n.
    Compressed,
    /// Compressed and padded with zeroes to a fixed length: header 0x30 + log₂ n. If a signature is too long,
    /// signing starts another attempt.
    Padded,
    /// Twelve bits per coefficient, with a fixed length: header 0x50 + log₂ n. The time of signing and
    /// verification does not depend on the signature or the contents of the message. A short message can
    /// therefore stay secret if its signature stays secret.
    ConstantTime,
}

impl Format {
    /// Checks whether this format allows the signature and the message to be secret.
    pub(crate) const fn is_constant_time(self) -> bool {
        matches!(self, Self::ConstantTime)
    }
}

/// The parameters that differ between sets of the same degree. The names are those of the specification.
#[derive(Clone, Copy, Debug)]
pub struct SignatureParams {
    /// The only format that signing uses and verification accepts.
    pub format: Format,
    /// The value 1/σ, as the bits of an IEEE double.
    pub inverse_sigma: u64,
    /// The value σ_min, as the bits of an IEEE double.
    pub sigma_min: u64,
    /// The bound ⌊β²⌋, the largest squared norm of a signature.
    pub bound: u32,
}

/// The number of bytes of the nonce r, Falcon Algorithm 10.
pub const NONCE_LEN: usize = 40;
