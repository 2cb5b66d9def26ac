//! `grille cert show`: what is in a certificate.

use super::read_chain;
use crate::algorithm::warn_of_old;
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
            rows.extend(found.signature_row().map(|row| row as &dyn Row));
            certificates.push(Shown::of(&found, path));
        }
    }
    warn_of_old(rows, out);
    out.print(&Files { certificates, several: args.files.len() > 1 })
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
    /// `unknown` if it is not registered.
    key_algorithm: &'static str,
    key_bytes: usize,
    signature_algorithm: &'static str,
    signature_bytes: usize,
    total_bytes: usize,
}

impl Shown {
    fn of(certificate: &Certificate, path: &Path) -> Self {
        let key = certificate.public_key().ok();
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
            key_algorithm: key.as_ref().map_or("unknown", |key| key.row().name()),
            key_bytes: key.as_ref().map_or(0, |key| key.bytes().len()),
            signature_algorithm: certificate.signature_row().map_or("unknown", Row::name),
            signature_bytes: certificate.signature_len(),
            total_bytes: certificate.to_der().len(),
        }
    }

    fn lines(&self) -> [(&'static str, String); 7] {
        let kind = if self.ca { "issues certificates" } else { "end entity" };
        [
            ("issuer", self.issuer.clone()),
            ("serial", self.serial.clone()),
            ("valid", format!("{} to {}", day(self.not_before), day(self.not_after))),
            ("names", if self.names.is_empty() { "none".to_owned() } else { self.names.join(", ") }),
            ("key", format!("{}, {} bytes ({kind})", self.key_algorithm, self.key_bytes)),
            ("signature", format!("{}, {} bytes", self.signature_algorithm, self.signature_bytes)),
            ("size", format!("{} bytes", self.total_bytes)),
        ]
    }
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
