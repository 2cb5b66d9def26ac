//! Session resumption: a server resumes only sessions that its current configuration would accept in a full
//! handshake.

use crate::fixture::{NAME, Party, client_options, groups, server_options};
use grille_core::SystemRng;
use grille_pki::PrivateKey;
use grille_registry::{kem_by_name, signature_by_name};
use grille_tls::report::Kind;
use grille_tls::tickets::{SharedKeys, rotate};
use grille_tls::{Client, ClientOptions, Error, Identity, Preferences, Server, ServerOptions};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::server::ProducesTickets;
use rustls::time_provider::TimeProvider;
use rustls::{ClientConfig, ClientConnection, HandshakeKind, RootCertStore, version};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, SystemTime};

/// Returns a root and an end entity with an algorithm that both TLS versions support.
fn party() -> Party {
    Party::new(signature_by_name("ECDSA-P256").unwrap())
}

/// Returns a party that is unrelated to all others. Tests use only its root.
fn unrelated() -> &'static Party {
    static UNRELATED: OnceLock<Party> = OnceLock::new();
    UNRELATED.get_or_init(party)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Tls12,
    Tls13,
}

pub(crate) const VERSIONS: [Version; 2] = [Version::Tls12, Version::Tls13];

fn keys(text: &str) -> Arc<dyn ProducesTickets> {
    Arc::new(SharedKeys::from_text(text).unwrap())
}

fn fresh_keys() -> Arc<dyn ProducesTickets> {
    keys(&rotate("", 1).unwrap())
}

/// Returns the options of a server with the chain of `own` and anonymous clients, including TLS 1.2.
fn server_without_client_auth(own: &Party) -> ServerOptions {
    ServerOptions { client_roots: Vec::new(), ..server_with_client_auth(own, own) }
}

/// Returns the options of a server with the chain of `own` that requires certificates from the root of `peer`,
/// including TLS 1.2.
fn server_with_client_auth(own: &Party, peer: &Party) -> ServerOptions {
    let preferences = Preferences { legacy: true, ..groups(&[kem_by_name("X25519").unwrap()]) };
    ServerOptions { preferences, ..server_options(own, peer) }
}

fn bind(options: ServerOptions) -> Arc<Server> {
    Arc::new(Server::bind("127.0.0.1:0", options).unwrap())
}

/// Returns a client of this version that trusts the root of `server` and caches sessions.
fn client(version: Version, server: &Party, own: Option<&Party>) -> Arc<ClientConfig> {
    client_trusting_both(version, [server, server], own)
}

/// Returns a client of this version that trusts the roots of both servers and caches sessions.
fn client_trusting_both(version: Version, servers: [&Party; 2], own: Option<&Party>) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    for server in servers {
        roots.add(server.root.to_der().into()).unwrap();
    }
    let versions = match version {
        Version::Tls12 => [&version::TLS12],
        Version::Tls13 => [&version::TLS13],
    };
    let builder =
        ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_protocol_versions(&versions)
            .unwrap()
            .with_root_certificates(roots);
    Arc::new(match own {
        None => builder.with_no_client_auth(),
        Some(own) => {
            builder.with_client_auth_cert(vec![own.own.to_der().into()], to_rustls_key(&own.key)).unwrap()
        }
    })
}

fn to_rustls_key(key: &PrivateKey) -> PrivateKeyDer<'static> {
    let document = key.to_pkcs8_der(grille_pki::PrivateKeyForm::default_for(key.row())).unwrap();
    PrivatePkcs8KeyDer::from(document.as_ref().to_vec()).into()
}

