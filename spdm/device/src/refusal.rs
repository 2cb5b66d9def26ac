//! The reasons for ERROR responses.

use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, CodecError};

/// The reason for an ERROR response.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) data: u8,
    /// ExtendedErrorData of ResponseTooLarge.
    pub(crate) size: Option<u32>,
}

impl Refusal {
    pub(crate) const fn new(code: ErrorCode) -> Self {
        Self { code, data: 0, size: None }
    }

    pub(crate) const fn unsupported(request: Code) -> Self {
        Self { data: request.0, ..Self::new(ErrorCode::UNSUPPORTED_REQUEST) }
    }

    /// Creates the refusal of a response of `len` bytes.
    pub(crate) const fn too_large(len: usize) -> Self {
        Self { size: Some(len as u32), ..Self::new(ErrorCode::RESPONSE_TOO_LARGE) }
    }
}

impl From<CodecError> for Refusal {
    fn from(_: CodecError) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST)
    }
}

pub(crate) const UNEXPECTED: Refusal = Refusal::new(ErrorCode::UNEXPECTED_REQUEST);
