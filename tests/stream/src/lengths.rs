//! Tests that every wrong length is refused.

use crate::Stream;
use grille_core::{DynKem, DynSignature, Error};

/// Returns all lengths except the right one, up to two bytes more than it.
fn wrong_lengths(right: usize) -> impl Iterator<Item = usize> {
    (0..=right + 2).filter(move |got| *got != right)
}

fn assert_refused(input: &'static str, expected: usize, read: impl Fn(&[u8]) -> Option<Error>) {
    for got in wrong_lengths(expected) {
        assert_eq!(read(&vec![0; got]), Some(Error::Length { input, expected, got }));
    }
}

/// Checks that a KEM refuses wrong lengths.
///
/// # Panics
/// Panics if a key, a seed or a ciphertext of a wrong length is accepted, or is refused for another reason.
pub fn kem_refuses_wrong_lengths(kem: &dyn DynKem) {
    let (info, key) = (kem.info(), kem.generate(&mut Stream::new("lengths")));
    assert_refused("encapsulation key", info.encaps_key_len, |bytes| kem.encaps_key(bytes).err());
    assert_refused("decapsulation key", info.decaps_key_len, |bytes| kem.decaps_key(bytes).err());
    assert_refused("ciphertext", info.ciphertext_len, |bytes| key.decapsulate(bytes).err());
    if let Some(len) = info.seed_len {
        assert_refused("seed", len, |bytes| kem.decaps_key_from_seed(bytes).err());
    }
}

/// Checks that a signature scheme refuses wrong lengths.
///
/// # Panics
/// Panics if a key, a seed or a signature of a wrong length is accepted, or is refused for another reason.
pub fn signature_refuses_wrong_lengths(scheme: &dyn DynSignature) {
    let (info, mut rng) = (scheme.info(), Stream::new("lengths"));
    let key = scheme.generate(&mut rng);
    assert_refused("verifying key", info.verifying_key_len, |bytes| scheme.verifying_key(bytes).err());
    assert_refused("signing key", info.signing_key_len, |bytes| scheme.signing_key(bytes).err());
    if let Some(len) = info.seed_len {
        assert_refused("seed", len, |bytes| scheme.signing_key_from_seed(bytes).err());
    }
    let public = scheme.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
    let mut signature = key.sign(b"", b"", &mut rng).expect("an empty context is short enough");
    let len = signature.len();
    signature.extend([0, 0]);
    for got in wrong_lengths(len) {
        assert_eq!(public.verify(b"", b"", &signature[..got]), Err(Error::InvalidSignature), "{}", info.name);
    }
    assert_eq!(public.verify(b"", b"", &signature[..len]), Ok(()), "{}", info.name);
}
