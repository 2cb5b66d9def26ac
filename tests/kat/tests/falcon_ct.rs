//! Tests the constant-time format of Falcon's signatures, for which no known answers are published. With the same
//! randomness, the constant-time and the compressed signature have the same nonce and the same s2, in different
//! encodings.
//!
//! The tests read and write both encodings bit by bit, following sections 3.11.2 and 3.11.3 of the specification.

use grille_core::{DynSignature, DynVerifyingKey, Error};
use grille_falcon::erased;
use grille_kat::drbg::CtrDrbg;
use grille_kat::{Record, load, signature_inputs};
use sha2::{Digest, Sha256};

const SOURCE: &str = "liboqs-0.16.0";

#[test]
fn constant_time_signatures_equal_compressed_known_answers() {
    let sets: [(&dyn DynSignature, &dyn DynSignature, usize); 2] =
        [(&erased::Falcon512, &erased::FalconCt512, 512), (&erased::Falcon1024, &erased::FalconCt1024, 1024)];
    for (compressed, constant_time, n) in sets {
        let name = compressed.info().name;
        let known = load(SOURCE, name).expect("the vectors have this algorithm");
        for ((seed, message), record) in signature_inputs().zip(known.records) {
            let Record::Signature { sig_sha256, .. } = record else { panic!("{name} signs") };
            let (key, signature) = key_and_signature(compressed, None, &seed, &message);
            assert_eq!(base16ct::lower::encode_string(&Sha256::digest(&signature)), sig_sha256, "{name}");
            let expected = to_constant_time_format(&signature, n);
            let (_, signature) = key_and_signature(constant_time, Some(key.as_ref()), &seed, &message);
            assert!(signature == expected, "{name}");
            let public = verifying_key(compressed, constant_time, key.as_ref());
            assert_eq!(public.verify(&message, b"", &expected), Ok(()), "{name}");
            assert_rejects_altered(&*public, &message, &expected);
        }
    }
}

/// Returns an encoded signing key and a signature by this key. The key is `of`, if given, or else generated from the
/// seed. The signature uses the bytes that follow in the generator.
fn key_and_signature(
    scheme: &dyn DynSignature,
    of: Option<&[u8]>,
    seed: &[u8; 48],
    message: &[u8],
) -> (grille_core::SecretBytes, Vec<u8>) {
    let mut drbg = CtrDrbg::new(seed);
    let generated = scheme.generate_internal(&mut drbg).to_bytes();
    let key = of.unwrap_or(generated.as_ref());
    let signature = scheme.signing_key(key).and_then(|key| key.sign(message, b"", &mut drbg));
    (key.into(), signature.expect("a fresh key, and no context"))
}

/// Derives the verifying key with `compressed` and decodes it with `constant_time`.
fn verifying_key(
    compressed: &dyn DynSignature,
    constant_time: &dyn DynSignature,
    key: &[u8],
) -> Box<dyn DynVerifyingKey> {
    let public = compressed.signing_key(key).expect("a fresh key is valid").verifying_key_bytes();
    constant_time.verifying_key(&public).expect("keys have one encoding")
}

/// Converts a compressed signature to the constant-time format.
fn to_constant_time_format(signature: &[u8], n: usize) -> Vec<u8> {
    let log_n = n.trailing_zeros() as u8;
    let (head, body) = signature.split_at(41);
    assert_eq!(head[0], 0x30 + log_n);
    let mut bits = body.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    let mut wide = Vec::with_capacity(12 * n);
    for _ in 0..n {
        let s = read_coefficient(&mut bits);
        wide.extend((0..12).rev().map(|bit| (s >> bit & 1) as u8));
    }
    assert!(bits.all(|bit| bit == 0), "padding of the last byte");
    let bytes = wide.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit));
    [0x50 + log_n].into_iter().chain(head[1..].iter().copied()).chain(bytes).collect()
}

/// Reads the next coefficient: its sign, its seven low bits, and its high bits in unary (zeroes followed by a one).
fn read_coefficient(bits: &mut impl Iterator<Item = u8>) -> i16 {
    let is_negative = bits.next() == Some(1);
    let low = bits.by_ref().take(7).fold(0, |low, bit| low << 1 | i16::from(bit));
    let high = bits.take_while(|bit| *bit == 0).count() as i16;
    let magnitude = high << 7 | low;
    if is_negative { -magnitude } else { magnitude }
}

/// Checks that the key rejects a wrong length, the header of another format, and −2048 as a coefficient.
fn assert_rejects_altered(public: &dyn DynVerifyingKey, message: &[u8], signature: &[u8]) {
    let refuse = |bytes: &[u8]| assert_eq!(public.verify(message, b"", bytes), Err(Error::InvalidSignature));
    refuse(&signature[..signature.len() - 1]);
    refuse(&[signature, &[0]].concat());
    for header in [0, signature[0] ^ 0x60, signature[0] ^ 3, signature[0] | 0x80] {
        refuse(&[&[header], &signature[1..]].concat());
    }
    for start in [41, 44, signature.len() - 3] {
        let mut lowest = signature.to_vec();
        (lowest[start], lowest[start + 1]) = (0x80, lowest[start + 1] & 0xF);
        refuse(&lowest);
        (lowest[start + 1], lowest[start + 2]) = (signature[start + 1] & 0xF0 | 8, 0);
        lowest[start] = signature[start];
        refuse(&lowest);
    }
}
