//! The server.

use crate::certificate_types::{Asked, InCommon};
use crate::client::{no_roots, only_keys, roots, set_up};
use crate::client_auth::ClientAuth;
use crate::client_identity::AllowedClient;
use crate::compression::both_ways;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::error::Error;
use crate::identities::Identities;
use crate::identity::Identity;
use crate::noted::{NotedClient, Roots};
use crate::order::Configs;
use crate::provider::{Preferences, accepting, group_names};
use crate::raw::TrustedKeys;
use crate::resumption::{DEFAULT_MAX_SESSION_AGE, Sessions};
use crate::trace;
use crate::verify::Accepted;
use grille_pki::verify::Root;
use grille_pki::{Certificate, Crl, PublicKey};
use grille_registry::Numbers;
use rustls::crypto::CryptoProvider;
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{
    NoServerSessionStorage, ProducesTickets, ResolvesServerCertUsingSni, WebPkiClientVerifier,
};
use rustls::time_provider::TimeProvider;
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
    /// What to show other clients, in order of preference. A client gets an identity for the name that it asks for, the first
    /// one whose signature it accepts; if no certificate has that name, one for the names of `identity`.
    pub more_identities: Vec<Identity>,
    /// Clients must show a certificate that one of these issued; empty means that clients stay anonymous.
    pub client_roots: Vec<Certificate>,
    /// Beside roots: clients must also be one of these; empty means that every client is let in that a root vouches for.
    pub allowed_clients: Vec<AllowedClient>,
    /// Beside roots: revocation lists for the chains of clients. If there are any, every certificate below a root needs a list
    /// of its issuer that is not outdated.
    pub client_revocation: Vec<Crl>,
    /// In place of roots: clients must show one of these raw public keys (RFC 7250).
    pub client_keys: Vec<PublicKey>,
    /// Whether clients get tickets, with which they can resume their sessions.
    pub tickets: bool,
    /// Who seals sessions into tickets, so that other servers can open them; without one, sessions are stored here and
    /// tickets only name them.
    ///
    /// A server with the same sealer resumes a session only if it authenticates clients in the same way (roots or raw public
    /// keys) and shows the same certificate or raw public key.
    pub sealer: Option<Arc<dyn ProducesTickets>>,
    /// The greatest age of a session that is resumed, counted from its full handshake, however often its tickets were
    /// renewed. A client's certificate is verified again for each resumption, whatever the age.
    pub max_session_age: Duration,
    /// The clock for validity periods and session ages; the operating system's if not given.
    pub clock: Option<Arc<dyn TimeProvider>>,
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
    /// Anonymous clients, default groups and suites, sessions resumed for a day, no protocols, no timeout.
    #[must_use]
    pub fn new(identity: Identity) -> Self {
        Self {
            preferences: Preferences::default(),
            own_order: false,
            identity,
            more_identities: Vec::new(),
            client_roots: Vec::new(),
            allowed_clients: Vec::new(),
            client_revocation: Vec::new(),
            client_keys: Vec::new(),
            tickets: true,
            sealer: None,
            max_session_age: DEFAULT_MAX_SESSION_AGE,
            clock: None,
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
        configs(self)
    }
}

/// A server that listens; connections of one server can be resumed.
pub struct Server {
    listener: TcpListener,
    configs: Configs,
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
        let configs = configs(options)?;
        let groups = group_names(configs.all().crypto_provider(), numbers);
        let listener =
            TcpListener::bind(address).map_err(|e| Error::from_io(format!("listen on {address}"), e))?;
        Ok(Self { listener, configs, groups, numbers, timeout })
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
        let report = (None, self.numbers);
        Connection::handshake(tls, socket, peer.to_string(), report, self.timeout, start)
            .map_err(|e| e.offering(&self.groups))
    }

    /// A connection that has not heard anything yet.
    pub(crate) fn begin(&self) -> Result<Engine, Error> {
        Engine::server(&self.configs).map_err(set_up)
    }
}

/// What rustls serves with.
fn configs(mut options: ServerOptions) -> Result<Configs, Error> {
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
    let (clients, versions) = (client_auth(&mut options, &provider)?, options.preferences.versions());
    let verifier = clients.verifier();
    let bare = |provider| bare(provider, versions, &verifier);
    // rustls makes room for 256 sessions at once. Without tickets that room is freed below, before the keys of the identity
    // are parsed, so that memory never holds both; until then the resolver is one that knows no certificate.
    let mut config = bare(provider.clone()).map_err(set_up)?;
    config.alpn_protocols = options.alpn;
    config.max_early_data_size = options.early_data;
    (config.cert_compressors, config.cert_decompressors) = both_ways(&options.preferences.compression);
    config.key_log = options.key_log.unwrap_or(config.key_log);
    config.time_provider = options.clock.unwrap_or(config.time_provider);
    // without a sealer rustls' own choice is kept: 256 stored sessions, not stateless tickets, which would carry a mutual
    // certificate chain twice
    let sessions = if options.tickets {
        let (sealer, max_age) = (options.sealer, options.max_session_age);
        Some(Sessions::taken_from(&mut config, sealer, clients.clone(), max_age))
    } else {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
        None
    };
    let identities = std::iter::once(options.identity).chain(options.more_identities);
    let shown = identities.map(|identity| identity.into_shown(&provider)).collect::<Result<Vec<_>, _>>()?;
    let identities = Arc::new(Identities::new(shown, &provider)?);
    config.cert_resolver = Arc::new(InCommon { shown: identities.clone(), asked });
    let configs = if options.own_order {
        Configs::own_order(config, |provider| bare(Arc::new(provider))).map_err(set_up)?
    } else {
        Configs::clients_order(config)
    };
    Ok(match sessions {
        Some(sessions) => configs.resuming(sessions, identities),
        None => configs,
    })
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
fn client_auth(options: &mut ServerOptions, provider: &Arc<CryptoProvider>) -> Result<ClientAuth, Error> {
    let signatures = provider.signature_verification_algorithms;
    check_client_options(options)?;
    if !options.client_keys.is_empty() {
        only_keys(&options.client_roots)?;
        let numbers = options.preferences.numbers;
        let keys = TrustedKeys::new(&options.client_keys, numbers, signatures)?;
        return Ok(ClientAuth::RawKey(Arc::new(keys)));
    }
    let is_anonymous = options.client_roots.is_empty();
    let words = if is_anonymous {
        WebPkiClientVerifier::no_client_auth()
    } else {
        let roots = roots(&options.client_roots)?;
        let builder = WebPkiClientVerifier::builder_with_provider(roots, provider.clone());
        builder.build().map_err(no_roots)?
    };
    let certificates = std::mem::take(&mut options.client_roots).iter().map(Root::from).collect();
    let roots = Roots {
        certificates,
        algorithms: signatures.all,
        numbers: options.preferences.numbers,
        crls: std::mem::take(&mut options.client_revocation),
    };
    let allowed = std::mem::take(&mut options.allowed_clients);
    let verifier = Arc::new(NotedClient { words, roots, allowed, signatures });
    Ok(if is_anonymous { ClientAuth::Anonymous(verifier) } else { ClientAuth::Chain(verifier) })
}

/// Checks that nothing is asked of clients' certificates where clients show none: it would let everybody in.
fn check_client_options(options: &ServerOptions) -> Result<(), Error> {
    let restricted = !options.allowed_clients.is_empty() || !options.client_revocation.is_empty();
    if restricted && options.client_roots.is_empty() {
        return Err(Error::configuration(
            "allowed clients and revocation lists need roots: without roots no client shows a certificate",
        ));
    }
    Ok(())
}
