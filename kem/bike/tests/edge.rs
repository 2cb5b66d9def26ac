//! Inputs that must be refused, and inputs that must not panic, for all parameter sets.

use grille_bike::erased;
use grille_core::{DynKem, Error};
use grille_hash::Level;
use grille_hash::sha2::sha384;
use grille_hash::sponge::Sponge;
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::{kem_sides_agree, kem_survives_mutations};
use grille_stream::{Stream, flip_bit};

/// All parameter sets: those of rounds 3 and 4, followed by [`BIKE_1`].
const ALL: [&dyn DynKem; 9] = [
    &erased::BikeL1,
    &erased::BikeL3,
    &erased::BikeL5,
    &erased::BikeL1Round3,
    &erased::BikeL3Round3,
    &erased::Bike1L1Cpa,
    &erased::Bike1L3Cpa,
    &erased::Bike1L1Fo,
    &erased::Bike1L3Fo,
];

/// The parameter sets of round 2.
const BIKE_1: [&dyn DynKem; 4] =
    [&erased::Bike1L1Cpa, &erased::Bike1L3Cpa, &erased::Bike1L1Fo, &erased::Bike1L3Fo];

fn is_bike_1(kem: &dyn DynKem) -> bool {
    kem.info().name.starts_with("BIKE1")
}

/// Returns whether `kem` is the variant CPA, whose keys are for one ciphertext only.
fn is_cpa(kem: &dyn DynKem) -> bool {
    kem.info().name.ends_with("CPA")
}

/// Returns r, the number of bits of a vector.
fn vector_bits(kem: &dyn DynKem) -> usize {
    match kem.info().encaps_key_len {
        1541 => 12_323,
        3083 => 24_659,
        5122 => 40_973,
        2542 => 10_163,
        4964 => 19_853,
        2946 => 11_779,
        6206 => 24_821,
        other => panic!("no set has keys of {other} bytes"),
    }
}

/// Returns the length of an encoded vector of r bits.
fn vector_len(kem: &dyn DynKem) -> usize {
    vector_bits(kem).div_ceil(8)
}

/// Computes K(σ, c), the secret of a rejected ciphertext, from the encoded key, which ends with σ. In the variant CPA,
/// the key ends with h₀ ‖ h₁, which take the place of σ.
fn rejection_secret(kem: &dyn DynKem, key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let hashed = if is_bike_1(kem) { 2 * vector_len(kem) } else { 32 };
    let parts = [&key[key.len() - hashed..], ciphertext];
    if is_bike_1(kem) || kem.info().name.ends_with("round3") {
        return sha384(&parts)[..32].to_vec();
    }
    let mut digest = vec![0; 32];
    Sponge::<104, 0x06, 1>::hash(Level::detect(), &parts, &mut digest);
    digest
}

#[test]
fn round_trips_with_every_key_encoding() {
    ALL.into_iter().filter(|kem| !is_bike_1(*kem)).for_each(|kem| kem_sides_agree(kem, 5));
}

#[test]
fn operations_sample_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes()).expect("the key was generated above").encapsulate(&mut rng);
        let expected = if is_bike_1(kem) && !is_cpa(kem) { 96 } else { 64 };
        assert_eq!(rng.read_sizes(), [expected; 2], "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(kem_refuses_wrong_lengths);
}

#[test]
fn batched_operations_match_single_ones() {
    kem_operations_equal_single_ones::<grille_bike::BikeL1>();
}

/// Tests that flipped bits are rejected. Decoding corrects a few flipped bits, so only the checks after decoding find
/// them: re-encryption, or in the variant CPA the weight of the error. Flipped bits after the last bit of a vector must
/// also be rejected.
#[test]
fn rejects_flipped_bits_implicitly() {
    for kem in ALL {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let (r, total) = (vector_bits(kem), 8 * sent.ciphertext.len());
        let edges = [0, r - 1, r, r.next_multiple_of(8) - 1, r.next_multiple_of(8), total - 1];
        for bit in edges.into_iter().chain((0..5).map(|_| rng.below(total))) {
            let flipped = flip_bit(&sent.ciphertext, bit);
            let secret = key.decapsulate(&flipped).expect("the right length");
            assert_eq!(
                secret.as_ref(),
                rejection_secret(kem, encoded.as_ref(), &flipped),
                "{name}, bit {bit}"
            );
        }
    }
}

