//! Drives rustls with the buffers of this crate.
//!
//! rustls' own receive buffer is limited to 64 KiB of handshake messages, which a certificate and a signature of
//! 49,856 bytes each exceed. Its unbuffered interface leaves the buffers to the caller.

use crate::certificate_types::PeerTypes;
use crate::early::{Early, EarlyDataSide};
use crate::not_tls::{NotTls, OtherProtocol};
use crate::old_version;
use crate::order::{ConfigSelector, Configs};
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::server::UnbufferedServerConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, EncryptError, UnbufferedStatus};
use rustls::{ClientConfig, CommonState, Error, PeerIncompatible, ServerConfig};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// One side of a connection, without its socket.
pub(crate) struct Engine {
    side: Side,
    /// Unprocessed records from the peer: at most one flight of handshake messages.
    incoming: Vec<u8>,
    /// Number of bytes to read from the socket next.
    read_len: usize,
    buffers: Buffers,
    /// Whether this side has sent close_notify.
    sent_close_notify: bool,
    /// Whether the peer has sent anything.
    has_received: bool,
    /// Observations about the certificate types of the peer.
    types: PeerTypes,
    /// The first error, after which nothing is processed.
    failed: Option<Error>,
}

enum Side {
    Client(Box<UnbufferedClientConnection>),
    Server(Box<UnbufferedServerConnection>),
    /// A server whose configuration depends on the ClientHello. The rustls connection is created once the ClientHello
    /// is known.
    Undecided(Box<ConfigSelector>),
}

#[derive(Default)]
struct Buffers {
    /// Records for the peer.
    outgoing: Vec<u8>,
    /// Application data from the peer.
    received: VecDeque<u8>,
    /// Whether the peer has sent close_notify.
    closed: bool,
    early: Early,
}

/// Output of the application, which waits until rustls can write it.
enum Request<'a> {
    Data(&'a [u8]),
    UpdateKeys,
    Close,
}

/// Maximum length of `incoming`. The longest flight is a server's five handshake messages. Two of them are long,
/// Certificate and CertificateVerify, and rustls limits each to 64 KiB.
const MAX_INCOMING_LEN: usize = 4 << 16;
/// Minimum number of bytes read from a socket at once, if the expected length is unknown.
const MIN_READ_LEN: usize = 1 << 10;
/// Maximum number of bytes read at once: a record of maximum length, RFC 8446 section 5.2.
const MAX_READ_LEN: usize = 5 + (1 << 14) + 256;

impl Engine {
    /// Creates a client for a connection to `name`. Its output is the ClientHello, followed by as much of `early` as
    /// the server accepts.
    pub(crate) fn client(
        config: &Arc<ClientConfig>,
        name: ServerName<'static>,
        early: &[u8],
    ) -> Result<Self, Error> {
        let connection = UnbufferedClientConnection::new(config.clone(), name)?;
        let mut engine = Self::new(Side::Client(Box::new(connection)));
        engine.buffers.early = Early::with_data(early);
        engine.run(None)?;
        Ok(engine)
    }

    /// Creates a server, which waits for a ClientHello.
    pub(crate) fn server(configs: &Configs) -> Result<Self, Error> {
        let side = match configs.needs_client_hello() {
            true => Side::Undecided(Box::new(ConfigSelector::new(configs))),
            false => Side::for_config(configs.for_connection())?,
        };
        Ok(Self::new(side))
    }

    fn new(side: Side) -> Self {
        Self {
            side,
            incoming: Vec::new(),
            read_len: MIN_READ_LEN,
            buffers: Buffers::default(),
            sent_close_notify: false,
            has_received: false,
            types: PeerTypes::default(),
            failed: None,
        }
    }

    /// Returns rustls' state of the connection, or `None` before rustls has started.
    pub(crate) fn state(&self) -> Option<&CommonState> {
        match &self.side {
            Side::Client(connection) => Some(connection),
            Side::Server(connection) => Some(connection),
            Side::Undecided(_) => None,
        }
    }

    /// Returns whether the handshake is still in progress.
    pub(crate) fn is_handshaking(&self) -> bool {
        self.state().is_none_or(CommonState::is_handshaking)
    }

    /// Returns whether there is output to send.
    pub(crate) fn wants_write(&self) -> bool {
        !self.buffers.outgoing.is_empty()
    }

    /// Returns whether the peer has sent close_notify.
    pub(crate) fn is_closed(&self) -> bool {
        self.buffers.closed
    }

    /// Returns the early data of this side.
    pub(crate) const fn early(&self) -> &Early {
        &self.buffers.early
    }

    /// Encrypts data for the peer. The handshake must have finished.
    pub(crate) fn send(&mut self, data: &[u8]) -> Result<(), Error> {
        self.run(Some(Request::Data(data)))
    }

