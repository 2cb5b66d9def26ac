//! Messages that wait for something.
//!
//! Not held here, and not erased by this crate: what a caller or a device gives or takes as a plain vector, such as measurements,
//! what an application says, and the results of operations other than [`crate::operations::EventList`], and what of a message is
//! kept as a part of the connection, such as chains and what DIGESTS tells.

use alloc::vec::Vec;
use core::ops::Deref;
use zeroize::Zeroize;

/// A message. What a record carried or will carry is erased in the end; what goes in the clear is not: byte by byte, that is most of
/// what a short response costs.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    bytes: Vec<u8>,
    secret: bool,
}

impl Kept {
    /// `secret`: it is a session's.
    pub(crate) const fn new(bytes: Vec<u8>, secret: bool) -> Self {
        Self { bytes, secret }
    }

    /// Appends bytes of a message that has at most `size` in the end; memory is for what came, not for what was announced.
    pub(crate) fn extend(&mut self, bytes: &[u8], size: usize) {
        let len = self.bytes.len() + bytes.len();
        if len > self.bytes.capacity() {
            // a vector that grows by itself leaves a copy behind
            let mut grown = Vec::with_capacity(len.saturating_mul(2).min(size).max(len));
            grown.extend_from_slice(&self.bytes);
            *self = Self { bytes: grown, secret: self.secret };
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes alone, which whoever takes them has to erase.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// Whether it is a session's.
    #[cfg(test)]
    pub(crate) const fn is_secret(&self) -> bool {
        self.secret
    }

    /// All of it; nothing stays here.
    pub(crate) fn take(&mut self) -> Self {
        Self { bytes: core::mem::take(&mut self.bytes), secret: self.secret }
    }
}

impl Deref for Kept {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.secret {
            self.bytes.zeroize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_grow_to_their_size_and_no_further() {
        let mut kept = Kept::new(Vec::new(), true);
        for (len, capacity) in [(10, 20), (20, 20), (30, 50), (50, 50)] {
            kept.extend(&[7; 20][..len - kept.len()], 50);
            assert_eq!((kept.len(), kept.bytes.capacity()), (len, capacity));
        }
        assert_eq!(kept.take()[..], [7; 50]);
        assert!(kept.is_empty());
    }
}
