//! The configuration of a proxy: addresses, limits, and the keys and certificates of both sides.

use crate::own_certificate::OwnCertificate;
use grille_registry::Numbers;
use grille_tls::Configs;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::error::Error as StdError;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Configuration of a proxy.
pub struct Options {
    /// Address for clients, `host:port`; port 0 selects a free port.
    pub listen: String,
    /// Address of the service, `host:port`.
    pub to: String,
    /// Address for Prometheus, if enabled.
    pub metrics: Option<String>,
    /// Use of the PROXY protocol.
    pub proxy_protocol: ProxyProtocol,
    /// File that session secrets are written to, if any; the log warns about it.
    pub key_log: Option<PathBuf>,
    /// Limits on connections, and timeouts.
    pub limits: Limits,
    /// The profiles whose codepoints peers use. Logs and metrics name groups according to these profiles.
    pub numbers: Numbers,
}

/// Use of PROXY protocol version 2 on each side.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProxyProtocol {
    /// Expect a header from each client. Use this only if all clients are load balancers, and no other
    /// host can reach the port.
    pub accept: bool,
    /// Send a header to the service.
    pub send: bool,
}

/// Limits on clients, and timeouts.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of connections; further clients wait in the operating system's queue.
    pub connections: usize,
    /// Maximum number of unfinished handshakes. A further client displaces the one that has been silent for the
    /// longest time.
    pub handshakes: usize,
    /// Maximum number of unfinished handshakes per source address (for IPv6, per /64 network).
    pub handshakes_per_source: usize,
    /// Timeout for a client's PROXY header and handshake.
    pub handshake: Duration,
    /// Timeout for the connection to the service and its handshake.
    pub connect: Duration,
    /// Maximum time without data in either direction; `Duration::MAX` disables the limit.
    pub idle: Duration,
    /// Time during which clients are still accepted after [`Command::Drain`](crate::Command::Drain), while `/health`
    /// answers 503: load balancers need some time to stop sending clients.
    pub grace: Duration,
    /// Maximum time for open connections to finish when the proxy stops; `Duration::MAX` disables the limit.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8192,
            handshakes: 4096,
            handshakes_per_source: 1024,
            handshake: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            idle: Duration::from_mins(10),
            grace: Duration::from_secs(5),
            drain: Duration::from_secs(30),
        }
    }
}

/// Keys, certificates and trusted roots of both sides. A reload replaces them.
pub struct Sides {
    /// TLS with clients; `None` accepts plaintext.
    pub inbound: Option<Configs>,
    /// TLS with the service, whose certificate must have this name; `None` sends plaintext.
    pub outbound: Option<(Arc<ClientConfig>, ServerName<'static>)>,
    /// Certificates that the proxy presents to clients and to the service.
    pub certificates: Vec<OwnCertificate>,
    /// Signature algorithms of the certificates for clients, if all are post-quantum. A client must support at least
    /// one of them, so older clients are refused.
    pub quantum_safe_only: Option<String>,
}

/// Function that loads keys and certificates at each reload.
pub type Loader = Box<dyn Fn() -> Result<Sides, Box<dyn StdError + Send + Sync>> + Send + Sync>;
