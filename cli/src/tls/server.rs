//! `grille tls server`: serves TLS clients.

use super::key_log::key_log;
use super::loopback::WOLFSSL_MESSAGES;
use super::options::{MAKE_CHAIN, Options, PORT, Style, list_ciphers, quantum_safe_only, roots, session_age};
use super::throughput::{Throughput, echo};
use super::{report, wolfssl_output};
use crate::arguments::{address, port};
use crate::cert::read_crls;
use crate::error::Error;
use crate::output::{Output, Report, format_count};
use grille_tls::{DEFAULT_MAX_SESSION_AGE, Identity, Preferences, Server, ServerOptions, groups};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Serve TLS clients for tests: print their messages and answer each one.
///
/// For service to untrusted clients, use `grille proxy`. At most 64 clients are served at once, and a connection ends
/// 20 times --timeout after its handshake.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  grille tls server --cert certs/entity_cert.pem --key certs/entity_key.pem
  grille tls server --cert certs/entity_cert.pem --key certs/entity_key.pem \\
      --ca clients.pem --once -v

", include_str!("help.txt")))]
pub(super) struct Args {
    /// Require client certificates issued by a root in this file (PEM); may be repeated.
    #[arg(long, alias = "CAfile", value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Refuse clients whose certificate is on the revocation lists in this file (PEM or DER); may be repeated. Every CA
    /// of the chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "ca", conflicts_with = "anonymous")]
    crl: Vec<PathBuf>,
    /// Request no certificates or keys from clients, even with --ca or --peer-key.
    #[arg(long)]
    anonymous: bool,
    /// Prefer the server's group order over the client's, and request a missing key share (HelloRetryRequest).
    #[arg(long, alias = "serverpref")]
    own_order: bool,
    /// Give clients no tickets, so that they cannot resume sessions.
    #[arg(long)]
    no_tickets: bool,
    /// Refuse to resume a session this many seconds after its full handshake, even if its tickets were renewed; at most
    /// 604800 (7 days).
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEFAULT_MAX_SESSION_AGE.as_secs(),
        value_parser = session_age(),
        conflicts_with = "no_tickets"
    )]
    max_session_age: u64,
    /// Accept this many bytes of early data (0-RTT) from clients that resume a session, at most 1048576 [default: 0].
    /// The server prints early data without answering it, and resumes each session only once, which prevents replay.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(..=1 << 20),
        conflicts_with = "no_tickets"
    )]
    early_data: u32,
    /// Listen on this port; 0 picks a free one.
    #[arg(long, alias = "accept", default_value_t = PORT, value_parser = port)]
    port: u16,
    /// Listen on this address; 0.0.0.0 or :: means all addresses.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    bind: String,
    /// Stop after this many connections.
    #[arg(long, alias = "naccept", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Stop after one connection.
    #[arg(long, conflicts_with = "count")]
    once: bool,
    /// Answer each message with this text [default: "hello from grille", or wolfSSL's with --style wolfssl].
    #[arg(long, value_name = "TEXT", conflicts_with = "throughput")]
    reply: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// The default answer, except in wolfSSL's style.
const REPLY: &str = "hello from grille";

/// Serves the requested number of clients, or forever. A failed client is a warning, or an error with `--once`.
///
/// # Errors
/// Returns an error if the port is not available, or with `--once` if the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.options.list_ciphers {
        return list_ciphers(out);
    }
    let identities = args.options.identities()?;
    if identities.is_empty() {
        return Err(Error::usage("no certificate and no private key").advise(MAKE_CHAIN));
    }
    let demanded = quantum_safe_only(&identities, args.options.offer.profile);
    let host = if args.bind.contains(':') { format!("[{}]", args.bind) } else { args.bind.clone() };
    let server = Server::bind(&format!("{host}:{}", args.port), options(args, identities, out)?)?;
    if let Some(signatures) = demanded.filter(|_| args.options.style == Style::Grille) {
        out.warn(format_args!(
            "clients that cannot verify {signatures} cannot connect; add a second --cert and --key with ECDSA or RSA for them"
        ));
    }
    out.queue_warnings()?;
    match args.options.style {
        Style::Wolfssl if !out.is_json() => wolfssl_output::write_groups(&args.options, out)?,
        _ => out.print_listening(server.local_addr()?)?,
    }
    let count = if args.once { Some(1) } else { args.count };
    let default_reply = match args.options.style {
        Style::Grille => REPLY,
        Style::Wolfssl => WOLFSSL_MESSAGES.response,
    };
    let service = Service {
        reply: args.reply.as_deref().unwrap_or(default_reply).into(),
        update_keys: args.options.update_keys,
        throughput: args.options.throughput,
        style: args.options.style,
        time_limit: args.options.timeout().saturating_mul(MAX_TIMEOUTS),
    };
    let (arrived, first_arrival) = sync_channel(1);
    let clients = accept(Arc::new(server), count, Arc::new(service), arrived);
    if let Some(timeout) = args.options.given_timeout().filter(|_| args.once)
        && first_arrival.recv_timeout(timeout).is_err()
    {
        let waited = format!("no client connected within {}", format_count(timeout.as_secs(), "second"));
        return Err(Error::failure(waited).advise("wait longer with --timeout"));
    }
    clients.iter().try_for_each(|client| print_client(client, args, out))
}

