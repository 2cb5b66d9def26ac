//! Inputs that must be refused, and inputs that must not panic. Each test covers all parameter sets.

use grille_core::{DynKem, Error};
use grille_hash::{Level, shake256};
use grille_sike::erased::{
    SidhP434, SidhP434Compressed, SidhP503, SidhP503Compressed, SidhP610, SidhP610Compressed, SidhP751,
    SidhP751Compressed, SikeP434, SikeP434Compressed, SikeP503, SikeP503Compressed, SikeP610,
    SikeP610Compressed, SikeP751, SikeP751Compressed,
};
use grille_stream::lengths::kem_refuses_wrong_lengths;
use grille_stream::many::kem_operations_equal_single_ones;
use grille_stream::sides::{kem_sides_agree, kem_survives_mutations};
use grille_stream::{Stream, flip_bit};

/// A parameter set, and the properties that the tests need.
struct Set {
    kem: &'static dyn DynKem,
    /// The number of bytes of each read from the random generator, during key generation and then
    /// encapsulation.
    read_sizes: &'static [usize],
    /// The number of bytes of an encoded element of GF(p), and the number of unused bits in its last byte.
    field: (usize, u32),
}

const fn set(kem: &'static dyn DynKem, read_sizes: &'static [usize], field: (usize, u32)) -> Set {
    Set { kem, read_sizes, field }
}

const P434: (usize, u32) = (55, 6);
const P503: (usize, u32) = (63, 1);
const P610: (usize, u32) = (77, 6);
const P751: (usize, u32) = (94, 1);

const SIKE: [Set; 4] = [
    set(&SikeP434, &[16, 28, 16], P434),
    set(&SikeP503, &[24, 32, 24], P503),
    set(&SikeP610, &[24, 38, 24], P610),
    set(&SikeP751, &[32, 48, 32], P751),
];

const SIKE_COMPRESSED: [Set; 4] = [
    set(&SikeP434Compressed, &[16, 27, 16], P434),
    set(&SikeP503Compressed, &[24, 32, 24], P503),
    set(&SikeP610Compressed, &[24, 39, 24], P610),
    set(&SikeP751Compressed, &[32, 47, 32], P751),
];

const SIDH: [Set; 4] = [
    set(&SidhP434, &[27, 28], P434),
    set(&SidhP503, &[32, 32], P503),
    set(&SidhP610, &[39, 38], P610),
    set(&SidhP751, &[47, 48], P751),
];

const SIDH_COMPRESSED: [Set; 4] = [
    set(&SidhP434Compressed, &[27, 28], P434),
    set(&SidhP503Compressed, &[32, 32], P503),
    set(&SidhP610Compressed, &[39, 38], P610),
    set(&SidhP751Compressed, &[47, 48], P751),
];

fn all() -> impl Iterator<Item = Set> {
    SIKE.into_iter().chain(SIKE_COMPRESSED).chain(SIDH).chain(SIDH_COMPRESSED)
}

fn sike() -> impl Iterator<Item = &'static dyn DynKem> {
    SIKE.into_iter().chain(SIKE_COMPRESSED).map(|set| set.kem)
}

fn sidh() -> impl Iterator<Item = &'static dyn DynKem> {
    SIDH.into_iter().chain(SIDH_COMPRESSED).map(|set| set.kem)
}

/// Returns SHAKE256 of the parts.
fn hash(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut digest = vec![0; len];
    shake256(Level::detect(), parts, &mut digest);
    digest
}

/// Returns the shared secret that decapsulation must return for a rejected ciphertext. `key` is the encoded
/// key.
fn rejection_secret(kem: &dyn DynKem, key: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    let len = kem.info().shared_secret_len;
    hash(&[&key[..len], ciphertext], len)
}

#[test]
fn both_sides_agree_and_keys_survive_encoding() {
    all().for_each(|set| kem_sides_agree(set.kem, 1));
}

