//! Inputs that must be refused, and inputs that must not panic, for all six parameter sets.

use grille_core::{DynKem, Error};
use grille_hash::sha2::sha512;
use grille_hash::{Level, sha3_256};
use grille_hqc::erased;
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::{kem_sides_agree, kem_survives_mutations};
use grille_stream::{Stream, flip_bit};

const ALL: [&dyn DynKem; 6] =
    [&erased::Hqc1, &erased::Hqc3, &erased::Hqc5, &erased::Hqc128, &erased::Hqc192, &erased::Hqc256];

/// Returns n, and the number of bytes of u and v together.
fn sizes(kem: &dyn DynKem) -> (usize, usize) {
    match kem.info().name {
        "HQC-1" | "HQC-128" => (17_669, 2209 + 2208),
        "HQC-3" | "HQC-192" => (35_851, 4482 + 4480),
        _ => (57_637, 7205 + 7200),
    }
}

/// Returns whether the parameter set is one of round 3.
fn is_round_3(kem: &dyn DynKem) -> bool {
    kem.info().shared_secret_len == 64
}

/// Computes the secret of a rejected ciphertext from the encoded key.
fn rejection_secret(kem: &dyn DynKem, key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    if is_round_3(kem) {
        return sha512(&[&key[..40], ciphertext]).to_vec();
    }
    // K̄ = J(H(ek) ‖ σ ‖ c); a key is ek ‖ 32 bytes ‖ σ ‖ 32 bytes
    let (ek, secrets) = key.split_at(kem.info().encaps_key_len);
    let sigma = &secrets[32..secrets.len() - 32];
    let hash = sha3_256(Level::detect(), &[ek, &[1]]);
    sha3_256(Level::detect(), &[&hash, sigma, ciphertext, &[3]]).to_vec()
}

#[test]
fn round_trips_with_every_key_encoding() {
    ALL.into_iter().for_each(|kem| kem_sides_agree(kem, 10));
}

#[test]
fn round_3_refuses_seeds() {
    for kem in ALL {
        assert_eq!(kem.info().seed_len.is_none(), is_round_3(kem), "{}", kem.info().name);
    }
}

#[test]
fn operations_sample_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes()).expect("the key was generated above").encapsulate(&mut rng);
        let k = match sizes(kem).0 {
            17_669 => 16,
            35_851 => 24,
            _ => 32,
        };
        let expected: &[usize] = if is_round_3(kem) { &[40, 40, k] } else { &[32, k, 16] };
        assert_eq!(rng.read_sizes(), expected, "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(kem_refuses_wrong_lengths);
}

#[test]
fn batched_operations_match_single_ones() {
    kem_operations_equal_single_ones::<grille_hqc::Hqc1>();
    kem_operations_equal_single_ones::<grille_hqc::Hqc128>();
}

/// Tests that flipped bits are rejected. Decoding corrects a few flipped bits, so only re-encryption finds them.
/// Flipped bits after the last bit of u, which decryption ignores, and flipped bits of the salt or d must also be
/// rejected.
#[test]
fn rejects_flipped_bits_implicitly() {
    for kem in ALL {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let (n, u_v) = sizes(kem);
        let total = 8 * sent.ciphertext.len();
        let padding = n..n.next_multiple_of(8);
        let edges = [0, n - 1, n.next_multiple_of(8), 8 * u_v - 1, 8 * u_v, total - 1];
        let bits: Vec<usize> = padding.chain(edges).chain((0..20).map(|_| rng.below(total))).collect();
        for bit in bits {
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

/// Tests random bytes, which are far from every codeword, so that decoding fails.
#[test]
fn rejects_ciphertexts_that_cannot_be_decoded() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let mut ciphertexts = vec![vec![0; kem.info().ciphertext_len], vec![0xFF; kem.info().ciphertext_len]];
        for _ in 0..20 {
            let mut random = vec![0; kem.info().ciphertext_len];
            rng.fill(&mut random);
            ciphertexts.push(random);
        }
        for ciphertext in ciphertexts {
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

/// Tests that equal messages and salts give different secrets for different encapsulation keys, so that one attack
/// cannot target many keys.
#[test]
fn equal_randomness_gives_another_secret_for_another_key() {
    for kem in ALL {
        let name = kem.info().name;
        let [first, second] = ["first", "second"].map(|label| {
            let public = kem.generate(&mut Stream::new(label)).encaps_key_bytes();
            kem.encaps_key(&public).expect(name).encapsulate(&mut Stream::new(name))
        });
        assert_ne!(first.ciphertext, second.ciphertext, "{name}");
        assert_ne!(first.secret, second.secret, "{name}");
    }
}

/// Tests that a rejected ciphertext gives the same secret each time, and that different rejected ciphertexts give
/// different secrets. An early return in decapsulation, a known fault of older implementations, would violate this.
#[test]
fn rejection_depends_on_every_part_of_the_ciphertext() {
    for kem in ALL {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let (n, u_v) = sizes(kem);
        // in u, in v, and in the salt or d
        let parts = [0, n.next_multiple_of(8), 8 * u_v];
        let secrets = parts.map(|bit| key.decapsulate(&flip_bit(&sent.ciphertext, bit)).expect(name));
        assert_eq!(secrets[0], key.decapsulate(&flip_bit(&sent.ciphertext, 0)).expect(name), "{name}");
        for (i, secret) in secrets.iter().enumerate() {
            assert_ne!(*secret, sent.secret, "{name}, part {i}");
            assert!(secrets[..i].iter().all(|other| other != secret), "{name}, part {i}");
        }
    }
}

#[test]
fn rejects_encapsulation_keys_with_bits_after_s() {
    for kem in ALL {
        let public = kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes();
        let (n, total) = (sizes(kem).0, 8 * public.len());
        let padding = total - (n.next_multiple_of(8) - n);
        for bit in total - 16..total {
            let refused = kem.encaps_key(&flip_bit(&public, bit)).err();
            assert_eq!(matches!(refused, Some(Error::InvalidPublicKey { .. })), bit >= padding, "bit {bit}");
        }
    }
}

/// Tests that a key with any flipped bit is refused, because parsing generates the key again from its seeds.
#[test]
fn rejects_inconsistent_decapsulation_keys() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let encoded = kem.generate(&mut rng).to_bytes();
        for _ in 0..40 {
            let (flipped, bit) = rng.flip(encoded.as_ref());
            let refused = kem.decaps_key(&flipped).err();
            let is_refused = matches!(refused, Some(Error::InvalidPrivateKey { .. }));
            assert!(is_refused, "{}, bit {bit}: {refused:?}", kem.info().name);
        }
    }
}

#[test]
#[ignore = "a hundred thousand mutations of each set: a minute"]
fn survives_a_hundred_thousand_mutations() {
    ALL.into_iter().for_each(|kem| kem_survives_mutations(kem, 100_000));
}
