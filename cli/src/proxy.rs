//! `grille proxy`: a TLS-terminating and TLS-originating proxy for TCP.

mod bounds;
mod keys;

use crate::arguments::host_with_port;
use crate::documents;
use crate::error::Error;
use crate::output::Output;
use crate::passphrase;
use crate::tls::options::{Offer, session_age};
use bounds::Bounds;
use clap::ValueEnum;
use grille_proxy::{Command, Log, Options, Proxy, ProxyProtocol, Signals, Style};
use grille_tls::{AllowedClient, DEFAULT_MAX_SESSION_AGE};
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Add quantum-safe TLS to a TCP service or to its clients.
///
/// With --cert and --key, clients connect over TLS. With --originate, the proxy connects to the service over TLS. With
/// both, it re-encrypts. SIGHUP reloads keys and certificates; SIGTERM waits for open connections, then stops.
#[derive(clap::Args)]
#[command(after_help = include_str!("proxy/help.txt"))]
pub(crate) struct Args {
    /// Listen for clients on this address; port 0 picks a free port.
    #[arg(long, value_name = "HOST:PORT", value_parser = host_with_port, required_unless_present = "rotate_ticket_keys")]
    listen: Option<String>,
    /// Forward connections to the service at this address.
    #[arg(
        long,
        alias = "target",
        value_name = "HOST:PORT",
        value_parser = host_with_port,
        required_unless_present = "rotate_ticket_keys"
    )]
    to: Option<String>,
    /// Connect to the service over TLS.
    #[arg(long)]
    originate: bool,
    /// With --originate: trust the roots in this file (PEM) for the service; may be repeated.
    #[arg(long, value_name = "FILE", requires = "originate")]
    ca: Vec<PathBuf>,
    /// With --originate: also trust the roots of the operating system.
    #[arg(long, requires = "originate")]
    system_roots: bool,
    /// With --originate: refuse a service whose certificate is on the revocation lists in this file (PEM or DER); may
    /// be repeated. Every CA of the chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "originate")]
    crl: Vec<PathBuf>,
    /// With --originate: require this name in the service's certificate [default: the host of --to].
    #[arg(long, value_name = "NAME", requires = "originate")]
    servername: Option<String>,
    /// With --originate: authenticate to the service with this certificate chain and key (PEM).
    #[arg(long, value_names = ["CERT", "KEY"], num_args = 2, requires = "originate")]
    client_identity: Option<Vec<PathBuf>>,
    /// Require client certificates issued by a root in this file (PEM); may be repeated.
    #[arg(long, value_name = "FILE", requires = "cert")]
    client_ca: Vec<PathBuf>,
    /// Accept only clients with one of these identities: CN:NAME, DNS:HOST, IP:ADDRESS, email:MAILBOX, URI:URI,
    /// SHA256:FINGERPRINT or spiffe://ID, compared exactly; may be repeated.
    #[arg(long, value_name = "IDENTITY", requires = "client_ca")]
    allow_client: Vec<AllowedClient>,
    /// Refuse clients whose certificate is on this revocation list (PEM or DER); may be repeated. Every CA of the
    /// chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "client_ca")]
    client_crl: Vec<PathBuf>,
    /// Also allow clients to use TLS 1.2 and classical groups, which a quantum computer breaks.
    #[arg(long, requires = "cert")]
    legacy: bool,
    /// Prefer the proxy's group order over the client's, and request a missing key share (HelloRetryRequest).
    #[arg(long, alias = "serverpref", requires = "cert")]
    own_order: bool,
    /// Encrypt session tickets with the keys in this file, one per line; proxies that share it resume each other's
    /// sessions.
    #[arg(long, value_name = "FILE")]
    ticket_keys: Option<PathBuf>,
    /// Refuse to resume a session this many seconds after its full handshake, even if its tickets were renewed; at most
    /// 604800 (7 days).
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MAX_SESSION_AGE.as_secs(), value_parser = session_age())]
    max_session_age: u64,
    /// Add a new first key to --ticket-keys, keep the latest three keys, and exit.
    #[arg(long, requires = "ticket_keys")]
    rotate_ticket_keys: bool,
    /// Use PROXY protocol version 2 on these sides.
    #[arg(long, value_enum, value_name = "SIDE", value_delimiter = ',')]
    proxy_protocol: Vec<ProxyProtocolSide>,
    /// Serve Prometheus metrics at http://HOST:PORT/metrics, and health checks at /health.
    #[arg(long, value_name = "HOST:PORT")]
    metrics: Option<String>,
    /// Write events to standard error in this format.
    #[arg(long, value_enum, default_value_t = LogStyle::Text)]
    log: LogStyle,
    /// Check at this interval, in seconds, whether a file has changed, and reload if so.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    watch: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    offer: Offer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProxyProtocolSide {
    /// Expect a header from clients; only a load balancer may then reach this port
    Accept,
    /// Send a header to the service
    Send,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogStyle {
    Text,
    Json,
    None,
}

