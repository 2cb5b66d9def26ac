//! `grille key`: inspects private keys of every form and profile, and converts them.

mod convert;
mod input;
mod inspect;

use crate::era::Era;
use crate::error::Error;
use crate::output::Output;

/// Inspect and convert private keys in any form, old or new.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille key inspect my.key
  grille key convert --in my.key --form expanded --out expanded.key")]
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

/// Runs the subcommand.
///
/// # Errors
/// The errors of the subcommand.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let numbers = args.era.profile;
    match &args.command {
        Command::Convert(args) => convert::run(args, numbers, out),
        Command::Inspect(args) => inspect::run(args, numbers, out),
    }
}
