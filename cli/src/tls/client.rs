//! `grille tls client`: connects to a TLS server.

use super::exchange::{Exchange, connection_error};
use super::key_log::key_log;
use super::options::{Options, PORT, Style, list_ciphers, roots, start_tls};
use super::system_roots::system_roots;
use super::{report, throughput, wolfssl_output};
use crate::arguments::{host, host_and_address};
use crate::cert::read_crls;
use crate::error::Error;
use crate::output::{Output, Report, format_count};
use clap::ArgGroup;
use grille_tls::{Check, Client, ClientOptions, Connection, EarlyData, StartTls};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Connect to a TLS server, send standard input or --message, and print the answer.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  grille tls client localhost --ca certs/root_cert.pem --message hello -v
  grille tls client example.org:443 --system-roots </dev/null -v
  grille tls client mail.example.org --starttls smtp --system-roots </dev/null

", include_str!("help.txt")))]
#[command(group = ArgGroup::new("trust").required(true).multiple(true).args(["ca", "system_roots", "peer_key", "insecure", "list_ciphers"]))]
pub(super) struct Args {
    /// Connect to this host [default port: that of --starttls, or else 11111].
    #[arg(value_name = "HOST[:PORT]", default_value = "localhost", value_parser = host)]
    address: String,
    /// Trust the roots in this file (PEM); may be repeated.
    #[arg(long, alias = "CAfile", value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Trust the roots of the operating system, too.
    #[arg(long, conflicts_with = "peer_key")]
    system_roots: bool,
    /// Refuse a server whose certificate is on the revocation lists in this file (PEM or DER); may be repeated. Every
    /// CA of the chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["peer_key", "insecure"])]
    crl: Vec<PathBuf>,
    /// Start TLS inside this protocol: smtp, imap, pop3, xmpp, ldap, postgresql or mysql.
    #[arg(long, value_name = "PROTOCOL", value_parser = start_tls)]
    starttls: Option<StartTls>,
    /// Accept any name in the certificate, as long as it chains to a trusted root.
    #[arg(long)]
    any_name: bool,
    /// Accept any certificate, for tests only: an attacker can impersonate the server.
    #[arg(long, conflicts_with = "peer_key")]
    insecure: bool,
    /// Send only an unsupported key share, so that the server requests another one (HelloRetryRequest).
    #[arg(long)]
    retry: bool,
    /// Require this name in the server's certificate [default: the host].
    #[arg(long, value_name = "NAME")]
    servername: Option<String>,
    /// Send this text instead of standard input.
    #[arg(long, value_name = "TEXT", conflicts_with = "throughput")]
    message: Option<String>,
    /// Connect twice, and resume the first session in the second connection.
    #[arg(long, alias = "reconnect")]
    resume: bool,
    /// With --resume: send this text as early data (0-RTT) of the second connection, and again after the handshake if
    /// the server refuses it. An attacker can replay early data, so use it only for requests that are safe to repeat.
    #[arg(long, value_name = "TEXT", requires = "resume", conflicts_with = "throughput")]
    early_data: Option<String>,
    /// Connect this many times in sequence, and print the mean time of a full handshake.
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..))]
    connections: Option<u32>,
    #[command(flatten)]
    options: Options,
}

/// Connects, exchanges data, and closes.
///
/// # Errors
/// Returns an error if options contradict each other, or the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.options.list_ciphers {
        return list_ciphers(out);
    }
    if args.resume && args.message.is_none() && args.options.throughput.is_none() {
        return Err(Error::usage("--resume needs a text to send twice").advise("give it with --message"));
    }
    refuse_empty("--message", args.message.as_deref())?;
    refuse_empty("--early-data", args.early_data.as_deref())?;
    if args.insecure {
        out.warn("certificates are not checked: an attacker can impersonate the server");
    }
    let client = Client::new(options(args, out)?)?;
    match args.connections {
        Some(count) => handshakes(&client, args, count, out),
        None => {
            session(&client, args, "", out)?;
            if args.resume {
                session(&client, args, args.early_data.as_deref().unwrap_or(""), out)
            } else {
                Ok(())
            }
        }
    }
}

