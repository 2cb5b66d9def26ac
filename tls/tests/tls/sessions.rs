//! Sessions: retries, resumption, cipher suites, ALPN and key updates.

use crate::fixture::{self, Party, client_options, connect, connect_again, groups, server_options};
use grille_registry::{kem_by_name, signature_by_name};
use grille_tls::codepoints::{SUITES, suite_name};
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Server};
use std::io::{Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn party() -> Arc<Party> {
    Party::shared(signature_by_name("ML-DSA-44").unwrap())
}

#[test]
fn server_requests_another_key_share() {
    let party = party();
    let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
    let [first, second] = ["ML-KEM-768", "X25519MLKEM768"].map(|name| kem_by_name(name).unwrap());
    client.preferences = groups(&[first, second]);
    server.preferences = groups(&[second]);
    let (client, server) = connect(client, server).reports("a retry");
    for report in [&client, &server] {
        assert_eq!((report.kind, report.group), (Kind::Retried, second.tls_group));
        let names: Vec<_> = report.trace.messages.iter().take(5).map(|message| message.name()).collect();
        let hellos =
            ["ClientHello", "HelloRetryRequest", "ClientHello", "ServerHello", "EncryptedExtensions"];
        assert_eq!(names, hellos);
    }
}

#[test]
fn client_does_not_resume_after_the_server_certificate_expires() {
    let now = grille_pki::now();
    let expires = now + Duration::from_secs(8);
    let row = signature_by_name("ECDSA-P256").unwrap();
    let party = Party::with_validity(row, now - Duration::from_hours(1), expires);
    let client = Client::new(client_options(&party, &party)).unwrap();
    let server = Arc::new(Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap());
    let kinds = ["first", "second"].map(|case| connect_again(&client, &server).reports(case).0.kind);
    assert_eq!(kinds, [Kind::Full, Kind::Resumed]);
    thread::sleep(expires.saturating_sub(grille_pki::now()) + Duration::from_secs(2));
    let refused = connect_again(&client, &server).client.unwrap_err().to_string();
    assert!(refused.contains("expired"), "{refused}");
}

#[test]
fn second_connection_resumes_the_first() {
    let party = party();
    let client = Client::new(client_options(&party, &party)).unwrap();
    let server = Arc::new(Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap());
    let (first, _) = connect_again(&client, &server).reports("the first");
    let (second, seen) = connect_again(&client, &server).reports("the second");
    assert_eq!((first.kind, second.kind, seen.kind), (Kind::Full, Kind::Resumed, Kind::Resumed));
    assert_eq!(second.trace.signed_with, None);
    let bytes =
        |report: &grille_tls::Report| report.handshake_sent.total() + report.handshake_received.total();
    assert!(bytes(&second) * 3 < bytes(&first), "{} and {} bytes", bytes(&second), bytes(&first));
}

#[test]
fn disabled_resumption_causes_full_handshakes() {
    let party = party();
    let options = ClientOptions { resume: false, ..client_options(&party, &party) };
    let client = Client::new(options).unwrap();
    let server = Arc::new(Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap());
    for time in ["the first", "the second", "the third"] {
        let (client, server) = connect_again(&client, &server).reports(time);
        assert_eq!((client.kind, server.kind), (Kind::Full, Kind::Full), "{time}");
    }
}

#[test]
fn negotiates_each_suite() {
    let party = party();
    for suite in SUITES {
        let mut client = client_options(&party, &party);
        client.preferences.suites = vec![*suite];
        let (client, server) = connect(client, server_options(&party, &party)).reports("a suite");
        assert_eq!(client.suite_name(), suite_name(suite.suite()));
        assert_eq!(client.suite, server.suite);
    }
}

#[test]
fn negotiates_an_application_protocol() {
    let party = party();
    let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
    client.alpn = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    server.alpn = vec![b"http/1.1".to_vec()];
    let (client, server) = connect(client, server).reports("a protocol");
    assert_eq!(
        (client.alpn.as_deref(), server.alpn.as_deref()),
        (Some(&b"http/1.1"[..]), Some(&b"http/1.1"[..]))
    );
}

#[test]
fn allows_anonymous_clients_without_client_authentication() {
    let party = party();
    let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
    server.client_roots.clear();
    client.identity = None;
    let (client, server) = connect(client, server).reports("anonymous");
    assert!(server.peer_chain.is_empty() && client.own_chain.is_empty());
    assert_eq!((client.trace.signed_with, server.trace.peer_signed_with), (None, None));
}

/// Length of a record with a KeyUpdate, RFC 8446 sections 4.6.3 and 5.2: record header, message header and body,
/// content type, and tag.
const KEY_UPDATE_LEN: u64 = 5 + 4 + 1 + 1 + 16;

#[test]
fn either_side_can_update_the_keys_of_both() {
    let party = party();
    for (of_client, of_server) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let server = Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap();
        let client = Client::new(client_options(&party, &party)).unwrap();
        let address = server.local_addr().unwrap().to_string();
        let [client, server] = thread::scope(|scope| {
            let serving = scope.spawn(move || {
                let (socket, peer) = server.accept().unwrap();
                exchange(server.handshake(socket, peer).unwrap(), of_server, [receive, send])
            });
            let client =
                exchange(client.connect(&address, fixture::NAME).unwrap(), of_client, [send, receive]);
            [client, serving.join().unwrap()]
        });
        // the peer answers each update with an update
        let updates = (of_client + of_server) as u64 * KEY_UPDATE_LEN;
        assert_eq!(client.sent.encrypted, 3 * PING_LEN + updates + CLOSE_NOTIFY_LEN);
        assert_eq!(server.sent.encrypted, client.sent.encrypted);
    }
}

const PING_LEN: u64 = 5 + 4 + 1 + 16;
const CLOSE_NOTIFY_LEN: u64 = 5 + 2 + 1 + 16;

fn send(connection: &mut grille_tls::Connection) {
    connection.write_all(b"ping").unwrap();
}

fn receive(connection: &mut grille_tls::Connection) {
    let mut word = [0; 4];
    connection.read_exact(&mut word).unwrap();
    assert_eq!(&word, b"ping");
}

/// Runs both `steps` three times, and updates the keys `updates` times after the first round. Then closes the
/// connection.
fn exchange(
    mut connection: grille_tls::Connection,
    updates: usize,
    steps: [fn(&mut grille_tls::Connection); 2],
) -> grille_tls::Report {
    for updates in [updates, 0, 0] {
        steps.iter().for_each(|step| step(&mut connection));
        (0..updates).for_each(|_| connection.update_keys().unwrap());
    }
    connection.close().unwrap()
}
