//! A requester and a responder in one thread, with keys of any algorithm.
use grille_core::{CryptoRng, SecretBytes, SystemRng};
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::{Numbers, signature_by_name};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_exchange::session_id;
use grille_spdm_engine::active_operation::ActiveOperation;
use grille_spdm_engine::algorithms::{Asym, CLASSICAL};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operation::{Operation, Step};
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, FetchCertificate, FetchDigests,
};
use grille_spdm_engine::refused_request::{Reason, Target};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::{LocalSigner, Signer, ToBeSigned};
use grille_spdm_engine::trust::Roots;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The capabilities of both sides, unless a test says otherwise.
pub(crate) const ALL: Caps = Caps(
    Caps::CERT.0
        | Caps::CHAL.0
        | Caps::MEAS_SIG.0
        | Caps::ENCRYPT.0
        | Caps::MAC.0
        | Caps::KEY_EX.0
        | Caps::HBEAT.0
        | Caps::KEY_UPD.0
        | Caps::CHUNK.0
        | Caps::LARGE_RESP.0,
);
/// The capabilities in [`ALL`] that a requester has.
pub(crate) const REQUESTER: Caps = Caps(ALL.0 & !Caps::MEAS_SIG.0);

/// Returns a responder's capabilities. With a multi-key connection it also supports GET_KEY_PAIR_INFO.
pub(crate) fn responder_caps(flags: Caps) -> Caps {
    let several = flags.intersects(Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL);
    if several { flags | Caps::GET_KEY_PAIR_INFO } else { flags }
}

pub(crate) fn classical(name: &str) -> Asym {
    Asym::Classical(CLASSICAL.iter().find(|row| row.name.ends_with(name)).unwrap())
}

pub(crate) fn post_quantum(name: &str) -> Asym {
    Asym::by_name(name).unwrap()
}

/// Returns the registry's name of the key algorithm.
pub(crate) fn key_name(asym: Asym) -> &'static str {
    match asym {
        Asym::Classical(row) => row.key,
        Asym::PostQuantum(_) => asym.name(),
        Asym::Hybrid(row) => row.key,
    }
}

/// A root certificate, a chain of two certificates, and the key and signer of the chain's leaf.
pub(crate) struct Credential {
    pub(crate) root: Certificate,
    pub(crate) chain: Vec<Certificate>,
    pub(crate) pkcs8: SecretBytes,
    pub(crate) signer: Arc<dyn Signer>,
}

pub(crate) fn credential(asym: Asym) -> Credential {
    credential_with(asym, |template| template)
}

/// Creates a credential whose leaf template was modified by `change`.
pub(crate) fn credential_with(asym: Asym, change: impl FnOnce(Template) -> Template) -> Credential {
    credential_in_era(asym, Numbers::default(), change)
}

/// Creates a credential whose certificates have the object identifiers of an era.
pub(crate) fn credential_in_era(
    asym: Asym,
    numbers: Numbers,
    change: impl FnOnce(Template) -> Template,
) -> Credential {
    let row = signature_by_name(key_name(asym)).unwrap();
    let rng = &mut SystemRng;
    let [ca, key] = [(); 2].map(|()| PrivateKey::generate(row, rng).unwrap().in_era(numbers));
    let root = self_signed(&Template::new("CN=root", Profile::Root).unwrap(), &ca, rng).unwrap();
    let profile = Profile::end_entity(&["device.example"]).unwrap();
    let template = change(Template::new("CN=device", profile).unwrap());
    let leaf = issue(&template, key.public_key(), &root, &ca, rng).unwrap();
    let form = match asym {
        Asym::Classical(_) => PrivateKeyForm::Native,
        Asym::Hybrid(_) => PrivateKeyForm::default_for(row),
        Asym::PostQuantum(row) if row.classical_family.is_some() => PrivateKeyForm::default_for(row),
        Asym::PostQuantum(_) => PrivateKeyForm::SeedIfKnown,
    };
    let pkcs8 = key.to_pkcs8_der(form).unwrap();
    let signer = Arc::new(LocalSigner::new(asym, key).unwrap());
    Credential { chain: vec![root.clone(), leaf], root, pkcs8, signer }
}

