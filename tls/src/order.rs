//! Whose order of groups decides: the client's, as in rustls, or the server's own.
//!
//! rustls takes the first of the client's groups that the server has. A server that decides itself reads the ClientHello
//! first, and answers it as one that has a single group, the first of its own that the client has too. Where the client
//! sent no key share of it, rustls asks for one with a HelloRetryRequest (RFC 8446 section 4.1.4): what the server prefers
//! is worth a round trip.

use crate::identities::{Identities, is_new};
use crate::resumption::Sessions;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::server::{Acceptor, ClientHello};
use rustls::{Error, ProtocolVersion, ServerConfig};
use std::sync::Arc;

/// What rustls serves with: one configuration per connection, see [`Configs::for_connection`] and [`Configs::choose`].
#[derive(Clone, Debug)]
pub struct Configs {
    all: Arc<ServerConfig>,
    /// In the server's order; empty where the client's decides.
    single: Vec<Single>,
    /// `None` where no session is resumed.
    sessions: Option<Resumable>,
}

/// Whose sessions are resumed: those of servers with the same identities.
#[derive(Clone, Debug)]
struct Resumable {
    sessions: Arc<Sessions>,
    identities: Arc<Identities>,
}

/// What answers those with whom this group is used.
#[derive(Clone, Debug)]
struct Single {
    group: &'static dyn SupportedKxGroup,
    config: Arc<ServerConfig>,
}

impl Configs {
    /// The client's order decides.
    pub(crate) fn clients_order(all: ServerConfig) -> Self {
        Self { all: Arc::new(all), single: Vec::new(), sessions: None }
    }

    /// The order in which `all` has the groups decides. `with` makes a bare configuration of a provider, for the same
    /// clients.
    pub(crate) fn own_order(
        all: ServerConfig,
        with: impl Fn(CryptoProvider) -> Result<ServerConfig, Error>,
    ) -> Result<Self, Error> {
        let provider = all.crypto_provider();
        let single = |group| {
            let bare = with(CryptoProvider { kx_groups: vec![group], ..provider.as_ref().clone() })?;
            Ok(Single { group, config: Arc::new(alike(bare, &all)) })
        };
        let single = provider.kx_groups.iter().copied().map(single).collect::<Result<_, Error>>()?;
        Ok(Self { all: Arc::new(all), single, sessions: None })
    }

    /// Resumes these sessions of servers with these identities, whatever the group.
    pub(crate) fn resuming(self, sessions: Sessions, identities: Arc<Identities>) -> Self {
        Self { sessions: Some(Resumable { sessions: Arc::new(sessions), identities }), ..self }
    }

    /// The settings that all connections have in common, with every group in the client's order. It issues no tickets and
    /// resumes no sessions.
    #[must_use]
    pub const fn all(&self) -> &Arc<ServerConfig> {
        &self.all
    }

    /// Whether a ClientHello must be read before [`Configs::choose`] says what serves it; if not,
    /// [`Configs::for_connection`] does.
    #[must_use]
    pub fn must_choose(&self) -> bool {
        let by_name = |resumable: &Resumable| resumable.identities.differ_by_name();
        !self.single.is_empty() || self.sessions.as_ref().is_some_and(by_name)
    }

    /// Returns what serves one connection in the client's order of groups. It must not serve a second one: it remembers
    /// how old the connection's session is.
    #[must_use]
    pub fn for_connection(&self) -> Arc<ServerConfig> {
        self.resumable(&self.all, None)
    }

    /// Returns what serves one connection, whose client says this. It must not serve a second one. Clients without a common
    /// group get what [`Configs::for_connection`] returns, which refuses them.
    #[must_use]
    pub fn choose(&self, hello: &ClientHello<'_>) -> Arc<ServerConfig> {
        let offered = hello.named_groups().unwrap_or_default();
        let version = if is_new(hello) { ProtocolVersion::TLSv1_3 } else { ProtocolVersion::TLSv1_2 };
        let common = |single: &&Single| {
            single.group.usable_for_version(version) && offered.contains(&single.group.name())
        };
        let config = self.single.iter().find(common).map_or(&self.all, |single| &single.config);
        self.resumable(config, hello.server_name())
    }

    fn resumable(&self, config: &Arc<ServerConfig>, name: Option<&str>) -> Arc<ServerConfig> {
        match &self.sessions {
            Some(Resumable { sessions, identities }) => {
                sessions.for_connection(config, &identities.for_name(name))
            }
            None => config.clone(),
        }
    }
}

/// `bare` with all that is set on `set`.
fn alike(bare: ServerConfig, set: &ServerConfig) -> ServerConfig {
    let mut config = bare;
    config.cert_resolver = set.cert_resolver.clone();
    config.session_storage = set.session_storage.clone();
    config.ticketer = set.ticketer.clone();
    config.alpn_protocols.clone_from(&set.alpn_protocols);
    config.key_log = set.key_log.clone();
    config.time_provider = set.time_provider.clone();
    config.max_early_data_size = set.max_early_data_size;
    config.send_tls13_tickets = set.send_tls13_tickets;
    config.cert_compressors.clone_from(&set.cert_compressors);
    config.cert_compression_cache = set.cert_compression_cache.clone();
    config.cert_decompressors.clone_from(&set.cert_decompressors);
    config
}

/// Reads along until a ClientHello is whole, and then chooses.
pub(crate) struct Choice {
    configs: Configs,
    acceptor: Acceptor,
    /// How many bytes it has been shown.
    seen: usize,
}

impl Choice {
    pub(crate) fn new(configs: &Configs) -> Self {
        Self { configs: configs.clone(), acceptor: Acceptor::default(), seen: 0 }
    }

    /// `records`: all that came from the client. `None` while the ClientHello is not whole; what cannot be read is left
    /// to [`Configs::for_connection`] to refuse.
    pub(crate) fn choose(&mut self, records: &[u8]) -> Option<Arc<ServerConfig>> {
        let mut unseen = &records[self.seen..];
        while !unseen.is_empty() {
            if self.acceptor.read_tls(&mut unseen).is_err() {
                return Some(self.configs.for_connection());
            }
            match self.acceptor.accept() {
                Ok(None) => {}
                Ok(Some(accepted)) => return Some(self.configs.choose(&accepted.client_hello())),
                Err(_) => return Some(self.configs.for_connection()),
            }
        }
        self.seen = records.len();
        None
    }
}
