//! Files of keys without certificates, as in the folders `sample_key/pqc` and `sample_key/pqc_kem` of openspdm-pqc.
//!
//! `NAME_pk.bin` is a public key and `NAME_sk.bin` a private key. NAME is the name of the algorithm in liboqs 0.5, such
//! as `Dilithium3` or `Kyber768-90s`. A file contains only the key, in the encoding of liboqs.

use crate::algorithm::refuse_broken;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::spdm::inputs::Input;
use grille_core::SecretBytes;
use grille_spdm_engine::pqc2021::{KEMS, Kem, SIGNATURES, Set, Signature, kem_row};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// One half of a key pair.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Public,
    Secret,
}

impl Part {
    /// Returns the name of this half's file.
    fn file_name(self, algorithm: &str) -> String {
        match self {
            Self::Public => format!("{algorithm}_pk.bin"),
            Self::Secret => format!("{algorithm}_sk.bin"),
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Public => "public key",
            Self::Secret => "private key",
        }
    }
}

/// The folders that one option names.
pub(super) struct KeyFolders<'a> {
    pub(super) option: &'static str,
    pub(super) folders: &'a [PathBuf],
}

impl KeyFolders<'_> {
    /// Returns the file of each signature algorithm in `named`. If `named` is `None`, returns the files of all
    /// signature algorithms that have one.
    ///
    /// # Errors
    /// Returns an error if a named algorithm has no file.
    pub(super) fn signatures(
        &self,
        named: Option<Set>,
        part: Part,
    ) -> Result<Vec<(&'static Signature, PathBuf)>, Error> {
        let rows = SIGNATURES.iter().filter(|row| is_selected(named, row.set()));
        self.select(rows.map(|row| (row, row.name)), named.is_some(), part)
    }

    /// Returns the file of each KEM in `named`. If `named` is `None`, returns the files of all KEMs that have one.
    /// Skips broken KEMs unless `--allow-broken` is given.
    ///
    /// # Errors
    /// Returns an error if a named KEM has no file.
    pub(super) fn kems(&self, named: Option<Set>, part: Part) -> Result<Vec<(&'static Kem, PathBuf)>, Error> {
        let is_usable = |row: &&Kem| kem_row(row).is_some_and(|known| refuse_broken(known).is_ok());
        let rows = KEMS.iter().filter(|row| is_selected(named, row.set())).filter(is_usable);
        self.select(rows.map(|row| (row, row.name)), named.is_some(), part)
    }

    fn select<R>(
        &self,
        rows: impl Iterator<Item = (R, &'static str)>,
        required: bool,
        part: Part,
    ) -> Result<Vec<(R, PathBuf)>, Error> {
        let mut found = Vec::new();
        for (row, name) in rows {
            match self.find(name, part) {
                Some(path) => found.push((row, path)),
                None if required => return Err(self.missing(name, part)),
                None => {}
            }
        }
        Ok(found)
    }

    fn find(&self, name: &str, part: Part) -> Option<PathBuf> {
        let paths = self.folders.iter().map(|folder| folder.join(part.file_name(name)));
        paths.into_iter().find(|path| !files::is_missing(path))
    }

    fn missing(&self, name: &str, part: Part) -> Error {
        let (key, file) = (part.text(), part.file_name(name));
        if self.folders.is_empty() {
            let problem = format!("the {key} of {name} is missing");
            return Error::usage(problem)
                .with_place(self.option)
                .advise(format_args!("name the folder of {file}; `grille spdm raw-keys` makes such files"));
        }
        let problem = format!("no folder has the {key} of {name}");
        Error::failure(problem)
            .with_place(self.option)
            .advise(format_args!("put {file} into one of the folders"))
    }

    /// Checks that the folders contain a key that can be used. `is_empty`: whether no key was read from them.
    ///
    /// # Errors
    /// Returns an error if there are folders but no keys.
    pub(super) fn check_used(&self, is_empty: bool) -> Result<(), Error> {
        if self.folders.is_empty() || !is_empty {
            return Ok(());
        }
        Err(Error::failure("no key of an offered algorithm is in this folder").with_place(self.option))
    }

    /// Reads a key of `len` bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has another length.
    pub(super) fn bytes(
        &self,
        path: &Path,
        name: &str,
        part: Part,
        len: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let bytes = Input::RawKey.read(path)?;
        if bytes.len() == len {
            return Ok(bytes);
        }
        let problem = format!("found {} bytes; a {} of {name} has {len}", bytes.len(), part.text());
        Err(Error::failure(problem).at(path))
    }

    /// Checks that the file with the public key of the algorithm `name` contains `public`, the public half of a private
    /// key. Does nothing if there is no such file.
    ///
    /// # Errors
    /// Returns an error if the file contains another key, or cannot be read.
    pub(super) fn check_pair(&self, name: &str, public: &[u8]) -> Result<(), Error> {
        let Some(path) = self.find(name, Part::Public) else { return Ok(()) };
        if *self.bytes(&path, name, Part::Public, public.len())? == public {
            return Ok(());
        }
        let problem = format!("not the public key of {}", Part::Secret.file_name(name));
        Err(Error::failure(problem).at(&path))
    }
}

fn is_selected(named: Option<Set>, row: Set) -> bool {
    named.is_none_or(|named| named.contains(row))
}

/// A file to write.
struct KeyFile {
    path: PathBuf,
    bytes: SecretBytes,
    part: Part,
}

/// A key pair, in the encoding of its files.
pub(super) struct KeyPair {
    pub(super) name: &'static str,
    pub(super) public: SecretBytes,
    pub(super) secret: SecretBytes,
}

/// Writes both halves of every pair to a folder. Returns the paths.
///
/// # Errors
/// Returns an error if a file cannot be written, or exists and `overwrite` is false.
pub(super) fn write(
    folder: &Path,
    pairs: impl Iterator<Item = KeyPair>,
    overwrite: bool,
) -> Result<Vec<PathBuf>, Error> {
    let files: Vec<KeyFile> = pairs.flat_map(|pair| pair.files(folder)).collect();
    let new: Vec<NewFile<'_>> = files.iter().map(KeyFile::new_file).collect();
    files::write(&new, overwrite)?;
    Ok(files.iter().map(|file| file.path.clone()).collect())
}

impl KeyPair {
    fn files(self, folder: &Path) -> [KeyFile; 2] {
        let Self { name, public, secret } = self;
        [(Part::Secret, secret), (Part::Public, public)].map(|(part, bytes)| KeyFile {
            path: folder.join(part.file_name(name)),
            bytes,
            part,
        })
    }
}

impl KeyFile {
    fn new_file(&self) -> NewFile<'_> {
        match self.part {
            Part::Public => NewFile::public(&self.path, self.bytes.as_ref()),
            Part::Secret => NewFile::private(&self.path, self.bytes.as_ref()),
        }
    }
}
