//! A socket with time limits, per message and per conversation.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A socket with time limits, for protocols in which the two sides send alternately.
///
/// Consecutive reads are one message, and so are consecutive writes. The limit of a message is total: a peer that
/// trickles bytes does not extend it.
pub(crate) struct TimedSocket {
    socket: TcpStream,
    /// The time limit of each message.
    timeout: Duration,
    /// The time limit of received messages: at least `timeout`.
    silence: Cell<Duration>,
    /// The message in progress.
    message: Cell<MessageState>,
    /// The deadline of the conversation.
    until: Option<Instant>,
    /// Bytes that were peeked, and are still to be read.
    peeked: Vec<u8>,
}

/// The direction of the message in progress, if there is one, and its deadline. The deadline is `None` if it is too
/// far away to be represented.
#[derive(Clone, Copy)]
enum MessageState {
    Between,
    Reading(Option<Instant>),
    Writing(Option<Instant>),
}

impl TimedSocket {
    /// Creates the socket. Each message must be read or written within `timeout`.
    ///
    /// # Errors
    /// Returns an error if the socket is closed.
    pub(crate) fn new(socket: TcpStream, timeout: Duration) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        let (silence, message) = (Cell::new(timeout), Cell::new(MessageState::Between));
        Ok(Self { socket, timeout, silence, message, until: None, peeked: Vec::new() })
    }

    /// Sets a deadline for the conversation. After the deadline, reads and writes fail with [`ErrorKind::TimedOut`].
    pub(crate) fn with_deadline(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Sets the time limit of received messages, from the next one on, to `silence` or the timeout, whichever is
    /// longer.
    pub(crate) fn extend_next_limit(&self, silence: Duration) {
        self.silence.set(silence.max(self.timeout));
        self.message.set(MessageState::Between);
    }

    /// Peeks at the first `most` bytes, or at fewer if the peer sends no more.
    ///
    /// # Errors
    /// Returns an error if the bytes do not arrive in time.
    pub(crate) fn peek(&mut self, most: usize) -> io::Result<&[u8]> {
        while self.peeked.len() < most {
            let mut more = vec![0; most - self.peeked.len()];
            match self.receive(&mut more)? {
                0 => break,
                count => self.peeked.extend_from_slice(&more[..count]),
            }
        }
        Ok(&self.peeked[..most.min(self.peeked.len())])
    }

    /// Reads from the socket.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = match self.message.get() {
            MessageState::Reading(end) => end,
            _ => Instant::now().checked_add(self.silence.get()),
        };
        self.message.set(MessageState::Reading(end));
        self.socket.set_read_timeout(self.remaining(end)?)?;
        let read = self.socket.read(buffer);
        self.replace_late_error(read)
    }

    /// Returns the time left for a message with the deadline `end`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TimedOut`] after the deadline of the conversation, and [`ErrorKind::WouldBlock`] after the
    /// deadline of the message.
    fn remaining(&self, end: Option<Instant>) -> io::Result<Option<Duration>> {
        let left = |end: Option<Instant>, kind: ErrorKind| {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) { Err(io::Error::from(kind)) } else { Ok(left) }
        };
        let conversation = left(self.until, ErrorKind::TimedOut)?;
        Ok(conversation.into_iter().chain(left(end, ErrorKind::WouldBlock)?).min())
    }

    /// If the deadline of the conversation has passed, replaces an error by [`ErrorKind::TimedOut`], so that callers
    /// can distinguish the deadline from a silent peer.
    fn replace_late_error(&self, result: io::Result<usize>) -> io::Result<usize> {
        result.map_err(|error| self.remaining(None).err().unwrap_or(error))
    }
}

impl Read for TimedSocket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.peeked.is_empty() {
            let read = self.peeked.as_slice().read(buffer)?;
            self.peeked.drain(..read);
            return Ok(read);
        }
        self.receive(buffer)
    }
}

impl Write for TimedSocket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = match self.message.get() {
            MessageState::Writing(end) => end,
            _ => Instant::now().checked_add(self.timeout),
        };
        self.message.set(MessageState::Writing(end));
        self.socket.set_write_timeout(self.remaining(end)?)?;
        let written = self.socket.write(bytes);
        self.replace_late_error(written)
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
    fn peek_and_read(pieces: &'static [&'static [u8]]) -> (Vec<u8>, Vec<u8>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let sender = thread::spawn(move || {
            for piece in pieces {
                peer.write_all(piece).unwrap();
                thread::sleep(Duration::from_millis(20));
            }
        });
        let mut timed = TimedSocket::new(listener.accept().unwrap().0, Duration::from_secs(10)).unwrap();
        let more = timed.peek(4).unwrap().to_vec();
        let first = timed.peek(2).unwrap().to_vec();
        assert!(more.starts_with(&first));
        let mut all = Vec::new();
        timed.read_to_end(&mut all).unwrap();
        sender.join().unwrap();
        (first, all)
    }

    #[test]
    fn peeked_bytes_are_read_again() {
        assert_eq!(peek_and_read(&[&[0], &[1, 2], &[3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(peek_and_read(&[&[0, 1, 2, 3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(peek_and_read(&[&[7]]), (vec![7], vec![7]));
        assert_eq!(peek_and_read(&[]), (vec![], vec![]));
    }

    /// Returns a connected pair: the tested side, and the peer's socket.
    fn pair(timeout: Duration) -> (TimedSocket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (TimedSocket::new(listener.accept().unwrap().0, timeout).unwrap(), peer)
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
        for message in
            [MessageState::Between, MessageState::Reading(Instant::now().checked_sub(Duration::from_secs(1)))]
        {
            timed.message.set(message);
            timed.write_all(&[1]).unwrap();
            peer.write_all(&[2]).unwrap();
            assert_eq!(timed.read(&mut [0; 8]).unwrap(), 1);
            assert!(matches!(timed.message.get(), MessageState::Reading(Some(end)) if end > Instant::now()));
        }
        timed.message.set(MessageState::Reading(Instant::now().checked_sub(Duration::from_secs(1))));
        assert_eq!(timed.read(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock);
        timed.extend_next_limit(Duration::ZERO);
        peer.write_all(&[3]).unwrap();
        assert_eq!(timed.read(&mut [0; 8]).unwrap(), 1);
    }

    #[test]
    fn conversation_deadline_has_its_own_error() {
        let (timed, _peer) = pair(Duration::from_secs(60));
        let mut timed = timed.with_deadline(Some(Instant::now() + Duration::from_millis(50)));
        for _ in 0..2 {
            assert_eq!(timed.read(&mut [0; 8]).unwrap_err().kind(), ErrorKind::TimedOut);
        }
    }
}
