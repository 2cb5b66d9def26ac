//! A byte-level requester. It sends the messages of a case and checks signatures, MACs and records with the engine's
//! key schedule and transcripts. `traces.rs` checks the key schedule and the transcripts against DMTF's captures.

use crate::common::{Sample, classical, credential};
use grille_core::SystemRng;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp, session_id};
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::opaque::Secured;
use grille_spdm_codec::{Message, Sizes, Version};
use grille_spdm_engine::algorithms::{Bits, NegotiatedAlgorithms, dhe};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic};
use grille_spdm_engine::records::{Layout, RecordKey};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::{self, ToBeSigned};
use grille_spdm_engine::transcript::{MeasurementTranscript, Prover, Th, Transcript};

/// The responder's capabilities.
pub(crate) const RESPONDER: Caps = Caps(crate::common::ALL.0 | Caps::HANDSHAKE_IN_THE_CLEAR.0);
/// The tester's capabilities, unless a case says otherwise.
pub(crate) const TESTER: Caps = crate::common::REQUESTER;
/// P-384, SHA-384, secp384r1, AES-256-GCM.
const BITS: Bits = Bits {
    hash: 2,
    asym: 1 << 7,
    pqc_asym: 0,
    dhe: 1 << 4,
    aead: 2,
    req_asym: 0,
    key_schedule: 1,
    req_pqc_asym: 0,
    kem: 0,
    measurement_hash: 0,
    hybrid_asym: 0,
    req_hybrid_asym: 0,
    hybrid_kem: 0,
};
const LAYOUT: Layout = Layout { sequence_len: 2, padding: 32, encrypted: true };
/// The length of hashes in bytes. Signatures and exchange data have [`SIGNATURE_LEN`] bytes.
const HASH_LEN: usize = 48;
const SIGNATURE_LEN: usize = 96;

/// The messages before CHALLENGE, DSP0274 "M1/M2".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum B {
    /// B1.
    DigestsAndCertificate,
    /// B2.
    Nothing,
    /// B3.
    Digests,
    /// B4.
    Certificate,
}

/// A conversation.
pub(crate) struct Tester {
    responder: Responder,
    pub(crate) version: Version,
    flags: Caps,
    transcript: Transcript,
    pub(crate) digest: Option<Vec<u8>>,
    pub(crate) chain: Option<Chain>,
    session: Option<Session>,
}

/// A session after KEY_EXCHANGE_RSP.
struct Session {
    id: u32,
    th: Th,
    measured: MeasurementTranscript,
    stage: Stage,
    keys: [RecordKey; 2],
    clear: bool,
}

enum Stage {
    Handshake(KeySchedule<Handshake>, Traffic<Handshake>),
    Application(Traffic<Application>),
}

/// Constructors.
impl Tester {
    pub(crate) fn new(version: Version, flags: Caps) -> Self {
        let credential = credential(classical("P384"));
        let config = Config { heartbeat: 10, ..Config::with(RESPONDER) };
        Self {
            responder: Responder::new(config, credential.identity(), Box::new(Sample)),
            version,
            flags,
            transcript: Transcript::default(),
            digest: None,
            chain: None,
            session: None,
        }
    }

    /// Creates a conversation after VERSION.
    pub(crate) fn versioned(version: Version, flags: Caps) -> Self {
        let mut tester = Self::new(version, flags);
        tester.get_version();
        tester
    }

    /// Creates a conversation after ALGORITHMS.
    pub(crate) fn negotiated(version: Version, flags: Caps) -> Self {
        let mut tester = Self::new(version, flags);
        tester.vca();
        tester
    }

    /// Creates a conversation after CERTIFICATE.
    pub(crate) fn identified(version: Version, flags: Caps) -> Self {
        let mut tester = Self::negotiated(version, flags);
        tester.get_digests();
        tester.get_certificate();
        tester
    }

    /// Creates a session with an incomplete handshake.
    pub(crate) fn in_handshake_phase(version: Version, flags: Caps) -> Self {
        let mut tester = Self::identified(version, flags);
        tester.key_exchange(0);
        tester
    }

