//! A connection of either side: a byte stream, and a report of the negotiation.

use crate::engine::Engine;
use crate::error::Error;
use crate::identity::PresentedIdentity;
use crate::report::{Chain, Kind, Report};
use crate::trace::{self, Trace};
use crate::transport::{CountingSocket, Tally};
use grille_registry::Numbers;
use rustls::{CommonState, ProtocolVersion};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// An established connection.
pub struct Connection {
    tls: Engine,
    socket: CountingSocket,
    peer: String,
    /// On a client, the identity that it presents. `None` on a server, which chooses its identity during the handshake.
    presented: Option<PresentedIdentity>,
    numbers: Numbers,
    trace: Trace,
    handshake_time: Duration,
    handshake_sent: Tally,
    handshake_received: Tally,
}

impl Connection {
    /// Runs the handshake. On failure, the peer receives the alert that TLS prescribes.
    ///
    /// `presented`, `numbers`: for the report.
    /// `timeout`: for the whole handshake, then for each read, each write and the whole of [`Self::close`].
    /// `start`: when this side's work started; a client generates its key share before it sends the first byte.
    pub(crate) fn handshake(
        tls: Engine,
        socket: TcpStream,
        peer: String,
        (presented, numbers): (Option<PresentedIdentity>, Numbers),
        timeout: Option<Duration>,
        start: Instant,
    ) -> Result<Self, Error> {
        let mut connection = Self {
            tls,
            socket: CountingSocket::new(socket),
            peer,
            presented,
            numbers,
            trace: Trace::default(),
            handshake_time: Duration::ZERO,
            handshake_sent: Tally::default(),
            handshake_received: Tally::default(),
        };
        if let Err(error) = connection.finish_handshake(timeout) {
            let refusal = trace::take().refusal;
            connection.linger();
            return Err(Error::from_io(connection.handshake_name(), error).with_refusal(refusal));
        }
        connection.handshake_time = start.elapsed();
        connection.trace = trace::take();
        (connection.handshake_sent, connection.handshake_received) = connection.socket.tallies();
        Ok(connection)
    }

    fn finish_handshake(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        // the peer waits for each of the few small writes of a handshake, so none may be delayed
        self.socket.socket().set_nodelay(true)?;
        self.socket.set_timeout(timeout);
        self.restart_deadline();
        loop {
            // the last flush sends the client's Finished or the server's tickets
            self.flush()?;
            if !self.tls.is_handshaking() {
                self.set_deadline(None);
                return Ok(());
            }
            self.receive()?;
        }
    }

    /// Reads once; a connection closed by the peer is an error.
    fn receive(&mut self) -> io::Result<()> {
        match self.tls.read_from(&mut self.socket)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// Sends the alert and waits briefly until the peer has read it: closing a socket with unread data would discard
    /// the alert.
    fn linger(&mut self) {
        self.socket.set_deadline_after(LINGER);
        // the handshake has already failed; further errors are irrelevant
        let _ = self.flush();
        let _ = self.socket.socket().shutdown(Shutdown::Write);
        let _ = io::copy(&mut (&mut self.socket).take(MAX_LINGER_LEN), &mut io::sink());
    }

    fn handshake_name(&self) -> String {
        format!("the handshake with {}", self.peer)
    }

    /// Returns a report of the negotiated parameters and the bytes transferred so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (sent, received) = self.socket.tallies();
        let tls = self.tls.state();
        let peer_chain = tls.and_then(CommonState::peer_certificates).map(Chain::new).unwrap_or_default();
        Report {
            peer: self.peer.clone(),
            version: tls.and_then(CommonState::protocol_version).unwrap_or(ProtocolVersion::Unknown(0)),
            suite: tls.and_then(CommonState::negotiated_cipher_suite).map(|suite| suite.suite()),
            group: tls
                .and_then(CommonState::negotiated_key_exchange_group)
                .map(|group| u16::from(group.name())),
            numbers: self.numbers,
            kind: tls.map_or(Kind::Full, Kind::from_connection),
            own_chain: self.own_chain(),
            peer_chain,
            early_data: self.tls.early().outcome(self.trace.early_data_accepted),
            alpn: tls.and_then(CommonState::alpn_protocol).map(<[u8]>::to_vec),
            trace: self.trace.clone(),
            handshake_time: self.handshake_time,
            handshake_sent: self.handshake_sent,
            handshake_received: self.handshake_received,
            sent: sent.since(self.handshake_sent),
            received: received.since(self.handshake_received),
        }
    }

