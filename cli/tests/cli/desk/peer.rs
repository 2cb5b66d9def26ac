//! Whoever is no device.

use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::{iter, process, thread};

/// A port where somebody does this with each that connects.
pub(crate) fn peer(mut acts: impl FnMut(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(&mut acts));
    port
}

/// A port where nobody listens: one that was free a moment ago may be somebody's by now.
pub(crate) const CLOSED: u16 = 1;

/// A port that was free a moment ago, and is none that a system gives to whoever asks for any.
pub(crate) fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (process::id() % 10_000) as u16;
    let ports = iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed));
    ports.into_iter().find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}
