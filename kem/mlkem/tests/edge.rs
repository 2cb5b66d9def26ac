//! Inputs that must be refused, and inputs that must not panic. Where possible, each test covers all nine parameter
//! sets.

use grille_core::{DecapsKey, DynKem, EncapsKey, Error, Kem};
use grille_hash::sha2::sha256;
use grille_hash::{Level, Shake128, sha3_256, shake256};
use grille_mlkem::params::{K512, K512N, P512, P768, P1024, Params};
use grille_mlkem::pke::{DecryptionKey, EncryptionKey, KeyPair};
use grille_mlkem::{Kyber512_90s, Kyber768, Kyber1024_90s, MlKem, MlKem512, MlKem768, MlKem1024, erased};
use grille_stream::Stream;
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::sides::kem_sides_agree;

const ALL: [&dyn DynKem; 9] = [
    &erased::MlKem512,
    &erased::MlKem768,
    &erased::MlKem1024,
    &erased::Kyber512,
    &erased::Kyber768,
    &erased::Kyber1024,
    &erased::Kyber512_90s,
    &erased::Kyber768_90s,
    &erased::Kyber1024_90s,
];

#[test]
fn round_trips_with_every_key_encoding() {
    for kem in ALL {
        kem_sides_agree(kem, 20);
        let name = kem.info().name;
        let expanded = kem.decaps_key(kem.generate(&mut Stream::new(name)).to_bytes().as_ref());
        assert!(expanded.expect(name).seed().is_none(), "{name}");
    }
}

#[test]
fn operations_sample_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let mut rng = Stream::new(b"draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let expected: &[usize] = if kem.info().name.starts_with("ML") { &[64, 32] } else { &[32, 32, 32] };
        assert_eq!(rng.read_sizes(), expected, "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(kem_refuses_wrong_lengths);
}

#[test]
fn typed_api_rejects_every_wrong_length() {
    fn check<K: Kem>() {
        let wrong = |len: usize| (0..=len + 2).filter(move |got| *got != len).map(|got| vec![0; got]);
        assert!(wrong(K::INFO.encaps_key_len).all(|bytes| K::EncapsKey::from_bytes(&bytes).is_err()));
        assert!(wrong(K::INFO.decaps_key_len).all(|bytes| K::DecapsKey::from_bytes(&bytes).is_err()));
        assert!(wrong(K::INFO.ciphertext_len).all(|bytes| K::Ciphertext::try_from(&bytes).is_err()));
        assert!(wrong(64).all(|bytes| K::DecapsKey::from_seed(&bytes).is_err()));
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
    check::<Kyber768>();
    check::<Kyber1024_90s>();
}

/// Computes H as defined by the version of `kem`.
fn h(kem: &dyn DynKem, bytes: &[u8]) -> [u8; 32] {
    if kem.info().name.ends_with("-90s") { sha256(&[bytes]) } else { sha3_256(Level::detect(), &[bytes]) }
}

#[test]
fn implicit_rejection_matches_the_standard() {
    for kem in ALL {
        let name = kem.info().name;
        let z = [9; 32];
        let key = kem.decaps_key_from_seed(&[[8; 32], z].concat()).expect("64 bytes");
        let mut rng = Stream::new(name.as_bytes());
        for _ in 0..50 {
            let mut c = vec![0; kem.info().ciphertext_len];
            rng.fill(&mut c);
            let mut expected = [0; 32];
            if name.ends_with("-90s") {
                // KDF(z ‖ H(c))
                expected = sha256(&[&z, &h(kem, &c)]);
            } else if name.starts_with("Kyber") {
                shake256(Level::detect(), &[&z, &h(kem, &c)], &mut expected);
            } else {
                // J(z ‖ c)
                shake256(Level::detect(), &[&z, &c], &mut expected);
            }
            assert_eq!(key.decapsulate(&c).expect("the length is right").as_ref(), expected, "{name}");
        }
    }
}

#[test]
fn flipped_ciphertext_bit_gives_an_unrelated_repeatable_secret() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        let key = kem.generate(&mut rng);
        let sent = kem
            .encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let mut seen = vec![sent.secret];
        for _ in 0..1000 {
            let flipped = rng.flip(&sent.ciphertext).0;
            let secret = key.decapsulate(&flipped).expect("the length is right");
            assert_eq!(secret, key.decapsulate(&flipped).expect("the length is right"));
            assert_ne!(secret, seen[0], "{}", kem.info().name);
            seen.push(secret);
        }
    }
}

#[test]
fn flipped_encapsulation_key_bit_is_rejected_or_gives_another_key() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        let key = kem.generate(&mut rng);
        let bytes = key.encaps_key_bytes();
        let mut refused = 0;
        for _ in 0..1000 {
            match kem.encaps_key(&rng.flip(&bytes).0) {
                Ok(other) => {
                    let sent = other.encapsulate(&mut rng);
                    let secret = key.decapsulate(&sent.ciphertext).expect("the length is right");
                    assert_ne!(secret, sent.secret, "{}", kem.info().name);
                }
                Err(error) => {
                    assert!(matches!(error, Error::InvalidPublicKey { .. }));
                    refused += 1;
                }
            }
        }
        // bits 10 and 11 often make a coefficient exceed q
        assert!((1..500).contains(&refused), "{refused}");
    }
}

