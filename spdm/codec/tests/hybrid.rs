//! Numbers, lengths and layouts of hybrids, against `docs/guide/src/26-spdm-hybrids.md`.

use grille_spdm_codec::algorithms::{Aead, BaseAsym, BaseHash, Dhe, Kem, KeySchedule, OtherParams, PqcAsym};
use grille_spdm_codec::algorithms::{MeasurementSpecification, MelSpecification};
use grille_spdm_codec::bits::Bits;
use grille_spdm_codec::hybrid::{HybridAsym, HybridKem, external, externals, offered, selected};
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{Message, Sizes, Version};

/// The external signature algorithm of the example: ECDSA-P384 + ML-DSA-87.
const SIGNATURE: [[u8; 4]; 1] = [[4, 0, 0x13, 0xFE]];
/// The external key exchange of the example: X25519 + ML-KEM-768.
const EXCHANGE: [[u8; 4]; 1] = [[4, 0, 0x11, 0xFE]];

/// The end of both messages of the example.
const END: [u8; 20] = [4, 0, 0x13, 0xFE, 3, 0x20, 2, 0, 5, 0x20, 1, 0, 7, 0x21, 0, 0, 4, 0, 0x11, 0xFE];

fn tables(buffer: &mut [u8; 16]) -> AlgStructs<'_> {
    let (aead, schedule) = (Aead::AES_256_GCM.0.to_le_bytes(), KeySchedule::HMAC_HASH.0.to_le_bytes());
    let table = |alg_type, supported, external| AlgStruct { alg_type, supported, external };
    let [aead, schedule]: [&'static [u8]; 2] = [aead, schedule].map(|bits| &*bits.to_vec().leak());
    let all = [
        table(AlgType::AEAD, aead, &[]),
        table(AlgType::KEY_SCHEDULE, schedule, &[]),
        table(AlgType::KEM, &[0, 0], &EXCHANGE),
    ];
    AlgStructs::write(all, buffer).unwrap()
}

#[test]
fn the_documented_offer_has_its_bytes() {
    let mut buffer = [0; 16];
    let request = NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        other_params: OtherParams::OPAQUE_DATA_FORMAT_1,
        base_hash: BaseHash::SHA_384,
        mel_specification: MelSpecification::NONE,
        ext_asym: &SIGNATURE,
        tables: tables(&mut buffer),
        ..NegotiateAlgorithms::default()
    };
    let mut expected = vec![0x14, 0xE3, 3, 0, 0x34, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0];
    expected.extend([0; 12]);
    expected.extend([1, 0, 0, 0]);
    expected.extend(END);
    let mut bytes = [0xFF; 64];
    let len = request.encode(Version::V1_4, &Sizes::default(), &mut bytes).unwrap();
    assert_eq!(bytes[..len], expected);
    assert!(request.is_possible(Version::V1_4));
    let read = NegotiateAlgorithms::decode(&expected, &Sizes::default()).unwrap();
    assert_eq!(offered(read.ext_asym), HybridAsym::ECDSA_P384_ML_DSA_87.0);
    assert_eq!(offered(read.tables.external(AlgType::KEM)), HybridKem::X25519_ML_KEM_768.0);
    assert!(read.tables.external(AlgType::REQ_BASE_ASYM).is_empty());
}

#[test]
fn the_documented_selection_has_its_bytes() {
    let mut buffer = [0; 16];
    let response = Algorithms {
        other_params: OtherParams::OPAQUE_DATA_FORMAT_1,
        base_hash: BaseHash::SHA_384,
        ext_asym: &SIGNATURE,
        tables: tables(&mut buffer),
        ..Algorithms::default()
    };
    let mut expected = vec![0x14, 0x63, 3, 0, 0x38, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0];
    expected.extend([0; 12]);
    expected.extend([1, 0, 0, 0]);
    expected.extend(END);
    let mut bytes = [0xFF; 64];
    let len = response.encode(Version::V1_4, &Sizes::default(), &mut bytes).unwrap();
    assert_eq!(bytes[..len], expected);
    for len in 0..expected.len() {
        assert!(Algorithms::decode(&expected[..len], &Sizes::default()).is_err(), "{len}");
    }
}