/// Builds the library's options, and warns about retired algorithms in them.
///
/// `identities` must not be empty.
fn options(args: &Args, mut identities: Vec<Identity>, out: &Output) -> Result<ServerOptions, Error> {
    let preferences = preferences(args, out)?;
    let (client_roots, client_keys) = match args.anonymous {
        true => (Vec::new(), Vec::new()),
        false => (roots(&args.ca, args.options.offer.profile)?, args.options.peer_keys()?),
    };
    args.options.warn_about_keys(&identities, &client_roots, &client_keys, out);
    let identity = identities.remove(0);
    Ok(ServerOptions {
        preferences,
        prefer_server_order: args.own_order,
        more_identities: identities,
        client_roots,
        client_revocation: read_crls(&args.crl)?,
        client_keys,
        tickets: !args.no_tickets,
        max_session_age: Duration::from_secs(args.max_session_age),
        early_data: args.early_data,
        alpn: args.options.offer.alpn(),
        key_log: key_log(out)?,
        timeout: Some(args.options.timeout()),
        ..ServerOptions::new(identity)
    })
}

/// Returns the algorithms to offer. In wolfSSL's style and without `--groups`, classical curves are added, as in
/// wolfSSL's server.
fn preferences(args: &Args, out: &Output) -> Result<Preferences, Error> {
    let mut preferences = args.options.offer.preferences(out)?;
    if args.options.style == Style::Wolfssl && preferences.groups.is_empty() {
        let numbers = preferences.numbers;
        let curves = numbers.kems().into_iter().filter(|group| group.category == 0);
        preferences.groups = groups::default_groups(numbers).into_iter().chain(curves).collect();
    }
    Ok(preferences)
}

/// The result of one client's connection.
type Client = Result<ClientSession, Error>;

/// A connection that has ended.
struct ClientSession {
    report: grille_tls::Report,
    /// The client's early data.
    early: Vec<u8>,
    /// The client's data after the handshake.
    received: Vec<u8>,
    /// The times of a transfer, with `--throughput`.
    throughput: Option<Throughput>,
}

/// Maximum number of clients served at once.
const MAX_CLIENTS: usize = 64;

/// Maximum number of bytes accepted from a client; they are kept in memory until it closes the connection.
const MAX_RECEIVED: usize = 1 << 20;

/// The time limit of a connection after its handshake, as a multiple of the timeout.
const MAX_TIMEOUTS: u32 = 20;

/// The settings for serving each client.
struct Service {
    /// The answer to each message.
    reply: Vec<u8>,
    /// Whether to change the traffic keys before the first message.
    update_keys: bool,
    /// The number of bytes that the server sends back, instead of answering messages.
    throughput: Option<u64>,
    style: Style,
    /// The time limit for all messages of a client together.
    time_limit: Duration,
}

/// Accepts clients and serves each in its own thread. `arrived` is signalled when the first client connects.
fn accept(
    server: Arc<Server>,
    count: Option<u64>,
    service: Arc<Service>,
    arrived: SyncSender<()>,
) -> Receiver<Client> {
    let (sender, receiver) = sync_channel(MAX_CLIENTS);
    let (permit, returned) = sync_channel::<()>(MAX_CLIENTS);
    let returned = Arc::new(std::sync::Mutex::new(returned));
    thread::spawn(move || {
        for _ in 0..count.unwrap_or(u64::MAX) {
            let accepted = server.accept();
            // there is at most one receiver, and it waits only for the first client
            let _ = arrived.try_send(());
            if accepted.is_err() {
                // a failure such as too few descriptors would repeat at once
                thread::sleep(Duration::from_millis(100));
            }
            // blocks while MAX_CLIENTS clients are being served
            if permit.send(()).is_err() {
                return;
            }
            let (server, sender, service, returned) =
                (server.clone(), sender.clone(), service.clone(), returned.clone());
            thread::spawn(move || {
                let client = accepted.and_then(|(socket, peer)| serve(&server, socket, peer, &service));
                // the main thread may have stopped receiving
                let _ = sender.send(client.map_err(Error::from));
                if let Ok(returned) = returned.lock() {
                    let _ = returned.recv();
                }
            });
        }
    });
    receiver
}

