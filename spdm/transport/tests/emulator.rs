//! Tests with a requester and a responder on loopback, and with captures of DMTF's emulators.

use grille_spdm_transport::binding::{Binding, Kind};
use grille_spdm_transport::connection::{Connection, Received, Request};
use grille_spdm_transport::emulator::{Command, Packet};
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::pcap::{Capture, LinkType, Record};
use grille_spdm_transport::stream::StreamError;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::thread;

/// Echoes all messages until the connection ends. Returns the messages, and the last item, which ended the connection.
fn echo_until_end(mut connection: Connection<TcpStream>) -> (Vec<(Kind, Vec<u8>)>, Request) {
    let (mut message, mut seen) = (Vec::new(), Vec::new());
    loop {
        match connection.serve(&mut message).unwrap() {
            Request::Message(kind) => {
                connection.send(kind, &message).unwrap();
                seen.push((kind, message.clone()));
            }
            end => return (seen, end),
        }
    }
}

fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let requester = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (requester, listener.accept().unwrap().0)
}

const MESSAGES: [(Kind, &[u8]); 3] = [
    (Kind::Spdm, &[0x10, 0x84, 0, 0]),
    (Kind::Secured, &[1, 2, 3, 4, 5, 6, 7, 8]),
    (Kind::Spdm, &[0x12, 0xe1, 0, 0, 0, 0, 0, 0]),
];

fn exchange(mut requester: Connection<TcpStream>) -> Connection<TcpStream> {
    requester.say_hello().unwrap();
    for (kind, message) in MESSAGES {
        requester.send(kind, message).unwrap();
        assert_eq!(requester.receive().unwrap(), Received::Message(kind, message));
    }
    requester
}

#[test]
fn talks_to_emulator_over_every_transport() {
    for binding in [Binding::Mctp, Binding::PciDoe, Binding::Tcp] {
        let (requester, accepted) = pair();
        let responder = thread::spawn(move || echo_until_end(Connection::emulator(accepted, binding)));
        let mut requester = exchange(Connection::emulator(requester, binding));
        requester.command(Command(0x1234), &[]).unwrap();
        assert_eq!(requester.receive().unwrap(), Received::Command(Command::UNKNOWN, &[]));
        requester.command(Command::SHUTDOWN, &[]).unwrap();
        assert_eq!(requester.receive().unwrap(), Received::Command(Command::SHUTDOWN, &[]));
        let (seen, end) = responder.join().unwrap();
        assert_eq!(seen, MESSAGES.map(|(kind, message)| (kind, message.to_vec())));
        assert_eq!(end, Request::Command(Command::SHUTDOWN));
    }
}

#[test]
fn spdm_over_tcp_needs_no_hello() {
    let (requester, accepted) = pair();
    let responder = thread::spawn(move || echo_until_end(Connection::tcp(accepted)));
    drop(exchange(Connection::tcp(requester)));
    let (seen, end) = responder.join().unwrap();
    assert_eq!((seen.len(), end), (MESSAGES.len(), Request::Closed));
}

#[test]
fn rejects_other_transport() {
    let (mut requester, accepted) = pair();
    let mut buffer = [0; 64];
    let packet = Packet { command: Command::NORMAL, binding: Binding::PciDoe, payload: &[] };
    let len = packet.encode(&mut buffer).unwrap();
    requester.write_all(&buffer[..len]).unwrap();
    let refused = Connection::emulator(accepted, Binding::Mctp).serve(&mut Vec::new());
    assert!(matches!(refused, Err(StreamError::Unexpected { .. })));
}

#[test]
fn rejects_missing_hello() {
    let (requester, accepted) = pair();
    let other = thread::spawn(move || {
        let mut other = Connection::emulator(accepted, Binding::Mctp);
        assert_eq!(other.receive().unwrap(), Received::Command(Command::TEST, b"Client Hello!\0"));
        other.command(Command::TEST, b"Goodbye\0").unwrap();
    });
    let greeted = Connection::emulator(requester, Binding::Mctp).say_hello();
    assert!(matches!(greeted, Err(StreamError::Unexpected { .. })));
    other.join().unwrap();
}

/// Asserts that the packets of a capture round-trip. Returns the numbers of SPDM messages, of secured messages, and of
/// discovery data objects.
fn count_kinds(pcap: &[u8], link: LinkType, binding: Binding) -> [usize; 3] {
    let mut counts = [0; 3];
    let capture = Capture::new(pcap).unwrap();
    assert_eq!(capture.header.link, link);
    let mut written = pcap[..24].to_vec();
    for record in capture {
        let record: Record<'_> = record.unwrap();
        let frame = capture.frame(&record).unwrap();
        let (kind, message) = binding.decode(frame).unwrap();
        let mut encoded = vec![0xff; frame.len()];
        assert_eq!(binding.encode(kind, message, &mut encoded), Ok(frame.len()));
        assert_eq!(encoded, frame);
        counts[match kind {
            Kind::Spdm => 0,
            Kind::Secured => 1,
            Kind::Other(_) => 2,
        }] += 1;
        let mut bytes = vec![0; 16 + record.bytes.len()];
        record.encode(&mut bytes).unwrap();
        written.extend_from_slice(&bytes);
    }
    assert_eq!(written, pcap);
    counts
}

#[test]
fn round_trips_captures_of_the_emulators() {
    let mctp = include_bytes!("../../../vectors/spdm/1.2-classical.pcap");
    assert_eq!(count_kinds(mctp, LinkType::MCTP, Binding::Mctp), [30, 24, 0]);
    let mctp = include_bytes!("../../../vectors/spdm/1.4-post-quantum.pcap");
    assert_eq!(count_kinds(mctp, LinkType::MCTP, Binding::Mctp), [82, 32, 0]);
    let doe = include_bytes!("../../../vectors/spdm/1.1-mutual-psk.pcap");
    assert_eq!(count_kinds(doe, LinkType::PCI_DOE, Binding::PciDoe), [30, 320, 6]);
}
