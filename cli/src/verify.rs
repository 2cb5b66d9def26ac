//! `grille verify`: does the signature match?

use crate::era::{self, Era};
use crate::error::Error;
use crate::files;
use crate::keys::{self, Keyed};
use crate::lengths::{Role, candidates, may_be_signature, padded, signature_lengths};
use crate::message::each_piece;
use crate::output::{GOOD, Output, Report};
use crate::sign::Context;
use grille_core::DynVerifyingKey;
use grille_registry::{Numbers, Row, SignatureRow};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check a signature of a file; exit code 1 and one line if it does not match.
///
/// A file of any length takes little memory: it is read in pieces. Kept in memory as a whole are messages for Ed25519, Ed448 and
/// SPHINCS+ with Haraka.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille verify --pub my.pub --sig letter.sig --in letter.txt
  tar c src | grille verify --cert my.crt --sig src.sig")]
#[command(group = clap::ArgGroup::new("who").required(true))]
pub(crate) struct Args {
    /// The signer's public key, PEM or DER.
    #[arg(long = "pub", value_name = "FILE", group = "who")]
    public: Option<PathBuf>,
    /// The signer's certificate. Only its key and key usage are used; check the chain with `grille cert verify`.
    #[arg(long, value_name = "FILE", group = "who")]
    cert: Option<PathBuf>,
    /// The public key is the raw key of this algorithm.
    #[arg(long, value_name = "NAME", requires = "public", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// The signature.
    #[arg(long, value_name = "FILE")]
    sig: PathBuf,
    /// The context that was signed with: text, or bytes as hex:00FF….
    #[arg(long, value_name = "TEXT|hex:…", default_value = "", value_parser = Context::parse)]
    context: Context,
    /// The message; `-` is standard input.
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    #[command(flatten)]
    era: Era,
}

/// Verifies.
///
/// # Errors
/// A mismatch, and those of the key and the files.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let who = args.public.as_ref().or(args.cert.as_ref());
    files::one_stdin(who.into_iter().chain([&args.sig, &args.input]).map(PathBuf::as_path))?;
    let verifier = match (&args.public, &args.cert) {
        (Some(path), _) => keys::verifying_key(path, args.alg, args.era.profile, out)?,
        (None, Some(path)) => keys::certified_key(path, args.era.profile, out)?,
        (None, None) => return Err(Error::usage("--pub or --cert is needed")),
    };
    let signature = files::read(&args.sig)?;
    let algorithm = verifier.row.signature.info().name;
    match verified(args, &verifier, &signature, out)? {
        Ok(()) => out.print(&Verified { algorithm, valid: true, signature: args.sig.display().to_string() }),
        Err(error @ grille_core::Error::InvalidSignature) => {
            let wrong = wrong_length(verifier.row, signature.len());
            let advice = advice(verifier.row, &signature, wrong.is_some(), args.era.profile);
            let error = match wrong {
                Some(wrong) => Error::mismatch(wrong),
                None if has_context(verifier.row) => Error::mismatch(error),
                None => Error::mismatch("the signature does not match this message and public key"),
            };
            Err(error.at(&args.sig).advise(advice))
        }
        Err(error @ grille_core::Error::InvalidSignaturePart { .. }) => Err(Error::mismatch(error)
            .at(&args.sig)
            .advise("the signature was altered there, or that part of the key is another one")),
        Err(error) => Err(Error::from(error).at_place(algorithm)),
    }
}

/// Whether the signature is right. The message is read in pieces where the algorithm allows it.
///
/// # Errors
/// Those of reading the message.
fn verified(
    args: &Args,
    verifier: &Keyed<SignatureRow, dyn DynVerifyingKey>,
    signature: &[u8],
    out: &Output,
) -> Result<Result<(), grille_core::Error>, Error> {
    let context = &args.context.0;
    match verifier.key.begin_verification(context, signature) {
        Ok(Some(mut begun)) => {
            let algorithm = verifier.row.signature.info().name;
            out.while_running(&format!("{algorithm}: reading"), |_| {
                each_piece(&args.input, |piece| begun.update(piece))?;
                Ok(begun.finish())
            })
        }
        Ok(None) => Ok(verifier.key.verify(&files::read(&args.input)?, context, signature)),
        Err(error) => Ok(Err(error)),
    }
}

/// Whether the algorithm binds a context to its signatures.
fn has_context(row: &SignatureRow) -> bool {
    row.signature.info().context_len > 0
}

/// In which other era the key's identifier means another algorithm, as the end of an advice.
fn elsewhere_of(row: &SignatureRow, numbers: Numbers) -> String {
    let elsewhere = numbers.key_oid(row).and_then(|oid| era::elsewhere(oid, numbers));
    elsewhere.map(|elsewhere| format!(", or {elsewhere}")).unwrap_or_default()
}

/// What to look at where a signature does not match: whose it may be, if it is none of this algorithm.
fn advice(row: &SignatureRow, signature: &[u8], wrong_length: bool, numbers: Numbers) -> String {
    let (name, elsewhere) = (row.name(), elsewhere_of(row, numbers));
    let candidates = candidates(signature);
    let of_others = candidates.iter().find(|candidates| candidates.role == Role::Signature);
    if let Some(others) = of_others.filter(|_| !may_be_signature(row, signature)) {
        return format!("it may be {}; the key is of {name}{elsewhere}", others.text(3));
    }
    let context = if !wrong_length && has_context(row) { ", the context" } else { "" };
    let padded = padded(row, signature).map(|padded| {
        format!("by its length it may be a signature of {padded}, and the key is of {name}; else ")
    });
    format!("{}check the file{context} and the {name} key{elsewhere}", padded.unwrap_or_default())
}

/// What is wrong with the length of a signature; `None` if nothing is.
fn wrong_length(row: &SignatureRow, len: usize) -> Option<String> {
    let lengths = signature_lengths(row);
    let (least, most) = (lengths.start(), lengths.end());
    let these = match least == most {
        true => most.to_string(),
        false => format!("{least} to {most}"),
    };
    let wrong = || format!("the signature is {len} bytes long, and those of {} are {these}", row.name());
    (!lengths.contains(&len)).then(wrong)
}

#[derive(Serialize)]
struct Verified {
    algorithm: &'static str,
    valid: bool,
    signature: String,
}

impl Report for Verified {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{GOOD}OK{GOOD:#}: {} is a valid {} signature", self.signature, self.algorithm)
    }
}
