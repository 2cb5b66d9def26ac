//! Operations that take long: signatures of messages that arrive in pieces, so that a whole message need not be in
//! memory, and the progress of signing.

use crate::Error;
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// A callback that receives the work done and the total work, in the same unit. All threads of an operation may call
/// it, in any order.
pub type Progress<'a> = dyn Fn(u32, u32) + Sync + 'a;

/// A signing operation in progress; see [`SigningKey::begin_signature`](crate::SigningKey::begin_signature).
pub trait MessageSigner: Send {
    /// Returns how many passes over the whole message the signer needs: 1 or 2.
    fn passes(&self) -> u32 {
        1
    }

    /// Absorbs the next piece of the message.
    fn update(&mut self, piece: &[u8]);

    /// Ends a pass that is not the last one. The next pass must supply the same message again.
    fn end_pass(&mut self) {}

    /// Signs the message. For `rng` and `progress`, see
    /// [`SigningKey::sign_with_progress`](crate::SigningKey::sign_with_progress). With the same randomness, signing the
    /// whole message at once gives the same signature.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::sign_with_progress`](crate::SigningKey::sign_with_progress).
    fn finish(
        self: Box<Self>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error>;
}

/// A verification in progress; see [`VerifyingKey::begin_verification`](crate::VerifyingKey::begin_verification).
pub trait MessageVerifier: Send {
    /// Absorbs the next piece of the message.
    fn update(&mut self, piece: &[u8]);

    /// Verifies the signature of the message.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::verify`](crate::VerifyingKey::verify).
    fn finish(self: Box<Self>) -> Result<(), Error>;
}
