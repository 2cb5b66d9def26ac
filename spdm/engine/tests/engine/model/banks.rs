//! SLOT_MANAGEMENT with one bank, that of the responder's only signature algorithm. Conversations request CSRs and set
//! chains with GET_CSR and SET_CERTIFICATE only; `../banks.rs` requests CSRs and sets chains with SLOT_MANAGEMENT.

use crate::model::fields::Fields;
use crate::model::state::Model;
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::KeyPairAsym;

/// SubCodes.
const SUPPORTED: u8 = 0;
const BANK_INFO: u8 = 1;
const BANK_DETAILS: u8 = 2;
const CERTIFICATE_CHAIN: u8 = 3;
const MANAGE_SLOT: u8 = 0x21;
/// The mask of the SubCodes that the responder supports.
const SUB_CODES: u64 = 0x1F | 1 << MANAGE_SLOT | 1 << 0x22;

/// Returns a SubCode and the bytes after Param2.
pub(crate) fn request(random: &mut Random) -> (u8, Vec<u8>) {
    let sub_code = random.pick(&[SUPPORTED, BANK_INFO, 2, 2, 3, 3, MANAGE_SLOT, 0x20, 0x23]);
    if sub_code <= BANK_INFO {
        return (sub_code, vec![0; 4]);
    }
    // reserved bits of a slot are ignored
    let (bank, slot) = (random.pick(&[0, 0, 0, 1]), random.pick(&[0, 1, 0x11, 2, 0xF]));
    let operation = [random.pick(&[1, 1, 2]), 0, 0, 0];
    let operation = if sub_code == MANAGE_SLOT { &operation[..] } else { &[] };
    let offset: &[u8] = random.pick(&[&[8, 0, 0, 0], &[10, 0, 0, 0, 7, 7]]);
    (sub_code, [offset, &[8, 0, 0, 0, bank, slot, 0, 0], operation].concat())
}

/// Returns the structure of a request or response; `None` if its offset or length is wrong.
fn structure(m: &[u8]) -> Option<&[u8]> {
    let mut fields = Fields(m.get(4..)?);
    let offset = fields.number(2)? as usize;
    fields.take(2)?;
    if offset == 0 {
        return fields.expect_end().map(|()| fields.0);
    }
    fields.take(offset.checked_sub(8)?)?;
    Some(fields.0).filter(|structure| !structure.is_empty())
}

/// Returns BankID and SlotID, and the bytes after the address.
fn address(structure: &[u8]) -> Option<([u8; 2], &[u8])> {
    let mut fields = Fields(structure);
    let len = fields.number(2)?;
    let address = fields.take(6)?;
    (len == 8).then_some(([address[2], address[3] & 0xF], fields.0))
}

impl Model {
    /// Returns the errors that a request may get; `None` if it cannot be parsed.
    pub(crate) fn slot_management_errors(&self, inside: bool, m: &[u8]) -> Option<Vec<ErrorCode>> {
        let (structure, mut errors) = (structure(m)?, Vec::new());
        let fine = match m[2] {
            SUPPORTED | BANK_INFO => true,
            BANK_DETAILS => address(structure)?.0[0] == 0,
            CERTIFICATE_CHAIN => {
                let [bank, slot] = address(structure)?.0;
                bank == 0 && self.has_chain(slot)
            }
            MANAGE_SLOT => {
                let ([bank, slot], rest) = address(structure)?;
                errors.extend((!inside).then_some(ErrorCode::UNEXPECTED_REQUEST));
                let known = self.device_state.slots.iter().any(|one| one.number == slot);
                bank == 0 && known && Fields(rest).take(4)?[0] == 1
            }
            _ => false,
        };
        errors.extend((!fine).then_some(ErrorCode::INVALID_REQUEST));
        Some(errors)
    }

    /// Checks every byte of the response.
    pub(crate) fn on_slot_management_resp(&mut self, m: &[u8], r: &[u8]) {
        let slot = structure(m).and_then(address).map(|([_, slot], _)| slot);
        let expected = match m[2] {
            SUPPORTED => [&[36, 0, 0, 0][..], &SUB_CODES.to_le_bytes(), &[0; 24]].concat(),
            BANK_INFO => {
                let slots = self.device_state.slots.iter().fold(0, |mask, slot| mask | 1 << slot.number);
                vec![12, 0, 0, 0, 1, 0, 0, 0, 4, 0, slots, slots]
            }
            BANK_DETAILS => self.bank_details(),
            CERTIFICATE_CHAIN => {
                let chain = self.chain(slot.unwrap()).unwrap();
                [&(chain.len() as u32).to_le_bytes(), &[0; 4][..], &chain].concat()
            }
            _ => {
                let hash = self.hash.unwrap();
                let erased = self.device_state.slots.iter_mut().find(|one| Some(one.number) == slot);
                erased.unwrap().set(hash, &[]);
                Vec::new()
            }
        };
        assert_eq!((r[2], structure(r)), (m[2], Some(&expected[..])));
    }

    fn bank_details(&self) -> Vec<u8> {
        let hash = self.hash.unwrap();
        let slots = self.device_state.slots.iter().map(|slot| {
            let chain = slot.chain(hash).unwrap_or_default();
            let digest = hash.digest(&[&chain]);
            let digest = if chain.is_empty() { &[] } else { digest.as_ref() };
            let there = u8::from(!chain.is_empty());
            let fields = [slot.number, 0, there, slot.key_pair(), there * slot.model, 0, slot.usage, 0, 0, 0];
            let len = (16 + digest.len() as u16).to_le_bytes();
            [&len[..], &fields, &(chain.len() as u32).to_le_bytes(), digest].concat()
        });
        let slots: Vec<u8> = slots.collect::<Vec<_>>().concat();
        let p256 = KeyPairAsym::ECC_256.0.to_le_bytes();
        // The bank is selected if ALGORITHMS selected its algorithm. It has no post-quantum algorithm.
        let fields = [0, 0, self.device_state.slots.len() as u8, 0, u8::from(self.asym), 0];
        let len = (27 + slots.len() as u16).to_le_bytes();
        [&len[..], &fields, &p256, &p256, &p256, &[0; 7], &slots].concat()
    }
}