    /// Creates a session with a complete handshake.
    pub(crate) fn in_session(version: Version, flags: Caps) -> Self {
        let mut tester = Self::in_handshake_phase(version, flags);
        tester.finish();
        tester
    }

    /// Negotiates from the first message on.
    pub(crate) fn vca(&mut self) {
        self.get_version();
        self.ask_vca(&self.get_capabilities());
        self.ask_vca(&self.negotiate_algorithms());
        self.transcript.begin(algorithms().hash, self.version);
    }

    pub(crate) fn get_version(&mut self) -> Vec<u8> {
        self.transcript = Transcript::default();
        self.ask_vca(&[0x10, 0x84, 0, 0])
    }

    pub(crate) fn ask_vca(&mut self, request: &[u8]) -> Vec<u8> {
        let response = self.ask(request);
        assert_eq!(response[1], request[1] & 0x7F, "{response:02x?}");
        self.transcript.push_vca(request);
        self.transcript.push_vca(&response);
        response
    }
}

/// Encoders of requests.
impl Tester {
    pub(crate) fn header(&self, code: u8, params: [u8; 2]) -> Vec<u8> {
        vec![self.version.byte(), code, params[0], params[1]]
    }

    pub(crate) fn get_capabilities(&self) -> Vec<u8> {
        let mut request = self.header(0xE1, [0, 0]);
        if self.version >= Version::V1_1 {
            request.extend_from_slice(&[0; 4]);
            request.extend_from_slice(&self.flags.0.to_le_bytes());
        }
        if self.version >= Version::V1_2 {
            request.extend_from_slice(&0x1200_u32.to_le_bytes());
            request.extend_from_slice(&0x4_0000_u32.to_le_bytes());
        }
        request
    }

    pub(crate) fn negotiate_algorithms(&self) -> Vec<u8> {
        let tables = self.version >= Version::V1_1;
        let mut request = self.header(0xE3, [if tables { 4 } else { 0 }, 0]);
        let format = if self.version >= Version::V1_2 { 2 } else { 0 };
        request.extend_from_slice(&[if tables { 0x30 } else { 0x20 }, 0, 1, format]);
        request.extend_from_slice(&BITS.asym.to_le_bytes());
        request.extend_from_slice(&BITS.hash.to_le_bytes());
        request.extend_from_slice(&[0; 16]);
        if tables {
            let [dhe, aead] = [BITS.dhe as u8, BITS.aead as u8];
            request.extend_from_slice(&[2, 0x20, dhe, 0, 3, 0x20, aead, 0, 4, 0x20, 0x80, 0, 5, 0x20, 1, 0]);
        }
        request
    }

    pub(crate) fn challenge_request(&self, slot: u8, summary_type: u8) -> Vec<u8> {
        let challenge = Challenge { slot, summary_type, nonce: [7; 32], context: [9; 8] };
        self.encode(&challenge, &Sizes::default())
    }

    pub(crate) fn get_measurements(&self, attributes: u8, operation: u8, slot: u8) -> Vec<u8> {
        let request = GetMeasurements { attributes, operation, nonce: [7; 32], slot, context: [9; 8] };
        self.encode(&request, &Sizes::default())
    }

    /// Encodes KEY_EXCHANGE whose response is never decapsulated.
    pub(crate) fn key_exchange_request(&self, slot: u8, summary_type: u8, data: &[u8]) -> Vec<u8> {
        let mut opaque = [0; 64];
        let supported = [[0, 0x10], [0, 0x11], [0, 0x12]];
        let offer = Secured { supported: &supported, ..Secured::default() };
        let len = offer.encode(self.version, &mut opaque).unwrap();
        let request = KeyExchange {
            summary_type,
            slot,
            session: 0xFFFF,
            policy: u8::from(self.version >= Version::V1_2),
            random: [3; 32],
            exchange_data: data,
            opaque: &opaque[..len],
        };
        self.encode(&request, &Sizes { exchange_data: data.len(), ..Sizes::default() })
    }

    fn encode<'a>(&self, message: &impl Message<'a>, sizes: &Sizes) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        let len = message.encode(self.version, sizes, &mut bytes).unwrap();
        bytes.truncate(len);
        bytes
    }
}

