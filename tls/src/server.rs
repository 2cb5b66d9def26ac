//! TLS server.

use crate::cert_verifier::{ClientVerifier, Roots};
use crate::certificate_types::{CommonTypeResolver, RequestedType};
use crate::client::{convert_builder_error, refuse_roots, roots};
use crate::client_auth::ClientAuth;
use crate::client_identity::AllowedClient;
use crate::compression::rustls_algorithms;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::error::{Error, setup_error};
use crate::identities::Identities;
use crate::identity::Identity;
use crate::order::Configs;
use crate::provider::{Preferences, group_names, provider_for_signatures};
use crate::raw_public_key::TrustedKeys;
use crate::resumption::Sessions;
use crate::session_age::DEFAULT_MAX_SESSION_AGE;
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

/// Configuration of a server.
pub struct ServerOptions {
    /// Groups and suites. Among common groups, the client's first choice wins unless `prefer_server_order` is set.
    pub preferences: Preferences,
    /// Prefer this side's order of groups over the client's. A client that sent no key share for the chosen group must
    /// send one in a second ClientHello, which costs a round trip.
    pub prefer_server_order: bool,
    /// Identity to present.
    pub identity: Identity,
    /// Further identities, in order of preference. A client gets the first identity for the requested name whose
    /// signature it accepts. If no certificate has that name, it gets one for the names of `identity`.
    pub more_identities: Vec<Identity>,
    /// Roots of client certificates. If there are any, clients must present a certificate; otherwise clients are
    /// anonymous.
    pub client_roots: Vec<Certificate>,
    /// Allowed clients; only allowed together with `client_roots`. If empty, every client with a valid chain is allowed.
    pub allowed_clients: Vec<AllowedClient>,
    /// Revocation lists for the chains of clients; only allowed together with `client_roots`. If there are any lists,
    /// every certificate below a root must be covered by a current list of its issuer.
    pub client_revocation: Vec<Crl>,
    /// Trusted raw public keys (RFC 7250) of clients, instead of roots. Clients must present one of them.
    pub client_keys: Vec<PublicKey>,
    /// Send session tickets, so that clients can resume their sessions.
    pub tickets: bool,
    /// Encrypts sessions into tickets that other servers can decrypt. `None`: this server stores the sessions, and
    /// tickets only refer to them.
    ///
    /// A server with the same ticketer resumes a session only if it authenticates clients in the same way (roots or raw
    /// public keys) and presents the same certificate or raw public key.
    pub ticketer: Option<Arc<dyn ProducesTickets>>,
    /// Maximum age of a session for resumption, counted from its full handshake, even if its tickets were renewed. A
    /// client's certificate is verified again for each resumption.
    pub max_session_age: Duration,
    /// Clock for validity periods and session ages; `None` for the operating system's.
    pub clock: Option<Arc<dyn TimeProvider>>,
    /// Maximum number of bytes of early data (0-RTT) per resumed session; 0 disables early data. A client's early
    /// data is held in memory until its connection ends. A session is resumed only once, so this server does not
    /// accept replayed early data. With a `ticketer`, replays could not be detected, so the two exclude each other.
    pub early_data: u32,
    /// ALPN application protocols, in order of preference.
    pub alpn: Vec<Vec<u8>>,
    /// Destination of session secrets, for debugging.
    pub key_log: Option<Arc<dyn KeyLog>>,
    /// Timeout for the handshake, and for each later read and write.
    pub timeout: Option<Duration>,
}

impl ServerOptions {
    /// Creates options with anonymous clients, default groups and suites, resumption for a day, no ALPN, no timeout.
    #[must_use]
    pub fn new(identity: Identity) -> Self {
        Self {
            preferences: Preferences::default(),
            prefer_server_order: false,
            identity,
            more_identities: Vec::new(),
            client_roots: Vec::new(),
            allowed_clients: Vec::new(),
            client_revocation: Vec::new(),
            client_keys: Vec::new(),
            tickets: true,
            ticketer: None,
            max_session_age: DEFAULT_MAX_SESSION_AGE,
            clock: None,
            early_data: 0,
            alpn: Vec::new(),
            key_log: None,
            timeout: None,
        }
    }

