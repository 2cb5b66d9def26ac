//! A requester and a responder after their negotiation, and the packets of an input.

pub mod kind;
pub mod recorded;
pub mod records;

use crate::Counter;
use grille_core::{CryptoRng, SecretBytes};
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PublicKey};
use grille_registry::{KemRow, SignatureRow};
use grille_spdm_codec::Version;
use grille_spdm_codec::bank::{GetCsr, ManageSlot, SetCertificate, SlotAddress};
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::csr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::list::{Item, encode};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_engine::algorithms::{Asym, CLASSICAL};
use grille_spdm_engine::chain;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, AnswerRequests, ChallengeResponder, Connect, End, EventList, FetchCertificate,
    FetchCsr, FetchDigests, FetchEndpointInfo, FetchEventTypes, FetchKeyPair, FetchLog, ManageSlots, Measure,
    OpenPskSession, OpenSession, ResponderRequest, SendEvents, SendHeartbeat, SetChain, SetKeyPair,
    Subscribe, UpdateKeys, VendorRequest,
};
use grille_spdm_engine::pqc2021::{Kem, PeerKeys, Signature, kem_row, signature_row};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::{LocalSigner, Signer, ToBeSigned};
use grille_spdm_engine::trust::DangerousAcceptAny;
use kind::{KEM, Kind, SIGNATURE};
use records::{Keys, LoggedSecrets};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A requester and a responder that have completed the negotiation. The requester has also fetched the responder's
/// chain.
pub struct Peers {
    /// The requester under test.
    pub requester: Requester,
    /// The responder under test.
    pub responder: Responder,
    /// The keys of sessions, as both sides log them.
    pub keys: Keys,
}

/// A device with every feature and one key pair, which accepts every request.
struct FullDevice {
    pair: KeyPair,
}

impl FullDevice {
    fn new() -> Self {
        let pair = KeyPair {
            capabilities: KeyPairCapabilities(0x3F),
            usage_capabilities: KeyUsage(0xF),
            usage: KeyUsage(0xF),
            asym_capabilities: KeyPairAsym(0xFF),
            asym: KeyPairAsym::ED25519,
            slots: 1,
            pqc_capabilities: vec![7],
            ..KeyPair::default()
        };
        Self { pair }
    }
}

impl Device for FullDevice {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(vec![Measurement { index: 1, kind: 0, value: MeasuredValue::Hashed(vec![1]), tcb: true }])
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(vec![0; 300])
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, _: &[u8], data: &[u8]) -> Result<Vec<u8>, Refusal> {
        Ok(data.to_vec())
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        (sub_code == 1).then(|| vec![0; 12]).ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, request: &csr::GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        Ok(request.requester_info.to_vec())
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        Ok(vec![self.pair.clone()])
    }

    fn set_key_pair(&mut self, _: Option<SessionId>, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        (self.pair.usage, self.pair.asym, self.pair.slots) = (request.usage, request.asym, request.slots);
        Ok(())
    }

    fn key(&mut self, _: u8) -> Option<(PublicKey, Arc<dyn Signer>)> {
        Some((public_key(), credential().1.clone()))
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(device_event_types())
    }

    fn subscribe(&mut self, _: SessionId, _: &EventTypes) -> Result<(), Refusal> {
        Ok(())
    }

    fn events_received(&mut self, _: SessionId, _: &EventList) -> Result<(), Refusal> {
        Ok(())
    }

    fn application(&mut self, _: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Some(message.to_vec())
    }
}

/// SupportedEventGroupsList with one of DMTF's event types, CERTIFICATE_CHANGED.
const EVENT_GROUPS: [u8; 14] = [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0];

/// Returns the event types that the device supports: only CERTIFICATE_CHANGED.
fn device_event_types() -> EventTypes {
    EventTypes { count: 1, groups: EVENT_GROUPS.to_vec() }
}

