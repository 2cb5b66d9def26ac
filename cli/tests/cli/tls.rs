//! `grille tls` and `grille demo` from the outside.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::peer::free_port;
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// A server in the background, and the port it listens on.
pub(crate) struct TestServer {
    run: Background,
    pub(crate) port: String,
}

impl TestServer {
    pub(crate) fn start(sandbox: &Sandbox, words: &str) -> Self {
        let run = Background::start(sandbox.command(&format!("tls server --port 0 {words}")));
        Self { port: run.port(), run }
    }

    /// Waits for the server to end successfully; returns the output after the first line.
    fn end(mut self) -> String {
        self.run.end()
    }
}

/// Makes a root and an end entity of `party` with one algorithm.
fn make_chain(sandbox: &Sandbox, party: &str, algorithm: &str) {
    for name in ["root", "own"] {
        sandbox.ok(&format!("keygen --quiet --alg {algorithm} --out {party}-{name}.key"));
    }
    sandbox.ok(&format!(
        "cert root --quiet --key {party}-root.key --subject CN={party}-root --out {party}-root.crt"
    ));
    let issuer = format!("--ca {party}-root.crt --ca-key {party}-root.key");
    let names = format!("--subject CN={party} --san DNS:localhost --out {party}-own.crt");
    sandbox.ok(&format!("cert issue --quiet --key {party}-own.key {issuer} {names}"));
}

pub(crate) fn sandbox() -> Sandbox {
    sandbox_with("ML-DSA-44", "ML-DSA-87")
}

fn sandbox_with(server: &str, client: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    make_chain(&sandbox, "server", server);
    make_chain(&sandbox, "client", client);
    sandbox
}

pub(crate) const SERVER: &str = "--cert server-own.crt --key server-own.key";
pub(crate) const CLIENT: &str = "--ca server-root.crt --cert client-own.crt --key client-own.key";
const ALGORITHMS_OF_2021: &str = "--groups P521_KYBER_LEVEL5 --ciphers TLS_AES_256_GCM_SHA384";

#[test]
fn connects_with_the_algorithms_of_2021() {
    let sandbox = sandbox_with("Dilithium2", "Dilithium5");
    let server =
        TestServer::start(&sandbox, &format!("{SERVER} --ca client-root.crt {ALGORITHMS_OF_2021} --count 3"));
    let client = format!("tls client localhost:{} {CLIENT} {ALGORITHMS_OF_2021}", server.port);
    let answer = sandbox.pipe(b"hello server", &client);
    assert_eq!((answer.code, answer.stdout.as_slice()), (0, &b"hello from grille"[..]), "{}", answer.stderr);
    let shown = sandbox.ok(&format!("{client} --message hello -v"));
    for part in
        ["p521_kyber1024 (0x2F3D)", "TLS_AES_256_GCM_SHA384", "Dilithium2 (0xFEA0)", "Dilithium5 (0xFEA5)"]
    {
        assert!(shown.contains(part), "no {part} in {shown}");
    }
    let document = sandbox.json(&format!("{client} --message hello"));
    assert_eq!(document["group"]["code"], 12093);
    assert_eq!(document["received"], "hello from grille");
    assert_eq!(server.end(), "hello server\nhello\nhello\n");
}

#[test]
fn resumes_the_second_connection() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --ca client-root.crt --count 2"));
    let done =
        sandbox.run(&format!("tls client localhost:{} {CLIENT} --message hi --resume --json", server.port));
    let text = String::from_utf8(done.stdout).unwrap();
    let kinds: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["handshake"].clone())
        .collect();
    assert_eq!(kinds, ["full", "resumed"]);
    server.end();
}

