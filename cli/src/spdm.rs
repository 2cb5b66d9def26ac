//! `grille spdm`: devices that prove what they are.

pub(crate) mod algorithms;
mod attest;
pub(crate) mod device;
pub(crate) mod link;
mod manifest;
pub(crate) mod measured;
mod options;
mod responder;

use crate::error::Error;
use crate::output::Output;
use clap::Subcommand;

/// Attest devices with SPDM 1.0 to 1.4, or emulate one.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Attest(attest::Args),
    Responder(responder::Args),
}

/// Runs the verb.
///
/// # Errors
/// The verb's.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Attest(args) => attest::run(args, out),
        Command::Responder(args) => responder::run(args, out),
    }
}