/// Makes an event: the certificate in slot 0 has changed.
fn certificate_event() -> Vec<u8> {
    encode_item(Event { event_type: Event::CERTIFICATE_CHANGED, detail: &[1], ..Event::default() })
}

struct Wire<'r>(&'r mut Responder);

impl Carrier for Wire<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        Ok(self.0.receive(&packet))
    }

    fn wait(&mut self, _: Duration) {}
}

/// A wire that counts the packets sent.
struct CountingWire<'r>(Wire<'r>, usize);

impl Carrier for CountingWire<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        self.1 += 1;
        self.0.exchange(packet)
    }

    fn wait(&mut self, _: Duration) {}
}

/// A wire that fails the next exchange once both sides have opened a session.
struct OpeningWire<'r>(Wire<'r>, LoggedSecrets);

impl Carrier for OpeningWire<'_> {
    type Error = Option<Error>;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Option<Error>> {
        if self.1.opened_by_both() { Err(None) } else { Ok(self.0.exchange(packet)?) }
    }

    fn wait(&mut self, _: Duration) {}
}

/// Returns the key and the chain of both sides, which are the same for all inputs and all runs. Ed25519 signatures are
/// deterministic, so signatures of seeds remain valid. Before SPDM 1.2, the chain is sent in two portions.
fn credential() -> &'static (Vec<Certificate>, Arc<LocalSigner>) {
    static MADE: OnceLock<(Vec<Certificate>, Arc<LocalSigner>)> = OnceLock::new();
    MADE.get_or_init(|| {
        let [own, between, device] = [5, 6, 7].map(key);
        let rng = &mut Counter::default();
        let root = self_signed(&template("CN=root", Profile::Root), &own, rng).expect("a certificate");
        let ca = template("CN=between", Profile::Intermediate { path_len: 0 });
        let ca = issue(&ca, between.public_key(), &root, &own, rng).expect("a certificate");
        let leaf = template("CN=fuzz", Profile::EndEntity { names: Vec::new() });
        let leaf = issue(&leaf, device.public_key(), &ca, &between, rng).expect("a certificate");
        let asym = CLASSICAL.iter().find(|row| row.name == "Ed25519").expect("a row");
        (vec![root, ca, leaf], Arc::new(LocalSigner::new(Asym::Classical(asym), device).expect("a signer")))
    })
}

fn key(byte: u8) -> PrivateKey {
    // PKCS #8 around the 32 bytes of a key, RFC 8410 section 7
    let before = [0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 34, 4, 32];
    PrivateKey::from_pem_or_der(&[&before[..], &[byte; 32]].concat()).expect("a key")
}

fn template(subject: &str, profile: Profile) -> Template {
    Template::at(Duration::from_secs(1 << 30), subject, profile).expect("a template")
}

/// Returns the public key of [`credential`].
fn public_key() -> PublicKey {
    credential().0[2].public_key().expect("a key")
}

/// A key that signs only at the second attempt.
struct RetryingSigner {
    signer: Arc<LocalSigner>,
    was_deferred: AtomicBool,
}

impl Signer for RetryingSigner {
    fn algorithm(&self) -> Asym {
        self.signer.algorithm()
    }

    fn sign(
        &self,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, grille_core::Error> {
        if self.was_deferred.fetch_xor(true, Ordering::Relaxed) {
            self.signer.sign(message, rng)
        } else {
            Ok(None)
        }
    }
}

impl Peers {
    /// Makes both sides with Ed25519 and runs the negotiation.
    ///
    /// # Panics
    /// Panics if the negotiation fails, which is a bug of the fuzzer.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let logged = LoggedSecrets::default();
        let (mut requester, mut responder) = create_peers(kind, &logged);
        let wire = &mut Wire(&mut responder);
        requester.run(Connect::new(), wire).expect("both sides agree");
        if !kind.knows_keys() {
            requester.run(FetchCertificate::new(0), wire).expect("a chain");
        }
        let algorithms = requester.connection().negotiated().expect("both sides agree").algorithms;
        Self { requester, responder, keys: Keys { logged, kind, algorithms, sent_records: 0 } }
    }

