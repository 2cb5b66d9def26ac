//! `grille cert show`: what is in a certificate.

use super::read_chain;
use crate::algorithm::warn_of_old;
use crate::era::only_elsewhere;
use crate::error::Error;
use crate::files;
use crate::output::{BOLD, Output, Report, printable};
use grille_pki::{Certificate, moment};
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Show the certificates in files.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PEM, with one certificate or more, or DER.
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
}

/// Shows them.
///
/// # Errors
/// Those of the files.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    files::one_stdin(args.files.iter().map(PathBuf::as_path))?;
    let mut certificates = Vec::new();
    let mut rows: Vec<&dyn Row> = Vec::new();
    for path in &args.files {
        for found in read_chain(path, numbers)? {
            rows.extend(found.public_key().ok().map(|key| key.row() as &dyn Row));
            warn_of_unknown(&found, path, numbers, out);
            rows.extend(found.signature_row().map(|row| row as &dyn Row));
            certificates.push(Shown::of(&found, path));
        }
    }
    warn_of_old(rows, out);
    out.print(&Files { certificates, several: args.files.len() > 1 })
}

/// Tells in which era the key or the signature is known that is not here.
fn warn_of_unknown(certificate: &Certificate, path: &Path, numbers: Numbers, out: &Output) {
    let key = certificate.public_key().is_err().then(|| certificate.key_oid());
    let signature = certificate.signature_row().is_none().then(|| certificate.signature_oid());
    if let Some(elsewhere) = only_elsewhere(key.into_iter().chain(signature), numbers) {
        out.warn(Error::failure("is of another profile").at(path).advise(elsewhere));
    }
}

#[derive(Serialize)]
struct Files {
    certificates: Vec<Shown>,
    #[serde(skip)]
    several: bool,
}

#[derive(Serialize)]
struct Shown {
    file: String,
    subject: String,
    issuer: String,
    serial: String,
    /// Seconds since 1970.
    not_before: u64,
    not_after: u64,
    names: Vec<String>,
    ca: bool,
    /// [`UNKNOWN`] if it is not registered; so is that of the signature.
    key_algorithm: &'static str,
    key_oid: String,
    key_bytes: usize,
    signature_algorithm: &'static str,
    signature_oid: String,
    signature_bytes: usize,
    total_bytes: usize,
}

impl Shown {
    fn of(certificate: &Certificate, path: &Path) -> Self {
        let key = certificate.public_key();
        let (not_before, not_after) = certificate.validity();
        Self {
            file: path.display().to_string(),
            subject: certificate.subject(),
            issuer: certificate.issuer(),
            serial: certificate.serial(),
            not_before: not_before.as_secs(),
            not_after: not_after.as_secs(),
            names: certificate.names(),
            ca: certificate.is_ca(),
            key_algorithm: match &key {
                Ok(key) => key.row().name(),
                Err(grille_pki::Error::OtherUse { algorithm, .. }) => algorithm,
                Err(_) => UNKNOWN,
            },
            key_oid: certificate.key_oid(),
            key_bytes: certificate.key_len(),
            signature_algorithm: certificate.signature_row().map_or(UNKNOWN, Row::name),
            signature_oid: certificate.signature_oid(),
            signature_bytes: certificate.signature_len(),
            total_bytes: certificate.to_der().len(),
        }
    }

    fn lines(&self) -> [(&'static str, String); 7] {
        let key = named(self.key_algorithm, &self.key_oid);
        let signature = named(self.signature_algorithm, &self.signature_oid);
        let kind = if self.ca { "issues certificates" } else { "end entity" };
        [
            ("issuer", self.issuer.clone()),
            ("serial", self.serial.clone()),
            ("valid", format!("{} to {}", day(self.not_before), day(self.not_after))),
            ("names", if self.names.is_empty() { "none".to_owned() } else { self.names.join(", ") }),
            ("key", format!("{key}, {} bytes ({kind})", self.key_bytes)),
            ("signature", format!("{signature}, {} bytes", self.signature_bytes)),
            ("size", format!("{} bytes", self.total_bytes)),
        ]
    }
}

/// In place of a name that no row has.
const UNKNOWN: &str = "unknown";

/// The name, or that there is none for this identifier.
fn named(name: &str, oid: &str) -> String {
    if name == UNKNOWN { format!("{UNKNOWN} ({oid})") } else { name.to_owned() }
}

/// The day, in UTC, of a number of seconds since 1970.
fn day(seconds: u64) -> String {
    let moment = moment(Duration::from_secs(seconds));
    moment.split('T').next().unwrap_or_default().to_owned()
}

impl Report for Files {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        for certificate in &self.certificates {
            writeln!(out, "{BOLD}{}{BOLD:#}", printable(&certificate.subject))?;
            if self.several {
                writeln!(out, "  {:<10}{}", "file", printable(&certificate.file))?;
            }
            for (label, value) in certificate.lines() {
                writeln!(out, "  {label:<10}{}", printable(&value))?;
            }
        }
        Ok(())
    }
}
