//! `grille tls scan`: results in text, JSON and SARIF.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::peer::{CLOSED, start_peer};
use grille_tls::hello::Hello;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// Scans as JSON, as text and as SARIF. For a server that is not ready, checks the exit code 1 and the reason.
fn scan_in_every_format(sandbox: &Sandbox, scan: &str, is_ready: bool) -> (Value, String, Value) {
    let run = |format: &str| {
        let done = sandbox.run(&format!("{scan} {format}"));
        assert_eq!(done.code, i32::from(!is_ready), "{}", done.stderr);
        assert_eq!(done.stderr.contains("not ready"), !is_ready, "{}", done.stderr);
        String::from_utf8(done.stdout).unwrap()
    };
    let document = |text: String| serde_json::from_str(&text).unwrap();
    (document(run("--json")), run(""), document(run("--format sarif")))
}

/// Starts a server with a certificate of this algorithm and these groups.
fn start_server(sandbox: &Sandbox, signature: &str, groups: &str) -> Background {
    sandbox.ok(&format!("cert chain --quiet --alg {signature} --out {signature}"));
    let files = format!("--cert {signature}/entity_cert.pem --key {signature}/entity_key.pem");
    Background::start(sandbox.command(&format!("tls server --quiet --port 0 {files} --groups {groups}")))
}

#[test]
fn reports_preference_and_status_in_every_format() {
    let sandbox = Sandbox::new();
    for (signature, groups, status, order) in [
        ("ML-DSA-65", "X25519MLKEM768,X25519", "standard", Some("clients-order")),
        ("Falcon-512", "X25519MLKEM768", "candidate", None),
        ("Dilithium2", "ML-KEM-768,secp256r1", "retired", Some("clients-order")),
        ("ECDSA-P256-SHA256", "X25519", "classical", None),
    ] {
        let server = start_server(&sandbox, signature, groups);
        let scan = format!("tls scan localhost:{} --rate 1000", server.port());
        let is_ready = groups.contains("ML");
        let (document, text, sarif) = scan_in_every_format(&sandbox, &scan, is_ready);
        assert_eq!(document["ready"], is_ready, "{signature}");
        assert_eq!(document["order"]["preference"], json!(order), "{signature}");
        if order.is_some() {
            let last = &document["order"]["trials"][3];
            assert_eq!(last["key_shares"].as_array().unwrap().len(), 1);
            assert_eq!(last["groups"][0], last["taken"], "the client's first");
        }
        let [scheme] = document["signatures"].as_array().unwrap().as_slice() else { panic!("{document}") };
        let certificate = &scheme["certificates"][0];
        let statuses = [&scheme["status"], &certificate["key_status"], &certificate["signature_status"]];
        assert_eq!(statuses, [status; 3], "{signature}");
        let safe = json!(status != "classical");
        let of_chains = &document["quantum_safe_certificate"];
        assert_eq!([of_chains, &document["quantum_safe_handshake_signature"]], [&safe; 2], "{signature}");
        assert!(document.get("unknown_signatures").is_none(), "{document}");

        assert!(
            text.contains(&format!("{signature} key ({status}), {signature} signature ({status})")),
            "{text}"
        );
        assert_eq!(text.contains("the client's order decides"), order.is_some(), "{text}");

        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let of_rule = |rule: &str| results.iter().filter(|result| result["ruleId"] == rule).count();
        let is_standard = ["standard", "classical"].contains(&status);
        let (good, bad) = if is_standard { (3, 0) } else { (0, 3) };
        assert_eq!((of_rule("status"), of_rule("experimental-signature")), (good, bad), "{signature}");
        assert_eq!(of_rule("preference"), usize::from(order.is_some()), "{signature}");
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            let place = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[place]["id"], result["ruleId"]);
        }
    }
}

