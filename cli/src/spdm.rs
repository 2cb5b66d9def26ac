//! The `grille spdm` subcommands: attest and emulate devices.

mod advice;
pub(crate) mod algorithms;
mod appraisal;
mod attest;
mod attested;
mod attestor;
mod bench;
mod capability_conflicts;
mod capture;
mod claims;
mod connection_errors;
mod credential_place;
pub(crate) mod device;
mod devices;
mod dialect_fields;
mod dump;
mod emulation;
mod event_display;
mod event_receiver;
mod events;
mod fault;
mod fleet;
mod hybrid_options;
mod inputs;
mod key_log;
pub(crate) mod link;
mod listener;
mod listening;
mod local_identity;
mod manifest;
pub(crate) mod measured;
mod message_fields;
mod named_algorithms;
mod names;
mod options;
mod outcome;
mod peer_trust;
mod perf;
mod policy;
mod pqc2021;
mod provisioning;
mod raw_keys;
mod refusals;
mod requester;
mod requirements;
mod responder;
mod results;
mod session_method;
mod signed;
mod slot_trust;
mod state;
mod step_runner;
mod target;
pub(crate) mod timed;
mod tree;
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
    Perf(Box<perf::Args>),
    RawKeys(raw_keys::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// The errors of the subcommand.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Attest(args) => attest::run(args, out),
        Command::Requester(args) => requester::run(args, out),
        Command::Responder(args) => responder::run(args, out),
        Command::Dump(args) => dump::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Perf(args) => perf::run(args, out),
        Command::RawKeys(args) => raw_keys::run(args, out),
    }
}
