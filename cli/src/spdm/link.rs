//! Packets of the engine on sockets: the requester's link, and the responder's serving loop.

use super::advice::{START_DEVICE_ADVICE, connect_error, no_connection};
use super::capture::Capture;
use super::connection_errors::{at_request, connection_error, device_connection_error};
use super::fault::Answer;
use super::listening;
use super::options::Options;
use super::timed::TimedSocket;
use crate::error::Error;
use grille_spdm_codec::endpoint_info::GetEndpointInfo;
use grille_spdm_engine::config::{Binding, Packet};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::identity::{PROVISIONED, SLOTS};
use grille_spdm_engine::operations::{FetchEndpointInfo, ResponderRequest};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::connection::{Connection, Received, Request};
use grille_spdm_transport::emulator::Command;
use grille_spdm_transport::stream::StreamError;
use grille_tls::transport::dial;
use std::io;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The requester's end of a connection.
pub(crate) struct Link {
    connection: Connection<TimedSocket>,
    /// The name of the peer, for messages.
    peer: String,
    traffic: Traffic,
    /// The longest time between a request and its response since the last reset.
    silence: Duration,
    /// The deadline of the whole conversation.
    until: Option<Instant>,
}

/// The amount of traffic on a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traffic {
    /// The number of requests; each had a response.
    pub(crate) requests: u64,
    /// The bytes of requests and responses, without the transport's frames.
    pub(crate) bytes: u64,
}

impl Link {
    /// Exchanges the emulator's hello with the responder at `peer`.
    ///
    /// # Errors
    /// Returns an error if the peer is not a responder of this transport.
    pub(crate) fn new(mut connection: Connection<TimedSocket>, peer: String) -> Result<Self, Error> {
        connection.say_hello().map_err(|error| device_connection_error(error, false).or_place(&peer))?;
        Ok(Self { connection, peer, traffic: Traffic::default(), silence: Duration::ZERO, until: None })
    }

    /// Connects to the responder at `address`, and exchanges hellos. After `until`, pending operations fail.
    ///
    /// # Errors
    /// Returns an error if the address is unreachable, or the peer is not a responder of this transport.
    pub(crate) fn connect(options: &Options, address: String, until: Option<Instant>) -> Result<Self, Error> {
        let failed = |error: io::Error| connect_error(&error, START_DEVICE_ADVICE).with_place(&address);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let timeout = left.into_iter().chain([options.message_timeout()]).min().unwrap_or_default();
        let socket = dial(&address, timeout).map_err(failed)?;
        let connection = options.connection(socket, until).map_err(failed)?;
        let capture = options.capture()?;
        let link = Self::new(with_capture(connection, capture.as_ref()), address)?;
        Ok(Self { until, ..link })
    }

    /// Waits for a responder that inquires its role, and exchanges hellos.
    ///
    /// # Errors
    /// Returns an error if no responder connects in time, or the peer sends no Role-Inquiry, or is not a responder.
    pub(crate) fn accept(options: &Options, listener: &TcpListener) -> Result<Self, Error> {
        let accepted = listening::accept_first(listener, options.message_timeout());
        let (socket, peer) = accepted.map_err(|error| no_connection(&error))?;
        let capture = options.capture()?;
        let connection = options.connection(socket, None).map_err(StreamError::from);
        let start = connection.and_then(|mut connection| connection.await_role().map(|()| connection));
        let connection = start.map_err(|error| connection_error(error, false).with_place(peer))?;
        Self::new(with_capture(connection, capture.as_ref()), peer.to_string())
    }

    /// Returns the transport binding.
    pub(crate) fn binding(&self) -> Binding {
        self.connection.binding()
    }