    /// Opens a session. The kind decides whether the handshake of the session is finished.
    ///
    /// # Panics
    /// Panics if no session is opened, which is a bug of the fuzzer.
    pub fn session(&mut self) -> SessionId {
        if self.keys.kind.uses_key_exchange() {
            self.run_opening(OpenSession::new(self.keys.kind.slot()))
        } else {
            self.run_opening(OpenPskSession::new(b"fuzz"))
        }
    }

    fn run_opening(&mut self, opening: impl Operation<Output = SessionId>) -> SessionId {
        if self.keys.kind.is_in_handshake() {
            let wire = Wire(&mut self.responder);
            let ended = self.requester.run(opening, &mut OpeningWire(wire, self.keys.logged.clone()));
            assert!(matches!(ended, Err(None)), "{ended:?}");
            return self.keys.logged.session();
        }
        self.requester.run(opening, &mut Wire(&mut self.responder)).expect("a session")
    }

    /// Prepares the operation `choice` of [`operate`]. Opens a session, unless the kind leaves the handshake
    /// unfinished: then `operate` itself starts the handshake.
    ///
    /// # Panics
    /// Panics under the conditions of [`Peers::session`] and [`Peers::prepare`].
    pub fn begin(&mut self, choice: u8) -> Option<SessionId> {
        if self.keys.kind.is_in_handshake() {
            return None;
        }
        let session = self.session();
        self.prepare(choice, session);
        Some(session)
    }

    /// Queues an encapsulated request at the responder, if the operation `choice` needs one and the session and its
    /// version support it.
    ///
    /// # Panics
    /// Panics if the responder refuses the request, which is a bug of the fuzzer.
    pub fn prepare(&mut self, choice: u8, session: SessionId) {
        let kind = self.keys.kind;
        let early = kind.version() < Version::V1_3;
        let describe = ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed: None });
        let events = ResponderRequest::Events(EventList { count: 1, events: certificate_event() });
        let (session_of_request, request) = match choice % OPERATIONS {
            14 if !early => (None, describe),
            21 if !kind.is_in_handshake() => (Some(session), ResponderRequest::UpdateKey),
            24 if !early && !kind.is_in_handshake() => {
                self.run_in_session(Subscribe(device_event_types()).within(session));
                (Some(session), events)
            }
            26 if !early && !kind.is_in_handshake() => (Some(session), ResponderRequest::EventTypes),
            27 | 28 if !early && !kind.is_in_handshake() => {
                (Some(session), ResponderRequest::Subscribe(device_event_types()))
            }
            _ => return,
        };
        self.responder.queue_request(session_of_request, request).expect("both sides support everything");
        if choice % OPERATIONS == 28 {
            self.run_in_session(AnswerRequests::new(session));
        }
    }

    /// Runs the operation in the session, and adds the number of requests that it sends to `sent_records` of the keys.
    fn run_in_session(&mut self, operation: impl Operation) {
        let mut wire = CountingWire(Wire(&mut self.responder), 0);
        self.requester.run(operation, &mut wire).expect("both sides support everything");
        self.keys.sent_records += wire.1;
    }
}