impl Credential {
    pub(crate) fn identity(&self) -> Identity {
        Identity::default().with(self.slot(0))
    }

    pub(crate) fn slot(&self, number: u8) -> Slot {
        Slot::new(number, self.chain.clone(), self.signer.clone())
    }

    /// Returns an identity, and a flag; while the flag is set, the signer needs more time.
    pub(crate) fn delayable_identity(&self) -> (Identity, Arc<AtomicBool>) {
        let later = Arc::new(AtomicBool::new(false));
        let readiness = later.clone();
        let signer = delayable(&self.signer, move || Ok(!readiness.load(Ordering::Relaxed)));
        (Identity::default().with(Slot::new(0, self.chain.clone(), signer)), later)
    }
}

pub(crate) fn measurements() -> Vec<Measurement> {
    let value = |index, kind, value, tcb| Measurement { index, kind, value, tcb };
    vec![
        value(1, 0, MeasuredValue::Hashed(vec![1; 100]), true),
        value(2, 1, MeasuredValue::Hashed(vec![2; 200]), false),
        value(0x10, 7, MeasuredValue::Raw(vec![7, 0, 0, 0, 0, 0, 0, 0]), false),
    ]
}

/// A device with three measurements that echoes application data.
pub(crate) struct Sample;

impl Device for Sample {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(measurements())
    }

    fn application(&mut self, _session: u32, message: &[u8]) -> Option<Vec<u8>> {
        Some(message.to_vec())
    }
}

/// Returns the ErrorCode for a request that is sent outside sessions but needs a session. 1.1 has no specific code.
pub(crate) fn session_required_error(version: Version) -> ErrorCode {
    if version < Version::V1_2 { ErrorCode::UNSPECIFIED } else { ErrorCode::SESSION_REQUIRED }
}

/// Returns the ErrorCode of a refused operation.
pub(crate) fn refused<T: std::fmt::Debug>(outcome: Result<T, Error>) -> ErrorCode {
    match outcome {
        Err(Error::Refused { code, .. }) => code,
        other => panic!("{other:?}"),
    }
}

/// A signer that may need more time: see [`delayable`].
struct DelayableSigner<F> {
    key: Arc<dyn Signer>,
    readiness: F,
}

/// RDTExponent of a [`delayable`] signer: 33 milliseconds.
pub(crate) const DELAY_EXPONENT: u8 = 15;

/// Returns a signer that calls `readiness` before each signature: it signs now, needs more time, or fails.
pub(crate) fn delayable(
    key: &Arc<dyn Signer>,
    readiness: impl Fn() -> Result<bool, grille_core::Error> + Send + Sync + 'static,
) -> Arc<dyn Signer> {
    Arc::new(DelayableSigner { key: key.clone(), readiness })
}

impl<F: Fn() -> Result<bool, grille_core::Error> + Send + Sync> Signer for DelayableSigner<F> {
    fn algorithm(&self) -> Asym {
        self.key.algorithm()
    }

    fn sign(
        &self,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, grille_core::Error> {
        if (self.readiness)()? { self.key.sign(message, rng) } else { Ok(None) }
    }

    fn ready_exponent(&self) -> u8 {
        DELAY_EXPONENT
    }
}

/// A transport that delivers packets immediately and records them.
pub(crate) struct Wire {
    pub(crate) responder: Responder,
    pub(crate) log: Vec<(Packet, Packet)>,
}

impl Wire {
    pub(crate) fn new(responder: Responder) -> Self {
        Self { responder, log: Vec::new() }
    }

