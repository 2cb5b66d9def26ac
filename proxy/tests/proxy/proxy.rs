//! The proxy between real clients and a real service, over loopback.

use crate::fixture::{Fixture, get, wait_until};
use grille_proxy::{Command, ProxyProtocol};
use grille_tls::Error;
use grille_tls::report::Kind;
use grille_tls::tickets::{SharedKeys, rotate};
use rustls::server::ProducesTickets;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

#[test]
fn client_reaches_the_service_over_post_quantum_tls() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let report = fixture.client().exchange(&proxy, b"hello");
    assert_eq!(report.group_name(), "X25519MLKEM768 (0x11EC)");
    assert_eq!(report.trace.peer_signed_with, Some(0x0905), "ML-DSA-65");
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" closed X25519MLKEM768 TLS_AES_256_GCM_SHA384 localhost, 5 bytes"), "{log}");
}

/// The client's certificate and signature have 49,856 bytes each.
#[test]
fn rejects_an_overlong_flight_and_names_the_limit() {
    let fixture = Fixture::new();
    let (proxy, client) = fixture.with_client_auth("ML-DSA-87");
    client.exchange(&proxy, b"hello");
    let (proxy, client) = fixture.with_client_auth("SLH-DSA-SHA2-256f");
    // the client may finish its handshake before the proxy fails
    if let Ok(mut connection) = client.try_connect(&proxy) {
        connection.read_exact(&mut [0]).unwrap_err();
    }
    let log = proxy.end(Command::Drain);
    assert!(log.contains("exceed the proxy's limit of 65535 bytes per flight"), "{log}");
}

#[test]
fn relays_bulk_data_in_both_directions() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let sent: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    fixture.client().exchange(&proxy, &sent);
}

#[test]
fn plaintext_client_reaches_a_tls_service_through_two_proxies() {
    let fixture = Fixture::new();
    let client_proxy = fixture.proxy(|_| ());
    let service_proxy = fixture.with_tls_to_service(&client_proxy.address, |_| ());
    let mut socket = TcpStream::connect(&service_proxy.address).unwrap();
    socket.write_all(b"in the clear").unwrap();
    socket.shutdown(Shutdown::Write).unwrap();
    let mut received = String::new();
    socket.read_to_string(&mut received).unwrap();
    assert_eq!(received, "in the clear");
    assert!(
        get(&service_proxy.metrics, "/metrics")
            .contains("{side=\"service\",group=\"X25519MLKEM768\",kind=\"full\"} 1")
    );
}

#[test]
fn proxies_with_shared_ticket_keys_resume_each_others_sessions() {
    let fixture = Fixture::new();
    let text = rotate("", 3).unwrap();
    let keys = || Some(Arc::new(SharedKeys::from_text(&text).unwrap()) as _);
    let (first, second) = (fixture.with_ticket_keys(keys()), fixture.with_ticket_keys(keys()));
    let other =
        fixture.with_ticket_keys(Some(Arc::new(SharedKeys::from_text(&rotate("", 1).unwrap()).unwrap())));
    let client = fixture.client();
    assert_eq!(client.exchange(&first, b"1").kind, Kind::Full);
    assert_eq!(client.exchange(&second, b"2").kind, Kind::Resumed);
    assert_eq!(client.exchange(&first, b"3").kind, Kind::Resumed);
    assert_eq!(client.exchange(&other, b"4").kind, Kind::Full, "the proxy has other keys");
}

#[test]
fn rejects_a_session_if_a_reload_removed_the_clients_root() {
    let fixture = Fixture::new();
    let (proxy, client, trusted) = fixture.with_client_auth_and_resumption("ML-DSA-44");
    assert_eq!(client.exchange(&proxy, b"1").kind, Kind::Full);
    assert_eq!(client.exchange(&proxy, b"2").kind, Kind::Resumed);
    trusted.lock().unwrap().push(fixture.root());
    proxy.send_command(Command::Reload);
    wait_until(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_reloads_total{result=\"done\"} 1"));
    assert_eq!(client.exchange(&proxy, b"3").kind, Kind::Full, "the roots have changed");
    assert_eq!(client.exchange(&proxy, b"4").kind, Kind::Resumed);
    trusted.lock().unwrap().remove(0);
    proxy.send_command(Command::Reload);
    wait_until(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_reloads_total{result=\"done\"} 2"));
    let refused = client.try_connect(&proxy).and_then(|mut connection| {
        connection.read(&mut [0]).map(drop).map_err(|e| Error::from_io("read", e))
    });
    assert!(refused.is_err());
    assert!(proxy.end(Command::Drain).contains("handshake failed"));
}

