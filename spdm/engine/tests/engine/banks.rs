//! SLOT_MANAGEMENT (1.4): banks of all algorithms can be read and written, including algorithms that were not
//! negotiated.

use crate::common::{self, Credential, Wire, classical, config, credential, post_quantum};
use grille_spdm_codec::bank::{
    BankAttributes, BankDetails, BankElement, BankElements, BankInfo, Document, GetCsr, ManageSlot,
    SetCertificate, SlotAddress, SlotAttributes, SlotElement, SlotElements, SupportedSubCodes,
};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyUsage};
use grille_spdm_codec::list::{Item, decode, encode};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_codec::{Version, csr};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::device::Device;
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchCsr, FetchDigests, ManageSlots,
};
use grille_spdm_engine::refused_request::{Reason, Target};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::DangerousAcceptAny;

/// A device that answers GET_CSR with the algorithm's name.
struct CsrNameDevice;

impl Device for CsrNameDevice {
    fn csr(&mut self, _: Option<SessionId>, asym: Asym, _: &csr::GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        Ok(asym.name().as_bytes().to_vec())
    }
}

/// A device with P-384 in slots 0 and 1, and ML-DSA-44 in slot 0. P-384 is negotiated.
struct Banks {
    requester: Requester,
    wire: Wire,
    device: [Credential; 2],
}

const P384: u8 = 0;
const ML_DSA: u8 = 1;

impl Banks {
    fn new(more: Caps) -> Self {
        let device = [credential(classical("P384")), credential(post_quantum("ML-DSA-44"))];
        let identity = device[0].identity().with(device[0].slot(1));
        let of_pair_3 = Slot { key_pair_id: 3, ..device[1].slot(0) };
        let with = |flags| {
            let mut ours = config(Version::V1_4, flags);
            ours.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
            Config { trusted_environment: true, ..ours }
        };
        let responder = with(common::responder_caps(common::ALL | Caps::MULTI_KEY_CONN_SEL) | more);
        let responder = Responder::new(responder, identity.with(of_pair_3), Box::new(CsrNameDevice));
        let mut requester = with(common::REQUESTER | Caps::MULTI_KEY_CONN_SEL);
        requester.algorithms.pqc_asym = 0;
        let mut requester = Requester::new(requester, Identity::default(), Box::new(DangerousAcceptAny));
        let mut wire = Wire::new(responder);
        requester.run(Connect::new(), &mut wire).unwrap();
        Self { requester, wire, device }
    }

    /// Runs SLOT_MANAGEMENT and returns the response structure.
    fn ask<'a>(&mut self, sub_code: SubCode, item: Option<impl Item<'a>>) -> Result<Vec<u8>, ErrorCode> {
        let mut structure = vec![0; 20_000];
        let len = item.map_or(0, |item| encode(item, &mut structure).unwrap());
        structure.truncate(len);
        self.requester.run(ManageSlots { sub_code, structure }, &mut self.wire).map_err(|error| match error {
            Error::Refused { code, .. } => code,
            other => panic!("{other:?}"),
        })
    }

    fn chain(&mut self, bank: u8, slot: u8) -> Result<Vec<u8>, ErrorCode> {
        let answer = self.ask(SubCode::GET_CERTIFICATE_CHAIN, Some(SlotAddress { bank, slot }))?;
        Ok(decode::<Document<'_>>(&answer).unwrap().bytes.to_vec())
    }
}

const NOTHING: Option<SlotAddress> = None;

