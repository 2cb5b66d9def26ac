//! One attestation of the demo: an emulated device with new keys, and a requester, connected by a loopback socket.

use crate::error::Error;
use crate::spdm::algorithms::{Choice, key_name, signers};
use crate::spdm::device::{Credential, Emulated, REQUESTER, RESPONDER};
use crate::spdm::link::{Link, send_unaltered, serve};
use crate::spdm::measured;
use crate::spdm::timed::TimedSocket;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::algorithms::{Asym, Bits, NegotiatedAlgorithms};
use grille_spdm_engine::config::Config;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, MeasuredBlock,
    MeasurementResult, OpenSession,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;
use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::connection::Connection;
use grille_spdm_transport::stream::StreamError;
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The timeout of either side.
const TIMEOUT: Duration = Duration::from_secs(10);

/// MeasurementSummaryHashType 0xFF: all measurements.
const ALL_MEASUREMENTS: u8 = 0xFF;

/// A step with its bytes on the wire and its time, both sides together.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) label: &'static str,
    pub(super) bytes: u64,
    pub(super) time: Duration,
}

/// The results of one attestation.
pub(super) struct Attestation {
    pub(super) version: Version,
    pub(super) algorithms: NegotiatedAlgorithms,
    /// The time for generating the keys and issuing the certificates of root and device.
    pub(super) setup_time: Duration,
    pub(super) chain_bytes: usize,
    /// The steps in order; those of the secured session begin at [`Attestation::FIRST_SESSION_STEP`].
    pub(super) steps: Vec<Step>,
    /// The measurements that the device signed.
    pub(super) measurements: Vec<MeasuredBlock>,
}

impl Attestation {
    /// The index of the first step of the secured session.
    pub(super) const FIRST_SESSION_STEP: usize = 4;

    /// Returns the fastest of [`super::session::RUNS`] attestations, each of a new device.
    ///
    /// # Errors
    /// The errors of [`Attestation::run`].
    pub(super) fn fastest(choice: &Choice<'_>) -> Result<Self, Error> {
        let mut fastest = Self::run(choice)?;
        for _ in 1..super::session::RUNS {
            let next = Self::run(choice)?;
            if next.total().time < fastest.total().time {
                fastest = next;
            }
        }
        Ok(fastest)
    }

    /// Returns the sum of all steps.
    pub(super) fn total(&self) -> Step {
        let (bytes, time) =
            (self.steps.iter().map(|step| step.bytes).sum(), self.steps.iter().map(|step| step.time).sum());
        Step { label: "attestation on the wire", bytes, time }
    }

    /// Returns the registry's name of the device's signature algorithm.
    pub(super) fn signature_name(&self) -> &'static str {
        self.algorithms.asym.map_or("", key_name)
    }

    /// Returns the registry's name of the key exchange.
    pub(super) fn key_exchange_name(&self) -> &'static str {
        self.algorithms.key_exchange.map_or("", |exchange| exchange.name())
    }

    /// Makes a device, attests it over a loopback socket, opens a session with it, and closes the session.
    ///
    /// # Errors
    /// Returns an error if anything fails or does not verify, or if the negotiated algorithms or the measurements
    /// differ from the demo's.
    fn run(choice: &Choice<'_>) -> Result<Self, Error> {
        let bits = choice.bits()?;
        let [asym] = signers(&bits)[..] else {
            return Err(
                Error::failure("the demo's signature algorithm is unknown").with_place(choice.pqc_asym)
            );
        };
        let start = Instant::now();
        let credential = Credential::new(asym)?;
        let setup_time = start.elapsed();
        let (address, device) = start_device(&credential, bits)?;
        let roots = Roots::new(vec![credential.root.clone()]);
        let requester = Requester::new(config(REQUESTER, bits), Identity::default(), Box::new(roots));
        let mut visit = Run { requester, link: connect(&address)?, steps: Vec::new() };
        let visited = visit.attest();
        let Run { requester, link, steps } = visit;
        link.shut_down()?;
        let served = device
            .join()
            .map_err(|_| Error::failure("the device stopped unexpectedly").with_place(&address))?;
        let measurements = visited?;
        served?;
        let connection = requester.connection();
        let algorithms = connection.negotiated().map(|negotiated| negotiated.algorithms);
        let algorithms =
            algorithms.ok_or_else(|| Error::failure("nothing was negotiated").with_place(&address))?;
        let version = connection.version();
        let made =
            Self { version, algorithms, setup_time, chain_bytes: credential.len(), steps, measurements };
        made.check(choice, asym)?;
        Ok(made)
    }

    /// Checks that the negotiated algorithms are those of the demo, and that the measurements are those of the device.
    fn check(&self, choice: &Choice<'_>, asym: Asym) -> Result<(), Error> {
        let exchange = self.algorithms.key_exchange.is_some();
        if self.algorithms.asym != Some(asym) || !exchange || self.version != Version::V1_4 {
            let problem = "the two sides did not negotiate the chosen algorithms";
            return Err(Error::mismatch(problem).with_place(choice.asym));
        }
        let hash = measured::measurement_hash(self.algorithms.measurement_hash);
        if measured::matches_contents(&self.measurements, &Emulated::contents(), hash) {
            return Ok(());
        }
        Err(Error::mismatch("the measurements differ from the device's contents").with_place("measurements"))
    }
}