    /// Changes this side's traffic keys and requests that the peer change its own (KeyUpdate, RFC 8446 section
    /// 4.6.3). The handshake must have finished.
    pub(crate) fn update_keys(&mut self) -> Result<(), Error> {
        self.run(Some(Request::UpdateKeys))
    }

    /// Sends close_notify, at most once. The handshake must have finished.
    pub(crate) fn close(&mut self) -> Result<(), Error> {
        if !std::mem::replace(&mut self.sent_close_notify, true) {
            self.run(Some(Request::Close))?;
        }
        Ok(())
    }

    /// Processes records from a peer in the same process, whose flights need no length limit.
    ///
    /// # Errors
    /// Returns an error if the peer violates the protocol; the alert is in the output.
    pub(crate) fn receive(&mut self, records: &[u8]) -> Result<(), Error> {
        self.incoming.extend_from_slice(records);
        self.run(None)
    }

    /// Reads from the peer once and processes the data like [`Engine::receive`]. Returns 0 at the end of the stream.
    pub(crate) fn read_from(&mut self, socket: &mut impl Read) -> io::Result<usize> {
        let start = self.incoming.len();
        if start >= MAX_INCOMING_LEN {
            return Err(io::Error::new(io::ErrorKind::InvalidData, FlightTooLong));
        }
        self.incoming.reserve_exact(self.read_len);
        self.incoming.resize(start + self.read_len, 0);
        let read = socket.read(&mut self.incoming[start..]);
        self.incoming.truncate(start + read.as_ref().unwrap_or(&0));
        let len = read?;
        if !std::mem::replace(&mut self.has_received, true)
            && let Some(protocol) = self.other_protocol()
        {
            return Err(io::Error::new(io::ErrorKind::InvalidData, NotTls(Some(protocol))));
        }
        // a full buffer suggests that more data is waiting
        let next = if len == self.read_len { 2 * len } else { len.next_power_of_two() };
        self.read_len = next.clamp(MIN_READ_LEN, MAX_READ_LEN);
        self.run(None).map_err(io::Error::other)?;
        Ok(len)
    }

    /// Recognises a server that uses a protocol other than TLS, by its first bytes.
    fn other_protocol(&self) -> Option<OtherProtocol> {
        let is_client = matches!(self.side, Side::Client(_));
        let is_record = matches!(self.incoming[..], [20..=24, 3, ..]);
        if is_client && !is_record { OtherProtocol::recognise(&self.incoming) } else { None }
    }

    /// Sends all pending output.
    pub(crate) fn write_to(&mut self, socket: &mut impl Write) -> io::Result<()> {
        while self.wants_write() {
            match socket.write(&self.buffers.outgoing)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                len => drop(self.buffers.outgoing.drain(..len)),
            }
        }
        if self.is_handshaking() {
            // Frees the memory: most later output of a connection is shorter than this flight.
            self.buffers.outgoing = Vec::new();
        }
        Ok(())
    }

    /// Returns all pending output and clears it.
    pub(crate) fn take_outgoing(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffers.outgoing)
    }

    fn run(&mut self, request: Option<Request<'_>>) -> Result<(), Error> {
        let result = self.failed.clone().map_or_else(|| self.run_until_blocked(request), Err);
        let result = result.map_err(|error| self.types.explain(error));
        if let Err(error) = &result
            && self.failed.is_none()
        {
            self.failed = Some(error.clone());
            self.encode_alert();
            self.types.replace_alert(&mut self.buffers.outgoing);
        }
        result
    }

    fn run_until_blocked(&mut self, mut request: Option<Request<'_>>) -> Result<(), Error> {
        self.refuse_old_version()?;
        if let Side::Undecided(choice) = &mut self.side {
            let Some(config) = choice.choose(&self.incoming) else { return Ok(()) };
            self.side = Side::for_config(config)?;
        }
        while let Progress::Continue = self.process(&mut request)? {}
        if request.is_none() { Ok(()) } else { Err(Error::HandshakeNotComplete) }
    }

    /// Refuses old protocol versions with the standard's alert; rustls would send a different one.
    fn refuse_old_version(&mut self) -> Result<(), Error> {
        let is_server_handshake = self.is_handshaking() && !matches!(self.side, Side::Client(_));
        let Some(alert) = old_version::alert(&self.incoming).filter(|_| is_server_handshake) else {
            return Ok(());
        };
        self.incoming.clear();
        self.buffers.outgoing.extend(alert);
        Err(Error::PeerIncompatible(PeerIncompatible::Tls12NotOffered))
    }

    /// After an error, writes rustls' remaining output up to the alert. It stops there, because a further call would
    /// process the same input again.
    fn encode_alert(&mut self) {
        let mut start = self.buffers.outgoing.len();
        while let Ok(Progress::Continue) = self.process(&mut None)
            && !is_alert(&self.buffers.outgoing[start..])
        {
            start = self.buffers.outgoing.len();
        }
    }

    /// Passes the input to rustls once and handles the state that rustls returns.
    fn process(&mut self, request: &mut Option<Request<'_>>) -> Result<Progress, Error> {
        let (incoming, buffers, types) = (&mut self.incoming, &mut self.buffers, &mut self.types);
        let (discard, progress) = match &mut self.side {
            Side::Client(connection) => {
                types.track(|| buffers.handle_status(connection.process_tls_records(incoming), request))
            }
            Side::Server(connection) => {
                types.track(|| buffers.handle_status(connection.process_tls_records(incoming), request))
            }
            Side::Undecided(_) => return Ok(Progress::Blocked),
        };
        incoming.drain(..discard);
        if incoming.is_empty() && self.is_handshaking() {
            self.incoming = Vec::new();
        }
        progress
    }
}

