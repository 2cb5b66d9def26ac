use super::*;
use crate::list::{self, assert_items};

const ADDRESS: SlotAddress = SlotAddress { bank: 3, slot: 1 };
const ADDRESS_BYTES: [u8; 8] = [8, 0, 0, 0, 3, 1, 0, 0];

#[test]
fn round_trips_sub_codes() {
    let sub_codes = [SubCode::GET_BANK_INFO, SubCode::MANAGE_BANK, SubCode::SET_CERTIFICATE];
    let supported = SupportedSubCodes::new(&sub_codes);
    let mut bytes = [0; 36];
    (bytes[0], bytes[4], bytes[8]) = (36, 0x02, 0x05);
    assert_items(&[(supported, &bytes[..])]);
    assert!(
        (0..=u8::MAX).all(|code| supported.contains(SubCode(code)) == sub_codes.contains(&SubCode(code)))
    );
    assert_eq!(SupportedSubCodes::new(&[SubCode(64)]), SupportedSubCodes::default());
}

#[test]
fn round_trips_addresses() {
    assert_items(&[(ADDRESS, &ADDRESS_BYTES[..])]);
    let refused = list::decode::<SlotAddress>(&[9, 0, 0, 0, 3, 1, 0, 0]);
    assert_eq!(refused.map_err(|error| error.name), Err("ReqLength"));
}

#[test]
fn round_trips_banks() {
    let bytes = [4, 0, 3, 1, 4, 1, 0, 0];
    let banks =
        [BankElement { bank: 0, slots: 3, modifiable: 1 }, BankElement { bank: 1, slots: 0, modifiable: 0 }];
    assert_items(&[(banks[0], &bytes[..4]), (banks[1], &bytes[4..])]);
    let info = [&[16, 0, 0, 0, 2, 0, 0, 0][..], &bytes].concat();
    assert_items(&[(BankInfo { count: 2, elements: &bytes }, &*info.leak())]);
    assert!(list::decode::<BankElement>(&[5, 0, 3, 1, 0]).is_err());
}

#[test]
fn round_trips_details() {
    let slot = [18, 0, 1, 0, 1, 7, 2, 0, 5, 0, 0, 0, 0, 1, 0, 0, 0xaa, 0xbb];
    let element = SlotElement {
        slot: 1,
        attributes: SlotAttributes::PROVISIONED,
        key_pair_id: 7,
        certificate_info: 2,
        key_usage: KeyUsage::KEY_EX | KeyUsage::MEASUREMENT,
        size: 0x100,
        digest: &[0xaa, 0xbb],
    };
    assert_items(&[(element, &slot[..])]);
    let details = BankDetails {
        bank: 3,
        count: 1,
        attributes: BankAttributes::CONFIG_ALGO,
        asym_capabilities: KeyPairAsym::ECC_384,
        asym: KeyPairAsym::NONE,
        asym_available: KeyPairAsym::ECC_384,
        pqc_capabilities: &[6, 0, 0, 0],
        pqc: &[4],
        pqc_available: &[],
        elements: &slot,
    };
    let fixed = [50, 0, 3, 0, 1, 0, 2, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0];
    let bytes = [&fixed[..], &[4, 6, 0, 0, 0, 1, 4, 0, 0, 0, 0, 0], &slot].concat();
    assert_items(&[(details, &*bytes.leak())]);
    assert_eq!(pqc_bits(details.pqc_capabilities), PqcAsym::ML_DSA_65 | PqcAsym::ML_DSA_87);
    assert_eq!(pqc_bits(&[1, 0, 0, 0, 0xff]), PqcAsym::ML_DSA_44);
}

#[test]
fn rejects_too_small_lengths() {
    let name = |error: CodecError| error.name;
    assert_eq!(list::decode::<BankInfo<'_>>(&[7, 0, 0, 0, 0, 0, 0, 0]).map_err(name), Err("RespLength"));
    assert_eq!(list::decode::<SlotElement<'_>>(&[15; 16]).map_err(name), Err("Digest"));
    let mut short = [0; 16];
    short[0] = 15;
    assert_eq!(list::decode::<SlotElement<'_>>(&short).map_err(name), Err("ElementLength"));
}

#[test]
fn round_trips_slot_requests() {
    let after = |rest: &[u8]| &*[&ADDRESS_BYTES[..], rest].concat().leak();
    let bank = ManageBank {
        address: ADDRESS,
        operation: ManageBank::CONFIG_ALGO,
        asym: KeyPairAsym::NONE,
        pqc: &[4],
    };
    assert_items(&[(bank, after(&[1, 0, 0, 0, 0, 0, 0, 0, 1, 4]))]);
    let slot = ManageSlot { address: ADDRESS, operation: ManageSlot::ERASE };
    assert_items(&[(slot, after(&[1, 0, 0, 0]))]);
    let csr =
        GetCsr { address: ADDRESS, key_pair_id: 7, attributes: 0x81, requester_info: &[1, 2], opaque: &[3] };
    assert_items(&[(csr, after(&[7, 0x81, 0, 0, 2, 0, 1, 0, 1, 2, 3]))]);
    let set = SetCertificate { address: ADDRESS, attributes: 1, key_pair_id: 7, chain: &[9, 8, 7] };
    assert_items(&[(set, after(&[3, 0, 0, 0, 1, 7, 0, 0, 9, 8, 7]))]);
    assert_items(&[(Document { bytes: &[9, 8] }, &[2, 0, 0, 0, 0, 0, 0, 0, 9, 8][..])]);
}
