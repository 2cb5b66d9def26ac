//! Hostile clients of the proxy: bytes are altered, cut off or sent one by one. Each connection ends in time and has
//! one line in the log. No connection remains open, and other clients are served.

#[path = "../../../tls/tests/tls/faults/mod.rs"]
mod faults;

use crate::fixture::{Fixture, RunningProxy, TEST_LIMITS, TestClient, get, wait_until};
use faults::{
    Fault, PerDirection, error_line, exchange, faults, interpose, may_remain_undetected, run_in_parallel,
};
use grille_proxy::{Command, Limits};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

/// Parts of log lines that state how a connection through a man in the middle ended.
const END_PHRASES: [&str; 5] =
    [" closed ", " handshake failed", " handshake too slow", " idle", " broken off"];

/// Short timeouts for the handshake and for silence.
const SHORT_LIMITS: Limits =
    Limits { handshake: Duration::from_secs(1), idle: Duration::from_secs(1), ..TEST_LIMITS };

/// Runs a connection through a man in the middle. Returns the client's result and the bytes in each direction.
fn run(
    proxy: &RunningProxy,
    client: &TestClient,
    faults: PerDirection<Fault>,
) -> (Result<(), grille_tls::Error>, PerDirection<Vec<u8>>) {
    let (address, carried) = interpose(proxy.address.parse().unwrap(), faults);
    let end = client.connect_at(&address).and_then(|connection| exchange(connection, b"ping", b"ping"));
    (end, carried.join().unwrap())
}

/// Applies faults to connections with mutual authentication. Each trial is a full handshake with a service that echoes.
fn inject_faults(step: usize) {
    let fixture = Fixture::new();
    let (proxy, client) =
        fixture.with_client_auth_and_limits("ML-DSA-44", SHORT_LIMITS, Some(Duration::from_millis(1600)));
    let (end, streams) = run(&proxy, &client, [Fault::None; 2]);
    assert!(end.is_ok(), "{end:?}");
    let faults = faults(&streams, step);
    let alerts = run_in_parallel(&faults, |part| {
        let alerts = part.iter().filter(|faults| {
            let error = error_line(&run(&proxy, &client, **faults).0);
            assert!(
                error.is_some() || may_remain_undetected(**faults, &streams),
                "{faults:?} was not detected"
            );
            error.is_some_and(|text| text.contains("aborted with the alert"))
        });
        alerts.count()
    });
    assert!(alerts > 0, "no client ever received an alert");
    wait_until(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_active 0\n"));
    assert!(get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_pending 0\n"));
    client.connect(&proxy).write_all(b"after all that").unwrap();
    let log = proxy.end(Command::Drain);
    let lines = log.lines().filter(|line| END_PHRASES.iter().any(|end| line.contains(end))).count();
    assert_eq!(lines, faults.len() + 2, "one line for each connection");
    assert!(log.contains(" handshake failed") && log.contains("aborted with the alert"), "{log}");
    assert!(!log.contains("a bug in this program"), "{log}");
}

#[test]
fn faults_at_sampled_bytes_fail_the_handshake() {
    inject_faults(509);
}

#[test]
#[ignore = "takes many minutes: two connections for each of 20,000 bytes"]
fn faults_at_every_byte_fail_the_handshake() {
    inject_faults(1);
}

#[test]
fn incomplete_record_counts_as_silence() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| options.limits = SHORT_LIMITS);
    let mut socket = fixture.connected_socket(&proxy);
    let start = Instant::now();
    // the header of an application data record, whose 16 KiB arrive byte by byte
    let record = [23, 3, 3, 0x40, 0].into_iter().chain(std::iter::repeat_n(7, 1 << 14));
    let sent = record.take_while(|byte| {
        thread::sleep(Duration::from_millis(20));
        socket.write_all(&[*byte]).is_ok()
    });
    let sent = sent.count();
    assert!(start.elapsed() < Duration::from_secs(10), "{sent} bytes were accepted");
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" idle ") && log.contains("no data for 1 s"), "{log}");
}

#[test]
fn serves_a_client_that_sends_single_bytes() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| options.limits = SHORT_LIMITS);
    let mut slow = fixture.client().connect(&proxy);
    for byte in 0..8 {
        thread::sleep(SHORT_LIMITS.idle / 10);
        slow.write_all(&[byte]).unwrap();
        let mut received = [0];
        slow.read_exact(&mut received).unwrap();
        assert_eq!(received, [byte]);
    }
    slow.close().unwrap();
    assert!(proxy.end(Command::Drain).contains(" closed "));
}

/// Data that a slow reader leaves unread stays in the sockets, not in the proxy. When no more data flows, the
/// connection counts as silent.
#[test]
fn closes_a_slow_reader_when_no_data_flows() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = service.local_addr().unwrap().to_string();
    let sent = thread::spawn(move || {
        let mut socket = service.accept().unwrap().0;
        (0..4096).take_while(|_| socket.write_all(&[7; 1 << 16]).is_ok()).count() << 16
    });
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| (options.to, options.limits) = (address, SHORT_LIMITS));
    let mut reader = fixture.client().connect(&proxy);
    let start = Instant::now();
    while !get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_total{end=\"idle\"} 1\n") {
        assert!(start.elapsed() < Duration::from_secs(20), "the reader is never disconnected");
        thread::sleep(Duration::from_millis(20));
        reader.read_exact(&mut [0]).unwrap();
    }
    let sent = sent.join().unwrap();
    assert!(sent < 64 << 20, "{sent} bytes were read from the service");
    assert!(proxy.end(Command::Drain).contains(" idle "));
}
