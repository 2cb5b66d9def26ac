//! Signatures of messages that come in pieces, so that no message needs to be in memory as a whole.

use crate::{Error, Progress};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// A signature that has begun; see [`SigningKey::begin_signature`](crate::SigningKey::begin_signature).
pub trait MessageSigner: Send {
    /// How many times the message must be given from its beginning to its end: 1, or 2.
    fn passes(&self) -> u32 {
        1
    }

    /// Takes the next piece of the message.
    fn update(&mut self, piece: &[u8]);

    /// Ends a pass that is not the last one. The message must then be given again, and be the same.
    fn end_pass(&mut self) {}

    /// Signs the message. `rng` and `progress` are those of
    /// [`SigningKey::sign_with_progress`](crate::SigningKey::sign_with_progress). With the same randomness, the signature is the
    /// same as of the whole message.
    ///
    /// # Errors
    /// As there.
    fn finish(
        self: Box<Self>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error>;
}

/// A check that has begun; see [`VerifyingKey::begin_verification`](crate::VerifyingKey::begin_verification).
pub trait MessageVerifier: Send {
    /// Takes the next piece of the message.
    fn update(&mut self, piece: &[u8]);

    /// Checks the signature of the message.
    ///
    /// # Errors
    /// As [`VerifyingKey::verify`](crate::VerifyingKey::verify).
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
