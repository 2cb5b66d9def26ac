//! Encoded signatures as a type.

use crate::params::Params;
use core::fmt;
use core::ops::Deref;
use grille_core::Bytes;

/// An encoded signature of variable length.
#[derive(Clone)]
pub struct SignatureBytes<P: Params> {
    bytes: P::SignatureBytes,
    len: usize,
}

impl<P: Params> SignatureBytes<P> {
    /// Creates a signature. `write` writes it to a zeroed buffer for the longest signature, and returns its
    /// length.
    pub(crate) fn write_with(write: impl FnOnce(&mut [u8]) -> usize) -> Self {
        let mut bytes = P::SignatureBytes::zeroed();
        let len = write(bytes.as_mut());
        Self { bytes, len }
    }

    /// Creates eight signatures. `write` writes them to zeroed buffers for the longest signature, and returns
    /// their lengths.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub(crate) fn write_eight_with(write: impl FnOnce([&mut [u8]; 8]) -> [usize; 8]) -> [Self; 8] {
        let mut signatures: [Self; 8] =
            core::array::from_fn(|_| Self { bytes: P::SignatureBytes::zeroed(), len: 0 });
        let lens = write(signatures.each_mut().map(|signature| signature.bytes.as_mut()));
        signatures.iter_mut().zip(lens).for_each(|(signature, len)| signature.len = len);
        signatures
    }
}

impl<P: Params> AsRef<[u8]> for SignatureBytes<P> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes.as_ref()[..self.len]
    }
}

impl<P: Params> Deref for SignatureBytes<P> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.as_ref()
    }
}

impl<P: Params> fmt::Debug for SignatureBytes<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} signature ({} bytes)", P::NAME, self.len)
    }
}
