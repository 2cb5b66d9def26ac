//! Precedence of the group order, and its effect on retries, sessions and early data.

use crate::fixture::{NAME, Party, client_options, connect, connect_again, groups, server_options};
use grille_registry::{kem_by_name, signature_by_name};
use grille_tls::hello::Hello;
use grille_tls::report::Kind;
use grille_tls::{Check, Client, ClientOptions, EarlyData, Preferences, Server, ServerOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

fn party() -> Arc<Party> {
    Party::shared(signature_by_name("ML-DSA-44").unwrap())
}

fn preferences_for(names: &[&str]) -> Preferences {
    groups(&names.iter().map(|name| kem_by_name(name).unwrap()).collect::<Vec<_>>())
}

const SERVER_GROUPS: [&str; 3] = ["SecP256r1MLKEM768", "X25519MLKEM768", "ML-KEM-768"];

fn server() -> ServerOptions {
    ServerOptions {
        preferences: preferences_for(&SERVER_GROUPS),
        prefer_server_order: true,
        ..server_options(&party(), &party())
    }
}

fn client(names: &[&str]) -> ClientOptions {
    ClientOptions { preferences: preferences_for(names), ..client_options(&party(), &party()) }
}

#[test]
fn selects_the_first_common_group_of_the_deciding_side() {
    for (offered, own_order, kind, selected) in [
        (&["X25519MLKEM768", "SecP256r1MLKEM768"][..], true, Kind::Retried, "SecP256r1MLKEM768"),
        (&["X25519MLKEM768", "SecP256r1MLKEM768"], false, Kind::Full, "X25519MLKEM768"),
        (&["SecP256r1MLKEM768", "X25519MLKEM768"], true, Kind::Full, "SecP256r1MLKEM768"),
        (&["MLKEM1024", "ML-KEM-768", "X25519MLKEM768"], true, Kind::Retried, "X25519MLKEM768"),
        (&["MLKEM1024", "ML-KEM-768", "X25519MLKEM768"], false, Kind::Retried, "ML-KEM-768"),
        (&["ML-KEM-768"], true, Kind::Full, "ML-KEM-768"),
    ] {
        let results = connect(client(offered), ServerOptions { prefer_server_order: own_order, ..server() });
        let (client, server) = results.reports("a choice");
        let selected = kem_by_name(selected).unwrap().tls_group;
        assert_eq!((client.kind, client.group), (kind, selected), "{offered:?} {own_order}");
        assert_eq!((server.kind, server.group), (kind, selected), "{offered:?} {own_order}");
    }
}

#[test]
fn reports_the_lack_of_a_common_group() {
    let results = connect(client(&["MLKEM1024"]), server());
    let text = results.server.unwrap_err().to_string();
    assert!(text.contains("the peer offers no key-exchange group that this side supports"), "{text}");
    let text = results.client.unwrap_err().to_string();
    assert!(text.contains("handshake_failure"), "{text}");
}

#[test]
fn resumes_sessions_with_any_group() {
    let server = Arc::new(Server::bind("127.0.0.1:0", server()).unwrap());
    let client = Client::new(client(&["ML-KEM-768", "X25519MLKEM768"])).unwrap();
    let kinds = ["the first", "the second"].map(|time| connect_again(&client, &server).reports(time).0.kind);
    assert_eq!(kinds, [Kind::Retried, Kind::Resumed]);
}

#[test]
fn accepts_early_data_with_the_right_key_share() {
    let options = ServerOptions { early_data: 1 << 10, ..server() };
    let server = Server::bind("127.0.0.1:0", options).unwrap();
    let address = server.local_addr().unwrap().to_string();
    let serving = thread::spawn(move || {
        [(); 2].map(|()| {
            let (socket, peer) = server.accept().unwrap();
            let mut connection = server.handshake(socket, peer).unwrap();
            connection.write_all(b"word").unwrap();
            connection.early_data().to_vec()
        })
    });
    let client = Client::new(ClientOptions { early_data: true, ..client(&SERVER_GROUPS) }).unwrap();
    let outcomes = [(); 2].map(|()| {
        let mut connection = client.connect_with_early_data(&address, NAME, b"early").unwrap();
        let mut word = Vec::new();
        // the server closes without close_notify
        let _ = connection.read_to_end(&mut word);
        assert_eq!(word, b"word");
        connection.report().early_data
    });
    assert_eq!(outcomes[1], EarlyData::Accepted(5));
    assert_eq!(serving.join().unwrap(), [vec![], b"early".to_vec()]);
}

/// Returns the records of the ClientHello of a client with these preferences and protocols.
fn client_hello(preferences: Preferences, alpn: Vec<Vec<u8>>) -> Vec<u8> {
    let options =
        ClientOptions { check: Check::DangerousAcceptAny, preferences, alpn, ..ClientOptions::default() };
    let name = NAME.try_into().unwrap();
    let mut client = rustls::ClientConnection::new(options.into_config().unwrap(), name).unwrap();
    let mut records = Vec::new();
    while client.wants_write() {
        client.write_tls(&mut records).unwrap();
    }
    records
}

/// Returns a ClientHello that is longer than one record.
fn long_hello() -> Vec<u8> {
    let alpn = (0..100).map(|n| format!("{n:200}").into_bytes()).collect();
    let records = client_hello(preferences_for(&["MLKEM1024", "ML-KEM-768"]), alpn);
    assert!(records.len() > 1 << 14);
    records
}

/// The client also sends a key share of the hybrid's classical part, so a server without hybrids needs no
/// HelloRetryRequest.
#[test]
fn sends_the_share_of_the_classical_part_of_a_hybrid() {
    for (groups, shares) in [
        (&["X25519MLKEM768", "X25519"][..], &[(4588, 1216), (29, 32)][..]),
        (&["SecP256r1MLKEM768", "X25519", "secp256r1"], &[(4587, 1249), (23, 65)]),
        (&["X25519MLKEM768", "secp256r1"], &[(4588, 1216)]),
    ] {
        let records = client_hello(preferences_for(groups), Vec::new());
        let hello = Hello::parse(&records[5..]).unwrap();
        assert_eq!(hello.shares, shares, "{groups:?}");
    }
}

#[test]
fn accepts_a_hello_in_pieces_of_any_size() {
    let hello = long_hello();
    for len in [1, 7, 1000, hello.len()] {
        let server = Server::bind("127.0.0.1:0", server()).unwrap();
        let address = server.local_addr().unwrap();
        let serving = thread::spawn(move || {
            let (socket, peer) = server.accept().unwrap();
            server.handshake(socket, peer).map(drop)
        });
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_nodelay(true).unwrap();
        for piece in hello.chunks(len) {
            socket.write_all(piece).unwrap();
        }
        socket.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        // a HelloRetryRequest: a handshake record that contains a ServerHello
        assert_eq!((answer[0], answer[5]), (22, 2), "pieces of {len}");
        serving.join().unwrap().unwrap_err();
    }
}