#[test]
fn stops_waiting_for_its_only_client_after_the_timeout() {
    let sandbox = sandbox();
    let start = Instant::now();
    let done = sandbox.run(&format!("tls server --quiet --port 0 {SERVER} --once --timeout 1"));
    done.check(1, "tls server --once --timeout 1", &["no client connected within 1 second", "--timeout"]);
    assert!(start.elapsed().as_secs_f32() < 20.0);
    // a client that connects in time may then take longer
    let server = TestServer::start(&sandbox, &format!("{SERVER} --once --timeout 20"));
    sandbox.ok(&format!("tls client localhost:{} --ca server-root.crt --message hello", server.port));
    assert_eq!(server.end(), "hello\n");
}

#[test]
fn explains_handshakes_without_common_algorithms() {
    let sandbox = sandbox();
    let mut server = TestServer::start(&sandbox, &format!("{SERVER} --once --groups X25519"));
    let client = format!("tls client localhost:{} --ca server-root.crt --message hello", server.port);
    let done = sandbox.run(&format!("{client} --groups ML-KEM-768"));
    let parts = [
        "the peer aborted with the alert handshake_failure",
        "this side offers the groups ML-KEM-768",
        "--groups",
    ];
    done.check(1, &client, &parts);
    let output = server.run.fail();
    for part in [
        "the peer offers no key-exchange group that this side supports",
        "this side offers the groups X25519",
    ] {
        assert!(output.contains(part), "no {part} in {output}");
    }
}

#[test]
fn updates_keys_at_the_request_of_either_side() {
    let sandbox = sandbox();
    // a record also has 22 bytes: header, content type and tag; a KeyUpdate has five bytes, a close_notify two
    let record = |len: u64| 5 + len + 1 + 16;
    for (of_server, of_client) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let flag = |is: u64| if is == 1 { "--update-keys" } else { "" };
        let server = TestServer::start(&sandbox, &format!("{SERVER} --once {}", flag(of_server)));
        let client = format!("tls client localhost:{} --ca server-root.crt --message hello", server.port);
        let document = sandbox.json(&format!("{client} {}", flag(of_client)));
        let updates = (of_server + of_client) * record(5);
        assert_eq!(document["data_bytes"]["sent"], record(5) + updates + record(2));
        assert_eq!(document["received"], "hello from grille");
        assert_eq!(server.end(), "hello\n");
    }
}

#[test]
fn authenticates_by_raw_public_keys() {
    let sandbox = Sandbox::new();
    for party in ["server", "client", "other"] {
        sandbox.ok(&format!("keygen --quiet --alg ML-DSA-65 --out {party}.key --pub {party}.pub"));
    }
    let server = TestServer::start(
        &sandbox,
        "--raw-public-key --key server.key --peer-key other.pub --peer-key client.pub",
    );
    let args_for = |party: &str, trusted: &str| {
        let own = format!("--raw-public-key --key {party}.key --peer-key {trusted}.pub");
        format!("tls client localhost:{} --message hello {own}", server.port)
    };
    let document = sandbox.json(&args_for("client", "server"));
    let shown = &document["peer_chain"][0];
    assert_eq!(
        (shown["subject"].as_str(), shown["key"].as_str()),
        (Some("raw public key"), Some("ML-DSA-65"))
    );
    assert_eq!(document["received"], "hello from grille");
    let shown = sandbox.ok(&format!("{} -v", args_for("other", "server")));
    assert!(shown.contains("0 raw public key: ML-DSA-65, 1974 bytes"), "{shown}");
    let unknown = ["raw public key (ML-DSA-65, SHA-256 ", "not one of the trusted keys", "--peer-key"];
    sandbox.refuses(1, &args_for("client", "other"), &unknown);
    sandbox.refuses(1, &args_for("server", "server"), &["which the peer refused", "raw public key"]);
    let plain = format!("tls client localhost:{} --message hello --insecure", server.port);
    let refused = sandbox.run(&plain);
    assert!(
        refused.code == 1
            && refused.stderr.contains("use --peer-key if the other side uses --raw-public-key"),
        "{}",
        refused.stderr
    );
    sandbox.refuses(1, &args_for("client", "missing"), &["missing.pub"]);
    sandbox.refuses(2, "tls client localhost --ca r --peer-key p", &["--ca", "--peer-key"]);
    sandbox.refuses(2, "tls server --raw-public-key", &["--key"]);
    // a server that requests no key accepts clients that have one
    let server = TestServer::start(&sandbox, "--raw-public-key --key server.key --once");
    let client = format!("tls client localhost:{} --message hello --raw-public-key", server.port);
    let replied = sandbox.ok(&format!("{client} --key client.key --peer-key server.pub"));
    assert_eq!(replied.trim(), "hello from grille");
    assert_eq!(server.end(), "hello\n");
}

