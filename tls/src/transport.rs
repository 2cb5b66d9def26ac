//! TCP socket that counts the bytes in each direction, split into plaintext and encrypted records.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Connects to the first reachable address of `host:port`. `timeout` limits all attempts together.
///
/// # Errors
/// Returns the error of the last address, or `NotFound` if the name has no address.
pub fn dial(address: &str, timeout: Duration) -> io::Result<TcpStream> {
    let deadline = Instant::now().checked_add(timeout);
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in address.to_socket_addrs()? {
        let connected = time_left(deadline)
            .and_then(|left| TcpStream::connect_timeout(&address, left.unwrap_or(timeout)));
        match connected {
            Ok(socket) => return Ok(socket),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Returns the time left until `deadline`, or `None` if there is no deadline.
///
/// # Errors
/// Returns `TimedOut` if the deadline has passed.
fn time_left(deadline: Option<Instant>) -> io::Result<Option<Duration>> {
    let Some(deadline) = deadline else { return Ok(None) };
    match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
        left => Ok(Some(left)),
    }
}

/// Bytes of TLS records in one direction, including their headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Handshake records before encryption starts: ClientHello or ServerHello, including those of a retry.
    pub hello: u64,
    /// Encrypted records.
    pub encrypted: u64,
    /// Other records: change_cipher_spec, sent for middlebox compatibility, and plaintext alerts.
    pub other: u64,
}

impl Tally {
    /// Returns the sum of all bytes.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.hello + self.encrypted + self.other
    }

    /// Returns the bytes that were counted since an earlier tally.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self {
            hello: self.hello - earlier.hello,
            encrypted: self.encrypted - earlier.encrypted,
            other: self.other - earlier.other,
        }
    }
}

/// Parser of the record headers in one direction: type (1 byte), version (2), length (2, big-endian).
#[derive(Default)]
struct Records {
    tally: Tally,
    header: Vec<u8>,
    /// Bytes of the current record's body that have not arrived yet.
    remaining: usize,
}

const HEADER_LEN: usize = 5;
const HANDSHAKE: u8 = 22;
const APPLICATION_DATA: u8 = 23;

impl Records {
    fn count(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let take = if self.remaining > 0 { self.remaining } else { HEADER_LEN - self.header.len() };
            let (now, later) = bytes.split_at(take.min(bytes.len()));
            if self.remaining > 0 {
                self.remaining -= now.len();
            } else {
                self.header.extend_from_slice(now);
            }
            self.finish_header();
            bytes = later;
        }
    }

    fn finish_header(&mut self) {
        let [kind, _, _, high, low] = self.header[..] else { return };
        if self.remaining == 0 {
            self.remaining = usize::from(u16::from_be_bytes([high, low]));
            let record = (HEADER_LEN + self.remaining) as u64;
            match kind {
                HANDSHAKE => self.tally.hello += record,
                APPLICATION_DATA => self.tally.encrypted += record,
                _ => self.tally.other += record,
            }
            self.header.clear();
        }
    }
}

/// TCP stream with a tally for each direction, a timeout for each read and write, and a deadline for all of them.
pub(crate) struct CountingSocket {
    socket: TcpStream,
    sent: Records,
    received: Records,
    /// Timeout of each read and each write.
    timeout: Option<Duration>,
    /// Deadline of all reads and writes, even if the bytes arrive slowly.
    deadline: Option<Instant>,
    /// Timeouts currently set on the socket, for reading and writing; `None` if unknown.
    socket_timeouts: [Option<Option<Duration>>; 2],
}

impl CountingSocket {
    pub(crate) fn new(socket: TcpStream) -> Self {
        let (sent, received) = (Records::default(), Records::default());
        Self { socket, sent, received, timeout: None, deadline: None, socket_timeouts: [None; 2] }
    }

    /// Returns the socket. Its own timeouts are those of the last read and write.
    pub(crate) fn into_socket(self) -> TcpStream {
        self.socket
    }

    /// Sets the timeout of each read and each write.
    pub(crate) const fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    /// Returns the timeout of each read and each write.
    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Sets the deadline of all reads and writes together.
    pub(crate) const fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Sets the deadline to `time` from now.
    pub(crate) fn set_deadline_after(&mut self, time: Duration) {
        self.deadline = Instant::now().checked_add(time);
    }

    /// Returns the maximum duration of the next read or write.
    fn limit(&self) -> io::Result<Option<Duration>> {
        let left = time_left(self.deadline)?;
        Ok(left.into_iter().chain(self.timeout).min())
    }

    /// Returns the tallies of sent and received bytes.
    pub(crate) const fn tallies(&self) -> (Tally, Tally) {
        (self.sent.tally, self.received.tally)
    }

    pub(crate) const fn socket(&self) -> &TcpStream {
        &self.socket
    }
}

impl Read for CountingSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.limit()?;
        if self.socket_timeouts[0].replace(limit) != Some(limit) {
            self.socket.set_read_timeout(limit)?;
        }
        let len = self.socket.read(buffer)?;
        self.received.count(&buffer[..len]);
        Ok(len)
    }
}

impl Write for CountingSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let limit = self.limit()?;
        if self.socket_timeouts[1].replace(limit) != Some(limit) {
            self.socket.set_write_timeout(limit)?;
        }
        let len = self.socket.write(bytes)?;
        self.sent.count(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_records_in_pieces_of_any_size() {
        let stream = [
            &[22, 3, 3, 0, 2, 7, 7][..],
            &[20, 3, 3, 0, 1, 1],
            &[23, 3, 3, 0, 3, 9, 9, 9],
            &[23, 3, 3, 0, 0],
        ];
        let stream = stream.concat();
        for piece in 1..=stream.len() {
            let mut records = Records::default();
            stream.chunks(piece).for_each(|chunk| records.count(chunk));
            assert_eq!(records.tally, Tally { hello: 7, encrypted: 13, other: 6 }, "in pieces of {piece}");
        }
    }
}
