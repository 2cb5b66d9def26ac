//! `grille cert`: certificates, from roots to checked chains; one file for each sub-verb.

mod chain;
mod issue;
mod names;
mod request;
mod root;
mod show;
mod time;
mod verify;

use crate::error::Error;
use crate::output::Output;
use grille_pki::{Certificate, PrivateKey, Request};
use std::path::Path;

/// Make, show and check X.509 certificates with any registered signature algorithm.
#[derive(clap::Args)]
pub(crate) struct Args {
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
}

/// Runs the sub-verb.
///
/// # Errors
/// Its own.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Root(args) => root::run(args, out),
        Command::Request(args) => request::run(args, out),
        Command::Issue(args) => issue::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Chain(args) => chain::run(args, out),
    }
}

/// Every certificate in a file.
fn read_chain(path: &Path) -> Result<Vec<Certificate>, Error> {
    let bytes = crate::files::read(path)?;
    Certificate::chain_from_pem(&bytes).map_err(|error| Error::from(error).at(path))
}

/// The first certificate in a file.
fn read_certificate(path: &Path) -> Result<Certificate, Error> {
    let bytes = crate::files::read(path)?;
    Certificate::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))
}

/// The private key in a file.
fn read_key(path: &Path) -> Result<PrivateKey, Error> {
    let bytes = crate::files::read(path)?;
    PrivateKey::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))
}

/// The certificate request in a file.
fn read_request(path: &Path) -> Result<Request, Error> {
    let bytes = crate::files::read(path)?;
    Request::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))
}
