//! `grille cert show`: prints the contents of certificates.

use super::documents::read_chain;
use super::names::purpose_name;
use crate::algorithm::warn_about_each_old;
use crate::era::known_profile;
use crate::error::Error;
use crate::input_checks::at_most_one_stdin;
use crate::output::{BOLD, Output, Report, printable};
use grille_pki::{Certificate, format_time};
use grille_registry::{Numbers, Row};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Show the certificates in files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert show server.pem
  grille cert show --json root.crt host.crt | jq .certificates[].key_algorithm")]
pub(crate) struct Args {
    /// Read certificates, PEM or DER, from these files; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
}

/// Shows the certificates.
///
/// # Errors
/// Returns an error if a file cannot be read or is not a certificate.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    at_most_one_stdin(args.files.iter().map(PathBuf::as_path))?;
    let mut found = Vec::new();
    let mut rows: Vec<&dyn Row> = Vec::new();
    for path in &args.files {
        for certificate in read_chain(path, numbers)? {
            rows.extend(certificate.public_key().ok().map(|key| key.row() as &dyn Row));
            warn_about_unknown(&certificate, path, numbers, out);
            rows.extend(certificate.signature_row().map(|row| row as &dyn Row));
            found.push((path, certificate));
        }
    }
    warn_about_each_old(rows, out);
    let issuer = |of: &Certificate| {
        let mut others = found.iter().map(|(_, certificate)| certificate);
        others.find(|other| other.subject() == of.issuer())
    };
    let shown = |(path, one): &(&PathBuf, Certificate)| CertificateDetails::new(one, issuer(one), path);
    let certificates = found.iter().map(shown).collect();
    out.print(&CertificateList { certificates, several: args.files.len() > 1 })
}

/// Warns if the key or the signature has an object identifier that is known only in another profile.
fn warn_about_unknown(certificate: &Certificate, path: &Path, numbers: Numbers, out: &Output) {
    let key = certificate.public_key().is_err().then(|| certificate.key_oid());
    let signature = certificate.signature_row().is_none().then(|| certificate.signature_oid());
    if let Some(advice) = known_profile(key.into_iter().chain(signature), numbers) {
        out.warn(
            Error::failure("the certificate has object identifiers of another profile")
                .at(path)
                .advise(advice),
        );
    }
}

#[derive(Serialize)]
struct CertificateList {
    certificates: Vec<CertificateDetails>,
    #[serde(skip)]
    several: bool,
}

#[derive(Serialize)]
struct CertificateDetails {
    file: String,
    subject: String,
    issuer: String,
    serial: String,
    /// The start of the validity period, in seconds since the Unix epoch, like `not_after`.
    not_before: u64,
    not_after: u64,
    names: Vec<String>,
    ca: bool,
    key_usages: Vec<&'static str>,
    /// Extended key usages; absent if the key may serve every purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    purposes: Option<Vec<String>>,
    /// The name of the algorithm of the key; [`UNKNOWN`] if its identifier is not known.
    key_algorithm: String,
    key_supported: bool,
    key_oid: String,
    key_bytes: usize,
    /// The name of the signature algorithm: for ECDSA and RSA the name of the identifier, for others the registry's
    /// name; [`UNKNOWN`] if the identifier is not known.
    signature_algorithm: String,
    signature_supported: bool,
    /// The curve or the length of the issuer's key, if it is known and the signature algorithm does not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_key: Option<String>,
    signature_oid: String,
    signature_bytes: usize,
    total_bytes: usize,
}