/// The certificate's signature is the issuer's, but handshakes are signed with the certificate's own key.
#[test]
fn distinguishes_certificate_and_handshake_signatures() {
    let sandbox = Sandbox::new();
    for (own, root, handshake, certificate) in
        [("ECDSA-P256-SHA256", "ML-DSA-65", false, true), ("ML-DSA-44", "ECDSA-P256-SHA256", true, false)]
    {
        sandbox.ok(&format!("cert chain --quiet --alg {root} --out {own}"));
        sandbox.ok(&format!("keygen --alg {own} --out {own}/own.key"));
        sandbox.ok(&format!(
            "cert issue --key {own}/own.key --ca {own}/root_cert.pem --ca-key {own}/root_key.pem \
             --subject CN=own --san DNS:localhost --out {own}/own.crt"
        ));
        let server = Background::start(
            sandbox.command(&format!("tls server --quiet --port 0 --cert {own}/own.crt --key {own}/own.key")),
        );
        let scan = format!("tls scan localhost:{} --rate 1000", server.port());
        let document = sandbox.json(&scan);
        assert_eq!(document["quantum_safe_handshake_signature"], handshake, "{document}");
        assert_eq!(document["quantum_safe_certificate"], certificate, "{document}");
        let [signature] = document["signatures"].as_array().unwrap().as_slice() else { panic!("{document}") };
        assert_eq!(
            (&signature["quantum_safe"], &signature["quantum_safe_certificates"]),
            (&json!(handshake), &json!(certificate))
        );
        let yes_no = |answer| if answer { "yes" } else { "no" };
        let line =
            format!("handshake signature: {}, certificates: {}", yes_no(handshake), yes_no(certificate));
        assert!(sandbox.ok(&scan).contains(&line), "{line}");
        let sarif: Value = serde_json::from_str(&sandbox.ok(&format!("{scan} --format sarif"))).unwrap();
        assert_eq!(finding_texts(&sarif, "certificate").is_empty(), certificate, "{sarif}");
        assert_eq!(finding_texts(&sarif, "handshake-signature").is_empty(), handshake, "{sarif}");
    }
}

/// Returns the texts of the findings of a rule.
fn finding_texts(sarif: &Value, rule: &str) -> Vec<String> {
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let of_rule = results.filter(|result| result["ruleId"] == rule);
    of_rule.map(|result| result["message"]["text"].as_str().unwrap().to_owned()).collect()
}

/// A record with a HelloRetryRequest for X25519, in hexadecimal.
const RETRY: &str = "160303003802000034\
    0303cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c00130100\
    000c002b0002030400330002001d";

/// Returns the answer of a server that chooses X25519 and closes the connection before its certificate.
fn answer(hello: &Hello) -> &'static str {
    match (hello.groups.contains(&0x001D), hello.shares.is_empty()) {
        (false, _) => "15030300020228",
        (true, true) => RETRY,
        (true, false) => "15030300020250",
    }
}

#[test]
fn reports_signatures_as_unknown_if_handshakes_fail() {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut header = [0; 5];
            socket.read_exact(&mut header).unwrap();
            let mut hello = vec![0; usize::from(u16::from_be_bytes([header[3], header[4]]))];
            socket.read_exact(&mut hello).unwrap();
            let answer = answer(&Hello::parse(&hello).unwrap());
            // the scanner may have closed the connection
            let _ = socket.write_all(&base16ct::lower::decode_vec(answer).unwrap());
        }
    });
    let scan = format!("tls scan localhost:{port} --rate 1000");
    let (document, text, sarif) = scan_in_every_format(&sandbox, &scan, false);
    for answer in ["quantum_safe_certificate", "quantum_safe_handshake_signature"] {
        assert!(document.get(answer).is_none(), "{document}");
    }
    let [reason] = document["unknown_signatures"].as_array().unwrap().as_slice() else {
        panic!("{document}")
    };
    assert!(reason.as_str().unwrap().starts_with("a handshake failed with X25519: "), "{reason}");
    assert!(text.contains("handshake signature: unknown, certificates: unknown"), "{text}");
    let [output] = &finding_texts(&sarif, "certificate")[..] else { panic!("{sarif}") };
    assert!(output.contains("unknown") && output.contains("with X25519"), "{output}");
}

