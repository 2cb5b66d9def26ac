//! Provisioning of an emulated device: its keys are queried, certified, restricted, erased and generated.

use super::appraisal::device_mode::DEVICE_MODE;
use super::device::{Emulated, SUBJECT, generate};
use super::events::{Events, Subscriptions};
use super::fault::Faults;
use super::signed::Signed;
use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::{Certificate, PublicKey, Request};
use grille_spdm_codec::algorithms::PqcAsym;
use grille_spdm_codec::bank::{pqc_bits, pqc_bytes};
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::measurements::Block;
use grille_spdm_codec::set_certificate::SetCertificate;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::operations::EventList;
use grille_spdm_engine::refused_request::Reason;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::{LocalSigner, Signer};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The keys of a device, shared by all its connections.
#[derive(Clone)]
pub(super) struct Keys {
    pairs: Arc<Mutex<Pairs>>,
    /// The algorithms that new keys may use.
    algorithms: Arc<[Asym]>,
    /// The subject of the device's certificates.
    subject: Arc<str>,
}

/// The key pairs, and the number of changes by SET_KEY_PAIR_INFO.
struct Pairs {
    /// Key pairs in the order of KeyPairID, which starts at 1.
    all: Vec<Pair>,
    changes: u64,
}

/// A key pair, or the place of an erased one.
struct Pair {
    key: Option<Arc<LocalSigner>>,
    /// The algorithm of the key, or of the next generated key.
    asym: Option<Asym>,
    usage: KeyUsage,
    /// AssocCertSlotMask.
    slots: u8,
}

/// The possible usages of every key.
const ALL_USAGES: KeyUsage = KeyUsage(
    KeyUsage::KEY_EX.0 | KeyUsage::CHALLENGE.0 | KeyUsage::MEASUREMENT.0 | KeyUsage::ENDPOINT_INFO.0,
);

/// The capabilities of every key pair: its key can be erased, regenerated, assigned to other slots and restricted.
const KEY_CAPABILITIES: KeyPairCapabilities = KeyPairCapabilities(
    KeyPairCapabilities::GEN_KEY.0
        | KeyPairCapabilities::ERASABLE.0
        | KeyPairCapabilities::CERT_ASSOC.0
        | KeyPairCapabilities::KEY_USAGE.0
        | KeyPairCapabilities::ASYM_ALGO.0
        | KeyPairCapabilities::SHAREABLE.0,
);

impl Keys {
    /// Creates the keys. The first `slots` slots have a chain for each key. New keys may use `algorithms`.
    pub(super) fn new(keys: Vec<Signed>, slots: u8, algorithms: Arc<[Asym]>) -> Self {
        let slots = ((1_u16 << slots) - 1) as u8;
        let leaf = keys.first().and_then(|signed| signed.chain.last());
        let subject = leaf.map_or_else(|| SUBJECT.to_owned(), Certificate::subject).into();
        let pair = |signed: Signed| {
            let asym = Some(signed.asym());
            Pair { key: Some(signed.signer), asym, usage: ALL_USAGES, slots }
        };
        let pairs = Pairs { all: keys.into_iter().map(pair).collect(), changes: 0 };
        Self { pairs: Arc::new(Mutex::new(pairs)), algorithms, subject }
    }

    fn pairs(&self) -> MutexGuard<'_, Pairs> {
        self.pairs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the algorithm that the request selects, if it names one. RSA's two signature schemes share one name
    /// here.
    fn desired_algorithm(&self, request: &SetKeyPairInfo<'_>, current: Option<Asym>) -> Option<Asym> {
        let selection = (request.asym, pqc_bits(request.pqc));
        current.iter().chain(&*self.algorithms).find(|asym| asym.key_pair_bits() == selection).copied()
    }