#[test]
fn reads_slots_and_chains_of_every_bank() {
    let mut banks = Banks::new(Caps::NONE);
    let answer = banks.ask(SubCode::SUPPORTED_SUB_CODES, NOTHING).unwrap();
    let supported: SupportedSubCodes = decode(&answer).unwrap();
    let known: Vec<u8> = (0..=u8::MAX).filter(|code| supported.contains(SubCode(*code))).collect();
    assert_eq!(known, [0, 1, 2, 3]);

    let answer = banks.ask(SubCode::GET_BANK_INFO, NOTHING).unwrap();
    let info: BankInfo<'_> = decode(&answer).unwrap();
    let elements: Vec<BankElement> = BankElements::new(info.elements).map(Result::unwrap).collect();
    let bank = |bank, slots| BankElement { bank, slots, modifiable: 0 };
    assert_eq!((info.count, &elements[..]), (2, &[bank(P384, 0b11), bank(ML_DSA, 0b1)][..]));

    let hash = banks.requester.connection().negotiated().unwrap().algorithms.hash;
    for (bank, pairs) in [(P384, &[1, 2][..]), (ML_DSA, &[3])] {
        let expected = chain::write(hash, &banks.device[usize::from(bank)].chain);
        let answer = banks.ask(SubCode::GET_BANK_DETAILS, Some(SlotAddress { bank, slot: 0 })).unwrap();
        let details: BankDetails<'_> = decode(&answer).unwrap();
        let selected = if bank == P384 { BankAttributes::SELECTED } else { BankAttributes::NONE };
        let asym = if bank == P384 { KeyPairAsym::ECC_384 } else { KeyPairAsym::NONE };
        assert_eq!((details.bank, details.attributes, details.asym), (bank, selected, asym));
        assert_eq!(details.pqc, if bank == P384 { &[][..] } else { &[1, 0, 0, 0] });
        let slots: Vec<SlotElement<'_>> = SlotElements::new(details.elements).map(Result::unwrap).collect();
        assert_eq!(slots.len(), usize::from(details.count));
        let digest = hash.digest(&[&expected]);
        for ((number, pair), slot) in (0..).zip(pairs).zip(&slots) {
            let element = SlotElement {
                slot: number,
                attributes: SlotAttributes::PROVISIONED | SlotAttributes::WRITE_PROTECTED,
                key_pair_id: *pair,
                certificate_info: 1,
                key_usage: KeyUsage(15),
                size: expected.len() as u32,
                digest: digest.as_ref(),
            };
            assert_eq!(*slot, element);
            assert_eq!(banks.chain(bank, number).unwrap(), expected);
        }
    }
    for (bank, slot) in [(2, 0), (P384, 2), (ML_DSA, 1), (P384, 0xFF)] {
        assert_eq!(banks.chain(bank, slot), Err(ErrorCode::INVALID_REQUEST), "{bank} {slot}");
    }
    // unsupported SubCodes
    for code in (0..=u8::MAX).map(SubCode).filter(|code| !supported.contains(*code)) {
        assert_eq!(banks.ask(code, NOTHING), Err(ErrorCode::INVALID_REQUEST), "{code:?}");
        assert_eq!(banks.wire.last_refusal(), (None, Reason::SubCode), "{code:?}");
    }
}

/// The address of ML-DSA-44's slot.
const ADDRESS: SlotAddress = SlotAddress { bank: ML_DSA, slot: 0 };
const SLOT: Option<Target> = Some(Target::Slot(0));

