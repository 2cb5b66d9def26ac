//! `grille tls scan`.

mod document;
mod hosts;
mod sarif;
mod text;
mod trust;

use super::options::{roots, start_tls};
use super::system_roots::system_roots;
use crate::arguments::{host, host_and_address};
use crate::error::Error;
use crate::output::{Output, counted};
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use document::Scanned;
use grille_registry::Numbers;
use grille_tls::StartTls;
use grille_tls::scan::Scan;
use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trust::Roots;

/// Find out which groups, signature schemes and certificates servers have, in every era.
///
/// Groups are asked for without key shares, in batches; each that is accepted costs a connection, and each batch one. Four
/// connections offer a classical and a quantum-safe group in either order. For each signature scheme there is one
/// handshake. A number that several algorithms had in turn is told by a key share where grille has one of them; all its
/// meanings are shown where nothing tells. Ask only servers that you may ask.
///
/// The exit code is 0 if every server is ready, and 1 if one is not, or cannot be scanned. A server that prefers classical groups is
/// not ready. Roots are checked only with --ca or --system-roots; then a chain that they do not trust counts, too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls scan example.org
  grille tls scan https://example.org/ --json | jq .verdict
  grille tls scan mail.example.org --starttls smtp --system-roots
  grille tls scan --list servers.txt --format sarif > scan.sarif")]
pub(super) struct Args {
    /// Host and port of each server. [default port: that of --starttls, else 443]
    #[arg(value_name = "HOST[:PORT]", value_parser = host, required_unless_present = "list")]
    hosts: Vec<String>,
    /// Scan the servers of this list, too: HOST or HOST:PORT in each line, # begins a comment; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Ask for TLS in this protocol first: smtp, imap, pop3, xmpp, ldap, postgresql or mysql.
    #[arg(long, value_name = "PROTOCOL", value_parser = start_tls)]
    starttls: Option<StartTls>,
    /// The name to ask for. [default: the host's]
    #[arg(long, value_name = "NAME")]
    servername: Option<String>,
    /// Check the certificates against these roots (PEM); may be given several times.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Check the certificates against the roots that the operating system trusts.
    #[arg(long)]
    system_roots: bool,
    /// The most connections per second to each server.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rate: u32,
    /// The most servers that are scanned at once.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// The most groups or schemes in one question.
    #[arg(long, value_name = "N", default_value = "48", value_parser = clap::value_parser!(u16).range(1..=512).try_map(NonZeroU16::try_from))]
    batch: NonZeroU16,
    /// Timeout in seconds for each connection, from connecting to its end.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::bench::seconds)]
    timeout: Duration,
    /// How the answer is written; --json is `--format json`.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    /// One document, or one in each line for several servers
    Json,
    /// For tools that show findings: SARIF 2.1.0
    Sarif,
}

/// The port of HTTPS.
const PORT: u16 = 443;

/// Scans and prints.
///
/// # Errors
/// If a server cannot be scanned, or is not ready.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let hosts = hosts::read(args)?;
    let roots = roots(&args.ca, Numbers::default())?;
    let roots = if args.system_roots { [roots, system_roots(Some(out))?].concat() } else { roots };
    let roots = Roots::new(&roots);
    let is_json = out.is_json() || args.format == Format::Json;
    let mut json = Output::new(true, true);
    let printer = if is_json && args.format != Format::Sarif { &mut json } else { &mut *out };
    match &hosts[..] {
        [host] if args.list.is_none() => one(args, host, roots.as_ref(), printer),
        hosts => several(args, hosts, roots.as_ref(), printer),
    }
}

/// Scans one server, and shows how far it is.
fn one(args: &Args, host: &str, roots: Option<&Roots>, out: &mut Output) -> Result<(), Error> {
    let start = Instant::now();
    let progress = |done, all| out.progress(start, format_args!("{done} of {all} numbers"));
    let scanned = scan(args, host, roots, progress);
    out.end_progress();
    let scanned = scanned?;
    match args.format {
        Format::Sarif => out.document(&sarif::document(&[Ok(&scanned)]))?,
        _ => out.print(&scanned)?,
    }
    match scanned.fault() {
        None => Ok(()),
        Some(fault) => Err(Error::mismatch(fault).at_place(&scanned.address).documented()),
    }
}

/// Scans several servers at a time, and prints each in the order of the list.
fn several(args: &Args, hosts: &[String], roots: Option<&Roots>, out: &mut Output) -> Result<(), Error> {
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
                Ok(scanned) => unready += u32::from(scanned.fault().is_some()),
                Err(_) => failed += 1,
            }
            match scanned {
                scanned if args.format == Format::Sarif => kept.push((host, scanned)),
                Ok(scanned) => {
                    if done > 1 && !out.is_json() {
                        out.print(&text::Gap)?;
                    }
                    out.print(&scanned)?;
                }
                Err(error) if out.is_json() => out.print(&document::Failed::new(host, error))?,
                Err(error) => out.warn(error),
            }
            out.progress(start, format_args!("{done} of {}", counted(hosts.len(), "server")));
            Ok(())
        },
    )?;
    out.end_progress();
    if args.format == Format::Sarif {
        let kept: Vec<_> =
            kept.iter().map(|(host, scanned)| scanned.as_ref().map_err(|error| (*host, error))).collect();
        out.document(&sarif::document(&kept))?;
    }
    let all = counted(hosts.len(), "server");
    match (unready, failed) {
        (0, 0) => Ok(()),
        (0, failed) => {
            Err(Error::failure(format_args!("{failed} of {all} could not be scanned")).documented())
        }
        (unready, 0) => Err(Error::mismatch(format_args!("{unready} of {all} not ready")).documented()),
        (unready, failed) => {
            let what = format_args!("of {all}, {unready} not ready and {failed} could not be scanned");
            Err(Error::mismatch(what).documented())
        }
    }
}

/// `progress`: is given how many numbers have been asked for, and how many there are.
fn scan(
    args: &Args,
    host: &str,
    roots: Option<&Roots>,
    progress: impl FnMut(usize, usize),
) -> Result<Scanned, Error> {
    let (host, address) = host_and_address(host, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.clone().unwrap_or(host);
    let scan = Scan {
        address,
        name,
        start_tls: args.starttls,
        interval: Duration::from_secs(1) / args.rate,
        batch: NonZeroUsize::from(args.batch),
        timeout: args.timeout,
    };
    let found = scan.run(progress)?;
    Ok(Scanned::new(scan.address, &found, roots.map(|roots| (roots, scan.name.as_str()))))
}
