//! Man in the middle between two sides: flips bytes, and truncates connections.

use grille_tls::{Connection, Error};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::thread::{self, JoinHandle};

/// A fault in one direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// Flips the lowest bit of the byte at this position.
    Flip(usize),
    /// Closes the connection at this position; nothing after it is delivered.
    Cut(usize),
}

/// Two values, one per direction: to the server, then to the client.
pub(crate) type PerDirection<T> = [T; 2];

/// Forwards one connection to `to` with these faults. Returns the address for the client, and the bytes in each
/// direction.
pub(crate) fn interpose(
    to: SocketAddr,
    faults: PerDirection<Fault>,
) -> (String, JoinHandle<PerDirection<Vec<u8>>>) {
    let middle = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = middle.local_addr().unwrap().to_string();
    let carried = thread::spawn(move || {
        let client = middle.accept().unwrap().0;
        let server = TcpStream::connect(to).unwrap();
        let ways = [(&client, &server, faults[0]), (&server, &client, faults[1])];
        let ways = ways.map(|(from, to, fault)| (from.try_clone().unwrap(), to.try_clone().unwrap(), fault));
        let carriers = ways.map(|(from, to, fault)| thread::spawn(move || forward(from, to, fault)));
        carriers.map(|carrier| carrier.join().unwrap())
    });
    (address, carried)
}

/// Forwards bytes until the end or the fault; returns the bytes that were sent.
fn forward(mut from: TcpStream, mut to: TcpStream, fault: Fault) -> Vec<u8> {
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(len @ 1..) = from.read(&mut buffer) {
        let (start, mut bytes) = (seen.len(), &mut buffer[..len]);
        seen.extend_from_slice(bytes);
        match fault {
            Fault::Flip(position) if (start..start + len).contains(&position) => bytes[position - start] ^= 1,
            Fault::Cut(position) if position <= start + len => {
                bytes = &mut bytes[..position.saturating_sub(start)];
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
    // the other side may have closed the connection
    let _ = to.shutdown(Shutdown::Write);
    seen
}

/// Sends `own` and receives `expected`.
pub(crate) fn exchange(mut connection: Connection, own: &[u8; 4], expected: &[u8; 4]) -> Result<(), Error> {
    let io_error = |e| Error::from_io("exchange", e);
    connection.write_all(own).map_err(io_error)?;
    let mut received = [0; 4];
    connection.read_exact(&mut received).map_err(io_error)?;
    assert_eq!(&received, expected);
    // Sends no close_notify: with assertions enabled, rustls panics if a broken record arrives after rustls has sent
    // its own close_notify.
    Ok(())
}

/// Returns every fault in each direction, at the headers of records, at the first and last bytes of their bodies, and
/// at one in `step` of all other bytes.
pub(crate) fn faults(streams: &PerDirection<Vec<u8>>, step: usize) -> Vec<PerDirection<Fault>> {
    let of_direction = |(direction, bytes): (usize, &Vec<u8>)| {
        let faults = fault_positions(bytes, step)
            .into_iter()
            .flat_map(|position| [Fault::Flip(position), Fault::Cut(position)]);
        let both = move |fault| if direction == 0 { [fault, Fault::None] } else { [Fault::None, fault] };
        faults.map(both).collect::<Vec<_>>()
    };
    streams.iter().enumerate().flat_map(of_direction).collect()
}

fn fault_positions(bytes: &[u8], step: usize) -> Vec<usize> {
    let records = records(bytes);
    let edge = |position: &usize| {
        records.iter().any(|(_, record)| {
            (record.start..record.start + 6).contains(position) || *position + 1 == record.end
        })
    };
    (0..bytes.len()).filter(|position| position % step == 0 || edge(position)).collect()
}

/// Returns the records: type and byte range of each.
fn records(bytes: &[u8]) -> Vec<(u8, Range<usize>)> {
    let (mut records, mut start) = (Vec::new(), 0);
    while let Some([kind, _, _, high, low]) = bytes.get(start..start + 5) {
        let end = start + 5 + usize::from(u16::from_be_bytes([*high, *low]));
        records.push((*kind, start..end));
        start = end;
    }
    records
}

/// Returns whether a fault may remain undetected. That applies to the version in a record's header, RFC 8446 section
/// 5.1, and to the type of an encrypted record, which rustls replaces by the expected one.
pub(crate) fn may_remain_undetected(faults: PerDirection<Fault>, streams: &PerDirection<Vec<u8>>) -> bool {
    const ENCRYPTED: u8 = 23;
    faults.iter().zip(streams).all(|(fault, bytes)| match fault {
        Fault::None => true,
        Fault::Cut(_) => false,
        Fault::Flip(position) => records(bytes).iter().any(|(kind, record)| {
            let first = if *kind == ENCRYPTED { record.start } else { record.start + 1 };
            (first..record.start + 3).contains(position)
        }),
    })
}

/// Returns the error of a failed side, and checks that it is a single non-empty line.
pub(crate) fn error_line(result: &Result<(), Error>) -> Option<String> {
    let text = result.as_ref().err()?.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
    Some(text)
}

/// Runs `work` on parts of `faults` in several threads, because trials mostly wait. Returns the sum of the results.
pub(crate) fn run_in_parallel(
    faults: &[PerDirection<Fault>],
    work: impl Fn(&[PerDirection<Fault>]) -> usize + Sync,
) -> usize {
    thread::scope(|scope| {
        let parts: Vec<_> =
            faults.chunks(faults.len().div_ceil(8)).map(|part| scope.spawn(|| work(part))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    })
}
