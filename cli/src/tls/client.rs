//! `grille tls client`.

use super::key_log::key_log;
use super::options::{Options, PORT, Style, list_ciphers, roots, start_tls};
use super::system_roots::system_roots;
use super::talk::{Talk, broken};
use super::{lines, report, throughput};
use crate::arguments::{host, host_and_address};
use crate::error::Error;
use crate::output::{Output, Report, counted};
use clap::ArgGroup;
use grille_tls::{Check, Client, ClientOptions, Connection, EarlyData, StartTls};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Connect: standard input is sent, answers are printed.
#[derive(clap::Args)]
#[command(after_help = include_str!("help.txt"))]
#[command(group = ArgGroup::new("trust").required(true).multiple(true).args(["ca", "system_roots", "peer_key", "insecure", "list_ciphers"]))]
pub(super) struct Args {
    /// Host and port of the server. [default port: that of --starttls, else 11111]
    #[arg(value_name = "HOST[:PORT]", default_value = "localhost", value_parser = host)]
    address: String,
    /// Roots to trust (PEM); may be given several times.
    #[arg(long, visible_alias = "CAfile", value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Trust the roots of the operating system, too.
    #[arg(long, conflicts_with = "peer_key")]
    system_roots: bool,
    /// Ask for TLS in this protocol first: smtp, imap, pop3, xmpp, ldap, postgresql or mysql.
    #[arg(long, value_name = "PROTOCOL", value_parser = start_tls)]
    starttls: Option<StartTls>,
    /// Accept a certificate from these roots whatever name it is for.
    #[arg(long)]
    any_name: bool,
    /// Accept any certificate at all, for tests: whoever answers may be anyone.
    #[arg(long, conflicts_with = "peer_key")]
    insecure: bool,
    /// Send a key share that no server takes, so that it asks for another (HelloRetryRequest).
    #[arg(long)]
    retry: bool,
    /// The name that the server's certificate must have; the host's if not given.
    #[arg(long, value_name = "NAME")]
    servername: Option<String>,
    /// Send this and print the answer, in place of standard input.
    #[arg(long, value_name = "TEXT", conflicts_with = "throughput")]
    message: Option<String>,
    /// Connect twice; the second time resumes the first session.
    #[arg(long, visible_alias = "reconnect")]
    resume: bool,
    /// With --resume: say this in the first flight of the second connection (early data, 0-RTT), and again after the
    /// handshake if the server refuses it. Who records the flight can send it again: it must ask for nothing that does
    /// harm when it happens twice.
    #[arg(long, value_name = "TEXT", requires = "resume", conflicts_with = "throughput")]
    early_data: Option<String>,
    /// Connect so many times, one after the other, and print the mean time of a full handshake.
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..))]
    connections: Option<u32>,
    #[command(flatten)]
    options: Options,
}

/// Connects, talks, and says goodbye.
///
/// # Errors
/// One line: what, where, and what to do.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.options.list_ciphers {
        return list_ciphers(out);
    }
    if args.resume && args.message.is_none() && args.options.throughput.is_none() {
        return Err(Error::usage("--resume sends the same twice").advise("say what with --message"));
    }
    says_something("--message", args.message.as_deref())?;
    says_something("--early-data", args.early_data.as_deref())?;
    if args.insecure {
        out.warn("no certificate is checked: whoever answers may be anyone");
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

/// What the library is told; whoever uses what is retired is told, too.
fn options(args: &Args, out: &Output) -> Result<ClientOptions, Error> {
    let preferences = args.options.offer.preferences(out)?;
    let named = roots(&args.ca, args.options.offer.profile)?;
    let roots = if args.system_roots { [named, system_roots(Some(out))?].concat() } else { named };
    let (server_keys, identity) = (args.options.peer_keys()?, args.options.identity()?);
    args.options.warn_of_keys(identity.as_ref(), &roots, &server_keys, out);
    Ok(ClientOptions {
        preferences,
        roots,
        server_keys,
        check: match (args.insecure, args.any_name) {
            (true, _) => Check::Anyone,
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

/// What the option says must not be empty: nothing would be sent, and nothing would answer.
fn says_something(option: &str, text: Option<&str>) -> Result<(), Error> {
    match text {
        Some("") => {
            Err(Error::usage("an empty message is not sent").at_place(option).advise("say something"))
        }
        _ => Ok(()),
    }
}

/// Handshakes only, each ended at once, and the mean of their times.
fn handshakes(client: &Client, args: &Args, count: u32, out: &mut Output) -> Result<(), Error> {
    let (host, address) = host_and_address(&args.address, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.as_deref().unwrap_or(&host);
    let start = Instant::now();
    let mut time = Duration::ZERO;
    for done in 1..=count {
        let report = client.connect(&address, name)?.close()?;
        time += report.handshake_time;
        out.progress(start, format_args!("{done} of {}", counted(count, "connection")));
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
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let Self { style, connections, mean_milliseconds } = self;
        match style {
            Style::Wolfssl => writeln!(out, "wolfSSL_connect avg took: {mean_milliseconds:8.3} milliseconds"),
            Style::Grille => {
                let handshakes = counted(connections, "handshake");
                writeln!(out, "{handshakes}, {mean_milliseconds:.3} ms on average")
            }
        }
    }
}

/// `early`: what is said in the first flight.
fn session(client: &Client, args: &Args, early: &str, out: &mut Output) -> Result<(), Error> {
    let (host, address) = host_and_address(&args.address, args.starttls.map_or(PORT, StartTls::port));
    let name = args.servername.as_deref().unwrap_or(&host);
    let mut connection = client.connect_with_early_data(&address, name, early.as_bytes())?;
    connection.restart_deadline();
    say_rest(&mut connection, early, out).map_err(|e| broken(&address, e))?;
    if args.options.style == Style::Wolfssl && !out.is_json() {
        lines::begin(&args.options, out)?;
        lines::connected(&connection.report(), out)?;
    }
    if args.options.verbose && !out.is_json() {
        report::Connection::from(&connection.report()).human(out)?;
        writeln!(out)?;
        out.flush()?;
    }
    if args.options.update_keys {
        connection.update_keys()?;
    }
    if let Some(bytes) = args.options.throughput {
        let took = throughput::ask(&mut connection, bytes, args.options.style);
        let took = took.map_err(|e| broken(&address, e))?;
        connection.close()?;
        return out.print(&took);
    }
    let mut talk = Talk::new(&mut connection, &address, args.options.timeout(), out);
    match &args.message {
        Some(text) => talk.ask(text)?,
        None => talk.converse()?,
    }
    let answer = talk.into_answer();
    let finished = connection.close()?;
    if out.is_json() {
        return out.print(&report::Connection::from(&finished).hearing(&answer));
    }
    if args.message.is_some() {
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Says what the server has not taken of the early data.
fn say_rest(connection: &mut Connection, early: &str, out: &Output) -> io::Result<()> {
    let (taken, why) = match connection.report().early_data {
        EarlyData::Accepted(len) if len < early.len() => (len, "the server takes no more early data"),
        EarlyData::Accepted(len) => (len, ""),
        EarlyData::Refused(_) => (0, "the server refused the early data"),
        EarlyData::None => (0, "the server takes no early data"),
    };
    let rest = &early.as_bytes()[taken..];
    if rest.is_empty() {
        return Ok(());
    }
    out.warn(format_args!("{why}: {} of it said after the handshake", counted(rest.len(), "byte")));
    connection.write_all(rest)
}