/// Tests random bytes, whose syndromes belong to no error of the right weight.
#[test]
fn rejects_ciphertexts_that_cannot_be_decoded() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let mut random = vec![0; kem.info().ciphertext_len];
        rng.fill(&mut random);
        for ciphertext in [vec![0; random.len()], vec![0xFF; random.len()], random] {
            let secret = key.decapsulate(&ciphertext).expect("the right length");
            assert_eq!(
                secret.as_ref(),
                rejection_secret(kem, encoded.as_ref(), &ciphertext),
                "{}",
                kem.info().name
            );
        }
    }
}

#[test]
fn rejects_encapsulation_keys_with_bits_after_h() {
    for kem in ALL {
        let public = kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes();
        let (r, vector) = (vector_bits(kem), 8 * vector_len(kem));
        for bit in (0..8 * public.len()).filter(|bit| bit % vector >= vector - 16) {
            let refused = kem.encaps_key(&flip_bit(&public, bit)).err();
            let is_refused = matches!(refused, Some(Error::InvalidPublicKey { .. }));
            assert_eq!(is_refused, bit % vector >= r, "{}, bit {bit}", kem.info().name);
        }
    }
}

/// Returns the length of σ at the end of a decapsulation key.
fn sigma_len(kem: &dyn DynKem) -> usize {
    match (is_bike_1(kem), is_cpa(kem)) {
        (false, _) => 32,
        (true, true) => 0,
        (true, false) => 2 * vector_len(kem),
    }
}

/// Tests that a key is refused if one bit of its supports, of its vectors or of its public key is flipped. A flipped
/// bit of σ cannot be detected.
#[test]
fn rejects_inconsistent_decapsulation_keys() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let encoded = kem.generate(&mut rng).to_bytes();
        let checked = 8 * (encoded.as_ref().len() - sigma_len(kem));
        for bit in (0..20).map(|_| rng.below(checked)).chain([0, checked - 1]).collect::<Vec<_>>() {
            let refused = kem.decaps_key(&flip_bit(encoded.as_ref(), bit)).err();
            let is_refused = matches!(refused, Some(Error::InvalidPrivateKey { .. }));
            assert!(is_refused, "{}, bit {bit}: {refused:?}", kem.info().name);
        }
        if sigma_len(kem) > 0 {
            assert!(kem.decaps_key(&flip_bit(encoded.as_ref(), checked)).is_ok(), "{}", kem.info().name);
        }
    }
}

#[test]
fn rejects_decapsulation_keys_of_bike_1_with_bits_after_sigma() {
    for kem in BIKE_1.into_iter().filter(|kem| !is_cpa(*kem)) {
        let encoded = kem.generate(&mut Stream::new(kem.info().name)).to_bytes();
        let end = 8 * encoded.as_ref().len();
        for last in [end - 1, end - 1 - 8 * vector_len(kem)] {
            let refused = kem.decaps_key(&flip_bit(encoded.as_ref(), last)).err();
            let reason = "has bits set after the last bit of sigma";
            assert_eq!(refused, Some(Error::InvalidPrivateKey { reason }), "{}", kem.info().name);
        }
    }
}

/// Tests that a loaded key of BIKE-1 always has the same encapsulation key, which differs from the original, and that
/// both decapsulation keys decapsulate ciphertexts for both encapsulation keys.
#[test]
fn imported_keys_of_bike_1_have_an_equivalent_encapsulation_key() {
    for kem in BIKE_1 {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let [imported, again] = [(); 2].map(|()| kem.decaps_key(key.to_bytes().as_ref()).expect(name));
        assert_eq!(imported.encaps_key_bytes(), again.encaps_key_bytes(), "{name}");
        assert_ne!(imported.encaps_key_bytes(), key.encaps_key_bytes(), "{name}");
        assert_eq!(imported.to_bytes(), key.to_bytes(), "{name}");
        for public in [key.encaps_key_bytes(), imported.encaps_key_bytes()] {
            let sent = kem.encaps_key(&public).expect(name).encapsulate(&mut rng);
            for key in [&key, &imported] {
                assert_eq!(key.decapsulate(&sent.ciphertext).expect(name), sent.secret, "{name}");
            }
        }
        let refused = kem.decaps_key_from_seed(&[0; 32]).err();
        assert_eq!(refused, Some(Error::Unsupported { feature: "seeds" }), "{name}");
    }
}

#[test]
#[ignore = "a hundred thousand mutations of each set: minutes"]
fn survives_a_hundred_thousand_mutations() {
    ALL.into_iter().for_each(|kem| kem_survives_mutations(kem, 100_000));
}
