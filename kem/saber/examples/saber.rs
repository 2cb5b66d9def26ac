//! Saber: generates a key pair, encodes and parses it, encapsulates, and checks that both sides have the same secret.

use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
use grille_saber::Saber;

fn main() -> Result<(), Error> {
    let key = Saber::generate(&mut SystemRng);
    let (public, private) = (key.encaps_key().to_bytes(), key.to_bytes());
    println!("{} bytes of encapsulation key, {} of decapsulation key", public.len(), private.as_ref().len());

    let sent = <Saber as Kem>::EncapsKey::from_bytes(&public)?.encapsulate(&mut SystemRng);
    println!("{} bytes of ciphertext", sent.ciphertext.as_ref().len());

    let received = <Saber as Kem>::DecapsKey::from_bytes(private.as_ref())?.decapsulate(&sent.ciphertext);
    assert_eq!(received, sent.secret);
    Ok(())
}
