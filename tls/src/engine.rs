//! rustls between buffers of ours.
//!
//! Its own receive buffer ends at 64 KiB of handshake messages, which a certificate and a signature of 49,856 bytes
//! each exceed; its unbuffered interface leaves the buffer to the caller.

use crate::early::{Early, Speaks};
use crate::order::{Choice, Configs};
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::server::UnbufferedServerConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, EncryptError, UnbufferedStatus};
use rustls::{ClientConfig, CommonState, Error, ServerConfig};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// One side of a connection, without its socket.
pub(crate) struct Engine {
    side: Side,
    /// Of the peer, not yet processed: at most a flight of handshake messages, in records.
    incoming: Vec<u8>,
    /// How much is read from a socket next.
    read_len: usize,
    buffers: Buffers,
    /// This side has said close_notify.
    said_goodbye: bool,
    /// Nothing is processed after an error.
    failed: Option<Error>,
}

enum Side {
    Client(Box<UnbufferedClientConnection>),
    Server(Box<UnbufferedServerConnection>),
    /// A server whose configuration depends on what the client will say: until then rustls hears nothing.
    Undecided(Box<Choice>),
}

#[derive(Default)]
struct Buffers {
    /// Records for the peer.
    outgoing: Vec<u8>,
    /// What the peer said to the application.
    received: VecDeque<u8>,
    /// The peer has said close_notify.
    closed: bool,
    early: Early,
}

/// What is to be sent as soon as the connection allows it.
enum Request<'a> {
    Data(&'a [u8]),
    NewKeys,
    Close,
}

/// The most of `incoming`: the longest flight is a server's, five handshake messages of which two are long, Certificate and
/// CertificateVerify; rustls ends each at 64 KiB.
const MAX_INCOMING_LEN: usize = 4 << 16;
/// How much is read from a socket at once, where nothing says how much is to come.
const MIN_READ_LEN: usize = 1 << 10;
/// The most that is read at once: a record of the longest kind, RFC 8446 section 5.2.
const MAX_READ_LEN: usize = 5 + (1 << 14) + 256;

impl Engine {
    /// A client that wants to speak with `name`; its ClientHello waits to be sent, and with it as much of `early` as
    /// the server takes.
    pub(crate) fn client(
        config: &Arc<ClientConfig>,
        name: ServerName<'static>,
        early: &[u8],
    ) -> Result<Self, Error> {
        let connection = UnbufferedClientConnection::new(config.clone(), name)?;
        let mut engine = Self::new(Side::Client(Box::new(connection)));
        engine.buffers.early = Early::to_send(early);
        engine.run(None)?;
        Ok(engine)
    }

    /// A server that waits for a client's first words.
    pub(crate) fn server(configs: &Configs) -> Result<Self, Error> {
        let side = match configs.must_choose() {
            true => Side::Undecided(Box::new(Choice::new(configs))),
            false => Side::of_server(configs.for_connection())?,
        };
        Ok(Self::new(side))
    }

    fn new(side: Side) -> Self {
        Self {
            side,
            incoming: Vec::new(),
            read_len: MIN_READ_LEN,
            buffers: Buffers::default(),
            said_goodbye: false,
            failed: None,
        }
    }

    /// What rustls knows of the connection, as soon as it takes part.
    pub(crate) fn state(&self) -> Option<&CommonState> {
        match &self.side {
            Side::Client(connection) => Some(connection),
            Side::Server(connection) => Some(connection),
            Side::Undecided(_) => None,
        }
    }

    /// Whether the handshake is not over yet.
    pub(crate) fn is_handshaking(&self) -> bool {
        self.state().is_none_or(CommonState::is_handshaking)
    }

    /// Whether there is something to send.
    pub(crate) fn wants_write(&self) -> bool {
        !self.buffers.outgoing.is_empty()
    }

    /// Whether the peer has said that it will send no more.
    pub(crate) fn is_closed(&self) -> bool {
        self.buffers.closed
    }

    /// Early data, either way.
    pub(crate) const fn early(&self) -> &Early {
        &self.buffers.early
    }

    /// Encrypts for the peer. The handshake must be over.
    pub(crate) fn send(&mut self, data: &[u8]) -> Result<(), Error> {
        self.run(Some(Request::Data(data)))
    }