    /// Returns the locked key pairs, and the new key if the request generates one. Generation may take long, so it
    /// runs without the lock. The engine checked the request against the earlier state. If another requester changed
    /// the keys meanwhile, the request is refused as Busy, and its sender has to retry.
    fn prepare_change(
        &self,
        request: &SetKeyPairInfo<'_>,
        generate: impl FnOnce(Asym) -> Result<Arc<LocalSigner>, Error>,
    ) -> Result<(MutexGuard<'_, Pairs>, Option<Arc<LocalSigner>>), Refusal> {
        let mut pairs = self.pairs();
        if request.operation != SetKeyPairInfo::GENERATE {
            return Ok((pairs, None));
        }
        let failed = Refusal::new(ErrorCode::OPERATION_FAILED);
        let (seen, pair) = (pairs.changes, pairs.get(request.key_pair_id));
        let current = pair.ok_or(Refusal::from(Reason::NoKeyPair))?.asym;
        drop(pairs);
        let asym = self.desired_algorithm(request, current).or(current);
        let key = generate(asym.ok_or(failed.with_reason(Reason::NothingToGenerate))?).map_err(|_| failed)?;
        let pairs = self.pairs();
        if pairs.changes == seen { Ok((pairs, Some(key))) } else { Err(Refusal::new(ErrorCode::BUSY)) }
    }

    /// Returns the algorithms that new keys may use.
    fn new_key_algorithms(&self) -> (KeyPairAsym, Vec<u8>) {
        let all = self.algorithms.iter().map(|asym| asym.key_pair_bits());
        let none = (KeyPairAsym::NONE, PqcAsym::NONE);
        let (classical, pqc) = all.fold(none, |all, one| (all.0 | one.0, all.1 | one.1));
        (classical, encode_pqc(pqc))
    }
}

impl Pairs {
    fn get(&mut self, key_pair_id: u8) -> Option<&mut Pair> {
        self.all.get_mut(usize::from(key_pair_id).checked_sub(1)?)
    }
}

/// The emulated device with its keys, as seen by one requester.
pub(super) struct Provisioned {
    keys: Keys,
    /// Whether this requester has changed the device's credentials.
    changed: bool,
    events: Events,
    faults: Faults,
    /// The value of the device mode, if the device measures one.
    mode: Option<[u8; 16]>,
}

impl Provisioned {
    pub(super) fn new(keys: Keys, events: Events) -> Self {
        Self { keys, changed: false, events, faults: Faults::default(), mode: None }
    }

    /// Adds faults.
    pub(super) fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// Adds a device mode to the measurements.
    pub(super) fn with_mode(self, mode: Option<[u8; 16]>) -> Self {
        Self { mode, ..self }
    }

    /// Returns whether SET_CERTIFICATE or SET_KEY_PAIR_INFO changed something since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Returns the key with the key pair ID of a request. Requests to a device with one key have ID 0, which selects
    /// the first key of `asym`.
    fn find_key(&self, key_pair_id: u8, asym: Asym) -> Option<Arc<LocalSigner>> {
        let mut pairs = self.keys.pairs();
        let pair = match key_pair_id {
            0 => pairs.all.iter().find(|pair| pair.asym == Some(asym)),
            id => pairs.get(id).map(|pair| &*pair),
        };
        pair?.key.clone()
    }
}