impl Side {
    fn for_config(config: Arc<ServerConfig>) -> Result<Self, Error> {
        Ok(Self::Server(Box::new(UnbufferedServerConnection::new(config)?)))
    }
}

impl Read for Engine {
    /// Reads available application data; returns 0 if there is none.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.buffers.received.read(buffer)
    }
}

/// Returns whether an outgoing record is an alert, RFC 8446 section 6: two bytes, in plaintext or encrypted with
/// their type and a tag.
fn is_alert(record: &[u8]) -> bool {
    match record {
        [21, ..] => true,
        [23, _, _, 0, len, ..] => *len == 2 + 1 + 16,
        _ => false,
    }
}

/// Whether rustls can continue without input from the peer or the application.
enum Progress {
    Continue,
    Blocked,
}

impl Buffers {
    /// Handles the state that rustls returned. Returns the number of processed input bytes, and whether to continue.
    fn handle_status<Data: EarlyDataSide>(
        &mut self,
        status: UnbufferedStatus<'_, '_, Data>,
        request: &mut Option<Request<'_>>,
    ) -> (usize, Result<Progress, Error>) {
        let UnbufferedStatus { mut discard, state, .. } = status;
        let progress = state.and_then(|state| self.handle_state(state, request, &mut discard));
        (discard, progress)
    }

    /// Handles one state of the rustls connection. Adds to `discard` the number of input bytes that the state consumes.
    fn handle_state<Data: EarlyDataSide>(
        &mut self,
        state: ConnectionState<'_, '_, Data>,
        request: &mut Option<Request<'_>>,
        discard: &mut usize,
    ) -> Result<Progress, Error> {
        match state {
            ConnectionState::EncodeTlsData(mut data) => {
                self.append(|outgoing| data.encode(outgoing).map_err(WriteError::from))?;
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
                None => return Ok(Progress::Blocked),
                Some(Request::Data(data)) => {
                    self.append(|outgoing| traffic.encrypt(data, outgoing).map_err(WriteError::from))?;
                }
                Some(Request::UpdateKeys) => traffic.refresh_traffic_keys()?,
                Some(Request::Close) => {
                    self.append(|outgoing| traffic.queue_close_notify(outgoing).map_err(WriteError::from))?;
                }
            },
            ConnectionState::PeerClosed => self.closed = true,
            // states of future rustls versions
            _ => return Ok(Progress::Blocked),
        }
        Ok(Progress::Continue)
    }

    /// Appends output of `write`, which reports the required space if there is too little.
    fn append(&mut self, mut write: impl FnMut(&mut [u8]) -> Result<usize, WriteError>) -> Result<(), Error> {
        let start = self.outgoing.len();
        let mut written = write(&mut []);
        if let Err(WriteError::TooSmall(len)) = written {
            self.outgoing.reserve_exact(len);
            self.outgoing.resize(start + len, 0);
            written = write(&mut self.outgoing[start..]);
        }
        self.outgoing.truncate(start + written.as_ref().unwrap_or(&0));
        written.map(drop).map_err(|error| Error::General(error.to_string()))
    }
}

/// Reason why rustls did not write.
enum WriteError {
    /// More space is needed, in bytes.
    TooSmall(usize),
    /// Another error, as text.
    Other(String),
}

impl From<EncodeError> for WriteError {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::InsufficientSize(size) => Self::TooSmall(size.required_size),
            error => Self::Other(error.to_string()),
        }
    }
}

impl From<EncryptError> for WriteError {
    fn from(error: EncryptError) -> Self {
        match error {
            EncryptError::InsufficientSize(size) => Self::TooSmall(size.required_size),
            error => Self::Other(error.to_string()),
        }
    }
}

impl Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooSmall(len) => write!(
                f,
                "rustls requires {len} bytes for the records, although the buffer has the size that it requested before"
            ),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Error: the peer's flight exceeds the maximum length.
#[derive(Debug)]
pub(crate) struct FlightTooLong;

impl Display for FlightTooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "more than {MAX_INCOMING_LEN} bytes of handshake records without a complete message")
    }
}

impl std::error::Error for FlightTooLong {}
