//! Certificates, keys, logs, events and vendor messages.

use crate::common::{self, Wire, classical, config, credential, key_name, post_quantum, refused};
use crate::responder_requests::Subscribers;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, self_signed};
use grille_pki::{PrivateKey, Request};
use grille_registry::signature_by_name;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, EventTypes, KeyPair};
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::{Identity, Slot, usage};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchCsr, FetchDigests, FetchEndpointInfo,
    FetchEventTypes, FetchKeyPair, ManageSlots, Measure, OpenSession, SetChain, SetKeyPair, Subscribe,
    VendorRequest,
};
use grille_spdm_engine::refused_request::{Reason, Target};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::DangerousAcceptAny;

pub(crate) const MORE: Caps = Caps(
    Caps::CSR.0
        | Caps::SET_CERT.0
        | Caps::MEL.0
        | Caps::EP_INFO_SIG.0
        | Caps::EVENT.0
        | Caps::ENCAP.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0,
);

/// A device that echoes the parameters of each request.
#[derive(Default)]
pub(crate) struct EchoDevice {
    usage: KeyUsage,
}

impl Device for EchoDevice {
    fn vendor(
        &mut self,
        _: Option<SessionId>,
        standard: u16,
        id: &[u8],
        data: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let known = (standard == 3).then(|| [id, data].concat());
        known.ok_or(Refusal::unsupported(Code::VENDOR_DEFINED_REQUEST))
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        let known = (sub_code == 1).then(|| vec![1, 0, 0, 0, 5, 3, 2, 0x86, 0x80, 0]);
        known.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok((0..10_000_u32).flat_map(u32::to_le_bytes).collect())
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, request: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        match request.requester_info {
            b"later" => Err(Refusal::with_data(ErrorCode::RESET_REQUIRED, 1)),
            info => Ok(info.to_vec()),
        }
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        let capabilities = KeyPairCapabilities::KEY_USAGE;
        let (usage, usage_capabilities, public_key_info) = (self.usage, KeyUsage(0xF), vec![0x30, 0]);
        Ok(vec![KeyPair {
            capabilities,
            usage,
            usage_capabilities,
            asym: KeyPairAsym::ECC_384,
            slots: 1,
            public_key_info,
            ..KeyPair::default()
        }])
    }

    fn set_key_pair(&mut self, _: Option<SessionId>, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        self.usage = request.usage;
        Ok(())
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(Subscribers::types())
    }

    fn subscribe(&mut self, _: SessionId, wanted: &EventTypes) -> Result<(), Refusal> {
        if wanted.count > 1 { Err(Refusal::new(ErrorCode::INVALID_REQUEST)) } else { Ok(()) }
    }

    fn manage_slots(
        &mut self,
        _: Option<SessionId>,
        sub_code: SubCode,
        structure: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        if sub_code == SubCode::SUPPORTED_SUB_CODES {
            Ok(Some(vec![6, 0, 3, 0, 0, 0]))
        } else {
            Ok(Some(structure.to_vec()))
        }
    }
}

pub(crate) fn pair(version: Version, change: impl Fn(&mut Config)) -> (Requester, Wire, common::Credential) {
    let device = credential(classical("P384"));
    let mut ours = config(version, common::ALL | MORE);
    ours.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
    change(&mut ours);
    let responder = Responder::new(ours, device.identity(), Box::new(EchoDevice::default()));
    let mut wire = Wire::new(responder);
    let requester = config(version, common::REQUESTER | Caps::ENCAP);
    let mut requester = Requester::new(requester, Identity::default(), Box::new(DangerousAcceptAny));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchDigests, &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, device)
}

