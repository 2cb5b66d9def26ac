//! A socket that counts: bytes each way, split into what anyone can read and what is encrypted.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Connects to the first address of `host:port` that answers. `timeout` bounds all attempts together, not each one.
///
/// # Errors
/// Those of the last address, or `NotFound` if the name has no address.
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

/// The time left until `deadline`; `None` if there is no deadline.
///
/// # Errors
/// `TimedOut` if the deadline has passed.
fn time_left(deadline: Option<Instant>) -> io::Result<Option<Duration>> {
    let Some(deadline) = deadline else { return Ok(None) };
    match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
        left => Ok(Some(left)),
    }
}

/// Bytes of TLS records in one direction, headers included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Handshake records before encryption begins: ClientHello or ServerHello, also those of a retry.
    pub hello: u64,
    /// Encrypted records.
    pub encrypted: u64,
    /// The rest: change_cipher_spec, which middleboxes want to see, and plain alerts.
    pub other: u64,
}

impl Tally {
    /// All bytes.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.hello + self.encrypted + self.other
    }

    /// What came after `earlier`.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self {
            hello: self.hello - earlier.hello,
            encrypted: self.encrypted - earlier.encrypted,
            other: self.other - earlier.other,
        }
    }
}

/// Follows the record headers of one direction: type (1 byte), version (2), length (2, big-endian).
#[derive(Default)]
struct Records {
    tally: Tally,
    header: Vec<u8>,
    /// Bytes of the current record's body that have not come yet.
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

/// A TCP stream with a tally for each direction, a timeout for each read and write, and a deadline for all of them.
pub(crate) struct Counted {
    socket: TcpStream,
    sent: Records,
    received: Records,
    /// The longest time of one read or one write.
    timeout: Option<Duration>,
    /// No read and no write lasts beyond this, however the bytes are spread over the time before.
    deadline: Option<Instant>,
    /// The socket's own timeouts for reading and writing, as far as they are known.
    set: [Option<Option<Duration>>; 2],
}

impl Counted {
    pub(crate) fn new(socket: TcpStream) -> Self {
        let (sent, received) = (Records::default(), Records::default());
        Self { socket, sent, received, timeout: None, deadline: None, set: [None; 2] }
    }

    /// The socket alone. Its own timeouts are those of the last read and write.
    pub(crate) fn into_socket(self) -> TcpStream {
        self.socket
    }

    /// Limits each read and each write.
    pub(crate) const fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }

    /// The limit of each read and each write.
    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Limits all reads and writes together.
    pub(crate) const fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Sets the deadline to `time` from now.
    pub(crate) fn end_in(&mut self, time: Duration) {
        self.deadline = Instant::now().checked_add(time);
    }

    /// The longest time that the next read or write may take.
    fn limit(&self) -> io::Result<Option<Duration>> {
        let left = time_left(self.deadline)?;
        Ok(left.into_iter().chain(self.timeout).min())
    }

    /// Sent and received.
    pub(crate) const fn tallies(&self) -> (Tally, Tally) {
        (self.sent.tally, self.received.tally)
    }

    pub(crate) const fn socket(&self) -> &TcpStream {
        &self.socket
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.limit()?;
        if self.set[0].replace(limit) != Some(limit) {
            self.socket.set_read_timeout(limit)?;
        }
        let len = self.socket.read(buffer)?;
        self.received.count(&buffer[..len]);
        Ok(len)
    }
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let limit = self.limit()?;
        if self.set[1].replace(limit) != Some(limit) {
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
    fn records_are_counted_however_the_bytes_arrive() {
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