#[test]
fn operations_draw_what_known_answers_expect() {
    for Set { kem, read_sizes, .. } in all() {
        let mut rng = Stream::new("draws");
        let key = kem.generate(&mut rng);
        kem.encaps_key(&key.encaps_key_bytes()).expect("the key was generated above").encapsulate(&mut rng);
        assert_eq!(rng.read_sizes(), read_sizes, "{}", kem.info().name);
    }
}

#[test]
fn rejects_every_wrong_length() {
    all().for_each(|set| kem_refuses_wrong_lengths(set.kem));
}

#[test]
fn many_operations_equal_single_ones() {
    kem_operations_equal_single_ones::<grille_sike::SikeP434>();
    kem_operations_equal_single_ones::<grille_sike::SidhP434>();
}

#[test]
fn sike_rejects_altered_ciphertexts_implicitly() {
    for kem in sike() {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let sent = kem.encaps_key(&key.encaps_key_bytes()).expect(name).encapsulate(&mut rng);
        let total = 8 * sent.ciphertext.len();
        let last_sent = total - 8 * kem.info().shared_secret_len - 1;
        let flipped = [0, last_sent, last_sent + 1, total - 1].map(|bit| flip_bit(&sent.ciphertext, bit));
        for ciphertext in flipped.into_iter().chain([vec![0; total / 8], vec![0xFF; total / 8]]) {
            let secret = key.decapsulate(&ciphertext).expect("the right length");
            assert_eq!(secret.as_ref(), rejection_secret(kem, encoded.as_ref(), &ciphertext), "{name}");
        }
    }
}

/// SIDH itself does not reject numbers that are too large, but reduces them modulo p.
#[test]
fn sidh_rejects_numbers_that_are_too_large_implicitly() {
    for kem in sidh() {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let encoded = key.to_bytes();
        let secret_len = rng.read_sizes()[0];
        let ciphertext = vec![0xFF; kem.info().ciphertext_len];
        let secret = key.decapsulate(&ciphertext).expect("the right length");
        let expected = hash(&[&encoded.as_ref()[..secret_len], &ciphertext], secret.as_ref().len());
        assert_eq!(secret.as_ref(), expected, "{}", kem.info().name);
        // zero is a valid number
        key.decapsulate(&vec![0; ciphertext.len()]).expect("the right length");
    }
}

/// The last byte of a compressed ciphertext must be zero.
#[test]
fn sidh_rejects_altered_padding_implicitly() {
    for Set { kem, .. } in SIDH_COMPRESSED {
        let mut rng = Stream::new(kem.info().name);
        let key = kem.generate(&mut rng);
        let sent = kem
            .encaps_key(&key.encaps_key_bytes())
            .expect("the key was generated above")
            .encapsulate(&mut rng);
        let altered = flip_bit(&sent.ciphertext, 8 * sent.ciphertext.len() - 1);
        assert_ne!(key.decapsulate(&altered).expect("the right length"), sent.secret, "{}", kem.info().name);
    }
}

#[test]
fn rejects_encapsulation_keys_with_numbers_that_are_too_large() {
    for Set { kem, field: (bytes, missing), .. } in all() {
        let name = kem.info().name;
        let public = kem.generate(&mut Stream::new(name)).encaps_key_bytes();
        // the last element of GF(p); in compressed keys, three bytes follow this element
        let end = public.len() - if name.ends_with("compressed") { 3 } else { 0 };
        let with_last_byte = |byte: u8| {
            let mut altered = public.clone();
            altered[end - bytes..end - 1].fill(0xFF);
            altered[end - 1] = byte;
            kem.encaps_key(&altered).err()
        };
        let top = 0xFF >> missing;
        for byte in [top, top << 1, 0xFF] {
            assert!(
                matches!(with_last_byte(byte), Some(Error::InvalidPublicKey { .. })),
                "{name}, {byte:#x}"
            );
        }
        assert_eq!(with_last_byte(0), None, "{name}");
    }
}

