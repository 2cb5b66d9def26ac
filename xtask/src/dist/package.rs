//! The version, the platforms, and the making and unpacking of archives, for all parts of a release.

use crate::outcome::Failure;
use crate::process;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Documents of the repository that every package of the program contains.
pub(super) const DOCUMENTS: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// A platform for which a program is made.
pub(super) struct Platform {
    pub(super) target: &'static str,
    pub(super) is_static: bool,
    /// The `Depends` line of Debian's control file, with its newline; empty if the program needs no packages.
    pub(super) depends: &'static str,
}

pub(super) const STATIC: Platform =
    Platform { target: "x86_64-unknown-linux-musl", is_static: true, depends: "" };
pub(super) const DYNAMIC: Platform =
    Platform { target: "x86_64-unknown-linux-gnu", is_static: false, depends: "Depends: libc6, libgcc-s1\n" };

/// Returns the profile of cargo for the program and the C library.
pub(super) fn profile() -> String {
    std::env::var("PROFILE").unwrap_or_else(|_| "dist".into())
}

pub(super) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to)?;
    Ok(())
}

/// Archives the folder `name` of `parent`. The archive is reproducible: the same contents always give the same bytes.
/// `mode` is `-c`, or `-cz` for a compressed archive.
pub(super) fn tar(path: &Path, parent: &Path, name: &str, mode: &str) -> Result<(), Failure> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", mode, "-f"]);
    process::expect_success(tar.arg(path).arg("-C").arg(parent).arg(name).env("GZIP", "-9n"))
}

/// Makes an empty folder.
pub(super) fn empty_folder(path: &Path) -> Result<PathBuf, Failure> {
    let _ = fs::remove_dir_all(path);
    fs::create_dir_all(path)?;
    Ok(path.to_owned())
}

/// Unpacks an archive into a folder, which must exist.
pub(super) fn unpack(archive: &Path, folder: &Path) -> Result<(), Failure> {
    process::expect_success(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder))
}

/// Checks the output of a program from a package.
pub(super) fn expect(package: &Path, printed: &str, expected: &str) -> Result<(), Failure> {
    if printed.trim() == expected {
        return Ok(());
    }
    let found = printed.trim();
    Err(Failure(vec![format!("{}: a program printed {found:?}, expected {expected:?}", package.display())]))
}
