//! Early data (0-RTT), RFC 8446 section 2.3: accepted, refused, truncated, and not replayed.

use crate::fixture::{NAME, Party, client_options, server_options};
use grille_registry::signature_by_name;
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Connection, EarlyData, Error, Server, ServerOptions};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

fn party() -> Arc<Party> {
    Party::shared(signature_by_name("ML-DSA-44").unwrap())
}

fn client(party: &Party) -> Client {
    Client::new(ClientOptions { early_data: true, ..client_options(party, party) }).unwrap()
}

/// A server with this limit of early data. It sends one word to each client and reports each client's early data,
/// until the test ends.
struct TestServer {
    address: String,
    early: Receiver<Result<Vec<u8>, Error>>,
}

impl TestServer {
    fn start(party: &Party, early_data: u32) -> Self {
        let options = ServerOptions { early_data, ..server_options(party, party) };
        let server = Server::bind("127.0.0.1:0", options).unwrap();
        let address = server.local_addr().unwrap().to_string();
        let (sender, early) = channel();
        thread::spawn(move || {
            while let Ok((socket, peer)) = server.accept() {
                let served = server.handshake(socket, peer).map(|mut connection| {
                    let early = connection.early_data().to_vec();
                    connection.write_all(b"word").unwrap();
                    connection.close().map(|_| early)
                });
                if sender.send(served.and_then(|early| early)).is_err() {
                    return;
                }
            }
        });
        Self { address, early }
    }

    /// Connects and closes the connection. Returns the kind of handshake, the outcome, and the early data that the
    /// server received.
    fn connect(&self, client: &Client, early: &[u8]) -> (Kind, EarlyData, Vec<u8>) {
        let connection = client.connect_with_early_data(&self.address, NAME, early).unwrap();
        let report = finish(connection);
        let hellos = report.trace.messages.iter().filter(|message| message.name() == "ClientHello").count();
        assert_eq!(hellos, 1, "{:?}", report.trace.messages);
        (report.kind, report.early_data, self.early.recv().unwrap().unwrap())
    }
}

/// Reads the server's word, which arrives after the tickets, and closes the connection.
fn finish(mut connection: Connection) -> grille_tls::Report {
    connection.read_exact(&mut [0; 4]).unwrap();
    connection.close().unwrap()
}

#[test]
fn resumed_session_delivers_early_data() {
    let party = party();
    let (client, server) = (client(&party), TestServer::start(&party, 1000));
    assert_eq!(server.connect(&client, b"too early"), (Kind::Full, EarlyData::None, Vec::new()));
    for _ in 0..2 {
        let again = server.connect(&client, b"hello");
        assert_eq!(again, (Kind::Resumed, EarlyData::Accepted(5), b"hello".to_vec()));
    }
    assert_eq!(server.connect(&client, b""), (Kind::Resumed, EarlyData::None, Vec::new()));
}

#[test]
fn sends_no_more_early_data_than_the_limit() {
    let party = party();
    let long: Vec<u8> = (0..40_000_u32).map(|n| n as u8).collect();
    for most in [1, 16_384, 16_385, 39_999, 40_000, 50_000] {
        let (client, server) = (client(&party), TestServer::start(&party, most));
        server.connect(&client, b"");
        let accepted = long.len().min(most as usize);
        let again = server.connect(&client, &long);
        assert_eq!(again, (Kind::Resumed, EarlyData::Accepted(accepted), long[..accepted].to_vec()));
    }
}

#[test]
fn server_without_the_session_refuses_early_data() {
    let party = party();
    for most in [0, 1000] {
        let client = client(&party);
        TestServer::start(&party, 1000).connect(&client, b"");
        let other = TestServer::start(&party, most);
        assert_eq!(other.connect(&client, b"hello"), (Kind::Full, EarlyData::Refused(5), Vec::new()));
    }
}

#[test]
fn sends_no_early_data_unless_both_sides_enable_it() {
    let party = party();
    let server = TestServer::start(&party, 0);
    let client = client(&party);
    server.connect(&client, b"");
    assert_eq!(server.connect(&client, b"hello"), (Kind::Resumed, EarlyData::None, Vec::new()));
    let server = TestServer::start(&party, 1000);
    let reserved = Client::new(client_options(&party, &party)).unwrap();
    server.connect(&reserved, b"");
    assert_eq!(server.connect(&reserved, b"hello"), (Kind::Resumed, EarlyData::None, Vec::new()));
}

/// Forwards one connection to `to` and records the client's bytes.
fn recording_proxy(to: &str) -> (String, Receiver<Vec<u8>>) {
    let between = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, to) = (between.local_addr().unwrap().to_string(), to.to_owned());
    let (sender, recorded) = channel();
    thread::spawn(move || {
        let client = between.accept().unwrap().0;
        let server = TcpStream::connect(to).unwrap();
        let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut &back.0, &mut &back.1));
        let (mut record, mut buffer) = (Vec::new(), [0; 4096]);
        while let Ok(len @ 1..) = (&client).read(&mut buffer) {
            record.extend_from_slice(&buffer[..len]);
            (&server).write_all(&buffer[..len]).unwrap();
        }
        server.shutdown(Shutdown::Write).unwrap();
        sender.send(record).unwrap();
    });
    (address, recorded)
}

#[test]
fn does_not_accept_replayed_early_data() {
    let party = party();
    let (client, server) = (client(&party), TestServer::start(&party, 1000));
    server.connect(&client, b"");
    let (address, recorded) = recording_proxy(&server.address);
    let report = finish(client.connect_with_early_data(&address, NAME, b"pay").unwrap());
    assert_eq!(report.early_data, EarlyData::Accepted(3));
    assert_eq!(server.early.recv().unwrap().unwrap(), b"pay");
    let mut replay = TcpStream::connect(&server.address).unwrap();
    replay.write_all(&recorded.recv().unwrap()).unwrap();
    replay.shutdown(Shutdown::Write).unwrap();
    // the server may reset the connection
    let _ = replay.read_to_end(&mut Vec::new());
    server.early.recv().unwrap().expect_err("a replayed handshake cannot finish");
}

#[test]
fn rejects_early_data_with_shared_tickets() {
    let party = party();
    let ticketer = rustls::crypto::aws_lc_rs::Ticketer::new().unwrap();
    let options = ServerOptions { early_data: 1, ticketer: Some(ticketer), ..server_options(&party, &party) };
    let refused = Server::bind("127.0.0.1:0", options).err().expect("an incompatible configuration");
    assert!(refused.to_string().contains("shared ticket"), "{refused}");
}
