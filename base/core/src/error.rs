//! Errors of algorithms. Protocols have their own errors.

use core::fmt;

/// The reason why an algorithm refused its input.
///
/// A modified ciphertext is not an error: decapsulation rejects it implicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The input has the wrong length.
    Length {
        /// The name of the input, such as `"ML-KEM-768 ciphertext"` or `"ciphertext"`.
        input: &'static str,
        /// The only length accepted, in bytes.
        expected: usize,
        /// The length found, in bytes.
        got: usize,
    },
    /// The public key has the right length but is not a valid encoding.
    InvalidPublicKey {
        /// The fault, as the end of the sentence "the public key …".
        reason: &'static str,
    },
    /// The private key has the right length but is not a valid encoding, or its parts contradict each other.
    InvalidPrivateKey {
        /// The fault, as the end of the sentence "the private key …".
        reason: &'static str,
    },
    /// The signature does not belong to this message, context and key.
    InvalidSignature,
    /// One part of a composite signature does not match the message, context and key; the other part does.
    InvalidSignaturePart {
        /// The algorithm of the part that does not match.
        part: &'static str,
    },
    /// The context string is longer than the standard allows.
    ContextTooLong {
        /// The longest context allowed, in bytes; 0 if the algorithm takes no context.
        max: usize,
        /// The length found, in bytes.
        got: usize,
    },
    /// The algorithm does not support the requested operation.
    Unsupported {
        /// The missing operation, as the end of the sentence "this algorithm has no …".
        feature: &'static str,
    },
}

impl Error {
    /// Checks the length of the object that `input` names: `got` must equal `expected`.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the lengths differ.
    pub const fn check_len(input: &'static str, expected: usize, got: usize) -> Result<(), Self> {
        if expected == got { Ok(()) } else { Err(Self::Length { input, expected, got }) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { input, expected, got } => {
                write!(f, "the {input} must be {expected} bytes long, got {got}")
            }
            Self::InvalidPublicKey { reason } => write!(f, "the public key {reason}"),
            Self::InvalidPrivateKey { reason } => write!(f, "the private key {reason}"),
            Self::InvalidSignature => {
                f.write_str("the signature does not match this message, context and public key")
            }
            Self::InvalidSignaturePart { part } => {
                write!(f, "the {part} part of the composite signature does not match; the other part does")
            }
            Self::ContextTooLong { max: 0, .. } => f.write_str("this algorithm takes no context string"),
            Self::ContextTooLong { max, got } => {
                write!(f, "the context string may have at most {max} bytes, got {got}")
            }
            Self::Unsupported { feature } => write!(f, "this algorithm has no {feature}"),
        }
    }
}

impl core::error::Error for Error {}
