//! Time limits against peers that never stop sending.

use crate::fixture::{NAME, Party, client_options, server_options};
use grille_registry::signature_by_name;
use grille_tls::{Client, ClientOptions, Connection, Server};
use std::io::{ErrorKind, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Connects to a server that writes for as long as the client reads.
fn connect_to_flooding_server(timeout: Duration) -> Connection {
    let party = Party::shared(signature_by_name("ML-DSA-44").unwrap());
    let server = Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap();
    let address = server.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (socket, peer) = server.accept().unwrap();
        let mut connection = server.handshake(socket, peer).unwrap();
        while connection.write_all(&[7; 1 << 14]).is_ok() {}
    });
    let options = ClientOptions { timeout: Some(timeout), ..client_options(&party, &party) };
    Client::new(options).unwrap().connect(&address, NAME).unwrap()
}

#[test]
fn deadline_ends_an_endless_answer() {
    let mut connection = connect_to_flooding_server(Duration::from_secs(60));
    connection.set_deadline(Some(Instant::now() + Duration::from_millis(200)));
    let mut buffer = vec![0; 1 << 14];
    let error = loop {
        match connection.read(&mut buffer) {
            Ok(len) => assert!(len > 0),
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    // without the deadline, the connection continues
    connection.set_deadline(None);
    assert!(connection.read(&mut buffer).unwrap() > 0);
}

#[test]
fn close_respects_the_timeout() {
    // long enough for the handshake on a loaded machine
    let connection = connect_to_flooding_server(Duration::from_secs(8));
    let error = connection.close().unwrap_err().to_string();
    assert!(error.contains("did not answer in time"), "{error}");
}
