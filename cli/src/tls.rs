//! `grille tls`: a server and a client.

use crate::error::Error;
use crate::output::Output;

/// Serve and connect with quantum-safe TLS 1.3.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {}

/// Runs the server or the client.
///
/// # Errors
/// Theirs.
pub(crate) fn run(args: &Args, _out: &mut Output) -> Result<(), Error> {
    match args.command {}
}
