//! The checks of a message, and their results.

use crate::types::Side;
use std::borrow::Cow;
use std::fmt;

/// A check of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The kind of object that is checked.
    pub subject: Subject,
    /// The side whose chain, signature or MAC is checked.
    pub prover: Side,
    /// The slot of the chain or of the signing key; `None` for MACs.
    pub slot: Option<u8>,
    /// The algorithm; empty if none was negotiated.
    pub algorithm: &'static str,
    /// The result of the check.
    pub outcome: Outcome,
}

/// The kind of object that a check verifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A certificate chain, or its hash.
    Chain,
    /// A signature.
    Signature,
    /// The VerifyData field of a handshake.
    Mac,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The check succeeded.
    Right,
    /// The check failed, for this reason.
    Wrong(Cow<'static, str>),
    /// The check is impossible, for this reason.
    Unchecked(&'static str),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chain => "certificate chain",
            Self::Signature => "signature",
            Self::Mac => "VerifyData",
        })
    }
}
