//! `grille tls`: a server and a client.

mod client;
mod lines;
mod options;
pub(crate) mod report;
mod server;
pub(crate) mod wolfssl;

use crate::error::Error;
use crate::output::Output;

/// Serve and connect with quantum-safe TLS 1.3.
///
/// Port 11111 is meant where none is given. Offered by default are the quantum-safe standards only: name other
/// groups, also classical ones, with --groups.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Server(server::Args),
    Client(client::Args),
}

/// Runs the server or the client.
///
/// # Errors
/// Theirs.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Server(args) => server::run(args, out),
        Command::Client(args) => client::run(args, out),
    }
}

/// Where, what, and what to do, from the library's error.
impl From<grille_tls::Error> for Error {
    fn from(error: grille_tls::Error) -> Self {
        let line = Self::failure(&error);
        match error.advice() {
            Some(advice) => line.advise(advice),
            None => line,
        }
    }
}
