//! The files that `grille spdm` reads whole: each kind has a length that none of it exceeds, whatever is found under the name.

use crate::error::Error;
use crate::files;
use std::path::Path;
use zeroize::Zeroizing;

/// What is in a file.
#[derive(Clone, Copy)]
pub(super) enum Input {
    /// Certificates, one after the other.
    Certificates,
    /// A private or a public key.
    Key,
    /// A key that both sides have.
    SharedKey,
    /// What a device should measure.
    Manifest,
    /// What two sides negotiated.
    State,
    /// The secrets of sessions; libspdm's is all that it prints.
    KeyLog,
    /// What was said.
    Capture,
}

impl Input {
    /// What it is called, and the length in bytes that none exceeds.
    const fn row(self) -> (&'static str, usize) {
        match self {
            Self::Certificates => ("a file of certificates", 16 << 20),
            Self::Key => ("a key", 1 << 20),
            Self::SharedKey => ("a key that both sides have", 64 << 10),
            // 254 measurements of 64 KiB, in hexadecimal
            Self::Manifest => ("a manifest", 64 << 20),
            Self::State => ("a state of negotiation", 16 << 20),
            Self::KeyLog => ("a key log", 256 << 20),
            Self::Capture => ("a capture", 256 << 20),
        }
    }

    /// The whole file, or standard input for `-`.
    ///
    /// # Errors
    /// If it cannot be read, or is longer than any of its kind.
    pub(super) fn read(self, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
        let (what, most) = self.row();
        files::read_at_most(path, most, what)
    }
}
