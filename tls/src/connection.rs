//! One connection, either side: a stream of bytes, and a report of what was negotiated.

use crate::engine::Engine;
use crate::error::Error;
use crate::identity::Shown;
use crate::report::{Chain, Kind, Report};
use crate::trace::{self, Trace};
use crate::transport::{Counted, Tally};
use grille_registry::Numbers;
use rustls::{CommonState, ProtocolVersion};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// An established connection.
pub struct Connection {
    tls: Engine,
    socket: Counted,
    peer: String,
    /// What this side shows, on a client; a server chooses it in the handshake.
    shown: Option<Shown>,
    numbers: Numbers,
    trace: Trace,
    handshake_time: Duration,
    handshake_sent: Tally,
    handshake_received: Tally,
}

impl Connection {
    /// Runs the handshake to its end; on failure the peer gets the alert that TLS prescribes.
    ///
    /// `shown`, `numbers`: for the report.
    /// `timeout`: for all of the handshake, and then for each read and each write.
    /// `start`: when the side's work began; a client makes its key share before the first byte.
    pub(crate) fn handshake(
        tls: Engine,
        socket: TcpStream,
        peer: String,
        (shown, numbers): (Option<Shown>, Numbers),
        timeout: Option<Duration>,
        start: Instant,
    ) -> Result<Self, Error> {
        let mut connection = Self {
            tls,
            socket: Counted::new(socket),
            peer,
            shown,
            numbers,
            trace: Trace::default(),
            handshake_time: Duration::ZERO,
            handshake_sent: Tally::default(),
            handshake_received: Tally::default(),
        };
        if let Err(error) = connection.finish_handshake(timeout) {
            let refusal = trace::take().refusal;
            connection.linger();
            return Err(Error::from_io(connection.handshake_name(), error).because(refusal));
        }
        connection.handshake_time = start.elapsed();
        connection.trace = trace::take();
        (connection.handshake_sent, connection.handshake_received) = connection.socket.tallies();
        Ok(connection)
    }

    fn finish_handshake(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        // a handshake is a few small writes, each awaited by the peer
        self.socket.socket().set_nodelay(true)?;
        if let Some(timeout) = timeout {
            self.socket.end_in(timeout);
        }
        loop {
            // at the end the client's Finished, or the server's tickets
            self.flush()?;
            if !self.tls.is_handshaking() {
                return self.socket.endless(timeout);
            }
            self.receive()?;
        }
    }

    /// Reads once; a peer that breaks off is an error.
    fn receive(&mut self) -> io::Result<()> {
        match self.tls.read_from(&mut self.socket)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// Sends our alert, and waits a moment until the peer has read it: closing a socket with unread data would destroy
    /// it.
    fn linger(&mut self) {
        self.socket.end_in(LINGER);
        // the handshake has failed already; whatever fails here changes nothing
        let _ = self.flush();
        let _ = self.socket.socket().shutdown(Shutdown::Write);
        let _ = io::copy(&mut (&mut self.socket).take(MAX_LINGER_LEN), &mut io::sink());
    }

    fn handshake_name(&self) -> String {
        format!("the handshake with {}", self.peer)
    }

    /// What was negotiated, and what it cost so far.
    #[must_use]
    pub fn report(&self) -> Report {
        let (sent, received) = self.socket.tallies();
        let tls = self.tls.state();
        let peer_chain = tls.and_then(CommonState::peer_certificates).map(Chain::of).unwrap_or_default();
        Report {
            peer: self.peer.clone(),
            version: tls.and_then(CommonState::protocol_version).unwrap_or(ProtocolVersion::Unknown(0)),
            suite: tls.and_then(CommonState::negotiated_cipher_suite).map(|suite| suite.suite()),
            group: tls
                .and_then(CommonState::negotiated_key_exchange_group)
                .map(|group| u16::from(group.name())),
            numbers: self.numbers,
            kind: tls.map_or(Kind::Full, Kind::of),
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
        let chosen = || Some(Chain::of(&self.trace.shown.as_ref()?.cert));
        self.shown.as_ref().map(Shown::chain).or_else(chosen).unwrap_or_default()
    }

    /// What the client said before the handshake was over, on a server. It is no part of what is read: somebody may have
    /// recorded it and sent it again.
    #[must_use]
    pub fn early_data(&self) -> &[u8] {
        &self.tls.early().received
    }

    /// Changes this side's traffic keys, and asks the peer to change its own (KeyUpdate, RFC 8446 section 4.6.3): what was
    /// said before stays secret from whoever learns the new ones.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn update_keys(&mut self) -> Result<(), Error> {
        let updated = self.tls.update_keys().map_err(io::Error::other).and_then(|()| self.flush());
        updated
            .map_err(|e| Error::from_io(format!("update the keys of the connection with {}", self.peer), e))
    }

    /// Says that this side will send no more (close_notify); the peer may still send.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn end_sending(&mut self) -> Result<(), Error> {
        self.send_close_notify()
            .map_err(|e| Error::from_io(format!("close the connection with {}", self.peer), e))
    }

    fn send_close_notify(&mut self) -> io::Result<()> {
        self.tls.close().map_err(io::Error::other)?;
        self.flush()
    }

    /// Says goodbye (close_notify) and waits until the peer has said it too, or closed.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Tls`] if the peer goes on sending what it must not.
    pub fn close(mut self) -> Result<Report, Error> {
        self.finish().map_err(|e| Error::from_io(format!("close the connection with {}", self.peer), e))?;
        Ok(self.report())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.send_close_notify()?;
        self.socket.socket().shutdown(Shutdown::Write).or_else(ignore_not_connected)?;
        io::copy(self, &mut io::sink())?;
        Ok(())
    }

    /// The socket's own handle, for timeouts.
    #[must_use]
    pub const fn socket(&self) -> &TcpStream {
        self.socket.socket()
    }
}

/// How long a failed connection takes what the peer still sends.
const LINGER: Duration = Duration::from_millis(200);

/// How much of it is read: two flights of the longest kind.
const MAX_LINGER_LEN: u64 = 1 << 17;

/// The peer may be gone already; then there is nothing left to close.
fn ignore_not_connected(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotConnected { Ok(()) } else { Err(error) }
}

impl Read for Connection {
    /// 0 after the peer's close_notify; a connection that just breaks off is an error.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.tls.read(buffer)?;
            if len > 0 || buffer.is_empty() || self.tls.is_closed() {
                return Ok(len);
            }
            self.receive()?;
            // the answer to a key update
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
