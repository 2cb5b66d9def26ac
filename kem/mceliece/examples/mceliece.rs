//! Classic McEliece: generates a key pair, encodes and parses it, and decapsulates quickly with an encoded
//! key.

use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
use grille_mceliece::McEliece348864f;

fn main() -> Result<(), Error> {
    let key = McEliece348864f::generate(&mut SystemRng);
    let (public, private) = (key.encaps_key().to_bytes(), key.to_bytes());
    println!("{} bytes of public key, {} bytes of private key", public.len(), private.as_ref().len());

    let sent = <McEliece348864f as Kem>::EncapsKey::from_bytes(&public)?.encapsulate(&mut SystemRng);
    println!("{} bytes of ciphertext", sent.ciphertext.as_ref().len());

    // `from_bytes` checks the whole key, which takes as long as key generation. `decapsulate_encoded` checks
    // less.
    let secret = McEliece348864f::decapsulate_encoded(private.as_ref(), &sent.ciphertext)?;
    assert_eq!(secret, sent.secret);
    Ok(())
}