/// A requester connected to the device, with the steps so far.
struct Run {
    requester: Requester,
    link: Link,
    steps: Vec<Step>,
}

impl Run {
    fn attest(&mut self) -> Result<Vec<MeasuredBlock>, Error> {
        self.step("negotiate", Connect::new())?;
        let start = self.begin();
        self.requester.run(FetchDigests, &mut self.link)?;
        self.requester.run(FetchCertificate::new(0), &mut self.link)?;
        self.end("fetch, verify chain", start);
        self.step("challenge, verify", ChallengeResponder::new(0, ALL_MEASUREMENTS))?;
        let measured: MeasurementResult = self.step("measurements, verify", Measure::all_signed(0))?;
        let session = self.step("open", OpenSession::new(0).with_summary(ALL_MEASUREMENTS))?;
        let inside = self.step("measurements inside", Measure::all_signed(0).within(session))?;
        self.step("close", End(session))?;
        if self.requester.sessions().next().is_some() || inside.blocks != measured.blocks {
            return Err(Error::mismatch("the measurements inside the session differ").with_place("session"));
        }
        Ok(measured.blocks)
    }

    fn step<O: Operation>(&mut self, label: &'static str, operation: O) -> Result<O::Output, Error> {
        let start = self.begin();
        let output = self.requester.run(operation, &mut self.link)?;
        self.end(label, start);
        Ok(output)
    }

    fn begin(&self) -> (Instant, u64) {
        (Instant::now(), self.link.traffic().bytes)
    }

    fn end(&mut self, label: &'static str, (start, before): (Instant, u64)) {
        let bytes = self.link.traffic().bytes - before;
        self.steps.push(Step { label, bytes, time: start.elapsed() });
    }
}

fn config(flags: CapabilityFlags, bits: Bits) -> Config {
    let base = Config::with(flags);
    Config { versions: vec![Version::V1_4], algorithms: bits, binding: Binding::Mctp, ..base }
}

/// Starts a device that serves one requester in its own thread. Returns the address and the thread of the device.
fn start_device(
    credential: &Credential,
    bits: Bits,
) -> Result<(String, JoinHandle<Result<bool, Error>>), Error> {
    let identity = Identity::default().with(credential.slot(0));
    let mut responder = Responder::new(config(RESPONDER, bits), identity, Box::new(Emulated));
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| socket_error(&error))?;
    let address = listener.local_addr().map_err(|error| socket_error(&error))?.to_string();
    let device = thread::spawn(move || {
        let (socket, _) = listener.accept().map_err(StreamError::from)?;
        serve(&mut emulator(socket)?, &mut responder, None, send_unaltered, |_, _| Ok(()))
    });
    Ok((address, device))
}

fn connect(address: &str) -> Result<Link, Error> {
    let socket = TcpStream::connect(address).map_err(|error| socket_error(&error))?;
    Link::new(emulator(socket)?, address.to_owned())
}

/// Returns a connection over `socket` that frames MCTP messages as DMTF's emulators do.
fn emulator(socket: TcpStream) -> Result<Connection<TimedSocket>, Error> {
    let socket = TimedSocket::new(socket, TIMEOUT).map_err(|error| socket_error(&error))?;
    Ok(Connection::emulator(socket, Binding::Mctp))
}

fn socket_error(error: &std::io::Error) -> Error {
    Error::failure(format_args!("cannot open a loopback socket: {error}")).with_place("127.0.0.1")
}
