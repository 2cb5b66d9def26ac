//! The client.

use crate::certificate_types::OnlyIfAgreed;
use crate::client_sessions::ClientSessions;
use crate::compression::both_ways;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::error::{Error, said};
use crate::groups::Nobodys;
use crate::identity::{Identity, Shown};
use crate::noted::{Check, NotedServer, Roots};
use crate::provider::{Preferences, accepting, group_names};
use crate::raw::TrustedKeys;
use crate::starttls::StartTls;
use crate::trace;
use crate::transport::{Counted, dial};
use crate::verify::Accepted;
use grille_pki::verify::Root;
use grille_pki::{Certificate, PublicKey};
use grille_registry::Numbers;
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{Resumption, VerifierBuilderError, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, KeyLog, RootCertStore};
use std::net::{Ipv6Addr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a client wants.
pub struct ClientOptions {
    /// Groups and suites.
    pub preferences: Preferences,
    /// Whom to trust; at least one, unless `check` is [`Check::Anyone`] or there are `server_keys`.
    pub roots: Vec<Certificate>,
    /// Raw public keys (RFC 7250) to trust in place of roots: a server is then known by its key, whatever its name.
    pub server_keys: Vec<PublicKey>,
    /// How far.
    pub check: Check,
    /// Offer a key share that no server takes, so that it asks for another one (HelloRetryRequest).
    pub retry: bool,
    /// What to show if the server asks.
    pub identity: Option<Identity>,
    /// Whether a connection resumes the session of an earlier one, if the server issued a ticket. A session is resumed for at
    /// most [`DEFAULT_MAX_SESSION_AGE`](crate::DEFAULT_MAX_SESSION_AGE) after its full handshake, and not after a certificate
    /// of the server's chain expires. If false, each handshake is a full one.
    pub resume: bool,
    /// Whether early data may be sent, see [`Client::connect_with_early_data`].
    pub early_data: bool,
    /// Application protocols, the preferred one first.
    pub alpn: Vec<Vec<u8>>,
    /// Where session secrets go, for debugging.
    pub key_log: Option<Arc<dyn KeyLog>>,
    /// The protocol in which the server is asked for TLS first, if any.
    pub start_tls: Option<StartTls>,
    /// The longest time for connecting, for [`Self::start_tls`], for a handshake, and after it for each read and each write.
    pub timeout: Option<Duration>,
}

impl Default for ClientOptions {
    /// Default groups and suites, nobody to trust yet, certificates checked against their names, sessions resumed, no
    /// early data, no protocols, no timeout.
    fn default() -> Self {
        Self {
            preferences: Preferences::default(),
            roots: Vec::new(),
            server_keys: Vec::new(),
            check: Check::default(),
            retry: false,
            identity: None,
            resume: true,
            early_data: false,
            alpn: Vec::new(),
            key_log: None,
            start_tls: None,
            timeout: None,
        }
    }
}

impl ClientOptions {
    /// What rustls connects with, for engines other than [`Client`].
    ///
    /// # Errors
    /// As [`Client::new`].
    pub fn into_config(self) -> Result<Arc<ClientConfig>, Error> {
        self.config().map(|(config, _)| config)
    }

    /// The same, and what it shows.
    fn config(mut self) -> Result<(Arc<ClientConfig>, Option<Shown>), Error> {
        let accepted = match self.check {
            _ if !self.server_keys.is_empty() => Accepted::of_keys(&self.server_keys),
            Check::Anyone => Accepted::ALL,
            Check::Named | Check::AnyName => Accepted::below(&self.roots),
        };
        let mut provider = accepting(&self.preferences, Some(accepted))?;
        if self.retry {
            provider.kx_groups.insert(0, &Nobodys);
        }
        let provider = Arc::new(provider);
        let sessions = Arc::new(ClientSessions::default());
        let verifier = verifier(&mut self, &provider, &sessions)?;
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(self.preferences.versions())
            .map_err(set_up)?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let shown = self.identity.map(|identity| identity.into_shown(&provider)).transpose()?;
        let mut config = match &shown {
            Some(shown) => builder.with_client_cert_resolver(Arc::new(OnlyIfAgreed(Arc::new(shown.clone())))),
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = self.alpn;
        config.enable_early_data = self.early_data;
        (config.cert_compressors, config.cert_decompressors) = both_ways(&self.preferences.compression);
        config.resumption = if self.resume { Resumption::store(sessions) } else { Resumption::disabled() };
        config.key_log = self.key_log.unwrap_or(config.key_log);
        Ok((Arc::new(config), shown))
    }
}

/// A client, ready to connect; connections of one client resume each other's sessions, unless its options forbid it.
pub struct Client {
    config: Arc<ClientConfig>,
    shown: Option<Shown>,
    groups: Vec<&'static str>,
    numbers: Numbers,
    start_tls: Option<StartTls>,
    timeout: Option<Duration>,
}

impl Client {
    /// Checks the options.
    ///
    /// # Errors
    /// [`Error::Configuration`] if there is no root or a group cannot be used; [`Error::Tls`] if the identity
    /// cannot.
    pub fn new(options: ClientOptions) -> Result<Self, Error> {
        let (numbers, start_tls, timeout) = (options.preferences.numbers, options.start_tls, options.timeout);
        let (config, shown) = options.config()?;
        let groups = group_names(config.crypto_provider(), numbers);
        Ok(Self { config, shown, groups, numbers, start_tls, timeout })
    }

    /// Connects to `address` (`host:port`) and runs the handshake; the certificate must be for `name`.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Tls`], or [`Error::Configuration`] if `name` is no host name or IP address.
    pub fn connect(&self, address: &str, name: &str) -> Result<Connection, Error> {
        self.connect_with_early_data(address, name, &[])
    }

    /// The same, and says `data` in the first flight (0-RTT) if a session of before is resumed whose server takes early
    /// data: as much of it as that server takes. [`crate::Report::early_data`] says what became of it; what was not
    /// accepted must be sent again.
    ///
    /// Early data lacks what TLS promises otherwise: who recorded the flight can send it again, to this server or to
    /// another one with the same sessions, and its keys are those of the session of before. It must ask for nothing that
    /// does harm when it happens twice (RFC 8446 section 8).
    ///
    /// # Errors
    /// As [`Client::connect`].
    pub fn connect_with_early_data(
        &self,
        address: &str,
        name: &str,
        data: &[u8],
    ) -> Result<Connection, Error> {
        let server_name = server_name(name)?;
        let socket = self.open(address).map_err(|e| Error::from_io(format!("connect to {address}"), e))?;
        let socket = match self.start_tls {
            Some(protocol) => self
                .start_tls(protocol, socket, name)
                .map_err(|e| Error::from_io(format!("begin TLS with {address}"), e))?,
            None => socket,
        };
        trace::begin();
        let start = Instant::now();
        let tls = Engine::client(&self.config, server_name, data).map_err(set_up)?;
        let report = (self.shown.clone(), self.numbers);
        Connection::handshake(tls, socket, address.to_owned(), report, self.timeout, start)
            .map_err(|e| e.offering(&self.groups))
    }

    /// A connection that has not said anything yet.
    pub(crate) fn begin(&self, name: &str) -> Result<Engine, Error> {
        Engine::client(&self.config, server_name(name)?, &[]).map_err(set_up)
    }

    fn start_tls(&self, protocol: StartTls, socket: TcpStream, name: &str) -> std::io::Result<TcpStream> {
        let mut socket = Counted::new(socket);
        socket.set_timeout(self.timeout);
        socket.set_deadline(self.timeout.and_then(|timeout| Instant::now().checked_add(timeout)));
        protocol.negotiate(&mut socket, name)?;
        Ok(socket.into_socket())
    }

    fn open(&self, address: &str) -> std::io::Result<TcpStream> {
        match self.timeout {
            None => TcpStream::connect(address),
            Some(timeout) => dial(address, timeout),
        }
    }
}

/// The name that a server's certificate must have, as rustls takes it.
///
/// # Errors
/// [`Error::Configuration`] if `name` is no host name and no IP address.
pub fn server_name(name: &str) -> Result<ServerName<'static>, Error> {
    // the zone of an IPv6 address is of this machine, no part of the name
    let bare = name.split_once('%').map(|(address, _)| address);
    let bare = bare.filter(|address| address.parse::<Ipv6Addr>().is_ok()).unwrap_or(name);
    ServerName::try_from(bare.to_owned())
        .map_err(|_| Error::configuration(format!("\"{name}\" is no host name and no IP address")))
}

/// Returns the verifier, which records accepted servers in `sessions`. Takes the roots out of the options.
fn verifier(
    options: &mut ClientOptions,
    provider: &Arc<CryptoProvider>,
    sessions: &Arc<ClientSessions>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    let signatures = provider.signature_verification_algorithms;
    if !options.server_keys.is_empty() {
        only_keys(&options.roots)?;
        let numbers = options.preferences.numbers;
        let keys = TrustedKeys::new(&options.server_keys, numbers, signatures)?;
        return Ok(Arc::new(keys.with_sessions(sessions.clone())));
    }
    let words = match options.check {
        Check::Anyone => None,
        Check::Named | Check::AnyName => {
            let roots = roots(&options.roots)?;
            let builder = WebPkiServerVerifier::builder_with_provider(roots, provider.clone());
            let built = builder.build().map_err(no_roots)?;
            Some(built as Arc<dyn ServerCertVerifier>)
        }
    };
    let certificates = std::mem::take(&mut options.roots).iter().map(Root::from).collect();
    let roots = Roots {
        certificates,
        algorithms: signatures.all,
        numbers: options.preferences.numbers,
        crls: Vec::new(),
    };
    let sessions = sessions.clone();
    Ok(Arc::new(NotedServer { check: options.check, roots, words, signatures, sessions }))
}

/// A verifier that cannot be made.
pub(crate) fn no_roots(error: VerifierBuilderError) -> Error {
    Error::configuration(match error {
        VerifierBuilderError::NoRootAnchors => "there is no root to trust".to_owned(),
        other => other.to_string(),
    })
}

/// A side that trusts raw public keys has no roots: TLS lets it ask for one kind only.
pub(crate) fn only_keys(roots: &[Certificate]) -> Result<(), Error> {
    if roots.is_empty() {
        return Ok(());
    }
    Err(Error::configuration(
        "trust raw public keys or roots, not both: a peer shows either a key or a chain",
    ))
}

/// The certificates as trust anchors.
pub(crate) fn roots(certificates: &[Certificate]) -> Result<Arc<RootCertStore>, Error> {
    let mut store = RootCertStore::empty();
    for certificate in certificates {
        store.add(certificate.to_der().into()).map_err(|e| {
            Error::configuration(format!(
                "the certificate of {} cannot be a root: {}",
                certificate.subject(),
                said(&e)
            ))
        })?;
    }
    Ok(Arc::new(store))
}

/// An error of the engine before any connection.
pub(crate) fn set_up(source: rustls::Error) -> Error {
    Error::tls("set up TLS".to_owned(), source)
}
