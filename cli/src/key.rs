//! `grille key`: private keys of every form and era, looked at and rewritten.

mod convert;
mod inspect;

use crate::algorithm::Algorithm;
use crate::era::{Era, perhaps_old, unknown_here};
use crate::error::Error;
use crate::files;
use crate::keys::{identifiers, may_be_raw, not_raw};
use crate::lengths::{self, Role};
use crate::output::Output;
use crate::private::Private;
use grille_registry::Numbers;
use std::path::Path;

/// Look at private keys of any form and era, and write them in another one.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    era: Era,
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Convert(convert::Args),
    Inspect(inspect::Args),
}

/// Runs the sub-verb.
///
/// # Errors
/// Its own.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let numbers = args.era.profile;
    match &args.command {
        Command::Convert(args) => convert::run(args, numbers, out),
        Command::Inspect(args) => inspect::run(args, numbers, out),
    }
}

/// The private key in `path`: PEM or DER, or the bare bytes of the algorithm `raw`.
///
/// # Errors
/// What is wrong with it, and for bytes that are neither PEM nor DER which algorithms have such keys.
fn read(path: &Path, raw: Option<Algorithm>, numbers: Numbers) -> Result<Private, Error> {
    let bytes = files::read(path)?;
    Private::read(&bytes, raw, numbers).map_err(|error| {
        let unknown = matches!(error, grille_pki::Error::UnknownAlgorithm { .. });
        let error = Error::from(error).at(path);
        match raw {
            None if may_be_raw(&bytes) => error.advise(lengths::advice(Role::PrivateKey, path, &bytes)),
            None if unknown => unknown_here(error, path, &identifiers(&bytes), numbers),
            None => perhaps_old(error, identifiers(&bytes), numbers),
            Some(_) => not_raw(error, &bytes),
        }
    })
}
