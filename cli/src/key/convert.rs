//! `grille key convert`: a private key in another form.

use crate::algorithm::{Algorithm, warn_if_old};
use crate::era::profiles;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, Report};
use crate::passphrase::Encrypt;
use crate::private::{Form, tell_raw};
use clap::builder::ValueParser;
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Write a private key in another form.
///
/// Reads PKCS#8 of every form (the seed, the expanded key, both, with and without tags, private and public key in one as OQS wrote
/// them, Falcon in parts as Bouncy Castle writes it), PKCS#1, SEC 1, encrypted PKCS#8 and PKCS#12, as PEM or DER, and with --alg raw
/// keys. Refuses keys whose parts contradict each other.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille key convert --in my.key --form expanded --out expanded.key
  grille key convert --in oqs-2021.pem --form raw --out raw.key --pub raw.pub
  grille key convert --in raw.key --alg ML-KEM-768 --out my.key
  grille key convert --in store.p12 --passphrase-file store.txt --encrypt --out my.key
  grille key convert --in old.key --profile provider-0.5 --to-profile iana --out my.key")]
pub(crate) struct Args {
    /// The private key: PEM, DER or PKCS#12, or with --alg a raw key.
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// The input is a raw key of this algorithm: the seed, the expanded key, or private and public key in one.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse_usable))]
    alg: Option<Algorithm>,
    /// The form to write; by default what most others read, raw where the algorithm has no OID.
    #[arg(long, value_enum)]
    form: Option<Form>,
    #[command(flatten)]
    encrypt: Encrypt,
    /// What object identifiers mean in what is written, if not what they mean in what is read (--profile).
    #[arg(long, value_name = "LIST", value_parser = profiles)]
    to_profile: Option<Numbers>,
    /// Write DER instead of PEM.
    #[arg(long)]
    der: bool,
    /// Where the private key goes, readable by you only; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the public key goes.
    #[arg(long = "pub", value_name = "FILE")]
    public: Option<PathBuf>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

/// Converts.
///
/// # Errors
/// What is wrong with the key, a form that it does not have, and those of the files.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let outputs = [Some(args.out.as_path()), args.public.as_deref()];
    let silent = files::claims_stdout(outputs.into_iter().flatten(), out.is_json())?;
    outputs
        .into_iter()
        .flatten()
        .try_for_each(|output| files::keep_inputs([args.input.as_path()], output))?;
    let (key, _) = super::read(&args.input, args.alg, numbers)?;
    warn_if_old(key.algorithm().row(), out);
    let numbers = args.to_profile.unwrap_or(numbers);
    let key = key.in_era(numbers);
    let form = args.form.or_else(|| key.usual_form(numbers));
    let passphrase = args.encrypt.passphrase()?;
    let (private, public) = key.written(form, args.der, passphrase.as_ref())?;
    let mut new = vec![NewFile::private(&args.out, private.as_ref())];
    new.extend(args.public.as_ref().map(|path| NewFile::public(path, &public)));
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&Converted {
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
struct Converted {
    algorithm: &'static str,
    input: String,
    from: &'static str,
    /// Absent if the algorithm has one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<Form>,
    encrypted: bool,
    /// Whether it is raw because nothing else can be.
    #[serde(skip)]
    has_no_container: bool,
    private_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
}

impl Report for Converted {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let Self { algorithm, input, from, private_key, .. } = self;
        let form = self.form.map_or("native", Form::name);
        let encrypted = if self.encrypted { ", encrypted" } else { "" };
        writeln!(
            out,
            "{algorithm}: private key of {input} (form {from}) written to {private_key} (form {form}{encrypted})"
        )?;
        if let Some(path) = &self.public_key {
            writeln!(out, "{algorithm}: public key in {path}")?;
        }
        if self.has_no_container {
            tell_raw(algorithm, out)?;
        }
        Ok(())
    }
}
