//! `grille cert root`: makes a self-signed root certificate.

use super::documents::read_key;
use super::names::Options;
use super::progress::sign_with_progress;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::input_checks::refuse_replacing_inputs;
use crate::output::{Output, Report, printable};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, self_signed};
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make a self-signed root certificate.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille keygen --alg ML-DSA-87 --out root.key
  grille cert root --key root.key --subject 'CN=My root' --days 3650 \\
      --out root.crt")]
pub(crate) struct Args {
    /// Read the root's private key from this file.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Write the certificate, as PEM, to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Makes the root certificate.
///
/// # Errors
/// Returns an error if the key or the subject is invalid, or a file cannot be read or written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    refuse_replacing_inputs([args.key.as_path()], &args.out)?;
    let mut key = read_key(&args.key, numbers)?;
    crate::algorithm::warn_if_old(key.row(), out);
    let template = args.options.template(Profile::Root)?;
    let certificate = sign_with_progress(out, &mut key, |key| self_signed(&template, key, &mut SystemRng))?;
    write_and_report(&certificate, &args.out, args.force, out)
}

/// Writes a new certificate and reports it, unless it went to standard output.
pub(super) fn write_and_report(
    certificate: &grille_pki::Certificate,
    path: &std::path::Path,
    force: bool,
    out: &mut Output,
) -> Result<(), Error> {
    let silent = files::claims_stdout([path], out.is_json())?;
    files::write(&[NewFile::public(path, certificate.to_pem()?.as_bytes())], force)?;
    if silent {
        return Ok(());
    }
    out.print(&CertificateReport {
        subject: certificate.subject(),
        issuer: certificate.issuer(),
        certificate: path.display().to_string(),
    })
}

#[derive(Serialize)]
struct CertificateReport {
    subject: String,
    issuer: String,
    certificate: String,
}

impl Report for CertificateReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(
            out,
            "{}: certificate in {}, issued by {}",
            printable(&self.subject),
            self.certificate,
            printable(&self.issuer)
        )
    }
}