/// Methods that send requests and check responses.
impl Tester {
    /// Sends a request, in the session if there is one, and returns the response.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Vec<u8> {
        let Some(session) = &mut self.session else { return self.plain(request) };
        let handshake = matches!(session.stage, Stage::Handshake(..));
        if session.clear && handshake {
            return self.plain(request);
        }
        // MCTP's message type of SPDM
        let inside = [&[5], request].concat();
        let record = session.keys[0].seal(session.id, LAYOUT, &inside, &mut SystemRng).unwrap();
        match self.responder.receive(&Packet::Secured(record)) {
            Packet::Secured(record) => session.keys[1].open(LAYOUT, &record).unwrap()[1..].to_vec(),
            Packet::Message(response) => panic!("in the clear: {response:02x?}"),
        }
    }

    /// Sends a request outside sessions and returns the response.
    pub(crate) fn plain(&mut self, request: &[u8]) -> Vec<u8> {
        match self.responder.receive(&Packet::Message(request.to_vec())) {
            Packet::Message(response) => response,
            Packet::Secured(record) => panic!("a record: {record:02x?}"),
        }
    }

    /// Checks that the request is answered with ERROR of this code, in the negotiated version and without data.
    pub(crate) fn refused(&mut self, request: &[u8], code: ErrorCode) {
        let response = self.ask(request);
        let expected = [self.version.byte(), 0x7F, code.0, 0];
        assert_eq!(response, expected, "{:?}: {request:02x?}", self.version);
    }

    /// Checks that the request is refused in the next higher and lower version.
    pub(crate) fn mismatched(&mut self, request: &[u8]) {
        for version in [self.version.byte() + 1, self.version.byte() - 1] {
            let mut request = request.to_vec();
            request[0] = version;
            self.refused(&request, ErrorCode::VERSION_MISMATCH);
        }
    }

    fn sizes(&self) -> Sizes {
        Sizes { hash: HASH_LEN, ..Sizes::default() }
    }

    pub(crate) fn get_digests(&mut self) -> Vec<u8> {
        let request = self.header(0x81, [0, 0]);
        let response = self.ask(&request);
        self.transcript.reset_b(Prover::Responder);
        self.transcript.push_b(Prover::Responder, &[&request, &response]);
        self.digest = Some(response[4..].to_vec());
        response
    }

    /// Fetches the chain in portions of 0x400 bytes.
    pub(crate) fn get_certificate(&mut self) {
        let mut whole = Vec::new();
        loop {
            let request = GetCertificate {
                offset: u32::try_from(whole.len()).unwrap(),
                length: 0x400,
                ..GetCertificate::default()
            };
            let request = self.encode(&request, &Sizes::default());
            let response = self.ask(&request);
            self.transcript.push_b(Prover::Responder, &[&request, &response]);
            let part = Certificate::decode(&response, &self.sizes()).unwrap();
            assert!((1..=0x400).contains(&part.portion.len()));
            // CertificateInfo is sent only on multi-key connections
            assert_eq!((part.slot, part.certificate_info), (0, 0));
            whole.extend_from_slice(part.portion);
            if part.remainder == 0 {
                break;
            }
        }
        self.chain = Some(chain::parse(algorithms().hash, &whole).unwrap());
    }

    fn verify(&self, context: &'static str, digest: &Digest, signature: &[u8]) {
        let message = ToBeSigned::new(self.version, context, algorithms().hash, digest);
        let key = self.chain.as_ref().unwrap().leaf.public_key().unwrap();
        signatures::verify(algorithms().asym.unwrap(), &key, &message, signature).unwrap();
    }

    /// Sends CHALLENGE and checks all of CHALLENGE_AUTH.
    pub(crate) fn challenge(&mut self, summary_type: u8) {
        let request = self.challenge_request(0, summary_type);
        let response = self.ask(&request);
        let summary_hash = if summary_type == 0 { 0 } else { HASH_LEN };
        let sizes = Sizes { summary_hash, signature: SIGNATURE_LEN, ..self.sizes() };
        let answer = ChallengeAuth::decode(&response, &sizes).unwrap();
        assert_eq!((response[0], answer.attribute & 0xF), (self.version.byte(), 0));
        assert!(answer.slots & 1 != 0);
        assert_eq!(answer.chain_hash, self.chain.as_ref().unwrap().digest.as_ref());
        if self.version >= Version::V1_3 {
            assert_eq!(answer.context, [9; 8]);
        }
        let (body, signature) = response.split_at(response.len() - SIGNATURE_LEN);
        let m = self.transcript.m1_m2(Prover::Responder, &[&request, body]).unwrap().digest();
        self.transcript.reset_b(Prover::Responder);
        self.verify(signatures::CHALLENGE_AUTH, &m, signature);
    }

    /// Sends the messages of `b`, then CHALLENGE.
    pub(crate) fn challenge_after(&mut self, b: B, summary_type: u8) {
        self.transcript.reset_b(Prover::Responder);
        if matches!(b, B::DigestsAndCertificate | B::Digests) {
            self.get_digests();
        }
        if matches!(b, B::DigestsAndCertificate | B::Certificate) {
            self.get_certificate();
        }
        self.challenge(summary_type);
    }

    /// Sends GET_MEASUREMENTS and verifies the signature, if requested. Returns the total, the number of blocks and the record.
    pub(crate) fn measure(&mut self, signed: bool, operation: u8) -> (u8, u8, Vec<u8>) {
        let request = self.get_measurements(u8::from(signed), operation, 0);
        let response = self.ask(&request);
        let sizes = Sizes { signature: if signed { SIGNATURE_LEN } else { 0 }, ..self.sizes() };
        let answer = Measurements::decode(&response, &sizes).unwrap();
        let unchanged = if signed && self.version >= Version::V1_2 { Measurements::UNCHANGED } else { 0 };
        assert_eq!((response[0], answer.slot), (self.version.byte(), unchanged));
        if self.version >= Version::V1_3 {
            assert_eq!(answer.context, [9; 8]);
        }
        let mut session = self.session.as_mut().map(|session| &mut session.measured);
        if signed {
            let (body, signature) = response.split_at(response.len() - SIGNATURE_LEN);
            let l = self.transcript.l1_l2(session.as_deref(), &[&request, body]).unwrap().digest();
            self.transcript.reset_l(session);
            self.verify(signatures::MEASUREMENTS, &l, signature);
        } else {
            self.transcript.push_l(session.take(), &[&request, &response]);
        }
        (answer.total, answer.blocks, answer.record.to_vec())
    }
}

