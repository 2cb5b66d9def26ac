//! The `grille spdm raw-keys` subcommand.

use super::pqc2021::algorithm_options::parse_sets;
use super::pqc2021::key_set::RawKeys;
use crate::error::Error;
use crate::files;
use crate::output::{Output, Report, printable};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Generate provisioned keys for the dialect of openspdm-pqc (--spec pqc2021).
///
/// Each key becomes two files in the encoding of liboqs 0.5, with the names of openspdm-pqc: Dilithium3_sk.bin is
/// private, and Dilithium3_pk.bin is for the other side's --peer-raw-keys.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille spdm raw-keys --out device --sig DILITHIUM_3
  grille spdm raw-keys --out device --sig FALCON_512 --kem KYBER_768")]
pub(super) struct Args {
    /// Write the files to this folder, and create the folder if it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Generate keys of these signature algorithms, separated by commas.
    #[arg(long, value_name = "LIST", required_unless_present = "kem")]
    sig: Option<String>,
    /// Generate keys of these KEMs for KEM authentication, separated by commas.
    #[arg(long, value_name = "LIST")]
    kem: Option<String>,
    /// Generate keys of SPHINCS+ of round 3 instead of round 2.
    #[arg(long = "sphincs-round3", alias = "sphincs_round3")]
    sphincs_round3: bool,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

/// The written files.
#[derive(Serialize)]
struct Written {
    files: Vec<PathBuf>,
}

/// Generates the keys, and prints the names of their files.
///
/// # Errors
/// Returns an error if an algorithm is unknown, or a file cannot be written.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let [signatures, kems] = parse_sets(args.sig.as_deref(), args.kem.as_deref())?;
    if signatures.is_empty() && kems.is_empty() {
        return Err(Error::usage("no algorithm is named").with_place("--sig"));
    }
    let keys = RawKeys::generate(signatures, kems, args.sphincs_round3)?;
    files::make_directory(&args.out)?;
    let files = keys.write(&args.out, args.force)?;
    out.print(&Written { files })
}

impl Report for Written {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        self.files.iter().try_for_each(|path| writeln!(out, "{}", printable(&path.display().to_string())))
    }
}
