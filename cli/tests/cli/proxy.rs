//! `grille proxy` from the outside.

use crate::sandbox::Sandbox;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;

/// A proxy in the background, killed if it does not end by itself.
pub(crate) struct RunningProxy {
    child: Child,
    log: BufReader<ChildStderr>,
    pub(crate) port: String,
}

impl RunningProxy {
    pub(crate) fn start(sandbox: &Sandbox, words: &str) -> Self {
        Self::start_with(sandbox, words, &[])
    }

    /// Starts a proxy with these environment variables.
    fn start_with(sandbox: &Sandbox, words: &str, variables: &[(&str, &str)]) -> Self {
        Self::wait_until_listening(Self::spawn(sandbox, words, variables))
    }

    /// Starts a proxy with a command that `change` modifies.
    pub(crate) fn start_modified(
        sandbox: &Sandbox,
        words: &str,
        change: impl FnOnce(Command) -> Command,
    ) -> Self {
        Self::wait_until_listening(Self::run(change(Self::command(sandbox, words))))
    }

    fn wait_until_listening(mut proxy: Self) -> Self {
        let listening = proxy.event("listening");
        proxy.port = listening["address"].as_str().unwrap().rsplit(':').next().unwrap().to_owned();
        proxy
    }

    /// Starts a proxy without waiting for its first events.
    fn spawn(sandbox: &Sandbox, words: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Self::command(sandbox, words);
        command.envs(variables.iter().copied());
        Self::run(command)
    }

    fn command(sandbox: &Sandbox, words: &str) -> Command {
        sandbox.command(&format!("proxy --listen 127.0.0.1:0 --log json --drain-grace 0 {words}"))
    }

    fn run(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        Self { child, log, port: String::new() }
    }

    /// Reads the next line of the log, which must be this event.
    pub(crate) fn event(&mut self, name: &str) -> serde_json::Value {
        let event = loop {
            let event = self.next_event();
            // Most proxies in these tests give this warning.
            if name == "old_clients_refused" || event["event"] != "old_clients_refused" {
                break event;
            }
        };
        assert_eq!(event["event"], name, "{event}");
        event
    }

    pub(crate) fn next_event(&mut self) -> serde_json::Value {
        let mut line = String::new();
        self.log.read_line(&mut line).unwrap();
        let event: serde_json::Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert!(event["time"].as_str().unwrap().ends_with('Z'), "{line}");
        event
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(done.unwrap().success());
    }
}

impl Drop for RunningProxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts an echo service; returns its address.
pub(crate) fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            thread::spawn(move || io::copy(&mut &socket, &mut &socket));
        }
    });
    address
}

/// Makes a sandbox with a root and an end entity of ML-DSA-44.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["root", "own"] {
        sandbox.ok(&format!("keygen --quiet --alg ML-DSA-44 --out {name}.key"));
    }
    sandbox.ok("cert root --quiet --key root.key --subject CN=root --out root.crt");
    let issuer = "--ca root.crt --ca-key root.key";
    sandbox.ok(&format!(
        "cert issue --quiet --key own.key {issuer} --subject CN=own --san DNS:localhost --out own.crt"
    ));
    sandbox
}

#[test]
#[cfg(unix)]
fn serves_reloads_and_drains() {
    let sandbox = sandbox();
    let mut proxy = RunningProxy::start(&sandbox, &format!("--to {} --cert own.crt --key own.key", echo()));
    let client = format!("tls client localhost:{} --ca root.crt --message hello", proxy.port);
    assert_eq!(sandbox.ok(&client), "hello\n");
    let closed = proxy.event("closed");
    assert_eq!((&closed["end"], &closed["group"]), (&"closed".into(), &"X25519MLKEM768".into()));
    let good = sandbox.get("own.crt");
    sandbox.put("own.crt", "no certificate");
    proxy.signal("-HUP");
    let refusal = proxy.event("not_reloaded");
    assert!(refusal["error"].as_str().unwrap().contains("own.crt"), "{refusal}");
    assert_eq!(sandbox.ok(&client), "hello\n");
    proxy.event("closed");
    sandbox.put("own.crt", good);
    proxy.signal("-HUP");
    proxy.event("reloaded");
    proxy.signal("-TERM");
    proxy.event("draining");
    proxy.event("not_listening");
    proxy.event("stopped");
    let mut rest = String::new();
    proxy.log.read_to_string(&mut rest).unwrap();
    assert!(proxy.child.wait().unwrap().success() && rest.is_empty(), "{rest}");
}

