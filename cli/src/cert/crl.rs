//! `grille cert crl`: makes a certificate revocation list.

use super::documents::{read_certificate, read_chain, read_key};
use super::progress::sign_with_progress;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::input_checks::{at_most_one_stdin, refuse_replacing_inputs};
use crate::output::{Output, Report, format_count, printable};
use grille_core::SystemRng;
use grille_pki::verify::check_key_matches;
use grille_pki::{Crl, CrlValidity, format_time};
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Make a certificate revocation list (CRL).
///
/// The list is complete: it replaces the issuer's earlier lists.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert crl --ca root.crt --ca-key root.key --revoke host.crt \\
      --out root.crl
  grille cert verify --ca root.crt --crl root.crl host.crt    refuses the revoked host.crt")]
pub(crate) struct Args {
    /// Read the issuer's certificate from this file.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// Read the issuer's private key from this file.
    #[arg(long, value_name = "FILE")]
    ca_key: PathBuf,
    /// Revoke the certificate in this file; may be repeated [default: none].
    #[arg(long, value_name = "FILE")]
    revoke: Vec<PathBuf>,
    /// State that the next list is due this many days from now.
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: u32,
    /// Give the list this number, which must be higher than that of every earlier list [default: seconds since 1970].
    #[arg(long, value_name = "N")]
    number: Option<u64>,
    /// Write the list, as PEM, to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
}

/// Makes the revocation list.
///
/// # Errors
/// Returns an error if the key does not match the issuer's certificate, a certificate is from another issuer, or a file
/// cannot be read or written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let inputs = || [&args.ca, &args.ca_key].into_iter().chain(&args.revoke).map(PathBuf::as_path);
    at_most_one_stdin(inputs())?;
    refuse_replacing_inputs(inputs(), &args.out)?;
    let silent = files::claims_stdout([args.out.as_path()], out.is_json())?;
    let (ca, mut key) = (read_certificate(&args.ca, numbers)?, read_key(&args.ca_key, numbers)?);
    check_key_matches(&ca, &key).map_err(|error| Error::from(error).at(&args.ca_key))?;
    let mut revoked = Vec::new();
    for path in &args.revoke {
        revoked.extend(read_chain(path, numbers)?.into_iter().next());
    }
    let now = grille_pki::now();
    let validity = CrlValidity {
        this_update: now.saturating_sub(Duration::from_mins(1)),
        next_update: now + Duration::from_hours(24 * u64::from(args.days)),
        number: args.number.unwrap_or(now.as_secs()),
    };
    let revoked: Vec<_> = revoked.iter().collect();
    let issue = |key: &_| Crl::issue(&revoked, &validity, &ca, key, &mut SystemRng);
    let list = sign_with_progress(out, &mut key, issue)?;
    files::write(&[NewFile::public(&args.out, list.to_pem()?.as_bytes())], args.force)?;
    if silent {
        return Ok(());
    }
    out.print(&CrlReport {
        issuer: list.issuer().to_owned(),
        revoked: revoked.len(),
        next_update: validity.next_update.as_secs(),
        list: args.out.display().to_string(),
    })
}

#[derive(Serialize)]
struct CrlReport {
    issuer: String,
    revoked: usize,
    /// The time at which the next list is due, in seconds since the Unix epoch.
    next_update: u64,
    list: String,
}

impl Report for CrlReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(
            out,
            "{}: revocation list with {} in {}, next list due {}",
            printable(&self.issuer),
            format_count(self.revoked, "certificate"),
            self.list,
            format_time(Duration::from_secs(self.next_update))
        )
    }
}
