//! Reads and writes files. `-` means standard input or output, new files appear complete or not at all, and files with
//! secrets have mode 0600.

use crate::error::Error;
use crate::temporary::{self, SignalGuard};
use std::fs;
use std::io::{self, Read, StdinLock, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use zeroize::Zeroizing;

/// The access rights of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Readable as the umask allows.
    Public,
    /// Readable by its owner only.
    Private,
}

/// A file to be written.
pub(crate) struct NewFile<'a> {
    /// The path; `-` is standard output.
    pub path: &'a Path,
    /// The whole contents.
    pub bytes: &'a [u8],
    /// The access rights.
    pub access: Access,
}

impl<'a> NewFile<'a> {
    /// Describes a file with [`Access::Public`].
    pub(crate) const fn public(path: &'a Path, bytes: &'a [u8]) -> Self {
        Self { path, bytes, access: Access::Public }
    }

    /// Describes a file with [`Access::Private`].
    pub(crate) const fn private(path: &'a Path, bytes: &'a [u8]) -> Self {
        Self { path, bytes, access: Access::Private }
    }
}

/// Returns whether the path means standard input or output.
pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns whether nothing exists at the path.
pub(crate) fn is_missing(path: &Path) -> bool {
    !is_standard_stream(path)
        && fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns whether the path can be read more than once: it is a regular file, or nothing exists there yet.
pub(crate) fn can_be_read_again(path: &Path) -> bool {
    !is_standard_stream(path) && fs::metadata(path).map_or(true, |found| found.is_file())
}

/// The maximum length in bytes of a key, certificate, request or revocation list. Some lists have a million entries.
const MAX_DOCUMENT: usize = 64 << 20;

/// The maximum length in bytes of a signature or ciphertext, even in hexadecimal.
const MAX_SIGNATURE_OR_CIPHERTEXT: usize = 1 << 20;

/// Reads a key, certificate, request or revocation list of at most 64 MiB. The limit exists because a device such as
/// /dev/zero has no end.
///
/// # Errors
/// The errors of [`read_at_most`].
pub(crate) fn read_document(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    read_at_most(path, MAX_DOCUMENT, "a key, certificate, request or revocation list")
}

/// Reads a signature or ciphertext of at most 1 MiB. `kind` is its name with an indefinite article, such as `a
/// signature`, for the error message.
///
/// # Errors
/// The errors of [`read_at_most`].
pub(crate) fn read_signature_or_ciphertext(path: &Path, kind: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    read_at_most(path, MAX_SIGNATURE_OR_CIPHERTEXT, kind)
}

/// Reads a whole file of any length, or standard input for `-`. The contents are erased from memory when dropped.
///
/// # Errors
/// The error names the path and the system's reason.
pub(crate) fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let bytes = if is_standard_stream(path) { read_all(stdin()?, 0) } else { read_file(path) };
    bytes.map_err(|error| io_error("read", path, &error))
}

/// Reads a file, or standard input for `-`, of at most `max_len` bytes. Reading stops soon after `max_len` bytes.
///
/// `kind` is the kind of file with an indefinite article, such as `a passphrase`, for the error message.
///
/// # Errors
/// Returns the errors of [`read()`], or an error if the file is longer.
pub(crate) fn read_at_most(path: &Path, max_len: usize, kind: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
    let read = if is_standard_stream(path) {
        read_part(stdin()?, 0, max_len)
    } else {
        read_file_part(path, max_len)
    };
    read.map_err(|error| io_error("read", path, &error))?.ok_or_else(|| {
        let limit = if max_len < 1 << 20 {
            format!("{} KiB", max_len >> 10)
        } else {
            format!("{} MiB", max_len >> 20)
        };
        Error::failure(format_args!("the file is too long for {kind}: the limit is {limit}"))
            .at(path)
            .advise("check the file name")
    })
}

