//! Raw public keys, RFC 7250: a side presents its key alone, and the peer trusts it.

use crate::fixture::{Party, client_options, connect, connect_again, server_options, signatures};
use grille_core::SystemRng;
use grille_pki::PrivateKey;
use grille_registry::{Numbers, Row, SignatureRow, signature_by_name};
use grille_tls::error::Advice;
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Error, Identity, Server, ServerOptions};
use std::sync::Arc;

fn key(row: &'static SignatureRow) -> PrivateKey {
    PrivateKey::generate(row, &mut SystemRng).unwrap()
}

fn ml_dsa_44() -> PrivateKey {
    key(signature_by_name("ML-DSA-44").unwrap())
}

/// Returns the options of a server that presents `own` and accepts only the key `peer`.
fn server(own: &PrivateKey, peer: &PrivateKey) -> ServerOptions {
    ServerOptions {
        client_keys: vec![peer.public_key().clone()],
        ..ServerOptions::new(Identity::raw(own).unwrap())
    }
}

/// Returns the options of a client that presents `own` and accepts only the key `peer`.
fn client(own: &PrivateKey, peer: &PrivateKey) -> ClientOptions {
    ClientOptions {
        identity: Some(Identity::raw(own).unwrap()),
        server_keys: vec![peer.public_key().clone()],
        ..ClientOptions::default()
    }
}

#[test]
fn authenticates_both_sides_with_keys_of_every_algorithm() {
    // hash-based algorithms mostly sign slowly; one represents all
    let quick = signatures().filter(|row| !row.family.is_hash_based());
    for row in quick.chain(signature_by_name("SLH-DSA-SHA2-128f")) {
        let (of_server, of_client) = (key(row), key(row));
        let (client, server) =
            connect(client(&of_client, &of_server), server(&of_server, &of_client)).reports(row.name());
        let presented = client.peer_chain.raw_public_key(Numbers::default());
        assert_eq!(presented.as_ref(), Some(of_server.public_key()), "{}", row.name());
        let presented = server.peer_chain.raw_public_key(Numbers::default());
        assert_eq!(presented.as_ref(), Some(of_client.public_key()), "{}", row.name());
        assert_eq!(client.peer_chain.certificates().count(), 0);
        assert_eq!(client.trace.signed_with, server.trace.peer_signed_with);
        assert_eq!(server.trace.signed_with, client.trace.peer_signed_with);
    }
}

#[test]
fn accepts_one_of_several_keys() {
    let (own, other) = (ml_dsa_44(), ml_dsa_44());
    let mut client = client(&own, &other);
    client.server_keys.push(own.public_key().clone());
    connect(client, server(&own, &own)).reports("the second key");
}

#[test]
fn resumes_a_session_of_raw_keys() {
    let own = ml_dsa_44();
    let client = Client::new(client(&own, &own)).unwrap();
    let server = Arc::new(Server::bind("127.0.0.1:0", server(&own, &own)).unwrap());
    connect_again(&client, &server).reports("the first");
    let (again, _) = connect_again(&client, &server).reports("the second");
    assert_eq!(again.kind, Kind::Resumed);
}

/// Asserts that the error contains these parts and has this advice.
#[track_caller]
fn assert_error(error: Option<Error>, parts: &[&str], advice: Option<&Advice>) {
    let error = error.expect("this must be refused");
    let message = error.to_string();
    parts.iter().for_each(|part| assert!(message.contains(part), "no {part} in {message}"));
    assert_eq!(error.advice().as_ref(), advice, "{message}");
}

#[test]
fn each_side_rejects_an_unknown_key() {
    let (own, other) = (ml_dsa_44(), ml_dsa_44());
    let unknown = ["raw public key (ML-DSA-44, SHA-256 ", "is not one of the trusted keys"];
    let results = connect(client(&own, &other), server(&own, &own));
    assert_error(results.client.err(), &unknown, Some(&Advice::TrustKey));
    assert_error(results.server.err(), &[], Some(&Advice::FindPeerObjection));
    let results = connect(client(&own, &own), server(&own, &other));
    assert_error(results.server.err(), &unknown, Some(&Advice::TrustKey));
    assert_error(results.client.err(), &[], Some(&Advice::FindPeerObjection));
}

