//! The output of a hash.

/// The longest output of [`HASHES`](crate::hash::HASHES) in bytes.
pub const MAX_HASH_LEN: usize = 64;

/// The output of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    bytes: [u8; MAX_HASH_LEN],
    len: usize,
}

impl Digest {
    /// Returns zeros of this length, at most [`MAX_HASH_LEN`].
    pub(crate) const fn zeros(len: usize) -> Self {
        Self { bytes: [0; MAX_HASH_LEN], len }
    }

    /// Copies the output of a hash, at most [`MAX_HASH_LEN`] bytes.
    pub(crate) fn from_slice(output: &[u8]) -> Self {
        let mut digest = Self { bytes: [0; MAX_HASH_LEN], len: output.len() };
        digest.bytes[..output.len()].copy_from_slice(output);
        digest
    }
}

impl Default for Digest {
    /// Returns an empty digest.
    fn default() -> Self {
        Self { bytes: [0; MAX_HASH_LEN], len: 0 }
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
