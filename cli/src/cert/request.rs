//! `grille cert request`: what an issuer elsewhere is asked with.

use super::names::alternative;
use super::{read_key, read_request, while_signing};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::keys::misread;
use crate::output::{BOLD, Output, Report, printable};
use grille_core::SystemRng;
use grille_pki::Request;
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a certificate request (PKCS #10), or show one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille keygen --alg ML-DSA-65 --out host.key
  grille cert request --key host.key --subject CN=host.example \\
      --san DNS:host.example --out host.csr
  grille cert request --show host.csr
  grille cert issue --csr host.csr --ca root.crt --ca-key root.key \\
      --out host.crt")]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// The private key to be certified.
    #[arg(long, value_name = "FILE", group = "what")]
    key: Option<PathBuf>,
    /// Whom the certificate shall be for, such as CN=host,O=organisation.
    #[arg(long, value_name = "NAME", default_value = "CN=localhost")]
    subject: String,
    /// A name the certificate shall be for: DNS:host or IP:address; without its kind, an address if it can be read as
    /// one, else a host; may be repeated.
    #[arg(long, value_name = "NAME")]
    san: Vec<String>,
    /// Where the request goes, as PEM.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Show the request in this file, with its signature checked, instead.
    #[arg(long, value_name = "FILE", group = "what", conflicts_with_all = ["subject", "san", "out", "force"])]
    show: Option<PathBuf>,
}

/// Makes or shows it.
///
/// # Errors
/// Those of the key, the names and the files.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    match (&args.show, &args.key) {
        (Some(path), _) => show(path, numbers, out),
        (None, Some(key)) => make(args, key, numbers, out),
        (None, None) => Err(Error::usage("a request needs a key").advise("give --key or --show")),
    }
}

fn make(args: &Args, key: &Path, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    files::keep_inputs([key], &args.out)?;
    let mut key = read_key(key, numbers)?;
    crate::algorithm::warn_if_old(key.row(), out);
    let silent = files::claims_stdout([args.out.as_path()], out.is_json())?;
    let names = alternative(&args.san)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let request =
        while_signing(out, &mut key, |key| Request::new(&args.subject, &names, key, &mut SystemRng))?;
    files::write(&[NewFile::public(&args.out, request.to_pem()?.as_bytes())], args.force)?;
    if silent { Ok(()) } else { out.print(&Shown::of(&request, &args.out)?) }
}

fn show(path: &Path, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let request = read_request(path, numbers)?;
    request.verify().map_err(|error| misread(error, &request.to_der(), path, numbers))?;
    let shown = Shown::of(&request, path).map_err(|error| error.at(path))?;
    crate::algorithm::warn_if_old(request.public_key()?.row(), out);
    out.print(&shown)
}

/// A request whose signature is right.
#[derive(Serialize)]
struct Shown {
    request: String,
    subject: String,
    names: Vec<String>,
    key_algorithm: &'static str,
    key_bytes: usize,
    total_bytes: usize,
}

impl Shown {
    fn of(request: &Request, path: &Path) -> Result<Self, Error> {
        let key = request.public_key()?;
        Ok(Self {
            request: path.display().to_string(),
            subject: request.subject(),
            names: request.names()?,
            key_algorithm: key.row().name(),
            key_bytes: key.bytes().len(),
            total_bytes: request.to_der().len(),
        })
    }
}

impl Report for Shown {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let names = if self.names.is_empty() { "none".to_owned() } else { self.names.join(", ") };
        writeln!(out, "{BOLD}{}{BOLD:#}: request in {}", printable(&self.subject), self.request)?;
        writeln!(out, "  {:<10}{}", "names", printable(&names))?;
        writeln!(out, "  {:<10}{}, {} bytes", "key", self.key_algorithm, self.key_bytes)?;
        writeln!(out, "  {:<10}{} bytes", "size", self.total_bytes)
    }
}