impl Device for Provisioned {
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let mut measured = Emulated.measurements(pending)?;
        measured.extend(self.mode.map(|mode| Measurement {
            index: Block::DEVICE_MODE,
            kind: DEVICE_MODE,
            value: MeasuredValue::Raw(mode.to_vec()),
            tcb: true,
        }));
        self.faults.apply_to_measurements(measured)
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Emulated::log(&self.measurements(false)?))
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        Emulated.endpoint_info(sub_code)
    }

    fn vendor(
        &mut self,
        session: Option<SessionId>,
        standard: u16,
        id: &[u8],
        data: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        Emulated.vendor(session, standard, id, data)
    }

    fn application(&mut self, session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Emulated.application(session, message)
    }

    /// Creates a certificate request, for the subject in RequesterInfo or else the subject of the device's
    /// certificates. It is ready at once, without a reset or a tracking tag.
    fn csr(&mut self, _: Option<SessionId>, asym: Asym, request: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        let named = self.find_key(request.key_pair_id, asym);
        let named = named.ok_or(Refusal::from(Reason::NoKeyPair))?;
        let key = named.key();
        let request = match request.requester_info {
            [] => Request::new(&self.keys.subject, &[], key, &mut SystemRng)
                .map_err(|_| Refusal::new(ErrorCode::UNSPECIFIED)),
            info => {
                Request::from_info(info, key, &mut SystemRng).map_err(|_| Reason::Device(OTHER_INFO).into())
            }
        };
        Ok(request?.to_der())
    }

    fn set_certificate(
        &mut self,
        _: Option<SessionId>,
        _: Asym,
        _: u8,
        request: &SetCertificate<'_>,
    ) -> Result<(), Refusal> {
        self.changed = true;
        self.events.outgoing.queue_certificate_change(1 << request.slot());
        Ok(())
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        let (asym_capabilities, pqc_capabilities) = self.keys.new_key_algorithms();
        let info = |pair: &Pair| {
            let (asym, pqc) = pair.asym.map_or((KeyPairAsym::NONE, PqcAsym::NONE), Asym::key_pair_bits);
            let key = pair.key.as_ref().and_then(|known| known.key().public_key().to_algorithm_der().ok());
            KeyPair {
                capabilities: KEY_CAPABILITIES,
                usage_capabilities: ALL_USAGES,
                usage: pair.usage,
                asym_capabilities,
                asym,
                slots: pair.slots,
                public_key_info: key.unwrap_or_default(),
                pqc_capabilities: pqc_capabilities.clone(),
                pqc: encode_pqc(pqc),
            }
        };
        Ok(self.keys.pairs().all.iter().map(info).collect())
    }

    /// The engine has checked that the key pair allows the operation.
    fn set_key_pair(&mut self, _: Option<SessionId>, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        let (mut pairs, generated) = self.keys.prepare_change(request, generate)?;
        let pair = pairs.get(request.key_pair_id).ok_or(Refusal::from(Reason::NoKeyPair))?;
        let before = pair.slots;
        let usage = Some(request.usage).filter(|usage| !usage.is_empty());
        match generated {
            Some(key) => {
                let (asym, usage) = (Some(key.algorithm()), usage.unwrap_or(ALL_USAGES));
                *pair = Pair { key: Some(key), asym, usage, slots: request.slots };
            }
            None if request.operation == SetKeyPairInfo::ERASE => {
                *pair = Pair { key: None, asym: None, usage: KeyUsage::NONE, slots: 0 };
            }
            None if request.slots != 0 && pair.key.is_none() => {
                let failed = Refusal::new(ErrorCode::OPERATION_FAILED);
                return Err(failed.with_reason(Reason::Device(ERASED)));
            }
            None => {
                pair.slots = request.slots;
                pair.asym = self.keys.desired_algorithm(request, pair.asym).or(pair.asym);
                pair.usage = usage.unwrap_or(pair.usage);
            }
        }
        // A slot that is no longer assigned to the key pair loses its chain.
        let emptied = before & !pair.slots;
        pairs.changes += 1;
        if emptied != 0 {
            self.events.outgoing.queue_certificate_change(emptied);
        }
        self.changed = true;
        Ok(())
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(Subscriptions::types())
    }

    fn subscribe(&mut self, session: SessionId, types: &EventTypes) -> Result<(), Refusal> {
        self.events.outgoing.subscribe(session, types)
    }

    fn subscribe_all(&mut self, session: SessionId) {
        self.events.outgoing.subscribe_all(session);
    }

    fn event_types_received(&mut self, session: SessionId, types: &EventTypes) {
        self.events.incoming.store_types(session, types);
    }

    fn events_received(&mut self, _: SessionId, events: &EventList) -> Result<(), Refusal> {
        self.events.incoming.store_events(events);
        Ok(())
    }

    fn session_ended(&mut self, session: SessionId) {
        self.events.outgoing.forget(session);
        self.events.incoming.forget(session);
    }

    fn key(&mut self, key_pair_id: u8) -> Option<(PublicKey, Arc<dyn Signer>)> {
        let signer = self.keys.pairs().get(key_pair_id)?.key.clone()?;
        Some((signer.key().public_key().clone(), signer))
    }
}

