//! Attests a device over TCP (DSP0287): SPDM 1.4 with ML-DSA-87 and ML-KEM-1024. The example runs both sides, each in
//! its own loop.
//!
//! `cargo run --release -p grille-spdm-engine --example attest`

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::signature_by_name;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Binding, Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Roots;
use grille_spdm_transport::connection::{Connection, Received, Request};
use grille_spdm_transport::stream::StreamError;
use std::error::Error;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

const ALGORITHM: &str = "ML-DSA-87";

/// The capabilities of both sides: authentication with certificates, chunked messages and encrypted sessions.
const CAPABILITIES: Caps = Caps(
    Caps::CERT.0
        | Caps::CHAL.0
        | Caps::CHUNK.0
        | Caps::LARGE_RESP.0
        | Caps::KEY_EX.0
        | Caps::ENCRYPT.0
        | Caps::MAC.0,
);

fn main() -> Result<(), Box<dyn Error>> {
    let (root, identity) = manufacture()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    let device = thread::spawn(move || {
        let mut responder =
            Responder::new(over_tcp(CAPABILITIES | Caps::MEAS_SIG), identity, Box::new(Firmware));
        serve(listener.accept()?.0, &mut responder)
    });
    attest(stream, root)?;
    device.join().map_err(|_| "the device panicked")??;
    Ok(())
}

fn over_tcp(capabilities: Caps) -> Config {
    Config { binding: Binding::Tcp, ..Config::with(capabilities) }
}

/// Runs the requester's side.
fn attest(stream: TcpStream, root: Certificate) -> Result<(), Box<dyn Error>> {
    let mut link = Link(Connection::tcp(stream));
    let roots = Box::new(Roots::new(vec![root]));
    let mut requester = Requester::new(over_tcp(CAPABILITIES), Identity::default(), roots);

    requester.run(Connect::new(), &mut link)?;
    let connection = requester.connection();
    println!("connected: {:?}, {:?}", connection.version(), connection.negotiated());
    for slot in requester.run(FetchDigests, &mut link)? {
        let chain = requester.run(FetchCertificate::new(slot.slot), &mut link)?;
        println!("slot {}: a chain of {} bytes, trusted", slot.slot, chain.len());
    }
    requester.run(ChallengeResponder::new(0, 0), &mut link)?;
    println!("the device authenticated with slot 0");

    let session = requester.run(OpenSession::new(0), &mut link)?;
    println!("session {session:08x} is open");
    let measured = requester.run(Measure::all_signed(0).within(session), &mut link)?;
    for block in &measured.blocks {
        println!("measurement {}: type {}, {} bytes", block.index, block.kind, block.value.len());
    }
    requester.run(End(session), &mut link)?;
    Ok(())
}

/// The requester's transport.
struct Link(Connection<TcpStream>);

impl Carrier for Link {
    type Error = Box<dyn Error>;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Self::Error> {
        let (kind, request) = packet.parts();
        self.0.send(kind, request)?;
        let answer = match self.0.receive()? {
            Received::Message(kind, response) => Packet::new(kind, response.to_vec()),
            Received::Command(..) => None,
            Received::Closed => return Err("the device closed the connection".into()),
        };
        Ok(answer.ok_or("the answer is not an SPDM message")?)
    }
}

/// Runs the responder's side until the requester closes the connection.
fn serve(stream: TcpStream, responder: &mut Responder) -> Result<(), StreamError> {
    let mut connection = Connection::tcp(stream);
    let mut message = Vec::new();
    loop {
        let silent = Instant::now();
        let packet = match connection.serve(&mut message)? {
            Request::Message(kind) => Packet::new(kind, std::mem::take(&mut message)),
            Request::Command(_) => None,
            Request::Closed => return Ok(()),
        };
        let packet = packet.ok_or(StreamError::Unexpected { expected: "an SPDM request" })?;
        // a requester that is silent for twice HeartbeatPeriod loses its session
        responder.advance(silent.elapsed());
        let answer = responder.receive(&packet);
        let (kind, response) = answer.parts();
        connection.send(kind, response)?;
    }
}

/// A device with one measurement of its firmware.
struct Firmware;

impl Device for Firmware {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let firmware = MeasuredValue::Hashed(b"the firmware's bytes".to_vec());
        let version = MeasuredValue::Raw(b"1.0.0".to_vec());
        Ok(vec![
            Measurement { index: 1, kind: 1, value: firmware, tcb: true },
            Measurement { index: 2, kind: 6, value: version, tcb: false },
        ])
    }
}

/// Creates a root certificate, and a device with a chain and a key in slot 0.
fn manufacture() -> Result<(Certificate, Identity), Box<dyn Error>> {
    let (row, rng) = (signature_by_name(ALGORITHM)?, &mut SystemRng);
    let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
    let root = self_signed(&Template::new("CN=Example root", Profile::Root)?, &root_key, rng)?;
    let template = Template::new("CN=Example device", Profile::end_entity(&[])?)?;
    let leaf = issue(&template, key.public_key(), &root, &root_key, rng)?;
    let asym = Asym::by_name(ALGORITHM).ok_or("SPDM has no such algorithm")?;
    let signer = Arc::new(LocalSigner::new(asym, key)?);
    Ok((root.clone(), Identity::default().with(Slot::new(0, vec![root, leaf], signer))))
}

#[cfg(test)]
#[test]
fn requester_trusts_the_device() {
    main().unwrap();
}
