//! `grille tls`: a server, a client, and what connections cost.

mod advice;
mod bench;
mod client;
pub(crate) mod key_log;
mod lines;
mod matrix;
pub(crate) mod meet;
pub(crate) mod options;
mod party;
pub(crate) mod report;
mod scan;
mod server;
pub(crate) mod system_roots;
mod talk;
mod throughput;
mod transfer;
pub(crate) mod wolfssl;

use crate::error::Error;
use crate::output::Output;

/// Serve and connect with quantum-safe TLS 1.3.
///
/// Port 11111 is meant where none is given. Offered by default are the quantum-safe standards only, or all quantum-safe
/// groups of a --profile that has no standards: name other groups, also classical ones, with --groups.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Server(server::Args),
    Client(client::Args),
    Matrix(matrix::Args),
    Bench(bench::Args),
    Scan(scan::Args),
}

/// Runs the sub-verb.
///
/// # Errors
/// Theirs.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Server(args) => server::run(args, out),
        Command::Client(args) => client::run(args, out),
        Command::Matrix(args) => matrix::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Scan(args) => scan::run(args, out),
    }
}

/// Where, what, and what to do, from the library's error.
impl From<grille_tls::Error> for Error {
    fn from(error: grille_tls::Error) -> Self {
        let line = Self::failure(&error);
        match error.advice().as_ref().and_then(advice::words) {
            Some(advice) => line.advise(advice),
            None => line,
        }
    }
}
