//! A requester and a responder that have spoken with each other, and packets to go on with.

pub mod kind;
pub mod recorded;
pub mod records;

use crate::Counter;
use grille_core::{SecretBytes, SystemRng};
use grille_pki::issue::{Profile, Template, self_signed};
use grille_pki::{Certificate, PrivateKey, PublicKey};
use grille_registry::signature_by_name;
use grille_spdm_codec::Version;
use grille_spdm_codec::bank::{GetCsr, ManageSlot, SetCertificate, SlotAddress};
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_codec::csr;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::list::{Item, encode};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_engine::algorithms::{Asym, CLASSICAL};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operations::{
    Beat, Connect, Describe, End, EventList, FetchCertificate, FetchCsr, FetchDigests, FetchEventTypes,
    FetchKeyPair, FetchLog, Listen, ManageSlots, Measure, OpenPskSession, OpenSession, Prove, ProveBack,
    Question, SetChain, SetKeyPair, Subscribe, Update, Vendor,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::{LocalSigner, Signer};
use grille_spdm_engine::trust::Everyone;
use kind::Kind;
use records::{Keys, Told};
use std::sync::{Arc, OnceLock};

/// Both sides, negotiated, with the responder's chain fetched.
pub struct Talk {
    /// The requester.
    pub requester: Requester,
    /// The responder.
    pub responder: Responder,
    /// The keys of sessions, as both sides tell them.
    pub keys: Keys,
}

/// A device that has everything, and one key pair, which does whatever is asked of it.
struct Everything {
    pair: KeyPair,
}

impl Everything {
    fn new() -> Self {
        let pair = KeyPair {
            capabilities: KeyPairCapabilities(0x3F),
            usage_capabilities: KeyUsage(0xF),
            usage: KeyUsage(0xF),
            asym_capabilities: KeyPairAsym(0xFF),
            asym: KeyPairAsym::ECC_256,
            slots: 1,
            pqc_capabilities: vec![7],
            ..KeyPair::default()
        };
        Self { pair }
    }
}

impl Device for Everything {
    fn measurements(&mut self, _pending: bool) -> Vec<Measurement> {
        vec![Measurement { index: 1, kind: 0, value: MeasuredValue::Hashed(vec![1]), tcb: true }]
    }

    fn measurement_log(&mut self) -> Vec<u8> {
        vec![0; 300]
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, _: &[u8], data: &[u8]) -> Option<Vec<u8>> {
        Some(data.to_vec())
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Option<Vec<u8>> {
        (sub_code == 1).then(|| vec![0; 12])
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, request: &csr::GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        Ok(request.requester_info.to_vec())
    }

    fn key_pairs(&mut self) -> Vec<KeyPair> {
        vec![self.pair.clone()]
    }

    fn set_key_pair(&mut self, _: Option<SessionId>, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        (self.pair.usage, self.pair.asym, self.pair.slots) = (request.usage, request.asym, request.slots);
        Ok(())
    }

    fn key(&mut self, _: u8) -> Option<(PublicKey, Arc<dyn Signer>)> {
        let (chain, signer) = credential();
        Some((chain.first()?.public_key().ok()?, signer.clone()))
    }

    fn event_types(&mut self) -> EventTypes {
        EventTypes { count: 1, groups: vec![0, 0, 1, 0, 0, 0, 1, 0] }
    }

    fn subscribe(&mut self, _: SessionId, _: &EventTypes) -> Result<(), Refusal> {
        Ok(())
    }

    fn application(&mut self, _: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Some(message.to_vec())
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

impl Talk {
    /// With ECDSA P-256.
    ///
    /// # Panics
    /// If the sides do not agree: the fuzzer's own mistake.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let told = Told::default();
        let (mut requester, mut responder) = sides(kind, &told);
        let wire = &mut Wire(&mut responder);
        requester.run(Connect::new(), wire).expect("both sides agree");
        if !kind.knows_keys() {
            requester.run(FetchCertificate::new(0), wire).expect("a chain");
        }
        let algorithms = requester.connection().negotiated().expect("both sides agree").algorithms;
        Self { requester, responder, keys: Keys { told, kind, algorithms } }
    }

    /// A session of both; its handshake is over or not, as the kind says.
    ///
    /// # Panics
    /// If none is opened: the fuzzer's own mistake.
    pub fn session(&mut self) -> SessionId {
        if self.keys.kind.exchanges_keys() {
            self.open(OpenSession::new(self.keys.kind.slot()))
        } else {
            self.open(OpenPskSession::new(b"fuzz"))
        }
    }

    fn open(&mut self, opening: impl Operation<Output = SessionId>) -> SessionId {
        if self.keys.kind.is_in_handshake() {
            let (_, request) = self.requester.start(opening).expect("both sides agree");
            self.responder.receive(&request);
            return self.keys.told.session();
        }
        self.requester.run(opening, &mut Wire(&mut self.responder)).expect("a session")
    }

    /// What has to be before [`operate`] does what `choice` says: a session, but where a handshake is the operation.
    ///
    /// # Panics
    /// As [`Talk::session`] and [`Talk::prepare`].
    pub fn begin(&mut self, choice: u8) -> Option<SessionId> {
        if self.keys.kind.is_in_handshake() {
            return None;
        }
        let session = self.session();
        self.prepare(choice, session);
        Some(session)
    }

    /// The responder has a question, or asked for a proof, where the operation that `choice` chooses needs that, and the
    /// session and its version know it.
    ///
    /// # Panics
    /// If that cannot be: the fuzzer's own mistake.
    pub fn prepare(&mut self, choice: u8, session: SessionId) {
        let kind = self.keys.kind;
        let early = kind.version() < Version::V1_3;
        let describe = Question::Describe(Describe { sub_code: 1, signed: None });
        let events = Question::Events(EventList { count: 0, events: Vec::new() });
        let (place, question) = match choice % OPERATIONS {
            14 if !early => (None, describe),
            21 if !kind.is_in_handshake() => (Some(session), Question::UpdateKey),
            24 if !early && !kind.is_in_handshake() => (Some(session), events),
            23 => {
                let proof = self.requester.run(Prove::new(kind.slot(), 0), &mut Wire(&mut self.responder));
                assert!(proof.expect("a proof").mutual);
                return;
            }
            _ => return,
        };
        self.responder.ask(place, question).expect("both sides have everything");
    }
}

/// Both, before they speak.
fn sides(kind: Kind, told: &Told) -> (Requester, Responder) {
    let (chain, signer) = credential();
    let key = chain[0].public_key().expect("a key");
    let own = if kind.knows_keys() {
        Identity::default().with_provisioned(key.clone(), signer.clone())
    } else {
        Identity::default().with(Slot::new(0, chain.clone(), signer.clone()))
    };
    let own = own.with_psk(b"fuzz", SecretBytes::new(vec![7; 32]));
    let config = |excluded| Config { key_log: Some(told.log()), ..kind.config(excluded) };
    let rng = || Box::new(Counter::default());
    let theirs = config(CapabilityFlags::PSK);
    let responder = Responder::with_rng(theirs, own.clone(), Box::new(Everything::new()), rng());
    let mut responder = responder.with_judge(Box::new(Everyone));
    let ours = config(CapabilityFlags::PSK_WITH_CONTEXT);
    let mut requester = Requester::with_rng(ours, own, Box::new(Everyone), rng());
    if kind.knows_keys() {
        responder.provision(key.clone());
        requester.provision(key);
    }
    (requester, responder)
}

/// Lets the requester run the operation that `choice` chooses, or without a session open one, and does not mind how it ends.
pub fn operate<C: Carrier>(
    kind: Kind,
    choice: u8,
    requester: &mut Requester,
    session: Option<SessionId>,
    carrier: &mut C,
) {
    let (mut run, slot) = (Run { requester, carrier }, kind.slot());
    let Some(session) = session else { return run.opening(kind) };
    match choice % OPERATIONS {
        0 => run.drive(Connect::new()),
        1 => run.drive(FetchDigests),
        2 => run.drive(FetchCertificate::new(0)),
        3 => run.drive(Prove::new(slot, 0xFF)),
        4 => run.drive(Measure::all_signed(slot)),
        5 => run.drive(OpenSession::new(slot)),
        6 => run.drive(OpenPskSession::new(b"fuzz")),
        7 => run.drive(Beat(session)),
        8 => run.drive(Update::all_keys(session)),
        9 => run.drive(End(session)),
        10 => run.drive(Describe { sub_code: 1, signed: None }),
        11 => run.drive(FetchKeyPair(1)),
        12 => run.drive(FetchLog::default()),
        13 => run.drive(FetchEventTypes.within(session)),
        14 => run.drive(Listen::outside()),
        15 => run.drive(FetchCsr { key_pair_id: 1, attributes: 1, ..FetchCsr::default() }),
        16 => run.drive(SetKeyPair { operation: 0, key_pair_id: 1, desired: KeyPair::default() }),
        17 => run.drive(SetChain::erase(0).of_key_pair(1, 0).within(session)),
        18 => run.drive(Vendor { standard_id: 3, vendor_id: vec![1, 2], data: vec![3; 40] }),
        19 => run.drive(Subscribe::default().within(session)),
        20 => run.drive(Measure::new(0)),
        21 => run.drive(Listen::new(session)),
        22 => run.drive(Update::request_key(session)),
        23 => run.drive(ProveBack::new()),
        24 => run.drive(Listen::new(session)),
        sub_code => run.drive(manage(usize::from(sub_code - MANAGEMENT)).within(session)),
    }
}

/// How many operations [`operate`] knows.
pub const OPERATIONS: u8 = MANAGEMENT + 7;

/// The first that is SLOT_MANAGEMENT, of which there is one for each SubCode.
const MANAGEMENT: u8 = 25;

/// SLOT_MANAGEMENT of the slot that there is.
fn manage(which: usize) -> ManageSlots {
    let (address, chain) = (SlotAddress { bank: 0, slot: 0 }, &[7; 100]);
    let csr = GetCsr { address, key_pair_id: 1, attributes: 1, ..GetCsr::default() };
    let manage = ManageSlot { address, operation: ManageSlot::ERASE };
    let put = SetCertificate { address, attributes: 1, key_pair_id: 1, chain };
    let (sub_code, structure) = match which {
        0 => (SubCode::SUPPORTED_SUB_CODES, Vec::new()),
        1 => (SubCode::GET_BANK_INFO, Vec::new()),
        2 => (SubCode::GET_BANK_DETAILS, written(address)),
        3 => (SubCode::GET_CERTIFICATE_CHAIN, written(address)),
        4 => (SubCode::GET_CSR, written(csr)),
        5 => (SubCode::MANAGE_SLOT, written(manage)),
        _ => (SubCode::SET_CERTIFICATE, written(put)),
    };
    ManageSlots { sub_code, structure }
}

fn written<'a>(item: impl Item<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 200];
    let len = encode(item, &mut bytes).expect("nothing here is longer");
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

    fn opening(&mut self, kind: Kind) {
        if kind.exchanges_keys() {
            self.drive(OpenSession::new(kind.slot()));
        } else {
            self.drive(OpenPskSession::new(b"fuzz"));
        }
    }
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
