//! Inputs that must be refused, and inputs that must not panic. Where possible, each test covers all parameter sets.

use grille_core::{DynSignature, ErasedSignature, Error, Signature, SigningKey, VerifyingKey};
use grille_falcon::params::{
    Falcon512P, Falcon512Y2020P, Falcon1024P, FalconCt512P, FalconPadded512P, Params,
};
use grille_falcon::{Falcon512, erased};
use grille_stream::Stream;
use grille_stream::lengths::signature_refuses_wrong_lengths;
use grille_stream::many::signatures_equal_single_ones;

const ALL: [&dyn DynSignature; 8] = [
    &erased::Falcon512,
    &erased::Falcon1024,
    &erased::FalconPadded512,
    &erased::FalconPadded1024,
    &erased::FalconCt512,
    &erased::FalconCt1024,
    &erased::Falcon512Y2020,
    &erased::Falcon1024Y2020,
];

#[test]
fn signatures_verify_only_for_their_message_and_key() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let (key, other) = (algorithm.generate(&mut rng), algorithm.generate(&mut rng));
        let public = algorithm.verifying_key(&key.verifying_key_bytes()).expect(name);
        let other_key = algorithm.verifying_key(&other.verifying_key_bytes()).expect(name);
        for len in [0, 1, 31, 96, 136, 1000] {
            let message = vec![len as u8; len];
            let signature = key.sign(&message, b"", &mut rng).expect(name);
            assert_ne!(signature, key.sign(&message, b"", &mut rng).expect(name));
            assert_eq!(public.verify(&message, b"", &signature), Ok(()), "{name}");
            let longer = [&message[..], &[0]].concat();
            assert_eq!(public.verify(&longer, b"", &signature), Err(Error::InvalidSignature));
            assert_eq!(other_key.verify(&message, b"", &signature), Err(Error::InvalidSignature));
        }
    }
}

#[test]
fn operations_draw_as_much_randomness_as_the_known_answers() {
    for algorithm in ALL {
        let mut rng = Stream::new(b"draws");
        let key = algorithm.generate(&mut rng);
        key.sign(b"message", b"", &mut rng).expect("an empty context is short enough");
        assert_eq!(rng.read_sizes(), [48, 40, 48], "{}", algorithm.info().name);
    }
}

#[test]
fn refuses_contexts_seeds_and_deterministic_signing() {
    for algorithm in ALL {
        let mut rng = Stream::new(b"not");
        let key = algorithm.generate(&mut rng);
        let public =
            algorithm.verifying_key(&key.verifying_key_bytes()).expect("output of this library is valid");
        let signature = key.sign(b"", b"", &mut rng).expect("an empty context is short enough");
        let refused = Error::ContextTooLong { max: 0, got: 1 };
        assert_eq!(key.sign(b"", b"c", &mut rng), Err(refused));
        assert_eq!(public.verify(b"", b"c", &signature), Err(refused));
        assert!(matches!(key.sign_deterministic(b"", b""), Err(Error::Unsupported { .. })));
        assert!(matches!(algorithm.signing_key_from_seed(&[0; 48]).err(), Some(Error::Unsupported { .. })));
        assert_eq!(key.seed(), None);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(signature_refuses_wrong_lengths);
}

#[test]
fn signatures_have_the_header_and_length_of_their_format() {
    for algorithm in ALL {
        let info = algorithm.info();
        let mut rng = Stream::new(b"lengths");
        let key = algorithm.generate(&mut rng);
        let lengths: Vec<usize> = (0..20)
            .map(|_| key.sign(b"", b"", &mut rng).expect("an empty context is short enough").len())
            .collect();
        let constant_time = info.name.contains("ct");
        let fixed = info.name.contains("padded") || constant_time;
        let header =
            if constant_time { 0x50 } else { 0x30 } + if info.name.contains("1024") { 10 } else { 9 };
        assert_eq!(
            key.sign(b"", b"", &mut rng).expect("an empty context is short enough")[0],
            header,
            "{}",
            info.name
        );
        assert!(lengths.iter().all(|len| *len <= info.signature_len));
        assert_eq!(lengths.iter().all(|len| *len == info.signature_len), fixed, "{}: {lengths:?}", info.name);
    }
}

#[test]
fn rejects_every_bit_flip_in_signature_or_verifying_key() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let key = algorithm.generate(&mut rng);
        let encoded = key.verifying_key_bytes();
        let public = algorithm.verifying_key(&encoded).expect("output of this library is valid");
        let signature = key.sign(b"message", b"", &mut rng).expect("an empty context is short enough");
        for _ in 0..1000 {
            let bit = rng.below(8 * signature.len());
            let mut flipped = signature.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let refused = Err(Error::InvalidSignature);
            assert_eq!(public.verify(b"message", b"", &flipped), refused, "{name} bit {bit}");
            let bit = rng.below(8 * encoded.len());
            let mut flipped = encoded.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // changing the lowest bit of a coefficient of h changes s1 only by the size of s2, so the
            // signature may still be short enough
            let is_lowest = bit >= 8 && (bit / 8 * 8 + 7 - bit % 8 - 8) % 14 == 13;
            if !is_lowest && let Ok(other_key) = algorithm.verifying_key(&flipped) {
                assert_eq!(other_key.verify(b"message", b"", &signature), refused, "{name} key bit {bit}");
            }
        }
    }
}

