//! `grille decap`: the shared secret that a ciphertext carries.

use crate::encap::encoded;
use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::keys;
use crate::output::{Output, Report};
use grille_registry::KemRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Recover the shared secret from a ciphertext.
///
/// A ciphertext that was changed on its way, or made for another key, gives another secret and no error: that is
/// how these KEMs answer (implicit rejection). A curve, alone or in a hybrid, does not: a share that is no point of it is
/// refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille decap --key bob.key --ct to-bob.ct --secret bob.secret
  grille decap --key bob.key --ct to-bob.hex --hex --secret bob.secret")]
pub(crate) struct Args {
    /// Your private key, PEM or DER; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The private key is the raw (expanded) key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = crate::algorithm::usable_kem)]
    alg: Option<&'static KemRow>,
    /// The ciphertext; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    ct: PathBuf,
    /// Where the shared secret goes, readable by you only; `-` is standard output.
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

/// Decapsulates.
///
/// # Errors
/// Those of the key, the ciphertext's length, and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let silent = files::claims_stdout([&*args.secret], out.is_json())?;
    files::one_stdin([&*args.key, &*args.ct])?;
    files::keep_inputs([&*args.key, &*args.ct], &args.secret)?;
    let private = keys::decaps_key(&args.key, args.alg, args.era.profile, out)?;
    let ciphertext = ciphertext(&args.ct, args.hex)?;
    let secret = private.key.decapsulate(&ciphertext).map_err(|error| refused(error).at(&args.ct))?;
    let bytes = encoded(secret.as_ref(), args.hex);
    files::write(&[NewFile::private(&args.secret, &bytes)], args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Received {
        algorithm: private.row.kem.info().name,
        secret: args.secret.display().to_string(),
        secret_len: secret.as_ref().len(),
    })
}

/// What is wrong with a ciphertext: what a curve calls the sender's public key is the curve's share there.
fn refused(error: grille_core::Error) -> Error {
    match error {
        grille_core::Error::InvalidPublicKey { reason } => {
            Error::failure(format_args!("the curve's share in the ciphertext {reason}"))
                .advise("it was changed on its way, or is of another algorithm")
        }
        _ => error.into(),
    }
}

fn ciphertext(path: &Path, hex: bool) -> Result<Vec<u8>, Error> {
    let bytes = files::read(path)?;
    if !hex {
        return Ok(bytes.to_vec());
    }
    let text = str::from_utf8(&bytes).ok().and_then(hex::decode);
    text.ok_or_else(|| {
        Error::failure("is not hexadecimal").at(path).advise("without --hex it is read as raw bytes")
    })
}

#[derive(Serialize)]
struct Received {
    algorithm: &'static str,
    secret: String,
    secret_len: usize,
}

impl Report for Received {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}: shared secret in {}, {} bytes", self.algorithm, self.secret, self.secret_len)
    }
}
