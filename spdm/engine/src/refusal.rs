//! ERROR responses.

use crate::refusal_reason::{Reason, Target};
use alloc::{vec, vec::Vec};
use core::fmt;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, MAX_EXTENDED, VendorError};
use grille_spdm_codec::vendor::is_registered;
use grille_spdm_codec::{Code, CodecError, Message, Sizes, Version, list};

/// A refusal, which the responder sends as ERROR.
///
/// If the connection's version does not define the code, or ExtendedErrorData of the code is missing, ERROR has the
/// code Unspecified. ErrorData is sent only if the code defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// ErrorCode.
    pub code: ErrorCode,
    /// ErrorData.
    pub data: u8,
    extended: [u8; MAX_EXTENDED],
    extended_len: u8,
    reason: Option<Reason>,
    target: Option<Target>,
}

impl Refusal {
    /// Refuses with a code, without data.
    #[must_use]
    pub const fn new(code: ErrorCode) -> Self {
        Self::with_data(code, 0)
    }

    /// Refuses with a code and ErrorData.
    #[must_use]
    pub const fn with_data(code: ErrorCode, data: u8) -> Self {
        Self { code, data, extended: [0; MAX_EXTENDED], extended_len: 0, reason: None, target: None }
    }

    /// Refuses with UnsupportedRequest.
    #[must_use]
    pub const fn unsupported(request: Code) -> Self {
        Self::with_data(ErrorCode::UNSUPPORTED_REQUEST, request.0)
    }

    /// Refuses with VendorDefined, an error of another standard or of a vendor. `standard_id`: the registry of the vendor, see
    /// [`grille_spdm_codec::vendor::STANDARDS`]. `vendor_id`: VendorID in that registry. `data`: OpaqueErrorData.
    ///
    /// # Errors
    /// Returns a refusal with Unspecified and a reason for the operator, which a device can return as it is, in two
    /// cases: the registry does not exist or has no VendorID of this length; or VendorID and OpaqueErrorData exceed 31
    /// bytes together. ExtendedErrorData has 31 bytes of room for these two fields.
    pub fn vendor_defined(standard_id: u16, vendor_id: &[u8], data: &[u8]) -> Result<Self, Self> {
        let wrong = |reason| Self::new(ErrorCode::UNSPECIFIED).with_reason(Reason::Device(reason));
        if !is_registered(standard_id, vendor_id) {
            return Err(wrong("the device's error has an unregistered standard or vendor"));
        }
        // registered StandardIDs are less than 256
        let mut refusal = Self::with_data(ErrorCode::VENDOR_DEFINED, standard_id as u8);
        let len = list::encode(VendorError { vendor_id, data }, &mut refusal.extended);
        let len =
            len.map_err(|_| wrong("the device's error is longer than the 32 bytes of ExtendedErrorData"))?;
        refusal.extended_len = len as u8;
        Ok(refusal)
    }

    /// Refuses with RequestResynch: the request needs an algorithm of this kind, and ALGORITHMS selected none.
    pub(crate) const fn missing_algorithm(kind: &'static str) -> Self {
        Self::new(ErrorCode::REQUEST_RESYNCH).with_reason(Reason::NoAlgorithm(kind))
    }

    /// Refuses with Unspecified for a fault of the side that refuses.
    pub(crate) const fn fault(reason: &'static str) -> Self {
        Self::new(ErrorCode::UNSPECIFIED).with_reason(Reason::Fault(reason))
    }

    /// Refuses with Unspecified because the answer cannot be encoded, which is not the request's fault.
    pub(crate) const fn unencodable(error: CodecError) -> Self {
        Self::new(ErrorCode::UNSPECIFIED).with_reason(Reason::Answer(error))
    }

    /// Refuses with a code and ExtendedErrorData.
    #[must_use]
    pub(crate) fn extended<const N: usize>(code: ErrorCode, bytes: [u8; N]) -> Self {
        const { assert!(N <= MAX_EXTENDED) };
        let mut refusal = Self { extended_len: N as u8, ..Self::new(code) };
        refusal.extended[..N].copy_from_slice(&bytes);
        refusal
    }