/// Methods for sessions.
impl Tester {
    pub(crate) fn clear(&self) -> bool {
        self.flags.contains(Caps::HANDSHAKE_IN_THE_CLEAR)
    }

    /// Sends KEY_EXCHANGE and checks all of KEY_EXCHANGE_RSP.
    pub(crate) fn key_exchange(&mut self, summary_type: u8) {
        self.session = None;
        let (hash, exchange) = (algorithms().hash, dhe(4).unwrap());
        let key = exchange.kem().generate(&mut SystemRng);
        let request = self.key_exchange_request(0, summary_type, exchange.to_wire(&key.encaps_key_bytes()));
        let response = self.ask(&request);
        let verify_data = if self.clear() { 0 } else { HASH_LEN };
        let sizes = Sizes {
            exchange_data: exchange.response_len(),
            summary_hash: if summary_type == 0 { 0 } else { HASH_LEN },
            signature: SIGNATURE_LEN,
            verify_data,
            ..self.sizes()
        };
        let answer = KeyExchangeRsp::decode(&response, &sizes).unwrap();
        assert_eq!((response[0], answer.mut_auth, answer.req_slot), (self.version.byte(), 0, 0));
        let (signed, mac) = response.split_at(response.len() - verify_data);
        let (body, signature) = signed.split_at(signed.len() - SIGNATURE_LEN);
        let mut th =
            Th::new(self.transcript.vca().unwrap(), None, Some(&self.chain.as_ref().unwrap().digest));
        th.push(&request);
        th.push(body);
        self.verify(signatures::KEY_EXCHANGE_RSP, &th.digest(), signature);
        th.push(signature);
        let shared = key.decapsulate(&exchange.from_wire(answer.exchange_data)).unwrap();
        let schedule = KeySchedule::new(hash, self.version, Origin::KeyExchange, shared.as_ref());
        let traffic = schedule.traffic(&th.digest());
        if !self.clear() {
            assert_eq!(traffic.response.verify_data(&th.digest()).as_ref(), mac);
            th.push(mac);
        }
        let keys = record_keys(&traffic);
        self.session = Some(Session {
            id: session_id(0xFFFF, answer.session),
            th,
            measured: MeasurementTranscript::default(),
            stage: Stage::Handshake(schedule, traffic),
            keys,
            clear: self.clear(),
        });
    }