#[test]
fn decapsulation_with_an_encoded_key_matches_a_parsed_key() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        for _ in 0..100 {
            let key = kem.generate(&mut rng);
            let bytes = key.to_bytes();
            let sent = kem
                .encaps_key(&key.encaps_key_bytes())
                .expect("output of this library is valid")
                .encapsulate(&mut rng);
            let secret = kem.decapsulate_encoded(bytes.as_ref(), &sent.ciphertext);
            assert_eq!(secret.as_ref(), Ok(&sent.secret), "{}", kem.info().name);
            let tampered = rng.flip(&sent.ciphertext).0;
            let secret = kem.decapsulate_encoded(bytes.as_ref(), &tampered);
            assert_eq!(secret, key.decapsulate(&tampered), "{}", kem.info().name);
            let other = rng.flip(bytes.as_ref()).0;
            let read = kem.decaps_key(&other).and_then(|key| key.decapsulate(&sent.ciphertext));
            let at_once = kem.decapsulate_encoded(&other, &sent.ciphertext);
            // round 3 decapsulation does not check H(ek)
            let reason = "contains a hash that does not match its public key";
            let unchecked = kem.info().name.starts_with("Kyber")
                && matches!(read, Err(Error::InvalidPrivateKey { reason: why }) if why == reason);
            let another = at_once.as_ref().is_ok_and(|secret| *secret != sent.secret);
            assert!(at_once == read || unchecked && another, "{}", kem.info().name);
        }
        let key = kem.generate(&mut rng).to_bytes();
        let ciphertext = vec![0; kem.info().ciphertext_len];
        for len in [0, key.as_ref().len() - 1] {
            let refused =
                Err(Error::Length { input: "decapsulation key", expected: key.as_ref().len(), got: len });
            assert_eq!(kem.decapsulate_encoded(&key.as_ref()[..len], &ciphertext), refused);
        }
        assert!(kem.decapsulate_encoded(key.as_ref(), &ciphertext[1..]).is_err());
    }
}

#[test]
fn rejects_every_detectable_bit_flip_in_a_decapsulation_key() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        let key = kem.generate(&mut rng);
        let bytes = key.to_bytes();
        let sent = kem
            .encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let garbage = vec![7; sent.ciphertext.len()];
        let (len, public) = (bytes.as_ref().len(), kem.info().encaps_key_len);
        let dk_pke = len - public - 64;
        for _ in 0..1000 {
            let bit = rng.below(8 * len);
            let mut flipped = bytes.as_ref().to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match kem.decaps_key(&flipped) {
                // any z is valid, and matters only if a ciphertext is rejected
                Ok(other) if bit / 8 >= len - 32 => {
                    assert_eq!(other.decapsulate(&sent.ciphertext).as_ref(), Ok(&sent.secret));
                    assert_ne!(other.decapsulate(&garbage), key.decapsulate(&garbage));
                }
                // any canonical ŝ is valid
                Ok(other) => {
                    assert!(bit / 8 < dk_pke, "byte {}", bit / 8);
                    assert_ne!(other.decapsulate(&sent.ciphertext).as_ref(), Ok(&sent.secret));
                }
                Err(error) => assert!(matches!(error, Error::InvalidPrivateKey { .. })),
            }
        }
    }
}

#[test]
fn rejects_coefficients_of_q_or_more_in_every_position() {
    for kem in ALL {
        let key = kem.decaps_key_from_seed(&[3; 64]).expect("64 bytes");
        let (ek, dk) = (key.encaps_key_bytes(), key.to_bytes());
        let with = |bytes: &[u8], i: usize, value: u16| {
            let mut bytes = bytes.to_vec();
            let at = i / 2 * 3;
            if i.is_multiple_of(2) {
                bytes[at] = value as u8;
                bytes[at + 1] = bytes[at + 1] & 0xF0 | (value >> 8) as u8;
            } else {
                bytes[at + 1] = bytes[at + 1] & 0x0F | (value << 4) as u8;
                bytes[at + 2] = (value >> 4) as u8;
            }
            bytes
        };
        for i in 0..(ek.len() - 32) / 3 * 2 {
            assert!(kem.encaps_key(&with(&ek, i, 3328)).is_ok());
            assert!(kem.decaps_key(&with(dk.as_ref(), i, 3328)).is_ok());
            for value in [3329, 4095] {
                let refused = kem.encaps_key(&with(&ek, i, value)).err();
                assert!(matches!(refused, Some(Error::InvalidPublicKey { .. })), "coefficient {i}");
                let refused = kem.decaps_key(&with(dk.as_ref(), i, value)).err();
                assert!(matches!(refused, Some(Error::InvalidPrivateKey { .. })), "coefficient {i}");
            }
        }
    }
}