#[test]
fn originates_to_a_service_below_a_system_root() {
    let sandbox = sandbox();
    let service_proxy =
        RunningProxy::start(&sandbox, &format!("--to {} --cert own.crt --key own.key", echo()));
    let client_proxy = format!(
        "--to localhost:{} --originate --system-roots --cert own.crt --key own.key",
        service_proxy.port
    );
    let roots = sandbox.path("root.crt");
    let client_proxy = RunningProxy::start_modified(&sandbox, &client_proxy, |mut command| {
        command.env("SSL_CERT_FILE", &roots).env_remove("SSL_CERT_DIR");
        command
    });
    assert_eq!(
        sandbox.ok(&format!("tls client localhost:{} --ca root.crt --message hello", client_proxy.port)),
        "hello\n"
    );
}

#[test]
fn tunnels_plain_peers_and_watches_files() {
    let sandbox = sandbox();
    let mut service_proxy =
        RunningProxy::start(&sandbox, &format!("--to {} --cert own.crt --key own.key --watch 1", echo()));
    let client_proxy = format!(
        "--to localhost:{} --originate --ca root.crt --cert own.crt --key own.key --legacy",
        service_proxy.port
    );
    let client_proxy = RunningProxy::start(&sandbox, &client_proxy);
    let client =
        format!("tls client localhost:{} --ca root.crt --groups X25519 --message hello", client_proxy.port);
    assert_eq!(sandbox.ok(&client), "hello\n");
    assert_eq!(service_proxy.event("closed")["group"], "X25519MLKEM768");
    sandbox.put("new.crt", [sandbox.get("own.crt"), sandbox.get("root.crt")].concat());
    fs::rename(sandbox.path("new.crt"), sandbox.path("own.crt")).unwrap();
    service_proxy.event("reloaded");
}

#[test]
fn rotates_ticket_keys_and_keeps_three() {
    let sandbox = sandbox();
    let mut seen = Vec::new();
    for count in [1, 2, 3, 3] {
        sandbox.ok("proxy --quiet --ticket-keys tickets.key --rotate-ticket-keys");
        let text = String::from_utf8(sandbox.get("tickets.key")).unwrap();
        assert_eq!(text.lines().count(), count);
        assert!(seen.iter().take(2).eq(text.lines().skip(1)), "the older ones follow");
        seen = text.lines().map(str::to_owned).collect();
    }
    #[cfg(unix)]
    assert_eq!(sandbox.mode("tickets.key"), 0o600);
}

/// Starts a load balancer that sends the first connection to the first proxy, and the second connection to the second
/// proxy.
///
/// Returns the command of a client that connects twice through it and resumes its session.
fn start_balancer(proxies: &[RunningProxy; 2]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let ports = proxies.each_ref().map(|proxy| proxy.port.clone());
    thread::spawn(move || {
        for (client, port) in listener.incoming().flatten().zip(ports) {
            let proxy = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
            let (mut from, mut to) = (client.try_clone().unwrap(), proxy.try_clone().unwrap());
            thread::spawn(move || {
                let _ = io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Write);
            });
            thread::spawn(move || {
                let _ = io::copy(&mut &proxy, &mut &client);
                let _ = client.shutdown(Shutdown::Write);
            });
        }
    });
    format!("tls client {address} --servername localhost --ca root.crt --message hi --resume --json")
}

/// Connects to the first proxy and resumes the session with the second proxy. Returns the kind of the second handshake.
fn second_handshake(sandbox: &Sandbox, proxies: &[RunningProxy; 2]) -> serde_json::Value {
    let documents = sandbox.ok(&start_balancer(proxies));
    let documents: Vec<serde_json::Value> =
        documents.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, second] = &documents[..] else { panic!("{documents:?}") };
    assert_eq!(first["handshake"], "full");
    second["handshake"].clone()
}

#[test]
fn resumes_sessions_across_proxies_with_shared_keys() {
    let sandbox = sandbox();
    sandbox.ok("proxy --quiet --ticket-keys tickets.key --rotate-ticket-keys");
    let own_keys = format!("--to {} --cert own.crt --key own.key", echo());
    let shared = format!("{own_keys} --ticket-keys tickets.key");
    assert_eq!(
        second_handshake(&sandbox, &[(); 2].map(|()| RunningProxy::start(&sandbox, &shared))),
        "resumed"
    );
    assert_eq!(
        second_handshake(&sandbox, &[(); 2].map(|()| RunningProxy::start(&sandbox, &own_keys))),
        "full"
    );
}

