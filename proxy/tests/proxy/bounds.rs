//! Limits on clients that flood, stay idle or read slowly, so that other clients are still served.

use crate::fixture::{Fixture, TEST_LIMITS, get, wait_until};
use grille_proxy::{Command, Limits};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn limits_half_open_connections_and_recovers_from_a_flood() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| {
        options.limits = Limits { handshakes: 8, handshake: Duration::from_millis(700), ..TEST_LIMITS };
    });
    let mut open = fixture.client().connect(&proxy);
    let flood: Vec<_> = (0..64).map(|_| TcpStream::connect(&proxy.address).unwrap()).collect();
    wait_until(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_pending 8"));
    open.write_all(b"not delayed").unwrap();
    open.read_exact(&mut [0; 11]).unwrap();
    assert!(get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_active 9"));
    drop(flood);
    fixture.client().exchange(&proxy, b"after the flood");
    drop(open);
    assert!(proxy.end(Command::Drain).contains("connection limit reached: further connections wait"));
}

#[test]
fn serves_new_clients_during_a_flood_of_half_open_connections() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| {
        options.limits = Limits { handshakes: 64, handshakes_per_source: 64, ..TEST_LIMITS };
    });
    // 100 connections per second, each of which would otherwise hold its permit for the handshake timeout of 60 seconds
    let address = proxy.address.clone();
    let flood = thread::spawn(move || {
        let connect = |_| {
            thread::sleep(Duration::from_millis(10));
            TcpStream::connect(&address).unwrap()
        };
        (0..400).map(connect).collect::<Vec<_>>()
    });
    wait_until(|| get(&proxy.metrics, "/metrics").contains("grille_proxy_connections_pending 64"));
    let start = Instant::now();
    while !flood.is_finished() {
        fixture.client().exchange(&proxy, b"during the flood");
    }
    fixture.client().exchange(&proxy, b"after the flood");
    assert!(
        start.elapsed() < TEST_LIMITS.handshake,
        "clients waited until half-open connections ended by themselves"
    );
    let page = get(&proxy.metrics, "/metrics");
    assert!(page.contains("{end=\"displaced\"}") && !page.contains("{end=\"handshake too slow\"}"), "{page}");
    drop(flood.join().unwrap());
}

/// Builds a PROXY header of a client at 192.0.2.`host`.
fn proxy_header_from(host: u8) -> Vec<u8> {
    let mut head = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    head.extend([192, 0, 2, host, 127, 0, 0, 1, 1, 2, 1, 187]);
    head
}

#[test]
fn limits_handshakes_per_address() {
    let fixture = Fixture::new();
    for named in [false, true] {
        let proxy = fixture.proxy(|options| {
            options.proxy_protocol.accept = named;
            options.limits = Limits { handshakes: 64, handshakes_per_source: 8, ..TEST_LIMITS };
        });
        let connect = |_| {
            let mut socket = TcpStream::connect(&proxy.address).unwrap();
            if named {
                // fails if the proxy has already refused the connection
                let _ = socket.write_all(&proxy_header_from(1));
            }
            socket
        };
        let flood: Vec<_> = (0..20).map(connect).collect();
        let count_with_end = |page: &str, end: &str| {
            let line = format!("grille_proxy_connections_total{{end=\"{end}\"}} ");
            page.lines().find_map(|l| l.strip_prefix(&line)).map_or(0, |count| count.parse().unwrap())
        };
        wait_until(|| {
            let page = get(&proxy.metrics, "/metrics");
            // the reason depends on timing
            count_with_end(&page, "too many from its address") + count_with_end(&page, "displaced") == 12
                && page.contains("grille_proxy_connections_pending 8\n")
        });
        if named {
            fixture.client().connect_after(&proxy, &proxy_header_from(2));
        }
        drop(flood);
    }
}

#[test]
fn idle_connections_to_the_metrics_port_delay_no_health_check() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|_| ());
    let idle: Vec<_> = (0..100).map(|_| TcpStream::connect(&proxy.metrics).unwrap()).collect();
    let start = Instant::now();
    assert_eq!(get(&proxy.metrics, "/health"), "ok\n");
    assert!(start.elapsed() < Duration::from_secs(4), "the health check waited for idle connections");
    drop(idle);
}

#[test]
fn closes_silent_connections_during_and_after_the_handshake() {
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| {
        options.limits =
            Limits { handshake: Duration::from_secs(2), idle: Duration::from_millis(300), ..TEST_LIMITS };
    });
    // no bytes, then the first bytes of a ClientHello
    for sent in [&[][..], &[22, 3, 1, 2, 0, 1, 0]] {
        let mut slow = TcpStream::connect(&proxy.address).unwrap();
        slow.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        slow.write_all(sent).unwrap();
        let mut received = Vec::new();
        slow.read_to_end(&mut received).unwrap();
        assert_eq!(received, [21, 3, 3, 0, 2, 1, 90, 21, 3, 3, 0, 2, 1, 0], "user_canceled and close_notify");
    }
    let mut idle = fixture.client().connect(&proxy);
    assert!(idle.read(&mut [0; 1]).is_err(), "an aborted connection gets no close_notify");
    let log = proxy.end(Command::Drain);
    assert!(log.contains(" handshake too slow") && log.contains(" idle "), "{log}");
}

#[test]
fn slow_reader_causes_backpressure_on_the_service() {
    // a service that sends as many bytes as possible, and counts them
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = service.local_addr().unwrap().to_string();
    let sent = thread::spawn(move || {
        let mut socket = service.accept().unwrap().0;
        socket.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        (0..4096).take_while(|_| socket.write_all(&[7; 1 << 16]).is_ok()).count() << 16
    });
    let fixture = Fixture::new();
    let proxy = fixture.proxy(|options| options.to = address);
    let reader = fixture.client().connect(&proxy);
    let sent = sent.join().unwrap();
    assert!(sent < 64 << 20, "{sent} bytes were read from the service without a reader");
    drop(reader);
}
