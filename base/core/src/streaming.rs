//! Operations on large inputs and operations that take long: signatures of messages and encapsulation with keys that
//! arrive in pieces, so that a whole message or key need not be in memory, and the progress of signing.

use crate::{DynEncapsulated, Error};
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

/// An encapsulation in progress whose encapsulation key arrives in pieces; see
/// [`Kem::begin_encapsulation`](crate::Kem::begin_encapsulation).
pub trait StreamedEncapsulation: Send {
    /// Returns how many bytes of the encoded key have not arrived yet.
    fn missing(&self) -> usize;

    /// Absorbs the next piece of the encoded key.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the piece is longer than the missing bytes; it is then ignored. Returns
    /// [`Error::InvalidPublicKey`] if the bytes are not canonical; all later calls then return the same error.
    fn update(&mut self, piece: &[u8]) -> Result<(), Error>;

    /// Returns the shared secret and the ciphertext. With the same randomness, encapsulation with the whole key gives the
    /// same result.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if a part of the key is missing, or the error with which
    /// [`update`](Self::update) refused the key.
    fn finish(self: Box<Self>) -> Result<DynEncapsulated, Error>;
}
