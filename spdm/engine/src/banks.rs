//! Banks of SLOT_MANAGEMENT (1.4): the responder's slots, in one bank for each algorithm, negotiated or not.

use crate::algorithms::Asym;
use crate::context::Context;
use crate::csr;
use crate::encode::encode_into;
use crate::error::Refusal;
use crate::identity::Slot;
use crate::refused_request::{Reason, Target};
use crate::session::SessionId;
use crate::set_certificate::install;
use alloc::vec::Vec;
use grille_spdm_codec::bank::{
    BankAttributes, BankDetails, BankElement, BankInfo, Document, GetCsr, ManageSlot, SetCertificate,
    SlotAddress, SlotAttributes, SlotElement, SupportedSubCodes, pqc_bytes,
};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::KeyUsage;
use grille_spdm_codec::list::{Item, decode_prefix, encode};
use grille_spdm_codec::slot_management::SubCode;

/// GET_CSR and SET_CERTIFICATE, which serve the negotiated algorithm only. Structures of SLOT_MANAGEMENT have the same
/// names.
mod negotiated_only {
    pub(super) use grille_spdm_codec::csr::GetCsr;
    pub(super) use grille_spdm_codec::set_certificate::SetCertificate;
}

/// The supported SubCodes, with the capability that each needs.
const SUB_CODES: [(SubCode, Caps); 7] = [
    (SubCode::SUPPORTED_SUB_CODES, Caps::NONE),
    (SubCode::GET_BANK_INFO, Caps::NONE),
    (SubCode::GET_BANK_DETAILS, Caps::NONE),
    (SubCode::GET_CERTIFICATE_CHAIN, Caps::CERT),
    (SubCode::GET_CSR, Caps::CSR),
    (SubCode::MANAGE_SLOT, Caps::SET_CERT),
    (SubCode::SET_CERTIFICATE, Caps::SET_CERT),
];

/// Returns the response structure for a SubCode.
pub(crate) fn answer(
    cx: &mut Context,
    session: Option<SessionId>,
    sub_code: SubCode,
    structure: &[u8],
) -> Result<Vec<u8>, Refusal> {
    let able = |needed: Caps| needed.is_empty() || cx.connection.responder_has(needed);
    let able = SUB_CODES.iter().filter(|(_, needed)| able(*needed));
    let able: Vec<SubCode> = able.map(|(code, _)| *code).collect();
    if !able.contains(&sub_code) {
        return Err(Reason::SubCode.into());
    }
    match sub_code {
        SubCode::SUPPORTED_SUB_CODES => encode_structure(SupportedSubCodes::new(&able), 0),
        SubCode::GET_BANK_INFO => bank_info(cx),
        SubCode::GET_BANK_DETAILS => bank_details(cx, read::<SlotAddress>(structure)?.bank),
        SubCode::GET_CERTIFICATE_CHAIN => certificate_chain(cx, read(structure)?),
        SubCode::GET_CSR => request(cx, session, read(structure)?),
        SubCode::MANAGE_SLOT => manage_slot(cx, session, read(structure)?),
        _ => set_certificate(cx, session, read(structure)?),
    }
}

/// Returns the banks' algorithms in the order of their BankIDs. RSASSA and RSAPSS of one key size share a bank.
fn banks(cx: &Context) -> Vec<Asym> {
    let mut banks: Vec<Asym> = Vec::new();
    for asym in cx.identity.algorithms() {
        if banks.iter().all(|known| known.key_pair_bits() != asym.key_pair_bits()) {
            banks.push(asym);
        }
    }
    banks
}

fn algorithm(cx: &Context, bank: u8) -> Result<Asym, Refusal> {
    let asym = banks(cx).get(usize::from(bank)).copied();
    asym.ok_or(Reason::NoBank.into())
}

/// The bits of SlotID in its byte; the byte's other bits are reserved.
const SLOT_ID_MASK: u8 = 0xF;

/// Returns the addressed slot and its bank's algorithm.
fn addressed_slot(cx: &Context, address: SlotAddress) -> Result<(Asym, Slot), Refusal> {
    let asym = algorithm(cx, address.bank)?;
    let number = address.slot & SLOT_ID_MASK;
    let slot = cx.identity.slot(number, asym);
    let slot = slot.ok_or(Refusal::from(Reason::NoSlot).with_target(Target::Slot(number)))?;
    Ok((asym, slot.clone()))
}

fn bank_info(cx: &Context) -> Result<Vec<u8>, Refusal> {
    let changeable = cx.connection.responder_has(Caps::SET_CERT);
    let (banks, mut elements) = (banks(cx), Vec::new());
    for (bank, asym) in (0..).zip(&banks) {
        let slots = cx.identity.supported_mask(*asym);
        let modifiable = if changeable { slots } else { 0 };
        elements.extend(encode_structure(BankElement { bank, slots, modifiable }, 0)?);
    }
    let count = u8::try_from(banks.len()).map_err(|_| Refusal::new(ErrorCode::UNSPECIFIED))?;
    encode_structure(BankInfo { count, elements: &elements }, elements.len())
}

