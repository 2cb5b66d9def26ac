//! `grille explain` for network captures, with a real server's answer.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use etherparse::PacketBuilder;
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::pcap::{Header, LinkType, Record};
use grille_tls::{Check, ClientOptions};
use rustls::ClientConnection;
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

/// Returns the first record of a grille client.
fn client_hello() -> Vec<u8> {
    let options = ClientOptions { check: Check::DangerousAcceptAny, ..ClientOptions::default() };
    let config = options.into_config().unwrap();
    let mut client = ClientConnection::new(config, "localhost".try_into().unwrap()).unwrap();
    let mut record = Vec::new();
    client.write_tls(&mut record).unwrap();
    record
}

/// Returns a server's answer to the client's first record.
fn answer(port: &str, hello: &[u8]) -> Vec<u8> {
    let mut socket = TcpStream::connect(format!("localhost:{port}")).unwrap();
    socket.write_all(hello).unwrap();
    socket.shutdown(Shutdown::Write).unwrap();
    let mut output = Vec::new();
    socket.read_to_end(&mut output).unwrap();
    output
}

/// Makes a capture of one connection in raw IP packets: the client's bytes, then the server's.
fn capture(client: &[u8], server: &[u8]) -> Vec<u8> {
    let mut capture = encode(&Header { snapshot: 1 << 18, link: LinkType(101) });
    let ends = [([192, 0, 2, 1], 50_000), ([192, 0, 2, 2], 443)];
    for ([from, to], output) in [([ends[0], ends[1]], client), ([ends[1], ends[0]], server)] {
        for (n, piece) in output.chunks(1400).enumerate() {
            let builder = PacketBuilder::ipv4(from.0, to.0, 64).tcp(from.1, to.1, 1400 * n as u32, 1024);
            let mut packet = Vec::new();
            builder.write(&mut packet, piece).unwrap();
            capture.extend(encode(&Record {
                sent: packet.len() as u32,
                bytes: &packet,
                ..Record::default()
            }));
        }
    }
    capture
}

fn encode<'a>(frame: &impl Frame<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 2000];
    let len = frame.encode(&mut bytes).unwrap();
    bytes.truncate(len);
    bytes
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ECDSA-P256 --out own");
    sandbox
}

#[test]
fn shows_offers_and_choices_of_captured_handshakes() {
    let sandbox = sandbox();
    let words =
        "tls server --port 0 --cert own/entity_cert.pem --key own/entity_key.pem --groups X25519MLKEM768";
    let server = Background::start(sandbox.command(words));
    let hello = client_hello();
    sandbox.put("network.pcap", capture(&hello, &answer(&server.port(), &hello)));
    let document = sandbox.json("explain network.pcap");
    let connection = &document["capture"]["connections"][0];
    assert_eq!(
        (&connection["complete"], &connection["quantum_safe"]),
        (&json!(true), &json!(true)),
        "{document}"
    );
    assert_eq!(connection["server"], "192.0.2.2:443");
    let [offer, choice] = connection["hellos"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!((&offer["message"], &offer["server_name"]), (&json!("ClientHello"), &json!("localhost")));
    assert_eq!(offer["bytes"], hello.len() - 5);
    assert_eq!(offer["key_shares"][0], "X25519MLKEM768 1216 bytes");
    assert_eq!(choice["key_shares"], json!(["X25519MLKEM768 1120 bytes"]));
    assert_eq!(choice["versions"], json!(["TLSv1.3"]));
    let numbers = document["capture"]["numbers"].as_array().unwrap();
    let explained = numbers.iter().find(|number| number["code"] == "0x11EC").unwrap();
    assert_eq!(explained["meanings"][0]["algorithm"]["category"], 3);
    let text = sandbox.ok("explain network.pcap");
    for part in
        ["1 TLS connection", "quantum-safe: the key exchange is X25519MLKEM768", "ML-DSA-65", "0x0905"]
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn reports_alerts_and_missing_packets() {
    let sandbox = sandbox();
    let words = "tls server --port 0 --cert own/entity_cert.pem --key own/entity_key.pem --groups Kyber512";
    let server = Background::start(sandbox.command(words));
    let hello = client_hello();
    sandbox.put("refused.pcap", capture(&hello, &answer(&server.port(), &hello)));
    let connection = &sandbox.json("explain refused.pcap")["capture"]["connections"][0];
    assert_eq!(connection["alerts"], json!(["the server sent alert handshake_failure"]));
    assert_eq!(connection.get("quantum_safe"), None);
    sandbox.put("lost.pcap", capture(&hello[..1000], &[]));
    sandbox.refuses(
        1,
        "explain lost.pcap",
        &["lost.pcap", "no connection in 1 packet begins with a TLS ClientHello"],
    );
    sandbox.put("empty.pcap", capture(&[], &[]));
    sandbox.refuses(1, "explain empty.pcap", &["0 packets"]);
}

#[test]
fn names_the_subcommand_for_spdm_captures() {
    let sandbox = sandbox();
    let mut bytes = capture(&client_hello(), &[]);
    bytes[20..24].copy_from_slice(&291_u32.to_le_bytes());
    sandbox.put("spdm.pcap", bytes);
    sandbox.refuses(1, "explain spdm.pcap", &["link type 291", "grille spdm dump spdm.pcap"]);
}