/// Creates a device in a trusted environment with a multi-key connection: a slot 0, and a slot 1 that was modified by `change`.
/// The requester has fetched both chains, but no digests.
fn multi_key(change: impl Fn(Slot) -> Slot) -> (Requester, Wire, common::Credential) {
    let device = credential(classical("P384"));
    let mut ours = config(Version::V1_4, common::ALL | MORE | Caps::MULTI_KEY_CONN_SEL);
    ours.trusted_environment = true;
    let identity = device.identity().with(change(device.slot(1)));
    let mut wire = Wire::new(Responder::new(ours, identity, Box::new(EchoDevice::default())));
    let requester = config(Version::V1_4, common::REQUESTER | Caps::MULTI_KEY_CONN_SEL);
    let mut requester = Requester::new(requester, Identity::default(), Box::new(DangerousAcceptAny));
    requester.run(Connect::new(), &mut wire).unwrap();
    for slot in [0, 1] {
        requester.run(FetchCertificate::new(slot), &mut wire).unwrap();
    }
    (requester, wire, device)
}

#[test]
fn vendor_messages_work_outside_and_in_sessions() {
    let vendor = |standard_id| VendorRequest { standard_id, vendor_id: vec![0x86, 0x80], data: vec![1; 300] };
    for version in Version::ALL {
        let (mut requester, mut wire, _) = pair(version, |_| {});
        assert_eq!(requester.run(vendor(3), &mut wire).unwrap().len(), 302);
        assert_eq!(refused(requester.run(vendor(6), &mut wire)), ErrorCode::UNSUPPORTED_REQUEST);
        // IANA's vendor IDs have four bytes, DMTF's none, and 12 is unassigned
        for standard_id in [0, 4, 12, u16::MAX] {
            let refusal = refused(requester.run(vendor(standard_id), &mut wire));
            assert_eq!(refusal, ErrorCode::INVALID_REQUEST, "{standard_id}");
        }
        if version > Version::V1_0 {
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            assert_eq!(requester.run(vendor(3).within(session), &mut wire).unwrap().len(), 302);
        }
    }
    let (mut requester, mut wire, _) = pair(Version::V1_4, |_| {});
    let large = VendorRequest { standard_id: 3, vendor_id: Vec::new(), data: vec![2; 70_000] };
    assert_eq!(requester.run(large, &mut wire).unwrap(), vec![2; 70_000]);
}

#[test]
fn endpoint_info_is_signed_on_request() {
    for version in [Version::V1_3, Version::V1_4] {
        let (mut requester, mut wire, _) = pair(version, |_| {});
        for signed in [None, Some(0)] {
            let info = requester.run(FetchEndpointInfo { sub_code: 1, signed }, &mut wire).unwrap();
            assert_eq!(info.len(), 10);
        }
        let unknown = requester.run(FetchEndpointInfo { sub_code: 2, signed: None }, &mut wire);
        assert_eq!(refused(unknown), ErrorCode::INVALID_REQUEST);
    }
    let (mut requester, mut wire, _) = pair(Version::V1_2, |_| {});
    let early = requester.run(FetchEndpointInfo { sub_code: 1, signed: None }, &mut wire);
    assert!(matches!(early, Err(Error::Usage(Usage::NoCapability { .. }))), "{early:?}");
}

#[test]
fn csr_is_returned_or_needs_a_reset() {
    let (mut requester, mut wire, _) = pair(Version::V1_2, |_| {});
    let csr = |info: &[u8]| FetchCsr { requester_info: info.to_vec(), ..FetchCsr::default() };
    assert_eq!(requester.run(csr(b"info"), &mut wire).unwrap(), b"info");
    assert_eq!(refused(requester.run(csr(b"later"), &mut wire)), ErrorCode::RESET_REQUIRED);
}

/// A device that answers GET_CSR needs no second copy of its key.
#[test]
fn local_signer_key_signs_csrs() {
    for asym in [classical("P384"), classical("Ed25519"), post_quantum("ML-DSA-44")] {
        let key = PrivateKey::generate(signature_by_name(key_name(asym)).unwrap(), &mut SystemRng).unwrap();
        let public = key.public_key().to_spki_der().unwrap();
        let signer = LocalSigner::new(asym, key).unwrap();
        let request = Request::new("CN=device", &[], signer.key(), &mut SystemRng).unwrap();
        request.verify().unwrap();
        assert_eq!(request.public_key().unwrap().to_spki_der().unwrap(), public, "{asym:?}");
    }
}

