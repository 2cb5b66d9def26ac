//! `grille tls client`.

use super::key_log::key_log;
use super::options::{Options, PORT, Style, list_ciphers, roots};
use super::{lines, report, throughput};
use crate::arguments::{host, host_and_address};
use crate::error::Error;
use crate::output::{Output, Report, counted};
use clap::ArgGroup;
use grille_tls::{Check, Client, ClientOptions, Connection, EarlyData};
use serde::Serialize;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// Connect: standard input is sent, answers are printed.
#[derive(clap::Args)]
#[command(after_help = include_str!("help.txt"))]
#[command(group = ArgGroup::new("trust").required(true).multiple(true).args(["ca", "peer_key", "insecure", "list_ciphers"]))]
pub(super) struct Args {
    /// Host and port of the server; port 11111 if none is given.
    #[arg(value_name = "HOST[:PORT]", default_value = "localhost", value_parser = host)]
    address: String,
    /// Roots to trust (PEM); may be given several times.
    #[arg(long, visible_alias = "CAfile", value_name = "FILE")]
    ca: Vec<PathBuf>,
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
    let roots = roots(&args.ca, args.options.offer.profile)?;
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
    let (host, address) = host_and_address(&args.address, PORT);
    let name = args.servername.as_deref().unwrap_or(host);
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
    let (host, address) = host_and_address(&args.address, PORT);
    let name = args.servername.as_deref().unwrap_or(host);
    let mut connection = client.connect_with_early_data(&address, name, early.as_bytes())?;
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
    let said = match &args.message {
        Some(text) => ask(&mut connection, text).map_err(|e| broken(&address, e))?,
        None => {
            let mut said = Said { out, keep: Vec::new() };
            converse(&mut connection, &address, args.options.timeout(), &mut said)?;
            said.keep
        }
    };
    let finished = connection.close()?;
    if out.is_json() {
        return out.print(&report::Connection::from(&finished).hearing(&said));
    }
    if args.message.is_some() {
        out.foreign(&said)?;
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

/// What the connection, and not the output, is to blame for.
fn broken(address: &str, error: io::Error) -> Error {
    grille_tls::Error::from_io(format!("the connection with {address}"), error).into()
}

/// Sends one message and waits for the answer: until the peer says goodbye, or no more of it has come for a while.
fn ask(connection: &mut Connection, text: &str) -> io::Result<Vec<u8>> {
    connection.write_all(text.as_bytes())?;
    let patience = connection.socket().read_timeout()?;
    let (mut answer, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match connection.read(&mut buffer) {
            Ok(0) => break,
            Err(error) if !answer.is_empty() && (is_silence(&error) || is_end(&error)) => break,
            len => answer.extend_from_slice(&buffer[..len?]),
        }
        connection.socket().set_read_timeout(Some(MORE))?;
    }
    connection.socket().set_read_timeout(patience)?;
    Ok(answer)
}

/// Whether nothing came in time.
fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Whether the peer is gone without goodbye: many servers just close after their last word.
fn is_end(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}

/// For how long the rest of an answer is waited for.
const MORE: Duration = Duration::from_millis(100);

/// What the peer said: printed at once for people, kept for the document.
struct Said<'a> {
    out: &'a mut Output,
    keep: Vec<u8>,
}

impl Said<'_> {
    fn hear(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.out.is_json() {
            self.keep.extend_from_slice(bytes);
            return Ok(());
        }
        self.out.foreign(bytes)
    }
}

/// How often each of the two sources is looked at while both are silent.
const TURN: Duration = Duration::from_millis(20);

/// Carries standard input to the peer and its answers to `said`, until the peer has said goodbye, or `patience` long
/// nothing has come after the end of the input.
fn converse(
    connection: &mut Connection,
    address: &str,
    patience: Duration,
    said: &mut Said<'_>,
) -> Result<(), Error> {
    let broken = |e| broken(address, e);
    connection.socket().set_read_timeout(Some(TURN)).map_err(broken)?;
    let mut input = Some(lines_of_stdin());
    let mut last = Instant::now();
    let mut buffer = vec![0; 1 << 16];
    loop {
        if let Some(source) = &input {
            match source.try_recv() {
                Ok(bytes) => connection.write_all(&bytes.map_err(|e| unread(&e))?).map_err(broken)?,
                Err(TryRecvError::Empty) => (),
                Err(TryRecvError::Disconnected) => {
                    connection.end_sending()?;
                    (input, last) = (None, Instant::now());
                }
            }
        }
        match connection.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(len) => {
                said.hear(&buffer[..len])?;
                last = Instant::now();
            }
            Err(e) if is_silence(&e) => {
                if input.is_none() && last.elapsed() > patience {
                    return Ok(());
                }
            }
            Err(e) if is_end(&e) => return Ok(()),
            Err(e) => return Err(broken(e)),
        }
    }
}

/// Standard input in pieces as they come; the thread ends with the input, after its error, or with the process.
fn lines_of_stdin() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(4);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 14];
        loop {
            let piece = match io::stdin().read(&mut buffer) {
                Ok(0) => return,
                Ok(len) => Ok(buffer[..len].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let failed = piece.is_err();
            if sender.send(piece).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

fn unread(error: &io::Error) -> Error {
    Error::failure(format_args!("cannot read: {error}")).at_place("standard input")
}
