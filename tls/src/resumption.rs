//! Session resumption of a server, with limits on age and configuration.
//!
//! rustls resumes every session that its ticketer decrypts or its store finds. It neither compares the configuration
//! of that session with its own nor checks the client's certificate again. Therefore each session is sealed or stored
//! with a header:
//!
//! | bytes | content |
//! |--:|---|
//! | 32 | the [`Binding`]: client authentication, and the server's identities for the requested name |
//! | 8 | end of the original full handshake: seconds since the Unix epoch, big-endian |
//!
//! A session is resumed only if its binding equals the server's own, the full handshake is recent enough, and the
//! server would still accept the client's certificate or key. Otherwise, the client goes through a full handshake.
//!
//! A resumed connection passes the time of its full handshake on to new tickets, so that neither renewal nor a change
//! of ticket keys extends a session. rustls does not expose the ticket that a new one derives from. Therefore every
//! connection has its own [`ServerConfig`], whose ticketer stores that time.

use crate::client_auth::ClientAuth;
use crate::identity::{PresentedIdentity, sha256};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::{ProducesTickets, StoresServerSessions};
use rustls::time_provider::TimeProvider;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use zeroize::{Zeroize, Zeroizing};

/// Maximum clock difference between servers with the same ticket keys, in seconds.
const CLOCK_SKEW: u64 = 5 * 60;

const BINDING_LEN: usize = 32;
const TIME_LEN: usize = 8;
const HEADER_LEN: usize = BINDING_LEN + TIME_LEN;

/// SHA-256 of the settings that two servers must share to resume each other's sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Binding([u8; BINDING_LEN]);

impl Binding {
    /// Computes the binding. `clients`: hash of the client authentication. `identities`: hash of the end-entity
    /// certificates, or of the raw public key, that the server may present.
    fn new(clients: &[u8; 32], identities: &[u8; 32]) -> Self {
        Self(sha256(&[&b"grille session binding 1"[..], clients, identities].concat()))
    }
}

/// Hashes a set of hashes, independent of their order.
fn hash_set(mut hashes: Vec<[u8; 32]>) -> [u8; 32] {
    hashes.sort_unstable();
    hashes.dedup();
    sha256(hashes.as_flattened())
}

/// The ticketer, store and rules with which a server seals, stores and checks its sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    ticketer: Arc<dyn ProducesTickets>,
    store: Arc<dyn StoresServerSessions>,
    clients: ClientAuth,
    /// Hash of [`ClientAuth::configuration`].
    clients_digest: [u8; 32],
    max_age: Duration,
    clock: Arc<dyn TimeProvider>,
}

impl Sessions {
    /// Takes the session store out of `config`, which then resumes no sessions, and copies its ticketer and clock.
    ///
    /// `ticketer`: replaces the ticketer of `config`.
    pub(crate) fn take_from(
        config: &mut ServerConfig,
        ticketer: Option<Arc<dyn ProducesTickets>>,
        clients: ClientAuth,
        max_age: Duration,
    ) -> Self {
        let none = Arc::new(rustls::server::NoServerSessionStorage {});
        let configuration = clients.configuration();
        Self {
            clients_digest: hash_set(configuration.iter().map(|part| sha256(part)).collect()),
            ticketer: ticketer.unwrap_or_else(|| config.ticketer.clone()),
            store: std::mem::replace(&mut config.session_storage, none),
            clients,
            max_age,
            clock: config.time_provider.clone(),
        }
    }

    /// Returns a copy of `config` for one connection. It resumes only sessions of servers that have exactly these
    /// identities for the requested name.
    pub(crate) fn for_connection(
        self: &Arc<Self>,
        config: &ServerConfig,
        identities: &[&PresentedIdentity],
    ) -> Arc<ServerConfig> {
        let identities = hash_set(identities.iter().map(|presented| *presented.digest()).collect());
        let own = Arc::new(ConnectionSessions {
            sessions: self.clone(),
            binding: Binding::new(&self.clients_digest, &identities),
            full_handshake: AtomicU64::new(u64::MAX),
        });
        let mut config = config.clone();
        config.ticketer = own.clone();
        config.session_storage = own;
        Arc::new(config)
    }

    /// Returns the remaining seconds of a session, or `None` if it has expired or its full handshake lies in the
    /// future.
    fn remaining(&self, full_handshake: u64, now: u64) -> Option<u64> {
        let from_the_future = full_handshake > now.saturating_add(CLOCK_SKEW);
        let age = now.saturating_sub(full_handshake);
        self.max_age.as_secs().checked_sub(age).filter(|left| *left > 0 && !from_the_future)
    }
}

/// Sessions of one connection: the one that it may resume, and those that it issues.
struct ConnectionSessions {
    sessions: Arc<Sessions>,
    binding: Binding,
    /// End of the original full handshake, in seconds since the Unix epoch; `u64::MAX` until a session is accepted. If
    /// several sessions of the client are accepted, the earliest of their times counts.
    full_handshake: AtomicU64,
}