#[test]
fn returns_csrs_for_unnegotiated_banks() {
    let mut banks = Banks::new(Caps::SET_CERT | Caps::CSR);
    let csr = GetCsr { address: ADDRESS, key_pair_id: 3, attributes: 1, ..GetCsr::default() };
    let of_pair = |key_pair_id| GetCsr { key_pair_id, ..csr };
    for (wrong, reason) in [
        (of_pair(0), Reason::KeyPair),
        (of_pair(1), Reason::KeyPair),
        (of_pair(2), Reason::KeyPair),
        (of_pair(4), Reason::KeyPair),
        (GetCsr { attributes: 0, ..csr }, Reason::Model),
    ] {
        assert_eq!(banks.ask(SubCode::GET_CSR, Some(wrong)), Err(ErrorCode::INVALID_REQUEST));
        assert_eq!(banks.wire.last_refusal(), (SLOT, reason));
    }
    let elsewhere = |bank, slot| GetCsr { address: SlotAddress { bank, slot }, ..csr };
    for (wrong, reason) in [
        (elsewhere(2, 0), (None, Reason::NoBank)),
        (elsewhere(ML_DSA, 1), (Some(Target::Slot(1)), Reason::NoSlot)),
    ] {
        assert_eq!(banks.ask(SubCode::GET_CSR, Some(wrong)), Err(ErrorCode::INVALID_REQUEST));
        assert_eq!(banks.wire.last_refusal(), reason);
    }
    // GET_CSR is only for the negotiated algorithm
    let fetch = |key_pair_id| FetchCsr { key_pair_id, attributes: 1, ..FetchCsr::default() };
    assert_eq!(banks.requester.run(fetch(2), &mut banks.wire).unwrap(), b"ECDSA-P384");
    assert!(matches!(banks.requester.run(fetch(3), &mut banks.wire), Err(Error::Refused { .. })));
    let answer = banks.ask(SubCode::GET_CSR, Some(csr)).unwrap();
    assert_eq!(decode::<Document<'_>>(&answer).unwrap().bytes, b"ML-DSA-44");
}

#[test]
fn installs_chains_in_unnegotiated_banks() {
    let mut banks = Banks::new(Caps::SET_CERT | Caps::CSR);
    let address = ADDRESS;
    let (hash, before) = (&HASHES[5], banks.chain(ML_DSA, 0).unwrap());
    let root_hash = hash.digest(&[&banks.device[1].root.to_der()]);
    let short = chain::write_with_root_hash(root_hash.as_ref(), &banks.device[1].chain[1..]);
    let others = chain::write(hash, &banks.device[0].chain);
    let put = |chain, key_pair_id, model| SetCertificate { address, attributes: model, key_pair_id, chain };
    for (wrong, reason) in [
        (put(&others, 3, 1), Reason::Key),
        (put(&short, 1, 1), Reason::KeyPair),
        (put(&short, 3, 0), Reason::Model),
        (put(&short[1..], 3, 1), Reason::Chain),
        (put(&short, 3, 2), Reason::AliasCa),
    ] {
        let refused = banks.ask(SubCode::SET_CERTIFICATE, Some(wrong));
        assert_eq!(refused, Err(ErrorCode::INVALID_REQUEST));
        assert_eq!(banks.wire.last_refusal(), (SLOT, reason));
        assert_eq!(banks.chain(ML_DSA, 0).unwrap(), before);
    }
    assert!(banks.ask(SubCode::SET_CERTIFICATE, Some(put(&short, 3, 1))).unwrap().is_empty());
    assert_eq!(banks.chain(ML_DSA, 0).unwrap(), short);

    let manage = |operation| ManageSlot { address, operation };
    assert_eq!(banks.ask(SubCode::MANAGE_SLOT, Some(manage(2))), Err(ErrorCode::INVALID_REQUEST));
    assert_eq!(banks.wire.last_refusal(), (SLOT, Reason::Operation));
    assert!(banks.ask(SubCode::MANAGE_SLOT, Some(manage(ManageSlot::ERASE))).unwrap().is_empty());
    assert_eq!(banks.chain(ML_DSA, 0), Err(ErrorCode::INVALID_REQUEST));
    let answer = banks.ask(SubCode::GET_BANK_DETAILS, Some(address)).unwrap();
    let details: BankDetails<'_> = decode(&answer).unwrap();
    let slot = SlotElements::new(details.elements).next().unwrap().unwrap();
    assert_eq!((slot.attributes, slot.key_pair_id, slot.size), (SlotAttributes::NONE, 3, 0));
    assert!(slot.digest.is_empty());

    // the slots of the negotiated algorithm are unchanged
    let digests = banks.requester.run(FetchDigests, &mut banks.wire).unwrap();
    assert_eq!(digests.len(), 2);
    banks.requester.run(FetchCertificate::new(1), &mut banks.wire).unwrap();
    banks.requester.run(ChallengeResponder::new(1, 0), &mut banks.wire).unwrap();
}
