//! A socket with time limits, per message and per conversation.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A socket with time limits, for protocols in which both sides take turns.
///
/// Consecutive reads are one message, and so are consecutive writes. The limit of a message is total: a peer that
/// trickles bytes does not extend it.
pub(crate) struct Timed {
    socket: TcpStream,
    /// The time limit of each message.
    patience: Duration,
    /// The time limit of the next received messages, if it is longer.
    silence: Cell<Duration>,
    /// The message in progress.
    turn: Cell<Turn>,
    /// The deadline of the conversation.
    until: Option<Instant>,
    /// Bytes that were peeked, and are still to be read.
    ahead: Vec<u8>,
}

/// The direction and the deadline of the message in progress; `None` if the deadline is too far away to be
/// represented.
#[derive(Clone, Copy)]
enum Turn {
    Between,
    Reading(Option<Instant>),
    Writing(Option<Instant>),
}

impl Timed {
    /// Creates the socket. Each message must be read or written within `patience`.
    ///
    /// # Errors
    /// If the socket is closed.
    pub(crate) fn new(socket: TcpStream, patience: Duration) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        let (silence, turn) = (Cell::new(patience), Cell::new(Turn::Between));
        Ok(Self { socket, patience, silence, turn, until: None, ahead: Vec::new() })
    }

    /// Sets a deadline for the conversation. Afterwards, reads and writes fail with [`ErrorKind::TimedOut`].
    pub(crate) fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Extends the time limit of the next message to `silence`, if that is longer than the patience.
    pub(crate) fn extend_next_limit(&self, silence: Duration) {
        self.silence.set(silence.max(self.patience));
        self.turn.set(Turn::Between);
    }

    /// Peeks at the first `most` bytes, or at fewer if the peer sends no more.
    ///
    /// # Errors
    /// If they do not arrive in time.
    pub(crate) fn first(&mut self, most: usize) -> io::Result<&[u8]> {
        while self.ahead.len() < most {
            let mut more = vec![0; most - self.ahead.len()];
            match self.receive(&mut more)? {
                0 => break,
                count => self.ahead.extend_from_slice(&more[..count]),
            }
        }
        Ok(&self.ahead[..most.min(self.ahead.len())])
    }

    /// Reads from the socket.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = match self.turn.get() {
            Turn::Reading(end) => end,
            _ => Instant::now().checked_add(self.silence.get()),
        };
        self.turn.set(Turn::Reading(end));
        self.socket.set_read_timeout(self.left(end)?)?;
        let read = self.socket.read(buffer);
        self.deadline_error(read)
    }

    /// Returns the time left for a message with the deadline `end`.
    ///
    /// # Errors
    /// [`ErrorKind::TimedOut`] after the deadline of the conversation, [`ErrorKind::WouldBlock`] after that of the
    /// message.
    fn left(&self, end: Option<Instant>) -> io::Result<Option<Duration>> {
        let left = |end: Option<Instant>, kind: ErrorKind| {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) { Err(io::Error::from(kind)) } else { Ok(left) }
        };
        let of_all = left(self.until, ErrorKind::TimedOut)?;
        Ok(of_all.into_iter().chain(left(end, ErrorKind::WouldBlock)?).min())
    }

    /// Replaces an error after the deadline of the conversation, so that callers can distinguish it from a silent
    /// peer.
    fn deadline_error(&self, deadline_error: io::Result<usize>) -> io::Result<usize> {
        deadline_error.map_err(|error| self.left(None).err().unwrap_or(error))
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            let read = self.ahead.as_slice().read(buffer)?;
            self.ahead.drain(..read);
            return Ok(read);
        }
        self.receive(buffer)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = match self.turn.get() {
            Turn::Writing(end) => end,
            _ => Instant::now().checked_add(self.patience),
        };
        self.turn.set(Turn::Writing(end));
        self.socket.set_write_timeout(self.left(end)?)?;
        let written = self.socket.write(bytes);
        self.deadline_error(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// Returns the peeked bytes and the bytes that are then read, from a peer that sends these pieces with pauses.
    fn seen(pieces: &'static [&'static [u8]]) -> (Vec<u8>, Vec<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let sender = thread::spawn(move || {
            for piece in pieces {
                peer.write_all(piece).unwrap();
                thread::sleep(Duration::from_millis(20));
            }
        });
        let mut timed = Timed::new(listener.accept().unwrap().0, Duration::from_secs(10)).unwrap();
        let more = timed.first(4).unwrap().to_vec();
        let first = timed.first(2).unwrap().to_vec();
        assert!(more.starts_with(&first));
        let mut all = Vec::new();
        timed.read_to_end(&mut all).unwrap();
        sender.join().unwrap();
        (first, all)
    }

    #[test]
    fn peeked_bytes_are_read_again() {
        assert_eq!(seen(&[&[0], &[1, 2], &[3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(seen(&[&[0, 1, 2, 3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(seen(&[&[7]]), (vec![7], vec![7]));
        assert_eq!(seen(&[]), (vec![], vec![]));
    }

    /// Returns a connected pair: the tested side, and the peer's socket.
    fn pair(patience: Duration) -> (Timed, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Timed::new(listener.accept().unwrap().0, patience).unwrap(), peer)
    }

    #[test]
    fn trickled_message_times_out() {
        let (mut timed, mut peer) = pair(Duration::from_millis(300));
        let dripping = thread::spawn(move || {
            while peer.write_all(&[0]).is_ok() {
                thread::sleep(Duration::from_millis(5));
            }
        });
        let error = timed.read_exact(&mut vec![0; 1 << 20]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
        drop(timed);
        dripping.join().unwrap();
    }

    #[test]
    fn each_message_has_its_own_limit() {
        let (mut timed, mut peer) = pair(Duration::from_secs(60));
        for turn in [Turn::Between, Turn::Reading(Instant::now().checked_sub(Duration::from_secs(1)))] {
            timed.turn.set(turn);
            timed.write_all(&[1]).unwrap();
            peer.write_all(&[2]).unwrap();
            assert_eq!(timed.read(&mut [0; 8]).unwrap(), 1);
            assert!(matches!(timed.turn.get(), Turn::Reading(Some(end)) if end > Instant::now()));
        }
        timed.turn.set(Turn::Reading(Instant::now().checked_sub(Duration::from_secs(1))));
        assert_eq!(timed.read(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);
        timed.extend_next_limit(Duration::ZERO);
        peer.write_all(&[3]).unwrap();
        assert_eq!(timed.read(&mut [0; 8]).unwrap(), 1);
    }

    #[test]
    fn conversation_deadline_has_its_own_error() {
        let (timed, _peer) = pair(Duration::from_secs(60));
        let mut timed = timed.until(Some(Instant::now() + Duration::from_millis(50)));
        for _ in 0..2 {
            assert_eq!(timed.read(&mut [0; 8]).unwrap_err().kind(), ErrorKind::TimedOut);
        }
    }
}