#[test]
fn rejects_every_bit_flip_in_a_signing_key() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let encoded = algorithm.generate(&mut rng).to_bytes();
        for _ in 0..200 {
            let bit = rng.below(8 * encoded.as_ref().len());
            let mut flipped = encoded.as_ref().to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let error = algorithm.signing_key(&flipped).err();
            assert!(matches!(error, Some(Error::InvalidPrivateKey { .. })), "{name} bit {bit}: {error:?}");
        }
    }
}

#[test]
fn keys_round_trip_and_sign_identically_in_every_form() {
    fn check<E: ErasedSignature>(erased: &E) {
        let generated = E::Signature::generate(&mut Stream::new(b"forms"));
        let name = E::Signature::INFO.name;
        let imported =
            <E::Signature as Signature>::SigningKey::from_bytes(generated.to_bytes().as_ref()).expect(name);
        let prepared = erased.signing_key(generated.to_bytes().as_ref()).expect(name);
        assert_eq!(imported.to_bytes(), generated.to_bytes());
        assert_eq!(prepared.to_bytes(), generated.to_bytes());
        assert_eq!(imported.verifying_key().to_bytes(), generated.verifying_key().to_bytes());
        assert_eq!(prepared.verifying_key_bytes(), generated.verifying_key().to_bytes());
        for message in [&b"one"[..], b"two"] {
            let sign = |key: &<E::Signature as Signature>::SigningKey| {
                key.sign(message, b"", &mut Stream::new(message)).expect(name).as_ref().to_vec()
            };
            assert_eq!(sign(&generated), sign(&imported));
            let by_prepared = prepared.sign(message, b"", &mut Stream::new(message)).expect(name);
            assert_eq!(sign(&generated), by_prepared, "{name}");
        }
    }
    check(&erased::Falcon512);
    check(&erased::Falcon1024);
    check(&erased::FalconPadded512);
    check(&erased::FalconCt1024);
    check(&erased::Falcon1024Y2020);
}

#[test]
fn sign_many_matches_signing_one_by_one() {
    fn check<P: Params>() {
        let key = grille_falcon::SigningKey::<P>::generate(&mut Stream::new(b"many"));
        signatures_equal_single_ones(&key);
        signatures_equal_single_ones(&key.prepare());
    }
    check::<Falcon512P>();
    check::<Falcon1024P>();
    check::<FalconPadded512P>();
    check::<FalconCt512P>();
    check::<Falcon512Y2020P>();
}

#[test]
fn rejects_verifying_keys_with_large_coefficients_or_wrong_header() {
    for algorithm in ALL {
        let mut bytes = vec![0; algorithm.info().verifying_key_len];
        bytes[0] = algorithm.info().name.contains("1024") as u8 + 9;
        assert!(algorithm.verifying_key(&bytes).is_ok(), "h = 0 is an encoding");
        // the first coefficient becomes 12288 in 14 bits, and then 12289
        (bytes[1], bytes[2]) = (0b1100_0000, 0);
        assert!(algorithm.verifying_key(&bytes).is_ok());
        bytes[2] = 0b0000_0100;
        let error = algorithm.verifying_key(&bytes).err();
        assert!(matches!(error, Some(Error::InvalidPublicKey { .. })), "{error:?}");
        (bytes[1], bytes[2]) = (0, 0);
        bytes[0] ^= 1;
        let error = algorithm.verifying_key(&bytes).err();
        assert!(matches!(error, Some(Error::InvalidPublicKey { .. })), "{error:?}");
    }
}

#[test]
fn rejects_signatures_of_other_formats() {
    let mut rng = Stream::new(b"formats");
    let key = Falcon512::generate(&mut rng);
    let (bytes, public) = (key.to_bytes(), key.verifying_key().to_bytes());
    let same_keys: [&dyn DynSignature; 3] = [ALL[0], ALL[2], ALL[4]];
    for signs in same_keys {
        let signature = signs
            .signing_key(bytes.as_ref())
            .expect("the same")
            .sign(b"", b"", &mut rng)
            .expect("an empty context is short enough");
        for verifies in same_keys {
            let verdict = verifies.verifying_key(&public).expect("the same").verify(b"", b"", &signature);
            assert_eq!(verdict.is_ok(), signs.info().name == verifies.info().name);
        }
    }
}

#[test]
fn parsers_never_panic() {
    for algorithm in ALL {
        let info = algorithm.info();
        let mut rng = Stream::new(info.name.as_bytes());
        let key = algorithm.generate(&mut rng);
        let public =
            algorithm.verifying_key(&key.verifying_key_bytes()).expect("output of this library is valid");
        for first in [0x39, 0x3A, 0x59, 0x5A, 0, 0xFF] {
            for fill in [0, 0x80, 0x7F, 0xFF, 0x01] {
                for len in [0, 1, 40, 41, 42, 100, info.signature_len, 5000] {
                    let mut bytes = vec![fill; len];
                    bytes.iter_mut().take(1).for_each(|byte| *byte = first);
                    assert_eq!(public.verify(b"", b"", &bytes), Err(Error::InvalidSignature));
                }
                let mut bytes = vec![fill; info.signing_key_len];
                bytes[0] = first;
                assert!(algorithm.signing_key(&bytes).is_err());
            }
        }
    }
}
