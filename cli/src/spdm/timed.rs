//! A socket that is not waited for longer than somebody has patience: for each piece, and for all of a conversation.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A socket and how long it may take.
pub(crate) struct Timed {
    socket: TcpStream,
    patience: Duration,
    until: Option<Instant>,
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
        Ok(Self { socket, patience, until: None })
    }

    /// And if there is a time at which everything has to be over, all that is still to be read and written fails then, with
    /// [`ErrorKind::TimedOut`].
    pub(crate) fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// How long may be waited now.
    fn left(&self) -> io::Result<Duration> {
        let Some(until) = self.until else { return Ok(self.patience) };
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        left.map(|left| left.min(self.patience)).ok_or_else(|| ErrorKind::TimedOut.into())
    }

    /// Waiting that ended with the time for everything is told from a peer that only fell silent.
    fn moved(&self, moved: io::Result<usize>) -> io::Result<usize> {
        moved.map_err(|error| self.left().err().unwrap_or(error))
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.until.is_some() {
            self.socket.set_read_timeout(Some(self.left()?))?;
        }
        let read = self.socket.read(buffer);
        self.moved(read)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.until.is_some() {
            self.socket.set_write_timeout(Some(self.left()?))?;
        }
        let written = self.socket.write(bytes);
        self.moved(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}
