//! Packets of the engine on sockets: the requester's end, and a responder that answers until the peer is gone.

use super::advice::{DEVICE_LISTENS, not_come, unreachable};
use super::broken::{at_request, broken_off, of_device};
use super::capture::Capture;
use super::fault::Answer;
use super::listening;
use super::options::Options;
use super::timed::Timed;
use crate::error::Error;
use grille_spdm_codec::endpoint_info::GetEndpointInfo;
use grille_spdm_engine::config::{Binding, Packet};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::identity::{PROVISIONED, SLOTS};
use grille_spdm_engine::operations::{Describe, Question};
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
    connection: Connection<Timed>,
    /// Who is at the other end, for messages.
    peer: String,
    traffic: Traffic,
    /// The longest time between a request and its answer.
    silence: Duration,
    /// When the conversation has to be over.
    until: Option<Instant>,
}

/// What went over a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traffic {
    /// Requests, each of which had a response.
    pub(crate) requests: u64,
    /// Bytes of both, without the frames of the transport.
    pub(crate) bytes: u64,
}

impl Link {
    /// Says hello to the responder at `peer`.
    ///
    /// # Errors
    /// If it is no responder of this transport.
    pub(crate) fn new(mut connection: Connection<Timed>, peer: String) -> Result<Self, Error> {
        connection.greet().map_err(|error| of_device(error, false).or_at_place(&peer))?;
        Ok(Self { connection, peer, traffic: Traffic::default(), silence: Duration::ZERO, until: None })
    }

    /// Connects to the responder at `address`, as the options say, and says hello. At `until`, if there is such a time,
    /// whatever is under way fails.
    ///
    /// # Errors
    /// If nobody is there, or no responder of this transport.
    pub(crate) fn connect(options: &Options, address: String, until: Option<Instant>) -> Result<Self, Error> {
        let failed = |error: io::Error| unreachable(&error, DEVICE_LISTENS).at_place(&address);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let patience = left.into_iter().chain([options.patience()]).min().unwrap_or_default();
        let socket = dial(&address, patience).map_err(failed)?;
        let connection = options.connection(socket, until).map_err(failed)?;
        let capture = options.capture()?;
        let link = Self::new(tapped(connection, capture.as_ref()), address)?;
        Ok(Self { until, ..link })
    }

    /// Waits for a responder that asks to be one, and says hello.
    ///
    /// # Errors
    /// If nobody comes in time, or who comes does not ask, or is no responder.
    pub(crate) fn awaited(options: &Options, listener: &TcpListener) -> Result<Self, Error> {
        let came = listening::first(listener, options.patience());
        let (socket, peer) = came.map_err(|error| not_come(&error))?;
        let capture = options.capture()?;
        let connection = options.connection(socket, None).map_err(StreamError::from);
        let asked = connection.and_then(|mut connection| connection.await_role().map(|()| connection));
        let connection = asked.map_err(|error| broken_off(error, false).at_place(peer))?;
        Self::new(tapped(connection, capture.as_ref()), peer.to_string())
    }

    /// How messages travel.
    pub(crate) fn binding(&self) -> Binding {
        self.connection.binding()
    }

    /// All that went over it so far.
    pub(crate) const fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// A session begins: what was waited for before is none of its silence.
    pub(crate) fn begin_session(&mut self) {
        self.silence = Duration::ZERO;
    }

