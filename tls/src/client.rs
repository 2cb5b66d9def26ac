//! TLS client.

use crate::cert_verifier::{Check, Roots, ServerVerifier};
use crate::certificate_types::AgreedTypeResolver;
use crate::client_sessions::ClientSessions;
use crate::compression::rustls_algorithms;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::error::{Error, describe, setup_error};
use crate::groups::GreaseGroup;
use crate::identity::{Identity, PresentedIdentity};
use crate::provider::{Preferences, group_names, provider_for_signatures};
use crate::raw_public_key::TrustedKeys;
use crate::starttls::StartTls;
use crate::trace;
use crate::transport::{CountingSocket, dial};
use crate::verify::Accepted;
use grille_pki::verify::Root;
use grille_pki::{Certificate, Crl, PublicKey};
use grille_registry::Numbers;
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{Resumption, VerifierBuilderError, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, KeyLog, RootCertStore};
use std::net::{Ipv6Addr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Configuration of a client.
pub struct ClientOptions {
    /// Groups and suites.
    pub preferences: Preferences,
    /// Trusted roots; at least one, unless `check` is [`Check::DangerousAcceptAny`] or there are `server_keys`.
    pub roots: Vec<Certificate>,
    /// Revocation lists for the chains of servers, which require `roots`. If there are any lists, every certificate
    /// below a root must be covered by a current list of its issuer. The lists are checked in full handshakes only: a
    /// client resumes only sessions whose full handshake passed the check.
    pub revocation: Vec<Crl>,
    /// Trusted raw public keys (RFC 7250), instead of roots. A server is then identified by its key; its name is not
    /// checked.
    pub server_keys: Vec<PublicKey>,
    /// Checks of the server's certificate.
    pub check: Check,
    /// Offer a key share that no server supports, so that the server sends a HelloRetryRequest.
    pub retry: bool,
    /// Identity to present if the server requests one.
    pub identity: Option<Identity>,
    /// Resume the session of an earlier connection, if the server issued a ticket. A session is resumed for at most
    /// [`DEFAULT_MAX_SESSION_AGE`](crate::DEFAULT_MAX_SESSION_AGE) after its full handshake, and not after a
    /// certificate of the server's chain expires. If false, every handshake is a full one.
    pub resume: bool,
    /// Allow early data, see [`Client::connect_with_early_data`].
    pub early_data: bool,
    /// ALPN application protocols, in order of preference.
    pub alpn: Vec<Vec<u8>>,
    /// Destination of session secrets, for debugging.
    pub key_log: Option<Arc<dyn KeyLog>>,
    /// Protocol whose STARTTLS command precedes the handshake, if any.
    pub start_tls: Option<StartTls>,
    /// Timeout for connecting, for [`Self::start_tls`], for the handshake, and for each later read and write.
    pub timeout: Option<Duration>,
}

impl Default for ClientOptions {
    /// Default groups and suites, no trusted roots yet, certificates checked including their names, resumption
    /// enabled, no early data, no ALPN, no timeout.
    fn default() -> Self {
        Self {
            preferences: Preferences::default(),
            roots: Vec::new(),
            revocation: Vec::new(),
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
    /// Converts the options to a rustls configuration, for use with an engine other than [`Client`].
    ///
    /// # Errors
    /// The errors of [`Client::new`].
    pub fn into_config(self) -> Result<Arc<ClientConfig>, Error> {
        self.config().map(|(config, _)| config)
    }

    /// Returns the configuration, and the identity that the client presents.
    fn config(mut self) -> Result<(Arc<ClientConfig>, Option<PresentedIdentity>), Error> {
        let accepted = match self.check {
            _ if !self.server_keys.is_empty() => Accepted::for_keys(&self.server_keys),
            Check::DangerousAcceptAny => Accepted::ALL,
            Check::Named | Check::AnyName => Accepted::for_roots(&self.roots),
        };
        let mut provider = provider_for_signatures(&self.preferences, Some(accepted))?;
        if self.retry {
            provider.kx_groups.insert(0, &GreaseGroup);
        }
        let provider = Arc::new(provider);
        let sessions = Arc::new(ClientSessions::default());
        let verifier = verifier(&mut self, &provider, &sessions)?;
        let builder = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(self.preferences.versions())
            .map_err(setup_error)?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let presented = self.identity.map(|identity| identity.into_presented(&provider)).transpose()?;
        let mut config = match &presented {
            Some(presented) => {
                builder.with_client_cert_resolver(Arc::new(AgreedTypeResolver(Arc::new(presented.clone()))))
            }
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = self.alpn;
        config.enable_early_data = self.early_data;
        (config.cert_compressors, config.cert_decompressors) =
            rustls_algorithms(&self.preferences.compression);
        config.resumption = if self.resume { Resumption::store(sessions) } else { Resumption::disabled() };
        config.key_log = self.key_log.unwrap_or(config.key_log);
        Ok((Arc::new(config), presented))
    }
}

/// A configured client. Unless the options disable resumption, a connection resumes the session of an earlier one.
pub struct Client {
    config: Arc<ClientConfig>,
    presented: Option<PresentedIdentity>,
    groups: Vec<&'static str>,
    numbers: Numbers,
    start_tls: Option<StartTls>,
    timeout: Option<Duration>,
}

impl Client {
    /// Creates a client and checks its options.
    ///
    /// # Errors
    /// Returns [`Error::Configuration`] if there is no root or a group cannot be used; [`Error::Tls`] if the identity
    /// cannot be used.
    pub fn new(options: ClientOptions) -> Result<Self, Error> {
        let (numbers, start_tls, timeout) = (options.preferences.numbers, options.start_tls, options.timeout);
        let (config, presented) = options.config()?;
        let groups = group_names(config.crypto_provider(), numbers);
        Ok(Self { config, presented, groups, numbers, start_tls, timeout })
    }

    /// Connects to `address` (`host:port`) and runs the handshake; the certificate must be valid for `name`.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Tls`], or [`Error::Configuration`] if `name` is neither a host name nor an IP
    /// address.
    pub fn connect(&self, address: &str, name: &str) -> Result<Connection, Error> {
        self.connect_with_early_data(address, name, &[])
    }

    /// Connects like [`Client::connect`] and sends `data` as early data (0-RTT) if it resumes a session whose server
    /// accepts early data, up to that server's limit. [`crate::Report::early_data`] reports the outcome; data that was
    /// not accepted must be sent again.
    ///
    /// Early data has weaker security: an attacker who recorded it can replay it, to this server or to another one
    /// with the same sessions, and its keys derive from the earlier session. Send only requests that do no harm when
    /// they are repeated (RFC 8446 section 8).
    ///
    /// # Errors
    /// The errors of [`Client::connect`].
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
                .map_err(|e| Error::from_io(format!("start TLS with {address}"), e))?,
            None => socket,
        };
        trace::begin();
        let start = Instant::now();
        let tls = Engine::client(&self.config, server_name, data).map_err(setup_error)?;
        let report = (self.presented.clone(), self.numbers);
        Connection::handshake(tls, socket, address.to_owned(), report, self.timeout, start)
            .map_err(|e| e.with_offered_groups(&self.groups))
    }

    /// Creates the engine of a new connection, without I/O.
    pub(crate) fn begin(&self, name: &str) -> Result<Engine, Error> {
        Engine::client(&self.config, server_name(name)?, &[]).map_err(setup_error)
    }

    fn start_tls(&self, protocol: StartTls, socket: TcpStream, name: &str) -> std::io::Result<TcpStream> {
        let mut socket = CountingSocket::new(socket);
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

/// Parses the name that a server's certificate must have.
///
/// # Errors
/// Returns [`Error::Configuration`] if `name` is neither a host name nor an IP address.
pub fn server_name(name: &str) -> Result<ServerName<'static>, Error> {
    // the zone of an IPv6 address is local to this machine and not part of the name
    let bare = name.split_once('%').map(|(address, _)| address);
    let bare = bare.filter(|address| address.parse::<Ipv6Addr>().is_ok()).unwrap_or(name);
    ServerName::try_from(bare.to_owned())
        .map_err(|_| Error::configuration(format!("\"{name}\" is neither a host name nor an IP address")))
}

/// Builds the verifier of server certificates, which records accepted servers in `sessions`. Takes the roots and the
/// revocation lists out of the options.
fn verifier(
    options: &mut ClientOptions,
    provider: &Arc<CryptoProvider>,
    sessions: &Arc<ClientSessions>,
) -> Result<Arc<dyn ServerCertVerifier>, Error> {
    let signatures = provider.signature_verification_algorithms;
    check_revocation(options)?;
    if !options.server_keys.is_empty() {
        refuse_roots(&options.roots)?;
        let numbers = options.preferences.numbers;
        let keys = TrustedKeys::new(&options.server_keys, numbers, signatures)?;
        return Ok(Arc::new(keys.with_sessions(sessions.clone())));
    }
    let rustls_verifier = match options.check {
        Check::DangerousAcceptAny => None,
        Check::Named | Check::AnyName => {
            let roots = roots(&options.roots)?;
            let builder = WebPkiServerVerifier::builder_with_provider(roots, provider.clone());
            let built = builder.build().map_err(convert_builder_error)?;
            Some(built as Arc<dyn ServerCertVerifier>)
        }
    };
    let certificates = std::mem::take(&mut options.roots).iter().map(Root::from).collect();
    let roots = Roots {
        certificates,
        algorithms: signatures.all,
        numbers: options.preferences.numbers,
        crls: std::mem::take(&mut options.revocation),
    };
    let sessions = sessions.clone();
    Ok(Arc::new(ServerVerifier { check: options.check, roots, rustls_verifier, signatures, sessions }))
}

/// Refuses revocation lists if the client verifies no chain: they would have no effect.
fn check_revocation(options: &ClientOptions) -> Result<(), Error> {
    let verifies_chains = options.check != Check::DangerousAcceptAny && options.server_keys.is_empty();
    if options.revocation.is_empty() || verifies_chains {
        return Ok(());
    }
    Err(Error::configuration("revocation lists need roots: without roots, no certificate is checked"))
}

/// Converts rustls' error for a verifier that cannot be built.
pub(crate) fn convert_builder_error(error: VerifierBuilderError) -> Error {
    Error::configuration(match error {
        VerifierBuilderError::NoRootAnchors => "no trusted root was given".to_owned(),
        other => other.to_string(),
    })
}

/// Refuses roots next to trusted raw public keys: rustls lets a side request only one of the two.
pub(crate) fn refuse_roots(roots: &[Certificate]) -> Result<(), Error> {
    if roots.is_empty() {
        return Ok(());
    }
    Err(Error::configuration(
        "trust either raw public keys or roots, not both: a peer presents either a key or a chain",
    ))
}

/// Converts certificates to trust anchors.
pub(crate) fn roots(certificates: &[Certificate]) -> Result<Arc<RootCertStore>, Error> {
    let mut store = RootCertStore::empty();
    for certificate in certificates {
        store.add(certificate.to_der().into()).map_err(|e| {
            Error::configuration(format!(
                "cannot use the certificate of {} as a root: {}",
                certificate.subject(),
                describe(&e)
            ))
        })?;
    }
    Ok(Arc::new(store))
}