#[test]
fn refuses_a_client_without_certificate_that_has_a_ticket_of_an_open_proxy() {
    let sandbox = sandbox();
    sandbox.ok("proxy --quiet --ticket-keys tickets.key --rotate-ticket-keys");
    let open = format!("--to {} --cert own.crt --key own.key --ticket-keys tickets.key", echo());
    let strict = format!("{open} --client-ca root.crt");
    let mut proxies = [RunningProxy::start(&sandbox, &open), RunningProxy::start(&sandbox, &strict)];
    let client = start_balancer(&proxies);
    let done = sandbox.run(&client);
    assert!(done.code != 0 && done.stderr.contains("certificate_required"), "{}", done.stderr);
    let [_, strict] = &mut proxies;
    let refused = strict.event("closed");
    assert_eq!((&refused["end"], &refused["to_service"]), (&"handshake failed".into(), &0.into()));
}

#[test]
fn refuses_a_ticket_of_a_proxy_with_other_roots() {
    let sandbox = sandbox();
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out other.key");
    sandbox.ok("cert root --quiet --key other.key --subject CN=other --out other.crt");
    sandbox.put("both.crt", [sandbox.get("root.crt"), sandbox.get("other.crt")].concat());
    sandbox.ok("proxy --quiet --ticket-keys tickets.key --rotate-ticket-keys");
    let start = |roots: &str| {
        let words = format!("--to {} --cert own.crt --key own.key --ticket-keys tickets.key", echo());
        RunningProxy::start(&sandbox, &format!("{words} --client-ca {roots}"))
    };
    let known = "--cert own.crt --key own.key";
    let proxies = [start("both.crt"), start("both.crt")];
    assert!(sandbox.ok(&format!("{} {known}", start_balancer(&proxies))).contains("resumed"));
    let mut proxies = [start("both.crt"), start("other.crt")];
    let client = start_balancer(&proxies);
    assert_ne!(sandbox.run(&format!("{client} {known}")).code, 0);
    let refused = proxies[1].event("closed");
    assert_eq!((&refused["end"], &refused["to_service"]), (&"handshake failed".into(), &0.into()));
}

#[test]
fn logs_session_secrets_and_reports_the_key_log() {
    let sandbox = sandbox();
    let words = format!("--to {} --cert own.crt --key own.key", echo());
    let secrets = sandbox.path("secrets").into_os_string().into_string().unwrap();
    let mut proxy = RunningProxy::start_with(&sandbox, &words, &[("SSLKEYLOGFILE", &secrets)]);
    assert_eq!(proxy.event("keys_logged")["file"], secrets);
    sandbox.ok(&format!("tls client localhost:{} --ca root.crt --message hello", proxy.port));
    proxy.event("closed");
    let written = String::from_utf8(sandbox.get("secrets")).unwrap();
    for label in ["CLIENT_TRAFFIC_SECRET_0 ", "SERVER_TRAFFIC_SECRET_0 "] {
        assert_eq!(written.lines().filter(|line| line.starts_with(label)).count(), 1, "{label}: {written}");
    }
    #[cfg(unix)]
    assert_eq!(sandbox.mode("secrets"), 0o600);
    for log in ["text", "none"] {
        let mut command = sandbox.command(&format!("proxy --listen 127.0.0.1:0 --log {log} {words}"));
        command.env("SSLKEYLOGFILE", sandbox.path("no/such/folder"));
        let done = command.output().unwrap();
        let output = String::from_utf8(done.stderr).unwrap();
        assert!(!done.status.success() && output.contains("no/such/folder: cannot write"), "{output}");
        assert!(output.contains("SSLKEYLOGFILE"), "{output}");
    }
}

#[test]
fn reads_pipes_once() {
    let sandbox = sandbox();
    // This machine does not have the address, so the proxy ends at once.
    let start = "proxy --listen 203.0.113.1:1 --to localhost:1";
    for (file, words) in [
        ("root.crt", "--originate --ca -"),
        ("root.crt", "--cert own.crt --key own.key --client-ca -"),
        ("own.crt", "--cert - --key own.key"),
    ] {
        let words = format!("{start} {words}");
        sandbox.pipe(&sandbox.get(file), &words).check(1, &words, &["cannot listen on 203.0.113.1:1"]);
    }
}

