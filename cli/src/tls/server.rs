//! `grille tls server`.

use super::key_log::key_log;
use super::options::{Options, PORT, Style, list_ciphers, quantum_safe_only, roots, session_age};
use super::throughput::{Throughput, echo};
use super::{lines, report};
use crate::arguments::port;
use crate::error::Error;
use crate::output::{Output, Report, counted};
use grille_tls::{DEFAULT_MAX_SESSION_AGE, Identity, Preferences, Server, ServerOptions, groups};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Serve: what clients say is printed, each message is answered.
#[derive(clap::Args)]
#[command(after_help = include_str!("help.txt"))]
pub(super) struct Args {
    /// Roots of the clients (PEM), may be given several times: clients must show a certificate that one of them issued.
    #[arg(long, visible_alias = "CAfile", value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Ask clients for no certificate and no key, whatever --ca or --peer-key says.
    #[arg(long)]
    anonymous: bool,
    /// Of the groups that a client has, take this side's first, not the client's, and ask for its key share if the client
    /// sent none (HelloRetryRequest).
    #[arg(long, visible_alias = "serverpref")]
    own_order: bool,
    /// Give clients no tickets, so that none can resume a session.
    #[arg(long)]
    no_tickets: bool,
    /// Resume no session whose full handshake is longer ago, however often its tickets were renewed; at most 604800 (7 days).
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEFAULT_MAX_SESSION_AGE.as_secs(),
        value_parser = session_age(),
        conflicts_with = "no_tickets"
    )]
    max_session_age: u64,
    /// Take so many bytes of early data (0-RTT) of clients that resume a session. This server resumes each once, so that
    /// what somebody recorded is not taken a second time; it is printed, and not answered. At most 1048576.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(..=1 << 20),
        conflicts_with = "no_tickets"
    )]
    early_data: u32,
    /// The port to listen on; 0 takes a free one.
    #[arg(long, visible_alias = "accept", default_value_t = PORT, value_parser = port)]
    port: u16,
    /// The address to listen on; 0.0.0.0 or :: for all.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: String,
    /// Stop after this many connections.
    #[arg(long, visible_alias = "naccept", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Stop after one connection.
    #[arg(long, conflicts_with = "count")]
    once: bool,
    /// The answer to each message.
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "I hear you fa shizzle!",
        conflicts_with = "throughput"
    )]
    reply: String,
    #[command(flatten)]
    options: Options,
}

/// Serves until enough clients came, or for ever; a client that fails is a warning, unless it was the only one.
///
/// # Errors
/// If the port cannot be had, or with `--once` if the connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.options.list_ciphers {
        return list_ciphers(out);
    }
    let identities = args.options.identities()?;
    if identities.is_empty() {
        return Err(Error::usage("a server needs a certificate and its private key")
            .advise("give --cert and --key, or --raw-public-key and --key"));
    }
    let demanded = quantum_safe_only(&identities, args.options.offer.profile);
    let host = if args.bind.contains(':') { format!("[{}]", args.bind) } else { args.bind.clone() };
    let server = Server::bind(&format!("{host}:{}", args.port), options(args, identities, out)?)?;
    if let Some(signatures) = demanded.filter(|_| args.options.style == Style::Grille) {
        out.warn(format_args!(
            "clients that cannot verify {signatures} are refused; a second --cert and --key, of ECDSA or RSA, lets them in"
        ));
    }
    out.serve()?;
    match args.options.style {
        Style::Wolfssl if !out.is_json() => lines::begin(&args.options, out)?,
        _ => out.listening(server.local_addr()?)?,
    }
    let count = if args.once { Some(1) } else { args.count };
    let manner = Manner {
        reply: args.reply.clone().into_bytes(),
        update_keys: args.options.update_keys,
        throughput: args.options.throughput,
        style: args.options.style,
    };
    let (came, coming) = sync_channel(1);
    let clients = accept(Arc::new(server), count, Arc::new(manner), came);
    if let Some(patience) = args.options.wanted_timeout().filter(|_| args.once)
        && coming.recv_timeout(patience).is_err()
    {
        let waited = format!("no client came within {}", counted(patience.as_secs(), "second"));
        return Err(Error::failure(waited).advise("--timeout says how long one may take"));
    }
    clients.iter().try_for_each(|client| tell(client, args, out))
}

