//! `grille proxy`.

mod bounds;
mod keys;

use crate::arguments::with_port;
use crate::documents;
use crate::error::Error;
use crate::output::Output;
use crate::passphrase;
use crate::tls::options::{Offer, session_age};
use bounds::Bounds;
use clap::ValueEnum;
use grille_proxy::{Command, Header, Log, Options, Proxy, Signals, Style};
use grille_tls::{AllowedClient, DEFAULT_MAX_SESSION_AGE};
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Put quantum-safe TLS in front of a TCP service, or between clients and a service that has it.
///
/// With --cert and --key, clients come over TLS; with --originate, the service is reached over TLS; with both, the proxy
/// stands between the two. SIGHUP reads keys and certificates anew, SIGTERM lets open connections end.
#[derive(clap::Args)]
#[command(after_help = include_str!("proxy/help.txt"))]
pub(crate) struct Args {
    /// Where clients come; port 0 takes a free one.
    #[arg(long, value_name = "HOST:PORT", value_parser = with_port, required_unless_present = "rotate_ticket_keys")]
    listen: Option<String>,
    /// Where the service is.
    #[arg(
        long,
        visible_alias = "target",
        value_name = "HOST:PORT",
        value_parser = with_port,
        required_unless_present = "rotate_ticket_keys"
    )]
    to: Option<String>,
    /// Reach the service over TLS.
    #[arg(long)]
    originate: bool,
    /// With --originate: roots of the service (PEM); may be given several times.
    #[arg(long, value_name = "FILE", requires = "originate")]
    ca: Vec<PathBuf>,
    /// With --originate: also trust the roots of the operating system.
    #[arg(long, requires = "originate")]
    system_roots: bool,
    /// With --originate: the name that the service's certificate must have; the host's of --to if not given.
    #[arg(long, value_name = "NAME", requires = "originate")]
    servername: Option<String>,
    /// With --originate: the proxy's own certificate chain for the service, and its key, in this order (PEM).
    #[arg(long, value_names = ["CERT", "KEY"], num_args = 2, requires = "originate")]
    client_identity: Option<Vec<PathBuf>>,
    /// Roots of the clients (PEM), may be given several times: clients must show a certificate that one of them issued.
    #[arg(long, value_name = "FILE", requires = "cert")]
    client_ca: Vec<PathBuf>,
    /// Let in only clients with one of these identities: CN:NAME, DNS:HOST, IP:ADDRESS, email:MAILBOX, URI:URI,
    /// SHA256:FINGERPRINT or spiffe://ID, compared exactly; may be given several times.
    #[arg(long, value_name = "IDENTITY", requires = "client_ca")]
    allow_client: Vec<AllowedClient>,
    /// Refuse clients whose certificate is on this revocation list (PEM or DER); may be given several times. Every CA below and
    /// including the root then needs a list that is not outdated.
    #[arg(long, value_name = "FILE", requires = "client_ca")]
    client_crl: Vec<PathBuf>,
    /// Let clients also use TLS 1.2 and curves that a quantum computer breaks.
    #[arg(long, requires = "cert")]
    legacy: bool,
    /// Of the groups that a client has, take this side's first, not the client's, and ask for its key share if the client
    /// sent none.
    #[arg(long, visible_alias = "serverpref", requires = "cert")]
    own_order: bool,
    /// Keys of session tickets, one per line; proxies that share the file resume each other's sessions.
    #[arg(long, value_name = "FILE")]
    ticket_keys: Option<PathBuf>,
    /// Resume no session whose full handshake is longer ago, however often its tickets were renewed; at most 604800 (7 days).
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MAX_SESSION_AGE.as_secs(), value_parser = session_age())]
    max_session_age: u64,
    /// Put a new key in front of those in --ticket-keys, keep three, and do no more.
    #[arg(long, requires = "ticket_keys")]
    rotate_ticket_keys: bool,
    /// PROXY protocol version 2.
    #[arg(long, value_enum, value_name = "WHERE", value_delimiter = ',')]
    proxy_protocol: Vec<Where>,
    /// Answer Prometheus at http://HOST:PORT/metrics, and health checks at /health.
    #[arg(long, value_name = "HOST:PORT")]
    metrics: Option<String>,
    /// How events are written, on standard error.
    #[arg(long, value_enum, default_value_t = LogStyle::Text)]
    log: LogStyle,
    /// Look so often, in seconds, whether a file has changed, and reload if so.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    watch: Option<u64>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    offer: Offer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Where {
    /// Clients begin with a header: only a balancer may reach this port
    Accept,
    /// The service gets one
    Send,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogStyle {
    Text,
    Json,
    None,
}

/// Serves until a signal ends it.
///
/// # Errors
/// If keys, certificates or addresses cannot be used at the start.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.rotate_ticket_keys {
        return keys::rotate(args, out);
    }
    let (Some(listen), Some(to)) = (args.listen.clone(), args.to.clone()) else {
        return Err(Error::usage("a proxy listens and connects").advise("give --listen and --to"));
    };
    if args.offer.cert.is_empty() && !args.originate {
        return Err(Error::usage("there would be no TLS on either side")
            .advise("give --cert and --key for TLS with clients, --originate for TLS with the service"));
    }
    let files = keys::Files::new(args, &to, out)?;
    if let Some(logging) = files.key_log().filter(|_| args.log == LogStyle::None) {
        out.warn(logging);
    }
    let (stamps, known) = (files.clone(), files.stamps());
    let sides = files.load(Some(out))?;
    // whoever started the proxy is gone when it reloads
    documents::stop_notes();
    passphrase::stop_asking();
    let load = move || Ok(files.reload()?);
    let key_log = stamps.key_log().map(|logging| logging.path.clone());
    let options = Options {
        listen,
        to,
        metrics: args.metrics.clone(),
        header: Header {
            accept: args.proxy_protocol.contains(&Where::Accept),
            send: args.proxy_protocol.contains(&Where::Send),
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
        let commander = proxy.commander();
        let signals =
            Signals::install().map_err(|e| Error::failure(format_args!("cannot handle signals: {e}")))?;
        let signals = tokio::spawn(signals.obey(commander.clone()));
        if let Some(seconds) = args.watch {
            tokio::spawn(watch(stamps, known, Duration::from_secs(seconds), commander));
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

/// Reloads when a file is another than before, for as long as the proxy lives. `known`: what they were before they were read.
async fn watch(files: keys::Files, mut known: Vec<keys::Stamp>, every: Duration, commander: Sender<Command>) {
    loop {
        tokio::time::sleep(every).await;
        let now = files.stamps();
        if now != known && commander.send(Command::Reload).await.is_err() {
            return;
        }
        known = now;
    }
}
