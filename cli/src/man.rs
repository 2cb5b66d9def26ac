//! `grille man`: writes the manual pages, generated from the definition of the command line.

use crate::error::Error;
use crate::files;
use crate::output::{Output, Report};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write a manual page for each command into a directory.
///
/// The directory is created if it is missing, and older pages in it are replaced.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille man ~/.local/share/man/man1
  grille man pages && man pages/grille-tls-scan.1")]
pub(crate) struct Args {
    /// The directory for the pages, which are called grille.1, grille-keygen.1 and so on.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

#[derive(Serialize)]
struct Written<'a> {
    directory: &'a Path,
}

impl Report for Written<'_> {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "wrote the manual pages into {}", self.directory.display())
    }
}

/// Writes the pages of `command` and of each of its subcommands.
///
/// # Errors
/// Returns an error if the directory or a page cannot be written.
pub(crate) fn run(args: &Args, command: clap::Command, out: &mut Output) -> Result<(), Error> {
    let directory = &args.directory;
    files::make_directory(directory)?;
    let written = clap_mangen::generate_to(command, directory);
    written.map_err(|error| files::io_error("write into", directory, &error))?;
    out.print(&Written { directory })
}