    /// Adds a reason. It is not sent; [`crate::responder::Responder::take_refused_request`] returns it.
    #[must_use]
    pub const fn with_reason(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Adds the target of the provisioning request.
    #[must_use]
    pub(crate) const fn with_target(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Returns the reason, if it is known.
    pub(crate) const fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// Returns the target of the provisioning request.
    pub(crate) const fn target(&self) -> Option<Target> {
        self.target
    }

    /// Returns whether the refusal ends the session that carries it, on both sides. Only DecryptError does (DSP0274
    /// "Session").
    pub(crate) fn ends_session(&self) -> bool {
        self.code == ErrorCode::DECRYPT_ERROR
    }

    /// Returns the refusal as it is sent in this version, in response to `request`.
    #[must_use]
    pub(crate) fn for_version(self, version: Version, request: Code) -> Self {
        let len = usize::from(self.extended_len);
        let whole = self.code.extended_len().map_or(len != 0, |needed| needed == len);
        if !whole || !self.code.is_known_in(version) {
            return Self { reason: self.reason, target: self.target, ..Self::new(ErrorCode::UNSPECIFIED) };
        }
        let data = match self.code {
            ErrorCode::UNSUPPORTED_REQUEST => request.0,
            ErrorCode::RESET_REQUIRED | ErrorCode::VENDOR_DEFINED => self.data,
            _ => 0,
        };
        Self { data, ..self }
    }

    /// Encodes ERROR.
    #[must_use]
    pub fn to_message(self, version: Version) -> Vec<u8> {
        let sent = self.for_version(version, Code(self.data));
        let extended = &sent.extended[..usize::from(sent.extended_len)];
        let error = ErrorResponse { code: sent.code, data: sent.data, extended };
        let mut message = vec![0; 4 + MAX_EXTENDED];
        // encoding cannot fail: the buffer is large enough, and the data has the code's length
        let len = error.encode(version, &Sizes::default(), &mut message).unwrap_or(4);
        message.truncate(len);
        message
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused with {}", self.code)?;
        self.reason.map_or(Ok(()), |reason| write!(f, ": {reason}"))
    }
}

impl core::error::Error for Refusal {}

/// Refuses a malformed request with InvalidRequest. Do not use this conversion for answers that a device cannot encode.
impl From<CodecError> for Refusal {
    fn from(error: CodecError) -> Self {
        Reason::Malformed(error).into()
    }
}

/// Refuses with InvalidRequest for this reason.
impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST).with_reason(reason)
    }
}

/// Refuses with Unspecified because the key of the side that refuses failed.
impl From<grille_core::Error> for Refusal {
    fn from(error: grille_core::Error) -> Self {
        Self::new(ErrorCode::UNSPECIFIED).with_reason(Reason::Signer(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_vendor_errors_whole_or_refuses() {
        let bytes = [7; 32];
        let registries = [(0, &[0][..]), (3, &[0, 2]), (10, &[1, 2, 3, 5, 9]), (12, &[])];
        let all = registries.into_iter().flat_map(|(standard, lens)| {
            (0..=32).flat_map(move |vendor| {
                (0..=32 - vendor).map(move |data| (standard, lens.contains(&vendor), vendor, data))
            })
        });
        for (standard, registered, vendor, data) in all {
            let refusal = Refusal::vendor_defined(standard, &bytes[..vendor], &bytes[..data]);
            assert_eq!(refusal.is_ok(), registered && vendor + data <= 31, "{standard} {vendor} {data}");
            let refusal = match refusal {
                Ok(refusal) => refusal,
                Err(other) => {
                    assert_eq!(other.code, ErrorCode::UNSPECIFIED);
                    assert!(matches!(other.reason(), Some(Reason::Device(_))));
                    continue;
                }
            };
            let message = refusal.to_message(Version::V1_0);
            let read = ErrorResponse::decode(&message, &Sizes::default()).unwrap();
            assert_eq!((read.code, u16::from(read.data)), (ErrorCode::VENDOR_DEFINED, standard));
            let expected = VendorError { vendor_id: &bytes[..vendor], data: &bytes[..data] };
            assert_eq!(read.vendor(), Some(expected));
        }
    }

    #[test]
    fn replaces_unsupported_codes_by_unspecified() {
        let request = Code::GET_CSR;
        let sent = |refusal: Refusal, version| {
            refusal.for_version(version, request).to_message(version)[1..].to_vec()
        };
        // ErrorCodes with ExtendedErrorData, from libspdm and DSP0274's table: lengths (0x0D, 0x12), a handle (0x0F), a
        // delay (0x42), and a vendor's error (0xFF)
        let extended = [0x0D, 0x0F, 0x12, 0x42, 0xFF];
        let unspecified = [Code::ERROR.0, ErrorCode::UNSPECIFIED.0, 0];
        for code in (0..=u8::MAX).map(ErrorCode) {
            let needs = extended.contains(&code.0) || code == ErrorCode::INVALID_SESSION;
            let data = match code.0 {
                0x07 => request.0,
                0x0C => 9,
                _ => 0,
            };
            for version in Version::ALL {
                let plain = sent(Refusal::with_data(code, 9), version);
                let right = if needs || !code.is_known_in(version) {
                    unspecified
                } else {
                    [Code::ERROR.0, code.0, data]
                };
                assert_eq!(plain, right, "{code} {version:?}");
            }
        }
        let lost = Refusal::new(ErrorCode::MESSAGE_LOST).with_reason(Reason::Outside);
        assert_eq!(lost.for_version(Version::V1_1, request).reason(), Some(Reason::Outside));
    }
}