/// The server presents the public key of one pair and signs with the private key of another.
#[test]
fn rejects_a_signature_of_another_key() {
    let (own, other) = (ml_dsa_44(), ml_dsa_44());
    let mut config = server(&own, &own).into_configs().unwrap().all().as_ref().clone();
    let signer = server(&other, &own).into_configs().unwrap();
    let loader = signer.all().crypto_provider().key_provider;
    let document = other.to_pkcs8_der(grille_pki::PrivateKeyForm::default_for(other.row())).unwrap();
    let document = rustls::pki_types::PrivatePkcs8KeyDer::from(document.as_ref().to_vec());
    let mismatched = rustls::sign::CertifiedKey::new(
        vec![own.public_key().to_spki_der().unwrap().into()],
        loader.load_private_key(document.into()).unwrap(),
    );
    config.cert_resolver =
        Arc::new(rustls::server::AlwaysResolvesServerRawPublicKeys::new(Arc::new(mismatched)));
    let mut server = rustls::ServerConnection::new(Arc::new(config)).unwrap();
    let client = client(&own, &own).into_config().unwrap();
    let mut client = rustls::ClientConnection::new(client, "localhost".try_into().unwrap()).unwrap();
    let mut flight = Vec::new();
    client.write_tls(&mut flight).unwrap();
    server.read_tls(&mut flight.as_slice()).unwrap();
    server.process_new_packets().unwrap();
    flight.clear();
    while server.wants_write() {
        server.write_tls(&mut flight).unwrap();
    }
    let mut rest = flight.as_slice();
    let mut refused = Ok(());
    while !rest.is_empty() && refused.is_ok() {
        client.read_tls(&mut rest).unwrap();
        refused = client.process_new_packets().map(drop);
    }
    assert!(matches!(
        refused,
        Err(rustls::Error::InvalidCertificate(rustls::CertificateError::BadSignature))
    ));
}

#[test]
fn rejects_keys_for_certificates_and_vice_versa() {
    let (own, party) = (ml_dsa_44(), Party::shared(signature_by_name("ML-DSA-44").unwrap()));
    let with_keys = server(&own, &own);
    let same = Some(&Advice::UseSameCertificateType);
    let results = connect(client_options(&party, &party), with_keys);
    assert_error(results.server.err(), &["raw public key"], same);
    assert_error(results.client.err(), &["unsupported_certificate"], same);
    let results = connect(client(&own, &own), server_options(&party, &party));
    assert_error(results.server.err(), &["raw public key"], same);
    assert_error(results.client.err(), &["unsupported_certificate"], same);
    let both = ClientOptions { roots: party.roots(), ..client(&own, &own) };
    assert_error(Client::new(both).err(), &["raw public keys or roots, not both"], None);
    let both = ServerOptions { client_roots: party.roots(), ..server(&own, &own) };
    assert_error(Server::bind("127.0.0.1:0", both).err(), &["raw public keys or roots, not both"], None);
}

/// RFC 7250 section 4.2: a server that requests no certificate accepts a client with a raw public key.
#[test]
fn client_with_a_raw_key_connects_to_a_server_that_requests_none() {
    let (own, party) = (ml_dsa_44(), Party::shared(signature_by_name("ML-DSA-44").unwrap()));
    for own_order in [false, true] {
        let raw = ServerOptions {
            prefer_server_order: own_order,
            ..ServerOptions::new(Identity::raw(&own).unwrap())
        };
        let (seen, by_server) = connect(client(&own, &own), raw).reports("a server with a key");
        assert!(by_server.peer_chain.0.is_empty() && seen.trace.signed_with.is_none());
        let chained =
            ServerOptions { prefer_server_order: own_order, ..ServerOptions::new(party.identity()) };
        let mixed = ClientOptions { server_keys: Vec::new(), roots: party.roots(), ..client(&own, &own) };
        let (_, by_server) = connect(mixed, chained).reports("a server with a chain");
        assert!(by_server.peer_chain.0.is_empty());
    }
}

#[test]
fn sends_the_prescribed_alert_without_a_common_type() {
    let (own, party) = (ml_dsa_44(), Party::shared(signature_by_name("ML-DSA-44").unwrap()));
    let anonymous = || ServerOptions::new(Identity::raw(&own).unwrap());
    let with_roots = ClientOptions { identity: None, ..client_options(&party, &party) };
    let with_keys = ClientOptions { identity: None, ..client(&own, &own) };
    let asks_for_chains =
        ServerOptions { client_roots: party.roots(), ..ServerOptions::new(Identity::raw(&own).unwrap()) };
    for (case, results) in [
        ("a chain is required, a key is presented", connect(with_roots, anonymous())),
        ("a key is required, a chain is presented", connect(with_keys, ServerOptions::new(party.identity()))),
        ("a client's chain is required, it has a key", connect(client(&own, &own), asks_for_chains)),
        (
            "a client's key is required, it has none",
            connect(ClientOptions { identity: None, ..client(&own, &own) }, server(&own, &own)),
        ),
    ] {
        let (client, server) = (results.client.err().unwrap(), results.server.err().unwrap());
        assert!(client.to_string().contains("unsupported_certificate"), "{case}: {client}");
        assert!(server.to_string().contains("raw public key"), "{case}: {server}");
    }
}
