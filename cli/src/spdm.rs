//! The `grille spdm` verbs: attest and emulate devices.

mod advice;
pub(crate) mod algorithms;
mod appraisal;
mod attest;
mod attested;
mod attestor;
mod bench;
mod broken;
mod capture;
mod claims;
mod contradictions;
pub(crate) mod device;
mod devices;
mod door;
mod doubts;
mod dump;
mod emulation;
mod event_lines;
mod events;
mod fault;
mod fleet;
mod inputs;
mod key_log;
pub(crate) mod link;
mod listening;
mod manifest;
pub(crate) mod measured;
mod names;
mod needs;
mod options;
mod outcome;
mod own;
mod parts;
mod policy;
mod provisioning;
mod recipient;
mod refusals;
mod requester;
mod responder;
mod results;
mod state;
mod target;
pub(crate) mod timed;
mod tree;
mod walk;
mod workers;

use crate::error::Error;
use crate::output::Output;
use clap::Subcommand;

/// Attest devices with SPDM 1.0 to 1.4, or emulate a device.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  grille spdm responder --root root.pem
  grille spdm attest localhost --ca root.pem
  grille spdm requester --ca root.pem"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Attest(Box<attest::Args>),
    Requester(Box<requester::Args>),
    Responder(Box<responder::Args>),
    Dump(dump::Args),
    Bench(bench::Args),
}

/// Runs the verb.
///
/// # Errors
/// Those of the verb.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Attest(args) => attest::run(args, out),
        Command::Requester(args) => requester::run(args, out),
        Command::Responder(args) => responder::run(args, out),
        Command::Dump(args) => dump::run(args, out),
        Command::Bench(args) => bench::run(args, out),
    }
}
