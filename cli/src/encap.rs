//! `grille encap`: a fresh shared secret for the holder of a KEM key.

use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::keys;
use crate::output::{Output, Report};
use grille_core::SystemRng;
use grille_registry::KemRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// Make a shared secret and the ciphertext that carries it to the holder of a KEM key.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille encap --pub bob.pub --ct to-bob.ct --secret alice.secret
  grille encap --pub bob.pub --secret alice.secret --ct - \\
      | ssh bob 'grille decap --key bob.key --ct - --secret s'
  grille encap --pub bob.raw --alg X25519MLKEM768 --ct to-bob.ct \\
      --secret alice.secret")]
pub(crate) struct Args {
    /// The receiver's public key, PEM or DER; `-` is standard input.
    #[arg(long = "pub", value_name = "FILE")]
    public: PathBuf,
    /// The public key is the raw key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = grille_registry::kem_by_name)]
    alg: Option<&'static KemRow>,
    /// Where the ciphertext goes; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    ct: PathBuf,
    /// Where the shared secret goes, readable by you only.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    /// Write both in hexadecimal instead of raw bytes.
    #[arg(long)]
    hex: bool,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// Encapsulates.
///
/// # Errors
/// Those of the key and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    for output in [&args.ct, &args.secret] {
        files::keep_inputs([args.public.as_path()], output)?;
    }
    let silent = files::claims_stdout([&*args.ct, &*args.secret], out.is_json())?;
    let public = keys::encaps_key(&args.public, args.alg, args.era.profile, out)?;
    let sent = public.key.encapsulate(&mut SystemRng);
    let ciphertext = encoded(&sent.ciphertext, args.hex);
    let secret = encoded(sent.secret.as_ref(), args.hex);
    let new = [NewFile::public(&args.ct, &ciphertext), NewFile::private(&args.secret, &secret)];
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Sent {
        algorithm: public.row.kem.info().name,
        ciphertext: args.ct.display().to_string(),
        ciphertext_len: sent.ciphertext.len(),
        secret: args.secret.display().to_string(),
        secret_len: sent.secret.as_ref().len(),
    })
}

/// The bytes themselves, or a line of hexadecimal digits.
pub(crate) fn encoded(bytes: &[u8], hex: bool) -> Zeroizing<Vec<u8>> {
    if !hex {
        return Zeroizing::new(bytes.to_vec());
    }
    let digits = hex::encode(bytes);
    let mut line = Zeroizing::new(Vec::with_capacity(digits.len() + 1));
    line.extend_from_slice(digits.as_bytes());
    line.push(b'\n');
    line
}

#[derive(Serialize)]
struct Sent {
    algorithm: &'static str,
    ciphertext: String,
    ciphertext_len: usize,
    secret: String,
    secret_len: usize,
}

impl Report for Sent {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(
            out,
            "{}: ciphertext in {}, {} bytes",
            self.algorithm, self.ciphertext, self.ciphertext_len
        )?;
        writeln!(out, "{}: shared secret in {}, {} bytes", self.algorithm, self.secret, self.secret_len)
    }
}
