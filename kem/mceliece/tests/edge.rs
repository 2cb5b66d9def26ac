//! Inputs that must be refused, and inputs that must not panic.

use grille_core::{DynKem, Error};
use grille_hash::{Level, sponge::shake256};
use grille_mceliece::erased;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::{kem_sides_agree, kem_survives_mutations};
use grille_stream::{Stream, flip_bit};

const ALL: [&dyn DynKem; 20] = [
    &erased::McEliece348864,
    &erased::McEliece348864f,
    &erased::McEliece460896,
    &erased::McEliece460896f,
    &erased::McEliece6688128,
    &erased::McEliece6688128f,
    &erased::McEliece6960119,
    &erased::McEliece6960119f,
    &erased::McEliece8192128,
    &erased::McEliece8192128f,
    &erased::McEliece348864Round3,
    &erased::McEliece348864fRound3,
    &erased::McEliece460896Round3,
    &erased::McEliece460896fRound3,
    &erased::McEliece6688128Round3,
    &erased::McEliece6688128fRound3,
    &erased::McEliece6960119Round3,
    &erased::McEliece6960119fRound3,
    &erased::McEliece8192128Round3,
    &erased::McEliece8192128fRound3,
];

/// Returns one parameter set of each size in each version. The other sets use the same code except for the
/// form of the matrix.
fn one_set_per_size() -> impl Iterator<Item = &'static dyn DynKem> {
    ALL.into_iter().filter(|kem| kem.info().name.trim_end_matches("-round3").ends_with('f'))
}

fn is_round_3(kem: &dyn DynKem) -> bool {
    kem.info().name.ends_with("-round3")
}

/// Returns n, t and m·t.
fn code(kem: &dyn DynKem) -> [usize; 3] {
    match kem.info().encaps_key_len {
        261_120 => [3488, 64, 12 * 64],
        524_160 => [4608, 96, 13 * 96],
        1_044_992 => [6688, 128, 13 * 128],
        1_047_319 => [6960, 119, 13 * 119],
        _ => [8192, 128, 13 * 128],
    }
}

/// Computes H(prefix, part, C).
fn hash(prefix: u8, part: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let mut digest = vec![0; 32];
    shake256(Level::detect(), &[&[prefix], part, ciphertext], &mut digest);
    digest
}

/// Computes the secret of a rejected ciphertext from an encoded key: H(0, s, C).
fn rejection_secret(kem: &dyn DynKem, key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let s = code(kem)[0] / 8;
    let s = if is_round_3(kem) { &key[..s] } else { &key[key.len() - s..] };
    hash(0, s, ciphertext)
}

/// Returns the ciphertext of the error whose set bits are `bits`, and this error. All bits must be among the first m·t.
/// The syndrome then equals these m·t bits, because the matrix starts with an identity matrix.
fn craft_ciphertext(kem: &dyn DynKem, bits: &[usize]) -> (Vec<u8>, Vec<u8>) {
    let mut error = vec![0; code(kem)[0] / 8];
    bits.iter().for_each(|bit| error[bit / 8] ^= 1 << (bit % 8));
    let mut ciphertext = error[..code(kem)[2].div_ceil(8)].to_vec();
    if is_round_3(kem) {
        ciphertext.extend(hash(2, &error, &[]));
    }
    (ciphertext, error)
}

#[test]
fn both_sides_agree_and_keys_survive_encoding() {
    ALL.into_iter().for_each(|kem| kem_sides_agree(kem, 1));
}

#[test]
fn operations_sample_as_much_randomness_as_the_known_answers() {
    for kem in one_set_per_size() {
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes()).expect("the key was generated above").encapsulate(&mut rng);
        let [n, t, _] = code(kem);
        let expected = if n == 8192 { 2 * t } else { 4 * t };
        let (first, others) = rng.read_sizes().split_first().expect("a seed was sampled");
        assert_eq!(*first, 32, "{}", kem.info().name);
        assert!(!others.is_empty() && others.iter().all(|len| *len == expected), "{}", kem.info().name);
    }
}

#[test]
fn rejects_wrong_lengths() {
    for kem in one_set_per_size() {
        let (info, key) = (kem.info(), kem.generate(&mut Stream::new("lengths")));
        let refuses = |right: usize, read: &dyn Fn(&[u8]) -> Option<Error>| {
            for len in [0, 1, right / 2, right - 1, right + 1, 2 * right] {
                let error = read(&vec![0; len]);
                assert!(matches!(error, Some(Error::Length { got, .. }) if got == len), "{error:?}");
            }
        };
        refuses(info.encaps_key_len, &|bytes| kem.encaps_key(bytes).err());
        refuses(info.decaps_key_len, &|bytes| kem.decaps_key(bytes).err());
        refuses(info.ciphertext_len, &|bytes| key.decapsulate(bytes).err());
        if let Some(len) = info.seed_len {
            refuses(len, &|bytes| kem.decaps_key_from_seed(bytes).err());
        }
    }
}

#[test]
fn many_operations_equal_single_ones() {
    kem_operations_equal_single_ones::<grille_mceliece::McEliece348864f>();
}

