//! Many operations at once give what the single ones give, with the same draws.

use grille_core::{DecapsKey as _, EncapsKey as _};
use grille_mlkem::params::{K512N, K768, P512, P768, P1024, Params};
use grille_mlkem::{DecapsKey, MlKem};
use grille_stream::Stream;

/// None, fewer than eight, eight, and more with some left over.
const COUNTS: [usize; 4] = [0, 3, 8, 17];

fn many_equal_single_ones<P: Params>() {
    for count in COUNTS {
        let (mut one, mut other) = (Stream::new("keys"), Stream::new("keys"));
        let keys = MlKem::<P>::generate_many(count, &mut one);
        let single: Vec<_> = (0..count).map(|_| DecapsKey::<P>::generate(&mut other)).collect();
        assert_eq!(keys.len(), count);
        for (key, single) in keys.iter().zip(&single) {
            assert_eq!(key.to_bytes().as_ref(), single.to_bytes().as_ref());
            assert_eq!(key.seed().unwrap().as_ref(), single.seed().unwrap().as_ref());
        }

        let public: Vec<_> = keys.iter().map(DecapsKey::encaps_key).collect();
        let sent = MlKem::<P>::encapsulate_many(&public, &mut one);
        let mut ciphertexts = Vec::new();
        for (key, sent) in single.iter().zip(sent) {
            let expected = key.encaps_key().encapsulate(&mut other);
            assert_eq!(sent.ciphertext.0.as_ref(), expected.ciphertext.0.as_ref());
            assert_eq!(sent.secret, expected.secret);
            ciphertexts.push(sent.ciphertext);
        }
        assert_eq!(one.draws(), other.draws());

        // every third ciphertext is not the one that was sent
        for ciphertext in ciphertexts.iter_mut().step_by(3) {
            ciphertext.0.as_mut()[7] ^= 4;
        }
        let received: Vec<_> = keys.iter().zip(&ciphertexts).collect();
        let secrets = MlKem::<P>::decapsulate_many(&received);
        assert_eq!(secrets.len(), count);
        for ((key, ciphertext), secret) in single.iter().zip(&ciphertexts).zip(secrets) {
            assert_eq!(secret, key.decapsulate(ciphertext));
        }
    }
}

#[test]
fn many_operations_of_mlkem_equal_single_ones() {
    many_equal_single_ones::<P512>();
    many_equal_single_ones::<P768>();
    many_equal_single_ones::<P1024>();
}

#[test]
fn many_operations_of_kyber_equal_single_ones() {
    many_equal_single_ones::<K768>();
    many_equal_single_ones::<K512N>();
}
