//! KEM private keys: the public key of an accepted key is accepted too. Decapsulation gives the same secret with the
//! decoded and with the encoded key.
#![no_main]

use grille_fuzz::kem;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = kem(data) else { return };
    let ciphertext = vec![0; row.kem.info().ciphertext_len];
    let at_once = row.kem.decapsulate_encoded(bytes, &ciphertext);
    let Ok(key) = row.kem.decaps_key(bytes) else { return };
    assert!(row.kem.encaps_key(&key.encaps_key_bytes()).is_ok());
    assert_eq!(at_once, key.decapsulate(&ciphertext));
});