/// Connects once. Returns the kind of handshake, or the error, as seen by the server.
pub(crate) fn connect_to(client: &Arc<ClientConfig>, server: &Arc<Server>) -> Result<Kind, Error> {
    let address = server.local_addr().unwrap();
    let serving = thread::spawn({
        let server = server.clone();
        move || {
            let (socket, peer) = server.accept()?;
            let mut connection = server.handshake(socket, peer)?;
            let kind = connection.report().kind;
            connection.write_all(b"secret").map_err(|e| Error::from_io("write", e))?;
            connection.close()?;
            Ok(kind)
        }
    });
    let mut tls = ClientConnection::new(client.clone(), NAME.try_into().unwrap()).unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let mut received = Vec::new();
    let result = rustls::Stream::new(&mut tls, &mut socket).read_to_end(&mut received);
    tls.send_close_notify();
    // the server may have closed the connection
    let _ = tls.complete_io(&mut socket);
    drop(socket);
    let kind = serving.join().expect("the server does not panic");
    match &kind {
        Ok(kind) => {
            assert_eq!((result.unwrap(), &received[..]), (6, &b"secret"[..]));
            let resumed = tls.handshake_kind() == Some(HandshakeKind::Resumed);
            assert_eq!(resumed, *kind == Kind::Resumed, "both sides see the same kind");
        }
        Err(_) => assert!(received.is_empty(), "a refused client receives nothing"),
    }
    kind
}

/// A manual clock.
#[derive(Debug)]
struct Clock(AtomicU64);

impl Clock {
    fn new() -> Arc<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        Arc::new(Self(AtomicU64::new(now.as_secs())))
    }

    fn now(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::Relaxed))
    }

    fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    fn rewind(&self, time: Duration) {
        self.0.fetch_sub(time.as_secs(), Ordering::Relaxed);
    }
}

impl TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(self.now()))
    }
}

#[test]
fn resumes_at_a_server_with_the_same_keys_and_configuration() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        let ticketer = fresh_keys();
        let [first, second] = [(); 2].map(|()| {
            bind(ServerOptions { ticketer: Some(ticketer.clone()), ..server_with_client_auth(&own, &peer) })
        });
        let client = client(version, &own, Some(&peer));
        assert_eq!(connect_to(&client, &first).unwrap(), Kind::Full, "{version:?}");
        assert_eq!(connect_to(&client, &second).unwrap(), Kind::Resumed, "{version:?}");
        assert_eq!(connect_to(&client, &first).unwrap(), Kind::Resumed, "{version:?}");
    }
}

#[test]
fn rejects_a_ticket_from_a_server_without_client_authentication() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        let ticketer = Some(fresh_keys());
        let open_server =
            bind(ServerOptions { ticketer: ticketer.clone(), ..server_without_client_auth(&own) });
        let strict_server = bind(ServerOptions { ticketer, ..server_with_client_auth(&own, &peer) });
        let client = client(version, &own, None);
        assert_eq!(connect_to(&client, &open_server).unwrap(), Kind::Full, "{version:?}");
        assert_eq!(connect_to(&client, &open_server).unwrap(), Kind::Resumed, "{version:?}");
        let refused = connect_to(&client, &strict_server).unwrap_err().to_string();
        assert!(refused.contains("no certificate"), "{version:?}: {refused}");
    }
}

#[test]
fn rejects_a_ticket_if_the_clients_root_is_no_longer_trusted() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        let ticketer = Some(fresh_keys());
        let mut options = server_with_client_auth(&own, &peer);
        options.client_roots.push(unrelated().root.clone());
        let before = bind(ServerOptions { ticketer: ticketer.clone(), ..options });
        let after = bind(ServerOptions { ticketer, ..server_with_client_auth(&own, unrelated()) });
        let client = client(version, &own, Some(&peer));
        assert_eq!(connect_to(&client, &before).unwrap(), Kind::Full, "{version:?}");
        assert_eq!(connect_to(&client, &before).unwrap(), Kind::Resumed, "{version:?}");
        assert!(connect_to(&client, &after).is_err(), "{version:?}");
    }
}

#[test]
fn changed_roots_cause_a_full_handshake() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        let ticketer = Some(fresh_keys());
        let mut options = server_with_client_auth(&own, &peer);
        options.client_roots.insert(0, unrelated().root.clone());
        let before = bind(ServerOptions { ticketer: ticketer.clone(), ..options });
        let after = bind(ServerOptions { ticketer, ..server_with_client_auth(&own, &peer) });
        let client = client(version, &own, Some(&peer));
        assert_eq!(connect_to(&client, &before).unwrap(), Kind::Full, "{version:?}");
        assert_eq!(connect_to(&client, &after).unwrap(), Kind::Full, "{version:?}");
    }
}