#[test]
fn reports_servers_that_prefer_classical_groups_as_not_ready() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out own");
    let files = "--cert own/entity_cert.pem --key own/entity_key.pem";
    let server =
        Background::start(sandbox.command(&format!(
            "tls server --quiet --port 0 {files} --own-order --groups X25519,X25519MLKEM768"
        )));
    let scan = format!("tls scan localhost:{} --rate 1000", server.port());
    let (document, text, sarif) = scan_in_every_format(&sandbox, &scan, false);
    assert_eq!(document["verdict"], "prefers-classical");
    assert!(text.contains("prefers classical groups"), "{text}");
    let [output] = &finding_texts(&sarif, "preference")[..] else { panic!("{sarif}") };
    assert!(output.contains("prefers classical groups"), "{output}");
}

#[test]
fn prints_servers_in_the_order_of_the_list() {
    let sandbox = Sandbox::new();
    let ready = start_server(&sandbox, "ML-DSA-44", "X25519MLKEM768");
    let classical = start_server(&sandbox, "ECDSA-P256-SHA256", "X25519");
    let [ready, classical] = [ready.port(), classical.port()];
    sandbox.put("list", format!("localhost:{CLOSED} # closed\n\nhttps://localhost:{classical}/\n"));
    let scan = format!(
        "tls scan localhost:{ready} 127.0.0.1:{ready} --list list --rate 1000 --servername localhost"
    );
    let done = sandbox.run(&format!("{scan} --json"));
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("1 of 4 servers not ready, and 1 could not be scanned"), "{}", done.stderr);
    let lines = String::from_utf8(done.stdout).unwrap();
    let documents: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let addresses: Vec<_> = documents.iter().map(|document| document["address"].as_str().unwrap()).collect();
    assert!(
        addresses[0].starts_with("localhost:") && addresses[1].starts_with("127.0.0.1:"),
        "{addresses:?}"
    );
    assert_eq!(addresses[2], format!("localhost:{CLOSED}"));
    assert_eq!(addresses[3], format!("localhost:{classical}"));
    let verdicts = [0, 1, 3].map(|n| documents[n]["verdict"].as_str().unwrap());
    assert_eq!(verdicts, ["ready", "ready", "not-ready"]);
    assert!(documents[2]["error"]["message"].as_str().unwrap().contains("connect to"), "{}", documents[2]);

    let sarif = String::from_utf8(sandbox.run(&format!("{scan} --format sarif")).stdout).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let [failed] = &finding_texts(&sarif, "scan")[..] else { panic!("{sarif}") };
    assert!(failed.contains("connect to"), "{failed}");
    let [unready] = &finding_texts(&sarif, "key-exchange")[..] else { panic!("{sarif}") };
    assert!(unready.contains("not ready"), "{unready}");

    let all = sandbox
        .ok(&format!("tls scan localhost:{ready} 127.0.0.1:{ready} --rate 1000 --servername localhost"));
    assert_eq!(all.matches(" ready: hybrid key exchange").count(), 2, "{all}");
    sandbox.put("empty", "# empty\n");
    sandbox.refuses(1, "tls scan --list empty", &["names no server", "HOST:PORT"]);
    sandbox.refuses(2, "tls scan", &["missing: <HOST[:PORT]>"]);
}

#[test]
fn verifies_chains_against_given_roots() {
    let sandbox = Sandbox::new();
    let server = start_server(&sandbox, "ML-DSA-44", "X25519MLKEM768");
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out other");
    let scan = format!("tls scan localhost:{} --rate 1000", server.port());
    assert!(sandbox.json(&scan).get("trusted").is_none());
    let trusted = sandbox.json(&format!("{scan} --ca ML-DSA-44/root_cert.pem"));
    assert_eq!((&trusted["trusted"], &trusted["signatures"][0]["trusted"]), (&json!(true), &json!(true)));
    for roots in [
        "--ca other/root_cert.pem".to_owned(),
        "--ca ML-DSA-44/root_cert.pem --servername elsewhere".to_owned(),
    ] {
        let done = sandbox.run(&format!("{scan} {roots} --json"));
        assert_eq!(done.code, 1, "{}", done.stderr);
        assert!(done.stderr.contains("ready, but its certificate is not trusted: "), "{}", done.stderr);
        let document: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(document["trusted"], false, "{document}");
    }
}