/// Writes all the files, or none.
///
/// Each file is complete under a temporary name before the first is renamed, and no signal ends the program while they
/// are renamed. With `overwrite`, files that were replaced before a failure stay replaced.
///
/// # Errors
/// The error names the path: two outputs are the same file, a file exists and `overwrite` is not set, or a file cannot
/// be written.
pub(crate) fn write(files: &[NewFile<'_>], overwrite: bool) -> Result<(), Error> {
    if files.iter().filter(|file| is_standard_stream(file.path)).count() > 1 {
        return Err(
            Error::usage("only one output can go to standard output").advise("name files for the others")
        );
    }
    check_distinct(files.iter().map(|file| file.path))?;
    let staged = files.iter().map(|file| stage(file, overwrite)).collect::<Result<Vec<_>, _>>()?;
    let (streams, temporaries): (Vec<_>, Vec<_>) =
        staged.into_iter().zip(files).partition(|(staged, _)| matches!(staged, Staged::Stream));
    // streams first: a signal that ends the wait for a slow reader then leaves no file behind
    for (_, file) in streams {
        write_stream(file)?;
    }
    let held = defer_signals(files)?;
    let mut written = Vec::new();
    for (staged, file) in temporaries {
        if let Staged::Temporary(temporary) = staged
            && let Err(error) = persist(temporary, file.path, overwrite, &held)
        {
            remove_written(&written, overwrite);
            return Err(error);
        }
        written.push(file.path);
    }
    Ok(())
}

/// Checks that files which are written later can be created: distinct names, writable directories, and no existing file
/// unless `overwrite` is set. Standard output is refused, because the subcommand's answer goes there.
///
/// # Errors
/// The error names the path that cannot be created.
pub(crate) fn check_can_create<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
    overwrite: bool,
) -> Result<(), Error> {
    let paths: Vec<&Path> = paths.into_iter().collect();
    for path in &paths {
        if is_standard_stream(path) {
            return Err(Error::usage("standard output is reserved for the results").advise("name a file"));
        }
        if !is_stream(path, overwrite)? {
            new_temporary(Access::Private, directory(path))
                .map_err(|error| io_error("write", path, &error))?;
        }
    }
    check_distinct(paths.into_iter())
}

/// Creates a file that is written piece by piece. An existing file is replaced at once.
///
/// # Errors
/// The errors of [`write()`].
pub(crate) fn create(path: &Path, access: Access, overwrite: bool) -> Result<fs::File, Error> {
    let file = NewFile { path, bytes: &[], access };
    match stage(&file, overwrite)? {
        Staged::Stream => {
            fs::OpenOptions::new().write(true).open(path).map_err(|error| io_error("write", path, &error))
        }
        Staged::Temporary(temporary) => persist(temporary, path, overwrite, &defer_signals(&[file])?),
    }
}

/// Opens a file for reading piece by piece.
///
/// # Errors
/// The errors of [`read()`].
pub(crate) fn open(path: &Path) -> Result<fs::File, Error> {
    fs::File::open(path).map_err(|error| io_error("read", path, &error))
}

/// Checks that no two paths are the same file.
fn check_distinct<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), Error> {
    let mut places = Vec::new();
    for path in paths {
        let place = canonical_path(path);
        if places.contains(&place) {
            let twice = Error::usage("two outputs have the same file name").at(path);
            return Err(twice.advise("give each output its own name"));
        }
        places.push(place);
    }
    Ok(())
}

/// Removes the files that were written before a failure, unless they may have replaced existing files.
fn remove_written(written: &[&Path], overwrite: bool) {
    for path in written.iter().filter(|_| !overwrite) {
        // this process created the file: nothing existed there before
        let _ = fs::remove_file(path);
    }
}

/// Defers signals until the result is dropped, so that none ends the program while files are renamed.
fn defer_signals(files: &[NewFile<'_>]) -> Result<SignalGuard, Error> {
    let path = files.first().map_or(Path::new("."), |file| file.path);
    temporary::hold_signals().map_err(|error| io_error("write", path, &error))
}

/// Returns a canonical path, equal for every spelling of the same file, even if the file does not exist yet.
pub(crate) fn canonical_path(path: &Path) -> PathBuf {
    let folder = directory(path);
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let path = folder.join(path.file_name().unwrap_or(path.as_os_str()));
    fs::canonicalize(&path).unwrap_or(path)
}

/// Returns the directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks before a long operation that its output can be written: the path must not be a directory, and it may be an
/// existing file only if `overwrite` is set.
///
/// # Errors
/// Returns an error if the path is a directory, or if it is a file and `overwrite` is not set.
pub(crate) fn refuse_existing(path: &Path, overwrite: bool) -> Result<(), Error> {
    if path.is_dir() || (path.is_file() && !overwrite) {
        return write(&[NewFile::public(path, &[])], false);
    }
    Ok(())
}

/// Returns whether one of the paths is standard output. If so, nothing else is printed there.
///
/// # Errors
/// Returns an error if `json` needs standard output, too.
pub(crate) fn claims_stdout<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
    json: bool,
) -> Result<bool, Error> {
    let claimed = paths.into_iter().any(is_standard_stream);
    if claimed && json {
        return Err(Error::usage("--json and the output cannot both go to standard output")
            .advise("name a file for the output"));
    }
    Ok(claimed)
}

/// Returns the error for a second input from standard input.
pub(crate) fn second_stdin() -> Error {
    Error::usage("only one input can come from standard input").advise("name files for the others")
}

/// Locks standard input for the only input that is read from it.
///
/// # Errors
/// Returns an error if an earlier input was read from standard input, because nothing is left to read.
fn stdin() -> Result<StdinLock<'static>, Error> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Ordering::Relaxed) { Err(second_stdin()) } else { Ok(io::stdin().lock()) }
}

