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

const ALL: [&dyn DynKem; 5] =
    [&erased::BikeL1, &erased::BikeL3, &erased::BikeL5, &erased::BikeL1Round3, &erased::BikeL3Round3];

/// Returns r.
fn bits(kem: &dyn DynKem) -> usize {
    match kem.info().encaps_key_len {
        1541 => 12_323,
        3083 => 24_659,
        _ => 40_973,
    }
}

/// Computes K(σ, c), the secret of a rejected ciphertext, from the encoded key, whose last 32 bytes are σ.
fn rejection(kem: &dyn DynKem, key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let parts = [&key[key.len() - 32..], ciphertext];
    if kem.info().name.ends_with("round3") {
        return sha384(&parts)[..32].to_vec();
    }
    let mut digest = vec![0; 32];
    Sponge::<104, 0x06, 1>::hash(Level::detect(), &parts, &mut digest);
    digest
}

#[test]
fn round_trips_with_every_key_encoding() {
    ALL.into_iter().for_each(|kem| kem_sides_agree(kem, 5));
}

#[test]
fn operations_draw_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes()).expect("made by us").encapsulate(&mut rng);
        assert_eq!(rng.draws(), [64, 64], "{}", kem.info().name);
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

/// Tests that flipped bits are rejected. Decoding corrects a few flipped bits of c₀, so only re-encryption finds them.
/// Bits after the last one also matter.
#[test]
fn rejects_flipped_bits_implicitly() {
    for kem in ALL {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let (r, total) = (bits(kem), 8 * sent.ciphertext.len());
        let edges = [0, r - 1, r, r.next_multiple_of(8) - 1, r.next_multiple_of(8), total - 1];
        for bit in edges.into_iter().chain((0..5).map(|_| rng.below(total))) {
            let flipped = flip_bit(&sent.ciphertext, bit);
            let secret = key.decapsulate(&flipped).expect("the right length");
            assert_eq!(secret.as_ref(), rejection(kem, encoded.as_ref(), &flipped), "{name}, bit {bit}");
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
            assert_eq!(secret.as_ref(), rejection(kem, encoded.as_ref(), &ciphertext), "{}", kem.info().name);
        }
    }
}

#[test]
fn rejects_encapsulation_keys_with_bits_after_h() {
    for kem in ALL {
        let public = kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes();
        let (r, total) = (bits(kem), 8 * public.len());
        for bit in total - 16..total {
            let refused = kem.encaps_key(&flip_bit(&public, bit)).err();
            assert_eq!(matches!(refused, Some(Error::InvalidPublicKey { .. })), bit >= r, "bit {bit}");
        }
    }
}

/// Tests that supports, vectors and the public key determine each other. Only σ, the last 32 bytes, can change alone.
#[test]
fn rejects_inconsistent_decapsulation_keys() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let encoded = kem.generate(&mut rng).to_bytes();
        let checked = 8 * (encoded.as_ref().len() - 32);
        for bit in (0..20).map(|_| rng.below(checked)).chain([0, checked - 1]).collect::<Vec<_>>() {
            let refused = kem.decaps_key(&flip_bit(encoded.as_ref(), bit)).err();
            let is_refused = matches!(refused, Some(Error::InvalidPrivateKey { .. }));
            assert!(is_refused, "{}, bit {bit}: {refused:?}", kem.info().name);
        }
        assert!(kem.decaps_key(&flip_bit(encoded.as_ref(), checked)).is_ok(), "{}", kem.info().name);
    }
}

#[test]
#[ignore = "a hundred thousand mutations of each set: minutes"]
fn survives_a_hundred_thousand_mutations() {
    ALL.into_iter().for_each(|kem| kem_survives_mutations(kem, 100_000));
}
