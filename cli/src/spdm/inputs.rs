//! The files that `grille spdm` reads whole: each kind has a length that none of it exceeds, whatever is found under the name;
//! but those that grow as long as a responder runs have any length.

use crate::documents;
use crate::error::Error;
use crate::files;
use grille_pki::Kind;
use std::fs;
use std::path::Path;
use zeroize::Zeroizing;

/// What is in a file.
#[derive(Clone, Copy)]
pub(super) enum Input {
    /// Certificates, one after the other.
    Certificates,
    /// Certificate revocation lists.
    RevocationLists,
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
            // some have a million entries
            Self::RevocationLists => ("a file of revocation lists", 64 << 20),
            Self::Key => ("a key", 1 << 20),
            Self::SharedKey => ("a key that both sides have", 64 << 10),
            // 254 measurements of 64 KiB, in hexadecimal
            Self::Manifest => ("a manifest", 64 << 20),
            Self::State => ("a state of negotiation", 16 << 20),
            // files of these have any length
            Self::KeyLog => ("a key log that is no regular file", 256 << 20),
            Self::Capture => ("a capture that is no regular file", 256 << 20),
        }
    }

    /// Whether what is found there may have any length: a regular file has an end, a pipe or a device may have none.
    fn is_boundless(self, path: &Path) -> bool {
        let is_file = || fs::metadata(path).is_ok_and(|found| found.is_file());
        matches!(self, Self::KeyLog | Self::Capture) && !files::is_pipe(path) && is_file()
    }

    /// The whole file, or standard input for `-`.
    ///
    /// # Errors
    /// If it cannot be read, or is longer than any of its kind.
    pub(super) fn read(self, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
        if self.is_boundless(path) {
            return files::read(path);
        }
        let (what, most) = self.row();
        files::read_at_most(path, most, what)
    }
}

/// The documents of `kind` in such a file, with what protects them taken off.
///
/// # Errors
/// As those of [`Input::read`], and of [`documents::opened`].
pub(super) fn documents(input: Input, path: &Path, kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    documents::opened(path, input.read(path)?, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_what_grows_have_any_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("said");
        // of zeros that take no room on the disk
        fs::File::create(&path).and_then(|file| file.set_len((16 << 20) + 1)).unwrap();
        assert!(Input::Certificates.read(&path).is_err());
        for input in [Input::Capture, Input::KeyLog] {
            assert!(input.is_boundless(&path));
            assert!(!input.is_boundless(Path::new("-")) && !input.is_boundless(folder.path()));
            assert_eq!(input.read(&path).unwrap().len(), (16 << 20) + 1);
        }
        assert!(!Input::Certificates.is_boundless(&path));
    }
}