#[test]
fn reports_lengths_before_certificate_compression() {
    let sandbox = Sandbox::new();
    make_chain(&sandbox, "server", "RSA-2048");
    let server = TestServer::start(&sandbox, &format!("{SERVER} --once --cert-compression brotli,zlib"));
    let client = format!("tls client localhost:{} --ca server-root.crt --message hello", server.port);
    let shown = sandbox.ok(&format!("{client} --cert-compression zlib -v"));
    let message = shown.lines().find(|line| line.contains("CompressedCertificate")).expect(&shown);
    let numbers: Vec<u64> = message.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(message.ends_with(" before compression") && numbers[0] < numbers[1], "{message}");
    assert_eq!(server.end(), "hello\n");
    sandbox.refuses(2, &format!("{client} --cert-compression lzma"), &["\"lzma\"", "zlib, brotli"]);
}

#[test]
fn sends_early_data_again_if_refused() {
    let sandbox = sandbox();
    let client = |server: &TestServer| {
        let client = format!("tls client localhost:{} --ca server-root.crt --message late", server.port);
        let done = sandbox.run(&format!("{client} --resume --early-data early --json"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        let text = String::from_utf8(done.stdout).unwrap();
        let document: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        (document, done.stderr)
    };
    let server = TestServer::start(&sandbox, &format!("{SERVER} --count 2 --early-data 100"));
    let (document, warned) = client(&server);
    assert_eq!(document["early_data"], serde_json::json!({ "bytes": 5, "accepted": true }));
    assert_eq!(warned, "");
    assert_eq!(server.end(), "late\nearly\nlate\n");
    let server = TestServer::start(&sandbox, &format!("{SERVER} --count 2 --early-data 2"));
    let (document, warned) = client(&server);
    assert_eq!(document["early_data"], serde_json::json!({ "bytes": 2, "accepted": true }));
    assert!(warned.contains("accepts no more early data: 3 bytes sent after"), "{warned}");
    assert_eq!(server.end(), "late\nea\nrlylate\n");
    let server = TestServer::start(&sandbox, &format!("{SERVER} --count 2"));
    let (document, warned) = client(&server);
    assert!(
        document.get("early_data").is_none() && warned.contains("accepts no early data: 5 bytes"),
        "{warned}"
    );
    assert_eq!(server.end(), "late\nearlylate\n");
    sandbox.refuses(2, "tls client localhost --ca r --early-data hi", &["--resume"]);
    let empty = "tls client localhost --ca r --resume --message hi --early-data=";
    sandbox.refuses(2, empty, &["--early-data", "give a text to send"]);
    sandbox.refuses(2, &format!("tls server {SERVER} --early-data 1048577"), &["--early-data", "1048576"]);
}

/// The test reads the server's output only after its end, so it tries to connect until it succeeds.
#[test]
fn separates_early_data_in_json() {
    let sandbox = sandbox();
    let port = free_port();
    let words = format!("tls server {SERVER} --port {port} --count 2 --early-data 100 --json");
    let serving = thread::spawn({
        let mut server = sandbox.command(&words);
        move || server.output().unwrap()
    });
    let client = format!("tls client localhost:{port} --ca server-root.crt --message late");
    let client = format!("{client} --resume --early-data early");
    let tried = (0..100).find(|_| {
        thread::sleep(Duration::from_millis(100));
        sandbox.run(&client).code == 0
    });
    assert!(tried.is_some(), "no server listens");
    let documents = String::from_utf8(serving.join().unwrap().stdout).unwrap();
    let documents: Vec<serde_json::Value> =
        documents.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let early: Vec<_> = documents.iter().map(|document| document.get("early_data")).collect();
    let taken = serde_json::json!({ "bytes": 5, "accepted": true, "text": "early" });
    assert_eq!(early, [None, Some(&taken)]);
    assert!(documents.iter().all(|document| document["received"] == "late"), "{documents:?}");
}

#[test]
fn counts_only_full_handshakes() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --count 3 -v"));
    let client = format!("tls client localhost:{} --ca server-root.crt --connections 3", server.port);
    assert!(sandbox.ok(&client).starts_with("3 handshakes, "));
    let server = server.end();
    assert!(server.matches("full, ").count() == 3 && !server.contains("resumed"), "{server}");
}

/// The test corresponds to `grille tls client … | head -c 1`.
#[test]
#[cfg(unix)]
fn exits_quietly_when_the_reader_closes_the_output() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --once"));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut client = sandbox.command(&format!("tls client localhost:{} --ca server-root.crt", server.port));
    let client = client.stdin(Stdio::piped()).stdout(writer);
    let mut client = client.stderr(Stdio::piped()).spawn().unwrap();
    client.stdin.take().unwrap().write_all(b"hello").unwrap();
    let done = client.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(done.stderr).unwrap(), "");
}

