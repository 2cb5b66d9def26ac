//! `grille keygen`: generates a key pair.

use crate::algorithm::{Algorithm, warn_if_old};
use crate::era::Era;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, Report};
use crate::passphrase::Encrypt;
use crate::private::{Form, Private, explain_raw};
use clap::builder::ValueParser;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Generate a key pair for signing or for key encapsulation.
///
/// Keys are written as PEM: PKCS#8 and SubjectPublicKeyInfo as in RFC 9881 and RFC 9935, or in the layout of OQS for
/// algorithms without a standard. OpenSSL 3.5 reads the standard ones.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille keygen --alg ML-DSA-65 --out my.key --pub my.pub
  grille keygen --alg ML-KEM-768 --form expanded --der --out bob.der \\
      --pub bob.pub
  grille keygen --alg ML-DSA-65 --encrypt --out my.key       prompts for a passphrase")]
pub(crate) struct Args {
    /// Generate a key of this algorithm, by any name in `grille list --all`.
    #[arg(long, value_name = "NAME", value_parser = ValueParser::new(Algorithm::parse_usable))]
    alg: Algorithm,
    /// Write the private key to this file, readable by you only; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write the public key to this file.
    #[arg(long = "pub", value_name = "FILE")]
    public: Option<PathBuf>,
    /// Write the private key in this form [default: the form that most programs read, or raw if the algorithm has no
    /// object identifier].
    #[arg(long, value_enum)]
    form: Option<Form>,
    #[command(flatten)]
    encrypt: Encrypt,
    #[command(flatten)]
    era: Era,
    /// Write DER instead of PEM.
    #[arg(long)]
    der: bool,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
}

/// Generates a key pair and writes it.
///
/// # Errors
/// Returns an error if the algorithm does not have the form, or a file cannot be written.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let paths = [Some(&args.out), args.public.as_ref()];
    let silent = files::claims_stdout(paths.into_iter().flatten().map(PathBuf::as_path), out.is_json())?;
    warn_if_old(args.alg.row(), out);
    let passphrase = args.encrypt.passphrase()?;
    let numbers = args.era.profile;
    let label = format!("{}: generating a key", args.alg.row().name());
    let private = out.while_running(&label, |_| Private::generate(args.alg, numbers))?;
    let form = args.form.or_else(|| private.default_form(numbers));
    let (private, public) = private.encode_pair(form, args.der, passphrase.as_ref())?;
    let mut new = vec![NewFile::private(&args.out, private.as_ref())];
    new.extend(args.public.as_ref().map(|path| NewFile::public(path, &public)));
    files::write(&new, args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&KeygenReport {
        algorithm: args.alg.row().name(),
        form,
        encrypted: passphrase.is_some(),
        has_no_container: args.form.is_none() && form == Some(Form::Raw),
        private_key: args.out.display().to_string(),
        public_key: args.public.as_ref().map(|path| path.display().to_string()),
    })
}

#[derive(Serialize)]
struct KeygenReport {
    algorithm: &'static str,
    /// The form of the private key; absent if the algorithm has only its own native form.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<Form>,
    encrypted: bool,
    /// Whether the files are raw because no container can name the algorithm.
    #[serde(skip)]
    has_no_container: bool,
    private_key: String,
    public_key: Option<String>,
}

impl Report for KeygenReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let encrypted = if self.encrypted { "encrypted " } else { "" };
        writeln!(out, "{}: {encrypted}private key in {}", self.algorithm, self.private_key)?;
        if let Some(path) = &self.public_key {
            writeln!(out, "{}: public key in {path}", self.algorithm)?;
        }
        if self.has_no_container {
            explain_raw(self.algorithm, out)?;
        }
        Ok(())
    }
}