    /// Changes this side's traffic keys, and asks the peer to change its own (KeyUpdate, RFC 8446 section 4.6.3). The
    /// handshake must be over.
    pub(crate) fn update_keys(&mut self) -> Result<(), Error> {
        self.run(Some(Request::NewKeys))
    }

    /// Says close_notify, once. The handshake must be over.
    pub(crate) fn close(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.said_goodbye, true) {
            self.run(Some(Request::Close))?;
        }
        Ok(())
    }

    /// Takes what came from a peer of this process, whose flights need no limit, and does all that can be done with it.
    ///
    /// # Errors
    /// What the peer did wrong; the alert waits to be sent.
    pub(crate) fn receive(&mut self, records: &[u8]) -> Result<(), Error> {
        self.incoming.extend_from_slice(records);
        self.run(None)
    }

    /// Reads from the peer once and does as [`Engine::receive`]. 0 bytes: the peer sends no more.
    pub(crate) fn read_from(&mut self, socket: &mut impl Read) -> io::Result<usize> {
        let start = self.incoming.len();
        if start >= MAX_INCOMING_LEN {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooLong));
        }
        self.incoming.reserve_exact(self.read_len);
        self.incoming.resize(start + self.read_len, 0);
        let read = socket.read(&mut self.incoming[start..]);
        self.incoming.truncate(start + read.as_ref().unwrap_or(&0));
        let len = read?;
        // more waits where all the room was taken
        let next = if len == self.read_len { 2 * len } else { len.next_power_of_two() };
        self.read_len = next.clamp(MIN_READ_LEN, MAX_READ_LEN);
        self.run(None).map_err(io::Error::other)?;
        Ok(len)
    }

    /// Sends all that waits.
    pub(crate) fn write_to(&mut self, socket: &mut impl Write) -> io::Result<()> {
        while self.wants_write() {
            match socket.write(&self.buffers.outgoing)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => drop(self.buffers.outgoing.drain(..len)),
            }
        }
        if self.is_handshaking() {
            // a flight is longer than what most connections say afterwards
            self.buffers.outgoing = Vec::new();
        }
        Ok(())
    }

    /// All that waits to be sent.
    pub(crate) fn take_outgoing(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffers.outgoing)
    }

    fn run(&mut self, request: Option<Request<'_>>) -> Result<(), Error> {
        let result = self.failed.clone().map_or_else(|| self.ask_until_it_waits(request), Err);
        if let Err(error) = &result
            && self.failed.is_none()
        {
            self.failed = Some(error.clone());
            self.encode_alert();
        }
        result
    }

    fn ask_until_it_waits(&mut self, mut request: Option<Request<'_>>) -> Result<(), Error> {
        if let Side::Undecided(choice) = &mut self.side {
            let Some(config) = choice.choose(&self.incoming) else { return Ok(()) };
            self.side = Side::of_server(config)?;
        }
        while let Progress::More = self.ask(&mut request)? {}
        if request.is_none() { Ok(()) } else { Err(Error::HandshakeNotComplete) }
    }

    /// After an error, what rustls still has to say up to its alert: asked again it would look at the same bytes again.
    fn encode_alert(&mut self) {
        let mut start = self.buffers.outgoing.len();
        while let Ok(Progress::More) = self.ask(&mut None)
            && !is_alert(&self.buffers.outgoing[start..])
        {
            start = self.buffers.outgoing.len();
        }
    }

    /// Shows rustls what came and does what it asks for.
    fn ask(&mut self, request: &mut Option<Request<'_>>) -> Result<Progress, Error> {
        let (incoming, buffers) = (&mut self.incoming, &mut self.buffers);
        let (discard, progress) = match &mut self.side {
            Side::Client(connection) => buffers.serve(connection.process_tls_records(incoming), request),
            Side::Server(connection) => buffers.serve(connection.process_tls_records(incoming), request),
            Side::Undecided(_) => return Ok(Progress::Waits),
        };
        incoming.drain(..discard);
        if incoming.is_empty() && self.is_handshaking() {
            self.incoming = Vec::new();
        }
        progress
    }
}