impl CertificateDetails {
    /// Collects the contents of a certificate. `issuer` is the issuer's certificate, if it is among the files.
    fn new(certificate: &Certificate, issuer: Option<&Certificate>, path: &Path) -> Self {
        let key = certificate.public_key();
        let (not_before, not_after) = certificate.validity();
        let unknown = || UNKNOWN.to_owned();
        Self {
            file: path.display().to_string(),
            subject: certificate.subject(),
            issuer: certificate.issuer(),
            serial: certificate.serial(),
            not_before: not_before.as_secs(),
            not_after: not_after.as_secs(),
            names: certificate.names(),
            ca: certificate.is_ca(),
            key_usages: certificate.key_usages(),
            purposes: certificate.key_purposes().map(|all| all.iter().map(purpose_name).collect()),
            key_algorithm: match &key {
                Ok(key) => key.row().name().to_owned(),
                Err(_) => certificate.key_name().unwrap_or_else(unknown),
            },
            key_supported: matches!(key, Ok(_) | Err(grille_pki::Error::OtherUse { .. })),
            key_oid: certificate.key_oid(),
            key_bytes: certificate.key_len(),
            signature_algorithm: certificate.signature_name().unwrap_or_else(unknown),
            signature_supported: certificate.is_signature_supported(),
            signature_key: signature_key(certificate, issuer),
            signature_oid: certificate.signature_oid(),
            signature_bytes: certificate.signature_len(),
            total_bytes: certificate.to_der().len(),
        }
    }

    fn lines(&self) -> [(&'static str, String); 9] {
        let key = format_algorithm(&self.key_algorithm, self.key_supported, &self.key_oid);
        let signature =
            format_algorithm(&self.signature_algorithm, self.signature_supported, &self.signature_oid);
        let by = self.signature_key.as_ref().map_or_else(String::new, |key| format!(" (key {key})"));
        let kind = if self.ca { "issues certificates" } else { "end entity" };
        [
            ("issuer", self.issuer.clone()),
            ("serial", self.serial.clone()),
            ("valid", format!("{} to {}", format_day(self.not_before), format_day(self.not_after))),
            ("names", join_or(&self.names, "none")),
            ("key", format!("{key}, {} bytes ({kind})", self.key_bytes)),
            ("key usage", join_or(&self.key_usages, "any")),
            ("purposes", self.purposes.as_ref().map_or("any".to_owned(), |all| join_or(all, "none"))),
            ("signature", format!("{signature}{by}, {} bytes", self.signature_bytes)),
            ("size", format!("{} bytes", self.total_bytes)),
        ]
    }
}

/// Returns the curve or the RSA modulus length of the issuer's key, if the signature algorithm does not determine it.
fn signature_key(certificate: &Certificate, issuer: Option<&Certificate>) -> Option<String> {
    if certificate.signature_row().is_some_and(|row| row.category > 0) {
        return None;
    }
    let name = issuer.and_then(Certificate::key_name)?;
    (certificate.signature_name().as_ref() != Some(&name)).then_some(name)
}

fn join_or<T: AsRef<str>>(list: &[T], none: &str) -> String {
    let list: Vec<_> = list.iter().map(AsRef::as_ref).collect();
    if list.is_empty() { none.to_owned() } else { list.join(", ") }
}

/// The text in place of the name of an unknown identifier.
const UNKNOWN: &str = "unknown";

/// Formats a name with a note if the algorithm is not supported; an unknown name comes with its identifier.
fn format_algorithm(name: &str, is_supported: bool, oid: &str) -> String {
    match (name, is_supported) {
        (UNKNOWN, _) => format!("{UNKNOWN} ({oid})"),
        (name, true) => name.to_owned(),
        (name, false) => format!("{name} (not supported)"),
    }
}

/// Formats the day, in UTC, of a number of seconds since 1970.
fn format_day(seconds: u64) -> String {
    let time = format_time(Duration::from_secs(seconds));
    time.split('T').next().unwrap_or_default().to_owned()
}

impl Report for CertificateList {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        for certificate in &self.certificates {
            let title = match certificate.subject.as_str() {
                "" => format!("no subject; {}", join_or(&certificate.names, "and no name")),
                subject => subject.to_owned(),
            };
            writeln!(out, "{BOLD}{}{BOLD:#}", printable(&title))?;
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