#[test]
fn reload_changes_the_certificate_unless_it_fails() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let chain = || fixture.client().exchange(&proxy, b"?").peer_chain.0;
    let (before, mut open) = (chain(), fixture.client().connect(&proxy));
    fixture.renew_certificate();
    assert_eq!(chain(), before, "no reload was requested yet");
    proxy.send_command(Command::Reload);
    wait_until(|| chain() != before);
    open.write_all(b"still here").unwrap();
    open.read_exact(&mut [0; 10]).unwrap();
    let after = chain();
    fixture.fails_reload.store(true, Ordering::Relaxed);
    proxy.send_command(Command::Reload);
    wait_until(|| {
        get(&proxy.metrics, "/metrics").contains("grille_proxy_reloads_total{result=\"failed\"} 1")
    });
    assert_eq!(chain(), after);
    drop(open);
    assert!(
        proxy
            .end(Command::Drain)
            .contains("cannot reload keys and certificates, so the old ones stay in use: broken on purpose")
    );
}

#[test]
fn passes_the_client_and_its_tls_parameters_to_the_service() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = service.local_addr().unwrap().to_string();
    let seen = thread::spawn(move || {
        let mut seen = [0; 28];
        let mut socket = service.accept().unwrap().0;
        socket.read_exact(&mut seen).unwrap();
        let mut rest = vec![0; usize::from(u16::from_be_bytes([seen[14], seen[15]])) - 12];
        socket.read_exact(&mut rest).unwrap();
        (seen, rest)
    });
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| {
        options.to = address;
        options.proxy_protocol = ProxyProtocol { accept: true, send: true };
    });
    // a load balancer whose client is 192.0.2.7:258
    let mut head = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    head.extend([192, 0, 2, 7, 127, 0, 0, 1, 1, 2, 1, 187]);
    let connection = fixture.client().connect_after(&proxy, &head);
    let (seen, rest) = seen.join().unwrap();
    assert_eq!(seen[..14], head[..14]);
    assert_eq!(seen[16..], head[16..]);
    let names = String::from_utf8_lossy(&rest);
    for part in ["localhost", "TLSv1.3", "TLS_AES_256_GCM_SHA384", "X25519MLKEM768"] {
        assert!(names.contains(part), "no {part} in {names}");
    }
    drop(connection);
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" 192.0.2.7:258 "), "{log}");
}

#[test]
fn rejects_a_client_without_the_required_header() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| options.proxy_protocol.accept = true);
    assert!(fixture.client().try_connect(&proxy).is_err());
    assert!(proxy.end(Command::Drain).contains("no proxy header"));
}

#[test]
fn metrics_have_the_format_of_prometheus() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let client = fixture.client();
    client.exchange(&proxy, b"one");
    client.exchange(&proxy, b"two");
    let closed_twice = "grille_proxy_connections_total{end=\"closed\"} 2";
    wait_until(|| get(&proxy.metrics, "/metrics").contains(closed_twice));
    let page = get(&proxy.metrics, "/metrics");
    for line in page.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let bare = name.split('{').next().unwrap();
        assert!(
            bare.starts_with("grille_proxy_") && bare.bytes().all(|b| b == b'_' || b.is_ascii_lowercase())
        );
        assert!(value.parse::<f64>().is_ok(), "{line}");
        let family = ["_bucket", "_sum", "_count"].iter().fold(bare, |name, end| name.trim_end_matches(end));
        assert!(page.contains(&format!("# TYPE {family} ")), "{family} has no type");
    }
    for line in [
        "grille_proxy_handshakes_total{side=\"client\",group=\"X25519MLKEM768\",kind=\"full\"} 1",
        "grille_proxy_handshakes_total{side=\"client\",group=\"X25519MLKEM768\",kind=\"resumed\"} 1",
        "grille_proxy_bytes_total{to=\"service\"} 6",
        "grille_proxy_handshake_seconds_count 2",
    ] {
        assert!(page.contains(line), "no {line} in {page}");
    }
    assert_eq!(get(&proxy.metrics, "/health"), "ok\n");
    assert!(get(&proxy.metrics, "/else").contains("available paths"));
}

