//! The error type of this crate: the field, its offset and the problem.

use core::fmt;

/// An error of decoding or encoding a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// The affected field, as named in the standard.
    pub name: &'static str,
    /// Offset of the field, in bytes from the start of the message.
    pub offset: usize,
    /// The problem with the field.
    pub problem: Problem,
}

/// A problem with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end inside the field.
    Truncated {
        /// Length of the field in bytes.
        needed: usize,
        /// Number of bytes left.
        left: usize,
    },
    /// Bytes follow after the end of the message.
    Trailing {
        /// Number of extra bytes.
        extra: usize,
    },
    /// The caller's buffer ends inside the field.
    NoRoom {
        /// Length of the field in bytes.
        needed: usize,
        /// Number of bytes left in the buffer.
        left: usize,
    },
    /// The length of the value to write contradicts the negotiation or another field.
    Length {
        /// The only valid length, in bytes.
        expected: usize,
        /// The actual length, in bytes.
        got: usize,
    },
    /// The value does not fit into the field.
    TooLarge {
        /// The largest valid value.
        max: u64,
        /// The actual value.
        got: u64,
    },
    /// The value is invalid.
    Value {
        /// The valid values, to complete the sentence "expected …".
        expected: &'static str,
        /// The actual value.
        got: u64,
    },
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}: ", self.name, self.offset)?;
        match self.problem {
            Problem::Truncated { needed, left } => write!(f, "needs {needed} bytes, {left} are left"),
            Problem::Trailing { extra } => write!(f, "{extra} bytes follow the end of the message"),
            Problem::NoRoom { needed, left } => {
                write!(f, "needs {needed} bytes, the buffer has {left} left")
            }
            Problem::Length { expected, got } => write!(f, "must be {expected} bytes long, got {got}"),
            Problem::TooLarge { max, got } => write!(f, "may be at most {max}, got {got}"),
            Problem::Value { expected, got } => write!(f, "expected {expected}, got {got:#x}"),
        }
    }
}

impl core::error::Error for CodecError {}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::ToString;

    #[test]
    fn message_names_field_offset_and_problem() {
        let error =
            CodecError { name: "Nonce", offset: 4, problem: Problem::Truncated { needed: 32, left: 3 } };
        assert_eq!(error.to_string(), "Nonce at offset 4: needs 32 bytes, 3 are left");
    }
}