/// The reason for not signing a certificate request.
const OTHER_INFO: &str = "RequesterInfo cannot be decoded, or contains a different public key";

/// The reason for not assigning a key pair to a slot.
const ERASED: &str = "the key pair was erased and not generated again";

/// Encodes PqcAsymAlgo; an empty set has no bytes.
fn encode_pqc(pqc: PqcAsym) -> Vec<u8> {
    pqc_bytes(pqc, &mut [0; 4]).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spdm::algorithms::{key_name, signers};
    use crate::spdm::device::{Authority, Credential, EMULATED_REQUESTER, EMULATED_RESPONDER};
    use crate::spdm::local_identity::add_to_slot;
    use grille_pki::PrivateKey;
    use grille_pki::issue::{Profile, Template, issue_from_csr, self_signed};
    use grille_registry::{Numbers, signature_by_name};
    use grille_spdm_codec::Version;
    use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
    use grille_spdm_engine::algorithms::Bits;
    use grille_spdm_engine::chain;
    use grille_spdm_engine::config::{Config, Packet};
    use grille_spdm_engine::error::Error as EngineError;
    use grille_spdm_engine::identity::Identity;
    use grille_spdm_engine::operation::Operation;
    use grille_spdm_engine::operations::{
        ChallengeResponder, Connect, FetchCertificate, FetchCsr, FetchDigests, FetchKeyPair, SetChain,
        SetKeyPair,
    };
    use grille_spdm_engine::requester::{Carrier, Requester};
    use grille_spdm_engine::responder::Responder;
    use grille_spdm_engine::trust::DangerousAcceptAny;

    #[test]
    fn every_key_algorithm_has_a_bit() {
        for asym in signers(&Bits::all()) {
            let (classical, post_quantum) = asym.key_pair_bits();
            assert_eq!(classical.0.count_ones() + post_quantum.0.count_ones(), 1, "{asym:?}");
        }
    }

    struct Wire(Responder);

    impl Carrier for Wire {
        type Error = EngineError;

        fn exchange(&mut self, packet: Packet) -> Result<Packet, EngineError> {
            Ok(self.0.receive(&packet))
        }

        fn wait(&mut self, _: std::time::Duration) {}
    }

    /// A requester and a device with one key, P-384, in slots 0 and 1.
    struct Factory {
        requester: Requester,
        wire: Wire,
        hash: &'static grille_spdm_engine::hash::Hash,
    }

    impl Factory {
        fn new() -> Self {
            let p384 =
                signers(&Bits::all()).into_iter().find(|asym| key_name(*asym) == "ECDSA-P384").unwrap();
            let signed = Authority::new(p384, Numbers::default())
                .unwrap()
                .credential(SUBJECT_OF_CERTIFICATE, &Faults::default())
                .unwrap()
                .into_signed();
            let identity =
                [0, 1].into_iter().fold(Identity::default(), |all, slot| add_to_slot(all, slot, 1, &signed));
            let with = |flags: Caps| Config { versions: vec![Version::V1_4], ..Config::with(flags) };
            let config = with(EMULATED_RESPONDER | Caps::MULTI_KEY_CONN_SEL);
            let config = Config { trusted_environment: true, ..config };
            let keys = Keys::new(vec![signed], 2, signers(&config.algorithms).into());
            let device = Provisioned::new(keys, Events::default());
            let mut wire = Wire(Responder::new(config, identity, Box::new(device)));
            let mut requester =
                Requester::new(with(EMULATED_REQUESTER), Identity::default(), Box::new(DangerousAcceptAny));
            requester.run(Connect::new(), &mut wire).unwrap();
            let hash = requester.connection().negotiated().unwrap().algorithms.hash;
            Self { requester, wire, hash }
        }

        fn run<O: Operation>(&mut self, operation: O) -> Result<O::Output, ErrorCode> {
            self.requester.run(operation, &mut self.wire).map_err(|error| match error {
                EngineError::Refused { code, .. } => code,
                other => panic!("{other:?}"),
            })
        }

        /// Sends SET_KEY_PAIR_INFO for the only pair.
        fn set(&mut self, operation: u8, asym: KeyPairAsym, slots: u8) -> Result<KeyPair, ErrorCode> {
            let desired = KeyPair { asym, slots, ..KeyPair::default() };
            self.run(SetKeyPair { operation, key_pair_id: 1, desired })?;
            self.run(FetchKeyPair(1)).map(|(_, pair)| pair)
        }

        fn csr(&mut self, requester_info: &[u8]) -> Result<Request, ErrorCode> {
            let requester_info = requester_info.to_vec();
            let fetch = FetchCsr { key_pair_id: 1, attributes: 1, requester_info, ..FetchCsr::default() };
            let request = self.run(fetch).map(|csr| Request::from_pem_or_der(&csr).unwrap())?;
            request.verify().unwrap();
            Ok(request)
        }
    }

    /// The subject of the first certificate.
    const SUBJECT_OF_CERTIFICATE: &str = "CN=emulated device at 127.0.0.2";
    const CHANGE: u8 = SetKeyPairInfo::CHANGE;
    const ERASE: u8 = SetKeyPairInfo::ERASE;
    const GENERATE: u8 = SetKeyPairInfo::GENERATE;
    const NONE: KeyPairAsym = KeyPairAsym::NONE;
    const P384: KeyPairAsym = KeyPairAsym::ECC_384;

    #[test]
    fn replaces_key_pair_and_certificate() {
        let mut factory = Factory::new();
        assert_eq!(factory.run(FetchDigests).unwrap().len(), 2);
        // A key pair that is assigned to a slot cannot be replaced.
        for operation in [ERASE, GENERATE] {
            assert_eq!(factory.set(operation, P384, 0b11), Err(ErrorCode::OPERATION_FAILED));
        }
        assert_eq!(factory.set(CHANGE, NONE, 0b10).unwrap().slots, 0b10);
        let slots: Vec<u8> = factory.run(FetchDigests).unwrap().iter().map(|info| info.slot).collect();
        assert_eq!(slots, [1]);
        assert_eq!(factory.set(CHANGE, NONE, 0).unwrap().slots, 0);
        assert_eq!(factory.run(FetchDigests).unwrap_err(), ErrorCode::UNSPECIFIED);

        // The P-384 key still exists.
        assert_eq!(factory.set(CHANGE, KeyPairAsym::ECC_256, 0), Err(ErrorCode::INVALID_REQUEST));
        let erased = factory.set(ERASE, NONE, 0).unwrap();
        assert_eq!((erased.asym, erased.pqc.len(), erased.usage), (NONE, 0, KeyUsage::NONE));
        assert!(erased.public_key_info.is_empty());
        assert_eq!(factory.csr(&[]).unwrap_err(), ErrorCode::INVALID_REQUEST);
        assert_eq!(factory.set(CHANGE, P384, 1), Err(ErrorCode::OPERATION_FAILED));
        assert_eq!(factory.set(GENERATE, NONE, 1), Err(ErrorCode::OPERATION_FAILED));
        let two = KeyPairAsym(P384.0 | KeyPairAsym::ECC_256.0);
        assert_eq!(factory.set(GENERATE, two, 1), Err(ErrorCode::INVALID_REQUEST));

        let generated = factory.set(GENERATE, P384, 0b1).unwrap();
        assert_eq!((generated.asym, generated.slots, generated.usage), (P384, 1, ALL_USAGES));
        let (csr, rng) = (factory.csr(&[]).unwrap(), &mut SystemRng);
        assert_eq!(csr.subject(), SUBJECT_OF_CERTIFICATE);
        let owner = PrivateKey::generate(signature_by_name("ECDSA-P384").unwrap(), rng).unwrap();
        let root = self_signed(&Template::new("CN=owner", Profile::Root).unwrap(), &owner, rng).unwrap();
        let template = Template::new("CN=device", Profile::end_entity(&[]).unwrap()).unwrap();
        let leaf = issue_from_csr(&template, &csr, &root, &owner, rng).unwrap();
        let chain = chain::write(factory.hash, &[root, leaf]);
        let set = |slot| SetChain::new(slot, chain.clone()).for_key_pair(1, 1);
        assert_eq!(factory.run(set(1)), Err(ErrorCode::INVALID_REQUEST), "the slot has no key");
        factory.run(set(0)).unwrap();
        let info = factory.run(FetchDigests).unwrap();
        assert_eq!((info.len(), info[0].slot, info[0].key_pair_id), (1, 0, 1));
        assert_eq!(factory.run(FetchCertificate::new(0)).unwrap(), chain);
        factory.run(ChallengeResponder::new(0, 0)).unwrap();
    }

    #[test]
    fn key_generation_does_not_block_other_requesters() {
        let p384 = signers(&Bits::all()).into_iter().find(|asym| key_name(*asym) == "ECDSA-P384").unwrap();
        let keys = Keys::new(vec![Credential::new(p384).unwrap().into_signed()], 1, [p384].into());
        let mut other = Provisioned::new(keys.clone(), Events::default());
        let request = |operation| SetKeyPairInfo { key_pair_id: 1, operation, ..SetKeyPairInfo::default() };
        let mut generate = |faster: Option<u8>| {
            let prepared = keys.prepare_change(&request(GENERATE), |asym| {
                // Another requester would block forever if the keys were locked.
                assert!(keys.pairs.try_lock().is_ok());
                if let Some(operation) = faster {
                    other.set_key_pair(None, &request(operation)).unwrap();
                }
                generate(asym)
            });
            prepared.map(|(_, key)| key.is_some()).map_err(|refusal| refusal.code)
        };
        assert_eq!(generate(None), Ok(true));
        for operation in [CHANGE, GENERATE] {
            assert_eq!(generate(Some(operation)), Err(ErrorCode::BUSY));
        }
        assert_eq!(generate(None), Ok(true));
        assert!(keys.prepare_change(&request(CHANGE), |_| panic!("unexpected key generation")).is_ok());
    }

    #[test]
    fn every_algorithm_can_be_generated() {
        let mut factory = Factory::new();
        factory.set(CHANGE, NONE, 0).unwrap();
        let (_, pair) = factory.run(FetchKeyPair(1)).unwrap();
        let quick = |asym: &Asym| !key_name(*asym).starts_with("RSA") && !key_name(*asym).ends_with('s');
        for asym in signers(&Bits::all()).into_iter().filter(quick) {
            let (classical, pqc) = asym.key_pair_bits();
            assert!(pair.asym_capabilities.contains(classical), "{asym:?}");
            let desired = KeyPair { asym: classical, pqc: encode_pqc(pqc), slots: 0, ..KeyPair::default() };
            factory.run(SetKeyPair { operation: GENERATE, key_pair_id: 1, desired }).unwrap();
            let (_, made) = factory.run(FetchKeyPair(1)).unwrap();
            assert_eq!((made.asym, made.pqc), (classical, encode_pqc(pqc)));
            assert!(!made.public_key_info.is_empty());
        }
    }

    #[test]
    fn csr_contains_requester_info() {
        let mut factory = Factory::new();
        let plain = factory.csr(&[]).unwrap();
        assert_eq!(plain.subject(), SUBJECT_OF_CERTIFICATE);
        // CertificationRequestInfo is the first element of the request. The two lengths take two bytes and one byte.
        let der = plain.to_der();
        assert!(matches!(der[..6], [0x30, 0x82, _, _, 0x30, 0x81]), "{der:?}");
        let mut info = der[4..7 + usize::from(der[6])].to_vec();
        let at = info.windows(15).position(|text| text == b"emulated device").unwrap();
        info[at..at + 15].copy_from_slice(b"device of owner");
        assert_eq!(factory.csr(&info).unwrap().subject(), "CN=device of owner at 127.0.0.2");
        // RequesterInfo with another public key is rejected, and so are bytes that cannot be decoded.
        let last = info.len() - 10;
        let other = [&info[..last], &[!info[last]], &info[last + 1..]].concat();
        for wrong in [other, info[..last].to_vec(), vec![0]] {
            assert_eq!(factory.csr(&wrong).unwrap_err(), ErrorCode::INVALID_REQUEST);
        }
    }
}
