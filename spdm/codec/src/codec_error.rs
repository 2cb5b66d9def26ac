//! What can be wrong with a message: which field, at which offset, what was expected.

use core::fmt;

/// Why bytes are not the message, or the message does not become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecError {
    /// The field concerned, as the standard names it.
    pub what: &'static str,
    /// Where the field begins, in bytes from the start of the message.
    pub offset: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end inside the field.
    Truncated {
        /// Length of the field in bytes.
        needed: usize,
        /// Bytes left.
        left: usize,
    },
    /// Bytes follow after the end of the message.
    Trailing {
        /// How many.
        extra: usize,
    },
    /// The caller's buffer ends inside the field.
    NoRoom {
        /// Length of the field in bytes.
        needed: usize,
        /// Bytes left in the buffer.
        left: usize,
    },
    /// The value to be written has another length than the negotiation or another field says.
    Length {
        /// The only length possible, in bytes.
        expected: usize,
        /// The length found, in bytes.
        got: usize,
    },
    /// The value does not fit the field.
    TooLarge {
        /// The largest value possible.
        max: u64,
        /// The value found.
        got: u64,
    },
    /// The value is not one of those allowed.
    Value {
        /// Which are allowed, as the end of the sentence "expected …".
        expected: &'static str,
        /// The value found.
        got: u64,
    },
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}: ", self.what, self.offset)?;
        match self.problem {
            Problem::Truncated { needed, left } => write!(f, "needs {needed} bytes, {left} are left"),
            Problem::Trailing { extra } => write!(f, "{extra} bytes follow after the end of the message"),
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
    fn a_message_says_what_where_and_why() {
        let error =
            CodecError { what: "Nonce", offset: 4, problem: Problem::Truncated { needed: 32, left: 3 } };
        assert_eq!(error.to_string(), "Nonce at offset 4: needs 32 bytes, 3 are left");
    }
}
