//! Tests of `grille tls client` with servers whose answers never end.

use crate::sandbox::Sandbox;
use grille_tls::{Identity, Server, ServerOptions};
use std::io::{Read, Write};
use std::process::Stdio;

/// Starts a TLS server in this process that answers each client's first message with endless text.
fn start_endless_server(sandbox: &Sandbox) -> u16 {
    let [chain, key] = ["own/entity_cert.pem", "own/entity_key.pem"].map(|file| sandbox.get(file));
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

/// Returns whether the client cut off an endless answer for this reason. Panics on any error other than that and a
/// timeout.
///
/// The timeout occurs if the machine pauses the server for a moment: the client takes the pause for the end of the
/// answer, and closing fails.
fn is_cut_off_error(output: &str, reason: &str) -> bool {
    assert!(output.contains(reason) || output.contains("did not answer in time"), "{output}");
    output.contains(reason)
}

#[test]
fn ends_endless_answers_by_the_timeout() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out own");
    let port = start_endless_server(&sandbox);
    for message in ["--message hi", ""] {
        let client = format!("tls client localhost:{port} --ca own/root_cert.pem --timeout 3 {message}");
        let is_late = || {
            let mut client = sandbox.command(&client);
            let client = client.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
            let mut client = client.spawn().unwrap();
            // with --message, standard input is not read
            let _ = client.stdin.take().unwrap().write_all(b"hi");
            let output = String::from_utf8(client.wait_with_output().unwrap().stderr).unwrap();
            is_cut_off_error(&output, "still sending after 3 seconds; raise --timeout")
        };
        assert!((0..5).any(|_| is_late()), "no answer was cut off");
    }
}

#[test]
fn limits_answers_in_json_documents() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out own");
    let port = start_endless_server(&sandbox);
    let client =
        format!("tls client localhost:{port} --ca own/root_cert.pem --message hi --json --timeout 5");
    let is_too_long = || is_cut_off_error(&sandbox.run(&client).stderr, "longer than 1 MiB");
    assert!((0..5).any(|_| is_too_long()), "no answer was too long");
}
