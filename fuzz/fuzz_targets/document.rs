//! PEM or DER documents of unknown type: no more object identifiers are found in a document than its DER has room for.
#![no_main]

use grille_pki::Document;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for document in Document::all(data).unwrap_or_default() {
        let _ = document.algorithms();
        let Ok(identifiers) = document.identifiers() else { continue };
        // an identifier takes at least one byte in addition to its tag and its length
        assert!(3 * identifiers.len() <= document.der().len());
    }
});
