//! A requester and a responder that have spoken with each other, and packets to go on with.

use crate::Counter;
use grille_core::{SecretBytes, SystemRng};
use grille_pki::issue::{Profile, Template, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::signature_by_name;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::algorithms::{Asym, CLASSICAL};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::Error;
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operations::{
    Beat, Connect, Describe, End, FetchCertificate, FetchDigests, FetchEventTypes, FetchKeyPair, FetchLog,
    Listen, Measure, OpenPskSession, OpenSession, Prove, Update,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Everyone;
use std::sync::{Arc, OnceLock};

/// Both sides, negotiated, with the responder's chain fetched.
pub struct Talk {
    /// The requester.
    pub requester: Requester,
    /// The responder.
    pub responder: Responder,
}

struct Measured;

impl Device for Measured {
    fn measurements(&mut self, _pending: bool) -> Vec<Measurement> {
        vec![Measurement { index: 1, kind: 0, value: MeasuredValue::Hashed(vec![1]), tcb: true }]
    }
}

struct Wire<'r>(&'r mut Responder);

impl Carrier for Wire<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        Ok(self.0.receive(&packet))
    }
}

/// One key and chain for all inputs.
fn credential() -> &'static (Vec<Certificate>, Arc<LocalSigner>) {
    static MADE: OnceLock<(Vec<Certificate>, Arc<LocalSigner>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let row = signature_by_name("ECDSA-P256").expect("a row");
        let key = PrivateKey::generate(row, &mut SystemRng).expect("a key");
        let template = Template::new("CN=fuzz", Profile::Root).expect("a template");
        let chain = vec![self_signed(&template, &key, &mut SystemRng).expect("a certificate")];
        let asym = CLASSICAL.iter().find(|row| row.name.ends_with("P256")).expect("a row");
        (chain, Arc::new(LocalSigner::new(Asym::Classical(asym), key).expect("a signer")))
    })
}

/// All that SPDM has, but for what excludes other capabilities.
fn config(excluded: CapabilityFlags) -> Config {
    let left_out = excluded
        | CapabilityFlags::PUB_KEY_ID
        | CapabilityFlags::HANDSHAKE_IN_THE_CLEAR
        | CapabilityFlags::MEAS_NO_SIG
        | CapabilityFlags::EP_INFO_NO_SIG
        | CapabilityFlags::MULTI_KEY_ONLY;
    Config::with(CapabilityFlags(!left_out.0))
}

impl Talk {
    /// Of 1.4 with ECDSA P-256.
    ///
    /// # Panics
    /// If the sides do not agree: the fuzzer's own mistake.
    #[must_use]
    pub fn new() -> Self {
        let (chain, signer) = credential();
        let own = Identity::default().with(Slot::new(0, chain.clone(), signer.clone()));
        let own = own.with_psk(b"fuzz", SecretBytes::new(vec![7; 32]));
        let rng = || Box::new(Counter::default());
        let responder =
            Responder::with_rng(config(CapabilityFlags::PSK), own.clone(), Box::new(Measured), rng());
        let requester = config(CapabilityFlags::PSK_WITH_CONTEXT);
        let mut talk =
            Self { requester: Requester::with_rng(requester, own, Box::new(Everyone), rng()), responder };
        let wire = &mut Wire(&mut talk.responder);
        talk.requester.run(Connect::new(), wire).expect("both sides agree");
        talk.requester.run(FetchCertificate::new(0), wire).expect("a chain");
        talk
    }

    /// A session of both.
    ///
    /// # Panics
    /// If none is opened: the fuzzer's own mistake.
    pub fn session(&mut self) -> SessionId {
        let opened = self.requester.run(OpenPskSession::new(b"fuzz"), &mut Wire(&mut self.responder));
        opened.expect("a session")
    }
}

impl Default for Talk {
    fn default() -> Self {
        Self::new()
    }
}

/// Lets the requester run the operation that `choice` chooses, and does not mind how it ends.
pub fn operate<C: Carrier>(choice: u8, requester: &mut Requester, session: SessionId, carrier: &mut C) {
    let mut run = Run { requester, carrier };
    match choice % OPERATIONS {
        0 => run.to_its_end(Connect::new()),
        1 => run.to_its_end(FetchDigests),
        2 => run.to_its_end(FetchCertificate::new(0)),
        3 => run.to_its_end(Prove::new(0, 0xFF)),
        4 => run.to_its_end(Measure::all_signed(0)),
        5 => run.to_its_end(OpenSession::new(0)),
        6 => run.to_its_end(OpenPskSession::new(b"fuzz")),
        7 => run.to_its_end(Beat(session)),
        8 => run.to_its_end(Update::all_keys(session)),
        9 => run.to_its_end(End(session)),
        10 => run.to_its_end(Describe { sub_code: 1, signed: None }),
        11 => run.to_its_end(FetchKeyPair(1)),
        12 => run.to_its_end(FetchLog::default()),
        13 => run.to_its_end(FetchEventTypes.within(session)),
        14 => run.to_its_end(Listen::outside()),
        _ => run.to_its_end(Measure::new(0)),
    }
}

/// How many operations [`operate`] knows.
pub const OPERATIONS: u8 = 16;

struct Run<'r, C> {
    requester: &'r mut Requester,
    carrier: &'r mut C,
}

impl<C: Carrier> Run<'_, C> {
    fn to_its_end<O: Operation>(&mut self, operation: O) {
        let _ = self.requester.run(operation, self.carrier);
    }
}

/// What both sides said.
struct Recorded<'r> {
    wire: Wire<'r>,
    requests: Vec<u8>,
    answers: Vec<u8>,
}

impl Carrier for Recorded<'_> {
    type Error = Error;

    fn exchange(&mut self, request: Packet) -> Result<Packet, Error> {
        append(&mut self.requests, &request);
        let answer = self.wire.exchange(request)?;
        append(&mut self.answers, &answer);
        Ok(answer)
    }
}

/// Writes a packet as [`packets`] reads it: 0 in the clear, 1 in a record.
fn append(input: &mut Vec<u8>, packet: &Packet) {
    let (place, Packet::Message(bytes) | Packet::Secured(bytes)) = match packet {
        Packet::Message(_) => (0, packet),
        Packet::Secured(_) => (1, packet),
    };
    let len = u16::try_from(bytes.len()).expect("no message here is longer").to_le_bytes();
    input.extend_from_slice(&[&[place], &len[..], bytes].concat());
}

/// Seeds: the requests and the answers of an operation between both sides. Session keys are the same in every run,
/// signatures are not.
#[must_use]
pub fn recorded(choice: u8) -> (Vec<u8>, Vec<u8>) {
    let mut talk = Talk::new();
    let session = talk.session();
    let wire = Wire(&mut talk.responder);
    let mut recorded = Recorded { wire, requests: Vec::new(), answers: Vec::new() };
    operate(choice, &mut talk.requester, session, &mut recorded);
    (recorded.requests, recorded.answers)
}

/// The packets of an input: a byte, the length in two bytes little-endian, and so many bytes, at most the rest.
pub fn packets(mut data: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    core::iter::from_fn(move || {
        let (&[place, low, high], rest) = data.split_first_chunk()?;
        let (bytes, rest) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([low, high]))));
        data = rest;
        Some((place, bytes))
    })
}