    /// Lets a session end whose responder was silent for twice HeartbeatPeriod since it began, or this was asked before, whatever
    /// came in the end.
    ///
    /// # Errors
    /// If it was.
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
        let what = format!(
            "said nothing for {silence:.1} seconds, more than twice its HeartbeatPeriod of {period}: session {session:#010x} is over"
        );
        Err(Error::failure(what)
            .advise("a device that takes longer for an answer says so with ResponseNotReady"))
    }

    /// Tells an emulator that nobody will come again; where the transport has no such command, closing says it.
    ///
    /// # Errors
    /// If the connection failed.
    pub(crate) fn shut_down(self) -> Result<(), Error> {
        self.end(Command::SHUTDOWN)
    }

    /// Tells an emulator that this connection is over and others may come.
    ///
    /// # Errors
    /// If the connection failed.
    pub(crate) fn leave(self) -> Result<(), Error> {
        self.end(Command::CONTINUE)
    }

    /// The emulator says the command back; who closes before that leaves it something unread, and it finds the connection
    /// broken.
    fn end(mut self, command: Command) -> Result<(), Error> {
        let sent = self.connection.command(command, &[]);
        sent.map_err(|error| self.failed(error))?;
        if self.connection.is_emulator() {
            // whatever comes, it is over
            let _ = self.connection.receive();
        }
        Ok(())
    }

    /// Whether the other side has spoken SPDM, or as an emulator said hello.
    fn has_answered(&self) -> bool {
        self.traffic.requests > 0 || self.connection.is_emulator()
    }

    fn failed(&self, error: StreamError) -> Error {
        of_device(error, self.has_answered()).or_at_place(&self.peer)
    }

    /// Has an emulator do what no message of SPDM can ask for; whether there is an emulator.
    ///
    /// # Errors
    /// If the connection failed, or the emulator does not know the command.
    pub(crate) fn ask(&mut self, command: Command, payload: &[u8]) -> Result<bool, Error> {
        if !self.connection.is_emulator() {
            return Ok(false);
        }
        let asked =
            self.connection.command(command, payload).and_then(|()| match self.connection.receive()? {
                Received::Command(got, _) if got == command => Ok(true),
                Received::Closed => Err(StreamError::Cut { arrived: 0 }),
                _ => Err(StreamError::Unexpected { expected: "an emulator that knows the command" }),
            });
        asked.map_err(|error| self.failed(error))
    }

    fn round_trip(&mut self, packet: &Packet) -> Result<Packet, StreamError> {
        let (kind, request) = packet.parts();
        // before that nobody asked it: this side worked, or waited for as long as the responder wished
        let asked = Instant::now();
        self.connection.send(kind, request)?;
        let sent = request.len();
        let (answer, received) = match self.connection.receive()? {
            Received::Message(kind, bytes) => (Packet::new(kind, bytes.to_vec()), bytes.len()),
            Received::Command(..) => (None, 0),
            Received::Closed => return Err(StreamError::Cut { arrived: 0 }),
        };
        let answer = answer.ok_or(StreamError::Unexpected { expected: "a response of SPDM" })?;
        self.silence = self.silence.max(asked.elapsed());
        self.traffic.requests += 1;
        self.traffic.bytes += (sent + received) as u64;
        Ok(answer)
    }
}

impl Carrier for Link {
    type Error = Fault;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Fault> {
        self.round_trip(&packet).map_err(|error| {
            let told = at_request(of_device(error, self.has_answered()), &packet);
            Fault::Link(told.or_at_place(&self.peer))
        })
    }

    /// Not beyond the end of the conversation.
    fn wait(&mut self, time: Duration) {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        thread::sleep(left.map_or(time, |left| left.min(time)));
    }
}

/// Why an operation failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The connection did.
    Link(Error),
    /// What the responder said did not please the requester.
    Engine(EngineError),
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Link(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Link(error) => error,
            Fault::Engine(error) => error.into(),
        }
    }
}

/// The connection, and the capture that sees its frames.
pub(crate) fn tapped(connection: Connection<Timed>, capture: Option<&Capture>) -> Connection<Timed> {
    match capture {
        Some(capture) => connection.tapped(capture.tap()),
        None => connection,
    }
}

