//! `grille demo`: a quantum-safe connection from nothing, in seconds.

use crate::error::Error;
use crate::output::Output;

/// Make chains, connect over TCP with mutual authentication, and show what it cost.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Runs the demo.
///
/// # Errors
/// If anything does not verify.
pub(crate) fn run(_args: &Args, _out: &mut Output) -> Result<(), Error> {
    Err(Error::failure("this build has no demo"))
}
