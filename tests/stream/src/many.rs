//! Tests that a batch of operations gives the same results as single operations with the same random bytes.

use crate::{Stream, flip_bit};
use grille_core::{DecapsKey, EncapsKey, Kem, Signature, SigningKey};

/// Batch sizes: zero, fewer than eight, eight, and more than eight with a remainder.
const COUNTS: [usize; 4] = [0, 3, 8, 17];

/// Compares batches of KEM operations with single operations.
///
/// # Panics
/// Panics if a key, a ciphertext or a secret differs from the result of the single operation.
pub fn kem_operations_equal_single_ones<K: Kem>() {
    for count in COUNTS {
        let (name, mut one, mut other) = (K::INFO.name, Stream::new("keys"), Stream::new("keys"));
        let keys = K::generate_many(count, &mut one);
        let single: Vec<_> = (0..count).map(|_| K::generate(&mut other)).collect();
        assert_eq!(keys.len(), count, "{name}");
        for (key, single) in keys.iter().zip(&single) {
            assert!(key.to_bytes() == single.to_bytes(), "{name}");
            assert!(key.seed() == single.seed(), "{name}");
            assert_eq!(key.encaps_key().to_bytes(), single.encaps_key().to_bytes(), "{name}");
        }

        let public: Vec<_> = keys.iter().map(DecapsKey::encaps_key).collect();
        let mut ciphertexts = Vec::new();
        let sent = K::encapsulate_many(&public, &mut one);
        assert_eq!(sent.len(), count, "{name}");
        for (key, sent) in single.iter().zip(sent) {
            let expected = key.encaps_key().encapsulate(&mut other);
            assert_eq!(sent.ciphertext.as_ref(), expected.ciphertext.as_ref(), "{name}");
            assert!(sent.secret.as_ref() == expected.secret.as_ref(), "{name}");
            ciphertexts.push(sent.ciphertext);
        }
        assert_eq!(one.read_sizes(), other.read_sizes(), "{name}");

        for ciphertext in ciphertexts.iter_mut().step_by(3) {
            let tampered = flip_bit(ciphertext.as_ref(), 58);
            *ciphertext = tampered.as_slice().try_into().expect("the same length");
        }
        let received: Vec<_> = keys.iter().zip(&ciphertexts).collect();
        let secrets = K::decapsulate_many(&received);
        assert_eq!(secrets.len(), count, "{name}");
        for ((key, ciphertext), secret) in single.iter().zip(&ciphertexts).zip(secrets) {
            assert!(secret.as_ref() == key.decapsulate(ciphertext).as_ref(), "{name}");
        }
    }
}

/// Compares batches of signatures with single signatures.
///
/// # Panics
/// Panics if a signature differs from the result of the single operation.
pub fn signatures_equal_single_ones<K: SigningKey>(key: &K) {
    let name = K::Scheme::INFO.name;
    for count in COUNTS {
        let messages: Vec<Vec<u8>> = (0..count).map(|n| vec![n as u8; 50 * n]).collect();
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let (mut one, mut other) = (Stream::new("nonces"), Stream::new("nonces"));
        let signatures = key.sign_many(&messages, b"", &mut one).expect("an empty context is short enough");
        assert_eq!(signatures.len(), count, "{name}");
        for (message, signature) in messages.iter().zip(signatures) {
            let single = key.sign(message, b"", &mut other).expect("an empty context is short enough");
            assert_eq!(signature.as_ref(), single.as_ref(), "{name}, {} bytes", message.len());
        }
        assert_eq!(one.read_sizes(), other.read_sizes(), "{name}");
    }
}
