//! `grille key convert`: writes a private key in another form.

use super::input;
use crate::algorithm::{Algorithm, warn_if_old};
use crate::era::profiles;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::input_checks::refuse_replacing_inputs;
use crate::output::{Output, Report};
use crate::passphrase::Encrypt;
use crate::private::{Form, explain_raw};
use clap::builder::ValueParser;
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Convert a private key to another form.
///
/// Reads PEM and DER of PKCS#8, encrypted PKCS#8, PKCS#1, SEC 1 and PKCS#12, and raw keys with --alg. PKCS#8 may
/// contain the seed, the expanded key or both, with or without tags, the key pair of OQS, or the separate parts of a
/// Falcon key as in Bouncy Castle. Keys with contradictory parts are refused.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille key convert --in my.key --form expanded --out expanded.key
  grille key convert --in oqs-2021.pem --form raw --out raw.key --pub raw.pub
  grille key convert --in raw.key --alg ML-KEM-768 --out my.key
  grille key convert --in old.key --profile provider-0.5 --to-profile iana \\
      --out new.key")]
pub(crate) struct Args {
    /// Read the private key from this file: PEM, DER or PKCS#12, or with --alg a raw key.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Read the input as a raw key of this algorithm: a seed, an expanded key, or private and public key concatenated.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse_usable))]
    alg: Option<Algorithm>,
    /// Write this form [default: the form that most programs read, or raw if the algorithm has no object identifier].
    #[arg(long, value_enum)]
    form: Option<Form>,
    #[command(flatten)]
    encrypt: Encrypt,
    /// Write the object identifiers of this profile [default: the --profile of the input].
    #[arg(long, value_name = "LIST", value_parser = profiles)]
    to_profile: Option<Numbers>,
    /// Write DER instead of PEM.
    #[arg(long)]
    der: bool,
    /// Write the private key to this file, readable by you only; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write the public key to this file.
    #[arg(long = "pub", value_name = "FILE")]
    public: Option<PathBuf>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

/// Converts the key.
///
/// # Errors
/// Returns an error if the key is invalid or does not have the form, or a file cannot be read or written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let outputs = [Some(args.out.as_path()), args.public.as_deref()];
    let silent = files::claims_stdout(outputs.into_iter().flatten(), out.is_json())?;
    outputs
        .into_iter()
        .flatten()
        .try_for_each(|output| refuse_replacing_inputs([args.input.as_path()], output))?;
    let (key, _) = input::read(&args.input, args.alg, numbers)?;
    warn_if_old(key.algorithm().row(), out);
    let numbers = args.to_profile.unwrap_or(numbers);
    let key = key.in_era(numbers);
    let form = args.form.or_else(|| key.default_form(numbers));
    let passphrase = args.encrypt.passphrase()?;
    let (private, public) = key.encode_pair(form, args.der, passphrase.as_ref())?;
    let mut new = vec![NewFile::private(&args.out, private.as_ref())];
    new.extend(args.public.as_ref().map(|path| NewFile::public(path, &public)));
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&ConvertReport {
        algorithm: key.algorithm().row().name(),
        input: args.input.display().to_string(),
        from: key.layout().map_or("unknown", grille_pki::Layout::name),
        form,
        encrypted: passphrase.is_some(),
        has_no_container: args.form.is_none() && form == Some(Form::Raw),
        private_key: args.out.display().to_string(),
        public_key: args.public.as_ref().map(|path| path.display().to_string()),
    })
}

#[derive(Serialize)]
struct ConvertReport {
    algorithm: &'static str,
    input: String,
    from: &'static str,
    /// The form of the private key; absent if the algorithm has only its own native form.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<Form>,
    encrypted: bool,
    /// Whether the files are raw because no container can name the algorithm.
    #[serde(skip)]
    has_no_container: bool,
    private_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
}

impl Report for ConvertReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let Self { algorithm, input, from, private_key, .. } = self;
        let form = self.form.map_or("native", Form::name);
        let encrypted = if self.encrypted { ", encrypted" } else { "" };
        writeln!(
            out,
            "{algorithm}: private key converted from {input} (form {from}) to {private_key} (form {form}{encrypted})"
        )?;
        if let Some(path) = &self.public_key {
            writeln!(out, "{algorithm}: public key in {path}")?;
        }
        if self.has_no_container {
            explain_raw(algorithm, out)?;
        }
        Ok(())
    }
}
