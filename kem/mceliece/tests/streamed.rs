//! Encapsulation with a key that arrives in pieces, and reading a key in pieces.

use grille_core::{DynEncapsulated, DynKem, Error, StreamedEncapsulation};
use grille_mceliece::erased;
use grille_meter::measure;
use grille_stream::{Stream, flip_bit};

/// One parameter set of each size, some of each version.
const SETS: [&dyn DynKem; 6] = [
    &erased::McEliece348864f,
    &erased::McEliece460896fRound3,
    &erased::McEliece6688128f,
    &erased::McEliece6960119f,
    &erased::McEliece6960119fRound3,
    &erased::McEliece8192128fRound3,
];

fn begin(kem: &dyn DynKem) -> Box<dyn StreamedEncapsulation> {
    kem.begin_encapsulation(&mut Stream::new("error")).expect("Classic McEliece reads keys in pieces")
}

/// Encapsulates with a key that arrives in pieces of `len` bytes.
fn in_pieces(kem: &dyn DynKem, key: &[u8], len: usize) -> Result<DynEncapsulated, Error> {
    let mut encapsulation = begin(kem);
    for piece in key.chunks(len) {
        encapsulation.update(piece)?;
    }
    assert_eq!(encapsulation.missing(), 0);
    encapsulation.finish()
}

fn public_key(kem: &dyn DynKem) -> Vec<u8> {
    kem.generate(&mut Stream::new(kem.info().name)).encaps_key_bytes()
}

#[test]
fn pieces_of_any_length_give_the_result_of_the_whole_key() {
    for kem in SETS {
        let (name, public) = (kem.info().name, public_key(kem));
        let whole = kem.encaps_key(&public).expect(name).encapsulate(&mut Stream::new("error"));
        // one byte, less than a row, more than a row, and the whole key
        for len in [1, 100, 677, 4096, public.len()] {
            let sent = in_pieces(kem, &public, len).expect(name);
            assert_eq!(sent.ciphertext, whole.ciphertext, "{name}, {len} bytes");
            assert_eq!(sent.secret, whole.secret, "{name}, {len} bytes");
        }
    }
}

#[test]
fn rejects_keys_that_are_too_short_or_too_long() {
    let kem = SETS[0];
    let public = public_key(kem);
    let expected = public.len();
    let wrong = |got| Some(Error::Length { input: "encapsulation key", expected, got });
    let mut encapsulation = begin(kem);
    encapsulation.update(&public[..1000]).expect("a part of the key");
    assert_eq!(encapsulation.missing(), expected - 1000);
    assert_eq!(encapsulation.update(&public).err(), wrong(expected + 1000));
    // the piece that was too long is ignored
    assert_eq!(encapsulation.missing(), expected - 1000);
    encapsulation.update(&public[1000..]).expect("the rest of the key");
    assert_eq!(encapsulation.update(&[0]).err(), wrong(expected + 1));
    let sent = encapsulation.finish().expect("the whole key");
    assert_eq!(sent.ciphertext, in_pieces(kem, &public, expected).expect("the whole key").ciphertext);

    let mut encapsulation = begin(kem);
    encapsulation.update(&public[1..]).expect("all but one byte");
    assert_eq!(encapsulation.finish().err(), wrong(expected - 1));
}

#[test]
fn rejects_bits_after_rows() {
    for kem in [SETS[3], SETS[4]] {
        let public = public_key(kem);
        // T has rows of 5413 bits in 677 bytes
        for bit in [5413, 8 * 677 * 3 + 5414, 8 * public.len() - 1] {
            let flipped = flip_bit(&public, bit);
            let expected = kem.encaps_key(&flipped).err();
            assert!(matches!(expected, Some(Error::InvalidPublicKey { .. })), "bit {bit}");
            for len in [100, 677, public.len()] {
                assert_eq!(in_pieces(kem, &flipped, len).err(), expected, "bit {bit}, {len} bytes");
            }
            let mut encapsulation = begin(kem);
            assert_eq!(encapsulation.update(&flipped).err(), expected);
            // the refusal is final
            assert_eq!(encapsulation.update(&[]).err(), expected);
            assert_eq!(encapsulation.finish().err(), expected);
        }
    }
}

#[test]
fn streamed_encapsulation_needs_little_heap() {
    for kem in SETS {
        let public = public_key(kem);
        let (sent, used) = measure(|| in_pieces(kem, &public, 256)).expect("the thread starts");
        sent.expect("a fresh key is valid");
        // the documentation of the crate states this limit
        assert!(used.heap_peak < 8 << 10, "{}: {} bytes", kem.info().name, used.heap_peak);
    }
}

#[test]
fn copies_every_piece_of_a_key() {
    let kem = SETS[0];
    let key = kem.generate(&mut Stream::new("pieces"));
    let public = key.encaps_key_bytes();
    let separate = kem.encaps_key(&public).expect("a fresh key is valid");
    for (offset, room, expected) in
        [(0, 100, 100), (261_000, 200, 120), (261_120, 5, 0), (usize::MAX, 5, 0), (7, 0, 0)]
    {
        let (mut one, mut other) = (vec![0xAA; room], vec![0xAA; room]);
        assert_eq!(separate.copy_piece(offset, &mut one), expected);
        assert_eq!(key.copy_encaps_key_piece(offset, &mut other), expected);
        assert_eq!(one[..expected], public[offset.min(public.len())..][..expected]);
        assert!(one[expected..].iter().all(|byte| *byte == 0xAA));
        assert_eq!(one, other);
    }
    let (copied, used) = measure(|| separate.copy_piece(1000, &mut [0; 64])).expect("the thread starts");
    assert_eq!((copied, used.heap_peak), (64, 0));
}
