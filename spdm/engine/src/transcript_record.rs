//! A transcript as it grows, and its contents at one point.

use crate::hash::{Digest, Hash, Running};
use crate::rules::Rules;
use alloc::vec::Vec;

/// A transcript as it grows: its hash and, if the rules sign messages as they are, also the messages.
#[derive(Clone)]
pub struct Record {
    hash: Running,
    bytes: Option<Vec<u8>>,
}

impl Record {
    /// Starts an empty transcript.
    pub(crate) fn new(hash: &'static Hash, rules: &Rules) -> Self {
        Self { hash: hash.start(), bytes: rules.keeps_messages().then(Vec::new) }
    }

    /// Appends a message or part of a message.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        if let Some(all) = &mut self.bytes {
            all.extend_from_slice(bytes);
        }
    }

    /// Returns the hash so far.
    pub(crate) fn digest(&self) -> Digest {
        self.hash.digest()
    }

    /// Returns the contents.
    pub(crate) fn finish(self) -> Covered {
        Covered { digest: self.hash.finish(), bytes: self.bytes }
    }
}

/// The contents of a transcript that a signature or MAC covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    digest: Digest,
    bytes: Option<Vec<u8>>,
}

impl Covered {
    /// Returns the hash.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the messages, if the rules sign messages as they are; otherwise the hash.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.digest.as_ref())
    }
}

impl From<Digest> for Covered {
    fn from(digest: Digest) -> Self {
        Self { digest, bytes: None }
    }
}
