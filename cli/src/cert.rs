//! `grille cert`: makes, shows and verifies certificates; one file for each subcommand.

mod chain;
mod crl;
mod issue;
mod names;
mod request;
mod root;
pub(crate) mod scripts;
mod show;
mod time;
mod verify;

use crate::documents;
use crate::era::Era;
use crate::error::Error;
use crate::keys::private_key_error;
use crate::output::{Output, Progress};
use grille_pki::{Certificate, Crl, Kind, PrivateKey, Request};
use grille_registry::Numbers;
use std::path::{Path, PathBuf};

/// Make, show and verify X.509 certificates with any signature algorithm.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert chain --alg ML-DSA-65 --out certs    make a root and a server certificate
  grille cert show certs/entity_cert.pem
  grille cert verify --ca certs/root_cert.pem --name localhost certs/entity_cert.pem")]
pub(crate) struct Args {
    #[command(flatten)]
    era: Era,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Root(root::Args),
    Request(request::Args),
    Issue(issue::Args),
    Show(show::Args),
    Verify(verify::Args),
    Chain(chain::Args),
    Crl(crl::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// The errors of the subcommand.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let numbers = args.era.profile;
    match &args.command {
        Command::Root(args) => root::run(args, numbers, out),
        Command::Request(args) => request::run(args, numbers, out),
        Command::Issue(args) => issue::run(args, numbers, out),
        Command::Show(args) => show::run(args, numbers, out),
        Command::Verify(args) => verify::run(args, numbers, out),
        Command::Chain(args) => chain::run(args, numbers, out),
        Command::Crl(args) => crl::run(args, numbers, out),
    }
}

/// Reads every certificate in a file.
pub(crate) fn read_chain(path: &Path, numbers: Numbers) -> Result<Vec<Certificate>, Error> {
    let bytes = documents::read(path, Kind::Certificate)?;
    let chain = Certificate::chain_from_pem(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(chain.into_iter().map(|certificate| certificate.in_era(numbers)).collect())
}

/// Reads the first certificate in a file.
fn read_certificate(path: &Path, numbers: Numbers) -> Result<Certificate, Error> {
    let bytes = documents::read(path, Kind::Certificate)?;
    let certificate = Certificate::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(certificate.in_era(numbers))
}

/// Reads the certificate revocation lists in all these files.
///
/// # Errors
/// Returns an error if a file cannot be read, or holds no usable list; the error names the file.
pub(crate) fn read_crls(paths: &[PathBuf]) -> Result<Vec<Crl>, Error> {
    let read = paths.iter().map(|path| {
        let bytes = documents::read(path, Kind::RevocationList)?;
        Crl::all_from_pem(&bytes).map_err(|error| Error::from(error).at(path))
    });
    Ok(read.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Reads the private key in a file.
fn read_key(path: &Path, numbers: Numbers) -> Result<PrivateKey, Error> {
    let bytes = documents::read(path, Kind::PrivateKey)?;
    PrivateKey::from_pem_or_der_in(&bytes, numbers)
        .map_err(|error| private_key_error(error, &bytes, path, numbers))
}

/// Runs `work`, which signs with the key, and shows the progress of the signatures.
fn sign_with_progress<T: Send>(
    out: &Output,
    key: &mut PrivateKey,
    work: impl FnOnce(&PrivateKey) -> T + Send,
) -> T {
    out.while_running("signing", |progress| {
        report_progress(key, progress);
        work(key)
    })
}

/// Makes the key report the progress of its signatures to `progress`.
fn report_progress(key: &mut PrivateKey, progress: &Progress) {
    let progress = progress.clone();
    key.set_progress_callback(move |now, all| progress.update(now, all));
}

/// Reads the certificate request in a file.
fn read_request(path: &Path, numbers: Numbers) -> Result<Request, Error> {
    let bytes = documents::read(path, Kind::Request)?;
    let request = Request::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(request.in_era(numbers))
}