impl ConnectionSessions {
    /// Prepends the header to a session. Returns `None` if the session is too old to be renewed, or the time is
    /// unknown.
    fn wrap(&self, session: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let now = self.sessions.clock.current_time()?.as_secs();
        let full_handshake = self.full_handshake.load(Relaxed).min(now);
        self.sessions.remaining(full_handshake, now)?;
        let mut wrapped = Zeroizing::new(Vec::with_capacity(HEADER_LEN + session.len()));
        wrapped.extend_from_slice(&self.binding.0);
        wrapped.extend_from_slice(&full_handshake.to_be_bytes());
        wrapped.extend_from_slice(session);
        Some(wrapped)
    }

    /// Removes the header; returns `None` if the session must not be resumed.
    fn unwrap(&self, wrapped: Vec<u8>) -> Option<Vec<u8>> {
        let mut wrapped = Zeroizing::new(wrapped);
        let full_handshake = self.full_handshake_time(&wrapped)?;
        self.full_handshake.fetch_min(full_handshake, Relaxed);
        wrapped.drain(..HEADER_LEN);
        Some(std::mem::take(&mut *wrapped))
    }

    /// Returns the time of the session's full handshake, if the session may be resumed.
    fn full_handshake_time(&self, wrapped: &[u8]) -> Option<u64> {
        let (binding, rest) = wrapped.split_first_chunk::<BINDING_LEN>()?;
        let (time, session) = rest.split_first_chunk::<TIME_LEN>()?;
        if *binding != self.binding.0 {
            return None;
        }
        let (now, full_handshake) = (self.sessions.clock.current_time()?, u64::from_be_bytes(*time));
        self.sessions.remaining(full_handshake, now.as_secs())?;
        self.is_client_still_accepted(session, now).then_some(full_handshake)
    }

    fn is_client_still_accepted(&self, session: &[u8], now: UnixTime) -> bool {
        match &self.sessions.clients {
            ClientAuth::Anonymous(_) => true,
            clients => client_chain(session).is_some_and(|chain| clients.accepts(&chain, now).is_ok()),
        }
    }
}

impl fmt::Debug for ConnectionSessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionSessions").field("binding", &self.binding).finish_non_exhaustive()
    }
}

impl ProducesTickets for ConnectionSessions {
    fn enabled(&self) -> bool {
        self.sessions.ticketer.enabled()
    }

    fn lifetime(&self) -> u32 {
        let now = self.sessions.clock.current_time().map_or(0, |now| now.as_secs());
        let left = self.sessions.remaining(self.full_handshake.load(Relaxed).min(now), now).unwrap_or(0);
        self.sessions.ticketer.lifetime().min(u32::try_from(left).unwrap_or(u32::MAX))
    }

    fn encrypt(&self, session: &[u8]) -> Option<Vec<u8>> {
        self.sessions.ticketer.encrypt(&self.wrap(session)?)
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        self.unwrap(self.sessions.ticketer.decrypt(ticket)?)
    }
}

impl StoresServerSessions for ConnectionSessions {
    fn put(&self, name: Vec<u8>, mut session: Vec<u8>) -> bool {
        let wrapped = self.wrap(&session);
        session.zeroize();
        wrapped.is_some_and(|mut wrapped| self.sessions.store.put(name, std::mem::take(&mut *wrapped)))
    }

    fn get(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.unwrap(self.sessions.store.get(name)?)
    }

    fn take(&self, name: &[u8]) -> Option<Vec<u8>> {
        self.unwrap(self.sessions.store.take(name)?)
    }

    fn can_cache(&self) -> bool {
        self.sessions.store.can_cache()
    }
}

/// Returns the client's chain in rustls' encoding of a session, or `None` if there is none or the encoding differs.
///
/// The encoding is internal to rustls and may change. Sessions that cannot be parsed are not resumed, which the tests
/// of mutual authentication would detect.
fn client_chain(session: &[u8]) -> Option<Vec<CertificateDer<'_>>> {
    let mut rest = session;
    if *bytes(&mut rest, 1)?.first()? == 1 {
        // server name
        take_prefixed::<1>(&mut rest)?;
    }
    // version and cipher suite
    bytes(&mut rest, 2 + 2)?;
    // master secret
    take_prefixed::<1>(&mut rest)?;
    // whether the master secret is an extended one, whether there is a chain
    let [_, 1] = bytes(&mut rest, 1 + 1)? else { return None };
    let mut list = take_prefixed::<3>(&mut rest)?;
    let mut chain = Vec::new();
    while !list.is_empty() {
        chain.push(CertificateDer::from(take_prefixed::<3>(&mut list)?));
    }
    Some(chain)
}

/// Removes the first `len` bytes from `rest` and returns them; `None` if there are fewer.
fn bytes<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (first, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(first)
}

/// Removes a value with a length prefix of `N` bytes from `rest` and returns it; `None` if `rest` is too short.
fn take_prefixed<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = bytes(rest, N)?.iter().fold(0, |len, byte| len << 8 | usize::from(*byte));
    bytes(rest, len)
}