#[test]
fn csr_names_key_pair_and_model_on_multi_key_connections() {
    let fetch = |key_pair_id, attributes| FetchCsr { key_pair_id, attributes, ..FetchCsr::default() };
    let wrong = |requester: &mut Requester, wire: &mut Wire, fetch: FetchCsr, seen: bool| {
        let version = requester.connection().version().byte();
        let request = [version, Code::GET_CSR.0, fetch.key_pair_id, fetch.attributes, 0, 0, 0, 0];
        match requester.run(fetch, wire) {
            // the responder refuses the request as well
            Err(Error::Usage(Usage::KeyPair { request: Code::GET_CSR })) if seen => {
                assert_eq!(wire.plain(&request)[1..3], [Code::ERROR.0, ErrorCode::INVALID_REQUEST.0]);
            }
            other => assert_eq!((refused(other), seen), (ErrorCode::INVALID_REQUEST, false), "{request:?}"),
        }
    };
    const OLDER: u8 = 1 << 3;
    const OVERWRITE: u8 = 1 << 7;
    let (mut requester, mut wire, _) = multi_key(|slot| slot);
    for model in 1..=3 {
        requester.run(FetchCsr::default().for_key_pair(2, model), &mut wire).unwrap();
    }
    for (key_pair, attributes, reason) in [
        (0, 1, Reason::KeyPair),
        (3, 1, Reason::KeyPair),
        (1, 0, Reason::Model),
        (1, 4, Reason::Model),
        (1, 7, Reason::Model),
        (1, 1 | OLDER, Reason::TrackingTag),
    ] {
        wrong(
            &mut requester,
            &mut wire,
            fetch(key_pair, attributes),
            key_pair == 0 || reason == Reason::Model,
        );
        let target = (key_pair != 0).then_some(Target::KeyPair(key_pair));
        assert_eq!(wire.last_refusal(), (target, reason), "{key_pair} {attributes}");
    }
    let (mut requester, mut wire, _) =
        pair(Version::V1_3, |config| config.limits.flags.0 |= Caps::CERT_INSTALL_RESET.0);
    for attributes in [0, OLDER, OVERWRITE] {
        requester.run(fetch(0, attributes), &mut wire).unwrap();
    }
    for (key_pair, attributes, reason) in
        [(1, 0, Reason::KeyPair), (0, 1, Reason::Model), (0, OLDER | OVERWRITE, Reason::TrackingTag)]
    {
        wrong(&mut requester, &mut wire, fetch(key_pair, attributes), reason != Reason::TrackingTag);
        assert_eq!(wire.last_refusal().1, reason, "{key_pair} {attributes}");
    }
    // These attributes are reserved in older versions.
    let (mut requester, mut wire, _) = pair(Version::V1_2, |_| {});
    assert_eq!(requester.run(fetch(1, OLDER | OVERWRITE), &mut wire).unwrap(), []);
}