/// Makes both sides before the negotiation.
fn create_peers(kind: Kind, logged: &LoggedSecrets) -> (Requester, Responder) {
    let ((chain, signer), key) = (credential(), public_key());
    let signer: Arc<dyn Signer> = if kind.signs_later() {
        Arc::new(RetryingSigner { signer: signer.clone(), was_deferred: AtomicBool::default() })
    } else {
        signer.clone()
    };
    let own = if kind.knows_keys() {
        Identity::default().with_provisioned(key.clone(), signer)
    } else {
        Identity::default().with(Slot::new(0, chain.clone(), signer))
    };
    let own = own.with_psk(b"fuzz", SecretBytes::new(vec![7; 32]));
    let own = if kind.is_pqc2021() { with_raw_keys(own) } else { own };
    let config = |excluded| Config { key_log: Some(logged.log()), ..kind.config(excluded) };
    let rng = || Box::new(Counter::default());
    let theirs = config(CapabilityFlags::PSK);
    let responder = Responder::with_rng(theirs, own.clone(), Box::new(FullDevice::new()), rng());
    let mut responder = responder.with_chain_verifier(Box::new(DangerousAcceptAny));
    let ours = config(CapabilityFlags::PSK_WITH_CONTEXT);
    let requester = Requester::with_rng(ours, own, Box::new(DangerousAcceptAny), rng());
    let mut requester = requester.with_device(Box::new(FullDevice::new()));
    if kind.knows_keys() {
        responder.provision(key.clone());
        requester.provision(key);
    }
    if kind.is_pqc2021() {
        responder.provision_raw(raw_keys());
        requester.provision_raw(raw_keys());
    }
    (requester, responder)
}

/// Returns the identity with the keys of the dialect, which are the same on both sides.
fn with_raw_keys(own: Identity) -> Identity {
    let (signature, kem) = raw_algorithms();
    let key = PrivateKey::generate(signature, &mut Counter::default()).expect("a key");
    let public = key.public_key().clone();
    let signer = LocalSigner::new(Asym::PostQuantum(signature), key).expect("a signer");
    let kem_key = kem.kem.generate(&mut Counter::default());
    own.with_raw_signer(public, Arc::new(signer)).with_kem_key(kem, kem_key)
}

/// Returns the public keys of [`with_raw_keys`].
fn raw_keys() -> PeerKeys {
    let (signature, kem) = raw_algorithms();
    let key = PrivateKey::generate(signature, &mut Counter::default()).expect("a key");
    let kem_key = kem.kem.generate(&mut Counter::default());
    PeerKeys::default().with_signature(key.public_key().clone()).with_kem(kem, kem_key.encaps_key_bytes())
}

fn raw_algorithms() -> (&'static SignatureRow, &'static KemRow) {
    let signature = Signature::by_name(SIGNATURE).and_then(|signature| signature_row(signature, false));
    (signature.expect("a row"), Kem::by_name(KEM).and_then(kem_row).expect("a row"))
}

/// Runs the operation `choice` on the requester, or opens a session if there is none. Ignores the result.
pub fn operate<C: Carrier>(
    kind: Kind,
    choice: u8,
    requester: &mut Requester,
    session: Option<SessionId>,
    carrier: &mut C,
) {
    let (mut run, slot) = (Run { requester, carrier }, kind.slot());
    let Some(session) = session else { return run.open_session(kind) };
    match choice % OPERATIONS {
        0 => run.drive(Connect::new()),
        1 => run.drive(FetchDigests),
        2 => run.drive(FetchCertificate::new(0)),
        3 => run.drive(ChallengeResponder::new(slot, 0xFF)),
        4 => run.drive(Measure::all_signed(slot)),
        5 => run.drive(OpenSession::new(slot)),
        6 => run.drive(OpenPskSession::new(b"fuzz")),
        7 => run.drive(SendHeartbeat(session)),
        8 => run.drive(UpdateKeys::all_keys(session)),
        9 => run.drive(End(session)),
        10 => run.drive(FetchEndpointInfo { sub_code: 1, signed: Some(slot) }),
        11 => run.drive(FetchKeyPair(1)),
        12 => run.drive(FetchLog::default()),
        13 => run.drive(FetchEventTypes.within(session)),
        14 => run.drive(AnswerRequests::outside_sessions()),
        15 => run.drive(FetchCsr { key_pair_id: 1, attributes: 1, ..FetchCsr::default() }),
        16 => run.drive(SetKeyPair { operation: 0, key_pair_id: 1, desired: KeyPair::default() }),
        17 => run.drive(SetChain::erase(0).for_key_pair(1, 0).within(session)),
        18 => run.drive(VendorRequest { standard_id: 3, vendor_id: vec![1, 2], data: vec![3; 40] }),
        19 => run.drive(Subscribe::default().within(session)),
        20 => run.drive(Measure::new(0)),
        21 => run.drive(AnswerRequests::new(session)),
        22 => run.drive(UpdateKeys::request_key(session)),
        23 => {
            run.drive(ChallengeResponder::new(slot, 0));
            run.drive(AnswerMutualAuth::new());
        }
        24 => run.drive(AnswerRequests::new(session)),
        25 => run.drive(SetChain::new(0, chain(run.requester)).for_key_pair(1, 1).within(session)),
        26 | 27 => run.drive(AnswerRequests::new(session)),
        28 => run.drive(SendEvents { session, events: EventList { count: 1, events: certificate_event() } }),
        sub_code => {
            let chain = chain(run.requester);
            run.drive(slot_management_operation(usize::from(sub_code - MANAGEMENT), &chain).within(session));
        }
    }
}

