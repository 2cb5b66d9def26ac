//! What is signed: M′, FIPS 205 section 10, and its digest.

use crate::generation::{Generation, Prefix, context_len};
use grille_core::Error;
use grille_hash::prehash::PreHash;

/// M′ in parts: a prefix, the context, and what is signed.
pub(crate) struct MessageParts<'a> {
    prefix: Prefix,
    context: &'a [u8],
    /// The object identifier of a hash function, for a hashed message.
    oid: Option<[u8; 11]>,
    message: &'a [u8],
}

impl<'a> MessageParts<'a> {
    /// Of a message as it is, FIPS 205 Algorithm 22, line 8; until round 3.1, M.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub(crate) fn pure<G: Generation>(message: &'a [u8], context: &'a [u8]) -> Result<Self, Error> {
        Ok(Self { prefix: G::message_prefix(context)?, context, oid: None, message })
    }

    /// Of a hashed message, FIPS 205 Algorithm 23, line 24.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub(crate) fn prehash(message: &'a PreHash, context: &'a [u8]) -> Result<Self, Error> {
        let prefix = Prefix::Domain([1, context_len(context)?]);
        Ok(Self { prefix, context, oid: Some(message.function().oid()), message: message.digest() })
    }

    /// Of a message that is formatted already.
    pub(crate) const fn formatted(m_prime: &'a [u8]) -> Self {
        Self { prefix: Prefix::None, context: &[], oid: None, message: m_prime }
    }

    /// M′ is their concatenation.
    pub(crate) fn parts(&self) -> [&[u8]; 4] {
        let oid: &[u8] = self.oid.as_ref().map_or(&[], <[u8; 11]>::as_slice);
        [self.prefix.as_ref(), self.context, oid, self.message]
    }
}
