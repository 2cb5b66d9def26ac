//! Tests that both sides of a KEM get the same secret, and that an altered ciphertext gives a different secret.

use crate::Stream;
use grille_core::{DynKem, Error};

/// Checks `times` times that both sides get the same secret, with generated and decoded keys.
///
/// # Panics
/// Panics if a generated key, or a key decoded from any encoding of it, gives a different secret or encapsulation key.
/// Panics if the key has a seed although the KEM has no seeds, or the key has none although the KEM has seeds.
pub fn kem_sides_agree(kem: &dyn DynKem, times: usize) {
    let (info, name) = (kem.info(), kem.info().name);
    let mut rng = Stream::new(name);
    for _ in 0..times {
        let key = kem.generate(&mut rng);
        let public = kem.encaps_key(&key.encaps_key_bytes()).expect(name);
        let sent = public.encapsulate(&mut rng);
        let seed = key.seed();
        assert_eq!(seed.is_some(), info.seed_len.is_some(), "{name}");
        let imported = kem.decaps_key(key.to_bytes().as_ref()).expect(name);
        let from_seed = seed.map(|seed| kem.decaps_key_from_seed(seed.as_ref()).expect(name));
        for key in [key, imported].into_iter().chain(from_seed) {
            assert_eq!(key.decapsulate(&sent.ciphertext).expect(name), sent.secret, "{name}");
            assert_eq!(key.encaps_key_bytes(), public.to_bytes(), "{name}");
            assert_eq!(key.to_bytes().as_ref().len(), info.decaps_key_len, "{name}");
            assert!(info.seed_len.is_some() || key.seed().is_none(), "{name} has no seeds");
        }
    }
    if info.seed_len.is_none() {
        let refused = kem.decaps_key_from_seed(&[0; 32]).err();
        assert_eq!(refused, Some(Error::Unsupported { feature: "seeds" }), "{name}");
    }
}

/// Checks `times` times that decapsulation rejects a ciphertext with up to eight changed bytes.
///
/// # Panics
/// Panics if decapsulation panics, or a changed ciphertext gives the secret of the original.
pub fn kem_survives_mutations(kem: &dyn DynKem, times: usize) {
    let mut rng = Stream::new(kem.info().name);
    let key = kem.generate(&mut rng);
    let sent = kem
        .encaps_key(&key.encaps_key_bytes())
        .expect("output of this library is valid")
        .encapsulate(&mut rng);
    for _ in 0..times {
        let mut mutated = sent.ciphertext.clone();
        for _ in 0..1 + rng.below(8) {
            let at = rng.below(mutated.len());
            mutated[at] = rng.bytes::<1>()[0];
        }
        let secret = key.decapsulate(&mutated).expect("the length is right");
        assert_eq!(secret == sent.secret, mutated == sent.ciphertext);
    }
}
