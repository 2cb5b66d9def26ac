//! Verification of a self-signed certificate's own signature, with a cached result.

use crate::signed_message::{Signed, matches_key};
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use der::asn1::{AnyRef, BitStringRef};
use der::{Decode, Reader, SliceReader, Tagged};
use rustls_pki_types::SignatureVerificationAlgorithm;

/// Returns whether the signature of a self-signed certificate is valid. Returns `true` if none of `algorithms` can
/// verify the signature. Reads only the signature, the signed part and the public key in `der`.
pub(crate) fn is_valid(der: &[u8], algorithms: &[&dyn SignatureVerificationAlgorithm]) -> bool {
    let check = || {
        let (signed, kind, key) = signed_parts_and_key(der).ok()?;
        Some(matches_key(&signed, kind, key.as_bytes()?, algorithms) != Some(false))
    };
    check().unwrap_or(false)
}

/// Returns the signed message of a certificate with its signature, and the algorithm identifier and bits of its public
/// key (RFC 5280 section 4.1).
fn signed_parts_and_key(der: &[u8]) -> der::Result<(Signed<'_>, &[u8], BitStringRef<'_>)> {
    let mut certificate = SliceReader::new(AnyRef::from_der(der)?.value())?;
    let message = certificate.tlv_bytes()?;
    let identifier = AnyRef::decode(&mut certificate)?.value();
    let signature = BitStringRef::decode(&mut certificate)?.raw_bytes();
    let mut fields = SliceReader::new(AnyRef::from_der(message)?.value())?;
    // certificates of version 1 begin with the serial number
    let has_version = AnyRef::decode(&mut fields)?.tag().is_context_specific();
    let between = if has_version { 5 } else { 4 };
    for _ in 0..between {
        AnyRef::decode(&mut fields)?;
    }
    let mut key = SliceReader::new(AnyRef::decode(&mut fields)?.value())?;
    let kind = AnyRef::decode(&mut key)?.value();
    Ok((Signed { identifier, message, signature }, kind, BitStringRef::decode(&mut key)?))
}

/// Cached result of verifying a self-signed certificate's own signature.
#[derive(Default)]
pub(crate) struct OwnSignature(AtomicU8);

impl OwnSignature {
    const VALID: u8 = 1;
    const INVALID: u8 = 2;

    /// Returns the cached result. If no result is cached, runs `check` and caches its result. Two concurrent callers
    /// may both run `check`.
    pub(crate) fn get_or_check(&self, check: impl FnOnce() -> bool) -> bool {
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
