//! `grille keygen`: a new key pair.

use crate::algorithm::{Algorithm, warn_if_old};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, Report};
use clap::ValueEnum;
use clap::builder::ValueParser;
use grille_core::{SecretBytes, SystemRng};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make a key pair for signing or for key encapsulation.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille keygen --alg ML-DSA-65 --form raw --out my.key --pub my.pub
  grille keygen --alg X25519MLKEM768 --form raw --out bob.key --pub bob.pub")]
pub(crate) struct Args {
    /// The algorithm, by any name in `grille list --all`.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse))]
    alg: Algorithm,
    /// Where the private key goes, readable by you only; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the public key goes.
    #[arg(long = "pub", value_name = "FILE")]
    public: Option<PathBuf>,
    /// How the private key is written.
    #[arg(long, value_enum)]
    form: Form,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The algorithm's own bytes, without a wrapping that names it; the public key too
    Raw,
}

/// Generates.
///
/// # Errors
/// Those of the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let paths = [Some(&args.out), args.public.as_ref()];
    let silent = files::claims_stdout(paths.into_iter().flatten().map(PathBuf::as_path), out.is_json())?;
    warn_if_old(args.alg.row(), out);
    let (private, public) = raw(args.alg);
    let mut new = vec![NewFile::private(&args.out, private.as_ref())];
    new.extend(args.public.as_ref().map(|path| NewFile::public(path, &public)));
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Generated {
        algorithm: args.alg.row().name(),
        private_key: args.out.display().to_string(),
        public_key: args.public.as_ref().map(|path| path.display().to_string()),
    })
}

/// The private and the public key of a new pair, in the algorithm's own encodings.
fn raw(algorithm: Algorithm) -> (SecretBytes, Vec<u8>) {
    match algorithm {
        Algorithm::Kem(row) => {
            let key = row.kem.generate(&mut SystemRng);
            (key.to_bytes(), key.encaps_key_bytes())
        }
        Algorithm::Signature(row) => {
            let key = row.signature.generate(&mut SystemRng);
            (key.to_bytes(), key.verifying_key_bytes())
        }
    }
}

#[derive(Serialize)]
struct Generated {
    algorithm: &'static str,
    private_key: String,
    public_key: Option<String>,
}

impl Report for Generated {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}: private key in {}", self.algorithm, self.private_key)?;
        match &self.public_key {
            Some(path) => writeln!(out, "{}: public key in {path}", self.algorithm),
            None => Ok(()),
        }
    }
}
