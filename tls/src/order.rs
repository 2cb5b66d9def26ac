//! Selection of a configuration by the ClientHello: precedence of the client's or the server's order of groups.
//!
//! rustls takes the first of the client's groups that the server supports. To apply the server's order, this module
//! reads the ClientHello first. It then selects a configuration with a single group: the first in the server's order
//! that the client also supports. If the client sent no key share for it, rustls requests one with a HelloRetryRequest
//! (RFC 8446 section 4.1.4): the preferred group is worth a round trip.

use crate::identities::{Identities, offers_tls13};
use crate::resumption::Sessions;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::server::{Acceptor, ClientHello};
use rustls::{Error, ProtocolVersion, ServerConfig};
use std::sync::Arc;

/// Rustls configurations of a server; each connection needs its own, see [`Configs::for_connection`] and
/// [`Configs::choose`].
#[derive(Clone, Debug)]
pub struct Configs {
    all: Arc<ServerConfig>,
    /// One configuration per group, in the server's order; empty if the client's order takes precedence.
    single: Vec<SingleGroup>,
    /// `None` if no sessions are resumed.
    sessions: Option<Resumable>,
}

/// The server's sessions, and its identities: only sessions of servers with the same identities may be resumed.
#[derive(Clone, Debug)]
struct Resumable {
    sessions: Arc<Sessions>,
    identities: Arc<Identities>,
}

/// Configuration for connections that use one group.
#[derive(Clone, Debug)]
struct SingleGroup {
    group: &'static dyn SupportedKxGroup,
    config: Arc<ServerConfig>,
}

impl Configs {
    /// Creates configurations in which the client's order takes precedence.
    pub(crate) fn with_client_order(all: ServerConfig) -> Self {
        Self { all: Arc::new(all), single: Vec::new(), sessions: None }
    }

    /// Creates configurations in which the order of groups in `all` takes precedence. `with` builds a configuration
    /// from a given provider, with the client authentication of `all`.
    pub(crate) fn with_server_order(
        all: ServerConfig,
        with: impl Fn(CryptoProvider) -> Result<ServerConfig, Error>,
    ) -> Result<Self, Error> {
        let provider = all.crypto_provider();
        let single = |group| {
            let built = with(CryptoProvider { kx_groups: vec![group], ..provider.as_ref().clone() })?;
            Ok(SingleGroup { group, config: Arc::new(with_settings_of(built, &all)) })
        };
        let single = provider.kx_groups.iter().copied().map(single).collect::<Result<_, Error>>()?;
        Ok(Self { all: Arc::new(all), single, sessions: None })
    }

    /// Adds resumption, for every group, of the sessions that servers with these identities issued.
    pub(crate) fn with_resumption(self, sessions: Sessions, identities: Arc<Identities>) -> Self {
        Self { sessions: Some(Resumable { sessions: Arc::new(sessions), identities }), ..self }
    }

    /// Returns the settings common to all connections, with every group in the client's order. This configuration
    /// issues no tickets and resumes no sessions.
    #[must_use]
    pub const fn all(&self) -> &Arc<ServerConfig> {
        &self.all
    }

    /// Returns whether the ClientHello must be read before [`Configs::choose`]. Otherwise, use
    /// [`Configs::for_connection`].
    #[must_use]
    pub fn needs_client_hello(&self) -> bool {
        let by_name = |resumable: &Resumable| resumable.identities.depend_on_name();
        !self.single.is_empty() || self.sessions.as_ref().is_some_and(by_name)
    }

    /// Returns a configuration for one connection, in the client's order of groups. Do not use it for a second
    /// connection: it stores the age of the connection's session.
    #[must_use]
    pub fn for_connection(&self) -> Arc<ServerConfig> {
        self.resumption_config(&self.all, None)
    }

    /// Returns a configuration for one connection with this ClientHello. Do not use it for a second connection. Clients
    /// without a common group get the configuration of [`Configs::for_connection`], which refuses them.
    #[must_use]
    pub fn choose(&self, hello: &ClientHello<'_>) -> Arc<ServerConfig> {
        let offered = hello.named_groups().unwrap_or_default();
        let version = if offers_tls13(hello) { ProtocolVersion::TLSv1_3 } else { ProtocolVersion::TLSv1_2 };
        let common = |single: &&SingleGroup| {
            single.group.usable_for_version(version) && offered.contains(&single.group.name())
        };
        let config = self.single.iter().find(common).map_or(&self.all, |single| &single.config);
        self.resumption_config(config, hello.server_name())
    }

    fn resumption_config(&self, config: &Arc<ServerConfig>, name: Option<&str>) -> Arc<ServerConfig> {
        match &self.sessions {
            Some(Resumable { sessions, identities }) => {
                sessions.for_connection(config, &identities.for_name(name))
            }
            None => config.clone(),
        }
    }
}

/// Copies to `built` the settings of `source` that depend on neither the groups nor the verifier, and returns it.
fn with_settings_of(built: ServerConfig, source: &ServerConfig) -> ServerConfig {
    let mut config = built;
    config.cert_resolver = source.cert_resolver.clone();
    config.session_storage = source.session_storage.clone();
    config.ticketer = source.ticketer.clone();
    config.alpn_protocols.clone_from(&source.alpn_protocols);
    config.key_log = source.key_log.clone();
    config.time_provider = source.time_provider.clone();
    config.max_early_data_size = source.max_early_data_size;
    config.send_tls13_tickets = source.send_tls13_tickets;
    config.cert_compressors.clone_from(&source.cert_compressors);
    config.cert_compression_cache = source.cert_compression_cache.clone();
    config.cert_decompressors.clone_from(&source.cert_decompressors);
    config
}

/// Reads records until the ClientHello is complete, then selects a configuration.
pub(crate) struct ConfigSelector {
    configs: Configs,
    acceptor: Acceptor,
    /// Number of bytes passed to the acceptor.
    processed: usize,
}

impl ConfigSelector {
    pub(crate) fn new(configs: &Configs) -> Self {
        Self { configs: configs.clone(), acceptor: Acceptor::default(), processed: 0 }
    }

    /// Selects a configuration, or returns `None` if the ClientHello is incomplete. `records`: all bytes from the
    /// client. For malformed input, returns the configuration of [`Configs::for_connection`], with which rustls refuses
    /// it.
    pub(crate) fn choose(&mut self, records: &[u8]) -> Option<Arc<ServerConfig>> {
        let mut new_records = &records[self.processed..];
        while !new_records.is_empty() {
            if self.acceptor.read_tls(&mut new_records).is_err() {
                return Some(self.configs.for_connection());
            }
            match self.acceptor.accept() {
                Ok(None) => {}
                Ok(Some(accepted)) => return Some(self.configs.choose(&accepted.client_hello())),
                Err(_) => return Some(self.configs.for_connection()),
            }
        }
        self.processed = records.len();
        None
    }
}