/// Builds the library's options, and warns about retired algorithms in them.
fn options(args: &Args, out: &Output) -> Result<ClientOptions, Error> {
    let preferences = args.options.offer.preferences(out)?;
    let named = roots(&args.ca, args.options.offer.profile)?;
    let roots = if args.system_roots { [named, system_roots(Some(out))?].concat() } else { named };
    let (server_keys, identity) = (args.options.peer_keys()?, args.options.identity()?);
    args.options.warn_about_keys(identity.as_ref(), &roots, &server_keys, out);
    Ok(ClientOptions {
        preferences,
        roots,
        revocation: read_crls(&args.crl)?,
        server_keys,
        check: match (args.insecure, args.any_name) {
            (true, _) => Check::DangerousAcceptAny,
            (false, true) => Check::AnyName,
            (false, false) => Check::Named,
        },
        retry: args.retry,
        resume: args.resume,
        early_data: args.early_data.is_some(),
        identity,
        alpn: args.options.offer.alpn(),
        key_log: key_log(out)?,
        start_tls: args.starttls,
        timeout: Some(args.options.timeout()),
    })
}

/// Refuses an empty text: nothing would be sent, and the server would never answer.
fn refuse_empty(option: &str, text: Option<&str>) -> Result<(), Error> {
    match text {
        Some("") => Err(Error::usage("the text is empty").with_place(option).advise("give a text to send")),
        _ => Ok(()),
    }
}

/// Runs handshakes without data, and prints the mean of their times.
fn handshakes(client: &Client, args: &Args, count: u32, out: &mut Output) -> Result<(), Error> {
    let (host, address) = host_and_address(&args.address, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.as_deref().unwrap_or(&host);
    let start = Instant::now();
    let mut time = Duration::ZERO;
    for done in 1..=count {
        let report = client.connect(&address, name)?.close()?;
        time += report.handshake_time;
        out.progress(start, format_args!("{done} of {}", format_count(count, "connection")));
    }
    out.end_progress();
    out.print(&Handshakes {
        style: args.options.style,
        connections: count,
        mean_milliseconds: time.as_secs_f64() * 1e3 / f64::from(count),
    })
}

#[derive(Serialize)]
struct Handshakes {
    #[serde(skip)]
    style: Style,
    connections: u32,
    mean_milliseconds: f64,
}

impl Report for Handshakes {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let Self { style, connections, mean_milliseconds } = self;
        match style {
            Style::Wolfssl => writeln!(out, "wolfSSL_connect avg took: {mean_milliseconds:8.3} milliseconds"),
            Style::Grille => {
                let handshakes = format_count(connections, "handshake");
                writeln!(out, "{handshakes}, {mean_milliseconds:.3} ms on average")
            }
        }
    }
}

/// Runs one connection. `early` is the early data that the client sends in its first flight.
fn session(client: &Client, args: &Args, early: &str, out: &mut Output) -> Result<(), Error> {
    let (host, address) = host_and_address(&args.address, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.as_deref().unwrap_or(&host);
    let mut connection = client.connect_with_early_data(&address, name, early.as_bytes())?;
    connection.restart_deadline();
    send_rest(&mut connection, early, out).map_err(|e| connection_error(&address, e))?;
    if args.options.style == Style::Wolfssl && !out.is_json() {
        wolfssl_output::write_groups(&args.options, out)?;
        wolfssl_output::write_connected(&connection.report(), out)?;
    }
    if args.options.verbose && !out.is_json() {
        report::Connection::from(&connection.report()).write_text(out)?;
        writeln!(out)?;
        out.flush()?;
    }
    if args.options.update_keys {
        connection.update_keys()?;
    }
    if let Some(bytes) = args.options.throughput {
        let took = throughput::measure(&mut connection, bytes, args.options.style);
        let took = took.map_err(|e| connection_error(&address, e))?;
        connection.close()?;
        return out.print(&took);
    }
    let mut exchange = Exchange::new(&mut connection, &address, args.options.timeout(), out);
    match &args.message {
        Some(text) => exchange.send_and_receive(text)?,
        None => exchange.relay_stdin()?,
    }
    let answer = exchange.into_answer();
    let finished = connection.close()?;
    if out.is_json() {
        return out.print(&report::Connection::from(&finished).with_received(&answer));
    }
    if args.message.is_some() {
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Sends the part of the early data that the server did not accept.
fn send_rest(connection: &mut Connection, early: &str, out: &Output) -> io::Result<()> {
    let (taken, why) = match connection.report().early_data {
        EarlyData::Accepted(len) if len < early.len() => (len, "the server accepts no more early data"),
        EarlyData::Accepted(len) => (len, ""),
        EarlyData::Refused(_) => (0, "the server refused the early data"),
        EarlyData::None => (0, "the server accepts no early data"),
    };
    let rest = &early.as_bytes()[taken..];
    if rest.is_empty() {
        return Ok(());
    }
    out.warn(format_args!("{why}: {} sent after the handshake instead", format_count(rest.len(), "byte")));
    connection.write_all(rest)
}
