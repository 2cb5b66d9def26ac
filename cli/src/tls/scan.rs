//! `grille tls scan`: finds the groups, signature schemes and certificates of servers.

mod document;
mod hosts;
mod sarif;
mod text;
mod trust;

use super::options::{roots, start_tls};
use super::system_roots::system_roots;
use crate::arguments::{host, host_and_address};
use crate::cert::read_crls;
use crate::error::Error;
use crate::output::{Output, format_count};
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use document::ScanResult;
use grille_registry::Numbers;
use grille_tls::StartTls;
use grille_tls::scan::Scan;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trust::Roots;

/// Check whether TLS servers are quantum-safe, and list their groups, signature schemes and certificates.
///
/// The scan covers the numbers of every profile. It offers groups without key shares in batches, which costs one
/// connection for each batch and one for each accepted group. Four connections offer a classical and a quantum-safe
/// group in either order, and each signature scheme takes one handshake. If a number has several meanings and grille
/// implements one of them, a key share decides; otherwise all meanings are shown. Scan only servers that you are
/// allowed to scan.
///
/// The exit code is 0 if every server is ready, and 1 if one is not ready or cannot be scanned. A server that prefers
/// classical groups is not ready. With --ca or --system-roots, an untrusted certificate chain also yields 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls scan example.org
  grille tls scan mail.example.org --starttls smtp --system-roots
  grille tls scan --list servers.txt --format sarif > scan.sarif")]
pub(super) struct Args {
    /// Scan these servers [default port: that of --starttls, or else 443].
    #[arg(value_name = "HOST[:PORT]", value_parser = host, required_unless_present = "list")]
    hosts: Vec<String>,
    /// Also scan the servers in this file, one HOST or HOST:PORT per line, with comments after #; `-` is standard
    /// input.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Start TLS inside this protocol: smtp, imap, pop3, xmpp, ldap, postgresql or mysql.
    #[arg(long, value_name = "PROTOCOL", value_parser = start_tls)]
    starttls: Option<StartTls>,
    /// Request this name [default: the host].
    #[arg(long, value_name = "NAME")]
    servername: Option<String>,
    /// Verify the certificates against the roots in this file (PEM); may be repeated.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Verify the certificates against the roots of the operating system.
    #[arg(long)]
    system_roots: bool,
    /// Also check revocation with the lists in this file (PEM or DER); may be repeated. Every CA of a chain, the root
    /// included, then needs a current list.
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,
    /// Make at most this many connections per second to each server.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rate: u32,
    /// Scan at most this many servers at once.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Offer at most this many groups or schemes in one ClientHello.
    #[arg(long, value_name = "N", default_value = "48", value_parser = clap::value_parser!(u16).range(1..=512).try_map(NonZeroU16::try_from))]
    batch: NonZeroU16,
    /// Timeout in seconds for a whole connection. The scan of one server may take 60 times as long, not counting the
    /// pauses for --rate.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::bench::seconds)]
    timeout: Duration,
    /// Print results in this format; --json is the same as `--format json`.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    /// One document, or one per line for several servers
    Json,
    /// SARIF 2.1.0, for tools that show findings
    Sarif,
}

/// The time limit for the scan of one server, as a multiple of the timeout.
const MAX_TIMEOUTS: u32 = 60;

/// The port of HTTPS.
const PORT: u16 = 443;

/// Scans the servers and prints the results.
///
/// # Errors
/// Returns an error if a server cannot be scanned, or is not ready.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let hosts = hosts::read(&args.hosts, args.list.as_deref())?;
    let roots = roots(&args.ca, Numbers::default())?;
    let roots = if args.system_roots { [roots, system_roots(Some(out))?].concat() } else { roots };
    if roots.is_empty() && !args.crl.is_empty() {
        return Err(Error::usage("--crl without trusted roots").advise("give --ca or --system-roots"));
    }
    let roots = Roots::new(&roots, read_crls(&args.crl)?);
    let is_json = out.is_json() || args.format == Format::Json;
    let mut json = Output::new(true, true);
    let printer = if is_json && args.format != Format::Sarif { &mut json } else { &mut *out };
    match &hosts[..] {
        [host] if args.list.is_none() => scan_one(args, host, roots.as_ref(), printer),
        hosts => scan_all(args, hosts, roots.as_ref(), printer),
    }
}