#[test]
fn rejects_flipped_bits_implicitly() {
    for kem in one_set_per_size() {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let total = 8 * sent.ciphertext.len();
        for bit in [0, code(kem)[2] - 1, total - 1].into_iter().chain((0..20).map(|_| rng.below(total))) {
            let flipped = flip_bit(&sent.ciphertext, bit);
            let expected = rejection_secret(kem, encoded.as_ref(), &flipped);
            let secret = key.decapsulate(&flipped).expect("the right length");
            assert_eq!(secret.as_ref(), expected, "{name}, bit {bit}");
            let at_once = kem.decapsulate_encoded(encoded.as_ref(), &flipped).expect("a fresh key");
            assert_eq!(at_once.as_ref(), expected, "{name}, bit {bit}");
        }
    }
}

#[test]
fn rejects_ciphertexts_that_cannot_be_decoded() {
    for kem in one_set_per_size() {
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
fn accepts_errors_of_weight_t_only() {
    for kem in one_set_per_size() {
        let (name, [_, t, rows]) = (kem.info().name, code(kem));
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        for weight in [0, 1, t / 2, t - 1, t, t + 1, t + 2, 2 * t] {
            let mut bits = Vec::new();
            while bits.len() < weight {
                let bit = rng.below(rows);
                if !bits.contains(&bit) {
                    bits.push(bit);
                }
            }
            let (ciphertext, error) = craft_ciphertext(kem, &bits);
            let rejected = rejection_secret(kem, encoded.as_ref(), &ciphertext);
            let expected = if weight == t { hash(1, &error, &ciphertext) } else { rejected };
            let secret = key.decapsulate(&ciphertext).expect("the right length");
            assert_eq!(secret.as_ref(), expected, "{name}, weight {weight}");
        }
    }
}

#[test]
fn rejects_bits_after_rows_and_syndromes() {
    for kem in one_set_per_size().filter(|kem| code(*kem)[0] == 6960) {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let (public, encoded) = (key.encaps_key_bytes(), key.to_bytes());
        // T has rows of 5413 bits in 677 bytes
        for bit in [5413, 5415, 8 * 677 * 3 + 5414, 8 * public.len() - 1] {
            let refused = kem.encaps_key(&flip_bit(&public, bit)).err();
            assert!(matches!(refused, Some(Error::InvalidPublicKey { .. })), "bit {bit}: {refused:?}");
        }
        // a syndrome has 1547 bits in 194 bytes
        let sent = kem.encaps_key(&public).expect("the key was generated above").encapsulate(&mut rng);
        for bit in 1547..8 * 194 {
            let flipped = flip_bit(&sent.ciphertext, bit);
            let secret = key.decapsulate(&flipped).expect("the right length");
            assert_eq!(secret.as_ref(), rejection_secret(kem, encoded.as_ref(), &flipped), "bit {bit}");
        }
    }
}

/// Tests that a key of the current version is refused if any part differs from the key that its seed generates.
#[test]
fn rejects_current_keys_that_contradict_themselves() {
    for kem in ALL.into_iter().filter(|kem| !is_round_3(*kem)) {
        let mut rng = Stream::new(kem.info().name);
        let encoded = kem.generate(&mut rng).to_bytes();
        let total = 8 * encoded.as_ref().len();
        // the parts are δ, c, g, the control bits and s
        let [_, t, _] = code(kem);
        let edges = [0, 8 * 32, 8 * 40, 8 * (40 + 2 * t), total - 1];
        for bit in edges.into_iter().chain((0..3).map(|_| rng.below(total))) {
            let refused = kem.decaps_key(&flip_bit(encoded.as_ref(), bit)).err();
            let is_refused = matches!(refused, Some(Error::InvalidPrivateKey { .. }));
            assert!(is_refused, "{}, bit {bit}: {refused:?}", kem.info().name);
        }
    }
}

#[test]
fn rejects_polynomials_outside_the_field_and_with_zeros_in_it() {
    for kem in one_set_per_size() {
        let encoded = kem.generate(&mut Stream::new(kem.info().name)).to_bytes();
        let [n, t, _] = code(kem);
        let g = if is_round_3(kem) { n / 8 } else { 40 };
        let ciphertext = vec![0; kem.info().ciphertext_len];
        // sets the highest bit of the first coefficient; then replaces g with y^t
        let outside = flip_bit(encoded.as_ref(), 8 * g + 15);
        let mut zeros = encoded.as_ref().to_vec();
        zeros[g..g + 2 * t].fill(0);
        for wrong in [outside, zeros] {
            let refused = kem.decaps_key(&wrong).err();
            assert!(matches!(refused, Some(Error::InvalidPrivateKey { .. })), "{refused:?}");
            assert_eq!(kem.decapsulate_encoded(&wrong, &ciphertext).err(), refused);
        }
    }
}

#[test]
fn survives_mutations() {
    one_set_per_size().for_each(|kem| kem_survives_mutations(kem, 200));
}

#[test]
#[ignore = "a hundred thousand mutations of each set: minutes"]
fn survives_a_hundred_thousand_mutations() {
    ALL.into_iter().for_each(|kem| kem_survives_mutations(kem, 100_000));
}