#[test]
fn fails_health_checks_but_accepts_clients_until_the_grace_period_ends() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| options.limits.grace = Duration::from_secs(60));
    proxy.send_command(Command::Drain);
    wait_until(|| get(&proxy.metrics, "/health") == "draining\n");
    let mut socket = TcpStream::connect(&proxy.metrics).unwrap();
    socket.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    fixture.client().exchange(&proxy, b"sent before the balancer reacted");
    let mut open = fixture.client().connect(&proxy);
    // the second command ends the grace period
    proxy.send_command(Command::Drain);
    wait_until(|| fixture.client().try_connect(&proxy).is_err());
    open.write_all(b"to the end").unwrap();
    open.read_exact(&mut [0; 10]).unwrap();
    assert_eq!(get(&proxy.metrics, "/health"), "draining\n");
    open.close().unwrap();
    let log = proxy.log_after_exit();
    assert!(
        log.contains("still accepting for 60 s") && log.contains("no longer listening, 1 connection open"),
        "{log}"
    );
}

#[test]
fn sends_protocol_version_alert_to_clients_of_tls_1_1() {
    let fixture = Fixture::new();
    let proxies = [fixture.proxy(|_| ()), fixture.with_classical_certificate(true)];
    for proxy in &proxies {
        for minor in [0, 1, 2] {
            let mut socket = TcpStream::connect(&proxy.address).unwrap();
            socket.write_all(&old_hello(minor)).unwrap();
            let mut answer = Vec::new();
            socket.read_to_end(&mut answer).unwrap();
            assert_eq!(answer, [21, 3, minor, 0, 2, 2, 70], "protocol_version");
        }
    }
    let [proxy, _] = proxies;
    let log = proxy.end(Command::Drain);
    assert!(log.contains("the peer supports no TLS version that this side accepts"), "{log}");
}

/// Builds a ClientHello as OpenSSL sends it for SSL 3.0 (`minor` 0) to TLS 1.1 (2): without extensions, so without
/// signature_algorithms.
fn old_hello(minor: u8) -> Vec<u8> {
    let mut hello = vec![22, 3, minor, 0, 45, 1, 0, 0, 41, 3, minor];
    hello.extend([7; 32]);
    hello.extend([0, 0, 2, 0, 0x2F, 1, 0]);
    hello
}

#[test]
fn draining_finishes_open_connections_and_accepts_no_new_ones() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let mut open = fixture.client().connect(&proxy);
    proxy.send_command(Command::Drain);
    wait_until(|| fixture.client().try_connect(&proxy).is_err());
    open.write_all(b"to the end").unwrap();
    open.read_exact(&mut [0; 10]).unwrap();
    open.close().unwrap();
    let log = proxy.log_after_exit();
    assert!(log.contains("draining 1 connection") && log.ends_with("stopped\n"), "{log}");
}

#[test]
fn rejects_a_reload_while_draining() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let open = fixture.client().connect(&proxy);
    proxy.send_command(Command::Drain);
    proxy.send_command(Command::Reload);
    wait_until(|| {
        get(&proxy.metrics, "/metrics").contains("grille_proxy_reloads_total{result=\"failed\"} 1")
    });
    drop(open);
    let log = proxy.log_after_exit();
    assert!(
        log.contains(
            "cannot reload keys and certificates, so the old ones stay in use: no more clients are accepted"
        ),
        "{log}"
    );
}

/// A ticketer that panics.
#[derive(Debug)]
struct PanickingTicketer;

