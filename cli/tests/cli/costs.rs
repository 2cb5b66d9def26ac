//! `grille tls matrix` and `grille tls bench`: the costs of connections.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use grille_tls::report::Kind;
use grille_tls::{Connection, Identity, Server, ServerOptions};
use serde_json::Value;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn needs_at_most_the_documented_bytes() {
    let document = Sandbox::new().json("tls matrix --bytes --quiet");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 39);
    for row in rows {
        let (ours, theirs) = (number(&row["total_bytes"]), number(&row["documented_bytes"]));
        assert!(ours <= theirs, "{row}");
        let parts = ["hello_bytes", "certificate_bytes", "signature_bytes", "other_bytes"];
        assert_eq!(parts.iter().map(|part| number(&row[part])).sum::<u64>(), ours);
        let names: Vec<_> =
            row["messages"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
        assert_eq!(names[..3], ["ClientHello", "ServerHello", "EncryptedExtensions"]);
        let signatures = names.iter().filter(|name| **name == "CertificateVerify").count();
        assert_eq!(signatures, if row["mutual"] == true { 2 } else { 1 }, "{names:?}");
    }
}

#[test]
fn measures_chosen_rows_and_times() {
    let sandbox = Sandbox::new();
    let chosen = "--sig ML-DSA-44,Ed25519 --groups X25519MLKEM768,X25519";
    let document = sandbox.json(&format!("tls matrix --bytes --time {chosen}"));
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["handshake_milliseconds"].as_f64().unwrap() > 0.0));
    let anonymous = sandbox.json(&format!("tls matrix --bytes --anonymous {chosen}"));
    assert!(number(&anonymous["rows"][0]["total_bytes"]) < number(&rows[0]["total_bytes"]));
    let table = sandbox.ok(&format!("tls matrix --time {chosen}"));
    assert!(table.contains("MS") && !table.contains("BYTES"), "{table}");
    sandbox.refuses(2, "tls matrix", &["--bytes"]);
    sandbox.refuses(2, "tls matrix --bytes --sig ML-DSA-44", &["--groups"]);
    sandbox.refuses(
        1,
        "tls matrix --bytes --quiet --profile provider-0.12 --sig ML-DSA-44 --groups KYBER_LEVEL1",
        &["ML-DSA-44 with Kyber512", "no TLS codepoint in the profile provider-0.12"],
    );
}

#[test]
fn measures_both_sides_over_sockets_and_in_memory() {
    let sandbox = Sandbox::new();
    for mode in ["", "-m", "-T 2", "-m -T 2 --mutual"] {
        let words =
            format!("tls bench -t 0.05 -p 1000 -S 2500 --groups KYBER_LEVEL1,X25519 --sig ML-DSA-44 {mode}");
        let document = sandbox.json(&words);
        let results = document["results"].as_array().unwrap();
        assert_eq!(results.len(), 2, "{mode}");
        for side in results.iter().flat_map(|result| [&result["server"], &result["client"]]) {
            let connections = number(&side["connections"]);
            assert!(connections > 0 && side["connect_mean_milliseconds"].as_f64().unwrap() > 0.0, "{side}");
            assert_eq!(number(&side["total_bytes"]), connections * 5000, "{side}");
        }
    }
}

#[test]
fn prints_results_as_tls_bench_does() {
    let sandbox = Sandbox::new();
    let words = "tls bench -t 0 -S 0 -m --groups KYBER_LEVEL1";
    let blocks = sandbox.ok(&format!("{words} -v"));
    let lines: Vec<&str> = blocks.lines().collect();
    assert_eq!(lines[0], "wolfSSL Server Benchmark on TLS13-AES256-GCM-SHA384 with group KYBER_LEVEL1:");
    assert_eq!(lines[1], "\tTotal       :         0 bytes");
    assert_eq!(lines[2], "\tNum Conns   :         1");
    assert!(lines[8].starts_with("\tConnect Avg : ") && lines[8].ends_with(" ms"), "{blocks}");
    assert_eq!(lines[9], "wolfSSL Client Benchmark on TLS13-AES256-GCM-SHA384 with group KYBER_LEVEL1:");
    let table = sandbox.ok(words);
    assert!(table.starts_with("SIDE") && table.contains("server") && table.contains("client"), "{table}");
    assert!(!table.contains("BYTES") && !table.contains(" 0.000"), "nothing is sent: {table}");
    assert!(sandbox.ok(&words.replace("-S 0", "-S 1000")).contains("RX MB/S"));
    let curve = sandbox.ok("tls bench -t 0 -S 0 -m -v --groups secp256r1");
    assert!(curve.contains(" with group ECC_SECP256R1:\n"), "{curve}");
    sandbox.refuses(2, "tls bench -p 0", &["--packet"]);
    sandbox.refuses(2, "tls bench -g --groups X25519", &["--groups"]);
    sandbox.refuses(2, "tls bench -l NULL", &["unknown cipher suite"]);
}