#[test]
fn reports_impossible_options_in_one_line() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --groups ML-KEM-1024"));
    let client = |options: &str| format!("tls client localhost:{} --message hi {options}", server.port);
    let trusting = "--ca server-root.crt";
    sandbox.refuses(
        1,
        &client("--ca client-root.crt"),
        &["was issued by CN=server-root", "give its root with --ca"],
    );
    sandbox.refuses(
        1,
        &client(&format!("{trusting} --servername elsewhere")),
        &["CN=server is valid for localhost, not for elsewhere", "--servername"],
    );
    sandbox.refuses(
        1,
        &client(&format!("{trusting} --groups ML-KEM-512")),
        &["this side offers the groups ML-KEM-512"],
    );
    sandbox.refuses(1, &client("--ca missing.crt"), &["missing.crt", "cannot read"]);
    sandbox.refuses(1, &client("--ca server-own.key"), &["server-own.key"]);
    sandbox.refuses(
        1,
        &client(&format!("{trusting} --cert client-own.crt --key server-own.key")),
        &[
            "server-own.key: the private key does not belong to the certificate of CN=client",
            "the private key of client-own.crt",
        ],
    );
    for (cert, key, guilty) in [
        ("client-own.crt", "client-own.crt", "client-own.crt: expected PEM of \"PRIVATE KEY\""),
        ("client-own.key", "client-own.key", "client-own.key: expected PEM of \"CERTIFICATE\""),
        ("client-own.crt", "missing", "missing: cannot read"),
    ] {
        sandbox.refuses(1, &client(&format!("{trusting} --cert {cert} --key {key}")), &[guilty]);
    }
    sandbox.refuses(2, &client(&format!("{trusting} --cert client-own.crt")), &["give --cert and --key"]);
    sandbox.refuses(2, &client(&format!("{trusting} --groups ML-KEM-767")), &["did you mean ML-KEM-768"]);
    sandbox.refuses(2, &client(&format!("{trusting} --ciphers ROT13")), &["unknown cipher suite", "ROT13"]);
    sandbox.refuses(1, &format!("tls server {SERVER} --port {}", server.port), &["--port"]);
    sandbox.refuses(
        2,
        "tls server",
        &["give --cert and --key", "`grille cert chain --alg ML-DSA-65 --out certs`"],
    );
    sandbox.refuses(2, "tls client localhost --ca r --message=", &["--message", "give a text to send"]);
}

