//! The message representative μ, from a message that is signed directly or hashed beforehand.

use crate::hash::h;
use crate::params::Params;
use crate::version::{Prefix, Version, context_len};
use grille_core::Error;
use grille_hash::Level;
use grille_hash::prehash::PreHash;

/// The message representative μ, FIPS 204 Algorithm 7, line 6: a hash of the verifying key, the context and
/// the message. Any holder of the verifying key can compute μ without the signing key ("external μ").
///
/// [`VerifyingKey::mu`](crate::VerifyingKey::mu) and `mu_prehash` create this value. It can also be created
/// from bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mu([u8; 64]);

impl Mu {
    /// Wraps a representative that was computed elsewhere.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of μ.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }

    /// Computes H(tr ‖ M′).
    pub(crate) fn new(tr: &[u8], message: &MessageParts<'_>) -> Self {
        let [a, b, c, d] = message.parts();
        Self(h(Level::detect(), &[tr, a, b, c, d]))
    }
}

/// The formatted message M′, in parts: a prefix, the context, and the message or its hash.
pub(crate) struct MessageParts<'a> {
    prefix: Prefix,
    context: &'a [u8],
    /// The object identifier of a hash function, if the message was hashed.
    oid: Option<[u8; 11]>,
    message: &'a [u8],
}

impl<'a> MessageParts<'a> {
    /// Formats a message for pure signing, FIPS 204 Algorithm 2, line 10. In round 3, M′ is the message M.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub(crate) fn pure<P: Params>(message: &'a [u8], context: &'a [u8]) -> Result<Self, Error> {
        let prefix = P::Version::message_prefix(context)?;
        Ok(Self { prefix, context, oid: None, message })
    }

    /// Formats a hashed message, FIPS 204 Algorithm 4, line 23.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub(crate) fn prehash(message: &'a PreHash, context: &'a [u8]) -> Result<Self, Error> {
        let prefix = Prefix::Domain([1, context_len(context)?]);
        Ok(Self { prefix, context, oid: Some(message.function().oid()), message: message.digest() })
    }

    /// Wraps a message that is already formatted.
    pub(crate) const fn formatted(m_prime: &'a [u8]) -> Self {
        Self { prefix: Prefix::None, context: &[], oid: None, message: m_prime }
    }

    /// Returns the parts whose concatenation is M′.
    pub(crate) fn parts(&self) -> [&[u8]; 4] {
        let oid: &[u8] = self.oid.as_ref().map_or(&[], <[u8; 11]>::as_slice);
        [self.prefix.as_ref(), self.context, oid, self.message]
    }
}

/// The message whose signature is verified.
#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    /// The formatted message M′, which is hashed with tr.
    Parts(&'a MessageParts<'a>),
    /// The message representative μ.
    Representative(&'a Mu),
}