#[test]
#[cfg(unix)]
fn does_not_wait_for_pipes_at_a_reload() {
    let sandbox = sandbox();
    let (pipe, roots) = (sandbox.path("roots.pipe"), sandbox.get("root.crt"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = thread::spawn(move || fs::write(pipe, roots));
    let words = format!("--to {} --cert own.crt --key own.key --client-ca roots.pipe", echo());
    let mut proxy = RunningProxy::start(&sandbox, &words);
    writer.join().unwrap().unwrap();
    proxy.signal("-HUP");
    let refusal = proxy.event("not_reloaded");
    let printed = refusal["error"].as_str().unwrap();
    assert!(printed.contains("roots.pipe: a pipe cannot be read again"), "{printed}");
    proxy.signal("-TERM");
    proxy.event("draining");
    proxy.event("not_listening");
    proxy.event("stopped");
}

#[test]
fn explains_why_it_cannot_start() {
    let sandbox = sandbox();
    let start = "proxy --listen 127.0.0.1:0 --to localhost:1";
    sandbox.refuses(2, start, &["no TLS on either side", "--cert and --key"]);
    sandbox.refuses(2, &format!("{start} --cert own.crt"), &["--cert without --key", "grille cert chain"]);
    let twice = format!("{start} --cert - --key own.key --client-ca -");
    sandbox.refuses(2, &twice, &["only one input can come from standard input"]);
    for bound in
        ["--handshake-timeout 0", "--handshake-timeout never", "--connect-timeout 0", "--idle-timeout 0"]
    {
        let name = bound.split(' ').next().unwrap();
        sandbox.refuses(
            2,
            &format!("{start} --cert own.crt --key own.key {bound}"),
            &[name, "a number of seconds above 0"],
        );
    }
    sandbox.refuses(2, &format!("{start} --originate"), &["with --ca, or use --system-roots"]);
    sandbox.refuses(
        1,
        &format!("{start} --cert own.crt --key root.key"),
        &["root.key: the private key does not belong to the certificate of CN=own"],
    );
    sandbox.put("tickets.key", "abc");
    sandbox.refuses(
        1,
        &format!("{start} --cert own.crt --key own.key --ticket-keys tickets.key"),
        &["tickets.key", "line 1"],
    );
    sandbox.refuses(
        1,
        "proxy --listen 256.0.0.1:1 --to localhost:1 --cert own.crt --key own.key",
        &["cannot listen on"],
    );
}

/// Makes a sandbox with a root of ECDSA P-256, and certificates from it for `own` (localhost) and two clients.
fn classical_sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["root", "own", "billing", "other"] {
        sandbox.ok(&format!("keygen --quiet --alg ECDSA-P256 --out {name}.key"));
    }
    sandbox.ok("cert root --quiet --key root.key --subject CN=root --out root.crt");
    for (name, host) in [("own", "localhost"), ("billing", "billing.example"), ("other", "other.example")] {
        sandbox.ok(&format!(
            "cert issue --quiet --key {name}.key --ca root.crt --ca-key root.key --subject CN={name} --san DNS:{host} --out {name}.crt"
        ));
    }
    sandbox
}

#[test]
fn accepts_only_allowed_clients_and_logs_them() {
    let sandbox = classical_sandbox();
    let words = format!("--to {} --cert own.crt --key own.key --client-ca root.crt", echo());
    let words = format!("{words} --allow-client spiffe://example/none --allow-client DNS:billing.example");
    let mut proxy = RunningProxy::start(&sandbox, &words);
    let client = format!("tls client localhost:{} --ca root.crt --message hello", proxy.port);
    assert_eq!(sandbox.ok(&format!("{client} --cert billing.crt --key billing.key")), "hello\n");
    let closed = proxy.event("closed");
    let shown = &closed["client_certificate"];
    assert_eq!(
        (&shown["subject"], &shown["names"][0]),
        (&"CN=billing".into(), &"DNS:billing.example".into())
    );
    let fingerprint = shown["sha256"].as_str().unwrap();
    assert_eq!(fingerprint.len(), 64);
    assert_ne!(sandbox.run(&format!("{client} --cert other.crt --key other.key")).code, 0);
    let refused = proxy.event("closed");
    assert_eq!((&refused["end"], &refused["to_service"]), (&"handshake failed".into(), &0.into()));
    assert!(refused["error"].as_str().unwrap().contains("CN=other (DNS:other.example) is not on the list"));
    let words = format!("--to {} --cert own.crt --key own.key --client-ca root.crt", echo());
    let mut by_fingerprint =
        RunningProxy::start(&sandbox, &format!("{words} --allow-client SHA256:{fingerprint}"));
    let client = format!("tls client localhost:{} --ca root.crt --message hello", by_fingerprint.port);
    assert_eq!(sandbox.ok(&format!("{client} --cert billing.crt --key billing.key")), "hello\n");
    by_fingerprint.event("closed");
}

#[test]
fn reports_invalid_client_restrictions() {
    let sandbox = classical_sandbox();
    let start = "proxy --listen 127.0.0.1:0 --to localhost:1 --cert own.crt --key own.key";
    sandbox.refuses(2, &format!("{start} --allow-client CN:x"), &["--client-ca"]);
    sandbox.refuses(
        2,
        &format!("{start} --client-ca root.crt --allow-client billing"),
        &["expected CN:NAME"],
    );
    let with_list = format!("{start} --client-ca root.crt --client-crl own.crt");
    sandbox.refuses(1, &with_list, &["own.crt", "X509 CRL"]);
    sandbox.refuses(
        2,
        &format!("{start} --cert root.crt"),
        &["2 certificate chains and 1 key", "one --key for each"],
    );
}

#[test]
fn refuses_revoked_services() {
    let sandbox = classical_sandbox();
    let issuer = "--ca root.crt --ca-key root.key";
    sandbox.ok(&format!("cert crl --quiet {issuer} --out none.crl"));
    sandbox.ok(&format!("cert crl --quiet {issuer} --revoke own.crt --out own.crl"));
    let service_proxy =
        RunningProxy::start(&sandbox, &format!("--to {} --cert own.crt --key own.key", echo()));
    for (list, code) in [("none.crl", 0), ("own.crl", 1)] {
        let words = format!("--to localhost:{} --originate --ca root.crt --crl {list}", service_proxy.port);
        let client_proxy = RunningProxy::start(&sandbox, &format!("{words} --cert own.crt --key own.key"));
        let client = format!("tls client localhost:{} --ca root.crt --message hello", client_proxy.port);
        let done = sandbox.run(&client);
        assert_eq!(done.code, code, "{list}: {}", done.stderr);
    }
}

#[test]
fn two_certificates_serve_old_and_new_clients_and_one_causes_a_warning() {
    let sandbox = classical_sandbox();
    for name in ["new_root", "new"] {
        sandbox.ok(&format!("keygen --quiet --alg ML-DSA-44 --out {name}.key"));
    }
    sandbox.ok("cert root --quiet --key new_root.key --subject CN=new --out new_root.crt");
    let issuer = "--ca new_root.crt --ca-key new_root.key";
    sandbox.ok(&format!(
        "cert issue --quiet --key new.key {issuer} --subject CN=new --san DNS:localhost --out new.crt"
    ));
    let both = format!("--to {} --cert new.crt --key new.key --cert own.crt --key own.key", echo());
    let proxy = RunningProxy::start(&sandbox, &both);
    let client = format!("tls client localhost:{} --message hello --json", proxy.port);
    let seen: serde_json::Value =
        serde_json::from_str(&sandbox.ok(&format!("{client} --ca new_root.crt --ca root.crt"))).unwrap();
    assert!(seen.to_string().contains("CN=new"), "{seen}");
    let one = format!("--to {} --cert new.crt --key new.key", echo());
    let mut child = RunningProxy::spawn(&sandbox, &one, &[]);
    assert_eq!(child.event("old_clients_refused")["signatures"], "ML-DSA-44");
    drop((proxy, child));
    let server = "tls server --port 0 --once --timeout 1 --cert new.crt --key new.key";
    assert!(sandbox.run(server).stderr.contains("clients that cannot verify ML-DSA-44 cannot connect"));
    let server = format!("{server} --cert own.crt --key own.key");
    assert!(!sandbox.run(&server).stderr.contains("cannot connect"));
}