/// Answers each message until the client closes the connection.
fn serve(
    server: &Server,
    socket: TcpStream,
    peer: SocketAddr,
    service: &Service,
) -> Result<ClientSession, grille_tls::Error> {
    let mut connection = server.handshake(socket, peer)?;
    connection.set_deadline(Instant::now().checked_add(service.time_limit));
    if service.update_keys {
        connection.update_keys()?;
    }
    let broken = |e| grille_tls::Error::from_io(format!("the connection with {peer}"), e);
    if let Some(bytes) = service.throughput {
        let throughput = Some(echo(&mut connection, bytes, service.style).map_err(broken)?);
        let (early, received) = (Vec::new(), Vec::new());
        return Ok(ClientSession { report: connection.close()?, early, received, throughput });
    }
    let early = connection.early_data().to_vec();
    let (mut received, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match connection.read(&mut buffer).map_err(broken)? {
            0 => break,
            len if early.len() + received.len() + len > MAX_RECEIVED => {
                let reason = format!("the client sent more than {} KiB", MAX_RECEIVED >> 10);
                return Err(broken(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
            }
            len => {
                received.extend_from_slice(&buffer[..len]);
                connection.write_all(&service.reply).map_err(broken)?;
            }
        }
    }
    Ok(ClientSession { report: connection.close()?, early, received, throughput: None })
}

/// Prints the result of one client's connection.
fn print_client(client: Client, args: &Args, out: &mut Output) -> Result<(), Error> {
    let ClientSession { report: finished, early, received, throughput } = match client {
        Ok(served) => served,
        Err(error) if args.once => return Err(error),
        Err(error) => {
            out.warn(error);
            return Ok(());
        }
    };
    if let Some(throughput) = throughput {
        if args.options.style == Style::Wolfssl && !out.is_json() {
            wolfssl_output::write_connected(&finished, out)?;
        }
        return out.print(&throughput);
    }
    let connection =
        || report::Connection::from(&finished).with_received_early(&early).with_received(&received);
    if out.is_json() {
        return out.print(&connection());
    }
    if args.options.style == Style::Wolfssl {
        wolfssl_output::write_connected(&finished, out)?;
    }
    if args.options.verbose {
        connection().write_text(out)?;
        writeln!(out)?;
    }
    if args.options.style == Style::Wolfssl {
        write!(out, "Client message: ")?;
    }
    print_received(&early, &received, out)
}

/// Prints a line with the early data, if there was any, and a line with the other data, even if it is empty.
fn print_received(early: &[u8], received: &[u8], out: &mut Output) -> Result<(), Error> {
    if !early.is_empty() {
        out.print_peer_bytes(early)?;
        writeln!(out)?;
    }
    out.print_peer_bytes(received)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::super::test_identity::{NAME, TestIdentity};
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn ends_connections_of_trickling_clients() {
        let row = grille_registry::signature_by_name("ECDSA-P256").unwrap();
        let (server, client) =
            TestIdentity::generate(row).unwrap().server_and_client(Preferences::default(), false).unwrap();
        let (address, is_over) = (server.local_addr().unwrap().to_string(), &AtomicBool::new(false));
        let service = Service {
            reply: b"hello".to_vec(),
            update_keys: false,
            throughput: None,
            style: Style::Grille,
            time_limit: Duration::from_millis(500),
        };
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut connection = client.connect(&address, NAME).unwrap();
                // Every single message arrives in time.
                while !is_over.load(Ordering::Acquire) && connection.write_all(b"x").is_ok() {
                    thread::sleep(Duration::from_millis(50));
                }
            });
            let (socket, peer) = server.accept().unwrap();
            let ended = serve(&server, socket, peer, &service);
            is_over.store(true, Ordering::Release);
            let Err(grille_tls::Error::Io { source, .. }) = ended else { panic!("the client was not ended") };
            assert!(matches!(source.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{source}");
        });
    }
}
