//! ERROR: the response to any request that is refused.

use crate::code::Code;
use crate::codec_error::{CodecError, Problem};
use crate::list::{self, Item};
use crate::message::{Message, Sizes, Version};
use crate::wire::{Reader, Wire};
use core::fmt;

/// ERROR.
///
/// ```text
/// 0 SPDMVersion | 1 0x7F | 2 ErrorCode | 3 ErrorData
/// 4 ExtendedErrorData, up to the end of the message
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorResponse<'a> {
    /// ErrorCode: the reason for the refusal.
    pub code: ErrorCode,
    /// ErrorData: for UnsupportedRequest the request code, for ResetRequired after GET_CSR the CSRTrackingTag (1.3),
    /// for VendorDefined the StandardID; otherwise 0.
    pub data: u8,
    /// ExtendedErrorData, with the length of [`ErrorCode::extended_len`], and at most [`MAX_EXTENDED`] bytes.
    pub extended: &'a [u8],
}

/// The maximum length of ExtendedErrorData in bytes.
pub const MAX_EXTENDED: usize = 32;

impl<'a> Message<'a> for ErrorResponse<'a> {
    const CODE: Code = Code::ERROR;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("ErrorCode", &mut self.code.0)?;
        wire.u8("ErrorData", &mut self.data)?;
        match self.code.extended_len() {
            Some(len) => wire.slice("ExtendedErrorData", len, &mut self.extended),
            None => wire.rest("ExtendedErrorData", &mut self.extended),
        }?;
        if self.extended.len() <= MAX_EXTENDED {
            return Ok(());
        }
        let problem = Problem::TooLarge { max: MAX_EXTENDED as u64, got: self.extended.len() as u64 };
        Err(CodecError { name: "ExtendedErrorData", offset: 4, problem })
    }
}

impl<'a> ErrorResponse<'a> {
    /// Returns the length that ResponseTooLarge or DataTooLarge reports, in bytes; `None` for other codes, or if
    /// ExtendedErrorData is too short.
    #[must_use]
    pub fn size(&self) -> Option<u32> {
        let is_size = [ErrorCode::RESPONSE_TOO_LARGE, ErrorCode::DATA_TOO_LARGE].contains(&self.code);
        let bytes = self.extended.first_chunk().filter(|_| is_size)?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Returns the Handle in LargeResponse, for CHUNK_GET; `None` for other codes, or if ExtendedErrorData is empty.
    #[must_use]
    pub fn handle(&self) -> Option<u8> {
        self.extended.first().copied().filter(|_| self.code == ErrorCode::LARGE_RESPONSE)
    }

    /// Returns the vendor's error data in VendorDefined; `None` for other codes, or if the data cannot be decoded.
    /// ErrorData is the StandardID, which names the registry of the vendor ID.
    #[must_use]
    pub fn vendor(&self) -> Option<VendorError<'a>> {
        let is_vendors = self.code == ErrorCode::VENDOR_DEFINED;
        is_vendors.then(|| list::decode(self.extended).ok()).flatten()
    }
}

/// ErrorCode. InvalidSession exists only in 1.1.0; 1.1.1 removed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorCode(
    /// The byte on the wire.
    pub u8,
);

impl ErrorCode {
    /// Returns the name in DSP0274; `None` if the code is unknown.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        ERROR_CODES.iter().find(|row| row.code == self).map(|row| row.name)
    }

    /// Returns the length of ExtendedErrorData in bytes; `None` if any length is valid.
    #[must_use]
    pub fn extended_len(self) -> Option<usize> {
        ERROR_CODES.iter().find(|row| row.code == self).and_then(|row| row.extended)
    }

    /// Returns whether this SPDM version has the code.
    #[must_use]
    pub fn is_known_in(self, version: Version) -> bool {
        let taken_back = self == Self::INVALID_SESSION && version > Version::V1_1;
        !taken_back && ERROR_CODES.iter().any(|row| row.code == self && row.since <= version.byte())
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "reserved {:#04x}", self.0),
        }
    }
}

/// A row of the table of error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorRow {
    /// ErrorCode of this row.
    pub code: ErrorCode,
    /// SPDMVersion of the first version that has the code.
    pub since: u8,
    /// The name in DSP0274.
    pub name: &'static str,
    /// Length of ExtendedErrorData in bytes; `None` if any length is valid.
    pub extended: Option<usize>,
}