#[test]
fn reports_a_root_in_place_of_an_end_entity() {
    let sandbox = sandbox();
    let mut server = TestServer::start(&sandbox, "--once --cert server-root.crt --key server-root.key");
    let client = format!("tls client localhost:{} --ca server-root.crt --message hi", server.port);
    let done = sandbox.run(&client);
    let plain = "the certificate of CN=server-root is a CA certificate, which can only issue others; use a certificate issued by this CA\n";
    done.check(1, &client, &[plain]);
    server.run.fail();
}

#[test]
fn lists_all_messages_of_a_retry() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --once -v"));
    let client = format!("tls client localhost:{} --ca server-root.crt --message hi --retry", server.port);
    let document = sandbox.json(&client);
    let messages = document["messages"].as_array().unwrap();
    let names: Vec<_> = messages.iter().map(|message| message["name"].as_str().unwrap()).collect();
    let hellos = ["ClientHello", "HelloRetryRequest", "ClientHello", "ServerHello"];
    assert_eq!(names[..5], [&hellos[..], &["EncryptedExtensions"]].concat());
    let shown = server.end();
    let shown: Vec<_> = shown.lines().filter_map(|line| line.strip_prefix("message    ")).collect();
    assert!(shown.iter().zip(hellos).all(|(line, hello)| line.starts_with(hello)), "{shown:?}");
}

#[test]
fn runs_the_demo_in_60_columns_without_leaving_files() {
    let sandbox = Sandbox::new();
    let run = |words| sandbox.command(words).env("TMPDIR", sandbox.path(".")).output().unwrap();
    let shown = run("demo");
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    let text = String::from_utf8(shown.stdout).unwrap();
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 60 && !text.contains('\x1b'), "{widest} columns");
    for part in [
        "time of a step in microseconds",
        "ML-KEM-1024",
        "measurements verified",
        "session opened, measurements repeated inside",
        "all signatures and certificate chains verified",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let document: serde_json::Value = serde_json::from_slice(&run("demo --json").stdout).unwrap();
    let codes = |side: &str, list: &str| -> Vec<serde_json::Value> {
        let sessions = document["sessions"].as_array().unwrap();
        sessions.iter().map(|session| session[side][list]["code"].clone()).collect()
    };
    assert_eq!(codes("client", "group"), [4588, 29, 12093, 25]);
    // server: ML-DSA-65, ECDSA-P256, Falcon-512, ECDSA-P256; client: ML-DSA-65, ECDSA-P256, Falcon-1024, ECDSA-P521
    let [server, client] = [[0x0905, 0x0403, 65035, 0x0403], [0x0905, 0x0403, 65038, 0x0603]];
    assert_eq!([codes("server", "own_signature"), codes("client", "peer_signature")], [server; 2]);
    assert_eq!([codes("client", "own_signature"), codes("server", "peer_signature")], [client; 2]);
    let attested = |i: usize| document["attestations"][i].clone();
    assert_eq!([&attested(0)["signature"], &attested(0)["key_exchange"]], ["ML-DSA-87", "ML-KEM-1024"]);
    assert_eq!(attested(1)["key_exchange"], "secp384r1");
    let version = &attested(0)["measurements"][4];
    assert_eq!([&document["schema"], &version["kind"]], [2, 7]);
    assert_eq!(version["description"], "firmware security version");
    assert!(sandbox.files().is_empty(), "{:?}", sandbox.files());
}

#[test]
fn reads_roots_from_several_files() {
    let sandbox = sandbox();
    let roots = "--ca server-root.crt --ca client-root.crt";
    let server = TestServer::start(
        &sandbox,
        &format!("--quiet --cert client-own.crt --key client-own.key {roots} --once"),
    );
    let client = format!("tls client --quiet localhost:{} {roots} {SERVER} --message hello", server.port);
    assert_eq!(sandbox.ok(&client), "hello from grille\n");
    assert!(server.end().contains("hello"));
}

