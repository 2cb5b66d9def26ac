//! `grille sign`: makes a detached signature of a file.

use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::keys::{self, KeyWithRow};
use crate::message::each_piece;
use crate::output::{Output, Report};
use grille_core::{CryptoRng, DynSigningKey, SystemRng};
use grille_registry::SignatureRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Sign a file and write a detached signature.
///
/// Most algorithms read files in pieces, so files of any length take little memory; SLH-DSA and SPHINCS+ read them
/// twice. Exceptions: Ed25519, Ed448 and SPHINCS+ with Haraka keep the whole message in memory, and so do SLH-DSA and
/// SPHINCS+ if the message comes through a pipe.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille sign --key my.key --in letter.txt --out letter.sig
  tar c src | grille sign --key my.key > src.sig
  grille sign --key my.key --context backup-v1 --in disk.img --out disk.sig")]
pub(crate) struct Args {
    /// Read your private key, PEM or DER, from this file; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Read the private key as a raw (expanded) key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// Bind this context to the signature: text, or bytes as hex:00FF…. The verifier must give the same context.
    #[arg(long, value_name = "TEXT|hex:…", default_value = "", hide_default_value = true, value_parser = Context::parse)]
    context: Context,
    /// Sign without randomness, so that the same message always yields the same signature.
    #[arg(long)]
    deterministic: bool,
    /// Read the message from this file; `-` is standard input.
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Write the signature to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// The value of `--context`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Context(pub Vec<u8>);

impl Context {
    /// Parses text, or bytes in hexadecimal after `hex:`.
    ///
    /// # Errors
    /// Returns the reason, for clap's message.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        match text.strip_prefix("hex:") {
            Some(digits) => {
                hex::decode(digits).map(Self).ok_or("write pairs of hexadecimal digits after hex:")
            }
            None => Ok(Self(text.as_bytes().to_vec())),
        }
    }
}

/// Signs a message and writes the signature.
///
/// # Errors
/// Returns an error if the key or the context is invalid, or a file cannot be read or written.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let silent = files::claims_stdout([&*args.out], out.is_json())?;
    at_most_one_stdin([&*args.key, &*args.input])?;
    refuse_replacing_inputs([&*args.key, &*args.input], &args.out)?;
    let signer = keys::signing_key(&args.key, args.alg, args.era.profile, out)?;
    let algorithm = signer.row.signature.info().name;
    let signature = signature(args, &signer, out)?;
    files::write(&[NewFile::public(&args.out, &signature)], args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&SignReport {
        algorithm,
        signature: args.out.display().to_string(),
        signature_len: signature.len(),
        deterministic: args.deterministic,
    })
}

/// Makes the signature. Reads the message in pieces if the algorithm allows it. If the algorithm needs a second pass,
/// the message must also be a file that can be read again.
fn signature(
    args: &Args,
    signer: &KeyWithRow<SignatureRow, dyn DynSigningKey>,
    out: &Output,
) -> Result<Vec<u8>, Error> {
    let (algorithm, context) = (signer.row.signature.info().name, &args.context.0);
    let failed = |error: grille_core::Error| Error::from(error).with_place(algorithm);
    let is_randomized = !args.deterministic;
    let state = signer.key.begin_signature(context, rng(is_randomized, &mut SystemRng)).map_err(failed)?;
    let in_pieces = state.filter(|state| state.passes() == 1 || files::can_be_read_again(&args.input));
    let signing = format!("{algorithm}: signing");
    let Some(mut state) = in_pieces else {
        let message = files::read(&args.input)?;
        let signature = out.while_running(&signing, |done| {
            let progress = |now, all| done.update(now, all);
            signer.key.sign_with_progress(&message, context, rng(is_randomized, &mut SystemRng), &progress)
        });
        return signature.map_err(failed);
    };
    let state = out.while_running(&format!("{algorithm}: reading"), |_| {
        let len = each_piece(&args.input, |piece| state.update(piece))?;
        for _ in 1..state.passes() {
            state.end_pass();
            if each_piece(&args.input, |piece| state.update(piece))? != len {
                let changed = Error::failure("the file changed while it was read").at(&args.input);
                return Err(changed.advise("try again"));
            }
        }
        Ok(state)
    })?;
    let signature = out.while_running(&signing, |done| {
        state.finish(rng(is_randomized, &mut SystemRng), &|now, all| done.update(now, all))
    });
    signature.map_err(failed)
}

/// Returns the random generator, or `None` for deterministic signatures.
fn rng(is_randomized: bool, rng: &mut SystemRng) -> Option<&mut dyn CryptoRng> {
    is_randomized.then_some(rng)
}

#[derive(Serialize)]
struct SignReport {
    algorithm: &'static str,
    signature: String,
    signature_len: usize,
    deterministic: bool,
}

impl Report for SignReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}: signature in {}, {} bytes", self.algorithm, self.signature, self.signature_len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_contexts_as_text_or_hexadecimal() {
        assert_eq!(Context::parse("abc"), Ok(Context(b"abc".to_vec())));
        assert_eq!(Context::parse("hex:00ff"), Ok(Context(vec![0, 255])));
        assert!(Context::parse("hex:0").is_err());
    }
}
