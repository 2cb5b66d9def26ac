//! Selection among several identities of a server.

use crate::fixture::{Party, groups};
use crate::resumption::{VERSIONS, Version, connect_to};
use grille_core::SystemRng;
use grille_pki::PrivateKey;
use grille_registry::{kem_by_name, signature_by_name};
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Identity, Preferences, Report, Server, ServerOptions};
use rustls::crypto::CryptoProvider;
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion, version};
use std::io::Write;
use std::sync::Arc;
use std::thread;

fn party(algorithm: &str, names: &[&str]) -> Party {
    Party::with_names(signature_by_name(algorithm).unwrap(), names)
}

/// Returns the options of a server with these identities, including TLS 1.2.
fn server_options(identities: &[&Party]) -> ServerOptions {
    let [first, others @ ..] = identities else { panic!("no identity") };
    ServerOptions {
        preferences: Preferences { legacy: true, ..groups(&[kem_by_name("X25519").unwrap()]) },
        more_identities: others.iter().map(|party| party.identity()).collect(),
        ..ServerOptions::new(first.identity())
    }
}

fn bind(options: ServerOptions) -> Arc<Server> {
    Arc::new(Server::bind("127.0.0.1:0", options).unwrap())
}

/// Connects to the server with this name, with a client of this crate, which supports ML-DSA. Returns the client's
/// report.
fn connect_and_report(
    server: &Arc<Server>,
    roots: &[&Party],
    name: &str,
) -> Result<Report, grille_tls::Error> {
    let options = ClientOptions {
        roots: roots.iter().map(|party| party.root.clone()).collect(),
        preferences: groups(&[kem_by_name("X25519").unwrap()]),
        ..ClientOptions::default()
    };
    connect(&Client::new(options).unwrap(), server, name)
}

fn connect(client: &Client, server: &Arc<Server>, name: &str) -> Result<Report, grille_tls::Error> {
    let serving = thread::spawn({
        let server = server.clone();
        move || {
            let (socket, peer) = server.accept()?;
            let mut connection = server.handshake(socket, peer)?;
            connection.write_all(b"hello").map_err(|e| grille_tls::Error::from_io("write", e))?;
            connection.close()
        }
    });
    let address = server.local_addr().unwrap().to_string();
    let report = client.connect(&address, name).and_then(grille_tls::Connection::close);
    let seen = serving.join().expect("the server does not panic");
    if let (Ok(report), Ok(seen)) = (&report, &seen)
        && report.kind != Kind::Resumed
    {
        assert_eq!(report.peer_chain.0, seen.own_chain.0, "both sides see the same chain");
    }
    report
}

fn presents(report: &Report, party: &Party) -> bool {
    report.peer_chain.0[0].as_ref() == party.own.as_der()
}

/// Returns a client that supports only this version, and no ML-DSA.
fn client_without_ml_dsa(version: Version, server: &Party) -> Arc<ClientConfig> {
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    let version = if version == Version::Tls12 { &version::TLS12 } else { &version::TLS13 };
    provider.cipher_suites.retain(|suite| suite.version() == version);
    let algorithms = &mut provider.signature_verification_algorithms;
    let mapping =
        algorithms.mapping.iter().filter(|(scheme, _)| !(0x0904..=0x0906).contains(&u16::from(*scheme)));
    algorithms.mapping = mapping.copied().collect::<Vec<_>>().leak();
    client_with_provider(provider, version, server)
}

fn client_with_provider(
    provider: CryptoProvider,
    version: &'static SupportedProtocolVersion,
    server: &Party,
) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(server.root.to_der().into()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(provider));
    let builder = builder.with_protocol_versions(&[version]).unwrap();
    Arc::new(builder.with_root_certificates(roots).with_no_client_auth())
}

#[test]
fn presents_the_first_certificate_that_the_client_can_verify() {
    let (new, old) = (party("ML-DSA-65", &["localhost"]), party("ECDSA-P256", &["localhost"]));
    for identities in [[&new, &old], [&old, &new]] {
        let server = bind(server_options(&identities));
        for version in VERSIONS {
            let client = client_without_ml_dsa(version, &old);
            assert_eq!(connect_to(&client, &server).unwrap(), Kind::Full, "{version:?}");
            assert_eq!(connect_to(&client, &server).unwrap(), Kind::Resumed, "{version:?}");
        }
        let seen = connect_and_report(&server, &[&new, &old], "localhost").unwrap();
        assert!(presents(&seen, identities[0]), "a new client gets the server's first choice");
    }
}

