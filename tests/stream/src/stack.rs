//! Compares the stack use of operations with the figures in the documentation of their family.

use grille_core::{DecapsKey, EncapsKey, Kem, Signature, SigningKey, SystemRng, VerifyingKey};
use grille_meter::{Column, Heap};

/// Checks single operations of a KEM. `generation`: the expected heap use of key generation; no other operation may use
/// the heap.
///
/// # Panics
/// Panics if the KEM cannot decode its own keys.
pub fn check_kem<K: Kem<Ciphertext: Sync>>(column: &mut Column<'_>, generation: Heap) {
    check_kem_operations::<K>(column, generation, Heap::None);
    let key = K::generate(&mut SystemRng);
    let private = key.to_bytes();
    let ciphertext = &key.encaps_key().encapsulate(&mut SystemRng).ciphertext;
    column.check("decapsulation with an encoded key", Heap::None, || {
        drop(K::decapsulate_encoded(private.as_ref(), ciphertext).expect("a fresh key is valid"));
    });
}

/// Checks single operations of a KEM with decoded keys. `generation`: the expected heap use of key generation;
/// `others`: the expected heap use of all other operations.
///
/// # Panics
/// Panics if the KEM cannot decode its own keys.
pub fn check_kem_operations<K: Kem<Ciphertext: Sync>>(
    column: &mut Column<'_>,
    generation: Heap,
    others: Heap,
) {
    let key = K::generate(&mut SystemRng);
    let own = key.encaps_key();
    let (private, public) = (key.to_bytes(), own.to_bytes());
    let ciphertext = &own.encapsulate(&mut SystemRng).ciphertext;
    column.check("key generation", generation, || drop(K::generate(&mut SystemRng)));
    column.check("import of an encapsulation key", others, || {
        drop(K::EncapsKey::from_bytes(&public).expect("a fresh key is valid"));
    });
    column.check("import of a decapsulation key", others, || {
        drop(K::DecapsKey::from_bytes(private.as_ref()).expect("a fresh key is valid"));
    });
    column.check("encapsulation", others, || drop(own.encapsulate(&mut SystemRng)));
    column.check("decapsulation", others, || drop(key.decapsulate(ciphertext)));
}

/// Checks the operations of a KEM that process eight inputs at once.
pub fn check_kem_of_eight<K: Kem<Ciphertext: Sync>>(column: &mut Column<'_>) {
    let keys = K::generate_many(8, &mut SystemRng);
    let publics: Vec<_> = keys.iter().map(DecapsKey::encaps_key).collect();
    let sent = K::encapsulate_many(&publics, &mut SystemRng);
    let received: Vec<_> = keys.iter().zip(sent.iter().map(|sent| &sent.ciphertext)).collect();
    column.check("eight key generations", Heap::Some, || drop(K::generate_many(8, &mut SystemRng)));
    column.check("eight encapsulations", Heap::Some, || drop(K::encapsulate_many(&publics, &mut SystemRng)));
    column.check("eight decapsulations", Heap::Some, || drop(K::decapsulate_many(&received)));
}

/// Checks operations of a signature scheme, each with a decoded key. `keys`: the expected heap use of generating and
/// decoding a signing key; no other operation may use the heap.
///
/// # Panics
/// Panics if the scheme cannot decode its own keys or does not verify its own signatures.
pub fn check_signature<S: Signature>(column: &mut Column<'_>, keys: Heap) {
    let key = S::generate(&mut SystemRng);
    let (private, public) = (key.to_bytes(), key.verifying_key().to_bytes());
    let signature = key.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough");
    let signature = signature.as_ref().to_vec();
    column.check("key generation", keys, || drop(S::generate(&mut SystemRng)));
    column.check("import of a signing key", keys, || {
        drop(S::SigningKey::from_bytes(private.as_ref()).expect("a fresh key is valid"));
    });
    column.check("signing", Heap::None, || sign_repeatedly(&key));
    column.check("verifying", Heap::None, || {
        let key = S::VerifyingKey::from_bytes(&public).expect("a fresh key is valid");
        key.verify(b"message", b"", &signature).expect("a fresh signature is valid");
    });
}

/// Signs so often that every part of the scheme's signing loop is likely to run.
///
/// # Panics
/// Panics if the key does not sign.
pub fn sign_repeatedly(key: &impl SigningKey) {
    for n in 0..20 {
        drop(key.sign(&[n], b"", &mut SystemRng).expect("an empty context is short enough"));
    }
}
