//! The options of `grille proxy`.

use super::bounds::Bounds;
use crate::arguments::host_with_port;
use crate::tls::options::{Offer, session_age};
use clap::ValueEnum;
use grille_tls::{AllowedClient, DEFAULT_MAX_SESSION_AGE};
use std::path::PathBuf;

/// Add quantum-safe TLS to a TCP service or to its clients.
///
/// With --cert and --key, clients connect over TLS. With --originate, the proxy connects to the service over TLS. With
/// both, it re-encrypts. SIGHUP reloads keys and certificates; SIGTERM waits for open connections, then stops.
#[derive(clap::Args)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// Listen for clients on this address; port 0 picks a free port.
    #[arg(long, value_name = "HOST:PORT", value_parser = host_with_port, required_unless_present = "rotate_ticket_keys")]
    pub(super) listen: Option<String>,
    /// Forward connections to the service at this address.
    #[arg(
        long,
        alias = "target",
        value_name = "HOST:PORT",
        value_parser = host_with_port,
        required_unless_present = "rotate_ticket_keys"
    )]
    pub(super) to: Option<String>,
    /// Connect to the service over TLS.
    #[arg(long)]
    pub(super) originate: bool,
    /// With --originate: trust the roots in this file (PEM) for the service; may be repeated.
    #[arg(long, value_name = "FILE", requires = "originate")]
    pub(super) ca: Vec<PathBuf>,
    /// With --originate: also trust the roots of the operating system.
    #[arg(long, requires = "originate")]
    pub(super) system_roots: bool,
    /// With --originate: refuse a service whose certificate is on the revocation lists in this file (PEM or DER); may
    /// be repeated. Every CA of the chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "originate")]
    pub(super) crl: Vec<PathBuf>,
    /// With --originate: require this name in the service's certificate [default: the host of --to].
    #[arg(long, value_name = "NAME", requires = "originate")]
    pub(super) servername: Option<String>,
    /// With --originate: authenticate to the service with this certificate chain and key (PEM).
    #[arg(long, value_names = ["CERT", "KEY"], num_args = 2, requires = "originate")]
    pub(super) client_identity: Option<Vec<PathBuf>>,
    /// Require client certificates issued by a root in this file (PEM); may be repeated.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(super) client_ca: Vec<PathBuf>,
    /// Accept only clients with one of these identities: CN:NAME, DNS:HOST, IP:ADDRESS, email:MAILBOX, URI:URI,
    /// SHA256:FINGERPRINT or spiffe://ID, compared exactly; may be repeated.
    #[arg(long, value_name = "IDENTITY", requires = "client_ca")]
    pub(super) allow_client: Vec<AllowedClient>,
    /// Refuse clients whose certificate is on this revocation list (PEM or DER); may be repeated. Every CA of the
    /// chain, the root included, then needs a current list.
    #[arg(long, value_name = "FILE", requires = "client_ca")]
    pub(super) client_crl: Vec<PathBuf>,
    /// Also allow clients to use TLS 1.2 and classical groups, which a quantum computer breaks.
    #[arg(long, requires = "cert")]
    pub(super) legacy: bool,
    /// Prefer the proxy's group order over the client's, and request a missing key share (HelloRetryRequest).
    #[arg(long, alias = "serverpref", requires = "cert")]
    pub(super) own_order: bool,
    /// Encrypt session tickets with the keys in this file, one per line; proxies that share it resume each other's
    /// sessions.
    #[arg(long, value_name = "FILE")]
    pub(super) ticket_keys: Option<PathBuf>,
    /// Refuse to resume a session this many seconds after its full handshake, even if its tickets were renewed; at most
    /// 604800 (7 days).
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MAX_SESSION_AGE.as_secs(), value_parser = session_age())]
    pub(super) max_session_age: u64,
    /// Add a new first key to --ticket-keys, keep the latest three keys, and exit.
    #[arg(long, requires = "ticket_keys")]
    pub(super) rotate_ticket_keys: bool,
    /// Use PROXY protocol version 2 on these sides.
    #[arg(long, value_enum, value_name = "SIDE", value_delimiter = ',')]
    pub(super) proxy_protocol: Vec<ProxyProtocolSide>,
    /// Serve Prometheus metrics at http://HOST:PORT/metrics, and health checks at /health.
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) metrics: Option<String>,
    /// Write events to standard error in this format.
    #[arg(long, value_enum, default_value_t = LogStyle::Text)]
    pub(super) log: LogStyle,
    /// Check at this interval, in seconds, whether a file has changed, and reload if so.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) watch: Option<u64>,
    #[command(flatten)]
    pub(super) bounds: Bounds,
    #[command(flatten)]
    pub(super) offer: Offer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProxyProtocolSide {
    /// Expect a header from clients; only a load balancer may then reach this port
    Accept,
    /// Send a header to the service
    Send,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogStyle {
    Text,
    Json,
    None,
}
