//! Clients of the proxy whose bytes are altered or cut off on the way, or come one by one: each is told or left, within its
//! time, in one line of the log; nothing stays behind, and the others are served.

#[path = "../../../tls/tests/tls/harm/mod.rs"]
mod harm;

use crate::desk::{Desk, Proxied, QUICK, TestClient, get, settle};
use grille_proxy::{Command, Limits};
use harm::{Both, Harm, between, harms, may_pass, said, spread, talk};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

/// How connections through hostile hands end, in the words of the log.
const ENDS: [&str; 5] = [" closed ", " handshake failed", " handshake too slow", " idle", " broken off"];

/// A moment: for a handshake, and for silence after it.
const SHORT: Limits = Limits { handshake: Duration::from_secs(1), idle: Duration::from_secs(1), ..QUICK };

/// A connection through hostile hands: how the client ended, and the bytes each way.
fn run(
    proxy: &Proxied,
    client: &TestClient,
    harms: Both<Harm>,
) -> (Result<(), grille_tls::Error>, Both<Vec<u8>>) {
    let (address, carried) = between(proxy.address.parse().unwrap(), harms);
    let end = client.connect_at(&address).and_then(|connection| talk(connection, b"ping", b"ping"));
    (end, carried.join().unwrap())
}

/// Mutual authentication, each trial a full handshake; the service says what it hears.
fn harm_everywhere(step: usize) {
    let desk = Desk::new();
    let (proxy, client) = desk.mutual_within("ML-DSA-44", SHORT, Some(Duration::from_millis(1600)));
    let (end, streams) = run(&proxy, &client, [Harm::None; 2]);
    assert!(end.is_ok(), "{end:?}");
    let harms = harms(&streams, step);
    let alerts = spread(&harms, |part| {
        let heard = part.iter().filter(|harms| {
            let said = said(&run(&proxy, &client, **harms).0);
            assert!(said.is_some() || may_pass(**harms, &streams), "{harms:?} went unnoticed");
            said.is_some_and(|text| text.contains("gave up with the alert"))
        });
        heard.count()
    });
    assert!(alerts > 0, "no client ever heard an alert");
    settle(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_active 0\n"));
    assert!(get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_pending 0\n"));
    client.connect(&proxy).write_all(b"after all that").unwrap();
    let log = proxy.end(Command::Drain);
    let lines = log.lines().filter(|line| ENDS.iter().any(|end| line.contains(end))).count();
    assert_eq!(lines, harms.len() + 2, "one line for each connection");
    assert!(log.contains(" handshake failed") && log.contains("gave up with the alert"), "{log}");
    assert!(!log.contains("mistake"), "{log}");
}

#[test]
fn handshakes_with_the_proxy_that_are_harmed_at_some_bytes_fail_and_end() {
    harm_everywhere(509);
}

#[test]
#[ignore = "every byte of some 20,000, two connections for each: many minutes"]
fn handshakes_with_the_proxy_that_are_harmed_at_any_byte_fail_and_end() {
    harm_everywhere(1);
}

#[test]
fn a_record_that_never_becomes_whole_is_silence() {
    let desk = Desk::new();
    let proxy = desk.proxy(|options| options.limits = SHORT);
    let mut socket = desk.joined(&proxy);
    let start = Instant::now();
    // the header of a record of application data, 16 KiB of which come byte by byte
    let record = [23, 3, 3, 0x40, 0].into_iter().chain(std::iter::repeat_n(7, 1 << 14));
    let sent = record.take_while(|byte| {
        thread::sleep(Duration::from_millis(20));
        socket.write_all(&[*byte]).is_ok()
    });
    let sent = sent.count();
    assert!(start.elapsed() < Duration::from_secs(10), "{sent} bytes were taken");
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" idle ") && log.contains("nothing for 1 s"), "{log}");
}

#[test]
fn who_says_a_byte_at_a_time_is_served() {
    let desk = Desk::new();
    let proxy = desk.proxy(|options| options.limits = SHORT);
    let mut slow = desk.client().connect(&proxy);
    for byte in 0..8 {
        thread::sleep(SHORT.idle / 10);
        slow.write_all(&[byte]).unwrap();
        let mut heard = [0];
        slow.read_exact(&mut heard).unwrap();
        assert_eq!(heard, [byte]);
    }
    slow.close().unwrap();
    assert!(proxy.end(Command::Drain).contains(" closed "));
}

/// What a reader of single bytes leaves unread stands in the sockets, not in the proxy, and once nothing more goes there
/// it is silence.
#[test]
fn who_reads_a_byte_at_a_time_is_left_when_nothing_moves() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = service.local_addr().unwrap().to_string();
    let said = thread::spawn(move || {
        let mut socket = service.accept().unwrap().0;
        (0..4096).take_while(|_| socket.write_all(&[7; 1 << 16]).is_ok()).count() << 16
    });
    let desk = Desk::new();
    let proxy = desk.proxy(|options| (options.to, options.limits) = (address, SHORT));
    let mut reader = desk.client().connect(&proxy);
    let start = Instant::now();
    while !get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_total{end=\"idle\"} 1\n") {
        assert!(start.elapsed() < Duration::from_secs(20), "it may read for ever");
        thread::sleep(Duration::from_millis(20));
        reader.read_exact(&mut [0]).unwrap();
    }
    let said = said.join().unwrap();
    assert!(said < 64 << 20, "{said} bytes were taken from the service");
    assert!(proxy.end(Command::Drain).contains(" idle "));
}
