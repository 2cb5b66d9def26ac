//! Private keys, PKCS #8 as PEM or DER, with the object identifiers of any era: a key that was read can be written, and
//! reading it again gives the same key.
#![no_main]

use grille_fuzz::era;
use grille_pki::{KemPrivateKey, PrivateKey, PrivateKeyForm};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((numbers, bytes)) = era(data) else { return };
    if let Ok(key) = PrivateKey::from_pem_or_der_in(bytes, numbers) {
        let der = key.to_pkcs8_der(PrivateKeyForm::default_for(key.row())).or_else(|_| {
            // a key without its seed can be written in this form
            key.to_pkcs8_der(PrivateKeyForm::Expanded)
        });
        let again =
            PrivateKey::from_pem_or_der_in(der.expect("one of the two forms is possible").as_ref(), numbers)
                .expect("a written key can be read");
        assert_eq!(again.public_key().bytes(), key.public_key().bytes());
    }
    if let Ok(key) = KemPrivateKey::from_pem_or_der_in(bytes, numbers) {
        let der = key
            .to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM)
            .or_else(|_| key.to_pkcs8_der(PrivateKeyForm::Expanded));
        let again = KemPrivateKey::from_pem_or_der_in(
            der.expect("one of the two forms is possible").as_ref(),
            numbers,
        )
        .expect("a written key can be read");
        assert_eq!(again.public_key().bytes(), key.public_key().bytes());
    }
});
