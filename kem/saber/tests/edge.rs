//! Inputs that must be refused, and inputs that must not panic, for all parameter sets.

use grille_core::{DecapsKey, DynKem, EncapsKey, Error, Kem};
use grille_hash::{Level, sha3_256};
use grille_saber::params::{Fire, Light, Params, Plain};
use grille_saber::{FireSaber, LightSaber, Saber, SaberKem, erased};
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::kem_sides_agree;
use grille_stream::{Stream, flip_bit};

const ALL: [&dyn DynKem; 3] = [&erased::LightSaber, &erased::Saber, &erased::FireSaber];

/// Returns the number of bytes of s at the start of an encoded decapsulation key: 13 bits per coefficient.
fn secret_len(kem: &dyn DynKem) -> usize {
    kem.info().decaps_key_len - kem.info().encaps_key_len - 64
}

/// Returns the bound μ/2 of the coefficients of s.
fn half_mu(kem: &dyn DynKem) -> u16 {
    match kem.info().name {
        "LightSaber-KEM" => 5,
        "Saber-KEM" => 4,
        _ => 3,
    }
}

/// Sets the 13 bits of coefficient `i` of s.
fn set_coefficient(dk: &mut [u8], i: usize, value: u16) {
    for bit in 0..13 {
        let at = 13 * i + bit;
        dk[at / 8] = dk[at / 8] & !(1 << (at % 8)) | ((value >> bit & 1) as u8) << (at % 8);
    }
}

#[test]
fn round_trips_with_every_key_encoding() {
    ALL.into_iter().for_each(|kem| kem_sides_agree(kem, 50));
}

#[test]
fn operations_draw_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let mut rng = Stream::new(b"draws");
        let key = kem.generate(&mut rng);
        assert_eq!(rng.read_sizes(), [32, 32, 32], "{}", kem.info().name);
        kem.encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        assert_eq!(rng.read_sizes()[3..], [32], "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(kem_refuses_wrong_lengths);
}

#[test]
fn refuses_seeds() {
    for kem in ALL {
        let refused = kem.decaps_key_from_seed(&[0; 64]).err();
        assert_eq!(refused, Some(Error::Unsupported { feature: "seeds" }));
        assert!(kem.generate(&mut Stream::new(b"seeds")).seed().is_none());
    }
}

#[test]
fn implicit_rejection_matches_the_specification() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        let key = kem.generate(&mut rng);
        let dk = key.to_bytes();
        let z = &dk.as_ref()[kem.info().decaps_key_len - 32..];
        for n in 0..50 {
            let mut c = vec![0; kem.info().ciphertext_len];
            rng.fill(&mut c);
            match n {
                0 => c.fill(0),
                1 => c.fill(0xFF),
                _ => {}
            }
            // F(z ‖ F(c))
            let expected = sha3_256(Level::Portable, &[z, &sha3_256(Level::Portable, &[&c])]);
            let got = key.decapsulate(&c).expect("the length is right");
            assert_eq!(got.as_ref(), expected, "{}", kem.info().name);
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
        for bit in (0..8 * sent.ciphertext.len()).step_by(7) {
            let flipped = flip_bit(&sent.ciphertext, bit);
            let secret = key.decapsulate(&flipped).expect("the length is right");
            assert_eq!(secret, key.decapsulate(&flipped).expect("the length is right"));
            assert!(!seen.contains(&secret), "{}, bit {bit}", kem.info().name);
            seen.push(secret);
        }
    }
}

