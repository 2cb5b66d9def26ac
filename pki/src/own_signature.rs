//! Whether a self-signed certificate's signature is right: checked when first asked, and kept.

use crate::Certificate;
use crate::verify::is_signed_with;
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use rustls_pki_types::SignatureVerificationAlgorithm;

/// As [`Certificate::check_own_signature`] with these algorithms alone, and nothing is kept.
pub(crate) fn is_right(
    certificate: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> bool {
    !certificate.is_self_signed() || is_signed_with(certificate, certificate, algorithms) != Some(false)
}

/// Whether a self-signed certificate's signature is right, once somebody has asked.
#[derive(Default)]
pub(crate) struct OwnSignature(AtomicU8);

impl OwnSignature {
    const RIGHT: u8 = 1;
    const WRONG: u8 = 2;

    /// The kept answer, or that of `check`, which is kept. Two threads that ask at once both check.
    pub(crate) fn get(&self, check: impl FnOnce() -> bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            Self::RIGHT => true,
            Self::WRONG => false,
            _ => {
                let is_right = check();
                self.0.store(if is_right { Self::RIGHT } else { Self::WRONG }, Ordering::Relaxed);
                is_right
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
