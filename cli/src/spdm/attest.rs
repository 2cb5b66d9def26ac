//! `grille spdm attest`.

use super::attestor::{Attestor, How};
use super::emulation::without;
use super::fleet::{self, Fleet};
use super::manifest::Manifest;
use super::outcome::Outcome;
use crate::arguments;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, printable};
use clap::Arg;
use clap::builder::UnknownArgumentValueParser;
use std::path::PathBuf;

/// Ask a device, or many, to prove what they are and what they run, and say whether to trust them.
///
/// The device's certificate chain must end in a root of --ca, or it must have the public key of --peer_key; the device must
/// sign a challenge and its measurements with that key, and with --reference it must measure exactly what the manifest says. The exit code
/// is 0 if all of that holds, and 1 if not.
#[derive(clap::Args)]
#[command(
    // other verbs have it, and people try it here
    arg = Arg::new("port").long("port").hide(true).value_parser(UnknownArgumentValueParser::suggest("write HOST:PORT")),
    mut_args(|arg| without(&["pqc_first", "meas_hash"], arg)),
    after_help = "\
Examples:
  grille spdm responder --root root.pem
  grille spdm attest localhost --ca root.pem --save good.json
  grille spdm attest localhost --ca root.pem --reference good.json
  grille spdm attest localhost --peer_key device.pub
  grille spdm attest --fleet hosts.txt --results results.jsonl --ca root.pem --reference good.json"
)]
pub(super) struct Args {
    /// The device; without a port, 2323 or for TCP 4194.
    #[arg(value_name = "HOST[:PORT]", value_parser = arguments::host, required_unless_present = "fleet", conflicts_with = "fleet")]
    endpoint: Option<String>,
    #[command(flatten)]
    fleet: Fleet,
    /// Save what the device measures as a manifest, if the device is trusted.
    #[arg(long, value_name = "FILE", conflicts_with = "fleet")]
    save: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

/// Attests, and says so.
///
/// # Errors
/// If a device cannot be reached or does not prove itself, or measures something else than the manifest says.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let attestor = Attestor::new(&args.how, args.save.as_deref(), out)?;
    let Some(endpoint) = &args.endpoint else { return fleet::run(&args.fleet, &attestor, out) };
    let (outcome, blocks) = Outcome::of(&attestor, endpoint);
    let saved = match (&args.save, &outcome) {
        (Some(path), Outcome::Attested(attested)) if attested.is_trusted() == Some(true) => {
            let manifest = Manifest::of(&blocks, attested.measurement_hash()).to_json()?;
            files::write(&[NewFile::public(path, manifest.as_bytes())], args.how.force())?;
            Some(path)
        }
        _ => None,
    };
    let told = match &outcome {
        _ if out.is_json() => out.document(&outcome.line(&attestor.policy()?)),
        Outcome::Attested(attested) => out.print(&**attested),
        Outcome::Failed(_) => Ok(()),
    };
    if let Some(path) = saved {
        out.note(format_args!("saved {}", printable(&path.display().to_string())));
    }
    // the verdict stands, whether anybody reads it or not
    match outcome.reason() {
        Some(reason) if out.is_json() => Err(reason.documented()),
        Some(reason) => Err(reason),
        None => told,
    }
}
