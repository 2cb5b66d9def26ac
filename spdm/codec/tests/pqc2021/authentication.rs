//! Messages with signature fields, MACs and ciphertexts of KEM authentication.

use super::*;
use grille_spdm_codec::challenge::ChallengeAuth;
use grille_spdm_codec::finish::Finish;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::measurements::Measurements;

/// Unrealistically short lengths of a suite with a classical signature, a DHE group, a KEM, and KEM authentication of
/// both sides.
const AUTHENTICATED: Sizes = Sizes {
    hash: 2,
    signature: 2 + 4 + 2,
    exchange_data: 1 + 2 + 3,
    summary_hash: 0,
    verify_data: 2,
    multi_key: false,
};

/// With KEM authentication, the signature field has a classical signature, no post-quantum signature, and in
/// CHALLENGE_AUTH a MAC.
#[test]
fn challenge_auth_ends_with_the_signature_field_and_its_mac() {
    let lens = SignatureLens { classical: 2, post_quantum: 0, mac: 2 };
    let field = SignatureField { classical: &[0xc0, 0xc1], post_quantum: &[], mac: &[0xaa, 0xab] };
    let mut signature = [0xff; 8];
    assert_eq!(field.encode(lens, &mut signature), Ok(8));
    let signature: &[u8] = signature.to_vec().leak();
    let message = ChallengeAuth {
        attribute: 0x0f,
        slots: 0,
        chain_hash: &[0, 0],
        nonce: [0x4e; 32],
        opaque: &[9],
        signature,
        ..ChallengeAuth::default()
    };
    let head = [0x11, 0x03, 0x0f, 0, 0, 0];
    let tail = [1, 0, 9, 0xc0, 0xc1, 0, 0, 0, 0, 0xaa, 0xab];
    assert_encoding_with(message, &[&head[..], &[0x4e; 32], &tail].concat(), &AUTHENTICATED, &[]);
}

#[test]
fn key_exchange_has_a_part_for_each_algorithm() {
    let lens = ExchangeLens { dhe: 1, kem: 2, kem_auth: 3 };
    let mut data = [0xff; 6];
    let parts = ExchangeData { dhe: &[1], kem: &[2, 3], kem_auth: &[4, 5, 6] };
    assert_eq!((parts.encode(lens, &mut data), lens.total()), (Ok(6), AUTHENTICATED.exchange_data));
    let exchange_data: &[u8] = data.to_vec().leak();
    let request = KeyExchange {
        slot: 0xff,
        session: 0x0201,
        random: [0x52; 32],
        exchange_data,
        opaque: &[9],
        ..KeyExchange::default()
    };
    let head = [0x11, 0xe4, 0, 0xff, 1, 2, 0, 0];
    let tail = [1, 2, 3, 4, 5, 6, 1, 0, 9];
    let reserved = [(6, 0xff), (7, 0xff)];
    assert_encoding_with(request, &[&head[..], &[0x52; 32], &tail].concat(), &AUTHENTICATED, &reserved);
    let response = KeyExchangeRsp {
        heartbeat: 5,
        session: 0x0403,
        mut_auth: KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP,
        req_slot: 0xf,
        random: [0x52; 32],
        exchange_data,
        opaque: &[9],
        signature: &[0xc0, 0xc1, 0, 0, 0, 0, 0xd0, 0xd1],
        verify_data: &[0xf0, 0xf1],
        ..KeyExchangeRsp::default()
    };
    let head = [0x11, 0x64, 5, 0, 3, 4, 1, 0xf];
    let tail = [1, 2, 3, 4, 5, 6, 1, 0, 9, 0xc0, 0xc1, 0, 0, 0, 0, 0xd0, 0xd1, 0xf0, 0xf1];
    assert_encoding_with(response, &[&head[..], &[0x52; 32], &tail].concat(), &AUTHENTICATED, &[(3, 0xff)]);
}

#[test]
fn finish_and_measurements_have_signature_fields() {
    // one byte of padding after a post-quantum signature of one byte
    let lens = SignatureLens { classical: 2, post_quantum: 2, mac: 0 };
    let field = SignatureField { classical: &[0xc0, 0xc1], post_quantum: &[0xd0], mac: &[] };
    let mut signature = [0xff; 8];
    assert_eq!(field.encode(lens, &mut signature), Ok(8));
    let signature: &[u8] = signature.to_vec().leak();
    let finish = Finish { signed: true, req_slot: 0xff, signature, verify_data: &[0xf0, 0xf1], opaque: &[] };
    let bytes = [0x11, 0xe5, 1, 0xff, 0xc0, 0xc1, 1, 0, 0, 0, 0xd0, 0, 0xf0, 0xf1];
    assert_encoding_with(finish, &bytes, &AUTHENTICATED, &[(2, 0xfe)]);
    let measurements = Measurements {
        slot: 0xf,
        blocks: 1,
        record: &[7, 8, 9],
        nonce: [0x4e; 32],
        opaque: &[6],
        signature,
        ..Measurements::default()
    };
    let head = [0x11, 0x60, 0, 0xf, 1, 3, 0, 0, 7, 8, 9];
    let tail = [1, 0, 6, 0xc0, 0xc1, 1, 0, 0, 0, 0xd0, 0];
    assert_encoding_with(measurements, &[&head[..], &[0x4e; 32], &tail].concat(), &AUTHENTICATED, &[]);
}
