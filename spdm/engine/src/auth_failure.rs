//! Reasons for failed authentication of a requester, for the responder's operator. The requester receives only an ErrorCode.

use crate::error::Error;
use crate::slot_number::PROVISIONED;
use core::fmt;

/// Why a requester's authentication failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum AuthFailure {
    /// The requester cannot authenticate itself: one of the two sides lacks a capability, or no signature algorithm was
    /// negotiated for the requester.
    Unable,
    /// The requester's chain or public key is unknown.
    Unknown {
        /// The slot; 0xFF for the provisioned public key.
        slot: u8,
    },
    /// The requester answered an encapsulated request with ERROR.
    Declined,
    /// The requester's answer to an encapsulated request is invalid, or its chain is not trusted.
    Answer(Error),
    /// FINISH has no valid signature.
    Finish,
}

impl fmt::Display for AuthFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the requester is not authenticated: ")?;
        match self {
            Self::Unable => f.write_str("a capability or a common signature algorithm is missing"),
            Self::Unknown { slot: PROVISIONED } => f.write_str("its public key is not known"),
            Self::Unknown { slot } => write!(f, "the certificate chain of its slot {slot} is not known"),
            Self::Declined => f.write_str("the requester refused to answer"),
            Self::Answer(error) => error.fmt(f),
            Self::Finish => f.write_str("the signature in FINISH is invalid"),
        }
    }
}