fn read_file(path: &Path) -> io::Result<Zeroizing<Vec<u8>>> {
    let file = fs::File::open(path)?;
    let len = usize::try_from(file.metadata()?.len()).unwrap_or(0);
    read_all(file, len)
}

fn read_file_part(path: &Path, max_len: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let file = fs::File::open(path)?;
    let len = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    if len > max_len { Ok(None) } else { read_part(file, len, max_len) }
}

/// Reads to the end; `None` if there are more than `max_len` bytes.
fn read_part(source: impl Read, expected: usize, max_len: usize) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
    let bytes = read_all(source.take(max_len as u64 + 1), expected)?;
    Ok((bytes.len() <= max_len).then_some(bytes))
}

/// Minimum free space for one read. It is larger than the buffer of the standard library's stdin, because a read of
/// that size bypasses the buffer, which then keeps no copy of a secret.
const PIECE_LEN: usize = 16 << 10;

/// Maximum memory that is allocated before bytes arrive, because a device may claim any length.
const MAX_EXPECTED: usize = 1 << 28;

/// Reads to the end. Buffers that become too small are erased.
///
/// `expected` is the estimated number of bytes.
fn read_all(mut source: impl Read, expected: usize) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; expected.min(MAX_EXPECTED) + PIECE_LEN]);
    let mut len = 0;
    loop {
        if bytes.len() - len < PIECE_LEN {
            let mut larger = Zeroizing::new(vec![0; 2 * bytes.len()]);
            larger[..len].copy_from_slice(&bytes[..len]);
            bytes = larger;
        }
        match source.read(&mut bytes[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// A file that [`stage`] prepared.
enum Staged {
    /// A complete file under a temporary name in the same directory.
    Temporary(temporary::File),
    /// A pipe or a device, for [`write_stream`].
    Stream,
}

fn stage(file: &NewFile<'_>, overwrite: bool) -> Result<Staged, Error> {
    if is_stream(file.path, overwrite)? {
        return Ok(Staged::Stream);
    }
    temporary(file).map(Staged::Temporary).map_err(|error| io_error("write", file.path, &error))
}

/// Returns whether the path is a pipe or a device rather than a file to create.
fn is_stream(path: &Path, overwrite: bool) -> Result<bool, Error> {
    if is_standard_stream(path) {
        return Ok(true);
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            Err(Error::failure("is a directory").at(path).advise("name a file in it"))
        }
        Ok(found) if !found.is_file() => Ok(true),
        Ok(_) if !overwrite => Err(already_exists(path)),
        _ => Ok(false),
    }
}

fn temporary(file: &NewFile<'_>) -> io::Result<temporary::File> {
    let mut temporary = new_temporary(file.access, directory(file.path))?;
    temporary.write(file.bytes)?;
    Ok(temporary)
}

/// Creates a temporary file. On Unix its mode is set at creation, so that no other user can ever open a private file.
/// On Windows a private file stays empty until only its owner can open it.
fn new_temporary(access: Access, directory: &Path) -> io::Result<temporary::File> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".grille-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if access == Access::Private { 0o600 } else { 0o666 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let file = temporary::File::new(&builder, directory)?;
    #[cfg(windows)]
    if access == Access::Private {
        crate::windows_acl::restrict_to_owner(file.path())?;
    }
    Ok(file)
}

/// Writes to standard output or to a device.
fn write_stream(file: &NewFile<'_>) -> Result<(), Error> {
    if is_standard_stream(file.path) {
        let mut stdout = io::stdout().lock();
        stdout.write_all(file.bytes)?;
        return Ok(stdout.flush()?);
    }
    let device = fs::OpenOptions::new().write(true).open(file.path);
    let written = device.and_then(|mut device| device.write_all(file.bytes));
    written.map_err(|error| io_error("write", file.path, &error))
}

/// Renames a temporary file to its final name.
fn persist(
    temporary: temporary::File,
    path: &Path,
    overwrite: bool,
    held: &SignalGuard,
) -> Result<fs::File, Error> {
    temporary.persist(path, overwrite, held).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already_exists(path),
        _ => io_error("write", path, &error),
    })
}

/// Makes a directory and its missing parents.
///
/// # Errors
/// The error names the path and the system's reason.
pub(crate) fn make_directory(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::failure("is not a directory").at(path).advise("name a directory")
        }
        _ => io_error("make the directory", path, &error),
    })
}

