//! `grille cert verify`: verifies a certificate chain.

use super::documents::{read_chain, read_crls};
use super::time;
use crate::algorithm::warn_about_each_old;
use crate::era::{known_profile, with_other_meaning};
use crate::error::Error;
use crate::output::{GOOD, Output, Report, printable};
use grille_pki::Certificate;
use grille_pki::verify::{Origin, Purpose, Requirements, Root, Trust, verify_root, webpki_algorithms};
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Verify a certificate chain: signatures, validity, constraints, key usage, purpose and name.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert verify --ca certs/root_cert.pem --name localhost certs/entity_cert.pem
  grille cert verify --ca root.crt --untrusted sub.crt \\
      --name host.example host.crt")]
pub(crate) struct Args {
    /// Verify the first certificate in this file; further ones are intermediates. Without --name and --purpose it may
    /// be one of the roots, which is then checked alone.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Trust the roots in this file; may be repeated.
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// Read intermediates from this file; may be repeated.
    #[arg(long, value_name = "FILE")]
    untrusted: Vec<PathBuf>,
    /// Require this host name or IP address.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Check revocation with the lists in this file, PEM or DER; may be repeated. Every certificate except the root
    /// then needs a current list.
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,
    /// Require this purpose of the key [default: server].
    #[arg(long, value_enum)]
    purpose: Option<PurposeArgument>,
    /// Verify at this time: 2026-11-20, 2026-11-20T12:00:00Z, or seconds since 1970 [default: now].
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    at: Option<Duration>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PurposeArgument {
    /// TLS server
    Server,
    /// TLS client
    Client,
    /// Receiver of shared secrets, with a KEM key
    Kem,
    /// Any purpose: key usage and extended key usage are not checked
    Any,
}

impl From<PurposeArgument> for Purpose {
    fn from(purpose: PurposeArgument) -> Self {
        match purpose {
            PurposeArgument::Server => Self::Server,
            PurposeArgument::Client => Self::Client,
            PurposeArgument::Kem => Self::KeyEncapsulation,
            PurposeArgument::Any => Self::Other,
        }
    }
}

/// Verifies the chain.
///
/// # Errors
/// Returns an error if the chain is not trusted, or a file cannot be read.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let mut chain = read_chain(&args.file, numbers)?;
    for path in &args.untrusted {
        chain.extend(read_chain(path, numbers)?);
    }
    let (end_entity, untrusted) =
        chain.split_first().expect("read_chain rejects files without a certificate");
    let mut roots = Vec::new();
    for path in &args.ca {
        roots.extend(read_chain(path, numbers)?);
    }
    let time = args.at.unwrap_or_else(grille_pki::now);
    let crls = read_crls(&args.crl)?;
    let is_root = crls.is_empty() && roots.iter().any(|root| root.as_der() == end_entity.as_der());
    if is_root && end_entity.is_ca() && args.name.is_none() && args.purpose.is_none() {
        let origin = verify_root(end_entity, time, numbers);
        let origin = origin.map_err(|error| Error::mismatch(error).at(&args.file))?;
        warn_about_each_old(end_entity.public_key().ok().map(|key| key.row() as &dyn Row), out);
        return out.print(&VerifyReport::new(end_entity, origin.into()));
    }
    let purpose = args.purpose.map_or(Purpose::Server, Purpose::from);
    let requirements = Requirements { time, purpose, name: args.name.as_deref() };
    let anchors: Vec<Root> = roots.iter().map(Root::from).collect();
    let trust = Trust { roots: &anchors, algorithms: webpki_algorithms(numbers), numbers, crls: &crls };
    trust.verify_chain(end_entity, untrusted, &requirements).map_err(|error| {
        let error = Error::mismatch(error).at(&args.file);
        match known_profile(chain.iter().chain(&roots).flat_map(oids), numbers) {
            Some(advice) => error.advise(advice),
            None => with_other_meaning(error, key_oid(end_entity, numbers), numbers),
        }
    })?;
    warn_about_keys(&chain, &roots, out);
    out.print(&VerifyReport::new(end_entity, Kind::Chain))
}

/// Warns about old algorithms in these certificates and in the roots that issued one of them.
fn warn_about_keys(chain: &[Certificate], roots: &[Certificate], out: &Output) {
    let issuers: HashSet<String> = chain.iter().map(Certificate::issuer).collect();
    let used = roots.iter().filter(|root| issuers.contains(&root.subject()));
    let keys = chain.iter().chain(used).filter_map(|one| one.public_key().ok());
    warn_about_each_old(keys.map(|key| key.row() as &dyn Row), out);
}

/// Returns the object identifiers of a certificate's key and signature.
fn oids(certificate: &Certificate) -> [String; 2] {
    [certificate.key_oid(), certificate.signature_oid()]
}

/// Returns the object identifier of the certified key.
fn key_oid(certificate: &Certificate, numbers: Numbers) -> Option<String> {
    let key = certificate.public_key().ok()?;
    numbers.key_oid(key.row()).map(str::to_owned)
}

#[derive(Serialize)]
struct VerifyReport {
    subject: String,
    trusted: bool,
    #[serde(rename = "is")]
    kind: Kind,
    issuer: String,
}

/// The kind of object that was verified.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Chain,
    /// One of the given roots, with a valid self-signature.
    SelfSignedRoot,
    /// One of the given roots, issued by an unknown CA.
    IssuedRoot,
}

impl VerifyReport {
    fn new(certificate: &Certificate, kind: Kind) -> Self {
        Self { subject: certificate.subject(), trusted: true, kind, issuer: certificate.issuer() }
    }
}

impl From<Origin> for Kind {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::SelfSigned => Self::SelfSignedRoot,
            Origin::Issued => Self::IssuedRoot,
        }
    }
}

impl Report for VerifyReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let (subject, issuer) = (printable(&self.subject), printable(&self.issuer));
        match self.kind {
            Kind::Chain => writeln!(out, "{GOOD}OK{GOOD:#}: the chain of {subject} is trusted"),
            Kind::SelfSignedRoot => writeln!(
                out,
                "{GOOD}OK{GOOD:#}: {subject} is one of the given roots, and its self-signature is valid"
            ),
            Kind::IssuedRoot => writeln!(
                out,
                "{GOOD}OK{GOOD:#}: {subject} is one of the given roots; the signature of its issuer {issuer} was not checked"
            ),
        }
    }
}
