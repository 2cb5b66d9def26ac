//! A socket that is not waited for longer than somebody has patience: for each piece, and for all of a conversation.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A socket and how long it may take.
pub(crate) struct Timed {
    socket: TcpStream,
    patience: Duration,
    /// How long what is read is waited for, which may be longer.
    silence: Cell<Duration>,
    until: Option<Instant>,
    /// What was read already, to be looked at, and is to be read again.
    ahead: Vec<u8>,
}

impl Timed {
    /// Reading and writing fail when nothing moves for as long as `patience`.
    ///
    /// # Errors
    /// If the socket is gone.
    pub(crate) fn new(socket: TcpStream, patience: Duration) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(patience))?;
        socket.set_write_timeout(Some(patience))?;
        Ok(Self { socket, patience, silence: Cell::new(patience), until: None, ahead: Vec::new() })
    }

    /// And if there is a time at which everything has to be over, all that is still to be read and written fails then, with
    /// [`ErrorKind::TimedOut`].
    pub(crate) fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// From now on the peer may be silent for so long, or for the patience if that is longer.
    ///
    /// # Errors
    /// If the socket is gone.
    pub(crate) fn bear(&self, silence: Duration) -> io::Result<()> {
        let silence = silence.max(self.patience);
        if self.silence.replace(silence) == silence {
            return Ok(());
        }
        self.socket.set_read_timeout(Some(silence))
    }

    /// The first bytes that come, up to so many; fewer if the peer has no more. They can still be read.
    ///
    /// # Errors
    /// If they do not come in time.
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

    /// What comes next from the socket.
    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.until.is_some() {
            self.socket.set_read_timeout(Some(self.left(self.silence.get())?))?;
        }
        let read = self.socket.read(buffer);
        self.moved(read)
    }

    /// How long may be waited now, `most` if there is no end.
    fn left(&self, most: Duration) -> io::Result<Duration> {
        let Some(until) = self.until else { return Ok(most) };
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        left.map(|left| left.min(most)).ok_or_else(|| ErrorKind::TimedOut.into())
    }

    /// Waiting that ended with the time for everything is told from a peer that only fell silent.
    fn moved(&self, moved: io::Result<usize>) -> io::Result<usize> {
        moved.map_err(|error| self.left(self.patience).err().unwrap_or(error))
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
        if self.until.is_some() {
            self.socket.set_write_timeout(Some(self.left(self.patience)?))?;
        }
        let written = self.socket.write(bytes);
        self.moved(written)
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

    /// What is seen first, and then read, of a peer that sends these pieces, each a moment after the other.
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
    fn the_first_bytes_are_waited_for_and_read_once_more() {
        assert_eq!(seen(&[&[0], &[1, 2], &[3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(seen(&[&[0, 1, 2, 3]]), (vec![0, 1], vec![0, 1, 2, 3]));
        assert_eq!(seen(&[&[7]]), (vec![7], vec![7]));
        assert_eq!(seen(&[]), (vec![], vec![]));
    }
}
