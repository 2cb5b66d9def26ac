//! Handshakes that are cut off, or have a bit flipped, at every byte on the wire: both sides end, with a line that says
//! why, and nothing that was altered is believed.

mod desk;

use desk::{NAME, Party, client_options, server_options};
use grille_registry::signature_by_name;
use grille_tls::{Client, Error, Server};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// What is done to a byte of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    None,
    /// Its lowest bit is flipped.
    Flip(usize),
    /// Nothing comes from here on, and the connection is closed.
    Cut(usize),
}

/// To the server first, to the client second.
type Both<T> = [T; 2];

/// Both sides, who have never met before each trial.
struct Trial {
    server: Arc<Server>,
    client: Client,
}

impl Trial {
    /// Mutual authentication with short keys; a side waits no longer than a moment.
    fn new(own_order: bool) -> Self {
        let party = Party::of(signature_by_name("ML-DSA-44").unwrap());
        let timeout = Some(Duration::from_millis(400));
        let mut server = server_options(&party, &party);
        (server.tickets, server.timeout, server.own_order) = (false, timeout, own_order);
        let mut client = client_options(&party, &party);
        client.timeout = timeout;
        let server = Arc::new(Server::bind("127.0.0.1:0", server).unwrap());
        Self { server, client: Client::new(client).unwrap() }
    }

    /// A connection through hostile hands: how each side ended, and the bytes each way.
    fn run(&self, harms: Both<Harm>) -> (Both<Result<(), Error>>, Both<Vec<u8>>) {
        let middle = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = middle.local_addr().unwrap().to_string();
        let to = self.server.local_addr().unwrap();
        let (sender, bytes) = channel();
        let between = thread::spawn(move || {
            let client = middle.accept().unwrap().0;
            let server = TcpStream::connect(to).unwrap();
            let ways = [(&client, &server, harms[0]), (&server, &client, harms[1])];
            let ways =
                ways.map(|(from, to, harm)| (from.try_clone().unwrap(), to.try_clone().unwrap(), harm));
            let carriers = ways.map(|(from, to, harm)| thread::spawn(move || carry(from, to, harm)));
            sender.send(carriers.map(|carrier| carrier.join().unwrap())).unwrap();
        });
        let serving = thread::spawn({
            let server = self.server.clone();
            move || {
                let (socket, peer) = server.accept()?;
                talk(server.handshake(socket, peer)?, b"pong", b"ping")
            }
        });
        let client = self.client.connect(&address, NAME).and_then(|c| talk(c, b"ping", b"pong"));
        let server = serving.join().expect("the server does not panic");
        between.join().unwrap();
        ([server, client], bytes.recv().unwrap())
    }
}

fn talk(mut connection: grille_tls::Connection, own: &[u8; 4], expected: &[u8; 4]) -> Result<(), Error> {
    let broken = |e| Error::from_io("talk", e);
    connection.write_all(own).map_err(broken)?;
    let mut heard = [0; 4];
    connection.read_exact(&mut heard).map_err(broken)?;
    assert_eq!(&heard, expected);
    // no goodbye: rustls, where its assertions are on, panics at a broken record that comes after its own close_notify
    Ok(())
}

/// Carries bytes until the end or the harm; what came.
fn carry(mut from: TcpStream, mut to: TcpStream, harm: Harm) -> Vec<u8> {
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(len @ 1..) = from.read(&mut buffer) {
        let (start, mut bytes) = (seen.len(), &mut buffer[..len]);
        seen.extend_from_slice(bytes);
        match harm {
            Harm::Flip(place) if (start..start + len).contains(&place) => bytes[place - start] ^= 1,
            Harm::Cut(place) if place <= start + len => {
                bytes = &mut bytes[..place.saturating_sub(start)];
                let _ = to.write_all(bytes);
                let _ = from.shutdown(Shutdown::Both);
                break;
            }
            _ => (),
        }
        if to.write_all(bytes).is_err() {
            break;
        }
    }
    // the other side may be gone
    let _ = to.shutdown(Shutdown::Write);
    seen
}

/// Records with their places: the type, and the whole.
fn records(bytes: &[u8]) -> Vec<(u8, Range<usize>)> {
    let (mut records, mut start) = (Vec::new(), 0);
    while let Some([kind, _, _, high, low]) = bytes.get(start..start + 5) {
        let end = start + 5 + usize::from(u16::from_be_bytes([*high, *low]));
        records.push((*kind, start..end));
        start = end;
    }
    records
}

/// Bytes of a record's header that say nothing: its version, RFC 8446 section 5.1, and the type of an encrypted record, in
/// whose place rustls authenticates the one that it must have.
fn is_ignored(records: &[(u8, Range<usize>)], place: usize) -> bool {
    const ENCRYPTED: u8 = 23;
    records.iter().any(|(kind, record)| {
        let first = if *kind == ENCRYPTED { record.start } else { record.start + 1 };
        (first..record.start + 3).contains(&place)
    })
}

/// Every byte of the records' headers and the first and last of their bodies, and of all others one in `step`.
fn places(bytes: &[u8], step: usize) -> Vec<usize> {
    let records = records(bytes);
    let edge = |place: &usize| {
        records
            .iter()
            .any(|(_, record)| (record.start..record.start + 6).contains(place) || *place + 1 == record.end)
    };
    (0..bytes.len()).filter(|place| place % step == 0 || edge(place)).collect()
}

/// What a failed side says: one line, and not of a panic or of nothing.
fn said(result: &Result<(), Error>) -> Option<String> {
    let text = result.as_ref().err()?.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    Some(text)
}

fn harm_everywhere(own_order: bool, step: usize) {
    let (ends, streams) = Trial::new(own_order).run([Harm::None; 2]);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let ways = streams.iter().enumerate();
    let harms: Vec<(usize, Harm)> = ways
        .flat_map(|(way, bytes)| {
            let places = places(bytes, step).into_iter();
            places.flat_map(move |place| [(way, Harm::Flip(place)), (way, Harm::Cut(place))])
        })
        .collect();
    // trials wait more than they work
    let streams = &streams;
    let alerts: usize = thread::scope(|scope| {
        let part = |harms| scope.spawn(move || alerts_of(own_order, harms, streams));
        let parts: Vec<_> = harms.chunks(harms.len().div_ceil(8)).map(part).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    assert!(alerts > 0, "nobody ever heard an alert");
}

/// Does each harm, and counts the alerts that were heard.
fn alerts_of(own_order: bool, harms: &[(usize, Harm)], streams: &Both<Vec<u8>>) -> usize {
    let trial = Trial::new(own_order);
    let mut alerts = 0;
    for &(way, harm) in harms {
        let mut both = [Harm::None; 2];
        both[way] = harm;
        let (ends, _) = trial.run(both);
        let texts: Vec<String> = ends.iter().filter_map(said).collect();
        let may_pass = matches!(harm, Harm::Flip(place) if is_ignored(&records(&streams[way]), place));
        assert!(!texts.is_empty() || may_pass, "{harm:?} of way {way} went unnoticed");
        alerts += usize::from(texts.iter().any(|text| text.contains("gave up with the alert")));
    }
    alerts
}

#[test]
fn handshakes_that_are_harmed_at_some_bytes_fail_and_end() {
    harm_everywhere(false, 211);
}

#[test]
fn so_do_those_of_a_server_that_reads_the_hello_first() {
    harm_everywhere(true, 509);
}

#[test]
#[ignore = "every byte of some 14,000, a connection or two for each: minutes"]
fn handshakes_that_are_harmed_at_any_byte_fail_and_end() {
    harm_everywhere(false, 1);
}