#[test]
fn order_of_roots_does_not_matter() {
    let (own, peer) = (party(), party());
    let ticketer = fresh_keys();
    let [first, second] = [false, true].map(|turned| {
        let mut options = server_with_client_auth(&own, &peer);
        options.client_roots.push(unrelated().root.clone());
        if turned {
            options.client_roots.reverse();
        }
        bind(ServerOptions { ticketer: Some(ticketer.clone()), ..options })
    });
    let client = client(Version::Tls13, &own, Some(&peer));
    assert_eq!(connect_to(&client, &first).unwrap(), Kind::Full);
    assert_eq!(connect_to(&client, &second).unwrap(), Kind::Resumed);
}

#[test]
fn does_not_resume_the_session_of_a_server_with_another_certificate() {
    let (own, other) = (party(), party());
    for version in VERSIONS {
        let ticketer = Some(fresh_keys());
        let first = bind(ServerOptions { ticketer: ticketer.clone(), ..server_without_client_auth(&other) });
        let second = bind(ServerOptions { ticketer, ..server_without_client_auth(&own) });
        let client = client_trusting_both(version, [&own, &other], None);
        assert_eq!(connect_to(&client, &first).unwrap(), Kind::Full, "{version:?}");
        assert_eq!(connect_to(&client, &second).unwrap(), Kind::Full, "{version:?}");
    }
}

/// Returns both kinds of sessions: sealed into tickets, and stored in the server.
fn ticketers() -> [Option<Arc<dyn ProducesTickets>>; 2] {
    [Some(fresh_keys()), None]
}

#[test]
fn rejects_a_session_if_the_clients_certificate_has_expired() {
    let (own, clock) = (party(), Clock::new());
    let hour = Duration::from_hours(1);
    let peer = Party::with_validity(own.key.row(), clock.now() - hour, clock.now() + hour);
    for version in VERSIONS {
        for ticketer in ticketers() {
            let clock = Clock::new();
            let options = ServerOptions {
                clock: Some(clock.clone()),
                ticketer,
                ..server_with_client_auth(&own, &peer)
            };
            let (server, client) = (bind(options), client(version, &own, Some(&peer)));
            assert_eq!(connect_to(&client, &server).unwrap(), Kind::Full, "{version:?}");
            clock.advance(hour / 2);
            assert_eq!(connect_to(&client, &server).unwrap(), Kind::Resumed, "{version:?}");
            clock.advance(hour);
            let refused = connect_to(&client, &server).unwrap_err().to_string();
            assert!(refused.contains("expired"), "{version:?}: {refused}");
        }
    }
}

#[test]
fn renewal_does_not_extend_the_maximum_session_age() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        for ticketer in ticketers() {
            let (clock, hour) = (Clock::new(), Duration::from_hours(1));
            let max_session_age = 3 * hour;
            let options = server_with_client_auth(&own, &peer);
            let options = ServerOptions { clock: Some(clock.clone()), ticketer, max_session_age, ..options };
            let (server, client) = (bind(options), client(version, &own, Some(&peer)));
            let kinds = [(); 4].map(|()| {
                let kind = connect_to(&client, &server).unwrap();
                clock.advance(hour);
                kind
            });
            assert_eq!(kinds, [Kind::Full, Kind::Resumed, Kind::Resumed, Kind::Full], "{version:?}");
        }
    }
}

#[test]
fn session_age_survives_ticket_key_rotation() {
    let (own, peer) = (party(), party());
    for version in VERSIONS {
        let (clock, mut text) = (Clock::new(), rotate("", 1).unwrap());
        let client = client(version, &own, Some(&peer));
        // a day, with a new key every six hours
        let kinds = [(); 5].map(|()| {
            let (clock_of_server, ticketer) = (Some(clock.clone() as _), Some(keys(&text)));
            let options =
                ServerOptions { clock: clock_of_server, ticketer, ..server_with_client_auth(&own, &peer) };
            let kind = connect_to(&client, &bind(options)).unwrap();
            clock.advance(Duration::from_hours(6));
            text = rotate(&text, 3).unwrap();
            kind
        });
        let [full, resumed] = [Kind::Full, Kind::Resumed];
        assert_eq!(kinds, [full, resumed, resumed, resumed, full], "{version:?}");
    }
}

