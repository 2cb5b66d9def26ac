//! Private files on Windows, which has no mode 0600: an access control list that names only the owner.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Full control for OWNER RIGHTS, the well-known security identifier of a file's owner.
const OWNER: &str = "*S-1-3-4:(F)";

/// Removes all rights to a file from all users but its owner, with the system's `icacls`.
///
/// Call it before a secret is in the file: rights are checked when a file is opened.
///
/// # Errors
/// Returns an error if `icacls` cannot be run or fails, as on file systems without access control (FAT, exFAT).
pub(crate) fn restrict_to_owner(path: &Path) -> io::Result<()> {
    let mut command = Command::new(icacls_path()?);
    command.arg(path).args(["/inheritance:r", "/grant:r", OWNER]);
    let done = command.output()?;
    if done.status.success() {
        return Ok(());
    }
    let output = [done.stdout, done.stderr].concat();
    let output = String::from_utf8_lossy(&output);
    let first =
        output.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("icacls gave no reason");
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("cannot protect a private file from other users on this file system: {first}"),
    ))
}

/// Returns the full path of `icacls`, so that a program of that name in the current directory is never run.
fn icacls_path() -> io::Result<PathBuf> {
    let root = std::env::var_os("SystemRoot").ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "the environment variable SystemRoot is not set")
    })?;
    Ok(PathBuf::from(root).join("System32").join("icacls.exe"))
}
