//! The input of signatures, DSP0274 chapter "Signature generation and verification".

use crate::hash::{Digest, Hash, MAX_HASH_LEN};
use crate::rules::{Rules, SignatureInput};
use alloc::vec::Vec;
use grille_registry::SignatureRow;
use grille_spdm_codec::signing::{self, PREFIX_LEN};

/// The input of a signature.
pub struct ToBeSigned {
    bytes: [u8; PREFIX_LEN + MAX_HASH_LEN],
    len: usize,
    context: &'static str,
    hash: &'static Hash,
    /// The messages themselves, if they are signed instead of their hash.
    whole: Option<Vec<u8>>,
}

impl ToBeSigned {
    /// Returns the input over a transcript's hash. `rules`: the version or its rules. `context`: a constant of
    /// [`crate::signatures`]. `transcript`: computed with `hash`.
    #[must_use]
    pub fn new(
        rules: impl Into<&'static Rules>,
        context: &'static str,
        hash: &'static Hash,
        transcript: &Digest,
    ) -> Self {
        let rules = rules.into();
        let hashed = rules.signatures != SignatureInput::Prefixed;
        let mut bytes = [0; PREFIX_LEN + MAX_HASH_LEN];
        let start = if hashed { 0 } else { PREFIX_LEN };
        if !hashed {
            bytes[..PREFIX_LEN].copy_from_slice(&signing::prefix(rules.version(), context));
        }
        let len = start + transcript.as_ref().len();
        bytes[start..len].copy_from_slice(transcript.as_ref());
        Self { bytes, len, context, hash, whole: None }
    }

    /// Returns the input for an algorithm that signs the messages of a transcript instead of their hash (`pqc2021`).
    pub(crate) fn whole(context: &'static str, hash: &'static Hash, messages: &[u8]) -> Self {
        Self { bytes: [0; PREFIX_LEN + MAX_HASH_LEN], len: 0, context, hash, whole: Some(messages.to_vec()) }
    }

    /// Returns the prefix with the hash, or in 1.0 and 1.1 the hash alone. For a post-quantum part of `pqc2021`,
    /// returns the messages.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.whole.as_deref().unwrap_or(&self.bytes[..self.len])
    }

    /// Returns the context.
    #[must_use]
    pub const fn context(&self) -> &'static str {
        self.context
    }

    /// Returns the context string for algorithms that take one; empty before 1.2.
    pub(crate) fn algorithm_context(&self, row: &SignatureRow) -> &'static [u8] {
        let takes = row.signature.info().context_len > 0 && !self.is_hash();
        if takes { self.context.as_bytes() } else { b"" }
    }

    /// Returns whether the bytes are only a hash, as in 1.0 and 1.1.
    pub(crate) const fn is_hash(&self) -> bool {
        self.whole.is_none() && self.len <= MAX_HASH_LEN
    }

    /// Returns the base hash.
    #[must_use]
    pub const fn hash(&self) -> &'static Hash {
        self.hash
    }
}