    /// Converts the options to rustls configurations, for use with an engine other than [`Server`].
    ///
    /// # Errors
    /// Returns [`Error::Configuration`] if options contradict each other or a group cannot be used; [`Error::Tls`] if
    /// an identity cannot be used.
    pub fn into_configs(self) -> Result<Configs, Error> {
        configs(self)
    }
}

/// A listening server. A client can resume the session of an earlier connection to this server.
pub struct Server {
    listener: TcpListener,
    configs: Configs,
    groups: Vec<&'static str>,
    numbers: Numbers,
    timeout: Option<Duration>,
}

impl Server {
    /// Checks the options and listens on `address` (`host:port`; port 0 selects a free port).
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the port is not available; otherwise the errors of [`ServerOptions::into_configs`].
    pub fn bind(address: &str, options: ServerOptions) -> Result<Self, Error> {
        let (timeout, numbers) = (options.timeout, options.preferences.numbers);
        let configs = configs(options)?;
        let groups = group_names(configs.all().crypto_provider(), numbers);
        let listener =
            TcpListener::bind(address).map_err(|e| Error::from_io(format!("listen on {address}"), e))?;
        Ok(Self { listener, configs, groups, numbers, timeout })
    }

    /// Returns the address that the server listens on.
    ///
    /// # Errors
    /// Returns [`Error::Io`], which is not expected.
    pub fn local_addr(&self) -> Result<SocketAddr, Error> {
        self.listener.local_addr().map_err(|e| Error::from_io("query the server's own address", e))
    }

    /// Waits for the next client. [`Server::handshake`] may then run in another thread.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if accepting fails.
    pub fn accept(&self) -> Result<(TcpStream, SocketAddr), Error> {
        self.listener.accept().map_err(|e| Error::from_io("accept a connection", e))
    }

    /// Runs the handshake with a client.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::Tls`].
    pub fn handshake(&self, socket: TcpStream, peer: SocketAddr) -> Result<Connection, Error> {
        trace::begin();
        let start = Instant::now();
        let tls = self.begin()?;
        let report = (None, self.numbers);
        Connection::handshake(tls, socket, peer.to_string(), report, self.timeout, start)
            .map_err(|e| e.with_offered_groups(&self.groups))
    }

    /// Creates the engine of a new connection, without I/O.
    pub(crate) fn begin(&self) -> Result<Engine, Error> {
        Engine::server(&self.configs).map_err(setup_error)
    }
}

