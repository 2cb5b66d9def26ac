//! Any PEM or DER document that somebody asks about: what is found in it is found in its DER, too.
#![no_main]

use grille_pki::Document;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for document in Document::all(data).unwrap_or_default() {
        let _ = document.algorithms();
        let Ok(identifiers) = document.identifiers() else { continue };
        // each takes a byte at least, besides its tag and its length
        assert!(3 * identifiers.len() <= document.der().len());
    }
});