/// Runs the proxy until a signal stops it.
///
/// # Errors
/// Returns an error if keys, certificates or addresses cannot be used at the start.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.rotate_ticket_keys {
        return keys::rotate(args, out);
    }
    let (Some(listen), Some(to)) = (args.listen.clone(), args.to.clone()) else {
        return Err(Error::usage("no address to listen on or to connect to").advise("give --listen and --to"));
    };
    if args.offer.cert.is_empty() && !args.originate {
        return Err(Error::usage("no TLS on either side").advise(
            "give --cert and --key for TLS with clients, or --originate for TLS with the service; \
             make a certificate with `grille cert chain --alg ML-DSA-65 --out certs`",
        ));
    }
    let files = keys::Files::new(args, &to, out)?;
    if let Some(logging) = files.key_log().filter(|_| args.log == LogStyle::None) {
        out.warn(logging);
    }
    let (stamps, known) = (files.clone(), files.stamps());
    let sides = files.load(Some(out))?;
    // no user watches a reload
    documents::suppress_notes();
    passphrase::disable_prompts();
    let load = move || Ok(files.reload()?);
    let key_log = stamps.key_log().map(|logging| logging.path.clone());
    let options = Options {
        listen,
        to,
        metrics: args.metrics.clone(),
        proxy_protocol: ProxyProtocol {
            accept: args.proxy_protocol.contains(&ProxyProtocolSide::Accept),
            send: args.proxy_protocol.contains(&ProxyProtocolSide::Send),
        },
        key_log,
        limits: args.bounds.limits(),
        numbers: args.offer.profile,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::failure(format_args!("cannot start threads: {e}")))?;
    runtime.block_on(async {
        let proxy =
            Proxy::bind(options, sides, Box::new(load), log(args.log)).await.map_err(Error::failure)?;
        let command_sender = proxy.command_sender();
        let signals =
            Signals::install().map_err(|e| Error::failure(format_args!("cannot handle signals: {e}")))?;
        let signals = tokio::spawn(signals.forward(command_sender.clone()));
        if let Some(seconds) = args.watch {
            tokio::spawn(watch(stamps, known, Duration::from_secs(seconds), command_sender));
        }
        proxy.run().await;
        signals.abort();
        Ok(())
    })
}

fn log(style: LogStyle) -> Log {
    match style {
        LogStyle::Text => Log::new(Style::Text, Box::new(io::stderr())),
        LogStyle::Json => Log::new(Style::Json, Box::new(io::stderr())),
        LogStyle::None => Log::none(),
    }
}

/// Reloads whenever a file has changed, until the proxy stops. `known` contains the stamps of the files, taken before
/// the files were read.
async fn watch(
    files: keys::Files,
    mut known: Vec<keys::Stamp>,
    every: Duration,
    command_sender: Sender<Command>,
) {
    loop {
        tokio::time::sleep(every).await;
        let now = files.stamps();
        if now != known && command_sender.send(Command::Reload).await.is_err() {
            return;
        }
        known = now;
    }
}