/// Scans one server and shows the progress.
fn scan_one(args: &Args, host: &str, roots: Option<&Roots>, out: &mut Output) -> Result<(), Error> {
    let start = Instant::now();
    let progress = |done, all| out.progress(start, format_args!("{done} of {all} codepoints"));
    let scanned = scan(args, host, roots, progress);
    out.end_progress();
    let scanned = scanned?;
    match args.format {
        Format::Sarif => out.print_json(&sarif::sarif_document(&[Ok(&scanned)]))?,
        _ => out.print(&scanned)?,
    }
    match scanned.failure_reason() {
        None => Ok(()),
        Some(fault) => Err(Error::mismatch(fault).with_place(&scanned.address).mark_in_json_output()),
    }
}

/// Scans several servers in parallel, and prints the results in the order of the list.
fn scan_all(args: &Args, hosts: &[String], roots: Option<&Roots>, out: &mut Output) -> Result<(), Error> {
    let (start, mut done, mut kept) = (Instant::now(), 0, Vec::new());
    let (mut unready, mut failed) = (0, 0);
    hosts::each(
        hosts,
        args.jobs,
        |host| scan(args, host, roots, |_, _| ()),
        |host, scanned| {
            done += 1;
            out.end_progress();
            match &scanned {
                Ok(scanned) => unready += u32::from(scanned.failure_reason().is_some()),
                Err(_) => failed += 1,
            }
            match scanned {
                scanned if args.format == Format::Sarif => kept.push((host, scanned)),
                Ok(scanned) => {
                    if done > 1 && !out.is_json() {
                        out.print(&text::BlankLine)?;
                    }
                    out.print(&scanned)?;
                }
                Err(error) if out.is_json() => out.print(&document::ScanFailure::new(host, error))?,
                Err(error) => out.warn(error),
            }
            out.progress(start, format_args!("{done} of {}", format_count(hosts.len(), "server")));
            Ok(())
        },
    )?;
    out.end_progress();
    if args.format == Format::Sarif {
        let kept: Vec<_> =
            kept.iter().map(|(host, scanned)| scanned.as_ref().map_err(|error| (*host, error))).collect();
        out.print_json(&sarif::sarif_document(&kept))?;
    }
    let all = format_count(hosts.len(), "server");
    match (unready, failed) {
        (0, 0) => Ok(()),
        (0, failed) => {
            Err(Error::failure(format_args!("{failed} of {all} could not be scanned")).mark_in_json_output())
        }
        (unready, 0) => {
            Err(Error::mismatch(format_args!("{unready} of {all} not ready")).mark_in_json_output())
        }
        (unready, failed) => {
            let problem = format_args!("{unready} of {all} not ready, and {failed} could not be scanned");
            Err(Error::mismatch(problem).mark_in_json_output())
        }
    }
}

/// Scans one server. `progress` is called with the number of codepoints scanned so far and their total.
fn scan(
    args: &Args,
    host: &str,
    roots: Option<&Roots>,
    progress: impl FnMut(usize, usize),
) -> Result<ScanResult, Error> {
    let (host, address) = host_and_address(host, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.clone().unwrap_or(host);
    let scan = Scan {
        address,
        name,
        start_tls: args.starttls,
        interval: Duration::from_secs(1) / args.rate,
        batch: NonZeroUsize::from(args.batch),
        timeout: args.timeout,
        time_limit: args.timeout.saturating_mul(MAX_TIMEOUTS),
    };
    let found = scan.run(progress)?;
    Ok(ScanResult::new(scan.address, &found, roots.map(|roots| (roots, scan.name.as_str()))))
}