/// Number of operations of [`operate`].
pub const OPERATIONS: u8 = MANAGEMENT + 7;

/// The first of the SLOT_MANAGEMENT operations, one for each SubCode.
const MANAGEMENT: u8 = 29;

/// Returns the chain of [`credential`], encoded for the negotiated hash function.
fn chain(requester: &Requester) -> Vec<u8> {
    let negotiated = requester.connection().negotiated().expect("both sides agree");
    chain::write(negotiated.algorithms.hash, &credential().0)
}

/// Makes the SLOT_MANAGEMENT operation with the index `which`, for the only slot.
fn slot_management_operation(which: usize, chain: &[u8]) -> ManageSlots {
    let address = SlotAddress { bank: 0, slot: 0 };
    let csr = GetCsr { address, key_pair_id: 1, attributes: 1, ..GetCsr::default() };
    let manage = ManageSlot { address, operation: ManageSlot::ERASE };
    let put = SetCertificate { address, attributes: 1, key_pair_id: 1, chain };
    let (sub_code, structure) = match which {
        0 => (SubCode::SUPPORTED_SUB_CODES, Vec::new()),
        1 => (SubCode::GET_BANK_INFO, Vec::new()),
        2 => (SubCode::GET_BANK_DETAILS, encode_item(address)),
        3 => (SubCode::GET_CERTIFICATE_CHAIN, encode_item(address)),
        4 => (SubCode::GET_CSR, encode_item(csr)),
        5 => (SubCode::MANAGE_SLOT, encode_item(manage)),
        _ => (SubCode::SET_CERTIFICATE, encode_item(put)),
    };
    ManageSlots { sub_code, structure }
}

fn encode_item<'a>(item: impl Item<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 2000];
    let len = encode(item, &mut bytes).expect("the buffer is long enough");
    bytes.truncate(len);
    bytes
}

struct Run<'r, C> {
    requester: &'r mut Requester,
    carrier: &'r mut C,
}

impl<C: Carrier> Run<'_, C> {
    fn drive<O: Operation>(&mut self, operation: O) {
        let _ = self.requester.run(operation, self.carrier);
    }

    fn open_session(&mut self, kind: Kind) {
        if kind.uses_key_exchange() {
            self.drive(OpenSession::new(kind.slot()));
        } else {
            self.drive(OpenPskSession::new(b"fuzz"));
        }
    }
}

/// Splits an input into packets. Each is a byte, a length (2 bytes, little-endian), and that many bytes. The last
/// packet may be shorter than its length.
pub fn packets(mut data: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    core::iter::from_fn(move || {
        let (&[form, low, high], rest) = data.split_first_chunk()?;
        let (bytes, rest) = rest.split_at(rest.len().min(usize::from(u16::from_le_bytes([low, high]))));
        data = rest;
        Some((form, bytes))
    })
}