#[test]
fn set_certificate_needs_a_session_or_trusted_environment() {
    let other = credential(classical("P384"));
    for version in [Version::V1_2, Version::V1_4] {
        let (mut requester, mut wire, device) = pair(version, |_| {});
        let hash = &HASHES[5];
        let whole = chain::write(hash, &device.chain);
        let short =
            chain::write_with_root_hash(hash.digest(&[&device.root.to_der()]).as_ref(), &device.chain[1..]);
        let outside = requester.run(SetChain::new(0, short.clone()), &mut wire);
        assert_eq!(refused(outside), ErrorCode::UNEXPECTED_REQUEST);
        assert_eq!(wire.last_refusal(), (Some(Target::Slot(0)), Reason::Outside));
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        for (slot, chain, reason) in [
            (0, chain::write(hash, &other.chain), Reason::Key),
            (0, whole[..whole.len() - 1].to_vec(), Reason::Chain),
            (1, whole.clone(), Reason::NoSlot),
            (8, whole.clone(), Reason::NoSlot),
            (0, Vec::new(), Reason::Erase),
        ] {
            let wrong = requester.run(SetChain::new(slot, chain).within(session), &mut wire);
            assert_eq!(refused(wrong), ErrorCode::INVALID_REQUEST, "{slot}");
            assert_eq!(wire.last_refusal(), (Some(Target::Slot(slot)), reason));
        }
        requester.run(SetChain::new(0, short.clone()).within(session), &mut wire).unwrap();
        // the known chain has another digest now
        requester.run(FetchDigests, &mut wire).unwrap();
        assert!(matches!(requester.run(ChallengeResponder::new(0, 0), &mut wire), Err(Error::Usage(_))));
        assert_eq!(requester.run(FetchCertificate::new(0), &mut wire).unwrap(), short);
        if version == Version::V1_4 {
            requester.run(SetChain::erase(0).within(session), &mut wire).unwrap();
            assert_eq!(refused(requester.run(FetchDigests, &mut wire)), ErrorCode::UNSPECIFIED);
            // an empty slot still has its key, so it rejects another key's certificate
            let others = SetChain::new(0, chain::write(hash, &other.chain)).within(session);
            assert_eq!(refused(requester.run(others, &mut wire)), ErrorCode::INVALID_REQUEST);
            assert_eq!(wire.last_refusal().1, Reason::Key);
            // on connections without multi-key, a request must name neither a key pair nor a model
            let request = SetChain::new(0, whole.clone()).for_key_pair(1, 1).within(session);
            assert_eq!(refused(requester.run(request, &mut wire)), ErrorCode::INVALID_REQUEST);
            assert_eq!(wire.last_refusal().1, Reason::KeyPair);
            requester.run(SetChain::new(0, whole).within(session), &mut wire).unwrap();
            requester.run(FetchDigests, &mut wire).unwrap();
        }
    }
    let (mut requester, mut wire, device) = pair(Version::V1_2, |config| config.trusted_environment = true);
    let root_hash = HASHES[5].digest(&[&device.root.to_der()]);
    let short = chain::write_with_root_hash(root_hash.as_ref(), &device.chain[1..]);
    requester.run(SetChain::new(0, short), &mut wire).unwrap();
}

#[test]
fn refuses_chains_that_requesters_would_not_trust() {
    let (mut requester, mut wire, device) = multi_key(|slot| slot);
    let key = PrivateKey::from_pem_or_der(device.pkcs8.as_ref()).unwrap();
    let template = Template::new("CN=device", Profile::Root).unwrap();
    let of_a_ca = self_signed(&template, &key, &mut SystemRng).unwrap();
    let chain = chain::write(&HASHES[5], &[of_a_ca]);
    let set = |model| SetChain::new(1, chain.clone()).for_key_pair(2, model);
    for (model, reason) in
        [(1, Reason::Profile("is a CA certificate, which can only issue others")), (2, Reason::AliasCa)]
    {
        let refusal = requester.run(set(model), &mut wire);
        assert_eq!(refused(refusal), ErrorCode::INVALID_REQUEST, "{model}");
        assert_eq!(wire.last_refusal(), (Some(Target::Slot(1)), reason));
    }
    // the standard does not restrict generic certificates
    requester.run(set(3), &mut wire).unwrap();
}

#[test]
fn set_certificate_names_key_pair_and_model_on_multi_key_connections() {
    let (mut requester, mut wire, device) = multi_key(|slot| slot);
    let chain = chain::write(&HASHES[5], &device.chain);
    let set = |slot, key_pair, model| SetChain::new(slot, chain.clone()).for_key_pair(key_pair, model);
    // The key pair is missing or wrong; or the model is missing, unknown, or not allowed for slot 0.
    for (slot, key_pair, model) in [(0, 0, 1), (0, 2, 1), (0, 1, 0), (0, 1, 4), (0, 1, 7), (0, 1, 3)] {
        let wrong = requester.run(set(slot, key_pair, model), &mut wire);
        assert_eq!(refused(wrong), ErrorCode::INVALID_REQUEST, "{slot} {key_pair} {model}");
        let reason = if key_pair == 1 { Reason::Model } else { Reason::KeyPair };
        assert_eq!(wire.last_refusal().1, reason, "{slot} {key_pair} {model}");
    }
    for (slot, key_pair, model) in [(0, 1, 1), (1, 2, 3)] {
        requester.run(set(slot, key_pair, model), &mut wire).unwrap();
        let digests = requester.run(FetchDigests, &mut wire).unwrap();
        let digests = &digests[usize::from(slot)];
        assert_eq!((digests.key_pair_id, digests.model), (key_pair, model));
        requester.run(FetchCertificate::new(slot), &mut wire).unwrap();
    }
    let nobodys = requester.run(SetChain::erase(1), &mut wire);
    assert_eq!(refused(nobodys), ErrorCode::INVALID_REQUEST);
    assert_eq!(wire.last_refusal().1, Reason::KeyPair);
    let of_a_model = requester.run(SetChain::erase(1).for_key_pair(2, 1), &mut wire);
    assert_eq!(refused(of_a_model), ErrorCode::INVALID_REQUEST);
    assert_eq!(wire.last_refusal().1, Reason::Model);
    requester.run(SetChain::erase(1).for_key_pair(2, 0), &mut wire).unwrap();
    assert_eq!(wire.plain(&[0x14, 0x81, 0, 0])[2..4], [0b11, 0b01], "an empty slot is still supported");
}

