//! Answers to `grille tls client` that do not end.

use crate::desk::Desk;
use grille_tls::{Identity, Server, ServerOptions};
use std::io::{Read, Write};
use std::process::Stdio;

/// A TLS server in this process that answers each client's first words with text that does not end.
fn endless(desk: &Desk) -> u16 {
    let [chain, key] = ["own/entity_cert.pem", "own/entity_key.pem"].map(|file| desk.get(file));
    let identity = Identity::from_pem(&chain, &key).unwrap();
    let server = Server::bind("127.0.0.1:0", ServerOptions::new(identity)).unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((socket, peer)) = server.accept() {
            let Ok(mut connection) = server.handshake(socket, peer) else { continue };
            if connection.read(&mut [0; 64]).is_ok() {
                while connection.write_all(&[b'x'; 1 << 14]).is_ok() {}
            }
        }
    });
    port
}

/// What a client says that ended because an endless answer was cut off. Where the machine stops the server for a moment, the client
/// takes the pause for the end of the answer, and closing the connection fails.
fn cut_off(said: &str, reason: &str) -> bool {
    assert!(said.contains(reason) || said.contains("did not answer in time"), "{said}");
    said.contains(reason)
}

#[test]
fn an_endless_answer_ends_by_the_timeout() {
    let desk = Desk::new();
    desk.ok("cert chain --quiet --alg ML-DSA-44 --out own");
    let port = endless(&desk);
    for message in ["--message hi", ""] {
        let client = format!("tls client localhost:{port} --ca own/root_cert.pem --timeout 3 {message}");
        let is_late = || {
            let mut client = desk.command(&client);
            let client = client.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
            let mut client = client.spawn().unwrap();
            // with --message nobody reads it
            let _ = client.stdin.take().unwrap().write_all(b"hi");
            let said = String::from_utf8(client.wait_with_output().unwrap().stderr).unwrap();
            cut_off(&said, "still sending after 3 seconds; raise --timeout")
        };
        assert!((0..5).any(|_| is_late()), "no answer was cut off");
    }
}

#[test]
fn a_document_does_not_hold_an_endless_answer() {
    let desk = Desk::new();
    desk.ok("cert chain --quiet --alg ML-DSA-44 --out own");
    let port = endless(&desk);
    let client =
        format!("tls client localhost:{port} --ca own/root_cert.pem --message hi --json --timeout 5");
    let is_too_long = || cut_off(&desk.run(&client).stderr, "longer than 1 MiB");
    assert!((0..5).any(|_| is_too_long()), "no answer was too long");
}