    /// Returns the target and reason of the responder's last refusal.
    pub(crate) fn last_refusal(&mut self) -> (Option<Target>, Reason) {
        let objection = self.responder.take_refused_request().expect("a refusal with a reason");
        assert_eq!(self.responder.take_refused_request(), None, "reported twice");
        (objection.target, objection.reason)
    }

    /// Returns the session that the last exchange opened.
    pub(crate) fn opened_session(&self) -> SessionId {
        let Some((Packet::Message(request), Packet::Message(response))) = self.log.last() else {
            panic!("no KEY_EXCHANGE")
        };
        let [req, rsp] = [request, response].map(|message| u16::from_le_bytes([message[4], message[5]]));
        session_id(req, rsp)
    }

    /// Sends a request in the clear and returns the response.
    pub(crate) fn plain(&mut self, request: &[u8]) -> Vec<u8> {
        match self.responder.receive(&Packet::Message(request.to_vec())) {
            Packet::Message(response) | Packet::Secured(response) => response,
        }
    }
}

impl Carrier for Wire {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let answer = self.responder.receive(&packet);
        self.log.push((packet, answer.clone()));
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

pub(crate) fn config(version: Version, flags: Caps) -> Config {
    Config { versions: vec![version], heartbeat: 5, ..Config::with(flags) }
}

/// Creates a requester and a responder for `version`; the responder has this credential.
pub(crate) fn pair(version: Version, credential: &Credential) -> (Requester, Wire) {
    pair_with(config(version, REQUESTER), config(version, ALL), credential)
}

pub(crate) fn pair_with(requester: Config, responder: Config, credential: &Credential) -> (Requester, Wire) {
    let judge = Box::new(Roots::new(vec![credential.root.clone()]));
    (
        Requester::new(requester, Identity::default(), judge),
        Wire::new(Responder::new(responder, credential.identity(), Box::new(Sample))),
    )
}

/// An operation that runs packet by packet, while others run.
pub(crate) struct RunningOperation<O> {
    active: ActiveOperation<O>,
    packet: Option<Packet>,
}

impl<O: Operation> RunningOperation<O> {
    pub(crate) fn new(requester: &mut Requester, operation: O) -> Self {
        let (active, packet) = requester.start(operation).unwrap();
        Self { active, packet: Some(packet) }
    }

    /// Sends the next packet, unless the operation is complete. Returns whether it is complete now.
    pub(crate) fn step(&mut self, requester: &mut Requester, wire: &mut Wire) -> bool {
        if let Some(packet) = self.packet.take() {
            let answer = wire.exchange(packet).unwrap();
            self.packet = match requester.receive(&mut self.active, answer).unwrap() {
                Step::Send(packet) => Some(packet),
                Step::Done(_) => None,
                Step::Wait(..) | Step::Sign(_) => panic!("unexpected delay"),
            };
        }
        self.packet.is_none()
    }
}

/// Connects a requester to a responder that requests mutual authentication. The two sides have authenticated with slot 0.
/// `identity` belongs to the requester. In arrays with one element per side, the responder's comes first.
pub(crate) fn mutually_authenticated(
    [device, host]: [&Credential; 2],
    identity: Identity,
    version: Version,
    can: [Caps; 2],
    devices: [Box<dyn Device>; 2],
) -> (Requester, Wire) {
    let [theirs, ours] = can.map(|flags| config(version, flags | Caps::MUT_AUTH | Caps::ENCAP));
    let [of_responder, of_requester] = devices;
    let judge = |of: &Credential| Box::new(Roots::new(vec![of.root.clone()]));
    let mut requester = Requester::new(ours, identity, judge(device)).with_device(of_requester);
    let theirs = Config { basic_mutual: true, ..theirs };
    let responder = Responder::new(theirs, device.identity(), of_responder);
    let mut wire = Wire::new(responder.with_chain_verifier(judge(host)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchDigests, &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
    (requester, wire)
}
