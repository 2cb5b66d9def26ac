//! `grille verify`: verifies a detached signature of a file.

use crate::era::{self, Era};
use crate::error::Error;
use crate::files;
use crate::input_checks::at_most_one_stdin;
use crate::keys::{self, KeyWithRow};
use crate::lengths::{Role, candidates, may_be_signature, padded_variant, signature_lengths};
use crate::message::each_piece;
use crate::output::{GOOD, Output, Report};
use crate::sign::Context;
use grille_core::DynVerifyingKey;
use grille_registry::{Numbers, Row, SignatureRow};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Verify a detached signature of a file; the exit code is 1 if it is invalid.
///
/// Most algorithms read files in pieces, so files of any length take little memory. Ed25519, Ed448 and SPHINCS+ with
/// Haraka keep the whole message in memory.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille verify --pub my.pub --sig letter.sig --in letter.txt
  tar c src | grille verify --cert my.crt --sig src.sig")]
#[command(group = clap::ArgGroup::new("signer").required(true))]
pub(crate) struct Args {
    /// Read the signer's public key, PEM or DER, from this file.
    #[arg(long = "pub", value_name = "FILE", group = "signer")]
    public: Option<PathBuf>,
    /// Read the signer's certificate from this file. Only its key and key usage are used: check the rest with `grille
    /// cert verify`.
    #[arg(long, value_name = "FILE", group = "signer")]
    cert: Option<PathBuf>,
    /// Read the public key as a raw key of this algorithm.
    #[arg(long, value_name = "NAME", requires = "public", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// Read the signature from this file.
    #[arg(long, value_name = "FILE")]
    sig: PathBuf,
    /// Require this context, which the signer gave: text, or bytes as hex:00FF….
    #[arg(long, value_name = "TEXT|hex:…", default_value = "", hide_default_value = true, value_parser = Context::parse)]
    context: Context,
    /// Read the message from this file; `-` is standard input.
    #[arg(long = "in", value_name = "FILE", default_value = "-")]
    input: PathBuf,
    #[command(flatten)]
    era: Era,
}

/// Verifies a signature.
///
/// # Errors
/// Returns an error if the signature or the key is invalid, or a file cannot be read.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let signer = args.public.as_ref().or(args.cert.as_ref());
    at_most_one_stdin(signer.into_iter().chain([&args.sig, &args.input]).map(PathBuf::as_path))?;
    let verifier = match (&args.public, &args.cert) {
        (Some(path), _) => keys::verifying_key(path, args.alg, args.era.profile, out)?,
        (None, Some(path)) => keys::certified_key(path, args.era.profile, out)?,
        (None, None) => return Err(Error::usage("no public key").advise("give --pub or --cert")),
    };
    let signature = files::read_signature_or_ciphertext(&args.sig, "a signature")?;
    let algorithm = verifier.row.signature.info().name;
    match check_signature(args, &verifier, &signature, out)? {
        Ok(()) => {
            out.print(&VerifyReport { algorithm, valid: true, signature: args.sig.display().to_string() })
        }
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
        Err(error @ grille_core::Error::InvalidSignaturePart { .. }) => {
            Err(Error::mismatch(error).at(&args.sig).advise(
                "check that this part of the signature is unaltered, and that this part of the key is right",
            ))
        }
        Err(error) => Err(Error::from(error).with_place(algorithm)),
    }
}

/// Verifies the signature. The message is read in pieces if the algorithm allows it.
///
/// # Errors
/// The outer error means that the message cannot be read, the inner one that the signature is invalid.
fn check_signature(
    args: &Args,
    verifier: &KeyWithRow<SignatureRow, dyn DynVerifyingKey>,
    signature: &[u8],
    out: &Output,
) -> Result<Result<(), grille_core::Error>, Error> {
    let context = &args.context.0;
    match verifier.key.begin_verification(context, signature) {
        Ok(Some(mut state)) => {
            let algorithm = verifier.row.signature.info().name;
            out.while_running(&format!("{algorithm}: reading"), |_| {
                each_piece(&args.input, |piece| state.update(piece))?;
                Ok(state.finish())
            })
        }
        Ok(None) => Ok(verifier.key.verify(&files::read(&args.input)?, context, signature)),
        Err(error) => Ok(Err(error)),
    }
}

/// Returns whether the algorithm supports contexts.
fn has_context(row: &SignatureRow) -> bool {
    row.signature.info().context_len > 0
}

/// Returns the last clause of the advice: the profile in which the key's identifier names a different algorithm, if
/// there is one.
fn other_meaning_advice(row: &SignatureRow, numbers: Numbers) -> String {
    let other = numbers.key_oid(row).and_then(|oid| era::other_meaning(oid, numbers));
    other.map(|other| format!(", or {other}")).unwrap_or_default()
}

/// Returns advice for an invalid signature. If the signature cannot belong to this algorithm, the advice names
/// algorithms to which it may belong.
fn advice(row: &SignatureRow, signature: &[u8], wrong_length: bool, numbers: Numbers) -> String {
    let (name, other) = (row.name(), other_meaning_advice(row, numbers));
    let candidates = candidates(signature);
    let of_others = candidates.iter().find(|candidates| candidates.role == Role::Signature);
    if let Some(others) = of_others.filter(|_| !may_be_signature(row, signature)) {
        return format!("check the key: the file may be {}, but the key is of {name}{other}", others.text(3));
    }
    let context = if !wrong_length && has_context(row) { ", the context" } else { "" };
    let advice = padded_variant(row, signature).map(|padded| {
        format!("check the key: by its length the file may be a signature of {padded}, but the key is of {name}; otherwise ")
    });
    format!("{}check the file{context} and the {name} key{other}", advice.unwrap_or_default())
}

/// Describes a wrong length of a signature; `None` if the length is possible.
fn wrong_length(row: &SignatureRow, len: usize) -> Option<String> {
    let lengths = signature_lengths(row);
    let (least, most) = (lengths.start(), lengths.end());
    let these = match least == most {
        true => most.to_string(),
        false => format!("{least} to {most}"),
    };
    let wrong = || format!("the signature has {len} bytes, but signatures of {} have {these}", row.name());
    (!lengths.contains(&len)).then(wrong)
}

#[derive(Serialize)]
struct VerifyReport {
    algorithm: &'static str,
    valid: bool,
    signature: String,
}

impl Report for VerifyReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{GOOD}OK{GOOD:#}: {} is a valid {} signature", self.signature, self.algorithm)
    }
}
