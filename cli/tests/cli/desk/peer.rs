//! Whoever is no device.

use std::net::{TcpListener, TcpStream};
use std::thread;

/// A port where somebody does this with each that connects.
pub(crate) fn peer(mut acts: impl FnMut(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(&mut acts));
    port
}

/// A port where nobody listens.
pub(crate) fn closed() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