impl Side {
    fn of_server(config: Arc<ServerConfig>) -> Result<Self, Error> {
        Ok(Self::Server(Box::new(UnbufferedServerConnection::new(config)?)))
    }
}

impl Read for Engine {
    /// What the peer said to the application, as much as there is; 0 if that is nothing.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.buffers.received.read(buffer)
    }
}

/// Whether a record of ours is an alert, RFC 8446 section 6: two bytes, plain, or encrypted with their type and a tag.
fn is_alert(record: &[u8]) -> bool {
    match record {
        [21, ..] => true,
        [23, _, _, 0, len, ..] => *len == 2 + 1 + 16,
        _ => false,
    }
}

/// Whether rustls has more to say before it needs the peer or the application.
enum Progress {
    More,
    Waits,
}

impl Buffers {
    /// How many bytes of `incoming` are done with, and whether to ask again.
    fn serve<Data: Speaks>(
        &mut self,
        status: UnbufferedStatus<'_, '_, Data>,
        request: &mut Option<Request<'_>>,
    ) -> (usize, Result<Progress, Error>) {
        let UnbufferedStatus { mut discard, state, .. } = status;
        let progress = state.and_then(|state| self.serve_state(state, request, &mut discard));
        (discard, progress)
    }

    /// `discard` grows by what the state says beside.
    fn serve_state<Data: Speaks>(
        &mut self,
        state: ConnectionState<'_, '_, Data>,
        request: &mut Option<Request<'_>>,
        discard: &mut usize,
    ) -> Result<Progress, Error> {
        match state {
            ConnectionState::EncodeTlsData(mut data) => {
                self.append(|outgoing| data.encode(outgoing).map_err(Short::from))?;
            }
            ConnectionState::TransmitTlsData(mut flight) => {
                Data::send(&mut flight, &mut self.early, &mut self.outgoing)?;
                flight.done();
            }
            ConnectionState::ReadEarlyData(data) => *discard += Data::receive(data, &mut self.early)?,
            ConnectionState::ReadTraffic(mut traffic) => {
                while let Some(record) = traffic.next_record() {
                    let record = record?;
                    *discard += record.discard;
                    self.received.extend(record.payload);
                }
            }
            ConnectionState::WriteTraffic(mut traffic) => match request.take() {
                None => return Ok(Progress::Waits),
                Some(Request::Data(data)) => {
                    self.append(|outgoing| traffic.encrypt(data, outgoing).map_err(Short::from))?;
                }
                Some(Request::NewKeys) => traffic.refresh_traffic_keys()?,
                Some(Request::Close) => {
                    self.append(|outgoing| traffic.queue_close_notify(outgoing).map_err(Short::from))?;
                }
            },
            ConnectionState::PeerClosed => self.closed = true,
            // what states there may be one day
            _ => return Ok(Progress::Waits),
        }
        Ok(Progress::More)
    }

    /// Appends to `outgoing` what `write` writes, which says how much room it needs.
    fn append(&mut self, mut write: impl FnMut(&mut [u8]) -> Result<usize, Short>) -> Result<(), Error> {
        let start = self.outgoing.len();
        let mut written = write(&mut []);
        if let Err(Short::Of(len)) = written {
            self.outgoing.reserve_exact(len);
            self.outgoing.resize(start + len, 0);
            written = write(&mut self.outgoing[start..]);
        }
        self.outgoing.truncate(start + written.as_ref().unwrap_or(&0));
        written.map(drop).map_err(|short| Error::General(short.to_string()))
    }
}

/// Why rustls did not write.
enum Short {
    /// It needs room for so many bytes.
    Of(usize),
    /// What it says itself.
    Other(String),
}

impl From<EncodeError> for Short {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::InsufficientSize(size) => Self::Of(size.required_size),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<EncryptError> for Short {
    fn from(error: EncryptError) -> Self {
        match error {
            EncryptError::InsufficientSize(size) => Self::Of(size.required_size),
            error => Self::Other(error.to_string()),
        }
    }
}

impl Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Of(len) => write!(f, "records of {len} bytes did not fit into as much room"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// A peer's flight is longer than any that rustls takes.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {MAX_INCOMING_LEN} bytes of handshake records without an end of their messages")
    }
}

impl std::error::Error for TooLong {}
