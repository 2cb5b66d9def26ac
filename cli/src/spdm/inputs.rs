//! Input files of `grille spdm`. Each kind has a maximum length, whatever the path refers to. Key logs and captures
//! in regular files may have any length, because they grow while a responder runs.

use crate::documents;
use crate::error::Error;
use crate::files;
use grille_pki::Kind;
use std::fs;
use std::path::Path;
use zeroize::Zeroizing;

/// The kind of an input file.
#[derive(Clone, Copy)]
pub(super) enum Input {
    /// Concatenated certificates.
    Certificates,
    /// Certificate revocation lists.
    RevocationLists,
    /// A private or public key.
    Key,
    /// A pre-shared key.
    SharedKey,
    /// A key without a certificate, of the dialect of openspdm-pqc.
    RawKey,
    /// A reference manifest.
    Manifest,
    /// A saved negotiation state.
    State,
    /// Session secrets; libspdm's log contains its whole output.
    KeyLog,
    /// A packet capture.
    Capture,
}

impl Input {
    /// Returns the name of the kind, and its maximum length in bytes.
    const fn row(self) -> (&'static str, usize) {
        match self {
            Self::Certificates => ("a file of certificates", 16 << 20),
            // Some lists have a million entries.
            Self::RevocationLists => ("a file of revocation lists", 64 << 20),
            Self::Key => ("a key", 1 << 20),
            Self::SharedKey => ("a pre-shared key", 64 << 10),
            // Public keys of Classic McEliece have up to 1357824 bytes.
            Self::RawKey => ("a provisioned key", 2 << 20),
            // 254 measurements of 64 KiB, in hexadecimal.
            Self::Manifest => ("a manifest", 64 << 20),
            Self::State => ("a negotiation state", 16 << 20),
            // Regular files of these kinds may have any length.
            Self::KeyLog => ("a key log that is not a regular file", 256 << 20),
            Self::Capture => ("a capture that is not a regular file", 256 << 20),
        }
    }

    /// Returns whether the file may have any length. A regular file has an end; a pipe or a device may have none.
    fn is_unlimited(self, path: &Path) -> bool {
        let is_file = || fs::metadata(path).is_ok_and(|found| found.is_file());
        matches!(self, Self::KeyLog | Self::Capture) && !files::is_standard_stream(path) && is_file()
    }

    /// Reads the whole file, or standard input for `-`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or exceeds the maximum length of its kind.
    pub(super) fn read(self, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
        if self.is_unlimited(path) {
            return files::read(path);
        }
        let (kind_name, most) = self.row();
        files::read_at_most(path, most, kind_name)
    }
}

/// Reads the documents of `kind` in a file, and decrypts protected ones.
///
/// # Errors
/// The errors of [`Input::read`] and [`documents::decrypt_or_unpack`].
pub(super) fn documents(input: Input, path: &Path, kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    documents::decrypt_or_unpack(path, input.read(path)?, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_and_captures_may_have_any_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("said");
        // A sparse file of zeros, which takes no disk space.
        fs::File::create(&path).and_then(|file| file.set_len((16 << 20) + 1)).unwrap();
        assert!(Input::Certificates.read(&path).is_err());
        for input in [Input::Capture, Input::KeyLog] {
            assert!(input.is_unlimited(&path));
            assert!(!input.is_unlimited(Path::new("-")) && !input.is_unlimited(folder.path()));
            assert_eq!(input.read(&path).unwrap().len(), (16 << 20) + 1);
        }
        assert!(!Input::Certificates.is_unlimited(&path));
    }
}
