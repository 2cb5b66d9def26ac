//! `grille cert`: makes, shows and verifies certificates; one file for each subcommand.

mod chain;
mod crl;
mod documents;
mod issue;
mod names;
mod progress;
mod request;
mod root;
pub(crate) mod scripts;
mod show;
mod time;
mod verify;

pub(crate) use documents::{read_chain, read_crls};

use crate::era::Era;
use crate::error::Error;
use crate::output::Output;

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
