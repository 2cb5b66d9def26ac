//! `grille key`: private keys of every form and era, looked at and rewritten.

mod convert;
mod inspect;

use crate::algorithm::Algorithm;
use crate::era::{Era, perhaps_old};
use crate::error::Error;
use crate::files;
use crate::keys::{identifiers, may_be_raw, not_raw};
use crate::lengths::{Role, candidates};
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
            _ if unknown => error.advise(format_args!("`grille explain {}` may know it", path.display())),
            None if may_be_raw(&bytes) => error.advise(owners(path, bytes.len())),
            None => perhaps_old(error, identifiers(&bytes), numbers),
            Some(_) => not_raw(error, &bytes),
        }
    })
}

/// Whose raw private keys have this length, or what else of this length there is.
fn owners(path: &Path, length: usize) -> String {
    let candidates = candidates(length);
    let Some(private) = candidates.iter().find(|candidates| candidates.role == Role::PrivateKey) else {
        return match candidates.first() {
            None => "no algorithm here has raw keys of that length".to_owned(),
            Some(other) => format!(
                "no algorithm here has raw private keys of that length; it may be {}: `grille explain {}` says more",
                other.text(3),
                path.display()
            ),
        };
    };
    match private.algorithms.as_slice() {
        [only] => format!("if it is a raw key of {only}, say so with --alg"),
        [some @ .., last] if some.len() < 4 => {
            format!("if it is a raw key of {} or {last}, say so with --alg", some.join(", "))
        }
        some => format!(
            "if it is a raw key of one of {} algorithms of that length, name it with --alg",
            some.len()
        ),
    }
}
