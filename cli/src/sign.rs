//! `grille sign`: a detached signature of a file.

use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::hex;
use crate::keys::{self, Keyed};
use crate::message::each_piece;
use crate::output::{Output, Report};
use grille_core::{CryptoRng, DynSigningKey, SystemRng};
use grille_registry::SignatureRow;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Sign a file; the signature is a file of its own.
///
/// A file of any length takes little memory: it is read in pieces, by SLH-DSA and SPHINCS+ twice. Kept in memory as a whole are messages
/// for Ed25519, Ed448 and SPHINCS+ with Haraka, and what SLH-DSA and SPHINCS+ are given through a pipe.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille sign --key my.key --in letter.txt --out letter.sig
  tar c src | grille sign --key my.key > src.sig
  grille sign --key my.key --context backup-v1 --in disk.img --out disk.sig")]
pub(crate) struct Args {
    /// Your private key, PEM or DER; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The private key is the raw (expanded) key of this algorithm.
    #[arg(long, value_name = "NAME", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// A context that the verifier must give as well: text, or bytes as hex:00FF….
    #[arg(long, value_name = "TEXT|hex:…", default_value = "", value_parser = Context::parse)]
    context: Context,
    /// Use no randomness: the same message always gives the same signature.
    #[arg(long)]
    deterministic: bool,
    /// The message; `-` is standard input.
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    /// Where the signature goes; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    era: Era,
}

/// What `--context` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Context(pub Vec<u8>);

impl Context {
    /// Text is itself; `hex:` introduces bytes.
    ///
    /// # Errors
    /// For clap's message.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        match text.strip_prefix("hex:") {
            Some(digits) => hex::decode(digits).map(Self).ok_or("hex: wants pairs of hexadecimal digits"),
            None => Ok(Self(text.as_bytes().to_vec())),
        }
    }
}

/// Signs.
///
/// # Errors
/// Those of the key, the context and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let silent = files::claims_stdout([&*args.out], out.is_json())?;
    files::one_stdin([&*args.key, &*args.input])?;
    files::keep_inputs([&*args.key, &*args.input], &args.out)?;
    let signer = keys::signing_key(&args.key, args.alg, args.era.profile, out)?;
    let algorithm = signer.row.signature.info().name;
    let signature = signature(args, &signer, out)?;
    files::write(&[NewFile::public(&args.out, &signature)], args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Signed {
        algorithm,
        signature: args.out.display().to_string(),
        signature_len: signature.len(),
        deterministic: args.deterministic,
    })
}

/// The signature. The message is read in pieces where the algorithm allows it; one that is read twice must be a file.
fn signature(
    args: &Args,
    signer: &Keyed<SignatureRow, dyn DynSigningKey>,
    out: &Output,
) -> Result<Vec<u8>, Error> {
    let (algorithm, context) = (signer.row.signature.info().name, &args.context.0);
    let failed = |error: grille_core::Error| Error::from(error).at_place(algorithm);
    let draws = !args.deterministic;
    let begun = signer.key.begin_signature(context, rng(draws, &mut SystemRng)).map_err(failed)?;
    let in_pieces = begun.filter(|begun| begun.passes() == 1 || files::can_be_read_again(&args.input));
    let signing = format!("{algorithm}: signing");
    let Some(mut begun) = in_pieces else {
        let message = files::read(&args.input)?;
        let signature = out.while_running(&signing, |done| {
            let progress = |now, all| done.tell(now, all);
            signer.key.sign_with_progress(&message, context, rng(draws, &mut SystemRng), &progress)
        });
        return signature.map_err(failed);
    };
    let begun = out.while_running(&format!("{algorithm}: reading"), |_| {
        let len = each_piece(&args.input, |piece| begun.update(piece))?;
        for _ in 1..begun.passes() {
            begun.end_pass();
            if each_piece(&args.input, |piece| begun.update(piece))? != len {
                return Err(Error::failure("changed while it was read").at(&args.input).advise("try again"));
            }
        }
        Ok(begun)
    })?;
    let signature = out.while_running(&signing, |done| {
        begun.finish(rng(draws, &mut SystemRng), &|now, all| done.tell(now, all))
    });
    signature.map_err(failed)
}

/// The generator, if one is to be asked.
fn rng(draws: bool, rng: &mut SystemRng) -> Option<&mut dyn CryptoRng> {
    draws.then_some(rng)
}

#[derive(Serialize)]
struct Signed {
    algorithm: &'static str,
    signature: String,
    signature_len: usize,
    deterministic: bool,
}

impl Report for Signed {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}: signature in {}, {} bytes", self.algorithm, self.signature, self.signature_len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_text_or_hexadecimal() {
        assert_eq!(Context::parse("abc"), Ok(Context(b"abc".to_vec())));
        assert_eq!(Context::parse("hex:00ff"), Ok(Context(vec![0, 255])));
        assert!(Context::parse("hex:0").is_err());
    }
}
