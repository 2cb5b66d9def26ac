//! Servers whose warnings are not read.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::thread;

/// Makes a full pipe; returns its reader and its blocked writer.
fn full_pipe() -> (PipeReader, PipeWriter) {
    const O_NONBLOCK: i32 = 0o4000;
    let (reader, writer) = pipe().unwrap();
    let again = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let mut filler = File::options().write(true).custom_flags(O_NONBLOCK).open(again).unwrap();
    while filler.write(&[b'.'; 512]).is_ok() {}
    (reader, writer)
}

/// Reads a pipe to its end while running `done`, which stops the server, because the server waits only briefly for a
/// reader.
fn read_while(mut pipe: PipeReader, done: impl FnOnce()) -> String {
    let read = thread::spawn(move || {
        let mut all = String::new();
        pipe.read_to_string(&mut all).map(|_| all)
    });
    done();
    read.join().unwrap().unwrap().trim_start_matches('.').to_owned()
}

#[test]
fn serves_requesters_although_warnings_are_not_read() {
    let sandbox = Sandbox::new();
    let (unread, full) = full_pipe();
    let words = "spdm responder --port 0 --trans TCP --asym ECDSA_P256 --pqc-asym NONE --root root.pem";
    let mut device = Background::start_with_stderr(sandbox.command(words), full);
    let address = format!("127.0.0.1:{}", device.port());
    for _ in 0..3 {
        TcpStream::connect(&address).unwrap().write_all(&[6, 0]).unwrap();
    }
    sandbox.ok(&format!("spdm attest {address} --trans TCP --ca root.pem --timeout 20"));
    let words = format!("spdm requester --ip {address} --trans TCP --exe-conn VCA --exe-session NONE");
    let warned = read_while(unread, || {
        sandbox.ok(&words);
        assert_eq!(device.code(), 0);
    });
    // a further warning reports that the last requester shut the device down
    assert_eq!(warned.matches("warning: ").count(), 3 + 1, "{warned}");
}

#[test]
fn ends_although_warnings_are_not_read() {
    let sandbox = Sandbox::new();
    for is_read in [false, true] {
        let (unread, full) = full_pipe();
        let words = "spdm responder --port 0 --once --trans TCP --pqc-asym NONE";
        let mut device = Background::start_with_stderr(sandbox.command(words), full);
        let mut socket = TcpStream::connect(format!("127.0.0.1:{}", device.port())).unwrap();
        // GET_DIGESTS, which is refused, then half a frame
        socket.write_all(&[6, 0, 1, 5, 0x10, 0x81, 0, 0]).unwrap();
        assert!(socket.read(&mut [0; 64]).unwrap() > 0);
        socket.write_all(&[6, 0]).unwrap();
        let ended = || {
            drop(socket);
            assert_eq!(device.code(), 1);
        };
        if !is_read {
            ended();
            continue;
        }
        let printed = read_while(unread, ended);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with("warning: "), "{printed}");
        assert!(lines[1].starts_with("error: "), "{printed}");
    }
}

/// With this many failed clients, a TLS server that waited for its first warning to be read would stop serving.
#[test]
fn serves_clients_although_warnings_are_not_read() {
    const FAILED: usize = 200;
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --out own");
    let (unread, full) = full_pipe();
    let own = "--cert own/entity_cert.pem --key own/entity_key.pem";
    let server = sandbox.command(&format!("tls server --port 0 --count {} {own}", FAILED + 2));
    let mut server = Background::start_with_stderr(server, full);
    let port = server.port();
    for _ in 0..FAILED {
        TcpStream::connect(format!("127.0.0.1:{port}")).unwrap().write_all(b"no TLS").unwrap();
    }
    let client = "tls client --insecure --timeout 20 --message hello";
    let hello = || _ = sandbox.ok(&format!("{client} 127.0.0.1:{port}"));
    hello();
    let warned = read_while(unread, || {
        hello();
        assert_eq!(server.code(), 0);
    });
    assert_eq!(warned.matches("warning: ").count(), FAILED, "{warned}");
}