    fn own_chain(&self) -> Chain {
        let chosen = || Some(Chain::new(&self.trace.presented.as_ref()?.cert));
        self.presented.as_ref().map(PresentedIdentity::chain).or_else(chosen).unwrap_or_default()
    }

    /// On a server, returns the client's early data; on a client, returns nothing. Reading from the connection does not
    /// return early data, because it may be a replay.
    #[must_use]
    pub fn early_data(&self) -> &[u8] {
        &self.tls.early().received
    }

    /// Changes this side's traffic keys and requests that the peer change its own (KeyUpdate, RFC 8446 section
    /// 4.6.3). Earlier data stays secret even if the new keys leak.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if sending fails.
    pub fn update_keys(&mut self) -> Result<(), Error> {
        let updated = self.tls.update_keys().map_err(io::Error::other).and_then(|()| self.flush());
        updated
            .map_err(|e| Error::from_io(format!("update the keys of the connection with {}", self.peer), e))
    }

    /// Sends close_notify: this side sends no more data, but the peer still may.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if sending fails.
    pub fn end_sending(&mut self) -> Result<(), Error> {
        self.send_close_notify()
            .map_err(|e| Error::from_io(format!("close the connection with {}", self.peer), e))
    }

    fn send_close_notify(&mut self) -> io::Result<()> {
        self.tls.close().map_err(io::Error::other)?;
        self.flush()
    }

    /// Sets a deadline for all later reads and writes, even if the peer sends its bytes slowly. After the deadline,
    /// they fail with [`io::ErrorKind::TimedOut`]. Without a deadline, only the timeout of each read and write applies.
    pub const fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.socket.set_deadline(deadline);
    }

    /// Sets the deadline of one exchange: all following reads and writes together may take as long as the
    /// connection's timeout. Without a timeout, there is no deadline.
    pub fn restart_deadline(&mut self) {
        let deadline = self.socket.timeout().and_then(|timeout| Instant::now().checked_add(timeout));
        self.socket.set_deadline(deadline);
    }

    /// Sends close_notify and waits until the peer sends its own or closes the connection, at most for the
    /// connection's timeout. Discards further data from the peer.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the peer does not close in time, or [`Error::Tls`] if it violates the protocol.
    pub fn close(mut self) -> Result<Report, Error> {
        self.finish().map_err(|e| Error::from_io(format!("close the connection with {}", self.peer), e))?;
        Ok(self.report())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.restart_deadline();
        self.send_close_notify()?;
        self.socket.socket().shutdown(Shutdown::Write).or_else(ignore_not_connected)?;
        io::copy(self, &mut io::sink())?;
        Ok(())
    }
}

/// Time for which a failed connection continues to read from the peer.
const LINGER: Duration = Duration::from_millis(200);

/// Maximum number of bytes that a failed connection reads: two handshake messages of the maximum length.
const MAX_LINGER_LEN: u64 = 1 << 17;

/// Ignores an error of closing if the peer has already closed the connection.
fn ignore_not_connected(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotConnected { Ok(()) } else { Err(error) }
}

impl Read for Connection {
    /// Returns 0 after the peer's close_notify. A connection closed without it is an error.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.tls.read(buffer)?;
            if len > 0 || buffer.is_empty() || self.tls.is_closed() {
                return Ok(len);
            }
            self.receive()?;
            // sends the response to a key update
            self.flush()?;
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.tls.send(bytes).map_err(io::Error::other)?;
        self.flush()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tls.write_to(&mut self.socket)
    }
}
