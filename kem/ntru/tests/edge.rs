//! Inputs that must be refused, and inputs that must not panic, for all six parameter sets.

use grille_core::{DecapsKey, DynKem, EncapsKey, Error, Kem};
use grille_hash::{Level, sha3_256};
use grille_ntru::{NtruHps2048509, NtruHps2048677, NtruHps4096821, NtruHps40961229};
use grille_ntru::{NtruHrss701, NtruHrss1373, erased};
use grille_stream::Stream;
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::kem_sides_agree;

const ALL: [&dyn DynKem; 6] = [
    &erased::NtruHps2048509,
    &erased::NtruHps2048677,
    &erased::NtruHps4096821,
    &erased::NtruHps40961229,
    &erased::NtruHrss701,
    &erased::NtruHrss1373,
];

/// Returns n and log₂ q, parsed from the name.
fn n_and_log_q(kem: &dyn DynKem) -> (usize, usize) {
    let name = kem.info().name;
    let n = name.rsplit('-').next().and_then(|n| n.parse().ok()).expect("the name ends with n");
    let log_q = match n {
        509 | 677 => 11,
        821 | 1229 => 12,
        701 => 13,
        _ => 14,
    };
    (n, log_q)
}

/// Returns the offsets at which f, f_p, h_q and prf_key end in an encoded decapsulation key.
fn part_ends(kem: &dyn DynKem) -> [usize; 4] {
    let (n, _) = n_and_log_q(kem);
    let s3 = (n - 1).div_ceil(5);
    [s3, 2 * s3, kem.info().decaps_key_len - 32, kem.info().decaps_key_len]
}

#[test]
fn round_trips_with_every_key_encoding() {
    ALL.into_iter().for_each(|kem| kem_sides_agree(kem, 10));
}

#[test]
fn operations_draw_as_much_randomness_as_the_known_answers() {
    for kem in ALL {
        let (n, _) = n_and_log_q(kem);
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let is_hps = kem.info().name.contains("HPS");
        let sample = n - 1 + if is_hps { (30 * (n - 1)).div_ceil(8) } else { n - 1 };
        assert_eq!(rng.read_sizes(), [sample, 32, sample], "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(kem_refuses_wrong_lengths);
}

#[test]
fn implicit_rejection_hashes_prf_key_and_ciphertext() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let bytes = key.to_bytes();
        let prf_key = &bytes.as_ref()[part_ends(kem)[2]..];
        for _ in 0..20 {
            let mut c = vec![0; kem.info().ciphertext_len];
            rng.fill(&mut c);
            // H₂(prf_key ‖ c)
            let expected = sha3_256(Level::detect(), &[prf_key, &c]);
            assert_eq!(
                key.decapsulate(&c).expect("the length is right").as_ref(),
                expected,
                "{}",
                kem.info().name
            );
        }
    }
}

#[test]
fn rejects_every_bit_flip_in_a_ciphertext_even_in_padding() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let bytes = key.to_bytes();
        let prf_key = &bytes.as_ref()[part_ends(kem)[2]..];
        let sent = kem
            .encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let len = sent.ciphertext.len();
        let last_bits = (8 * len - 8)..8 * len;
        let bits: Vec<usize> = (0..40).map(|_| rng.below(8 * len)).chain(last_bits).collect();
        for bit in bits {
            let mut flipped = sent.ciphertext.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let expected = sha3_256(Level::detect(), &[prf_key, &flipped]);
            let secret = key.decapsulate(&flipped).expect("the length is right");
            assert_eq!(secret.as_ref(), expected, "{}, bit {bit}", kem.info().name);
        }
    }
}

#[test]
fn rejects_encapsulation_keys_with_set_padding_bits() {
    for kem in ALL {
        let (n, log_q) = n_and_log_q(kem);
        let public = kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes();
        for bit in 0..8 * public.len() {
            let mut flipped = public.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let refused = kem.encaps_key(&flipped).err();
            let is_padding = bit >= log_q * (n - 1);
            assert_eq!(matches!(refused, Some(Error::InvalidPublicKey { .. })), is_padding, "bit {bit}");
        }
    }
}

