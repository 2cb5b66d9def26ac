//! Verification of a self-signed certificate's own signature, with a cached result.

use crate::Certificate;
use crate::verify::is_signed_with;
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use rustls_pki_types::SignatureVerificationAlgorithm;

/// Verifies like [`Certificate::check_own_signature`], but with these algorithms only and without caching.
pub(crate) fn is_valid(
    certificate: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> bool {
    !certificate.is_self_signed() || is_signed_with(certificate, certificate, algorithms) != Some(false)
}

/// Cached result of verifying a self-signed certificate's own signature.
#[derive(Default)]
pub(crate) struct OwnSignature(AtomicU8);

impl OwnSignature {
    const VALID: u8 = 1;
    const INVALID: u8 = 2;

    /// Returns the cached result, or that of `check`, which is then cached. Two concurrent callers may both run
    /// `check`.
    pub(crate) fn get(&self, check: impl FnOnce() -> bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            Self::VALID => true,
            Self::INVALID => false,
            _ => {
                let is_valid = check();
                self.0.store(if is_valid { Self::VALID } else { Self::INVALID }, Ordering::Relaxed);
                is_valid
            }
        }
    }
}

impl Clone for OwnSignature {
    fn clone(&self) -> Self {
        Self(AtomicU8::new(self.0.load(Ordering::Relaxed)))
    }
}

impl fmt::Debug for OwnSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnSignature")
    }
}
