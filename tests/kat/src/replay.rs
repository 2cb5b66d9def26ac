//! A generator that returns the randomness prescribed by a vector, so that the public interface gives the vector's
//! result.

use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;

/// A generator that returns each byte of a vector once.
pub struct Replay<'a>(&'a [u8]);

impl<'a> Replay<'a> {
    /// Makes a generator of `bytes`. The generator panics if more bytes are read.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns whether every byte was read.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryRng for Replay<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("the replay generator only supports fill_bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("the replay generator only supports fill_bytes")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let (next, rest) =
            self.0.split_at_checked(out.len()).expect("the vector has as many bytes as are drawn");
        out.copy_from_slice(next);
        self.0 = rest;
        Ok(())
    }
}

// The generator is deterministic and insecure, but algorithms require this marker.
impl TryCryptoRng for Replay<'_> {}
