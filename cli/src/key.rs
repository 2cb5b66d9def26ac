//! `grille key`: private keys of every form and era, looked at and rewritten.

mod convert;
mod inspect;

use crate::algorithm::Algorithm;
use crate::documents;
use crate::era::Era;
use crate::error::Error;
use crate::files;
use crate::keys::{not_raw, unread};
use crate::lengths::Role;
use crate::output::Output;
use crate::private::Private;
use grille_pki::{Kind, container};
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

/// The private key in `path`, and what it is wrapped in: any file that holds one, or the bare bytes of the algorithm `raw`.
///
/// # Errors
/// What is wrong with it, and for bytes that are neither PEM nor DER which algorithms have such keys.
fn read(path: &Path, raw: Option<Algorithm>, numbers: Numbers) -> Result<(Private, &'static str), Error> {
    let file = files::read(path)?;
    let (container, bytes) = match raw {
        Some(_) => ("raw", file),
        None => (container(&file), documents::opened(path, file, Kind::PrivateKey)?),
    };
    let key = Private::read(&bytes, raw, numbers).map_err(|error| match raw {
        None => unread(error, Role::PrivateKey, &bytes, path, numbers),
        Some(_) => {
            let otherwise = Private::read(&bytes, None, numbers).err();
            not_raw(Error::from(error).at(path), &bytes, path, numbers, otherwise)
        }
    })?;
    Ok((key, container))
}