    /// Encodes FINISH with these parameters, and RequesterVerifyData altered by `flip`.
    pub(crate) fn finish_request(&self, params: [u8; 2], flip: u8) -> Vec<u8> {
        let session = self.session.as_ref().unwrap();
        let Stage::Handshake(_, traffic) = &session.stage else { panic!("the handshake is over") };
        let mut request = self.header(0xE5, params);
        if self.version >= Version::V1_4 {
            request.extend_from_slice(&[0, 0]);
        }
        let mut th = session.th.clone();
        th.push(&request);
        let mut mac = traffic.request.verify_data(&th.digest()).as_ref().to_vec();
        mac[0] ^= flip;
        [request, mac].concat()
    }

    /// Sends FINISH and checks all of FINISH_RSP.
    pub(crate) fn finish(&mut self) {
        let request = self.finish_request([0, 0], 0);
        let response = self.ask(&request);
        assert_eq!(response[..4], [self.version.byte(), 0x65, 0, 0]);
        let clear = self.clear();
        let mut session = self.session.take().unwrap();
        let (body, mac) = response.split_at(response.len() - if clear { HASH_LEN } else { 0 });
        assert_eq!(body.len(), if self.version >= Version::V1_4 { 6 } else { 4 });
        session.th.push(&request);
        session.th.push(body);
        let Stage::Handshake(schedule, traffic) = session.stage else { panic!("the handshake is over") };
        if clear {
            assert_eq!(traffic.response.verify_data(&session.th.digest()).as_ref(), mac);
            session.th.push(mac);
        }
        let traffic = schedule.finish().traffic(&session.th.digest());
        let keys = record_keys(&traffic);
        self.session = Some(Session { keys, stage: Stage::Application(traffic), ..session });
    }

    /// Sends KEY_UPDATE with this operation, and checks the key of the answer.
    pub(crate) fn key_update(&mut self, operation: u8, tag: u8) {
        let request = self.header(0xE9, [operation, tag]);
        let inside = [&[5], &request[..]].concat();
        let version = self.version.byte();
        let session = self.session.as_mut().unwrap();
        let Stage::Application(traffic) = &mut session.stage else { panic!("in the handshake") };
        let record = session.keys[0].seal(session.id, LAYOUT, &inside, &mut SystemRng).unwrap();
        let aead = algorithms().aead.unwrap();
        if operation == 2 {
            traffic.response = traffic.response.update();
            session.keys[1] = traffic.response.record_key(aead);
        }
        if operation != 3 {
            traffic.request = traffic.request.update();
            session.keys[0] = traffic.request.record_key(aead);
        }
        let Packet::Secured(record) = self.responder.receive(&Packet::Secured(record)) else {
            panic!("in the clear")
        };
        let response = session.keys[1].open(LAYOUT, &record).unwrap();
        assert_eq!(*response, [5, version, 0x69, operation, tag]);
    }

    /// Returns the number of the responder's sessions.
    pub(crate) fn sessions(&self) -> usize {
        self.responder.sessions().count()
    }
}

fn record_keys<S>(traffic: &Traffic<S>) -> [RecordKey; 2] {
    let aead = algorithms().aead.unwrap();
    [traffic.request.record_key(aead), traffic.response.record_key(aead)]
}

pub(crate) fn algorithms() -> NegotiatedAlgorithms {
    BITS.algorithms(&BITS).unwrap()
}
