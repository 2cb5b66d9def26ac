//! ERROR, as the responder comes to answer it.

use crate::objection::{Reason, Target};
use alloc::{vec, vec::Vec};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse, MAX_EXTENDED, VendorError};
use grille_spdm_codec::{Code, CodecError, Message, Sizes, Version, list};

/// Why the responder answers ERROR.
///
/// A code that the connection's version does not have, or whose ExtendedErrorData is missing, is told as Unspecified.
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
    /// Without data.
    #[must_use]
    pub const fn new(code: ErrorCode) -> Self {
        Self::with_data(code, 0)
    }

    /// With ErrorData.
    #[must_use]
    pub const fn with_data(code: ErrorCode, data: u8) -> Self {
        Self { code, data, extended: [0; MAX_EXTENDED], extended_len: 0, reason: None, target: None }
    }

    /// UnsupportedRequest.
    #[must_use]
    pub const fn unsupported(request: Code) -> Self {
        Self::with_data(ErrorCode::UNSUPPORTED_REQUEST, request.0)
    }

    /// VendorDefined: an error of another standard's or of a vendor's. `standard_id`: whose registry has the vendor, see
    /// [`grille_spdm_codec::vendor::STANDARDS`]; `vendor_id`: VendorID there; `data`: OpaqueErrorData.
    ///
    /// # Errors
    /// VendorID and OpaqueErrorData have more than 31 bytes together: with their Len, ExtendedErrorData has room for no more.
    pub fn vendor_defined(standard_id: u8, vendor_id: &[u8], data: &[u8]) -> Result<Self, CodecError> {
        let mut refusal = Self::with_data(ErrorCode::VENDOR_DEFINED, standard_id);
        let len = list::encode(VendorError { vendor_id, data }, &mut refusal.extended)?;
        refusal.extended_len = len as u8;
        Ok(refusal)
    }

    /// With ExtendedErrorData.
    #[must_use]
    pub(crate) fn extended<const N: usize>(code: ErrorCode, bytes: [u8; N]) -> Self {
        const { assert!(N <= MAX_EXTENDED) };
        let mut refusal = Self { extended_len: N as u8, ..Self::new(code) };
        refusal.extended[..N].copy_from_slice(&bytes);
        refusal
    }

    /// For this reason, which the requester is not told: [`crate::responder::Responder::take_objection`].
    #[must_use]
    pub const fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Of what the request provisions.
    #[must_use]
    pub(crate) const fn about(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Why, if that was said.
    pub(crate) const fn reason(&self) -> Option<Reason> {
        self.reason
    }

    /// What the request provisions.
    pub(crate) const fn target(&self) -> Option<Target> {
        self.target
    }

    /// Whether the session that it is sent in is over, for the requester too: DecryptError, DSP0274 "Session".
    pub(crate) fn ends_session(&self) -> bool {
        self.code == ErrorCode::DECRYPT_ERROR
    }

    /// As it is told in this version.
    #[must_use]
    pub(crate) fn told_in(self, version: Version) -> Self {
        let whole = match self.code {
            ErrorCode::VENDOR_DEFINED => self.extended_len != 0,
            code => code.extended_len().is_none_or(|len| len == usize::from(self.extended_len)),
        };
        if whole && self.code.is_known_in(version) {
            return self;
        }
        Self { reason: self.reason, target: self.target, ..Self::new(ErrorCode::UNSPECIFIED) }
    }

    /// The message ERROR.
    #[must_use]
    pub fn to_message(self, version: Version) -> Vec<u8> {
        let told = self.told_in(version);
        let extended = &told.extended[..usize::from(told.extended_len)];
        let error = ErrorResponse { code: told.code, data: told.data, extended };
        let mut message = vec![0; 4 + MAX_EXTENDED];
        // there is room for all, which is of the length that the code says; no other way to fail is left
        let len = error.encode(version, &Sizes::default(), &mut message).unwrap_or(4);
        message.truncate(len);
        message
    }
}

impl From<CodecError> for Refusal {
    fn from(error: CodecError) -> Self {
        Reason::Malformed(error).into()
    }
}

/// InvalidRequest, for this reason.
impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST).because(reason)
    }
}

impl From<grille_core::Error> for Refusal {
    fn from(_: grille_core::Error) -> Self {
        Self::new(ErrorCode::UNSPECIFIED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_vendor_says_is_told_whole_or_not_at_all() {
        let bytes = [7; 32];
        for (vendor, data) in (0..=32).flat_map(|vendor| (0..=32 - vendor).map(move |data| (vendor, data))) {
            let refusal = Refusal::vendor_defined(3, &bytes[..vendor], &bytes[..data]);
            assert_eq!(refusal.is_ok(), vendor + data <= 31, "{vendor} {data}");
            let Ok(refusal) = refusal else { continue };
            let message = refusal.to_message(Version::V1_0);
            let read = ErrorResponse::decode(&message, &Sizes::default()).unwrap();
            assert_eq!((read.code, read.data), (ErrorCode::VENDOR_DEFINED, 3));
            let said = VendorError { vendor_id: &bytes[..vendor], data: &bytes[..data] };
            assert_eq!(read.vendor(), Some(said));
        }
    }

    #[test]
    fn what_cannot_be_told_is_unspecified() {
        let told = |refusal: Refusal, version| refusal.to_message(version)[1..].to_vec();
        let unspecified = [Code::ERROR.0, ErrorCode::UNSPECIFIED.0, 0];
        for code in (0..=u8::MAX).map(ErrorCode) {
            let needs = code.extended_len().is_some_and(|len| len > 0) || code == ErrorCode::VENDOR_DEFINED;
            for version in Version::ALL {
                let plain = told(Refusal::with_data(code, 9), version);
                let right = if needs || !code.is_known_in(version) {
                    unspecified
                } else {
                    [Code::ERROR.0, code.0, 9]
                };
                assert_eq!(plain, right, "{code} {version:?}");
            }
        }
        let lost = Refusal::new(ErrorCode::MESSAGE_LOST).because(Reason::Outside);
        assert_eq!(lost.told_in(Version::V1_1).reason(), Some(Reason::Outside));
    }
}