#[test]
fn rejects_sessions_from_the_future_beyond_the_clock_skew() {
    let own = party();
    for (difference, kind) in [(2, Kind::Resumed), (10, Kind::Full)] {
        let clock = Clock::new();
        let options = ServerOptions {
            clock: Some(clock.clone()),
            ticketer: Some(fresh_keys()),
            ..server_without_client_auth(&own)
        };
        let (server, client) = (bind(options), client(Version::Tls13, &own, None));
        assert_eq!(connect_to(&client, &server).unwrap(), Kind::Full);
        clock.rewind(Duration::from_mins(difference));
        assert_eq!(connect_to(&client, &server).unwrap(), kind, "{difference} minutes");
    }
}

#[test]
fn disabled_tickets_prevent_resumption_even_with_a_ticketer() {
    let own = party();
    for version in VERSIONS {
        let options = ServerOptions {
            tickets: false,
            ticketer: Some(fresh_keys()),
            ..server_without_client_auth(&own)
        };
        let (server, client) = (bind(options), client(version, &own, None));
        let kinds = [(); 2].map(|()| connect_to(&client, &server).unwrap());
        assert_eq!(kinds, [Kind::Full; 2], "{version:?}");
    }
}

#[test]
fn rejects_a_ticket_if_the_clients_raw_key_is_no_longer_trusted() {
    let [own, peer, other] = [(); 3]
        .map(|()| PrivateKey::generate(signature_by_name("ML-DSA-44").unwrap(), &mut SystemRng).unwrap());
    let ticketer = Some(fresh_keys());
    let trusting = |keys: &[&PrivateKey]| {
        bind(ServerOptions {
            client_keys: keys.iter().map(|key| key.public_key().clone()).collect(),
            ticketer: ticketer.clone(),
            ..ServerOptions::new(Identity::raw(&own).unwrap())
        })
    };
    let (before, after) = (trusting(&[&other, &peer]), trusting(&[&other]));
    let (open, turned) = (trusting(&[]), trusting(&[&peer, &other]));
    let client = |identity: Option<&PrivateKey>| {
        let options = ClientOptions {
            identity: identity.map(|key| Identity::raw(key).unwrap()),
            server_keys: vec![own.public_key().clone()],
            ..ClientOptions::default()
        };
        options.into_config().unwrap()
    };
    let known = client(Some(&peer));
    assert_eq!(connect_to(&known, &before).unwrap(), Kind::Full);
    assert_eq!(connect_to(&known, &before).unwrap(), Kind::Resumed);
    assert_eq!(connect_to(&known, &turned).unwrap(), Kind::Resumed);
    assert!(connect_to(&known, &after).is_err());
    let anonymous = client(None);
    assert_eq!(connect_to(&anonymous, &open).unwrap(), Kind::Full);
    assert_eq!(connect_to(&anonymous, &open).unwrap(), Kind::Resumed);
    assert!(connect_to(&anonymous, &before).is_err());
}

#[test]
fn rejects_early_data_of_a_client_with_an_expired_certificate() {
    let (own, clock) = (party(), Clock::new());
    let hour = Duration::from_hours(1);
    let peer = Party::with_validity(own.key.row(), clock.now() - hour, clock.now() + hour);
    let options =
        ServerOptions { clock: Some(clock.clone()), early_data: 1 << 10, ..server_options(&own, &peer) };
    let server = bind(options);
    let client = Client::new(ClientOptions { early_data: true, ..client_options(&peer, &own) }).unwrap();
    let once = || {
        let address = server.local_addr().unwrap().to_string();
        let serving = thread::spawn({
            let server = server.clone();
            move || {
                let (socket, peer) = server.accept()?;
                let mut connection = server.handshake(socket, peer)?;
                connection.write_all(b"secret").map_err(|e| Error::from_io("write", e))?;
                let early = connection.early_data().to_vec();
                connection.close().map(|_| early)
            }
        });
        if let Ok(mut connection) = client.connect_with_early_data(&address, NAME, b"early") {
            // the server may refuse
            let _ = connection.read_to_end(&mut Vec::new());
            let _ = connection.close();
        }
        serving.join().expect("the server does not panic")
    };
    assert_eq!(once().unwrap(), b"");
    assert_eq!(once().unwrap(), b"early");
    clock.advance(2 * hour);
    assert!(once().unwrap_err().to_string().contains("expired"));
}