#[test]
fn enforces_key_usage() {
    type Use = fn(&mut Requester, &mut Wire) -> Result<(), Error>;
    let uses: [(u16, Use); 4] = [
        (usage::KEY_EX, |requester, wire| requester.run(OpenSession::new(1), wire).map(|_| ())),
        (usage::CHALLENGE, |requester, wire| requester.run(ChallengeResponder::new(1, 0), wire).map(|_| ())),
        (usage::MEASUREMENT, |requester, wire| requester.run(Measure::all_signed(1), wire).map(|_| ())),
        (usage::ENDPOINT_INFO, |requester, wire| {
            requester.run(FetchEndpointInfo { sub_code: 1, signed: Some(1) }, wire).map(|_| ())
        }),
    ];
    for (allowed, _) in uses {
        for announced in [false, true] {
            let (mut requester, mut wire, _) = multi_key(|slot| Slot { key_usage: allowed, ..slot });
            if announced {
                requester.run(FetchDigests, &mut wire).unwrap();
            }
            for (usage, run) in uses {
                match run(&mut requester, &mut wire) {
                    Ok(()) => assert_eq!(usage, allowed),
                    Err(Error::Usage(Usage::KeyUsage { slot: 1 })) => assert!(announced && usage != allowed),
                    Err(error) => {
                        assert!(!announced && usage != allowed, "{error:?}");
                        assert_eq!(refused::<()>(Err(error)), ErrorCode::INVALID_REQUEST);
                    }
                }
            }
        }
    }
}

#[test]
fn reads_and_changes_key_pairs() {
    for version in [Version::V1_3, Version::V1_4] {
        let (mut requester, mut wire, _) = pair(version, |_| {});
        let (total, pair) = requester.run(FetchKeyPair(1), &mut wire).unwrap();
        assert_eq!((total, pair.usage), (1, KeyUsage::NONE));
        let desired = KeyPair { usage: KeyUsage::CHALLENGE, ..KeyPair::default() };
        let set = |operation, key_pair_id| SetKeyPair { operation, key_pair_id, desired: desired.clone() };
        requester.run(set(0, 1), &mut wire).unwrap();
        assert_eq!(requester.run(FetchKeyPair(1), &mut wire).unwrap().1.usage, KeyUsage::CHALLENGE);
        for (operation, key_pair, reason) in
            [(0, 2, Reason::NoKeyPair), (0, 0, Reason::NoKeyPair), (3, 1, Reason::Operation)]
        {
            let wrong = requester.run(set(operation, key_pair), &mut wire);
            assert_eq!(refused(wrong), ErrorCode::INVALID_REQUEST);
            assert_eq!(wire.last_refusal(), (Some(Target::KeyPair(key_pair)), reason));
        }
        for key_pair in [0, 2] {
            let wrong = requester.run(FetchKeyPair(key_pair), &mut wire);
            assert_eq!(refused(wrong), ErrorCode::INVALID_REQUEST);
            assert_eq!(wire.last_refusal(), (Some(Target::KeyPair(key_pair)), Reason::NoKeyPair));
        }
    }
}

