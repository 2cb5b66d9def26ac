//! The fields of a message in order.

use grille_spdm_codec::error::ErrorCode;

/// The bytes of a message that are not parsed yet.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    /// Takes a little-endian number of at most four bytes.
    pub(crate) fn number(&mut self, len: usize) -> Option<u32> {
        Some(self.take(len)?.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte)))
    }

    /// Takes a length of `len` bytes, and then that many bytes.
    pub(crate) fn counted(&mut self, len: usize) -> Option<&'a [u8]> {
        let count = self.number(len)? as usize;
        self.take(count)
    }

    /// Returns `Some` if nothing remains.
    pub(crate) fn expect_end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }

    /// Returns `errors` if nothing remains.
    pub(crate) fn errors_at_end(&self, errors: Vec<ErrorCode>) -> Option<Vec<ErrorCode>> {
        self.expect_end().map(|()| errors)
    }
}
