//! The `grille spdm attest` subcommand.

use super::appraisal::identity::Expected;
use super::appraisal::reason::Verdict;
use super::attestor::{AttestOptions, Attestor};
use super::emulation::hide_other_side;
use super::fleet::{self, Fleet};
use super::manifest::Manifest;
use super::outcome::{Outcome, with_exit};
use super::target::Target;
use crate::arguments;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, printable};
use clap::Arg;
use clap::builder::UnknownArgumentValueParser;
use std::path::PathBuf;

/// Attest one device or a fleet, and report whether to trust it.
///
/// The device's certificate chain must end in a root of --ca, or the device must have the public key of --peer-key.
/// The device signs a challenge and its measurements with that key. With --reference, the measurements must match the
/// manifest exactly. Without --reference, nothing is compared and the verdict is AUTHENTIC.
///
/// Exit codes: 0 trusted or authentic; 1 not trusted; 2 invalid command line; 3 no verdict, because a device could
/// not be queried, a file could not be read, or the manifest uses another hash.
#[derive(clap::Args)]
#[command(
    // Other subcommands have --port, so suggest the right spelling here.
    arg = Arg::new("port").long("port").hide(true).value_parser(UnknownArgumentValueParser::suggest("write HOST:PORT")),
    mut_args(|arg| hide_other_side(&["pqc_first", "meas_hash"], arg)),
    after_help = "\
Examples (start `grille spdm responder --root root.pem` first):
  grille spdm attest localhost --ca root.pem --save good.json
  grille spdm attest localhost --ca root.pem --reference good.json
  grille spdm attest --fleet hosts.txt --ca root.pem --reference good.json --results results.jsonl --resume"
)]
pub(super) struct Args {
    /// Device to attest [default port: 2323, or 4194 with --trans TCP].
    #[arg(value_name = "HOST[:PORT]", value_parser = arguments::host, required_unless_present = "fleet", conflicts_with = "fleet")]
    endpoint: Option<String>,
    /// Require this identity of the device: key=SHA-256, leaf=SHA-256 or serial=HEX; repeatable.
    #[arg(long, value_name = "IDENTITY", requires = "endpoint", conflicts_with = "fleet")]
    identity: Vec<String>,
    #[command(flatten)]
    fleet: Fleet,
    /// Save the measurements as a manifest, unless the device is not trusted.
    #[arg(long, value_name = "FILE", conflicts_with = "fleet")]
    save: Option<PathBuf>,
    #[command(flatten)]
    how: AttestOptions,
}

impl Args {
    /// Returns the device of the command line; `None` for a fleet.
    ///
    /// # Errors
    /// Returns an error if the required identity is malformed.
    fn target(&self) -> Result<Option<Target>, Error> {
        let Some(endpoint) = &self.endpoint else { return Ok(None) };
        let wrong = |problem: String| Error::usage(problem).with_place("--identity");
        let mut words = self.identity.iter();
        let expected = words.try_fold(Expected::default(), |expected, word| expected.with(word));
        Ok(Some(Target { endpoint: endpoint.clone(), expected: expected.map_err(wrong)?, reference: None }))
    }
}

/// Attests, and prints the verdict.
///
/// # Errors
/// Returns an error if a device is not trusted or has no verdict, an option is invalid, or a file cannot be read or
/// written.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    attest(args, out).map_err(with_exit)
}

fn attest(args: &Args, out: &mut Output) -> Result<(), Error> {
    let target = args.target()?;
    let mut attestor = Attestor::new(&args.how, args.save.as_deref(), out)?;
    let Some(target) = target else { return fleet::run(&args.fleet, &mut attestor, out) };
    let (outcome, blocks) = Outcome::attest(&attestor, &target);
    let saved = match (&args.save, &outcome) {
        (Some(path), Outcome::Attested(attested)) if attested.judgement().verdict() <= Verdict::Authentic => {
            let manifest = Manifest::new(&blocks, attested.measurement_hash()).to_json()?;
            files::write(&[NewFile::public(path, manifest.as_bytes())], args.how.overwrites())?;
            Some(path)
        }
        _ => None,
    };
    let message = match &outcome {
        _ if out.is_json() => out.print_json(&outcome.line(&attestor.policy(&target))),
        Outcome::Attested(attested) => out.print(&**attested),
        Outcome::Failed(_) => Ok(()),
    };
    if let Some(path) = saved {
        out.note(format_args!("saved {}", printable(&path.display().to_string())));
    }
    // The verdict determines the exit code even if printing fails.
    match outcome.error() {
        Some(error) if out.is_json() => Err(error.mark_in_json_output()),
        Some(error) => Err(error),
        None => message,
    }
}