#[test]
fn rejects_every_detectable_bit_flip_in_a_decapsulation_key() {
    for kem in ALL {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let bytes = key.to_bytes();
        let sent = kem
            .encaps_key(&key.encaps_key_bytes())
            .expect("output of this library is valid")
            .encapsulate(&mut rng);
        let garbage = vec![7; sent.ciphertext.len()];
        for _ in 0..30 {
            let (flipped, bit) = rng.flip(bytes.as_ref());
            match kem.decaps_key(&flipped) {
                // any prf_key is valid, and matters only if a ciphertext is rejected
                Ok(other) => {
                    assert!(bit / 8 >= part_ends(kem)[2], "{}, bit {bit}", kem.info().name);
                    assert_eq!(other.decapsulate(&sent.ciphertext).as_ref(), Ok(&sent.secret));
                    assert_ne!(other.decapsulate(&garbage), key.decapsulate(&garbage));
                }
                Err(error) => assert!(matches!(error, Error::InvalidPrivateKey { .. }), "{error}"),
            }
        }
    }
}

#[test]
fn rejects_decapsulation_keys_with_mismatched_parts() {
    for kem in ALL {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let (key, other) = (kem.generate(&mut rng).to_bytes(), kem.generate(&mut rng).to_bytes());
        let mut start = 0;
        for (part, end) in part_ends(kem).into_iter().enumerate() {
            // replaces the part with that of another key, then with zeroes, then with bytes that are not
            // trits
            for with in [&other.as_ref()[start..end], &vec![0; end - start], &vec![0xFF; end - start]] {
                let mut mixed = key.as_ref().to_vec();
                mixed[start..end].copy_from_slice(with);
                let refused = matches!(kem.decaps_key(&mixed).err(), Some(Error::InvalidPrivateKey { .. }));
                assert_eq!(refused, part < 3, "{name}, part {part}");
            }
            start = end;
        }
        for byte in [0, 0xFF] {
            let same = vec![byte; kem.info().decaps_key_len];
            assert!(matches!(kem.decaps_key(&same).err(), Some(Error::InvalidPrivateKey { .. })), "{name}");
        }
    }
}

#[test]
fn encapsulation_is_deterministic_in_its_coins_for_any_valid_key() {
    for kem in ALL {
        let name = kem.info().name;
        for public in
            [vec![0; kem.info().encaps_key_len], kem.generate(&mut Stream::new(name)).encaps_key_bytes()]
        {
            let key = kem.encaps_key(&public).expect(name);
            let (one, again) =
                (key.encapsulate(&mut Stream::new("a")), key.encapsulate(&mut Stream::new("a")));
            assert_eq!((&one.ciphertext, &one.secret), (&again.ciphertext, &again.secret), "{name}");
            assert_ne!(key.encapsulate(&mut Stream::new("b")).secret, one.secret, "{name}");
        }
    }
}

#[test]
fn batched_operations_match_single_ones() {
    kem_operations_equal_single_ones::<NtruHps2048509>();
    kem_operations_equal_single_ones::<NtruHps2048677>();
    kem_operations_equal_single_ones::<NtruHps4096821>();
    kem_operations_equal_single_ones::<NtruHps40961229>();
    kem_operations_equal_single_ones::<NtruHrss701>();
    kem_operations_equal_single_ones::<NtruHrss1373>();
}

#[test]
fn debug_output_hides_key_contents() {
    let key = NtruHrss701::generate(&mut Stream::new("debug"));
    assert_eq!(format!("{key:?}"), "NTRU-HRSS-701 decapsulation key");
    assert_eq!(format!("{:?}", key.encaps_key()), "NTRU-HRSS-701 encapsulation key");
    let other = NtruHrss701::generate(&mut Stream::new("other"));
    assert!(key.encaps_key() == &key.encaps_key().clone() && key.encaps_key() != other.encaps_key());
    assert_eq!(key.encaps_key().to_bytes(), key.encaps_key().clone().to_bytes());
}