    /// Returns the traffic so far.
    pub(crate) const fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Resets the measured silence: time before the session does not count.
    pub(crate) fn begin_session(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// Ends a session whose responder was silent for more than twice HeartbeatPeriod, even if a response came in the
    /// end. The silence is measured since the session started or since the previous call.
    ///
    /// # Errors
    /// Returns an error if the responder was silent for so long.
    pub(crate) fn check_silence(
        &mut self,
        requester: &mut Requester,
        session: SessionId,
    ) -> Result<(), Error> {
        let silence = core::mem::take(&mut self.silence);
        let Some(period) = requester.heartbeat(session) else { return Ok(()) };
        requester.advance(silence);
        if requester.heartbeat(session).is_some() {
            return Ok(());
        }
        let (silence, period) = (silence.as_secs_f64(), period.as_secs());
        let problem = format!(
            "no response for {silence:.1} seconds, more than twice the HeartbeatPeriod of {period}: session {session:#010x} has ended"
        );
        Err(Error::failure(problem)
            .advise("check the device: if a response takes longer, it must send ResponseNotReady"))
    }

    /// Shuts the emulator down. Transports without such a command just close the connection.
    ///
    /// # Errors
    /// Returns an error if the connection fails.
    pub(crate) fn shut_down(self) -> Result<(), Error> {
        self.end(Command::SHUTDOWN)
    }

    /// Informs the emulator that this connection is over and that it should accept others.
    ///
    /// # Errors
    /// Returns an error if the connection fails.
    pub(crate) fn disconnect_emulator(self) -> Result<(), Error> {
        self.end(Command::CONTINUE)
    }

    /// Sends a final command and waits for the emulator's echo. Closing earlier would leave unread data, which the
    /// emulator sees as a broken connection.
    fn end(mut self, command: Command) -> Result<(), Error> {
        let sent = self.connection.command(command, &[]);
        sent.map_err(|error| self.describe_failure(error))?;
        if self.connection.is_emulator() {
            // The connection is over, whatever the response is.
            let _ = self.connection.receive();
        }
        Ok(())
    }

    /// Returns whether the peer has sent SPDM, or an emulator's hello.
    fn has_answered(&self) -> bool {
        self.traffic.requests > 0 || self.connection.is_emulator()
    }

    fn describe_failure(&self, error: StreamError) -> Error {
        device_connection_error(error, self.has_answered()).or_place(&self.peer)
    }

    /// Sends an emulator command for an action that has no SPDM message. Returns whether the peer is an emulator.
    ///
    /// # Errors
    /// Returns an error if the connection fails, or the emulator does not support the command.
    pub(crate) fn send_command(&mut self, command: Command, payload: &[u8]) -> Result<bool, Error> {
        if !self.connection.is_emulator() {
            return Ok(false);
        }
        let result =
            self.connection.command(command, payload).and_then(|()| match self.connection.receive()? {
                Received::Command(got, _) if got == command => Ok(true),
                Received::Closed => Err(StreamError::Cut { arrived: 0 }),
                _ => Err(StreamError::Unexpected { expected: "an emulator that supports the command" }),
            });
        result.map_err(|error| self.describe_failure(error))
    }

    fn round_trip(&mut self, packet: &Packet) -> Result<Packet, StreamError> {
        let (kind, request) = packet.parts();
        // Time before the request does not count: the requester was busy, or waited at the responder's request.
        let result = Instant::now();
        self.connection.send(kind, request)?;
        let sent = request.len();
        let (answer, received) = match self.connection.receive()? {
            Received::Message(kind, bytes) => (Packet::new(kind, bytes.to_vec()), bytes.len()),
            Received::Command(..) => (None, 0),
            Received::Closed => return Err(StreamError::Cut { arrived: 0 }),
        };
        let answer = answer.ok_or(StreamError::Unexpected { expected: "an SPDM response" })?;
        self.silence = self.silence.max(result.elapsed());
        self.traffic.requests += 1;
        self.traffic.bytes += (sent + received) as u64;
        Ok(answer)
    }
}

impl Carrier for Link {
    type Error = ExchangeError;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, ExchangeError> {
        self.round_trip(&packet).map_err(|error| {
            let failure = at_request(device_connection_error(error, self.has_answered()), &packet);
            ExchangeError::Link(failure.or_place(&self.peer))
        })
    }