/// The description of a basis has two counters and two bits. The counters start at 1, and the second one is
/// larger.
#[test]
fn rejects_encapsulation_keys_with_impossible_bases() {
    for Set { kem, .. } in SIKE_COMPRESSED.into_iter().chain(SIDH_COMPRESSED) {
        let public = kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes();
        let with_basis = |basis: [u8; 3]| {
            let mut altered = public.clone();
            *altered.last_chunk_mut().expect("three bytes") = basis;
            kem.encaps_key(&altered).err()
        };
        assert_eq!(with_basis([1, 2, 0]), None);
        assert_eq!(with_basis([0x80 | 126, 127, 3]), None);
        for basis in [[0, 1, 0], [0x80, 1, 0], [1, 1, 0], [2, 1, 0], [1, 128, 0], [1, 2, 4], [1, 2, 0x80]] {
            let refused = with_basis(basis);
            assert!(matches!(refused, Some(Error::InvalidPublicKey { .. })), "{basis:?}: {refused:?}");
        }
    }
}

/// A changed s is accepted. Every other part of a key is determined by the remaining parts, so a change of
/// this part is detected.
#[test]
fn rejects_decapsulation_keys_that_contradict_themselves() {
    for kem in sike() {
        let name = kem.info().name;
        let mut rng = Stream::new(name);
        let encoded = kem.generate(&mut rng).to_bytes();
        let (s, total) = (8 * kem.info().shared_secret_len, 8 * encoded.as_ref().len());
        for bit in [s + 1, total - 9 - s, total - 9] {
            let refused = kem.decaps_key(&flip_bit(encoded.as_ref(), bit)).err();
            assert!(
                matches!(refused, Some(Error::InvalidPrivateKey { .. })),
                "{name}, bit {bit}: {refused:?}"
            );
        }
        assert!(kem.decaps_key(&flip_bit(encoded.as_ref(), s - 1)).is_ok(), "{name}");
    }
}

#[test]
fn rejects_secret_keys_out_of_range() {
    for Set { kem, read_sizes, .. } in all() {
        let name = kem.info().name;
        let mut encoded = kem.generate(&mut Stream::new(name)).to_bytes();
        let (start, len) =
            if read_sizes.len() == 3 { (read_sizes[0], read_sizes[1]) } else { (0, read_sizes[0]) };
        encoded.as_mut()[start..start + len].fill(0xFF);
        // every number is in range for SIKE-p610 and SIDH-p434, whose secret keys have whole bytes, but a SIKE
        // key must also match its public key; secret keys of compressed sets must be even
        let whole = matches!(name, "SIKE-p610" | "SIDH-p434");
        let refused = kem.decaps_key(encoded.as_ref()).err();
        let expected = if whole && name.starts_with("SIDH") { None } else { Some(()) };
        assert_eq!(refused.map(|_| ()), expected, "{name}");
    }
}

/// The padding of an encoded secret key is ignored, because liboqs does not write it.
#[test]
fn sidh_ignores_the_padding_of_secret_keys() {
    for Set { kem, read_sizes, .. } in SIDH.into_iter().chain(SIDH_COMPRESSED) {
        let key = kem.generate(&mut Stream::new(kem.info().name));
        let mut encoded = key.to_bytes();
        encoded.as_mut()[read_sizes[0]..].fill(0xA5);
        let imported = kem.decaps_key(encoded.as_ref()).expect("the padding does not count");
        assert_eq!(imported.encaps_key_bytes(), key.encaps_key_bytes());
        assert_eq!(imported.to_bytes(), key.to_bytes());
    }
}

#[test]
fn survives_mutations() {
    all().take(1).for_each(|set| kem_survives_mutations(set.kem, 100));
}

#[test]
#[ignore = "a hundred thousand mutations of each set: hours"]
fn survives_a_hundred_thousand_mutations() {
    all().for_each(|set| kem_survives_mutations(set.kem, 100_000));
}
