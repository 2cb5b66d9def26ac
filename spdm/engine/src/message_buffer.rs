//! Buffers for messages that must wait.
//!
//! Some data is neither stored in these buffers nor erased by this crate:
//!
//! - plain vectors that callers and devices exchange with the engine, such as measurements and application data;
//! - results of operations other than [`crate::operations::EventList`];
//! - message parts that become connection state, such as chains and the entries of DIGESTS.

use alloc::vec::Vec;
use core::ops::Deref;
use zeroize::Zeroize;

/// A message. If a record carries the message, it is erased when dropped. Messages in the clear are not erased, because
/// erasing them would be most of the cost of a short response.
#[derive(Debug, Default)]
pub(crate) struct MessageBuffer {
    bytes: Vec<u8>,
    secret: bool,
}

impl MessageBuffer {
    /// Stores a message. `secret`: the message belongs to a session.
    pub(crate) const fn new(bytes: Vec<u8>, secret: bool) -> Self {
        Self { bytes, secret }
    }

    /// Appends bytes to a message of at most `size` bytes in total. Memory is allocated for received bytes, not for the announced
    /// length.
    pub(crate) fn extend(&mut self, bytes: &[u8], size: usize) {
        let len = self.bytes.len() + bytes.len();
        if len > self.bytes.capacity() {
            // a growing vector would leave an unerased copy behind
            let mut grown = Vec::with_capacity(len.saturating_mul(2).min(size).max(len));
            grown.extend_from_slice(&self.bytes);
            *self = Self { bytes: grown, secret: self.secret };
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the bytes. The caller must erase them.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// Returns whether the message belongs to a session.
    #[cfg(test)]
    pub(crate) const fn is_secret(&self) -> bool {
        self.secret
    }

    /// Takes the whole message and leaves an empty one.
    pub(crate) fn take(&mut self) -> Self {
        Self { bytes: core::mem::take(&mut self.bytes), secret: self.secret }
    }
}

impl Deref for MessageBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for MessageBuffer {
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
    fn buffer_capacity_never_exceeds_the_message_size() {
        let mut buffer = MessageBuffer::new(Vec::new(), true);
        for (len, capacity) in [(10, 20), (20, 20), (30, 50), (50, 50)] {
            buffer.extend(&[7; 20][..len - buffer.len()], 50);
            assert_eq!((buffer.len(), buffer.bytes.capacity()), (len, capacity));
        }
        assert_eq!(buffer.take()[..], [7; 50]);
        assert!(buffer.is_empty());
    }
}