#[test]
fn checks_the_public_key_inside_a_private_key() {
    for kem in ALL {
        let key = kem.decaps_key_from_seed(&[5; 64]).expect("64 bytes");
        let mut changed = key.to_bytes().as_ref().to_vec();
        let ek_len = kem.info().encaps_key_len;
        let (ek, h_z) = changed[ek_len - 32..].split_at_mut(ek_len);
        // the first coefficient is 4095; the hash matches, so only the modulus check can refuse the key
        ek[..2].fill(0xFF);
        h_z[..32].copy_from_slice(&h(kem, ek));
        let refused = kem.decaps_key(&changed).err();
        assert!(matches!(refused, Some(Error::InvalidPrivateKey { .. })), "{}", kem.info().name);
    }
}

#[test]
fn debug_output_hides_key_contents() {
    let key = <Kyber512_90s as Kem>::DecapsKey::from_seed(&[1; 64]).expect("64 bytes");
    assert_eq!(format!("{key:?}"), "Kyber512-90s decapsulation key");
    assert_eq!(format!("{:?}", key.encaps_key()), "Kyber512-90s encapsulation key");
}

fn check_prepared<P: Params>() {
    let mut rng = Stream::new(P::NAME.as_bytes());
    for _ in 0..10 {
        let key = MlKem::<P>::generate(&mut rng);
        let prepared = key.encaps_key().prepare();
        assert_eq!(prepared.encaps_key(), key.encaps_key());
        for n in 0..5_u8 {
            let one = key.encaps_key().encapsulate(&mut Stream::new([n]));
            let other = prepared.encapsulate(&mut Stream::new([n]));
            assert_eq!(one.ciphertext.as_ref(), other.ciphertext.as_ref(), "{}", P::NAME);
            assert!(one.secret == other.secret, "{}", P::NAME);
            assert!(key.decapsulate(&other.ciphertext) == other.secret, "{}", P::NAME);
        }
    }
}

#[test]
fn prepared_key_encapsulates_like_the_original() {
    check_prepared::<P512>();
    check_prepared::<P768>();
    check_prepared::<P1024>();
    check_prepared::<K512>();
    check_prepared::<K512N>();
}

fn pke_round_trip<P: Params>() {
    let mut rng = Stream::new(P::NAME.as_bytes());
    for _ in 0..20 {
        let keys = KeyPair::<P>::generate(&mut rng);
        let (message, coins) = (rng.bytes::<32>(), rng.bytes::<32>());
        let public = EncryptionKey::<P>::from_bytes(keys.encryption_key.as_bytes().as_ref()).expect(P::NAME);
        let secret = DecryptionKey::<P>::from_bytes(keys.decryption_key.to_bytes().as_ref()).expect(P::NAME);
        let ciphertext = public.encrypt(&message, &coins);
        assert_eq!(ciphertext.as_ref(), keys.encryption_key.encrypt(&message, &coins).as_ref());
        assert_eq!(secret.decrypt(&ciphertext).expose(), &message);
        assert_eq!(keys.decryption_key.decrypt(&ciphertext).expose(), &message);
    }
    assert!(matches!(EncryptionKey::<P>::from_bytes(&[0; 5]), Err(Error::Length { got: 5, .. })));
    assert!(matches!(DecryptionKey::<P>::from_bytes(&[0; 5]), Err(Error::Length { got: 5, .. })));
}

#[test]
fn pke_decrypts_its_own_ciphertexts() {
    pke_round_trip::<P512>();
    pke_round_trip::<P768>();
    pke_round_trip::<P1024>();
    pke_round_trip::<K512>();
    pke_round_trip::<K512N>();
}

/// Runs the accumulated test of C2SP's CCTV: reads keys, messages and random ciphertexts from one stream, and writes
/// all results into another stream.
fn accumulate_digest(rounds: usize) -> String {
    let (mut rng, mut results) = (Stream::new(b""), Shake128::<1>::new(Level::detect()));
    for _ in 0..rounds {
        let seed = rng.bytes::<64>();
        let key = <MlKem768 as Kem>::DecapsKey::from_seed(&seed).expect("64 bytes");
        results.absorb_all(&key.encaps_key().to_bytes());
        let sent = key.encaps_key().encaps_internal(&rng.bytes());
        results.absorb_all(sent.ciphertext.as_ref());
        results.absorb_all(sent.secret.as_ref());
        assert_eq!(key.decapsulate(&sent.ciphertext), sent.secret);
        let random = grille_core::Ciphertext(rng.bytes());
        results.absorb_all(key.decapsulate(&random).as_ref());
    }
    let mut out = [0; 32];
    results.squeeze([&mut out]);
    out.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn ten_thousand_accumulated_vectors_match() {
    // the constants of Go's crypto/mlkem, TestAccumulated
    assert_eq!(accumulate_digest(100), "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415");
    assert_eq!(accumulate_digest(10_000), "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc");
}