fn bank_details(cx: &Context, bank: u8) -> Result<Vec<u8>, Refusal> {
    let asym = algorithm(cx, bank)?;
    let slots = cx.identity.slots(asym);
    let mut elements = Vec::new();
    for slot in &slots {
        elements.extend(slot_element(cx, asym, slot)?);
    }
    let selected = cx.own_asym().is_some_and(|own| own.key_pair_bits() == asym.key_pair_bits());
    let ((asym, pqc), count) = (asym.key_pair_bits(), slots.len() as u16);
    let mut buffer = [0; 4];
    let pqc = pqc_bytes(pqc, &mut buffer);
    let details = BankDetails {
        bank,
        count,
        attributes: if selected { BankAttributes::SELECTED } else { BankAttributes::NONE },
        asym_capabilities: asym,
        asym,
        asym_available: asym,
        pqc_capabilities: pqc,
        pqc,
        pqc_available: pqc,
        elements: &elements,
    };
    encode_structure(details, elements.len() + 3 * pqc.len())
}

fn slot_element(cx: &Context, asym: Asym, slot: &Slot) -> Result<Vec<u8>, Refusal> {
    let hash = cx.connection.hash().ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
    let (chain, digest) =
        (cx.identity.chain(slot.number, asym, hash), cx.identity.digest(slot.number, asym, hash));
    let protected = if cx.connection.responder_has(Caps::SET_CERT) {
        SlotAttributes::NONE
    } else {
        SlotAttributes::WRITE_PROTECTED
    };
    let provisioned = if chain.is_some() { SlotAttributes::PROVISIONED } else { SlotAttributes::NONE };
    let element = SlotElement {
        slot: slot.number,
        attributes: protected | provisioned,
        key_pair_id: slot.key_pair_id,
        certificate_info: chain.map_or(0, |_| slot.model),
        // key usage of the key pair, if there is one
        key_usage: if slot.key_pair_id == 0 { KeyUsage::NONE } else { KeyUsage(slot.key_usage) },
        size: chain.map_or(0, |chain| chain.len() as u32),
        digest: digest.as_ref().map_or(&[], AsRef::as_ref),
    };
    encode_structure(element, element.digest.len())
}

fn certificate_chain(cx: &Context, SlotAddress { bank, slot }: SlotAddress) -> Result<Vec<u8>, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (asym, hash) = (algorithm(cx, bank)?, cx.connection.hash().ok_or(invalid)?);
    let bytes = cx.identity.chain(slot & SLOT_ID_MASK, asym, hash).ok_or(invalid)?;
    encode_structure(Document { bytes }, bytes.len())
}

/// Returns a certificate signing request for the slot's key pair. On multi-key connections the request names the key pair, and it
/// must be the slot's: a chain for another key could not be installed in the slot.
fn request(cx: &mut Context, session: Option<SessionId>, wanted: GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
    let GetCsr { address, key_pair_id, attributes, requester_info, opaque } = wanted;
    cx.check_opaque(opaque)?;
    let (asym, slot) = addressed_slot(cx, address)?;
    let request = negotiated_only::GetCsr { key_pair_id, attributes, requester_info, opaque };
    let about = |refusal: Refusal| refusal.with_target(Target::Slot(slot.number));
    if key_pair_id != 0 && key_pair_id != slot.key_pair_id {
        return Err(about(Reason::KeyPair.into()));
    }
    csr::check(cx, asym, &request).map_err(about)?;
    let bytes = &cx.device.csr(session, asym, &request).map_err(about)?;
    encode_structure(Document { bytes }, bytes.len())
}

/// Erases the slot. On multi-key connections the engine fills in the slot's KeyPairID, as SET_CERTIFICATE requires it
/// there.
fn manage_slot(
    cx: &mut Context,
    session: Option<SessionId>,
    ManageSlot { address, operation }: ManageSlot,
) -> Result<Vec<u8>, Refusal> {
    let (asym, slot) = addressed_slot(cx, address)?;
    if operation != ManageSlot::ERASE {
        return Err(Refusal::from(Reason::Operation).with_target(Target::Slot(slot.number)));
    }
    let key_pair_id = if cx.own_sizes().multi_key { slot.key_pair_id } else { 0 };
    let attributes = slot.number | negotiated_only::SetCertificate::ERASE;
    install(cx, session, asym, &negotiated_only::SetCertificate { attributes, key_pair_id, chain: &[] })?;
    Ok(Vec::new())
}

fn set_certificate(
    cx: &mut Context,
    session: Option<SessionId>,
    SetCertificate { address, attributes, key_pair_id, chain }: SetCertificate<'_>,
) -> Result<Vec<u8>, Refusal> {
    let (asym, slot) = addressed_slot(cx, address)?;
    let attributes = slot.number | (attributes & 7) << 4;
    install(cx, session, asym, &negotiated_only::SetCertificate { attributes, key_pair_id, chain })?;
    Ok(Vec::new())
}

/// Decodes the structure at the start of `structure`. Zeros that pad the transport's message may follow it.
fn read<'a, T: Item<'a>>(structure: &'a [u8]) -> Result<T, Refusal> {
    Ok(decode_prefix(structure).map(|(item, _)| item)?)
}

/// Encodes a structure whose lists have `lists` bytes in total.
fn encode_structure<'a>(item: impl Item<'a>, lists: usize) -> Result<Vec<u8>, Refusal> {
    encode_into(lists + 40, |buffer| encode(item, buffer)).map_err(Refusal::unencodable)
}
