//! `grille decap`: recovers the shared secret from a ciphertext.

use crate::encap::encode;
use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::keys;
use crate::output::{Output, Report};
use grille_registry::KemRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Recover the shared secret from a ciphertext.
///
/// A ciphertext that was altered or made for another key yields a different secret and no error (implicit rejection).
/// Elliptic curves, alone or in a hybrid, are an exception: a key share that is not a point of the curve is an error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille decap --key bob.key --ct to-bob.ct --secret bob.secret
  grille decap --key bob.key --ct to-bob.hex --hex --secret bob.secret")]
pub(crate) struct Args {
    /// Read your private key, PEM or DER, from this file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Read the private key as a raw (expanded) key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = crate::algorithm::parse_usable_kem)]
    alg: Option<&'static KemRow>,
    /// Read the ciphertext from this file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    ct: PathBuf,
    /// Write the shared secret to this file, readable by you only; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Read and write hexadecimal instead of raw bytes.
    #[arg(long)]
    hex: bool,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// Decapsulates and writes the secret.
///
/// # Errors
/// Returns an error if the key or the ciphertext is invalid, or a file cannot be read or written.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let silent = files::claims_stdout([&*args.secret], out.is_json())?;
    at_most_one_stdin([&*args.key, &*args.ct])?;
    refuse_replacing_inputs([&*args.key, &*args.ct], &args.secret)?;
    let private = keys::decaps_key(&args.key, args.alg, args.era.profile, out)?;
    let ciphertext = ciphertext(&args.ct, args.hex)?;
    let secret =
        private.key.decapsulate(&ciphertext).map_err(|error| ciphertext_error(error).at(&args.ct))?;
    let bytes = encode(secret.as_ref(), args.hex);
    files::write(&[NewFile::private(&args.secret, &bytes)], args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&DecapReport {
        algorithm: private.row.kem.info().name,
        secret: args.secret.display().to_string(),
        secret_len: secret.as_ref().len(),
    })
}

/// Describes an invalid ciphertext. The core reports a bad elliptic-curve key share as an invalid public key.
fn ciphertext_error(error: grille_core::Error) -> Error {
    match error {
        grille_core::Error::InvalidPublicKey { reason } => {
            Error::failure(format_args!("the elliptic-curve key share in the ciphertext {reason}"))
                .advise("check that the ciphertext is unaltered and made for this key")
        }
        _ => error.into(),
    }
}

fn ciphertext(path: &Path, hex: bool) -> Result<Vec<u8>, Error> {
    let bytes = files::read_signature_or_ciphertext(path, "a ciphertext")?;
    if !hex {
        return Ok(bytes.to_vec());
    }
    let text = str::from_utf8(&bytes).ok().and_then(hex::decode);
    text.ok_or_else(|| {
        Error::failure("is not hexadecimal").at(path).advise("leave out --hex to read raw bytes")
    })
}

#[derive(Serialize)]
struct DecapReport {
    algorithm: &'static str,
    secret: String,
    secret_len: usize,
}

impl Report for DecapReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}: shared secret in {}, {} bytes", self.algorithm, self.secret, self.secret_len)
    }
}