/// What the library is told; whoever uses what is retired is told, too.
///
/// `identities`: at least one.
fn options(args: &Args, mut identities: Vec<Identity>, out: &Output) -> Result<ServerOptions, Error> {
    let preferences = preferences(args, out)?;
    let (client_roots, client_keys) = match args.anonymous {
        true => (Vec::new(), Vec::new()),
        false => (roots(&args.ca, args.options.offer.profile)?, args.options.peer_keys()?),
    };
    args.options.warn_of_keys(&identities, &client_roots, &client_keys, out);
    let identity = identities.remove(0);
    Ok(ServerOptions {
        preferences,
        own_order: args.own_order,
        more_identities: identities,
        client_roots,
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

/// As wolfSSL's server does, one with its lines takes curves alone too, unless it is told its groups.
fn preferences(args: &Args, out: &Output) -> Result<Preferences, Error> {
    let mut preferences = args.options.offer.preferences(out)?;
    if args.options.style == Style::Wolfssl && preferences.groups.is_empty() {
        let numbers = preferences.numbers;
        let curves = numbers.kems().into_iter().filter(|group| group.category == 0);
        preferences.groups = groups::default_groups(numbers).into_iter().chain(curves).collect();
    }
    Ok(preferences)
}

/// What came of one client, or why nothing did.
type Client = Result<Served, Error>;

/// A connection that has ended.
struct Served {
    report: grille_tls::Report,
    /// What the client said before the handshake was over, and after it.
    early: Vec<u8>,
    said: Vec<u8>,
    /// In place of that, if it was asked for.
    throughput: Option<Throughput>,
}

/// No more clients than this are served at once.
const AT_ONCE: usize = 64;

/// No client is listened to beyond this many bytes: they are kept until it says goodbye.
const MOST: usize = 1 << 20;

/// How each client is served.
struct Manner {
    /// The answer to each message.
    reply: Vec<u8>,
    /// Whether the keys are changed before the first.
    update_keys: bool,
    /// In place of messages, how many bytes are sent back.
    throughput: Option<u64>,
    style: Style,
}

/// Accepts clients and serves each in a thread of its own; `came` hears of the first, whatever becomes of it.
fn accept(
    server: Arc<Server>,
    count: Option<u64>,
    manner: Arc<Manner>,
    came: SyncSender<()>,
) -> Receiver<Client> {
    let (sender, receiver) = sync_channel(AT_ONCE);
    let (permit, returned) = sync_channel::<()>(AT_ONCE);
    let returned = Arc::new(std::sync::Mutex::new(returned));
    thread::spawn(move || {
        for _ in 0..count.unwrap_or(u64::MAX) {
            let accepted = server.accept();
            // nobody listens after the first, if anybody listens at all
            let _ = came.try_send(());
            if accepted.is_err() {
                // what fails now fails again at once, for want of descriptors for example
                thread::sleep(Duration::from_millis(100));
            }
            // waits here while AT_ONCE clients are being served
            if permit.send(()).is_err() {
                return;
            }
            let (server, sender, manner, returned) =
                (server.clone(), sender.clone(), manner.clone(), returned.clone());
            thread::spawn(move || {
                let client = accepted.and_then(|(socket, peer)| serve(&server, socket, peer, &manner));
                // the main thread may have stopped listening
                let _ = sender.send(client.map_err(Error::from));
                if let Ok(returned) = returned.lock() {
                    let _ = returned.recv();
                }
            });
        }
    });
    receiver
}

/// Answers each message until the client says goodbye.
fn serve(
    server: &Server,
    socket: TcpStream,
    peer: SocketAddr,
    manner: &Manner,
) -> Result<Served, grille_tls::Error> {
    let mut connection = server.handshake(socket, peer)?;
    if manner.update_keys {
        connection.update_keys()?;
    }
    let broken = |e| grille_tls::Error::from_io(format!("the connection with {peer}"), e);
    if let Some(bytes) = manner.throughput {
        let throughput = Some(echo(&mut connection, bytes, manner.style).map_err(broken)?);
        let (early, said) = (Vec::new(), Vec::new());
        return Ok(Served { report: connection.close()?, early, said, throughput });
    }
    let early = connection.early_data().to_vec();
    let (mut said, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        match connection.read(&mut buffer).map_err(broken)? {
            0 => break,
            len if early.len() + said.len() + len > MOST => {
                let reason = format!("it said more than {} KiB", MOST >> 10);
                return Err(broken(io::Error::new(io::ErrorKind::FileTooLarge, reason)));
            }
            len => {
                said.extend_from_slice(&buffer[..len]);
                connection.write_all(&manner.reply).map_err(broken)?;
            }
        }
    }
    Ok(Served { report: connection.close()?, early, said, throughput: None })
}

fn tell(client: Client, args: &Args, out: &mut Output) -> Result<(), Error> {
    let Served { report: finished, early, said, throughput } = match client {
        Ok(served) => served,
        Err(error) if args.once => return Err(error),
        Err(error) => {
            out.warn(error);
            return Ok(());
        }
    };
    if let Some(throughput) = throughput {
        if args.options.style == Style::Wolfssl && !out.is_json() {
            lines::connected(&finished, out)?;
        }
        return out.print(&throughput);
    }
    let connection = report::Connection::from(&finished).hearing_early(&early).hearing(&said);
    if out.is_json() {
        return out.print(&connection);
    }
    if args.options.style == Style::Wolfssl {
        lines::connected(&finished, out)?;
    }
    if args.options.verbose {
        connection.human(out)?;
        writeln!(out)?;
    }
    if args.options.style == Style::Wolfssl {
        write!(out, "Client message: ")?;
    }
    quote(&early, &said, out)
}

/// A line for the early data, if there was any, and a line for the rest, even if it is empty.
fn quote(early: &[u8], said: &[u8], out: &mut Output) -> Result<(), Error> {
    if !early.is_empty() {
        out.foreign(early)?;
        writeln!(out)?;
    }
    out.foreign(said)?;
    writeln!(out)?;
    Ok(out.flush()?)
}