#[test]
fn changed_key_usage_takes_effect() {
    let (mut requester, mut wire, _) = multi_key(|slot| slot);
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    let desired = KeyPair { usage: KeyUsage::MEASUREMENT, ..KeyPair::default() };
    requester.run(SetKeyPair { operation: 0, key_pair_id: 1, desired }, &mut wire).unwrap();
    assert_eq!(refused(requester.run(ChallengeResponder::new(0, 0), &mut wire)), ErrorCode::INVALID_REQUEST);
    let digests = requester.run(FetchDigests, &mut wire).unwrap();
    assert_eq!((digests[0].key_usage, digests[1].key_usage), (usage::MEASUREMENT, 15));
    requester.run(Measure::all_signed(0), &mut wire).unwrap();
    requester.run(ChallengeResponder::new(1, 0), &mut wire).unwrap();
}

#[test]
fn subscribes_to_events_in_sessions() {
    let (mut requester, mut wire, _) = pair(Version::V1_3, |_| {});
    let outside = requester.run(FetchEventTypes, &mut wire);
    assert!(matches!(outside, Err(Error::Usage(Usage::NotInSession { .. }))), "{outside:?}");
    let request = [requester.connection().version().byte(), Code::GET_SUPPORTED_EVENT_TYPES.0, 0, 0];
    assert_eq!(wire.plain(&request)[1..3], [0x7F, ErrorCode::SESSION_REQUIRED.0]);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let types = requester.run(FetchEventTypes.within(session), &mut wire).unwrap();
    assert_eq!(types.count, 1);
    requester.run(Subscribe(types.clone()).within(session), &mut wire).unwrap();
    requester.run(Subscribe::default().within(session), &mut wire).unwrap();
    let unknown = Subscribe(EventTypes { count: 2, groups: types.groups.repeat(2) }).within(session);
    assert_eq!(refused(requester.run(unknown, &mut wire)), ErrorCode::INVALID_REQUEST);
}

#[test]
fn subscription_needs_encapsulated_requests() {
    let (mut requester, mut wire, _) =
        pair(Version::V1_3, |config| config.limits.flags = Caps(config.limits.flags.0 & !Caps::ENCAP.0));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let here = requester.run(Subscribe::default().within(session), &mut wire);
    assert!(matches!(here, Err(Error::Usage(Usage::NoCapability { .. }))), "{here:?}");
    let subscribe = requester.seal_message(session, &[0x13, 0xF0, 0, 0]).unwrap();
    let Packet::Secured(answer) = wire.responder.receive(&subscribe) else { panic!("in the clear") };
    let unsupported = [0x13, 0x7F, ErrorCode::UNSUPPORTED_REQUEST.0, 0xF0];
    assert_eq!(requester.open_message(session, &answer).unwrap(), unsupported);
}

#[test]
fn manages_slots_in_1_4() {
    let (mut requester, mut wire, _) = pair(Version::V1_4, |_| {});
    let manage = |sub_code, structure: &[u8]| ManageSlots { sub_code, structure: structure.to_vec() };
    let supported = requester.run(manage(SubCode::SUPPORTED_SUB_CODES, b""), &mut wire).unwrap();
    assert_eq!(supported.len(), 6);
    let details = requester.run(manage(SubCode::GET_BANK_DETAILS, &[4, 0, 1, 0]), &mut wire).unwrap();
    assert_eq!(details, [4, 0, 1, 0]);
    let (mut requester, mut wire, _) =
        pair(Version::V1_4, |config| config.limits.ext_flags = ExtCapabilityFlags::NONE);
    let without = requester.run(manage(SubCode::SUPPORTED_SUB_CODES, b""), &mut wire);
    assert!(matches!(without, Err(Error::Usage(Usage::NoCapability { .. }))), "{without:?}");
    let code = ErrorCode::UNSUPPORTED_REQUEST.0;
    assert_eq!(wire.plain(&[0x14, 0x88, 0, 0, 0, 0, 0, 0])[..4], [0x14, 0x7F, code, 0x88]);
}