#[test]
fn every_encapsulation_key_is_valid_and_a_bit_flip_gives_another() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name.as_bytes());
        let key = kem.generate(&mut rng);
        let bytes = key.encaps_key_bytes();
        for bit in (0..8 * bytes.len()).step_by(13) {
            let other = kem.encaps_key(&flip_bit(&bytes, bit)).expect("any string of this length is a key");
            let sent = other.encapsulate(&mut rng);
            let secret = key.decapsulate(&sent.ciphertext).expect("the length is right");
            assert_ne!(secret, sent.secret, "{}, bit {bit}", kem.info().name);
        }
        for byte in [0x00, 0xFF] {
            let key = kem.encaps_key(&vec![byte; bytes.len()]).expect("any string of this length is a key");
            assert_eq!(key.encapsulate(&mut rng).ciphertext.len(), kem.info().ciphertext_len);
            assert_eq!(key.to_bytes(), vec![byte; bytes.len()]);
        }
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
        let len = bytes.as_ref().len();
        for _ in 0..1000 {
            let bit = rng.below(8 * len);
            match kem.decaps_key(&flip_bit(bytes.as_ref(), bit)) {
                // any z is valid, and matters only if a ciphertext is rejected
                Ok(other) if bit / 8 >= len - 32 => {
                    assert_eq!(other.decapsulate(&sent.ciphertext).as_ref(), Ok(&sent.secret));
                    assert_ne!(other.decapsulate(&garbage), key.decapsulate(&garbage));
                }
                // if s is changed by 1, 2 or 4, it may still be within ±μ/2, and the change is too small to
                // break decryption
                Ok(_) => assert!(bit / 8 < secret_len(kem) && bit % 13 < 3, "bit {bit}"),
                Err(error) => assert!(matches!(error, Error::InvalidPrivateKey { .. })),
            }
        }
    }
}

#[test]
fn rejects_secret_coefficients_beyond_half_of_mu_in_every_position() {
    for kem in ALL {
        let key = kem.generate(&mut Stream::new(b"coefficients"));
        let (bytes, most) = (key.to_bytes(), half_mu(kem));
        for i in 0..secret_len(kem) * 8 / 13 {
            let with = |value: u16| {
                let mut changed = bytes.as_ref().to_vec();
                set_coefficient(&mut changed, i, value);
                kem.decaps_key(&changed).err()
            };
            for least_and_most in [most, 8192 - most] {
                assert_eq!(with(least_and_most), None, "coefficient {i}");
            }
            for beyond in [most + 1, 8191 - most, 4096, 4095] {
                let refused = Error::InvalidPrivateKey { reason: "has a coefficient beyond μ/2" };
                assert_eq!(with(beyond), Some(refused), "coefficient {i}");
            }
        }
    }
}

#[test]
fn checks_the_hash_inside_a_private_key() {
    for kem in ALL {
        let mut bytes = kem.generate(&mut Stream::new(b"hash")).to_bytes().as_ref().to_vec();
        let (pk, h) = (secret_len(kem), bytes.len() - 64);
        bytes[pk] ^= 1;
        let reason = "contains a hash that does not match its public key";
        assert_eq!(kem.decaps_key(&bytes).err(), Some(Error::InvalidPrivateKey { reason }));
        // a changed public key is accepted if the hash in the key matches it
        let hash = sha3_256(Level::Portable, &[&bytes[pk..h]]);
        bytes[h..h + 32].copy_from_slice(&hash);
        assert!(kem.decaps_key(&bytes).is_ok());
    }
}

#[test]
fn debug_output_hides_key_contents() {
    let key = Saber::generate(&mut Stream::new(b"print"));
    assert_eq!(format!("{key:?}"), "Saber-KEM decapsulation key");
    let public = key.encaps_key();
    assert_eq!(format!("{public:?}"), "Saber-KEM encapsulation key");
    assert_eq!(format!("{:?}", public.prepare()), "Saber-KEM encapsulation key, prepared");
}

fn check_prepared<P: Params>() {
    let mut rng = Stream::new(P::NAME.as_bytes());
    for _ in 0..10 {
        let key = SaberKem::<P>::generate(&mut rng);
        let public = key.encaps_key();
        let prepared = public.prepare();
        assert_eq!(prepared.encaps_key(), public);
        for n in 0..5_u8 {
            let one = public.encapsulate(&mut Stream::new([n]));
            let other = prepared.encapsulate(&mut Stream::new([n]));
            assert_eq!(one.ciphertext.as_ref(), other.ciphertext.as_ref(), "{}", P::NAME);
            assert!(one.secret == other.secret, "{}", P::NAME);
            assert!(key.decapsulate(&other.ciphertext) == other.secret);
        }
    }
}

#[test]
fn prepared_key_encapsulates_like_the_original() {
    check_prepared::<Light>();
    check_prepared::<Plain>();
    check_prepared::<Fire>();
}

#[test]
fn batched_operations_match_single_ones() {
    kem_operations_equal_single_ones::<LightSaber>();
    kem_operations_equal_single_ones::<Saber>();
    kem_operations_equal_single_ones::<FireSaber>();
}