macro_rules! error_codes {
    ($($constant:ident = $code:literal, $since:literal, $name:literal, $extended:expr;)*) => {
        /// The error codes.
        pub const ERROR_CODES: &[ErrorRow] =
            &[$(ErrorRow { code: ErrorCode($code), since: $since, name: $name, extended: $extended },)*];

        impl ErrorCode {
            $(#[doc = concat!($name, ".")] pub const $constant: Self = Self($code);)*
        }
    };
}

error_codes! {
    INVALID_REQUEST = 0x01, 0x10, "InvalidRequest", Some(0);
    INVALID_SESSION = 0x02, 0x11, "InvalidSession", None;
    BUSY = 0x03, 0x10, "Busy", Some(0);
    UNEXPECTED_REQUEST = 0x04, 0x10, "UnexpectedRequest", Some(0);
    UNSPECIFIED = 0x05, 0x10, "Unspecified", Some(0);
    DECRYPT_ERROR = 0x06, 0x11, "DecryptError", Some(0);
    UNSUPPORTED_REQUEST = 0x07, 0x10, "UnsupportedRequest", Some(0);
    REQUEST_IN_FLIGHT = 0x08, 0x11, "RequestInFlight", Some(0);
    INVALID_RESPONSE_CODE = 0x09, 0x11, "InvalidResponseCode", Some(0);
    SESSION_LIMIT_EXCEEDED = 0x0a, 0x11, "SessionLimitExceeded", Some(0);
    SESSION_REQUIRED = 0x0b, 0x12, "SessionRequired", Some(0);
    RESET_REQUIRED = 0x0c, 0x12, "ResetRequired", Some(0);
    RESPONSE_TOO_LARGE = 0x0d, 0x12, "ResponseTooLarge", Some(4);
    REQUEST_TOO_LARGE = 0x0e, 0x12, "RequestTooLarge", Some(0);
    LARGE_RESPONSE = 0x0f, 0x12, "LargeResponse", Some(1);
    MESSAGE_LOST = 0x10, 0x12, "MessageLost", Some(0);
    INVALID_POLICY = 0x11, 0x13, "InvalidPolicy", Some(0);
    DATA_TOO_LARGE = 0x12, 0x14, "DataTooLarge", None;
    VERSION_MISMATCH = 0x41, 0x10, "VersionMismatch", Some(0);
    RESPONSE_NOT_READY = 0x42, 0x10, "ResponseNotReady", Some(NotReady::LEN);
    REQUEST_RESYNCH = 0x43, 0x10, "RequestResynch", Some(0);
    OPERATION_FAILED = 0x44, 0x13, "OperationFailed", Some(0);
    NO_PENDING_REQUESTS = 0x45, 0x13, "NoPendingRequests", Some(0);
    REQUEST_SESSION_TERMINATED = 0x46, 0x14, "RequestSessionTerminated", Some(0);
    INVALID_STATE = 0x47, 0x14, "InvalidState", Some(0);
    VENDOR_DEFINED = 0xff, 0x10, "VendorDefined", None;
}

/// ExtendedErrorData of ResponseNotReady.
///
/// ```text
/// 0 RDTExponent | 1 RequestCode | 2 Token | 3 RDTM
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotReady {
    /// RDTExponent: the response is expected after 2^RDTExponent microseconds.
    pub exponent: u8,
    /// RequestCode: the code of the request whose response is not ready.
    pub request: Code,
    /// Token, for RESPOND_IF_READY.
    pub token: u8,
    /// RDTM: the responder may drop the response after this multiple of the expected time.
    pub multiplier: u8,
}

impl NotReady {
    /// Length of the data in bytes.
    pub const LEN: usize = 4;

    /// Decodes ExtendedErrorData.
    ///
    /// # Errors
    /// Returns an error if there are fewer than four bytes.
    pub fn decode(extended: &[u8]) -> Result<Self, CodecError> {
        let mut bytes = [0; Self::LEN];
        Reader::new(extended, 0).array("ExtendedErrorData", &mut bytes)?;
        let [exponent, request, token, multiplier] = bytes;
        Ok(Self { exponent, request: Code(request), token, multiplier })
    }

    /// Encodes ExtendedErrorData.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::LEN] {
        [self.exponent, self.request.0, self.token, self.multiplier]
    }
}

/// ExtendedErrorData of VendorDefined. ErrorData is the StandardID, an index into [`crate::vendor::STANDARDS`].
///
/// ```text
/// 0 Len | 1 VendorID | OpaqueErrorData, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorError<'a> {
    /// VendorID in the registry of the standard.
    pub vendor_id: &'a [u8],
    /// OpaqueErrorData, in the vendor's format.
    pub data: &'a [u8],
}