/// A file stands for the roots of the operating system.
#[cfg(target_os = "linux")]
#[test]
fn trusts_system_roots_on_request() {
    let sandbox = Sandbox::new();
    let server = start_server(&sandbox, "ML-DSA-44", "X25519MLKEM768");
    for (subcommand, code) in [("scan --rate 1000", 1), ("client --message hi", 1)] {
        let mut command =
            sandbox.command(&format!("tls {subcommand} localhost:{} --system-roots", server.port()));
        command
            .env("SSL_CERT_FILE", sandbox.path("ECDSA-P256-SHA256/root_cert.pem"))
            .env_remove("SSL_CERT_DIR");
        sandbox.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --force --out ECDSA-P256-SHA256");
        assert_eq!(command.output().unwrap().status.code(), Some(code), "{subcommand}");
        command.env("SSL_CERT_FILE", sandbox.path("ML-DSA-44/root_cert.pem"));
        let done = command.output().unwrap();
        assert!(done.status.success(), "{subcommand}: {}", String::from_utf8_lossy(&done.stderr));
        command.env("SSL_CERT_FILE", sandbox.path("nowhere"));
        let done = command.output().unwrap();
        let output = String::from_utf8(done.stderr).unwrap();
        assert!(
            !done.status.success() && output.contains("no trusted roots") && output.contains("--ca"),
            "{output}"
        );
    }
}

#[test]
fn names_protocols_that_are_not_tls() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out any");
    for (greeting, name, help) in [
        ("SSH-2.0-OpenSSH_9.2\r\n", "SSH", "check the port"),
        ("220 mail.example ESMTP\r\n", "SMTP", "--starttls smtp"),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP", "check the port"),
        ("* OK ready\r\n", "IMAP", "--starttls imap"),
    ] {
        let port = start_peer(move |mut socket| {
            // the peer may have closed the connection
            let _ = socket.write_all(greeting.as_bytes());
            let _ = socket.read(&mut [0; 1 << 12]);
        });
        let named = format!("the server uses {name}, not TLS");
        sandbox.refuses(1, &format!("tls scan localhost:{port}"), &[&named, help]);
        sandbox.refuses(1, &format!("tls client localhost:{port} --ca any/root_cert.pem"), &[&named, help]);
    }
}

#[test]
fn starts_tls_inside_smtp() {
    let sandbox = Sandbox::new();
    let server = start_server(&sandbox, "ML-DSA-44", "X25519MLKEM768");
    let inside = server.port().parse::<u16>().unwrap();
    let port = start_peer(move |mut client| {
        let server = TcpStream::connect(("127.0.0.1", inside)).unwrap();
        thread::spawn(move || {
            let mut output = BufReader::new(client.try_clone().unwrap());
            for (answer, request) in [
                ("220 mail.example ESMTP\r\n", "EHLO "),
                ("250-mail.example\r\n250-SIZE 100\r\n250 STARTTLS\r\n", "STARTTLS"),
            ] {
                client.write_all(answer.as_bytes()).unwrap();
                let mut line = String::new();
                output.read_line(&mut line).unwrap();
                assert!(line.starts_with(request), "{line}");
            }
            client.write_all(b"220 go ahead\r\n").unwrap();
            assert!(output.buffer().is_empty(), "TLS begins after the consent");
            forward(client, server);
        });
    });
    let document = sandbox.json(&format!("tls scan localhost:{port} --starttls smtp --rate 1000"));
    assert_eq!(document["verdict"], "ready");
    let client = format!("tls client localhost:{port} --ca ML-DSA-44/root_cert.pem --message hi");
    assert_eq!(sandbox.ok(&format!("{client} --starttls smtp")).trim(), "hello from grille");
    sandbox.refuses(2, &format!("{client} --starttls gopher"), &["gopher", "smtp, imap, pop3"]);
    sandbox.refuses(1, &format!("{client} --starttls imap"), &["220 mail.example ESMTP", "IMAP"]);
}

/// Carries bytes between two sockets in both directions.
fn forward(client: TcpStream, server: TcpStream) {
    let [mut from_client, mut to_server] = [client.try_clone().unwrap(), server.try_clone().unwrap()];
    thread::spawn(move || {
        // either side may end at any time
        let _ = std::io::copy(&mut from_client, &mut to_server);
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let [mut from_server, mut to_client] = [server, client];
    let _ = std::io::copy(&mut from_server, &mut to_client);
    let _ = to_client.shutdown(Shutdown::Write);
}
