//! Compatibility with wolfSSL's example server and client: command lines and output.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::peer::free_port;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// A server with wolfSSL's flags, on a port that was free a moment ago.
struct TestServer {
    run: Background,
    port: u16,
}

impl TestServer {
    /// Starts a server whose flags name a quantum-safe group, and waits for the line that it prints when it listens.
    fn start(sandbox: &Sandbox, flags: &str) -> Self {
        let port = free_port();
        let run = Background::start(sandbox.command(&format!("tls server {flags} -p {port}")));
        assert!(run.line.starts_with("Using Post-Quantum KEM: "), "{}", run.line);
        Self { run, port }
    }

    /// Waits for the server to end successfully; returns the output after the first line.
    fn end(mut self) -> String {
        self.run.end()
    }
}

/// The two signature algorithms of wolfSSL's documents, as prefixes of file names.
const NAMES: [&str; 2] = ["falcon_level1", "falcon_level5"];

fn sandbox() -> (Sandbox, [&'static str; 2]) {
    let sandbox = Sandbox::new();
    sandbox.ok(&format!("cert chain --quiet --sig {} --out certs", NAMES.join(",").to_uppercase()));
    (sandbox, NAMES)
}

const COMMON_FLAGS: &str = "--quiet -v 4 -l TLS_AES_256_GCM_SHA384 --oqs P521_KYBER_LEVEL5";

fn files(root: &str, own: &str) -> String {
    format!("-A certs/{root}_root_cert.pem -c certs/{own}_entity_cert.pem -k certs/{own}_entity_key.pem")
}

#[test]
fn connects_with_the_documented_command_lines() {
    let (sandbox, [one, five]) = sandbox();
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {}", files(five, one)));
    let client = sandbox.ok(&format!("tls client {COMMON_FLAGS} {} -p {}", files(one, five), server.port));
    let lines = [
        "Using Post-Quantum KEM: P521_KYBER_LEVEL5\n",
        "peer's cert info:\n issuer : EMAIL=root@wolfssl.com,CN=",
        "SSL version is TLSv1.3\n",
        "SSL cipher suite is TLS_AES_256_GCM_SHA384\n",
        "SSL curve name is P521_KYBER_LEVEL5\n",
        "I hear you fa shizzle!\n",
    ];
    for line in lines {
        assert!(client.contains(line), "no {line} in {client}");
    }
    let server = server.end();
    for line in ["SSL version is TLSv1.3\n", " altname = 127.0.0.1\n", "Client message: hello wolfssl!\n"] {
        assert!(server.contains(line), "no {line} in {server}");
    }
}

#[test]
fn shows_the_whole_peer_chain() {
    let (sandbox, [one, five]) = sandbox();
    let root = format!("--ca certs/{one}_root_cert.pem --ca-key certs/{one}_root_key.pem");
    for key in ["between", "own"] {
        sandbox.ok(&format!("keygen --alg {} --out {key}.key", one.to_uppercase()));
    }
    sandbox.ok(&format!(
        "cert issue --key between.key {root} --path-len 0 --subject CN=between --out between.crt"
    ));
    sandbox.ok(
        "cert issue --key own.key --ca between.crt --ca-key between.key --subject CN=own --san DNS:localhost \
         --out own.crt",
    );
    sandbox.put("chain.pem", [sandbox.get("own.crt"), sandbox.get("between.crt")].concat());
    let server = TestServer::start(
        &sandbox,
        &format!("{COMMON_FLAGS} -A certs/{five}_root_cert.pem -c chain.pem -k own.key"),
    );
    let client = sandbox.ok(&format!("tls client {COMMON_FLAGS} {} -p {}", files(one, five), server.port));
    let shown = |line: &&str| {
        ["peer's cert info:", "session cert info:"].contains(line) || line.starts_with(" subject: ")
    };
    let lines: Vec<_> = client.lines().filter(shown).collect();
    assert_eq!(
        lines,
        ["peer's cert info:", " subject: CN=own", "session cert info:", " subject: CN=between"]
    );
    server.end();
}

#[test]
fn client_flags_retry_resume_benchmark_and_skip_verification() {
    let (sandbox, [one, five]) = sandbox();
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {} -i", files(five, one)));
    let client = |flags: &str| format!("tls client {COMMON_FLAGS} {flags} -p {}", server.port);
    let retried = sandbox.json(&client(&format!("{} -J", files(one, five))));
    assert_eq!(retried["handshake"], "full, after HelloRetryRequest");
    let resumed = sandbox.ok(&format!("{} --json", client(&format!("{} -r", files(one, five)))));
    assert!(resumed.lines().last().unwrap().contains("\"handshake\":\"resumed\""), "{resumed}");
    let counted = sandbox.ok(&client(&format!("{} -b 3", files(one, five))));
    assert!(counted.contains("wolfSSL_connect avg took: ") && counted.contains(" milliseconds"), "{counted}");
    // the root has the right name, but belongs to the other level and did not issue the server's certificate
    sandbox.refuses(1, &client(&files(five, five)), &["trusted root of that name", "not with the key"]);
    let unchecked = sandbox.run(&client(&format!("{} -d", files(five, five))).replace("--quiet", ""));
    assert_eq!(unchecked.code, 0, "{}", unchecked.stderr);
    assert!(unchecked.stderr.contains("certificates are not checked"), "{}", unchecked.stderr);
}

#[test]
fn prints_an_empty_message_of_a_silent_client() {
    let (sandbox, [one, five]) = sandbox();
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {} -C 2", files(five, one)));
    sandbox.ok(&format!("tls client {COMMON_FLAGS} {} -b 2 -p {}", files(one, five), server.port));
    let server = server.end();
    assert_eq!(server.matches("Client message: \n").count(), 2, "{server}");
}

#[test]
fn sends_early_data_on_the_second_connection() {
    let (sandbox, [one, five]) = sandbox();
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {} -0 -r", files(five, one)));
    let client =
        sandbox.run(&format!("tls client {COMMON_FLAGS} {} -0 -r -p {}", files(one, five), server.port));
    assert_eq!((client.code, client.stderr.as_str()), (0, ""));
    let answers = String::from_utf8(client.stdout).unwrap();
    assert_eq!(answers.matches("I hear you fa shizzle!\n").count(), 2, "{answers}");
    let server = server.end();
    let (first, second) =
        ("Client message: hello wolfssl!\n", "Client message: A drop of info\nhello wolfssl!\n");
    assert!(server.contains(first) && server.ends_with(second), "{server}");
}

/// Without a named group the server does not print when it listens, so the test tries to connect until it succeeds.
#[test]
fn accepts_curves_by_default_and_reports_resumption() {
    let (sandbox, [one, five]) = sandbox();
    let port = free_port();
    let mut server = sandbox.command(&format!("tls server -v 4 {} -C 4 -p {port}", files(five, one)));
    let server = server.stdout(Stdio::piped()).spawn().unwrap();
    let client =
        |flags: &str| sandbox.run(&format!("tls client -v 4 {} -p {port} {flags}", files(one, five)));
    let printed = |flags: &str| {
        let tries = (0..100).map(|_| {
            sleep(Duration::from_millis(100));
            client(flags)
        });
        let done = tries.into_iter().find(|done| !done.stderr.contains("start the server first")).unwrap();
        assert_eq!(done.code, 0, "{}", done.stderr);
        String::from_utf8(done.stdout).unwrap()
    };
    assert!(printed("-t").contains("SSL curve name is X25519\n"));
    assert!(printed("-Y").contains("SSL curve name is SECP256R1\n"));
    let twice = printed("-r");
    assert_eq!(twice.matches("SSL curve name is X25519MLKEM768\n").count(), 2, "{twice}");
    assert_eq!(twice.matches("SSL reused session\n").count(), 1, "{twice}");
    let output = String::from_utf8(server.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(output.matches("SSL reused session\n").count(), 1, "{output}");
}

#[test]
fn checks_the_name_on_request() {
    let (sandbox, [one, five]) = sandbox();
    let name = one.to_uppercase();
    sandbox.ok(&format!("cert chain --quiet --alg {name} --san DNS:elsewhere.example --out other"));
    let flags = "-c other/entity_cert.pem -k other/entity_key.pem -i -d";
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {flags}"));
    let client = format!("tls client {COMMON_FLAGS} -A other/root_cert.pem -p {}", server.port);
    sandbox.ok(&client);
    sandbox.refuses(1, &format!("{client} -m"), &["not for "]);
    sandbox.refuses(1, &format!("{client} -S {five}.example"), &["not for "]);
    sandbox.ok(&format!("{client} -S elsewhere.example"));
}

#[test]
fn rejects_unsupported_flags_in_one_line() {
    let sandbox = Sandbox::new();
    sandbox.refuses(2, "tls server -v 3 -c c -k k", &["-v: version \"3\" is not supported", "-v 4"]);
    sandbox.refuses(2, "tls client -u -A r", &["-u: DTLS is not supported"]);
    sandbox.refuses(2, "tls client --srtp -A r", &["--srtp: DTLS is not supported"]);
    sandbox.refuses(2, "tls client -0 -A r", &["-0: early data needs a resumed session; add -r"]);
    sandbox.refuses(2, "tls server -z", &["-z: this flag", "docs/guide/src/24-wolfssl-flags.md"]);
    assert_eq!(
        sandbox.ok("tls server -e"),
        "TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256\n"
    );
    for side in ["server", "client"] {
        let help = sandbox.ok(&format!("tls {side} --help"));
        assert!(help.contains("-A ROOTS") && help.contains("--profile"), "{help}");
    }
}

#[test]
fn interprets_numbers_in_a_profile() {
    let (sandbox, [one, five]) = sandbox();
    let common = "--quiet --ciphers TLS_AES_256_GCM_SHA384 --groups KYBER_LEVEL5";
    let files = |root: &str, own: &str| {
        format!(
            "--ca certs/{root}_root_cert.pem --cert certs/{own}_entity_cert.pem --key certs/{own}_entity_key.pem"
        )
    };
    let old = "--profile oqs111-2021-02";
    let server = TestServer::start(&sandbox, &format!("{common} {old} {} -i", files(five, one)));
    let client = |profile: &str, groups: &str| {
        let files = files(one, five);
        format!(
            "tls client --quiet {files} {profile} --groups {groups} --message hi 127.0.0.1:{}",
            server.port
        )
    };
    let met = sandbox.json(&client(old, "KYBER_LEVEL5"));
    assert_eq!((&met["group"]["code"], &met["group"]["name"]), (&0x0211.into(), &"Kyber1024".into()));
    let by_number = sandbox.json(&client(old, "0x0211"));
    assert_eq!(by_number["group"], met["group"]);
    sandbox.refuses(1, &client("", "KYBER_LEVEL5"), &["this side offers the groups Kyber1024"]);
    sandbox.refuses(2, &client("", "0x0211"), &["--groups", "0x0211", "give --profile oqs111-2021-02"]);
    sandbox.refuses(
        1,
        &client("--profile provider-0.12", "KYBER_LEVEL5"),
        &["no TLS codepoint in the profile"],
    );
    sandbox.refuses(2, &client("--profile provider-0.4", "X25519"), &["unknown profile", "provider-0.5"]);
    sandbox.refuses(2, &client("--profile iana,oqs111-2021-08", "X25519"), &["conflict", "0x0200"]);
}

#[test]
fn measures_throughput_on_both_sides() {
    let (sandbox, [one, five]) = sandbox();
    let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {} -B 50000", files(five, one)));
    let client =
        sandbox.ok(&format!("tls client {COMMON_FLAGS} {} -B 50000 -p {}", files(one, five), server.port));
    for line in ["wolfSSL Client Benchmark 50000 bytes\n\tConnect ", "\tTX  ", "\tRX  ", " MBps)"] {
        assert!(client.contains(line), "{client}");
    }
    let server = server.end();
    for line in ["SSL version is TLSv1.3", "wolfSSL Server Benchmark 50000 bytes\n\tRX  ", "\tTX  "] {
        assert!(server.contains(line), "{server}");
    }
}

#[test]
fn combines_wolfssl_flags_with_grille_options() {
    let (sandbox, [one, five]) = sandbox();
    for (end, clients) in [("--once", 1), ("--count 2", 2)] {
        let server = TestServer::start(&sandbox, &format!("{COMMON_FLAGS} {} {end}", files(five, one)));
        for _ in 0..clients {
            sandbox.ok(&format!("tls client {COMMON_FLAGS} {} -p {}", files(one, five), server.port));
        }
        assert_eq!(server.end().matches("Client message: hello wolfssl!").count(), clients, "{end}");
    }
}