/// Checks that the file can be appended to; creates it, readable by its owner only, if it is missing.
///
/// # Errors
/// The error names the path and the system's reason.
pub(crate) fn open_to_append(path: &Path) -> Result<(), Error> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    let is_new = !path.exists();
    let opened = options.open(path).map(drop);
    #[cfg(windows)]
    let opened = match is_new {
        true => opened.and_then(|()| crate::windows_acl::restrict_to_owner(path)),
        false => opened,
    };
    opened.map_err(|error| io_error("write", path, &error))
}

fn already_exists(path: &Path) -> Error {
    Error::failure("the file already exists").at(path).advise("replace it with --force")
}

/// Makes an error from the system's reason, with advice. `verb` names the failed operation, such as "read".
pub(crate) fn io_error(verb: &str, path: &Path, error: &io::Error) -> Error {
    let advice = match error.kind() {
        io::ErrorKind::NotFound if verb == "read" => "check the file name",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "make the directory first",
        io::ErrorKind::PermissionDenied => "check the permissions",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::BrokenPipe => return io::Error::from(io::ErrorKind::BrokenPipe).into(),
        _ => "check the device",
    };
    Error::failure(format_args!("cannot {verb}: {}", reason(error))).at(path).advise(advice)
}

/// Returns the system's reason without its error number, such as "No such file or directory".
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.split(" at path ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_no_file_if_one_exists() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        fs::write(&old, b"old").unwrap();
        let files = [NewFile::private(&new, b"1"), NewFile::public(&old, b"2")];
        assert!(
            write(&files, false)
                .unwrap_err()
                .to_string()
                .ends_with("the file already exists; replace it with --force")
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write(&files, true).unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"2");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// A source that returns at most the given number of bytes per read.
    struct SlowSource<'a>(&'a [u8], usize);

    impl Read for SlowSource<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(buffer.len() >= PIECE_LEN);
            let max_len = self.1.min(buffer.len());
            self.0.read(&mut buffer[..max_len])
        }
    }

    #[test]
    fn reads_everything_for_any_estimate_and_any_piece_length() {
        let all: Vec<u8> = (0..3 * PIECE_LEN + 5).map(|n| (n % 251) as u8).collect();
        for len in [0, 1, PIECE_LEN - 1, PIECE_LEN, PIECE_LEN + 1, all.len()] {
            for (at_once, expected) in [(7, 0), (usize::MAX, 0), (100, len), (usize::MAX, len), (4096, 1)] {
                let read = read_all(SlowSource(&all[..len], at_once), expected).unwrap();
                assert!(*read == all[..len], "{len} bytes, {at_once} at once, {expected} expected");
            }
        }
    }

    #[test]
    fn stops_reading_files_beyond_the_limit() {
        let all = vec![7; 3 * PIECE_LEN];
        for max_len in [0, 1, PIECE_LEN, 2 * PIECE_LEN + 1] {
            let mut rest = &all[..];
            assert!(read_part(&mut rest, 0, max_len).unwrap().is_none());
            assert_eq!(all.len() - rest.len(), max_len + 1);
            assert!(*read_part(&all[..max_len], 0, max_len).unwrap().unwrap() == all[..max_len]);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        fs::write(&path, &all).unwrap();
        let refused = read_at_most(&path, 32 << 10, "a key").unwrap_err().to_string();
        let words = "long: the file is too long for a key: the limit is 32 KiB; check the file name";
        assert!(refused.ends_with(words), "{refused}");
        assert!(*read_at_most(&path, all.len(), "a key").unwrap() == all);
    }

    #[cfg(unix)]
    #[test]
    fn makes_private_files_owner_only_even_when_they_replace_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, b"readable").unwrap();
        write(&[NewFile::private(&path, b"secret")], true).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn creates_over_existing_files_only_with_overwrite() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, b"old").unwrap();
        let refused = |paths: &[&Path], overwrite| {
            check_can_create(paths.iter().copied(), overwrite)
                .map_or_else(|error| error.to_string(), |()| String::new())
        };
        assert_eq!(refused(&[&new], false), "");
        assert!(refused(&[&new, &old], false).ends_with("the file already exists; replace it with --force"));
        assert!(refused(&[&new, &new], true).contains("two outputs have the same file name"));
        assert!(refused(&[Path::new("-")], true).contains("standard output"));
        let nowhere = refused(&[&new, &folder.path().join("none").join("new")], true);
        assert!(nowhere.ends_with("cannot write: No such file or directory; make the directory first"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        assert!(create(&old, Access::Private, false).is_err());
        create(&old, Access::Private, true).unwrap().write_all(b"n").unwrap();
        assert_eq!(fs::read(&old).unwrap(), b"n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[cfg(unix)]
    #[test]
    fn writes_to_devices_without_replacing_them() {
        write(&[NewFile::public(Path::new("/dev/null"), b"gone")], true).unwrap();
        create(Path::new("/dev/null"), Access::Public, false).unwrap();
        use std::os::unix::fs::FileTypeExt;
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