#[test]
fn numbers_are_those_of_the_definition() {
    let signatures: Vec<_> = HybridAsym::ROWS.iter().map(|row| external(row.bit)).collect();
    assert_eq!(signatures, [0x10, 0x11, 0x12, 0x13].map(|low| [4, 0, low, 0xFE]));
    let all = HybridKem::ROWS.iter().fold(0, |all, row| all | 1 << row.bit);
    let exchanges: Vec<_> = externals(all).collect();
    assert_eq!(exchanges.len(), 9);
    assert_eq!((exchanges[0], exchanges[8]), ([4, 0, 0x10, 0xFE], [4, 0, 0x18, 0xFE]));
    assert_eq!(offered(&exchanges), all);
}

#[test]
fn other_numbers_are_ignored_in_offers_and_rejected_in_selections() {
    // another registry, another version of the definition, and numbers of other ranges
    let others = [[1, 0, 0x10, 0xFE], [4, 0, 0x20, 0xFE], [4, 0, 0x0F, 0xFE], [4, 0, 0x10, 0xFF]];
    let known = [4, 0, 0x12, 0xFE];
    assert_eq!(offered(&[&others[..], &[known]].concat()), 1 << 2);
    assert!(others.iter().all(|other| selected(&[*other]).is_none()));
    assert_eq!((selected(&[]), selected(&[known])), (Some(0), Some(1 << 2)));
    assert_eq!(selected(&[known, known]), None);
    // receivers ignore the reserved byte
    assert_eq!(selected(&[[4, 9, 0x12, 0xFE]]), Some(1 << 2));
}

#[test]
fn signatures_have_the_lengths_of_both_parts() {
    for (hybrid, classical, post_quantum) in [
        (HybridAsym::ECDSA_P256_ML_DSA_44, BaseAsym::ECDSA_P256, PqcAsym::ML_DSA_44),
        (HybridAsym::ED25519_ML_DSA_65, BaseAsym::ED25519, PqcAsym::ML_DSA_65),
        (HybridAsym::ECDSA_P384_ML_DSA_65, BaseAsym::ECDSA_P384, PqcAsym::ML_DSA_65),
        (HybridAsym::ECDSA_P384_ML_DSA_87, BaseAsym::ECDSA_P384, PqcAsym::ML_DSA_87),
    ] {
        let [row, first, second] = [hybrid.row(), classical.row(), post_quantum.row()].map(Option::unwrap);
        assert_eq!(row.len, first.len + second.len, "{}", row.name);
        assert_eq!(row.name, format!("{} + {}", first.name, second.name));
    }
}

#[test]
fn key_exchanges_have_the_lengths_of_both_parts() {
    let groups = [("X25519", 32), ("secp256r1", Dhe::SECP256R1.row().unwrap().len), ("secp384r1", 96)];
    let kems = [Kem::ML_KEM_512, Kem::ML_KEM_768, Kem::ML_KEM_1024];
    let pairs = groups.iter().flat_map(|group| kems.map(|kem| (group, kem)));
    for (row, ((name, len), kem)) in HybridKem::ROWS.iter().zip(pairs) {
        let hybrid = HybridKem(1 << row.bit);
        let part = kem.row().unwrap();
        assert_eq!((row.name, row.len), (&*format!("{name} + {}", part.name), len + part.len));
        assert_eq!(hybrid.kem(), Some(kem));
        assert_eq!(hybrid.response_len(), Some(len + kem.ciphertext_len().unwrap()));
    }
    assert_eq!(HybridKem(3).response_len(), None);
    assert_eq!(HybridKem(1 << 9).kem(), None);
}