/// Builds the rustls configurations.
fn configs(mut options: ServerOptions) -> Result<Configs, Error> {
    if options.early_data > 0 && options.ticketer.is_some() {
        return Err(Error::configuration(
            "early data cannot be combined with shared tickets: the reuse of a shared ticket cannot be detected",
        ));
    }
    let accepted = match (options.client_roots.is_empty(), options.client_keys.is_empty()) {
        // a server that requests no certificate verifies no signature
        (true, true) => None,
        (_, true) => Some(Accepted::for_roots(&options.client_roots)),
        (_, false) => Some(Accepted::for_keys(&options.client_keys)),
    };
    let requested = match (options.client_roots.is_empty(), options.client_keys.is_empty()) {
        (true, true) => RequestedType::Nothing,
        (_, true) => RequestedType::Certificate,
        (_, false) => RequestedType::RawPublicKey,
    };
    let provider = Arc::new(provider_for_signatures(&options.preferences, accepted)?);
    let (clients, versions) = (client_auth(&mut options, &provider)?, options.preferences.versions());
    let verifier = clients.verifier();
    let config_without_identity = |provider| config_without_identity(provider, versions, &verifier);
    // rustls reserves memory for 256 sessions. Without tickets, that memory is freed below, before the identity's
    // keys are parsed, to reduce peak memory. Until then, the resolver has no certificate.
    let mut config = config_without_identity(provider.clone()).map_err(setup_error)?;
    config.alpn_protocols = options.alpn;
    config.max_early_data_size = options.early_data;
    (config.cert_compressors, config.cert_decompressors) =
        rustls_algorithms(&options.preferences.compression);
    config.key_log = options.key_log.unwrap_or(config.key_log);
    config.time_provider = options.clock.unwrap_or(config.time_provider);
    // Without a ticketer, rustls stores 256 sessions by default. With mutual authentication, a stateless ticket would
    // contain the client's certificate chain twice.
    let sessions = if options.tickets {
        let (ticketer, max_age) = (options.ticketer, options.max_session_age);
        Some(Sessions::take_from(&mut config, ticketer, clients.clone(), max_age))
    } else {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
        None
    };
    let identities = std::iter::once(options.identity).chain(options.more_identities);
    let presented =
        identities.map(|identity| identity.into_presented(&provider)).collect::<Result<Vec<_>, _>>()?;
    let identities = Arc::new(Identities::new(presented, &provider)?);
    config.cert_resolver = Arc::new(CommonTypeResolver { presented: identities.clone(), requested });
    let configs = if options.prefer_server_order {
        Configs::with_server_order(config, |provider| config_without_identity(Arc::new(provider)))
            .map_err(setup_error)?
    } else {
        Configs::with_client_order(config)
    };
    Ok(match sessions {
        Some(sessions) => configs.with_resumption(sessions, identities),
        None => configs,
    })
}

/// Builds a configuration with this provider and without an identity.
fn config_without_identity(
    provider: Arc<CryptoProvider>,
    versions: &[&'static SupportedProtocolVersion],
    verifier: &Arc<dyn ClientCertVerifier>,
) -> Result<ServerConfig, rustls::Error> {
    let builder = ServerConfig::builder_with_provider(provider).with_protocol_versions(versions)?;
    let builder = builder.with_client_cert_verifier(verifier.clone());
    Ok(builder.with_cert_resolver(Arc::new(ResolvesServerCertUsingSni::new())))
}

/// Builds the verifier of client certificates. Takes the roots out of the options.
fn client_auth(options: &mut ServerOptions, provider: &Arc<CryptoProvider>) -> Result<ClientAuth, Error> {
    let signatures = provider.signature_verification_algorithms;
    check_client_options(options)?;
    if !options.client_keys.is_empty() {
        refuse_roots(&options.client_roots)?;
        let numbers = options.preferences.numbers;
        let keys = TrustedKeys::new(&options.client_keys, numbers, signatures)?;
        return Ok(ClientAuth::RawKey(Arc::new(keys)));
    }
    let is_anonymous = options.client_roots.is_empty();
    let rustls_verifier = if is_anonymous {
        WebPkiClientVerifier::no_client_auth()
    } else {
        let roots = roots(&options.client_roots)?;
        let builder = WebPkiClientVerifier::builder_with_provider(roots, provider.clone());
        builder.build().map_err(convert_builder_error)?
    };
    let certificates = std::mem::take(&mut options.client_roots).iter().map(Root::from).collect();
    let roots = Roots {
        certificates,
        algorithms: signatures.all,
        numbers: options.preferences.numbers,
        crls: std::mem::take(&mut options.client_revocation),
    };
    let allowed = std::mem::take(&mut options.allowed_clients);
    let verifier = Arc::new(ClientVerifier { rustls_verifier, roots, allowed, signatures });
    Ok(if is_anonymous { ClientAuth::Anonymous(verifier) } else { ClientAuth::Chain(verifier) })
}

/// Refuses restrictions on client certificates if the server requests none: every client would be allowed.
fn check_client_options(options: &ServerOptions) -> Result<(), Error> {
    let restricted = !options.allowed_clients.is_empty() || !options.client_revocation.is_empty();
    if restricted && options.client_roots.is_empty() {
        return Err(Error::configuration(
            "allowed clients and revocation lists need client roots: without roots, clients present no certificate",
        ));
    }
    Ok(())
}