#[test]
fn fails_without_a_common_signature_scheme() {
    let [first, second] = ["ML-DSA-44", "ML-DSA-65"].map(|algorithm| party(algorithm, &["localhost"]));
    let server = bind(server_options(&[&first, &second]));
    let other = party("ECDSA-P256", &["localhost"]);
    for version in VERSIONS {
        assert!(connect_to(&client_without_ml_dsa(version, &other), &server).is_err(), "{version:?}");
    }
}

#[test]
fn presents_the_certificate_for_the_requested_name() {
    let first = party("ECDSA-P256", &["localhost"]);
    let exact = party("ECDSA-P256", &["a.example.org"]);
    let wildcard = party("ECDSA-P256", &["*.example.org"]);
    let wildcard_new = party("ML-DSA-44", &["*.example.org"]);
    let all = [&first, &wildcard_new, &wildcard, &exact];
    let server = bind(server_options(&all));
    for (name, expected) in [
        ("localhost", &first),
        ("a.example.org", &exact),
        ("A.Example.org", &exact),
        ("b.example.org", &wildcard_new),
    ] {
        assert!(presents(&connect_and_report(&server, &all, name).unwrap(), expected), "{name}");
    }
    // a client that requests another name, or connects to an address, gets the first identity and may refuse it
    for name in ["c.example.net", "127.0.0.1"] {
        let client = ClientOptions {
            roots: all.iter().map(|party| party.root.clone()).collect(),
            check: grille_tls::Check::AnyName,
            preferences: groups(&[kem_by_name("X25519").unwrap()]),
            ..ClientOptions::default()
        };
        let seen = connect(&Client::new(client).unwrap(), &server, name).unwrap();
        assert!(presents(&seen, &first), "{name}");
    }
}

#[test]
fn tls_1_2_selects_a_key_with_a_common_suite() {
    let (ecdsa, rsa) = (party("ECDSA-P256", &["localhost"]), party("RSA_2048", &["localhost"]));
    let server = bind(server_options(&[&ecdsa, &rsa]));
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    provider.cipher_suites.retain(|suite| format!("{suite:?}").contains("ECDHE_RSA"));
    assert!(!provider.cipher_suites.is_empty());
    let client = client_with_provider(provider, &version::TLS12, &rsa);
    assert_eq!(connect_to(&client, &server).unwrap(), Kind::Full);
}

#[test]
fn session_is_bound_to_the_certificates_of_its_name_only() {
    let [first, other, renewed] =
        ["localhost", "other.example", "other.example"].map(|name| party("ECDSA-P256", &[name]));
    let text = grille_tls::tickets::rotate("", 1).unwrap();
    let served = |identities: &[&Party]| {
        let ticketer = Arc::new(grille_tls::tickets::SharedKeys::from_text(&text).unwrap());
        bind(ServerOptions { ticketer: Some(ticketer), ..server_options(identities) })
    };
    let (before, after) = (served(&[&first, &other]), served(&[&first, &renewed]));
    let client = || {
        Client::new(ClientOptions {
            roots: [&first, &other, &renewed].map(|party| party.root.clone()).to_vec(),
            preferences: groups(&[kem_by_name("X25519").unwrap()]),
            ..ClientOptions::default()
        })
        .unwrap()
    };
    for (name, kind) in [("localhost", Kind::Resumed), ("other.example", Kind::Full)] {
        let client = client();
        assert_eq!(connect(&client, &before, name).unwrap().kind, Kind::Full, "{name}");
        assert_eq!(connect(&client, &before, name).unwrap().kind, Kind::Resumed, "{name}");
        assert_eq!(connect(&client, &after, name).unwrap().kind, kind, "{name}");
    }
}

#[test]
fn raw_public_key_excludes_other_identities() {
    let own = party("ML-DSA-44", &["localhost"]);
    let key = PrivateKey::generate(own.key.row(), &mut SystemRng).unwrap();
    let options = ServerOptions {
        more_identities: vec![Identity::raw(&key).unwrap()],
        ..ServerOptions::new(own.identity())
    };
    let error = options.into_configs().err().unwrap().to_string();
    assert!(error.contains("raw public key"), "{error}");
}
