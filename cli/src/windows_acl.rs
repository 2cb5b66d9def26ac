//! Private files on Windows, which has no mode 0600: an access control list that names the owner alone.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// OWNER RIGHTS, the well-known security identifier of whoever owns the file.
const OWNER: &str = "*S-1-3-4:(F)";

/// Takes all rights to a file away from everybody but its owner, with the system's `icacls`. Call it before a secret is in the
/// file: rights are checked when a file is opened.
///
/// # Errors
/// If `icacls` cannot be run or refuses, as on file systems without access control (FAT, exFAT).
pub(crate) fn restrict_to_owner(path: &Path) -> io::Result<()> {
    let mut command = Command::new(icacls()?);
    command.arg(path).args(["/inheritance:r", "/grant:r", OWNER]);
    let done = command.output()?;
    if done.status.success() {
        return Ok(());
    }
    let said = [done.stdout, done.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let first = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("icacls gave no reason");
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!("this file system cannot keep a private file from other users: {first}"),
    ))
}

/// Its full path: a program of that name in the current directory is not run.
fn icacls() -> io::Result<PathBuf> {
    let root = std::env::var_os("SystemRoot")
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the environment has no SystemRoot"))?;
    Ok(PathBuf::from(root).join("System32").join("icacls.exe"))
}