    /// Waits, but not past the deadline of the conversation.
    fn wait(&mut self, time: Duration) {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        thread::sleep(left.map_or(time, |left| left.min(time)));
    }
}

/// The cause of a failed operation.
#[derive(Debug)]
pub(crate) enum ExchangeError {
    /// The connection failed.
    Link(Error),
    /// The requester rejected a response.
    Engine(EngineError),
}

impl From<EngineError> for ExchangeError {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<Error> for ExchangeError {
    fn from(error: Error) -> Self {
        Self::Link(error)
    }
}

impl From<ExchangeError> for Error {
    fn from(fault: ExchangeError) -> Self {
        match fault {
            ExchangeError::Link(error) => error,
            ExchangeError::Engine(error) => error.into(),
        }
    }
}

/// Lets the capture record the frames of a connection.
pub(crate) fn with_capture(
    connection: Connection<TimedSocket>,
    capture: Option<&Capture>,
) -> Connection<TimedSocket> {
    match capture {
        Some(capture) => connection.with_tap(capture.tap()),
        None => connection,
    }
}

/// Answers requests until the peer is done. Returns whether the peer shut the responder down.
///
/// `see` gets each request with its response. `alter` handles each answer; it returns [`Answer::Send`] for a device
/// without faults. A session with a heartbeat ends after a silence of twice HeartbeatPeriod, and the connection stays
/// open at least until then. Once `ends` is set, the peer gets the response to its next request, and then the
/// connection ends; hellos and discovery of the transport do not count as requests.
///
/// # Errors
/// Returns an error if the connection fails, a packet is not of this transport, `ends` is set, or `see` fails.
pub(crate) fn serve(
    connection: &mut Connection<TimedSocket>,
    responder: &mut Responder,
    ends: Option<&AtomicBool>,
    alter: impl Fn(&Packet, Packet) -> Answer,
    mut see: impl FnMut(&mut Responder, [&Packet; 2]) -> Result<(), Error>,
) -> Result<bool, Error> {
    let (mut message, mut result) = (Vec::new(), false);
    loop {
        if ends.is_some_and(|ends| ends.load(Ordering::Relaxed)) {
            return Err(Error::failure("connection closed: the responder no longer accepts connections"));
        }
        connection.get_ref().extend_next_limit(allowed_silence(responder));
        // Time that the responder spends on its answer does not count as the requester's silence.
        let start = Instant::now();
        let accepted = connection.serve(&mut message).map_err(|error| connection_error(error, result))?;
        responder.advance(start.elapsed());
        result = true;
        let packet = match accepted {
            Request::Message(kind) => Packet::new(kind, core::mem::take(&mut message))
                .ok_or(StreamError::Unexpected { expected: "an SPDM request" })?,
            Request::Command(Command::SHUTDOWN) => return Ok(true),
            Request::Command(Command::CONTINUE) => return Ok(false),
            Request::Command(command) => {
                run_emulator_command(responder, command, &message);
                continue;
            }
            Request::Closed => return Ok(false),
        };
        let answer = responder.receive(&packet);
        see(responder, [&packet, &answer])?;
        let answer = match alter(&packet, answer) {
            Answer::Send(answer) => answer,
            Answer::Withhold => continue,
            Answer::Close => return Ok(false),
        };
        let (kind, response) = answer.parts();
        connection.send(kind, response).map_err(|error| connection_error(error, true))?;
    }
}

/// Sends every answer unchanged.
pub(crate) const fn send_unaltered(_: &Packet, answer: Packet) -> Answer {
    Answer::Send(answer)
}

/// Returns how long the open sessions allow a requester to be silent.
fn allowed_silence(responder: &Responder) -> Duration {
    let periods = responder.sessions().filter_map(|session| responder.heartbeat(session));
    2 * periods.max().unwrap_or_default()
}

/// Starts an encapsulated request at the emulator's command. If the engine refuses, a requester that polls with
/// GET_ENCAPSULATED_REQUEST gets NoPendingRequests.
fn run_emulator_command(responder: &mut Responder, command: Command, payload: &[u8]) {
    match command {
        Command::ENCAPSULATED_KEY_UPDATE => {
            let session = payload.first_chunk().map(|id| SessionId::from_le_bytes(*id));
            // If the engine refuses, the requester receives the error that no request is pending.
            let _ = responder.queue_request(session, ResponderRequest::UpdateKey);
        }
        Command::ENCAPSULATED_ENDPOINT_INFO => {
            // Request a signature by the first known key, if there is one.
            let mut signers = (0..SLOTS).chain([PROVISIONED]).map(Some).chain([None]);
            let describe = |signed| {
                ResponderRequest::EndpointInfo(FetchEndpointInfo {
                    sub_code: GetEndpointInfo::DEVICE_CLASS,
                    signed,
                })
            };
            signers.find(|signed| responder.queue_request(None, describe(*signed)).is_ok());
        }
        _ => {}
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::algorithms::{Choice, signers};
    use super::super::device::{Credential, Emulated, REQUESTER, RESPONDER};
    use super::*;
    use grille_spdm_codec::Version;
    use grille_spdm_engine::config::Config;
    use grille_spdm_engine::identity::Identity;
    use grille_spdm_engine::operations::{
        Connect, End, FetchCertificate, FetchDigests, OpenSession, SendHeartbeat,
    };
    use grille_spdm_engine::trust::DangerousAcceptAny;
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::thread::JoinHandle;

    /// HeartbeatPeriod in seconds.
    const PERIOD: u8 = 1;
    /// The maximum silence of a session.
    const MAX_SILENCE: Duration = Duration::from_secs(2 * PERIOD as u64);

    fn emulator(socket: TcpStream, timeout: Duration) -> Connection<TimedSocket> {
        Connection::emulator(TimedSocket::new(socket, timeout).unwrap(), Binding::Mctp)
    }

    /// A timeout that no test should reach.
    pub(crate) const UNREACHED_TIMEOUT: Duration = Duration::from_secs(20);

    /// Opens a session between a requester and a responder thread. `timeout` is the responder's timeout outside
    /// sessions. While `slow` is set, the responder answers too late for a session.
    pub(crate) fn with_session(
        timeout: Duration,
        slow: &Arc<AtomicBool>,
    ) -> (Requester, Link, SessionId, JoinHandle<Result<bool, Error>>) {
        let bits = Choice::CLASSICAL.bits().unwrap();
        let config = |flags| Config {
            versions: vec![Version::V1_2],
            algorithms: bits,
            heartbeat: PERIOD,
            ..Config::with(flags)
        };
        let identity = Identity::default().with(Credential::new(signers(&bits)[0]).unwrap().slot(0));
        let mut responder = Responder::new(config(RESPONDER), identity, Box::new(Emulated));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let slow = slow.clone();
        let served = thread::spawn(move || {
            let mut connection = emulator(listener.accept().unwrap().0, timeout);
            serve(&mut connection, &mut responder, None, send_unaltered, |_, _| {
                if slow.load(Ordering::Relaxed) {
                    thread::sleep(MAX_SILENCE + MAX_SILENCE / 8);
                }
                Ok(())
            })
        });
        let mut link = Link::new(emulator(socket, UNREACHED_TIMEOUT), String::new()).unwrap();
        let mut requester =
            Requester::new(config(REQUESTER), Identity::default(), Box::new(DangerousAcceptAny));
        requester.run(Connect::new(), &mut link).unwrap();
        requester.run(FetchDigests, &mut link).unwrap();
        requester.run(FetchCertificate::new(0), &mut link).unwrap();
        let session = requester.run(OpenSession::new(0), &mut link).unwrap();
        link.begin_session();
        (requester, link, session, served)
    }

    #[test]
    fn closes_command_only_connections_once_ending() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let ends = Arc::new(AtomicBool::new(false));
        let flag = ends.clone();
        let served = thread::spawn(move || {
            let mut connection = emulator(listener.accept().unwrap().0, UNREACHED_TIMEOUT);
            let mut responder =
                Responder::new(Config::with(RESPONDER), Identity::default(), Box::new(Emulated));
            serve(&mut connection, &mut responder, Some(&flag), send_unaltered, |_, _| Ok(()))
        });
        let mut link = Link::new(emulator(socket, UNREACHED_TIMEOUT), String::new()).unwrap();
        ends.store(true, Ordering::Relaxed);
        assert!(link.send_command(Command::ENCAPSULATED_KEY_UPDATE, &[0; 4]).unwrap());
        let failure = served.join().unwrap().unwrap_err().to_string();
        assert!(failure.contains("no longer accepts connections"), "{failure}");
    }

    #[test]
    fn heartbeats_keep_a_session_open() {
        // Shorter than the silence that a session allows, but long enough to open a session on a busy machine.
        let timeout = MAX_SILENCE / 2;
        let (mut requester, mut link, session, served) = with_session(timeout, &Arc::default());
        for _ in 0..2 {
            thread::sleep(timeout + timeout / 4);
            requester.run(SendHeartbeat(session), &mut link).unwrap();
        }
        requester.run(End(session), &mut link).unwrap();
        // Without a session the timeout is shorter.
        let start = Instant::now();
        let failure = served.join().unwrap().unwrap_err().to_string();
        assert!(start.elapsed() < MAX_SILENCE && failure.contains("no response in time"), "{failure}");
    }

    #[test]
    fn silent_session_ends_despite_messages_outside_it() {
        let (mut requester, mut link, session, _served) = with_session(UNREACHED_TIMEOUT, &Arc::default());
        // The responder's processing time is not silence.
        for _ in 0..25 {
            requester.run(FetchDigests, &mut link).unwrap();
            thread::sleep(MAX_SILENCE / 20);
        }
        // A request in an unknown session is answered in the clear.
        let failure = Error::from(requester.run(SendHeartbeat(session), &mut link).unwrap_err()).to_string();
        assert!(failure.contains("answered in the clear"), "{failure}");
    }

    #[test]
    fn responder_is_not_silent_between_requests() {
        let (mut requester, mut link, session, _served) = with_session(UNREACHED_TIMEOUT, &Arc::default());
        // The requester waits, as after ResponseNotReady.
        link.wait(MAX_SILENCE + MAX_SILENCE / 8);
        requester.run(FetchDigests, &mut link).unwrap();
        link.check_silence(&mut requester, session).unwrap();
    }

    #[test]
    fn session_ends_after_responder_silence() {
        let slow = Arc::new(AtomicBool::new(false));
        let (mut requester, mut link, session, _served) = with_session(UNREACHED_TIMEOUT, &slow);
        requester.run(SendHeartbeat(session), &mut link).unwrap();
        link.check_silence(&mut requester, session).unwrap();
        link.silence = MAX_SILENCE + MAX_SILENCE / 8;
        link.begin_session();
        link.check_silence(&mut requester, session).unwrap();
        slow.store(true, Ordering::Relaxed);
        requester.run(SendHeartbeat(session), &mut link).unwrap();
        let failure = link.check_silence(&mut requester, session).unwrap_err().to_string();
        assert!(failure.contains("more than twice the HeartbeatPeriod of 1: session 0x"), "{failure}");
        assert!(requester.run(SendHeartbeat(session), &mut link).is_err());
        // The silence is reported once.
        link.check_silence(&mut requester, session).unwrap();
    }
}