#[test]
fn prefers_its_own_order_on_request() {
    let sandbox = sandbox();
    let groups = "--groups SecP256r1MLKEM768,X25519MLKEM768";
    let server = TestServer::start(&sandbox, &format!("--quiet {SERVER} {groups} --own-order --once"));
    let others = "--groups X25519MLKEM768,SecP256r1MLKEM768";
    let client =
        format!("tls client --quiet localhost:{} --ca server-root.crt {others} --message hello", server.port);
    let document = sandbox.json(&client);
    assert_eq!(document["group"]["name"], "SecP256r1MLKEM768", "{document}");
}

#[test]
fn suggests_algorithms_with_tls_codepoints() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg HashSLH-DSA-SHAKE-128f --out .");
    let server = "tls server --quiet --port 0 --cert entity_cert.pem --key entity_key.pem";
    let parts = ["HashSLH-DSA-SHAKE-128f-with-SHAKE128 has no TLS signature scheme", "SLH-DSA-SHAKE-128f"];
    sandbox.refuses(1, server, &parts);
}

#[test]
fn gives_advice_for_connection_failures() {
    let sandbox = Sandbox::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let cut = thread::spawn(move || {
        for socket in listener.incoming().take(2) {
            // closing a socket with unread data resets the connection
            socket.unwrap().peek(&mut [0]).unwrap();
        }
    });
    let hello = "--quiet --insecure --message hello";
    let printed = ["reset", "look for the reason in the peer's log, or check for a firewall in between"];
    sandbox.refuses(1, &format!("tls client {address} {hello}"), &printed);
    cut.join().unwrap();
    sandbox.refuses(1, &format!("tls client nowhere.invalid {hello}"), &["check the name of the host"]);
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out .");
    let own = "--quiet --cert entity_cert.pem --key entity_key.pem";
    sandbox.refuses(1, &format!("tls server --bind 192.0.2.1 {own}"), &["give an address of this machine"]);
}

#[test]
fn logs_session_secrets_with_a_warning_on_both_sides() {
    let sandbox = sandbox();
    let mut command = sandbox.command(&format!("tls server --port 0 {SERVER} --count 2"));
    command.env("SSLKEYLOGFILE", sandbox.path("servers"));
    let mut server = Background::start(command);
    let client = |file: &str, words: &str| {
        let words =
            format!("tls client localhost:{} --ca server-root.crt --message hi {words}", server.port());
        let mut command = sandbox.command(&words);
        command.env("SSLKEYLOGFILE", sandbox.path(file));
        let done = command.output().unwrap();
        (done.status.success(), String::from_utf8(done.stderr).unwrap())
    };
    let (done, output) = client("clients", "");
    assert!(done && output.starts_with("warning: session secrets are written to "), "{output}");
    let (done, output) = client("no/such/folder", "");
    assert!(
        !done && output.contains("no/such/folder: cannot write") && output.contains("SSLKEYLOGFILE"),
        "{output}"
    );
    assert_eq!(client("clients", "--quiet"), (true, String::new()));
    server.end();
    let [clients, servers] = ["clients", "servers"].map(|file| {
        let mut lines: Vec<_> =
            String::from_utf8(sandbox.get(file)).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    });
    assert_eq!(clients, servers);
    assert_eq!(clients.iter().filter(|line| line.starts_with("CLIENT_TRAFFIC_SECRET_0 ")).count(), 2);
}

/// Reading a directory as standard input fails at once.
#[test]
#[cfg(unix)]
fn reports_unreadable_standard_input() {
    let sandbox = sandbox();
    let server = TestServer::start(&sandbox, &format!("{SERVER} --count 1"));
    let mut client = sandbox.command(&format!("tls client localhost:{} --ca server-root.crt", server.port));
    let done = client.stdin(std::fs::File::open("/").unwrap()).output().unwrap();
    let output = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && output.contains("standard input: cannot read: "), "{output}");
}