impl<'a> Item<'a> for VendorError<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.length_prefixed("Len", 1, "VendorID", &mut self.vendor_id)?;
        wire.rest("OpaqueErrorData", &mut self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_are_unique_and_named() {
        for (index, row) in ERROR_CODES.iter().enumerate() {
            assert_eq!(row.code.name(), Some(row.name));
            assert!(ERROR_CODES[..index].iter().all(|other| other.code < row.code));
        }
    }

    #[test]
    fn codes_are_known_since_their_version() {
        let known = |version| ERROR_CODES.iter().filter(|row| row.code.is_known_in(version)).count();
        assert_eq!(Version::ALL.map(known), [9, 14, 19, 22, 25]);
        assert!(!ErrorCode(0x13).is_known_in(Version::V1_4));
        let [before, from] =
            [Version::V1_1, Version::V1_2].map(|v| ErrorCode::SESSION_REQUIRED.is_known_in(v));
        assert!(!before && from);
    }

    #[test]
    fn formats_reserved_codes_as_numbers() {
        let reserved = |code| ErrorCode(code).name().is_none();
        let all = [0..=0x00, 0x13..=0x40, 0x48..=0xFE];
        assert!((0..=u8::MAX).filter(|&code| reserved(code)).eq(all.into_iter().flatten()));
        assert_eq!(alloc::format!("{}", ErrorCode(0x13)), "reserved 0x13");
        assert_eq!(alloc::format!("{}", ErrorCode(0x02)), "InvalidSession");
    }

    #[test]
    fn round_trips_not_ready() {
        let bytes = [20, 0xe4, 7, 3];
        let not_ready = NotReady { exponent: 20, request: Code::KEY_EXCHANGE, token: 7, multiplier: 3 };
        assert_eq!(NotReady::decode(&bytes), Ok(not_ready));
        assert_eq!(not_ready.to_bytes(), bytes);
        assert!((0..4).all(|len| NotReady::decode(&bytes[..len]).is_err()));
    }

    #[test]
    fn returns_sizes_and_handles_only_if_present() {
        let extended = &[1, 2, 0, 0][..];
        let error = |code| ErrorResponse { code, data: 0, extended };
        assert_eq!(error(ErrorCode::RESPONSE_TOO_LARGE).size(), Some(0x201));
        assert_eq!(error(ErrorCode::DATA_TOO_LARGE).size(), Some(0x201));
        assert_eq!(error(ErrorCode::BUSY).size(), None);
        let short = ErrorResponse { extended: &[1, 2, 0], ..error(ErrorCode::DATA_TOO_LARGE) };
        assert_eq!(short.size(), None);
        assert_eq!(error(ErrorCode::LARGE_RESPONSE).handle(), Some(1));
        assert_eq!(error(ErrorCode::DATA_TOO_LARGE).handle(), None);
    }

    #[test]
    fn decodes_vendor_errors() {
        let expected = VendorError { vendor_id: &[0x86, 0x80], data: &[9] };
        let error = |code, extended| ErrorResponse { code, data: 3, extended };
        let vendors = |extended| error(ErrorCode::VENDOR_DEFINED, extended).vendor();
        assert_eq!(vendors(&[2, 0x86, 0x80, 9]), Some(expected));
        assert_eq!(vendors(&[2, 0x86]), None);
        assert_eq!(error(ErrorCode::DATA_TOO_LARGE, &[2, 0x86, 0x80, 9]).vendor(), None);
    }

    #[test]
    fn limits_extended_error_data_to_32_bytes() {
        let bytes = [7; 37];
        for len in 0..=33 {
            let extended = &bytes[..len];
            let error = ErrorResponse { code: ErrorCode::VENDOR_DEFINED, data: 3, extended };
            let mut message = [0; 40];
            let written = error.encode(Version::V1_2, &Sizes::default(), &mut message);
            assert_eq!(written.is_ok(), len <= 32, "{len}");
            message[..4].copy_from_slice(&[0x12, 0x7F, 0xFF, 3]);
            message[4..4 + len].copy_from_slice(extended);
            let read = ErrorResponse::decode(&message[..4 + len], &Sizes::default());
            assert_eq!(read.ok(), (len <= 32).then_some(error), "{len}");
        }
    }
}
