//! Why a requester did not prove itself: for whoever runs a responder, which tells the requester a code only.

use crate::context::Context;
use crate::error::{Error, Refusal};
use crate::identity::PROVISIONED;
use core::fmt;
use grille_spdm_codec::error::ErrorCode;

/// What was missing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unproved {
    /// It cannot be asked: one of the sides lacks a capability for it, or nothing was negotiated that the requester signs with.
    Unable,
    /// What it would prove itself with is not known here.
    Unknown {
        /// The slot, 0xFF for a public key known beforehand.
        slot: u8,
    },
    /// It answered ERROR.
    Declined,
    /// Its answer is wrong, or its chain is not believed.
    Answer(Error),
    /// FINISH came without the right signature.
    Finish,
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the requester did not prove itself: ")?;
        match self {
            Self::Unable => f.write_str(
                "it cannot be asked to, for want of a capability or of a common signature algorithm",
            ),
            Self::Unknown { slot: PROVISIONED } => f.write_str("its public key is not known"),
            Self::Unknown { slot } => write!(f, "its chain of slot {slot} is not known"),
            Self::Declined => f.write_str("it declined to answer"),
            Self::Answer(error) => error.fmt(f),
            Self::Finish => f.write_str("FINISH has not the right signature"),
        }
    }
}

impl Context {
    /// Remembers why, and refuses with a code.
    pub(crate) fn distrust(&mut self, why: Unproved, code: ErrorCode) -> Refusal {
        self.unproved = Some(why);
        Refusal::new(code)
    }
}