impl ProducesTickets for PanickingTicketer {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        60
    }

    fn encrypt(&self, _: &[u8]) -> Option<Vec<u8>> {
        panic!("on purpose")
    }

    fn decrypt(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

#[test]
fn logs_and_counts_a_panicking_connection() {
    let fixture = Fixture::new();
    let proxy = fixture.with_ticket_keys(Some(Arc::new(PanickingTicketer)));
    // the client may finish its handshake before the proxy creates tickets
    for _ in 0..2 {
        if let Ok(mut connection) = fixture.client().try_connect(&proxy) {
            connection.read(&mut [0]).unwrap_err();
        }
    }
    wait_until(|| get(&proxy.metrics, "/metrics").contains("{end=\"panicked\"} 2"));
    assert!(get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_active 0"));
    let log = proxy.end(Command::Drain);
    let logged =
        log.lines().filter(|line| line.contains("a bug in this program") && line.contains("on purpose"));
    assert_eq!(logged.count(), 2, "{log}");
}

#[test]
fn serves_many_concurrent_connections() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let mut open: Vec<_> = (0..150).map(|_| fixture.client().connect(&proxy)).collect();
    for connection in &mut open {
        connection.write_all(b"hello").unwrap();
        connection.read_exact(&mut [0; 5]).unwrap();
    }
    let page = get(&proxy.metrics, "/metrics");
    assert!(
        page.contains("grille_proxy_connections_active 150") && page.contains("kind=\"full\"} 150"),
        "{page}"
    );
}

#[test]
fn accepts_tls_1_2_only_in_legacy_mode() {
    let fixture = Fixture::new();
    for legacy in [false, true] {
        let proxy = fixture.with_classical_certificate(legacy);
        let connected = fixture.connect_with_tls12(&proxy);
        assert_eq!(connected.is_ok(), legacy, "{connected:?}");
    }
}

#[test]
fn server_group_order_serves_old_clients_and_rejects_other_protocols() {
    let fixture = Fixture::new();
    let proxy = fixture.with_server_order(&["SecP256r1MLKEM768", "X25519MLKEM768"]);
    let report = fixture.client().exchange(&proxy, b"hello");
    assert_eq!((report.kind, report.group_name().as_str()), (Kind::Retried, "SecP256r1MLKEM768 (0x11EB)"));
    fixture.connect_with_tls12(&proxy).unwrap();
    let mut other = TcpStream::connect(&proxy.address).unwrap();
    other.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    other.read_to_end(&mut answer).unwrap();
    assert_eq!(answer.first(), Some(&21), "an alert");
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" closed SecP256r1MLKEM768 "), "{log}");
    assert!(log.contains(" X25519 TLS_ECDHE_ECDSA_"), "{log}");
    assert!(log.contains(" handshake failed, "), "{log}");
}

#[test]
fn reports_an_unreachable_service() {
    let fixture = Fixture::new();
    let unreachable = "127.0.0.1:1";
    let proxy = fixture.proxy(|options| options.to = unreachable.to_owned());
    let mut connection = fixture.client().connect(&proxy);
    assert!(connection.read(&mut [0; 1]).is_err());
    wait_until(|| get(&proxy.metrics, "/metrics").contains("{end=\"service not reached\"} 1"));
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" service not reached ") && log.contains(&format!(": {unreachable}: ")), "{log}");
}

#[test]
fn resets_a_plaintext_client_of_an_unreachable_service() {
    let fixture = Fixture::new();
    // a free port outside the range from which systems assign ports to other programs
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let service = format!("127.0.0.1:{}", (20_000..).find(free).unwrap());
    let proxy = fixture.with_tls_to_service(&service, |_| ());
    // The client only reads, because a write would already report the reset.
    let result = TcpStream::connect(&proxy.address).unwrap().read(&mut [0; 1]);
    assert!(result.is_err(), "an empty answer");
    // clients are served again as soon as the service is reachable
    let listener = TcpListener::bind(&service).unwrap();
    let (waiting, accepted) = (TcpStream::connect(&proxy.address).unwrap(), listener.accept().unwrap());
    drop((waiting, accepted));
}

#[test]
fn warns_of_an_expired_certificate() {
    let fixture = Fixture::new();
    let log = fixture.with_expired_certificate().end(Command::Drain);
    assert!(
        log.contains("warning: peers will refuse the certificate: own.crt: the certificate expired on 1970-01-01T00:00:01Z"),
        "{log}"
    );
}