/// Answers requests until the peer has no more; whether it said that nobody will come again. `see` is shown each request with
/// its response. A session with a heartbeat that is silent for twice HeartbeatPeriod is over, and until then the connection is not.
/// Once `ends` is set, the peer has the answer to what it asks next, and no more; the hellos and the discovery of its transport do not
/// count. `alter`: what becomes of each answer; [`Answer::Send`] of a sound device.
///
/// # Errors
/// If the connection fails, or what comes is not of its transport, or `ends` is set; those of `see`.
pub(crate) fn serve(
    connection: &mut Connection<Timed>,
    responder: &mut Responder,
    ends: Option<&AtomicBool>,
    alter: impl Fn(&Packet, Packet) -> Answer,
    mut see: impl FnMut(&mut Responder, [&Packet; 2]) -> Result<(), Error>,
) -> Result<bool, Error> {
    let (mut message, mut asked) = (Vec::new(), false);
    loop {
        if ends.is_some_and(|ends| ends.load(Ordering::Relaxed)) {
            return Err(Error::failure("the connection is ended: nobody can come in any more"));
        }
        connection.get_ref().bear(silence(responder));
        // while it works, nobody can send a heartbeat
        let start = Instant::now();
        let came = connection.serve(&mut message).map_err(|error| broken_off(error, asked))?;
        responder.advance(start.elapsed());
        asked = true;
        let packet = match came {
            Request::Message(kind) => Packet::new(kind, core::mem::take(&mut message))
                .ok_or(StreamError::Unexpected { expected: "a request of SPDM" })?,
            Request::Command(Command::SHUTDOWN) => return Ok(true),
            Request::Command(Command::CONTINUE) => return Ok(false),
            Request::Command(command) => {
                oblige(responder, command, &message);
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
        connection.send(kind, response).map_err(|error| broken_off(error, true))?;
    }
}

/// Sends every answer as it is.
pub(crate) const fn sound(_: &Packet, answer: Packet) -> Answer {
    Answer::Send(answer)
}

/// How long the sessions that are open let a requester be silent.
fn silence(responder: &Responder) -> Duration {
    let periods = responder.sessions().filter_map(|session| responder.heartbeat(session));
    2 * periods.max().unwrap_or_default()
}

/// What an emulator has the responder ask in an encapsulated request; a requester that cannot be asked is told so when
/// it lets itself be asked.
fn oblige(responder: &mut Responder, command: Command, payload: &[u8]) {
    match command {
        Command::ENCAPSULATED_KEY_UPDATE => {
            let session = payload.first_chunk().map(|id| SessionId::from_le_bytes(*id));
            // refused, it is not asked: the requester hears that nothing is pending
            let _ = responder.ask(session, Question::UpdateKey);
        }
        Command::ENCAPSULATED_ENDPOINT_INFO => {
            // signed with the first key that is known, if there is one
            let mut signers = (0..SLOTS).chain([PROVISIONED]).map(Some).chain([None]);
            let describe =
                |signed| Question::Describe(Describe { sub_code: GetEndpointInfo::DEVICE_CLASS, signed });
            signers.find(|signed| responder.ask(None, describe(*signed)).is_ok());
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
    use grille_spdm_engine::operations::{Beat, Connect, End, FetchCertificate, FetchDigests, OpenSession};
    use grille_spdm_engine::trust::Everyone;
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::thread::JoinHandle;

    /// How often sessions have to send something.
    const PERIOD: u8 = 1;
    /// How long they may be silent.
    const MOST: Duration = Duration::from_secs(2 * PERIOD as u64);

    fn emulator(socket: TcpStream, patience: Duration) -> Connection<Timed> {
        Connection::emulator(Timed::new(socket, patience).unwrap(), Binding::Mctp)
    }

    /// How long is waited where nothing depends on it.
    pub(crate) const LONG: Duration = Duration::from_secs(20);

    /// A requester in a session, and who serves it. `patience`: how long the responder waits for a requester without sessions;
    /// `slow`: whether it answers too late for a session.
    pub(crate) fn with_session(
        patience: Duration,
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
            let mut connection = emulator(listener.accept().unwrap().0, patience);
            serve(&mut connection, &mut responder, None, sound, |_, _| {
                if slow.load(Ordering::Relaxed) {
                    thread::sleep(MOST + MOST / 8);
                }
                Ok(())
            })
        });
        let mut link = Link::new(emulator(socket, LONG), String::new()).unwrap();
        let mut requester = Requester::new(config(REQUESTER), Identity::default(), Box::new(Everyone));
        requester.run(Connect::new(), &mut link).unwrap();
        requester.run(FetchDigests, &mut link).unwrap();
        requester.run(FetchCertificate::new(0), &mut link).unwrap();
        let session = requester.run(OpenSession::new(0), &mut link).unwrap();
        link.begin_session();
        (requester, link, session, served)
    }

    #[test]
    fn who_sends_commands_alone_is_sent_away_too_where_nobody_can_come_in() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let ends = Arc::new(AtomicBool::new(false));
        let flag = ends.clone();
        let served = thread::spawn(move || {
            let mut connection = emulator(listener.accept().unwrap().0, LONG);
            let mut responder =
                Responder::new(Config::with(RESPONDER), Identity::default(), Box::new(Emulated));
            serve(&mut connection, &mut responder, Some(&flag), sound, |_, _| Ok(()))
        });
        let mut link = Link::new(emulator(socket, LONG), String::new()).unwrap();
        ends.store(true, Ordering::Relaxed);
        assert!(link.ask(Command::ENCAPSULATED_KEY_UPDATE, &[0; 4]).unwrap());
        let told = served.join().unwrap().unwrap_err().to_string();
        assert!(told.contains("nobody can come in any more"), "{told}");
    }

    #[test]
    fn a_session_that_sends_its_heartbeats_in_time_goes_on() {
        // no longer than a session is waited for, and than it takes to open one where much else goes on
        let patience = MOST / 2;
        let (mut requester, mut link, session, served) = with_session(patience, &Arc::default());
        for _ in 0..2 {
            thread::sleep(patience + patience / 4);
            requester.run(Beat(session), &mut link).unwrap();
        }
        requester.run(End(session), &mut link).unwrap();
        // and without a session nobody is waited for so long
        let start = Instant::now();
        let told = served.join().unwrap().unwrap_err().to_string();
        assert!(start.elapsed() < MOST && told.contains("nothing in time"), "{told}");
    }

    #[test]
    fn a_session_that_is_silent_is_over_whatever_is_said_outside() {
        let (mut requester, mut link, session, _served) = with_session(LONG, &Arc::default());
        // what the responder needs for its answers is no silence
        for _ in 0..25 {
            requester.run(FetchDigests, &mut link).unwrap();
            thread::sleep(MOST / 20);
        }
        // what is of no session is answered in the clear
        let told = Error::from(requester.run(Beat(session), &mut link).unwrap_err()).to_string();
        assert!(told.contains("answered in the clear"), "{told}");
    }

    #[test]
    fn a_responder_is_not_silent_while_nobody_asks_it() {
        let (mut requester, mut link, session, _served) = with_session(LONG, &Arc::default());
        // as for one that said ResponseNotReady
        link.wait(MOST + MOST / 8);
        requester.run(FetchDigests, &mut link).unwrap();
        link.check_silence(&mut requester, session).unwrap();
    }

    #[test]
    fn a_session_whose_responder_is_silent_for_too_long_is_over() {
        let slow = Arc::new(AtomicBool::new(false));
        let (mut requester, mut link, session, _served) = with_session(LONG, &slow);
        requester.run(Beat(session), &mut link).unwrap();
        link.check_silence(&mut requester, session).unwrap();
        link.silence = MOST + MOST / 8;
        link.begin_session();
        link.check_silence(&mut requester, session).unwrap();
        slow.store(true, Ordering::Relaxed);
        requester.run(Beat(session), &mut link).unwrap();
        let told = link.check_silence(&mut requester, session).unwrap_err().to_string();
        assert!(told.contains("more than twice its HeartbeatPeriod of 1: session 0x"), "{told}");
        assert!(requester.run(Beat(session), &mut link).is_err());
        // it is told once
        link.check_silence(&mut requester, session).unwrap();
    }
}
