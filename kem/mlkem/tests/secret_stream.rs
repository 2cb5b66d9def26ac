//! Compares shared secrets of any length with the KEM of round-3 Kyber.

use grille_core::{DecapsKey as _, EncapsKey as _, Error, Kem as _};
use grille_mlkem::params::{K512, K768, K1024};
use grille_mlkem::secret_stream::{Round3Params, decapsulate, encapsulate};
use grille_mlkem::{EncapsKey, MlKem};
use grille_stream::Stream;

fn first_bytes_are_the_secret_of_the_kem<P: Round3Params>(name: &str) {
    let key = MlKem::<P>::generate(&mut Stream::new(name));
    let public: &EncapsKey<P> = key.encaps_key();
    let sent = public.encapsulate(&mut Stream::new("encapsulation"));
    let (ciphertext, mut stream) =
        encapsulate::<P>(&public.to_bytes(), &mut Stream::new("encapsulation")).unwrap();
    assert_eq!(ciphertext.as_ref(), sent.ciphertext.as_ref(), "{name}");
    let mut received = decapsulate::<P>(key.to_bytes().as_ref(), &ciphertext).unwrap();
    let (mut ours, mut theirs) = ([0; 300], [0; 300]);
    stream.read(&mut ours);
    received.read(&mut theirs);
    assert_eq!(ours, theirs, "{name}");
    assert_eq!(ours[..32], *sent.secret.expose(), "{name}");
}

#[test]
fn every_parameter_set_agrees_with_its_kem() {
    first_bytes_are_the_secret_of_the_kem::<K512>("Kyber512");
    first_bytes_are_the_secret_of_the_kem::<K768>("Kyber768");
    first_bytes_are_the_secret_of_the_kem::<K1024>("Kyber1024");
}

#[test]
fn refuses_keys_with_large_coefficients() {
    let refused = encapsulate::<K512>(&[0xFF; 800], &mut Stream::new("refused"));
    assert!(matches!(refused, Err(Error::InvalidPublicKey { .. })), "{refused:?}");
}
