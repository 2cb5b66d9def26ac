//! The format of a composite: how its parts are joined and split, and which data both parts sign.

use crate::{PreHash, ietf, oqs};
use grille_core::Error;
use std::borrow::Cow;

/// The encoding of the parts, and the data that each part signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The classical part comes first, preceded by its length. Each part signs the message.
    Oqs,
    /// The post-quantum part, whose lengths are fixed, comes first. Each part signs a representative of the message.
    Ietf {
        /// The algorithm's label, which is used for domain separation.
        label: &'static str,
        /// The hash function for the message.
        hash: PreHash,
    },
}

/// The format of a composite, and the lengths that its keys need to split signatures and to check contexts.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) format: Format,
    /// The length of the post-quantum part's signature. IETF composites require a fixed length.
    pub(crate) signature: usize,
    pub(crate) context: usize,
}

impl Sizes {
    /// Returns the data that both parts sign, and the context of the post-quantum part.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is longer than the composite allows.
    pub(crate) fn message<'a>(
        self,
        message: &'a [u8],
        context: &[u8],
    ) -> Result<(Cow<'a, [u8]>, &'static [u8]), Error> {
        self.check_context(context)?;
        Ok(match self.format {
            Format::Oqs => (Cow::Borrowed(message), b""),
            Format::Ietf { label, hash } => {
                let mut hasher = hash.hasher();
                hasher.update(message);
                let representative = ietf::representative(label, hasher.finish().digest(), context);
                (Cow::Owned(representative), label.as_bytes())
            }
        })
    }

    /// Checks the length of the context.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is longer than the composite allows.
    pub(crate) fn check_context(self, context: &[u8]) -> Result<(), Error> {
        if context.len() > self.context {
            return Err(Error::ContextTooLong { max: self.context, got: context.len() });
        }
        Ok(())
    }

    pub(crate) fn join(self, classical: &[u8], post_quantum: &[u8]) -> Vec<u8> {
        match self.format {
            Format::Oqs => oqs::join(classical, &[post_quantum]),
            Format::Ietf { .. } => [post_quantum, classical].concat(),
        }
    }

    /// Splits a signature into the classical and the post-quantum part. Returns `None` if the signature is
    /// too short.
    pub(crate) fn split(self, signature: &[u8]) -> Option<(&[u8], &[u8])> {
        match self.format {
            Format::Oqs => oqs::split(signature),
            Format::Ietf { .. } => {
                let (post_quantum, classical) = signature.split_at_checked(self.signature)?;
                Some((classical, post_quantum))
            }
        }
    }
}
