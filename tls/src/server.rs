//! The server.

use crate::certificate_types::{Asked, InCommon};
use crate::client::{no_roots, only_keys, roots, set_up};
use crate::compression::both_ways;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::error::Error;
use crate::identity::{Identity, Shown};
use crate::noted::{NotedClient, Roots};
use crate::order::Configs;
use crate::provider::{Preferences, accepting, group_names};
use crate::raw::TrustedKeys;
use crate::trace;
use crate::verify::Accepted;
use grille_pki::verify::Root;
use grille_pki::{Certificate, PublicKey};
use grille_registry::Numbers;
use rustls::crypto::CryptoProvider;
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{
    NoServerSessionStorage, ProducesTickets, ResolvesServerCertUsingSni, WebPkiClientVerifier,
};
use rustls::{KeyLog, ServerConfig, SupportedProtocolVersion};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a server wants.
pub struct ServerOptions {
    /// Groups and suites; of those that both sides have, the client's first choice wins.
    pub preferences: Preferences,
    /// Of the groups that both sides have, this side's first choice wins. A client that sent no key share of it is asked for
    /// one, which costs a round trip.
    pub own_order: bool,
    /// What to show.
    pub identity: Identity,
    /// Clients must show a certificate that one of these issued; empty means that clients stay anonymous.
    pub client_roots: Vec<Certificate>,
    /// In place of roots: clients must show one of these raw public keys (RFC 7250).
    pub client_keys: Vec<PublicKey>,
    /// Whether clients get tickets, with which they can resume their sessions.
    pub tickets: bool,
    /// Who seals sessions into tickets, so that other servers can open them; without one, sessions are stored here and
    /// tickets only name them.
    pub sealer: Option<Arc<dyn ProducesTickets>>,
    /// How many bytes of early data (0-RTT) clients may say when they resume a session; 0 for none. All that a client says
    /// is held in memory until its connection ends, so that each client can claim this much. A session is resumed once, so
    /// early data that somebody recorded is not taken a second time by this server; with a `sealer` that could not be told,
    /// so the two exclude each other.
    pub early_data: u32,
    /// Application protocols, the preferred one first.
    pub alpn: Vec<Vec<u8>>,
    /// Where session secrets go, for debugging.
    pub key_log: Option<Arc<dyn KeyLog>>,
    /// How long a handshake may take, and after it each read and each write.
    pub timeout: Option<Duration>,
}

impl ServerOptions {
    /// Anonymous clients, default groups and suites, tickets, no protocols, no timeout.
    #[must_use]
    pub fn new(identity: Identity) -> Self {
        Self {
            preferences: Preferences::default(),
            own_order: false,
            identity,
            client_roots: Vec::new(),
            client_keys: Vec::new(),
            tickets: true,
            sealer: None,
            early_data: 0,
            alpn: Vec::new(),
            key_log: None,
            timeout: None,
        }
    }

    /// What rustls serves with, for engines other than [`Server`].
    ///
    /// # Errors
    /// As [`crate::Client::new`].
    pub fn into_configs(self) -> Result<Configs, Error> {
        configs(self).map(|(configs, _)| configs)
    }
}

/// A server that listens; connections of one server can be resumed.
pub struct Server {
    listener: TcpListener,
    configs: Configs,
    shown: Shown,
    groups: Vec<&'static str>,
    numbers: Numbers,
    timeout: Option<Duration>,
}

impl Server {
    /// Checks the options and listens on `address` (`host:port`; port 0 takes a free one).
    ///
    /// # Errors
    /// [`Error::Io`] if the port cannot be had, else as [`crate::Client::new`].
    pub fn bind(address: &str, options: ServerOptions) -> Result<Self, Error> {
        let (timeout, numbers) = (options.timeout, options.preferences.numbers);
        let (configs, shown) = configs(options)?;
        let groups = group_names(configs.all().crypto_provider(), numbers);
        let listener =
            TcpListener::bind(address).map_err(|e| Error::from_io(format!("listen on {address}"), e))?;
        Ok(Self { listener, configs, shown, groups, numbers, timeout })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// [`Error::Io`], which the operating system has no reason to give.
    pub fn local_addr(&self) -> Result<SocketAddr, Error> {
        self.listener.local_addr().map_err(|e| Error::from_io("ask for the server's own address", e))
    }

    /// Waits for the next client; [`Server::handshake`] may then run in a thread of its own.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn accept(&self) -> Result<(TcpStream, SocketAddr), Error> {
        self.listener.accept().map_err(|e| Error::from_io("accept a connection", e))
    }

