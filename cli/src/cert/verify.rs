//! `grille cert verify`: is a chain to be trusted?

use super::{read_chain, time};
use crate::algorithm::warn_of_old;
use crate::era::{only_elsewhere, perhaps_old};
use crate::error::Error;
use crate::output::{GOOD, Output, Report, printable};
use grille_pki::Certificate;
use grille_pki::verify::{Demand, Purpose, Root, Trust, webpki_algorithms};
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Check a chain: signatures, validity, constraints, key usage, purpose and name.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  grille cert verify --ca root.crt --untrusted sub.crt \\
      --name host.example host.crt")]
pub(crate) struct Args {
    /// The certificate; further ones in the same file are intermediates.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The trusted roots.
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// Intermediates.
    #[arg(long, value_name = "FILE")]
    untrusted: Vec<PathBuf>,
    /// The host name or IP address it must be for.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What it must authenticate.
    #[arg(long, value_enum, default_value_t = For::Server)]
    purpose: For,
    /// When: 2026-11-20, 2026-11-20T12:00:00Z, or seconds since 1970; now by default.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    at: Option<Duration>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum For {
    /// A TLS server
    Server,
    /// A TLS client
    Client,
}

/// Checks it.
///
/// # Errors
/// What is wrong with the chain, and those of the files.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let mut chain = read_chain(&args.file, numbers)?;
    for path in &args.untrusted {
        chain.extend(read_chain(path, numbers)?);
    }
    let (end_entity, untrusted) = chain.split_first().expect("a file without a certificate was refused");
    let mut roots = Vec::new();
    for path in &args.ca {
        roots.extend(read_chain(path, numbers)?);
    }
    let purpose = match args.purpose {
        For::Server => Purpose::Server,
        For::Client => Purpose::Client,
    };
    let time = args.at.unwrap_or_else(grille_pki::now);
    let demand = Demand { time, purpose, name: args.name.as_deref() };
    let anchors: Vec<Root> = roots.iter().map(Root::from).collect();
    let trust = Trust { roots: &anchors, algorithms: webpki_algorithms(numbers), numbers, revocation: &[] };
    trust.verify_chain(end_entity, untrusted, &demand).map_err(|error| {
        let error = Error::mismatch(error).at(&args.file);
        match only_elsewhere(chain.iter().chain(&roots).flat_map(oids), numbers) {
            Some(elsewhere) => error.advise(elsewhere),
            None => perhaps_old(error, key_oid(end_entity, numbers), numbers),
        }
    })?;
    warn_of_keys(&chain, &roots, out);
    out.print(&Trusted { subject: end_entity.subject(), trusted: true })
}

/// Warns of old algorithms: of the keys of these certificates, and of the roots that issued one of them.
fn warn_of_keys(chain: &[Certificate], roots: &[Certificate], out: &Output) {
    let issuers: HashSet<String> = chain.iter().map(Certificate::issuer).collect();
    let used = roots.iter().filter(|root| issuers.contains(&root.subject()));
    let keys = chain.iter().chain(used).filter_map(|one| one.public_key().ok());
    warn_of_old(keys.map(|key| key.row() as &dyn Row), out);
}

/// The identifiers of its key and its signature.
fn oids(certificate: &Certificate) -> [String; 2] {
    [certificate.key_oid(), certificate.signature_oid()]
}

/// The identifier of the certified key.
fn key_oid(certificate: &Certificate, numbers: Numbers) -> Option<String> {
    let key = certificate.public_key().ok()?;
    numbers.key_oid(key.row()).map(str::to_owned)
}

#[derive(Serialize)]
struct Trusted {
    subject: String,
    trusted: bool,
}

impl Report for Trusted {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{GOOD}OK{GOOD:#}: the chain of {} is to be trusted", printable(&self.subject))
    }
}