#[test]
fn measures_every_group_of_a_profile() {
    let document = Sandbox::new().json("tls bench -g -t 0 -S 0 -m --profile wolfssl-5.3");
    let groups: Vec<_> = document["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["group"].as_str().unwrap())
        .collect();
    for name in ["Kyber1024", "p521_kyber1024", "X25519"] {
        assert!(groups.contains(&name), "no {name} in {groups:?}");
    }
    assert!(!groups.contains(&"ML-KEM-768"));
}

#[test]
fn measures_only_the_client_against_a_remote_server() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out certs");
    let serving = "tls server --port 0 --cert certs/entity_cert.pem --key certs/entity_key.pem";
    let server = Background::start(sandbox.command(serving));
    let bench = format!(
        "tls bench -t 0 --connect localhost:{} --ca certs/root_cert.pem --groups X25519MLKEM768,ML-KEM-768",
        server.port()
    );
    let document = sandbox.json(&bench);
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert!(result.get("server").is_none() && number(&result["client"]["connections"]) > 0, "{result}");
        assert!(result.get("signature").is_none(), "{result}");
        assert_eq!(result["peer"], format!("localhost:{}", server.port()));
    }
    let table = sandbox.ok(&bench);
    assert!(table.contains("client") && !table.contains("server"), "{table}");
    assert!(!table.contains("CERTIFICATE") && !table.contains("BYTES"), "{table}");
    sandbox.refuses(2, "tls bench --connect localhost", &["--ca"]);
    sandbox.refuses(2, &format!("{bench} -m"), &["--memory"]);
}

#[test]
fn counts_the_choices_of_remote_clients() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out certs");
    let groups = "--groups X25519MLKEM768,ML-KEM-768";
    let files = "--cert certs/entity_cert.pem --key certs/entity_key.pem";
    let serving = format!("tls bench --serve -t 5 --listen 127.0.0.1:0 {files} {groups}");
    let mut server = Background::start(sandbox.command(&serving));
    let bench = format!("tls bench -t 0 -S 40000 --connect localhost:{} {groups}", server.port());
    let document = sandbox.json(&format!("{bench} --ca certs/root_cert.pem"));
    for result in document["results"].as_array().unwrap() {
        assert_eq!(number(&result["client"]["total_bytes"]), 80000, "{result}");
    }
    let table = server.end();
    for group in ["X25519MLKEM768", "ML-KEM-768"] {
        let line = table.lines().find(|line| line.split_whitespace().any(|word| word == group));
        let line = line.unwrap_or_else(|| panic!("no {group} in {table}"));
        assert!(line.starts_with("server") && line.contains("80000"), "{line}");
    }
    assert!(!table.contains("client"), "{table}");
    assert!(table.find("X25519MLKEM768") < table.find(" ML-KEM-768"), "in the order of --groups: {table}");
    sandbox.refuses(2, "tls bench --serve", &["--cert"]);
    sandbox.refuses(2, &format!("tls bench --serve {files} --connect localhost"), &["--connect"]);
}

/// Starts a server that issues session tickets; returns its port and the results of its handshakes.
fn start_server_with_tickets(sandbox: &Sandbox) -> (u16, Receiver<Kind>) {
    let [chain, key] = ["certs/entity_cert.pem", "certs/entity_key.pem"].map(|name| sandbox.get(name));
    let options = ServerOptions::new(Identity::from_pem(&chain, &key).unwrap());
    let server = Server::bind("127.0.0.1:0", options).unwrap();
    let port = server.local_addr().unwrap().port();
    let (sender, kinds) = channel();
    thread::spawn(move || {
        loop {
            let (socket, peer) = server.accept().unwrap();
            let report = server.handshake(socket, peer).and_then(Connection::close).unwrap();
            if sender.send(report.kind).is_err() {
                return;
            }
        }
    });
    (port, kinds)
}

#[test]
fn measures_only_full_handshakes() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ECDSA-P256 --out certs");
    let (port, kinds) = start_server_with_tickets(&sandbox);
    let bench = format!("tls bench -t 2 --connect localhost:{port} --ca certs/root_cert.pem");
    let document = sandbox.json(&format!("{bench} --groups X25519MLKEM768"));
    let connections = number(&document["results"][0]["client"]["connections"]);
    assert!(connections > 1, "{document}");
    let kinds: Vec<_> = kinds.iter().take(connections.try_into().unwrap()).collect();
    assert!(kinds.iter().all(|kind| *kind == Kind::Full), "{kinds:?}");
}

#[test]
fn draws_results() {
    let sandbox = Sandbox::new();
    let bench = "tls bench -t 0 -S 0 -m --groups X25519MLKEM768,X25519 --svg results.svg";
    sandbox.ok(bench);
    let svg = String::from_utf8(sandbox.get("results.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    for name in ["X25519MLKEM768, ECDSA-P256", "X25519, ECDSA-P256"] {
        assert!(svg.contains(name), "no {name} in {svg}");
    }
    // the drawing has a background, two rectangles in the legend, and a bar for each side of each row
    assert_eq!(svg.matches("<rect ").count(), 1 + 2 + 4);
    sandbox.ok(&format!("{bench} --force"));
    let drawing = sandbox.ok(&format!("{} -v", bench.replace("results.svg", "-")));
    assert!(drawing.starts_with("<svg xmlns=") && drawing.ends_with("</svg>\n"), "{drawing}");
    let both = format!("{} --json", bench.replace("results.svg", "-"));
    sandbox.run(&both).check(2, &both, &["--json", "standard output"]);
}

#[test]
fn checks_the_drawing_before_measuring() {
    let sandbox = Sandbox::new();
    sandbox.put("results.svg", "another");
    // measuring would take an hour
    let bench = "tls bench -t 3600 -S 0 -m --groups X25519 --svg";
    sandbox.refuses(1, &format!("{bench} results.svg"), &["results.svg", "--force"]);
    sandbox.refuses(1, &format!("{bench} . --force"), &["is a directory"]);
    assert_eq!(sandbox.get("results.svg"), b"another");
    let bench = "tls bench -t 0 -S 0 -m --groups X25519 --svg missing/results.svg";
    let done = sandbox.run(bench);
    done.check(1, bench, &["missing/results.svg"]);
    assert!(String::from_utf8(done.stdout).unwrap().starts_with("SIDE"));
}
