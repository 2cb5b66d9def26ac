//! `grille cert request`: makes or shows a certificate signing request.

use super::documents::{read_certificate, read_key, read_request};
use super::names::alternative_names;
use super::progress::sign_with_progress;
use crate::documents;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::keys::document_error;
use crate::output::{BOLD, Output, Report, printable};
use grille_core::SystemRng;
use grille_pki::verify::check_key_matches;
use grille_pki::{KemPrivateKey, KemPublicKey, Kind, PrivateKey, Request};
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a certificate request (PKCS #10), or show one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert request --key host.key --subject CN=host.example \\
      --san DNS:host.example --out host.csr
  grille cert request --show host.csr
  grille cert request --key kem.key --signer host.crt --signer-key host.key \\
      --out kem.csr")]
#[command(group = clap::ArgGroup::new("action").required(true))]
pub(crate) struct Args {
    /// Request a certificate for the private key in this file. For a KEM, the public key is enough, because KEM keys
    /// cannot sign.
    #[arg(long, value_name = "FILE", group = "action")]
    key: Option<PathBuf>,
    /// Sign a request for a KEM key with the key of this certificate, which has the same subject (RFC 9883).
    #[arg(long, value_name = "FILE", requires = "signer_key", conflicts_with = "subject")]
    signer: Option<PathBuf>,
    /// Read the private key of --signer from this file.
    #[arg(long, value_name = "FILE", requires = "signer")]
    signer_key: Option<PathBuf>,
    /// Request this subject, such as CN=host,O=organisation [default: CN=localhost, or the subject of --signer].
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Request this name: DNS:host, IP:address, email:name@host or URI:uri; without a prefix, a host name unless it
    /// is an IP address; may be repeated.
    #[arg(long, value_name = "NAME")]
    san: Vec<String>,
    /// Write the request, as PEM, to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Verify and show the request in this file instead of making one.
    #[arg(long, value_name = "FILE", group = "action", conflicts_with_all = ["subject", "san", "out", "force", "signer"])]
    show: Option<PathBuf>,
}

/// Makes or shows a request.
///
/// # Errors
/// Returns an error if a key, a name or a signature is invalid, or a file cannot be read or written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    match (&args.show, &args.key) {
        (Some(path), _) => show(path, numbers, out),
        (None, Some(key)) => make(args, key, numbers, out),
        (None, None) => {
            Err(Error::usage("no key to request a certificate for").advise("give --key or --show"))
        }
    }
}

fn make(args: &Args, key: &Path, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let inputs = [Some(key), args.signer.as_deref(), args.signer_key.as_deref()];
    at_most_one_stdin(inputs.into_iter().flatten())?;
    refuse_replacing_inputs(inputs.into_iter().flatten(), &args.out)?;
    let silent = files::claims_stdout([args.out.as_path()], out.is_json())?;
    let names = alternative_names(&args.san)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let request = match (&args.signer, &args.signer_key) {
        (Some(signer), Some(signer_key)) => {
            let certificate = read_certificate(signer, numbers)?;
            let mut signing = read_key(signer_key, numbers)?;
            check_key_matches(&certificate, &signing).map_err(|error| Error::from(error).at(signer_key))?;
            let key = kem_key(key, numbers)?;
            crate::algorithm::warn_about_each_old([signing.row() as &dyn Row, key.row()], out);
            sign_with_progress(out, &mut signing, |signing| {
                Request::for_kem(&names, &key, &certificate, signing, &mut SystemRng)
            })?
        }
        _ => {
            let mut key = signing_key(key, numbers)?;
            crate::algorithm::warn_if_old(key.row(), out);
            let subject = args.subject.as_deref().unwrap_or("CN=localhost");
            sign_with_progress(out, &mut key, |key| Request::new(subject, &names, key, &mut SystemRng))?
        }
    };
    files::write(&[NewFile::public(&args.out, request.to_pem()?.as_bytes())], args.force)?;
    if silent { Ok(()) } else { out.print(&RequestSummary::new(&request, &args.out)?) }
}

/// Reads the signing key in a file; for a KEM key, the error explains which other key can sign.
fn signing_key(path: &Path, numbers: Numbers) -> Result<PrivateKey, Error> {
    let is_kem = || kem_key(path, numbers).is_ok();
    read_key(path, numbers).map_err(|error| match path.as_os_str() != "-" && is_kem() {
        true => error.advise(
            "sign the request with another key: give a certificate of the same subject with --signer and its key with --signer-key",
        ),
        false => error,
    })
}

/// Reads the public key of a KEM, or the public half of its private key, which may be encrypted.
fn kem_key(path: &Path, numbers: Numbers) -> Result<KemPublicKey, Error> {
    let bytes = files::read_document(path)?;
    if let Ok(key) = KemPublicKey::from_pem_or_der_in(&bytes, numbers) {
        return Ok(key);
    }
    let bytes = documents::decrypt_or_unpack(path, bytes, Kind::PrivateKey)?;
    let private = KemPrivateKey::from_pem_or_der_in(&bytes, numbers);
    let private = private.map_err(|error| document_error(error, &bytes, path, numbers))?;
    Ok(private.public_key().clone())
}

fn show(path: &Path, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let request = read_request(path, numbers)?;
    request.verify().map_err(|error| document_error(error, &request.to_der(), path, numbers))?;
    let shown = RequestSummary::new(&request, path).map_err(|error| error.at(path))?;
    crate::algorithm::warn_if_old(request.requested_key()?.row(), out);
    out.print(&shown)
}

/// A request with a valid signature.
#[derive(Serialize)]
struct RequestSummary {
    request: String,
    subject: String,
    names: Vec<String>,
    key_algorithm: &'static str,
    key_bytes: usize,
    /// The subject of the certificate whose key signed the request, if the request is for another key.
    #[serde(skip_serializing_if = "Option::is_none")]
    signer: Option<String>,
    total_bytes: usize,
}

impl RequestSummary {
    fn new(request: &Request, path: &Path) -> Result<Self, Error> {
        let key = request.requested_key()?;
        Ok(Self {
            request: path.display().to_string(),
            subject: request.subject(),
            names: request.names()?,
            key_algorithm: key.row().name(),
            key_bytes: key.bytes().len(),
            signer: request.signer()?.map(|signer| signer.display_name()),
            total_bytes: request.to_der().len(),
        })
    }
}

impl Report for RequestSummary {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let names = if self.names.is_empty() { "none".to_owned() } else { self.names.join(", ") };
        writeln!(out, "{BOLD}{}{BOLD:#}: request in {}", printable(&self.subject), self.request)?;
        writeln!(out, "  {:<10}{}", "names", printable(&names))?;
        writeln!(out, "  {:<10}{}, {} bytes", "key", self.key_algorithm, self.key_bytes)?;
        if let Some(signer) = &self.signer {
            writeln!(out, "  {:<10}by the certificate of {}", "signed", printable(signer))?;
        }
        writeln!(out, "  {:<10}{} bytes", "size", self.total_bytes)
    }
}
