//! Peers that are not devices.

use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::{iter, process, thread};

/// Starts a server that runs `acts` for each connection; returns its port.
pub(crate) fn start_peer(mut acts: impl FnMut(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(&mut acts));
    port
}

/// A port without a listener. A port that was free a moment ago may be in use by now, hence a fixed one.
pub(crate) const CLOSED: u16 = 1;

/// Returns a port that was free a moment ago, outside the system's range of ephemeral ports.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (process::id() % 10_000) as u16;
    let ports = iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed));
    ports.into_iter().find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}
