//! `grille tls`: a server, a client, a scanner, and measurements of connections.

mod advice;
mod bench;
mod client;
mod exchange;
pub(crate) mod key_log;
pub(crate) mod loopback;
mod matrix;
pub(crate) mod options;
pub(crate) mod report;
mod scan;
mod server;
pub(crate) mod system_roots;
mod test_identity;
mod throughput;
mod transfer;
pub(crate) mod wolfssl;
mod wolfssl_output;

use crate::error::Error;
use crate::output::Output;

/// Serve, connect, scan and measure with quantum-safe TLS 1.3.
///
/// The default port is 11111. By default only the quantum-safe standards are offered, or all quantum-safe groups of a
/// --profile from before the standards; name other groups, also classical ones, with --groups.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert chain --alg ML-DSA-65 --out certs
  grille tls server --cert certs/entity_cert.pem --key certs/entity_key.pem
  grille tls client localhost --ca certs/root_cert.pem --message hello -v
  grille tls scan example.org")]
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

/// Runs the subcommand.
///
/// # Errors
/// The errors of the subcommand.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    match &args.command {
        Command::Server(args) => server::run(args, out),
        Command::Client(args) => client::run(args, out),
        Command::Matrix(args) => matrix::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Scan(args) => scan::run(args, out),
    }
}

/// Converts the library's error, and adds advice in terms of this program's options.
impl From<grille_tls::Error> for Error {
    fn from(error: grille_tls::Error) -> Self {
        let line = Self::failure(&error);
        match error.advice().as_ref().and_then(advice::advice_text) {
            Some(advice) => line.advise(advice),
            None => line,
        }
    }
}