    /// Runs the handshake with a client.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Tls`].
    pub fn handshake(&self, socket: TcpStream, peer: SocketAddr) -> Result<Connection, Error> {
        trace::begin();
        let start = Instant::now();
        let tls = self.begin()?;
        let report = (Some(self.shown.clone()), self.numbers);
        Connection::handshake(tls, socket, peer.to_string(), report, self.timeout, start)
            .map_err(|e| e.offering(&self.groups))
    }

    /// A connection that has not heard anything yet.
    pub(crate) fn begin(&self) -> Result<Engine, Error> {
        Engine::server(&self.configs).map_err(set_up)
    }
}

/// What rustls serves with, and what it shows.
fn configs(mut options: ServerOptions) -> Result<(Configs, Shown), Error> {
    if options.early_data > 0 && options.sealer.is_some() {
        return Err(Error::configuration(
            "early data needs sessions that are stored here: whether a sealed ticket was used before cannot be told",
        ));
    }
    let accepted = match (options.client_roots.is_empty(), options.client_keys.is_empty()) {
        // who asks for no certificate checks no signature
        (true, true) => None,
        (_, true) => Some(Accepted::below(&options.client_roots)),
        (_, false) => Some(Accepted::of_keys(&options.client_keys)),
    };
    let asked = match (options.client_roots.is_empty(), options.client_keys.is_empty()) {
        (true, true) => Asked::Nothing,
        (_, true) => Asked::Certificate,
        (_, false) => Asked::RawPublicKey,
    };
    let provider = Arc::new(accepting(&options.preferences, accepted)?);
    let (verifier, versions) = (verifier(&mut options, &provider)?, options.preferences.versions());
    let bare = |provider| bare(provider, versions, &verifier);
    // rustls makes room for 256 sessions at once. Without tickets that room is freed below, before the keys of the identity
    // are parsed, so that memory never holds both; until then the resolver is one that knows no certificate.
    let mut config = bare(provider.clone()).map_err(set_up)?;
    config.alpn_protocols = options.alpn;
    config.max_early_data_size = options.early_data;
    (config.cert_compressors, config.cert_decompressors) = both_ways(&options.preferences.compression);
    // rustls' own choice is kept: 256 stored sessions, not stateless tickets, which would carry a mutual certificate chain
    // twice
    if !options.tickets {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
    }
    let shown = options.identity.into_shown(&provider)?;
    config.cert_resolver = Arc::new(InCommon { shown: Arc::new(shown.clone()), asked });
    config.ticketer = options.sealer.unwrap_or(config.ticketer);
    config.key_log = options.key_log.unwrap_or(config.key_log);
    let configs = if options.own_order {
        Configs::own_order(config, |provider| bare(Arc::new(provider))).map_err(set_up)?
    } else {
        Configs::clients_order(config)
    };
    Ok((configs, shown))
}

/// What serves with this provider, and nothing to show.
fn bare(
    provider: Arc<CryptoProvider>,
    versions: &[&'static SupportedProtocolVersion],
    verifier: &Arc<dyn ClientCertVerifier>,
) -> Result<ServerConfig, rustls::Error> {
    let builder = ServerConfig::builder_with_provider(provider).with_protocol_versions(versions)?;
    let builder = builder.with_client_cert_verifier(verifier.clone());
    Ok(builder.with_cert_resolver(Arc::new(ResolvesServerCertUsingSni::new())))
}

/// Takes the roots out of the options.
fn verifier(
    options: &mut ServerOptions,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, Error> {
    let signatures = provider.signature_verification_algorithms;
    if !options.client_keys.is_empty() {
        only_keys(&options.client_roots)?;
        let numbers = options.preferences.numbers;
        return Ok(Arc::new(TrustedKeys::new(&options.client_keys, numbers, signatures)?));
    }
    let verifier = if options.client_roots.is_empty() {
        WebPkiClientVerifier::no_client_auth()
    } else {
        WebPkiClientVerifier::builder_with_provider(roots(&options.client_roots)?, provider.clone())
            .build()
            .map_err(no_roots)?
    };
    let certificates = std::mem::take(&mut options.client_roots).iter().map(Root::from).collect();
    let trusted = Roots { certificates, algorithms: signatures.all, numbers: options.preferences.numbers };
    Ok(Arc::new(NotedClient(verifier, trusted, signatures)))
}
